"""What the guards of a rule may ask: facts about program and architecture, and predicates on terms.

A *fact* is a relation that `facts.py` fills for one program and one arch; a variable that is not yet
bound takes every value for which the fact holds. A *predicate* is computed from what the e-graph knows
of a term (`cover`, `reads`, `writes`, …). `rules check` knows nothing but this table.
"""

from __future__ import annotations

from dataclasses import dataclass

from .language import Kind

__all__ = ["ARITHMETIC", "COMPARISONS", "FACTS", "PREDICATES", "Fact", "Predicate"]


@dataclass(frozen=True, slots=True)
class Fact:
    """`args`: (role, kind)."""

    name: str
    args: tuple[tuple[str, Kind], ...]
    doc: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """`binds`: roles the predicate computes. `text`: egglog facts over the arguments' roles; `role.from`
    and `role.to` are the two columns of a set of moves, any other `role.x` is a local name."""

    name: str
    args: tuple[tuple[str, Kind], ...]
    doc: str
    text: str
    binds: tuple[str, ...] = ()


A, S, M, G, X, N, B, V, T = (
    Kind.AXIS,
    Kind.STMT,
    Kind.MEMORY,
    Kind.GROUP,
    Kind.ACCESS,
    Kind.INT,
    Kind.BOX,
    Kind.MOVES,
    Kind.TERM,
)

_FACTS = (
    Fact(
        "stage-moves",
        (("s", S), ("m", M), ("e", M), ("ins", V), ("outs", V)),
        "What statement s at level m moves in and out when it goes straight to compute operand level e, "
        "more than one hop away.",
    ),
    Fact(
        "feed-moves",
        (("s", S), ("m", M), ("e", M), ("ins", V), ("outs", V)),
        "As stage-moves, when e is one hop away for every operand of s at m.",
    ),
    Fact("far", (("s", S), ("m", M)), "Statement s at level m is more than one hop from compute."),
    Fact("near", (("s", S), ("m", M)), "Statement s at level m is one hop from compute."),
    Fact(
        "first-hop",
        (("ins", V), ("e", M), ("outs", V), ("k", M), ("ins1", V), ("outs1", V)),
        "Moves that go to level e and back over more than one hop begin with ins1 to level k and end with "
        "outs1 from k; k is nearer to e.",
    ),
    Fact("factor", (("a", A), ("n", N), ("f", N)), "n positions of axis a split exactly into tiles of f."),
    Fact(
        "halve",
        (("a", A), ("n", N), ("f", N)),
        "f is the largest useful tile of n positions of axis a: n over its smallest useful prime.",
    ),
    Fact(
        "ragged",
        (("a", A), ("n", N), ("k", N)),
        "k < n is the largest multiple of the vector length along a; no useful tile divides n.",
    ),
    Fact(
        "step",
        (("s", S), ("a", A), ("v", N)),
        "One compute step of s takes at most v positions of axis a: the vector's lanes on the lane axis, 1 "
        "on others.",
    ),
    Fact("one-step", (("s", S), ("b", B)), "Box b is at most one compute step of s."),
    Fact("splittable", (("s", S), ("a", A)), "A box of s may be cut along a: a is not reduced inside s."),
    Fact(
        "order-distance",
        (("s", S), ("m", M), ("a", A), ("n", N)),
        "At level m, s on up to n neighbouring positions of a gives the same in one box as in ascending "
        "order. Copies at m are separate per access, so only operands at home depend on each other.",
    ),
    Fact(
        "any-distance",
        (("s", S), ("m", M), ("a", A), ("n", N)),
        "At level m, s on up to n neighbouring positions of a gives the same in any order.",
    ),
    Fact(
        "overflows",
        (("s", S), ("b", B), ("m", M)),
        "The copies that s over box b at level m needs one level on do not fit there even without overlap.",
    ),
    Fact("addressable", (("m", M),), "Memory m can be read at any address, any number of times."),
    Fact("invariant", (("x", X), ("a", A)), "Access x touches the same elements at every position of a."),
    Fact(
        "ways",
        (("g", G), ("w", N)),
        "Group g, inside one compute tile, has instances of which w can share work equally.",
    ),
    Fact("loop-limit", (("n", N),), "A hardware loop counts to at most n."),
    Fact("depth-limit", (("n", N),), "The strategy allows up to n buffers per moved tile."),
)

_PREDICATES = (
    Predicate("constant", (("n", Kind.TRIPS),), "The trip count is known at compile time.", "(>= n 0)"),
    Predicate(
        "buffered",
        (("ins", V), ("outs", V)),
        "All moves of both sets are between addressable memories: what they bring is kept in buffers, not in "
        "a unit's queues.",
        "(= ins.queued (queued)) (= 0 (set-length (set-intersect (set-union ins.to outs.from) ins.queued)))",
    ),
    Predicate(
        "prefetchable",
        (("moves", V),),
        "What the moves fetch is not stored earlier in the same run, so they may run ahead of everything.",
        "(= moves.written (written-before)) (= 0 (set-length (set-intersect moves.from moves.written)))",
    ),
    Predicate(
        "no-flow",
        (("t", T), ("a", A)),
        "No position of a in t uses, or overwrites, what an earlier position of a stored.",
        "(= t.out (sources t)) (= t.in (sinks t)) (= t.deps (ordered-along a)) "
        "(= 0 (set-length (set-intersect (set-intersect t.out t.in) t.deps)))",
    ),
    Predicate(
        "independent",
        (("t", T), ("a", A)),
        "The positions of a in t may run in any order.",
        "(= t.out (sources t)) (= t.in (sinks t)) (= t.deps (dependent-along a)) "
        "(= 0 (set-length (set-intersect (set-intersect t.out t.in) t.deps)))",
    ),
    Predicate(
        "not-written",
        (("x", X), ("m", M), ("t", T)),
        "Term t stores nothing into the part of memory m that access x is moved from.",
        "(= t.w (writes t)) (= x.rivals (rivals x m)) (= 0 (set-length (set-intersect t.w x.rivals)))",
    ),
    Predicate(
        "inside",
        (("g", G), ("t", T)),
        "All of t's operands lie at a level from which everything down to compute belongs to one instance "
        "of group g.",
        "(= t.r (reads t)) (= t.w (writes t)) (= g.level (level-of g)) "
        "(= 0 (set-length (set-diff (set-union t.r t.w) g.level)))",
    ),
    Predicate(
        "undistributed",
        (("g", G), ("t", T)),
        "Term t is not distributed over group g already.",
        "(= t.groups (groups t)) (set-not-contains t.groups g)",
    ),
)

FACTS: dict[str, Fact] = {f.name: f for f in _FACTS}
PREDICATES: dict[str, Predicate] = {p.name: p for p in _PREDICATES}
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
ARITHMETIC = ("+", "-", "*", "/", "%", "min", "max")
