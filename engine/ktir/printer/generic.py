"""Plain module → MLIR's generic form."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ...specs.dialects import dialect, op_spec
from ..ir import Block, Module, Op, Raw, Region, Value
from .spelling import Speller, quote

__all__ = ["GenericPrinter"]

_CLEAN = re.compile(r"[A-Za-z_$.-][\w$.-]*$|\d+$", re.ASCII)
_GROUP = re.compile(r"(.+)#(\d+)$")


@dataclass(slots=True)
class GenericPrinter:
    """`named_locations`: every op and block argument carries its SSA name as `loc("name")`, so that MLIR
    can print the names again."""

    speller: Speller
    named_locations: bool = False
    names: dict[Value, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)
    counter: int = 0
    groups: dict[str, list[str]] = field(default_factory=dict)

    def print(self, module: Module) -> str:
        self.op(module.op, 0)
        return "\n".join(self.lines) + "\n"

    # ---- names ----------------------------------------------------------------------------------

    def _name(self, value: Value) -> str:
        return "%" + self.names.get(value, value.name)

    def _unique(self, wanted: str) -> str:
        if not _CLEAN.match(wanted):
            wanted = re.sub(r"[^\w$.-]", "_", wanted, flags=re.ASCII) or "v"
        name = wanted
        while name in self.used:
            self.counter += 1
            name = f"{wanted}_{self.counter}"
        self.used.add(name)
        return name

    def _define(self, results: list[Value]) -> str:
        """The left-hand side; results named `a#0, a#1, …` are one group `%a:2`."""
        grouped = [_GROUP.match(v.name) for v in results]
        first = grouped[0]
        if (
            len(results) > 1
            and first
            and all(g and g[1] == first[1] and int(g[2]) == i for i, g in enumerate(grouped))
        ):
            base = self._unique(first[1])
            for i, v in enumerate(results):
                self.names[v] = f"{base}#{i}"
            return f"%{base}:{len(results)} = "
        for i, v in enumerate(results):
            wanted = v.name
            while i == 0 and len(results) > 1 and wanted in self.groups:  # of another function
                wanted += "_"
            self.names[v] = self._unique(wanted)
        if self.named_locations and len(results) > 1:  # MLIR will print them as a group named like the first
            self.groups[self.names[results[0]]] = [self.names[v] for v in results]
        return ", ".join(self._name(v) for v in results) + " = "

    def _location(self, value: Value | None) -> str:
        if not self.named_locations:
            return ""
        name = self.names[value].partition("#")[0] if value else ""
        # MLIR numbers unnamed values itself; our own fresh names (`_1`) are no names.
        if not name or name.isdigit() or re.fullmatch(r"_\d+", name):
            return " loc(unknown)"
        return f" loc({quote(name)})"

    # ---- structure ------------------------------------------------------------------------------

    def op(self, op: Op, depth: int) -> None:
        pad = "  " * depth
        isolated = op.name in ("func.func", "builtin.module")
        outer = self.used
        if isolated:
            self.used = set()
        operands = ", ".join(self._name(v) for v in op.operands)
        head = self._define(op.results) if op.results else ""
        self.lines.append(f"{pad}{head}{quote(op.name)}({operands})")
        if op.regions:
            self.lines[-1] += " ("
            for i, region in enumerate(op.regions):
                self.lines[-1] += ", " if i else ""
                self._region(region, depth)
            self.lines[-1] += ")"
        if op.attributes:
            self.lines[-1] += f" {{{self.speller.entries(self._spelt(op))}}}"
        ins = self.speller.types(v.type for v in op.operands)
        outs = self.speller.results([v.type for v in op.results])
        self.lines[-1] += f" : ({ins}) -> {outs}{self._location(op.results[0] if op.results else None)}"
        if isolated:
            self.used = outer

    def _spelt(self, op: Op) -> dict[str, Any]:
        """The attributes, enum keywords as their dialect spells them."""
        spec = op_spec(op.name) if not self.speller.for_mlir else None
        owner = dialect(op.name.partition(".")[0]) if spec else None
        if spec is None or owner is None:
            return op.attributes
        spelt = dict(op.attributes)
        for attribute in spec.attributes:
            value = spelt.get(attribute.name)
            if attribute.enum and isinstance(value, str):
                spelt[attribute.name] = Raw(owner.spell(attribute.enum, value))
        return spelt

    def _region(self, region: Region, depth: int) -> None:
        self.lines[-1] += "{"
        for i, block in enumerate(region.blocks):
            self._block(block, i, depth, len(region.blocks) > 1)
        self.lines.append("  " * depth + "}")

    def _block(self, block: Block, index: int, depth: int, labelled: bool) -> None:
        for value in block.args:
            self.names[value] = self._unique(value.name)
        if block.args or labelled or not block.ops:
            args = ", ".join(
                f"{self._name(v)}: {self.speller.type(v.type)}{self._location(v)}" for v in block.args
            )
            self.lines.append(f"{'  ' * depth}^bb{index}{f'({args})' if args else ''}:")
        for op in block.ops:
            self.op(op, depth + 1)
