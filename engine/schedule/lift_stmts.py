"""Making statements: stores, values computed once, folds into accumulators, updates of carried values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..diagnostics import Position
from ..ktir import ir
from ..numerics import ScalarOp, dtype, identity_value
from .lift_axes import Anchors
from .lift_memory import Declarations
from .lift_plan import Plan
from .lift_reduce import Reduction, accumulator_type, reduction_dims, reduction_of
from .lift_tensor import WIDEN, Builder, Idx, Kept, affine_indices, element, semantics
from .program import Program, Stmt, Value
from .sexpr import Expr, Term

__all__ = ["Statements", "Step", "sequence"]


@dataclass
class Step:
    """Part of a block, in order: a statement, a finished term, or (`bind`: let or acc) the start of the
    scope of a value, whose producer is `term` and which reaches to the end of the block."""

    term: Expr = "skip"
    builder: Builder | None = None
    stmt: Stmt | None = None
    bind: str = ""
    value: str = ""


def sequence(steps: Sequence[Step]) -> Expr:
    """Steps one after the other."""
    term: Expr = "skip"
    for step in reversed(steps):
        if step.bind == "acc":
            term = Term("acc", (step.value, "home", term))
        elif step.bind:
            term = Term("let", (step.value, "home", step.term, term))
        elif step.term != "skip":
            term = step.term if term == "skip" else Term("seq", (step.term, term))
    return term


@dataclass
class Statements:
    declare: Declarations
    plan: Plan
    values: dict[ir.Value, Kept] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)  # loop axes around the current block
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of each statement
    anchors: Anchors = field(init=False)

    def __post_init__(self) -> None:
        self.anchors = Anchors(self.declare, self.values)

    def builder(self) -> Builder:
        return Builder(self.declare, self.values)

    # --- stores -----------------------------------------------------------------------------------------

    def store(self, op: ir.Op, before: list[Step]) -> list[Step]:
        """The steps of a store: none when it joins the statement before it."""
        last = before[-1] if before else None
        if last is not None and last.builder is not None and last.stmt is not None:
            joined = self._join(op, last)
            if joined is not None:
                last.stmt, last.builder = joined
                last.term = self._exec(last.stmt)
                return []
        builder = self.builder()
        effect = self._effect(op, builder)
        stmt = self._statement(builder, [effect], op.position)
        return [Step(self._exec(stmt), builder, stmt)]

    def _effect(self, op: ir.Op, builder: Builder) -> Term:
        value, target = op.operands
        idx = self.anchors.indices(value)
        stored = builder.pull(value, idx, {})
        tile = self.declare.tile(target, op.position)
        return Term("store", (self.declare.access(op, tile, idx, f"{tile.view}_out"), stored))

    def _join(self, op: ir.Op, last: Step) -> tuple[Stmt, Builder] | None:
        """The previous statement with this store added: same domain, something in common, no read of
        what it stores."""
        assert last.builder is not None and last.stmt is not None
        builder = last.builder.copy()
        accesses, dims = {*self.declare.accesses}, {*self.declare.dims}
        effect = self._effect(op, builder)
        stmt = Stmt(last.stmt.name, tuple(builder.lets), (*last.stmt.effects, effect), last.stmt.position)
        loads = [x for x in stmt.loads if x not in last.stmt.loads]
        conflict = any(self.plan.same_buffer(x, y) for x in loads for y in last.stmt.stores)
        if builder.shared and self._domain(stmt) == self._domain(last.stmt) and not conflict:
            return stmt, builder
        for name in [x for x in self.declare.accesses if x not in accesses]:
            self.declare.forget(name)
        for key in [d for d in self.declare.dims if d not in dims]:
            self.declare.used.discard(self.declare.dims.pop(key).name)
        return None

    # --- values -----------------------------------------------------------------------------------------

    def keep(self, op: ir.Op, result: ir.Value) -> list[Step]:
        """Compute an SSA value once, into a ScheduleIR value."""
        if reduction_dims(op):
            return self._reduce(reduction_of(op), result)
        idx = self.anchors.axes(result)
        builder = self.builder()
        bound = builder.pull(result, idx, {})
        kept = self.declare_value(result, idx, element(result.type))
        stmt = self._statement(builder, [Term("set", (kept.name, bound))], op.position)
        return [Step(self._exec(stmt), bind="let", value=kept.name)]

    def declare_value(
        self, of: ir.Value, idx: Idx, kind: str, comb: ScalarOp | None = None, init: int | float | None = None
    ) -> Kept:
        """A new ScheduleIR value for an SSA value."""
        name = self.declare.unique(f"{of.name}_kept")
        axes = tuple(str(i) for i in idx if i != 0)
        self.declare.values[name] = Value(name, axes, kind, init, comb.name if comb else None)
        kept = self.values[of] = Kept(name, idx, kind)
        return kept

    def _reduce(self, r: Reduction, result: ir.Value) -> list[Step]:
        """An accumulator, started from the initial value, and the statement that folds into it."""
        dims = self.anchors.iteration(r.op)
        idx = affine_indices(r.maps[-1], dims, self.declare)
        kind = accumulator_type(element(result.type), r.comb, self.declare.options)
        builder = self.builder()
        folded = self._folded(r, dims, builder, kind)
        start = self.start(r.init, r.comb, kind)
        kept = self.declare_value(result, idx, kind, r.comb, start)
        steps = self._started(kept, r.init, start, r.op.position)
        stmt = self._statement(builder, [Term("fold", (kept.name, folded))], r.op.position)
        return [*steps, Step(self._exec(stmt))]

    def fold(self, r: Reduction, kept: Kept) -> Step:
        """Fold a reduction into a value that is in scope already."""
        builder = self.builder()
        kind = accumulator_type(kept.dtype, r.comb, self.declare.options)
        folded = self._folded(r, self.anchors.iteration(r.op), builder, kind)
        stmt = self._statement(builder, [Term("fold", (kept.name, folded))], r.op.position)
        return Step(self._exec(stmt))

    def fold_value(self, value: ir.Value, kept: Kept, where: Position) -> Step:
        """Fold a tensor into a value that is in scope already."""
        builder = self.builder()
        folded = builder.pull(value, kept.idx, {})
        stmt = self._statement(builder, [Term("fold", (kept.name, folded))], where)
        return Step(self._exec(stmt))

    def _folded(self, r: Reduction, dims: Idx, builder: Builder, kind: str) -> str:
        axes = [dims[d] for d in r.over if dims[d] != 0]
        if r.factors is not None and len(axes) == 1:
            a, b = (builder.inside(r.op, f, r.maps, dims) for f in r.factors)
            return builder.bind((r.op, "contract"), "products", kind, Term("contract", (axes[0], a, b)))
        folded = builder.inside(r.op, r.folded, r.maps, dims)
        if kind != element(r.folded.type):
            folded = builder.bind((r.op, "wide"), "wide", kind, Term("op", (WIDEN, folded)))
        return folded

    def start(self, init: ir.Value, comb: ScalarOp, kind: str) -> int | float | None:
        """The number an accumulator starts from, when it is the same everywhere: a constant, or the
        combiner's identity for a bare tensor.empty."""
        value, seen = init, 0
        while isinstance(value.owner, ir.Op) and seen < 20:
            op, seen = value.owner, seen + 1
            match semantics(op.name):
                case "empty" if value not in self.declare.written and comb.combiner is not None:
                    number = identity_value(comb.combiner, dtype(kind)).item()
                    return float(number) if dtype(kind).is_float else int(number)
                case "fill" | "splat" | "broadcast" | "reshape" | "identity" | "transpose":
                    value = op.operands[0]
                case "constant":
                    builder = self.builder()
                    builder.pull(value, self.anchors.default(value), {})
                    number = builder.lets[0].expr.args[0]
                    return number if isinstance(number, int | float) else None
                case _:
                    return None
        return None

    def _started(self, kept: Kept, init: ir.Value, start: int | float | None, where: Position) -> list[Step]:
        """Bring a value into scope with its initial contents."""
        if start is not None:
            return [Step(bind="acc", value=kept.name)]
        builder = self.builder()
        first = builder.pull(init, kept.idx, {})
        if kept.dtype != element(init.type):
            first = builder.bind((init, "wide"), "wide", kept.dtype, Term("op", (WIDEN, first)))
        stmt = self._statement(builder, [Term("set", (kept.name, first))], where)
        return [Step(self._exec(stmt), bind="let", value=kept.name)]

    def begin(
        self, of: ir.Value, init: ir.Value, idx: Idx, comb: ScalarOp | None, where: Position
    ) -> tuple[Kept, list[Step]]:
        """A value carried by a loop, in scope with its initial contents; `comb` if it is only folded into."""
        kind = element(of.type)
        start = self.start(init, comb, kind) if comb is not None else None
        kept = self.declare_value(of, idx, kind, comb, start)
        return kept, self._started(kept, init, start, where)

    def update(self, targets: list[tuple[Kept, ir.Value]], where: Position) -> Step:
        """Set carried values to new contents, all at once."""
        builder = self.builder()
        effects = [Term("set", (kept.name, builder.pull(v, kept.idx, {}))) for kept, v in targets]
        stmt = self._statement(builder, effects, where)
        return Step(self._exec(stmt))

    def unkept(self, steps: list[Step]) -> list[Step]:
        """The steps of a block, without values that hold just what the next statement can load itself.

        A load is kept when a store comes between it and a use. Where that store and that use became effects
        of one statement, the statement's loads come before them anyway.
        """
        steps = list(steps)
        for k in reversed(range(len(steps) - 1)):
            merged = self._loading(steps[k], steps[k + 1])
            if merged is not None:
                steps[k : k + 2] = [merged]
        return steps

    def _loading(self, first: Step, second: Step) -> Step | None:
        """`second` with the load that `first` keeps for it alone; None when it is something else."""
        if first.bind != "let" or second.bind or second.stmt is None:
            return None
        name = first.term.args[0] if isinstance(first.term, Term) and first.term.head == "exec" else None
        source, user = self.declare.stmts.get(str(name)), second.stmt
        if source is None or [x.expr.head for x in source.lets] != ["load"] or len(source.effects) != 1:
            return None
        others = (s for s in self.declare.stmts.values() if s not in (source, user))
        got = [x for x in user.lets if x.expr == Term("get", (first.value,))]
        if len(got) != 1 or any(first.value in (*s.gets, *s.sets) for s in others):
            return None
        expr = source.lets[0].expr
        lets = tuple(replace(x, expr=expr) if x is got[0] else x for x in user.lets)
        stmt = replace(user, lets=lets)
        if self._domain(stmt) != self._domain(user):
            return None
        del self.declare.stmts[source.name], self.declare.values[first.value]
        self.paths.pop(source.name, None)
        return replace(second, term=self._exec(stmt), stmt=stmt)

    # --- statements -------------------------------------------------------------------------------------

    def _statement(self, builder: Builder, effects: list[Term], where: Position) -> Stmt:
        name = self.declare.unique(f"s{len(self.declare.stmts)}")
        stmt = Stmt(name, tuple(builder.lets), tuple(effects), where)
        self.paths[name] = tuple(self.path)
        self.declare.stmts[name] = stmt
        return stmt

    def _exec(self, stmt: Stmt) -> Term:
        self.declare.stmts[stmt.name] = stmt
        loops, axes = self.declare.loops, self.declare.axes()
        box = [Term(a, (1 if a in loops else axes[a].trips,)) for a in self._domain(stmt)]
        return Term("exec", (stmt.name, Term("box", tuple(box)), "home"))

    def _domain(self, stmt: Stmt) -> tuple[str, ...]:
        declare = self.declare
        known = Program("", axes=declare.axes(), accesses=declare.accesses, values=declare.values)
        return known.in_order(known.domain_of(stmt))
