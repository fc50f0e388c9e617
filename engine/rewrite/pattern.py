"""Rule → egglog rule: the pattern compiler, and with it every check that needs no program.

A rule becomes one egglog rule whose head unites the matched class with the rewritten term and records
the substitution in the relation `fired:BOOK/NAME`, from which the rule can be applied again to plain
terms (`apply.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..schedule.sexpr import Expr, Term, show
from .binding import INTEGER, SELF, Binding, Path, Variable, column_sorts, quote, variables_of, with_article
from .language import FIELDS, OPAQUE, Kind, is_splice, is_variable
from .rulebook import Clause, Rule
from .vocabulary import COMPARISONS, FACTS, PREDICATES

__all__ = ["CompiledRule", "compile_rule"]


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """`columns`: the recorded variables in order; moves take two columns (sources, targets)."""

    rule: Rule
    text: str
    variables: tuple[tuple[str, Kind], ...]
    generators: frozenset[int]  # guards that bind a variable the rule needs: definitions, not conditions
    without: int | None = None

    @property
    def label(self) -> str:
        return self.rule.path if self.without is None else f"{self.rule.path}-{self.without}"

    @property
    def table(self) -> str:
        return f"fired:{self.label}"

    @property
    def ruleset(self) -> str:
        return f"rule:{self.label}"


def compile_rule(rule: Rule, without: int | None = None, record_only: bool = False) -> CompiledRule:
    """The egglog text of a rule; `without` leaves out one guard (mutation testing), `record_only` records
    where the rule would fire and changes nothing.

    Raises RULE003 (not a term of the language), RULE004 (variable used as two kinds), RULE005 (unbound
    variable), RULE006 (unknown guard), RULE007 (wrong number of arguments).
    """
    return _Compiler(rule, without, record_only).compile()


class _Compiler(Binding):
    def __init__(self, rule: Rule, without: int | None, record_only: bool) -> None:
        super().__init__(rule)
        self.without = without
        self.record_only = record_only
        self.facts: list[str] = []

    def compile(self) -> CompiledRule:
        rule = self.rule
        self.bound[SELF] = Variable(Kind.TERM, ("self",))
        self.here = rule.match
        if rule.match.term.head not in FIELDS:
            self.unknown_head(rule.match.term.head, (-1,))
        self.facts.append(f"(= self {self.node(rule.match.term, ())})")
        generators = self.guards()
        self.here = rule.rewrite
        result = self.build(rule.rewrite.term, Kind.TERM, ())[0]
        recorded = tuple((name[1:], v.kind) for name, v in self.bound.items() if name != SELF)
        columns = [c for name, v in self.bound.items() if name != SELF for c in v.columns]
        sorts = [s for _, kind in recorded for s in column_sorts(kind)]
        compiled = CompiledRule(rule, "", recorded, generators, self.without)
        union = "" if self.record_only else f"(union self {result}) "
        text = (
            f"(relation {compiled.table} ({' '.join(['S', *sorts])}))\n"
            f"(ruleset {compiled.ruleset})\n"
            f"(rule ({' '.join(self.facts)})\n"
            f"      ({union}({compiled.table} {' '.join(['self', *columns])}))\n"
            f"      :ruleset {compiled.ruleset} :name {quote(compiled.label)})\n"
        )
        return CompiledRule(rule, text, recorded, generators, self.without)

    # --- matching ----------------------------------------------------------------------------------------

    def node(self, t: Term, path: Path) -> str:
        """The egglog pattern of a node; facts that it needs go to `self.facts`."""
        if t.head not in FIELDS:
            self.unknown_head(t.head, (*path, -1))
        if t.head in OPAQUE:
            self.fault("RULE003", f"rules cannot look into `{t.head}`", (*path, -1), "match it as a variable")
        fields = FIELDS[t.head]
        if len(t.args) != len(fields):
            form = " ".join((t.head, *(role for role, _ in fields)))
            self.fault("RULE007", f"`{t.head}` has {len(fields)} arguments, found {len(t.args)}", path, form)
        parts = [t.head]
        for k, (a, (role, kind)) in enumerate(zip(t.args, fields, strict=True)):
            parts += self.match(a, kind, role, (*path, k))
        return f"({' '.join(parts)})"

    def match(self, e: Expr, kind: Kind, role: str, path: Path) -> tuple[str, ...]:
        if is_splice(e):
            self.fault("RULE003", f"`{e}` belongs inside a box or a set of moves", path)
        if is_variable(e):
            return self.variable(str(e), kind, path)
        match kind:
            case Kind.TERM if isinstance(e, Term):
                return (self.node(e, path),)
            case Kind.TERM if e == "skip":
                return ("(skip)",)
            case Kind.BOX if isinstance(e, Term) and e.head == "box":
                return (self.match_box(e, path),)
            case Kind.MOVES if isinstance(e, Term) and e.head == role:
                return self.match_moves(e, path)
            case Kind.INT | Kind.TRIPS if isinstance(e, int):
                return (str(e),)
            case _ if kind.symbol and isinstance(e, str):
                return (quote(e),)
        self.fault("RULE003", f"expected {with_article(kind)}, found `{show(e, 60)}`", path)

    def match_box(self, t: Term, path: Path) -> str:
        """`(box (?a ?n)… ?rest…)`: named axes first; the rest is the box with them absent (0)."""
        if not t.args or not is_splice(t.args[-1]):
            self.fault("RULE003", "a box pattern ends in a rest, as in `(box (?a ?n) ?rest…)`", path)
        box, rest = self.temporary("box"), self.temporary("box")
        axes: list[str] = []
        for k, entry in enumerate(t.args[:-1]):
            here = (*path, k)
            if not isinstance(entry, Term) or len(entry.args) != 1:
                self.fault("RULE003", f"expected `(?axis ?extent)`, found `{show(entry, 60)}`", here)
            (axis,) = self.match(entry.head, Kind.AXIS, "axis", (*here, -1))
            (extent,) = self.match(entry.args[0], Kind.INT, "extent", (*here, 0))
            self.facts += [f"(axis {axis})", f"(= {extent} (map-get {box} {axis}))", f"(> {extent} 0)"]
            self.facts += [f"(!= {axis} {other})" for other in axes]
            axes.append(axis)
        inner = box
        for axis in axes:
            inner = f"(map-insert {inner} {axis} 0)"
        self.facts.append(f"(= {rest} {inner})")
        self.splice(str(t.args[-1]), Kind.BOX, (rest,), (*path, len(t.args) - 1))
        return box

    def match_moves(self, t: Term, path: Path) -> tuple[str, ...]:
        """`(ins ?all…)`, `(ins (move ?x ?f ?t)… ?rest…)` or a closed set without `?rest…`."""
        entries = t.args[:-1] if t.args and is_splice(t.args[-1]) else t.args
        source, target = self.temporary("moves"), self.temporary("moves")
        sources, targets, chosen = source, target, list[str]()
        for k, entry in enumerate(entries):
            here = (*path, k)
            if not isinstance(entry, Term) or entry.head != "move" or len(entry.args) != 3:
                self.fault("RULE003", f"expected `(move access from to)`, found `{show(entry, 60)}`", here)
            kinds = (Kind.ACCESS, Kind.MEMORY, Kind.MEMORY)
            fields = [
                self.match(a, kind, "", (*here, i))[0]
                for i, (a, kind) in enumerate(zip(entry.args, kinds, strict=True))
            ]
            a, b = self.temporary("at"), self.temporary("at")
            self.facts += [f"(operand {fields[0]} {fields[1]} {a})", f"(operand {fields[0]} {fields[2]} {b})"]
            self.facts += [f"(set-contains {source} {a})", f"(set-contains {target} {b})"]
            self.facts += [f"(!= {fields[0]} {other})" for other in chosen]
            chosen.append(fields[0])
            sources, targets = f"(set-remove {sources} {a})", f"(set-remove {targets} {b})"
        if len(entries) < len(t.args):
            self.splice(str(t.args[-1]), Kind.MOVES, (sources, targets), (*path, len(entries)))
        else:
            self.facts.append(f"(= {len(entries)} (set-length {source}))")
        return source, target

    def splice(self, name: str, kind: Kind, values: tuple[str, ...], path: Path) -> None:
        if name.removesuffix("…") in self.bound:
            self.fault("RULE004", f"`{name}` occurs twice in the pattern", path)
        for column, value in zip(self.variable(name, kind, path), values, strict=True):
            self.facts.append(f"(= {column} {value})")

    # --- guards ------------------------------------------------------------------------------------------

    def guards(self) -> frozenset[int]:
        """Compile all guards; returns the numbers of those that bind a variable somebody else uses."""
        binders: dict[int, set[str]] = {}
        for k, clause in enumerate(self.rule.guards):
            self.here = clause
            before = set(self.bound)
            if k != self.without:
                self.guard(clause)
            else:
                continue
            binders[k] = set(self.bound) - before
        return frozenset(k for k, names in binders.items() if names & self._used_outside(k))

    def _used_outside(self, k: int) -> set[str]:
        terms = [self.rule.rewrite.term, *(g.term for i, g in enumerate(self.rule.guards) if i != k)]
        return {v.removesuffix("…") for t in terms for v in variables_of(t)}

    def guard(self, clause: Clause) -> None:
        t = clause.term
        if t.head == "let":
            self.arity(t, 2)
            if not is_variable(t.args[0]) or str(t.args[0]) in self.bound:
                self.fault("RULE003", "`let` binds a new variable: `(let ?q (/ ?n ?f))`", (0,))
            value = self.arithmetic(t.args[1], (1,))
            (column,) = self.variable(str(t.args[0]), Kind.INT, (0,))
            self.facts.append(f"(= {column} {value})")
        elif t.head in COMPARISONS:
            self.arity(t, 2)
            self.compare(t)
        elif t.head in FACTS:
            self.relation(t)
        elif t.head in PREDICATES:
            self.predicate(t)
        else:
            known = " ".join((*FACTS, *PREDICATES, *COMPARISONS, "let"))
            self.fault("RULE006", f"`{t.head}` is not a guard", (-1,), f"one of {known}")

    def arity(self, t: Term, n: int, form: str = "") -> None:
        if len(t.args) != n:
            self.fault("RULE007", f"`{t.head}` takes {n} arguments, found {len(t.args)}", (), form)

    def compare(self, t: Term) -> None:
        a, b = t.args
        if t.head in ("=", "!=") and not self.numeric(a) and not self.numeric(b):
            left, right = self.symbol(a, (0,)), self.symbol(b, (1,))
        else:
            left, right = (self.arithmetic(e, (k,)) for k, e in enumerate(t.args))
        self.facts.append(f"({t.head} {left} {right})")

    def relation(self, t: Term) -> None:
        fact = FACTS[t.head]
        self.arity(t, len(fact.args), show(Term(t.head, tuple(role for role, _ in fact.args))))
        parts = [t.head]
        for k, (a, (role, kind)) in enumerate(zip(t.args, fact.args, strict=True)):
            parts += self.argument(a, kind, role, (k,), binds=True)
        self.facts.append(f"({' '.join(parts)})")

    def argument(self, e: Expr, kind: Kind, role: str, path: Path, binds: bool) -> tuple[str, ...]:
        if kind in INTEGER and isinstance(e, Term):
            return (self.arithmetic(e, path),)
        if kind in (Kind.BOX, Kind.MOVES) and isinstance(e, Term):
            return self.build(e, kind, path, role)
        if is_variable(e) and not binds:
            return self.use(str(e), kind, path)
        return self.match(e, kind, role, path)

    def predicate(self, t: Term) -> None:
        predicate = PREDICATES[t.head]
        self.arity(t, len(predicate.args), show(Term(t.head, tuple(role for role, _ in predicate.args))))
        columns: dict[str, str] = {}
        for k, (a, (role, kind)) in enumerate(zip(t.args, predicate.args, strict=True)):
            got = self.argument(a, kind, role, (k,), binds=role in predicate.binds)
            if kind is Kind.MOVES:
                columns |= {f"{role}.from": got[0], f"{role}.to": got[1]}
            else:
                columns[role] = got[0]

        def fill(found: re.Match[str]) -> str:
            token = found[0]
            stem = token.split(".")[0]
            if token not in columns and "." in token and stem in {role for role, _ in predicate.args}:
                columns[token] = self.temporary(token)
            return columns.get(token, token)

        self.facts.append(re.sub(r"[^\s()]+", fill, predicate.text))

    # --- results -----------------------------------------------------------------------------------------

    def build(self, e: Expr, kind: Kind, path: Path, role: str = "") -> tuple[str, ...]:
        """The egglog expressions (two for moves) that make `e`."""
        if is_splice(e):
            self.fault("RULE003", f"`{e}` belongs inside a box or a set of moves", path)
        if is_variable(e):
            return self.use(str(e), kind, path)
        match kind:
            case Kind.TERM if isinstance(e, Term):
                return (self.build_node(e, path),)
            case Kind.TERM if e == "skip":
                return ("(skip)",)
            case Kind.BOX if isinstance(e, Term) and e.head == "box":
                return (self.build_box(e, path),)
            case Kind.MOVES if isinstance(e, Term) and e.head == role:
                return self.build_moves(e, path)
            case Kind.INT | Kind.TRIPS:
                return (self.arithmetic(e, path),)
            case _ if kind.symbol and isinstance(e, str):
                return (quote(e),)
        self.fault("RULE003", f"expected {with_article(kind)}, found `{show(e, 60)}`", path)

    def build_node(self, t: Term, path: Path) -> str:
        if t.head not in FIELDS or t.head in OPAQUE:
            self.unknown_head(t.head, (*path, -1))
        fields = FIELDS[t.head]
        if len(t.args) != len(fields):
            form = " ".join((t.head, *(role for role, _ in fields)))
            self.fault("RULE007", f"`{t.head}` has {len(fields)} arguments, found {len(t.args)}", path, form)
        parts = [t.head]
        for k, (a, (role, kind)) in enumerate(zip(t.args, fields, strict=True)):
            parts += self.build(a, kind, (*path, k), role)
        return f"({' '.join(parts)})"

    def build_box(self, t: Term, path: Path) -> str:
        if not t.args or not is_splice(t.args[-1]):
            self.fault("RULE003", "a box ends in a rest, as in `(box (?a ?n) ?rest…)`", path)
        (box,) = self.use(str(t.args[-1]), Kind.BOX, (*path, len(t.args) - 1))
        for k, entry in enumerate(t.args[:-1]):
            if not isinstance(entry, Term) or len(entry.args) != 1:
                self.fault("RULE003", f"expected `(?axis extent)`, found `{show(entry, 60)}`", (*path, k))
            (axis,) = self.build(entry.head, Kind.AXIS, (*path, k, -1))
            box = f"(map-insert {box} {axis} {self.arithmetic(entry.args[0], (*path, k, 0))})"
        return box

    def build_moves(self, t: Term, path: Path) -> tuple[str, str]:
        sources, targets = "(set-empty)", "(set-empty)"
        for k, entry in enumerate(t.args):
            here = (*path, k)
            if is_splice(entry):
                a, b = self.use(str(entry), Kind.MOVES, here)
                sources, targets = f"(set-union {sources} {a})", f"(set-union {targets} {b})"
                continue
            if not isinstance(entry, Term) or entry.head != "move" or len(entry.args) != 3:
                self.fault("RULE003", f"expected `(move access from to)`, found `{show(entry, 60)}`", here)
            access, source, target = (
                self.build(a, kind, (*here, i))[0]
                for i, (a, kind) in enumerate(
                    zip(entry.args, (Kind.ACCESS, Kind.MEMORY, Kind.MEMORY), strict=True)
                )
            )
            sources = f'(set-insert {sources} (+ {access} "@" {source}))'
            targets = f'(set-insert {targets} (+ {access} "@" {target}))'
        return sources, targets
