"""DataflowIR → SpyreCode: one program per unit kind, one binary, its job plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..arch import Arch, Unit
from ..diagnostics import Position, TilesatError, fail
from ..ktir import ir
from ..numerics import dtype
from .blocks import IntReg, Node, VecReg
from .coalesce import drop_unused
from .container import pack, section_range, unpack
from .context import Context, Divergent, Pool
from .control import Walk
from .debug import line_table
from .emission import Tables
from .isa import isa
from .machine import Machine, machine
from .parameters import declared_parameters, symbol_arguments
from .plan import Job, build_plan
from .registers import Exhausted, allocate
from .values import Place

__all__ = ["BINARY", "SpyreCode", "assemble"]

BINARY = "init_binary.bin"
_SHARED = {"dataflow.get_unit", "arith.constant"}


@dataclass(frozen=True, slots=True)
class SpyreCode:
    """A compiled kernel: the program file, the job plans (`spyrecode.json`), source lines of the words."""

    name: str
    binary: bytes
    plan: Mapping[str, Any]
    debug: Mapping[str, Any]

    @property
    def hcm(self) -> Mapping[str, Any]:
        """Host compute metadata: how symbols are filled at launch; empty when addresses are baked."""
        steps = self.plan["JobExecPlan"]
        return next((s["properties"]["hcm"] for s in steps if s["command"] == "ComputeOnHost"), {})


def assemble(
    module: ir.Module,
    arch: Arch,
    name: str | None = None,
    arguments: Sequence[Mapping[str, str]] = (),
) -> SpyreCode:
    """Assemble a DataflowIR module for `arch`.

    `arguments`: what a launch must be given (`Parameter.as_json`), kept in the host-compute metadata; by
    default as far as the module's declarations tell.
    Raises SPY0xx for what the program format cannot express.
    """
    functions = _kernels(module)
    title = name or str(functions[0].attributes.get("sym_name", "kernel")).removesuffix("_body")
    given = list(arguments) or [p.as_json() for p in declared_parameters(module, title)]
    types = {i: a["dtype"] for i, a in enumerate(given) if a.get("kind") == "scalar" and "dtype" in a}
    known = symbol_arguments(module)
    binary, jobs, lines = b"", [], []
    for function in functions:
        pool = Pool(types, known)
        program, positions = _assembled(function, machine(arch), pool, module)
        offset, size = section_range(unpack(program), "symbols")
        jobs.append(Job(len(binary), len(binary) + offset, size, tuple(pool.symbols.values())))
        binary += program
        lines += positions
    return SpyreCode(title, binary, build_plan(title, len(binary), jobs, given, BINARY), line_table(lines))


def _assembled(
    function: ir.Op, numbering: Machine, pool: Pool, module: ir.Module
) -> tuple[bytes, list[Position]]:
    """One program file, and the source of each of its words."""
    tables = Tables()
    shared, rest = _shared_values(function, numbering)
    for unit, places, op in _programs(function, shared, numbering):
        instances = [p.instance for p in places]
        programs = _Program(numbering, unit, op, shared, rest, pool)
        try:
            programs.add(places, instances, tables)
        except Divergent:
            for place in places:
                programs.add_alone(place, tables)
    _check_space(tables, numbering, module)
    return pack(numbering.fingerprint, tables.sections(pool)), tables.lines


def _kernels(module: ir.Module) -> list[ir.Op]:
    """The functions that hold unit programs, in the order in which they are launched (that of the file)."""
    functions = module.functions()
    found = [f for f in functions if any(o.name == "dataflow.program_unit" for o in f.walk())]
    # A kernel without effects lowers to a program in which no unit has anything to do.
    found = found or [f for f in functions if "grid" in f.attributes and len(f.regions[0].blocks[0].ops) == 1]
    if not found:
        position = Position(module.file, 1, 1)
        hint = "units' programs are dataflow.program_unit ops in a function"
        fail("SPY050", "the module has no dataflow.program_unit: there is nothing to run", position, hint)
    return found


def _shared_values(function: ir.Op, numbering: Machine) -> tuple[dict[ir.Value, Any], list[ir.Op]]:
    """Units and constants of the function, evaluated once; and its other ops, evaluated in every program."""
    some = next(iter(numbering.arch.units.values()))
    context = Context(numbering, some, (), Pool())
    walk = Walk(context)
    rest = []
    for op in function.regions[0].blocks[0].ops:
        if op.name in _SHARED:
            walk.op(op)
        elif op.name not in ("dataflow.program_unit", "func.return"):
            rest.append(op)
    return context.values, rest


def _programs(
    function: ir.Op, shared: Mapping[ir.Value, Any], numbering: Machine
) -> list[tuple[Unit, list[Place], ir.Op]]:
    found = []
    taken: dict[Place, Position] = {}
    for op in function.regions[0].blocks[0].ops:
        if op.name != "dataflow.program_unit":
            continue
        places = [_program_place(v, shared, op) for v in op.operands]
        if not places or len({p.name for p in places}) != 1:
            fail(
                "SPY050",
                "a program_unit needs units, all of one kind",
                op.position,
                "one program_unit per kind",
            )
        for place in places:
            if place in taken:
                what = f"instance {place.instance} of {place.name} has two programs"
                fail("SPY050", what, op.position, f"the other is at {taken[place]}")
            taken[place] = op.position
        found.append((numbering.arch.units[places[0].name], places, op))
    return found


def _program_place(value: ir.Value, shared: Mapping[ir.Value, Any], op: ir.Op) -> Place:
    place = shared.get(value)
    if not isinstance(place, Place) or place.memory:
        fail("SPY050", f"%{value.name} is not a unit that can run a program", op.position)
    return place


@dataclass(slots=True)
class _Program:
    """A program_unit op on one unit kind."""

    numbering: Machine
    unit: Unit
    op: ir.Op
    shared: Mapping[ir.Value, Any]
    rest: list[ir.Op]
    pool: Pool

    def add(self, places: Sequence[Place], instances: Sequence[int], tables: Tables) -> None:
        """Raises Divergent when the instances need different code."""
        nodes, initial = self._generated(places, instances, True)
        if not self._fits(nodes):  # keep constants in registers no longer than needed
            nodes, initial = self._generated(places, instances, False)
            self._allocate_vectors(nodes)
        self._allocate_integers(nodes, initial)
        tables.add_program(self.numbering.units.index(self.unit.name), instances, nodes, initial)

    def add_alone(self, place: Place, tables: Tables) -> None:
        try:
            self.add([place], [place.instance], tables)
        except Divergent as error:
            raise AssertionError("one instance cannot diverge") from error

    def _generated(
        self, places: Sequence[Place], instances: Sequence[int], hoist: bool
    ) -> tuple[list[Node], list[IntReg]]:
        from .values import Places

        context = Context(self.numbering, self.unit, instances, self.pool)
        context.hoist_constants = hoist
        context.values.update(self.shared)
        block = self.op.regions[0].blocks[0] if self.op.regions[0].blocks else ir.Block()
        for argument in block.args:
            context.values[argument] = Places(tuple(places))
        walk = Walk(context)
        needed = self._needed(block)
        walk.ops([op for op in self.rest if any(r in needed for r in op.results)])
        walk.ops(block.ops)
        if context.pending:
            fail("SPY060", "a received vector is never stored", context.pending[0].position)
        context.scalars.top.code += context.scalars.top.tail
        return drop_unused(context.scalars.top.code), context.scalars.initial

    def _needed(self, block: ir.Block) -> set[ir.Value]:
        """The values of the function's other ops that the program uses, directly or through each other."""
        needed = {v for op in block.ops for o in op.walk() for v in o.operands}
        for op in reversed(self.rest):
            if any(r in needed for r in op.results):
                needed.update(op.operands)
        return needed

    def _fits(self, nodes: list[Node]) -> bool:
        try:
            self._try_vectors(nodes)
        except Exhausted:
            return False
        return True

    def _try_vectors(self, nodes: list[Node]) -> None:
        unit = self.unit
        stick = getattr(unit, "vector_bytes", 0)
        sticks = min(getattr(unit, "register_bytes", 0) // stick if stick else 0, isa().vector_registers)

        def size(register: IntReg | VecReg) -> int:
            assert isinstance(register, VecReg)
            return max(1, -(-register.count * dtype(register.dtype).nbytes // stick))

        allocate(nodes, VecReg, range(sticks), size)

    def _allocate_vectors(self, nodes: list[Node]) -> None:
        try:
            self._try_vectors(nodes)
        except Exhausted as error:
            unit = self.unit
            message = (
                f"`{unit.name}` needs {error.needed} vector registers of "
                f"{getattr(unit, 'vector_bytes', 0)} bytes here and has {error.capacity}"
            )
            fail("SPY067", message, error.position, "split the statement, or use smaller boxes")

    def _allocate_integers(self, nodes: list[Node], initial: list[IntReg]) -> None:
        try:
            allocate(nodes, IntReg, range(1, isa().integer_registers), entry=initial)
        except Exhausted as error:
            message = f"the program of `{self.unit.name}` needs more than {error.capacity} integer registers"
            fail("SPY067", message, error.position, "split the kernel")


def _check_space(tables: Tables, numbering: Machine, module: ir.Module) -> None:
    """The programs of one core must fit its program memory."""
    arch = numbering.arch
    per_core: dict[int, dict[int, int]] = {}
    for kind, _, instance, entry, words, _, _ in tables.units:
        group = numbering.unit(kind).group
        inside = numbering.per_grid[group]
        core = instance // inside if inside else 0
        per_core.setdefault(core, {})[entry] = words
    word = isa().sections["code"].dtype.itemsize
    largest = max((sum(p.values()) for p in per_core.values()), default=0) * word
    if largest > arch.limits.program_bytes:
        message = (
            f"the programs of one core take {largest} bytes; `{arch.name}` has {arch.limits.program_bytes}"
        )
        # A lowered module has no file of its own: its operations have places in the kernel's.
        files = (op.position.file for op in module.op.walk() if op.position.line)
        where = Position(next(files, module.file))
        raise TilesatError(_diagnostic("SPY068", message, where))


def _diagnostic(code: str, message: str, position: Position) -> Any:
    from ..diagnostics import Diagnostic

    return Diagnostic(code, message, position, "use larger tiles or fewer statements per kernel")
