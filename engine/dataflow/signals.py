"""Who must wait for whom outside a buffer's own full and empty signals.

Between the two parts of a sequence, and between iterations of a loop, units meet in memory: home memory
(a load after a store of the same buffer), values kept in a memory, and buffers that share addresses. For
each such meeting the earlier unit sends the later one a signal when its part is done.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ..schedule.index import linear
from .instances import Instances
from .packing import Packing
from .plan import Exec, Link, Loop, Node, Par, Pipe, Plan, Seq, Sync

__all__ = ["assign_channels", "plan_signals"]

_Key = tuple[str, str | int]  # ("home MEMORY", root) | ("buffer", number)


@dataclass(frozen=True, slots=True)
class _Effect:
    unit: str
    subject: str
    key: _Key
    writes: bool


_Effects = dict[_Effect, dict[str, int]]  # → instances per group whose `par` is inside the node


def plan_signals(plan: Plan, packing: Packing, home: dict[str, str], instances: Instances) -> None:
    """Fills `syncs` of sequences and loops. `home`: the memory of each access."""
    _Signals(plan, packing, home, instances).visit(plan.root, (), False)


def assign_channels(plan: Plan, instances: Instances) -> None:
    """Numbers the channels: two per buffer and one per sync, each once per thread that one pair of unit
    instances may serve (tiles count when some unit stands above the grid's group)."""
    above = any(instances.place(u).instances[0].tile is None for u in plan.root.units)
    scale = math.prod(instances.arch.groups[g].count for g in instances.chain) if above else 1
    channel = 0
    for buffer in plan.buffers:
        if buffer.outer is not None:
            buffer.channel, buffer.channels = channel, buffer.threads * scale
            channel += 2 * buffer.channels
    _number(plan.root, channel, scale)


def _number(node: Node, channel: int, threads: int) -> int:
    if isinstance(node, Seq | Loop):
        for sync in node.syncs:
            sync.channel = channel
            channel += threads
    inside = threads * node.ways if isinstance(node, Par) else threads
    for child in node.children():
        channel = _number(child, channel, inside)
    return channel


class _Signals:
    def __init__(self, plan: Plan, packing: Packing, home: dict[str, str], instances: Instances) -> None:
        self.instances = instances
        self.plan = plan
        self.packing = packing
        self.home = home
        self.roots = {a: self._root(a) for a in plan.program.accesses}
        self.values = {b.number for b in plan.buffers if b.outer is None}

    def _root(self, access: str) -> str:
        view = self.plan.program.accesses[access].view
        root, offset = self.plan.program.buffer_of(view)
        if root is not None:
            return str(root)
        terms, base = linear(offset)
        return "" if terms else f"{view}@{base}"

    def visit(self, node: Node, pars: tuple[str, ...], looped: bool) -> _Effects:
        match node:
            case Exec():
                return {}
            case Par():
                inside = self.visit(node.body, (*pars, node.group), looped)
                return {e: {**r, node.group: max(node.ways, r.get(node.group, 1))} for e, r in inside.items()}
            case Seq():
                first, second = self.visit(node.first, pars, looped), self.visit(node.second, pars, looped)
                node.syncs = self._pairs(first, second, self._meet, 0)
                return _merge(first, second)
            case Loop():
                inside = self.visit(node.body, pars, True)
                node.syncs = self._carried(node, inside)
                return inside
            case Pipe():
                inside = self.visit(node.body, pars, looped)
                return _merge(inside, self._moves(node))
        return _merge(*(self.visit(child, pars, looped) for child in node.children()))

    def _moves(self, pipe: Pipe) -> _Effects:
        found: _Effects = {}
        for move in (*pipe.ins, *pipe.outs):
            ends = [(move.source, False, move.src), (move.target, True, move.dst)]
            for buffer, writes, memory in ends:
                if buffer is not None:
                    found[_Effect(move.unit, move.subject, ("buffer", buffer.number), writes)] = {}
                elif memory == self.home.get(move.subject) and memory != move.compute:
                    key = (f"home {memory}", self.roots[move.subject])
                    found[_Effect(move.unit, move.subject, key, writes)] = {}
        return found

    # ---- meetings ---------------------------------------------------------------------------------------

    def _meet(self, a: _Effect, b: _Effect) -> bool:
        """Must `b`, later, wait for `a`?"""
        if not (a.writes or b.writes):
            return False
        if a.unit == b.unit and not (a.writes and not b.writes) and not self._many(a.unit):
            return (
                False  # one unit's transfers start in order; only a read must see what a write has finished
            )
        if a.key[0] == "buffer" and b.key[0] == "buffer":
            if a.key == b.key:
                return a.key[1] in self.values
            return not a.writes and b.writes and self.packing.clash(int(a.key[1]), int(b.key[1]))
        return a.key[0] == b.key[0] and _may_alias(str(a.key[1]), str(b.key[1]))

    def _many(self, unit: str) -> bool:
        """Has the unit several instances per tile at work?"""
        path = self.instances.place(unit).path
        return any(n > 1 and g in path for g, n in self.plan.active.items())

    def _again(self, a: _Effect, b: _Effect) -> bool:
        """Must `b` of the next iteration wait for `a`? Home memory is `carried`'s business."""
        if a.key[0] != "buffer" or b.key[0] != "buffer" or a.writes or not b.writes:
            return False
        if a.key == b.key:
            return a.key[1] in self.values and self._many(a.unit)
        return self.packing.clash(int(a.key[1]), int(b.key[1]))

    def _carried(self, loop: Loop, inside: _Effects) -> list[Sync]:
        syncs = self._pairs(inside, inside, self._again, 1)
        stmts = {n.stmt for n in loop.body.walk() if isinstance(n, Exec)}
        step = loop.body.cover.get(loop.axis, 1)
        for c in self.plan.program.carried:
            if c.axis != loop.axis or c.source not in stmts or c.sink not in stmts:
                continue
            if c.kind != "flow" and not loop.body.pars:
                continue  # the one compute unit's order implies it
            source, sink = self.plan.program.stmts[c.source], self.plan.program.stmts[c.sink]
            earlier = source.loads if c.kind == "anti" else source.stores
            later = sink.loads if c.kind == "flow" else sink.stores
            whole = isinstance(step, int) and c.distance is not None
            credit = max(1, c.distance // step) if whole and isinstance(step, int) and c.distance else 1
            a = {e: r for e, r in inside.items() if e.subject in earlier and e.writes == (c.kind != "anti")}
            b = {e: r for e, r in inside.items() if e.subject in later and e.writes == (c.kind != "flow")}
            syncs = _tighten(syncs, self._pairs(a, b, self._meet_home, credit))
        return syncs

    def _meet_home(self, a: _Effect, b: _Effect) -> bool:
        return a.key[0].startswith("home") and b.key[0].startswith("home") and self._meet(a, b)

    def _pairs(self, first: _Effects, second: _Effects, meet: object, credits: int) -> list[Sync]:
        assert callable(meet)
        found: dict[tuple[str, str], Sync] = {}
        for a, reach_a in first.items():
            for b, reach_b in second.items():
                if meet(a, b):
                    sync = found.setdefault(
                        (a.unit, b.unit), Sync(Link(a.unit, {}), Link(b.unit, {}), -1, credits)
                    )
                    _widen(sync.sender.reach, reach_a)
                    _widen(sync.receiver.reach, reach_b)
        return list(found.values())


def _may_alias(a: str, b: str) -> bool:
    """Different arguments are different buffers; a baked address may be anywhere."""
    return a == b or "" in (a, b) or ("@" in a) or ("@" in b)


def _tighten(syncs: list[Sync], more: Iterable[Sync]) -> list[Sync]:
    """One sync per pair of units, with the fewer credits."""
    found = {(s.sender.unit, s.receiver.unit): s for s in syncs}
    for s in more:
        known = found.setdefault((s.sender.unit, s.receiver.unit), s)
        known.credits = min(known.credits, s.credits)
        _widen(known.sender.reach, s.sender.reach)
        _widen(known.receiver.reach, s.receiver.reach)
    return list(found.values())


def _widen(reach: dict[str, int], other: dict[str, int]) -> None:
    for group, ways in other.items():
        reach[group] = max(reach.get(group, 1), ways)


def _merge(*parts: _Effects) -> _Effects:
    found: _Effects = {}
    for part in parts:
        for effect, reach in part.items():
            _widen(found.setdefault(effect, {}), reach)
    return found
