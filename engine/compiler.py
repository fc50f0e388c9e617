"""The compiler: one function per arrow of the design, and the object that holds what each produced.

    KTIR --read--> module --lift--> program --saturate--> graph --extract--> schedule
    schedule --lower--> DataflowIR --assemble--> SpyreCode

Stages run when first asked for, so that `tilesat compile --emit schedule` stops at the schedule.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .arch import Arch, load_arch
from .arguments import Arguments, Bound, Parameter, bind
from .diagnostics import Diagnostic, Position, TilesatError, fail
from .ktir.ir import Module, Op
from .options import Options

if TYPE_CHECKING:
    from .cost import Cost, Extraction, Model
    from .kernel_interface import BakedView
    from .rewrite import SaturatedGraph, Step, Strategy
    from .schedule import Program
    from .spyrecode import SpyreCode

__all__ = ["Compilation", "check_kernel", "compile_kernel"]

_DATAFLOW_MARK = "dataflow.program_unit"


@dataclass(eq=False)
class Compilation:
    """A kernel on its way from KTIR (or DataflowIR, or a SpyreCode directory) to a binary."""

    name: str
    arch: Arch
    strategy_name: str
    options: Options
    entry: str | None = None
    file: str = ""  # what was given
    module: Module | None = None  # KTIR; None when the input was further down the way
    given_dataflow: Module | None = None
    given_spyrecode: SpyreCode | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        inner = sum(self.seconds.values())
        yield
        nested = sum(self.seconds.values()) - inner
        self.seconds[stage] = time.perf_counter() - start - nested

    @property
    def ktir(self) -> Module:
        """The KTIR module. COMP002: the input was further down the way."""
        if self.module is None:
            fail(
                "COMP002",
                f"`{self.name}` was not given as KTIR: it has neither a schedule nor a reference",
                Position(self.file),
                "give the KTIR file",
            )
        return self.module

    @cached_property
    def function(self) -> Op:
        """The kernel's own function."""
        from .ktir.entry import entry_function

        return entry_function(self.ktir, self.entry)

    @cached_property
    def plain(self) -> Program:
        """The lifted program: declarations and the plain schedule of the kernel's own loops."""
        from .schedule.lift import lift

        with self._timed("lift"):
            program = lift(self.ktir, entry=self.entry, options=self.options)
        self.name = program.name
        return program

    @cached_property
    def strategy(self) -> Strategy:
        from .rewrite import load_strategy

        return load_strategy(self.strategy_name)

    @cached_property
    def graph(self) -> SaturatedGraph:
        from .rewrite import saturate

        with self._timed("saturate"):
            return saturate(self.plain, self.arch, self.strategy)

    @property
    def warnings(self) -> list[Diagnostic]:
        """STRAT010 for every phase that a limit stopped, as far as the kernel has been compiled."""
        graph: SaturatedGraph | None = self.__dict__.get("graph")
        if graph is None:
            return []
        hint = "a better schedule may lie beyond it: raise `rounds` or `nodes` in a strategy of your own"
        return [
            Diagnostic(
                "STRAT010", f"limit hit in phase {p.phase}: {p.stopped}", phase.position, hint, "warning"
            )
            for phase, p in zip(self.strategy.phases, graph.phases, strict=True)
            if p.stopped != "saturated"
        ]

    @cached_property
    def egg(self) -> str:
        """The egglog program that saturation runs."""
        from .rewrite import egglog_text

        return egglog_text(self.plain, self.arch, self.strategy)

    @cached_property
    def model(self) -> Model:
        from .cost import Model

        return Model(self.plain, self.arch)

    @cached_property
    def extraction(self) -> Extraction:
        from .cost import extract

        with self._timed("extract"):
            return extract(self.graph, self.model)

    @cached_property
    def program(self) -> Program:
        """The program with the chosen schedule as its body."""
        return replace(self.plain, body=self.extraction.picked.term)

    @cached_property
    def cost(self) -> Cost:
        from .cost import describe

        return describe(self.model, self.extraction.row)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The rule applications that lead from the plain schedule to the chosen one."""
        from .rewrite import derive

        return derive(self.plain, self.graph, self.extraction.picked)

    @property
    def schedule(self) -> str:
        """The chosen schedule as text: a whole ScheduleIR program."""
        from .schedule import print_program

        return print_program(self.program)

    @cached_property
    def dataflow_module(self) -> Module:
        if self.given_dataflow is not None:
            return self.given_dataflow
        if self.given_spyrecode is not None:
            fail(
                "COMP003",
                f"`{self.name}` was given as SpyreCode: it has no DataflowIR",
                Position(self.file),
                "use `tilesat disasm`",
            )
        from .dataflow.lower import lower

        program = self.program
        with self._timed("lower"):
            return lower(program, self.arch)

    @property
    def dataflow(self) -> str:
        """DataflowIR text."""
        from .ktir import print_module

        return print_module(self.dataflow_module)

    @cached_property
    def spyrecode(self) -> SpyreCode:
        if self.given_spyrecode is not None:
            return self.given_spyrecode
        from .spyrecode import assemble

        module = self.dataflow_module
        with self._timed("assemble"):
            return assemble(module, self.arch, self.name, [p.as_json() for p in self._given_parameters()])

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The kernel's formal arguments, as far as the given form knows them."""
        from .kernel_interface import parameters_from

        if self.module is not None:
            return self._given_parameters()
        here = Position(self.file)
        return tuple(replace(p, position=here) for p in parameters_from(self.spyrecode.hcm))

    def _given_parameters(self) -> tuple[Parameter, ...]:
        """The parameters of a KTIR kernel; of other forms the symbols tell what there is to know."""
        if self.module is None:
            return ()
        from .kernel_interface import parameters_of

        return parameters_of(self.function, self.options, self.module.source)

    @cached_property
    def _baked(self) -> tuple[BakedView, ...]:
        from .kernel_interface import baked_views

        return tuple(baked_views(self.function, self.options)) if self.module else ()

    def bind(self, given: Arguments) -> Bound:
        """Check and convert the arguments of a launch. Raises ARG00x."""
        from .kernel_interface import addresses_known, memory_types

        whole = self.module is not None and addresses_known(self.function, self.options)
        types = memory_types(self._baked, given.memory, self.options, whole)
        return bind(self.parameters, given, self.options.numerics, types)

    @property
    def compile_ms(self) -> float:
        return 1000 * sum(self.seconds.values())

    @property
    def summary(self) -> str:
        """One line: size of the binary, and the predicted cycles when there is a schedule."""
        text = f"{len(self.spyrecode.binary)} bytes for {self.arch.name}"
        return text if self.module is None else f"{text}, predicted {self.cost.cycles:,.0f} cycles"

    def write(self, target: Path, *, stages: bool = False) -> None:
        """The SpyreCode directory; with `stages` the texts that led to it under debug/."""
        from .spyrecode import directory
        from .writing import write_directory

        files = directory.files(self.spyrecode)
        if stages and self.given_spyrecode is None:
            files["debug/dataflow.mlir"] = self.dataflow
        if stages and self.module is not None:
            files["debug/schedule.sir"] = self.schedule
        write_directory(target, files)

    def stage_text(self, stage: str, *, generic: bool = False) -> str:
        """Text of one of the stages ktir, schedule, egg, dataflow."""
        if stage == "ktir":
            from .ktir import print_module

            return print_module(self.ktir, generic=generic)
        return {
            "schedule": lambda: self.schedule,
            "egg": lambda: self.egg,
            "dataflow": lambda: self.dataflow,
        }[stage]()

    def write_stage(self, stage: str, directory: Path, *, generic: bool = False) -> list[Path]:
        """Write one text stage into a directory; returns the paths."""
        from .writing import write_text

        if stage == "dataflow":
            from .dataflow import split_files

            contents = split_files(self.dataflow_module)
        else:
            suffix = {"ktir": "mlir", "schedule": "sir", "egg": "egg"}[stage]
            contents = {f"{self.name}.{suffix}": self.stage_text(stage, generic=generic)}
        for name, text in contents.items():
            write_text(directory / name, text)
        return [directory / name for name in contents]


