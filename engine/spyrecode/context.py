"""State while one unit program is assembled, and what every handler needs of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ..arch import ComputeUnit, Unit
from ..diagnostics import Position, fail
from ..ktir import ir
from ..numerics import dtype
from .blocks import ZERO, Instr, IntReg, VecReg
from .forms import Form
from .machine import Machine
from .plan import Symbol
from .scalars import Scalars
from .values import Bits, Place, Places, Received

__all__ = ["Context", "Divergent", "Pool"]


class Divergent(Exception):
    """The instances of a program differ in more than numbers: they need programs of their own."""


@dataclass(slots=True)
class Pool:
    """What the programs of one binary share: constants and symbols."""

    scalar_types: Mapping[int, str] = field(default_factory=dict)  # of the kernel's scalar arguments
    symbol_arguments: Mapping[int, int] = field(default_factory=dict)  # where they differ from -id - 1
    constants: dict[tuple[str, int, bytes], int] = field(default_factory=dict)
    symbols: dict[int, Symbol] = field(default_factory=dict)  # by SymbolId

    def constant(self, kind: str, count: int, data: bytes) -> int:
        return self.constants.setdefault((kind, count, data), len(self.constants))


class Context:
    """One program: `unit` on `instances` (numbers in the unit's group)."""

    def __init__(self, machine: Machine, unit: Unit, instances: Sequence[int], pool: Pool) -> None:
        self.machine, self.unit, self.instances, self.pool = machine, unit, tuple(instances), pool
        self.scalars = Scalars(len(self.instances))
        self.values: dict[ir.Value, Any] = {}
        self.pending: list[Received] = []
        self.epoch = 0  # counts what may change memory or order: stores, transfers, signals
        self.hoist_constants = True
        self._constants: dict[Bits, VecReg] = {}

    @property
    def compute(self) -> ComputeUnit | None:
        return self.unit if isinstance(self.unit, ComputeUnit) else None

    @property
    def position(self) -> Position:
        return self.scalars.position

    def fail(self, code: str, message: str, hint: str = "") -> NoReturn:
        fail(code, message, self.position, hint)

    def emit(self, name: str, **fields: object) -> None:
        self.scalars.emit(name, None, **fields)

    # ---- operands

    def get(self, value: ir.Value) -> Any:
        if value not in self.values:
            self.fail(
                "SPY052", f"%{value.name} is not available in a unit's program", "define it in the program"
            )
        return self.values[value]

    def form(self, value: ir.Value) -> Form:
        found = self.get(value)
        if not isinstance(found, Form):
            self.fail("SPY052", f"%{value.name} is not an integer known to the unit")
        return found

    def places(self, value: ir.Value) -> Places:
        found = self.get(value)
        if isinstance(found, Place):
            found = Places((found,) * len(self.instances))
        if not isinstance(found, Places):
            self.fail("SPY052", f"%{value.name} is not a unit", "units come from dataflow.get_unit")
        if any((p.name, p.memory) != (found.kind.name, found.kind.memory) for p in found.each):
            raise Divergent
        return found

    def instance_register(self, places: Places) -> IntReg:
        """Register 0 if the place is everyone's own, else a register with its instance number."""
        own = self.machine.own
        mine, theirs = self.unit.group, places.kind.group
        pairs = zip(self.instances, places.each, strict=True)
        if all(own(mine, i, theirs) == p.instance for i, p in pairs):
            return ZERO
        register = IntReg(initial=tuple(p.instance for p in places.each))
        key = ("instance", register.initial)
        top = self.scalars.top
        if key not in top.registers:
            top.registers[key] = register
            self.scalars.initial.append(register)
        return top.registers[key]

    def peer(self, value: ir.Value) -> dict[str, Any]:
        """Fields `peer` and `peer_instance` for a unit operand."""
        places = self.places(value)
        if places.kind.memory:
            self.fail("SPY052", f"%{value.name} is a memory: FIFOs and signals connect units")
        number = self.machine.units.index(places.kind.name)
        return {"peer": number, "peer_instance": self.instance_register(places)}

    def memory(self, places: Places) -> dict[str, Any]:
        """Fields `memory` and `instance`."""
        number = self.machine.memories.index(places.kind.name)
        return {"memory": number, "instance": self.instance_register(places)}

    # ---- vectors

    def vector(self, value: ir.Value) -> VecReg:
        """The register of a vector operand of a compute unit."""
        found = self.get(value)
        if isinstance(found, Bits):
            return self.constant_register(found)
        if not isinstance(found, VecReg):
            self.fail(
                "SPY053",
                f"`{self.unit.name}` cannot compute with %{value.name}: it has no vector registers",
                "vector operations belong into the program of a compute unit",
            )
        return found

    def constant_register(self, bits: Bits) -> VecReg:
        if self.hoist_constants and bits in self._constants:
            return self._constants[bits]
        register = VecReg(bits.dtype, bits.splat or bits.count)
        self.load_constant(register, bits, hoist=self.hoist_constants)
        self._constants[bits] = register
        return register

    def load_constant(self, register: VecReg, bits: Bits, hoist: bool = False) -> None:
        row = self.pool.constant(bits.dtype, bits.count, bits.data)
        fields = {"vd": register, "constant": row, "splat": bits.splat}
        block = self.scalars.top if hoist else self.scalars.block
        block.code.append(Instr("vconst", fields, self.position))

    def vector_type(self, value: ir.Value) -> tuple[str, int]:
        """(dtype, elements) of a vector value; a vector of several dimensions is its elements in order."""
        kind = value.type
        if not isinstance(kind, ir.Vector) or any(d is None for d in kind.shape):
            self.fail("SPY054", f"%{value.name} has type {kind}: only vectors of fixed size are supported")
        count = 1
        for extent in kind.shape:
            count *= extent or 1
        return kind.element.name, count

    def code_of(self, name: str) -> int:
        """The dtype's code. SPY054: an element type that the format does not have."""
        from .isa import isa

        if name not in isa().dtypes:
            self.fail(
                "SPY054", f"elements of type {name} are not supported", f"known: {', '.join(isa().dtypes)}"
            )
        return isa().dtypes[name]

    def element_bytes(self, name: str) -> int:
        self.code_of(name)
        return dtype(name).nbytes

    def disturb(self) -> None:
        """Something happened after which a pending read may no longer be delayed."""
        self.epoch += 1
