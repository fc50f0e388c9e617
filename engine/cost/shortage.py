"""Why nothing runs: an operation without a unit, a value or tile that finds no place, a memory too small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from ..arch import Arch, ComputeUnit
from ..diagnostics import Position, fail
from ..rewrite.conflicts import Conflicts
from ..rewrite.levels import Levels, needs
from ..schedule.program import Let, Stmt
from ..schedule.sexpr import Term
from .model import Model

__all__ = ["fail_for_want_of_room"]

HOME = "home"


def fail_for_want_of_room(model: Model, limits_hit: Sequence[str] = ()) -> NoReturn:
    """COST001 at the statement that does not fit, with the bytes it needs and those there are; COST002 at
    the statement whose value or tile would have to be kept and is not; ARCH023 at an operation whose cost
    class or dtype the machine lacks. `limits_hit`: sentences on what stopped the search."""
    program, arch = model.program, model.arch
    for stmt in program.stmts.values():
        _fail_for_an_operation(arch, stmt)
        _fail_for_a_value(model, stmt)
        _fail_for_a_kind(model, stmt)
        for unit in arch.compute.values():
            for memory, needed in _step_bytes(model, stmt, unit):
                room = arch.memories[memory].size
                if needed > room:
                    step = f"one vector step on `{unit.name}`"
                    what = f"{step} needs {needed} bytes in `{memory}`, which has {room}"
                    hint = f"`{arch.name}` is too small for this statement: give `{memory}` more room"
                    fail("COST001", what, stmt.position, hint)
    for stmt in program.stmts.values():
        _fail_for_a_tile(model, stmt)
    where = next((s.position for s in program.stmts.values()), Position())
    fail(
        "COST001",
        f"no schedule of `{program.name}` that the strategy's rules reach can run on `{arch.name}`"
        + "".join(f"; the search was cut short: {limit}" for limit in limits_hit),
        where,
        "raise the strategy's `rounds` or `nodes`"
        if limits_hit
        else "another strategy reaches more schedules",
    )


def _fail_for_a_value(model: Model, stmt: Stmt) -> None:
    for value in stmt.sets:
        if not isinstance(model.program.body, Term) or model.program.values[value].comb is not None:
            continue
        scopes = [t for t in model.program.body.walk() if t.head == "let" and t.args[:2] == (value, HOME)]
        if scopes:
            what = f"`{value}` is used after what it was made from may have changed, or more than once"
            hint = "store it to a buffer of its own and load it from there"
            message = f"{what}; the strategy has no rule that keeps such a value in a memory of"
            fail("COST002", f"{message} `{model.arch.name}`", stmt.position, hint)


def _fail_for_an_operation(arch: Arch, stmt: Stmt) -> None:
    """A statement none of whose machine's units performs every operation: the one that is missing."""
    units, needed = tuple(arch.compute.values()), needs(stmt)
    if any(all(unit.supports(kind, of) for _, kind, of in needed) for unit in units):
        return
    able = {step.name: [u for u in units if u.supports(kind, of)] for step, kind, of in needed}
    for step, kind, of in needed:
        if able[step.name]:
            continue
        lacks = "; ".join(
            f"`{u.name}` has " + ("no such class" if kind not in u.ops else f"no {of}") for u in units
        )
        what = f"`{_operation(step)}` needs a unit for operations of class `{kind}` on {of}"
        message = f"{what}; `{arch.name}` has none: {lacks or 'it does not compute at all'}"
        offers = [f"{u.name}: {', '.join(u.ops)} on {', '.join(u.lane_counts)}" for u in units]
        hint = "its units perform " + "; ".join(offers) if offers else "give it a compute unit"
        fail("ARCH023", message, step.position if step.position.line else stmt.position, hint)
    rows = [f"`{_operation(step)}` on {', '.join(u.name for u in able[step.name])}" for step, _, _ in needed]
    message = f"no single unit of `{arch.name}` performs all operations of this statement: "
    hint = "store what lies between them to a buffer, and load it from there"
    fail("ARCH023", message + "; ".join(dict.fromkeys(rows)), stmt.position, hint)


def _operation(step: Let) -> str:
    return str(step.expr.args[0]) if step.expr.head == "op" else step.expr.head


def _fail_for_a_kind(model: Model, stmt: Stmt) -> None:
    """A statement that no rule brings to a unit: it makes or uses a value that lives in no memory."""
    if Levels(model.program, model.arch, stmt).unit is not None:
        return
    reductions = [v for v in stmt.sets if v in stmt.folds]
    if reductions:
        comb = model.program.values[reductions[0]].comb
        product = next((step for step in stmt.lets if step.expr.head == "contract"), None)
        kind = "contraction" if product else "reduction"
        what = f"a {kind} (into `{reductions[0]}` with `{comb}`)"
    elif stmt.sets:
        what = f"`{stmt.sets[0]}`, a value that later statements or iterations use,"
    elif stmt.gets:
        what = f"a statement that uses `{stmt.gets[0]}`, a value computed elsewhere,"
    else:
        what = "this statement"
    hint = "`tilesat reference` runs it; README.md (Limits) says which kernels compile"
    message = f"{what} is not scheduled yet: no rule of the strategy brings it to a unit of"
    fail("COST002", f"{message} `{model.arch.name}`", stmt.position, hint)


def _fail_for_a_tile(model: Model, stmt: Stmt) -> None:
    """A statement that reads and overwrites one buffer, whose tile cannot be cut and finds no room."""
    program, arch = model.program, model.arch
    meet = Conflicts(program).may_meet
    at = {x: (program.accesses[x].view, program.accesses[x].at) for x in (*stmt.loads, *stmt.stores)}
    overlaps = any(meet(x, z) and at[x] != at[z] for x in stmt.loads for z in stmt.stores)
    if not overlaps and not any(c.source == c.sink == stmt.name for c in program.carried):
        return
    homes = {arch.home(program.views[program.accesses[x].view].space) for x in at}
    direct = any(
        len(arch.hops(home, unit)) == 1 for unit in arch.compute for home in homes if arch.reaches(home, unit)
    )
    place = (
        f"`{arch.name}` has no memory to hold it" if direct else f"`{arch.name}` has no room for all of it"
    )
    message = f"a tile is loaded whole before what it may overlap is stored; {place}"
    hint = "store to another buffer, let the tile not overlap, or make it smaller"
    fail("COST002", message, stmt.position, hint)


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
