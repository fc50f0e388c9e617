"""Checks DataflowIR: every op against ktir_specs, then what only the whole program shows.

Run on every file the tests emit; upstream's own verifier stays a check by hand.
"""

from __future__ import annotations

from ...diagnostics import Diagnostic
from ...ktir.ir import Module
from ...ktir.verifier import verify as verify_ops
from .scopes import check_scopes
from .traffic import check_traffic

__all__ = ["verify"]


def verify(module: Module) -> list[Diagnostic]:
    """All faults, in the order of the text; an empty list: nothing to say.

    Beyond the specs' rules: values are used where they are defined, a unit has one program, uniform maps hold
    constants or units and cover the units that ask them, and per pair of units every signal and every vector
    that is sent is also received.
    """
    found = verify_ops(module)
    if found:
        return found
    for function in module.functions():
        ops = function.regions[0].blocks[0].ops
        if any(op.name == "dataflow.program_unit" for op in ops):
            faults = check_scopes(function)
            found += faults or check_traffic(function)
    return sorted(found, key=lambda d: (d.position.line, d.position.column))
