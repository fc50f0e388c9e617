"""The program of one unit kind: the schedule projected on the unit, with the signals its neighbours need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from ..arch.model import Arch, ComputeUnit
from ..diagnostics import fail
from ..ktir.ir import Op, Region, Scalar, Typed, Value, Vector
from ..schedule.index import Index, add, mul, names
from .arithmetic import Arithmetic
from .builder import INDEX, FunctionBuilder, UnitBuilder
from .compute import Compute, Operand
from .instances import Place
from .plan import Buffer, Exec, Link, Loop, Move, Node, Par, Pipe, Plan, Scope, Seq, Sync, When
from .storage import StorageMaker
from .transfers import copy_box, load_vector, store_vector

__all__ = ["Projection"]


@dataclass(frozen=True, slots=True)
class _Where:
    """`pars`: groups of the `par`s around this place, with their ways, outermost first; `alone`: groups whose
    condition "instance 0 only" already holds."""

    pars: tuple[tuple[str, int], ...] = ()
    alone: frozenset[str] = frozenset()

    def inside(self, group: str, ways: int) -> _Where:
        return _Where((*self.pars, (group, ways)), self.alone)

    def fixed(self, group: str) -> bool:
        return group in self.alone or any(g == group for g, _ in self.pars)


@dataclass
class Projection:
    """Builds one `program_unit`; `unit` is the unit's name in the architecture."""

    arch: Arch
    plan: Plan
    function: FunctionBuilder
    unit: str
    b: UnitBuilder = field(init=False)
    a: Arithmetic = field(init=False)
    storage: StorageMaker = field(init=False)
    compute: Compute | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.b = UnitBuilder(self.function, self.function.instances.place(self.unit))
        self.a = Arithmetic(self.b, self.plan.program, self.plan.ranges)
        self.storage = StorageMaker(self.b, self.a)
        found = self.arch.units[self.unit]
        if isinstance(found, ComputeUnit):
            self.compute = Compute(self.b, self.a, found)

    def build(self) -> Op:
        self._initial_credits(send=True)
        self.visit(self.plan.root, _Where())
        self._initial_credits(send=False)
        return self.b.program()

    # ---- threads ----------------------------------------------------------------------------------------

    def threads(self, where: _Where) -> Iterator[dict[str, int]]:
        """Every thread that one instance serves here: its tiles, and indices of `par`s it stands outside of.

        Sets the builder's thread; ops emitted for tiles that some instances do not have are guarded.
        """
        outside = [(g, n) for g, n in where.pars if g not in self.b.place.path]
        slots = self.b.slots
        for slot in range(slots):
            for chosen in product(*(range(n) for _, n in outside)):
                served = dict(zip((g for g, _ in outside), chosen, strict=True))
                self.b.set_thread(slot, served)
                if slots > 1:
                    owned = [len(self.b.instances.tiles_of(i)) for i in self.b.place.instances]
                    with self.b.guard(np.array([slot < n for n in owned])):
                        yield served
                else:
                    yield served
        self.b.set_thread(0, {})

    @contextmanager
    def only(self, reach: Mapping[str, int], where: _Where) -> Iterator[None]:
        """Ops for the instances below `reach` in every group that no `par` around fixes."""
        active = np.ones(len(self.b.place.instances), bool)
        for group in self.b.place.local:
            if not where.fixed(group):
                active &= self.b.coordinate(group) < reach.get(group, 1)
        with self.b.guard(active):
            yield

    # ---- the tree ---------------------------------------------------------------------------------------

    def visit(self, node: Node, where: _Where) -> None:
        if self.unit not in node.units:
            return
        lonely = [
            g
            for g in self.b.place.local
            if not where.fixed(g) and g not in node.pars and self.plan.active.get(g, 1) > 1
        ]
        if lonely:
            with self.only({}, where):
                self._visit(node, _Where(where.pars, where.alone | set(lonely)))
        else:
            self._visit(node, where)

    def _visit(self, node: Node, where: _Where) -> None:
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
                with self.b.when(self.a.condition(node.condition)):
                    self.visit(node.body, where)
            case Scope():
                self.scope(node, where)

    def _same_for_tiles(self, e: Index) -> None:
        """A unit that serves several tiles runs one loop for all of them."""
        tiled = {n for n in names(self.a.resolved(e)) if n.startswith(("tile", "@"))}
        if self.b.slots > 1 and tiled:
            message = f"`{self.unit}` serves several tiles, whose trip counts or conditions differ"
            fail("DFLOW061", message, hint="not lowered yet: use equal work per tile on this machine")

    def loop(self, node: Loop, where: _Where) -> None:
        for sync in node.syncs:
            self.tell(sync, where, sync.credits)
        self._same_for_tiles(node.trips)
        trips = self.a.known(node.trips)
        limit = self.arch.limits.loop_count
        if trips is not None and trips > limit:
            self._split_loop(node, trips, limit, where)
        elif trips != 0:
            self._for(node.counter, node.trips, node, 0, where)
        for sync in node.syncs:
            self.hear(sync, where, sync.credits)

    def _split_loop(self, node: Loop, trips: int, limit: int, where: _Where) -> None:
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

    def _for(self, counter: str, trips: Index, node: Loop, start: Index, where: _Where) -> None:
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

    def scope(self, node: Scope, where: _Where) -> None:
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

    # ---- pipes ------------------------------------------------------------------------------------------

    def pipe(self, node: Pipe, where: _Where) -> None:
        self._move_all(node, node.ins, where)
        for buffer in node.buffers():
            self._inner(buffer, "full" if not buffer.outward else "empty", where, receive=True)
        self._deliver(node, node.ins, where)
        self.visit(node.body, where)
        self._collect(node, node.outs, where)
        for buffer in node.buffers():
            self._inner(buffer, "empty" if not buffer.outward else "full", where, receive=False)
        self._move_all(node, node.outs, where)

    def _move_all(self, node: Pipe, moves: list[Move], where: _Where) -> None:
        """The moves between memories that this unit makes: wait for all, then signal all."""
        own = [m for m in moves if m.unit == self.unit and m.compute is None]
        if not own:
            return
        for _ in self.threads(where):
            with self.only({}, where):
                for move in own:
                    buffer = move.source if move.outward else move.target
                    assert buffer is not None
                    self._outer(buffer, "full" if move.outward else "empty", where, receive=True)
                    self.b.position = self.a.position = move.position
                    wide = {x for x, n in move.axes.items() if n > 1}
                    src = self.storage.get(move.subject, move.source, node.origin, wide)
                    dst = self.storage.get(move.subject, move.target, node.origin, wide)
                    copy_box(self.b, self.a, move, src, dst, self.arch.limits.stick)
                for move in own:
                    buffer = move.source if move.outward else move.target
                    assert buffer is not None
                    self._outer(buffer, "empty" if move.outward else "full", where, receive=False)

    def _deliver(self, node: Pipe, moves: list[Move], where: _Where) -> None:
        """Operands on their way into a compute unit: this unit pushes them, or it is the compute unit."""
        for move in moves:
            if move.compute is None or self.unit not in (move.unit, move.compute):
                continue
            for _ in self.threads(where):
                with self.only({}, where):
                    self.b.position = self.a.position = move.position
                    lanes = self._splat(move)
                    if self.unit == move.unit:
                        wide = {x for x, n in move.axes.items() if n > 1}
                        s = self.storage.get(move.subject, move.source, node.origin, wide)
                        value = load_vector(self.b, self.a, move, s)
                        if self.unit != move.compute:
                            self._push(value, lanes, move, s.dtype)
                            continue
                        lanes = _width(move)
                    else:
                        value = self._pop(move, lanes)
                    assert self.compute is not None and isinstance(value.type, Vector)
                    kind = value.type.element.name
                    self.compute.registers[move.subject] = Operand(value, kind, lanes)

    def _splat(self, move: Move) -> int:
        """Lanes of what goes through the FIFO: a single element is replicated by a load unit that can."""
        width = _width(move)
        able = "splat" in self.arch.units[move.unit].features
        return max(move.lanes) if width == 1 and able and len(move.lanes) == 1 else width

    def _push(self, value: Value, lanes: int, move: Move, kind: str) -> None:
        assert move.compute is not None
        if lanes != _width(move):
            value = self.b.splat(value, kind, lanes)
        self.b.op("dataflow.send", [self.b.handle(self.function.instances.place(move.compute)), value])

    def _pop(self, move: Move, lanes: int) -> Value:
        kind = self._dtype(move.subject)
        peer = self.b.handle(self.function.instances.place(move.unit))
        return self.b.value("dataflow.receive", [peer], None, (move.subject, Vector((lanes,), Scalar(kind))))

    def _dtype(self, subject: str) -> str:
        program = self.plan.program
        if subject in program.accesses:
            return program.views[program.accesses[subject].view].dtype
        return program.values[subject].dtype

    def _collect(self, node: Pipe, moves: list[Move], where: _Where) -> None:
        """Results on their way out of a compute unit."""
        for move in moves:
            if move.compute is None or self.unit not in (move.unit, move.compute):
                continue
            for _ in self.threads(where):
                with self.only({}, where):
                    self.b.position = self.a.position = move.position
                    lanes = _width(move)
                    if self.unit == move.compute:
                        assert self.compute is not None
                        value = self.compute.spread(self.compute.registers[move.subject], lanes).value
                        if self.unit != move.unit:
                            peer = self.b.handle(self.function.instances.place(move.unit))
                            self.b.op("dataflow.send", [peer, value])
                            continue
                    else:
                        assert move.compute is not None
                        peer = self.b.handle(self.function.instances.place(move.compute))
                        kind = Vector((lanes,), Scalar(self._dtype(move.subject)))
                        value = self.b.value("dataflow.receive", [peer], None, (move.subject, kind))
                    wide = {x for x, n in move.axes.items() if n > 1}
                    s = self.storage.get(move.subject, move.target, node.origin, wide)
                    store_vector(self.b, self.a, move, s, value)

    def step(self, node: Exec) -> None:
        assert self.compute is not None
        self.compute.run(node)

    # ---- signals ----------------------------------------------------------------------------------------

    def _outer(self, buffer: Buffer, kind: str, where: _Where, receive: bool, times: int = 1) -> None:
        """The side of the unit that fills or drains a buffer from outside: a signal per inner instance."""
        for link in buffer.inner:
            self._signal(link, self._channel(buffer, kind), where, receive, times)

    def _inner(self, buffer: Buffer, kind: str, where: _Where, receive: bool, times: int = 1) -> None:
        """The side of a unit that uses the buffer inside the pipe."""
        link = next((x for x in buffer.inner if x.unit == self.unit), None)
        if link is None or buffer.outer is None:
            return
        for _ in self.threads(where):
            with self.only(link.reach, where):
                self.b.position = buffer.position
                self._signal(Link(buffer.outer, {}), self._channel(buffer, kind), where, receive, times)

    def _channel(self, buffer: Buffer, kind: str) -> int:
        return buffer.channel + (buffer.channels if kind == "empty" else 0)

    def _signal(self, peer: Link, channel: int, where: _Where, receive: bool, times: int) -> None:
        """One signal per peer instance that no `par` around fixes, `times` over."""
        place = self.function.instances.place(peer.unit)
        loose = [g for g in place.local if not where.fixed(g)]
        attributes: dict[str, object] = {
            "channel": Typed(channel + self._number(place, where), Scalar("i32"))
        }
        if not receive:
            attributes["wait_immediately_for_async_transfers"] = True
        for chosen in product(*(range(peer.reach.get(g, 1)) for g in loose)):
            handle = self.b.handle(place, dict(zip(loose, chosen, strict=True)))
            for _ in range(times):
                self.b.op(
                    "dataflow.sync_recv" if receive else "dataflow.sync_send", [handle], dict(attributes)
                )

    def _number(self, peer: Place, where: _Where) -> int:
        """The thread's number among those that one pair of instances serves: each has its channel."""
        instances = self.function.instances
        number = 0
        for group, ways in (*((g, self.arch.groups[g].count) for g in instances.chain), *where.pars):
            if group not in self.b.place.path and group not in peer.path:
                number = number * ways + int(self.b.coordinate(group)[0])
        return number

    def _initial_credits(self, send: bool) -> None:
        """Before anything runs every buffer is empty: its consumer says so `depth` times. At the end the
        producer takes those signals back, so that no semaphore outlives the program."""
        for buffer in self.plan.buffers:
            if buffer.outer is None:
                continue
            where = _Where(buffer.ways)
            inner_consumes = not buffer.outward
            if self.unit == buffer.outer and inner_consumes != send:
                for _ in self.threads(where):
                    with self._within(buffer.ways), self.only({}, where):
                        self.b.position = buffer.position
                        self._outer(buffer, "empty", where, not send, buffer.depth)
            if any(x.unit == self.unit for x in buffer.inner) and inner_consumes == send:
                with self._within(buffer.ways):
                    self._inner(buffer, "empty", where, not send, buffer.depth)

    @contextmanager
    def _within(self, pars: tuple[tuple[str, int], ...]) -> Iterator[None]:
        """On the instances that take part in these `par`s."""
        active = np.ones(len(self.b.place.instances), bool)
        for group, ways in pars:
            if group in self.b.place.path:
                active &= self.b.coordinate(group) < ways
        with self.b.guard(active):
            yield

    def tell(self, sync: Sync, where: _Where, times: int = 1) -> None:
        if sync.sender.unit == self.unit and times:
            for _ in self.threads(where):
                with self.only(sync.sender.reach, where):
                    self._signal(sync.receiver, sync.channel, where, False, times)

    def hear(self, sync: Sync, where: _Where, times: int = 1) -> None:
        if sync.receiver.unit == self.unit and times:
            for _ in self.threads(where):
                with self.only(sync.receiver.reach, where):
                    self._signal(sync.sender, sync.channel, where, True, times)


def _width(move: Move) -> int:
    return max((n for n in move.axes.values()), default=1)
