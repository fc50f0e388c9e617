"""Why nothing runs: the memory that does not hold even one vector step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from ..arch import ComputeUnit
from ..diagnostics import Position, fail
from ..schedule.program import Stmt
from .model import Model

__all__ = ["fail_for_want_of_room"]


def fail_for_want_of_room(model: Model) -> NoReturn:
    """COST001 at the statement that does not fit, with the bytes it needs and those there are."""
    program, arch = model.program, model.arch
    for stmt in program.stmts.values():
        for unit in arch.compute.values():
            for memory, needed in _step_bytes(model, stmt, unit):
                room = arch.memories[memory].size
                if needed > room:
                    step = f"one vector step on `{unit.name}`"
                    what = f"{step} needs {needed} bytes in `{memory}`, which has {room}"
                    hint = f"`{arch.name}` is too small for this statement: give `{memory}` more room"
                    fail("COST001", what, stmt.position, hint)
    where = next((s.position for s in program.stmts.values()), Position())
    fail(
        "COST001",
        f"no schedule of `{program.name}` that the strategy's rules reach can run on `{arch.name}`",
        where,
        "another strategy reaches more schedules; see the limits in rules/strategies",
    )


def _step_bytes(model: Model, stmt: Stmt, unit: ComputeUnit) -> Iterator[tuple[str, int]]:
    """Bytes of one step's operands and results in each memory between their homes and the unit."""
    arch, program = model.arch, model.program
    lane = next(reversed(program.domains[stmt.name]), None)
    trips = program.axes[lane].trips if lane else 1
    lanes = min(model.step_lanes(unit, stmt), trips if isinstance(trips, int) else 1 << 30)
    needed: dict[str, int] = {}
    for access in (*stmt.loads, *stmt.stores):
        home = arch.home(program.views[program.accesses[access].view].space)
        footprint = model.footprints.of(access, {lane: lanes} if lane else {})
        if not arch.reaches(home, unit.name):
            continue
        for hop in arch.hops(home, unit.name)[:-1]:
            memory = arch.memories[hop.dst_memory]
            if memory.addressable:
                size = footprint.buffer_bytes(memory.alignment)
                needed[memory.name] = needed.get(memory.name, 0) + size
    yield from needed.items()
