"""Where rules apply on one concrete term, without applying them.

All rules are compiled to record their substitution and nothing else, so that wrong ones (mutants) can
be looked at next to right ones. A *spot* is a rule, a path in the term, and the substitution there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..arch import Arch
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Path, Term
from .apply import Step, canonical, instantiate
from .backend import Pool
from .decode import Decoder
from .encode import Encoding, language
from .facts import Facts
from .language import FIELDS, Kind, is_variable
from .pattern import CompiledRule, compile_rule
from .rulebook import Limits, Rule

__all__ = ["Probe", "Spot", "Variant"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A rule, or a rule without one of its guards."""

    rule: Rule
    without: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    variant: Variant
    step: Step


@lru_cache(maxsize=4096)
def _compiled(rule: Rule, without: int | None) -> CompiledRule:
    return compile_rule(rule, without, record_only=True)


_LANGUAGE = language()


class Probe:
    """Finds the spots of a fixed list of variants on any number of terms."""

    def __init__(self, variants: Sequence[Variant], pool: Pool | None = None) -> None:
        self.variants = tuple(variants)
        self.compiled = [_compiled(v.rule, v.without) for v in self.variants]
        self.sources = (_LANGUAGE, *(c.text for c in self.compiled))
        self._pool = pool or Pool(1)

    def spots(self, program: Program, arch: Arch, limits: Limits) -> list[Spot]:
        """Every place in the program's body at which some variant would fire, in a reproducible order."""
        axes = tuple(program.axes)
        encoding = Encoding(program, Facts(program, arch, limits))
        egraph = self._pool.borrow(self.sources)
        runs = " ".join(f"(run {c.ruleset})" for c in self.compiled)
        text = f"{encoding.setup()}(run-schedule (saturate (run analysis)) {runs})"
        egraph.run_program(*egraph.parse_program(text))
        tables = egraph.freeze().functions
        decoder = Decoder(egraph, encoding, {})
        body = canonical(program.body, axes)
        places = [(path, t) for path, t in _terms(body, ())]
        found: list[Spot] = []
        for variant, compiled in zip(self.variants, self.compiled, strict=True):
            kinds = [kind for _, kind in compiled.variables]
            rows = [decoder.plain_row(row.inputs[1:], kinds) for row in tables[compiled.table].rows]
            names = [name for name, _ in compiled.variables]
            for row in sorted(rows, key=lambda r: list(map(str, r))):
                subst = dict(zip(names, row, strict=True))
                found += [Spot(variant, step) for step in _placed(variant.rule, subst, places, axes)]
        self._pool.give_back(self.sources, egraph)
        return found


def _terms(t: Expr, path: Path) -> list[tuple[Path, Expr]]:
    """Every sub-term that is a schedule, with its path."""
    found = [(path, t)]
    if isinstance(t, Term) and t.head != "comm":
        for k, (a, (_, kind)) in enumerate(zip(t.args, FIELDS[t.head], strict=True)):
            if kind is Kind.TERM:
                found += _terms(a, (*path, k))
    return found


def _placed(
    rule: Rule, subst: Mapping[str, Any], places: Sequence[tuple[Path, Expr]], axes: tuple[str, ...]
) -> list[Step]:
    steps = []
    for path, t in places:
        bound = dict(subst)
        if _matches(rule.match.term, t, bound, axes):
            steps.append(Step(rule.path, path, tuple(bound.items())))
    return steps


def _matches(pattern: Expr, t: Expr, bound: dict[str, Any], axes: tuple[str, ...]) -> bool:
    """Does the pattern stand here, with all but its term variables known? Binds those."""
    if not isinstance(pattern, Term) or not isinstance(t, Term) or pattern.head != t.head:
        return bool(pattern == t)
    for a, b, (role, kind) in zip(pattern.args, t.args, FIELDS[pattern.head], strict=True):
        if kind is Kind.TERM and is_variable(a):
            name = str(a)[1:]
            if bound.get(name) is not None and bound[name] != b:
                return False
            bound[name] = b
        elif kind is Kind.TERM:
            if not _matches(a, b, bound, axes):
                return False
        else:
            value = instantiate(a, bound, axes)
            if isinstance(value, tuple):
                value = Term(role, tuple(Term("move", m) for m in sorted(value)))
            if value != b:
                return False
    return True
