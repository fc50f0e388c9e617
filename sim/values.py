"""The value pass: what every unit computes and moves, a whole group of components at a time.

Units run in turn until they have to wait for an entry or a signal; any such order gives the same values,
because the program is a network of FIFOs and its accesses to shared memory are ordered by signals
(which `hazards.py` checks). Loops run in chunks of many iterations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..arch import ComputeUnit
from ..diagnostics import fail
from ..numerics import resolve
from .groups import Group, Member
from .lanes import Compute
from .memory import DeviceMemory, Scratchpads
from .queues import Queue
from .trace import Block, Step, Sync, Transfer
from .vectors import RegisterFault, Vector, VectorFile

__all__ = ["Memories", "run_values"]

Array = NDArray[Any]
Memories = dict[str, DeviceMemory | Scratchpads]
_CHUNK_BYTES = 1 << 20  # of one vector word, over all components and the iterations of a chunk


def run_values(group: Group, memories: Memories, mode: str) -> None:
    """Run all members of a group to their end, changing the memories.

    Faults: SIM013 (deadlock), SIM014 (FIFO entry of another type), SIM015 (left-over entries or signals),
    SIM016 (vector register read before it is written).
    """
    state = _State(group, memories, mode)
    runners = [_Runner(state, position) for position in range(len(group.members))]
    progress = True
    while progress:
        progress = sum(runner.advance() for runner in runners) > 0
    for r in runners:
        if not r.done:
            program, index = r.member.trace.program, r.waiting_index()
            text = program.at(index, int(r.member.instances[0]))
            fail("SIM013", f"deadlock: {text} waits for ever", program.where(index))


class _State:
    """What the members of a group share."""

    def __init__(self, group: Group, memories: Memories, mode: str) -> None:
        self.group, self.memories, self.mode = group, memories, mode
        self.queues: dict[tuple[int, int], Queue] = {}
        self.semaphores: dict[tuple[int, int, int], int] = {}

    def queue(self, source: int, target: int) -> Queue:
        return self.queues.setdefault((source, target), Queue())


class _Runner:
    """One member: where it is in its items, and its vector registers."""

    def __init__(self, state: _State, position: int) -> None:
        self.state, self.position = state, position
        self.member: Member = state.group.members[position]
        self.at = 0
        self.trips_done = 0
        self.steps_done = 0  # of an iteration that had to stop for want of an entry
        unit = self.member.trace.program.unit
        self.file = VectorFile(unit.vector_bytes, state.mode) if isinstance(unit, ComputeUnit) else None
        self.compute = Compute(self.member.trace.program.image, state.mode)

    @property
    def done(self) -> bool:
        return self.at >= len(self.member.items)

    def waiting_index(self) -> int:
        item = self.member.items[self.at]
        if not isinstance(item, Block):
            return int(item.op.index)
        rest = item.steps[self.steps_done :]
        pops = [s.op.index for s in rest if s.op.name in _POPS]
        return int(pops[0] if pops else rest[0].op.index)

    def advance(self) -> bool:
        """Run until something is missing or a chunk of a block is done; whether anything was done."""
        progress = False
        while not self.done:
            item = self.member.items[self.at]
            if isinstance(item, Block):
                moved, ran = self._chunk(item)
                progress |= ran
                if not moved:
                    return progress
                self.trips_done += moved
                if self.trips_done < item.trips:
                    return True
                self.trips_done = 0
            elif isinstance(item, Sync):
                if not self._sync(item):
                    return progress
            else:
                self._transfer(item)
            self.at += 1
            progress = True
        return progress

    def _sync(self, item: Sync) -> bool:
        signals = self.state.semaphores
        if item.op.name == "signal":
            key = (self.position, item.member, item.channel)
            signals[key] = signals.get(key, 0) + 1
            return True
        key = (item.member, self.position, item.channel)
        if not signals.get(key):
            return False
        signals[key] -= 1
        return True

    def _transfer(self, item: Transfer) -> None:
        if item.source_offsets.size:
            source = item.source_address[:, None] + item.source_offsets
            data = self._read(item.source, source, item.source_instance[:, None], item.run)
            target = item.destination_address[:, None] + item.destination_offsets
            self._write(item.destination, target, item.destination_instance[:, None], data)
        if item.cleared.size:
            target = item.destination_address[:, None] + item.cleared
            zeros = np.zeros((*target.shape, item.element), np.uint8)
            self._write(item.destination, target, item.destination_instance[:, None], zeros)

    def _read(self, memory: str, addresses: Array, owners: Array, size: int) -> Array:
        where = self.state.memories[memory]
        if isinstance(where, DeviceMemory):
            return where.read(addresses, size)
        return where.read(addresses, owners, size)

    def _write(self, memory: str, addresses: Array, owners: Array, data: Array) -> None:
        where = self.state.memories[memory]
        if isinstance(where, DeviceMemory):
            where.write(np.broadcast_to(addresses, data.shape[:-1]), data)
        else:
            where.write(np.broadcast_to(addresses, data.shape[:-1]), owners, data)

    # --- blocks

    def _chunk(self, block: Block) -> tuple[int, bool]:
        """Run as many iterations as entries and chunk size allow; returns how many, and if any step ran."""
        if self.steps_done:
            return self._stepwise(block)
        pops: dict[int, int] = {}
        for step in block.steps:
            if step.op.name in _POPS:
                pops[step.member] = pops.get(step.member, 0) + 1
        widest = max(s.op.nbytes for s in block.steps)
        trips = max(1, _CHUNK_BYTES // (widest * self.state.group.components))
        trips = min(trips, block.trips - self.trips_done)
        if block.carried or (trips > 1 and _aliases(block)):
            trips = 1
        for source, per_trip in pops.items():
            trips = self.state.queue(source, self.position).iterations(per_trip, trips)
            if not trips:
                return self._stepwise(block)
        rows = slice(self.trips_done, self.trips_done + trips)
        arrived = {
            source: iter(self.state.queue(source, self.position).take(trips, n)) for source, n in pops.items()
        }
        pushed: dict[int, list[Vector]] = {}
        for step in block.steps:
            self._step(step, rows, arrived, pushed)
        for target, vectors in pushed.items():
            self.state.queue(self.position, target).push(trips, vectors)
        if self.file is not None:
            self.file.settle()
        return trips, True

    def _stepwise(self, block: Block) -> tuple[int, bool]:
        """Run one iteration as far as its entries have arrived: what it pushes may bring the others."""
        rows = slice(self.trips_done, self.trips_done + 1)
        begin = self.steps_done
        for step in block.steps[begin:]:
            arrived: dict[int, Iterator[Vector]] = {}
            if step.op.name in _POPS:
                queue = self.state.queue(step.member, self.position)
                if not queue.entries:
                    return 0, self.steps_done > begin
                arrived[step.member] = iter(queue.take(1, 1))
            pushed: dict[int, list[Vector]] = {}
            self._step(step, rows, arrived, pushed)
            for target, vectors in pushed.items():
                self.state.queue(self.position, target).push(1, vectors)
            self.steps_done += 1
        self.steps_done = 0
        if self.file is not None:
            self.file.settle()
        return 1, True

    def _step(self, step: Step, rows: slice, arrived: Any, pushed: dict[int, list[Vector]]) -> None:
        op, f = step.op, step.op.fields
        if op.name == "ldf":
            pushed.setdefault(step.member, []).append(self._load(step, rows))
        elif op.name == "stf":
            self._store(step, rows, self._entry(step, next(arrived[step.member])))
        elif op.name == "send":
            pushed.setdefault(step.member, []).append(self._register(step, f["va"]))
        elif op.name == "vst":
            self._store(step, rows, self._register(step, f["va"]))
        else:
            assert self.file is not None
            if op.name == "recv":
                value = self._entry(step, next(arrived[step.member]))
            elif op.name == "vld":
                value = self._load(step, rows)
            else:
                try:
                    value = self.compute.run(step, rows, self.file)
                except RegisterFault as fault:
                    self._unwritten(step, fault)
            self.file.write(f["vd"], value)

    def _register(self, step: Step, first: int) -> Vector:
        assert self.file is not None and step.op.dtype is not None
        try:
            return self.file.read(first, step.op.dtype, step.op.count)
        except RegisterFault as fault:
            self._unwritten(step, fault)

    def _unwritten(self, step: Step, fault: RegisterFault) -> NoReturn:
        program = self.member.trace.program
        text = program.at(step.op.index, int(self.member.instances[0]))
        fail("SIM016", f"{text}: {fault} is read before it is written", program.where(step.op.index))

    def _entry(self, step: Step, vector: Vector) -> Vector:
        if vector.kind is step.op.dtype and vector.count == step.op.count:
            return vector
        program = self.member.trace.program
        text = program.at(step.op.index, int(self.member.instances[0]))
        message = f"{text}: pops {step.op.dtype} x{step.op.count}, the entry is {vector.kind} x{vector.count}"
        fail(
            "SIM014",
            message,
            program.where(step.op.index),
            "the sender and the receiver must agree on the order",
        )

    def _load(self, step: Step, rows: slice) -> Vector:
        assert step.op.dtype is not None and step.op.memory is not None and step.instance is not None
        runs, size = step.runs
        addresses, owners = self._addresses(step, rows, runs)
        data = self._read(step.op.memory, addresses, owners, size)
        if runs > 1:
            data = data.reshape(*data.shape[:2], -1)
        storage = resolve(step.op.dtype, self.state.mode).storage
        return Vector(step.op.dtype, self.state.mode, step.op.count, memory=data.view(storage))

    def _store(self, step: Step, rows: slice, vector: Vector) -> None:
        assert step.op.memory is not None
        runs, size = step.runs
        addresses, owners = self._addresses(step, rows, runs)
        data = vector.raw()
        trips = rows.stop - rows.start
        data = np.broadcast_to(data, (trips, self.state.group.components, data.shape[-1]))
        if runs > 1:
            data = data.reshape(*data.shape[:2], runs, size)
        addresses = np.broadcast_to(addresses, data.shape[:-1])
        self._write(step.op.memory, addresses, owners, data)

    def _addresses(self, step: Step, rows: slice, runs: int) -> tuple[Array, Array]:
        """Start addresses (iterations or 1, components[, runs]) and the memory instances beside them."""
        assert step.address is not None and step.instance is not None
        grid = step.address if len(step.address) == 1 else step.address[rows]
        grid = np.broadcast_to(grid, (len(grid), self.state.group.components))
        owners = step.instance
        if runs > 1:
            grid = grid[..., None] + np.arange(runs) * step.stride
            owners = owners[:, None]
        return grid, owners


_POPS = ("recv", "stf")


def _aliases(block: Block) -> bool:
    """Whether an iteration may read what another iteration of the block wrote to memory."""
    loads = [s for s in block.steps if s.op.name == "vld"]
    stores = [s for s in block.steps if s.op.name == "vst"]
    return any(
        load.op.memory == store.op.memory and _overlap(load, store) for load in loads for store in stores
    )


def _overlap(load: Step, store: Step) -> bool:
    assert load.address is not None and store.address is not None
    low, high = _extent(load)
    other_low, other_high = _extent(store)
    if not ((low < other_high) & (other_low < high)).any():
        return False
    size = max(load.runs[1], store.runs[1])
    same = load.address.shape == store.address.shape and bool((load.address == store.address).all())
    return not (same and _spread(load.address, size))


def _extent(step: Step) -> tuple[Array, Array]:
    """Lowest and one past the highest address per component."""
    assert step.address is not None
    runs, size = step.runs
    reach = (runs - 1) * step.stride
    return step.address.min(0) + min(reach, 0), step.address.max(0) + max(reach, 0) + size


def _spread(addresses: Array, size: int) -> bool:
    """Whether the iterations touch pairwise disjoint ranges."""
    return len(addresses) == 1 or bool((np.diff(np.sort(addresses, 0), axis=0) >= size).all())
