"""Memory of the functional interpreter: buffers, scratchpads, copies, values; reading and writing boxes.

A *window* gives a start position and an extent per axis. Data over a window is an array with one
dimension per axis, in compute form (see `numerics`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Position, fail
from ..numerics import DType, cast, dtype, resolve
from .index import Index, evaluate
from .program import Access, Program, View

__all__ = ["Array", "Memory", "Store", "Window", "fault"]

Array = NDArray[Any]
Window = dict[str, tuple[int, int]]  # axis -> (start position, extent)


def fault(message: str, where: Position | None = None, hint: str = "") -> NoReturn:
    """SIR100: the term cannot run. The message says which part of which rule it breaks."""
    fail("SIR100", message, where, hint)


@dataclass(eq=False)
class Store:
    """A copy of an access at some memory, or a value: data over a window, with a mask of what is written."""

    name: str
    axes: tuple[str, ...]
    window: Window
    data: Array
    written: NDArray[np.bool_]

    @staticmethod
    def over(name: str, axes: tuple[str, ...], window: Window, t: DType) -> Store:
        shape = tuple(window[a][1] for a in axes)
        window = {a: window[a] for a in axes}
        return Store(name, axes, window, np.zeros(shape, t.compute), np.zeros(shape, np.bool_))

    def _slices(self, window: Window, purpose: str) -> tuple[Any, ...]:
        found: list[Any] = []
        for a in self.axes:
            (start, n), (base, extent) = window[a], self.window[a]
            if start < base or start + n > base + extent:
                held = f"positions {base}…{base + extent - 1} of {a}"
                fault(f"{purpose} {self.name} at {a} = {start}…{start + n - 1}, but it holds only {held}")
            found.append(slice(start - base, start - base + n))
        return (*found, ...)  # the ellipsis keeps a rank-0 store an array

    def read(self, window: Window) -> Array:
        at = self._slices(window, "reading")
        if not self.written[at].all():
            fault(f"reading elements of {self.name} that were never written")
        found: Array = self.data[at]
        return found

    def write(self, window: Window, data: Array, mask: Array | bool = True) -> None:
        at = self._slices(window, "writing")
        shape = self.data[at].shape
        np.copyto(self.data[at], np.broadcast_to(data, shape), where=np.broadcast_to(mask, shape))
        self.written[at] |= mask


@dataclass
class Memory:
    """Buffers by argument name or baked address (both in storage form, flat), and one scratchpad per tile."""

    program: Program
    buffers: dict[str | int, Array]
    mode: str = "ieee"
    scratch: dict[int, Array] = field(default_factory=dict)

    def load(self, access: Access, axes: tuple[str, ...], window: Window, env: Mapping[str, Any]) -> Array:
        """The access's elements over `window` (its own axes, in that order), in compute form."""
        view = self.program.views[access.view]
        t = dtype(view.dtype)
        buffer, address, inside, shape = self._locate(access, view, axes, window, env)
        if inside is True:
            raw = buffer[address]
        elif not np.any(inside):
            raw = np.zeros(shape, t.storage)
        else:
            raw = np.where(inside, buffer[np.where(inside, address, 0)], np.zeros((), t.storage))
        value = t.from_storage(np.broadcast_to(raw, shape))
        return value if self.mode == "ieee" else cast(value, t, resolve(t, self.mode))

    def store(
        self,
        access: Access,
        axes: tuple[str, ...],
        window: Window,
        env: Mapping[str, Any],
        data: Array,
        mask: Any,
    ) -> None:
        """Write `data` (over the access's axes) where `mask` holds and the address is inside the view."""
        view = self.program.views[access.view]
        t = dtype(view.dtype)
        buffer, address, inside, shape = self._locate(access, view, axes, window, env)
        raw = np.broadcast_to(t.to_storage(data), shape)
        keep = np.broadcast_to(mask if inside is True else np.logical_and(inside, mask), shape)
        if keep.all():
            buffer[address] = raw
        else:
            buffer[address[keep]] = raw[keep]

    def _locate(
        self, access: Access, view: View, axes: tuple[str, ...], window: Window, env: Mapping[str, Any]
    ) -> tuple[Array, Any, Any, tuple[int, ...]]:
        """(buffer, element addresses, inside the view, shape of the box)."""
        shape = tuple(window[a][1] for a in axes)
        env = {**env, **axis_values(self.program, axes, window, env)}
        coordinates = [self.index(e, env) for e in access.at]
        strides = [self.index(s, env) for s in view.strides]
        extents = [self.index(n, env) for n in view.shape]
        buffer, offset = self._buffer(view, env)
        address: Any = offset
        inside: Any = True
        for x, stride, extent in zip(coordinates, strides, extents, strict=True):
            address = address + x * stride
            within = (x >= 0) & (x < extent)
            if not np.all(within):
                inside = within if inside is True else inside & within
        address = np.broadcast_to(np.asarray(address, np.int64), shape)
        if inside is not True:
            if access.boundary == "error":
                fault(f"access {access.name} reaches beyond view {view.name}", access.position)
            inside = np.broadcast_to(inside, shape)
        checked = address if inside is True else address[inside]
        if checked.size and (checked.min() < 0 or checked.max() >= buffer.size):
            what = f"access {access.name} touches elements {checked.min()}…{checked.max()}"
            fault(f"{what} of a buffer that has {buffer.size}", access.position)
        return buffer, address, inside, shape

    def index(self, e: Index, env: Mapping[str, Any]) -> Any:
        """An integer expression; index reads go to memory at the coordinates that `env` gives."""
        return evaluate(e, env, lambda name: self._indirect(name, env))

    def _indirect(self, name: str, env: Mapping[str, Any]) -> Any:
        access = self.program.accesses[name]
        view = self.program.views[access.view]
        coordinates = [self.index(e, env) for e in access.at]
        buffer, offset = self._buffer(view, env)
        address = offset + sum(x * self.index(s, env) for x, s in zip(coordinates, view.strides, strict=True))
        for x, extent in zip(coordinates, view.shape, strict=True):
            if np.any(np.asarray(x) < 0) or np.any(np.asarray(x) >= self.index(extent, env)):
                fault(f"index access {name} reaches beyond view {view.name}", access.position)
        return np.asarray(buffer[address]).astype(np.int64)

    def _buffer(self, view: View, env: Mapping[str, Any]) -> tuple[Array, Any]:
        storage = dtype(view.dtype).storage
        if view.space == "ct_local":
            tile = env["tile"] if view.ct_id is None else self.index(view.ct_id, env)
            return self._scratchpad(int(tile), view, env).view(storage), self.index(view.base, env)
        root, offset = self.program.buffer_of(view.name)
        if root is not None:
            if root not in self.buffers:
                fault(f"no buffer is given for argument {root}", view.position)
            return _typed(self.buffers[root], storage, str(root), view), self.index(offset, env)
        address = self.index(offset, env)
        for start, buffer in self.buffers.items():
            if isinstance(start, int) and start <= address < start + buffer.size:
                return _typed(buffer, storage, str(start), view), address - start
        fault(f"no buffer is given at address {address}", view.position)

    def _scratchpad(self, tile: int, view: View, env: Mapping[str, Any]) -> Array:
        """The tile's scratchpad, grown (zero-filled) to hold the view."""
        last = self.index(view.base, env)
        for extent, stride in zip(view.shape, view.strides, strict=True):
            last += (self.index(extent, env) - 1) * self.index(stride, env)
        needed = -(-(last + 1) * dtype(view.dtype).nbytes // 8) * 8
        held = self.scratch.get(tile, np.zeros(0, np.uint8))
        if held.size < needed:
            held = self.scratch[tile] = np.concatenate([held, np.zeros(needed - held.size, np.uint8)])
        return held


def axis_values(
    program: Program, axes: tuple[str, ...], window: Window, env: Mapping[str, Any]
) -> dict[str, Any]:
    """Values of the axes over the window, shaped to broadcast: dimension k belongs to `axes[k]`."""
    found: dict[str, Any] = {}
    for k, a in enumerate(axes):
        start, n = window[a]
        axis = program.axes[a]
        lo = evaluate(axis.lo, env)
        values = lo + axis.step * np.arange(start, start + n, dtype=np.int64)
        found[a] = values.reshape((1,) * k + (n,) + (1,) * (len(axes) - k - 1))
    return found


def _typed(buffer: Array, storage: np.dtype[Any], name: str, view: View) -> Array:
    if buffer.dtype == storage:
        return buffer
    if buffer.dtype.itemsize == storage.itemsize:
        return buffer.view(storage)
    fault(f"buffer {name} has elements of {buffer.dtype}, view {view.name} of {view.dtype}", view.position)
