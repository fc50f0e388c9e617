"""Compute steps: a statement on one vector, as ops on vector registers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from ..arch.model import ComputeUnit
from ..diagnostics import fail
from ..ktir.ir import Dense, Raw, Scalar, Value, Vector
from ..numerics import dtype, scalar_ops
from ..schedule.index import Index, add, mul, sub, substitute
from ..schedule.program import Let, Program, Stmt, attributes, operands
from ..schedule.sexpr import Expr, Term, show
from .arithmetic import Arithmetic
from .builder import INDEX, UnitBuilder
from .plan import Exec
from .vector_ops import spelling

__all__ = ["Compute", "Operand"]

# Element types whose constants upstream's constant_bitstream cannot hold.
_DENSE_CONSTANTS = ("index", "i64", "f64")
# MLIR's `vector.reduction` kinds by combiner.
_REDUCTIONS = {
    "arith.addf": "add",
    "arith.addi": "add",
    "arith.mulf": "mul",
    "arith.muli": "mul",
    "arith.maximumf": "maximumf",
    "arith.minimumf": "minimumf",
    "arith.maxnumf": "maxnumf",
    "arith.minnumf": "minnumf",
    "arith.maxsi": "maxsi",
    "arith.minsi": "minsi",
    "arith.maxui": "maxui",
    "arith.minui": "minui",
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
}


@dataclass(frozen=True, slots=True)
class Operand:
    """A vector register: `lanes` elements, or one that stands for every lane."""

    value: Value
    dtype: str
    lanes: int


@dataclass
class Compute:
    """A compute unit's program while it is built. `registers`: accesses and values by name."""

    b: UnitBuilder
    a: Arithmetic
    unit: ComputeUnit
    registers: dict[str, Operand] = field(default_factory=dict)

    @property
    def program(self) -> Program:
        return self.a.program

    def run(self, node: Exec) -> None:
        """Emits the statement; its stores and sets land in `registers`."""
        stmt = self.program.stmts[node.stmt]
        self.b.position = self.a.position = stmt.position
        wide = [x for x, n in node.box.items() if n > 1]
        step = _Step(self, stmt, node, wide[0] if wide else None, node.box[wide[0]] if wide else 1)
        step.run()

    # ---- registers --------------------------------------------------------------------------------------

    def constant(self, number: int | float, kind: str, lanes: int) -> Operand:
        """A constant, made once at the top of the program."""
        t = dtype(kind)
        if kind in _DENSE_CONSTANTS:
            shape = Vector((lanes,), Scalar(kind))
            array = np.broadcast_to(np.array(number, t.storage), (lanes,))

            def make() -> Value:
                given = {"value": Dense(array, shape)}
                return self.b.value("arith.constant", (), given, ("k", shape), top=True)

            return Operand(self.b.cached(("dense", number, kind, lanes), make, top=True), kind, lanes)
        stored = t.to_storage(t.round(np.asarray([number]))).tobytes()
        bits = int.from_bytes(stored, "little")

        def make_bits() -> Value:
            given = {"value": [bits]}
            one = Vector((1,), Scalar(kind))
            return self.b.value("vectorchain.constant_bitstream", (), given, ("k", one), top=True)

        one = Operand(self.b.cached(("bits", bits, kind), make_bits, top=True), kind, 1)
        return self.spread(one, lanes)

    def spread(self, x: Operand, lanes: int) -> Operand:
        """`x` with its one element in every lane."""
        return x if x.lanes == lanes else Operand(self.b.splat(x.value, x.dtype, lanes), x.dtype, lanes)


