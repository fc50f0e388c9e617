"""Reads a saturated egglog e-graph back into plain data, numbered the same way in every run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..schedule.sexpr import Expr, parse
from .encode import Encoding
from .graph import EClass, ENode, Firing, node_term
from .language import FIELDS, Kind
from .pattern import CompiledRule

__all__ = ["Decoder"]

Node = tuple[str, tuple[Any, ...]]  # head and arguments; terms are egglog values
State = tuple[Any, frozenset[str]]  # an e-class, and the groups distributed over above it


class Decoder:
    """One reading of one e-graph. egglog values are turned into Python values once each."""

    def __init__(self, egraph: Any, encoding: Encoding, compiled: Mapping[str, CompiledRule]) -> None:
        self.egraph = egraph
        self.encoding = encoding
        self.compiled = compiled
        self.axes = tuple(encoding.program.axes)
        self._strings: dict[Any, str] = {}
        self._ints: dict[Any, int] = {}
        self._boxes: dict[Any, tuple[tuple[str, int], ...]] = {}
        self._sets: dict[Any, tuple[str, ...]] = {}
        self._moves: dict[tuple[Any, Any], tuple[tuple[str, str, str], ...]] = {}
        self._number: dict[Any, int] = {}  # e-class → number, in breadth-first order
        self._below: dict[Any, frozenset[str]] = {}
        self._place: dict[State, int] = {}
        self._terms: dict[Any, Expr] = {}

    def read(self, provenance: bool) -> tuple[int, tuple[EClass, ...], tuple[Firing, ...]]:
        """`(root, classes, firings)`: the classes reachable from the root, breadth first."""
        tables = self.egraph.freeze().functions
        nodes: dict[Any, list[Node]] = {}
        for head, fields in FIELDS.items():
            for row in tables[head].rows:
                args = self._args(row.inputs, [kind for _, kind in fields])
                if (
                    row.output not in args
                ):  # a term around itself (a loop of one trip) is never the better one
                    nodes.setdefault(row.output, []).append((head, args))
        root = tables["$root"].rows[0].output
        self._order(root, nodes)
        graph = self._once_per_path(root, nodes)
        data = {
            name: {row.inputs[0]: row.output for row in tables[name].rows}
            for name in ("cover", "reads", "writes")
        }
        classes = tuple(self._class(state, ways, graph, data) for state, ways in graph.items())
        return 0, classes, self._firings(tables) if provenance else ()

    # --- values ------------------------------------------------------------------------------------------

    def _args(self, inputs: list[Any], kinds: list[Kind]) -> tuple[Any, ...]:
        """One row's columns as values of the kinds; terms stay egglog values for now."""
        args: list[Any] = []
        column = 0
        for kind in kinds:
            value = inputs[column]
            column += 1
            match kind:
                case Kind.TERM:
                    args.append(value)
                case Kind.INT:
                    args.append(self._int(value))
                case Kind.TRIPS:
                    n = self._int(value)
                    args.append(self.encoding.trips.get(n, n))
                case Kind.BOX:
                    args.append(self._box(value))
                case Kind.MOVES:
                    args.append(self._move_set(value, inputs[column]))
                    column += 1
                case Kind.EXPR:
                    args.append(self._expr(self._string(value)))
                case Kind.ITEMS:
                    args.append(parse(self._string(value)).args)
                case _:
                    args.append(self._string(value))
        return tuple(args)

    def rows_on_terms(self, tables: Any, compiled: CompiledRule) -> list[tuple[Expr, tuple[Any, ...]]]:
        """(matched term, substitution's values) of a rule's firings on an e-graph without unions, in which
        every class is one term."""
        kinds = [kind for _, kind in compiled.variables]
        terms = self._plain_terms(tables)
        found = []
        for row in tables[compiled.table].rows:
            args = self._args(row.inputs[1:], kinds)
            values = (terms[a] if kind is Kind.TERM else a for a, kind in zip(args, kinds, strict=True))
            found.append((terms[row.inputs[0]], tuple(values)))
        return sorted(found, key=lambda r: list(map(str, r[1])))

    def _plain_terms(self, tables: Any) -> dict[Any, Expr]:
        if not self._terms:
            nodes: dict[Any, Node] = {}
            for head, fields in FIELDS.items():
                for row in tables[head].rows:
                    nodes[row.output] = (head, self._args(row.inputs, [kind for _, kind in fields]))

            def build(value: Any) -> Expr:
                if value not in self._terms:
                    head, args = nodes[value]
                    children = tuple(build(child) for child in _children(nodes[value]))
                    self._terms[value] = node_term(ENode(head, args), children)
                return self._terms[value]

            for value in nodes:
                build(value)
        return self._terms

    def _string(self, value: Any) -> str:
        found = self._strings.get(value)
        if found is None:
            found = self._strings[value] = self.egraph.value_to_string(value)
        return found

    def _int(self, value: Any) -> int:
        found = self._ints.get(value)
        if found is None:
            found = self._ints[value] = self.egraph.value_to_i64(value)
        return found

    def _extents(self, value: Any) -> dict[str, int]:
        raw = self.egraph.value_to_map(value)
        return {self._string(a): self._int(n) for a, n in raw.items()}

    def _box(self, value: Any) -> tuple[tuple[str, int], ...]:
        found = self._boxes.get(value)
        if found is None:
            extents = self._extents(value)
            found = self._boxes[value] = tuple((a, extents[a]) for a in self.axes if extents[a])
        return found

    def _set(self, value: Any) -> tuple[str, ...]:
        found = self._sets.get(value)
        if found is None:
            found = self._sets[value] = tuple(
                sorted(self._string(v) for v in self.egraph.value_to_set(value))
            )
        return found

    def _move_set(self, sources: Any, targets: Any) -> tuple[tuple[str, str, str], ...]:
        found = self._moves.get((sources, targets))
        if found is None:
            ends = dict(x.rsplit("@", 1) for x in self._set(targets))
            starts = (x.rsplit("@", 1) for x in self._set(sources))
            found = self._moves[sources, targets] = tuple((x, m, ends[x]) for x, m in starts)
        return found

    def _expr(self, text: str) -> Expr:
        if text.startswith("("):
            return parse(text)
        return int(text) if text.lstrip("-").isdigit() else text

    # --- classes -----------------------------------------------------------------------------------------

    def _order(self, root: Any, nodes: dict[Any, list[Node]]) -> None:
        """Number the classes reachable from the root; sorts each class's nodes by what is known of them."""
        self._number = {root: 0}
        order = [root]
        for value in order:
            nodes[value].sort(key=self._key)
            for node in nodes[value]:
                for child in _children(node):
                    if child not in self._number:
                        self._number[child] = len(order)
                        order.append(child)

    def _once_per_path(self, root: Any, nodes: dict[Any, list[Node]]) -> dict[State, list[Node]]:
        """The graph in which no path distributes over a group twice: a class below `par g` is a copy of
        the class without its own `par g`. Copies are made only where that makes a difference."""
        below = self._groups_below(nodes)
        start: State = (root, frozenset())
        states: dict[State, list[Node]] = {start: []}
        queue = [start]
        for value, used in queue:
            for node in nodes[value]:
                if node[0] == "par" and node[1][0] in used:
                    continue
                states[value, used].append(node)
                inner = used | {node[1][0]} if node[0] == "par" else used
                for child in _children(node):
                    state = (child, inner & below[child])
                    if state not in states:
                        states[state] = []
                        queue.append(state)
        self._below = below
        return self._alive(states)

    def _child_states(self, state: State, node: Node) -> list[State]:
        used = state[1] | {node[1][0]} if node[0] == "par" else state[1]
        return [(child, used & self._below[child]) for child in _children(node)]

    def _alive(self, states: dict[State, list[Node]]) -> dict[State, list[Node]]:
        """Without nodes that have a child of which no term is left."""
        parents: dict[State, list[tuple[State, int]]] = {}
        missing: dict[tuple[State, int], int] = {}
        alive: dict[State, None] = {}
        todo: list[State] = []
        for state, nodes in states.items():
            for k, node in enumerate(nodes):
                children = self._child_states(state, node)
                missing[state, k] = len(children)
                for child in children:
                    parents.setdefault(child, []).append((state, k))
                if not children and state not in alive:
                    alive[state] = None
                    todo.append(state)
        while todo:
            for parent, k in parents.get(todo.pop(), ()):
                missing[parent, k] -= 1
                if not missing[parent, k] and parent not in alive:
                    alive[parent] = None
                    todo.append(parent)
        return {
            state: [node for k, node in enumerate(nodes) if not missing[state, k]]
            for state, nodes in states.items()
            if state in alive
        }

    def _groups_below(self, nodes: dict[Any, list[Node]]) -> dict[Any, frozenset[str]]:
        """Groups that some term of a class distributes over."""
        found: dict[Any, frozenset[str]] = dict.fromkeys(self._number, frozenset())
        parents: dict[Any, list[Any]] = {value: [] for value in self._number}
        todo = []
        for value in self._number:
            for node in nodes[value]:
                for child in _children(node):
                    parents[child].append(value)
            own = frozenset(node[1][0] for node in nodes[value] if node[0] == "par")
            if own:
                found[value] = own
                todo.append(value)
        while todo:
            value = todo.pop()
            for parent in parents[value]:
                if not found[value] <= found[parent]:
                    found[parent] |= found[value]
                    todo.append(parent)
        return found

    def _key(self, node: Node) -> tuple[Any, ...]:
        head, args = node
        kinds = [kind for _, kind in FIELDS[head]]
        plain = [str(a) for a, kind in zip(args, kinds, strict=True) if kind is not Kind.TERM]
        # A child that has no number yet sorts after those that have one, by egglog's own number.
        children = [
            (self._number.get(a, 1 << 60), str(a))
            for a, kind in zip(args, kinds, strict=True)
            if kind is Kind.TERM
        ]
        return _RANK[head], plain, children

    def _class(
        self,
        state: State,
        nodes: list[Node],
        graph: dict[State, list[Node]],
        data: Mapping[str, Mapping[Any, Any]],
    ) -> EClass:
        value, used = state
        if not self._place:
            self._place = {s: k for k, s in enumerate(graph)}
        cover = self._extents(data["cover"][value])
        return EClass(
            tuple(ENode(node[0], self._finish(node, used)) for node in nodes),
            {a: (cover[a] if cover[a] > 0 else None) for a in self.axes if cover[a]},
            self._touches(data["reads"][value]),
            self._touches(data["writes"][value]),
            self._number[value],
        )

    def _finish(self, node: Node, used: frozenset[str]) -> tuple[Any, ...]:
        head, args = node
        inner = used | {args[0]} if head == "par" else used
        return tuple(
            self._place[a, inner & self._below[a]] if kind is Kind.TERM else a
            for a, (_, kind) in zip(args, FIELDS[head], strict=True)
        )

    def _touches(self, value: Any) -> tuple[tuple[str, str], ...]:
        pairs = (x.rsplit("@", 1) for x in self._set(value))
        return tuple((x, m) for x, m in pairs)

    # --- firings -----------------------------------------------------------------------------------------

    def _firings(self, tables: Any) -> tuple[Firing, ...]:
        found: list[Firing] = []
        for path, compiled in self.compiled.items():
            names = [name for name, _ in compiled.variables]
            kinds = [kind for _, kind in compiled.variables]
            rows: list[tuple[int, tuple[Any, ...]]] = []
            for row in tables[compiled.table].rows:
                if row.inputs[0] not in self._number:
                    continue
                args = self._args(row.inputs[1:], kinds)
                rows.append((self._number[row.inputs[0]], self._settle(args, kinds)))
            rows.sort(key=lambda r: (r[0], list(map(str, r[1]))))
            found += [Firing(path, target, dict(zip(names, args, strict=True))) for target, args in rows]
        return tuple(found)

    def _settle(self, args: tuple[Any, ...], kinds: list[Kind]) -> tuple[Any, ...]:
        return tuple(self._number[a] if kind is Kind.TERM else a for a, kind in zip(args, kinds, strict=True))


_RANK = {head: k for k, head in enumerate(FIELDS)}


def _children(node: Node) -> list[Any]:
    head, args = node
    return [a for a, (_, kind) in zip(args, FIELDS[head], strict=True) if kind is Kind.TERM]
