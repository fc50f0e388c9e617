"""Byte-addressed memories: the card's sparse DRAM and the scratchpads of all instances of a group.

Both keep their bytes in one flat NumPy buffer and move whole runs at once: `gather` and `scatter` take an
array of start addresses of any shape and a run length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import fail

__all__ = ["SEGMENTS", "SEGMENT_BYTES", "AddressFault", "DeviceMemory", "Scratchpads"]

Array = NDArray[Any]
Addresses = NDArray[np.int64]

SEGMENTS = 8
SEGMENT_BYTES = 16 << 30  # the 128 GB virtual space of a card: torch-spyre's ProgramExecution specification

_WORDS: dict[int, np.dtype[Any]] = {
    1: np.dtype(np.uint8),
    2: np.dtype(np.uint16),
    4: np.dtype(np.uint32),
    8: np.dtype(np.uint64),
}


@dataclass(slots=True)
class AddressFault(Exception):
    """A run of bytes that is not inside allocated memory. The executor adds unit and instruction."""

    memory: str
    address: int
    size: int
    lane: int  # index of the faulting element in the last axis of the addresses
    known: str  # what is there, for the message

    def __str__(self) -> str:
        return f"{self.size} bytes at address {self.address:#x} of {self.memory} are outside {self.known}"


class _Flat:
    """A flat buffer with run-wise access at byte positions."""

    def __init__(self, size: int) -> None:
        self.bytes: NDArray[np.uint8] = np.zeros(size, np.uint8)

    def read(self, positions: Addresses, size: int) -> Array:
        """Bytes of the runs: shape positions.shape + (size,), uint8."""
        rows, count = self._rows(positions, size)
        if rows is None:
            single: Array = self.bytes[positions[..., None] + np.arange(size)]
            return single
        index = positions // (size // count)
        if count > 1:
            index = index[..., None] + np.arange(count)
        found: Array = np.ascontiguousarray(rows[index]).view(np.uint8).reshape(*positions.shape, size)
        return found

    def write(self, positions: Addresses, data: Array) -> None:
        """Store runs (`data`: uint8, positions.shape + (size,)). Where they overlap the later wins."""
        size = data.shape[-1]
        rows, count = self._rows(positions, size)
        if rows is None:
            self.bytes[positions[..., None] + np.arange(size)] = data
            return
        index = positions // (size // count)
        if count > 1:
            index = index[..., None] + np.arange(count)
        rows[index] = np.ascontiguousarray(data).view(rows.dtype).reshape(index.shape)

    def _rows(self, positions: Addresses, size: int) -> tuple[Array | None, int]:
        """The buffer as words as large as the common alignment of the runs allows, and words per run."""
        mixed = int(np.bitwise_or.reduce(positions, axis=None)) if positions.size else 0
        word = (mixed | size) & -(mixed | size)  # largest power of two that divides everything
        if word == 1 and size > 1:
            return None, 0
        if mixed == 0 or (mixed % size == 0 and _all_multiples(positions, size)):
            word = size
        usable = len(self.bytes) // word * word
        kind = _WORDS.get(word) or np.dtype((np.void, word))
        return self.bytes[:usable].view(kind), size // word


def _all_multiples(positions: Addresses, size: int) -> bool:
    return bool((positions % size == 0).all())


class DeviceMemory:
    """The card's virtual DRAM: only ranges that were placed exist. A launch gets a private copy (`fork`)."""

    name = "ddr"

    def __init__(self) -> None:
        self.starts: Addresses = np.empty(0, np.int64)
        self.sizes: Addresses = np.empty(0, np.int64)
        self.offsets: Addresses = np.empty(0, np.int64)
        self.flat = _Flat(0)

    @classmethod
    def of(cls, ranges: Mapping[int, bytes | Array | int]) -> DeviceMemory:
        """Memory with these ranges: start address → contents, or a size of zeroed bytes.

        Raises SIM021 for overlapping ranges or ranges outside the 8 × 16 GiB.
        """
        memory = cls()
        placed = sorted((start, _content(content)) for start, content in ranges.items())
        sizes = [len(content) for _, content in placed]
        _check_placement([start for start, _ in placed], sizes)
        memory.starts = np.array([start for start, _ in placed], np.int64)
        memory.sizes = np.array(sizes, np.int64)
        padded = [-(-size // 128) * 128 + 128 for size in sizes]  # keeps run alignment, and runs apart
        # Congruent modulo 128 with the address, so that aligned addresses are aligned positions.
        memory.offsets = np.cumsum([0, *padded[:-1]], dtype=np.int64)[: len(placed)] + memory.starts % 128
        memory.flat = _Flat(int(sum(padded)) + 128)
        for offset, (_, content) in zip(memory.offsets.tolist(), placed, strict=True):
            memory.flat.bytes[offset : offset + len(content)] = content
        return memory

    def read(self, addresses: Addresses, size: int) -> Array:
        return self.flat.read(self._positions(addresses, size), size)

    def write(self, addresses: Addresses, data: Array) -> None:
        self.flat.write(self._positions(addresses, data.shape[-1]), data)

    def span(self, start: int, size: int) -> NDArray[np.uint8]:
        """A writable view of one placed run."""
        position = int(self._positions(np.array([start], np.int64), size)[0])
        return self.flat.bytes[position : position + size]

    def check(self, addresses: Addresses, size: int) -> None:
        """Raise `AddressFault` when a run leaves its range."""
        self._positions(addresses, size)

    def _positions(self, addresses: Addresses, size: int) -> Addresses:
        if not addresses.size:
            return addresses
        low, high = int(addresses.min()), int(addresses.max())
        first = int(np.searchsorted(self.starts, low, side="right")) - 1
        if first >= 0 and high + size <= self.starts[first] + self.sizes[first]:
            shifted: Addresses = addresses - (self.starts[first] - self.offsets[first])
            return shifted
        region = np.searchsorted(self.starts, addresses, side="right") - 1
        safe = np.maximum(region, 0)
        if not len(self.starts):
            self._fault(addresses, np.zeros(addresses.shape, bool), size)
        inside = (region >= 0) & (addresses + size <= self.starts[safe] + self.sizes[safe])
        if not inside.all():
            self._fault(addresses, inside, size)
        positions: Addresses = addresses - (self.starts - self.offsets)[safe]
        return positions

    def _fault(self, addresses: Addresses, inside: Array, size: int) -> None:
        at = np.unravel_index(int(np.argmin(inside)), inside.shape)
        ranges = ", ".join(
            f"[{s:#x}, {s + n:#x})" for s, n in zip(self.starts.tolist(), self.sizes.tolist(), strict=True)
        )
        lane = int(at[-1]) if at else 0
        raise AddressFault(self.name, int(addresses[at]), size, lane, f"what is allocated: {ranges or '-'}")


def _content(content: bytes | Array | int) -> NDArray[np.uint8]:
    if isinstance(content, int):
        return np.zeros(content, np.uint8)
    if isinstance(content, bytes):
        return np.frombuffer(content, np.uint8)
    return np.ascontiguousarray(content).reshape(-1).view(np.uint8)


def _check_placement(starts: Sequence[int], sizes: Sequence[int]) -> None:
    end = 0
    for start, size in zip(starts, sizes, strict=True):
        if start < 0 or start + size > SEGMENTS * SEGMENT_BYTES:
            fail("SIM021", f"[{start:#x}, {start + size:#x}) is outside the card's 8 segments of 16 GiB")
        if start < end:
            fail("SIM021", f"two memory ranges overlap at {start:#x}", hint="give each buffer its own range")
        end = start + size


class Scratchpads:
    """One memory of `size` bytes per instance of a group, kept as one buffer."""

    def __init__(self, name: str, instances: int, size: int) -> None:
        self.name, self.instances, self.size = name, instances, size
        self.flat = _Flat(instances * size)

    def read(self, addresses: Addresses, owners: Addresses, size: int) -> Array:
        """Runs at `addresses` (per-instance byte addresses) of instances `owners` (broadcast together)."""
        return self.flat.read(self._positions(addresses, owners, size), size)

    def write(self, addresses: Addresses, owners: Addresses, data: Array) -> None:
        self.flat.write(self._positions(addresses, owners, data.shape[-1]), data)

    def check(self, addresses: Addresses, size: int) -> None:
        """Raise `AddressFault` when a run leaves the memory."""
        if addresses.size and (int(addresses.min()) < 0 or int(addresses.max()) + size > self.size):
            inside = (addresses >= 0) & (addresses + size <= self.size)
            at = np.unravel_index(int(np.argmin(inside)), inside.shape)
            lane = int(at[-1]) if at else 0
            raise AddressFault(self.name, int(addresses[at]), size, lane, f"its [0, {self.size:#x})")

    def _positions(self, addresses: Addresses, owners: Addresses, size: int) -> Addresses:
        self.check(addresses, size)
        return addresses + owners * self.size
