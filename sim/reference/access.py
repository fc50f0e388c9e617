"""Loads and stores of rectangular tiles for all lanes at once.

Where every lane's tile lies inside its view, one strided or windowed NumPy operation moves everything;
lanes whose tile sticks out of the view are clipped one by one: loads give zeros there, stores drop the
element (or `Options.out_of_view = error` makes it a fault). Addresses outside the buffer are always a fault.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ...diagnostics import Position, fail
from .batch import Array, broadcast, deepen, extrema, first_active, lanes, ones, spread
from .frame import Frame
from .memory import View
from .written import marks, require

__all__ = ["Tile", "load", "store"]


@dataclass(slots=True, eq=False)
class Tile:
    """A box of coordinates. `corner` has, per view dimension, an int or an array over `depth` batch axes;
    `shape` the extents. Result axis k runs along view dimension `order[k]` (None: in order). `member`
    (bool, of `shape`) marks the points of a set that is not a box."""

    view: View
    corner: tuple[Any, ...]
    shape: tuple[int, ...]
    depth: int
    order: tuple[int, ...] | None = None
    member: Array | None = None


@dataclass(slots=True)
class _Placement:
    """Where each lane's box starts in the buffer, and which part of it is inside the view."""

    batch: tuple[int, ...]
    address: Array  # of shape `batch`
    low: list[Any]  # per dimension: int, or flat array over lanes
    high: list[Any]
    whole: bool


def _settle(x: Any, batch: tuple[int, ...], active: Array | None, first: int) -> Any:
    """Inactive lanes take the first active lane's value, so that they never address nonsense."""
    if not isinstance(x, np.ndarray) or active is None:
        return x
    full = spread(x, batch)
    return np.where(active, full, full.ravel()[first] if full.size else 0)


def _active(mask: Array | None, batch: tuple[int, ...]) -> Array | None:
    """The mask at the granularity of `batch`: a lane counts when any lane it stands for is active."""
    if mask is None:
        return None
    axes = tuple(i for i, n in enumerate(batch) if n == 1 and mask.shape[i] != 1)
    active = np.asarray(mask.any(axis=axes, keepdims=True)) if axes else mask
    return None if active.all() else spread(active, batch)


def _place(
    tile: Tile, view: View, corner: tuple[Any, ...], frame: Frame, depth: int, where: Position
) -> _Placement:
    coords = [deepen(c, tile.depth, depth) for c in corner]
    offset = deepen(view.offset, view.depth, depth)
    shapes = [x.shape for x in (*coords, offset) if isinstance(x, np.ndarray)]
    batch = lanes(ones(depth), *shapes) if shapes else ones(depth)
    if shapes and frame.mask is not None:
        active = _active(frame.mask, batch)
        if active is not None:
            first = first_active(active)
            coords = [_settle(c, batch, active, first) for c in coords]
            offset = _settle(offset, batch, active, first)
    low: list[Any] = []
    high: list[Any] = []
    whole = True
    address = offset
    for c, extent, size, stride in zip(coords, tile.shape, view.sizes, view.strides, strict=True):
        address = address + c * stride
        if isinstance(c, np.ndarray):
            smallest, largest = extrema(c) if c.size else (0, 0)
            if c.size and (smallest < 0 or largest + extent > size):
                lo = np.clip(-c, 0, extent)
                hi = np.maximum(np.minimum(extent, size - c), lo)
                lo, hi = spread(lo, batch).ravel(), spread(hi, batch).ravel()
                uniform = (lo == lo[0]).all() and (hi == hi[0]).all()
                low.append(int(lo[0]) if uniform else lo)
                high.append(int(hi[0]) if uniform else hi)
                whole = False
                continue
            low.append(0)
            high.append(extent)
        else:
            low.append(min(max(0, -c), extent))
            high.append(max(min(extent, size - c), low[-1]))
            whole = whole and low[-1] == 0 and high[-1] == extent
    if not whole and frame.machine.options.out_of_view == "error":
        text = f"a tile of {'x'.join(map(str, tile.shape))} reaches beyond its view of {view.sizes}"
        fail("REF021", text, where, "use the option out-of-view=pad to read zeros and drop stores there")
    full = spread(address, batch) if isinstance(address, np.ndarray) else np.full(batch, address)
    return _Placement(batch, full, low, high, whole)


