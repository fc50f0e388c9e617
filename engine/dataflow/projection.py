"""The program of one unit kind: the schedule projected on the unit, with the signals its neighbours need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ..diagnostics import fail
from ..ktir.ir import Op, Region, Value
from ..schedule.index import Index, add, mul, names, sub
from ..schedule.sexpr import Term
from .builder import INDEX
from .compute import Operand
from .pipes import Pipes
from .plan import Exec, Loop, Node, Par, Pipe, Scope, Seq, When
from .threads import Where

__all__ = ["Projection"]


@dataclass
class Projection(Pipes):
    """Builds one `program_unit`."""

    def build(self) -> Op:
        self.initial_credits(send=True)
        self.visit(self.plan.root, Where())
        self.initial_credits(send=False)
        return self.b.program()

    # ---- the tree ---------------------------------------------------------------------------------------

    def visit(self, node: Node, where: Where) -> None:
        if self.unit not in node.units:
            return
        lonely = [
            g
            for g in self.b.place.local
            if not where.fixed(g) and g not in node.pars and self.plan.active.get(g, 1) > 1
        ]
        if lonely:
            with self.only({}, where):
                self._visit(node, Where(where.pars, where.alone | set(lonely)))
        else:
            self._visit(node, where)

    def _visit(self, node: Node, where: Where) -> None:
        match node:
            case Loop():
                self.loop(node, where)
            case Par():
                inside = where.inside(node.group, node.ways)
                active = self.b.coordinate(node.group) < node.ways
                with self.b.guard(active if node.group in self.b.place.path else np.ones_like(active)):
                    self.visit(node.body, inside)
            case Seq():
                self.visit(node.first, where)
                for sync in node.syncs:
                    self.tell(sync, where)
                for sync in node.syncs:
                    self.hear(sync, where)
                self.visit(node.second, where)
            case Pipe():
                self.pipe(node, where)
            case Exec():
                self.step(node)
            case When():
                self._same_for_tiles(node.condition)
                with self.holds(node.condition):
                    self.visit(node.body, where)
            case Scope():
                self.scope(node, where)

    def _same_for_tiles(self, e: Index) -> None:
        """A unit that serves several tiles runs one loop for all of them."""
        tiled = {n for n in names(self.a.resolved(e)) if n.startswith(("tile", "@"))}
        if self.b.slots > 1 and tiled:
            message = f"`{self.unit}` serves several tiles, whose trip counts or conditions differ"
            fail("DFLOW061", message, hint="not lowered yet: use equal work per tile on this machine")

    @contextmanager
    def holds(self, condition: Index) -> Iterator[None]:
        """Ops emitted inside run where an integer expression is not 0."""
        fixed = self.a.static(condition)
        with self.b.guard(fixed != 0) if fixed is not None else self.b.when(self.a.condition(condition)):
            yield

    def loop(self, node: Loop, where: Where) -> None:
        for sync in node.syncs:
            self.tell(sync, where, sync.credits)
        self._same_for_tiles(node.trips)
        trips = self.a.known(node.trips)
        limit = self.arch.limits.loop_count
        if trips is not None and trips > limit:
            self._split_loop(node, trips, limit, where)
        elif isinstance(node.body, Pipe) and self._serves_both_ends(node, node.body):
            self._skewed(node, node.body, where)
        elif trips != 0:
            self._for(node.counter, node.trips, node, 0, where)
        for sync in node.syncs:
            self.hear(sync, where, sync.credits)

    def _split_loop(self, node: Loop, trips: int, limit: int, where: Where) -> None:
        """More iterations than the loop counter holds: an outer loop over chunks, and the rest."""
        chunk = next((d for d in range(limit, limit // 2, -1) if trips % d == 0), limit)
        outer, rest = divmod(trips, chunk)
        if outer > limit:
            message = f"a loop of {trips} iterations over `{node.axis}`; the machine counts to {limit}"
            fail("DFLOW060", message, hint="tile the axis")
        name = f"{node.counter}.chunk"
        with self.counted(name, outer):
            self._for(f"{node.counter}.in", chunk, node, mul(name, chunk), where)
        if rest:
            self._for(f"{node.counter}.in", rest, node, outer * chunk, where)

    def _serves_both_ends(self, node: Loop, pipe: Pipe) -> bool:
        """Does this unit fill and drain the buffers of a pipe that repeats with room for two iterations?"""
        ins, outs = (
            [m for m in ms if m.unit == self.unit and m.compute is None] for ms in (pipe.ins, pipe.outs)
        )
        deep = all(m.target is not None and m.target.depth > 1 for m in ins)
        synced = any(self.unit in (s.sender.unit, s.receiver.unit) for s in node.syncs)
        return bool(ins and outs) and deep and not synced and self.unit not in pipe.body.units

    def _skewed(self, node: Loop, pipe: Pipe, where: Where) -> None:
        """Loads one iteration ahead of the stores: the unit would else wait for the result of every load."""
        at, counters, count = node.counter, self.a.counters, f"{node.counter}.ahead"
        with self.holds(Term("lt", (0, node.trips))):
            counters[at] = 0
            self.move_all(pipe, pipe.ins, where)
            with self.counted(count, sub(node.trips, 1)):
                counters[at] = add(count, 1)
                self.move_all(pipe, pipe.ins, where)
                counters[at] = count
                self.move_all(pipe, pipe.outs, where)
            counters[at] = sub(node.trips, 1)
            self.move_all(pipe, pipe.outs, where)
        del counters[at]

    def _for(self, counter: str, trips: Index, node: Loop, start: Index, where: Where) -> None:
        with self.counted(counter, trips, node):
            if counter != node.counter:
                self.a.counters[node.counter] = add(start, counter)
            for sync in node.syncs:
                self.hear(sync, where)
            self.visit(node.body, where)
            for sync in node.syncs:
                self.tell(sync, where)

    @contextmanager
    def counted(self, counter: str, trips: Index, node: Loop | None = None) -> Iterator[None]:
        """An `scf.for` from 0 to `trips`; accumulators in registers that its body changes are carried."""
        zero, one, end = self.b.constant(0), self.b.constant(1), self.a.value(trips)
        name = f"i_{node.axis}" if node else "chunk"
        iv = Value(self.function.name(name), INDEX)
        carried = self._carried(node)
        args = [iv]
        for key in carried:
            held = self.compute.registers[key] if self.compute else None
            assert held is not None
            arg = Value(self.function.name(key), held.value.type)
            args.append(arg)
        starts = [self.compute.registers[k].value for k in carried] if self.compute else []
        self.a.counters[counter] = iv
        with self.b.block(args) as body:
            for key, arg in zip(carried, args[1:], strict=True):
                self._hold(key, arg)
            yield
            ends = [self.compute.registers[k].value for k in carried] if self.compute else []
            self.b.op("scf.yield", ends)
        del self.a.counters[counter]
        made = self.b.op("scf.for", [zero, end, one, *starts], regions=[Region([body])])
        for key, start in zip(carried, starts, strict=True):
            made.results.append(Value(self.function.name(key), start.type, made, len(made.results)))
            self._hold(key, made.results[-1])

    def _carried(self, node: Loop | None) -> list[str]:
        if self.compute is None or node is None:
            return []
        inside = {s.value for s in node.body.walk() if isinstance(s, Scope)}
        changed: dict[str, None] = {}
        for n in node.body.walk():
            if isinstance(n, Exec):
                changed |= dict.fromkeys(self.plan.program.stmts[n.stmt].sets)
        return [v for v in changed if v not in inside and v in self.compute.registers]

    def _hold(self, key: str, value: Value) -> None:
        assert self.compute is not None
        old = self.compute.registers[key]
        self.compute.registers[key] = Operand(value, old.dtype, old.lanes)

    def scope(self, node: Scope, where: Where) -> None:
        if node.buffer is None and node.accumulator and self.compute is not None:
            declared = self.plan.program.values[node.value]
            lanes = self._lanes_of(node)
            start = declared.init if declared.init is not None else 0
            self.compute.registers[node.value] = self.compute.constant(start, declared.dtype, lanes)
        self.visit(node.body, where)
        if node.buffer is None and self.compute is not None:
            self.compute.registers.pop(node.value, None)

    def _lanes_of(self, scope: Scope) -> int:
        """Lanes of an accumulator: those of its only wide axis in the statements that fold into it."""
        axes = self.plan.program.values[scope.value].axes
        found = set()
        for n in scope.body.walk():
            if isinstance(n, Exec) and scope.value in self.plan.program.stmts[n.stmt].sets:
                found.add(max((n.box.get(a, 1) for a in axes), default=1))
        covered = [c for a in axes if (c := scope.cover.get(a, 1)) != 1]
        if len(found) != 1 or len(covered) > 1 or any(c not in found for c in covered):
            message = f"accumulator `{scope.value}` is not one vector: it needs registers for several"
            fail("DFLOW051", message, hint="split its axis outside of the accumulation, or keep it in memory")
        return found.pop()

    def step(self, node: Exec) -> None:
        assert self.compute is not None
        self.compute.run(node)
