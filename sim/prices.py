"""How long words take on an architecture: everything the timing pass needs, looked up once per word."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from ..arch import Arch, ComputeUnit, Hop, Unit
from ..diagnostics import fail
from ..spyrecode.isa import isa
from .functions import vector_functions
from .program import UnitProgram
from .trace import Op, Step, Transfer

__all__ = ["Move", "Prices"]


@dataclass(frozen=True, slots=True)
class Move:
    """One movement of bytes over a link.

    `busy`: cycles the unit's data path needs at its own rate, start-up included; `startup` of them before the
    first byte; `latency` more until the last byte is there. `reads`, `writes`: bytes charged to the memories.
    """

    link: str
    startup: float
    busy: float
    latency: float
    reads: int
    writes: int
    rate: float


class Prices:
    """Costs on one architecture, and its FIFO depths."""

    def __init__(self, arch: Arch) -> None:
        self.arch = arch

    @cached_property
    def _hops(self) -> dict[tuple[str, str, str], Hop]:
        return {(hop.unit, hop.src_memory, hop.dst_memory): hop for hop in self.arch.edges}

    def vector_move(self, program: UnitProgram, step: Step) -> Move:
        """ldf, stf, vld, vst: one entry, in whole cycles, without start-up."""
        op, unit = step.op, program.unit
        assert op.memory is not None
        inward = op.name in ("ldf", "vld")
        other = op.peer or unit.name
        hop = self._hop(program, op, *((op.memory, other) if inward else (other, op.memory)))
        runs, size = step.runs
        charged = hop.charged_bytes(size, runs)
        busy = float(math.ceil(charged / hop.bytes_per_cycle))
        link = f"{hop.src_memory}→{hop.dst_memory}"
        return Move(link, 0.0, busy, hop.latency, charged, charged, hop.bytes_per_cycle)

    def transfer(self, program: UnitProgram, item: Transfer, far: int = 0) -> Move:
        """xfer: start-up and bytes/rate. `far`: ring positions between source and destination core."""
        if far:
            return self._ring_transfer(program, item, far)
        hop = self._hop(program, item.op, item.source, item.destination)
        read, written = (
            hop.charged_bytes(*item.source_runs[::-1]),
            hop.charged_bytes(*item.destination_runs[::-1]),
        )
        written += hop.charged_bytes(item.element, int(item.cleared.size)) if item.cleared.size else 0
        busy = hop.startup + max(read, written) / hop.bytes_per_cycle
        link = f"{item.source}→{item.destination}"
        return Move(link, hop.startup, busy, hop.latency, read, written, hop.bytes_per_cycle)

    def _ring_transfer(self, program: UnitProgram, item: Transfer, far: int) -> Move:
        ring, unit = self.arch.ring, program.unit
        if ring is None:
            fail(
                "SIM035",
                f"{program.at(item.op.index)}: `{self.arch.name}` has no ring",
                program.where(item.op.index),
            )
        latency = unit.move_latency + far * ring.latency
        rate = min(ring.bytes_per_cycle, unit.bytes_per_cycle or ring.bytes_per_cycle)
        busy = unit.move_startup + item.nbytes / rate
        return Move("ring", unit.move_startup, busy, latency, item.nbytes, item.nbytes, rate)

    def _hop(self, program: UnitProgram, op: Op, source: str, destination: str) -> Hop:
        hop = self._hops.get((program.unit.name, source, destination))
        if hop is None:
            message = f"{program.at(op.index)}: this unit does not move data from {source} to {destination}"
            fail(
                "SIM035", message, program.where(op.index), "see the unit's `moves` in the architecture file"
            )
        return hop

    def issue(self, program: UnitProgram, op: Op) -> tuple[float, float]:
        """(cycles the pipeline is busy, cycles from the issue until the result is there) of a vector word."""
        unit, kind = program.unit, op.dtype
        assert isinstance(unit, ComputeUnit) and kind is not None
        cost = isa().instructions[op.name].cost or "none"
        names = [kind.name]
        if cost == "vector_op":
            cost = vector_functions()[op.fields["op"]].cost_class
            names.append(program.image.dtype(op.fields["source"]).name)
        price = unit.price(cost)
        vectors = max(-(-op.count // unit.lanes(name)) for name in names)
        busy = vectors * price.rate
        return float(busy), float(price.latency + max(busy - price.rate, 0))

    def depth(self, program: UnitProgram, op: Op) -> int:
        """Entries of the FIFO between this unit and the peer of a word. SIM035 when there is none."""
        peer = self.arch.units[op.peer or ""]
        depths = [u.fifo_depth for u in (program.unit, peer) if u.fifo_depth is not None]
        if not depths:
            message = f"{program.at(op.index)}: there is no FIFO between {program.unit.name} and {peer.name}"
            fail(
                "SIM035",
                message,
                program.where(op.index),
                "one of them needs `fifo_depth` in the architecture",
            )
        return min(depths)

    def ring_latency(self, mine: Unit, instance: int, peer: Unit, other: int) -> float:
        """Cycles between two units over the ring; 0 inside one instance of the ring's group."""
        far = self.ring_distance(mine.group, instance, peer.group, other)
        return far * self.arch.ring.latency if self.arch.ring else 0.0

    def ring_distance(self, group: str, instance: int, other_group: str, other: int) -> int:
        """Neighbour steps on the ring between the instances that hold two units or memories."""
        ring = self.arch.ring
        if (
            ring is None
            or ring.group not in self.arch.ancestors(group)
            or ring.group not in self.arch.ancestors(other_group)
        ):
            return 0
        a = instance // self.arch.instances(group, within=ring.group)
        b = other // self.arch.instances(other_group, within=ring.group)
        around = self.arch.instances(ring.group)
        forward = (b - a) % around
        return min(forward, around - forward) if ring.directions > 1 else forward