def _box(
    flat: Array, address: int, shape: tuple[int, ...], strides: tuple[int, ...], where: Position
) -> Array:
    """A strided view of the buffer; NumPy checks the bounds."""
    item = flat.itemsize
    if 0 in shape:
        return np.empty(shape, flat.dtype)
    try:
        return np.ndarray(shape, flat.dtype, flat, address * item, tuple(s * item for s in strides))
    except (ValueError, TypeError):
        _outside(flat, address, shape, strides, where)


def _outside(flat: Array, address: int, shape: Any, strides: Any, where: Position) -> NoReturn:
    last = address + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    span = f"{min(address, last)} to {max(address, last)}"
    text = f"elements {span} are outside the buffer of {flat.size} elements"
    fail("REF020", text, where, "the view's address, sizes or strides do not fit the array that was given")


def _progression(address: Array) -> tuple[int, ...] | None:
    """Per batch axis the step of an address that grows linearly along every axis, or None."""
    if address.ndim == 1 and 2 <= address.size <= 64:
        values = address.tolist()
        step = values[1] - values[0]
        end = values[0] + step * len(values)
        same = values == ([values[0]] * len(values) if step == 0 else list(range(values[0], end, step)))
        return (step,) if same else None
    steps = []
    origin = address[(0,) * address.ndim] if address.size else 0
    linear: Any = origin
    for axis, n in enumerate(address.shape):
        step = (
            int(address[tuple(1 if a == axis else 0 for a in range(address.ndim))] - origin) if n > 1 else 0
        )
        steps.append(step)
        if step:
            linear = linear + step * np.arange(n).reshape((n, *ones(address.ndim - axis - 1)))
    return tuple(steps) if address.size < 2 or (address == linear).all() else None


def _windows(
    flat: Array, shape: tuple[int, ...], strides: tuple[int, ...], address: Array, where: Position
) -> Array:
    """Overlapping boxes starting at every element, to be indexed by address. None-negative strides only."""
    span = sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    count = flat.size - span
    if address.size and not (extrema(address)[0] >= 0 and extrema(address)[1] < count):
        bad = address[(address < 0) | (address >= count)][0]
        _outside(flat, int(bad), shape, strides, where)
    return _box(flat, 0, (count, *shape), (1, *strides), where)


def _read(
    flat: Array, address: Array, shape: tuple[int, ...], strides: tuple[int, ...], where: Position
) -> Array:
    """Whole boxes of all lanes: the shape of `address` (over any batch axes) + `shape`."""
    if 0 in shape or not address.size:
        return np.empty(address.shape + shape, flat.dtype)
    steps = _progression(address)
    if steps is not None:
        return _box(flat, int(address.flat[0]), address.shape + shape, steps + strides, where)
    if min(strides, default=0) < 0:
        boxes = np.stack([_box(flat, int(a), shape, strides, where) for a in address.flat])
        return boxes.reshape(address.shape + shape)
    return _windows(flat, shape, strides, address, where)[address]


def load(tile: Tile, frame: Frame, depth: int, where: Position) -> Array:
    """The tile's elements in compute form, shaped `batch + shape` in the tile's order."""
    if tile.view.parts:
        from .distributed import load_distributed

        result = load_distributed(tile, frame, depth, where)
    else:
        result = load_box(tile, tile.view, tile.corner, frame, depth, where)
    if tile.member is not None:
        result = np.where(tile.member, result, result.dtype.type(0))
    return reorder(result, tile, depth)


def reorder(x: Array, tile: Tile, depth: int) -> Array:
    """From view-dimension order to the tile's visiting order."""
    if tile.order is None:
        return x
    return x.transpose(*range(depth), *(depth + d for d in tile.order))


