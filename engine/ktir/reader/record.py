"""What matching an op's assembly found, completed by what its spec says without writing it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...diagnostics import fail
from ...specs.dialects import OpSpec, ValueSpec
from ..ir import DenseArray
from .output import Piece

if TYPE_CHECKING:
    from .desugar import Desugarer

__all__ = ["Record"]


@dataclass(slots=True)
class Record:
    """One op taken apart: SSA names and type texts by group, attributes and regions as pieces."""

    operands: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, list[str]] = field(default_factory=dict)
    attributes: dict[str, list[Piece]] = field(default_factory=dict)
    regions: dict[str, list[Piece]] = field(default_factory=dict)
    arguments: dict[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # of regions written as a list of names

    plain: dict[str, Any] = field(default_factory=dict)  # attributes read without MLIR
    headers: dict[str, str] = field(default_factory=dict)  # of regions whose argument is written before them

    def copy(self) -> Record:
        tables = (self.operands, self.types, self.attributes, self.regions)
        copies = (*tables, self.arguments, self.plain, self.headers)
        return Record(*(dict(c) for c in copies))

    def complete(self, desugarer: Desugarer, spec: OpSpec, i: int) -> None:
        """Fill in types the assembly does not write, and `operandSegmentSizes`."""
        for group in spec.operands:
            names = self.operands.get(group.name, [])
            given = self.types.get(group.name)
            if given and len(given) == 1 and len(names) > 1:
                self.types[group.name] = given * len(names)  # one type for all
            elif given is None or len(given) != len(names):
                if given and len(given) != len(names):
                    where = desugarer.tokens.position(i)
                    fail(
                        "KTIR003",
                        f"{spec.name}: {len(names)} value(s) but {len(given)} type(s) for `{group.name}`",
                        where,
                        "write one type per value",
                    )
                self.types[group.name] = [self._operand_type(desugarer, spec, group, n, i) for n in names]
        for group in spec.results:
            if group.name not in self.types:
                self.types[group.name] = self._result_type(desugarer, spec, group, i)
        for attribute in spec.attributes:
            if attribute.value_type and attribute.name in self.attributes:
                kinds = self.types.get(attribute.value_type) or [attribute.value_type]
                value = self.attributes[attribute.name]
                self.attributes[attribute.name] = [*value, Piece(f" : {kinds[0]}", value[0].source)]
        if spec.segmented:
            sizes = (len(self.operands.get(g.name, ())) for g in spec.operands)
            self.plain["operandSegmentSizes"] = DenseArray(sizes, "i32")

    def _operand_type(self, d: Desugarer, spec: OpSpec, group: ValueSpec, name: str, i: int) -> str:
        fixed = self._fixed(group)
        found = fixed or d.type_of_value(name, i)
        if found is None:
            fail("KTIR003", f"{spec.name}: the type of `{name}` is not written", d.tokens.position(i))
        return found

    def _result_type(self, d: Desugarer, spec: OpSpec, group: ValueSpec, i: int) -> list[str]:
        fixed = self._fixed(group)
        if fixed is None:
            if group.single:
                fail("KTIR003", f"{spec.name}: the type of its result is not written", d.tokens.position(i))
            return []
        return [fixed] if group.single else []

    def _fixed(self, group: ValueSpec) -> str | None:
        if group.same_type:
            given = self.types.get(group.same_type)
            return given[0] if given else None
        return (
            group.type
            if (group.type.isalnum() and group.type[-1:].isdigit()) or group.type == "index"
            else None
        )
