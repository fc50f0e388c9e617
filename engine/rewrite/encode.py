"""The egglog program of one saturation: language, class analyses, facts, and the plain term.

Encodings: a box is a map from *every* axis of the program to its extent, 0 where it does not vary, so
that a rule can change one axis; a set of moves is two sets of `access@memory`, where they start and
where they end, so that `reads` and `writes` follow by set algebra; a run-time trip count is a negative
number, one large prime per expression, so that covers stay products and sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..diagnostics import fail
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Term, show
from .binding import SORTS, quote
from .facts import Facts, operand, set_of
from .language import FIELDS, Kind
from .vocabulary import FACTS

__all__ = ["ANALYSES", "Encoding", "language"]

ANALYSES = ("cover", "reads", "writes", "sources", "sinks")
"""Class data that every union must agree on; a disagreement is a wrong rule."""


def _columns(kinds: Iterable[Kind]) -> str:
    return " ".join("Ops Ops" if k is Kind.MOVES else SORTS.get(k, "String") for k in kinds)


def language() -> str:
    """Sorts, constructors, relations and the rules that compute class data: the same for every program."""
    lines = ["(sort Box (Map String i64))", "(sort Ops (Set String))", "(sort S)"]
    for head, fields in FIELDS.items():
        lines.append(f"(constructor {head} ({_columns(kind for _, kind in fields)}) S)")
    lines += [f"(function {name} (S) {'Box' if name == 'cover' else 'Ops'} :no-merge)" for name in ANALYSES]
    lines.append("(function groups (S) Ops :merge (set-intersect old new))")
    lines += [f"(function exec-{name} (String String) Ops :no-merge)" for name in ("reads", "writes")]
    for name in ("exec-sources", "exec-sinks", "ordered-along", "dependent-along", "level-of", "operands-of"):
        lines.append(f"(function {name} (String) Ops :no-merge)")
    lines.append("(function rivals (String String) Ops :no-merge)")
    lines += [f"(function {name} () Ops :no-merge)" for name in ("queued", "written-before")]
    lines += ["(relation axis (String))", "(relation operand (String String String))"]
    lines += [f"(relation {f.name} ({_columns(kind for _, kind in f.args)}))" for f in FACTS.values()]
    lines.append("(ruleset analysis)")
    return "\n".join((*lines, *_local_analyses())) + "\n"


def _analysis(
    name: str, pattern: str, children: str, cover: str, sets: Mapping[str, str], given: str = ""
) -> str:
    """The rule that computes all class data of one node from its children's (docs/scheduleir.md §2)."""
    body = [f"(= e {pattern})", *([given] if given else [])]
    for c in children:
        body += [f"(= {c}.{f} ({f} {c}))" for f in (*ANALYSES, "groups")]
    head = [f"(set (cover e) {cover})"]
    for f in (*ANALYSES[1:], "groups"):
        unions = _NONE
        for c in children:
            unions = f"{c}.{f}" if unions == _NONE else f"(set-union {unions} {c}.{f})"
        head.append(f"(set ({f} e) {sets.get(f, unions)})")
    label = quote(f"analysis {name}")
    return f"(rule ({' '.join(body)}) ({' '.join(head)}) :ruleset analysis :name {label})"


_NONE = "(set-empty)"


def _local_analyses() -> Iterable[str]:
    """Nodes whose cover does not depend on which axes the program has."""
    product = f"(map-insert x.cover a (* n {_or_one('(map-get x.cover a)')}))"
    yield _analysis("loop", "(loop a n x)", "x", product, {})
    yield _analysis("par", "(par g n a x)", "x", product, {"groups": "(set-insert x.groups g)"})
    moved = {"reads": "(set-union (set-diff x.reads b) a)", "writes": "(set-union (set-diff x.writes c) d)"}
    yield _analysis("pipe", "(pipe n a b x c d)", "x", "x.cover", moved)
    hidden = {f: f"(set-diff x.{f} hidden)" for f in ("reads", "writes")}
    yield _analysis("acc", "(acc v m x)", "x", "x.cover", hidden, "(= hidden (operands-of v))")
    yield _analysis("when", "(when t x)", "x", "x.cover", {})
    yield _analysis("program", "(program t x)", "x", "x.cover", {})
    data = {"reads": "r", "writes": "w", "sources": "out", "sinks": "in"}
    given = "(= r (exec-reads s m)) (= w (exec-writes s m)) (= out (exec-sources s)) (= in (exec-sinks s))"
    yield _analysis("exec", "(exec s b m)", "", "b", data, given)


