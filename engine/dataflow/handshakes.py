"""Signals of one unit's program: full and empty of the buffers it uses, and the plan's further syncs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from ..ktir.ir import Scalar, Typed
from .instances import Place
from .plan import Buffer, Link, Sync
from .threads import Threads, Where

__all__ = ["Handshakes"]


@dataclass
class Handshakes(Threads):
    """Adds signals to the program."""

    def outer(self, buffer: Buffer, kind: str, where: Where, receive: bool, times: int = 1) -> None:
        """The side of the unit that fills or drains a buffer from outside: a signal per inner instance."""
        for link in buffer.inner:
            self._signal(link, self._channel(buffer, kind), where, receive, times)

    def inner(self, buffer: Buffer, kind: str, where: Where, receive: bool, times: int = 1) -> None:
        """The side of a unit that uses the buffer inside the pipe."""
        link = next((x for x in buffer.inner if x.unit == self.unit), None)
        if link is None or buffer.outer is None:
            return
        for _ in self.threads(where):
            with self.only(link.reach, where):
                self.b.position = buffer.position
                self._signal(Link(buffer.outer, {}), self._channel(buffer, kind), where, receive, times)

    def _channel(self, buffer: Buffer, kind: str) -> int:
        return buffer.channel + (buffer.channels if kind == "empty" else 0)

    def _signal(self, peer: Link, channel: int, where: Where, receive: bool, times: int) -> None:
        """One signal per peer instance that no `par` around fixes, `times` over."""
        place = self.function.instances.place(peer.unit)
        loose = [g for g in place.local if not where.fixed(g)]
        attributes: dict[str, object] = {
            "channel": Typed(channel + self._number(place, where), Scalar("i32"))
        }
        if not receive:
            attributes["wait_immediately_for_async_transfers"] = True
        for chosen in product(*(range(peer.reach.get(g, 1)) for g in loose)):
            handle = self.b.handle(place, dict(zip(loose, chosen, strict=True)))
            for _ in range(times):
                self.b.op(
                    "dataflow.sync_recv" if receive else "dataflow.sync_send", [handle], dict(attributes)
                )

    def _number(self, peer: Place, where: Where) -> int:
        """The thread's number among those that one pair of instances serves: each has its channel."""
        instances = self.function.instances
        number = 0
        for group, ways in (*((g, self.arch.groups[g].count) for g in instances.chain), *where.pars):
            if group not in self.b.place.path and group not in peer.path:
                number = number * ways + int(self.b.coordinate(group)[0])
        return number

    def initial_credits(self, send: bool) -> None:
        """Before anything runs every buffer is empty: its consumer says so `depth` times. At the end the
        producer takes those signals back, so that no semaphore outlives the program."""
        for buffer in self.plan.buffers:
            if buffer.outer is None:
                continue
            where = Where(buffer.ways)
            inner_consumes = not buffer.outward
            if self.unit == buffer.outer and inner_consumes != send:
                for _ in self.threads(where):
                    with self.within(buffer.ways), self.only({}, where):
                        self.b.position = buffer.position
                        self.outer(buffer, "empty", where, not send, buffer.depth)
            if any(x.unit == self.unit for x in buffer.inner) and inner_consumes == send:
                with self.within(buffer.ways):
                    self.inner(buffer, "empty", where, not send, buffer.depth)

    def tell(self, sync: Sync, where: Where, times: int = 1) -> None:
        if sync.sender.unit == self.unit and times:
            for _ in self.threads(where):
                with self.only(sync.sender.reach, where):
                    self._signal(sync.receiver, sync.channel, where, False, times)

    def hear(self, sync: Sync, where: Where, times: int = 1) -> None:
        if sync.receiver.unit == self.unit and times:
            for _ in self.threads(where):
                with self.only(sync.receiver.reach, where):
                    self._signal(sync.sender, sync.channel, where, True, times)
