"""Buffers, addresses and views.

Every buffer (array argument, array at a constant address, the tiles' scratchpads) owns a range of
addresses. Addresses count elements of the buffer's type or bytes (`Options.address_unit`).
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from ...numerics import DType
from .batch import Array, Divergence

__all__ = ["SEGMENT", "Buffer", "Memory", "View", "row_major"]

# Buffer arguments are this far apart, so that no address arithmetic within one reaches another.
SEGMENT = 1 << 40
# Address window of one tile's scratchpad; its real capacity is the verifier's business.
SCRATCH_WINDOW = 1 << 24
_SCRATCH_BASE = 1 << 60


class Buffer:
    """A flat piece of memory. The caller's array is copied on the first store. `numerics`: the mode whose
    16-bit format f16 contents are held in."""

    def __init__(self, name: str, base: int, array: Array, size: int, owned: bool = False) -> None:
        self.name, self.base, self.size = name, base, size
        self.original = array
        self.flat = np.ascontiguousarray(array).reshape(-1)
        self.owned = owned
        self.changed = False
        self.written: Array | None = None  # marks of a scratchpad's bytes, see `written`
        self.numerics = "ieee"

    def read(self, storage: np.dtype[Any]) -> Array:
        """The contents as elements of `storage`."""
        flat = self.flat
        return flat if flat.dtype == storage else flat.view(storage)

    def write(self, storage: np.dtype[Any]) -> Array:
        """As `read`, for changing in place."""
        if not self.owned:
            self.flat = self.flat.copy()
            self.owned = True
        self.changed = True
        return self.read(storage)

    def result(self) -> Array:
        """The contents in the caller's shape."""
        return self.flat.reshape(self.original.shape)


@dataclass(slots=True, eq=False)
class View:
    """A strided view: element (i, j…) is at `offset + i·strides[0] + …` of `buffer`, counted in elements
    of `dtype`. `offset` is an int or an array over `depth` batch axes. `corner` is the view's lower
    corner in the index space of a distributed view. `parts` is not empty for a distributed view."""

    buffer: Buffer
    dtype: DType
    offset: Any
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    depth: int
    corner: tuple[int, ...] = ()
    parts: tuple[View, ...] = ()


@dataclass(slots=True)
class Memory:
    """All buffers by address. `unit` is `elements` or `bytes`."""

    unit: str
    tiles: int
    buffers: list[Buffer] = field(default_factory=list)
    bases: list[int] = field(default_factory=list)
    scratch: Buffer | None = None
    undefined_scratch: bool = True  # reading what nothing wrote is a fault

    def add(self, name: str, base: int, array: Array) -> Buffer:
        """Register an array at an address. REF002: it overlaps one that is there already."""
        size = array.nbytes if self.unit == "bytes" else array.size
        i = bisect.bisect(self.bases, base)
        before = self.buffers[i - 1] if i else None
        after = self.buffers[i] if i < len(self.buffers) else None
        for other in (before, after):
            if other is not None and base < other.base + other.size and other.base < base + size:
                fail("REF002", f"{name} at address {base} overlaps {other.name} at address {other.base}")
        buffer = Buffer(name, base, array, size)
        self.buffers.insert(i, buffer)
        self.bases.insert(i, base)
        return buffer

    def locate(self, address: Any, where: Position) -> tuple[Buffer, Any]:
        """The buffer an address (int, or array over lanes) lies in, and the offset in address units.

        An address one past the end, or a little outside, belongs to the nearest buffer of its segment:
        only accesses are checked, as views may start anywhere. REF003: no buffer near.
        """
        low = int(address) if isinstance(address, int) else int(address.min())
        high = low if isinstance(address, int) else int(address.max())
        i = bisect.bisect(self.bases, low) - 1
        if i < 0 or low // SEGMENT != self.bases[i] // SEGMENT:
            text = f"address {low} belongs to no buffer"
            fail("REF003", text, where, "give the array that lives there (memory={address: array})")
        if bisect.bisect(self.bases, high) - 1 != i:
            raise Divergence("lanes address different buffers")
        return self.buffers[i], address - self.buffers[i].base

    def scratchpad(self) -> Buffer:
        """The scratchpads of all tiles, one window after the other; untouched pages cost nothing."""
        if self.scratch is None:
            flat = np.zeros(self.tiles * SCRATCH_WINDOW, np.uint8)
            self.scratch = Buffer("scratchpad", _SCRATCH_BASE, flat, flat.size, owned=True)
            if self.undefined_scratch:
                self.scratch.written = np.zeros_like(flat)
        return self.scratch

    def fill_scratch(self, tile: int, address: int, x: Array) -> None:
        """Initial contents of a tile's scratchpad. REF007: no such tile or place."""
        start = address * (1 if self.unit == "bytes" else x.itemsize)
        if not 0 <= tile < self.tiles or not 0 <= start <= SCRATCH_WINDOW - x.nbytes:
            fail("REF007", f"tile {tile} has no scratchpad address {address} for {x.nbytes} bytes")
        start += tile * SCRATCH_WINDOW
        data = np.ascontiguousarray(x).reshape(-1).view(np.uint8)
        scratch = self.scratchpad()
        scratch.flat[start : start + x.nbytes] = data
        if scratch.written is not None:
            scratch.written[start : start + x.nbytes] = 0xFF


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    """Strides of a dense array."""
    strides = [1] * len(sizes)
    for i in range(len(sizes) - 2, -1, -1):
        strides[i] = strides[i + 1] * sizes[i + 1]
    return tuple(strides)
