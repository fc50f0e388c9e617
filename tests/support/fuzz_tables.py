"""What the operations of fuzzed kernels compute, in NumPy. Nothing from tilesat.

Floats of 16 bits are computed in float32 and rounded once, which for + − × ÷ √ is exact rounding; functions
that no library rounds exactly are computed in float64 and take part in the oracle's `%nudge`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from fuzz_oracle import COMPUTE, rounded
from numpy.typing import NDArray

__all__ = [
    "BINARY",
    "BYTES",
    "BY_CONSTANT",
    "CONSTANTS",
    "FLOATS",
    "FLOAT_ORDER",
    "INEXACT",
    "INTEGER",
    "INT_ORDER",
    "NAMED",
    "UNARY",
    "Array",
    "Compute",
    "semantics",
]

Array = NDArray[Any]
Compute = Callable[..., Any]

BYTES = {"f16": 2, "bf16": 2, "f32": 4, "i32": 4}
FLOATS = ("f16", "f32", "bf16")
_EPSILON = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-22}

BINARY: dict[str, Compute] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.maxnumf": lambda a, b: np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.maximum(a, b))),
    "arith.minnumf": lambda a, b: np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.minimum(a, b))),
}
UNARY: dict[str, Compute] = {
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.sqrt": np.sqrt,
    "math.trunc": np.trunc,
    "math.roundeven": np.rint,
}
INEXACT: dict[str, Compute] = {
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log2": np.log2,
    "math.log1p": np.log1p,
    "math.tanh": np.tanh,
    "math.sin": np.sin,
    "math.cos": np.cos,
    "math.atan": np.arctan,
    "math.rsqrt": lambda x: 1 / np.sqrt(x),
}
INTEGER: dict[str, Compute] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.maxui": lambda a, b: np.maximum(a.view(np.uint32), b.view(np.uint32)).view(np.int32),
    "arith.minui": lambda a, b: np.minimum(a.view(np.uint32), b.view(np.uint32)).view(np.int32),
}
BY_CONSTANT: dict[str, Compute] = {  # second operand: a small positive constant
    "arith.divsi": lambda a, b: (np.sign(a) * (np.abs(a.astype(np.int64)) // b)).astype(np.int32),
    "arith.remsi": lambda a, b: (np.sign(a) * (np.abs(a.astype(np.int64)) % b)).astype(np.int32),
    "arith.floordivsi": np.floor_divide,
    "arith.ceildivsi": lambda a, b: -(-a.astype(np.int64) // b).astype(np.int32),
    "arith.divui": lambda a, b: (a.view(np.uint32) // b.view(np.uint32)).view(np.int32),
    "arith.remui": lambda a, b: (a.view(np.uint32) % b.view(np.uint32)).view(np.int32),
    "arith.shli": np.left_shift,
    "arith.shrsi": np.right_shift,
    "arith.shrui": lambda a, b: (a.view(np.uint32) >> b.view(np.uint32)).view(np.int32),
}
FLOAT_ORDER: dict[str, Compute] = {
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "une": lambda a, b: a != b,
    "ugt": lambda a, b: ~(a <= b),
    "ult": lambda a, b: ~(a >= b),
    "uno": lambda a, b: np.isnan(a) | np.isnan(b),
}
INT_ORDER: dict[str, Compute] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: a.view(np.uint32) < b.view(np.uint32),
    "uge": lambda a, b: a.view(np.uint32) >= b.view(np.uint32),
}
NAMED: dict[str, tuple[int, str | None, str | None]] = {  # operands, float op, integer op
    "add": (2, "arith.addf", "arith.addi"),
    "sub": (2, "arith.subf", "arith.subi"),
    "mul": (2, "arith.mulf", "arith.muli"),
    "div": (2, "arith.divf", None),
    "max": (2, "arith.maximumf", "arith.maxsi"),
    "min": (2, "arith.minimumf", "arith.minsi"),
    "exp": (1, "math.exp", None),
    "log": (1, "math.log", None),
    "abs": (1, "math.absf", None),
    "ceil": (1, "math.ceil", None),
    "floor": (1, "math.floor", None),
    "negf": (1, "arith.negf", None),
    "sqrt": (1, "math.sqrt", None),
    "rsqrt": (1, "math.rsqrt", None),
    "tanh": (1, "math.tanh", None),
    "square": (1, "square", None),
    "reciprocal": (1, "reciprocal", None),
}
CONSTANTS = (0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 0.1, 100.0, 0.0625)


def semantics(op: str, dtype: str) -> tuple[Compute, bool]:
    """What an op computes on arrays of `dtype`, and whether it takes the nudge as its last operand."""
    if dtype in ("i32", "i1"):
        found = (INTEGER | BY_CONSTANT)[op]
        return (lambda *a: np.asarray(found(*a), COMPUTE[dtype])), False
    if op in INEXACT:
        f, epsilon = INEXACT[op], _EPSILON[dtype]

        def inexact(*given: Any) -> Array:
            *a, nudge = given
            exact = f(*(np.asarray(x, np.float64) for x in a))
            if abs(nudge) > 1:  # one way here, the other way there, so that errors do not cancel
                nudge = np.where(exact.view(np.int64) & 1, nudge, -nudge) / 2
            return rounded(exact * (1 + nudge * epsilon), dtype)

        return inexact, True
    simple: dict[str, Compute] = {
        **BINARY,
        **UNARY,
        "square": lambda x: x * x,
        "reciprocal": lambda x: np.float32(1) / x,
    }
    g = simple[op]
    return (lambda *a: rounded(g(*(np.asarray(x, np.float32) for x in a)), dtype)), False
