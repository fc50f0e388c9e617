"""How a schedule came about: the rule applications from the plain schedule to the chosen one, with costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .cost import Cost, cost_of
from .diagnostics import Diagnostic, Position, TilesatError, fail
from .rewrite import Step, replay
from .rewrite.apply import canonical, subterm
from .schedule import Expr, show

if TYPE_CHECKING:
    from .compiler import Compilation

__all__ = ["Explanation", "Stage", "check_replay", "explain"]

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Stage:
    """One step: what it put in the place of what; the whole term and its cost after it (None: cannot run)."""

    step: Step
    doc: str
    before: Expr
    after: Expr
    term: Expr
    cost: Cost | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything `tilesat explain` prints."""

    kernel: str
    arch: str
    strategy: str
    plain: Expr
    plain_cost: Cost | None
    stages: Sequence[Stage]
    chosen: Expr
    cost: Cost
    search: Sequence[str]

    def text(self) -> str:
        lines = [f"{self.kernel} on {self.arch}, strategy {self.strategy}", "", "plain schedule"]
        lines += [_indented(self.plain, 2), f"  {_cycles(self.plain_cost)}", ""]
        for number, stage in enumerate(self.stages, 1):
            lines += [*_stage(number, stage), ""]
        lines += ["chosen schedule", _indented(self.chosen, 2), *_costs(self.cost), ""]
        return "\n".join([*lines, "search", *(f"  {line}" for line in self.search)]) + "\n"

    def as_json(self) -> dict[str, Any]:
        def cycles(cost: Cost | None) -> int | None:
            return None if cost is None else round(cost.cycles)

        return {
            "kernel": self.kernel,
            "arch": self.arch,
            "strategy": self.strategy,
            "plain": show(self.plain, _WIDTH),
            "plain_cycles": cycles(self.plain_cost),
            "steps": [
                {
                    "rule": s.step.rule,
                    "path": list(s.step.path),
                    "backwards": s.step.backwards,
                    "before": show(s.before, _WIDTH),
                    "after": show(s.after, _WIDTH),
                    "cycles": cycles(s.cost),
                }
                for s in self.stages
            ],
            "chosen": show(self.chosen, _WIDTH),
            "cost": self.cost.as_json(),
            "search": list(self.search),
        }


def explain(compilation: Compilation) -> Explanation:
    """Derive the chosen schedule of a kernel given as KTIR."""
    plain, rules = compilation.plain, compilation.graph.rules
    axes = tuple(plain.axes)
    term = canonical(plain.body, axes)
    first = term
    stages: list[Stage] = []
    for step in compilation.steps:
        before = subterm(term, step.path)
        term = replay(replace(plain, body=term), [step], rules)
        after = subterm(term, step.path)
        doc = " ".join(rules[step.rule].doc.split())
        stages.append(Stage(step, doc, before, after, term, cost_of(compilation.model, term)))
    return Explanation(
        compilation.name,
        compilation.arch.name,
        compilation.strategy_name,
        first,
        cost_of(compilation.model, first),
        stages,
        term,
        compilation.cost,
        tuple(_search(compilation)),
    )


def check_replay(compilation: Compilation, steps: Sequence[Step], file: str) -> Expr:
    """Apply steps to the plain schedule; they must arrive at the chosen one exactly.

    RULE030: a step does not apply; RULE031: no such rule; EXPL001: they lead elsewhere.
    """
    try:
        term = replay(compilation.plain, steps, compilation.graph.rules)
    except TilesatError as error:
        raise TilesatError(*(_placed(d, file) for d in error.diagnostics)) from None
    chosen = canonical(compilation.program.body, tuple(compilation.plain.axes))
    if term != chosen:
        what = "the steps arrive at another schedule than the one chosen"
        fail(
            "EXPL001",
            what,
            Position(file),
            "they were written for another kernel, arch, strategy or rulebook",
        )
    return term


def _placed(diagnostic: Diagnostic, file: str) -> Diagnostic:
    return replace(diagnostic, position=Position(file)) if diagnostic.position == Position() else diagnostic


def _stage(number: int, stage: Stage) -> list[str]:
    direction = " (backwards)" if stage.step.backwards else ""
    place = ".".join(map(str, stage.step.path)) or "the root"
    return [
        f"{number}. {stage.step.rule}{direction} at {place}: {stage.doc}",
        _marked("- ", stage.before),
        _marked("+ ", stage.after),
        f"   {_cycles(stage.cost)}",
    ]


def _marked(mark: str, term: Expr) -> str:
    return "\n".join(f"   {mark}{line}" for line in show(term, _WIDTH).splitlines())


def _indented(term: Expr, by: int) -> str:
    return "\n".join(" " * by + line for line in show(term, _WIDTH).splitlines())


def _cycles(cost: Cost | None) -> str:
    return "not runnable yet" if cost is None else f"{cost.cycles:,.0f} cycles"


def _costs(cost: Cost) -> list[str]:
    busy = ", ".join(f"{unit} {cycles:,.0f}" for unit, cycles in cost.busy.items())
    live = ", ".join(f"{memory} {size:,.0f} B" for memory, size in cost.live_bytes.items())
    return [
        f"  predicted {cost.cycles:,.0f} cycles; latency {cost.latency:,.0f}, DRAM {cost.dram_cycles:,.0f}",
        f"  busiest core: {busy or 'nothing'}",
        f"  DRAM traffic: {cost.read_bytes:,.0f} B read, {cost.write_bytes:,.0f} B written; buffers: {live}",
    ]


def _search(compilation: Compilation) -> list[str]:
    graph, extraction = compilation.graph, compilation.extraction
    lines = [
        f"phase {p.phase}: {p.rounds} rounds, {p.nodes} nodes, {p.stopped}; "
        + ", ".join(f"{rule} ×{count}" for rule, count in p.fired.items())
        for p in graph.phases
    ]
    cut = f", {extraction.cut} points cut" if extraction.cut else ""
    lines.append(
        f"{graph.node_count} nodes in {len(graph.classes)} classes; "
        f"{extraction.points} schedules that no other beats in every respect{cut}"
    )
    lines += [f"limit hit: {limit}; a better schedule may lie beyond it" for limit in graph.limits_hit]
    return lines if extraction.settled else [*lines, "the extraction stopped before its fronts settled"]
