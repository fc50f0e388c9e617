"""Loop-carried dependences between accesses of one memory.

Two instances conflict when they touch one address. With both accesses affine in the axes, every view
dimension gives an equation over the distances d = q − p of the common axes and the bounded
contributions of the others; the equations are solved exactly. Anything else is taken to conflict at
any distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from .alias import disjoint
from .index import Index, accesses_of, add, linear, mul, sub
from .program import Access, Carried, Program

__all__ = ["Touched", "carried"]

MOST_SOLUTIONS = 64  # beyond that, an axis is reported as "several distances"
Distances = dict[str, int | None]  # by axis; None: unknown or several


@dataclass(frozen=True, slots=True)
class Touched:
    """A statement and the loop axes around it, outermost first. Statements are given in textual order."""

    stmt: str
    loops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Use:
    access: Access
    writes: bool
    stmt: str
    loops: tuple[str, ...]
    axes: tuple[str, ...]  # loops, then the other axes of the statement's domain
    order: int


def carried(program: Program, stmts: Sequence[Touched], may_alias: bool) -> tuple[Carried, ...]:
    """All dependences between different positions of an axis, without repetition."""
    uses = [use for order, s in enumerate(stmts) for use in _uses(program, s, order)]
    roots = {n for n, t in program.args.items() if t == "index"}
    found: dict[tuple[str, str, str, str], set[int | None]] = {}
    for a, b in combinations_with_replacement(uses, 2):
        if not (a.writes or b.writes) or (a is b and not a.writes):
            continue
        views = program.views[a.access.view], program.views[b.access.view]
        if disjoint(*views, roots, may_alias):
            continue
        for source, sink, distances in _conflicts(program, a, b):
            kind = "output" if source.writes and sink.writes else "flow" if source.writes else "anti"
            for axis, d in distances.items():
                if d != 0:
                    found.setdefault((source.stmt, sink.stmt, axis, kind), set()).add(d)
    return tuple(
        Carried(*key[:3], next(iter(d)) if len(d) == 1 else None, key[3]) for key, d in found.items()
    )


def _uses(program: Program, s: Touched, order: int) -> Iterator[_Use]:
    stmt = program.stmts[s.stmt]
    axes = (*s.loops, *(a for a in program.domains[s.stmt] if a not in s.loops))
    reads = list(stmt.loads)
    for access in (*stmt.loads, *stmt.stores):
        for e in program.accesses[access].at:
            reads += accesses_of(e)
    for access in dict.fromkeys(reads):
        yield _Use(program.accesses[access], False, s.stmt, s.loops, axes, order)
    for access in stmt.stores:
        yield _Use(program.accesses[access], True, s.stmt, s.loops, axes, order)


def _conflicts(program: Program, a: _Use, b: _Use) -> Iterator[tuple[_Use, _Use, Distances]]:
    """(source, sink, distance by axis): the source's instance runs first. `a` is textually first."""
    common = _common(a, b)
    loops = [x for x in common if x in a.loops]
    for d in _solutions(program, a, b, common):
        first = next((d[x] for x in loops if d[x] != 0), 0)
        backwards = {x: None if v is None else -v for x, v in d.items()}
        if first is None:  # either may come first
            yield a, b, d
            if a is not b:
                yield b, a, backwards
        elif first < 0:
            yield b, a, backwards
        else:
            yield a, b, d


def _common(a: _Use, b: _Use) -> tuple[str, ...]:
    n = 0
    while n < min(len(a.loops), len(b.loops)) and a.loops[n] == b.loops[n]:
        n += 1
    shared = a.loops[:n]
    rest = tuple(x for x in a.axes if x in b.axes and x not in a.loops and x not in b.loops)
    return (*shared, *rest)


def _solutions(program: Program, a: _Use, b: _Use, common: tuple[str, ...]) -> list[Distances]:
    reach = {x: _reach(program, x) for x in common}
    equations = _equations(program, a, b, common)
    if equations is None:
        return [dict.fromkeys(common, None)] if common else []
    used = {x for e in equations for x in e.factors}
    # An axis in no equation is unconstrained: the same address is touched at every position.
    free: Distances = {x: 0 if reach[x] == 0 else None for x in common if x not in used}
    solved = [*_solve(equations, {}, reach)]
    if len(solved) > MOST_SOLUTIONS:
        solved = [{x: _only({s.get(x) for s in solved}) for x in used}]
    return [{x: {**free, **s}.get(x) for x in common} for s in solved]


def _only(values: set[int | None]) -> int | None:
    return next(iter(values)) if len(values) == 1 else None


def _reach(program: Program, axis: str) -> int | None:
    trips = program.axes[axis].trips
    return max(trips - 1, 0) if isinstance(trips, int) else None


@dataclass(frozen=True, slots=True)
class _Equation:
    """Σ factors[x]·d[x] lies in [low, high] (both None: unbounded), in steps of `step` from `low`."""

    factors: dict[str, int]
    low: int | None
    high: int | None
    step: int


