"""Runs the integer words of one program for many instances at once and records what its data path does.

Control flow must be the same in all lanes; where it is not, `Diverged` splits the lanes and each part
is traced by itself. Loops that `loops.py` can plan are evaluated for all their iterations in one go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import fail
from ..spyrecode.words import Word
from .integers import (
    DivisionByZero,
    Integer,
    Varies,
    after_loop,
    integer_operation,
    invariant,
    simplify,
    wrap,
    wrapped,
)
from .loops import LoopPlan, plan_loop
from .program import VECTOR_WORDS, UnitProgram
from .trace import Block, Item, Op, Step, Sync, Transfer, carries
from .transfers import Dimension, pattern

__all__ = ["Trace", "trace_program"]

Array = NDArray[np.int64]
_GRID_LIMIT = 1 << 20  # iterations × lanes evaluated in one go


@dataclass(slots=True, eq=False)
class Trace:
    """What `instances` of a unit do, item by item. All arrays inside have these lanes as last axis."""

    program: UnitProgram
    instances: Array
    items: list[Item]


class _Diverged(Exception):
    """Lanes disagree on something that decides control flow; `keys`: one value per lane."""

    def __init__(self, keys: Array) -> None:
        self.keys = keys.ravel()


def trace_program(program: UnitProgram, symbols: Array) -> list[Trace]:
    """One trace per set of instances with the same control flow, by lowest instance."""
    waiting = [np.arange(len(program.instances))]
    traces: list[Trace] = []
    while waiting:
        lanes = waiting.pop(0)
        try:
            items = _Tracer(program, symbols, lanes).run()
        except _Diverged as split:
            _, part = np.unique(split.keys, return_inverse=True)
            waiting += [lanes[part == p] for p in range(int(part.max()) + 1)]
            continue
        traces.append(Trace(program, program.instances[lanes], items))
    return sorted(traces, key=lambda t: int(t.instances.min()))


class _Tracer:
    def __init__(self, program: UnitProgram, symbols: Array, lanes: Array) -> None:
        self.program, self.symbols = program, symbols
        self.words = program.words
        self.instances = program.instances[lanes]
        self.registers: list[Integer] = [0] * program.registers
        for register, values in program.initial.items():
            self.registers[register] = simplify(values[lanes])
        self.items: list[Item] = []
        self.pending: list[Step] = []  # vector words since the last item
        self.own: dict[str, Array] = {}
        self.plans: dict[int, LoopPlan | None] = {}
        self.loop_limit = program.image.arch.limits.loop_count

    def run(self) -> list[Item]:
        self._span(0, len(self.words))
        self._flush()
        return self.items

    # --- control

    def _span(self, index: int, end: int) -> bool:
        """Run words until `end`; False after a halt."""
        while index < end:
            word = self.words[index]
            name = word.name
            if name in _INTEGER:
                self._integer(index, word)
            elif name in VECTOR_WORDS:
                self.pending.append(self._step(index))
            elif name in ("loop", "loopi"):
                body_end = index + 1 + word["words"]
                if not self._loop(index, body_end):
                    return False
                index = body_end
                continue
            elif name == "skip" or (name == "skipz" and not self._uniform(self._truth(word))):
                index += word["words"]
            elif name == "halt":
                return False
            elif name != "skipz":
                self._flush()
                self.items.append(self._transfer(index) if name == "xfer" else self._sync(index))
            index += 1
        return True

    def _truth(self, word: Word) -> Integer:
        value = self.registers[word["ra"]]
        return int(value != 0) if isinstance(value, int) else (value != 0).astype(np.int64)

    def _uniform(self, value: Integer) -> int:
        """The value that all lanes share; otherwise the lanes part here."""
        value = simplify(value)
        if isinstance(value, int):
            return value
        raise _Diverged(value)

    def _loop(self, index: int, end: int) -> bool:
        count = self._count(index)
        if count <= 0:
            return True
        if index not in self.plans:
            self.plans[index] = plan_loop(self.words, index + 1, end)
        plan = self.plans[index]
        if plan is not None and count > 1:
            count -= self._vector_loop(plan, index, count)
        return all(self._span(index + 1, end) for _ in range(count))

    def _count(self, index: int) -> int:
        word = self.words[index]
        count = (
            word["count"] if word.name == "loopi" else self._uniform(invariant(self.registers[word["ra"]]))
        )
        if count > self.loop_limit:
            message = f"{self.program.at(index)}: {count} trips, the hardware counts to {self.loop_limit}"
            fail("SIM032", message, self.program.where(index), "split the loop")
        return count

    # --- loops in one go: registers get axes (iterations…, lanes)

    def _vector_loop(self, plan: LoopPlan, index: int, count: int) -> int:
        """Run the loop in chunks of many trips; returns how many trips were possible."""
        self._flush()
        inner, level = 1, plan
        while level.inner is not None:
            at, level = level.inner
            inner *= max(self._count(at), 1)
        chunk = _GRID_LIMIT // (inner * len(self.instances))
        done = 0
        while chunk > 1 and done < count:
            before = self.registers.copy()
            try:
                self._vector_chunk(plan, index, min(chunk, count - done))
            except Varies:
                self.registers = before
                break
            done += min(chunk, count - done)
        return done

    def _vector_chunk(self, plan: LoopPlan, index: int, count: int) -> None:
        shape: list[int] = []
        steps = self._level(plan, index, count, shape)
        if steps:
            trips = int(np.prod(shape))
            self.items.append(Block(trips, [self._flat(s, shape) for s in steps], carries(steps)))

    def _level(self, plan: LoopPlan, index: int, count: int, shape: list[int]) -> list[Step]:
        """Evaluate one loop of the nest: axis -2 of all arrays inside is its iterations, -1 the lanes."""
        shape.append(count)
        self.registers = [r if isinstance(r, int) else np.expand_dims(r, -2) for r in self.registers]
        trip = np.arange(count, dtype=np.int64)[:, None]
        growth = {r: self._growth(plan, r) for r in plan.carried}
        start = {r: self.registers[r] for r in plan.carried}
        for r, amount in growth.items():
            self.registers[r] = start[r] + trip * amount
        steps = self._level_body(plan, index, shape)
        for r, amount in growth.items():
            self.registers[r] = wrapped(start[r] + count * amount)
        self.registers = [after_loop(r) for r in self.registers]
        return steps

    def _level_body(self, plan: LoopPlan, index: int, shape: list[int]) -> list[Step]:
        steps: list[Step] = []
        at, end = index + 1, index + 1 + self.words[index]["words"]
        while at < end:
            word = self.words[at]
            if word.name in _INTEGER:
                self._integer(at, word)
            elif word.name in VECTOR_WORDS:
                steps.append(self._step(at))
            else:
                assert plan.inner is not None
                count = self._count(at)
                if count > 0:
                    steps = self._level(plan.inner[1], at, count, shape)
                at += word["words"]
            at += 1
        return steps

    def _growth(self, plan: LoopPlan, register: int) -> Any:
        """What `register` gains in one trip, nested trips included."""
        total: Any = 0
        for sign, other, immediate in plan.carried.get(register, ()):
            total = total + sign * (immediate if other is None else self.registers[other])
        if plan.inner is not None:
            at, inner = plan.inner
            total = total + max(self._count(at), 0) * self._growth(inner, register)
        return wrapped(total)

    def _flat(self, step: Step, shape: list[int]) -> Step:
        step.address = _grid(step.address, shape)
        step.values = tuple(_grid(v, shape) for v in step.values)
        return step

    def _flush(self) -> None:
        if self.pending:
            steps = [self._flat(s, [1]) for s in self.pending]
            self.items.append(Block(1, steps, False))
            self.pending = []

    # --- words

    def _integer(self, index: int, word: Word) -> None:
        r, name = self.registers, word.name
        value: Integer
        if name == "inti":
            value = self._compute(index, r[word["ra"]], word["imm"])
        elif name == "int":
            value = self._compute(index, r[word["ra"]], r[word["rb"]])
        elif name == "li":
            value = word["imm"]
        elif name == "lih":
            low = r[word["rd"]] & 0xFFFFFFFF
            value = wrap(low + (word["imm"] << 32)) if isinstance(low, int) else low + (word["imm"] << 32)
        elif name == "ldsym":
            if word["symbol"] >= len(self.symbols):
                self.program.malformed(index, f"there is no symbol {word['symbol']}")
            value = int(self.symbols[word["symbol"]])
        else:
            condition, a, b = r[word["rc"]], r[word["ra"]], r[word["rb"]]
            chooses = isinstance(condition, int)
            value = (a if condition else b) if chooses else np.where(condition != 0, a, b)
        if word["rd"]:
            r[word["rd"]] = value

    def _compute(self, index: int, a: Integer, b: Integer) -> Integer:
        try:
            return integer_operation(self.words[index]["op"])(a, b)
        except DivisionByZero:
            fail("SIM033", f"{self.program.at(index)}: division by zero", self.program.where(index))

    def _step(self, index: int) -> Step:
        op = self.program.op(index)
        f, r = op.fields, self.registers
        step = Step(op)
        if op.memory is not None:
            step.address = r[f["ra"]]  # type: ignore[assignment]  # made an array by _flat
            step.instance = self._memory_instance(op, op.memory, f["instance"])
            step.stride = self._steady(r[f["stride"]])
        if op.peer is not None:
            step.peer = self._peer_instance(op, f["peer_instance"])
        if op.name in ("vset", "vmask"):
            step.values = (r[f["ra"]], r[f["rb"]])  # type: ignore[assignment]
        return step

    def _steady(self, value: Integer) -> int:
        """A value that must not change inside a vectorised loop nor from lane to lane."""
        return self._uniform(invariant(value))

    def _sync(self, index: int) -> Sync:
        op = self.program.op(index)
        peer = self._peer_instance(op, op.fields["peer_instance"])
        return Sync(op, peer, op.fields["channel"], bool(op.fields.get("wait")))

    def _peer_instance(self, op: Op, register: int) -> Array:
        assert op.peer is not None
        return self._instance(op, self.program.image.arch.units[op.peer].group, register, op.peer)

    def _memory_instance(self, op: Op, memory: str, register: int) -> Array:
        return self._instance(op, self.program.image.arch.memories[memory].group, register, memory)

    def _instance(self, op: Op, group: str, register: int, what: str) -> Array:
        image = self.program.image
        if register == 0:
            return self._own(op, group, what)
        value = invariant(self.registers[register])
        chosen = np.broadcast_to(np.asarray(value, np.int64), self.instances.shape)
        limit = image.arch.instances(group)
        if ((chosen < 0) | (chosen >= limit)).any():
            bad = int(chosen[(chosen < 0) | (chosen >= limit)][0])
            text = f"{self.program.at(op.index)}: {what} has no instance {bad}"
            fail("SIM034", text, self.program.where(op.index), f"there are {limit}")
        return chosen

    def _own(self, op: Op, group: str, what: str) -> Array:
        if group not in self.own:
            self.own[group] = self._find_own(op, group, what)
        return self.own[group]

    def _find_own(self, op: Op, group: str, what: str) -> Array:
        machine, mine = self.program.image.machine, self.program.unit.group
        own = [machine.own(mine, i, group) for i in self.instances.tolist()]
        if None in own:
            text = f"{self.program.at(op.index)}: which {what} is not clear"
            fail("SIM034", text, self.program.where(op.index), "name the instance in a register")
        return np.array(own, np.int64)

    def _transfer(self, index: int) -> Transfer:
        op = self.program.op(index)
        image, f, r = self.program.image, op.fields, self.registers
        rows = image.binary["transfers"]
        if f["transfer"] >= len(rows):
            self.program.malformed(index, f"there is no transfer {f['transfer']}")
        row = rows[f["transfer"]]
        names = image.machine.memories
        if max(int(row["source"]), int(row["destination"])) >= len(names):
            self.program.malformed(index, "its transfer names a memory that does not exist")
        source, destination = names[int(row["source"])], names[int(row["destination"])]
        element = int(row["element_bytes"])
        first, count = int(row["first_dimension"]), int(row["dimensions"])
        dimensions = tuple(self._dimension(d) for d in image.binary["dimensions"][first : first + count])
        if len(dimensions) != count or not element:
            self.program.malformed(index, "its transfer's dimensions are outside section `dimensions`")
        moved = pattern(dimensions, element, int(row["outside"]) == 0)
        lanes = self.instances.shape
        return Transfer(
            op,
            source,
            destination,
            np.broadcast_to(np.asarray(r[f["ra"]], np.int64), lanes),
            np.broadcast_to(np.asarray(r[f["rb"]], np.int64), lanes),
            self._memory_instance(op, source, f["source_instance"]),
            self._memory_instance(op, destination, f["destination_instance"]),
            moved.source,
            moved.destination,
            moved.run,
            moved.cleared,
            element,
            moved.source_runs,
            moved.destination_runs,
        )

    def _dimension(self, row: Any) -> Dimension:
        register = {k: int(row[k]) for k in ("count_register", "low_register", "high_register")}
        count = int(row["count"])
        if register["count_register"]:
            count = max(0, self._uniform(self.registers[register["count_register"]]))
        low, high = 0, count
        if register["low_register"]:
            low = self._uniform(self.registers[register["low_register"]])
        if register["high_register"]:
            high = self._uniform(self.registers[register["high_register"]])
        low, high = min(max(low, 0), count), min(max(high, 0), count)
        return Dimension(count, low, high, int(row["source_stride"]), int(row["destination_stride"]))


_INTEGER = frozenset(("li", "lih", "ldsym", "int", "inti", "sel"))


def _grid(value: Any, shape: list[int]) -> Any:
    """An operand as (iterations or 1, lanes or 1)."""
    if value is None:
        return None
    array = np.asarray(value, np.int64)
    lanes = array.shape[-1] if array.ndim else 1
    if array.size == lanes:
        return array.reshape(1, lanes)
    return np.broadcast_to(array, (*shape, lanes)).reshape(-1, lanes)
