"""The `custom<…>` directives of assemblies: lists and subscripts that plain elements cannot express."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...diagnostics import fail
from ..affine import AffineExpr, AffineMap, Binary, Dim
from ..affine_text import AffineSyntaxError, ExpressionParser, canonical
from ..ir import DenseArray
from .output import Piece

if TYPE_CHECKING:
    from .match import Matcher

__all__ = ["parse"]

_Directive = Callable[["Matcher", tuple[str, ...], int], int | None]


def parse(directive: str, matcher: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """Match `custom<directive>(args)` at token i; the token after it, or None."""
    known = _DIRECTIVES.get(directive)
    if known is None:
        fail("SPEC001", f"assembly: unknown directive `{directive}`", matcher.spec.position)
    return known(matcher, args, i)


def _dynamic_index_list(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """`[4, %n, 64]` → operands of the SSA values, an i64 array with a marker in their places."""
    values, static = args
    text = m.tokens.text
    if text[i] != "[":
        m.miss(i, "`[`")
        return None
    end = m.tokens.match[i]
    names: list[str] = []
    numbers: list[int | None] = []
    i += 1
    while i < end:
        word = text[i]
        if word[:1] == "%":
            names.append(word)
            numbers.append(None)
        elif word == "-" and text[i + 1].isdigit():
            i += 1
            numbers.append(-int(text[i]))
        elif word.isdigit():
            numbers.append(int(word))
        else:
            m.miss(i, "an integer or a value")
            return None
        i += 1
        if i < end:
            if text[i] != "," or i + 1 == end:
                m.miss(i, "`,` or `]`")
                return None
            i += 1
    m.record.operands[values] = names
    m.record.plain[static] = DenseArray(numbers)
    return end + 1


class _Operands:
    """Numbers the SSA values of subscripts in order of first use; `fixed` names come after all others."""

    def __init__(self, fixed: tuple[str, ...] = ()) -> None:
        self.names: list[str] = []
        self.fixed = fixed

    def leaf(self, name: str) -> AffineExpr | None:
        if name[:1] != "%":
            return None
        if name in self.fixed:
            return Dim(-1 - self.fixed.index(name))
        if name not in self.names:
            self.names.append(name)
        return Dim(self.names.index(name))


def _expressions(m: Matcher, lo: int, hi: int, operands: _Operands) -> list[AffineExpr]:
    """Comma-separated affine expressions in tokens lo … hi-1."""
    if lo >= hi:
        return []
    try:
        parser = ExpressionParser(m.tokens.slice(lo, hi), operands.leaf)
        found = [parser.expression()]
        while not parser.done():
            parser.expect(",")
            found.append(parser.expression())
        return found
    except AffineSyntaxError as e:
        where = m.tokens.source.position(m.tokens.start[lo] + e.offset)
        fail(
            "PARSE005", f"{m.spec.name}: {e}", where, "subscripts are affine: sums of values times constants"
        )


def _affine_subscripts(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """`%i + 8, %j * 64, 0` up to the closing bracket → a map and its operands."""
    map_name, operand_name = args
    end = _enclosing(m, i)
    operands = _Operands()
    results = _expressions(m, i, end, operands)
    m.record.operands[operand_name] = operands.names
    m.record.plain[map_name] = AffineMap(len(operands.names), 0, tuple(map(canonical, results)))
    return end


def _enclosing(m: Matcher, i: int) -> int:
    """The bracket that closes the list token i is in (token i-1 opened it)."""
    return m.tokens.match[i - 1]


def _block_arguments(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """`%m, %k` up to the closing bracket → a region whose block takes them as `index` arguments."""
    text, end = m.tokens.text, _enclosing(m, i)
    (region,) = args
    names: list[str] = []
    while i < end:
        if text[i][:1] != "%" or text[i] in names:
            m.miss(i, "a new variable (`%…`)")
            return None
        names.append(text[i])
        i += 1
        if i < end:
            if text[i] != ",":
                m.miss(i, "`,` or `)`")
                return None
            i += 1
    terminator = next(r.terminator for r in m.spec.regions if r.name == region)
    head = f"^bb0({', '.join(f'{n}: index' for n in names)}): " if names else ""
    m.record.arguments[region] = tuple(names)
    body = f'{{{head}"{terminator}"() : () -> ()}}'
    m.record.regions[region] = [Piece(body, m.tokens.start[m.at])]
    return end


def _block_argument(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """`%me` (its type is the second argument) or `%v: vector<64xf16>` → the region's one block argument."""
    text = m.tokens.text
    if text[i][:1] != "%":
        m.miss(i, "a new variable (`%…`)")
        return None
    name, kind, end = text[i], args[-1], i + 1
    if len(args) == 1:
        if text[end] != ":":
            m.miss(end, "`:` and a type")
            return None
        parsed = m.one_type(None, end + 1)
        if parsed is None:
            return None
        kind, end = parsed
    m.record.arguments[args[0]] = (name,)
    m.record.headers[args[0]] = f"^bb0({name}: {kind}): "
    return end


