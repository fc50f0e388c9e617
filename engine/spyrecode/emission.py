"""Allocated programs → instruction words and the rows of the binary's tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Position
from .blocks import Branch, Instr, IntReg, Loop, Node, Transfer, VecReg
from .context import Pool
from .isa import isa
from .words import encode

__all__ = ["Tables"]


@dataclass(slots=True)
class Tables:
    """The sections of a binary while it is being built."""

    units: list[tuple[int, int, int, int, int, int, int]] = field(default_factory=list)
    registers: list[tuple[int, int, int]] = field(default_factory=list)
    code: list[int] = field(default_factory=list)
    lines: list[Position] = field(default_factory=list)  # of every word
    transfers: dict[tuple[int, ...], int] = field(default_factory=dict)
    dimensions: dict[tuple[tuple[int, ...], ...], int] = field(default_factory=dict)
    _programs: dict[tuple[int, ...], int] = field(default_factory=dict)
    _dimension_rows: list[tuple[int, ...]] = field(default_factory=list)

    def add_program(
        self, kind: int, instances: Sequence[int], nodes: Sequence[Node], initial: Sequence[IntReg]
    ) -> None:
        """One program and its instances; equal code is stored once."""
        positions: list[Position] = []
        words = self._words(nodes, positions)
        words.append(encode("halt", {}))
        positions.append(positions[-1] if positions else Position())
        entry = self._programs.get(tuple(words))
        if entry is None:
            entry = self._programs[tuple(words)] = len(self.code)
            self.code += words
            self.lines += positions
        for i, instance in enumerate(instances):
            first = len(self.registers)
            for register in initial:
                assert register.initial is not None
                if register.number is not None and register.initial[i]:
                    self.registers.append((register.number, 0, register.initial[i]))
            count = len(self.registers) - first
            self.units.append((kind, 0, instance, entry, len(words), first, count))

    def _words(self, nodes: Sequence[Node], positions: list[Position]) -> list[int]:
        words: list[int] = []
        for node in nodes:
            if isinstance(node, Instr):
                words.append(encode(node.name, self._fields(node), node.position))
                positions.append(node.position)
                continue
            positions.append(node.position)
            at = len(positions) - 1
            if isinstance(node, Loop):
                body = self._words(node.body, positions)
                words.append(self._loop(node, len(body)))
                words += body
            else:
                words += self._branch(node, positions, at)
        return words

    @staticmethod
    def _loop(node: Loop, length: int) -> int:
        if isinstance(node.count, IntReg):
            return encode("loop", {"ra": number(node.count), "words": length}, node.position)
        return encode("loopi", {"count": node.count, "words": length}, node.position)

    def _branch(self, node: Branch, positions: list[Position], at: int) -> list[int]:
        then = self._words(node.then, positions)
        if not node.otherwise:
            fields = {"ra": number(node.condition), "words": len(then)}
            return [encode("skipz", fields, node.position), *then]
        positions.append(node.position)
        otherwise = self._words(node.otherwise, positions)
        fields = {"ra": number(node.condition), "words": len(then) + 1}
        jump = encode("skip", {"words": len(otherwise)}, node.position)
        return [encode("skipz", fields, node.position), *then, jump, *otherwise]

    def _fields(self, instr: Instr) -> dict[str, int]:
        fields = {}
        for key, value in instr.fields.items():
            if isinstance(value, (IntReg, VecReg)):
                fields[key] = number(value)
            elif isinstance(value, Transfer):
                fields[key] = self._transfer(value)
            else:
                fields[key] = int(value)
        return fields

    def _transfer(self, transfer: Transfer) -> int:
        rows = tuple(
            (d.count, *(number(r) for r in d.registers), 0, d.source_stride, d.destination_stride)
            for d in transfer.dimensions
        )
        if rows not in self.dimensions:
            self.dimensions[rows] = len(self._dimension_rows)
            self._dimension_rows += rows
        row = (
            transfer.element_bytes,
            transfer.source,
            transfer.destination,
            self.dimensions[rows],
            len(rows),
            transfer.direction,
            transfer.outside,
            isa().dtypes[transfer.dtype],
            0,
        )
        return self.transfers.setdefault(row, len(self.transfers))

    def sections(self, pool: Pool) -> dict[str, NDArray[Any]]:
        """All sections, ready for `container.pack`."""
        constants, data = [], bytearray()
        for kind, count, raw in pool.constants:
            constants.append((isa().dtypes[kind], count, len(data)))
            data += raw + bytes(-len(raw) % 8)
        rows: dict[str, Any] = {
            "units": self.units,
            "registers": self.registers,
            "transfers": list(self.transfers),
            "dimensions": self._dimension_rows,
            "constants": constants,
        }
        form = isa().sections
        sections = {name: np.array(r, form[name].dtype) for name, r in rows.items()}
        sections["code"] = np.array(self.code, np.uint64).view(form["code"].dtype)
        sections["constant_data"] = np.frombuffer(bytes(data), form["constant_data"].dtype)
        sections["symbols"] = np.zeros(len(pool.symbols), form["symbols"].dtype)
        return sections


def number(register: IntReg | VecReg) -> int:
    assert register.number is not None, "a register was not allocated"
    return register.number
