"""The command group, and how failures become text and an exit status.

Exit status: 0 fine, 1 the input is at fault, 2 usage (click's own), 3 an error of tilesat itself.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from ..diagnostics import TilesatError, render

_LAZY = {
    "compile": "compile",
    "run": "run",
    "reference": "run",
    "check": "compile",
    "explain": "explain",
    "schedule": "explain",
    "disasm": "compile",
    "rules": "rules",
    "arch": "arch",
}


class LazyGroup(click.Group):
    """Imports a command's module when it is used, so that start-up pays for one command only."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_LAZY)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _LAZY:
            return None
        from importlib import import_module

        module = import_module(f".{_LAZY[name]}", __package__)
        command = getattr(module, f"{name}_command")
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="tilesat")
def cli() -> None:
    """Compile KTIR tile kernels for dataflow accelerators by rewrite rules, and simulate the result."""


def main(argv: list[str] | None = None) -> None:
    """Entry point of the `tilesat` command."""
    sys.exit(run(argv))


def run(argv: list[str] | None = None) -> int:
    """Run one command line; returns the exit status instead of exiting."""
    try:
        result: Any = cli.main(args=argv, prog_name="tilesat", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except TilesatError as error:
        for diagnostic in error.diagnostics:
            click.echo(render(diagnostic), err=True)
        return 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # a fault of tilesat itself: say so plainly, keep the detail for a report
        if os.environ.get("TILESAT_DEBUG"):
            raise
        click.echo(f"tilesat: internal error: {type(error).__name__}: {error}", err=True)
        click.echo(
            "This is a fault of tilesat, not of your input. TILESAT_DEBUG=1 shows the traceback.", err=True
        )
        return 3
