"""Where a statement's operands sit at each memory level, and what moves between the levels.

A *level* of a statement is `home`, or a memory on the way from an operand's home to the compute unit.
At a level, an operand is in that memory; one whose way does not pass there is in the next memory of
its way that is further out, or at home when its home is nearer (docs/scheduleir.md §2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..arch import Arch, ComputeUnit
from ..diagnostics import TilesatError
from ..numerics import dtype, scalar_ops
from ..schedule.index import Index, accesses_of, linear, names
from ..schedule.program import Let, Program, Stmt

if TYPE_CHECKING:
    from ..schedule.interpreter import Levels as Nearness

__all__ = ["HOME", "Levels", "Staging", "home_of", "levels_of", "needs", "stride_along"]

HOME = "home"


@dataclass(frozen=True, slots=True)
class Staging:
    """Moves between two levels, as (access, from, to)."""

    ins: tuple[tuple[str, str, str], ...]
    outs: tuple[tuple[str, str, str], ...]


def home_of(program: Program, arch: Arch, access: str) -> str:
    """The memory an access's buffer lives in. Raises ARCH024 for an unmapped space."""
    return arch.home(program.views[program.accesses[access].view].space)


def stride_along(program: Program, access: str, axis: str) -> int | None:
    """Elements between neighbouring positions of `axis` (0: invariant); None when that is not constant."""
    a = program.accesses[access]
    total = 0
    for coordinate, stride in zip(a.at, program.views[a.view].strides, strict=True):
        if axis not in program.index_axes(coordinate):
            continue
        terms, _ = linear(coordinate)
        step = program.axes[axis].step
        if (
            axis not in terms
            or not isinstance(stride, int)
            or any(axis in _names(t) for t in terms if t != axis)
        ):
            return None
        total += terms[axis] * step * stride
    return total


def _names(leaf: Index) -> frozenset[str]:
    found = names(leaf)
    return found | {"(ind)"} if accesses_of(leaf) else found


def needs(stmt: Stmt) -> list[tuple[Let, str, str]]:
    """The steps of a statement that a unit performs, each with its cost class and dtype."""
    needed: list[tuple[Let, str, str]] = []
    dtypes = {step.name: step.dtype for step in stmt.lets}
    for step in stmt.lets:
        match step.expr.head:
            case "op":
                op = scalar_ops().get(str(step.expr.args[0]))
                kind = op.cost if op else "elementwise"
                operand = next((dtypes[str(a)] for a in step.expr.args[1:] if str(a) in dtypes), step.dtype)
                needed.append((step, kind, operand))
            case "reduce":
                needed.append((step, "reduction", step.dtype))
            case "contract":
                needed.append((step, "matmul", step.dtype))
    return needed


class Levels:
    """The levels of one statement on one arch; `unit` is None when no unit can run it."""

    def __init__(self, program: Program, arch: Arch, stmt: Stmt) -> None:
        self.program = program
        self.arch = arch
        self.stmt = stmt
        self.unit = None if stmt.gets or stmt.sets else self._unit()
        self.ways_in = {x: self._way(x, inwards=True) for x in stmt.loads} if self.unit else {}
        self.ways_out = {x: self._way(x, inwards=False) for x in stmt.stores} if self.unit else {}

    def _unit(self) -> ComputeUnit | None:
        """The first unit that performs every op of the statement on its dtype."""
        needed = needs(self.stmt)
        for unit in self.arch.compute.values():
            if all(unit.supports(kind, of) for _, kind, of in needed):
                return unit
        return None

    def _way(self, access: str, inwards: bool) -> tuple[str, ...]:
        """Memories from the access's home to the operand level; () when there is no route."""
        assert self.unit is not None
        home = home_of(self.program, self.arch, access)
        ends = (home, self.unit.name) if inwards else (self.unit.name, home)
        try:
            hops = self.arch.hops(*ends)
        except TilesatError:
            return ()
        way = [ends[0], *(h.dst_memory for h in hops)]
        return tuple(way if inwards else reversed(way))

    @property
    def operand_level(self) -> str | None:
        return self.unit.name if self.unit else None

    @cached_property
    def distance(self) -> Mapping[str, int]:
        """Hops from each memory on a way to the operand level (the longest way decides)."""
        found: dict[str, int] = {}
        for way in (*self.ways_in.values(), *self.ways_out.values()):
            for k, memory in enumerate(reversed(way)):
                found[memory] = max(found.get(memory, 0), k)
        return found

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """`home`, then the memories from far to near; empty when the statement cannot be staged."""
        if self.unit is None or not all((*self.ways_in.values(), *self.ways_out.values())):
            return ()
        order = sorted(self.distance, key=lambda m: (-self.distance[m], m))
        return (HOME, *order)

    def place(self, access: str, level: str, store: bool = False) -> str:
        """The memory in which the access is at a level."""
        way = (self.ways_out if store else self.ways_in).get(access)
        if not way or level == HOME:
            return home_of(self.program, self.arch, access)
        limit = self.distance.get(level, 0)
        reached = [m for m in way if self.distance[m] >= limit]
        return reached[-1] if reached else way[0]

    def staging(self, level: str, nearer: str) -> Staging:
        """The moves that take the statement from one level to a nearer one."""
        ins = ((x, self.place(x, level), self.place(x, nearer)) for x in self.stmt.loads)
        outs = ((x, self.place(x, nearer, True), self.place(x, level, True)) for x in self.stmt.stores)
        return Staging(
            tuple(sorted(m for m in ins if m[1] != m[2])), tuple(sorted(m for m in outs if m[1] != m[2]))
        )

    def adjacent(self, staging: Staging) -> bool:
        """Is every move of the staging one hop?"""
        return all(self.arch.next_hop(a, b) == b for _, a, b in (*staging.ins, *staging.outs))

    def next_level(self, level: str) -> str | None:
        """The nearest level that differs from `level` and is one step on; None at the operand level."""
        for nearer in self.levels[self.levels.index(level) + 1 :]:
            staging = self.staging(level, nearer)
            if staging.ins or staging.outs:
                return nearer
        return None

    # --- one compute step --------------------------------------------------------------------------------

    @cached_property
    def lanes(self) -> int:
        """Elements of one step: as many as every operand fits into one vector."""
        views = [self.program.views[self.program.accesses[x].view] for x in self._operands]
        sizes = [dtype(v.dtype).nbytes for v in views] or [1]
        return max(1, self.unit.vector_bytes // max(sizes)) if self.unit else 1

    @property
    def _operands(self) -> tuple[str, ...]:
        return (*self.stmt.loads, *self.stmt.stores)

    @cached_property
    def lane_axis(self) -> str | None:
        """The innermost axis along which every load and store is contiguous or invariant, and some store
        is contiguous."""
        for axis in reversed(self.program.domains[self.stmt.name]):
            strides = [stride_along(self.program, x, axis) for x in self._operands]
            stored = [stride_along(self.program, x, axis) for x in self.stmt.stores]
            if all(s in (0, 1) for s in strides) and 1 in stored:
                return axis
        return None

    def step(self, axis: str) -> int:
        """Most positions of `axis` in one compute step."""
        return self.lanes if axis == self.lane_axis else 1


def levels_of(program: Program, arch: Arch) -> Nearness:
    """What the functional interpreter may assume about the machine's memories: homes, and far to near."""
    from ..schedule.interpreter import Levels as Nearness  # not needed for compiling

    order: dict[str, None] = {}
    for stmt in program.stmts.values():
        order.update(dict.fromkeys(Levels(program, arch, stmt).levels[1:]))
    return Nearness(arch.spaces, tuple(order))
