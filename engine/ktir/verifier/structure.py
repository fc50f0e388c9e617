"""Known op, number and types of operands and results, attributes, terminators: all from the op specs."""

from __future__ import annotations

from typing import Any

from ...diagnostics import Diagnostic
from ...specs.dialects import AttributeSpec, OpSpec, ValueSpec, dialect, op_spec, unknown_op_hint
from ..affine import AffineMap, IntegerSet
from ..groups import operand_groups
from ..ir import Dense, DenseArray, MemorySpace, Op, Raw, Scalar, Type, Typed, Value
from .constraints import satisfies

__all__ = ["check_structure"]


def check_structure(op: Op) -> list[Diagnostic]:
    """Faults of one op (not of the ops inside it). Empty when it fits its spec."""
    if op.name == "builtin.module":
        return []
    spec = op_spec(op.name)
    if spec is None:
        return [_unknown(op)]
    if "unsupported" in spec.traits:
        text = f"`{op.name}` is not supported: {spec.doc[:1].lower()}{spec.doc[1:].rstrip('.')}"
        return [Diagnostic("KTIR002", text, op.position)]
    found: list[Diagnostic] = []
    groups = operand_groups(op, spec)
    if groups is None:
        return [_arity(op, spec)]
    types: dict[str, Type] = {}
    for group in spec.operands:
        found += _check_values(op, group, groups[group.name], types)
    results = _result_groups(op, spec)
    if results is None:
        expected = _count(spec.results)
        text = f"`{op.name}` gives {expected} result(s), not {len(op.results)}"
        return [*found, Diagnostic("KTIR011", text, op.position)]
    for group in spec.results:
        found += _check_values(op, group, results[group.name], types)
    for attribute in spec.attributes:
        found += _check_attribute(op, attribute)
    return found + _check_regions(op, spec)


def _unknown(op: Op) -> Diagnostic:
    return Diagnostic("KTIR001", f"unknown operation `{op.name}`", op.position, unknown_op_hint(op.name))


def _count(groups: tuple[ValueSpec, ...]) -> str:
    fixed = sum(g.single for g in groups)
    return str(fixed) if fixed == len(groups) else f"at least {fixed}"


def _arity(op: Op, spec: OpSpec) -> Diagnostic:
    names = ", ".join(g.name + ("…" if g.variadic else "?" if g.optional else "") for g in spec.operands)
    text = f"`{op.name}` takes {_count(spec.operands)} operand(s), not {len(op.operands)}"
    return Diagnostic("KTIR010", text, op.position, f"operands: {names or 'none'}")


def _result_groups(op: Op, spec: OpSpec) -> dict[str, list[Value]] | None:
    fixed = sum(g.single for g in spec.results)
    rest = len(op.results) - fixed
    if rest < 0 or (rest and fixed == len(spec.results)):
        return None
    found: dict[str, list[Value]] = {}
    at = 0
    for group in spec.results:
        size = 1 if group.single else rest
        found[group.name] = op.results[at : at + size]
        at += size
    return found


def _check_values(op: Op, group: ValueSpec, values: list[Value], types: dict[str, Type]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for value in values:
        if group.same_type:
            wanted = types.get(group.same_type)
            if wanted is not None and value.type != wanted:
                text = f"`{op.name}`: `{group.name}` is {value.type}, but `{group.same_type}` is {wanted}"
                found.append(Diagnostic("KTIR012", text, op.position, "the two have the same type"))
        elif not satisfies(value.type, group.type):
            text = f"`{op.name}`: `{group.name}` (%{value.name}) is {value.type}, not {group.type}"
            found.append(Diagnostic("KTIR012", text, op.position))
    if values:
        types[group.name] = values[0].type
    return found


_ATTRIBUTES: dict[str, Any] = {
    "bool": bool,
    "float": float,
    "string": str,
    "affine_map": AffineMap,
    "integer_set": IntegerSet,
    "memory_space": MemorySpace,
    "dense": Dense,
    "int_array": DenseArray,
    "bool_array": (DenseArray, list),
    "array": list,
    "dict": dict,
    "symbol": (Raw, str),
}


def _check_attribute(op: Op, spec: AttributeSpec) -> list[Diagnostic]:
    if spec.name not in op.attributes:
        if spec.optional or spec.default is not None or spec.type == "unit":
            return []
        return [Diagnostic("KTIR013", f"`{op.name}` lacks the attribute `{spec.name}`", op.position)]
    value = op.attributes[spec.name]
    if spec.enum:
        owner = dialect(op.name.partition(".")[0])
        words = owner.enums.get(spec.enum, ()) if owner else ()
        if value in words:
            return []
        text = f"`{op.name}`: `{spec.name}` is not one of {', '.join(words)}"
        return [Diagnostic("KTIR014", text, op.position)]
    if any(_is(value, kind.strip()) for kind in spec.type.split("|")):
        return []
    text = f"`{op.name}`: attribute `{spec.name}` is not {spec.type.replace('_', ' ')}"
    return [Diagnostic("KTIR014", text, op.position)]


def _is(value: Any, kind: str) -> bool:
    number = value.value if isinstance(value, Typed) else value
    match kind:
        case "any" | "unit":
            return True
        case "int":
            return isinstance(number, int) and not isinstance(number, bool)
        case "float":
            return isinstance(number, float)
        case "number":
            return isinstance(number, int | float)
        case "type":
            return not isinstance(value, int | float | str | list | dict | Typed | Raw) or isinstance(
                value, Scalar
            )
    return isinstance(value, _ATTRIBUTES.get(kind, object))


def _check_regions(op: Op, spec: OpSpec) -> list[Diagnostic]:
    owner = dialect(op.name.partition(".")[0])
    if owner is None or owner.custom_syntax != "assembly":
        return []  # MLIR has verified its own dialects
    required = sum(not (r.optional or r.variadic) for r in spec.regions)
    if len(op.regions) < required or (len(op.regions) > len(spec.regions) and not _variadic(spec)):
        text = f"`{op.name}` has {required} region(s), not {len(op.regions)}"
        return [Diagnostic("KTIR015", text, op.position)]
    found: list[Diagnostic] = []
    for region, rule in zip(op.regions, spec.regions, strict=False):
        if not rule.terminator:
            continue
        last = region.blocks[-1].ops[-1:] if region.blocks else []
        if not last or last[0].name != rule.terminator:
            where = last[0].position if last else op.position
            text = f"region `{rule.name}` of `{op.name}` must end with `{rule.terminator}`"
            found.append(Diagnostic("KTIR016", text, where))
    return found


def _variadic(spec: OpSpec) -> bool:
    return any(r.variadic for r in spec.regions)
