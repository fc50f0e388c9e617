"""What a launch does to the memories that all cores share: distinct bytes, and accesses nobody orders.

Components do not signal each other, so two of them must not touch the same bytes when one writes. Within
a component the vector clocks of the timing pass decide, item by item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch, Work
from ..diagnostics import fail
from ..numerics import DType
from .clocks import Clock
from .component import Component, LogEntry
from .functions import vector_functions
from .groups import Group, Member, is_global
from .hazards import Conflict, Shadow, granules
from .intervals import Intervals, clash
from .order import FifoOrder, Place
from .trace import Block, Item, Op, Transfer
from .twins import first_twins

__all__ = ["Operations", "Touched", "check_shared", "operations", "work_of"]

Array = NDArray[np.int64]
Touched = dict[str, tuple[Intervals, Intervals]]  # shared memory → bytes read, bytes written
Operations = dict[int, Counter[tuple[str, str]]]  # core → (cost class, dtype) → elements


@dataclass(frozen=True, slots=True)
class _Touch:
    """One word's runs in a shared memory: `starts` has the components on axis 0."""

    op: Op
    memory: str
    write: bool
    starts: Array
    size: int


def _touches(item: Item, arch: Arch, components: int) -> Iterator[_Touch]:
    if isinstance(item, Transfer):
        yield from _transfer_touches(item, arch)
        return
    if not isinstance(item, Block):
        return
    for step in item.steps:
        if step.op.memory is None or not is_global(arch, step.op.memory):
            continue
        assert step.address is not None
        runs, size = step.runs
        grid = np.broadcast_to(step.address, (len(step.address), components)).T
        if runs > 1:
            grid = (grid[:, :, None] + np.arange(runs) * step.stride).reshape(components, -1)
        yield _Touch(step.op, step.op.memory, step.op.name in ("stf", "vst"), grid, size)


def _transfer_touches(item: Transfer, arch: Arch) -> Iterator[_Touch]:
    if is_global(arch, item.source):
        yield _Touch(
            item.op, item.source, False, item.source_address[:, None] + item.source_offsets, item.run
        )
    if is_global(arch, item.destination):
        base = item.destination_address[:, None]
        yield _Touch(item.op, item.destination, True, base + item.destination_offsets, item.run)
        yield _Touch(item.op, item.destination, True, base + item.cleared, item.element)


@dataclass(slots=True)
class _Ranges:
    """Bytes of one shared memory that one component reads and writes, per member."""

    reads: dict[int, Intervals]
    writes: dict[int, Intervals]


class _Traffic:
    def __init__(self, groups: Sequence[Group], arch: Arch) -> None:
        self.groups, self.arch = groups, arch
        self.ranges: dict[str, list[tuple[int, int, _Ranges]]] = {}  # memory → (group, component, ranges)
        for number, group in enumerate(groups):
            self._collect(number, group)

    def _collect(self, number: int, group: Group) -> None:
        found: dict[tuple[str, int, bool], list[tuple[Array, int]]] = {}
        for position, member in enumerate(group.members):
            for item in member.items:
                for touch in _touches(item, self.arch, group.components):
                    found.setdefault((touch.memory, position, touch.write), []).append(
                        (touch.starts, touch.size)
                    )
        for memory in sorted({key[0] for key in found}):
            rows = [_Ranges({}, {}) for _ in range(group.components)]
            for (where, position, write), runs in found.items():
                if where == memory:
                    starts = np.concatenate([a for a, _ in runs], axis=1)
                    sizes = np.repeat([size for _, size in runs], [a.shape[1] for a, _ in runs])
                    for ranges, row in zip(rows, starts, strict=True):
                        side = ranges.writes if write else ranges.reads
                        side[position] = Intervals.of(row, row + sizes)
            known = self.ranges.setdefault(memory, [])
            known += [(number, component, ranges) for component, ranges in enumerate(rows)]


def check_shared(groups: Sequence[Group], classes: Sequence[Component], arch: Arch) -> Touched:
    """Bytes (read, written) of the shared memories. SIM012: two accesses that nothing orders."""
    traffic = _Traffic(groups, arch)
    touched: Touched = {}
    for memory, rows in traffic.ranges.items():
        reads = [Intervals.union(*r.reads.values()) for _, _, r in rows]
        writes = [Intervals.union(*r.writes.values()) for _, _, r in rows]
        if clash(writes, reads) is not None:
            single = _without_twins(groups, rows, writes, reads)
            found = clash([writes[k] for k in single], [reads[k] for k in single])
            if found is not None:
                _report_components(groups, [rows[k] for k in single], memory, found, arch)
        touched[memory] = (Intervals.union(*reads), Intervals.union(*writes))
        _check_inside(groups, classes, rows, memory, arch)
    return touched


