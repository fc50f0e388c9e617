"""The integer side of a unit: 64-bit register arithmetic on plain ints or arrays (one entry per lane)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import formula, scalar_ops
from ..spyrecode.isa import IntegerOp, isa

__all__ = ["DivisionByZero", "Integer", "integer_operation", "simplify", "wrap"]

Integer = int | NDArray[np.int64]
_SIGN = 1 << 63
_MASK = (1 << 64) - 1


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
        result = function({first: a, second: b})
        if isinstance(a, int) and isinstance(b, int):
            return wrap(int(result))
        return np.asarray(result).astype(np.int64, copy=False)

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
