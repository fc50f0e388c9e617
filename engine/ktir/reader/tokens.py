"""Tokens of MLIR text, with matched brackets and limits that keep MLIR's own parser from crashing."""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import NoReturn

from ...diagnostics import Position, fail

__all__ = ["MAX_DEPTH", "Source", "Tokens", "tokenize"]

MAX_DEPTH = 200  # MLIR recurses once per bracket and dies of stack overflow near 10,000
MAX_TOKEN = 4096  # MLIR's time for a number grows with the square of its length

# Alternatives in the order of how often they occur; comments are blanked beforehand. Types and affine
# attributes with nothing of ours inside are one token: most of a kernel's text is made of them.
_FLAT = r'(?:[^<>"!\#-]|-(?!>))*+'
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_SUFFIX = r"(?:\d+|[A-Za-z_$.-][\w$.-]*)"
_TOKEN = re.compile(
    rf"""(\s*)((?:tensor|memref|vector|array|![\w$.]+)<{_FLAT}>|affine_(?:map|set)<(?:[^<>"-]|->|-|>=|<=)*+>
    |[A-Za-z_][\w$.]*|[()\[\]{{}}<,:+*/?|]|%(?:{_SUFFIX}(?:\#\d+)?)?
    |0x[0-9A-Fa-f]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d\w*|->|-|>=|>|<=|==|=|::|[\#!]{_SUFFIX}|{_STRING}
    |@(?:[A-Za-z_][\w$.]*|{_STRING})|\^{_SUFFIX}|\#|\S)""",
    re.ASCII | re.VERBOSE,
)
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*")
_SINGLE = frozenset("()[]{}<>,:+*/?|%-=#_" + string.ascii_letters + string.digits)
_CLOSER = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BRACKETS = frozenset("()[]{}<>")


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
    """Parallel lists: `text[i]` is source[start[i]:stop[i]]; `match[i]` is the partner of bracket i.

    `special` lists, in order, the tokens the reader must look at: names, attributes, types and quoted
    op names of dialects MLIR does not know, and `loc`. A last, empty token marks the end.
    """

    source: Source
    clean: str = ""  # the source with comments blanked: same offsets
    text: list[str] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    stop: list[int] = field(default_factory=list)
    match: dict[int, int] = field(default_factory=dict)
    special: list[int] = field(default_factory=list)

    def position(self, i: int) -> Position:
        return self.source.position(self.start[min(i, len(self.start) - 1)])

    def slice(self, lo: int, hi: int) -> str:
        """The source text of tokens lo … hi-1."""
        return self.clean[self.start[lo] : self.stop[hi - 1]] if hi > lo else ""


def tokenize(source: Source, prefixes: tuple[str, ...]) -> Tokens:
    """Split `source`; `prefixes` are the dialects to mark as special, e.g. `("ktdp.",)`.

    Raises PARSE001 (a character no token starts with), PARSE002 (unbalanced brackets),
    PARSE003 (nesting deeper than MAX_DEPTH), PARSE006 (a token longer than MAX_TOKEN).
    """
    tokens = Tokens(source, _without_comments(source.text))
    pairs = _TOKEN.findall(tokens.clean)
    texts = tokens.text = [text for _, text in pairs]
    edges = list(accumulate(map(len, chain.from_iterable(pairs))))
    tokens.start, tokens.stop = edges[0::2], edges[1::2]
    distinct = set(texts)
    _check_words(tokens, distinct)
    marks = tuple(c + p for p in prefixes for c in ("", "!", "#", '"'))
    looked_at = {t for t in distinct if t.startswith(marks)} | {"loc"}
    tokens.special = [i for i, t in enumerate(texts) if t in looked_at]
    _match_brackets(tokens)
    texts.append("")
    tokens.start.append(len(source.text))
    tokens.stop.append(len(source.text))
    return tokens


def _check_words(tokens: Tokens, distinct: set[str]) -> None:
    """Refuse characters no token starts with and words MLIR would choke on."""
    bad = {t for t in distinct if len(t) == 1 and t not in _SINGLE}
    if bad:
        i = next(i for i, t in enumerate(tokens.text) if t in bad)
        _bad_character(tokens.source, tokens.text[i], tokens.start[i])
    if len(max(distinct, key=len, default="")) > MAX_TOKEN:
        long = {t for t in distinct if len(t) > MAX_TOKEN and t[0] != '"' and "<" not in t}
        for i in [i for i, t in enumerate(tokens.text) if t in long][:1]:
            text = f"a name or number of {len(tokens.text[i])} characters"
            fail("PARSE006", text, tokens.position(i), f"at most {MAX_TOKEN} are read")
    large = (t for t in distinct if len(t) > MAX_DEPTH and t[0] != '"')
    deep = {t for t in large if max(t.count(c) for c in "([{") > MAX_DEPTH}
    for i in [i for i, t in enumerate(tokens.text) if t in deep][:1]:
        _too_deep(tokens, i)


def _too_deep(tokens: Tokens, i: int) -> NoReturn:
    what = f"brackets are nested more than {MAX_DEPTH} deep"
    fail("PARSE003", what, tokens.position(i), "no kernel needs this; look for a missing closing bracket")


def _match_brackets(tokens: Tokens) -> None:
    texts, match = tokens.text, tokens.match
    stack: list[int] = []
    expected: list[str] = []
    for i in [i for i, t in enumerate(texts) if t in _BRACKETS]:
        text = texts[i]
        closer = _CLOSER.get(text)
        if closer is not None:
            stack.append(i)
            expected.append(closer)
            if len(stack) > MAX_DEPTH:
                _too_deep(tokens, i)
        elif expected and expected[-1] == text:
            expected.pop()
            opener = stack.pop()
            match[opener], match[i] = i, opener
        else:
            _unbalanced(tokens, stack, i)
    if stack:
        where, text = tokens.position(stack[-1]), texts[stack[-1]]
        fail("PARSE002", f"`{text}` is never closed", where, f"add the missing `{expected[-1]}`")


def _without_comments(text: str) -> str:
    """Comments replaced by as many blanks, so that offsets stay."""
    if "//" not in text:
        return text
    return _COMMENT.sub(lambda m: m[1] or " " * len(m[0]), text)  # `//` inside a string is no comment


def _unbalanced(tokens: Tokens, stack: list[int], i: int) -> NoReturn:
    text, where = tokens.text[i], tokens.position(i)
    if not stack:
        fail("PARSE002", f"`{text}` closes nothing", where, "remove it, or add the missing opening bracket")
    opener = stack[-1]
    at = tokens.position(opener)
    fail(
        "PARSE002",
        f"`{text}` does not close `{tokens.text[opener]}` opened at line {at.line}, column {at.column}",
        where,
        f"expected `{_CLOSER[tokens.text[opener]]}`",
    )


def _bad_character(source: Source, text: str, offset: int) -> None:
    if text == '"':
        fail("PARSE001", "a string is not closed on its line", source.position(offset), 'add the closing `"`')
    shown = text if text.isprintable() else f"\\x{ord(text):02x}"
    fail("PARSE001", f"unexpected character `{shown}`", source.position(offset), "KTIR is MLIR text in UTF-8")
