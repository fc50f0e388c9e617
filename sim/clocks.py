"""Timed FIFOs and semaphores, with the vector clocks that say what is ordered before what.

A member's clock counts its items. A vector clock `vc[m] = c` means: everything member m did up to its item
c is complete and visible. Signals and FIFO entries carry the sender's.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Clock", "Fifo", "Semaphore"]

Clock = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Fifo:
    """`arrivals`: when the entries inside can be popped; `slots`: when the free ones became free."""

    depth: int
    source: int
    target: int
    latency: float = 0.0
    arrivals: deque[float] = field(default_factory=deque)
    slots: deque[float] = field(default_factory=deque)
    pushed: int = 0
    popped: int = 0
    last: float = 0.0  # arrival of the latest entry
    reader: Any = None  # the process that waits for an entry
    writer: Any = None  # the process that waits for a slot
    marks: list[tuple[int, Clock]] = field(default_factory=list)  # sender's clock from entry … on
    marked: int = -1  # version of the sender's clock at the last mark
    seen: int = 0  # marks the reader has taken over

    def __post_init__(self) -> None:
        self.slots.extend([0.0] * self.depth)

    def forward(self, shift: float) -> None:
        """Fast-forward (steady.py): the same entries and slots, `shift` cycles later."""
        self.arrivals = deque(t + shift for t in self.arrivals)
        self.slots = deque(t + shift for t in self.slots)
        self.last += shift


@dataclass(slots=True, eq=False)
class Semaphore:
    """Signals in order: when each can be taken, and the sender's clock."""

    posts: list[tuple[float, Clock]] = field(default_factory=list)
    taken: int = 0
    reader: Any = None