def compile_kernel(
    kernel: str | Path | Module,
    *,
    arch: str | Path | Arch = "spyre",
    overrides: Sequence[str] = (),
    strategy: str | Path = "default",
    entry: str | None = None,
    options: Options | None = None,
    isolate: bool = False,
    stop: str = "spyrecode",
) -> Compilation:
    """Compile a KTIR file or module, a DataflowIR file, or open a SpyreCode directory. A string of several
    lines is the text itself.

    `isolate` parses in a child process first, so that a crash of MLIR's parser is a diagnostic.
    `stop`: last stage run now (ktir, schedule, egg, dataflow, spyrecode); later ones run when asked for.
    Raises TilesatError.
    """
    result = open_kernel(kernel, arch, overrides, strategy, entry, options, isolate)
    with result._timed("verify"):
        _refuse_errors(_verify(result))
    for wanted, stage in (
        ("schedule", "program"),
        ("dataflow", "dataflow_module"),
        ("spyrecode", "spyrecode"),
    ):
        if stop == wanted:
            getattr(result, stage)
    return result


def open_kernel(
    kernel: str | Path | Module,
    arch: str | Path | Arch = "spyre",
    overrides: Sequence[str] = (),
    strategy: str | Path = "default",
    entry: str | None = None,
    options: Options | None = None,
    isolate: bool = False,
) -> Compilation:
    """Read a kernel in any of its forms; nothing is verified or compiled yet."""
    machine = arch if isinstance(arch, Arch) else load_arch(arch, overrides)
    result = Compilation("kernel", machine, str(strategy), options or Options(), entry)
    with result._timed("read"):
        _open(result, kernel, isolate)
    return result


