"""tilesat: a declarative scheduling compiler and simulator for Spyre-class dataflow accelerators.

import tilesat
program = tilesat.compile("k.mlir", arch="spyre")   # .schedule .dataflow .spyrecode .cost
result = tilesat.run(program, [x, y, out])          # .outputs[2] .cycles .profile
oracle = tilesat.reference("k.mlir", [x, y, out])   # .outputs[2]
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .diagnostics import Diagnostic, Position, TilesatError, fail
from .options import Options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .arch import Arch
    from .arguments import Argument
    from .compiler import Compilation
    from .ktir.ir import Module
    from .runner import ReferenceResult, RunResult

__all__ = ["Diagnostic", "Options", "TilesatError", "compile", "reference", "run"]

_HOW = ("arch", "strategy", "set", "entry", "options")


def compile(
    kernel: str | Path | Module,
    arch: str | Path | Arch = "spyre",
    strategy: str | Path = "default",
    *,
    set: Sequence[str] = (),
    entry: str | None = None,
    options: Options | Mapping[str, Any] | None = None,
) -> Compilation:
    """Compile a KTIR file, a DataflowIR file or a SpyreCode directory; raises TilesatError.

    A string of several lines is the kernel's text itself. `options`: an `Options`, or its fields by name.
    The result's `.schedule` and `.dataflow` are text, `.spyrecode` the binary with its plans, `.cost` the
    predicted figures. `set` overrides the architecture, e.g. `["core.lx.size=1MiB"]`.
    """
    from .compiler import compile_kernel

    chosen = _options(options)
    return compile_kernel(kernel, arch=arch, overrides=set, strategy=strategy, entry=entry, options=chosen)


def run(
    program: Compilation | str | Path,
    arguments: Sequence[Argument] | Mapping[str, Argument],
    *,
    memory: Mapping[int, NDArray[Any]] | None = None,
    **how: Any,
) -> RunResult:
    """Execute on the simulator; `how` as for `compile` when given a file.

    `arguments`: in call order, or by SSA name; an array for a buffer, a number for a scalar. The arrays
    given are left alone: results are in `.outputs`. `memory`: arrays at the constant addresses of a kernel
    that has some, with their results in `.memory`, by address. An array that looks transposed is a warning.
    """
    from .arguments import Arguments, shape_warnings
    from .compiler import Compilation
    from .runner import run_compiled

    if isinstance(program, Compilation):
        if how:
            what = f"{', '.join(how)}: the program is compiled already, for {program.arch.name}"
            fail("ARG009", what, Position("tilesat.run"), "give this to tilesat.compile")
        compiled = program
    else:
        unknown = [name for name in how if name not in _HOW]
        if unknown:
            what = f"there is no parameter `{unknown[0]}`"
            fail("ARG009", what, Position("tilesat.run"), f"known: memory, {', '.join(_HOW)}")
        compiled = compile(program, **how)
    given = Arguments.of(arguments, memory)
    for warning in shape_warnings(compiled.parameters, given):
        warnings.warn(str(TilesatError(warning)), stacklevel=2)
    return run_compiled(compiled, given)


def reference(
    kernel: str | Path | Module,
    arguments: Sequence[Argument] | Mapping[str, Argument],
    *,
    memory: Mapping[int, NDArray[Any]] | None = None,
    entry: str | None = None,
    options: Options | Mapping[str, Any] | None = None,
) -> ReferenceResult:
    """Execute KTIR in the reference interpreter, independent of any schedule: the oracle."""
    from .arguments import Arguments
    from .compiler import open_kernel
    from .runner import run_reference

    opened = open_kernel(kernel, entry=entry, options=_options(options))
    return run_reference(opened, Arguments.of(arguments, memory))


def _options(given: Options | Mapping[str, Any] | None) -> Options | None:
    return Options.parse(dict(given)) if isinstance(given, Mapping) else given
