"""From MLIR locations back to tokens of the original text: SSA names, positions, explicit origins."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ...diagnostics import Diagnostic, Position, TilesatError
from .output import Generated
from .tokens import Tokens

__all__ = ["SourceMap"]

_NAME = re.compile(r"%([\w$.-]+)", re.ASCII)


@dataclass(slots=True)
class SourceMap:
    tokens: Tokens
    generated: Generated
    prefixes: tuple[str, ...]
    attributes: dict[int, dict[str, Any]]  # by op token, read without MLIR
    origins: dict[int, str] = field(default_factory=dict)

    def token(self, location: Any) -> int | None:
        """The token of the original text an op's location points at."""
        line = getattr(location, "start_line", 0)  # absent from locations that are no place in a file
        if not line:
            return None
        column = location.start_col
        generated = self.generated
        if not 1 <= line <= len(generated.lines):
            return None
        offset = generated.lines[line - 1] + column - 1
        _, source, exact = generated.pieces[k := bisect_right(generated.starts, offset) - 1]
        if exact:
            source += offset - generated.starts[k]
        starts = self.tokens.start
        i = bisect_left(starts, source)
        return i if i < len(starts) and starts[i] == source else None

    def position(self, token: int) -> Position:
        return self.tokens.source.position(self.tokens.start[token], self.origins.get(token))

    def result_names(self, token: int, count: int) -> list[str] | None:
        """Names left of the `=` before an op's name token, one per result."""
        text = self.tokens.text
        i = token - 1
        if i < 0 or text[i] != "=":
            return None
        if count == 1 and text[i - 1][:1] == "%" and text[i - 2] != ",":
            return [text[i - 1][1:]]
        words: list[str] = []
        while i > 0 and (text[i - 1][:1] == "%" or text[i - 1] in (",", ":") or text[i - 1].isdigit()):
            i -= 1
            words.append(text[i])
        names: list[str] = []
        words.reverse()
        for k, word in enumerate(words):
            if word[:1] != "%":
                continue
            if k + 2 < len(words) and words[k + 1] == ":":
                names += [f"{word[1:]}#{n}" for n in range(int(words[k + 2]))]
            else:
                names.append(word[1:])
        return names if len(names) == count else None

    def argument_name(self, location: Any) -> str | None:
        """The name of a block argument whose location points at its `%name`."""
        line = getattr(location, "start_line", 0)
        if not line:
            return None
        m = _NAME.match(self.generated.text, self.generated.offset(line, location.start_col))
        return m[1] if m else None

    def fault(self, code: str, message: str, position: Position, hint: str = "") -> NoReturn:
        raise TilesatError(Diagnostic(code, message, position, hint))
