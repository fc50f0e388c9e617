"""The saturated e-graph as plain Python data: what the rule engine hands to cost and extraction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..schedule.sexpr import Expr, Term
from .language import FIELDS, Kind
from .rulebook import Rule

__all__ = ["EClass", "ENode", "Firing", "PhaseReport", "SaturatedGraph", "node_term"]

Box = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ENode:
    """One way to build its class.

    `args` follows `language.FIELDS[head]`: a term is a class number (int), a box is
    `((axis, extent), …)` in the program's order, moves are `((access, from, to), …)` sorted, trips are an
    int or a run-time expression, the rest are strings and ints.
    """

    head: str
    args: tuple[Any, ...]

    @property
    def children(self) -> tuple[int, ...]:
        """Class numbers of the sub-terms, in order."""
        fields = FIELDS[self.head]
        return tuple(a for a, (_, kind) in zip(self.args, fields, strict=True) if kind is Kind.TERM)


@dataclass(frozen=True, slots=True)
class EClass:
    """Terms that mean the same; `cover`, `reads`, `writes` hold for all of them (docs/scheduleir.md §2).

    An extent in `cover` is an int, or None when a run-time trip count is in it. `reads` and `writes` are
    sorted (operand, memory) pairs; memory `home` is resolved to the operand's home. `origin`: number of
    the e-class this is a copy of; below `par g` classes are copied without their own `par g`, so that no
    term of the graph distributes over a group twice. Firings speak of origins.
    """

    nodes: tuple[ENode, ...]
    cover: Mapping[str, int | None]
    reads: tuple[tuple[str, str], ...]
    writes: tuple[tuple[str, str], ...]
    origin: int = 0


@dataclass(frozen=True, slots=True)
class Firing:
    """Rule `rule` equated its two sides under `subst` (variable name without `?` → value).

    Values: an origin for a term variable, otherwise as in `ENode.args`; a splice holds the rest of
    the box or moves. `target` is the origin both sides belong to.
    """

    rule: str
    target: int
    subst: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """What one phase of a strategy did. `stopped` is "saturated", or the limit that was hit."""

    phase: str
    rounds: int
    nodes: int
    stopped: str
    fired: Mapping[str, int]  # rule → matches


@dataclass(frozen=True)
class SaturatedGraph:
    """Classes are numbered from 0 in a reproducible order; `root` is the class of the program's body."""

    root: int
    classes: tuple[EClass, ...]
    find_firings: Callable[[], tuple[Firing, ...]] = field(default=tuple, compare=False)
    phases: tuple[PhaseReport, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)  # step → time, for profiling
    rules: Mapping[str, Rule] = field(default_factory=dict, compare=False)  # that could fire, by path

    @cached_property
    def firings(self) -> tuple[Firing, ...]:
        """Every application of a rule, in a reproducible order."""
        return self.find_firings()

    @property
    def node_count(self) -> int:
        return sum(len(c.nodes) for c in self.classes)

    @property
    def limits_hit(self) -> tuple[str, ...]:
        """One sentence per phase that was stopped by a limit."""
        return tuple(f"phase {p.phase}: {p.stopped}" for p in self.phases if p.stopped != "saturated")


def node_term(node: ENode, children: tuple[Expr, ...]) -> Expr:
    """The term that a node and terms for its children make."""
    fresh = iter(children)
    args: list[Expr] = []
    for value, (role, kind) in zip(node.args, FIELDS[node.head], strict=True):
        match kind:
            case Kind.TERM:
                args.append(next(fresh))
            case Kind.BOX:
                args.append(Term("box", tuple(Term(axis, (n,)) for axis, n in value)))
            case Kind.MOVES:
                args.append(Term(role, tuple(Term("move", move) for move in value)))
            case Kind.ITEMS:
                args.extend(value)
            case _:
                args.append(value)
    return Term(node.head, tuple(args)) if args else node.head if node.head == "skip" else Term(node.head)
