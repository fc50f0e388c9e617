"""Lifting control: blocks, loops with and without carried values, conditionals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..ktir import ir
from ..numerics import ScalarOp, scalar_ops
from .index import Index, add, bounds, call, mul, names, sub
from .lift_comm import Promise, combiner_of, group_of, is_any_producer, transfer
from .lift_memory import Declarations, unsupported
from .lift_reduce import Reduction, combined, depends_on, reduction_dims, reduction_of
from .lift_stmts import Statements, Step, sequence
from .lift_tensor import Kept, element, extents, is_terminator, semantics
from .program import Axis, Carried
from .sexpr import Expr, Term

__all__ = ["Blocks"]


@dataclass
class _Carry:
    """One loop-carried value. `fold`: the loop only folds `folded` (or `reduction`) into it."""

    kept: Kept
    arg: ir.Value
    result: ir.Value
    new: ir.Value
    fold: ScalarOp | None = None
    folded: ir.Value | None = None
    reduction: Reduction | None = None


@dataclass
class Blocks:
    declare: Declarations
    make: Statements
    grid: tuple[int, ...]
    carried: list[Carried] = field(default_factory=list)  # dependences through carried values
    promises: dict[ir.Value, Promise] = field(default_factory=dict)  # by future

    def block(self, block: ir.Block, carries: Sequence[_Carry] = ()) -> Expr:
        """The term of a block; `carries` are updated at its end."""
        steps: list[Step] = []
        folded = {c.new for c in carries if c.reduction is not None}
        for op in block.ops:
            steps += self._op(op, steps)
            for result in op.results:
                if result in self.make.plan.kept and result not in folded:
                    steps += self.make.keep(op, result)
        steps += self._updates(carries, block.ops[-1] if block.ops else None)
        return sequence(self.make.unkept(steps))

    def _op(self, op: ir.Op, before: list[Step]) -> Iterator[Step]:
        match semantics(op.name):
            case "store":
                yield from self.make.store(op, before)
            case "for":
                yield from self._loop(op)
            case "if":
                yield from self._if(op)
            case "inter_tile_produce":
                yield from self._produce(op)
            case "inter_tile_reduce" | "inter_tile_consume":
                yield self._deliver(op)
            case "execute_region" if not op.results:
                yield Step(self.block(op.regions[0].blocks[0]))
            case _ if is_terminator(op.name):
                pass
            case _ if op.regions and not self.make.plan.is_pure(op):
                unsupported(op.name, op.position)
            case _ if not op.results:
                unsupported(op.name, op.position)

    # --- loops ------------------------------------------------------------------------------------------

    def _loop(self, op: ir.Op) -> Iterator[Step]:
        low, high, step = (self.declare.require(v, op.position, "a loop bound") for v in op.operands[:3])
        block = op.regions[0].blocks[0]
        trips = self._trips(op, low, high, step)
        carries: list[_Carry] = []
        for k in range(len(op.results)):
            carry, steps = self._carry(op, k)
            carries.append(carry)
            yield from steps
        axis = self._axis(block.args[0], low, step, trips)
        self.make.path.append(axis.name)
        first = len(self.declare.stmts)
        body = self.block(block, carries) if trips != 0 else "skip"
        self.make.path.pop()
        for carry in carries:
            self.make.values[carry.result] = carry.kept
            self._depend(carry, axis.name, list(self.declare.stmts)[first:])
        if body == "skip":
            del self.declare.loops[axis.name]
        else:
            yield Step(Term("loop", (axis.name, trips, body)))

    def _trips(self, op: ir.Op, low: Index, high: Index, step: Index) -> Index:
        ranges = self.declare.ranges
        trips = call("ceildiv", sub(high, low), step, ranges=ranges)
        lowest = bounds(trips, ranges)[0]
        if lowest is None or lowest < 0:
            trips = call("max", trips, 0, ranges=ranges)
        varying = names(trips) & {*self.make.path}
        if varying:
            what = f"a loop whose trip count varies with the loop over {', '.join(sorted(varying))}"
            unsupported(what, op.position)
        return trips

    def _axis(self, iv: ir.Value, low: Index, step: Index, trips: Index) -> Axis:
        """The loop's axis. What cannot be the axis's own start and step goes into the coordinates."""
        name = self.declare.unique(iv.name)
        top = bounds(trips, self.declare.ranges)[1]
        last = None if top is None else max(top - 1, 0)
        if isinstance(step, int) and step > 0 and not names(low) & {*self.make.path}:
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

    # --- carried values ---------------------------------------------------------------------------------

    def _carry(self, op: ir.Op, k: int) -> tuple[_Carry, list[Step]]:
        block = op.regions[0].blocks[0]
        init, arg, result = op.operands[3 + k], block.args[1 + k], op.results[k]
        new = block.ops[-1].operands[k]
        if not isinstance(arg.type, ir.Tensor) and str(arg.type) == "index":
            unsupported("a loop-carried index", op.position, "compute it from the loop's variable")
        carry = _Carry(Kept("", (), ""), arg, result, new)
        self._find_fold(carry, block)
        anchors = self.make.anchors
        idx = anchors.inherited(new) or anchors.inherited(init) or anchors.default(arg)
        if not all(i == 0 or isinstance(i, str) for i in idx):
            idx = anchors.default(arg)
        carry.kept, steps = self.make.begin(arg, init, idx, carry.fold, op.position)
        return carry, steps

    def _find_fold(self, carry: _Carry, block: ir.Block) -> None:
        """Is the carried value only ever folded into? Then the loop is a reduction."""
        last = carry.new.owner
        if not isinstance(last, ir.Op) or last not in block.ops:
            return
        used = [v for op in block.ops for inner in op.walk() for v in inner.operands]
        if used.count(carry.arg) != 1 or used.count(carry.new) != 1:
            return
        states = set(block.args[1:])
        if reduction_dims(last):
            r = reduction_of(last)
            if r.init is carry.arg and not any(
                depends_on(v, states) for v in last.operands if v is not r.init
            ):
                carry.fold, carry.reduction = r.comb, r
        elif last.name in scalar_ops() and carry.arg in last.operands:
            known = scalar_ops()[last.name]
            if known.combiner is None or not known.combiner.associative:
                return
            comb, folded = (
                combined(carry.new, carry.arg, last) if known.combiner.commutative else (None, None)
            )
            if comb is not None and folded is not None and not depends_on(folded, states):
                carry.fold, carry.folded = comb, folded

    def _updates(self, carries: Sequence[_Carry], terminator: ir.Op | None) -> Iterator[Step]:
        """New contents of carried values, each set after the last use of its old ones."""
        assert terminator is not None or not carries
        plain: list[_Carry] = []
        for carry in carries:
            assert terminator is not None
            if carry.reduction is not None:
                yield self.make.fold(carry.reduction, carry.kept)
            elif carry.folded is not None:
                yield self.make.fold_value(carry.folded, carry.kept, terminator.position)
            elif carry.new is not carry.arg:
                plain.append(carry)
        while plain:
            assert terminator is not None
            free = next((c for c in plain if not any(self._reads(o, c) for o in plain if o is not c)), None)
            group = [free] if free is not None else plain
            yield self.make.update([(c.kept, c.new) for c in group], terminator.position)
            plain = [c for c in plain if c not in group]

    def _reads(self, reader: _Carry, carry: _Carry) -> bool:
        """Does the reader's new value still need the old contents? What is kept was computed before."""
        work, seen = [reader.new], set[ir.Value]()
        while work:
            v = work.pop()
            if v is carry.arg:
                return True
            if v in seen or v in self.make.plan.kept or not isinstance(v.owner, ir.Op):
                continue
            seen.add(v)
            work += [x for nested in v.owner.walk() for x in nested.operands]
        return False

    def _depend(self, carry: _Carry, axis: str, inside: list[str]) -> None:
        """The state of one step is what the next one reads and replaces. Pure folds are left to `fold`."""
        stmts = self.declare.stmts
        name = carry.kept.name
        setters = [s for s in inside if name in stmts[s].sets and name not in stmts[s].folds]
        for setter in setters:
            for s in inside:
                if name in stmts[s].gets:
                    self.carried.append(Carried(setter, s, axis, 1, "flow"))
            self.carried += [Carried(setter, s, axis, None, "output") for s in setters]

    # --- inter-tile transfers ---------------------------------------------------------------------------

    def _produce(self, op: ir.Op) -> Iterator[Step]:
        block = op.regions[0].blocks[0]
        yielded = block.ops[-1].operands
        if len(yielded) != 1:
            unsupported("a future of several tensors", op.position)
        self.declare.index.env[block.args[0]] = group_of(op, self.grid)
        kept = self.make.values.get(yielded[0])
        if kept is None or kept.dtype != element(yielded[0].type):
            idx = self.make.anchors.axes(yielded[0])
            kept = self.make.declare_value(op.result, idx, element(yielded[0].type))
            body = self.block(block, [_Carry(kept, op.result, op.result, yielded[0])])
            condition = is_any_producer(op, self.grid)
            guarded = body if isinstance(condition, int) else Term("when", (condition, body))
            yield Step(guarded, bind="let", value=kept.name)
        self.promises[op.result] = Promise(kept, op)

    def _deliver(self, op: ir.Op) -> Step:
        promise = self.promises[op.operands[0]]
        comb = combiner_of(op) if op.regions else None
        idx = promise.value.idx
        if len(idx) != len(extents(op.result.type)):  # unit dimensions may be dropped
            idx = tuple(i for i in idx if i != 0)
            if len(idx) != len(extents(op.result.type)):
                unsupported(f"{op.name} to {op.result.type}", op.position)
        kept = self.make.declare_value(op.result, idx, promise.value.dtype)
        return Step(transfer(op, promise, kept.name, comb, self.grid), bind="let", value=kept.name)

    # --- conditionals -----------------------------------------------------------------------------------

    def _if(self, op: ir.Op) -> Iterator[Step]:
        condition = self.declare.require(op.operands[0], op.position, "a condition")
        results = [self._branch_value(op, k) for k in range(len(op.results))]
        terms: list[Step] = []
        negated = call("not", condition, ranges=self.declare.ranges)
        for region, c in zip(op.regions, (condition, negated), strict=False):
            if not region.blocks or c == 0:
                continue
            block = region.blocks[0]
            carries = [
                _Carry(kept, result, result, block.ops[-1].operands[k])
                for k, (kept, result) in enumerate(zip(results, op.results, strict=True))
            ]
            body = self.block(block, carries)
            if body != "skip":
                terms.append(Step(body if isinstance(c, int) else Term("when", (c, body))))
        for kept, result in zip(results, op.results, strict=True):
            self.make.values[result] = kept
        if not results:
            yield from terms
            return
        for kept in results[:-1]:  # brought into scope one around the other, all set inside the last one
            yield Step(bind="let", value=kept.name)
        yield Step(sequence(terms), bind="let", value=results[-1].name)

    def _branch_value(self, op: ir.Op, k: int) -> Kept:
        result = op.results[k]
        if not isinstance(result.type, ir.Tensor) and str(result.type) == "index":
            unsupported("an index chosen by scf.if", op.position)
        yields = [r.blocks[0].ops[-1].operands[k] for r in op.regions if r.blocks]
        anchors = self.make.anchors
        shaped = next((v for v in yields if anchors.inherited(v) is not None), result)
        return self.make.declare_value(result, anchors.axes(shaped), element(result.type))
