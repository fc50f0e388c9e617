"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..options import Options

if TYPE_CHECKING:
    from ..compiler import Compilation

F = TypeVar("F", bound=Callable[..., Any])

__all__ = ["compile_options", "compiled", "options_from", "pairs"]

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


def options_from(settings: tuple[str, ...]) -> Options:
    return Options.parse(pairs(settings, "--option"))


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

    return compile_kernel(
        kernel,
        arch=arch,
        overrides=overrides,
        strategy=strategy,
        entry=entry,
        options=options_from(settings),
        isolate=True,
        **more,
    )
