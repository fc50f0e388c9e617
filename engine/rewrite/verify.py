"""`rules verify`: are the rules right, and is every guard needed?

Random kernels are rewritten by random walks through all rules. Wherever a rule fires, both sides are
compared: form, structure, invariants, and results in every order of execution that the semantics allows;
optionally also lowered and run (`Runner`). Rules without one of their guards (mutants) are looked at on the
same terms: one that fires where the rule does not must be caught, unless the guard is `heuristic`,
in which case it must not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..diagnostics import TilesatError
from ..schedule.analysis import cover, reads, writes
from ..schedule.interpreter import Levels, interpret_all
from ..schedule.legality import faults
from ..schedule.program import Program
from ..schedule.sexpr import Expr, show
from .apply import apply_rule, canonical
from .pattern import compile_rule
from .probe import Probe, Spot, Variant
from .rulebook import Limits, Rule
from .structure import structural_faults
from .trials import FAMILIES, Trial, random_trial

__all__ = ["Finding", "Outcome", "Runner", "VerifyReport", "verify"]

Runner = Callable[[Trial, Program], "str | None"]
"""Runs a program (the trial's, with another body) elsewhere, e.g. lowered on the simulator; returns what is
wrong with it, or None. Called only for bodies that can be run as they stand."""

LIMITS = Limits(depth=3, factors=4)


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a rule or mutant went wrong."""

    seed: int
    family: str
    before: Expr
    after: Expr | None
    reason: str

    def __str__(self) -> str:
        after = show(self.after, 100, 2) if self.after is not None else "no term"
        return (
            f"{self.reason} (seed {self.seed}, {self.family})\n"
            f"  {show(self.before, 100, 2)}\n  becomes\n  {after}"
        )


@dataclass(slots=True)
class Outcome:
    """`guard` None: the rule itself. `looked`: places compared; `finding`: the first wrong one."""

    rule: Rule
    guard: int | None
    looked: int = 0
    finding: Finding | None = None

    @property
    def heuristic(self) -> bool:
        return self.guard is not None and self.rule.guards[self.guard].heuristic

    @property
    def label(self) -> str:
        if self.guard is None:
            return self.rule.path
        return f"{self.rule.path} without {show(self.rule.guards[self.guard].term)}"

    def complaint(self, wanted: int) -> str | None:
        """What is wrong with the rule or guard, None when all is well."""
        if self.guard is None:
            if self.finding:
                return f"{self.label} is wrong: {self.finding}"
            return (
                None if self.looked >= wanted else f"{self.label} fired in {self.looked} of {wanted} trials"
            )
        if self.heuristic:
            return (
                f"{self.label} is wrong: the guard is no mere heuristic: {self.finding}"
                if self.finding
                else None
            )
        return (
            None if self.finding else f"{self.label} was right in all {self.looked} trials: mark it heuristic"
        )


@dataclass(frozen=True, slots=True)
class VerifyReport:
    outcomes: tuple[Outcome, ...]
    walks: int
    wanted: int

    @property
    def complaints(self) -> tuple[str, ...]:
        return tuple(c for o in self.outcomes if (c := o.complaint(self.wanted)))

    @property
    def passed(self) -> bool:
        return not self.complaints


@dataclass
class _Hunt:
    rules: Sequence[Rule]
    wanted: int
    tries: int
    runner: Runner | None
    everything: dict[str, Rule]
    outcomes: dict[tuple[str, int | None], Outcome] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule in self.rules:
            generators = compile_rule(rule).generators
            guards = [None, *(k for k in range(len(rule.guards)) if k not in generators)]
            self.outcomes.update({(rule.path, k): Outcome(rule, k) for k in guards})
        variants = [Variant(o.rule, o.guard) for o in self.outcomes.values()]
        variants += [Variant(r) for r in self.everything.values() if (r.path, None) not in self.outcomes]
        self.probe = Probe(variants)

    def open(self, o: Outcome) -> bool:
        """Does the outcome still want places to look at?"""
        if o.guard is None:
            return o.finding is None and o.looked < self.wanted
        return o.finding is None and o.looked < (self.wanted if o.heuristic else self.tries)

    def walk(self, seed: int, steps: int, family: str | None) -> None:
        """One random walk: look at every open outcome's places, then apply some rule somewhere."""
        trial = random_trial(seed, family)
        rng = random.Random(seed)
        axes = tuple(trial.program.axes)
        body = canonical(trial.program.body, axes)
        for _ in range(steps):
            here = _State(seed, trial, body, self.runner)
            spots = self.probe.spots(here.program, trial.arch, LIMITS)
            right = {(s.step.rule, s.step.path, s.step.subst) for s in spots if s.variant.without is None}
            self._look(here, spots, right, rng)
            moves = [s for s in spots if s.variant.without is None]
            body = _next(moves, body, axes, rng)
            if body is None or len(show(body, 10**9)) > 3000:
                return

    def _look(self, here: _State, spots: list[Spot], right: set[Any], rng: random.Random) -> None:
        by_outcome: dict[tuple[str, int | None], list[Spot]] = {}
        for spot in spots:
            without = spot.variant.without
            by_outcome.setdefault((spot.variant.rule.path, without), []).append(spot)
        for key, found in by_outcome.items():
            outcome = self.outcomes.get(key)
            if outcome is None or not self.open(outcome):
                continue
            if key[1] is not None:  # places where only the mutant fires
                known = {(path, _common(subst, found)) for rule, path, subst in right if rule == key[0]}
                found = [s for s in found if (s.step.path, _common(s.step.subst, found)) not in known]
            for spot in rng.sample(found, min(2, len(found))):
                outcome.looked += 1
                outcome.finding = outcome.finding or here.judge(spot)


def _common(subst: Iterable[tuple[str, Any]], found: Sequence[Spot]) -> tuple[tuple[str, Any], ...]:
    """The part of a substitution that a mutant binds too (a deleted guard may have bound a helper)."""
    names = {name for name, _ in found[0].step.subst} if found else set()
    return tuple(sorted(((n, v) for n, v in subst if n in names), key=lambda item: item[0]))


def _next(moves: list[Spot], body: Expr, axes: tuple[str, ...], rng: random.Random) -> Expr | None:
    """Apply a random rule (each equally likely) at a random place."""
    if not moves:
        return None
    path = rng.choice(sorted({s.variant.rule.path for s in moves}))
    spot = rng.choice([s for s in moves if s.variant.rule.path == path])
    return apply_rule(spot.variant.rule, body, spot.step, axes)


class _State:
    """A term of a trial, with what it does, worked out when somebody asks."""

    def __init__(self, seed: int, trial: Trial, body: Expr, runner: Runner | None) -> None:
        self.seed = seed
        self.trial = trial
        self.body = body
        self.runner = runner
        self.program = replace(trial.program, body=body)
        self._results: dict[Any, Any] | None = None

    def judge(self, spot: Spot) -> Finding | None:
        """Is the term after the spot's rule as good as the one before?"""
        after: Expr | None = None
        try:
            after = apply_rule(spot.variant.rule, self.body, spot.step, tuple(self.program.axes))
            reason = self._compare(after)
        except (TypeError, ZeroDivisionError, KeyError) as error:
            reason = f"the rewritten term cannot be built: {error}"
        except TilesatError as error:
            reason = error.diagnostics[0].message
        if reason is None:
            return None
        return Finding(self.seed, self.trial.family, self.body, after, reason)

    def _compare(self, after: Expr) -> str | None:
        return self._form(after) or self._invariants(after) or self._values(after) or self._run(after)

    def _form(self, after: Expr) -> str | None:
        known = {d.message for d in faults(self.program)}
        for d in faults(self.program, after):
            if d.message not in known:
                return f"not well formed: {d.message}"
        arch = self.trial.arch
        new = structural_faults(self.program, arch, after) - structural_faults(self.program, arch, self.body)
        return next(iter(new), None)

    def _invariants(self, after: Expr) -> str | None:
        if cover(self.body) != cover(after):
            return f"covers {cover(after)} instead of {cover(self.body)}"
        nearer = _nearer(self.program, self.trial)
        for name, f in (("reads", reads), ("writes", writes)):
            if f(self.body, self.program, nearer) != f(after, self.program, nearer):
                return f"{name} other things"
        return None

    def _values(self, after: Expr) -> str | None:
        if self._results is None:
            self._results = self._interpret(self.body)
        try:
            found = self._interpret(after)
        except TilesatError as error:
            return error.diagnostics[0].message
        for key, value in self._results.items():
            if value.tobytes() != found[key].tobytes():
                return f"buffer {key} differs"
        return None

    def _interpret(self, body: Expr) -> dict[Any, Any]:
        trial = self.trial
        return dict(
            interpret_all(
                self.program, trial.buffers, trial.args, body=body, levels=_levels(self.program, trial)
            )
        )

    def _run(self, after: Expr) -> str | None:
        return self.runner(self.trial, replace(self.program, body=after)) if self.runner else None


def _levels(program: Program, trial: Trial) -> Levels:
    from .levels import Levels as Ways

    order: dict[str, None] = {}
    for s in program.stmts.values():
        order.update(dict.fromkeys(Ways(program, trial.arch, s).levels[1:]))
    return Levels(trial.arch.spaces, tuple(order))


def _nearer(program: Program, trial: Trial) -> Callable[[str, str], str]:
    from .levels import Levels as Ways

    ways = [Ways(program, trial.arch, s) for s in program.stmts.values()]

    def place(access: str, memory: str) -> str:
        for w in ways:
            if access in w.ways_in:
                return w.place(access, memory)
            if access in w.ways_out:
                return w.place(access, memory, True)
        return memory

    return place


def verify(
    rules: Sequence[Rule],
    everything: Iterable[Rule],
    *,
    wanted: int = 20,
    tries: int = 200,
    walks: int = 400,
    steps: int = 6,
    seed: int = 0,
    runner: Runner | None = None,
) -> VerifyReport:
    """Soundness trials of `rules`, walking through terms made by `everything` (usually all books).

    `wanted`: places to look at per rule and heuristic guard; `tries`: most places per mutant; `walks`: most
    random walks, of `steps` rules each, with seeds from `seed` on, over all families in turn. Stops early
    when there is nothing left to find. A rule that fired less than `wanted` times is complained about.
    """
    hunt = _Hunt(rules, wanted, tries, runner, {r.path: r for r in everything})
    families = list(FAMILIES)
    done = 0
    for k in range(walks):
        if not any(hunt.open(o) for o in hunt.outcomes.values()):
            break
        hunt.walk(seed + k, steps, families[k % len(families)])
        done += 1
    return VerifyReport(tuple(hunt.outcomes.values()), done, wanted)
