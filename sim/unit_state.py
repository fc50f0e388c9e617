"""What a unit in the timing pass knows and has spent: its times, stalls and vector clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .clocks import Clock, Fifo, Semaphore
from .component import Component
from .servers import Flow, Server
from .trace import Op

if TYPE_CHECKING:
    from .timing import Engine

__all__ = ["UnitState", "Wait"]

Wait = Iterator[None]  # yields whenever the unit has to wait for somebody else


class UnitState:
    """Member `position` of a component. Times in cycles since the launch.

    `now`: when the data path is free; `end`: when everything it issued is complete. `stalls`: cycles spent
    waiting, by reason. `clock`: what this unit knows to be complete (see clocks.py).
    """

    def __init__(self, engine: Engine, component: Component, position: int) -> None:
        self.engine, self.component, self.position = engine, component, position
        self.member = component.group.members[position]
        self.now = self.end = self.outstanding = 0.0
        self.busy = 0.0
        self.stalls = dict.fromkeys(("empty", "full", "signal", "transfers", "memory", "operand"), 0.0)
        self.moved: dict[str, int] = {}  # bytes per link
        self.by_word: dict[int, list[float]] = {}  # word → [busy, stalled, times executed]
        self.clock = [0] * len(component.group.members)
        self.version = 0  # counts changes of `clock`
        self.items_done = 0
        self.unconfirmed: int | None = None  # first item whose writes no wait has confirmed
        self.flows: list[tuple[Server, Flow]] = []
        self.finished = False
        self.waits_for = -1
        self.waiting_op: Op = _NOTHING
        self.waiting_reason = ""

    def resume(self) -> None:
        """Go on until the next wait."""
        raise NotImplementedError

    def _block_on(self, what: Fifo | Semaphore, role: str, op: Op, other: int, reason: str) -> None:
        setattr(what, role, self)
        self.waits_for, self.waiting_op, self.waiting_reason = other, op, reason

    def _wake(self, process: Any) -> None:
        if process is not None:
            self.engine.ready.append(process)

    def _stall(self, op: Op, reason: str, until: float) -> None:
        if until > self.now:
            self.stalls[reason] += until - self.now
            self._word(op)[1] += until - self.now
            self.now = until

    def _word(self, op: Op) -> list[float]:
        return self.by_word.setdefault(op.index, [0.0, 0.0, 0.0])

    def _visible(self) -> Clock:
        """The clock that a signal or entry carries: own writes count once a wait has confirmed them."""
        if self.unconfirmed is None:
            return tuple(self.clock)
        clock = self.clock.copy()
        clock[self.position] = min(clock[self.position], self.unconfirmed - 1)
        return tuple(clock)

    def _learn(self, other: Clock) -> None:
        clock = self.clock
        for member, known in enumerate(other):
            if known > clock[member]:
                clock[member] = known
                self.version += 1

    def _serve(
        self, requests: list[tuple[Server | None, bool, int]], begin: float, earliest: float, rate: float
    ) -> Wait:
        """Occupy the data path until `earliest`, and until all shared memories have served their bytes."""
        self.flows = [
            (server, Flow(write, float(size), rate, self._weight(server)))
            for server, write, size in requests
            if server is not None and size
        ]
        self.now = earliest
        if self.flows:
            self.engine.request(self, begin)
            yield

    def _weight(self, server: Server) -> int:
        return self.component.weight if server.shared else 1

    def _account(self, op: Op, link: str, size: int, busy: float, start: float) -> None:
        """Book a data movement that began at `start`: its own time is busy, the rest waits for the memory."""
        self.busy += busy
        self.moved[link] = self.moved.get(link, 0) + size
        word = self._word(op)
        word[0] += busy
        word[2] += 1
        waited = max(self.now - start - busy, 0.0)
        self.stalls["memory"] += waited
        word[1] += waited


_NOTHING = Op(0, "", {}, None, 0, None, None)
