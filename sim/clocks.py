"""Timed FIFOs and semaphores, with the vector clocks that say what is ordered before what.

A member's clock counts its items. A vector clock `vc[m] = c` means: everything member m did up to its item
c is complete and visible. Signals and FIFO entries carry the sender's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Clock", "Fifo", "Semaphore"]

Clock = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Fifo:
    """`arrivals[i]`: when entry i can be popped; `pops[i]`: when it was, which frees its slot."""

    depth: int
    source: int
    target: int
    latency: float = 0.0
    arrivals: list[float] = field(default_factory=list)
    pops: list[float] = field(default_factory=list)
    reader: Any = None  # the process that waits for an entry
    writer: Any = None  # the process that waits for a slot
    marks: list[tuple[int, Clock]] = field(default_factory=list)  # sender's clock from entry … on
    marked: int = -1  # version of the sender's clock at the last mark
    seen: int = 0  # marks the reader has taken over


@dataclass(slots=True, eq=False)
class Semaphore:
    """Signals in order: when each can be taken, and the sender's clock."""

    posts: list[tuple[float, Clock]] = field(default_factory=list)
    taken: int = 0
    reader: Any = None
