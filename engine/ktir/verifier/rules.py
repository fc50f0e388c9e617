"""Runs the `verify:` entries of op specs on ops whose structure is sound."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from ...diagnostics import Diagnostic, fail
from ...specs.dialects import OpSpec, op_spec
from ..groups import grid_of, operand_groups
from ..ir import Block, Op, Typed, Value
from .access import space_of
from .expression import evaluate, fill
from .ranges import Ranges

__all__ = ["Limits", "Scope", "check_rules"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What an architecture allows; None: no architecture given, the rules about it do not apply."""

    max_tiles: int | None = None
    max_loop_count: int | None = None
    max_span: int | None = None
    scratchpad: int | None = None

    @staticmethod
    def of(arch: Any) -> Limits:
        """From an `engine.arch.Arch` (or a mapping with these names)."""
        if arch is None:
            return Limits()
        if isinstance(arch, Mapping):
            return Limits(**{k: arch[k] for k in Limits.__dataclass_fields__ if k in arch})
        local = arch.memories.get(arch.spaces.get("ct_local", ""))
        limits = arch.limits
        return Limits(limits.grid_cores, limits.loop_count, limits.span_bytes, local.size if local else None)


@dataclass(slots=True)
class Scope:
    """What rules know beyond the op itself: its function's grid, ranges of values, uses, enclosing ops."""

    limits: Limits
    grid: tuple[int, ...] | None
    ranges: Ranges
    uses: Mapping[Value, int]
    stored: Set[str | None]  # kinds of memory the function stores to; None: out of sight
    views: list[Op]  # the function's memory views, in order
    parents: list[str] = field(default_factory=list)

    @staticmethod
    def of(function: Op, limits: Limits) -> Scope:
        loops: dict[Block, Op] = {}
        uses: dict[Value, int] = {}
        stored: set[str | None] = set()
        views: list[Op] = []
        for op in function.walk():
            for value in op.operands:
                uses[value] = uses.get(value, 0) + 1
            if op.name == "ktdp.construct_memory_view":
                views.append(op)
            if op.name == "ktdp.store":
                stored.add(space_of({}, op.operands[-1]))
            if op.name == "scf.for" and op.regions and op.regions[0].blocks:
                loops[op.regions[0].blocks[0]] = op
        grid = grid_of(function)
        return Scope(limits, grid, Ranges(grid, loops), uses, stored, views)


def check_rules(op: Op, scope: Scope) -> list[Diagnostic]:
    """Diagnostics of every rule of the op's spec that is known to be broken."""
    spec = op_spec(op.name)
    if spec is None or not spec.verify:
        return []
    env = _environment(op, spec, scope)
    if env is None:
        return []
    try:
        return [d for rule in spec.verify if (d := _check(op, spec, rule, env))]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
        fail("SPEC004", f"a rule of `{op.name}` cannot be evaluated here: {e}", op.position)


def _check(op: Op, spec: OpSpec, rule: dict[str, Any], env: dict[str, Any]) -> Diagnostic | None:
    condition = rule.get("when")
    if condition is not None and not evaluate(str(condition), env, spec.position):
        return None
    if evaluate(str(rule["require"]), env, spec.position) in (None, True):
        return None
    name = f" ({rule['rule']})" if "rule" in rule else ""
    return Diagnostic(
        rule.get("code", "KTIR020"),
        fill(rule["message"], env, spec.position) + name,
        op.position,
        fill(rule.get("hint", ""), env, spec.position),
        rule.get("severity", "error"),
    )


def _environment(op: Op, spec: OpSpec, scope: Scope) -> dict[str, Any] | None:
    groups = operand_groups(op, spec)
    if groups is None:
        return None
    env: dict[str, Any] = {
        "op": op,
        "grid": list(scope.grid) if scope.grid else None,
        "tiles": math.prod(scope.grid) if scope.grid else None,
        "ranges": scope.ranges,
        "uses": scope.uses,
        "stored": scope.stored,
        "scratchpad_views": scope.views,
        "parents": scope.parents,
        "max_tiles": scope.limits.max_tiles,
        "max_loop_count": scope.limits.max_loop_count,
        "max_span": scope.limits.max_span,
        "scratchpad": scope.limits.scratchpad,
    }
    for attribute in spec.attributes:
        value = op.attributes.get(attribute.name, attribute.default)
        env[attribute.name] = value.value if isinstance(value, Typed) else value
    for region, rule in zip(op.regions, spec.regions, strict=False):
        env[rule.name] = region
    for group in spec.operands:
        values = groups[group.name]
        env[group.name] = values if group.variadic else values[0] if values else None
    at, fixed = 0, sum(g.single for g in spec.results)
    for group in spec.results:
        size = 1 if group.single else len(op.results) - fixed
        values = op.results[at : at + size]
        env[group.name] = values if group.variadic else values[0] if values else None
        at += size
    return env
