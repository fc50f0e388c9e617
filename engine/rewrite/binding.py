"""Variables of a rule while it is compiled: their kinds, their egglog columns, and faults with a place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NoReturn

from ..diagnostics import Position, fail
from ..schedule.sexpr import Expr, Term, show
from .language import FIELDS, Kind, is_variable
from .rulebook import Located, Rule
from .vocabulary import ARITHMETIC

__all__ = [
    "INTEGER",
    "SELF",
    "SORTS",
    "Binding",
    "Path",
    "column_sorts",
    "quote",
    "variables_of",
    "with_article",
]

SORTS: dict[Kind, str] = {Kind.TERM: "S", Kind.INT: "i64", Kind.TRIPS: "i64", Kind.BOX: "Box"}
SELF = "?self"  # the matched term itself
INTEGER = (Kind.INT, Kind.TRIPS)

Path = tuple[int, ...]


def quote(text: str) -> str:
    """An egglog string literal."""
    return json.dumps(text, ensure_ascii=False)


@dataclass(slots=True)
class Variable:
    kind: Kind
    columns: tuple[str, ...]


class Binding:
    """What is bound so far in one rule. `here`: the part of the rule that is being compiled."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.bound: dict[str, Variable] = {}
        self.fresh = 0
        self.here: Located = rule.match

    # --- faults ------------------------------------------------------------------------------------------

    def at(self, path: Path) -> Position:
        return self.here.at(*path)

    def fault(self, code: str, message: str, path: Path, hint: str = "") -> NoReturn:
        fail(code, f"rule {self.rule.path}: {message}", self.at(path), hint)

    def unknown_head(self, head: str, path: Path) -> NoReturn:
        self.fault("RULE003", f"`{head}` is not a node of ScheduleIR", path, f"one of {' '.join(FIELDS)}")

    # --- variables ---------------------------------------------------------------------------------------

    def temporary(self, hint: str) -> str:
        self.fresh += 1
        return f"{hint}.{self.fresh}"

    def variable(self, name: str, kind: Kind, path: Path) -> tuple[str, ...]:
        """Columns of a variable, which this use binds if nothing did before."""
        name = name.removesuffix("…")
        known = self.bound.get(name)
        if known is None:
            stem = name[1:]
            columns = (f"{stem}.from", f"{stem}.to") if kind is Kind.MOVES else (stem,)
            if stem in ("self", ""):
                self.fault("RULE004", f"`{name}` is the matched term itself", path, "choose another name")
            self.bound[name] = known = Variable(kind, columns)
        elif not _compatible(known.kind, kind):
            self.fault(
                "RULE004",
                f"`{name}` is {with_article(known.kind)}, here it stands for {with_article(kind)}",
                path,
            )
        return known.columns

    def use(self, name: str, kind: Kind | None, path: Path) -> tuple[str, ...]:
        """Columns of a variable that must be bound already."""
        name = name.removesuffix("…")
        if name not in self.bound:
            known = ", ".join(n for n in self.bound if n != SELF)
            self.fault("RULE005", f"`{name}` is not bound here", path, f"bound so far: {known}")
        return self.variable(name, kind or self.bound[name].kind, path)

    # --- numbers and names ---------------------------------------------------------------------------------

    def numeric(self, e: Expr) -> bool:
        if is_variable(e) and str(e) in self.bound:
            return self.bound[str(e)].kind in INTEGER
        return not isinstance(e, str)

    def symbol(self, e: Expr, path: Path) -> str:
        if is_variable(e):
            columns = self.use(str(e), None, path)
            if len(columns) != 1:
                self.fault("RULE003", "sets of moves cannot be compared", path)
            return columns[0]
        if not isinstance(e, str):
            self.fault("RULE003", f"expected a name, found `{show(e, 60)}`", path)
        return quote(e)

    def arithmetic(self, e: Expr, path: Path) -> str:
        if isinstance(e, int):
            return str(e)
        if is_variable(e):
            return self.use(str(e), Kind.INT, path)[0]
        if isinstance(e, Term) and e.head in ARITHMETIC and len(e.args) >= 2:
            parts = [self.arithmetic(a, (*path, k)) for k, a in enumerate(e.args)]
            result = parts[0]
            for part in parts[1:]:
                result = f"({e.head} {result} {part})"
            return result
        self.fault("RULE003", f"expected a number, found `{show(e, 60)}`", path, f"{' '.join(ARITHMETIC)}")


def with_article(kind: Kind) -> str:
    article = "an" if kind.value[0] in "aeiou" else "a"
    return kind.value if kind in (Kind.MOVES, Kind.TRIPS) else f"{article} {kind.value}"


def _compatible(a: Kind, b: Kind) -> bool:
    return a is b or (a in INTEGER and b in INTEGER)


def column_sorts(kind: Kind) -> tuple[str, ...]:
    return ("Ops", "Ops") if kind is Kind.MOVES else (SORTS.get(kind, "String"),)


def variables_of(e: Expr) -> set[str]:
    if is_variable(e):
        return {str(e)}
    if isinstance(e, Term):
        return ({e.head} if is_variable(e.head) else set()).union(*(variables_of(a) for a in e.args))
    return set()
