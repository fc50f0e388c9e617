"""The instruction set as Python objects, read once from `ktir_specs/isa.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..specs import Document, shipped

__all__ = ["Field", "Instruction", "IntegerOp", "Isa", "Section", "VectorOp", "isa"]

OPCODE_BITS = 6


@dataclass(frozen=True, slots=True)
class Field:
    """Bits `low` … `low + width - 1` of a word; `signed` values are two's complement."""

    name: str
    kind: str
    low: int
    width: int
    signed: bool

    @property
    def minimum(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        return (1 << (self.width - self.signed)) - 1


@dataclass(frozen=True, slots=True)
class Instruction:
    """`occupies`, `blocks` and `cost` are the YAML's words; None when it has none."""

    name: str
    opcode: int
    fields: tuple[Field, ...]
    doc: str
    effect: str
    occupies: str | None
    blocks: str | None
    cost: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """An array of rows of `dtype` (a packed little-endian NumPy record)."""

    name: str
    id: int
    dtype: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class IntegerOp:
    """Either `scalar` (a KTIR op, with `attributes` choosing its case) or `formula` over a, b."""

    name: str
    code: int
    scalar: str | None
    formula: str | None
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class VectorOp:
    """As IntegerOp, over a, b, c; `dataflow` are the spellings in DataflowIR (see the YAML)."""

    name: str
    code: int
    scalar: str | None
    formula: str | None
    attributes: Mapping[str, str]
    cost_class: str | None  # None: that of `scalar`
    dataflow: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Isa:
    magic: int
    version: int
    alignment: int
    integer_registers: int
    vector_registers: int
    dtypes: Mapping[str, int]
    dtype_names: Mapping[int, str]
    header: np.dtype[Any]
    directory: np.dtype[Any]
    sections: Mapping[str, Section]
    instructions: Mapping[str, Instruction]
    opcodes: Mapping[int, Instruction]
    integer_ops: Mapping[str, IntegerOp]
    vector_ops: Mapping[str, VectorOp]
    document: Document

    def integer_op(self, code: int) -> IntegerOp | None:
        """The operation with this code, if any."""
        return next((op for op in self.integer_ops.values() if op.code == code), None)

    def vector_op(self, code: int) -> VectorOp | None:
        """The operation with this code, if any."""
        return next((op for op in self.vector_ops.values() if op.code == code), None)


@cache
def isa() -> Isa:
    """The shipped instruction set (its schema is checked by the test suite)."""
    document = shipped("ktir_specs", "isa.yaml")
    data = document.data
    kinds = data["field_kinds"]
    instructions = [_instruction(entry, kinds) for entry in data["instructions"]]
    sections = [Section(s["name"], s["id"], _record(s["fields"])) for s in data["sections"]]
    registers = data["registers"]
    return Isa(
        magic=data["magic"],
        version=data["version"],
        alignment=data["alignment"],
        integer_registers=registers["integer"]["count"],
        vector_registers=registers["vector"]["count"],
        dtypes=data["dtypes"],
        dtype_names={code: name for name, code in data["dtypes"].items()},
        header=_record(data["header"]["fields"]),
        directory=_record(data["header"]["directory"]),
        sections={s.name: s for s in sections},
        instructions={i.name: i for i in instructions},
        opcodes={i.opcode: i for i in instructions},
        integer_ops={n: _integer_op(n, e) for n, e in data["integer_ops"].items()},
        vector_ops={n: _vector_op(n, e) for n, e in data["vector_ops"].items()},
        document=document,
    )


def _record(fields: list[dict[str, str]]) -> np.dtype[Any]:
    widths = {"u": "<u", "i": "<i"}
    return np.dtype([(f["name"], f"{widths[f['type'][0]]}{int(f['type'][1:]) // 8}") for f in fields])


def _instruction(entry: dict[str, Any], kinds: dict[str, Any]) -> Instruction:
    fields = tuple(
        Field(
            f["name"],
            f["kind"],
            f["bits"][0],
            f["bits"][1] - f["bits"][0] + 1,
            bool(kinds[f["kind"]].get("signed")),
        )
        for f in entry["fields"]
    )
    occupies, blocks, cost = (entry.get(k) for k in ("occupies", "blocks", "cost"))
    return Instruction(
        entry["name"], entry["opcode"], fields, entry["doc"], entry["effect"], occupies, blocks, cost
    )


def _integer_op(name: str, entry: dict[str, Any]) -> IntegerOp:
    return IntegerOp(
        name, entry["code"], entry.get("scalar"), entry.get("formula"), entry.get("attributes", {})
    )


def _vector_op(name: str, entry: dict[str, Any]) -> VectorOp:
    return VectorOp(
        name,
        entry["code"],
        entry.get("scalar"),
        entry.get("formula"),
        entry.get("attributes", {}),
        entry.get("class"),
        tuple(entry.get("dataflow", ())),
    )
