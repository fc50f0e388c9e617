"""Generated text that remembers which place of the source every piece came from."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Generated", "Piece", "join"]


class Piece(NamedTuple):
    """`text` stems from offset `source`; when `exact`, character by character."""

    text: str
    source: int
    exact: bool = False


@dataclass(slots=True)
class Generated:
    """The whole text; `to_source` maps a line and column MLIR reports to a source offset."""

    text: str
    starts: list[int]
    pieces: list[Piece]
    lines: list[int] = field(default_factory=list)  # where each line starts

    def __post_init__(self) -> None:
        at, self.lines = 0, [0]
        while (at := self.text.find("\n", at) + 1) > 0:
            self.lines.append(at)

    def offset(self, line: int, column: int) -> int:
        """Offset in the generated text; line and column count from 1."""
        if not 1 <= line <= len(self.lines):
            return len(self.text)
        return min(self.lines[line - 1] + column - 1, len(self.text))

    def to_source(self, offset: int) -> int:
        i = bisect_right(self.starts, offset) - 1
        if i < 0:
            return 0
        piece = self.pieces[i]
        return piece.source + (offset - self.starts[i] if piece.exact else 0)


def join(pieces: list[Piece]) -> Generated:
    starts, at = [], 0
    for piece in pieces:
        starts.append(at)
        at += len(piece.text)
    return Generated("".join(p.text for p in pieces), starts, pieces)
