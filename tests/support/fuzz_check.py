"""Everything that must hold for a legal kernel on one machine under one strategy.

`check(kernel, path, arch, strategy)` returns the compilation, or the diagnostics by which the compiler
refused the kernel; anything else that goes wrong is a `Broken`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tilesat
from fuzz_oracle import Race
from kernel_fuzz import FuzzedKernel
from kernels import ulp
from tilesat.dataflow import verify as verify_dataflow
from tilesat.diagnostics import TilesatError, render
from tilesat.explain import check_replay
from tilesat.ktir import print_module, read_file, read_text
from tilesat.rewrite import parse_steps, show_steps
from tilesat.schedule.interpreter import interpret

__all__ = ["Broken", "check", "check_text", "launches"]


class Broken(AssertionError):
    """A kernel that does not do what NumPy says, or something that is not as it should be."""


def launches(kernel: FuzzedKernel, count: int) -> list[tuple[list[Any], dict[int, Any]]]:
    """Arguments that do not make tiles meet."""
    found: list[tuple[list[Any], dict[int, Any]]] = []
    for seed in range(20):
        given = kernel.arguments(seed)
        try:
            kernel.run(*given)
        except Race:
            continue
        found.append(given)
        if len(found) == count:
            break
    return found


def check_text(path: Path) -> None:
    """Printing and reading again is a fixed point."""
    once = print_module(read_file(path))
    if print_module(read_text(once, path.name)) != once:
        raise Broken("the printed KTIR does not read back as itself")


def check_reference(kernel: FuzzedKernel, path: Path) -> None:
    for values, memory in launches(kernel, 2):
        _compare(kernel, tilesat.reference(path, values, memory=memory), values, memory, "reference")


def check(
    kernel: FuzzedKernel,
    path: Path,
    arch: str,
    strategy: str,
    overrides: Sequence[str] = (),
) -> tilesat.compiler.Compilation | TilesatError:
    try:
        program = tilesat.compile(path, arch=arch, strategy=strategy, set=overrides)
    except TilesatError as refused:
        for d in refused.diagnostics:
            if not d.position.line and d.position.file == "":
                raise Broken(f"a diagnostic without position: {render(d)}") from None
        return refused
    _check_dataflow(program)
    _check_replay(program)
    for values, memory in launches(kernel, 2):
        try:
            result = tilesat.run(program, values, memory=memory)
        except TilesatError as error:
            raise Broken("simulator: " + "\n".join(render(d) for d in error.diagnostics)) from None
        _compare(kernel, result, values, memory, "simulator")
        if result.bound_cycles > result.cycles:
            raise Broken(f"faster than possible: {result.cycles} cycles, bound {result.bound_cycles}")
    if _few_steps(kernel):
        _check_interpreter(kernel, program, *launches(kernel, 1)[0])
    again = tilesat.compile(path, arch=arch, strategy=strategy, set=overrides)
    if again.spyrecode.binary != program.spyrecode.binary or again.dataflow != program.dataflow:
        raise Broken("compiled twice, two results")
    return program


def _check_dataflow(program: Any) -> None:
    text = program.dataflow
    module = read_text(text, "dataflow.mlir")
    found = verify_dataflow(module)
    if found:
        raise Broken("DataflowIR: " + "\n".join(render(d) for d in found))
    if print_module(module) != text:
        raise Broken("the printed DataflowIR does not read back as itself")


def _check_replay(program: Any) -> None:
    check_replay(program, parse_steps(show_steps(program.steps)), "steps")


def _compare(kernel: FuzzedKernel, result: Any, values: Any, memory: Any, what: str) -> None:
    for (kind, n), (want, allowed) in kernel.expected(values, memory).items():
        found = result.memory[n] if kind == "mem" else result.outputs[n]
        _same(found, want, allowed, f"{what}, buffer {kind} {n}")


def _same(found: Any, want: Any, allowed: Any, what: str) -> None:
    found = np.asarray(found).reshape(want.shape)
    distance = ulp(found, want)
    if want.dtype.kind == "f":
        distance = np.where(np.isnan(found) ^ np.isnan(want), 1 << 40, distance)
    wrong = distance > allowed
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise Broken(
            f"{what}: {int(wrong.sum())} of {wrong.size} elements differ; first at {first}: "
            f"{found[first]!r}, expected {want[first]!r} (allowed {allowed[first]} ulp)"
        )


def _few_steps(kernel: FuzzedKernel) -> bool:
    """The functional interpreter walks vector by vector, tile by tile."""
    return sum(b.size for b in kernel.buffers) < 6000


def _check_interpreter(kernel: FuzzedKernel, program: Any, values: Any, memory: Any) -> None:
    """The chosen schedule computes what the plain one does."""
    buffers: dict[Any, Any] = {}
    scalars: dict[str, Any] = {}
    dtypes = {b.key: b.dtype for b in kernel.buffers}
    for i, (p, v) in enumerate(zip(program.parameters, values, strict=True)):
        if isinstance(v, np.ndarray):
            buffers[p.name] = _stored(v, dtypes["arg", i])
        else:
            scalars[p.name] = v
    for n, v in memory.items():
        buffers[n] = _stored(v, dtypes["mem", n])
    plain = interpret(program.plain, buffers, scalars)
    chosen = interpret(program.plain, buffers, scalars, body=program.program.body)
    for key, want in plain.items():
        if chosen[key].tobytes() != want.tobytes():
            raise Broken(f"the chosen schedule gives another {key} than the plain one (interpreter)")
    for (kind, n), (want, allowed) in kernel.expected(values, memory).items():
        name = n if kind == "mem" else program.parameters[n].name
        found = plain[name]
        if dtypes[kind, n] == "bf16":
            found = (found.astype(np.uint32) << 16).view(np.float32)
        _same(found, want, allowed, f"interpreter, buffer {name}")


def _stored(x: Any, dtype: str) -> Any:
    """bf16 as bit patterns."""
    return (x.view(np.uint32) >> 16).astype(np.uint16) if dtype == "bf16" else x
