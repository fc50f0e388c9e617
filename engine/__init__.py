"""tilesat: a declarative scheduling compiler and simulator for Spyre-class dataflow accelerators.

import tilesat
program = tilesat.compile("k.mlir", arch="spyre")   # .schedule .dataflow .spyrecode .cost
result = tilesat.run(program, [x, y, out])          # .outputs[2] .cycles .profile
oracle = tilesat.reference("k.mlir", [x, y, out])   # .outputs[2]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .diagnostics import Diagnostic, TilesatError
from .options import Options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .arch import Arch
    from .arguments import Argument
    from .compiler import Compilation
    from .ktir.ir import Module
    from .runner import ReferenceResult, RunResult

__all__ = ["Diagnostic", "Options", "TilesatError", "compile", "reference", "run"]


def compile(
    kernel: str | Path | Module,
    arch: str | Path | Arch = "spyre",
    strategy: str | Path = "default",
    *,
    set: Sequence[str] = (),
    entry: str | None = None,
    options: Options | None = None,
) -> Compilation:
    """Compile a KTIR file, a DataflowIR file or a SpyreCode directory; raises TilesatError.

    The result's `.schedule` and `.dataflow` are text, `.spyrecode` the binary with its plans, `.cost` the
    predicted figures. `set` overrides the architecture, e.g. `["core.lx.size=1MiB"]`.
    """
    from .compiler import compile_kernel

    return compile_kernel(kernel, arch=arch, overrides=set, strategy=strategy, entry=entry, options=options)


def run(
    program: Compilation | str | Path,
    arguments: Sequence[Argument] | Mapping[str, Argument],
    *,
    memory: Mapping[int, NDArray[Any]] | None = None,
    **how: Any,
) -> RunResult:
    """Execute on the simulator; `how` as for `compile` when given a file.

    `arguments`: in call order, or by SSA name; an array for a buffer, a number for a scalar. The arrays
    given are left alone: results are in `.outputs`.
    """
    from .arguments import Arguments
    from .compiler import Compilation
    from .runner import run_compiled

    compiled = program if isinstance(program, Compilation) else compile(program, **how)
    return run_compiled(compiled, Arguments.of(arguments, memory))


def reference(
    kernel: str | Path | Module,
    arguments: Sequence[Argument] | Mapping[str, Argument],
    *,
    memory: Mapping[int, NDArray[Any]] | None = None,
    entry: str | None = None,
    options: Options | None = None,
) -> ReferenceResult:
    """Execute KTIR in the reference interpreter, independent of any schedule: the oracle."""
    from .arguments import Arguments
    from .compiler import open_kernel
    from .runner import run_reference

    return run_reference(open_kernel(kernel, entry=entry, options=options), Arguments.of(arguments, memory))
