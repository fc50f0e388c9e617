"""A readable listing of a program file, unit by unit."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from ..arch import Arch
from .assemble import SpyreCode
from .container import Binary
from .directory import programs, read
from .isa import isa
from .machine import machine
from .words import Word, decode_all

__all__ = ["disassemble"]


def disassemble(code: SpyreCode | str | Path, arch: Arch | None = None) -> str:
    """The listing. With `arch` (the machine it was made for) units and memories have names, else numbers."""
    source = code if isinstance(code, SpyreCode) else read(code)
    parts = []
    for k, binary in enumerate(programs(source)):
        matching = arch is not None and machine(arch).fingerprint == binary.machine
        names = machine(arch) if arch is not None and matching else None
        listing = _Listing(binary, names.units if names else (), names.memories if names else ())
        parts.append(
            f"; {source.name}#{k}: {binary.size} bytes, machine {binary.machine:08x}\n{listing.text()}"
        )
    return "\n".join(parts)


class _Listing:
    def __init__(self, binary: Binary, units: tuple[str, ...], memories: tuple[str, ...]) -> None:
        self.binary, self.units, self.memories = binary, units, memories
        form = isa()
        self.integer = {op.code: op.name for op in form.integer_ops.values()}
        self.vector = {op.code: op.name for op in form.vector_ops.values()}

    def text(self) -> str:
        lines: list[str] = []
        programs: dict[tuple[int, int, int], list[int]] = {}
        rows = self.binary["units"]
        for i, row in enumerate(rows):
            programs.setdefault((int(row["unit"]), int(row["entry"]), int(row["words"])), []).append(i)
        for (unit, entry, words), members in programs.items():
            instances = [int(rows[i]["instance"]) for i in members]
            lines += ["", f"program {self.unit(unit)}  {_ranges(instances)}"]
            lines += self.initial(members)
            lines += self.program(entry, words)
        return "\n".join(lines) + "\n" + self.data()

    def unit(self, number: int) -> str:
        return self.units[number] if number < len(self.units) else f"unit{number}"

    def memory(self, number: int) -> str:
        return self.memories[number] if number < len(self.memories) else f"memory{number}"

    def initial(self, members: list[int]) -> list[str]:
        """Initial registers: `.init r3 = 0, 8 … 56`, one value per instance (0 when absent)."""
        per_register: dict[int, dict[int, int]] = {}
        for k, i in enumerate(members):
            row = self.binary["units"][i]
            first, count = int(row["first_register"]), int(row["registers"])
            for r in self.binary["registers"][first : first + count]:
                per_register.setdefault(int(r["register"]), {})[k] = int(r["value"])
        lines = []
        for register, values in sorted(per_register.items()):
            each = [values.get(k, 0) for k in range(len(members))]
            lines.append(f"  .init r{register} = {_sequence(each)}")
        return lines

    def program(self, entry: int, words: int) -> list[str]:
        decoded = decode_all(self.binary["code"]["word"][entry : entry + words])
        targets = {i + 1 + w["words"] for i, w in enumerate(decoded) if "words" in w.fields}
        labels = {at: f"L{n}" for n, at in enumerate(sorted(targets))}
        ends: list[int] = []
        lines = []
        for i, word in enumerate(decoded):
            if i in labels:
                lines.append(f"{labels[i]}:")
            while ends and ends[-1] <= i:
                ends.pop()
            lines.append(f"  {i:4}  {'  ' * len(ends)}{self.instruction(i, word, labels)}")
            if "words" in word.fields:
                ends.append(i + 1 + word["words"])
                ends.sort(reverse=True)
        return lines

    def instruction(self, at: int, word: Word, labels: dict[int, str]) -> str:
        f = word.fields
        target = labels.get(at + 1 + f["words"], "") if "words" in f else ""
        match word.name:
            case "int":
                return f"{self.integer.get(f['op'], '?')} r{f['rd']}, r{f['ra']}, r{f['rb']}"
            case "inti":
                return f"{self.integer.get(f['op'], '?')}i r{f['rd']}, r{f['ra']}, {f['imm']}"
            case "loop":
                return f"loop r{f['ra']}, {target}"
            case "loopi":
                return f"loopi {f['count']}, {target}"
            case "skip":
                return f"skip {target}"
            case "skipz":
                return f"skipz r{f['ra']}, {target}"
            case "vop":
                return self.vop(word)
        return self.generic(word)

    def vop(self, word: Word) -> str:
        f = word.fields
        op = isa().vector_op(f["op"])
        operands = "".join(f", v{f[k]}" for k in ("va", "vb", "vc")[: _arity(f["op"])])
        kind = self.dtype(f["dtype"])
        source = f" from {self.dtype(f['source'])}" if f["source"] != f["dtype"] else ""
        return f"{op.name if op else '?'} v{f['vd']}{operands}, {kind} x{f['count']}{source}"

    def generic(self, word: Word) -> str:
        parts, f = [], word.fields
        hidden = {"dtype", "count", "instance", "peer_instance", "source_instance", "destination_instance"}
        for field in isa().instructions[word.name].fields:
            value = f[field.name]
            if field.name not in hidden and not (field.kind in ("flag", "direction") and not value):
                parts.append(self.operand(field.kind, field.name, value, f))
        if "count" in f:
            parts.append((f"{self.dtype(f['dtype'])} " if "dtype" in f else "") + f"x{f['count']}")
        if word.name == "xfer":
            parts += [_instance(f["source_instance"]), _instance(f["destination_instance"])]
        return f"{word.name} {', '.join(p for p in parts if p)}".rstrip()

    def operand(self, kind: str, name: str, value: int, f: object) -> str:
        fields = f if isinstance(f, dict) else {}
        match kind:
            case "reg" if name == "stride":
                return f"stride r{value}" if value else ""
            case "reg":
                return f"r{value}"
            case "vreg":
                return f"v{value}"
            case "unit":
                return self.unit(value) + _instance(fields.get("peer_instance", 0))
            case "memory":
                return self.memory(value) + _instance(fields.get("instance", 0))
            case "flag":
                return name
            case "imm" | "words":
                return str(value)
            case "vector_op":
                return self.vector.get(value, "?")
            case "transfer":
                return f"t{value}"
            case "constant":
                return f"c{value}"
            case "symbol":
                return f"s{value}"
        return f"{name} {value}"

    @staticmethod
    def dtype(code: int) -> str:
        return isa().dtype_names.get(code, "?")

    def data(self) -> str:
        lines = []
        dimensions = self.binary["dimensions"]
        for i, t in enumerate(self.binary["transfers"]):
            first, count = int(t["first_dimension"]), int(t["dimensions"])
            head = f"transfer t{i}: {self.memory(int(t['source']))} -> {self.memory(int(t['destination']))}"
            dims = ", ".join(_dimension(d) for d in dimensions[first : first + count])
            lines.append(f"{head}, {self.dtype(int(t['dtype']))}, {dims}")
        data = self.binary["constant_data"]["byte"].tobytes()
        for i, c in enumerate(self.binary["constants"]):
            kind, count, offset = self.dtype(int(c["dtype"])), int(c["count"]), int(c["offset"])
            size = _bytes(kind)
            values = [
                data[offset + k * size : offset + (k + 1) * size][::-1].hex() for k in range(min(count, 8))
            ]
            more = " …" if count > 8 else ""
            lines.append(f"constant c{i}: {kind} x{count} = {' '.join(values)}{more}")
        symbols = len(self.binary["symbols"])
        if symbols:
            lines.append(f"symbols s0 … s{symbols - 1}" if symbols > 1 else "symbols s0")
        return "\n" + "\n".join(lines) + "\n" if lines else ""


def _arity(code: int) -> int:
    from .lanes import _arity as arity

    op = isa().vector_op(code)
    return arity(op) if op else 3


def _bytes(kind: str) -> int:
    from ..numerics import dtype

    return dtype(kind).nbytes


def _dimension(row: object) -> str:
    d = row  # a NumPy record
    count = f"r{int(d['count_register'])}" if d["count_register"] else str(int(d["count"]))  # type: ignore[index]
    return f"[{count}: {int(d['source_stride'])}, {int(d['destination_stride'])}]"  # type: ignore[index]


def _instance(register: int) -> str:
    return f"@r{register}" if register else "@own"


def _ranges(numbers: list[int]) -> str:
    return f"({len(numbers)} instance{'s' * (len(numbers) > 1)}: {_sequence(numbers)})"


def _sequence(values: list[int]) -> str:
    steps = {b - a for a, b in pairwise(values)}
    if len(values) > 2 and len(steps) == 1:
        return f"{values[0]}, {values[1]} … {values[-1]}"
    return ", ".join(map(str, values))
