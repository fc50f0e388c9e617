"""Source positions of instruction words, run-length coded (`debug/lines.json`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..diagnostics import Position

__all__ = ["line_table", "positions"]


def line_table(lines: Sequence[Position]) -> dict[str, Any]:
    """`{"files": […], "runs": [[words, file, line, column, origin or null], …]}`."""
    files: dict[str, int] = {}
    runs: list[list[Any]] = []
    previous: Position | None = None
    for position in lines:
        if previous is not None and position == previous:
            runs[-1][0] += 1
            continue
        file = files.setdefault(position.file, len(files))
        runs.append([1, file, position.line, position.column, position.origin])
        previous = position
    return {"files": list(files), "runs": runs}


def positions(table: Mapping[str, Any]) -> list[Position]:
    """The position of every word; inverse of `line_table`."""
    result: list[Position] = []
    for words, file, line, column, origin in table.get("runs", ()):
        result += [Position(table["files"][file], line, column, origin)] * words
    return result
