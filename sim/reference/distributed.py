"""Tiles of a distributed view: one index space whose boxes live in several memories.

A load takes each element from the first part that holds it; a store writes every part that does, so
that replicas stay equal.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from .access import Tile, load_box, store_box
from .batch import Array, deepen, lanes, ones, spread
from .frame import Frame
from .memory import View

__all__ = ["load_distributed", "store_distributed"]


def _local(tile: Tile, part: View) -> tuple[Any, ...]:
    return tuple(c - low for c, low in zip(tile.corner, part.corner, strict=True))


def _held(tile: Tile, part: View, depth: int) -> Array:
    """Which points of the tile the part holds: bool, batch + shape (1 where it does not vary)."""
    rank = len(tile.shape)
    held = np.ones(ones(depth + rank), bool)
    for d, (c, extent, size) in enumerate(zip(_local(tile, part), tile.shape, part.sizes, strict=True)):
        point = np.arange(extent).reshape((*ones(d), extent, *ones(rank - d - 1)))
        corner = deepen(c, tile.depth, depth)
        if isinstance(corner, np.ndarray):
            corner = corner.reshape(corner.shape + ones(rank))
        at = corner + point
        inside = (at >= 0) & (at < size)
        held = held & inside.reshape(ones(depth + rank - inside.ndim) + inside.shape)
    return held


def _owners(tile: Tile, frame: Frame, depth: int) -> tuple[tuple[int, ...], list[Array]] | None:
    """(batch shape, per part the flat lanes whose whole box is in it, none in an earlier part), when that
    covers every lane: the usual case of tiles that do not straddle parts."""
    if frame.mask is not None or tile.member is not None:
        return None
    corner = [deepen(c, tile.depth, depth) for c in tile.corner]
    offsets = [deepen(p.offset, p.depth, depth) for p in tile.view.parts]
    batch = lanes(ones(depth), *(x.shape for x in (*corner, *offsets) if isinstance(x, np.ndarray)))
    free = np.ones(batch, bool)
    owned = []
    for part in tile.view.parts:
        inside: Any = free
        for c, low, size, extent in zip(corner, part.corner, part.sizes, tile.shape, strict=True):
            inside = inside & ((c >= low) & (c + extent <= low + size))
        owned.append(np.flatnonzero(inside))
        free = free & ~inside
    return None if free.any() else (batch, owned)


def _lane_tile(
    tile: Tile, part: View, chosen: Array, batch: tuple[int, ...], depth: int
) -> tuple[View, Tile]:
    """The part and the tile for some lanes only, as one batch axis."""

    def pick(x: Any, at: int) -> Any:
        x = deepen(x, at, depth)
        return spread(x, batch).ravel()[chosen] if isinstance(x, np.ndarray) else x

    view = replace(part, offset=pick(part.offset, part.depth), depth=1)
    corner = tuple(pick(c, tile.depth) for c in _local(tile, part))
    if not any(isinstance(x, np.ndarray) for x in (view.offset, *corner)):
        view = replace(view, offset=np.full(chosen.size, view.offset))
    return view, Tile(view, corner, tile.shape, 1)


def load_distributed(tile: Tile, frame: Frame, depth: int, where: Position) -> Array:
    owners = _owners(tile, frame, depth)
    if owners is not None:
        batch, owned = owners
        whole = np.empty((math.prod(batch), *tile.shape), tile.view.dtype.compute)
        for part, chosen in zip(tile.view.parts, owned, strict=True):
            if chosen.size:
                view, lane_tile = _lane_tile(tile, part, chosen, batch, depth)
                whole[chosen] = load_box(lane_tile, view, lane_tile.corner, frame, 1, where)
        return whole.reshape(batch + tile.shape)
    result: Array | None = None
    found: Array | None = None
    for part in tile.view.parts:
        held = _held(tile, part, depth)
        if not held.any():
            continue
        piece = load_box(tile, part, _local(tile, part), _padding(frame), depth, where)
        if result is None or found is None:
            result, found = piece, held
        else:
            result = np.where(held & ~found, piece, result)
            found = held | found
    if result is None:
        result = np.zeros(ones(depth) + tile.shape, tile.view.dtype.compute)
    if frame.machine.options.out_of_view == "error" and not _covers(found, frame, depth, tile):
        fail("REF021", "a tile reaches beyond the parts of its distributed view", where)
    return result


def _overlapping(view: View) -> bool:
    """Whether two parts hold the same coordinate (replicas)."""
    parts = view.parts
    for i, a in enumerate(parts):
        for b in parts[:i]:
            pairs = zip(a.corner, a.sizes, b.corner, b.sizes, strict=True)
            if all(ca < cb + nb and cb < ca + na for ca, na, cb, nb in pairs):
                return True
    return False


def _covers(found: Array | None, frame: Frame, depth: int, tile: Tile) -> bool:
    if found is None:
        return 0 in tile.shape
    if frame.mask is not None:
        mask = frame.mask.reshape(frame.mask.shape + ones(len(tile.shape)))
        return bool((found | ~mask).all())
    return bool(found.all())


def _padding(frame: Frame) -> Frame:
    """The same frame, with clipping allowed: reaching beyond one part is normal."""
    if frame.machine.options.out_of_view == "pad":
        return frame
    machine = replace(frame.machine, options=replace(frame.machine.options, out_of_view="pad"))
    return Frame(machine, frame.values, frame.mask)


def store_distributed(data: Array, tile: Tile, frame: Frame, depth: int, where: Position) -> None:
    owners = _owners(tile, frame, depth) if not _overlapping(tile.view) else None
    if owners is not None and owners[0] == data.shape[:depth]:
        batch, owned = owners
        flat = data.reshape(-1, *tile.shape)
        for part, chosen in zip(tile.view.parts, owned, strict=True):
            if chosen.size:
                view, lane_tile = _lane_tile(tile, part, chosen, batch, depth)
                store_box(flat[chosen], lane_tile, view, lane_tile.corner, frame, 1, where)
        return
    covered: Array | None = None
    for part in tile.view.parts:
        held = _held(tile, part, depth)
        if held.any():
            shape = lanes(data.shape[:depth], held.shape[:depth]) + data.shape[depth:]
            whole = np.broadcast_to(data, shape)
            store_box(whole, tile, part, _local(tile, part), _padding(frame), depth, where)
            covered = held if covered is None else covered | held
    if frame.machine.options.out_of_view == "error" and not _covers(covered, frame, depth, tile):
        fail("REF021", "a tile reaches beyond the parts of its distributed view", where)
