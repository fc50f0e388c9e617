"""Tiles that reach beyond their view: which positions of a move lie inside, as far as it is not all of them.

Elements beyond the view read as 0 and are not stored (docs/scheduleir.md, `boundary pad`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..diagnostics import Position, fail
from ..schedule.index import Index, add, call, mul, sub
from .arithmetic import Arithmetic
from .storage import Storage

__all__ = ["Clip", "clips", "entangled"]


@dataclass(frozen=True, slots=True)
class Clip:
    """Positions low … high − 1 of `axis` are inside the view; None is a bound that always holds. Without axis
    it is about position 0: the coordinate does not move."""

    axis: str | None
    low: Index | None
    high: Index | None


@dataclass(frozen=True, slots=True)
class _Edge:
    """A coordinate that may leave its view below 0 or from `extent` on; `moving`: axes with their steps."""

    moving: tuple[tuple[str, int], ...]
    origin: Index
    extent: Index
    below: bool
    above: bool


def _edges(a: Arithmetic, s: Storage, axes: Mapping[str, int]) -> Iterator[_Edge]:
    """The coordinates of the home storage `s` that a move over `axes` (extents) may take beyond the view."""
    if not s.home or not s.padded:
        return
    for k, (origin, extent) in enumerate(zip(s.origin, s.shape, strict=True)):
        moving = [(x, n, s.step(x)[k]) for x, n in axes.items() if n > 1 and s.step(x)[k]]
        reach_down = sum(min(0, step * (n - 1)) for _, n, step in moving)
        reach_up = sum(max(0, step * (n - 1)) for _, n, step in moving)
        below = not a.at_least(add(origin, reach_down), 0)
        above = not a.at_least(sub(extent, add(origin, reach_up)), 1)
        if below or above:
            yield _Edge(tuple((x, step) for x, _, step in moving), origin, extent, below, above)


def entangled(a: Arithmetic, s: Storage, axes: Mapping[str, int]) -> list[str]:
    """Axes that must be moved one position at a time, for the inside to be a box: of those that move one
    coordinate beyond its view, all but the one with the shortest steps."""
    found: dict[str, None] = {}
    for edge in _edges(a, s, axes):
        left = [m for m in edge.moving if m[0] not in found]
        shortest = min(left, key=lambda m: abs(m[1]), default=None)
        found |= dict.fromkeys(x for x, step in left if (x, step) != shortest)
    return list(found)


def clips(a: Arithmetic, s: Storage, axes: Mapping[str, int], subject: str, position: Position) -> list[Clip]:
    """What limits a move over `axes` (extents) in the home storage `s`; empty when it is always inside.

    Raises DFLOW045 when two axes move one coordinate that may leave the view: the inside is no box then.
    """
    found: list[Clip] = []
    for edge in _edges(a, s, axes):
        if len(edge.moving) > 1:
            names = " and ".join(x for x, _ in edge.moving)
            message = f"`{subject}` reaches beyond its view along {names}, which move the same coordinate"
            fail("DFLOW045", message, position, "move one of the axes one position at a time")
        axis, step = edge.moving[0] if edge.moving else (None, 1)
        found.append(_clip(axis, step, edge.origin, edge.extent, edge.below, edge.above))
    return found


def _clip(axis: str | None, step: int, origin: Index, extent: Index, below: bool, above: bool) -> Clip:
    """0 ≤ origin + step·t < extent, solved for t."""
    if step < 0:
        low = call("ceildiv", sub(origin, sub(extent, 1)), -step) if above else None
        high = add(call("floordiv", origin, -step), 1) if below else None
    else:
        low = call("ceildiv", mul(-1, origin), step) if below else None
        high = call("ceildiv", sub(extent, origin), step) if above else None
    return Clip(axis, low, high)
