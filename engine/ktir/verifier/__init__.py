"""Checks a module against the op specs, the dialect's rules and, when given, an architecture's limits."""

from __future__ import annotations

from typing import Any

from ...diagnostics import Diagnostic
from ..ir import Module, Op
from .rules import Limits, Scope, check_rules
from .structure import check_structure

__all__ = ["Limits", "verify"]


def verify(module: Module, arch: Any = None, options: object = None) -> list[Diagnostic]:
    """All faults found, errors and warnings, in the order of the text. An empty list: nothing to say.

    First every op against its spec (known, operands, results, attributes); the rules of `verify:` entries
    run only when that gave no error. `arch` is an `engine.arch.Arch`, a mapping with the names of `Limits`,
    or None: then rules about a machine's limits do not apply. `options` is an `engine.options.Options`.
    """
    found: list[Diagnostic] = []
    for op in module.op.walk():
        found += check_structure(op)
    if not found:
        limits = Limits.of(arch)
        _walk(module.op, Scope.of(module.op, limits), limits, found)
    if getattr(options, "out_of_view", "pad") == "error":
        found = [_stricter(d) for d in found]
    return sorted(found, key=lambda d: (d.position.line, d.position.column))


def _walk(op: Op, scope: Scope, limits: Limits, found: list[Diagnostic]) -> None:
    if op.name == "func.func":
        scope = Scope.of(op, limits)
    faults = check_rules(op, scope)
    found += faults
    if op.name == "func.func" and any(d.severity == "error" for d in faults):
        return  # what its body may do follows from its grid
    scope.parents.append(op.name)
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                _walk(inner, scope, limits, found)
    scope.parents.pop()


_OUT_OF_VIEW = "KTDP045"  # a warning unless the options forbid tiles beyond their view


def _stricter(d: Diagnostic) -> Diagnostic:
    return Diagnostic(d.code, d.message, d.position, d.hint) if d.code == _OUT_OF_VIEW else d
