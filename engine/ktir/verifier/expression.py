"""The rule language of `verify:` entries: Python expressions, parsed with `ast` against a whitelist.

Three-valued: None means *unknown* (a dynamic size, no architecture given) and spreads through comparisons
and arithmetic; a rule fails only when its requirement is known to be false. Values here are operands,
types and attributes, not arrays, so this is not `numerics.formula`.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ...diagnostics import Position, fail

__all__ = ["Env", "evaluate", "fill"]

Env = Mapping[str, Any]
_Code = Callable[[Env], Any]

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_PART = re.compile(r"\{([^{}]+)\}")


def evaluate(text: str, env: Env, position: Position) -> Any:
    """The value of an expression; None when it is not known. SPEC003: not in the language."""
    return _compiled(text, position)(env)


def fill(message: str, env: Env, position: Position) -> str:
    """A message with its `{expression}` parts replaced by their values."""
    return _PART.sub(lambda m: _shown(evaluate(m[1], env, position)), message)


def _shown(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(_shown(v) for v in value)}]"
    return "?" if value is None else str(value)


@lru_cache(maxsize=2048)
def _compiled(text: str, position: Position) -> _Code:
    try:
        return _code(ast.parse(text, mode="eval").body, text, position)
    except (SyntaxError, RecursionError):
        fail("SPEC003", f"`{text}` is not an expression", position)


def _code(node: ast.expr, text: str, position: Position) -> _Code:
    def sub(child: ast.expr) -> _Code:
        return _code(child, text, position)

    match node:
        case ast.Constant(value):
            return lambda env: value
        case ast.Name(id=name):
            return _name(name, text, position)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            codes = [sub(i) for i in items]
            return lambda env: [c(env) for c in codes]
        case ast.UnaryOp(op=ast.Not(), operand=child):
            code = sub(child)
            return lambda env: None if (v := code(env)) is None else not v
        case ast.UnaryOp(op=ast.USub(), operand=child):
            code = sub(child)
            return lambda env: None if (v := code(env)) is None else -v
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _strict(_BINARY[type(op)], sub(left), sub(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return _strict(_COMPARE[type(op)], sub(left), sub(right))
        case ast.BoolOp(op=op, values=values):
            return _boolean(isinstance(op, ast.And), [sub(v) for v in values])
        case ast.IfExp(test=test, body=body, orelse=orelse):
            t, b, o = sub(test), sub(body), sub(orelse)
            return lambda env: None if (v := t(env)) is None else b(env) if v else o(env)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            function, codes = _function(name, text, position), [sub(a) for a in args]
            return lambda env: function(env, *[c(env) for c in codes])
    fail("SPEC003", f"`{ast.unparse(node)}` is not allowed in a rule (`{text}`)", position)


def _name(name: str, text: str, position: Position) -> _Code:
    def code(env: Env) -> Any:
        if name not in env:
            fail("SPEC003", f"unknown name `{name}` in rule `{text}`", position)
        return env[name]

    return code


def _function(name: str, text: str, position: Position) -> Callable[..., Any]:
    from .library import FUNCTIONS

    if name not in FUNCTIONS:
        fail("SPEC003", f"unknown function `{name}` in rule `{text}`", position)
    return FUNCTIONS[name]


def _strict(apply: Callable[[Any, Any], Any], left: _Code, right: _Code) -> _Code:
    def code(env: Env) -> Any:
        a, b = left(env), right(env)
        return None if a is None or b is None else apply(a, b)

    return code


def _boolean(conjunction: bool, codes: list[_Code]) -> _Code:
    def code(env: Env) -> Any:
        unknown = False
        for part in codes:
            value = part(env)
            if value is None:
                unknown = True
            elif bool(value) != conjunction:
                return not conjunction
        return None if unknown else conjunction

    return code
