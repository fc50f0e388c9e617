"""The architecture graph: groups of instances, memories, units that move or compute, routes between memories.

All numbers are in base units: bytes, cycles of the card's clock, bytes per cycle. They come from an
architecture file only (`load_arch`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..diagnostics import Position, fail
from .routes import shortest_routes

__all__ = [
    "Arch",
    "Charge",
    "ComputeUnit",
    "Dram",
    "Figure",
    "Group",
    "Hop",
    "Limits",
    "Memory",
    "OpPrice",
    "Ring",
    "Unit",
]


@dataclass(frozen=True, slots=True)
class Group:
    """`count` equal instances inside each instance of `parent`. The root (the card) has depth 0."""

    name: str
    count: int
    parent: str | None
    depth: int
    position: Position = field(default=Position(), compare=False)


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory per instance of `group`.

    `size` is what a program may use, `total` what is there. Rates are per instance and shared by everyone
    who reads (writes) it; None means that only the units that access it limit the rate. A memory that is
    not `addressable` is the operand side of a compute unit (it has the unit's name): it is filled and
    emptied in order through FIFOs and `size` is the unit's register file.
    """

    name: str
    kind: str  # "dram" | "scratchpad" | "registers" | …
    group: str
    size: int
    total: int
    alignment: int
    addressable: bool = True
    read_bytes_per_cycle: float | None = None
    write_bytes_per_cycle: float | None = None
    latency: int = 0  # cycles from a read request to its first byte
    position: Position = field(default=Position(), compare=False)


@dataclass(frozen=True, slots=True)
class OpPrice:
    """`rate`: cycles between two vector issues; `latency`: cycles from an issue to its result."""

    rate: int
    latency: int


@dataclass(frozen=True, slots=True)
class Unit:
    """An engine; one per instance of `group`. `kind` is its type in DataflowIR (upper case there)."""

    name: str
    kind: str
    group: str
    moves: tuple[tuple[str, str], ...]  # (from memory, to memory)
    features: frozenset[str]  # "splat", "zero_pad", "mask", "double_buffer_last", …
    bytes_per_cycle: float = 0.0
    move_latency: int = 0
    move_startup: int = 0
    granularity: tuple[int, ...] = ()
    fifo_depth: int | None = None
    position: Position = field(default=Position(), compare=False)


