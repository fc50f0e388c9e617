"""Walks a unit's program: dispatch of its ops, loops, branches, carried values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..ktir import ir
from . import integers, lanes, moves
from .blocks import Branch, Instr, IntReg, Loop, VecReg
from .coalesce import renamed
from .composites import composite_load, composite_store, load_and_store
from .context import Context
from .forms import Form
from .isa import isa
from .values import Bits

__all__ = ["Walk"]

_HANDLERS: Mapping[str, Callable[[Context, ir.Op], None]] = {
    **integers.HANDLERS,
    **moves.HANDLERS,
    "agen.composite_load_and_store": load_and_store,
}
_ENDS = {"scf.yield", "dataflow.return", "func.return", "agen.yield"}
_UNITS_ONLY = {"symbol.create_id"}  # declarations for other tools


def _library(op: ir.Op) -> ir.Op:
    """A cast that stands for a scalar op on vectors, as that op."""
    given = {k: v for k, v in op.attributes.items() if k != "scalar_op"}
    return ir.Op(str(op.attributes["scalar_op"]), op.operands, op.results, given, position=op.position)


class Walk:
    """Emits the code of a list of ops into the context's current block."""

    def __init__(self, context: Context) -> None:
        self.c = context
        self.structured: Mapping[str, Callable[[ir.Op], None]] = {
            "scf.for": self.loop,
            "scf.if": self.branch,
            "agen.composite_load": lambda op: composite_load(self, op),
            "agen.composite_store": lambda op: composite_store(self, op),
        }

    def ops(self, ops: Sequence[ir.Op]) -> None:
        for op in ops:
            if op.name not in _ENDS and op.name not in _UNITS_ONLY:
                self.op(op)

    def op(self, op: ir.Op) -> None:
        c = self.c
        c.scalars.position = op.position
        if "scalar_op" in op.attributes:
            op = _library(op)
        if op.name in self.structured:
            self.structured[op.name](op)
        elif lanes.handles(op):
            lanes.emit(c, op)
        elif op.name in _HANDLERS:
            _HANDLERS[op.name](c, op)
        else:
            c.fail(
                "SPY051",
                f"`{op.name}` has no translation into SpyreCode",
                "see table `vector_ops` in isa.yaml",
            )

    # ---- loops

    def loop(self, op: ir.Op) -> None:
        c = self.c
        lower, upper, step = (c.form(v) for v in op.operands[:3])
        inits, block = op.operands[3:], op.regions[0].blocks[0]
        if step.is_constant and not _positive(step):
            c.fail("SPY062", "the step of a loop must be positive")
        trips = self._trips(lower, upper, step)
        if trips.as_int is not None and trips.as_int <= 1:
            self._unrolled(op, lower, trips.as_int)
            return
        self._repeat(
            trips,
            block.args[0],
            lower,
            step,
            list(zip(block.args[1:], inits, op.results, strict=True)),
            lambda: self._body(block),
        )

    def _trips(self, lower: Form, upper: Form, step: Form) -> Form:
        s = self.c.scalars
        distance = upper.minus(lower)
        return distance if step.as_int == 1 else s.binary("cdiv", distance, step)

    def _unrolled(self, op: ir.Op, lower: Form, trips: int) -> None:
        c, block = self.c, op.regions[0].blocks[0]
        current = [c.get(v) for v in op.operands[3:]]
        if trips == 1:
            c.values[block.args[0]] = lower
            for argument, value in zip(block.args[1:], current, strict=True):
                c.values[argument] = value
            current = [c.get(v) for v in self._body(block)]
        for result, value in zip(op.results, current, strict=True):
            c.values[result] = value

    def _body(self, block: ir.Block) -> list[ir.Value]:
        self.ops(block.ops)
        end = block.ops[-1] if block.ops else None
        return list(end.operands) if end is not None and end.name == "scf.yield" else []

    def counted(self, trips: Form, body: Callable[[Form], None]) -> None:
        """A loop that is not an op: `body` gets the position 0, 1, …"""
        if trips.as_int is not None and trips.as_int <= 1:
            if trips.as_int == 1:
                body(Form(0))
            return
        variable = ir.Value("t", ir.Scalar("index"))

        def run() -> list[ir.Value]:
            body(self.c.form(variable))
            return []

        self._repeat(trips, variable, Form(0), Form(1), [], run)

    def _repeat(
        self,
        trips: Form,
        variable: ir.Value,
        lower: Form,
        step: Form,
        carried: list[tuple[ir.Value, ir.Value, ir.Value]],
        body: Callable[[], list[ir.Value]],
    ) -> None:
        c, s = self.c, self.c.scalars
        limit = c.machine.arch.limits.loop_count
        counts = trips.constant if isinstance(trips.constant, tuple) else (trips.constant,)
        if trips.is_constant and max(counts) > limit:
            message = f"a loop of {max(counts)} trips; the hardware counts to {limit}"
            c.fail("SPY063", message, "split the loop")
        position = c.position
        count = trips.as_int if trips.as_int is not None else s.reg(trips)
        registers = [self._carry_in(init) for _, init, _ in carried]
        inner = s.push()
        form = s.atom(inner, None, variable.name)
        inner.induction = (form.terms[0][0], lower, step)
        c.values[variable] = form
        for (argument, _, _), register in zip(carried, registers, strict=True):
            c.values[argument] = self._carried(register, inner)
        c.disturb()
        yields = body()
        self._carry_round(registers, yields)
        c.disturb()
        s.pop()
        s.block.code.append(Loop(count, inner.code, position))
        for (_, _, result), register in zip(carried, registers, strict=True):
            c.values[result] = self._carried(register, s.block)

    # ---- carried values

    def _carried(self, register: IntReg | VecReg, block: Any) -> Any:
        return register if isinstance(register, VecReg) else self.c.scalars.atom(block, register)

    def _carry_in(self, init: ir.Value) -> IntReg | VecReg:
        c = self.c
        value = c.get(init)
        if isinstance(value, Form):
            register = IntReg()
            c.scalars.set(register, value, c.scalars.block)
            return register
        return self._copied(init)

    def _copied(self, value: ir.Value) -> VecReg:
        """A fresh vector register with a vector's value."""
        c, found = self.c, self.c.get(value)
        if isinstance(found, Bits):
            register = VecReg(found.dtype, found.splat or found.count)
            c.load_constant(register, found)
            return register
        source = c.vector(value)
        register = VecReg(source.dtype, source.count)
        self._move(register, source)
        return register

    def _move(self, target: VecReg, source: VecReg) -> None:
        c = self.c
        if source is not target:
            c.emit("vmov", dtype=c.code_of(target.dtype), count=target.count, vd=target, va=source)

    def _carry_round(self, registers: list[IntReg | VecReg], yields: list[ir.Value]) -> None:
        """Assign the yielded values to the carried registers, all at once."""
        c, s = self.c, self.c.scalars
        sources: list[Any] = []
        for register, value in zip(registers, yields, strict=True):
            if isinstance(register, IntReg):
                sources.append(s.reg(c.form(value)))
            elif isinstance(c.get(value), Bits):
                sources.append(c.get(value))
            else:
                sources.append(c.vector(value))
        for i, (register, source) in enumerate(zip(registers, sources, strict=True)):
            alone = sources.count(source) == 1 and register not in sources
            if alone and isinstance(source, VecReg) and isinstance(register, VecReg):
                sources[i] = renamed(s.block.code, source, register, registers)
        for i, source in enumerate(sources):  # a source that an earlier move overwrites is saved first
            if source in registers and registers.index(source) < i and source is not registers[i]:
                sources[i] = self._saved(source)
        for register, source in zip(registers, sources, strict=True):
            self._assign(register, source)

    def _saved(self, source: IntReg | VecReg) -> IntReg | VecReg:
        copy = IntReg() if isinstance(source, IntReg) else VecReg(source.dtype, source.count)
        self._assign(copy, source)
        return copy

    def _assign(self, register: IntReg | VecReg, source: Any) -> None:
        if isinstance(source, Bits):
            assert isinstance(register, VecReg)
            self.c.load_constant(register, source)
        elif isinstance(register, VecReg):
            self._move(register, source)
        elif register is not source:
            code = isa().integer_ops["add"].code
            self.c.scalars.block.code.append(
                Instr("inti", {"op": code, "rd": register, "ra": source, "imm": 0}, self.c.position)
            )

    # ---- branches

    def branch(self, op: ir.Op) -> None:
        c, s = self.c, self.c.scalars
        condition = c.form(op.operands[0])
        regions = [r.blocks[0] if r.blocks else None for r in (*op.regions, ir.Region())[:2]]
        if condition.as_int is not None:
            chosen = regions[0] if condition.as_int else regions[1]
            values = self._body(chosen) if chosen else []
            for result, value in zip(op.results, values, strict=True):
                c.values[result] = c.get(value)
            return
        position, test = c.position, s.reg(condition)
        results = [self._result(r) for r in op.results]
        codes = []
        for block in regions:
            inner = s.push()
            c.disturb()
            if block is not None:
                for register, value in zip(results, self._body(block), strict=True):
                    self._assign_value(register, value)
            s.pop()
            codes.append(inner.code)
        c.disturb()
        s.block.code.append(Branch(test, codes[0], codes[1], position))
        for result, register in zip(op.results, results, strict=True):
            c.values[result] = self._carried(register, s.block)

    def _result(self, value: ir.Value) -> IntReg | VecReg:
        return VecReg(*self.c.vector_type(value)) if isinstance(value.type, ir.Vector) else IntReg()

    def _assign_value(self, register: IntReg | VecReg, value: ir.Value) -> None:
        c = self.c
        if isinstance(register, IntReg):
            c.scalars.set(register, c.form(value), c.scalars.block)
        else:
            found = c.get(value)
            self._assign(register, found if isinstance(found, Bits) else c.vector(value))


def _positive(step: Form) -> bool:
    values = step.constant if isinstance(step.constant, tuple) else (step.constant,)
    return min(values) > 0