def load_box(
    tile: Tile, view: View, corner: tuple[Any, ...], frame: Frame, depth: int, where: Position
) -> Array:
    place = _place(tile, view, corner, frame, depth, where)
    flat = view.buffer.read(view.dtype.storage)
    held = marks(view)
    if held is not None:
        _require_written(held, tile, view, place, _active(frame.mask, place.batch), where)
    if place.whole:
        raw = _read(flat, place.address, tile.shape, view.strides, where)
    elif all(isinstance(x, int) for x in (*place.low, *place.high)):
        raw = np.zeros(place.batch + tile.shape, flat.dtype)
        inner = tuple(slice(lo, hi) for lo, hi in zip(place.low, place.high, strict=True))
        start = place.address + sum(lo * s for lo, s in zip(place.low, view.strides, strict=True))
        shape = tuple(hi - lo for lo, hi in zip(place.low, place.high, strict=True))
        if 0 not in shape:
            part: Array = raw[(slice(None),) * len(place.batch) + inner]
            part[...] = _read(flat, start, shape, view.strides, where)
    else:
        raw = _load_clipped(tile, view, place, flat, where)
    return view.dtype.from_storage(raw).reshape(place.batch + tile.shape)


def _require_written(
    held: Array, tile: Tile, view: View, place: _Placement, active: Array | None, where: Position
) -> None:
    """Every element that active lanes read must have been written."""
    for lane, address in enumerate(place.address.ravel()):
        low, high = _clips(place, lane)
        shape = tuple(h - lo for lo, h in zip(low, high, strict=True))
        if 0 in shape or (active is not None and not active.ravel()[lane]):
            continue
        start = int(address) + sum(lo * s for lo, s in zip(low, view.strides, strict=True))
        places = _box(held, start, shape, view.strides, where)
        inner = tuple(slice(lo, h) for lo, h in zip(low, high, strict=True))
        require(places if tile.member is None else places[tile.member[inner]], where)


def _clips(place: _Placement, lane: int) -> tuple[list[int], list[int]]:
    low = [x if isinstance(x, int) else int(x[lane]) for x in place.low]
    high = [x if isinstance(x, int) else int(x[lane]) for x in place.high]
    return low, high


def _load_clipped(tile: Tile, view: View, place: _Placement, flat: Array, where: Position) -> Array:
    address = place.address.ravel()
    raw = np.zeros((address.size, *tile.shape), flat.dtype)
    whole = np.ones(address.size, bool)
    for lo, hi, extent in zip(place.low, place.high, tile.shape, strict=True):
        whole &= (np.asarray(lo) == 0) & (np.asarray(hi) == extent)
    if whole.any():
        raw[whole] = _read(flat, address[whole], tile.shape, view.strides, where)
    for lane in np.flatnonzero(~whole):
        low, high = _clips(place, int(lane))
        shape = tuple(h - lo for lo, h in zip(low, high, strict=True))
        if 0 in shape:
            continue
        start = int(address[lane]) + sum(lo * s for lo, s in zip(low, view.strides, strict=True))
        inner = tuple(slice(lo, h) for lo, h in zip(low, high, strict=True))
        part: Array = raw[int(lane)][inner]
        part[...] = _box(flat, start, shape, view.strides, where)
    return raw


def store(data: Array, tile: Tile, frame: Frame, depth: int, where: Position) -> None:
    """Write `data` (compute form, in the tile's order) to the tile; later lanes win where lanes overlap."""
    if tile.order is not None:
        inverse = sorted(range(len(tile.order)), key=tile.order.__getitem__)
        data = data.transpose(*range(depth), *(depth + d for d in inverse))
    if tile.view.parts:
        from .distributed import store_distributed

        store_distributed(data, tile, frame, depth, where)
    else:
        store_box(data, tile, tile.view, tile.corner, frame, depth, where)


