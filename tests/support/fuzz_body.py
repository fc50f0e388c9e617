"""Bodies of linalg.generic in fuzzed kernels: text and what it computes."""

from __future__ import annotations

from typing import Any

import numpy as np
from fuzz_oracle import rounded
from fuzz_tables import BINARY, INEXACT, INTEGER, UNARY, Compute, semantics

__all__ = ["Body"]


class Body:
    """Straight-line scalar code in a linalg.generic, of one element type."""

    def __init__(self, pool: Any, names: list[str], dtype: str, captured: str | None) -> None:
        self.pool, self.dtype = pool, dtype
        self.values = [*names, captured] if captured else list(names)
        self.lines: list[str] = []
        self.steps: list[tuple[str, Compute, bool, tuple[str, ...]]] = []

    def _place(self) -> None:
        """The position in the tile, as one more value."""
        out = self.pool.out
        out.features.add("linalg.index")
        axis, rank = self.pool.rng.randrange(len(self.pool.shape)), len(self.pool.shape)
        index, value = str(out.name("j")), str(out.name("g"))
        self.lines.append(f"{index} = linalg.index {axis} : index")
        self.lines.append(f"{value} = arith.index_cast {index} : index to i32")
        along = np.arange(self.pool.shape[axis], dtype=np.int32).reshape(
            [-1 if k == axis else 1 for k in range(rank)]
        )
        if self.dtype != "i32":
            number, value = value, str(out.name("g"))
            self.lines.append(f"{value} = arith.sitofp {number} : i32 to {self.dtype}")
            along = rounded(along.astype(np.float64), self.dtype)
        self.steps.append((value, lambda: along, False, ()))
        self.values.append(value)

    def draw(self) -> tuple[Body, str]:
        rng = self.pool.rng
        if rng.random() < 0.12:
            self._place()
        many = rng.choice((0, 1, 1, 2)) if len(self.values) == 1 else rng.choice((1, 1, 2, 3))
        result = self.values[0]
        for k in range(many):
            pairs = list(INTEGER) if self.dtype == "i32" else list(BINARY)
            unary = self.dtype != "i32" and (len(self.values) == 1 or rng.random() < 0.3)
            op = rng.choice([*UNARY, *INEXACT] if unary else pairs)
            operands = (result,) if unary else (result, rng.choice(self.values))
            if not unary and k == 0 and len(self.values) > 1:
                operands = (self.values[0], self.values[1])
            compute, nudged = semantics(op, self.dtype)
            self.pool.out.exact &= not nudged
            result = str(self.pool.out.name("g"))
            self.lines.append(f"{result} = {op} {', '.join(operands)} : {self.dtype}")
            self.steps.append((result, compute, nudged, operands))
            self.values.append(result)
        return self, result

    def run(self, env: dict[str, Any], result: str, nudge: float) -> Any:
        for name, compute, nudged, operands in self.steps:
            env[name] = compute(*(env[o] for o in operands), *((nudge,) if nudged else ()))
        return env[result]
