"""Affine expressions, maps and sets from text, as MLIR writes them.

Used for attributes MLIR prints, for sets inside opaque types, and for subscripts over SSA values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from .affine import AffineExpr, AffineMap, Binary, Const, Dim, IntegerSet, Sym

__all__ = ["AffineSyntaxError", "ExpressionParser", "canonical", "format_expr", "parse_map", "parse_set"]

_T = TypeVar("_T")
_TOKEN = re.compile(
    r"\s*(?:(->|>=|<=|==|[-+*/()\[\],:<>])|([A-Za-z_$.][\w$.]*|%(?:\d+|[A-Za-z_$.-][\w$.-]*)(?:#\d+)?|%)|(\d+))"
)


_MOST_TOKENS = 800  # sums are trees as deep as they have terms
_OLD_OPERATORS = {"/": "floordiv", "%": "mod"}  # as the RFC's first examples write them
_PRODUCTS = ("*", "floordiv", "ceildiv", "mod", *_OLD_OPERATORS)


class AffineSyntaxError(ValueError):
    """`offset` is where in the text the fault lies."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def _tokens(text: str) -> list[tuple[str, int]]:
    result: list[tuple[str, int]] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        m = _TOKEN.match(text, at)
        if not m:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise AffineSyntaxError(f"unexpected character {text[at]!r} in an affine expression", at)
        result.append((m[m.lastindex or 0], m.start(m.lastindex or 0)))
        at = m.end()
    return result


class ExpressionParser:
    """Recursive descent over `+ - * floordiv ceildiv mod`; names are resolved by `leaf`."""

    def __init__(self, text: str, leaf: Callable[[str], AffineExpr | None]) -> None:
        self.tokens = _tokens(text)
        self.end = len(text)
        self.leaf = leaf
        self.i = 0

    @property
    def next(self) -> str:
        return self.tokens[self.i][0] if self.i < len(self.tokens) else ""

    @property
    def offset(self) -> int:
        return self.tokens[self.i][1] if self.i < len(self.tokens) else self.end

    def take(self) -> str:
        token = self.next
        self.i += 1
        return token

    def expect(self, token: str) -> None:
        if self.next != token:
            raise AffineSyntaxError(f"expected `{token}`, found `{self.next or 'end'}`", self.offset)
        self.i += 1

    def done(self) -> bool:
        return self.i >= len(self.tokens)

    def expression(self) -> AffineExpr:
        result = self.term()
        if len(self.tokens) > _MOST_TOKENS:
            raise AffineSyntaxError(f"an affine expression of more than {_MOST_TOKENS} words", self.offset)
        while self.next in ("+", "-"):
            sign = self.take()
            rhs = self.term()
            result = _add(result, rhs if sign == "+" else _mul(rhs, Const(-1)))
        return result

    def term(self) -> AffineExpr:
        result = self.factor()
        while self.next in _PRODUCTS:
            at, op = self.offset, self.take()
            op = _OLD_OPERATORS.get(op, op)
            rhs = self.factor()
            if op == "*":
                if not isinstance(rhs, Const) and not isinstance(result, Const) and _pure_dims(result, rhs):
                    raise AffineSyntaxError("a product needs a constant or symbolic factor", at)
                result = _mul(result, rhs)
            else:
                if isinstance(rhs, Const) and rhs.value <= 0:
                    raise AffineSyntaxError(f"`{op}` needs a positive divisor", at)
                result = _fold(op, result, rhs)
        return result

    def factor(self) -> AffineExpr:
        at, token = self.offset, self.take()
        if token == "-":
            return _mul(self.factor(), Const(-1))
        if token == "(":
            result = self.expression()
            self.expect(")")
            return result
        if token.isdigit():
            return Const(int(token))
        found = self.leaf(token) if token and (token[0].isalpha() or token[0] in "%_$.") else None
        if found is None:
            raise AffineSyntaxError(f"unknown name or missing operand `{token or 'end'}`", at)
        return found


def _pure_dims(lhs: AffineExpr, rhs: AffineExpr) -> bool:
    return _has_dim(lhs) and _has_dim(rhs)


def _has_dim(expr: AffineExpr) -> bool:
    return isinstance(expr, Dim) or (isinstance(expr, Binary) and (_has_dim(expr.lhs) or _has_dim(expr.rhs)))


