"""Parsing in a forked child first: text that kills MLIR's parser becomes a diagnostic, not a dead process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from ...diagnostics import fail
from .output import Generated
from .tokens import Source, Tokens

__all__ = ["guard", "screen"]

_SECONDS = 20  # a parse takes milliseconds; a hang is a fault of the text too

# Clauses of linalg's custom forms whose missing list crashes MLIR (seen in its 2026-10 build).
_LIST_CLAUSES = ("dimensions", "permutation")


def screen(tokens: Tokens) -> None:
    """Raise PARSE004 for text known to crash MLIR's parser."""
    text = tokens.text
    for word in _LIST_CLAUSES:
        if word not in tokens.source.text:
            continue
        for i, t in enumerate(text):
            if t == word and i and text[i - 1] == ")" and text[i + 1] == "=" and text[i + 2] != "[":
                fail(
                    "PARSE004",
                    f"`{word} =` needs a list, found `{text[i + 2] or 'the end of the text'}`",
                    tokens.position(i + 2),
                    f"write `{word} = [0, 1]`",
                )


def guard(source: Source, generated: Generated, parse: Callable[[str], object]) -> None:
    """Run `parse` in a child. MLIR004: at the place that kills it; ordinary errors are left to the caller."""
    killer = _killed_by(generated.text, parse)
    if not killer:
        return
    lo, hi = 0, len(generated.text)  # the shortest prefix that still kills it ends at the culprit
    for _ in range(24):
        if hi - lo <= 1:
            break
        middle = (lo + hi) // 2
        if _killed_by(generated.text[:middle], parse):
            hi = middle
        else:
            lo = middle
    fail(
        "MLIR004",
        f"MLIR's parser died here ({killer})",
        source.position(generated.to_source(max(0, hi - 1))),
        "look for malformed syntax at or just before this place",
    )


def _killed_by(text: str, parse: Callable[[str], object]) -> str:
    """The name of the signal that ended the child, or an empty string."""
    pid = os.fork()
    if pid == 0:
        try:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(_SECONDS)
            parse(text)
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    if not os.WIFSIGNALED(status):
        return ""
    number = os.WTERMSIG(status)
    return "no end" if number == signal.SIGALRM else signal.Signals(number).name
