"""The `custom<…>` directives of assemblies: lists and subscripts that plain elements cannot express."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...diagnostics import fail
from ..affine import AffineExpr, AffineMap, Dim
from ..affine_text import AffineSyntaxError, ExpressionParser
from .output import Piece

if TYPE_CHECKING:
    from .match import Matcher

__all__ = ["parse"]

DYNAMIC = -(2**63)  # MLIR's ShapedType::kDynamic

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
    start, end = i, m.tokens.match[i]
    names: list[str] = []
    numbers: list[str] = []
    i += 1
    while i < end:
        word = text[i]
        if word[:1] == "%":
            names.append(word)
            numbers.append(str(DYNAMIC))
        elif word == "-" and text[i + 1].isdigit():
            i += 1
            numbers.append("-" + text[i])
        elif word.isdigit():
            numbers.append(word)
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
    body = f"array<i64: {', '.join(numbers)}>" if numbers else "array<i64>"
    m.record.attributes[static] = [Piece(body, m.tokens.start[start])]
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
        fail("PARSE005", f"{m.spec.name}: {e}", where, "subscripts are affine: sums of values times constants")


def _affine_subscripts(m: Matcher, args: tuple[str, ...], i: int) -> int | None:
    """`%i + 8, %j * 64, 0` up to the closing bracket → a map and its operands."""
    map_name, operand_name = args
    end = _enclosing(m, i)
    operands = _Operands()
    results = _expressions(m, i, end, operands)
    m.record.operands[operand_name] = operands.names
    base = AffineMap(len(operands.names), 0, tuple(results))
    m.record.attributes[map_name] = [Piece(str(base), m.tokens.start[i])]
    return end


def _enclosing(m: Matcher, i: int) -> int:
    """The bracket that closes the list token i is in (token i-1 opened it)."""
    return m.tokens.match[i - 1]


_DIRECTIVES: dict[str, _Directive] = {
    "DynamicIndexList": _dynamic_index_list,
    "AffineSubscripts": _affine_subscripts,
}
