"""`rules verify` on the simulator: a rewritten term is legalised, lowered, assembled and executed with all
hazard checks on, and must give what the functional interpreter gives for the kernel.

The one module of this room that imports the simulator, and only when it is used.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from ..arch import Arch
from ..diagnostics import TilesatError
from ..schedule.interpreter import interpret
from ..schedule.program import Program
from .levels import levels_of
from .rulebook import load_strategy
from .saturate import saturate
from .trials import Trial

__all__ = ["OnSimulator"]


@dataclass
class OnSimulator:
    """A `verify.Runner`. `skipped` counts, by diagnostic code, terms that something on the way does not
    cover (an access the lowering has no form for, a buffer that does not fit); `ran` those that ran."""

    ran: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    def __call__(self, trial: Trial, program: Program) -> str | None:
        """What is wrong with the program's body on the simulated machine, None if nothing is."""
        from ..cost import Model, extract

        try:
            graph = saturate(program, trial.arch, load_strategy("none"))
            body = extract(graph, Model(program, trial.arch)).picked.term
            code = self._assemble(replace(program, body=body), trial.arch)
        except TilesatError as error:
            self.skipped[error.diagnostics[0].code] += 1
            return None
        return self._run(trial, program, code)

    def _assemble(self, program: Program, arch: Arch) -> object:
        from ..dataflow import lower
        from ..spyrecode import assemble

        return assemble(lower(program, arch), arch, program.name)

    def _run(self, trial: Trial, program: Program, code: object) -> str | None:
        from ..sim import prepare

        arguments = [
            trial.buffers[name] if kind == "index" else trial.args[name]
            for name, kind in program.args.items()
        ]
        expected = interpret(
            trial.program, trial.buffers, trial.args, levels=levels_of(trial.program, trial.arch)
        )
        try:
            launched = prepare(code, trial.arch).launch(arguments)  # type: ignore[arg-type]
        except TilesatError as error:
            return f"on the simulator: {error.diagnostics[0].message}"
        self.ran += 1
        for name, found in zip(program.args, launched.outputs, strict=True):
            if found is not None and np.asarray(found).tobytes() != expected[name].tobytes():
                return f"on the simulator: buffer {name} differs"
        return None
