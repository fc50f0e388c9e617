"""The timing pass: when everything happens.

Every unit is a process in a network of timed FIFOs and semaphores. FIFO and signal times follow from
their neighbours' (a max-plus recurrence), so a process runs ahead until it has to wait; only memories whose
bandwidth is shared need events in global time order, which `Engine` provides. Equal components (a class)
are simulated once, with their number as the weight of their transfers.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..arch import Arch
from .component import Component
from .groups import is_global
from .processes import Process
from .servers import Flow, Server
from .unit_state import UnitState

__all__ = ["Engine", "Timing"]


@dataclass(slots=True)
class Timing:
    """Outcome of the pass. Cycles; `servers`: shared memory → cycles it served anything."""

    cycles: float
    components: list[Component]
    processes: list[list[Process]]  # per component, per member
    servers: dict[str, float] = field(default_factory=dict)


class Engine:
    """Runs the processes of all components to the end."""

    def __init__(self, arch: Arch, components: Sequence[Component]) -> None:
        self.arch = arch
        self.components = list(components)
        self.ready: deque[UnitState] = deque()
        self.servers: dict[tuple[int, str, int, bool], Server] = {}
        self.owners: dict[int, UnitState] = {}  # id of a flow → who waits for it
        self.starts: list[tuple[float, int, UnitState]] = []
        self.order = itertools.count()  # ties start in the order of their requests
        self.processes = [
            [Process(self, component, position) for position in range(len(component.group.members))]
            for component in self.components
        ]

    def run(self) -> Timing:
        """Raises SIM011 … SIM015 for what a program may not do (see docs/simulator.md)."""
        for component, processes in zip(self.components, self.processes, strict=True):
            component.processes = processes
            self.ready.extend(processes)
        while True:
            while self.ready:
                self.ready.popleft().resume()
            if not self._next_event():
                break
        for component, processes in zip(self.components, self.processes, strict=True):
            component.check_end(processes)
        cycles = max((p.end for row in self.processes for p in row), default=0.0)
        busy = {s.name: 0.0 for s in self.servers.values()}
        for server in self.servers.values():
            busy[server.name] = max(busy[server.name], server.busy)
        return Timing(cycles, self.components, self.processes, busy)

    def request(self, process: UnitState, start: float) -> None:
        """`process` has set its `flows`; they begin at `start`, and it goes on when all have ended."""
        heapq.heappush(self.starts, (start, next(self.order), process))

    def server(self, component: Component, memory: str, instance: int, write: bool) -> Server | None:
        """The shared port of a memory instance for this direction; None when only the units limit its rate.

        DRAM has one port for both directions, other memories have one for each.
        """
        m, dram = self.arch.memories[memory], self.arch.dram
        read_rate, write_rate = m.read_bytes_per_cycle, m.write_bytes_per_cycle
        if (write_rate if write else read_rate) is None:
            return None
        one = memory == dram.memory
        shared = is_global(self.arch, memory)
        key = (-1 if shared else component.number, memory, instance, not one and write)
        if key not in self.servers:
            name = memory if one else f"{memory} {'write' if write else 'read'}"
            turnaround = dram.turnaround_cycles_per_byte if one else 0.0
            self.servers[key] = Server(name, read_rate, write_rate, turnaround, shared=shared)
        return self.servers[key]

    def _next_event(self) -> bool:
        """Advance to the next start or end of a flow; False when there is none."""
        times = [(t, s) for s in self.servers.values() if (t := s.next_event()) is not None]
        ends, server = min(times, key=lambda pair: pair[0], default=(None, None))
        if self.starts and (ends is None or self.starts[0][0] <= ends):
            now, _, process = heapq.heappop(self.starts)
            for target, flow in process.flows:
                self._advance(target, now)
                target.start(now, flow)
                self.owners[id(flow)] = process
            return True
        if ends is None or server is None:
            return False
        self._advance(server, ends)
        return True

    def _advance(self, server: Server, now: float) -> None:
        for flow in server.advance(now):
            self._ended(flow, now)

    def _ended(self, flow: Flow, now: float) -> None:
        process = self.owners.pop(id(flow))
        process.flows = [pair for pair in process.flows if pair[1] is not flow]
        if not process.flows:
            process.now = max(process.now, now)
            self.ready.append(process)