def _without_twins(
    groups: Sequence[Group],
    rows: list[tuple[int, int, _Ranges]],
    writes: Sequence[Intervals],
    reads: Sequence[Intervals],
) -> list[int]:
    """Positions of the components that matter: of those that do the same and never read what they
    store, the first."""
    return [
        k
        for k, (group, component, _) in enumerate(rows)
        if first_twins(groups[group])[component] == component or writes[k].intersection(reads[k])
    ]


def _report_components(
    groups: Sequence[Group],
    rows: list[tuple[int, int, _Ranges]],
    memory: str,
    found: tuple[int, int, int, int],
    arch: Arch,
) -> NoReturn:
    writer, other, start, _ = found
    first = _who(groups[rows[writer][0]], rows[writer][1], memory, start, True, arch)
    second = _who(groups[rows[other][0]], rows[other][1], memory, start, None, arch)
    fail(
        "SIM012",
        f"race: {first} writes {memory} at {start:#x}, which {second} uses; nothing orders them",
        groups[0].members[0].trace.program.image.position,
        "cores that share data need a signal between them, or disjoint ranges",
    )


def _who(group: Group, component: int, memory: str, address: int, write: bool | None, arch: Arch) -> str:
    for member in group.members:
        for item in member.items:
            for touch in _touches(item, arch, group.components):
                starts = touch.starts[component]
                if (
                    touch.memory == memory
                    and (write is None or touch.write == write)
                    and _hits(starts, touch, address)
                ):
                    return _name(member, touch.op, component)
    return "another unit"


def _hits(starts: Array, touch: _Touch, address: int) -> bool:
    return bool(((starts <= address) & (address < starts + touch.size)).any())


def _name(member: Member, op: Op, component: int) -> str:
    return member.trace.program.at(op.index, int(member.instances[component]))


# --- inside a component


def _check_inside(
    groups: Sequence[Group],
    classes: Sequence[Component],
    rows: list[tuple[int, int, _Ranges]],
    memory: str,
    arch: Arch,
) -> None:
    """Replay accesses on a shadow of the bytes in which a component's members meet in a shared memory."""
    logs = {id(c.group): (c.log, c.order) for c in classes}
    for number, component, ranges in rows:
        common = _common(ranges)
        if common:
            log, order = logs[id(groups[number])]
            _Replay(groups[number], component, memory, common, arch, order).run(log)


def _common(ranges: _Ranges) -> Intervals:
    """Bytes that one member writes and another one reads or writes."""
    parts = []
    for writer, written in ranges.writes.items():
        others = [s for side in (ranges.reads, ranges.writes) for m, s in side.items() if m != writer]
        parts.append(written.intersection(Intervals.union(*others)))
    return Intervals.union(*parts)


