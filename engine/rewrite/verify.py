"""`rules verify`: are the rules right, and is every guard needed?

Random kernels are rewritten by random walks through all rules. Wherever a rule fires, both sides are
compared: form, structure, invariants, and results in every order of execution that the semantics allows;
optionally also lowered and run (`Runner`). Rules without one of their guards (mutants) are looked at on the
same terms: one that fires where the rule does not must be caught, unless the guard is `heuristic`,
in which case it must not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..arch import Arch, load_arch
from ..diagnostics import TilesatError
from ..schedule.analysis import cover, reads, writes
from ..schedule.interpreter import interpret, interpret_all
from ..schedule.legality import faults
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Term, show
from .apply import apply_rule, canonical, subterm
from .check import test_program
from .levels import Levels as Ways
from .levels import home_of, levels_of
from .outcomes import Finding, Outcome, VerifyReport
from .pattern import compile_rule
from .probe import Probe, Spot, Variant
from .rulebook import Limits, Rule, rule_tests
from .structure import structural_faults
from .trials import FAMILIES, Trial, observed, random_buffers, random_trial

__all__ = ["Finding", "Outcome", "Runner", "VerifyReport", "verify"]

Runner = Callable[[Trial, Program], "str | None"]
"""Runs a program (the trial's, with another body) elsewhere, e.g. lowered on the simulator; returns what is
wrong with it, or None. Called only for bodies that can be run as they stand."""

LIMITS = Limits(depth=3, factors=4)
_BROAD = 16  # walks through every family before rare rules are looked for


@dataclass
class _Hunt:
    rules: Sequence[Rule]
    wanted: int
    tries: int
    runner: Runner | None
    everything: dict[str, Rule]
    outcomes: dict[tuple[str, int | None], Outcome] = field(default_factory=dict)
    turns: Counter[str] = field(default_factory=Counter)
    walked: Counter[str] = field(default_factory=Counter)  # per family
    fired: Counter[tuple[str, str]] = field(default_factory=Counter)  # per rule and family: places looked at

    def __post_init__(self) -> None:
        for rule in self.rules:
            generators = compile_rule(rule).generators
            guards = [None, *(k for k in range(len(rule.guards)) if k not in generators)]
            self.outcomes.update({(rule.path, k): Outcome(rule, k) for k in guards})
        self.probe = Probe(self._variants())

    def _variants(self) -> list[Variant]:
        """All rules, and the mutants that still want places."""
        chosen = [o for o in self.outcomes.values() if o.guard is None or self.open(o)]
        others = [r for r in self.everything.values() if (r.path, None) not in self.outcomes]
        return [*(Variant(o.rule, o.guard) for o in chosen), *map(Variant, others)]

    def family(self, families: Sequence[str], number: int) -> str:
        """Of which family walk `number` is: all in turn, so that a common rule meets every kind of kernel;
        later every second walk takes the one in which the rules that are still wanted fired most often."""
        turn, direct = (number, 0) if number < _BROAD * len(families) else divmod(number, 2)
        wanted = [o.rule.path for o in self.outcomes.values() if o.guard is None and self.open(o)]
        yields = [sum(self.fired[r, f] for r in wanted) / (1 + self.walked[f]) for f in families]
        if not direct or not any(yields):
            return families[turn % len(families)]
        return families[yields.index(max(yields))]

    def open(self, o: Outcome) -> bool:
        """Does the outcome still want places to look at?"""
        if o.guard is None:
            return o.finding is None and o.looked < self.wanted
        return o.finding is None and o.looked < (self.wanted if o.heuristic else self.tries)

    def examples(self, seed: int) -> None:
        """Look at the rules' own tests: each `holds` example is there because one guard is needed."""
        for rule in self.rules:
            for test in rule_tests(rule):
                program, arch = test_program(test), load_arch(test.arch, test.overrides)
                program = observed(_closed(program, arch))
                scalars = [name for name, kind in program.args.items() if kind != "index"]
                for value in (3, 0) if scalars else (0,):
                    buffers = random_buffers(program, seed)
                    trial = Trial("example", program, arch, buffers, dict.fromkeys(scalars, value))
                    here = _State(seed, trial, program.body, self.runner)
                    spots = self.probe.spots(here.program, arch, LIMITS)
                    self._look(here, [s for s in spots if s.variant.rule == rule], count=0)

    def walk(self, seed: int, steps: int, family: str | None) -> None:
        """One random walk: look at every open outcome's places, then apply some rule somewhere."""
        trial = random_trial(seed, family)
        self.walked[trial.family] += 1
        variants = self._variants()
        if 4 * len(variants) < 3 * len(self.probe.variants):  # a new program takes a while to build
            self.probe = Probe(variants)
        rng = random.Random(seed)
        axes = tuple(trial.program.axes)
        body = canonical(trial.program.body, axes)
        for _ in range(steps):
            here = _State(seed, trial, body, self.runner)
            spots = _distinct_groups(self.probe.spots(here.program, trial.arch, LIMITS), body)
            self._look(here, spots)
            moves = [s for s in spots if s.variant.without is None]
            following = self._next(moves, body, axes, rng)
            if following is None or len(show(following, 10**9)) > 3000:
                return
            body = following

    def _next(self, moves: list[Spot], body: Expr, axes: tuple[str, ...], rng: random.Random) -> Expr | None:
        """Apply a rule at a random place; rules that had few turns so far come first more often."""
        by_rule: dict[str, list[Spot]] = {}
        for spot in moves:
            by_rule.setdefault(spot.variant.rule.path, []).append(spot)
        if not by_rule:
            return None
        paths = sorted(by_rule)
        path = rng.choices(paths, [1 / (1 + self.turns[p]) for p in paths])[0]
        self.turns[path] += 1
        spot = rng.choice(by_rule[path])
        return apply_rule(spot.variant.rule, body, spot.step, axes)

    def _look(self, here: _State, spots: list[Spot], count: int = 1) -> None:
        """Judge one place for every outcome that is open. `count`: what a place counts for."""
        right: dict[str, set[Any]] = {}
        by_outcome: dict[tuple[str, int | None], list[Spot]] = {}
        for spot in spots:
            rule, without = spot.variant.rule.path, spot.variant.without
            by_outcome.setdefault((rule, without), []).append(spot)
            if without is None:
                right.setdefault(rule, set()).add((spot.step.path, spot.step.subst))
        for (rule, without), found in by_outcome.items():
            outcome = self.outcomes.get((rule, without))
            if outcome is None or not self.open(outcome):
                continue
            if without is not None:  # places where only the mutant fires
                known = {(path, _common(subst, found)) for path, subst in right.get(rule, ())}
                found = [s for s in found if (s.step.path, _common(s.step.subst, found)) not in known]
            if found:
                spot = random.Random(f"{here.seed} {rule} {without}").choice(found)
                outcome.looked += count
                if without is None:
                    self.fired[rule, here.trial.family] += count
                outcome.finding = here.judge(spot)


def _distinct_groups(spots: Iterable[Spot], body: Expr) -> list[Spot]:
    """Without places at which a rule would distribute over a group that is distributed over around them:
    the e-graph that is handed to extraction has no such paths."""
    kept = []
    for spot in spots:
        deals = any(t.head == "par" for t in spot.variant.rule.rewrite.term.walk())
        around = {
            t.args[0]
            for k in range(len(spot.step.path))
            if isinstance(t := subterm(body, spot.step.path[:k]), Term) and t.head == "par"
        }
        if not deals or not around & {v for _, v in spot.step.subst if isinstance(v, str)}:
            kept.append(spot)
    return kept


def _common(subst: Iterable[tuple[str, Any]], found: Sequence[Spot]) -> tuple[tuple[str, Any], ...]:
    """The part of a substitution that a mutant binds too (a deleted guard may have bound a helper)."""
    names = {name for name, _ in found[0].step.subst} if found else set()
    return tuple(sorted(((n, v) for n, v in subst if n in names), key=lambda item: item[0]))


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
        for d in faults(self.program, after):
            if d.message not in self.known_faults:
                return f"not well formed: {d.message}"
        new = structural_faults(self.program, self.trial.arch, after) - self.structure
        return next(iter(new), None)

    @cached_property
    def known_faults(self) -> set[str]:
        return {d.message for d in faults(self.program)}

    @cached_property
    def structure(self) -> Counter[str]:
        return structural_faults(self.program, self.trial.arch, self.body)

    def _invariants(self, after: Expr) -> str | None:
        if cover(self.body) != cover(after):
            return f"covers {cover(after)} instead of {cover(self.body)}"
        nearer = _nearer(self.program, self.trial.arch)
        for name, f in (("reads", reads), ("writes", writes)):
            if f(self.body, self.program, nearer) != f(after, self.program, nearer):
                return f"{name} other things"
        return None

    def _values(self, after: Expr) -> str | None:
        if self._results is None:
            self._results = self._interpret(self.body)
        found = self._interpret(after)
        for key, value in self._results.items():
            if value.tobytes() != found[key].tobytes():
                return f"buffer {key} differs"
        return None

    def _interpret(self, body: Expr) -> dict[Any, Any]:
        """Buffers afterwards; all orders are tried where the term leaves a choice."""
        trial = self.trial
        levels = levels_of(self.program, trial.arch)
        seeds = range(self.seed, self.seed + 6)  # two instances come in the other order in some of them
        if _ordered(body):
            return dict(interpret(self.program, trial.buffers, trial.args, body=body, levels=levels))
        found = interpret_all(self.program, trial.buffers, trial.args, body=body, levels=levels, seeds=seeds)
        return dict(found)

    def _run(self, after: Expr) -> str | None:
        """Elsewhere: what goes wrong with both terms is not the rule's doing."""
        if self.runner is None:
            return None
        reason = self.runner(self.trial, replace(self.program, body=after))
        return reason if reason and self.runner(self.trial, self.program) is None else None


def _closed(program: Program, arch: Arch) -> Program:
    """An example as a whole kernel: its axes are as long as its term covers, and what the term expects in
    a nearer memory is brought there."""
    body = canonical(program.body, tuple(program.axes))
    covered = cover(body)
    axes = {a: replace(axis, trips=covered.get(a, axis.trips)) for a, axis in program.axes.items()}
    program = replace(program, axes=axes, body=body)
    place = _nearer(program, arch)
    ins = [(x, home_of(program, arch, x), m) for x, m in sorted(reads(body, program, place))]
    outs = [(x, m, home_of(program, arch, x)) for x, m in sorted(writes(body, program, place))]
    moves = [tuple(Term("move", m) for m in side if m[1] != m[2]) for side in (ins, outs)]
    if not any(moves):
        return program
    return replace(program, body=Term("pipe", (1, Term("ins", moves[0]), body, Term("outs", moves[1]))))


def _ordered(body: Expr) -> bool:
    """Does the term run in one order only?"""
    return not any(
        t.head == "par" or (t.head == "pipe" and t.args[0] != 1)
        for t in (body.walk() if isinstance(body, Term) else ())
    )


def _nearer(program: Program, arch: Arch) -> Callable[[str, str], str]:
    ways = [Ways(program, arch, s) for s in program.stmts.values()]

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
    walks: int = 2000,
    steps: int = 6,
    seed: int = 0,
    runner: Runner | None = None,
    families: Sequence[str] = tuple(FAMILIES),
    progress: Callable[[str], None] | None = None,
) -> VerifyReport:
    """Soundness trials of `rules`, walking through terms made by `everything` (usually all books).

    `wanted`: places to look at per rule and heuristic guard; `tries`: most places per mutant; `walks`: most
    random walks, of `steps` rules each, with seeds from `seed` on, over the `families` of kernels in turn,
    later also over those in which rules that lack places fire.
    Stops early when there is nothing left to find. A rule that fired less than `wanted` times is
    complained about. `progress` is told before every walk how far it is, and "" at the end.
    """
    tell = progress or (lambda _: None)
    hunt = _Hunt(rules, wanted, tries, runner, {r.path: r for r in everything})
    done = 0
    tell("the rules' own examples")
    hunt.examples(seed)
    for k in range(walks):
        open_ones = [o for o in hunt.outcomes.values() if hunt.open(o)]
        if not open_ones:
            break
        tell(f"walk {k + 1} of at most {walks}, open: {len(open_ones)}, such as {open_ones[0].label}")
        hunt.walk(seed + k, steps, hunt.family(families, k))
        done += 1
    tell("")
    return VerifyReport(tuple(hunt.outcomes.values()), done, wanted)