def _joint_analyses(axes: tuple[str, ...]) -> Iterable[str]:
    """Nodes that join the covers of two terms, axis by axis."""
    empty = "(map-empty)"
    for a in axes:
        empty = f"(map-insert {empty} {quote(a)} 0)"
    union = "x.cover"
    for a in axes:
        extent = _either(f"(map-get x.cover {quote(a)})", f"(map-get y.cover {quote(a)})")
        union = f"(map-insert {union} {quote(a)} {extent})"
    yield _analysis("skip", "(skip)", "", empty, {})
    yield _analysis("comm", "(comm t)", "", empty, {})
    yield _analysis("seq", "(seq x y)", "xy", union, {})
    appended = f"(map-insert {union} a (+ (map-get x.cover a) (map-get y.cover a)))"
    yield _analysis("then", "(then a x y)", "xy", appended, {})
    hidden = {f: f"(set-diff (set-union x.{f} y.{f}) hidden)" for f in ("reads", "writes")}
    yield _analysis("let", "(let v m x y)", "xy", union, hidden, "(= hidden (operands-of v))")


def _either(a: str, b: str) -> str:
    """The extent of an axis in the union of two covers: one is 0 (absent) or both are equal. Extents known
    only at run time are negative."""
    return f"(+ (max 0 (max {a} {b})) (min 0 (min {a} {b})))"


def _or_one(x: str) -> str:
    """An extent, 1 where it is 0 (absent)."""
    return f"(- (+ (max 1 {x}) (min 0 {x})) (min 1 (max 0 (- 0 {x}))))"


class Encoding:
    """Terms ↔ egglog for one program."""

    def __init__(self, program: Program, facts: Facts) -> None:
        self.program = program
        self.facts = facts
        self.trips: dict[int, Expr] = {}
        self._numbers: dict[Expr, int] = {}

    def setup(self) -> str:
        """What depends on the program: analyses over its axes, facts, the body as `$root`."""
        body = self.term(self.program.body)
        analyses = "\n".join(_joint_analyses(tuple(self.program.axes)))
        return f"{analyses}\n{self.facts.text()}(let $root {body})\n"

    def term(self, e: Expr) -> str:
        """The egglog expression of a term. Raises SIR010 for what the language does not have."""
        if e == "skip":
            return "(skip)"
        if not isinstance(e, Term) or e.head not in FIELDS:
            fail("SIR010", f"`{show(e, 60)}` is not a term")
        if e.head == "comm":
            return f"(comm {quote(show(e, 10**9))})"
        fields = FIELDS[e.head]
        if len(fields) != len(e.args):
            fail("SIR010", f"`{e.head}` has {len(fields)} arguments, found {len(e.args)}: {show(e, 60)[:60]}")
        parts = [self._field(a, kind) for a, (_, kind) in zip(e.args, fields, strict=True)]
        return f"({' '.join((e.head, *parts))})"

    def _field(self, e: Expr, kind: Kind) -> str:
        match kind:
            case Kind.TERM:
                return self.term(e)
            case Kind.BOX if isinstance(e, Term):
                text = "(map-empty)"
                extents = {entry.head: entry.args[0] for entry in e.args if isinstance(entry, Term)}
                for a in self.program.axes:
                    text = f"(map-insert {text} {quote(a)} {extents.get(a, 0)})"
                return text
            case Kind.MOVES if isinstance(e, Term):
                moves = [tuple(map(str, m.args)) for m in e.args if isinstance(m, Term)]
                sources = set_of(operand(x, a) for x, a, _ in moves)
                return f"{sources} {set_of(operand(x, b) for x, _, b in moves)}"
            case Kind.TRIPS:
                return str(self.number(e))
            case Kind.INT:
                return str(e)
            case Kind.EXPR:
                return quote(show(e, 10**9))
        return quote(str(e))

    def number(self, trips: Expr) -> int:
        """The number that stands for a trip count; run-time expressions get negative primes."""
        if isinstance(trips, int):
            return trips
        if trips not in self._numbers:
            self._numbers[trips] = -_prime(len(self._numbers))
            self.trips[self._numbers[trips]] = trips
        return self._numbers[trips]


def _prime(k: int) -> int:
    """The k-th prime above 2³⁰."""
    n = (1 << 30) + 1
    while True:
        if all(n % d for d in range(3, int(n**0.5) + 1, 2)):
            if k == 0:
                return n
            k -= 1
        n += 2