class _Step:
    """One statement on one vector along `lane` (None: a single element)."""

    def __init__(self, owner: Compute, stmt: Stmt, node: Exec, lane: str | None, lanes: int) -> None:
        self.o = owner
        self.stmt = stmt
        self.node = node
        self.lane = lane
        self.lanes = lanes
        self.values: dict[str, Operand] = {}

    def run(self) -> None:
        tiles = self.o.program.tile_axes(self.stmt)
        for let in self.stmt.lets:
            self.values[let.name] = self.let(let, self.lanes if self.lane in tiles[let.name] else 1)
        for effect in self.stmt.effects:
            target, source = str(effect.args[0]), self.values[str(effect.args[1])]
            if effect.head == "store":
                axes = self.o.program.access_axes[target]
            else:
                axes = self.o.program.values[target].axes
            wide = self.o.spread(source, self.lanes if self.lane in axes else 1)
            if effect.head == "fold":
                wide = self.fold(target, wide)
            self.o.registers[target] = wide

    def let(self, let: Let, lanes: int) -> Operand:
        match let.expr:
            case Term("load" | "get", (str(subject),)):
                return self.o.registers[subject]
            case Term("const", (int(number),)) | Term("const", (float(number),)):
                return self.o.constant(number, let.dtype, 1)
            case Term("arg", (str(name),)):
                return self.argument(name, let.dtype)
            case Term("index", (e,)):
                return self.index(e, let.dtype, lanes)
            case Term("op", (str(name), *rest)):
                return self.op(name, rest, let.dtype, lanes)
            case Term("reduce", (str(name), str(axis), str(x))):
                return self.reduce(name, axis, self.values[x], let.dtype)
            case Term("contract", (str(axis), str(x), str(y))):
                return self.contract(axis, self.values[x], self.values[y], let.dtype)
        self.fail(f"`{show(let.expr)}` is not lowered to vector operations")

    def fail(self, message: str, hint: str = "") -> NoReturn:
        fail("DFLOW050", f"statement `{self.stmt.name}`: {message}", self.stmt.position, hint)

    # ---- expressions ------------------------------------------------------------------------------------

    def op(self, name: str, rest: list[Expr], kind: str, lanes: int) -> Operand:
        found = [self.values[x] for x in operands(rest)]
        source = found[-1].dtype if found else kind
        return self.emit(name, found, tuple(attributes(rest).items()), source, kind, lanes)

    def emit(
        self,
        name: str,
        found: list[Operand],
        given: tuple[tuple[str, Any], ...],
        source: str,
        kind: str,
        lanes: int,
    ) -> Operand:
        if name not in scalar_ops():
            self.fail(f"`{name}` is not an elementwise operation")
        form = spelling(name, given, source, kind)
        wide = [self.o.spread(x, lanes).value for x in found]
        label = name.rpartition(".")[2]
        result = (label, Vector((lanes,), Scalar(kind)))
        if form.library:
            marked = {**form.attributes, "scalar_op": name}
            made = self.o.b.value("builtin.unrealized_conversion_cast", wide, marked, result)
            return Operand(made, kind, lanes)
        made = self.o.b.value(form.name, wide, dict(form.attributes), result)
        return Operand(made, kind, lanes)

    def cast(self, x: Operand, kind: str) -> Operand:
        name = _conversion(x.dtype, kind)
        if name is None:
            return x
        return self.emit(name, [x], (), x.dtype, kind, x.lanes)

    def argument(self, name: str, kind: str) -> Operand:
        """A run-time scalar: an integer register, or a bit pattern in one."""
        b = self.o.b
        symbol = self.o.a.argument(name)
        t = dtype(kind)

        def make() -> Value:
            value = symbol
            if t.is_float:
                assert symbol.owner is not None
                bits = Scalar(f"i{t.bits}")
                value = b.value("arith.index_cast", [symbol], None, (f"{name}_bits", bits), top=True)
                value = b.value("arith.bitcast", [value], None, (f"{name}_{kind}", Scalar(kind)), top=True)
            elif kind != "index":
                value = b.value(
                    "arith.index_cast", [symbol], None, (f"{name}_{kind}", Scalar(kind)), top=True
                )
            one = Vector((1,), Scalar(kind))
            return b.value("vector.broadcast", [value], None, (f"{name}_vector", one), top=True)

        return Operand(b.cached(("scalar", name, kind), make, top=True), kind, 1)

    def index(self, e: Index, kind: str, lanes: int) -> Operand:
        """An integer expression at the statement's positions; along the lanes it must be affine."""
        b, a = self.o.b, self.o.a
        program = self.o.program
        at = {x: program.axes[x].value(self.node.origin.get(x, 0)) for x in program.axes}
        first = a.value(substitute(a.resolved(e), at))
        one = Vector((1,), INDEX)
        start = b.value("vector.broadcast", [first], None, ("first", one), top=False)
        result = Operand(start, "index", 1)
        if lanes > 1:
            assert self.lane is not None
            moved = dict(at) | {self.lane: add(at[self.lane], program.axes[self.lane].step)}
            step = sub(substitute(a.resolved(e), moved), substitute(a.resolved(e), at))
            again = dict(at) | {self.lane: add(at[self.lane], mul(2, program.axes[self.lane].step))}
            if sub(substitute(a.resolved(e), again), substitute(a.resolved(e), at)) != mul(2, step):
                self.fail(f"`{show(e)}` is not affine along the lanes")
            result = self._ramp(result, step, lanes)
        if kind == "index":
            return result
        return self.emit("arith.index_cast", [result], (), "index", kind, lanes)

    def _ramp(self, start: Operand, step: Index, lanes: int) -> Operand:
        """start + lane · step."""
        b = self.o.b
        wide = Vector((lanes,), INDEX)
        ramp = Operand(
            b.cached(
                ("lanes", lanes), lambda: b.value("vector.step", (), None, ("lane", wide), top=True), top=True
            ),
            "index",
            lanes,
        )
        known = self.o.a.known(step)
        if known != 1:
            factor = b.value("vector.broadcast", [self.o.a.value(step)], None, ("step", Vector((1,), INDEX)))
            ramp = self.emit("arith.muli", [ramp, Operand(factor, "index", 1)], (), "index", "index", lanes)
        return self.emit("arith.addi", [ramp, start], (), "index", "index", lanes)

    # ---- reductions -------------------------------------------------------------------------------------

    def reduce(self, name: str, axis: str, x: Operand, kind: str) -> Operand:
        if axis != self.lane:
            return self.cast(x, kind)  # one position of the axis: nothing to combine
        if name not in _REDUCTIONS:
            self.fail(f"lanes cannot be combined with `{name}`")
        b = self.o.b
        wide = self.o.spread(x, self.lanes)
        given = {"kind": Raw(f"#vector.kind<{_REDUCTIONS[name]}>")}
        total = b.value("vector.reduction", [wide.value], given, ("total", Scalar(x.dtype)))
        one = b.value("vector.broadcast", [total], None, ("total_vector", Vector((1,), Scalar(x.dtype))))
        return self.cast(Operand(one, x.dtype, 1), kind)

    def contract(self, axis: str, x: Operand, y: Operand, kind: str) -> Operand:
        lanes = max(x.lanes, y.lanes)
        a, b = (self.cast(self.o.spread(v, lanes), kind) for v in (x, y))
        times, plus = ("arith.mulf", "arith.addf") if dtype(kind).is_float else ("arith.muli", "arith.addi")
        product = self.emit(times, [a, b], (), kind, kind, lanes)
        return self.reduce(plus, axis, product, kind)

    def fold(self, target: str, x: Operand) -> Operand:
        declared = self.o.program.values[target]
        assert declared.comb is not None
        held = self.o.registers[target]
        return self.emit(declared.comb, [held, x], (), declared.dtype, declared.dtype, x.lanes)


def _conversion(source: str, target: str) -> str | None:
    """The op that takes `source` values to `target`; None when they are the same type."""
    a, b = dtype(source), dtype(target)
    if source == target:
        return None
    if a.is_float and b.is_float:
        return "arith.extf" if b.bits > a.bits else "arith.truncf"
    if a.is_float:
        return "arith.fptosi"
    if b.is_float:
        return "arith.uitofp" if source == "i1" else "arith.sitofp"
    if "index" in (source, target):
        return "arith.index_cast"
    return ("arith.extui" if source == "i1" else "arith.extsi") if b.bits > a.bits else "arith.trunci"
