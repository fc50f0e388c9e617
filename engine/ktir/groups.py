"""Operands by the names of the op's spec, and other small readings of ops many rooms need."""

from __future__ import annotations

from collections.abc import Collection

from ..specs.dialects import OpSpec, op_spec
from .ir import Op, Typed, Value

__all__ = ["constant_of", "grid_of", "number", "operand_groups", "written_in_place"]


def operand_groups(op: Op, spec: OpSpec | None = None) -> dict[str, list[Value]] | None:
    """The op's operands by group name; None when their number does not fit the spec.

    Several groups of unknown size need `operandSegmentSizes`; a single one takes what is left.
    """
    spec = spec or op_spec(op.name)
    if spec is None:
        return None
    sizes = op.attributes.get("operandSegmentSizes")
    if sizes is None or len(sizes) != len(spec.operands):
        fixed = sum(group.single for group in spec.operands)
        rest = len(op.operands) - fixed
        unknown = len(spec.operands) - fixed
        if rest < 0 or (rest and not unknown) or (unknown and rest % unknown):
            return None
        # without sizes, groups are equally long (linalg.reduce: as many outputs as inputs)
        sizes = [1 if group.single else rest // unknown for group in spec.operands]
    if sum(sizes) != len(op.operands):
        return None
    found: dict[str, list[Value]] = {}
    at = 0
    for group, size in zip(spec.operands, sizes, strict=True):
        found[group.name] = op.operands[at : at + size]
        at += size
    return found


def number(value: object) -> int | float | None:
    """The number of an attribute, typed or not; None when it is none."""
    if isinstance(value, Typed):
        return value.value
    return value if isinstance(value, int | float) else None


def constant_of(value: Value) -> int | float | None:
    """The number an `arith.constant` gives this value."""
    op = value.owner
    if isinstance(op, Op) and op.name == "arith.constant":
        return number(op.attributes.get("value"))
    return None


def grid_of(function: Op) -> tuple[int, ...] | None:
    """The `grid` attribute of a func.func; None when absent or malformed."""
    given = function.attributes.get("grid")
    if not isinstance(given, list):
        return None
    extents = [number(v) for v in given]
    return tuple(e for e in extents if isinstance(e, int)) if extents else None


def written_in_place(op: Op, used: Collection[Value]) -> list[tuple[Value, Value]]:
    """`(outs, result)` of a structured op whose results nobody uses (`used`: all operands of the kernel).

    KTIR's RFC writes `linalg.add ins(…) outs(%c)`, drops the result and stores `%c`. In value semantics
    that stores an undefined tensor; what is meant is that later uses of `%c` see the result.
    """
    outputs = (operand_groups(op) or {}).get("outputs", []) if op.results else []
    if len(outputs) != len(op.results) or any(r in used for r in op.results):
        return []
    return list(zip(outputs, op.results, strict=True))
