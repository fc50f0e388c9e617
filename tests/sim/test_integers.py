"""Integer words on plain ints and on arrays, at the edges of 64 bits, against Python's unbounded integers."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from tilesat.sim.integers import DivisionByZero, integer_operation
from tilesat.spyrecode.isa import isa

VALUES = [0, 1, -1, 7, -7, 63, 2**40, -(2**40) + 3, 2**63 - 1, -(2**63)]


def signed(x: int) -> int:
    return (x + 2**63) % 2**64 - 2**63


def unsigned(x: int) -> int:
    return x % 2**64


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


DIVIDES = {"divs", "rems", "divu", "remu", "fdiv", "cdiv", "mod", "cdivu"}
ORACLE: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "divs": quotient,
    "rems": lambda a, b: a - quotient(a, b) * b,
    "divu": lambda a, b: unsigned(a) // unsigned(b),
    "remu": lambda a, b: unsigned(a) % unsigned(b),
    "fdiv": lambda a, b: a // b,
    "cdiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
    "mins": min,
    "maxs": max,
    "minu": lambda a, b: min(unsigned(a), unsigned(b)),
    "maxu": lambda a, b: max(unsigned(a), unsigned(b)),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "shrs": lambda a, b: a >> b,
    "shru": lambda a, b: unsigned(a) >> b,
    "cdivu": lambda a, b: -(-unsigned(a) // unsigned(b)),
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "ltu": lambda a, b: unsigned(a) < unsigned(b),
    "leu": lambda a, b: unsigned(a) <= unsigned(b),
    "gtu": lambda a, b: unsigned(a) > unsigned(b),
    "geu": lambda a, b: unsigned(a) >= unsigned(b),
}


@pytest.mark.parametrize("name", list(isa().integer_ops))
def test_every_operation(name: str) -> None:
    run = integer_operation(isa().integer_ops[name].code)
    for a, b in itertools.product(VALUES, VALUES):
        if name in DIVIDES and b == 0:
            with pytest.raises(DivisionByZero):
                run(a, b)
            continue
        if name.startswith("sh") and not 0 <= b < 64:
            continue
        wanted = signed(int(ORACLE[name](a, b)))
        forms = [(a, b), (np.array([a]), b), (a, np.array([b])), (np.array([a]), np.array([b]))]
        assert [int(np.asarray(run(x, y)).ravel()[0]) for x, y in forms] == [wanted] * 4, (a, b)
