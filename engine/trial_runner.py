"""Soundness trials on the machine: a rewritten term is legalised, lowered, assembled, simulated and compared.

What the functional interpreter cannot see shows here: signals, buffer reuse, order in FIFOs, capacity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .arch import Arch
from .cost import Model, cost_of, extract
from .dataflow.lower import lower
from .diagnostics import TilesatError
from .rewrite import load_strategy, saturate
from .rewrite.levels import levels_of
from .schedule import Expr, Program
from .schedule.interpreter import interpret
from .spyrecode import assemble

if TYPE_CHECKING:
    from .rewrite.trials import Trial

__all__ = ["run_lowered"]

# What the lowering refuses because it does not cover it yet says nothing about a rule.
_NOT_COVERED = {"DFLOW010", "DFLOW040", "DFLOW042", "DFLOW061"}


def run_lowered(trial: Trial, program: Program) -> str | None:
    """What is wrong when the program runs on the trial's machine; None: nothing, or it cannot run.

    A trial's term is on the way to a schedule: the mandatory rules (strategy `none`) finish it, and leave
    what the rule under test did as it is.
    """
    from .sim import prepare

    body = _legalised(program, trial.arch)
    if body is None:
        return None
    values = [trial.buffers.get(name, trial.args.get(name, 0)) for name in program.args]
    levels = levels_of(trial.program, trial.arch)
    expected = interpret(trial.program, trial.buffers, trial.args, levels=levels)
    try:
        code = assemble(lower(program, trial.arch, body), trial.arch, "trial")
        launched = prepare(code, trial.arch).launch(values)
    except TilesatError as error:
        first = error.diagnostics[0]
        if first.code in _NOT_COVERED:
            return None
        return f"on the machine: {first.code} {first.message}"
    for name, found in zip(program.args, launched.outputs, strict=True):
        if found is not None and not np.array_equal(_bits(found), _bits(np.asarray(expected[name]))):
            return f"on the machine: buffer {name} differs"
    return None


def _legalised(program: Program, arch: Arch) -> Expr | None:
    model = Model(program, arch)
    if cost_of(model, program.body) is not None:
        return program.body
    try:
        return extract(saturate(program, arch, load_strategy("none")), model).picked.term
    except TilesatError:
        return None


def _bits(array: NDArray[Any]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
