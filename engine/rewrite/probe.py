"""Where rules apply on one concrete term, without applying them.

All rules are compiled to record their substitution and nothing else, so that wrong ones (mutants) can
be looked at next to right ones. A *spot* is a rule, a path in the term, and the substitution there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..arch import Arch
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Path, Term
from .apply import Step, canonical
from .backend import Pool
from .decode import Decoder
from .encode import Encoding, language
from .facts import Facts
from .language import FIELDS, Kind
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
        encoding = Encoding(program, Facts(program, arch, limits))
        egraph = self._pool.borrow(self.sources)
        runs = " ".join(f"(run {c.ruleset})" for c in self.compiled)
        text = f"{encoding.setup()}(run-schedule (saturate (run analysis)) {runs})"
        egraph.run_program(*egraph.parse_program(text))
        tables = egraph.freeze().functions
        decoder = Decoder(egraph, encoding, {})
        body = canonical(program.body, tuple(program.axes))
        places = [(path, t) for path, t in _terms(body, ())]
        found: list[Spot] = []
        for variant, compiled in zip(self.variants, self.compiled, strict=True):
            names = [name for name, _ in compiled.variables]
            for matched, values in decoder.rows_on_terms(tables, compiled):
                subst = tuple(zip(names, values, strict=True))
                steps = (Step(variant.rule.path, path, subst) for path, t in places if t == matched)
                found += [Spot(variant, step) for step in steps]
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
