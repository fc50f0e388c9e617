"""FIFOs between units as the value pass sees them: unbounded, filled and emptied in bundles."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from .vectors import Vector

__all__ = ["Queue"]


@dataclass(slots=True)
class _Bundle:
    """`trips` times the vectors of `vectors`, in turn; `taken` entries have left."""

    trips: int
    vectors: list[Vector]
    taken: int = 0

    @property
    def left(self) -> int:
        return self.trips * len(self.vectors) - self.taken

    def entry(self, offset: int) -> Vector:
        trip, which = divmod(self.taken + offset, len(self.vectors))
        return self.vectors[which].rows(slice(trip, trip + 1))


class Queue:
    """Entries in order. `take` hands out whole iterations of a consumer's loop at once where it can."""

    def __init__(self) -> None:
        self.bundles: deque[_Bundle] = deque()
        self.entries = 0

    def push(self, trips: int, vectors: list[Vector]) -> None:
        """Append the entries of `trips` iterations that each push `vectors` in order."""
        self.bundles.append(_Bundle(trips, vectors))
        self.entries += trips * len(vectors)

    def iterations(self, per_trip: int, limit: int) -> int:
        """How many iterations that pop `per_trip` entries `take` can serve in one go, at most `limit`."""
        if self.entries < per_trip:
            return 0
        first = self.bundles[0]
        if first.left < per_trip:
            return 1
        if per_trip % len(first.vectors):
            return 1
        return min(limit, first.left // per_trip)

    def take(self, trips: int, per_trip: int) -> list[Vector]:
        """Pop `trips` iterations (as `iterations` allowed): for each of the pops the vectors of all trips."""
        first = self.bundles[0]
        kinds = len(first.vectors)
        if trips == 1 and (first.left < per_trip or per_trip % kinds):
            return [self._one() for _ in range(per_trip)]
        taken = []
        for pop in range(per_trip):
            trip, which = divmod(first.taken + pop, kinds)
            stride = per_trip // kinds
            taken.append(first.vectors[which].rows(slice(trip, trip + stride * (trips - 1) + 1, stride)))
        self._drop(first, trips * per_trip)
        return taken

    def _one(self) -> Vector:
        first = self.bundles[0]
        vector = first.entry(0)
        self._drop(first, 1)
        return vector

    def _drop(self, first: _Bundle, entries: int) -> None:
        first.taken += entries
        self.entries -= entries
        if not first.left:
            self.bundles.popleft()
