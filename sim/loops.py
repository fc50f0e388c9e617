"""Which hardware loops can be run for all iterations at once.

A loop (or a perfect nest of loops) qualifies when the words that occupy the data path are vector words
in its innermost body, nothing skips, and every integer register that is carried from one iteration
to the next only grows by an amount that is the same each time.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..spyrecode.isa import isa
from ..spyrecode.words import Word
from .program import VECTOR_WORDS

__all__ = ["Growth", "LoopPlan", "plan_loop"]

INTEGER_WORDS = frozenset(("li", "lih", "ldsym", "int", "inti", "sel"))
_READS = {"int": ("ra", "rb"), "inti": ("ra",), "sel": ("rc", "ra", "rb"), "lih": ("rd",)}

Growth = tuple[int, int | None, int]  # (sign, register or None, immediate): what one word adds


@dataclass(frozen=True, slots=True)
class LoopPlan:
    """A body that can be vectorised.

    `carried`: registers that are read before they are written, with what the body's own words add per trip;
    `inner`: position and plan of the nested loop, whose carried registers grow in addition.
    """

    carried: dict[int, list[Growth]]
    inner: tuple[int, LoopPlan] | None


def plan_loop(words: list[Word], start: int, end: int) -> LoopPlan | None:
    """The plan of the loop body [start, end), or None when it has to be run trip by trip."""
    nested = _nested(words, start, end)
    carried = _carried(words, start, end)
    if nested is None or carried is None:
        return None
    if not nested:
        return LoopPlan({r: _growth(words, r, range(start, end)) for r in carried}, None)
    (at,) = nested
    stop = at + 1 + words[at]["words"]
    if words[at].name == "loop" and words[at]["ra"] in _written(words, start, end):
        return None
    inner = plan_loop(words, at + 1, stop)
    if inner is None:
        return None
    own = [*range(start, at), *range(stop, end)]
    return LoopPlan({r: _growth(words, r, own) for r in carried}, (at, inner))


def _nested(words: list[Word], start: int, end: int) -> list[int] | None:
    """The nested loop, if any; None when the body is not straight or has vector words beside the loop."""
    nested: list[int] = []
    vectors = False
    index = start
    while index < end:
        name = words[index].name
        if name in ("loop", "loopi"):
            nested.append(index)
            index += words[index]["words"]
        elif name in VECTOR_WORDS:
            vectors = True
        elif name not in INTEGER_WORDS:
            return None
        index += 1
    return None if len(nested) > 1 or (nested and vectors) else nested


def _carried(words: list[Word], start: int, end: int) -> list[int] | None:
    """Registers read before they are written in the body; None when one of them does not simply grow."""
    written = _written(words, start, end)
    seen: set[int] = set()
    carried: list[int] = []
    for word in words[start:end]:
        carried += [r for r in _reads(word) if r in written and r not in seen and r not in carried]
        if word.name in INTEGER_WORDS:
            seen.add(word["rd"])
    for register in carried:
        for word in words[start:end]:
            if word.name in INTEGER_WORDS and word["rd"] == register and not _grows(word, written):
                return None
    return carried


def _written(words: list[Word], start: int, end: int) -> set[int]:
    return {w["rd"] for w in words[start:end] if w.name in INTEGER_WORDS}


def _growth(words: list[Word], register: int, where: range | list[int]) -> list[Growth]:
    steps: list[Growth] = []
    for word in (words[i] for i in where):
        if word.name in INTEGER_WORDS and word["rd"] == register:
            sign = -1 if _operation(word) == "sub" else 1
            if word.name == "inti":
                steps.append((sign, None, word["imm"]))
            else:
                steps.append((sign, word["rb"] if word["ra"] == register else word["ra"], 0))
    return steps


def _reads(word: Word) -> list[int]:
    """Integer registers a word reads (register 0 is a constant)."""
    names = _READS.get(word.name, ()) if word.name in INTEGER_WORDS else _register_fields(word.name)
    return [word[n] for n in names if word[n]]


def _register_fields(name: str) -> tuple[str, ...]:
    return tuple(f.name for f in isa().instructions[name].fields if f.kind == "reg")


def _operation(word: Word) -> str:
    op = isa().integer_op(word["op"])
    return op.name if op else ""


def _grows(word: Word, written: set[int]) -> bool:
    """rd = rd ± immediate, or rd = rd ± a register that the loop does not write."""
    register = word["rd"]
    if word.name not in ("int", "inti") or _operation(word) not in ("add", "sub"):
        return False
    if word.name == "inti":
        return word["ra"] == register
    if _operation(word) == "sub":
        return word["ra"] == register and word["rb"] not in written
    if register not in (word["ra"], word["rb"]):
        return False
    return (word["rb"] if word["ra"] == register else word["ra"]) not in written
