"""Useful tile sizes: which extents an axis can have, and how each may be cut."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

__all__ = ["Cuts", "closure", "divisors"]


@lru_cache(maxsize=65536)
def divisors(n: int) -> tuple[int, ...]:
    """Ascending divisors of n ≥ 1."""
    low = [d for d in range(1, int(n**0.5) + 1) if n % d == 0] if n < 1 << 40 else [1]
    return tuple(dict.fromkeys([*low, *(n // d for d in reversed(low))]))


class Cuts:
    """How extents of one axis are cut. `lanes`: positions of one vector step (1 off the lane axis)."""

    def __init__(self, lanes: int, most: int) -> None:
        self.lanes = lanes
        self.most = most

    def factors(self, n: int) -> tuple[int, ...]:
        """Tile sizes that divide n exactly, whole vectors only; at most `most`, spread evenly, with the
        smallest and the largest."""
        if n <= self.lanes:
            return ()
        found = [f * self.lanes for f in divisors(n // self.lanes)[:-1]] if n % self.lanes == 0 else []
        if len(found) <= self.most:
            return tuple(found)
        picks = sorted({round(k * (len(found) - 1) / max(1, self.most - 1)) for k in range(self.most)})
        return tuple(found[k] for k in picks)

    def halve(self, n: int) -> int | None:
        """The largest useful tile of n."""
        found = self.factors(n)
        return found[-1] if found else None

    def ragged(self, n: int) -> int | None:
        """The whole vectors in n, when n has a tail behind them."""
        whole = n - n % self.lanes
        return whole if self.lanes < n and whole < n else None


def closure(start: Iterable[int], cuts: Cuts, ways: Iterable[int]) -> tuple[int, ...]:
    """Every extent that cutting, distributing over `ways` instances and peeling can produce."""
    seen: set[int] = set()
    todo = [n for n in start if n > 0]
    ways = tuple(ways)
    while todo:
        n = todo.pop()
        if n in seen:
            continue
        seen.add(n)
        todo += cuts.factors(n)
        whole = cuts.ragged(n)
        if whole:
            todo += [whole, n - whole]
        for w in ways:
            part = n // (w * cuts.lanes) * cuts.lanes
            todo += [e for e in (n // w, part, n - w * part) if e > 0]
    return tuple(sorted(seen))
