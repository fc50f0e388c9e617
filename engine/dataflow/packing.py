"""Addresses of buffers: each its own place if all fit, else buffers of disjoint lives share places."""

from __future__ import annotations

from dataclasses import dataclass

from ..arch.model import Arch
from ..diagnostics import Diagnostic, Position, TilesatError
from ..schedule.index import linear
from ..schedule.program import Program
from .instances import Instances
from .plan import Buffer, Node, Pipe, Plan, Scope

__all__ = ["Packing", "pack", "shared_ways"]


@dataclass(frozen=True, slots=True)
class _Piece:
    buffer: Buffer
    size: int
    first: int  # life: node numbers of the subtree that owns the buffer
    last: int

    def lives_with(self, other: _Piece) -> bool:
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True)
class Packing:
    """`overlaps`: pairs of buffers that share addresses (never alive together)."""

    overlaps: frozenset[tuple[int, int]]
    used: dict[str, int]  # bytes per memory

    def clash(self, a: int, b: int) -> bool:
        return (a, b) in self.overlaps or (b, a) in self.overlaps


def shared_ways(buffer: Buffer, instances: Instances) -> tuple[tuple[str, int], ...]:
    """The `par` groups around a buffer whose instances share one memory."""
    path = instances.place(buffer.memory).path
    return tuple((g, n) for g, n in buffer.ways if g not in path)


def copies(buffer: Buffer, instances: Instances) -> int:
    """How many threads keep their copy in one instance of the memory."""
    place = instances.place(buffer.memory)
    n = max(len(instances.tiles_of(i)) for i in place.instances)
    for _, ways in shared_ways(buffer, instances):
        n *= ways
    return n


def pack(plan: Plan, arch: Arch, instances: Instances) -> Packing:
    """Assigns `address` to every buffer. Raises DFLOW030 when a memory is too small."""
    pieces: dict[str, list[_Piece]] = {}
    _collect(plan.root, instances, pieces)
    overlaps: set[tuple[int, int]] = set()
    used: dict[str, int] = {}
    for memory, found in pieces.items():
        start = _fixed_end(plan.program, arch, memory)
        room = arch.memories[memory].size - start
        if sum(p.size for p in found) <= room:
            address = start
            for p in found:
                p.buffer.address = address
                address += p.size
        else:
            overlaps |= _share(found, start)
            address = max(p.buffer.address + p.size for p in found)
            if address > arch.memories[memory].size:
                raise TilesatError(_too_small(memory, address, arch, found))
        used[memory] = address
    return Packing(frozenset(overlaps), used)


def _collect(node: Node, instances: Instances, pieces: dict[str, list[_Piece]]) -> int:
    """Adds the buffers of a subtree in program order; gives the largest node number in it."""
    last = node.number
    own: list[Buffer] = []
    if isinstance(node, Pipe):
        own = list(node.buffers())
    elif isinstance(node, Scope) and node.buffer is not None:
        own = [node.buffer]
    slots = [(b, pieces.setdefault(b.memory, [])) for b in own]
    places = [(b, found, len(found)) for b, found in slots]
    for child in node.children():
        last = max(last, _collect(child, instances, pieces))
    for shift, (b, found, at) in enumerate(places):
        size = b.copy_bytes * b.depth * copies(b, instances)
        earlier = sum(1 for _, other, _ in places[:shift] if other is found)
        found.insert(at + earlier, _Piece(b, size, node.number, last))
    return last


def _share(pieces: list[_Piece], start: int) -> set[tuple[int, int]]:
    """First fit, largest first. Gives the pairs that share addresses."""
    placed: list[_Piece] = []
    for p in sorted(pieces, key=lambda p: (-p.size, p.buffer.number)):
        busy = sorted((q.buffer.address, q.buffer.address + q.size) for q in placed if q.lives_with(p))
        address = start
        for low, high in busy:
            if address + p.size <= low:
                break
            address = max(address, high)
        p.buffer.address = address
        placed.append(p)
    overlaps = set()
    for k, p in enumerate(placed):
        for q in placed[:k]:
            a, b = p.buffer.address, q.buffer.address
            if a < b + q.size and b < a + p.size:
                overlaps.add((p.buffer.number, q.buffer.number))
    return overlaps


def _fixed_end(program: Program, arch: Arch, memory: str) -> int:
    """The first byte above every view at a constant address in `memory` (LX-resident tensors)."""
    from ..numerics.dtypes import dtype as element_type

    end = 0
    for view in program.views.values():
        if arch.home(view.space) != memory or arch.memories[memory].kind == "dram":
            continue
        terms, base = linear(view.base)
        if terms:
            continue
        extents = [(n, s) for n, s in zip(view.shape, view.strides, strict=True)]
        if all(isinstance(n, int) and isinstance(s, int) for n, s in extents):
            reach = sum((n - 1) * s for n, s in extents if isinstance(n, int) and isinstance(s, int))
            end = max(end, (base + reach + 1) * element_type(view.dtype).nbytes)
    align = arch.memories[memory].alignment
    return -(-end // align) * align


def _too_small(memory: str, needed: int, arch: Arch, pieces: list[_Piece]) -> Diagnostic:
    largest = sorted(pieces, key=lambda p: (-p.size, p.buffer.number))[:4]
    listed = ", ".join(f"{p.buffer.subject} {p.size} B" for p in largest)
    position: Position = largest[0].buffer.position
    size = arch.memories[memory].size
    return Diagnostic(
        "DFLOW030",
        f"the schedule needs {needed} bytes of `{memory}` at once; `{arch.name}` has {size}",
        position,
        f"largest buffers: {listed}; use smaller tiles or less depth",
    )
