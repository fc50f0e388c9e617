"""The cost vector of a term and its algebra, one function per node of ScheduleIR.

Columns of a table, for one execution of the term on the busiest core:

- `latency`  cycles from start to end, nothing else running;
- `interval` ρ, the least cycles between two executions in a row that buffer reuse allows;
- one column per resource: cycles it is busy (a unit, a memory port);
- one column per unit that reaches DRAM: cycles it spends not transferring (start-up, waiting for completion);
- `read`, `write`: bytes of DRAM traffic of this core;
- one column per memory: live bytes.

All functions are monotone in every column, so a bottom-up Pareto front is exact while fronts are uncut.
Formulas: docs/cost.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch
from .front import Table

__all__ = ["Layout", "Traffic"]

LATENCY, INTERVAL, READ, WRITE = 0, 1, 2, 3
_FIXED = 4


@dataclass(frozen=True, slots=True)
class Traffic:
    """What the moves on one side of a pipe cost: cycles until all have arrived (`fill`), busy cycles per
    resource column, DRAM bytes, and the bytes that one set of buffers takes per memory column."""

    fill: float
    fifo: bool
    row: Table


class Layout:
    """Which column holds what, for one arch and `cores` active cores."""

    def __init__(self, arch: Arch, cores: int) -> None:
        self.arch = arch
        self.cores = cores
        resources: dict[str, str] = {name: unit.group for name, unit in arch.units.items()}
        for hop in arch.edges:
            for charge in hop.charges:
                if charge.resource != arch.dram.memory:
                    resources.setdefault(_key(charge.resource, charge.direction), charge.group)
        self.resources = {name: _FIXED + i for i, name in enumerate(resources)}
        reaching = {
            h.unit: h.shared_by for h in arch.edges if arch.dram.memory in (h.src_memory, h.dst_memory)
        }
        first_overhead = _FIXED + len(resources)
        self.overheads = {name: first_overhead + i for i, name in enumerate(reaching)}
        first_memory = first_overhead + len(reaching)
        self.memories = {name: first_memory + i for i, name in enumerate(arch.memories)}
        self.columns = first_memory + len(self.memories)
        self.busy = slice(_FIXED, first_overhead)
        self.overhead = slice(first_overhead, first_memory)
        self.buffers = slice(first_memory, self.columns)
        self.capacity = np.full(self.columns, np.inf)
        for name, column in self.memories.items():
            self.capacity[column] = arch.memories[name].size
        groups = [*resources.values(), *reaching.values(), *(m.group for m in arch.memories.values())]
        self._group_of = dict(enumerate(groups, start=_FIXED))
        self._dram = arch.dram

    def column(self, resource: str, direction: str) -> int | None:
        """Column of a charge; None for the DRAM, whose traffic is counted in bytes."""
        return self.resources.get(_key(resource, direction))

    def zero(self) -> Table:
        return np.zeros((1, self.columns))

    def dram_cycles(self, table: Table) -> NDArray[np.float64]:
        """DRAM time of the points when all cores do the same, in cycles (arch.dram's formula)."""
        read, write = table[:, READ] * self.cores, table[:, WRITE] * self.cores
        d = self._dram
        turnaround = d.turnaround_cycles_per_byte * np.minimum(read, write)
        return np.asarray(read / d.read_bytes_per_cycle + write / d.write_bytes_per_cycle + turnaround)

    def period(self, table: Table) -> NDArray[np.float64]:
        """Initiation interval II: cycles between executions in steady state."""
        return np.asarray(np.maximum(self._own_period(table), self._shared_period(table)))

    def _own_period(self, table: Table) -> NDArray[np.float64]:
        """What one core's buffers and units allow: max(ρ, busiest resource)."""
        return np.asarray(np.maximum(table[:, INTERVAL], table[:, self.busy].max(axis=1)))

    def _shared_period(self, table: Table) -> NDArray[np.float64]:
        """What the DRAM allows: its time plus what the slowest unit at it spends not transferring, since
        the cores run in step and the DRAM has nothing to do while their units wait."""
        return np.asarray(self.dram_cycles(table) + table[:, self.overhead].max(axis=1))

    def total(self, table: Table) -> NDArray[np.float64]:
        """Cycles of a whole run: no resource can be shorter than its work."""
        return np.asarray(np.maximum(table[:, LATENCY], self.period(table)))

    def fits(self, table: Table) -> NDArray[np.bool_]:
        return np.asarray((table <= self.capacity).all(axis=1))

    def loop(self, table: Table, trips: float, mean_trips: float) -> Table:
        """L = L₁ + (n−1)·II₁; everything that adds up is multiplied by n.

        Where trips differ from core to core, the busiest core counts, but the DRAM serves the mean.
        """
        out = table.copy()
        own = max(trips - 1, 0) * self._own_period(table)
        shared = max(mean_trips - 1, 0) * self._shared_period(table)
        out[:, LATENCY] += np.maximum(own, shared)
        out[:, INTERVAL] *= trips
        out[:, self.busy.start : self.overhead.stop] *= trips
        out[:, READ : WRITE + 1] *= mean_trips
        if trips == 0:
            out[:, LATENCY] = 0
        return out

    def sequence(self, a: Table, b: Table, dependent: bool) -> Table:
        """Every pair of a point of `a` and one of `b`, run one after the other.

        Units run ahead, so an independent B trails A by its period only, and the buffers of both are live.
        Where they do not fit together they share places, and B waits for the end of A.
        """
        left, right = np.repeat(a, len(b), axis=0), np.tile(b, (len(a), 1))
        out = left + right
        crowded = ~self.fits(out)
        buffers = slice(self.busy.stop, self.columns)
        out[crowded, buffers] = np.maximum(left, right)[crowded, buffers]
        if not dependent:
            trailing = left[:, LATENCY] + self.period(right)
            ahead = np.maximum(np.maximum(trailing, right[:, LATENCY]), left[:, LATENCY])
            out[:, LATENCY] = np.where(crowded, out[:, LATENCY], ahead)
        return out

    def parallel(self, table: Table, group: str, ways: int) -> Table:
        """`ways` instances of `group` at once: what lies outside the group is shared, hence multiplied."""
        out = table.copy()
        outside = [c for c, g in self._group_of.items() if group not in self.arch.ancestors(g)]
        out[:, outside] *= ways
        out[:, READ : WRITE + 1] *= ways
        return out

    def pipe(self, table: Table, depth: int, ins: Traffic, outs: Traffic) -> Table:
        """L = fill + L_S + drain. A buffer is taken from the start of its fill until its last reader has
        signalled, so ρ = max over both sides of (transfer + hold + signal)/depth. A FIFO side is bounded by
        the link's own depth, which its busy time already expresses."""
        out = table + ins.row + outs.row
        out[:, self.buffers] += (depth - 1) * (ins.row[:, self.buffers] + outs.row[:, self.buffers])
        hold = table[:, LATENCY]
        out[:, LATENCY] = ins.fill + hold + outs.fill
        out[:, INTERVAL] = table[:, INTERVAL]
        sync = self.arch.sync_cycles
        for side in (ins, outs):
            if not side.fifo:
                out[:, LATENCY] += sync
                reuse = (side.fill + hold + 2 * sync) / depth
                out[:, INTERVAL] = np.maximum(out[:, INTERVAL], reuse)
        return out


def _key(resource: str, direction: str) -> str:
    return resource if direction == "move" else f"{resource}.{direction}"
