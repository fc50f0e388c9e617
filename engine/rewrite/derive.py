"""From the plain term to the chosen one: the rule applications that explain a schedule.

An e-graph says that two terms are equal, not why. The firings do: each equates two nodes of one class,
its `match` and its `rewrite` side. Within a class the firings make a graph over nodes in which any two
are connected, since a class only ever grows by a firing (or because sub-terms became equal, which is the
business of their own class). A shortest path in it, with the sub-terms rewritten likewise where a side
looks into them, is the explanation. It ends because a class's terms never contain the class itself,
but for loops of one trip, which no path needs twice.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

from ..diagnostics import fail
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Path, Term
from .apply import Step, canonical, instantiate
from .graph import ENode, Firing, SaturatedGraph, node_term
from .language import FIELDS, Kind, is_variable
from .rulebook import Rule

__all__ = ["derive"]

Key = tuple[Any, ...]  # head and arguments, terms as class numbers


class Chosen(Protocol):
    """An extraction's choice."""

    @property
    def term(self) -> Expr: ...


def derive(program: Program, graph: SaturatedGraph, chosen: Chosen | Term) -> tuple[Step, ...]:
    """Steps that lead from the program's body to the chosen term of the graph's root class.

    Replaying them gives exactly `chosen`. Raises RULE033 if the graph does not hold the term.
    """
    axes = tuple(program.axes)
    proof = _Proof(graph, graph.rules, axes)
    plain = proof.locate(canonical(program.body, axes))
    target = proof.locate(canonical(chosen if isinstance(chosen, Term) else chosen.term, axes))
    if plain.class_id != target.class_id:
        fail("RULE033", "the chosen term is not a schedule of this program")
    return tuple(_without_detours(proof.rewrite(plain, target)))


@dataclass(frozen=True, slots=True)
class _Located:
    """A term together with the class and node of every sub-term."""

    class_id: int
    key: Key
    term: Expr
    children: tuple[_Located, ...]
    places: tuple[int, ...]  # argument number of each child

    def at(self, path: Path) -> _Located:
        node = self
        for k in path:
            node = node.children[node.places.index(k)]
        return node


@dataclass(frozen=True, slots=True)
class _Edge:
    """A firing as a way from one node of a class to another."""

    firing: Firing
    backwards: bool
    to: Key


