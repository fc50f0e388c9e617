"""The integer side of a unit: 64-bit register arithmetic on plain ints or arrays (one entry per lane)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import formula, scalar_ops
from ..spyrecode.isa import IntegerOp, isa

__all__ = [
    "DivisionByZero",
    "Integer",
    "Varies",
    "after_loop",
    "integer_operation",
    "invariant",
    "simplify",
    "wrap",
    "wrapped",
]

Integer = int | NDArray[np.int64]
_SIGN = 1 << 63
_MASK = (1 << 64) - 1


class Varies(Exception):
    """A value that must be the same in all iterations is not."""


class DivisionByZero(Exception):
    """The divisor of an integer word is zero in some lane."""


def wrap(value: int) -> int:
    """Two's complement of 64 bits."""
    return ((value + _SIGN) & _MASK) - _SIGN


def simplify(value: Integer) -> Integer:
    """A register whose lanes all agree is a plain int."""
    if isinstance(value, int):
        return value
    first = int(value.flat[0])
    return first if value.size == 1 or bool((value == first).all()) else value


@cache
def integer_operation(code: int) -> Callable[[Any, Any], Integer]:
    """The function of the isa's integer operation `code`, on ints or int64 arrays (NumPy broadcasting)."""
    op = isa().integer_op(code)
    assert op is not None, "checked when the program was decoded"
    function, names, divides = _definition(op)
    first, second = names

    def run(a: Any, b: Any) -> Integer:
        if divides and (not b if isinstance(b, int) else not np.asarray(b).all()):
            raise DivisionByZero
        plain = isinstance(a, int) and isinstance(b, int)
        if plain and a >= 0 and b >= 0:
            return wrap(int(function({first: a, second: b})))
        # As 64-bit numbers, so that unsigned operations see the bits of negative ones.
        with np.errstate(over="ignore"):
            result = function({first: np.asarray(a, np.int64), second: np.asarray(b, np.int64)})
        return int(result) if plain else np.asarray(result).astype(np.int64, copy=False)

    return run


def _definition(op: IntegerOp) -> tuple[Callable[[Any], Any], tuple[str, str], bool]:
    if op.scalar is None:
        text = op.formula or ""
        return formula(text).code, ("a", "b"), any(sign in text for sign in ("/", "%", "div"))
    scalar = scalar_ops()[op.scalar]
    return (
        scalar.choose(op.attributes).code,
        (scalar.operands[0], scalar.operands[1]),
        scalar.cost == "divide",
    )


def wrapped(value: Any) -> Any:
    """Arrays wrap by themselves."""
    return wrap(value) if isinstance(value, int) else value


def after_loop(value: Integer) -> Integer:
    """A register after the innermost loop: its value in the last iteration."""
    if isinstance(value, int):
        return value
    last = value[..., -1, :]
    return simplify(last) if last.ndim == 1 else last


def invariant(value: Integer) -> Integer:
    """A value that no iteration changes, as an int or one number per lane. Raises `Varies`."""
    if isinstance(value, int) or value.ndim == 1:
        return value
    rows = value.reshape(-1, value.shape[-1])
    if len(rows) > 1 and not (rows == rows[0]).all():
        raise Varies
    return simplify(rows[0])
