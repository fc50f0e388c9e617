"""A lower bound on the cycles any schedule of a kernel can reach on a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .model import Arch

__all__ = ["Bound", "Work", "bound_cycles", "bound_parts"]

OpCounts = Mapping[tuple[str, str], int]  # (cost class, dtype) → elements (`matmul`: multiply-adds)


@dataclass(frozen=True, slots=True)
class Work:
    """What a kernel cannot avoid: distinct bytes between it and space `global`, and each core's operations.

    `cores` holds the operation counts of each instance of the grid group that has any. A fold counts once per
    element under its combiner's class; `reduction` is only the price of combining the lanes of one vector,
    which a schedule may do once at the end.
    """

    read_bytes: int = 0
    write_bytes: int = 0
    cores: Sequence[OpCounts] = field(default=())


@dataclass(frozen=True, slots=True)
class Bound:
    """The three terms; the bound is the largest."""

    dram: float
    compute: float
    latency: float

    @property
    def cycles(self) -> float:
        return max(self.dram, self.compute, self.latency)


def bound_cycles(arch: Arch, work: Work) -> float:
    """max(DRAM time of the distinct bytes, busiest core at its units' peak, one vector's way in and out)."""
    return bound_parts(arch, work).cycles


def bound_parts(arch: Arch, work: Work) -> Bound:
    """As `bound_cycles`, term by term. Raises ARCH023 when no unit performs one of the classes."""
    return Bound(
        dram=arch.dram_cycles(work.read_bytes, work.write_bytes),
        compute=max((_core_cycles(arch, counts) for counts in work.cores), default=0.0),
        latency=_way_cycles(arch, work),
    )


def _core_cycles(arch: Arch, counts: OpCounts) -> float:
    """Cycles of the busiest kind of unit when all instances in the core share its work evenly."""
    busy: dict[str, float] = {}
    for (op_class, dtype), elements in counts.items():
        if not elements:
            continue
        unit = arch.compute_for(op_class, dtype)
        instances = arch.instances(unit.group, within=arch.grid_group)
        cycles = elements / unit.lanes(dtype) * unit.price(op_class).rate / instances
        busy[unit.name] = busy.get(unit.name, 0.0) + cycles
    return max(busy.values(), default=0.0)


def _way_cycles(arch: Arch, work: Work) -> float:
    """One vector from space `global` through the cheapest operation on a unit in use, and back; less than a
    vector where the cores have less to move."""
    used: dict[str, int] = {}
    for counts in work.cores:
        for (op_class, dtype), elements in counts.items():
            if elements:
                unit = arch.compute_for(op_class, dtype)
                latency = unit.latency(op_class)
                used[unit.name] = min(latency, used.get(unit.name, latency))
    home = arch.home("global")
    ways = []
    for name, latency in used.items():
        unit = arch.compute[name]
        shares = len(work.cores) * arch.instances(unit.group, within=arch.grid_group)
        read, write = (min(unit.vector_bytes, -(-n // shares)) for n in (work.read_bytes, work.write_bytes))
        ways.append(latency + _route_cycles(arch, home, name, read) + _route_cycles(arch, name, home, write))
    return float(min(ways, default=0))


def _route_cycles(arch: Arch, src: str, dst: str, n_bytes: int) -> int:
    return sum(hop.cycles(n_bytes) for hop in arch.hops(src, dst)) if n_bytes else 0