class _Proof:
    def __init__(self, graph: SaturatedGraph, rules: Mapping[str, Rule], axes: tuple[str, ...]) -> None:
        self.rules = rules
        self.axes = axes
        self.class_of: dict[Key, int] = {}
        self.members: dict[int, list[Key]] = {}
        self._index(graph)
        self.edges: dict[Key, list[_Edge]] = {}
        for firing in graph.firings:
            self._connect(firing)
        self.depth = 0

    # --- nodes -------------------------------------------------------------------------------------------

    def _index(self, graph: SaturatedGraph) -> None:
        origin = [c.origin for c in graph.classes]
        for c in graph.classes:
            for node in c.nodes:
                fields = FIELDS[node.head]
                args = [
                    origin[a] if kind is Kind.TERM else a
                    for a, (_, kind) in zip(node.args, fields, strict=True)
                ]
                key = (node.head, *args)
                if key not in self.class_of:
                    self.class_of[key] = c.origin
                    self.members.setdefault(c.origin, []).append(key)

    def locate(self, t: Expr) -> _Located:
        """Find a plain term in the graph. RULE033 when it is not there."""
        head = t.head if isinstance(t, Term) else str(t)
        args = t.args if isinstance(t, Term) else ()
        fields = FIELDS[head]
        parts: list[Any] = [args] if head == "comm" else []
        children: list[_Located] = []
        places: list[int] = []
        for k, (a, (_, kind)) in enumerate(zip(args, fields, strict=True) if head != "comm" else ()):
            if kind is Kind.TERM:
                child = self.locate(a)
                children.append(child)
                places.append(k)
                parts.append(child.class_id)
            else:
                parts.append(_plain(a, kind))
        key = (head, *parts)
        class_id = self.class_of.get(key)
        if class_id is None:
            fail("RULE033", f"the e-graph does not hold `{head}` with {key[1:]}")
        return _Located(class_id, key, t, tuple(children), tuple(places))

    def _connect(self, firing: Firing) -> None:
        rule = self.rules[firing.rule]
        for name in {*_term_variables(rule.match.term), *_term_variables(rule.rewrite.term)}:
            if firing.subst[name] not in self.members:
                return  # below a group that is distributed over twice
        match = self._node(rule.match.term, firing, firing.target)
        rewrite = self._node(rule.rewrite.term, firing, firing.target)
        if match is not None and rewrite is not None and match != rewrite:
            self.edges.setdefault(match, []).append(_Edge(firing, False, rewrite))
            self.edges.setdefault(rewrite, []).append(_Edge(firing, True, match))

    def _node(self, pattern: Expr, firing: Firing, class_id: int | None) -> Key | None:
        """The node that an instantiated pattern stands for; None if the graph does not hold an inner one."""
        if not isinstance(pattern, Term):
            return (str(pattern),)
        parts: list[Any] = []
        for a, (role, kind) in zip(pattern.args, FIELDS[pattern.head], strict=True):
            if kind is not Kind.TERM:
                parts.append(_plain(_field(a, role, firing, self.axes), kind))
            elif is_variable(a):
                parts.append(firing.subst[str(a)[1:]])
            else:
                inner = self._node(a, firing, None)
                if inner is None:
                    return None
                parts.append(self.class_of[inner])
        key = (pattern.head, *parts)
        if key not in self.class_of:
            # Handed-over graphs leave out terms around themselves: the class of `(loop a 1 S)` is S's.
            inner_classes = [
                p for p, (_, k) in zip(parts, FIELDS[pattern.head], strict=True) if k is Kind.TERM
            ]
            known = (
                class_id if class_id is not None else inner_classes[0] if len(inner_classes) == 1 else None
            )
            if known is None:
                return None
            self.class_of[key] = known
        return key

    def origin(self, class_id: int) -> Expr:
        """Some term of a class: its first node, recursively."""
        key = self.members[class_id][0]
        fields = FIELDS[key[0]]
        args = zip(key[1:], fields, strict=True)
        children = tuple(self.origin(a) for a, (_, kind) in args if kind is Kind.TERM)
        return node_term(ENode(key[0], tuple(key[1:])), children)

    # --- rewriting ---------------------------------------------------------------------------------------

    def rewrite(self, source: _Located, target: _Located) -> list[Step]:
        """Steps from one term of a class to another."""
        if source.term == target.term:
            return []
        self.depth += 1
        if self.depth > _DEEPEST:
            fail("RULE033", f"no derivation of `{target.key[0]}` ends; the firings explain it in a circle")
        if source.key == target.key:
            steps: list[Step] = []
            for a, b, k in zip(source.children, target.children, source.places, strict=True):
                steps += [s.under((k,)) for s in self.rewrite(a, b)]
        else:
            steps = self._take(source, self._first_edge(source.key, target.key), target)
        self.depth -= 1
        return steps

    def _first_edge(self, start: Key, goal: Key) -> _Edge:
        """The first edge of a cheapest path between two nodes of a class (Dijkstra from the goal)."""
        towards: dict[Key, _Edge] = {}
        order = count()
        queue: list[tuple[int, int, Key, _Edge | None]] = [(0, next(order), goal, None)]
        done: set[Key] = set()
        while queue:
            distance, _, key, edge = heapq.heappop(queue)
            if key in done:
                continue
            done.add(key)
            if edge is not None:
                towards[key] = edge
                if key == start:
                    return edge
            for e in self.edges.get(key, ()):
                if e.to not in done:
                    back = _Edge(e.firing, not e.backwards, key)
                    effort = self._effort(back) + (_CIRCLE if goal in self._inside(back) else 0)
                    heapq.heappush(queue, (distance + effort, next(order), e.to, back))
        fail("RULE033", f"no derivation leads from `{start[0]}` to `{goal[0]}`")

    def _inside(self, edge: _Edge) -> tuple[Key, ...]:
        """The nodes that must stand inside the term an edge starts from. To make one that is the goal itself
        is a circle (`(loop a 1 S)` is in the class of S, and so may be what a rule makes of it), unless it
        stands there already."""
        rule = self.rules[edge.firing.rule]
        before = rule.rewrite.term if edge.backwards else rule.match.term
        found = [
            self._node(a, edge.firing, None)
            for a in before.args
            if isinstance(a, Term) and a.head in FIELDS and not is_variable(a)
        ]
        return tuple(key for key in found if key is not None)

    def _effort(self, edge: _Edge) -> int:
        """How long a step is to read: itself, and what must be brought into shape under it first."""
        rule = self.rules[edge.firing.rule]
        before = rule.rewrite.term if edge.backwards else rule.match.term
        inner = sum(isinstance(a, Term) and a.head in FIELDS for a in before.args)
        return 1 + edge.backwards + 3 * inner + (_DETOUR if self._around_itself(edge.to) else 0)

    def _around_itself(self, key: Key) -> bool:
        """Is it a term around another of its own class (a loop of one trip)?"""
        args = zip(key[1:], FIELDS[key[0]], strict=True)
        return any(kind is Kind.TERM and a == self.class_of[key] for a, (_, kind) in args)

    def _take(self, source: _Located, edge: _Edge, target: _Located) -> list[Step]:
        """Make the source what the edge's rule expects, apply the rule, go on to the target."""
        rule = self.rules[edge.firing.rule]
        before, after = rule.match.term, rule.rewrite.term
        if edge.backwards:
            before, after = after, before
        wanted = edge.firing.subst
        there = {name: c.term for name, c in _agree(before, source) if c.class_id == wanted[name]}
        variables = {*_term_variables(rule.match.term), *_term_variables(rule.rewrite.term)}
        subst = {
            name: value if name not in variables else there[name] if name in there else self.origin(value)
            for name, value in wanted.items()
        }
        step = Step(edge.firing.rule, (), tuple(subst.items()), edge.backwards)
        expected = self.locate(instantiate(before, subst, self.axes))
        steps: list[Step] = []
        for path in _differences(source, expected):
            steps += [s.under(path) for s in self.rewrite(source.at(path), expected.at(path))]
        reached = self.locate(instantiate(after, subst, self.axes))
        return [*steps, step, *self.rewrite(reached, target)]


