"""Boxes of integer sets, and matching of shapes to types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...diagnostics import Position, fail
from ...ktir.affine import AffineExpr, AffineMap, Dim, IntegerSet, linear_form
from .batch import Array, ones

__all__ = ["Box", "bounds_of", "box_of", "kept_dims", "visiting_order"]


@dataclass(frozen=True, slots=True)
class Box:
    """Lower corner and extents; `member` marks the points that belong when the set is not a box."""

    lower: tuple[int, ...]
    shape: tuple[int, ...]
    member: Array | None = None


def _single(expr: AffineExpr) -> bool:
    form = linear_form(expr)
    return form is not None and sum(isinstance(leaf, Dim) for leaf in form[0]) == 1


def bounds_of(s: IntegerSet, symbols: Sequence[int]) -> list[tuple[int | None, int | None]]:
    """Lowest and highest value of each dimension, from the constraints on that dimension alone."""
    low: list[int | None] = [None] * s.dims
    high: list[int | None] = [None] * s.dims
    for expr, equality in s.constraints:
        form = linear_form(expr)
        dims = [leaf for leaf in form[0] if isinstance(leaf, Dim)] if form else []
        if form is None or len(dims) != 1:
            continue
        d, factor = dims[0].index, form[0][dims[0]]
        rest = int(expr.eval([0] * s.dims, symbols))  # factor·d + rest >= 0 (or == 0)
        if factor > 0 or equality:
            bound = -(rest // factor) if factor > 0 else -(-rest // -factor)
            low[d] = max(bound, bound if low[d] is None else low[d])  # type: ignore[type-var]
        if factor < 0 or equality:
            bound = rest // -factor if factor < 0 else -rest // factor
            high[d] = min(bound, bound if high[d] is None else high[d])  # type: ignore[type-var]
    return list(zip(low, high, strict=True))


def box_of(s: IntegerSet, symbols: Sequence[int], hint: Sequence[int | None], where: Position) -> Box:
    """The bounding box from the constraints on single dimensions; `hint` gives the extent of a
    dimension that has none. REF011: a dimension is unbounded."""
    lower, shape = [], []
    for d, (low, high) in enumerate(bounds_of(s, symbols)):
        start = low if low is not None else 0
        extent = high - start + 1 if high is not None else hint[d] if d < len(hint) else None
        if extent is None:
            fail("REF011", f"dimension {d} of {s} has no bound", where, "bound every dimension of the set")
        lower.append(start)
        shape.append(max(extent, 0))
    rest = [c for c in s.constraints if not _single(c[0])]
    if not rest:
        return Box(tuple(lower), tuple(shape))
    grid = [
        np.arange(n).reshape((*ones(i), n, *ones(s.dims - i - 1))) + lo
        for i, (n, lo) in enumerate(zip(shape, lower, strict=True))
    ]
    inside = np.asarray(IntegerSet(s.dims, s.syms, tuple(rest)).contains(grid, symbols))
    member = None if inside.all() else np.ascontiguousarray(np.broadcast_to(inside, tuple(shape)))
    return Box(tuple(lower), tuple(shape), member)


def visiting_order(order: AffineMap, where: Position) -> tuple[int, ...] | None:
    """The dimension each result axis runs along; None for the identity. REF012: not a permutation."""
    if order.is_identity:
        return None
    dims = [r.index for r in order.results if isinstance(r, Dim)]
    if sorted(dims) != list(range(order.dims)):
        text = f"the visiting order {order} is not a permutation of the dimensions"
        fail("REF012", text, where, "use a permutation such as (a, b) -> (b, a)")
    return tuple(dims)


def kept_dims(sizes: Sequence[int], target: Sequence[int | None]) -> list[int]:
    """Which dimensions stay when unit ones are dropped to reach the shape `target`."""
    kept: list[int] = []
    for d, n in enumerate(sizes):
        left = len(target) - len(kept)
        wanted = target[len(kept)] if left else None
        if n != 1 or len(sizes) - d == left or wanted == 1:
            kept.append(d)
    return kept
