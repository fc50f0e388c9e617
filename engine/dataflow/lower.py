"""ScheduleIR → DataflowIR: a staged term becomes one program per unit kind (docs/lowering.md §1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..arch.model import Arch
from ..diagnostics import Position, fail
from ..ktir.ir import Block, FunctionType, Module, Op, Raw, Region, Scalar, Typed, Value
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Term
from .builder import FunctionBuilder
from .instances import Instances
from .packing import pack
from .plan import Plan
from .planner import Planner
from .projection import Projection
from .signals import assign_channels, plan_signals

__all__ = ["lower"]

_SI64 = Scalar("si64")


def _argument(kind: str) -> Scalar:
    """The type of an argument; a `size` is an index that is no buffer's address."""
    return Scalar("index" if kind == "size" else kind)


def lower(program: Program, arch: Arch, body: Expr | None = None) -> Module:
    """The DataflowIR of a fully staged term (default: the program's body).

    The module holds a declaration module, which calls the programs in order, and one module per program.
    Raises DFLOW… when the term is not staged for `arch`, does not fit its memories, or uses what is not
    lowered.
    """
    parts = list(_programs(program.body if body is None else body, program.name))
    modules = [_program_module(name, program, arch, part) for name, part in parts]
    top = Block([], [_declarations(program, [name for name, _ in parts]), *modules])
    return Module(Op("builtin.module", regions=[Region([top])]), file=f"{program.name}.mlir")


def _programs(body: Expr, kernel: str) -> Iterator[tuple[str, Expr]]:
    """The units of launch, in order: `(program NAME S)` joined by `seq`, else the whole term as one."""
    found = list(_launches(body))
    if not found:
        yield f"{kernel}_0", body
        return
    for k, part in enumerate(found):
        if not isinstance(part, Term) or part.head != "program":
            message = "beside a `(program …)` there is work that belongs to no program"
            fail("DFLOW002", message, Position(kernel), "put every part into a program")
        yield f"{kernel}_{k}", part.args[1]


def _launches(body: Expr) -> Iterator[Expr]:
    if isinstance(body, Term) and body.head == "program":
        yield body
    elif isinstance(body, Term) and body.head == "seq" and any(t.head == "program" for t in body.walk()):
        for a in body.args:
            found = list(_launches(a))
            yield from found or [a]


def make_plan(name: str, program: Program, arch: Arch, body: Expr) -> tuple[Plan, Instances]:
    """The tree with addresses, signals and channels."""
    plan = Planner(arch, program).plan(name, body)
    instances = Instances(arch, program.grid, program.grid_order, plan.active, Position(program.name))
    packing = pack(plan, arch, instances)
    home = {a: arch.home(program.views[x.view].space) for a, x in program.accesses.items()}
    plan_signals(plan, packing, home, instances)
    assign_channels(plan, instances)
    return plan, instances


def _program_module(name: str, program: Program, arch: Arch, body: Expr) -> Op:
    plan, instances = make_plan(name, program, arch, body)
    function = FunctionBuilder(instances)
    units = [Projection(arch, plan, function, u).build() for u in arch.units if u in plan.root.units]
    ops = [*function.prologue(), *units, Op("func.return")]
    attributes = {"grid": [instances.tiles]}
    inner = _module([_function(f"{name}_body", (), ops, attributes)])
    entry = _entry(name, program)
    return _module([_declaration(f"{name}_body", FunctionType((), ())), entry, inner], name)


def _entry(name: str, program: Program) -> Op:
    """The program's function: it says which symbol each argument is, and calls the body."""
    args = [Value(a, _argument(t)) for a, t in program.args.items()]
    ops = [
        Op("symbol.create_id", [v], attributes={"symbol_id": Typed(-(k + 1), _SI64)})
        for k, v in enumerate(args)
    ]
    ops += [Op("func.call", attributes={"callee": Raw(f"@{name}_body")}), Op("func.return")]
    return _function(name, args, ops, {})


def _declarations(program: Program, names: list[str]) -> Op:
    args = [Value(a, _argument(t)) for a, t in program.args.items()]
    ops = [Op("func.call", list(args), attributes={"callee": Raw(f"@{n}")}) for n in names]
    kernel = _function(program.name, args, [*ops, Op("func.return")], {"grid": list(program.grid)})
    kind = FunctionType(tuple(map(_argument, program.args.values())), ())
    return _module([kernel, *(_declaration(n, kind) for n in names)])


def _module(ops: list[Op], name: str | None = None) -> Op:
    attributes = {"sym_name": name} if name else {}
    return Op("builtin.module", attributes=attributes, regions=[Region([Block([], ops)])])


def _function(
    name: str, args: list[Value] | tuple[()], ops: list[Op], attributes: Mapping[str, object]
) -> Op:
    block = Block(list(args), ops)
    for k, v in enumerate(block.args):
        v.owner, v.index = block, k
    kind = FunctionType(tuple(v.type for v in args), ())
    return Op(
        "func.func",
        attributes={"sym_name": name, "function_type": kind, **attributes},
        regions=[Region([block])],
    )


def _declaration(name: str, kind: FunctionType) -> Op:
    attributes = {"sym_name": name, "function_type": kind, "sym_visibility": "private"}
    return Op("func.func", attributes=attributes, regions=[Region()])
