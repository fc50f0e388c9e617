"""A unit's data path in the timing pass: vector words, FIFO entries, register values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .clocks import Clock, Fifo
from .component import Component
from .groups import is_global
from .servers import Server
from .trace import Block, Op, Step
from .unit_state import UnitState, Wait

if TYPE_CHECKING:
    from .timing import Engine

__all__ = ["OBSERVE", "Pipeline"]

_STORES = ("stf", "vst")
OBSERVE = 8  # trips between two looks for a steady state


class Pipeline(UnitState):
    """Executes blocks. A handler returns None when it is done, or the waits that it needs."""

    def __init__(self, engine: Engine, component: Component, position: int) -> None:
        super().__init__(engine, component, position)
        self.ready: dict[int, float] = {}  # stick → when its value is there
        self.writer: dict[int, int] = {}  # stick → word that wrote it
        self._compiled: dict[Any, Any] = {}
        self.trip = self.trips = 0  # of the block that is running

    def _block(self, block: Block) -> Wait:
        steps = self._compile(block)
        self.trip, self.trips = 0, block.trips
        known = None  # what the first entries brought is known to the accesses
        while self.trip < self.trips:
            for run, details in steps:
                waits = run(details)
                if waits is not None:
                    yield from waits
            if known is None:
                known = self._accessed(block, tuple(self.clock), False)
            self.trip += 1
            if not self.trip % OBSERVE and self.trips - self.trip > OBSERVE:
                self.component.steady(self)
        self.trip = self.trips = 0
        if known is not None:
            self._accessed(block, known, True)
        for step in block.steps:
            self._count(step, block.trips)

    def _accessed(self, block: Block, known: Clock, end: bool) -> Clock:
        """Check and log the block's memory accesses: loads when it begins, stores when it ends, so that a
        load whose value goes into a store comes first. A block that does both in a scratchpad is looked at
        in program order: it may read what it wrote."""
        component = self.component
        sides = {s.op.name in _STORES for s in block.steps if s.op.memory is not None}
        shared = {is_global(component.arch, s.op.memory) for s in block.steps if s.op.memory is not None}
        if end in sides and True in shared:
            component.log.append((self.position, self.items_done, known, end))
        if False in shared:
            if len(sides) == 1 and end in sides:
                component.check_access(self, block, known, end)
            elif len(sides) == 2 and not end:
                component.check_access(self, block, known)
        return known

    def forward(self, trips: int, shift: float) -> None:
        """Fast-forward (steady.py): `trips` further in the block, `shift` cycles later."""
        if self.outstanding > self.now:
            self.outstanding += shift
        self.ready = {s: t + shift if t > self.now else t for s, t in self.ready.items()}
        self.trip += trips
        self.now += shift

    def _count(self, step: Step, trips: int) -> None:
        """Book what is the same in every iteration."""
        details = self._details(step)
        word = self._word(step.op)
        word[0] += details[1] * trips
        word[2] += trips
        self.busy += details[1] * trips
        if step.op.memory is not None:
            move = details[3]
            self.moved[move.link] = self.moved.get(move.link, 0) + move.reads * trips

    def _compile(self, block: Block) -> list[Any]:
        handlers = {"ldf": self._ldf, "stf": self._stf, "recv": self._recv, "send": self._send}
        handlers |= {"vld": self._vld, "vst": self._vst}
        return [(handlers.get(s.op.name, self._vector), self._details(s)) for s in block.steps]

    def _details(self, step: Step) -> Any:
        """(word, busy cycles, …): what the handlers need, computed once per word and peer."""
        op, component = step.op, self.component
        key = (
            op,
            step.member,
            step.stride,
            None if step.instance is None else int(component.column(step.instance)),
        )
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = self._price(step)
        return found

    def _price(self, step: Step) -> Any:
        op, component, program = step.op, self.component, self.member.trace.program
        if op.memory is not None:
            move = component.prices.vector_move(program, step)
            instance, write = int(component.column(step.instance)), op.name in ("stf", "vst")
            server = self.engine.server(component, op.memory, instance, write)
            if op.peer is None:
                return (op, move.busy, None, move, server, _range(op.writes or op.reads[0]))
            ends = (self.position, step.member) if op.name == "ldf" else (step.member, self.position)
            fifo = component.fifo(*ends, self.member, op)
            return (op, move.busy, fifo, move, server, move.latency)
        if op.peer is not None:
            ends = (self.position, step.member) if op.name == "send" else (step.member, self.position)
            fifo = component.fifo(*ends, self.member, op)
            if op.name == "send":
                peer = component.arch.units[op.peer]
                mine, theirs = component.instance(self.position), component.instance(step.member)
                fifo.latency = component.prices.ring_latency(program.unit, mine, peer, theirs)
            return (op, 0.0, fifo, _range(op.reads[0] if op.reads else op.writes))
        busy, latency = component.prices.issue(program, op)
        reads = tuple(s for r in op.reads for s in range(*r))
        return (op, busy, reads, latency, _range(op.writes))

    def _slot(self, op: Op, fifo: Fifo) -> Wait | None:
        """Take a free slot; None when there is one at once."""
        if not fifo.slots:
            return self._wait_slot(op, fifo)
        if fifo.slots[0] > self.now:
            self._stall(op, "full", fifo.slots[0])
        fifo.slots.popleft()
        return None

    def _wait_slot(self, op: Op, fifo: Fifo) -> Wait:
        while not fifo.slots:
            self._block_on(fifo, "writer", op, fifo.target, f"a free slot in the FIFO to {op.peer}")
            yield
        self._slot(op, fifo)

    def _push(self, fifo: Fifo, time: float) -> None:
        if fifo.marked != self.version:
            fifo.marks.append((fifo.pushed, self._visible()))
            fifo.marked = self.version
        fifo.arrivals.append(time)
        fifo.last = time
        fifo.pushed += 1
        if fifo.reader is not None:
            self.engine.ready.append(fifo.reader)
            fifo.reader = None

    def _wait_entry(self, op: Op, fifo: Fifo) -> Wait:
        while not fifo.arrivals:
            self._block_on(fifo, "reader", op, fifo.source, f"an entry of {op.peer}")
            yield

    def _pop(self, op: Op, fifo: Fifo) -> None:
        if fifo.arrivals[0] > self.now:
            self._stall(op, "empty", fifo.arrivals[0])
        fifo.arrivals.popleft()
        fifo.slots.append(self.now)
        while fifo.seen < len(fifo.marks) and fifo.marks[fifo.seen][0] <= fifo.popped:
            self._learn(fifo.marks[fifo.seen][1])
            fifo.seen += 1
        fifo.popped += 1
        if fifo.writer is not None:
            self.engine.ready.append(fifo.writer)
            fifo.writer = None

    def _ldf(self, d: Any) -> Wait | None:
        op, busy, fifo, _, server, latency = d
        if server is not None:
            return self._ldf_shared(d)
        waits = self._slot(op, fifo)
        if waits is not None:
            return self._ldf_late(waits, d)
        self.now += busy
        self._push(fifo, self.now + latency)
        return None

    def _ldf_late(self, waits: Wait, d: Any) -> Wait:
        yield from waits
        self.now += d[1]
        self._push(d[2], self.now + d[5])

    def _ldf_shared(self, d: Any) -> Wait:
        op, _, fifo, move, server, latency = d
        waits = self._slot(op, fifo)
        if waits is not None:
            yield from waits
        yield from self._port(op, server, False, move)
        self._push(fifo, self.now + latency)

    def _stf(self, d: Any) -> Wait | None:
        op, busy, fifo, _, server, latency = d
        if server is not None or not fifo.arrivals:
            return self._stf_late(d)
        self._pop(op, fifo)
        self._stored(self.now + busy, latency)
        return None

    def _stf_late(self, d: Any) -> Wait:
        op, busy, fifo, move, server, latency = d
        yield from self._wait_entry(op, fifo)
        self._pop(op, fifo)
        if server is not None:
            yield from self._port(op, server, True, move)
            busy = 0.0
        self._stored(self.now + busy, latency)

    def _stored(self, now: float, latency: float) -> None:
        self.now = now
        if now + latency > self.outstanding:
            self.outstanding = now + latency
        if self.unconfirmed is None:
            self.unconfirmed = self.items_done + 1

    def _port(self, op: Op, server: Server, write: bool, move: Any) -> Wait:
        """One vector through a shared memory port."""
        start = self.now
        size = move.writes if write else move.reads
        yield from self._serve([(server, write, size)], self.now, start + move.busy, move.rate)
        waited = self.now - start - move.busy
        self.stalls["memory"] += waited
        self._word(op)[1] += waited

    def _recv(self, d: Any) -> Wait | None:
        op, _, fifo, sticks = d
        if not fifo.arrivals:
            return self._recv_late(d)
        self._pop(op, fifo)
        for s in sticks:
            self.ready[s] = self.now
            self.writer[s] = op.index
        return None

    def _recv_late(self, d: Any) -> Wait:
        yield from self._wait_entry(d[0], d[2])
        self._recv(d)

    def _send(self, d: Any) -> Wait | None:
        op, _, fifo, sticks = d
        waits = self._slot(op, fifo)
        if waits is not None:
            return self._send_late(waits, d)
        self._sent(op, fifo, sticks)
        return None

    def _send_late(self, waits: Wait, d: Any) -> Wait:
        yield from waits
        self._sent(d[0], d[2], d[3])

    def _sent(self, op: Op, fifo: Fifo, sticks: Any) -> None:
        """The entry leaves when its value is ready, behind the entries before it; the pipeline goes on."""
        time = self._operands(op, sticks) + fifo.latency
        self._push(fifo, max(time, fifo.last))

    def _operands(self, op: Op, sticks: Any) -> float:
        """When all operands are ready (at least now). A value of an earlier iteration stalls the issue."""
        ready = self.now
        for s in sticks:
            time = self.ready.get(s, 0.0)
            if time > ready:
                if self.writer[s] >= op.index:
                    self._stall(op, "operand", time)
                ready = time
        return ready

    def _vector(self, d: Any) -> None:
        op, busy, reads, latency, writes = d
        ready = self._operands(op, reads)
        self.now += busy
        for s in writes:
            self.ready[s] = ready + latency
            self.writer[s] = op.index

    def _vld(self, d: Any) -> Wait | None:
        op, busy, _, move, server, sticks = d
        if server is not None:
            return self._vld_shared(d)
        self.now += busy
        self._loaded(op, sticks, move.latency)
        return None

    def _vld_shared(self, d: Any) -> Wait:
        op, _, _, move, server, sticks = d
        yield from self._port(op, server, False, move)
        self._loaded(op, sticks, move.latency)

    def _loaded(self, op: Op, sticks: Any, latency: float) -> None:
        for s in sticks:
            self.ready[s] = self.now + latency
            self.writer[s] = op.index

    def _vst(self, d: Any) -> Wait | None:
        op, busy, _, move, server, sticks = d
        if server is not None:
            return self._vst_shared(d)
        ready = self._operands(op, sticks)
        self._stored(self.now + busy, max(ready - self.now, 0.0) + move.latency)
        return None

    def _vst_shared(self, d: Any) -> Wait:
        op, _, _, move, server, sticks = d
        ready = self._operands(op, sticks)
        behind = max(ready - self.now, 0.0)
        yield from self._port(op, server, True, move)
        self._stored(self.now, behind + move.latency)


def _range(sticks: tuple[int, int] | None) -> tuple[int, ...]:
    return tuple(range(*sticks)) if sticks else ()