def _fold(op: str, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    node = Binary(op, lhs, rhs)
    return Const(node.eval(())) if isinstance(lhs, Const) and isinstance(rhs, Const) else node


def _add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    if isinstance(lhs, Const):
        lhs, rhs = rhs, lhs
    return lhs if rhs == Const(0) else _fold("+", lhs, rhs)


def _mul(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    if isinstance(lhs, Const):
        lhs, rhs = rhs, lhs
    if rhs == Const(1):
        return lhs
    if isinstance(rhs, Const) and isinstance(lhs, Binary) and lhs.op == "*" and isinstance(lhs.rhs, Const):
        return _mul(lhs.lhs, Const(lhs.rhs.value * rhs.value))
    return _fold("*", lhs, rhs)


def canonical(expr: AffineExpr) -> AffineExpr:
    """The same function as a sum in one order: dimensions, symbols, other terms, a constant.

    Expressions MLIR has printed and expressions we read ourselves become equal objects.
    """
    if isinstance(expr, Dim | Sym | Const):
        return expr
    terms: dict[AffineExpr, int] = {}
    constant = _collect(expr, 1, terms)
    result: AffineExpr | None = None
    for atom in sorted(terms, key=_rank):
        if terms[atom]:
            term = _mul(atom, Const(terms[atom]))
            result = term if result is None else Binary("+", result, term)
    if result is None:
        return Const(constant)
    return Binary("+", result, Const(constant)) if constant else result


def _rank(atom: AffineExpr) -> tuple[int, int, str]:
    match atom:
        case Dim(index):
            return 0, index, ""
        case Sym(index):
            return 1, index, ""
    return 2, 0, str(atom)


def _collect(expr: AffineExpr, factor: int, terms: dict[AffineExpr, int]) -> int:
    """Adds `factor * expr` to `terms`; the constant part is the result."""
    match expr:
        case Const(value):
            return factor * value
        case Binary("+", lhs, rhs):
            return _collect(lhs, factor, terms) + _collect(rhs, factor, terms)
        case Binary("*", lhs, Const(value)):
            return _collect(lhs, factor * value, terms)
        case Binary(op, lhs, rhs):
            expr = Binary(op, canonical(lhs), canonical(rhs))
    terms[expr] = terms.get(expr, 0) + factor
    return 0


def _header(parser: ExpressionParser) -> tuple[int, int]:
    """`(d0, d1)[s0]`: declares the names and gives their counts."""
    names: dict[str, AffineExpr] = {}
    counts = []
    for opener, closer, kind in (("(", ")", Dim), ("[", "]", Sym)):
        n = 0
        if opener == "(" or parser.next == opener:
            parser.expect(opener)
            while parser.next != closer:
                if n:
                    parser.expect(",")
                at, name = parser.offset, parser.take()
                if not name or not (name[0].isalpha() or name[0] in "_$.") or name in names:
                    raise AffineSyntaxError(f"`{name or 'end'}` is not a new name", at)
                names[name] = kind(n)
                n += 1
            parser.expect(closer)
        counts.append(n)
    parser.leaf = names.get
    return counts[0], counts[1]


def _body(text: str, keyword: str) -> ExpressionParser:
    text = text.strip()
    if text.startswith(keyword + "<") and text.endswith(">"):
        text = text[len(keyword) + 1 : -1]
    return ExpressionParser(text, lambda _: None)


@lru_cache(maxsize=4096)
def parse_map(text: str) -> AffineMap:
    """`affine_map<(d0)[s0] -> (…)>`, the wrapper optional. Raises AffineSyntaxError."""
    parser = _body(text, "affine_map")
    dims, syms = _header(parser)
    parser.expect("->")
    results = _list(parser, lambda: canonical(parser.expression()))
    return AffineMap(dims, syms, tuple(results))


@lru_cache(maxsize=4096)
def parse_set(text: str) -> IntegerSet:
    """`affine_set<(d0)[s0] : (…)>`, the wrapper optional. Raises AffineSyntaxError."""
    parser = _body(text, "affine_set")
    dims, syms = _header(parser)
    parser.expect(":")
    constraints = _list(parser, lambda: _constraint(parser))
    return IntegerSet(dims, syms, tuple(c for c in constraints if not _holds(*c)))


def _constraint(parser: ExpressionParser) -> tuple[AffineExpr, bool]:
    lhs = parser.expression()
    at, relation = parser.offset, parser.take()
    if relation not in (">=", "<=", "=="):
        raise AffineSyntaxError(f"expected `>=` or `==`, found `{relation or 'end'}`", at)
    rhs = parser.expression()
    if relation == "<=":
        lhs, rhs = rhs, lhs
    return canonical(_add(lhs, _mul(rhs, Const(-1)))), relation == "=="


def _holds(expr: AffineExpr, equality: bool) -> bool:
    """A constraint without variables that is always true; MLIR writes an unconstrained set as `0 == 0`."""
    return isinstance(expr, Const) and (expr.value == 0 if equality else expr.value >= 0)


def _list(parser: ExpressionParser, item: Callable[[], _T]) -> list[_T]:
    parser.expect("(")
    items: list[_T] = []
    while parser.next != ")":
        if items:
            parser.expect(",")
        items.append(item())
    parser.expect(")")
    if not parser.done():
        raise AffineSyntaxError(f"unexpected `{parser.next}` after the list", parser.offset)
    return items


def format_expr(expr: AffineExpr, names: Sequence[str]) -> str:
    """The expression over named dimensions, as people write it: `%i * 64 + %j - 1`."""
    return _sum(expr, names, top=True)


def _sum(expr: AffineExpr, names: Sequence[str], top: bool) -> str:
    match expr:
        case Dim(index):
            return names[index]
        case Const(value):
            return str(value)
        case Binary("+", lhs, Const(value)) if value < 0:
            text = f"{_sum(lhs, names, True)} - {-value}"
        case Binary("+", lhs, Binary("*", factor, Const(-1))):
            text = f"{_sum(lhs, names, True)} - {_sum(factor, names, False)}"
        case Binary("+", lhs, rhs):
            text = f"{_sum(lhs, names, True)} + {_sum(rhs, names, not _is_sum(rhs))}"
        case Binary("*", factor, Const(-1)):
            return f"-{_sum(factor, names, False)}"
        case Binary(op, lhs, rhs):
            text = f"{_sum(lhs, names, False)} {op} {_sum(rhs, names, False)}"
        case _:
            return str(expr)
    return text if top else f"({text})"


def _is_sum(expr: AffineExpr) -> bool:
    return isinstance(expr, Binary) and expr.op == "+"