@dataclass(frozen=True, slots=True)
class ComputeUnit(Unit):
    """An engine that computes on vectors of `vector_bytes`, held in `register_bytes` of registers."""

    vector_bytes: int = 0
    register_bytes: int = 0
    lane_counts: Mapping[str, int] = field(default_factory=dict)  # dtype → elements (MACs for `contract`)
    ops: Mapping[str, OpPrice] = field(default_factory=dict)  # cost class → price

    def supports(self, op_class: str, dtype: str) -> bool:
        return op_class in self.ops and dtype in self.lane_counts

    def lanes(self, dtype: str) -> int:
        """Elements per vector issue. Raises ARCH022 when the unit has no such dtype."""
        if dtype not in self.lane_counts:
            known = ", ".join(self.lane_counts)
            fail(
                "ARCH022",
                f"unit `{self.name}` does not compute on {dtype}",
                self.position,
                f"it knows {known}",
            )
        return self.lane_counts[dtype]

    def issue_cycles(self, op_class: str, dtype: str, elements: int) -> int:
        """Cycles one instance of the unit is busy with `elements` elements (`contract`: multiply-adds)."""
        return -(-elements // self.lanes(dtype)) * self.price(op_class).rate

    def latency(self, op_class: str) -> int:
        """Cycles from the issue of a vector to its result."""
        return self.price(op_class).latency

    def price(self, op_class: str) -> OpPrice:
        """Raises ARCH023 when the unit has no price for the cost class."""
        if op_class not in self.ops:
            known = ", ".join(self.ops)
            message = f"unit `{self.name}` has no operation of class `{op_class}`"
            fail("ARCH023", message, self.position, f"it has {known}")
        return self.ops[op_class]


@dataclass(frozen=True, slots=True)
class Charge:
    """A hop keeps `resource` busy for bytes / bytes_per_cycle; one resource per instance of `group`.

    `direction` is "move" for a unit, "read" or "write" for a memory's port.
    """

    resource: str
    direction: str
    group: str
    bytes_per_cycle: float


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a route: `unit` moves bytes from `src_memory` to `dst_memory`.

    A transfer of n bytes takes `startup + n / bytes_per_cycle + latency` cycles when nobody else uses what
    it charges. `startup` keeps the unit busy, `latency` does not. `bytes_per_cycle` is the unit's own
    rate, which everything inside one instance of `shared_by` shares; the memories' rates are in `charges`.
    `fifo_depth` is None between two addressable memories. `granularity`: sizes of one FIFO entry, or the
    granule in which a memory-to-memory transfer is charged, largest first; empty when unconstrained.
    """

    src_memory: str
    unit: str
    dst_memory: str
    bytes_per_cycle: float
    latency: int
    startup: int
    shared_by: str
    fifo_depth: int | None
    granularity: tuple[int, ...]
    charges: tuple[Charge, ...]

    def charged_bytes(self, run_bytes: int, runs: int = 1) -> int:
        """Bytes the hop is busy with when it moves `runs` contiguous runs: whole smallest granules."""
        granule = self.granularity[-1] if self.granularity else 1
        return runs * -(-run_bytes // granule) * granule

    def cycles(self, n_bytes: int) -> int:
        """Cycles of an undisturbed transfer, from its start until the last byte has arrived."""
        return self.startup + math.ceil(n_bytes / self.bytes_per_cycle) + self.latency


@dataclass(frozen=True, slots=True)
class Dram:
    """The memory behind space `global`. Rates are for the whole card."""

    memory: str
    read_bytes_per_cycle: float
    write_bytes_per_cycle: float
    turnaround_cycles_per_byte: float

    def cycles(self, read_bytes: float, write_bytes: float) -> float:
        """R/read rate + W/write rate + turnaround · min(R, W): one bus, turned round between directions.

        Source: torch-spyre's fitted cost model (150 GB/s one way, 105 GB/s when balanced).
        """
        return (
            read_bytes / self.read_bytes_per_cycle
            + write_bytes / self.write_bytes_per_cycle
            + self.turnaround_cycles_per_byte * min(read_bytes, write_bytes)
        )


@dataclass(frozen=True, slots=True)
class Ring:
    """Connects the instances of `group`. The rate is per direction; latency is per neighbour hop."""

    group: str
    bytes_per_cycle: float
    directions: int
    latency: int
    sender: str
    receiver: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What an instruction or the runtime can express."""

    grid_cores: int  # instances of the grid group on the card
    loop_count: int
    span_bytes: int  # reach of one core's addresses into one tensor
    alignment: int
    stick: int
    program_bytes: int  # per core, all units together


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the file: as written, in base units, and where it comes from."""

    written: object
    value: object
    dimension: str
    source: str
    assumed: str
    position: Position = field(default=Position(), compare=False)


@dataclass(frozen=True, eq=False)
class Arch:
    """One machine. Compared and hashed by identity: `load_arch` returns the same object for the same text."""

    name: str
    doc: str
    clock_hz: float
    groups: Mapping[str, Group]  # parents before children
    memories: Mapping[str, Memory]  # includes the operand side of every compute unit, under its name
    units: Mapping[str, Unit]
    spaces: Mapping[str, str]  # KTIR memory space → memory
    grid_group: str  # the group whose instances are the tiles of a KTIR grid
    dram: Dram
    ring: Ring | None
    sync_cycles: int  # from sync_send to the release of the waiting sync_recv
    limits: Limits
    figures: Mapping[str, Figure]  # by `--set` path, in the order of the file
    fingerprint: str  # of the files' text and the overrides
    position: Position = field(default=Position(), compare=False)

    @cached_property
    def compute(self) -> Mapping[str, ComputeUnit]:
        """The units that compute, in the order of the file."""
        return {name: unit for name, unit in self.units.items() if isinstance(unit, ComputeUnit)}

    def compute_for(self, op_class: str, dtype: str) -> ComputeUnit:
        """The unit with the highest throughput for the cost class and dtype (file order decides ties).

        Raises ARCH023 when there is none.
        """
        able = [unit for unit in self.compute.values() if unit.supports(op_class, dtype)]
        if not able:
            offers = [
                f"{u.name}: {', '.join(u.ops)} on {', '.join(u.lane_counts)}" for u in self.compute.values()
            ]
            message = f"no unit of `{self.name}` performs operations of class `{op_class}` on {dtype}"
            fail(
                "ARCH023", message, self.position, "; ".join(offers) or "the architecture has no compute unit"
            )

        def cycles_per_element(unit: ComputeUnit) -> float:
            return unit.price(op_class).rate / unit.lanes(dtype) / self.instances(unit.group)

        return min(able, key=cycles_per_element)

    def home(self, space: str) -> str:
        """The memory behind a KTIR memory space ("global", "ct_local"). Raises ARCH024."""
        if space not in self.spaces:
            known = ", ".join(self.spaces)
            fail(
                "ARCH024",
                f"`{self.name}` has no memory for space `{space}`",
                self.position,
                f"it maps {known}",
            )
        return self.spaces[space]

    def ancestors(self, group: str) -> tuple[str, ...]:
        """`group` and the groups around it, innermost first."""
        chain: list[str] = []
        current: str | None = group
        while current is not None:
            if current not in self.groups:
                known = ", ".join(self.groups)
                fail("ARCH025", f"`{self.name}` has no group `{current}`", self.position, f"it has {known}")
            chain.append(current)
            current = self.groups[current].parent
        return tuple(chain)

    def instances(self, group: str, within: str | None = None) -> int:
        """Instances of `group` on the card, or in one instance of the surrounding group `within`."""
        chain = self.ancestors(group)
        if within is not None:
            if within not in chain:
                hint = f"it is inside {', '.join(chain[1:]) or 'nothing'}"
                fail(
                    "ARCH025",
                    f"group `{group}` of `{self.name}` is not inside `{within}`",
                    self.position,
                    hint,
                )
            chain = chain[: chain.index(within)]
        return math.prod(self.groups[name].count for name in chain)

    def innermost(self, *groups: str) -> str:
        """The deepest of the groups."""
        return max(groups, key=lambda name: self.groups[name].depth)

    @cached_property
    def edges(self) -> tuple[Hop, ...]:
        """Every move the machine can make, in the order of the file."""
        return tuple(self._hop(unit, a, b) for unit in self.units.values() for a, b in unit.moves)

    def hops(self, src: str, dst: str) -> list[Hop]:
        """The route from one memory to another with the fewest moves (file order decides ties).

        Never passes through the operand side of a compute unit. Raises ARCH020 (unknown memory) and
        ARCH021 (no route).
        """
        for name in (src, dst):
            if name not in self.memories:
                known = ", ".join(self.memories)
                fail("ARCH020", f"`{self.name}` has no memory `{name}`", self.position, f"it has {known}")
        if src == dst:
            return []
        route = self._routes.get((src, dst))
        if route is None:
            reached = [b for a, b in self._routes if a == src]
            fail(
                "ARCH021",
                f"no unit of `{self.name}` moves data from `{src}` towards `{dst}`",
                self.memories[src].position,
                f"from `{src}` data reaches {', '.join(reached) or 'nothing'}: add a unit with such a move",
            )
        return list(route)

    def next_hop(self, src: str, dst: str) -> str:
        """The memory after `src` on the way to `dst` (`dst` itself when adjacent)."""
        route = self.hops(src, dst)
        return route[0].dst_memory if route else dst

    def reaches(self, src: str, dst: str) -> bool:
        """Whether `hops(src, dst)` exists."""
        return src == dst or (src, dst) in self._routes

    def dram_cycles(self, read_bytes: float, write_bytes: float) -> float:
        """Cycles the card's DRAM needs for the traffic of all cores together."""
        return self.dram.cycles(read_bytes, write_bytes)

    @cached_property
    def _routes(self) -> Mapping[tuple[str, str], tuple[Hop, ...]]:
        through = {name for name, memory in self.memories.items() if memory.addressable}
        return shortest_routes(self.edges, through)

    def _hop(self, unit: Unit, src: str, dst: str) -> Hop:
        a, b = self.memories[src], self.memories[dst]
        charges = [Charge(unit.name, "move", unit.group, unit.bytes_per_cycle)]
        if a.read_bytes_per_cycle is not None:
            charges.append(Charge(src, "read", a.group, a.read_bytes_per_cycle))
        if b.write_bytes_per_cycle is not None:
            charges.append(Charge(dst, "write", b.group, b.write_bytes_per_cycle))
        queued = not (a.addressable and b.addressable)
        return Hop(
            src_memory=src,
            unit=unit.name,
            dst_memory=dst,
            bytes_per_cycle=unit.bytes_per_cycle,
            latency=unit.move_latency + a.latency,
            startup=unit.move_startup,
            shared_by=unit.group,
            fifo_depth=unit.fifo_depth if queued else None,
            granularity=unit.granularity,
            charges=tuple(charges),
        )
