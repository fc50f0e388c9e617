"""`tilesat explain` and `tilesat schedule …`: why a schedule looks as it does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from ..diagnostics import Position, fail
from .options import compile_options, compiled


@click.command("explain")
@compile_options
@click.option(
    "--steps", type=click.Path(path_type=Path), help="Also write the steps to this file, to replay."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def explain_command(steps: Path | None, as_json: bool, **kernel: Any) -> None:
    """Show the rules that lead from KERNEL's plain schedule to the chosen one, with the cost after each."""
    from ..explain import explain
    from ..rewrite import show_steps
    from ..writing import write_text

    program = compiled(**kernel, stop="schedule")
    explanation = explain(program)
    if steps:
        write_text(steps, show_steps(program.steps))
    if as_json:
        click.echo(json.dumps(explanation.as_json()))
    else:
        sys.stdout.write(explanation.text())


@click.group("schedule")
def schedule_command() -> None:
    """Look at schedules and replay their derivation."""


@schedule_command.command("show")
@compile_options
@click.option("--plain", is_flag=True, help="The kernel's own loops, before any rule.")
def show_command(plain: bool, **kernel: Any) -> None:
    """Print KERNEL's chosen schedule: a whole ScheduleIR program."""
    from ..schedule import print_program

    if plain:
        sys.stdout.write(print_program(compiled(**kernel, stop="ktir").plain))
    else:
        sys.stdout.write(compiled(**kernel, stop="schedule").schedule)


@schedule_command.command("replay")
@compile_options
@click.argument("steps", type=click.Path(path_type=Path))
def replay_command(steps: Path, **kernel: Any) -> None:
    """Apply STEPS (written by explain --steps) to KERNEL's plain schedule.

    They must arrive at the chosen schedule exactly.
    """
    from ..explain import check_replay
    from ..rewrite import parse_steps
    from ..schedule import show

    try:
        text = steps.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not UTF-8 text"
        fail("IO001", f"cannot read {steps}: {why}", Position(str(steps)), "write it with explain --steps")
    parsed = parse_steps(text, str(steps))
    term = check_replay(compiled(**kernel, stop="schedule"), parsed, str(steps))
    click.echo(show(term))
    click.echo(f"{len(parsed)} steps arrive at the chosen schedule")
