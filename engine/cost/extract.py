"""Pareto extraction: bottom-up fronts over a saturated e-graph, then the fastest term of the root."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..rewrite.graph import EClass, ENode, SaturatedGraph, node_term
from ..schedule.sexpr import Expr
from .front import Choices, Front, Table, empty_front, merge
from .metrics import LATENCY
from .model import Model
from .price import price
from .shortage import fail_for_want_of_room

__all__ = ["Extraction", "Picked", "extract"]

_WIDTH = 24  # points per front; more are cut, and the cut is reported
_MAX_PASSES = (
    16  # a saturated graph has cycles (f(x) = x with a detour), whose fronts settle after few passes
)


@dataclass(frozen=True, slots=True)
class Picked:
    """A chosen term with the class and node of every sub-term, for provenance."""

    class_id: int
    node: ENode
    children: tuple[Picked, ...]

    @property
    def term(self) -> Expr:
        return node_term(self.node, tuple(child.term for child in self.children))


@dataclass(frozen=True, slots=True)
class Extraction:
    """`row`: cost vector of `picked`; `points`: size of the root's front; `cut`: points dropped by width."""

    picked: Picked
    row: Table
    points: int
    cut: int
    settled: bool


def extract(graph: SaturatedGraph, model: Model, width: int = _WIDTH) -> Extraction:
    """The term with the fewest predicted cycles. COST001: no term of the root class can be run."""
    fronts = _Fronts(graph, model, width)
    settled = fronts.solve()
    root = fronts.table[graph.root]
    if not len(root):
        fail_for_want_of_room(model, graph.limits_hit)
    best = _best(root.table, model)
    cut = sum(front.cut for front in fronts.table)
    return Extraction(fronts.pick(graph.root, best), root.table[best : best + 1], len(root), cut, settled)


def _best(table: Table, model: Model) -> int:
    """Fewest cycles; then least latency, least work, least memory, first point."""
    total = model.layout.total(table)
    keys = (table.sum(axis=1), table[:, LATENCY], np.round(total))
    return int(np.lexsort(keys)[0])


class _Fronts:
    def __init__(self, graph: SaturatedGraph, model: Model, width: int) -> None:
        self.graph = graph
        self.model = model
        self.width = width
        self.table: list[Front] = [empty_front(model.layout.columns)] * len(graph.classes)

    def solve(self) -> bool:
        """Recompute fronts, children first, until none changes; False if the passes ran out."""
        order = self._order()
        stale = set(order)
        parents = self._parents()
        for _ in range(_MAX_PASSES):
            for c in order:
                if c in stale:
                    stale.discard(c)
                    new = self._front(self.graph.classes[c])
                    old = self.table[c]
                    if not (np.array_equal(new.table, old.table) and np.array_equal(new.sizes, old.sizes)):
                        stale.update(parents[c])
                    self.table[c] = new
            if not stale:
                return True
        return False

    def _order(self) -> list[int]:
        """Classes reachable from the root, children before parents (cycles cut anywhere)."""
        seen, order, stack = {self.graph.root}, [], [(self.graph.root, False)]
        while stack:
            c, done = stack.pop()
            if done:
                order.append(c)
                continue
            stack.append((c, True))
            for node in reversed(self.graph.classes[c].nodes):
                for child in node.children:
                    if child not in seen:
                        seen.add(child)
                        stack.append((child, False))
        return order

    def _parents(self) -> list[set[int]]:
        parents: list[set[int]] = [set() for _ in self.graph.classes]
        for c, eclass in enumerate(self.graph.classes):
            for node in eclass.nodes:
                for child in node.children:
                    parents[child].add(c)
        return parents

    def _front(self, eclass: EClass) -> Front:
        fronts = [f for i, node in enumerate(eclass.nodes) if (f := self._node_front(i, node)) is not None]
        if not fronts:
            return empty_front(self.model.layout.columns)
        return merge(fronts, self.width, self.model.layout.period)

    def _node_front(self, index: int, node: ENode) -> Front | None:
        children = [self.table[c] for c in node.children]
        if not all(map(len, children)):
            return None
        cover = self.graph.classes[node.children[0]].cover if node.children else None
        table = price(self.model, node.head, node.args, [f.table for f in children], cover)
        if table is None:
            return None
        rows = np.flatnonzero(np.isfinite(table[:, LATENCY]))
        points = tuple(np.unravel_index(rows, [len(f) for f in children])) if children else ()
        sizes = np.ones(len(rows), np.int64)
        for child, chosen in zip(children, points, strict=True):
            sizes += child.sizes[chosen]
        return Front(table[rows], Choices(index, points, len(rows)), sizes)

    def pick(self, c: int, point: int, path: frozenset[tuple[int, int]] = frozenset()) -> Picked:
        assert (c, point) not in path, "a point of a settled front cannot contain itself"
        choice = self.table[c].choice[point]
        node = self.graph.classes[c].nodes[choice.node]
        inner = path | {(c, point)}
        children = zip(node.children, choice.children, strict=True)
        return Picked(c, node, tuple(self.pick(child, p, inner) for child, p in children))