def _equations(program: Program, a: _Use, b: _Use, common: tuple[str, ...]) -> list[_Equation] | None:
    """One equation per dimension, or one for the address; None when not affine with known constants."""
    view_a, view_b = program.views[a.access.view], program.views[b.access.view]
    same = (view_a.base, view_a.shape, view_a.strides) == (view_b.base, view_b.shape, view_b.strides)
    pairs: list[tuple[Index, Index]] = [*zip(a.access.at, b.access.at, strict=False)]
    if not same:
        if view_a.dtype != view_b.dtype:
            return None
        pairs = [(_address(view_a.base, view_a.strides, a), _address(view_b.base, view_b.strides, b))]
    found = []
    for at_a, at_b in pairs:
        equation = _equation(program, at_a, at_b, common)
        if equation is None:
            return None
        found.append(equation)
    return found


def _address(base: Index, strides: Sequence[Index], use: _Use) -> Index:
    return add(base, *(mul(s, c) for s, c in zip(strides, use.access.at, strict=True)))


def _equation(program: Program, at_a: Index, at_b: Index, common: tuple[str, ...]) -> _Equation | None:
    (terms_a, const_a), (terms_b, const_b) = linear(at_a), linear(at_b)
    axes = program.axes
    if any(program.index_axes(leaf) for t in (terms_a, terms_b) for leaf in t if leaf not in axes):
        return None  # not affine in some axis
    rest_a = {x: c for x, c in terms_a.items() if x not in axes}
    rest_b = {x: c for x, c in terms_b.items() if x not in axes}
    offset_a, positions_a = _positions(program, terms_a)
    offset_b, positions_b = _positions(program, terms_b)
    gap = sub(
        add(offset_a, const_a, *(mul(c, x) for x, c in rest_a.items())),
        add(offset_b, const_b, *(mul(c, x) for x, c in rest_b.items())),
    )
    if not isinstance(gap, int):
        return None
    factors: dict[str, int] = {}
    low: int | None = gap
    high: int | None = gap
    step = 0
    for x in dict.fromkeys((*positions_a, *positions_b)):
        ca, cb = positions_a.get(x, 0), positions_b.get(x, 0)
        if x in common and ca == cb:
            factors[str(x)] = cb
            continue
        # Positions that are not tied together: ca·p − cb·q moves to the right-hand side.
        reach = _reach(program, str(x))
        for c in (ca, -cb):
            if c:
                step = _gcd(step, abs(c))
                low = None if low is None or reach is None else low + min(0, c * reach)
                high = None if high is None or reach is None else high + max(0, c * reach)
        if x in common:
            factors.setdefault(str(x), 0)
    return _Equation(factors, low, high, step)


def _positions(program: Program, terms: dict[Index, int]) -> tuple[Index, dict[Index, int]]:
    """Axis values as lo + step·position: the sum of the lo parts, and coefficients of positions."""
    lows: list[Index] = [0]
    positions: dict[Index, int] = {}
    for x, c in terms.items():
        axis = program.axes.get(x) if isinstance(x, str) else None
        if axis is not None:
            lows.append(mul(c, axis.lo))
            positions[axis.name] = c * axis.step
    return add(*lows), positions


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _solve(equations: list[_Equation], known: Distances, reach: dict[str, int | None]) -> Iterator[Distances]:
    """All distances that satisfy the equations, up to a bound in number; None for undetermined axes."""
    open_axes: list[tuple[int, str, int, int]] = []
    for e in equations:
        left = {x: c for x, c in e.factors.items() if c and x not in known}
        fixed = sum(c * d for x, c in e.factors.items() if c and (d := known.get(x)) is not None)
        if any(c and x in known and known[x] is None for x, c in e.factors.items()):
            continue
        low = None if e.low is None else e.low - fixed
        high = None if e.high is None else e.high - fixed
        if not left:
            if _reaches(e, fixed):
                continue
            return
        best = _narrowest(left, low, high, reach)
        if best is not None:
            open_axes.append(best)
    if not open_axes:
        undetermined = {x for e in equations for x in e.factors if x not in known}
        yield {**known, **dict.fromkeys(sorted(undetermined), None)}
        return
    _, axis, first, last = min(open_axes)
    if last - first > 4 * MOST_SOLUTIONS:
        yield from _solve(equations, {**known, axis: None}, reach)
        return
    for d in range(first, last + 1):
        yield from _solve(equations, {**known, axis: d}, reach)


def _reaches(e: _Equation, value: int) -> bool:
    """Can the right-hand side take this value?"""
    if e.low is None or e.high is None:
        return True
    return e.low <= value <= e.high and (e.step == 0 or (value - e.low) % e.step == 0)


def _narrowest(
    left: dict[str, int], low: int | None, high: int | None, reach: dict[str, int | None]
) -> tuple[int, str, int, int] | None:
    """(range size, axis, first, last) of the axis with the largest coefficient; None when unbounded."""
    axis = max(sorted(left), key=lambda x: abs(left[x]))
    c, limit = left[axis], reach[axis]
    lows, highs = low, high
    for x, factor in left.items():
        if x != axis:
            far = reach[x]
            lows = None if lows is None or far is None else lows - abs(factor) * far
            highs = None if highs is None or far is None else highs + abs(factor) * far
    ends: tuple[int | None, int | None] = (None, None)
    if lows is not None and highs is not None:
        a, b = (lows, highs) if c > 0 else (-highs, -lows)
        ends = -(-a // abs(c)), b // abs(c)
    first, last = ends
    if limit is not None:
        first = -limit if first is None else max(first, -limit)
        last = limit if last is None else min(last, limit)
    if first is None or last is None:
        return None
    return last - first, axis, first, last
