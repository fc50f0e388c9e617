"""Reads a saturated egglog e-graph back into plain data, numbered the same way in every run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..schedule.sexpr import Expr, parse
from .encode import Encoding
from .graph import EClass, ENode, Firing
from .language import FIELDS, Kind
from .pattern import CompiledRule

__all__ = ["Decoder"]


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
        self._number: dict[Any, int] = {}

    def read(self, provenance: bool) -> tuple[int, tuple[EClass, ...], tuple[Firing, ...]]:
        """`(root, classes, firings)`: the classes reachable from the root, breadth first."""
        tables = self.egraph.freeze().functions
        nodes: dict[Any, list[tuple[str, tuple[Any, ...]]]] = {}
        for head, fields in FIELDS.items():
            for row in tables[head].rows:
                args = self._args(row.inputs, [kind for _, kind in fields])
                nodes.setdefault(row.output, []).append((head, args))
        root = tables["$root"].rows[0].output
        order = self._order(root, nodes)
        data = {
            name: {row.inputs[0]: row.output for row in tables[name].rows}
            for name in ("cover", "reads", "writes")
        }
        classes = tuple(self._class(value, nodes[value], data) for value in order)
        return self._number[root], classes, self._firings(tables) if provenance else ()

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

    def _order(self, root: Any, nodes: dict[Any, list[tuple[str, tuple[Any, ...]]]]) -> list[Any]:
        """Number the classes reachable from the root; sorts each class's nodes by what is known of them."""
        self._number = {root: 0}
        order = [root]
        for value in order:
            nodes[value].sort(key=self._key)
            for head, args in nodes[value]:
                for a, (_, kind) in zip(args, FIELDS[head], strict=True):
                    if kind is Kind.TERM and a not in self._number:
                        self._number[a] = len(order)
                        order.append(a)
        return order

    def _key(self, node: tuple[str, tuple[Any, ...]]) -> tuple[Any, ...]:
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
        self, value: Any, nodes: list[tuple[str, tuple[Any, ...]]], data: Mapping[str, Mapping[Any, Any]]
    ) -> EClass:
        cover = self._extents(data["cover"][value])
        return EClass(
            tuple(ENode(head, self._finish(args, FIELDS[head])) for head, args in nodes),
            {a: (cover[a] if cover[a] > 0 else None) for a in self.axes if cover[a]},
            self._touches(data["reads"][value]),
            self._touches(data["writes"][value]),
        )

    def _finish(self, args: tuple[Any, ...], fields: tuple[tuple[str, Kind], ...]) -> tuple[Any, ...]:
        number = self._number
        return tuple(number[a] if kind is Kind.TERM else a for a, (_, kind) in zip(args, fields, strict=True))

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
