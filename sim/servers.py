"""Memories whose bandwidth is shared: a fluid server that divides its time among the running transfers.

A read byte costs 1/read rate, a write byte 1/write rate of the server's time, and every *overlapping* byte
(the total is min(bytes read, bytes written) so far) costs the turnaround on top, charged to the direction
that is behind as it catches up. So the total equals the architecture's formula whatever the order:
R/read rate + W/write rate + turnaround · min(R, W). (Source: torch-spyre's fitted cost model.)
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Flow", "Server"]

_EPSILON = 1e-6  # bytes: a flow with less than this left is finished


@dataclass(slots=True, eq=False)
class Flow:
    """`weight` equal transfers; `left`: bytes of one; `cap`: bytes/cycle that one unit can move."""

    write: bool
    left: float
    cap: float
    weight: int
    rate: float = 0.0


class Server:
    """One memory port. Rates in bytes per cycle; None = unlimited. Time in cycles.

    `shared`: by all components of the card, not only by the units of one.
    """

    def __init__(
        self,
        name: str,
        read_rate: float | None,
        write_rate: float | None,
        turnaround: float = 0.0,
        *,
        shared: bool = True,
    ) -> None:
        self.name, self.shared = name, shared
        self.costs = (1 / read_rate if read_rate else 0.0, 1 / write_rate if write_rate else 0.0)
        self.turnaround = turnaround
        self.done = [0.0, 0.0]  # bytes read and written so far
        self.flows: list[Flow] = []
        self.now = 0.0
        self.busy = 0.0  # cycles with at least one flow
        self._catch_up: float | None = None  # time when the direction that is behind draws level

    def start(self, now: float, flow: Flow) -> None:
        """Begin a transfer. Call `advance(now)` first."""
        self.flows.append(flow)
        self._share()

    def next_event(self) -> float | None:
        """When the first flow ends or the rates change, if nobody joins before."""
        if not self.flows:
            return None
        ends = min(self.now + f.left / f.rate for f in self.flows)
        return ends if self._catch_up is None else min(ends, self._catch_up)

    def advance(self, now: float) -> list[Flow]:
        """Serve until `now` (at most `next_event()`); the flows that have ended, in starting order."""
        elapsed = now - self.now
        if elapsed > 0:
            if self.flows:
                self.busy += elapsed
            for flow in self.flows:
                flow.left -= flow.rate * elapsed
                self.done[flow.write] += flow.rate * elapsed * flow.weight
            self.now = now
        if self._catch_up is not None and now >= self._catch_up:
            self.done[0] = self.done[1] = max(self.done)
        # A flow whose rest is below the resolution of the clock could never end.
        ended = [f for f in self.flows if f.left <= _EPSILON or now + f.left / f.rate <= now]
        if ended:
            self.flows = [f for f in self.flows if f not in ended]
        if ended or (self._catch_up is not None and now >= self._catch_up):
            self._share()
        return ended

    def _share(self) -> None:
        """Equal byte rates for all flows, limited by their caps, using all of the server's time."""
        self._catch_up = None
        if not self.flows:
            return
        read, written = self.done
        if read != written:
            behind = 0 if read < written else 1
            speed = self._distribute(behind)
            gain = speed[behind] - speed[1 - behind]
            if gain > 0:
                self._catch_up = self.now + abs(read - written) / gain
        else:  # level: the slower direction falls behind, so its bytes are the overlapping ones
            speed = self._distribute(0)
            if speed[0] > speed[1]:
                self._distribute(1)

    def _distribute(self, behind: int) -> list[float]:
        """Set all rates when bytes in direction `behind` overlap; returns bytes/cycle per direction."""
        costs = [self.costs[w] + (self.turnaround if w == behind else 0.0) for w in (0, 1)]
        budget, load = 1.0, sum(f.weight * costs[f.write] for f in self.flows)
        speed = [0.0, 0.0]
        for flow in sorted(self.flows, key=lambda f: f.cap):
            flow.rate = min(flow.cap, budget / load) if load > _EPSILON**2 else flow.cap
            budget -= flow.rate * flow.weight * costs[flow.write]
            load -= flow.weight * costs[flow.write]
            speed[flow.write] += flow.rate * flow.weight
        return speed
