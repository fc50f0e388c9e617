"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..diagnostics import Position, TilesatError, render
from ..options import Options

if TYPE_CHECKING:
    from ..arch import Arch
    from ..compiler import Compilation

F = TypeVar("F", bound=Callable[..., Any])

__all__ = ["architecture", "asked_by", "compile_options", "compiled", "options_from", "pairs", "warn"]

_COMPILE = [
    click.argument("kernel", type=click.Path(path_type=Path)),
    click.option(
        "--arch", default="spyre", show_default=True, help="Name of a shipped architecture, or a YAML file."
    ),
    click.option(
        "--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Override in the architecture."
    ),
    click.option(
        "--strategy", default="default", show_default=True, help="Shipped strategy, or a YAML file."
    ),
    click.option("--entry", default=None, help="Function to compile (default: the only public one)."),
    click.option(
        "--option", "settings", multiple=True, metavar="NAME=VALUE", help="A reading of KTIR's open points."
    ),
]


def compile_options(command: F) -> F:
    """KERNEL, --arch, --set, --strategy, --entry, --option."""
    for decorate in reversed(_COMPILE):
        command = decorate(command)
    return command


def pairs(items: tuple[str, ...], what: str) -> dict[str, str]:
    """`NAME=VALUE` words as a dict; anything else is a usage error."""
    result: dict[str, str] = {}
    for item in items:
        name, sep, value = item.partition("=")
        if not sep or not name:
            raise click.UsageError(f"{what} takes NAME=VALUE, not `{item}`")
        result[name] = value
    return result


@contextmanager
def asked_by(words: str) -> Iterator[None]:
    """Faults that have no place in a file get the words of the command line as their place."""
    try:
        yield
    except TilesatError as error:
        here = Position(words)
        raise TilesatError(
            *(replace(d, position=here) if d.position == Position() else d for d in error.diagnostics)
        ) from None


def options_from(settings: tuple[str, ...]) -> Options:
    with asked_by(" ".join(f"--option {s}" for s in settings)):
        return Options.parse(pairs(settings, "--option"))


def architecture(name: str, overrides: tuple[str, ...]) -> Arch:
    from ..arch import load_arch

    with asked_by(f"--arch {name}"):
        return load_arch(name, overrides)


def compiled(
    kernel: Path,
    arch: str,
    overrides: tuple[str, ...],
    strategy: str,
    entry: str | None,
    settings: tuple[str, ...],
    **more: Any,
) -> Compilation:
    """Compile as the shared options say."""
    from ..compiler import compile_kernel

    options = options_from(settings)
    machine = architecture(arch, overrides)
    with asked_by(f"--strategy {strategy}"):
        result = compile_kernel(
            kernel, arch=machine, strategy=strategy, entry=entry, options=options, isolate=True, **more
        )
    warn(result)
    return result


def warn(compilation: Compilation) -> None:
    """Say on stderr what the compile did not do although it might have: limits that the search hit."""
    for diagnostic in compilation.warnings:
        click.echo(render(diagnostic), err=True)