def store_box(
    data: Array, tile: Tile, view: View, corner: tuple[Any, ...], frame: Frame, depth: int, where: Position
) -> None:
    if 0 in tile.shape:
        return
    place = _place(tile, view, corner, frame, depth, where)
    flat = view.buffer.write(view.dtype.storage)
    mask = frame.mask
    batch = lanes(place.batch, data.shape[:depth], *((mask.shape,) if mask is not None else ()))
    values = broadcast(data, batch + tile.shape)
    held = marks(view)
    plain = held is None and mask is None and place.batch == batch and place.whole and tile.member is None
    if plain and _disjoint(place.address, tile.shape, view.strides):
        _write(flat, place.address, values, view, where)
        return
    # One lane after the other: flatten, keep the active ones.
    values = values.reshape(-1, *tile.shape)
    index = spread(np.arange(place.address.size).reshape(place.batch), batch).ravel()
    if mask is not None:
        active = np.flatnonzero(spread(mask, batch))
        index, values = index[active], values[active]
    place = _select(place, index)
    if (
        held is None
        and tile.member is None
        and place.whole
        and _disjoint(place.address, tile.shape, view.strides)
    ):
        _write(flat, place.address, values, view, where)
        return
    values = view.dtype.to_storage(values)
    for lane in range(place.address.size):
        _store_lane(flat, place, lane, values[lane], tile, view, where)
        if held is not None:
            _store_lane(held, place, lane, np.full(tile.shape, np.iinfo(held.dtype).max), tile, view, where)


def _select(place: _Placement, index: Array) -> _Placement:
    """The given lanes (flat indices) as one batch axis."""
    low = [x if isinstance(x, int) else x[index] for x in place.low]
    high = [x if isinstance(x, int) else x[index] for x in place.high]
    return _Placement(index.shape, place.address.ravel()[index], low, high, place.whole)


def _disjoint(address: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether no element of memory is written twice, shown by nesting of strides."""
    if 0 in shape:
        return True
    steps = _progression(address)
    if steps is None:
        address = np.sort(address, axis=None)
        steps = _progression(address)
        if steps is None:
            return False
    lanes_and_box = [*zip(steps, address.shape, strict=True), *zip(strides, shape, strict=True)]
    reach = 0
    for stride, extent in sorted((abs(s), n) for s, n in lanes_and_box):
        if extent > 1:
            if stride <= reach:
                return False
            reach += (extent - 1) * stride
    return True


def _write(flat: Array, address: Array, values: Array, view: View, where: Position) -> None:
    """`values`: the shape of `address` + the box's."""
    shape = values.shape[address.ndim :]
    if 0 in shape or not address.size:
        return
    values = view.dtype.to_storage(values)
    steps = _progression(address)
    if steps is not None:
        _box(flat, int(address.flat[0]), values.shape, steps + view.strides, where)[...] = values
    elif min(view.strides, default=0) < 0:
        for a, v in zip(address.flat, values.reshape(-1, *shape), strict=True):
            _box(flat, int(a), shape, view.strides, where)[...] = v
    else:
        _windows(flat, shape, view.strides, address, where)[address] = values


def _store_lane(
    flat: Array, place: _Placement, lane: int, values: Array, tile: Tile, view: View, where: Position
) -> None:
    low, high = _clips(place, lane)
    shape = tuple(h - lo for lo, h in zip(low, high, strict=True))
    if 0 in shape:
        return
    start = int(place.address[lane]) + sum(lo * s for lo, s in zip(low, view.strides, strict=True))
    inner = tuple(slice(lo, h) for lo, h in zip(low, high, strict=True))
    target = _box(flat, start, shape, view.strides, where)
    part, member = values[inner], None if tile.member is None else tile.member[inner]
    if not _disjoint(np.array([start]), shape, view.strides):  # the box meets itself: the last point stays
        steps = [
            (np.arange(n) * s).reshape(n, *ones(len(shape) - d - 1))
            for d, (n, s) in enumerate(zip(shape, view.strides, strict=True))
        ]
        points = np.broadcast_to(start + sum(steps, np.zeros(ones(len(shape)), np.int64)), shape)
        chosen = np.ones(shape, bool) if member is None else member
        flat[points[chosen]] = part[chosen]
    elif member is None:
        target[...] = part
    else:
        np.copyto(target, part, where=member)
