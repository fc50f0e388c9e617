"""Programs before register allocation: structured control over virtual registers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Position

__all__ = ["ZERO", "Block", "Branch", "Dimension", "Instr", "IntReg", "Loop", "Node", "Transfer", "VecReg"]


@dataclass(slots=True, eq=False)
class IntReg:
    """A virtual integer register. `initial` is the value at start, one per instance."""

    initial: tuple[int, ...] | None = None
    number: int | None = None  # after allocation


ZERO = IntReg(number=0)


@dataclass(slots=True, eq=False)
class VecReg:
    """A virtual vector register of `count` elements of `dtype`."""

    dtype: str
    count: int
    number: int | None = None


@dataclass(slots=True)
class Dimension:
    """One loop of a transfer; strides in bytes. Registers as in isa.yaml's section `dimensions`."""

    count: int
    source_stride: int
    destination_stride: int
    count_register: IntReg = ZERO
    low_register: IntReg = ZERO
    high_register: IntReg = ZERO

    @property
    def registers(self) -> tuple[IntReg, ...]:
        return (self.count_register, self.low_register, self.high_register)


@dataclass(slots=True)
class Transfer:
    """A row of section `transfers` with its dimensions."""

    dtype: str
    element_bytes: int
    source: int
    destination: int
    direction: int
    dimensions: list[Dimension]
    outside: int = 0


@dataclass(slots=True, eq=False)
class Instr:
    """`fields` values: int, IntReg, VecReg, Transfer (field `transfer`) or bytes keys of constants."""

    name: str
    fields: dict[str, Any]
    position: Position = field(default_factory=Position)

    def reads(self) -> Iterator[IntReg | VecReg]:
        for key, value in self.fields.items():
            if isinstance(value, (IntReg, VecReg)) and key not in ("rd", "vd"):
                yield value
            elif isinstance(value, Transfer):
                for dimension in value.dimensions:
                    yield from dimension.registers

    def writes(self) -> Iterator[IntReg | VecReg]:
        for key in ("rd", "vd"):
            if key in self.fields:
                yield self.fields[key]


@dataclass(slots=True, eq=False)
class Block:
    """A straight piece of program being generated. `depth` counts the blocks around it."""

    depth: int
    code: list[Node] = field(default_factory=list)
    tail: list[Instr] = field(default_factory=list)  # runs at the end of each iteration: address steps
    registers: dict[Any, IntReg] = field(default_factory=dict)  # form → register that holds it here
    results: dict[Any, Any] = field(default_factory=dict)  # operation and operands → its atom
    induction: Any = None  # of a loop body: (atom, lower bound, step)


@dataclass(slots=True, eq=False)
class Loop:
    count: int | IntReg
    body: list[Node]
    position: Position = field(default_factory=Position)


@dataclass(slots=True, eq=False)
class Branch:
    condition: IntReg
    then: list[Node]
    otherwise: list[Node]
    position: Position = field(default_factory=Position)


Node = Instr | Loop | Branch