_DEEPEST = 400
_DETOUR = 1000  # taken only when there is no other way
_CIRCLE = 100 * _DETOUR


def _term_variables(pattern: Term) -> Iterator[str]:
    for a, (_, kind) in zip(pattern.args, FIELDS[pattern.head], strict=True):
        if kind is Kind.TERM:
            if is_variable(a):
                yield str(a)[1:]
            elif isinstance(a, Term):
                yield from _term_variables(a)


def _agree(pattern: Term, source: _Located) -> Iterator[tuple[str, _Located]]:
    """Sub-terms that stand where the pattern has variables."""
    for k, a in enumerate(pattern.args):
        if k in source.places:
            child = source.at((k,))
            if is_variable(a):
                yield str(a)[1:], child
            elif isinstance(a, Term) and child.key[0] == a.head:
                yield from _agree(a, child)


def _differences(a: _Located, b: _Located, path: Path = ()) -> Iterator[Path]:
    """Outermost places where two terms have different nodes."""
    if a.term == b.term:
        return
    if a.key != b.key:
        yield path
        return
    for k, x, y in zip(a.places, a.children, b.children, strict=True):
        yield from _differences(x, y, (*path, k))


def _without_detours(steps: Sequence[Step]) -> list[Step]:
    """Drop neighbouring steps that undo each other."""
    kept: list[Step] = []
    for step in steps:
        if kept and kept[-1] == step.reverse:
            kept.pop()
        else:
            kept.append(step)
    return kept


def _field(pattern: Expr, role: str, firing: Firing, axes: tuple[str, ...]) -> Any:
    value = instantiate(pattern, firing.subst, axes)
    return Term(role, tuple(Term("move", m) for m in value)) if isinstance(value, tuple) else value


def _plain(e: Any, kind: Kind) -> Any:
    """A field of a plain term in the form of an e-node's argument."""
    if kind is Kind.BOX:
        return tuple((x.head, x.args[0]) for x in e.args)
    if kind is Kind.MOVES:
        return tuple(sorted(tuple(map(str, m.args)) for m in e.args))
    return e
