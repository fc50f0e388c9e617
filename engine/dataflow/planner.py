"""Builds the plan of one launched program from its term: hops, buffers, who uses what."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NoReturn

from ..arch.model import Arch, ComputeUnit, Hop
from ..diagnostics import Position, fail
from ..numerics.dtypes import dtype as element_type
from ..schedule.analysis import box_of, cover, moves
from ..schedule.index import Index, add, call, mul, names, substitute
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Term, show
from .plan import Buffer, Exec, Link, Loop, Move, Node, Par, Pipe, Plan, Positions, Scope, Seq, When

__all__ = ["Planner"]


@dataclass(frozen=True)
class _Context:
    """What surrounds a term. `at`: (subject, memory) → the buffer or move that holds the subject there."""

    origin: Positions = field(default_factory=dict)
    pars: tuple[tuple[str, int], ...] = ()
    loops: tuple[tuple[str, Index], ...] = ()  # counters and trips, outermost first
    at: dict[tuple[str, str], Buffer | Move | Scope] = field(default_factory=dict)
    depths: dict[int, int] = field(default_factory=dict)  # buffer → number of `par`s around it
    irregular: bool = False  # how often it ran so far is no product of loop counts

    def advanced(self, axis: str, amount: Index) -> _Context:
        return replace(self, origin={**self.origin, axis: add(self.origin.get(axis, 0), amount)})


@dataclass
class Planner:
    """One use per program. Raises DFLOW diagnostics for terms that are not fully staged."""

    arch: Arch
    program: Program
    number: int = 0
    buffers: list[Buffer] = field(default_factory=list)
    active: dict[str, int] = field(default_factory=dict)
    ranges: dict[str, Index] = field(default_factory=dict)

    def plan(self, name: str, body: Expr) -> Plan:
        root = self.node(body, _Context())
        return Plan(name, self.program, root, self.buffers, self.active, self.ranges)

    # ---- terms ------------------------------------------------------------------------------------------

    def node(self, s: Expr, c: _Context) -> Node:
        match s:
            case "skip":
                return Node(self._next(), {}, c.origin)
            case Term("loop", (str(axis), trips, body)):
                return self._loop(s, axis, trips, body, c)
            case Term("par", (str(group), int(ways), str(axis), body)):
                return self._par(s, group, ways, axis, body, c)
            case Term("seq", (a, b)):
                return self._seq(s, a, b, c, c)
            case Term("then", (str(axis), a, b)):
                return self._seq(s, a, b, c, c.advanced(axis, cover(a).get(axis, 0)))
            case Term("pipe", (int(depth), ins, body, outs)):
                return self._pipe(s, depth, ins, body, outs, c)
            case Term("exec", (str(stmt), box, str(memory))):
                return self._exec(s, stmt, box, memory, c)
            case Term("when", (condition, body)):
                when = When(self._next(), cover(s), c.origin, condition=self._at(condition, c))
                when.body = self._child(when, body, self._counted(when.condition, c))
                return when
            case Term("let", (str(value), str(memory), producer, user)):
                return self._scope(s, value, memory, Term("seq", (producer, user)), c)
            case Term("acc", (str(value), str(memory), body)):
                return self._scope(s, value, memory, body, c)
            case Term("comm"):
                self._fail("DFLOW010", "inter-tile communication is not lowered to DataflowIR yet", s)
        self._fail("DFLOW011", f"`{show(s, 60)[:60]}` is not a schedule term", s)

    def _child(self, parent: Node, s: Expr, c: _Context) -> Node:
        child = self.node(s, c)
        parent.units |= child.units
        parent.pars |= child.pars
        return child

    def _next(self) -> int:
        self.number += 1
        return self.number

    def _at(self, e: Index, c: _Context) -> Index:
        """An expression over axis values, at the positions where a node stands."""
        axes = self.program.axes
        return substitute(e, {a: axes[a].value(c.origin.get(a, 0)) for a in names(e) if a in axes})

    def _counted(self, e: Index, c: _Context) -> _Context:
        """The inside of a loop of `e` trips, or of a condition `e`."""
        return replace(c, irregular=True) if any(n.startswith("%") for n in names(e)) else c

    def _loop(self, s: Term, axis: str, trips: Index, body: Expr, c: _Context) -> Node:
        trips = self._at(trips, c)
        loop = Loop(self._next(), cover(s), c.origin, axis=axis, trips=trips)
        loop.counter = f"%{loop.number}"
        self.ranges[loop.counter] = trips
        step = mul(loop.counter, cover(body).get(axis, 1))
        inside = replace(c.advanced(axis, step), loops=(*c.loops, (loop.counter, trips)))
        loop.body = self._child(loop, body, self._counted(trips, inside))
        return loop

    def _par(self, s: Term, group: str, ways: int, axis: str, body: Expr, c: _Context) -> Node:
        chain = self.arch.ancestors(self.arch.grid_group)
        if group not in self.arch.groups or group in chain:
            self._fail("DFLOW012", f"`par {group}`: not a group inside `{self.arch.grid_group}`", s)
        if ways > self.arch.groups[group].count:
            count = self.arch.groups[group].count
            self._fail("DFLOW012", f"`par {group} {ways}`: the machine has {count} per instance", s)
        par = Par(self._next(), cover(s), c.origin, group=group, ways=ways)
        self.active[group] = max(self.active.get(group, 1), ways)
        step = mul(f"@{group}", cover(body).get(axis, 1))
        par.body = self._child(par, body, replace(c.advanced(axis, step), pars=(*c.pars, (group, ways))))
        par.pars.add(group)
        return par

    def _seq(self, s: Term, a: Expr, b: Expr, first: _Context, second: _Context) -> Node:
        seq = Seq(self._next(), cover(s), first.origin)
        seq.first = self._child(seq, a, first)
        seq.second = self._child(seq, b, second)
        return seq

    def _exec(self, s: Term, stmt: str, box: Expr, memory: str, c: _Context) -> Node:
        unit = self.arch.units.get(memory)
        if not isinstance(unit, ComputeUnit):
            message = f"`exec {stmt}` is at `{memory}`, not at the operands of a compute unit"
            self._fail("DFLOW013", message, s, "apply the route and vector books first")
        extents = {a: self._extent(n, f"the box of `exec {stmt}`", s) for a, n in box_of(box).items()}
        wide = [n for n in extents.values() if n > 1]
        if len(wide) > 1:
            message = f"`exec {stmt}` computes {'x'.join(map(str, wide))} elements in one step of `{memory}`"
            self._fail("DFLOW014", message, s, "one axis only may have an extent above 1")
        lanes = wide[0] if wide else 1
        node = Exec(self._next(), dict(extents), c.origin, stmt=stmt, box=extents, unit=memory)
        node.units.add(memory)
        declared = self.program.stmts[stmt]
        for subject in (*declared.loads, *declared.stores, *declared.gets, *declared.sets):
            holder = c.at.get((subject, memory))
            if holder is None:
                message = f"operand `{subject}` of `exec {stmt}` has not been brought to `{memory}`"
                self._fail("DFLOW015", message, s, f"enclose it in a pipe with `(move {subject} … {memory})`")
            if isinstance(holder, Move):
                holder.lanes.add(lanes)
        return node

    def _scope(self, s: Term, value: str, memory: str, body: Expr, c: _Context) -> Node:
        scope = Scope(self._next(), cover(s), c.origin, value=value, accumulator=s.head == "acc")
        found = self.arch.memories.get(memory)
        if found is None:
            self._fail("DFLOW016", f"value `{value}` is kept in `{memory}`: no such memory", s)
        holder: Scope | Buffer = scope
        if found.addressable:
            declared = self.program.values[value]
            axes = self._extents(declared.axes, cover(s), value, s)
            holder = self._buffer(value, memory, declared.dtype, axes, 1, False, c, Position())
            scope.buffer = holder
            if scope.accumulator:
                message = f"accumulator `{value}` is kept in `{memory}`"
                self._fail("DFLOW017", message, s, "keep accumulators in the compute unit's registers")
        inside = replace(c, at={**c.at, (value, memory): holder})
        scope.body = self._child(scope, body, inside)
        return scope

    # ---- pipes and buffers ------------------------------------------------------------------------------

    def _pipe(self, s: Term, depth: int, ins: Expr, body: Expr, outs: Expr, c: _Context) -> Node:
        pipe = Pipe(self._next(), cover(s), c.origin)
        if c.irregular:  # which buffer's turn it is cannot be computed from the loop counters
            depth = 1
        at = dict(c.at)
        for subject, src, dst in moves(ins):
            move = self._move(subject, src, dst, False, depth, pipe, c, s)
            pipe.ins.append(move)
            at[subject, dst] = move.target or move
        for subject, src, dst in moves(outs):
            move = self._move(subject, src, dst, True, depth, pipe, c, s)
            pipe.outs.append(move)
            at[subject, src] = move.source or move
        pipe.body = self._child(pipe, body, replace(c, at=at))
        pipe.units.update(m.unit for m in (*pipe.ins, *pipe.outs))
        for buffer in pipe.buffers():
            if not buffer.inner:
                self._fail("DFLOW018", f"nothing inside the pipe uses its copy of `{buffer.name}`", s)
        return pipe

    @cached_property
    def _hops(self) -> dict[tuple[str, str], Hop]:
        found: dict[tuple[str, str], Hop] = {}
        for hop in self.arch.edges:
            found.setdefault((hop.src_memory, hop.dst_memory), hop)
        return found

    def _move(
        self, subject: str, src: str, dst: str, outward: bool, depth: int, pipe: Pipe, c: _Context, s: Term
    ) -> Move:
        hop = self._hops.get((src, dst))
        if hop is None:
            self._fail(
                "DFLOW020", f"no unit of `{self.arch.name}` moves `{subject}` from `{src}` to `{dst}`", s
            )
        access = self.program.accesses.get(subject)
        names = self.program.layouts[subject] if access else self.program.values[subject].axes
        extents = self._extents(names, pipe.cover, subject, s)
        move = Move(subject, src, dst, hop.unit, outward, None, None, dict(extents))
        move.position = access.position if access else Position()
        near, far = (src, dst) if outward else (dst, src)
        move.compute = near if not self.arch.memories[near].addressable else None
        if move.compute is None:
            kind = self.program.views[access.view].dtype if access else self.program.values[subject].dtype
            made = self._buffer(subject, near, kind, extents, depth, outward, c, move.position)
            made.outer = hop.unit
            move.source, move.target = (made, None) if outward else (None, made)
        elif sum(n > 1 for _, n in extents) > 1:
            held = "x".join(str(n) for _, n in extents)
            message = f"the pipe holds {held} elements of `{subject}` in the registers of `{near}`"
            self._fail("DFLOW021", message, s, "a pipe into a compute unit holds one vector per operand")
        self._connect(move, far, c, s)
        return move

    def _connect(self, move: Move, far: str, c: _Context, s: Term) -> None:
        """The far side: the buffer of a pipe around this one, a value's buffer, or the subject's home."""
        holder = c.at.get((move.subject, far))
        if isinstance(holder, Buffer):
            if move.outward:
                move.target = holder
            else:
                move.source = holder
            if holder.outer is not None:
                self._link(holder, move.unit, c)
        elif move.subject not in self.program.accesses or far != self._home(move.subject):
            self._fail(
                "DFLOW022", f"`{move.subject}` is not in `{far}`, so it cannot be moved from or to there", s
            )

    def _home(self, subject: str) -> str:
        view = self.program.views[self.program.accesses[subject].view]
        return self.arch.home(view.space)

    def _link(self, buffer: Buffer, unit: str, c: _Context) -> None:
        link = next((x for x in buffer.inner if x.unit == unit), None)
        if link is None:
            link = Link(unit, {})
            buffer.inner.append(link)
        path = self.arch.ancestors(self.arch.units[unit].group)
        for group, ways in c.pars[len(buffer.ways) :]:
            if group in path:
                link.reach[group] = max(link.reach.get(group, 1), ways)

    def _buffer(
        self,
        subject: str,
        memory: str,
        kind: str,
        axes: tuple[tuple[str, int], ...],
        depth: int,
        outward: bool,
        c: _Context,
        position: Position,
    ) -> Buffer:
        size, align = element_type(kind).nbytes, self.arch.memories[memory].alignment
        strides: list[int] = []
        pitch = 1
        for k, (_, n) in enumerate(reversed(axes)):
            strides.insert(0, pitch)
            pitch *= n
            if k == 0:
                pitch = _round_up(pitch * size, max(align, size)) // size
        made = Buffer(
            len(self.buffers),
            subject,
            memory,
            kind,
            axes,
            tuple(strides),
            _round_up(pitch * size, align),
            depth,
            c.pars,
            outward,
            position,
            origin=c.origin,
            phase=_phase(c.loops, depth),
        )
        self.buffers.append(made)
        return made

    def _extents(
        self, axes: tuple[str, ...], covered: dict[str, Index], subject: str, s: Term
    ) -> tuple[tuple[str, int], ...]:
        """The axes with more than one position in `covered`."""
        found = ((a, self._extent(covered.get(a, 1), f"what moves of `{subject}`", s)) for a in axes)
        return tuple((a, n) for a, n in found if n > 1)

    def _extent(self, n: Index, what: str, s: Term) -> int:
        if isinstance(n, int):
            return n
        self._fail("DFLOW023", f"{what} has the extent `{show(n)}`, which is known at launch only", s)

    def _fail(self, code: str, message: str, s: Expr, hint: str = "") -> NoReturn:
        fail(code, message, self._position(s), hint)

    def _position(self, s: Expr) -> Position:
        """Terms carry no places: the first statement in it says which KTIR it stems from."""
        if isinstance(s, Term):
            for t in s.walk():
                if t.head == "exec" and str(t.args[0]) in self.program.stmts:
                    return self.program.stmts[str(t.args[0])].position
        return Position(self.program.name)


def _round_up(n: int, to: int) -> int:
    return -(-n // to) * to


def _phase(loops: tuple[tuple[str, Index], ...], depth: int) -> Index:
    """Executions so far, modulo depth: every enclosing loop counts."""
    count: Index = 0
    for counter, trips in loops:
        count = add(mul(count, trips), counter)
    return call("mod", count, depth) if depth > 1 else 0
