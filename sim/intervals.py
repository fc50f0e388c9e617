"""Sets of half-open byte ranges as sorted, disjoint NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Intervals", "clash"]

Array = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Intervals:
    """`starts` ascending, `starts[i] < ends[i] < starts[i + 1]`: touching ranges are merged."""

    starts: Array
    ends: Array

    @classmethod
    def of(cls, starts: NDArray[Any], ends: NDArray[Any]) -> Intervals:
        """The union of any ranges; empty ones are dropped."""
        starts, ends = np.asarray(starts, np.int64).ravel(), np.asarray(ends, np.int64).ravel()
        keep = ends > starts
        starts, ends = starts[keep], ends[keep]
        if not starts.size:
            return cls(starts, ends)
        order = np.argsort(starts, kind="stable")
        starts, reach = starts[order], np.maximum.accumulate(ends[order])
        first = np.concatenate(([True], starts[1:] > reach[:-1]))
        last = np.concatenate((first[1:], [True]))
        return cls(starts[first], reach[last])

    @classmethod
    def union(cls, *sets: Intervals) -> Intervals:
        if not sets:
            return cls(np.empty(0, np.int64), np.empty(0, np.int64))
        return cls.of(np.concatenate([s.starts for s in sets]), np.concatenate([s.ends for s in sets]))

    @property
    def nbytes(self) -> int:
        return int((self.ends - self.starts).sum())

    def __bool__(self) -> bool:
        return bool(self.starts.size)

    def intersection(self, other: Intervals) -> Intervals:
        """The bytes that are in both."""
        if not self or not other:
            return Intervals(np.empty(0, np.int64), np.empty(0, np.int64))
        low = np.searchsorted(other.ends, self.starts, side="right")
        high = np.searchsorted(other.starts, self.ends, side="left")
        count = np.maximum(high - low, 0)
        mine = np.repeat(np.arange(self.starts.size), count)
        theirs = np.arange(mine.size) - np.repeat(np.cumsum(count) - count, count) + np.repeat(low, count)
        starts = np.maximum(self.starts[mine], other.starts[theirs])
        return Intervals.of(starts, np.minimum(self.ends[mine], other.ends[theirs]))


def clash(writes: Sequence[Intervals], reads: Sequence[Intervals]) -> tuple[int, int, int, int] | None:
    """A range that owner i writes and owner j ≠ i reads or writes: (i, j, start, end), or None."""
    starts, ends, owners = _tagged(writes)
    if not starts.size:
        return None
    order = np.argsort(starts, kind="stable")
    starts, ends, owners = starts[order], ends[order], owners[order]
    reach = np.maximum.accumulate(ends)
    twice = np.flatnonzero(starts[1:] < reach[:-1])
    if twice.size:  # one owner's ranges are disjoint, so these belong to two
        k = int(twice[0]) + 1
        j = int(np.argmax(reach[: k + 1] == reach[k - 1]))
        return int(owners[j]), int(owners[k]), int(starts[k]), min(int(ends[k]), int(ends[j]))
    r_starts, r_ends, readers = _tagged(reads)
    low = np.searchsorted(ends, r_starts, side="right")
    high = np.searchsorted(starts, r_ends, side="left")
    changes = np.concatenate(([0], np.cumsum(owners[1:] != owners[:-1])))
    first, last = np.minimum(low, len(owners) - 1), np.maximum(high - 1, 0)
    foreign = (low < high) & ((owners[first] != readers) | (changes[first] != changes[last]))
    if not foreign.any():
        return None
    r = int(np.argmax(foreign))
    k = int(low[r]) + int(np.argmax(owners[low[r] : high[r]] != readers[r]))
    return (
        int(owners[k]),
        int(readers[r]),
        max(int(starts[k]), int(r_starts[r])),
        min(int(ends[k]), int(r_ends[r])),
    )


def _tagged(sets: Sequence[Intervals]) -> tuple[Array, Array, Array]:
    if not sets:
        empty = np.empty(0, np.int64)
        return empty, empty, empty
    return (
        np.concatenate([s.starts for s in sets]),
        np.concatenate([s.ends for s in sets]),
        np.repeat(np.arange(len(sets)), [s.starts.size for s in sets]),
    )
