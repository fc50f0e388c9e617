"""Which rules matter: per rule and kernel, how often it matched, was chosen, and what it gained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .compiler import Compilation
from .explain import explain
from .rewrite.apply import subterm
from .rewrite.pattern import compile_rule
from .rewrite.probe import Probe, Variant
from .rewrite.rulebook import Rule
from .schedule import Expr, show

__all__ = ["Refusal", "RuleUse", "coverage", "why_not"]


@dataclass(slots=True)
class RuleUse:
    """`fired`: matches in saturation; `chosen`: uses in derivations; `gained`: cycles that those saved."""

    rule: str
    kernels: int = 0
    fired: int = 0
    chosen: int = 0
    gained: float = 0.0


def coverage(rules: Iterable[Rule], compilations: Iterable[Compilation]) -> list[RuleUse]:
    """One row per rule, in order. A step's gain is the fall of the cost since the last runnable term."""
    uses = {rule.path: RuleUse(rule.path) for rule in rules}
    for compilation in compilations:
        fired: dict[str, int] = {}
        for phase in compilation.graph.phases:
            for name, count in phase.fired.items():
                fired[name] = fired.get(name, 0) + count
        for name, count in fired.items():
            if name in uses:
                uses[name].kernels += 1
                uses[name].fired += count
        told = explain(compilation)
        cost = told.plain_cost.cycles if told.plain_cost else None
        for stage in told.stages:
            use = uses.get(stage.step.rule)
            now = stage.cost.cycles if stage.cost else None
            if use is not None:
                use.chosen += 1
                use.gained += cost - now if cost is not None and now is not None else 0.0
            cost = now if now is not None else cost
    return list(uses.values())


@dataclass(frozen=True, slots=True)
class Refusal:
    """A place where a rule applies (`guard` None), or would apply but for one guard (its number).

    `stage`: number of steps from the plain schedule to the term it was found in.
    """

    stage: int
    term: Expr
    guard: int | None = None

    def text(self, rule: Rule) -> str:
        where = "the plain schedule" if self.stage == 0 else f"the schedule after step {self.stage}"
        shown = "\n".join(f"    {line}" for line in show(self.term, 96).splitlines())
        if self.guard is None:
            return f"{rule.path} applies in {where} to\n{shown}"
        guard = rule.guards[self.guard]
        return f"in {where}, only {show(guard.term)} ({guard.at()}) refuses\n{shown}"


def why_not(rule: Rule, compilation: Compilation) -> Sequence[Refusal]:
    """Where on the way to the chosen schedule a rule applies; if nowhere, where a single guard refuses it.

    Empty when no term on the way has the form that the rule matches, or several guards refuse at once.
    """
    told = explain(compilation)
    binding = compile_rule(rule).generators
    guards = [k for k in range(len(rule.guards)) if k not in binding]
    probe = Probe([Variant(rule), *(Variant(rule, k) for k in guards)])
    found: list[Refusal] = []
    for number, term in enumerate((told.plain, *(stage.term for stage in told.stages))):
        program = replace(compilation.plain, body=term)
        for spot in probe.spots(program, compilation.arch, compilation.strategy.limits):
            found.append(Refusal(number, subterm(term, spot.step.path), spot.variant.without))
    distinct = list({(r.term, r.guard): r for r in reversed(found)}.values())[::-1]
    applies = [r for r in distinct if r.guard is None]
    return applies or distinct
