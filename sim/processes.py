"""One unit in the timing pass: a generator that yields whenever it has to wait for somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .component import Component
from .groups import is_global
from .pipeline import Pipeline
from .trace import Sync, Transfer
from .unit_state import Wait

if TYPE_CHECKING:
    from .timing import Engine

__all__ = ["Process"]


class Process(Pipeline):
    """Runs its member's items in order."""

    def __init__(self, engine: Engine, component: Component, position: int) -> None:
        super().__init__(engine, component, position)
        self._run = self._all()

    def resume(self) -> None:
        """Go on until the next wait."""
        try:
            next(self._run)
        except StopIteration:
            self.finished = True
            self.end = max(self.now, self.outstanding)

    def _all(self) -> Wait:
        for item in self.member.items:
            if isinstance(item, Sync):
                yield from self._sync(item)
            elif isinstance(item, Transfer):
                yield from self._transfer(item)
            else:
                yield from self._block(item)
            self.items_done += 1
            self.clock[self.position] = self.items_done
            self.version += 1

    def _sync(self, item: Sync) -> Wait:
        word = self._word(item.op)
        word[2] += 1
        if item.op.name == "signal":
            if item.wait:
                self._stall(item.op, "transfers", self.outstanding)
                self.unconfirmed = None
            delay = self.engine.arch.sync_cycles
            semaphore = self.component.semaphore(self.position, item.member, item.channel)
            semaphore.posts.append((self.now + delay, self._visible()))
            self._wake(semaphore.reader)
            semaphore.reader = None
            return
        semaphore = self.component.semaphore(item.member, self.position, item.channel)
        while semaphore.taken >= len(semaphore.posts):
            reason = f"a signal of {item.op.peer} on channel {item.channel}"
            self._block_on(semaphore, "reader", item.op, item.member, reason)
            yield
        time, clock = semaphore.posts[semaphore.taken]
        semaphore.taken += 1
        self._stall(item.op, "signal", time)
        self._learn(clock)

    def _transfer(self, item: Transfer) -> Wait:
        component = self.component
        source = int(component.column(item.source_instance))
        target = int(component.column(item.destination_instance))
        memories = component.arch.memories
        far = component.prices.ring_distance(
            memories[item.source].group, source, memories[item.destination].group, target
        )
        move = component.prices.transfer(self.member.trace.program, item, far)
        known = tuple(self.clock)
        component.check_access(self, item, known)
        if is_global(component.arch, item.source) or is_global(component.arch, item.destination):
            component.log.append((self.position, self.items_done, known, None))
        start = self.now
        requests = [
            (self.engine.server(component, item.source, source, False), False, move.reads),
            (self.engine.server(component, item.destination, target, True), True, move.writes),
        ]
        yield from self._serve(requests, self.now + move.startup, start + move.busy, move.rate)
        self._account(item.op, move.link, max(move.reads, move.writes), move.busy, start)
        self.outstanding = max(self.outstanding, self.now + move.latency)
        if self.unconfirmed is None:
            self.unconfirmed = self.items_done + 1
