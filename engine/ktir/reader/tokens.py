"""Tokens of MLIR text, with matched brackets and limits that keep MLIR's own parser from crashing."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from ...diagnostics import Position, fail

__all__ = ["MAX_DEPTH", "Source", "Tokens", "tokenize"]

MAX_DEPTH = 200  # MLIR recurses once per bracket and dies of stack overflow near 10,000

_TOKEN = re.compile(
    r"""(?P<skip>(?:[ \t\r\n]+|//[^\n]*)+)
    |(?P<ssa>%(?:\d+|[A-Za-z_$.-][\w$.-]*)(?:\#\d+)?)
    |(?P<id>[A-Za-z_][\w$.]*)
    |(?P<op>->|>=|<=|==|::|[()\[\]{}<>,:=+*/?|%-])
    |(?P<num>0x[0-9A-Fa-f]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d\w*)
    |(?P<ext>[\#!](?:\d+|[A-Za-z_$.-][\w$.-]*))
    |(?P<str>"(?:[^"\\\n]|\\.)*")
    |(?P<sym>@(?:[A-Za-z_][\w$.]*|"(?:[^"\\\n]|\\.)*")|\^(?:\d+|[A-Za-z_$.-][\w$.-]*))
    |(?P<meta>\#)
    |(?P<bad>.)""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_CLOSER = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclass(slots=True)
class Source:
    """A text with its file name; turns offsets into positions."""

    file: str
    text: str
    _lines: list[int] = field(default_factory=list)

    def position(self, offset: int, origin: str | None = None) -> Position:
        if not self._lines:
            self._lines = [0, *(m.end() for m in re.finditer("\n", self.text))]
        line = bisect_right(self._lines, offset)
        return Position(self.file, line, offset - self._lines[line - 1] + 1, origin)


@dataclass(slots=True)
class Tokens:
    """Parallel lists: `text[i]` begins at `start[i]`; `match[i]` is the partner of bracket i.

    `special` lists, in order, the tokens the reader must look at: names, attributes, types and quoted
    op names of dialects MLIR does not know, and `loc`. A last, empty token marks the end.
    """

    source: Source
    text: list[str] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    match: dict[int, int] = field(default_factory=dict)
    special: list[int] = field(default_factory=list)

    def end(self, i: int) -> int:
        return self.start[i] + len(self.text[i])

    def position(self, i: int) -> Position:
        return self.source.position(self.start[min(i, len(self.start) - 1)])

    def slice(self, lo: int, hi: int) -> str:
        """The source text of tokens lo … hi-1."""
        return self.source.text[self.start[lo] : self.end(hi - 1)] if hi > lo else ""


def tokenize(source: Source, prefixes: tuple[str, ...]) -> Tokens:
    """Split `source`; `prefixes` are the dialects to mark as special, e.g. `("ktdp.",)`.

    Raises PARSE001 (a character no token starts with), PARSE002 (unbalanced brackets),
    PARSE003 (nesting deeper than MAX_DEPTH).
    """
    tokens = Tokens(source)
    texts, starts, special = tokens.text, tokens.start, tokens.special
    marks = tuple(c + p for p in prefixes for c in ("", "!", "#", '"'))
    stack: list[int] = []
    for m in _TOKEN.finditer(source.text):
        kind = m.lastgroup
        if kind == "skip":
            continue
        text = m.group()
        if kind == "op":
            if text in _CLOSER:
                stack.append(len(texts))
                if len(stack) > MAX_DEPTH:
                    fail(
                        "PARSE003",
                        f"brackets are nested more than {MAX_DEPTH} deep",
                        source.position(m.start()),
                        "no kernel needs this; look for a missing closing bracket",
                    )
            elif text in (")", "]", "}", ">"):
                _close(tokens, stack, text, m.start())
        elif kind in ("id", "ext", "str"):
            if text.startswith(marks) or text == "loc":
                special.append(len(texts))
        elif kind == "bad":
            _bad_character(source, text, m.start())
        texts.append(text)
        starts.append(m.start())
    if stack:
        opener = stack[-1]
        fail(
            "PARSE002",
            f"`{texts[opener]}` is never closed",
            tokens.position(opener),
            f"add the missing `{_CLOSER[texts[opener]]}`",
        )
    texts.append("")
    starts.append(len(source.text))
    return tokens


def _close(tokens: Tokens, stack: list[int], text: str, offset: int) -> None:
    if not stack or _CLOSER[tokens.text[stack[-1]]] != text:
        where = tokens.source.position(offset)
        if not stack:
            fail(
                "PARSE002", f"`{text}` closes nothing", where, "remove it, or add the missing opening bracket"
            )
        opener = stack[-1]
        at = tokens.position(opener)
        fail(
            "PARSE002",
            f"`{text}` does not close `{tokens.text[opener]}` opened at line {at.line}, column {at.column}",
            where,
            f"expected `{_CLOSER[tokens.text[opener]]}`",
        )
    opener = stack.pop()
    tokens.match[opener] = len(tokens.text)
    tokens.match[len(tokens.text)] = opener


def _bad_character(source: Source, text: str, offset: int) -> None:
    if text == '"':
        fail("PARSE001", "a string is not closed on its line", source.position(offset), 'add the closing `"`')
    shown = text if text.isprintable() else f"\\x{ord(text):02x}"
    fail("PARSE001", f"unexpected character `{shown}`", source.position(offset), "KTIR is MLIR text in UTF-8")
