"""Tiles of a distributed view: one index space whose boxes live in several memories.

A load takes each element from the first part that holds it; a store writes every part that does, so
that replicas stay equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from .access import Tile, load_box, store_box
from .batch import Array, deepen, lanes, ones
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


def load_distributed(tile: Tile, frame: Frame, depth: int, where: Position) -> Array:
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
    from dataclasses import replace

    machine = replace(frame.machine, options=replace(frame.machine.options, out_of_view="pad"))
    return Frame(machine, frame.values, frame.mask)


def store_distributed(data: Array, tile: Tile, frame: Frame, depth: int, where: Position) -> None:
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
