"""Indirect access tiles: every point has its own coordinates, some of them read from memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from .access import _active
from .batch import Array, broadcast, deepen, lanes, ones
from .frame import Frame
from .memory import View
from .written import marks, require

__all__ = ["Points", "gather", "scatter"]


@dataclass(slots=True, eq=False)
class Points:
    """Coordinates per view dimension: int arrays shaped `batch + space`, with 1 where they do not vary.
    `indirect[d]`: coordinate d came from memory, so one outside the view is a fault of the data."""

    view: View
    coords: tuple[Array, ...]
    indirect: tuple[bool, ...]
    space: tuple[int, ...]
    depth: int
    member: Array | None = None


def _resolve(
    points: Points, view: View, frame: Frame, depth: int, where: Position, corner: Any = None
) -> Any:
    """(addresses, validity or None) at full shape `batch + space`."""
    rank = len(points.space)
    offset = deepen(view.offset, view.depth, depth)
    address: Any = offset.reshape(offset.shape + ones(rank)) if isinstance(offset, np.ndarray) else offset
    inside: Any = None
    for d, (c, size, stride) in enumerate(zip(points.coords, view.sizes, view.strides, strict=True)):
        at = deepen(c, points.depth, depth)
        if corner is not None:
            at = at - corner[d]
        if at.size and (int(at.min()) < 0 or int(at.max()) >= size):
            good = (at >= 0) & (at < size)
            if corner is None:
                _check(points, good, at, d, size, frame, depth, where)
            inside = good if inside is None else inside & good
            at = np.clip(at, 0, max(size - 1, 0))
        address = address + at * stride
    batch = lanes(
        np.shape(address)[:depth] or ones(depth), *((frame.mask.shape,) if frame.mask is not None else ())
    )
    full = batch + points.space
    address = broadcast(np.asarray(address).reshape(np.shape(address) or ones(depth + rank)), full)
    if points.member is not None:
        inside = points.member if inside is None else inside & points.member
    active = _active(frame.mask, batch)
    if active is not None:
        lane = active.reshape(active.shape + ones(rank))
        inside = lane if inside is None else inside & lane
    return address, None if inside is None else np.broadcast_to(inside, full)


def _check(
    points: Points, good: Array, at: Array, d: int, size: int, frame: Frame, depth: int, where: Position
) -> None:
    strict = points.indirect[d] or frame.machine.options.out_of_view == "error"
    if not strict:
        return
    bad = ~good
    if points.member is not None:
        bad = bad & points.member
    if frame.mask is not None:
        bad = bad & frame.mask.reshape(frame.mask.shape + ones(len(points.space)))
    if bad.any():
        at, bad = np.broadcast_arrays(at, bad)
        what = "index read from memory" if points.indirect[d] else "coordinate"
        text = f"{what} {int(at[bad][0])} is outside dimension {d} of the view (size {size})"
        fail("REF022", text, where, "check the index data and the view's sizes")


def gather(points: Points, frame: Frame, depth: int, where: Position) -> Array:
    """Values at the points in compute form; zero where a direct coordinate is outside the view."""
    views = points.view.parts or (points.view,)
    result: Array | None = None
    for view in reversed(views):
        corner = view.corner if points.view.parts else None
        address, inside = _resolve(points, view, frame, depth, where, corner)
        flat = view.buffer.read(view.dtype.storage)
        if inside is not None:
            address = np.where(inside, address, 0)
        _bounds(address, flat, where)
        held = marks(view)
        if held is not None:
            require(held[address] if inside is None else held[address[inside]], where)
        values = flat[address]
        if inside is not None:
            values = np.where(inside, values, values.dtype.type(0) if result is None else result)
        result = values
    assert result is not None
    return points.view.dtype.from_storage(result)


def scatter(data: Array, points: Points, frame: Frame, depth: int, where: Position) -> None:
    """Write each value to its point, lanes in order and points in row-major order: the last one wins."""
    for view in points.view.parts or (points.view,):
        corner = view.corner if points.view.parts else None
        address, inside = _resolve(points, view, frame, depth, where, corner)
        full = lanes(address.shape, data.shape)
        address = np.broadcast_to(address, full).ravel()
        values = view.dtype.to_storage(np.broadcast_to(data, full).ravel())
        if inside is not None:
            chosen = np.broadcast_to(inside, full).ravel()
            address, values = address[chosen], values[chosen]
        flat = view.buffer.write(view.dtype.storage)
        _bounds(address, flat, where)
        flat[address] = values
        held = marks(view)
        if held is not None:
            held[address] = np.iinfo(held.dtype).max


def _bounds(address: Array, flat: Array, where: Position) -> None:
    if address.size and (int(address.min()) < 0 or int(address.max()) >= flat.size):
        bad = address[(address < 0) | (address >= flat.size)].ravel()[0]
        text = f"element {int(bad)} is outside the buffer of {flat.size} elements"
        fail(
            "REF020", text, where, "the view's address, sizes or strides do not fit the array that was given"
        )
