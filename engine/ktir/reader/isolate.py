"""Parsing in a forked child first: text that kills MLIR's parser becomes a diagnostic, not a dead process."""

from __future__ import annotations

import faulthandler
import os
import re
import signal
from collections.abc import Callable

from ...diagnostics import fail
from .output import Generated
from .tokens import Source, Tokens

__all__ = ["guard", "screen"]

# Clauses of linalg's custom forms whose missing list crashes MLIR (seen in its 2026-10 build).
_LIST_CLAUSES = ("dimensions", "permutation")


def screen(tokens: Tokens) -> None:
    """Raise PARSE004 for text known to crash MLIR's parser."""
    text = tokens.text
    for word in _LIST_CLAUSES:
        if word not in tokens.source.text:
            continue
        for i in [i for i, t in enumerate(text) if t == word]:
            if i and text[i - 1] == ")" and text[i + 1] == "=":
                _check_list(tokens, word, i + 2)


def _check_list(tokens: Tokens, word: str, i: int) -> None:
    """A bracketed list of integers must begin at token i."""
    text = tokens.text
    fault = i if text[i] != "[" else -1
    if fault < 0:
        end = tokens.match[i]
        number = True  # whose turn it is: a number or a comma
        for j in range(i + 1, end):
            if text[j] == "-" and number and text[j + 1].isdigit():
                continue
            if (text[j].isdigit() if number else text[j] == ",") is False:
                fault = j
                break
            number = not number
        if fault < 0 and number and end > i + 1:
            fault = end
    if fault >= 0:
        found = text[fault] or "the end of the text"
        hint = f"write `{word} = [0, 1]`"
        fail(
            "PARSE004", f"`{word} =` needs a list of integers, found `{found}`", tokens.position(fault), hint
        )


def guard(source: Source, generated: Generated, parse: Callable[[str], object]) -> None:
    """Run `parse` in a child. MLIR004: at the place that kills it; ordinary errors are left to the caller."""
    text = generated.text
    seconds = 1.5 + len(text) / 200_000  # a hundred times what a parse takes
    killer = _killed_by(text, parse, seconds)
    if not killer:
        return
    hint = "look for malformed syntax in it or just before"
    if killer == _HANGS:
        where = source.position(generated.to_source(0))
        fail("MLIR004", f"MLIR's parser found no end in {seconds:.1f} s", where, "look for malformed syntax")
    ends = [m.end() for m in re.finditer(r"\n|$", text)]  # the first line whose text kills it has the culprit
    lo, hi = 0, len(ends) - 1
    while lo < hi:
        middle = (lo + hi) // 2
        if _killed_by(text[: ends[middle]], parse, seconds):
            hi = middle
        else:
            lo = middle + 1
    start = ends[hi - 1] if hi else 0
    start += len(text[start:]) - len(text[start:].lstrip())
    where = source.position(generated.to_source(start))
    fail("MLIR004", f"MLIR's parser died in this line ({killer})", where, hint)


_HANGS = "no end"


def _killed_by(text: str, parse: Callable[[str], object], seconds: float) -> str:
    """The name of the signal that ended the child, or an empty string."""
    pid = os.fork()
    if pid == 0:
        try:
            faulthandler.disable()
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, seconds)
            parse(text)
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    if not os.WIFSIGNALED(status):
        return ""
    number = os.WTERMSIG(status)
    return _HANGS if number == signal.SIGALRM else signal.Signals(number).name
