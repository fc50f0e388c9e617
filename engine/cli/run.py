"""`tilesat run` and `tilesat reference`: the same arguments, the simulator and its oracle."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..diagnostics import render
from .options import compile_options, compiled, options_from, pairs, warn

if TYPE_CHECKING:
    from ..arguments import Arguments, Parameter

F = TypeVar("F", bound=Callable[..., Any])

_ARGUMENTS = [
    click.option(
        "--arg",
        "arguments",
        multiple=True,
        metavar="NAME=VALUE",
        help="NAME: position or SSA name; VALUE: .npy file or number.",
    ),
    click.option(
        "--mem", "memory", multiple=True, metavar="ADDR=FILE", help="A buffer at a constant address."
    ),
    click.option("--out", "outputs", multiple=True, metavar="NAME=FILE", help="Save a buffer after the run."),
    click.option(
        "--random", type=click.IntRange(0), metavar="SEED", help="Fill buffers that are not given at random."
    ),
]


def _argument_options(command: F) -> F:
    for decorate in reversed(_ARGUMENTS):
        command = decorate(command)
    return command


def _warn(parameters: Sequence[Parameter], given: Arguments) -> None:
    from ..arguments import shape_warnings

    for warning in shape_warnings(parameters, given):
        click.echo(render(warning), err=True)


@click.command("run")
@compile_options
@_argument_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--profile", is_flag=True, help="Show where the cycles went.")
@click.option("--check", is_flag=True, help="Also run the reference interpreter and compare.")
def run_command(
    arguments: tuple[str, ...],
    memory: tuple[str, ...],
    outputs: tuple[str, ...],
    random: int | None,
    as_json: bool,
    profile: bool,
    check: bool,
    **kernel: Any,
) -> int:
    """Compile KERNEL (KTIR, DataflowIR or a SpyreCode directory) and execute it on the simulator."""
    from .. import arguments as files
    from ..runner import compare, run_compiled

    given = files.load_arguments(pairs(arguments, "--arg"), pairs(memory, "--mem"))
    wanted = pairs(outputs, "--out")
    program = compiled(**kernel, stop="ktir")
    if random is not None:
        given = files.with_random_buffers(program.parameters, given, random)
    _warn(program.parameters, given)
    result = run_compiled(program, given)
    warn(program)
    files.save_outputs(result, wanted)
    verdict = compare(program, given, result) if check else None
    if as_json:
        click.echo(json.dumps(result.as_json() | ({"matches": verdict.matches} if verdict else {})))
    else:
        click.echo(result.summary())
        if profile and result.profile:
            from ..profile_text import profile_text

            click.echo(profile_text(result.profile))
        if verdict:
            click.echo(verdict.text)
    return 0 if verdict is None or verdict.matches else 1


@click.command("reference")
@click.argument("kernel", type=click.Path(path_type=Path))
@click.option("--entry", default=None)
@click.option("--option", "settings", multiple=True, metavar="NAME=VALUE")
@_argument_options
def reference_command(
    kernel: Path,
    entry: str | None,
    settings: tuple[str, ...],
    arguments: tuple[str, ...],
    memory: tuple[str, ...],
    outputs: tuple[str, ...],
    random: int | None,
) -> None:
    """Execute KERNEL in the KTIR interpreter: what the results have to be."""
    from .. import arguments as files
    from ..compiler import open_kernel
    from ..runner import run_reference

    given = files.load_arguments(pairs(arguments, "--arg"), pairs(memory, "--mem"))
    wanted = pairs(outputs, "--out")
    opened = open_kernel(kernel, entry=entry, options=options_from(settings), isolate=True)
    if random is not None:
        given = files.with_random_buffers(opened.parameters, given, random)
    _warn(opened.parameters, given)
    result = run_reference(opened, given)
    files.save_outputs(result, wanted)
    click.echo(result.summary())
