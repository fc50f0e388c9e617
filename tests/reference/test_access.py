"""Loads and stores of arbitrary tiles against one element at a time."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tilesat.diagnostics import Position
from tilesat.numerics import dtype
from tilesat.options import Options
from tilesat.sim.reference.access import Tile, load, store
from tilesat.sim.reference.batch import ones
from tilesat.sim.reference.frame import Frame, Machine
from tilesat.sim.reference.memory import Buffer, Memory, View

Array = Any
HERE = Position()


@st.composite
def accesses(draw: st.DrawFn) -> tuple[Array, View, Tile, Array, int]:
    """A buffer, a view of it, a tile whose corner varies over 1 or 2 batch axes, a mask, and the seed."""
    rank = draw(st.integers(0, 3))
    batch = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=2)))
    depth = len(batch)
    sizes = tuple(draw(st.integers(1, 6)) for _ in range(rank))
    strides = tuple(draw(st.sampled_from([0, 1, 2, 3, 7, 12, -1, -5])) for _ in range(rank))
    reach = [sorted((0, (n - 1) * s)) for n, s in zip(sizes, strides, strict=True)]
    low, high = sum(r[0] for r in reach), sum(r[1] for r in reach)
    seed = draw(st.integers(0, 2**16))
    rng = np.random.default_rng(seed)
    spread = draw(st.integers(0, 9))

    def per_lane(lowest: int, highest: int) -> Any:
        """An int, or an array over some of the batch axes."""
        kind = draw(st.integers(0, 3))
        if kind == 0:
            return int(rng.integers(lowest, highest + 1))
        shape = tuple(n if kind == 1 or a == kind - 2 else 1 for a, n in enumerate(batch))
        if draw(st.booleans()):  # an arithmetic progression, as tile ids give
            step = draw(st.integers(0, 2))
            return np.clip(lowest + step * np.arange(int(np.prod(shape))).reshape(shape), lowest, highest)
        return rng.integers(lowest, highest + 1, shape)

    offset = per_lane(-low, -low + spread)
    flat = rng.permutation(np.arange(1, high - low + spread + 2)).astype(np.int32)
    view = View(Buffer("b", 0, flat, flat.size), dtype("i32"), offset, sizes, strides, depth, (0,) * rank)
    shape = tuple(draw(st.integers(0, 5)) for _ in range(rank))
    corner = tuple(per_lane(-2, n) for n in sizes)
    order = tuple(draw(st.permutations(range(rank)))) if rank and draw(st.booleans()) else None
    member = rng.random(shape) < 0.7 if rank and draw(st.booleans()) else None
    mask = rng.random(batch) < 0.6 if draw(st.booleans()) else None
    if mask is not None and not mask.any():
        mask = None
    return mask, view, Tile(view, corner, shape, depth, order, member), flat, seed


def _frame(mask: Array | None) -> Frame:
    return Frame(Machine(Options(), Memory("elements", 1), (1,), np.zeros(1, int)), [], mask)


def _at(x: Any, lane: tuple[int, ...]) -> int:
    return (
        int(x)
        if isinstance(x, int)
        else int(x[tuple(0 if n == 1 else i for i, n in zip(lane, x.shape, strict=True))])
    )


def _elements(view: View, tile: Tile, lane: tuple[int, ...]) -> Any:
    """(position in the result, address or None where the point is outside)"""
    order = tile.order or tuple(range(len(tile.shape)))
    for point in itertools.product(*(range(n) for n in tile.shape)):
        at = [_at(c, lane) + p for c, p in zip(tile.corner, point, strict=True)]
        inside = all(0 <= c < n for c, n in zip(at, view.sizes, strict=True))
        inside = inside and (tile.member is None or bool(tile.member[point]))
        address = _at(view.offset, lane) + sum(c * s for c, s in zip(at, view.strides, strict=True))
        yield tuple(point[d] for d in order), address if inside else None


def _lanes(mask: Array | None, batch: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [lane for lane in np.ndindex(*batch) if mask is None or mask[lane]]


def _batch(tile: Tile, view: View, mask: Array | None) -> tuple[int, ...]:
    shapes = [x.shape for x in (*tile.corner, view.offset) if isinstance(x, np.ndarray)]
    return np.broadcast_shapes(ones(tile.depth), *shapes, *(() if mask is None else (mask.shape,)))


@given(accesses())
@settings(max_examples=200, deadline=None)
def test_loads(access: Any) -> None:
    mask, view, tile, flat, _ = access
    got = load(tile, _frame(mask), tile.depth, HERE)
    batch = _batch(tile, view, mask)
    got = np.broadcast_to(got, batch + got.shape[tile.depth :])
    for lane in _lanes(mask, batch):
        for position, address in _elements(view, tile, lane):
            assert got[lane + position] == (0 if address is None else flat[address])


@given(accesses())
@settings(max_examples=200, deadline=None)
def test_stores(access: Any) -> None:
    mask, view, tile, flat, seed = access
    batch = _batch(tile, view, mask)
    shape = tuple(tile.shape[d] for d in tile.order) if tile.order else tile.shape
    own = tuple(n if (seed >> a) & 1 else 1 for a, n in enumerate(batch))  # data that varies on some axes
    data = -np.arange(1, int(np.prod(own + shape)) + 1, dtype=np.int32).reshape(own + shape)
    want = flat.copy()
    for lane in _lanes(mask, batch):
        for position, address in _elements(view, tile, lane):
            if address is not None:
                index = tuple(0 if n == 1 else i for i, n in zip(lane, own, strict=True)) + position
                want[address] = data[index]
    store(data, tile, _frame(mask), tile.depth, HERE)
    np.testing.assert_array_equal(view.buffer.flat, want)
