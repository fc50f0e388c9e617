"""Ranges of index values: tile ids from the grid, loop variables from their bounds, arithmetic on both."""

from __future__ import annotations

import math

from ..groups import number
from ..ir import Block, Op, Typed, Value
from .sets import Interval, multiply

__all__ = ["Ranges", "trips_of"]

_UNKNOWN: Interval = (None, None)
_CASTS = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci")


class Ranges:
    """Ranges of the values of one function. `loops` maps a loop body's block to its loop."""

    def __init__(self, grid: tuple[int, ...] | None, loops: dict[Block, Op]) -> None:
        self.grid = grid
        self.loops = loops
        self.known: dict[Value, Interval] = {}

    def of(self, value: Value) -> Interval:
        found = self.known.get(value)
        if found is None:
            self.known[value] = _UNKNOWN  # ends cycles through carried values
            found = self.known[value] = self._compute(value)
        return found

    def _compute(self, value: Value) -> Interval:
        owner = value.owner
        if isinstance(owner, Block):
            loop = self.loops.get(owner)
            return self._induction(loop) if loop is not None and value.index == 0 else _UNKNOWN
        if owner is None:
            return _UNKNOWN
        if owner.name == "arith.constant":
            given = number(owner.attributes.get("value"))
            return (given, given) if isinstance(given, int) else _UNKNOWN
        if owner.name == "ktdp.get_compute_tile_id":
            return self._tile_id(owner, value.index)
        if owner.name in _CASTS:
            return self.of(owner.operands[0])
        if len(owner.operands) == 2:
            return _arithmetic(owner.name, self.of(owner.operands[0]), self.of(owner.operands[1]))
        return _UNKNOWN

    def _tile_id(self, op: Op, index: int) -> Interval:
        if self.grid is None:
            return _UNKNOWN
        if len(op.results) == 1 and len(self.grid) > 1:
            return 0, math.prod(self.grid) - 1
        return (0, self.grid[index] - 1) if index < len(self.grid) else (0, 0)

    def _induction(self, loop: Op) -> Interval:
        """Only values that are really taken: an upper bound that may not be met is no bound."""
        lower, upper, step = (self.of(v) for v in loop.operands[:3])
        if upper[1] is None or step[0] is None or step[0] != step[1] or step[0] <= 0:
            return lower[0], None
        if step[0] == 1:
            return lower[0], upper[1] - 1
        if lower[0] is None or lower[1] is None:
            return lower[0], None
        if lower[0] != lower[1]:  # rows dealt cyclically: enough tiles reach every residue
            start = loop.operands[0].owner
            dealt = isinstance(start, Op) and start.name == "ktdp.get_compute_tile_id"
            return lower[0], upper[1] - 1 if dealt and lower[1] - lower[0] >= step[0] - 1 else None
        return lower[0], lower[0] + max(0, (upper[1] - 1 - lower[0]) // step[0]) * step[0]


def trips_of(loop: Op) -> int | None:
    """Trip count of a scf.for with constant bounds."""
    bounds: list[int] = []
    for value in loop.operands[:3]:
        owner = value.owner
        given = (
            owner.attributes.get("value")
            if isinstance(owner, Op) and owner.name == "arith.constant"
            else None
        )
        given = given.value if isinstance(given, Typed) else given
        if not isinstance(given, int):
            return None
        bounds.append(given)
    lower, upper, step = bounds
    return max(0, -(-(upper - lower) // step)) if step > 0 else None


def _arithmetic(name: str, a: Interval, b: Interval) -> Interval:
    constant = b[0] if b[0] is not None and b[0] == b[1] else None
    match name:
        case "arith.addi":
            return _add(a[0], b[0]), _add(a[1], b[1])
        case "arith.subi":
            return _add(a[0], b[1], -1), _add(a[1], b[0], -1)
        case "arith.muli":
            return multiply(a, b)
        case "arith.divui" | "arith.divsi" | "arith.floordivsi" if constant and constant > 0:
            if a[0] is None or a[0] < 0 or a[1] is None:
                return _UNKNOWN
            return a[0] // constant, a[1] // constant
        case "arith.remui" | "arith.remsi" if constant and constant > 0:
            if a[0] is None or a[0] < 0:
                return _UNKNOWN
            return (a[0], a[1]) if a[1] is not None and a[1] < constant else (0, constant - 1)
        case "arith.minsi" | "arith.minui":
            return _least(a[0], b[0]), _least(a[1], b[1], either=True)
        case "arith.maxsi" | "arith.maxui":
            return _most(a[0], b[0], either=True), _most(a[1], b[1])
    return _UNKNOWN


def _add(a: int | None, b: int | None, sign: int = 1) -> int | None:
    return None if a is None or b is None else a + sign * b


def _least(a: int | None, b: int | None, either: bool = False) -> int | None:
    if a is None or b is None:
        return (b if a is None else a) if either else None
    return min(a, b)


def _most(a: int | None, b: int | None, either: bool = False) -> int | None:
    if a is None or b is None:
        return (b if a is None else a) if either else None
    return max(a, b)
