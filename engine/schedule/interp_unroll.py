"""Unrolling a term for one tile into a list of events, in an order that its denotation allows.

Control never depends on data, so the whole order of a tile's moves, steps and exchanges is known
before any value is. Overlap is a choice of order: in-moves of a repeated pipe may run early.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..numerics import dtype
from .analysis import box_of, cover, moves
from .index import Index, evaluate
from .interp_memory import Store, Window, fault
from .program import Program
from .sexpr import Expr, Term, show

__all__ = ["Event", "Exchange", "Fill", "Levels", "Move", "Run", "Unroller"]

MOST_EVENTS = 2_000_000


@dataclass(frozen=True, slots=True)
class Levels:
    """What the interpreter may assume about memories: the home of each space, and all memories from far to
    near. Both may be empty: homes then follow from the moves, and only `home` reads memory without one."""

    homes: Mapping[str, str] = field(default_factory=dict)
    order: Sequence[str] = ()

    def nearer(self, home: str, memory: str) -> bool:
        """Is `home` as near to compute as `memory`, so that no move is needed?"""
        if home == memory:
            return True
        known = home in self.order and memory in self.order
        return known and self.order.index(home) > self.order.index(memory)


@dataclass(eq=False, slots=True)
class Move:
    """Copy the window of an access or value from `source` to `target`; None stands for its home."""

    name: str
    window: Window
    source: Store | None
    target: Store | None


@dataclass(eq=False, slots=True)
class Run:
    """One execution of a statement; `loads` and `stores` say which copies it uses (absent: home)."""

    stmt: str
    window: Window
    loads: dict[str, Store]
    stores: dict[str, Store]
    values: dict[str, Store]


@dataclass(eq=False, slots=True)
class Fill:
    """An accumulator comes into scope and takes its initial value."""

    value: Store


@dataclass(eq=False, slots=True)
class Exchange:
    """The tile reaches a `comm`; `number` counts its executions."""

    term: Term
    number: int
    source: Store
    result: Store


Event = Move | Run | Fill | Exchange


@dataclass(frozen=True)
class _Scope:
    """What surrounds a node: the position of every axis, copies by (name, memory), values."""

    position: Mapping[str, int] = field(default_factory=dict)
    copies: Mapping[tuple[str, str], Store] = field(default_factory=dict)
    outs: Mapping[tuple[str, str], Store] = field(default_factory=dict)
    values: Mapping[str, Store] = field(default_factory=dict)

    def advanced(self, axis: str, by: int) -> _Scope:
        return replace(self, position={**self.position, axis: self.position.get(axis, 0) + by})


@dataclass(slots=True)
class _Instance:
    """One execution of a pipe: `stream` tells instances of a `par` apart, each has its own buffers."""

    stream: tuple[int, ...]
    depth: int
    ins: list[Event]
    body: list[Event]


class Unroller:
    """Unrolls for one tile. `env` holds arguments, syms and tile coordinates; `overlap` is none, eager or
    random; `seed` None keeps `par` instances in order."""

    def __init__(
        self, program: Program, env: Mapping[str, Any], levels: Levels, overlap: str, seed: int | None
    ) -> None:
        self.program, self.env, self.levels, self.overlap = program, env, levels, overlap
        self.random = random.Random(seed) if seed is not None else None
        self.covers: dict[Expr, dict[str, int]] = {}
        self.trips: dict[str, int] = {}
        self.exchanges: dict[Term, int] = {}
        self.sources: dict[str, tuple[set[str], set[str]]] = {}  # by access: memories moved from, moved to
        self.events = 0

    def unroll(self, body: Expr) -> list[Event]:
        self._find_moves(body)
        return self._term(body, _Scope())

    def _find_moves(self, body: Expr) -> None:
        if isinstance(body, Term):
            for pipe in body.walk():
                if pipe.head == "pipe":
                    for name, a, b in moves(pipe.args[1]):
                        found = self.sources.setdefault(name, (set(), set()))
                        found[0].add(a)
                        found[1].add(b)

    # --- numbers ----------------------------------------------------------------------------------------

    def _number(self, e: Index, scope: _Scope | None = None) -> int:
        env = self.env
        if scope is not None:
            axes = self.program.axes
            here = {a: axes[a].lo for a in scope.position if a in axes}
            values = {a: evaluate(lo, env) + axes[a].step * scope.position[a] for a, lo in here.items()}
            start = {a: evaluate(x.lo, env) for a, x in axes.items() if a not in values}
            env = {**env, **start, **values}
        return int(evaluate(e, env))

    def _cover(self, s: Expr) -> dict[str, int]:
        known = self.covers.get(s)
        if known is None:
            known = self.covers[s] = {axis: self._number(n) for axis, n in cover(s).items()}
        return known

    def _trips(self, axis: str) -> int:
        known = self.trips.get(axis)
        if known is None:
            if axis not in self.program.axes:
                fault(f"axis {axis} is not declared")
            known = self.trips[axis] = max(self._number(self.program.axes[axis].trips), 0)
        return known

    # --- control ----------------------------------------------------------------------------------------

    def _term(self, s: Expr, scope: _Scope) -> list[Event]:
        match s:
            case "skip":
                return []
            case Term("seq", (a, b)):
                return self._term(a, scope) + self._term(b, scope)
            case Term("then", (str(axis), a, b)):
                advanced = scope.advanced(axis, self._cover(a).get(axis, 0))
                return self._term(a, scope) + self._term(b, advanced)
            case Term("loop" | "par"):
                return self._nest(s, scope)
            case Term("pipe"):
                return self._arranged([self._pipe(s, scope, ())])
            case Term("let", (str(name), _, producer, body)):
                value = self._value(name, s, scope)
                inner = replace(scope, values={**scope.values, name: value})
                return self._term(producer, inner) + self._term(body, inner)
            case Term("acc", (str(name), _, body)):
                value = self._value(name, s, scope)
                inner = replace(scope, values={**scope.values, name: value})
                return [Fill(value), *self._term(body, inner)]
            case Term("exec", (str(stmt), box, str(memory))):
                return [self._exec(stmt, box, memory, scope)]
            case Term("when", (condition, body)):
                return self._term(body, scope) if self._number(condition, scope) else []
            case Term("comm", (_, str(result), str(source), *_)):
                number = self.exchanges.get(s, 0)
                self.exchanges[s] = number + 1
                return [Exchange(s, number, self._in_scope(source, scope), self._in_scope(result, scope))]
            case Term("program", (_, body)):
                return self._term(body, scope)
        fault(f"unknown term `{show(s, 60)[:60]}`")

    def _steps(self, s: Term, scope: _Scope) -> tuple[Expr, list[_Scope]]:
        """The body of a loop or par and its scopes in order."""
        if s.head == "loop":
            axis, n, body = s.args
        else:
            _, n, axis, body = s.args
        count = self._number(n, scope)
        by = self._cover(body).get(str(axis), 1) if count else 0
        return body, [scope.advanced(str(axis), k * by) for k in range(count)]

    def _nest(self, s: Term, scope: _Scope) -> list[Event]:
        leaf: Expr = s
        while isinstance(leaf, Term) and leaf.head in ("loop", "par"):
            leaf = leaf.args[-1]
        if isinstance(leaf, Term) and leaf.head == "pipe":
            return self._arranged([*self._instances(s, scope, ())])
        body, scopes = self._steps(s, scope)
        parts = [self._term(body, inner) for inner in scopes]
        if s.head == "par" and self.random is not None:
            return self._merged(parts)
        return [event for part in parts for event in part]

    def _merged(self, parts: list[list[Event]]) -> list[Event]:
        """A random interleaving of the instances of a `par`."""
        assert self.random is not None
        tickets = [k for k, part in enumerate(parts) for _ in part]
        self.random.shuffle(tickets)
        sources = [iter(part) for part in parts]
        return [next(sources[k]) for k in tickets]

    # --- pipes ------------------------------------------------------------------------------------------

    def _instances(self, s: Expr, scope: _Scope, stream: tuple[int, ...]) -> Iterator[_Instance]:
        """The executions of the pipe at the end of a nest, in program order."""
        if not isinstance(s, Term) or s.head == "pipe":
            yield self._pipe(s, scope, stream)
            return
        body, scopes = self._steps(s, scope)
        numbered = list(enumerate(scopes))
        if s.head == "par" and self.random is not None:
            self.random.shuffle(numbered)
        for k, inner in numbered:
            yield from self._instances(body, inner, (*stream, k) if s.head == "par" else stream)

    def _arranged(self, instances: list[_Instance]) -> list[Event]:
        """One order of the instances' events: in-moves of instance t after the out-moves of t − depth."""
        streams: dict[tuple[int, ...], list[int]] = {}
        early: dict[int, list[int]] = {}  # after which instance (-1: before all) whose in-moves run
        for k, instance in enumerate(instances):
            own = streams.setdefault(instance.stream, [])
            lead = self._lead(instance.depth)
            after = k - 1 if lead == 0 else own[-lead] if lead <= len(own) else -1
            early.setdefault(after, []).append(k)
            own.append(k)
        order = [event for k in early.get(-1, ()) for event in instances[k].ins]
        for k, instance in enumerate(instances):
            order += instance.body
            order += [event for later in early.get(k, ()) for event in instances[later].ins]
        return order

    def _lead(self, depth: int) -> int:
        """In-moves run right after the out-moves of this many instances before (0: in program order)."""
        if self.overlap == "none":
            return 0
        return self.random.randint(0, depth) if self.overlap == "random" and self.random else depth

    def _pipe(self, s: Expr, scope: _Scope, stream: tuple[int, ...]) -> _Instance:
        assert isinstance(s, Term) and s.head == "pipe", s
        depth, ins, body, outs = s.args
        covered = self._cover(body)
        copies, in_moves = dict(scope.copies), []
        for name, source, target in moves(ins):
            window = self._image(name, covered, scope)
            copy = self._store(name, window)
            in_moves.append(Move(name, window, self._found(name, source, copies, scope), copy))
            copies[name, target] = copy
        new = {(name, a): self._store(name, self._image(name, covered, scope)) for name, a, _ in moves(outs)}
        targets = {**scope.outs, **new}
        out_moves = [self._out(name, a, b, new, targets, scope) for name, a, b in moves(outs)]
        inner = replace(scope, copies=copies, outs=targets)
        events = [*self._term(body, inner), *out_moves]
        depth_value = self._number(depth) if not isinstance(depth, int) else depth
        return _Instance(stream, max(depth_value, 1), [*in_moves], events)

    def _out(
        self,
        name: str,
        a: str,
        b: str,
        new: Mapping[tuple[str, str], Store],
        targets: Mapping[tuple[str, str], Store],
        scope: _Scope,
    ) -> Move:
        source = new[name, a]
        target = targets.get((name, b))
        if target is None:
            self._check_home(name, b, "stored to", scope)
            target = scope.values.get(name)
        return Move(name, source.window, source, target)

    def _image(self, name: str, covered: Mapping[str, int], scope: _Scope) -> Window:
        """What a move carries: the access over the cover of the pipe's body."""
        return {a: (scope.position.get(a, 0), covered.get(a, 1)) for a in self._axes(name)}

    def _axes(self, name: str) -> tuple[str, ...]:
        if name in self.program.accesses:
            return self.program.access_axes[name]
        if name not in self.program.values:
            fault(f"{name} is neither an access nor a value")
        return self.program.in_order({*self.program.values[name].axes})

    def _store(self, name: str, window: Window) -> Store:
        access = self.program.accesses.get(name)
        kind = self.program.views[access.view].dtype if access else self.program.values[name].dtype
        return Store.over(name, self._axes(name), window, dtype(kind))

    # --- leaves -----------------------------------------------------------------------------------------

    def _exec(self, stmt: str, box: Expr, memory: str, scope: _Scope) -> Run:
        self.events += 1
        if self.events > MOST_EVENTS:
            fault(f"more than {MOST_EVENTS} steps in one tile", hint="interpret a smaller kernel")
        if stmt not in self.program.stmts:
            fault(f"statement {stmt} is not declared")
        declared = self.program.stmts[stmt]
        extents = {a: self._number(n) for a, n in box_of(box).items()}
        domain = self.program.domains[stmt]
        if tuple(extents) != domain:
            fault(f"the box of {stmt} lists ({' '.join(extents)}), its domain is ({' '.join(domain)})")
        window = {a: (scope.position.get(a, 0), n) for a, n in extents.items()}
        for a, (start, n) in window.items():
            if start + n > self._trips(a):
                fault(f"{stmt} runs at position {start + n - 1} of {a}, which has {self._trips(a)}")
        loads: dict[str, Store] = {}
        for name in declared.loads:
            copy = self._found(name, memory, scope.copies, scope)
            if copy is not None:
                loads[name] = copy
        stores: dict[str, Store] = {}
        for name in declared.stores:
            target = scope.outs.get((name, memory)) if memory != "home" else None
            if target is not None:
                stores[name] = target
            elif memory != "home":
                self._check_home(name, memory, "stored at", scope)
        values = {v: self._in_scope(v, scope) for v in (*declared.gets, *declared.sets)}
        for v in declared.gets:
            values[v] = scope.copies.get((v, memory), values[v])
        return Run(stmt, window, loads, stores, values)

    def _found(
        self, name: str, memory: str, copies: Mapping[tuple[str, str], Store], scope: _Scope
    ) -> Store | None:
        """The copy of an access at a memory; None for its home. A fault when it is at neither."""
        if memory == "home":
            return scope.values.get(name)
        found = copies.get((name, memory))
        if found is None:
            self._check_home(name, memory, "read at", scope)
            found = scope.values.get(name)
        return found

    def _check_home(self, name: str, memory: str, verb: str, scope: _Scope) -> None:
        """A fault unless `memory` is the access's home, or its home is nearer to compute."""
        if name in scope.values:
            return
        access = self.program.accesses.get(name)
        if access is None:
            fault(f"{name} is neither an access nor a value in scope")
        space = self.program.views[access.view].space
        home = self.levels.homes.get(space)
        if home is not None:
            if self.levels.nearer(home, memory):
                return
            detail = f"its home is {home}"
        elif verb == "read at" and memory in self.sources.get(name, (set(), set()))[1]:
            detail = "the move that brings it there does not enclose this use"
        elif verb == "read at" and name not in self.sources and space == "global":
            detail = "no move brings it there"
        elif verb == "stored at" and space == "global":
            detail = "no out-move takes it away from there"
        else:
            return  # without an architecture: the far end of a chain of moves, or scratchpad
        fault(
            f"{name} is {verb} {memory}, but {detail}: (move {name} … {memory}) is missing", access.position
        )

    def _value(self, name: str, s: Term, scope: _Scope) -> Store:
        if name not in self.program.values:
            fault(f"value {name} is not declared")
        covered = self._cover(s)
        return self._store(name, {a: (scope.position.get(a, 0), covered.get(a, 1)) for a in self._axes(name)})

    def _in_scope(self, name: str, scope: _Scope) -> Store:
        found = scope.values.get(name)
        if found is None:
            fault(f"value {name} is not in scope", hint="put the term inside `let` or `acc` of that value")
        return found
