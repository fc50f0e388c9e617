"""`tilesat compile`, `tilesat check`, `tilesat disasm`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ..diagnostics import render
from .options import architecture, compile_options, compiled, options_from

_STAGES = ["ktir", "schedule", "egg", "dataflow", "spyrecode"]


@click.command("compile")
@compile_options
@click.option(
    "--emit", type=click.Choice(_STAGES), default="spyrecode", show_default=True, help="Where to stop."
)
@click.option("--generic", is_flag=True, help="With --emit ktir: MLIR's generic form.")
@click.option("-o", "output", type=click.Path(path_type=Path), help="Directory to write to.")
@click.option("--keep-stages", is_flag=True, help="Also write schedule and DataflowIR under debug/.")
@click.option(
    "--dump-egg", type=click.Path(path_type=Path), help="Also write the egglog program to this file."
)
def compile_command(
    emit: str, generic: bool, output: Path | None, keep_stages: bool, dump_egg: Path | None, **kernel: Any
) -> None:
    """Compile KERNEL. Text stages go to stdout unless -o names a directory.

    The SpyreCode directory is by default KERNEL's name with the suffix .spyrecode.
    """
    from ..writing import write_text

    result = compiled(**kernel, stop=emit)
    if dump_egg:
        write_text(dump_egg, result.egg)
    if emit == "spyrecode":
        target = output or Path(Path(kernel["kernel"]).stem + ".spyrecode")
        result.write(target, stages=keep_stages)
        click.echo(f"{target}: {result.summary}")
    elif output:
        for path in result.write_stage(emit, output, generic=generic):
            click.echo(str(path))
    else:
        sys.stdout.write(result.stage_text(emit, generic=generic))


@click.command("check")
@click.argument("kernel", type=click.Path(path_type=Path))
@click.option("--arch", default="spyre", show_default=True)
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE")
@click.option("--option", "settings", multiple=True, metavar="NAME=VALUE")
def check_command(kernel: Path, arch: str, overrides: tuple[str, ...], settings: tuple[str, ...]) -> int:
    """Read and verify KERNEL: errors and warnings, nothing else."""
    from ..compiler import check_kernel

    found = check_kernel(kernel, architecture(arch, overrides), options_from(settings))
    for diagnostic in found:
        click.echo(render(diagnostic), err=True)
    errors = sum(d.severity == "error" for d in found)
    if not errors:
        click.echo(f"{kernel}: ok" + (f", {len(found)} warning(s)" if found else ""))
    return 1 if errors else 0


@click.command("disasm")
@compile_options
def disasm_command(**kernel: Any) -> None:
    """List the unit programs of KERNEL: a SpyreCode directory, or what compiles to one.

    Units and memories have names when --arch is the machine the directory was made for.
    """
    from ..spyrecode import disassemble

    result = compiled(**kernel)
    sys.stdout.write(disassemble(result.spyrecode, result.arch))
