"""Ordering checks on scratchpads: every access is compared with the earlier ones it is not ordered after.

The shadow of a memory holds, per granule, who wrote it last and when each member last read it, as clock
values (FastTrack's idea: Flanagan and Freund, PLDI 2009). Two accesses of different members, one of them a
write, are a race unless the vector clocks order them, whatever the timing happened to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Conflict", "Shadow", "granule_events", "granules"]

_BEFORE, _NOBODY = -1, -2  # who wrote a granule

Index = slice | NDArray[np.int64]
Ordered = Callable[[int, NDArray[np.int64], NDArray[np.int32]], NDArray[np.bool_]]
"""(member, granules, clocks) → is the write after these loads of the member, by the count of FIFO entries?"""


@dataclass(slots=True)
class Conflict(Exception):
    """`kind`: "unwritten" or "race". `other`: the member and clock of the earlier access."""

    kind: str
    granule: int
    other: tuple[int, int] | None
    earlier: str  # "write" | "read"


class Shadow:
    """One memory instance, in granules. `kept`: its contents at the start may be read."""

    def __init__(self, granules: int, members: int, kept: bool = False) -> None:
        self.writer = np.full(granules, _BEFORE if kept else _NOBODY, np.int16)
        self.written = np.zeros(granules, np.int32)
        self.size = granules
        self.read_at: list[NDArray[np.int32] | None] = [None] * members

    def read(self, member: int, clock: int, known: NDArray[np.int32], index: Index) -> None:
        """Raises `Conflict`. `known`: the member's vector clock."""
        self._after_write(member, known, index, must_exist=True)
        table = self.read_at[member]
        if table is None:
            table = self.read_at[member] = np.zeros(self.size, np.int32)
        table[index] = clock

    def write(
        self, member: int, clock: int, known: NDArray[np.int32], index: Index, ordered: Ordered
    ) -> None:
        """Raises `Conflict`. `ordered` decides about loads that the clocks leave open."""
        self._after_write(member, known, index, must_exist=False)
        for other, table in enumerate(self.read_at):
            if table is not None and other != member:
                late = np.flatnonzero(table[index] > known[other])
                if late.size:
                    where = late + index.start if isinstance(index, slice) else index[late]
                    clocks = table[where]
                    open_ones = np.flatnonzero(~ordered(other, where, clocks))
                    if open_ones.size:
                        at = int(open_ones[0])
                        raise Conflict("race", int(where[at]), (other, int(clocks[at])), "read")
        self.writer[index] = member
        self.written[index] = clock

    def _after_write(self, member: int, known: NDArray[np.int32], index: Index, must_exist: bool) -> None:
        writer = self.writer[index]
        if must_exist and writer.size and writer.min() == _NOBODY:
            raise Conflict("unwritten", _granule(index, int(np.argmin(writer))), None, "write")
        late = (self.written[index] > known[writer]) & (writer != member) & (writer >= 0)
        if late.any():
            at = int(np.argmax(late))
            other = (int(writer[at]), int(self.written[index][at]))
            raise Conflict("race", _granule(index, at), other, "write")


def _granule(index: Index, at: int) -> int:
    return index.start + at if isinstance(index, slice) else int(index[at])


def granules(addresses: NDArray[Any], size: int, granule: int) -> Index:
    """The granules of runs of `size` bytes at `addresses` (any shape); a slice when contiguous."""
    starts = np.asarray(addresses, np.int64).ravel() // granule
    each = size // granule
    if not starts.size:
        return slice(0, 0)
    if starts.size == 1 or bool((np.diff(starts) == each).all()):
        return slice(int(starts[0]), int(starts[-1]) + each)
    if each > 1:
        starts = (starts[:, None] + np.arange(each)).ravel()
    return np.unique(starts)


def granule_events(
    wanted: NDArray[np.int64],
    granule: int,
    accesses: Iterable[tuple[NDArray[np.int64], int, NDArray[np.int64]]],
    last: bool,
) -> NDArray[np.int64]:
    """The last (or first) event at which `wanted` granules (ascending) are touched.

    `accesses`: addresses (one row per event, or one for all), bytes of a run, events in ascending order.
    Granules that none of them touches get −1 (the largest event).
    """
    found = np.full(wanted.size, -1 if last else np.iinfo(np.int64).max, np.int64)
    for addresses, size, events in accesses:
        rows = addresses.reshape(len(addresses), -1) // granule
        touched = (rows[:, :, None] + np.arange(max(size // granule, 1))).reshape(len(rows), -1)
        if len(touched) == 1:
            events = events[-1:] if last else events[:1]
        at = np.minimum(np.searchsorted(wanted, touched), wanted.size - 1)
        row, column = np.nonzero(wanted[at] == touched)
        (np.maximum if last else np.minimum).at(found, at[row, column], events[row])
    return found