def _open(result: Compilation, kernel: str | Path | Module, isolate: bool) -> None:
    from .ktir import read_file, read_text

    if isinstance(kernel, Module):
        result.module = kernel
        result.file = kernel.file
        return
    text = isinstance(kernel, str) and "\n" in kernel
    path = Path("kernel" if text else kernel)
    result.file = "<text>" if text else str(kernel)
    result.name = path.stem
    if not text and path.is_dir():
        from .spyrecode import read

        result.given_spyrecode = read(path)
        return
    module = read_text(str(kernel), result.file, isolate) if text else read_file(path, isolate=isolate)
    if _DATAFLOW_MARK in module.source:
        result.given_dataflow = module
    else:
        result.module = module


def _verify(opened: Compilation) -> list[Diagnostic]:
    """What the verifier of the kernel's own form finds."""
    if opened.given_dataflow is not None:
        from .dataflow import verify as verify_dataflow

        return verify_dataflow(opened.given_dataflow)
    if opened.module is None:
        return []
    from .ktir import verify

    return verify(opened.module, opened.arch, opened.options)


def _refuse_errors(found: Sequence[Diagnostic]) -> None:
    errors = [d for d in found if d.severity == "error"]
    if errors:
        raise TilesatError(*errors)


def check_kernel(path: Path, arch: Arch, options: Options) -> list[Diagnostic]:
    """Read and verify a kernel; all diagnostics, sorted by position, errors of reading included."""
    try:
        found = _verify(open_kernel(path, arch, options=options, isolate=True))
    except TilesatError as error:
        found = list(error.diagnostics)
    return sorted(found, key=lambda d: _place(d.position))


def _place(where: Position) -> tuple[str, int, int]:
    return where.file, where.line, where.column
