"""S-expressions as immutable, hashable values: the concrete form of ScheduleIR terms and rules.

An atom is a `str`, `int` or `float`; a list is a `Term` whose head is a `str`. Pattern variables
(`?x`, `?rest…`) and keywords (`:op`) are plain strings. Text form: `;` starts a comment, `"…"` quotes
a string (JSON escapes) that would otherwise read as something else, `?rest...` is read as `?rest…`,
`inf`, `-inf` and `nan` are floats.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import NoReturn

from ..diagnostics import Position, fail

__all__ = ["Expr", "Path", "Term", "parse", "parse_all", "parse_located", "show", "term"]

MAX_DEPTH = 400  # deeper nesting is refused, so that recursive walks over terms cannot overflow


class Term:
    """`(head args…)`. Equality is exact: 1, 1.0 and `"1"` differ, so do 0.0 and -0.0; nan equals nan.

    Supports `match`: `case Term("loop", (axis, trips, body))`.
    """

    __slots__ = ("_floats", "_hash", "args", "head")
    __match_args__ = ("head", "args")
    head: str
    args: tuple[Expr, ...]

    def __init__(self, head: str, args: tuple[Expr, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "head", head)
        put(self, "args", args)
        floats = False
        for a in args:
            if type(a) is float:
                floats = True
                break
        put(self, "_floats", floats)
        put(self, "_hash", hash((head, tuple(map(_float_key, args)) if floats else args)))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Term is immutable: cannot set {name}")

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined, no-any-return]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Term or self._hash != other._hash or self.head != other.head:  # type: ignore[attr-defined]
            return False
        if self._floats or other._floats:  # type: ignore[attr-defined]
            return tuple(map(_float_key, self.args)) == tuple(map(_float_key, other.args))
        return self.args == other.args

    def __reduce__(self) -> tuple[type[Term], tuple[str, tuple[Expr, ...]]]:
        return Term, (self.head, self.args)

    def __repr__(self) -> str:
        return show(self, width=10**9)

    def walk(self) -> Iterator[Term]:
        """This term and all terms in it, pre-order."""
        yield self
        for a in self.args:
            if type(a) is Term:
                yield from a.walk()


Expr = str | int | float | Term
Path = tuple[int, ...]  # argument indices from the root


def term(head: str, *args: Expr) -> Term:
    """`term("loop", "i", 3, body)`: a Term from separate arguments."""
    return Term(head, args)


def _float_key(a: Expr) -> object:
    return ("float", a.hex()) if type(a) is float else a


# --- reading ---------------------------------------------------------------------------------------------

_TOKEN = re.compile(r'\s+|;[^\n]*|([()])|("(?:[^"\\\n]|\\.)*")|([^\s();"]+)')
_INT = re.compile(r"[+-]?\d+\Z")
_FLOAT = re.compile(r"(?:[+-]?(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|inf)|nan)\Z")


def parse(text: str, position: Position | None = None) -> Term:
    """The one term that `text` holds.

    `position` is the place of the first character; its column offset applies to every line (a YAML
    block scalar is indented evenly). Raises SEXPR001 (syntax).
    """
    terms, places = parse_located(text, position)
    if len(terms) != 1 or not isinstance(terms[0], Term):
        where = places[(1,)] if len(terms) > 1 else places.get((0,), position or Position("<term>", 1, 1))
        fail("SEXPR001", f"expected exactly one term in parentheses, found {len(terms)} items", where)
    return terms[0]


def parse_all(text: str, position: Position | None = None) -> tuple[Expr, ...]:
    """All terms and atoms of `text`, e.g. the clauses of a `where`."""
    return parse_located(text, position)[0]


def parse_located(
    text: str, position: Position | None = None
) -> tuple[tuple[Expr, ...], dict[Path, Position]]:
    """As `parse_all`, with the place of every sub-expression.

    Key `(k, i, j…)` is argument j… of argument i of item k; a list's head has index -1.
    """
    return _Reader(text, position or Position("<term>", 1, 1)).read()


class _Reader:
    def __init__(self, text: str, base: Position) -> None:
        self.text = text
        self.base = base
        self.places: dict[Path, Position] = {}
        self.lines = [0, *(m.end() for m in re.finditer("\n", text))]
        self.line = 0  # of the token last asked for; only ever moves forward

    def where(self, offset: int) -> Position:
        """The place of a character; offsets are asked for in ascending order."""
        while self.line + 1 < len(self.lines) and self.lines[self.line + 1] <= offset:
            self.line += 1
        base = self.base
        column = offset - self.lines[self.line] + max(base.column, 1)
        return Position(base.file, max(base.line, 1) + self.line, column, base.origin)

    def read(self) -> tuple[tuple[Expr, ...], dict[Path, Position]]:
        # A stack entry: items read so far (a list's head included), its path.
        stack: list[tuple[list[Expr], Path]] = [([], ())]
        offset = 0
        while offset < len(self.text):
            match = _TOKEN.match(self.text, offset)
            if match is None:
                fail("SEXPR001", "string without closing quote", self.where(offset), 'end it with `"`')
            start, offset = offset, match.end()
            kind = match.lastindex
            if kind is None:
                continue
            items, path = stack[-1]
            index = len(items) - (len(stack) > 1)  # a list's head has index -1
            if kind == 1 and match[1] == ")":
                self.close(stack, start)
                continue
            self.places[(*path, index)] = self.where(start)
            if kind == 1:
                if index < 0:
                    fail("SEXPR001", "a list must begin with a name", self.where(start))
                if len(stack) > MAX_DEPTH:
                    fail("SEXPR001", f"nested deeper than {MAX_DEPTH}", self.where(start))
                stack.append(([], (*path, index)))
            else:
                items.append(self.atom(match[0], kind, start))
        if len(stack) > 1:
            fail("SEXPR001", "`(` is never closed", self.places[stack[-1][1]], "add `)`")
        return tuple(stack[0][0]), self.places

    def close(self, stack: list[tuple[list[Expr], Path]], start: int) -> None:
        if len(stack) == 1:
            fail("SEXPR001", "`)` without `(`", self.where(start), "remove it")
        items, path = stack.pop()
        if not items or not isinstance(items[0], str):
            fail("SEXPR001", "a list must begin with a name", self.places[path], "write `(name …)`")
        stack[-1][0].append(Term(items[0], tuple(items[1:])))

    def atom(self, text: str, kind: int, start: int) -> Expr:
        if kind == 2:
            try:
                return str(json.loads(text))
            except ValueError:
                fail("SEXPR001", f"{text} is not a JSON string", self.where(start))
        if _INT.match(text):
            if len(text) > 40:
                fail("SEXPR001", "number too long", self.where(start))
            return int(text)
        if _FLOAT.match(text):
            return float(text)
        return text[:-3] + "…" if text.startswith("?") and text.endswith("...") else text


# --- printing --------------------------------------------------------------------------------------------

_PLAIN = re.compile(r'[^\s();"]+\Z')


def _atom(a: str | int | float) -> str:
    if type(a) is float:
        return "nan" if math.isnan(a) else repr(a)
    if not isinstance(a, str):
        return str(a)
    reads_back = _PLAIN.match(a) and not _INT.match(a) and not _FLOAT.match(a)
    if reads_back and not (a.startswith("?") and a.endswith("...")):
        return a
    return json.dumps(a)


def _flat(e: Expr, memo: dict[Term, str]) -> str:
    if type(e) is not Term:
        return _atom(e)  # type: ignore[arg-type]
    known = memo.get(e)
    if known is None:
        parts: list[str] = [_flat(a, memo) for a in e.args]
        known = memo[e] = f"({' '.join([_atom(e.head), *parts])})"
    return known


def show(e: Expr, width: int = 100, indent: int = 0) -> str:
    """Text that `parse` reads back to an equal term; lines at most `width` where breaking can help.

    A list that does not fit keeps its leading arguments on the first line and puts the rest below,
    indented by two. `indent` is the column the text will start at.
    """
    memo: dict[Term, str] = {}
    return _layout(e, width, indent, 0, memo, lambda t: _flat(t, memo))


def _layout(
    e: Expr, width: int, indent: int, closing: int, memo: dict[Term, str], flat: Callable[[Expr], str]
) -> str:
    text = flat(e)
    if not isinstance(e, Term) or not e.args or indent + len(text) + closing <= width:
        return text
    line = f"({_atom(e.head)}"
    rest = list(e.args)
    while len(rest) > 1 and indent + len(line) + 1 + len(flat(rest[0])) <= width:
        line += f" {flat(rest.pop(0))}"
    lines = [line]
    for k, a in enumerate(rest):
        tail = closing + 1 if k == len(rest) - 1 else 0
        lines.append(" " * (indent + 2) + _layout(a, width, indent + 2, tail, memo, flat))
    return "\n".join(lines) + ")"
