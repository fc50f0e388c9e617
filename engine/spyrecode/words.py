"""Instruction words: fields ↔ 64 bits, compiled once from the instruction set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..diagnostics import Position, fail
from .isa import OPCODE_BITS, Instruction, isa

__all__ = ["Word", "decode", "decode_all", "encode"]


@dataclass(frozen=True, slots=True)
class Word:
    """A decoded instruction; `fields` has every field of the instruction."""

    name: str
    fields: Mapping[str, int]

    def __getitem__(self, field: str) -> int:
        return self.fields[field]


@cache
def _layout(name: str) -> tuple[int, dict[str, tuple[int, int, int, int]]]:
    """Opcode, and per field (low bit, mask, minimum, maximum)."""
    instruction = isa().instructions[name]
    fields = {f.name: (f.low, (1 << f.width) - 1, f.minimum, f.maximum) for f in instruction.fields}
    return instruction.opcode, fields


def encode(name: str, fields: Mapping[str, int], position: Position | None = None) -> int:
    """The word of instruction `name`; absent fields are 0. SPY010: a value does not fit its field.

    An unknown instruction or field is a bug of the caller (KeyError).
    """
    word, layout = _layout(name)
    for field, value in fields.items():
        low, mask, minimum, maximum = layout[field]
        if not minimum <= value <= maximum:
            message = f"{name}: {field} = {value} does not fit the instruction ({minimum} … {maximum})"
            fail("SPY010", message, position, "split the loop, shorten the vector or move the data closer")
        word |= (value & mask) << low
    return word


@cache
def _decoder() -> dict[int, tuple[Instruction, list[tuple[str, int, int, int]], int]]:
    table = {}
    for opcode, instruction in isa().opcodes.items():
        used = (1 << OPCODE_BITS) - 1
        fields = []
        for f in instruction.fields:
            used |= ((1 << f.width) - 1) << f.low
            sign = 1 << (f.width - 1) if f.signed else 0
            fields.append((f.name, f.low, (1 << f.width) - 1, sign))
        table[opcode] = (instruction, fields, used)
    return table


def decode(word: int) -> Word:
    """Inverse of `encode`. SPY011: unknown opcode, or bits set that no field has."""
    entry = _decoder().get(word & ((1 << OPCODE_BITS) - 1))
    if entry is None or word & ~entry[2]:
        fail(
            "SPY011",
            f"0x{word:016x} is not an instruction",
            hint="the binary is damaged or from another version",
        )
    instruction, fields, _ = entry
    values = {}
    for name, low, mask, sign in fields:
        value = (word >> low) & mask
        values[name] = value - 2 * (value & sign) if sign else value
    return Word(instruction.name, values)


def decode_all(words: Any) -> list[Word]:
    """`decode` of a sequence or array of words; equal words share one result."""
    known: dict[int, Word] = {}
    result = []
    for word in words.tolist() if hasattr(words, "tolist") else words:
        if word not in known:
            known[word] = decode(word)
        result.append(known[word])
    return result
