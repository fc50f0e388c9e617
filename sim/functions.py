"""The isa's lane-wise operations bound to their semantics in `engine/numerics`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..numerics import DType, ScalarOp, dtype, parse_formula, scalar_ops, spec_entries
from ..spyrecode.isa import VectorOp, isa

__all__ = ["VectorFunction", "vector_functions"]


@dataclass(frozen=True, slots=True)
class VectorFunction:
    """A row of the isa's table `vector_ops`: every lane has the semantics of `scalar`.

    `masks`: per operand, whether it is always i1 (a select's condition) whatever the source type.
    """

    name: str
    scalar: ScalarOp
    attributes: Mapping[str, Any]
    cost_class: str
    masks: tuple[bool, ...]

    def operand_types(self, source: DType) -> list[DType]:
        return [dtype("i1") if mask else source for mask in self.masks]


@cache
def vector_functions() -> Mapping[int, VectorFunction]:
    """By code. Operations whose scalar op the shipped specs do not define are absent."""
    bound = (_bind(row) for row in isa().vector_ops.values())
    return {code: function for code, function in bound if function is not None}


def _bind(row: VectorOp) -> tuple[int, VectorFunction | None]:
    if row.scalar is None:
        parsed = parse_formula(row.formula or "")
        cost = row.cost_class or "elementwise"
        scalar = ScalarOp(row.name, parsed.names, ("result",), (), (parsed,), cost)
        return row.code, VectorFunction(row.name, scalar, {}, cost, (False,) * len(parsed.names))
    if row.scalar not in scalar_ops():
        return row.code, None
    scalar = scalar_ops()[row.scalar]
    operands = spec_entries()[row.scalar][0].get("operands", ())
    masks = tuple(str(o.get("type", "")).replace("like<i1>", "i1") == "i1" for o in operands)
    return row.code, VectorFunction(row.name, scalar, row.attributes, row.cost_class or scalar.cost, masks)
