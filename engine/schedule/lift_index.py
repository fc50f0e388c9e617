"""Lifting scalar integer SSA values to ScheduleIR integer expressions.

The meaning of each op comes from its formula in `ktir_specs/`; here formulas are translated, function
by function, to integer expressions. Index arithmetic is taken not to overflow, and operands of unsigned
division to be non-negative; signed division towards zero is exact.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..ktir import ir
from ..ktir.affine import AffineExpr, Binary, Const, Dim, Sym
from ..numerics import scalar_ops
from .index import Bounds, Index, add, bounds, call, mul, sub

__all__ = ["IndexLift", "affine_index", "is_integer"]

Ranges = Mapping[str, Bounds]


def is_integer(t: ir.Type) -> bool:
    """Is this the type of a scalar integer, index or boolean?"""
    return isinstance(t, ir.Scalar) and t.name.lstrip("su")[0] == "i"


def affine_index(e: AffineExpr, dims: Sequence[Index], syms: Sequence[Index], ranges: Ranges) -> Index:
    """An affine expression with integer expressions for its dimensions and symbols."""
    match e:
        case Dim(k):
            return dims[k]
        case Sym(k):
            return syms[k]
        case Const(value):
            return value
        case Binary(op, lhs, rhs):
            a, b = affine_index(lhs, dims, syms, ranges), affine_index(rhs, dims, syms, ranges)
            return call(op, a, b, ranges=ranges)
    raise AssertionError(e)


class NotAnIndex(Exception):
    """The value is no integer expression over arguments, tile coordinates and axes."""


class IndexLift:
    """Translates SSA values; `env` gives block arguments and values already known, `ranges` bounds names."""

    def __init__(self, ranges: dict[str, Bounds]) -> None:
        self.env: dict[ir.Value, Index] = {}
        self.ranges = ranges

    def index(self, value: ir.Value) -> Index | None:
        """The expression of a scalar integer value; None when it is something else (loaded, say)."""
        try:
            return self._index(value)
        except NotAnIndex:
            return None

    def _index(self, value: ir.Value) -> Index:
        known = self.env.get(value)
        if known is None:
            known = self.env[value] = self._define(value)
        return known

    def _define(self, value: ir.Value) -> Index:
        op = value.owner
        if not isinstance(op, ir.Op) or not is_integer(value.type):
            raise NotAnIndex
        constant = op.attributes.get("value")
        if isinstance(constant, ir.Typed) and not op.operands:
            return int(constant.value)
        applied = op.attributes.get("map")
        if op.name.startswith("affine.") and applied is not None:
            return self._affine(op.name, applied, [self._index(v) for v in op.operands])
        known = scalar_ops().get(op.name)
        if known is None or known.bitcast:
            raise NotAnIndex
        operands = [self._index(v) for v in op.operands]
        formula = known.choose(op.attributes)
        if "&" in formula.text or "|" in formula.text:  # logical only on booleans
            assert isinstance(value.type, ir.Scalar)
            if value.type.name != "i1":
                raise NotAnIndex
        return _translate(formula.text, tuple(known.operands), tuple(operands), self.ranges)

    def _affine(self, name: str, m: Any, operands: list[Index]) -> Index:
        dims, syms = operands[: m.dims], operands[m.dims :]
        results = [affine_index(r, dims, syms, self.ranges) for r in m.results]
        kind = name.removeprefix("affine.")
        return results[0] if kind == "apply" else call(kind, *results, ranges=self.ranges)


def _translate(text: str, operands: tuple[str, ...], values: tuple[Index, ...], ranges: Ranges) -> Index:
    return _walk(_parsed(text), dict(zip(operands, values, strict=False)), ranges)


@lru_cache(maxsize=512)
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _walk(node: ast.expr, env: Mapping[str, Index], ranges: Ranges) -> Index:
    match node:
        case ast.Name(id=name) if name in env:
            return env[name]
        case ast.Constant(value=int(value)):
            return value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return call(_BINARY[type(op)], _walk(left, env, ranges), _walk(right, env, ranges), ranges=ranges)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return mul(-1, _walk(operand, env, ranges))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            head, swap = _COMPARE[type(op)]
            a, b = _walk(left, env, ranges), _walk(right, env, ranges)
            return call(head, b, a, ranges=ranges) if swap else call(head, a, b, ranges=ranges)
        case ast.Call(func=ast.Name(id=name), args=args) if name in _CALLS:
            return _CALLS[name](ranges, *[_walk(a, env, ranges) for a in args])
    raise NotAnIndex


_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "and",
    ast.BitOr: "or",
}
_COMPARE: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Eq: ("eq", False),
    ast.NotEq: ("ne", False),
    ast.Lt: ("lt", False),
    ast.LtE: ("le", False),
    ast.Gt: ("lt", True),
    ast.GtE: ("le", True),
}


def _truncating(ranges: Ranges, a: Index, b: Index) -> Index:
    """Signed division towards zero: floordiv where both are known non-negative, else put together from it."""
    low_a, low_b = bounds(a, ranges)[0], bounds(b, ranges)[0]
    if low_b is None or low_b < 0:
        raise NotAnIndex
    if low_a is not None and low_a >= 0:
        return call("floordiv", a, b, ranges=ranges)
    up = call("floordiv", call("max", a, 0, ranges=ranges), b, ranges=ranges)
    down = call("floordiv", call("max", mul(-1, a), 0, ranges=ranges), b, ranges=ranges)
    return sub(up, down)


def _head(name: str) -> Callable[..., Index]:
    return lambda ranges, *xs: call(name, *xs, ranges=ranges)


_CALLS: dict[str, Callable[..., Index]] = {
    "signed": lambda ranges, a: a,
    "unsigned": lambda ranges, a: a,
    "divu": _head("floordiv"),
    "floordivs": _head("floordiv"),
    "ceildivu": _head("ceildiv"),
    "ceildivs": _head("ceildiv"),
    "remu": _head("mod"),
    "divs": _truncating,
    "rems": lambda ranges, a, b: add(a, mul(-1, b, _truncating(ranges, a, b))),
    "maximum": _head("max"),
    "minimum": _head("min"),
    "where": _head("select"),
}
