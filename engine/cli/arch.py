"""`tilesat arch …`: look at architecture files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..diagnostics import render
from .options import architecture, asked_by

F = TypeVar("F", bound=Callable[..., Any])


@click.group("arch")
def arch_command() -> None:
    """Show, check, draw and compare architecture files."""


def _one(command: F) -> F:
    command = click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE")(command)
    return click.argument("name")(command)


@arch_command.command("show")
@_one
def show(name: str, overrides: tuple[str, ...]) -> None:
    """Every memory, unit, link and limit of an architecture."""
    from ..arch import report

    click.echo(report.show(architecture(name, overrides)), nl=False)


@arch_command.command("check")
@_one
def check(name: str, overrides: tuple[str, ...]) -> None:
    """Validate an architecture file; warnings for what loads but cannot work well."""
    from ..arch import report

    with asked_by(f"--arch {name}"):
        found = report.check(name, overrides)
    for diagnostic in found:
        click.echo(render(diagnostic), err=True)
    click.echo(f"{name}: ok" + (f", {len(found)} warning(s)" if found else ""))


@arch_command.command("draw")
@_one
def draw(name: str, overrides: tuple[str, ...]) -> None:
    """Draw an architecture as a graph."""
    from ..arch import report

    click.echo(report.draw(architecture(name, overrides)), nl=False)


@arch_command.command("diff")
@click.argument("first")
@click.argument("second")
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Override in both.")
def diff(first: str, second: str, overrides: tuple[str, ...]) -> None:
    """What differs between two architectures."""
    from ..arch import report

    for row in report.diff(architecture(first, overrides), architecture(second, overrides)):
        click.echo(row)
