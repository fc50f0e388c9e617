"""Equality saturation of one program: run a strategy's phases, hand back the e-graph as plain data."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NoReturn

from ..arch import Arch
from ..diagnostics import Diagnostic, TilesatError, fail
from ..schedule.program import Program
from .backend import Pool, engine
from .decode import Decoder
from .encode import ANALYSES, Encoding, language
from .facts import Facts
from .graph import EClass, Firing, PhaseReport, SaturatedGraph
from .pattern import CompiledRule, compile_rule
from .rulebook import Limits, Phase, Rule, Strategy

__all__ = ["Saturation", "egglog_text", "saturate"]


def saturate(program: Program, arch: Arch, strategy: Strategy) -> SaturatedGraph:
    """All schedules of the program that the strategy's rules reach.

    The graph's `firings` are read only when somebody asks: saturation is repeated for them, which gives
    the same graph again and keeps them out of the way of everyday compiles.

    Raises RULE020 (with the rule and its YAML line) when a rule equates terms that differ in cover, reads
    or writes, and everything that compiling the rules raises.
    """
    root, classes, _, phases, seconds = _run(program, arch, strategy, False)
    again = lambda: _run(program, arch, strategy, True)[2]  # noqa: E731
    return SaturatedGraph(root, classes, again, phases, seconds, strategy.rules)


_Result = tuple[int, tuple[EClass, ...], tuple[Firing, ...], tuple[PhaseReport, ...], Mapping[str, float]]


def _run(program: Program, arch: Arch, strategy: Strategy, provenance: bool) -> _Result:
    started = time.perf_counter()
    run = Saturation(program, arch, strategy.limits, tuple(strategy.rules.values()))
    ready = time.perf_counter()
    phases = tuple(run.phase(p) for p in strategy.phases)
    done = time.perf_counter()
    root, classes, firings = run.decode(provenance)
    run.close()
    seconds = {"setup": ready - started, "run": done - ready, "decode": time.perf_counter() - done}
    return root, classes, firings, phases, seconds


def egglog_text(program: Program, arch: Arch, strategy: Strategy) -> str:
    """The complete egglog program of a saturation, to read or to run with egglog itself."""
    run = Saturation(program, arch, strategy.limits, tuple(strategy.rules.values()), start=False)
    lines = [*run.sources, run.setup]
    for p in strategy.phases:
        lines.append(f"; phase {p.name}: at most {p.rounds} rounds, {p.nodes} nodes")
        lines.append(_combine(p.name, [run.compiled[r.path] for r in p.rules]))
        lines.append(f"(run-schedule (repeat {p.rounds} {_round(p.name)}) {_ANALYSE})")
    return "\n".join(lines) + "\n"


_ANALYSE = "(saturate (run analysis))"
_POOL = Pool()
_language = cache(language)
_compiled = lru_cache(maxsize=1024)(compile_rule)


def _round(phase: str) -> str:
    return f"(seq {_ANALYSE} (run phase:{phase}))"


def _combine(phase: str, rules: Sequence[CompiledRule]) -> str:
    return f"(unstable-combined-ruleset phase:{phase} {' '.join(r.ruleset for r in rules)})"


class Saturation:
    """One e-graph with compiled rules. Methods run rules on it; `decode` reads it."""

    def __init__(
        self,
        program: Program,
        arch: Arch,
        limits: Limits,
        rules: Sequence[Rule],
        *,
        compiled: Sequence[CompiledRule] = (),
        start: bool = True,
    ) -> None:
        self.facts = Facts(program, arch, limits)
        self.encoding = Encoding(program, self.facts)
        all_rules = compiled or [_compiled(r) for r in rules]
        self.compiled: Mapping[str, CompiledRule] = {c.rule.path: c for c in all_rules}
        self.sources = (_language(), *(c.text for c in self.compiled.values()))
        self.setup = self.encoding.setup()
        self.history: list[tuple[str, ...]] = []  # rules of every round so far
        self.phases: set[str] = set()
        if start:
            self.egraph = self._fresh()

    def _fresh(self) -> Any:
        egraph = _POOL.borrow(self.sources)
        self._do(egraph, self.setup)
        return egraph

    def close(self) -> None:
        """Hand the e-graph back; nothing may be done with it afterwards."""
        _POOL.give_back(self.sources, self.egraph)
        del self.egraph

    def _do(self, egraph: Any, text: str) -> list[Any]:
        return list(egraph.run_program(*egraph.parse_program(text)))

    def phase(self, phase: Phase) -> PhaseReport:
        """Run a phase until nothing changes or a limit is hit."""
        if phase.name not in self.phases:
            self.phases.add(phase.name)
            self._do(self.egraph, _combine(phase.name, [self.compiled[r.path] for r in phase.rules]))
        fired: dict[str, int] = {}
        stopped = f"stopped after {phase.rounds} rounds"
        rounds = nodes = 0
        while rounds < phase.rounds:
            rounds += 1
            changed, nodes = self._round(phase, fired)
            if not changed:
                stopped = "saturated"
                break
            if nodes > phase.nodes:
                stopped = f"stopped at {nodes} nodes (limit {phase.nodes})"
                break
        self._analyse(phase)
        return PhaseReport(phase.name, rounds, nodes, stopped, dict(sorted(fired.items())))

    def _round(self, phase: Phase, fired: dict[str, int]) -> tuple[bool, int]:
        text = f"(run-schedule {_ANALYSE}) (run-schedule (run phase:{phase.name})) (print-size)"
        try:
            outputs = self._do(self.egraph, text)
        except engine().EggSmolError as error:
            self._blame(phase, error)
        self.history.append(tuple(r.path for r in phase.rules))
        report = outputs[1].report
        for name, count in report.num_matches_per_rule.items():
            if count:
                fired[name] = fired.get(name, 0) + count
        sizes = dict(outputs[2].sizes)
        return report.updated, sum(n for head, n in sizes.items() if head in self._heads)

    _heads = frozenset(("seq", "then", "loop", "par", "pipe", "let", "acc", "exec", "when", "skip", "comm"))

    def _analyse(self, phase: Phase) -> None:
        try:
            self._do(self.egraph, f"(run-schedule {_ANALYSE})")
        except engine().EggSmolError as error:
            self._blame(phase, error)

    def _blame(self, phase: Phase, error: Exception) -> NoReturn:
        """Raise RULE020 for every rule whose own firing broke an invariant, or `error` if none was broken."""
        if _broken(error) is None:
            raise error
        guilty: dict[str, str] = {}
        rounds = [*self.history, tuple(r.path for r in phase.rules)]
        while (found := self._first_wrong(rounds, guilty, phase.nodes)) is not None:
            guilty[found[0]] = found[1]
        if not guilty:
            what = _MEANING[_broken(error) or "cover"]
            fail("RULE020", f"the rules of phase {phase.name} together equate terms of different {what}")
        raise TilesatError(*(_wrong(self.compiled[r].rule, _MEANING[guilty[r]]) for r in guilty))

    def _first_wrong(
        self, rounds: Sequence[Sequence[str]], excused: Mapping[str, str], nodes: int
    ) -> tuple[str, str] | None:
        """The first rule, without the `excused`, after which class data disagree, and which data.

        Rules run one at a time and data are worked out after each: before a rule runs all classes agree, so
        what disagrees after it is what it united. (Were two rules to run in between, the data of the
        first one's new terms would only be missed when the second one runs.)
        """
        egraph = self._fresh()
        self._do(egraph, f"(run-schedule {_ANALYSE})")
        for names in rounds:
            for name in (n for n in names if n not in excused):
                try:
                    self._do(egraph, f"(run-schedule (run {self.compiled[name].ruleset}) {_ANALYSE})")
                except engine().EggSmolError as error:
                    if broken := _broken(error):
                        return name, broken
                    raise
            sizes = dict(self._do(egraph, "(print-size)")[0].sizes)
            if sum(n for head, n in sizes.items() if head in self._heads) > nodes:
                break
        _POOL.give_back(self.sources, egraph)
        return None

    def decode(self, provenance: bool = False) -> tuple[int, tuple[EClass, ...], tuple[Firing, ...]]:
        """Root class, classes, and with `provenance` the firings."""
        return Decoder(self.egraph, self.encoding, self.compiled).read(provenance)


_MEANING = {
    "cover": "cover (positions run through)",
    "reads": "reads (what is fetched, from where)",
    "writes": "writes (what is stored, where to)",
    "sources": "dependences (stores)",
    "sinks": "dependences (loads)",
}


def _broken(error: Exception) -> str | None:
    """The class data that an error of egglog is about."""
    return next((f for f in ANALYSES if f"function {f}" in str(error)), None)


def _wrong(rule: Rule, what: str) -> Diagnostic:
    return Diagnostic(
        "RULE020",
        f"rule {rule.path} equates terms of different {what}",
        rule.rewrite.at(),
        "a guard is missing, or the two sides do not do the same",
    )
