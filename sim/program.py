"""The program in device memory: units with their instances, decoded words, constants, transfer patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch, ComputeUnit, Unit
from ..diagnostics import Position, fail
from ..numerics import DType, dtype
from ..spyrecode.container import Binary
from ..spyrecode.isa import isa
from ..spyrecode.machine import Machine, machine
from ..spyrecode.words import Word, decode_all
from .functions import vector_functions
from .trace import Op

__all__ = ["Constant", "Image", "UnitProgram", "load_image"]

Array = NDArray[Any]
VECTOR_WORDS = frozenset(
    (
        "ldf",
        "stf",
        "recv",
        "send",
        "vld",
        "vst",
        "vop",
        "vmov",
        "vconst",
        "vsplat",
        "vset",
        "vmask",
        "vshuf",
        "vred",
    )
)


@dataclass(frozen=True, slots=True)
class Constant:
    """`values` in memory form, shape (count,)."""

    dtype: DType
    count: int
    values: Array


@dataclass(eq=False)
class UnitProgram:
    """One piece of code and the instances of one unit kind that run it."""

    unit: Unit
    number: int  # unit kind
    entry: int
    words: list[Word]
    instances: NDArray[np.int64]
    initial: dict[int, NDArray[np.int64]]  # register → value per instance
    image: Image
    _ops: dict[int, Op]

    @cached_property
    def registers(self) -> int:
        """One past the highest integer register that the words or the initial values name."""
        fields = {name: _register_fields(name) for name in isa().instructions}
        used = (word[f] for word in self.words for f in fields[word.name])
        return 1 + max([0, *used, *self.initial])

    def op(self, index: int) -> Op:
        """The decoded word `index`, which occupies the data path."""
        found = self._ops.get(index)
        if found is None:
            found = self._ops[index] = _Decoder(self, index).op()
        return found

    def at(self, index: int, instance: int | None = None) -> str:
        """A word as messages name it."""
        word = self.words[index]
        shown = ", ".join(f"{name}={value}" for name, value in word.fields.items() if value)
        number = "" if instance is None else f"[{instance}]"
        return f"unit {self.unit.name}{number}, word {index} `{word.name} {shown}`"

    def where(self, index: int) -> Position:
        """The source of a word, or the program when that is unknown."""
        lines = self.image.lines
        return lines[self.entry + index] if self.entry + index < len(lines) else self.image.position

    def malformed(self, index: int, what: str) -> NoReturn:
        message = f"{self.at(index)}: {what}"
        fail("SIM030", message, self.where(index), "the program is damaged, or assembled for another machine")


@dataclass(eq=False)
class Image:
    """Everything in the binary but the symbols. Independent of the launch."""

    arch: Arch
    machine: Machine
    binary: Binary
    position: Position
    lines: Sequence[Position] = ()  # source of every word

    @cached_property
    def programs(self) -> list[UnitProgram]:
        """Distinct (unit kind, entry) pairs, in the order of the unit table."""
        rows = self.binary["units"]
        code = self.binary["code"]["word"]
        decoded: dict[tuple[int, int], list[Word]] = {}
        lanes: dict[tuple[int, int, int], list[Any]] = {}
        for row in rows:
            lanes.setdefault((int(row["unit"]), int(row["entry"]), int(row["words"])), []).append(row)
        programs = []
        for (number, entry, count), members in lanes.items():
            if number >= len(self.machine.units) or entry + count > len(code):
                what = f"a row of section `units` (unit {number}) is outside the machine or the code"
                fail("SIM030", what, self.position)
            words = decoded.setdefault((entry, count), decode_all(code[entry : entry + count]))
            instances = np.array([int(m["instance"]) for m in members], np.int64)
            unit = self.machine.unit(number)
            if (instances >= self.arch.instances(unit.group)).any():
                fail("SIM030", f"unit {unit.name} has no instance {int(instances.max())}", self.position)
            program = UnitProgram(unit, number, entry, words, instances, self._initial(members), self, {})
            _check_structure(program)
            programs.append(program)
        return programs

    def _initial(self, members: list[Any]) -> dict[int, NDArray[np.int64]]:
        values: dict[int, NDArray[np.int64]] = {}
        table = self.binary["registers"]
        for lane, member in enumerate(members):
            first, count = int(member["first_register"]), int(member["registers"])
            if first + count > len(table):
                fail("SIM030", "a unit's rows in section `registers` are outside it", self.position)
            for register, _, value in table[first : first + count].tolist():
                if register:
                    values.setdefault(register, np.zeros(len(members), np.int64))[lane] = value
        return values

    @cached_property
    def constants(self) -> list[Constant]:
        data = self.binary["constant_data"]["byte"]
        result = []
        for code, count, offset in self.binary["constants"].tolist():
            kind = self.dtype(code)
            raw = data[offset : offset + count * kind.nbytes]
            if len(raw) != count * kind.nbytes:
                fail("SIM030", "a constant is outside section `constant_data`", self.position)
            result.append(Constant(kind, count, raw.copy().view(kind.storage)))
        return result

    def dtype(self, code: int) -> DType:
        name = isa().dtype_names.get(code)
        if name is None:
            fail("SIM030", f"there is no element type with code {code}", self.position)
        return dtype(name)


def load_image(
    binary: Binary, arch: Arch, position: Position | None = None, lines: Sequence[Position] = ()
) -> Image:
    """Decode a binary for `arch`. SIM031: it was assembled for a machine of another structure.

    `lines`: source positions of the words of section `code`, if known.
    """
    numbers = machine(arch)
    where = position or binary.position
    if binary.machine != numbers.fingerprint:
        message = f"the program is for another machine than `{arch.name}`: units, memories or counts differ"
        fail("SIM031", message, where, "compile the kernel for this architecture")
    return Image(arch, numbers, binary, where, lines)


def _check_structure(program: UnitProgram) -> None:
    """Loops nest, and skips stay inside the innermost loop."""
    ends = [len(program.words)]
    for index, word in enumerate(program.words):
        while len(ends) > 1 and index >= ends[-1]:
            ends.pop()
        if word.name in ("loop", "loopi", "skip", "skipz"):
            end = index + 1 + word["words"]
            if end > ends[-1]:
                program.malformed(index, "its range leaves the surrounding loop or the program")
            if word.name in ("loop", "loopi"):
                ends.append(end)


def _register_fields(name: str) -> list[str]:
    return [f.name for f in isa().instructions[name].fields if f.kind == "reg"]


class _Decoder:
    def __init__(self, program: UnitProgram, index: int) -> None:
        self.program, self.index = program, index
        self.word = program.words[index]
        self.image = program.image

    def op(self) -> Op:
        fields = self.word.fields
        memory = self._memory(fields["memory"]) if "memory" in fields else None
        peer = self._peer(fields["peer"]) if "peer" in fields else None
        kind, count = self._vector()
        if self.word.name in VECTOR_WORDS and count < 1:
            self.program.malformed(self.index, "a vector of no elements")
        reads, writes = self._registers(kind, count)
        return Op(self.index, self.word.name, fields, kind, count, memory, peer, reads, writes)

    def _memory(self, number: int) -> str:
        names = self.image.machine.memories
        if number >= len(names):
            self.program.malformed(self.index, f"there is no memory {number}")
        return names[number]

    def _peer(self, number: int) -> str:
        names = self.image.machine.units
        if number >= len(names):
            self.program.malformed(self.index, f"there is no unit kind {number}")
        return names[number]

    def _vector(self) -> tuple[DType | None, int]:
        fields = self.word.fields
        if self.word.name == "vconst":
            constant = self._constant(fields["constant"])
            if fields["splat"] > 1 and constant.count != 1:
                self.program.malformed(self.index, "only a constant of one element can be splat")
            return constant.dtype, max(constant.count, fields["splat"])
        if self.word.name == "vmask":
            return dtype("i1"), fields["count"]
        if "dtype" in fields:
            return self.image.dtype(fields["dtype"]), fields["count"]
        return None, 1

    def _constant(self, row: int) -> Constant:
        if row >= len(self.image.constants):
            self.program.malformed(self.index, f"there is no constant {row}")
        return self.image.constants[row]

    def _registers(
        self, kind: DType | None, count: int
    ) -> tuple[tuple[tuple[int, int], ...], tuple[int, int] | None]:
        """Sticks read (per operand) and written."""
        f, name = self.word.fields, self.word.name
        if kind is None or name not in VECTOR_WORDS:
            return (), None
        reads: list[tuple[int, int]] = []
        if name in ("send", "vst", "vmov"):
            reads = [self._sticks(f["va"], kind, count)]
        elif name == "vsplat":
            reads = [self._sticks(f["va"], kind, f["lane"] + 1)]
        elif name == "vred":
            reads = [self._sticks(f["va"], kind, count)]
        elif name == "vshuf":
            reads = self._shuffle_reads(kind)
        elif name == "vop":
            reads = [self._sticks(r, t, count) for r, t in self._operands(kind)]
        if "vd" not in f:
            return tuple(reads), None
        return tuple(reads), self._sticks(f["vd"], kind, 1 if name == "vred" else count)

    def _operands(self, kind: DType) -> list[tuple[int, DType]]:
        f = self.word.fields
        function = vector_functions().get(f["op"])
        if function is None:
            self.program.malformed(self.index, f"there is no vector operation with code {f['op']}")
        types = function.operand_types(self.image.dtype(f["source"]))
        return list(zip((f["va"], f["vb"], f["vc"]), types, strict=False))

    def _shuffle_reads(self, kind: DType) -> list[tuple[int, int]]:
        f = self.word.fields
        lanes = self._constant(f["pattern"]).values
        reads = []
        for register, wanted in ((f["va"], lanes[lanes >= 0]), (f["vb"], -1 - lanes[lanes < 0])):
            reads.append(self._sticks(register, kind, int(wanted.max()) + 1) if wanted.size else (0, 0))
        return reads

    def _sticks(self, first: int, kind: DType, count: int) -> tuple[int, int]:
        unit = self.program.unit
        if not isinstance(unit, ComputeUnit):
            self.program.malformed(self.index, f"unit {unit.name} has no vector registers")
        assert isinstance(unit, ComputeUnit)
        last = first + -(-count * kind.nbytes // unit.vector_bytes)
        if last > unit.register_bytes // unit.vector_bytes:
            limit = unit.register_bytes // unit.vector_bytes
            self.program.malformed(self.index, f"needs vector register {last - 1} of {limit}")
        return first, last
