"""Diagnostics: what is wrong with an input, where, and what to do about it.

Every room reports a fault of its input as a `TilesatError` holding one or more
`Diagnostic`s; only `tilesat.cli` turns them into text and an exit status.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

__all__ = ["Diagnostic", "Position", "TilesatError", "fail", "render", "source_line"]


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a source file. `line` and `column` count from 1; 0 means unknown."""

    file: str = "<unknown>"
    line: int = 0
    column: int = 0
    origin: str | None = None  # the source the input itself was generated from (MLIR `loc`)

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault: `CODE` is stable and greppable, `message` says what and why, `hint` what to do."""

    code: str
    message: str
    position: Position = field(default_factory=Position)
    hint: str = ""
    severity: str = "error"  # "error" | "warning" | "note"


class TilesatError(Exception):
    """The input is at fault. Raised by every room; carries at least one diagnostic."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(_headline(d) + _help(d) for d in diagnostics))
        self.diagnostics: tuple[Diagnostic, ...] = diagnostics


def fail(code: str, message: str, position: Position | None = None, hint: str = "") -> NoReturn:
    """Raise a `TilesatError` with a single error diagnostic."""
    raise TilesatError(Diagnostic(code, message, position or Position(), hint))


def render(diagnostic: Diagnostic, source: str | None = None) -> str:
    """The text a person reads: headline, source line with a caret, hint, origin.

    `source` is the text of the file; when absent it is read from disk if it can be.
    Overlong lines are cut around the column so that a 1 MB line stays readable.
    """
    where = diagnostic.position
    lines = [_headline(diagnostic)]
    if where.line:
        text = source_line(where, source)
        if text is not None:
            shown, caret = _window(text, where.column)
            lines += [f"  {shown}", f"  {' ' * caret}^"]
    if where.origin:
        lines.append(f"  from: {where.origin}")
    return "\n".join(lines) + _help(diagnostic)


def _headline(d: Diagnostic) -> str:
    """A fault without a place, such as one of an argument in Python, is not given one."""
    place = "" if d.position == Position() else f"{d.position}: "
    return f"{place}{d.severity}[{d.code}]: {d.message}"


def _help(d: Diagnostic) -> str:
    return f"\n  help: {d.hint}" if d.hint else ""


def source_line(where: Position, source: str | None = None) -> str | None:
    """The text of a position's line, from `source` or from the file; None when there is no such line."""
    if source is None:
        try:
            source = Path(where.file).read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError):
            return None
    lines = source.split("\n", where.line)
    return lines[where.line - 1] if where.line <= len(lines) else None


def _window(text: str, column: int, width: int = 100) -> tuple[str, int]:
    text = "".join(c if c.isprintable() else " " for c in text)
    caret = max(0, min(column - 1, len(text)))
    if len(text) <= width:
        return text, caret
    start = max(0, min(caret - width // 2, len(text) - width))
    return text[start : start + width], caret - start
