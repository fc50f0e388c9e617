"""Semantics formulas: Python expressions over named operands, parsed against a whitelist.

`formula("a * b + c")` is cached; calling it with arrays (`f(a=x, b=y, c=z)`) computes with NumPy's
own promotion. Dtype-aware evaluation (rounding after the operation) is `ops.evaluate`.

Allowed: names, numbers, `inf`, `nan`, `true`, `false`; `+ - * / // %`, `& | ^ ~`, comparisons
(chains of one), `x if c else y` (elementwise), and calls of `functions.FUNCTIONS`. Nothing else.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from ..diagnostics import Position, fail
from .functions import FUNCTIONS, VALUE_PRESERVING, WIDTH_DEPENDENT

__all__ = ["Formula", "formula", "parse_formula"]

Env = Mapping[str, Any]
Code = Callable[[Env], Any]

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_UFUNCS: dict[Any, np.ufunc] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.BitAnd: np.bitwise_and,
    ast.BitOr: np.bitwise_or,
    ast.BitXor: np.bitwise_xor,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.USub: np.negative,
}
_CONSTANTS = {"inf": float("inf"), "nan": float("nan"), "true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula. `simple`: at most one rounding step, so one operation in the operands' own
    precision is right. `preserving`: yields a value of the operands' format, needs no rounding."""

    text: str
    names: tuple[str, ...]  # free names, in order of appearance
    simple: bool
    preserving: bool
    widthless: bool  # means the same on Python ints, whatever integer type they stand for
    code: Code
    ufunc: np.ufunc | None  # the whole formula as one NumPy ufunc of `names` in order, if it is one
    reducer: np.ufunc | None  # the ufunc whose `reduce` folds with this formula, if there is one

    def __call__(self, **arrays: Any) -> Any:
        return self.code(arrays)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"


class _Parser:
    def __init__(self, text: str, position: Position | None) -> None:
        self.text, self.position = text, position
        self.names: list[str] = []
        self.steps = 0
        self.widthless = True

    def reject(self, node: ast.AST, what: str) -> NoReturn:
        column = getattr(node, "col_offset", 0) + 1
        fail("FORM001", f"formula `{self.text}`, column {column}: {what}", self.position, "see formula.py")

    def compile(self, node: ast.expr) -> Code:
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return lambda env: value
            case ast.Name(id=name):
                return self._name(name)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                self.steps += 1
                return self._apply(_BINARY[type(op)], [left, right])
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._apply(operator.neg, [operand])
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self._apply(operator.invert, [operand])
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
                return self._apply(_COMPARE[type(op)], [left, right])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._apply(FUNCTIONS["where"], [test, body, orelse])
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(node, name, args)
        self.reject(node, f"`{ast.unparse(node)}` is not allowed")

    def _name(self, name: str) -> Code:
        if name in _CONSTANTS:
            value = _CONSTANTS[name]
            return lambda env: value
        if name not in self.names:
            self.names.append(name)
        return lambda env: env[name]

    def _call(self, node: ast.expr, name: str, args: list[ast.expr]) -> Code:
        if name not in FUNCTIONS:
            self.reject(node, f"unknown function `{name}`")
        if any(isinstance(a, ast.Starred) for a in args):
            self.reject(node, "`*` arguments are not allowed")
        if name not in VALUE_PRESERVING:
            self.steps += 1
        self.widthless = self.widthless and name not in WIDTH_DEPENDENT
        return self._apply(FUNCTIONS[name], args)

    def _apply(self, function: Callable[..., Any], args: list[ast.expr]) -> Code:
        codes = [self.compile(a) for a in args]
        if len(codes) == 1:
            (one,) = codes
            return lambda env: function(one(env))
        if len(codes) == 2:
            first, second = codes
            return lambda env: function(first(env), second(env))
        return lambda env: function(*(c(env) for c in codes))


def _as_ufunc(tree: ast.expr, reducing: bool = False) -> np.ufunc | None:
    """The ufunc that a formula of one operation on distinct names is, or that folds with it."""
    match tree:
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            args, found = [left, right], _UFUNCS.get(type(op))
        case ast.UnaryOp(op=op, operand=operand):
            args, found = [operand], _UFUNCS.get(type(op))
        case ast.Call(func=ast.Name(id=name), args=args):
            function = FUNCTIONS.get(name)
            if reducing:
                function = getattr(function, "ufunc", function)
            found = function if isinstance(function, np.ufunc) else None
        case _:
            return None
    names = [a.id for a in args if isinstance(a, ast.Name) and a.id not in _CONSTANTS]
    return found if len(names) == len(args) == len(set(names)) else None


def parse_formula(text: str, position: Position | None = None) -> Formula:
    """Parse `text`. FORM001: not a formula, or something outside the whitelist."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        fail("FORM001", f"`{text}` is not an expression: {e}", position, "see the formula language")
    parser = _Parser(text, position)
    code = parser.compile(tree)
    preserving = parser.steps == 0 and not isinstance(tree, ast.Compare)
    names = tuple(parser.names)
    return Formula(
        text,
        names,
        parser.steps <= 1,
        preserving,
        parser.widthless,
        code,
        _as_ufunc(tree),
        _as_ufunc(tree, True),
    )


@lru_cache(maxsize=4096)
def formula(text: str) -> Formula:
    """`parse_formula`, cached by text."""
    return parse_formula(text)