class _Replay:
    def __init__(
        self, group: Group, component: int, memory: str, common: Intervals, arch: Arch, order: FifoOrder
    ) -> None:
        self.group, self.component, self.memory, self.order = group, component, memory, order
        self.common, self.arch = common, arch
        self.offsets = np.concatenate(([0], np.cumsum(common.ends - common.starts)))
        self.granule = self._granule()
        self.shadow = Shadow(int(self.offsets[-1]) // self.granule, len(group.members), kept=True)

    def _granule(self) -> int:
        divisor = int(np.gcd.reduce(np.concatenate((self.common.starts, self.common.ends))))
        for member in self.group.members:
            for item in member.items:
                for touch in _touches(item, self.arch, self.group.components):
                    if touch.memory == self.memory and touch.starts.size:
                        common = int(np.gcd.reduce(touch.starts[self.component], initial=0))
                        divisor = int(np.gcd.reduce([divisor, common, touch.size]))
        return max(divisor, 1)

    def run(self, log: Sequence[LogEntry]) -> None:
        for position, done, clock, writes in log:
            member = self.group.members[position]
            for touch in _touches(member.items[done], self.arch, self.group.components):
                if touch.memory == self.memory and writes in (None, touch.write):
                    self._access(position, done, clock, touch)

    def _access(self, position: int, done: int, clock: Clock, touch: _Touch) -> None:
        index = self._index(touch)
        if not index.size:
            return
        known = np.array(clock, np.int32)
        try:
            if touch.write:
                ordered = partial(self._ordered, (position, done), clock)
                self.shadow.write(position, done + 1, known, index, ordered)
            else:
                self.shadow.read(position, done + 1, known, index)
        except Conflict as conflict:
            self._report(position, touch, conflict)

    def _ordered(
        self, write: tuple[int, int], known: Clock, other: int, granules: Array, clocks: NDArray[np.int32]
    ) -> NDArray[np.bool_]:
        place = Place(self.component, self.memory, 0, self.granule)
        where = self._addresses(granules) // self.granule
        return self.order.after_loads(place, write, known, other, where, clocks)

    def _addresses(self, granules: Array) -> Array:
        """The byte addresses of granules of the shadow."""
        offsets = granules * self.granule
        parts = np.searchsorted(self.offsets, offsets, side="right") - 1
        found: Array = self.common.starts[parts] + offsets - self.offsets[parts]
        return found

    def _index(self, touch: _Touch) -> Array:
        """Granules of the shadow that a word touches."""
        all_granules = granules(touch.starts[self.component], touch.size, self.granule)
        if isinstance(all_granules, slice):
            all_granules = np.arange(all_granules.start, all_granules.stop)
        addresses = all_granules * self.granule
        at = np.searchsorted(self.common.starts, addresses, side="right") - 1
        safe = np.maximum(at, 0)
        inside = (at >= 0) & (addresses < self.common.ends[safe])
        chosen = safe[inside]
        found: Array = (self.offsets[chosen] + addresses[inside] - self.common.starts[chosen]) // self.granule
        return found

    def _report(self, position: int, touch: _Touch, conflict: Conflict) -> NoReturn:
        assert conflict.other is not None
        address = int(self._addresses(np.array([conflict.granule]))[0])
        other, clock = conflict.other
        member = self.group.members[other]
        ops = [t.op for t in _touches(member.items[clock - 1], self.arch, self.group.components)]
        here = _name(self.group.members[position], touch.op, self.component)
        verb = "writes" if touch.write else "reads"
        past = "writes" if conflict.earlier == "write" else "reads"
        fail(
            "SIM012",
            f"race: {here} {verb} {self.memory} at {address:#x} and "
            f"{_name(member, ops[0], self.component)} {past} it; no signal orders the two",
            self.group.members[position].trace.program.where(touch.op.index),
            "the unit that stores must signal the unit that loads, and the other way round before reuse",
        )


# --- work


def work_of(arch: Arch, touched: Touched, cores: Operations) -> Work:
    """Distinct bytes of the memory behind space `global`, and every core's operations."""
    empty = Intervals.union()
    read, written = touched.get(arch.dram.memory, (empty, empty))
    return Work(read.nbytes, written.nbytes, [dict(cores[core]) for core in sorted(cores)])


def operations(groups: Sequence[Group], arch: Arch) -> Operations:
    """Elements per (cost class, dtype) that each core's compute units work on."""
    cores: Operations = {}
    for group in groups:
        for member in group.members:
            counts = _operations(member)
            if counts:
                for instance in member.instances.tolist():
                    cores.setdefault(_core(arch, member, instance), Counter()).update(counts)
    return cores


def _core(arch: Arch, member: Member, instance: int) -> int:
    group = member.trace.program.unit.group
    if arch.grid_group not in arch.ancestors(group):
        return 0
    return instance // arch.instances(group, within=arch.grid_group)


def _operations(member: Member) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    image = member.trace.program.image
    for item in member.items:
        if isinstance(item, Block):
            for step in item.steps:
                if step.op.name in ("vop", "vred"):
                    counts[_class(image, step.op)] += item.trips * step.op.count
    return counts


def _class(image: Any, op: Op) -> tuple[str, str]:
    function = vector_functions()[op.fields["op"]]
    assert op.dtype is not None
    kinds = [op.dtype, image.dtype(op.fields["source"])] if op.name == "vop" else [op.dtype]
    widest: DType = max(kinds, key=lambda k: k.bits)
    return function.cost_class, widest.name