def _mapping(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """`[%k -> %v], [%k -> %v]` up to the closing bracket → keys and values."""
    keys_name, values_name = args
    text, end = m.tokens.text, _enclosing(m, i)
    keys: list[str] = []
    values: list[str] = []
    while i < end:
        if text[i] != "[" or text[i + 1][:1] != "%" or text[i + 2] != "->" or text[i + 3][:1] != "%":
            m.miss(i, "`[%key -> %value]`")
            return None
        keys.append(text[i + 1])
        values.append(text[i + 3])
        i = m.tokens.match[i] + 1
        if i < end and text[i] == ",":
            i += 1
    m.record.operands[keys_name], m.record.operands[values_name] = keys, values
    return end


def _indirect_subscripts(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """`ind(%I[%a, %b floordiv 2]), (%c + 1)` → kinds, maps, index views and captured variables.

    Also the RFC's first spelling: `I[%a, %b / 2], %c % 64`.
    """
    kinds_name, maps_name, memrefs_name, captured_name, region = args
    text, match, end = m.tokens.text, m.tokens.match, _enclosing(m, i)
    variables = m.record.arguments.get(region, ())
    operands = _Operands(variables)
    kinds: list[bool] = []
    memrefs: list[str] = []
    groups: list[list[AffineExpr]] = []
    while i < end:
        stop = i
        while stop < end and text[stop] != ",":
            stop = match.get(stop, stop) + 1 if text[stop] in "([{<" else stop + 1
        lo, hi, view = i, stop, ""
        if text[i] == "ind" and text[i + 1] == "(":
            lo, hi, view = i + 2, match[i + 1], text[i + 2]
        elif text[i][:1].isalpha() and text[i + 1] == "[":
            lo, view = i, "%" + text[i]
        if view:
            if view[:1] != "%" or text[lo + 1] != "[" or match[lo + 1] + 1 != hi:
                m.miss(lo, "an index view and its subscripts, `%view[…]`")
                return None
            memrefs.append(view)
            lo, hi = lo + 2, hi - 1
        groups.append(_expressions(m, lo, hi, operands))
        kinds.append(bool(view))
        if not view and len(groups[-1]) != 1:
            m.miss(i, "one expression")
            return None
        if stop < end and stop + 1 == end:
            m.miss(end, "a subscript")
            return None
        i = stop + 1 if stop < end else stop
    captured = len(operands.names)
    total = captured + len(variables)
    maps = [AffineMap(total, 0, tuple(canonical(_place(e, captured)) for e in group)) for group in groups]
    m.record.operands[memrefs_name] = memrefs
    m.record.operands[captured_name] = operands.names
    m.record.plain[kinds_name] = kinds
    m.record.plain[maps_name] = maps
    return end


def _place(expr: AffineExpr, captured: int) -> AffineExpr:
    """Numbers the intermediate variables (negative so far) after the captured ones."""
    match expr:
        case Dim(index) if index < 0:
            return Dim(captured - 1 - index)
        case Binary(op, lhs, rhs):
            return Binary(op, _place(lhs, captured), _place(rhs, captured))
    return expr


def _common_type(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """One type, that of every value of the group."""
    parsed = m.one_type(None, i)
    if parsed is None:
        return None
    m.record.types[args[0]] = [parsed[0]] * len(m.record.operands.get(args[0], []))
    return parsed[1]


def _repeated_types(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """Types the op's other types already say; read over."""
    while True:
        parsed = m.one_type(None, i)
        if parsed is None:
            return None
        i = parsed[1]
        if m.tokens.text[i] != ",":
            return i
        i += 1


_DIRECTIVES: dict[str, _Directive] = {
    "CommonType": _common_type,
    "DynamicIndexList": _dynamic_index_list,
    "AffineSubscripts": _affine_subscripts,
    "BlockArgument": _block_argument,
    "BlockArguments": _block_arguments,
    "IndirectSubscripts": _indirect_subscripts,
    "Mapping": _mapping,
    "RepeatedTypes": _repeated_types,
}
