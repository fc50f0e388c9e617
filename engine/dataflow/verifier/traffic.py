"""Counts of signals and vectors per pair of units: what is sent must be received, as often.

A count is a polynomial: numbers per unit instance, times what only the launch decides (run-time trip
counts and conditions), which both sides must name in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...diagnostics import Diagnostic, Position
from ...ktir.groups import operand_groups
from ...ktir.ir import Block, Op, Typed, Value
from ...numerics import apply, dtype, scalar_ops
from .counts import Name, add, call, positive

__all__ = ["check_traffic"]

Array = NDArray[np.int64]
Keys = tuple[Any, ...]  # one per instance: the launch-time factors, sorted
_UNKNOWN = ("unknown",)
_SIGNALS = {"dataflow.sync_send": "sent", "dataflow.sync_recv": "received"}
_VECTORS = {"dataflow.send": "sent", "dataflow.receive": "received"}


@dataclass(slots=True)
class _Ledger:
    """Both sides of one channel or FIFO: launch-time factors → count."""

    sent: dict[Any, int] = field(default_factory=dict)
    received: dict[Any, int] = field(default_factory=dict)
    position: Position = field(default_factory=Position)


@dataclass(frozen=True, slots=True)
class _Numbers:
    """An integer per instance."""

    values: Array


@dataclass(frozen=True, slots=True)
class _Later:
    """A launch-time integer: a structural name per instance."""

    names: tuple[Any, ...]


def check_traffic(function: Op) -> list[Diagnostic]:
    ledgers: dict[Any, _Ledger] = {}
    handles: dict[Value, str] = {}
    shared: dict[Value, Op] = {}
    for op in function.regions[0].blocks[0].ops:
        if op.name == "dataflow.get_unit":
            handles[op.results[0]] = str(op.attributes["name"])
        elif op.name == "dataflow.program_unit":
            _Program(op, handles, shared, ledgers).run()
        else:
            shared.update((r, op) for r in op.results)
    return list(_faults(ledgers))


def _faults(ledgers: dict[Any, _Ledger]) -> Iterable[Diagnostic]:
    reported: set[Any] = set()
    for (kind, sender, receiver, what), ledger in ledgers.items():
        sent = {k: n for k, n in ledger.sent.items() if n}
        received = {k: n for k, n in ledger.received.items() if n}
        known = not any(_UNKNOWN in k for k in (*sent, *received))
        if sent == received or (sent and received and not known):
            continue
        family = (kind, sender.split("-")[1:], receiver.split("-")[1:], what)
        if repr(family) in reported:
            continue  # the same fault on every core
        reported.add(repr(family))
        thing = f"signals on channel {what}" if kind == "signal" else f"vectors of type {what}"
        text = f"{sender} sends {receiver} {_count(sent)} {thing}, which receives {_count(received)}"
        hint = "the two programs would wait for each other, or leave something behind for the next launch"
        yield Diagnostic("DFIR070" if kind == "signal" else "DFIR071", text, ledger.position, hint)


def _count(found: dict[Any, int]) -> str:
    parts = [str(n) if not k else f"{n} x run-time trips" for k, n in found.items()]
    return " + ".join(parts) or "no"


class _Program:
    """One program_unit, evaluated for all its units at once."""

    def __init__(
        self, op: Op, handles: dict[Value, str], shared: dict[Value, Op], ledgers: dict[Any, _Ledger]
    ) -> None:
        self.op = op
        self.units = [handles.get(u, u.name) for u in op.operands]
        self.keys = list(op.operands)
        self.handles = handles
        self.ledgers = ledgers
        self.values: dict[Value, Any] = {}
        for made in shared.values():
            self.plain(made)

    def run(self) -> None:
        block = self.op.regions[0].blocks[0]
        for me in block.args:
            self.values[me] = tuple(self.keys)
        n = len(self.units)
        self.block(block, np.ones(n, np.int64), ((),) * n)

    # ---- control ----------------------------------------------------------------------------------------

    def block(self, block: Block, times: Array, factors: Keys) -> None:
        for op in block.ops:
            if op.name in _SIGNALS:
                channel = op.attributes.get("channel", 0)
                what = channel.value if isinstance(channel, Typed) else channel
                self.count("signal", _SIGNALS[op.name], op.operands[0], what, op, times, factors)
            elif op.name in _VECTORS:
                vector = op.operands[1] if op.name == "dataflow.send" else op.results[0]
                self.count("vector", _VECTORS[op.name], op.operands[0], str(vector.type), op, times, factors)
            elif op.name == "scf.for":
                self.loop(op, times, factors)
            elif op.name == "scf.if":
                self.branch(op, times, factors)
            elif op.regions:
                self.repeated(op, times, factors)
            else:
                self.plain(op)

    def loop(self, op: Op, times: Array, factors: Keys) -> None:
        low, high, step = (self.values.get(v) for v in op.operands[:3])
        body = op.regions[0].blocks[0]
        if isinstance(low, _Numbers) and isinstance(high, _Numbers) and isinstance(step, _Numbers):
            trips = np.maximum(0, -((low.values - high.values) // step.values))
            self.block(body, times * trips, factors)
            return
        lows, highs, steps = (self.name(v) for v in op.operands[:3])
        made = [_trips(*x) for x in zip(lows, highs, steps, factors, strict=True)]
        self.block(body, times, _with(factors, [more for more, _ in made]))
        short = np.array([less for _, less in made])
        if short.any():
            self.block(body, -times * short, factors)

    def branch(self, op: Op, times: Array, factors: Keys) -> None:
        condition = self.values.get(op.operands[0])
        for side, region in enumerate(op.regions):
            for block in region.blocks:
                if isinstance(condition, _Numbers):
                    taken = (condition.values != 0) == (side == 0)
                    self.block(block, times * taken, factors)
                else:
                    names = self.name(op.operands[0])
                    more = [[("unless" if side else "if", n)] for n in names]
                    self.block(block, times, _with(factors, more))

    def repeated(self, op: Op, times: Array, factors: Keys) -> None:
        """A composite op: its region runs once per point of the time set."""
        points = op.attributes.get("time_set")
        n = len(self.units)
        count = _points(points) if points is not None else 1
        for region in op.regions:
            for block in region.blocks:
                if count is None:
                    self.block(block, times, _with(factors, [[_UNKNOWN]] * n))
                else:
                    self.block(block, times * count, factors)

    def count(
        self, kind: str, side: str, peer: Value, what: Any, op: Op, times: Array, factors: Keys
    ) -> None:
        others = self.peers(peer)
        for k, (me, other) in enumerate(zip(self.units, others, strict=True)):
            if not times[k]:
                continue
            pair = (me, other) if side == "sent" else (other, me)
            ledger = self.ledgers.setdefault((kind, *pair, what), _Ledger(position=op.position))
            book = ledger.sent if side == "sent" else ledger.received
            book[factors[k]] = book.get(factors[k], 0) + int(times[k])

    # ---- values -----------------------------------------------------------------------------------------

    def peers(self, value: Value) -> list[str]:
        found = self.values.get(value)
        if isinstance(found, tuple):
            return [self.handles.get(v, v.name) for v in found]
        return [self.handles.get(value, value.name)] * len(self.units)

    def name(self, value: Value) -> list[Any]:
        """A structural name per instance: equal names are equal numbers."""
        found = self.values.get(value)
        if isinstance(found, _Numbers):
            return [int(n) for n in found.values]
        return list(found.names) if isinstance(found, _Later) else [_UNKNOWN] * len(self.units)

    def plain(self, op: Op) -> None:
        n = len(self.units)
        match op.name:
            case "arith.constant":
                value = op.attributes["value"]
                number = value.value if isinstance(value, Typed) else value
                if isinstance(number, int):
                    self.values[op.result] = _Numbers(np.full(n, number, np.int64))
            case "symbol.create_symbol":
                self.values[op.result] = _Later((("symbol", op.attributes["SymbolId"]),) * n)
            case "uniform.query_map":
                self.query(op)
            case _:
                self.arithmetic(op)

    def query(self, op: Op) -> None:
        table, key = op.operands
        owner = table.owner
        groups = operand_groups(owner) if isinstance(owner, Op) else None
        if not groups:
            return
        entries = dict(zip(groups["keys"], groups["values"], strict=True))
        asked = self.values.get(key, (key,) * len(self.units))
        chosen = tuple(entries[k] for k in asked)
        numbers = [self.values.get(v) for v in chosen]
        if all(isinstance(x, _Numbers) for x in numbers):
            column = [int(x.values[k]) for k, x in enumerate(numbers) if isinstance(x, _Numbers)]
            self.values[op.result] = _Numbers(np.array(column, np.int64))
        else:
            self.values[op.result] = chosen

    def arithmetic(self, op: Op) -> None:
        if len(op.results) != 1 or op.name not in scalar_ops():
            return
        operands = [self.values.get(v) for v in op.operands]
        attributes = {k: v for k, v in op.attributes.items() if k != "operandSegmentSizes"}
        if all(isinstance(x, _Numbers) for x in operands):
            kinds = [dtype(str(v.type)) for v in op.operands]
            given = [x.values.astype(t.compute) for x, t in zip(operands, kinds, strict=True)]  # type: ignore[union-attr]
            result = apply(scalar_ops()[op.name], given, kinds, dtype(str(op.result.type)), attributes)
            self.values[op.result] = _Numbers(np.asarray(result).astype(np.int64))
        elif all(isinstance(x, _Numbers | _Later) for x in operands):
            names = zip(*(self.name(v) for v in op.operands), strict=True)
            shown = tuple(sorted((k, str(v)) for k, v in attributes.items()))
            less = op.name == "arith.cmpi" and _is_less(attributes["predicate"])
            self.values[op.result] = _Later(tuple(call(op.name, list(x), shown, less) for x in names))


def _trips(low: Name, high: Name, step: Name, factors: tuple[Any, ...]) -> tuple[list[Any], bool]:
    """How often a loop runs, as factors; and whether once less than they say.

    For step 1 it is n = high - low where that is positive. Where n + 1 is known to be positive it is n in
    any case: written (n + 1) - 1, so that a loop with its first or last iteration taken out counts as one
    that has them all.
    """
    if step != 1:
        return [("trips", low, high, step)], False
    n = add(high, low, -1)
    if isinstance(n, int):
        return [("times", max(0, n))], False
    more = add(n, 1)
    if ("if", positive(more)) in factors:
        return [("times", more)], True
    return [("if", positive(n)), ("times", n)], False


def _with(factors: Keys, more: list[list[Any]]) -> Keys:
    """The products of factors; a condition counts once."""
    return tuple(_product(f, m) for f, m in zip(factors, more, strict=True))


def _product(factors: tuple[Any, ...], more: list[Any]) -> tuple[Any, ...]:
    new = [m for m in more if not (m[0] in ("if", "unless") and m in factors)]
    return tuple(sorted((*factors, *new), key=repr))


def _is_less(predicate: Any) -> bool:
    number = predicate.value if isinstance(predicate, Typed) else predicate
    return bool(number == scalar_ops()["arith.cmpi"].cases.index("slt"))


def _points(points: Any) -> int | None:
    """Points of a constant box set."""
    from ...ktir.verifier.library import FUNCTIONS

    found = FUNCTIONS["point_count"]({}, points) if not points.syms else None
    return int(found) if found is not None else None
