"""KTIR → ScheduleIR: one statement per store, expressions inlined over versioned loads, plain body.

`lift` covers kernels without loop-carried tensors, reductions and inter-tile ops; anything else that
is legal KTIR is LIFT001 with its place. Faults: LIFT001 (not supported yet), LIFT002 (no such entry).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..diagnostics import fail
from ..ktir import ir
from ..options import Options
from .dependences import Touched, carried
from .index import Index, add, bounds, call, mul, names, sub
from .lift_index import IndexLift, is_integer
from .lift_memory import Declarations, unsupported
from .lift_plan import Plan, plan
from .lift_tensor import Builder, element, extents, semantics
from .program import Axis, Program, Stmt, Value
from .sexpr import Expr, Term

__all__ = ["entry_function", "lift"]


def lift(module: ir.Module, entry: str | None = None, options: Options | None = None) -> Program:
    """The plain program of a kernel: its loops around `(exec s box home)`.

    `entry` names the function when the module has several.
    """
    function = entry_function(module, entry)
    lifter = _Lifter(function, options or Options())
    return lifter.program()


def entry_function(module: ir.Module, entry: str | None = None) -> ir.Op:
    """The kernel: the function called `entry`, or the only one. LIFT002 when that is not one function."""
    functions = module.functions()
    found = [f for f in functions if entry is None or f.attributes["sym_name"] == entry]
    if len(found) != 1:
        known = ", ".join(str(f.attributes["sym_name"]) for f in functions) or "none"
        what = f"no function `{entry}`" if entry else f"{len(found)} functions"
        fail("LIFT002", f"{what} in the module", module.op.position, f"give --entry; functions: {known}")
    return found[0]


@dataclass
class _Step:
    """Part of a block, in order: a statement, a finished term, or a value that the rest may use."""

    term: Expr = "skip"
    builder: Builder | None = None
    stmt: Stmt | None = None
    value: str | None = None


@dataclass
class _Lifter:
    function: ir.Op
    options: Options
    declare: Declarations = field(init=False)
    plan: Plan = field(init=False)
    values: dict[ir.Value, str] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)  # loop axes around the current block
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of each statement
    grid: tuple[int, ...] = (1,)

    def program(self) -> Program:
        self._frame()
        block = self.function.regions[0].blocks[0]
        if len(self.function.regions[0].blocks) != 1:
            unsupported("a function with several basic blocks", self.function.position)
        self.plan = plan(block, self.declare, self.options.may_alias)
        body = self._block(block)
        declare = self.declare
        program = Program(
            name=str(self.function.attributes["sym_name"]),
            body=body,
            grid=self.grid,
            grid_order="first" if self.options.grid_order == "first-fastest" else "last",
            args=self._arguments(block),
            axes=declare.axes(),
            views=declare.views,
            accesses=declare.accesses,
            values=declare.values,
            stmts=declare.stmts,
        )
        touched = [Touched(s, self.paths[s]) for s in program.stmts]
        dependences = carried(program, touched, self.options.may_alias)
        object.__setattr__(program, "carried", dependences)
        return program

    # --- frame ------------------------------------------------------------------------------------------

    def _frame(self) -> None:
        grid = self.function.attributes.get("grid", [1])
        self.grid = tuple(int(getattr(g, "value", g)) for g in grid)
        ranges: dict[str, tuple[int | None, int | None]] = {
            f"tile{k}": (0, extent - 1) for k, extent in enumerate(self.grid)
        }
        self.declare = Declarations(self.options, IndexLift(ranges), ranges)
        self.declare.names |= {*ranges, "tile"}
        index = self.declare.index
        for arg in self.function.regions[0].blocks[0].args:
            name = self.declare.unique(arg.name)
            index.env[arg] = name
            if str(arg.type) == "index" or isinstance(arg.type, ir.MemRef):
                self.declare.arguments.add(name)
            elif not is_integer(arg.type):
                self.declare.scalars.add(name)
        for op in self.function.walk():
            if semantics(op.name) == "tile_id":
                self._tile_id(op)
            elif semantics(op.name) == "runtime_arg":
                self._runtime_arg(op)

    def _tile_id(self, op: ir.Op) -> None:
        if len(op.results) > len(self.grid):
            what = f"{len(op.results)} tile coordinates on a grid of rank {len(self.grid)}"
            unsupported(what, op.position, "give the function a grid attribute of that rank")
        for k, result in enumerate(op.results):
            self.declare.index.env[result] = f"tile{k}" if self.grid[k] > 1 else 0

    def _runtime_arg(self, op: ir.Op) -> None:
        source = op.operands[0]
        kind = str(getattr(op.attributes["kind"], "text", op.attributes["kind"]))
        assert isinstance(source.type, ir.RuntimeArg)
        index: Index | None = self.declare.index.env[source]
        if kind != "value" and kind != "0":
            index = source.type.granularity if kind in ("granularity", "1") else source.type.upperbound
        assert index is not None
        self.declare.index.env[op.result] = index
        if kind in ("value", "0") and source.type.upperbound is not None:
            self.declare.ranges[str(index)] = (0, source.type.upperbound)

    def _arguments(self, block: ir.Block) -> dict[str, str]:
        """Argument types in call order; an index argument that is no buffer's address is a `size`."""
        found: dict[str, str] = {}
        for arg in block.args:
            name = str(self.declare.index.env[arg])
            kind = element(arg.type.element if isinstance(arg.type, ir.RuntimeArg) else arg.type)
            if isinstance(arg.type, ir.MemRef):
                kind = "index"
            elif kind == "index" and name not in self.declare.roots:
                kind = "size"
            found[name] = kind
        return found

    # --- blocks -----------------------------------------------------------------------------------------

    def _block(self, block: ir.Block) -> Expr:
        steps: list[_Step] = []
        for op in block.ops:
            steps += self._op(op, steps)
            for result in op.results:
                if result in self.plan.kept:
                    steps.append(self._keep(op, result))
        return _sequence(steps)

    def _op(self, op: ir.Op, before: list[_Step]) -> Iterator[_Step]:
        match semantics(op.name):
            case "store":
                yield from self._store(op, before)
            case "for":
                yield _Step(self._loop(op))
            case "if":
                yield _Step(self._when(op))
            case "execute_region":
                yield _Step(self._block(op.regions[0].blocks[0]))
            case "yield":
                pass
            case _ if op.regions and not self.plan.is_pure(op):
                unsupported(op.name, op.position)
            case _ if not op.results and op.name != "func.return" and op not in self.declare.written.values():
                unsupported(op.name, op.position)

    def _loop(self, op: ir.Op) -> Expr:
        if op.results:
            unsupported("scf.for with loop-carried values", op.position)
        low, high, step = (self.declare.require(v, op.position, "a loop bound") for v in op.operands[:3])
        block = op.regions[0].blocks[0]
        trips = self._trips(op, low, high, step)
        if trips == 0:
            return "skip"
        axis = self._axis(block.args[0], low, step, trips)
        self.path.append(axis.name)
        body = self._block(block)
        self.path.pop()
        if body == "skip":
            del self.declare.loops[axis.name]
            return "skip"
        return Term("loop", (axis.name, trips, body))

    def _trips(self, op: ir.Op, low: Index, high: Index, step: Index) -> Index:
        ranges = self.declare.ranges
        trips = call("ceildiv", sub(high, low), step, ranges=ranges)
        lowest = bounds(trips, ranges)[0]
        if lowest is None or lowest < 0:
            trips = call("max", trips, 0, ranges=ranges)
        varying = names(trips) & {*self.path}
        if varying:
            what = f"a loop whose trip count varies with the loop over {', '.join(sorted(varying))}"
            unsupported(what, op.position)
        return trips

    def _axis(self, iv: ir.Value, low: Index, step: Index, trips: Index) -> Axis:
        """The loop's axis. What cannot be the axis's own start and step goes into the coordinates."""
        name = self.declare.unique(iv.name)
        top = bounds(trips, self.declare.ranges)[1]
        last = None if top is None else max(top - 1, 0)
        if isinstance(step, int) and step > 0 and not names(low) & {*self.path}:
            axis = Axis(name, low, step, trips)
            value: Index = name
            start, end = bounds(low, self.declare.ranges)
            reach = None if last is None or end is None else end + step * last
            self.declare.ranges[name] = (start, reach)
        else:
            axis = Axis(name, 0, 1, trips)
            self.declare.ranges[name] = (0, last)
            value = add(low, mul(step, name))
        self.declare.loops[name] = axis
        self.declare.index.env[iv] = value
        return axis

    def _when(self, op: ir.Op) -> Expr:
        if op.results:
            unsupported("scf.if with results", op.position)
        condition = self.declare.require(op.operands[0], op.position, "a condition")
        taken = self._block(op.regions[0].blocks[0])
        branches: list[tuple[Index, Expr]] = [(condition, taken)]
        if len(op.regions) > 1 and op.regions[1].blocks:
            negated = call("not", condition, ranges=self.declare.ranges)
            branches.append((negated, self._block(op.regions[1].blocks[0])))
        terms: list[Expr] = []
        for c, body in branches:
            if body != "skip" and c != 0:
                terms.append(body if isinstance(c, int) else Term("when", (c, body)))
        return _sequence([_Step(t) for t in terms])

    # --- statements -------------------------------------------------------------------------------------

    def _store(self, op: ir.Op, before: list[_Step]) -> Iterator[_Step]:
        last = before[-1] if before else None
        if last is not None and last.builder is not None and last.stmt is not None:
            joined = self._join(op, last)
            if joined is not None:
                last.stmt, last.builder = joined
                last.term = self._exec(last.stmt)
                return
        builder = Builder(self.declare, self.values)
        effect = self._effect(op, builder)
        name = self.declare.unique(f"s{len(self.declare.stmts)}")
        stmt = Stmt(name, tuple(builder.lets), (effect,), op.position)
        yield _Step(self._declare_stmt(stmt), builder, stmt)

    def _effect(self, op: ir.Op, builder: Builder) -> Term:
        value, target = op.operands
        shape = extents(value.type)
        if None in shape:
            unsupported("a tile with run-time extents", op.position)
        idx = self.declare.tile_indices([e or 0 for e in shape])
        stored = builder.pull(value, idx, {})
        tile = self.declare.tile(target, op.position)
        return Term("store", (self.declare.access(op, tile, idx, f"{tile.view}_out"), stored))

    def _join(self, op: ir.Op, last: _Step) -> tuple[Stmt, Builder] | None:
        """The previous statement with this store added: same domain, something in common, no read of
        what it stores."""
        assert last.builder is not None and last.stmt is not None
        builder = last.builder.copy()
        accesses, dims = {*self.declare.accesses}, {*self.declare.dims}
        effect = self._effect(op, builder)
        stmt = Stmt(last.stmt.name, tuple(builder.lets), (*last.stmt.effects, effect), last.stmt.position)
        loads = [x for x in stmt.loads if x not in last.stmt.loads]
        conflict = any(self.plan.same_buffer(x, y) for x in loads for y in last.stmt.stores)
        same_domain = self._domain(stmt) == self._domain(last.stmt)
        if builder.shared and same_domain and not conflict:
            return stmt, builder
        for name in {*self.declare.accesses} - accesses:
            self.declare.forget(name)
        for key in {*self.declare.dims} - dims:
            self.declare.names.discard(self.declare.dims.pop(key).name)
        return None

    def _keep(self, op: ir.Op, result: ir.Value) -> _Step:
        """A statement that computes an SSA value once, into a ScheduleIR value."""
        shape = extents(result.type)
        if None in shape:
            unsupported("a tile with run-time extents", op.position)
        idx = self.declare.tile_indices([e or 0 for e in shape])
        builder = Builder(self.declare, self.values)
        bound = builder.pull(result, idx, {})
        name = self.declare.unique(f"{result.name}_kept")
        axes = tuple(str(i) for i in idx if i != 0)
        self.declare.values[name] = Value(name, axes, element(result.type))
        stmt_name = self.declare.unique(f"s{len(self.declare.stmts)}")
        stmt = Stmt(stmt_name, tuple(builder.lets), (Term("set", (name, bound)),), op.position)
        self.values[result] = name
        return _Step(self._declare_stmt(stmt), value=name)

    def _declare_stmt(self, stmt: Stmt) -> Term:
        self.declare.stmts[stmt.name] = stmt
        self.paths[stmt.name] = tuple(self.path)
        return self._exec(stmt)

    def _exec(self, stmt: Stmt) -> Term:
        self.declare.stmts[stmt.name] = stmt
        loops = self.declare.loops
        axes = self.declare.axes()
        box = [Term(a, (1 if a in loops else axes[a].trips,)) for a in self._domain(stmt)]
        return Term("exec", (stmt.name, Term("box", tuple(box)), "home"))

    def _domain(self, stmt: Stmt) -> tuple[str, ...]:
        declare = self.declare
        known = Program("", axes=declare.axes(), accesses=declare.accesses, values=declare.values)
        return known.in_order(known.domain_of(stmt))


def _sequence(steps: list[_Step]) -> Expr:
    """Steps one after the other; a step with a value scopes over those that follow."""
    term: Expr = "skip"
    for step in reversed(steps):
        if step.value is not None:
            term = Term("let", (step.value, "home", step.term, term))
        elif step.term != "skip":
            term = step.term if term == "skip" else Term("seq", (step.term, term))
    return term
