"""Printing of the `custom<…>` directives: the inverses of `reader.directives`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...diagnostics import fail
from ..affine_text import format_expr, parse_map
from ..type_text import split_top

if TYPE_CHECKING:
    from .sugar import Parts, Sugar

__all__ = ["render"]

_DYNAMIC = str(-(2**63))

_Directive = Callable[["Sugar", "Parts", tuple[str, ...]], list[str]]


def render(directive: str, sugar: Sugar, parts: Parts, args: tuple[str, ...]) -> list[str]:
    """The words `custom<directive>(args)` prints."""
    known = _DIRECTIVES.get(directive)
    if known is None:
        fail("SPEC001", f"assembly: directive `{directive}` cannot be printed", parts.spec.position)
    return known(sugar, parts, args)


def _dynamic_index_list(sugar: Sugar, parts: Parts, args: tuple[str, ...]) -> list[str]:
    values = iter(parts.operands[args[0]])
    numbers = re.findall(r"-?\d+", sugar.resolve(parts.attributes.get(args[1], "")).partition(":")[2])
    return ["[" + ", ".join(next(values) if n == _DYNAMIC else n for n in numbers) + "]"]


def _affine_subscripts(sugar: Sugar, parts: Parts, args: tuple[str, ...]) -> list[str]:
    map_name, operand_name = args
    names = parts.operands[operand_name]
    base = parse_map(sugar.resolve(parts.attributes[map_name]))
    return [", ".join(format_expr(e, names) for e in base.results)] if base.results else []


def _block_arguments(sugar: Sugar, parts: Parts, args: tuple[str, ...]) -> list[str]:
    names = parts.arguments.get(args[0], [])
    return [", ".join(names)] if names else []


def _block_argument(sugar: Sugar, parts: Parts, args: tuple[str, ...]) -> list[str]:
    region = args[0]
    names = parts.arguments.get(region, [])
    if not names:
        return []
    return [names[0] if len(args) == 2 else f"{names[0]}: {parts.argument_types[region][0]}"]


def _common_type(sugar: Sugar, parts: Parts, args: tuple[str, ...]) -> list[str]:
    return parts.types[args[0]][:1]


def _mapping(sugar: Sugar, parts: Parts, args: tuple[str, ...]) -> list[str]:
    pairs = zip(parts.operands[args[0]], parts.operands[args[1]], strict=True)
    return [", ".join(f"[{k} -> {v}]" for k, v in pairs)]


def _indirect_subscripts(sugar: Sugar, parts: Parts, args: tuple[str, ...]) -> list[str]:
    kinds_name, maps_name, memrefs_name, captured_name, region = args
    views = iter(parts.operands[memrefs_name])
    names = [*parts.operands[captured_name], *parts.arguments.get(region, [])]
    kinds = split_top(sugar.resolve(parts.attributes[kinds_name]).strip("[]"))
    maps = split_top(sugar.resolve(parts.attributes[maps_name])[1:-1])
    words = []
    for kind, text in zip(kinds, maps, strict=True):
        body = ", ".join(format_expr(e, names) for e in parse_map(sugar.resolve(text)).results)
        words.append(f"ind({next(views)}[{body}])" if kind == "true" else f"({body})")
    return [", ".join(words)] if words else []


_DIRECTIVES: dict[str, _Directive] = {
    "AffineSubscripts": _affine_subscripts,
    "BlockArgument": _block_argument,
    "BlockArguments": _block_arguments,
    "CommonType": _common_type,
    "DynamicIndexList": _dynamic_index_list,
    "IndirectSubscripts": _indirect_subscripts,
    "Mapping": _mapping,
}
