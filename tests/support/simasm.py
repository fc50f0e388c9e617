"""A tiny assembler for hand-written programs: one method call per word, loops as context managers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from tilesat.arch import Arch
from tilesat.numerics import dtype
from tilesat.spyrecode.assemble import SpyreCode
from tilesat.spyrecode.container import pack, section_range, unpack
from tilesat.spyrecode.isa import isa
from tilesat.spyrecode.machine import machine
from tilesat.spyrecode.plan import Job, Symbol, build_plan
from tilesat.spyrecode.words import encode


class Unit:
    """The program of `instances` of one unit kind; `initial`: register → value or one per instance."""

    def __init__(self, kernel: Kernel, name: str, instances: Sequence[int], initial: dict[int, Any]) -> None:
        self.kernel, self.name, self.instances, self.initial = kernel, name, list(instances), initial
        self.words: list[tuple[str, dict[str, int]]] = []

    def emit(self, name: str, **fields: Any) -> Unit:
        k = self.kernel
        numbers = {"peer": k.units, "memory": k.memories}
        for key, value in fields.items():
            if key in ("dtype", "source") and isinstance(value, str):
                fields[key] = isa().dtypes[value]
            elif key in numbers and isinstance(value, str):
                fields[key] = numbers[key].index(value)
            elif key == "op" and isinstance(value, str):
                table = isa().vector_ops if name in ("vop", "vred") else isa().integer_ops
                fields[key] = table[value].code
            elif key == "transfer" and not isinstance(value, int):
                fields[key] = k.transfer(*value)
        self.words.append((name, fields))
        return self

    def __getattr__(self, name: str) -> Any:
        if name.removesuffix("_") in isa().instructions:
            return lambda **fields: self.emit(name.removesuffix("_"), **fields)
        raise AttributeError(name)

    def addi(self, rd: int, ra: int, imm: int) -> Unit:
        return self.emit("inti", op="add", rd=rd, ra=ra, imm=imm)

    @contextmanager
    def repeat(self, count: int | None = None, *, ra: int = 0) -> Iterator[None]:
        """Hardware loop, `count` trips or register `ra`."""
        at = len(self.words)
        self.words.append(("loopi", {"count": count}) if count is not None else ("loop", {"ra": ra}))
        yield
        self.words[at][1]["words"] = len(self.words) - at - 1

    @contextmanager
    def unless_zero(self, ra: int) -> Iterator[None]:
        at = len(self.words)
        self.words.append(("skipz", {"ra": ra}))
        yield
        self.words[at][1]["words"] = len(self.words) - at - 1


class Kernel:
    """Collects unit programs and the tables they refer to; `code()` is the SpyreCode."""

    def __init__(self, arch: Arch) -> None:
        numbers = machine(arch)
        self.arch, self.fingerprint = arch, numbers.fingerprint
        self.units, self.memories = list(numbers.units), list(numbers.memories)
        self.programs: list[Unit] = []
        self.transfers: list[tuple[Any, ...]] = []
        self.dimensions: list[tuple[int, ...]] = []
        self.constants: list[tuple[int, int, int]] = []
        self.data = bytearray()
        self.symbols: list[Symbol] = []

    def unit(self, name: str, instances: Sequence[int] = (0,), **initial: Any) -> Unit:
        """Keyword `r5=…` gives register 5 a value at start (a list: one per instance)."""
        self.programs.append(Unit(self, name, instances, {int(k[1:]): v for k, v in initial.items()}))
        return self.programs[-1]

    def address(self, argument: int) -> int:
        """A symbol with the byte address of a launch argument."""
        self.symbols.append(Symbol(len(self.symbols), argument, "address"))
        return len(self.symbols) - 1

    def scalar(self, argument: int, kind: str = "index") -> int:
        self.symbols.append(Symbol(len(self.symbols), argument, "scalar", kind))
        return len(self.symbols) - 1

    def transfer(
        self, source: str, destination: str, kind: str, *dimensions: tuple[int, ...], outside: int = 0
    ) -> int:
        """A row of `transfers`; a dimension: (count, strides[, count, low, high register])."""
        first = len(self.dimensions)
        for count, a, b, *registers in dimensions:
            count_r, low_r, high_r = (*registers, 0, 0, 0)[:3]
            self.dimensions.append((count, count_r, low_r, high_r, 0, a, b))
        numbers = (self.memories.index(source), self.memories.index(destination))
        row = (dtype(kind).nbytes, *numbers, first, len(dimensions), 0, outside, isa().dtypes[kind], 0)
        self.transfers.append(row)
        return len(self.transfers) - 1

    def constant(self, kind: str, values: Any) -> int:
        bits = np.ascontiguousarray(values, dtype(kind).storage)
        self.constants.append((isa().dtypes[kind], bits.size, len(self.data)))
        self.data += bits.tobytes()
        self.data += bytes(-len(self.data) % 8)
        return len(self.constants) - 1

    def code(self, name: str = "k") -> SpyreCode:
        sections = isa().sections
        units, registers, words = [], [], []
        for program in self.programs:
            entry = len(words)
            words += [encode(n, f) for n, f in program.words]
            words.append(encode("halt", {}))
            for lane, instance in enumerate(program.instances):
                first = len(registers)
                for register, value in program.initial.items():
                    registers.append(
                        (register, 0, value[lane] if isinstance(value, (list, tuple)) else value)
                    )
                count = len(registers) - first
                number = self.units.index(program.name)
                units.append((number, 0, instance, entry, len(words) - entry, first, count))
        tables: dict[str, list[Any]] = {
            "units": units,
            "registers": registers,
            "code": [(w,) for w in words],
            "transfers": self.transfers,
            "dimensions": self.dimensions,
            "constants": self.constants,
            "constant_data": [(b,) for b in self.data],
            "symbols": [(0,)] * len(self.symbols),
        }
        rows = {n: np.array(t, sections[n].dtype) for n, t in tables.items()}
        binary = pack(self.fingerprint, rows)
        offset, size = section_range(unpack(binary), "symbols")
        plan = build_plan(name, len(binary), [Job(0, offset, size, tuple(self.symbols))])
        return SpyreCode(name, binary, plan, {})
