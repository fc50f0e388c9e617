"""What moves and compute steps cost on an architecture: the leaves of the cost algebra."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from ..arch import Arch, ComputeUnit, Hop
from ..numerics import dtype, scalar_ops
from ..schedule.index import Index, evaluate, names
from ..schedule.program import Program, Stmt
from .footprint import Footprints
from .front import Table
from .metrics import INTERVAL, LATENCY, READ, WRITE, Layout, Traffic

__all__ = ["Model"]

Cover = Mapping[str, int]
Move = tuple[str, str, str]  # access, from, to


class Model:
    """Prices terms of one program on one arch. `assumed_trips` stands for counts known only at launch."""

    def __init__(self, program: Program, arch: Arch, assumed_trips: int = 64) -> None:
        self.program = program
        self.arch = arch
        self.assumed_trips = assumed_trips
        self.cores = min(math.prod(program.grid), arch.limits.grid_cores)
        self.layout = Layout(arch, self.cores)
        self.footprints = Footprints(program, arch)
        self._hops = {(h.src_memory, h.dst_memory): h for h in reversed(arch.edges)}

    def hop(self, source: str, target: str) -> Hop | None:
        """The unit that moves between two adjacent memories."""
        return self._hops.get((source, target))

    @cached_property
    def _tiles(self) -> list[dict[str, int]]:
        """The coordinates of every tile of the grid, as names in expressions."""
        points = np.ndindex(*self.program.grid)
        return [{f"tile{i}": int(v) for i, v in enumerate(point)} for point in points]

    def trips(self, count: Index) -> tuple[float, float]:
        """`(largest, mean)` trip count over the tiles; `assumed_trips` where a run-time scalar decides."""
        if isinstance(count, int):
            return float(count), float(count)
        values = [self._value(count, tile) for tile in self._tiles]
        return float(max(values)), float(np.mean(values))

    def _value(self, e: Index, tile: Mapping[str, int]) -> int:
        if isinstance(e, int):
            return e
        env: dict[str, int] = dict(tile)
        for name in names(e):
            if name in self.program.syms:
                env[name] = self._value(self.program.syms[name], tile)
            elif name not in env:
                return self.assumed_trips
        return max(0, int(evaluate(e, env)))

    @cached_property
    def _turnaround(self) -> float:
        """Cycles per byte written to DRAM by a kernel that reads it as well: the bus turns round."""
        home = self.arch.dram.memory
        loaded = {a for s in self.program.stmts.values() for a in s.loads}
        views = (self.program.views[self.program.accesses[a].view] for a in loaded)
        reading = any(self.arch.home(v.space) == home for v in views)
        return self.arch.dram.turnaround_cycles_per_byte if reading else 0.0

    def traffic(self, moves: Iterable[Move], cover: Cover) -> Traffic | None:
        """Cost of the moves on one side of a pipe over `cover`; None when one is not a single hop.

        Transfers of one unit follow each other; units work side by side. A signal after a memory-to-memory
        transfer waits for its completion, so the unit is taken for one latency per set of moves.
        """
        row = self.layout.zero()
        per_unit: dict[str, tuple[float, float]] = {}  # cycles, latency
        fifo = True
        for access, source, target in moves:
            hop = self.hop(source, target)
            if hop is None:
                return None
            fifo &= not (self._addressable(source) and self._addressable(target))
            cycles = self._charge(row, hop, access, cover)
            busy, latency = per_unit.get(hop.unit, (0.0, 0.0))
            per_unit[hop.unit] = (busy + cycles, max(latency, hop.latency))
            self._place(row, access, source, target, cover)
        if not fifo:
            for unit, (_, latency) in per_unit.items():
                row[0, self.layout.resources[unit]] += latency
                if unit in self.layout.overheads:
                    row[0, self.layout.overheads[unit]] += latency
        fill = max((busy + latency for busy, latency in per_unit.values()), default=0.0)
        return Traffic(fill, fifo, row)

    def _addressable(self, memory: str) -> bool:
        return self.arch.memories[memory].addressable

    def _charge(self, row: Table, hop: Hop, access: str, cover: Cover) -> float:
        """Book one move on every resource it keeps busy; returns its own cycles at the shared rate."""
        n_bytes = self.footprints.of(access, cover).moved_bytes(hop)
        cycles = hop.startup + n_bytes / hop.bytes_per_cycle
        row[0, self.layout.resources[hop.unit]] += cycles
        if hop.unit in self.layout.overheads:
            row[0, self.layout.overheads[hop.unit]] += hop.startup
        for charge in hop.charges:
            column = self.layout.column(charge.resource, charge.direction)
            sharers = self._sharers(charge.group)
            if column is None:
                writing = charge.direction == "write"
                row[0, WRITE if writing else READ] += n_bytes
                per_byte = 1 / charge.bytes_per_cycle + (self._turnaround if writing else 0.0)
                cycles = max(cycles, hop.startup + n_bytes * sharers * per_byte)
            elif charge.resource != hop.unit:
                row[0, column] += n_bytes * sharers / charge.bytes_per_cycle
                cycles = max(cycles, hop.startup + n_bytes * sharers / charge.bytes_per_cycle)
        return cycles

    def _sharers(self, group: str) -> float:
        """Active cores that share one instance of `group`."""
        if self.arch.grid_group in self.arch.ancestors(group):
            return 1.0
        return max(1.0, self.cores / self.arch.instances(group))

    def _place(self, row: Table, access: str, source: str, target: str, cover: Cover) -> None:
        """Book the buffer: in the memory further from the access's home."""
        view = self.program.views[self.program.accesses[access].view]
        buffer = (
            source if target == self.arch.home(view.space) or not self._nearer(source, target) else target
        )
        memory = self.arch.memories[buffer]
        if memory.addressable:
            size = self.footprints.of(access, cover).buffer_bytes(memory.alignment)
            row[0, self.layout.memories[buffer]] += size

    def _nearer(self, source: str, target: str) -> bool:
        """Whether the move goes towards compute (an in-move): the target's group is at least as deep."""
        groups = self.arch.groups
        a, b = self.arch.memories[source], self.arch.memories[target]
        return groups[b.group].depth >= groups[a.group].depth and a.addressable

    def compute(self, stmt: Stmt, box: Cover, unit: ComputeUnit) -> Table | None:
        """One step of `stmt` on `unit`; None when the box is more than one vector step.

        Busy for the issue slots of its ops, done after the latencies of the longest chain.
        """
        wide = [axis for axis, n in box.items() if n > 1]
        if len(wide) > 1 or (wide and box[wide[0]] > self.step_lanes(unit, stmt)):
            return None
        elements = box[wide[0]] if wide else 1
        busy, ready = 0.0, dict[str, float]()
        for step in stmt.lets:
            kind, args = _cost_class(step.expr.head, step.expr.args)
            start = max((ready.get(str(a), 0.0) for a in args), default=0.0)
            if kind is None:
                ready[step.name] = start
                continue
            source = next((s.dtype for s in stmt.lets if s.name in args), step.dtype)
            wider = max(step.dtype, source, key=lambda t: -unit.lanes(t))
            busy += unit.issue_cycles(kind, wider, elements)
            ready[step.name] = start + unit.latency(kind)
        row = self.layout.zero()
        row[0, self.layout.resources[unit.name]] = busy
        row[0, LATENCY] = busy + max(ready.values(), default=0.0)
        row[0, INTERVAL] = 0.0
        return row

    def step_lanes(self, unit: ComputeUnit, stmt: Stmt) -> int:
        """Elements of one vector step: what the narrowest memory type of the statement fits in a vector."""
        views = [self.program.views[self.program.accesses[a].view] for a in (*stmt.loads, *stmt.stores)]
        sizes = [dtype(v.dtype).nbytes for v in views] or [2]
        return max(1, unit.vector_bytes // min(sizes))


def _cost_class(head: str, args: tuple[object, ...]) -> tuple[str | None, tuple[object, ...]]:
    """Cost class of a let's expression (None: no issue slot) and its operands."""
    if head == "op":
        return scalar_ops()[str(args[0])].cost, args[1:]
    if head == "reduce":
        return "reduction", args[2:]
    if head == "contract":
        return "matmul", args[1:]
    return None, ()
