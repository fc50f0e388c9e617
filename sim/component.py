"""One component of a timing class while it is simulated: its FIFOs, semaphores and shadow memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch
from ..diagnostics import fail
from .clocks import Clock, Fifo, Semaphore
from .groups import Group, Member, is_global
from .hazards import Conflict, Shadow, granules
from .order import FifoOrder, Place
from .prices import Prices
from .steady import SteadyState
from .trace import Block, Op, Step, Transfer

if TYPE_CHECKING:
    from .pipeline import Pipeline
    from .unit_state import UnitState

__all__ = ["Access", "Component", "LogEntry"]

Array = NDArray[np.int64]
Access = tuple[Op, str, int, bool, Any]  # word, memory, instance, write, addresses and run lengths
LogEntry = tuple[int, int, Clock, bool | None]  # member, item, its clock, only writes (only reads, both)


class Component:
    """Component `index` of a group, standing for `weight` equal ones."""

    def __init__(
        self, arch: Arch, group: Group, index: int, weight: int, number: int, kept: bool = False
    ) -> None:
        self.arch, self.group, self.index = arch, group, index
        self.weight, self.number, self.kept = weight, number, kept
        self.prices = Prices(arch)
        self.fifos: dict[tuple[int, int], Fifo] = {}
        self.semaphores: dict[tuple[int, int, int], Semaphore] = {}
        self.shadows: dict[tuple[str, int], tuple[Shadow, int]] = {}
        self.log: list[LogEntry] = []  # of global accesses
        self.order = FifoOrder(group)
        self.granule = self._granules()
        self.processes: Sequence[Pipeline] = []
        self.chains: dict[int, SteadyState] = {}

    def instance(self, member: int) -> int:
        return int(self.group.members[member].instances[self.index])

    def at(self, member: int, op: Op) -> str:
        """How messages name a word of a member."""
        return self.group.members[member].trace.program.at(op.index, self.instance(member))

    def fault(self, code: str, message: str, member: int, op: Op | None, hint: str = "") -> NoReturn:
        """Report at the source of a member's word, or of the program."""
        program = self.group.members[member].trace.program
        fail(code, message, program.where(op.index) if op else program.image.position, hint)

    def fifo(self, source: int, target: int, member: Member, op: Op) -> Fifo:
        key = (source, target)
        if target < 0 or source < 0:
            mine = source if target < 0 else target
            message = f"deadlock: {self.at(mine, op)}: the peer has no program, it would wait for ever"
            self.fault("SIM013", message, mine, op)
        if key not in self.fifos:
            depth = self.prices.depth(member.trace.program, op)
            self.fifos[key] = Fifo(depth, source, target)
        return self.fifos[key]

    def semaphore(self, source: int, target: int, channel: int) -> Semaphore:
        return self.semaphores.setdefault((source, target, channel), Semaphore())

    def steady(self, unit: Pipeline) -> None:
        """`unit` has completed a trip of a long block: fast-forward its chain if it has become periodic."""
        if unit.position not in self.chains:
            members = self._chain(unit.position)
            chain = SteadyState([self.processes[m] for m in members])
            self.chains |= dict.fromkeys(members, chain)
        self.chains[unit.position].look(unit)

    def fifos_of(self, units: Sequence[Pipeline]) -> list[Fifo]:
        """The FIFOs that these units push into."""
        senders = {u.position for u in units}
        return [fifo for (source, _), fifo in self.fifos.items() if source in senders]

    def _chain(self, start: int) -> list[int]:
        """Members connected with `start` by FIFOs."""
        edges = {(s.member, m) for m, member in enumerate(self.group.members) for s in _peers(member)}
        edges |= {(b, a) for a, b in edges}
        found = {start}
        while more := {b for a, b in edges if a in found} - found:
            found |= more
        return sorted(found)

    # --- memory accesses

    def column(self, array: Array | None) -> Array:
        """This component's values of a (…, components or 1) array."""
        assert array is not None
        return array[..., 0] if array.shape[-1] == 1 else array[..., self.index]

    def accesses(self, item: Block | Transfer, local: bool) -> Iterator[Access]:
        """Accesses to local or global memories: word, memory, instance, writes?, [(addresses, run)]."""
        if isinstance(item, Transfer):
            yield from self._transfer_accesses(item, local)
            return
        for step in item.steps:
            memory = step.op.memory
            if memory is not None and is_global(self.arch, memory) != local:
                writes = step.op.name in ("stf", "vst")
                instance = int(self.column(step.instance))
                yield step.op, memory, instance, writes, [self._step_runs(step)]

    def _step_runs(self, step: Step) -> tuple[Array, int]:
        addresses = self.column(step.address)
        runs, size = step.runs
        if runs > 1:
            addresses = addresses[:, None] + np.arange(runs) * step.stride
        return addresses, size

    def _transfer_accesses(self, item: Transfer, local: bool) -> Iterator[Access]:
        if is_global(self.arch, item.source) != local and item.source_offsets.size:
            addresses = int(self.column(item.source_address)) + item.source_offsets
            yield item.op, item.source, int(self.column(item.source_instance)), False, [(addresses, item.run)]
        if is_global(self.arch, item.destination) != local:
            base = int(self.column(item.destination_address))
            runs = [(base + item.destination_offsets, item.run), (base + item.cleared, item.element)]
            runs = [(a, n) for a, n in runs if a.size]
            if runs:
                yield item.op, item.destination, int(self.column(item.destination_instance)), True, runs

    def _granules(self) -> dict[str, int]:
        """Per local memory the largest size that divides all addresses and runs."""
        divisors: dict[str, int] = {}
        for member in self.group.members:
            for item in member.items:
                if isinstance(item, (Block, Transfer)):
                    for _, memory, _, _, runs in self.accesses(item, local=True):
                        for addresses, size in runs:
                            common = int(np.gcd.reduce(addresses, axis=None))
                            divisors[memory] = int(np.gcd(divisors.get(memory, 0), np.gcd(common, size)))
        return divisors

    def check_access(
        self, process: UnitState, item: Block | Transfer, known: Clock, writes: bool | None = None
    ) -> None:
        """Compare the item's scratchpad accesses with all earlier ones. SIM011 (unwritten), SIM012 (race).

        `known`: the unit's clock when the item began. `writes`: look at its stores only, its loads only, or
        both.
        """
        clock = np.array(known, np.int32)
        number = process.items_done
        for op, memory, instance, stores, runs in self.accesses(item, local=True):
            if writes is not None and stores != writes:
                continue
            shadow, granule = self._shadow(memory, instance)
            place = Place(self.index, memory, instance, granule)
            ordered = partial(self.order.after_loads, place, (process.position, number), known)
            for addresses, size in runs:
                index = granules(addresses, size, granule)
                try:
                    if stores:
                        shadow.write(process.position, number + 1, clock, index, ordered)
                    else:
                        shadow.read(process.position, number + 1, clock, index)
                except Conflict as conflict:
                    self._report(process, op, memory, stores, conflict, granule)

    def _shadow(self, memory: str, instance: int) -> tuple[Shadow, int]:
        key = (memory, instance)
        if key not in self.shadows:
            granule = self.granule[memory]
            size = -(-self.arch.memories[memory].total // granule)
            self.shadows[key] = (Shadow(size, len(self.group.members), self.kept), granule)
        return self.shadows[key]

    def _report(
        self, process: UnitState, op: Op, memory: str, writes: bool, conflict: Conflict, granule: int
    ) -> NoReturn:
        where, address = self.at(process.position, op), conflict.granule * granule
        if conflict.other is None:
            self.fault(
                "SIM011",
                f"{where} reads {memory} at {address:#x}, which nothing was written to",
                process.position,
                op,
                "is a transfer or the signal that announces it missing?",
            )
        member, clock = conflict.other
        other = self.at(member, self._culprit(member, clock, memory, address, conflict.earlier == "write"))
        verb = "writes" if writes else "reads"
        past = "writes" if conflict.earlier == "write" else "reads"
        self.fault(
            "SIM012",
            f"race: {where} {verb} {memory} at {address:#x} and {other} {past} it; no signal orders the two",
            process.position,
            op,
            "a `full` or `empty` signal is missing, or two live buffers overlap",
        )

    def _culprit(self, member: int, clock: int, memory: str, address: int, wrote: bool) -> Op:
        item = self.group.members[member].items[clock - 1]
        found = None
        for op, where, _, writes, runs in self.accesses(item, local=True):
            found = found or op
            if where == memory and writes == wrote:
                for addresses, size in runs:
                    if bool(((addresses <= address) & (address < addresses + size)).any()):
                        return op
        assert found is not None
        return found

    # --- the end

    def check_end(self, processes: Sequence[UnitState]) -> None:
        """SIM013: somebody waits for ever. SIM015: entries or signals are left over."""
        waiting = [p for p in processes if not p.finished]
        if waiting:
            self._deadlock(processes, waiting)
        for (source, target), fifo in self.fifos.items():
            left = len(fifo.arrivals)
            if left:
                a, b = (self._unit(m) for m in (source, target))
                message = f"{left} entries are left in the FIFO from {a} to {b} at the end"
                self.fault("SIM015", message, target, None, "the receiver pops fewer than the sender pushes")

    def _unit(self, member: int) -> str:
        return f"{self.group.members[member].name}[{self.instance(member)}]"

    def _deadlock(self, processes: Sequence[UnitState], waiting: list[UnitState]) -> NoReturn:
        chain: list[UnitState] = []
        process: UnitState | None = waiting[0]
        while process is not None and process not in chain:
            chain.append(process)
            blocker = process.waits_for
            process = processes[blocker] if blocker >= 0 and not processes[blocker].finished else None
        cycle = chain[chain.index(process) :] if process is not None else chain
        lines = [f"{self.at(p.position, p.waiting_op)} waits for {p.waiting_reason}" for p in cycle]
        end = "" if process is not None else f"; {self._last_known(processes, cycle[-1])}"
        head = "deadlock, in a circle: " if process is not None else "deadlock: "
        root = cycle[0] if process is not None else cycle[-1]  # what everybody waits for in the end
        hint = "count the signals and FIFO entries of both sides"
        self.fault("SIM013", head + "; ".join(lines) + end, root.position, root.waiting_op, hint)

    def _last_known(self, processes: Sequence[UnitState], process: UnitState) -> str:
        if process.waits_for < 0:
            return "that unit has no program"
        return f"{self._unit(process.waits_for)} has halted"


def _peers(member: Member) -> Iterator[Step]:
    """Steps that use a FIFO."""
    for item in member.items:
        if isinstance(item, Block):
            yield from (s for s in item.steps if s.member >= 0)
