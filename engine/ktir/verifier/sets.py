"""Points and boxes of integer sets, by interval propagation and enumeration."""

from __future__ import annotations

import itertools
from functools import lru_cache

from ..affine import AffineExpr, Binary, Const, Dim, IntegerSet, Sym, linear_form

__all__ = ["Interval", "box_of", "interval_of", "points_of"]

Interval = tuple[int | None, int | None]  # None: no bound known on that side
_MOST_POINTS = 1 << 16


@lru_cache(maxsize=4096)
def box_of(space: IntegerSet, symbols: tuple[int, ...] = ()) -> tuple[Interval, ...]:
    """The smallest box linear constraints show to hold the set, for given symbol values."""
    bounds: list[list[int | None]] = [[None, None] for _ in range(space.dims)]
    forms = [(linear_form(e), equality) for e, equality in space.constraints]
    for _ in range(space.dims + 1):  # each round may tighten one more dimension
        changed = False
        for form, equality in forms:
            if form is not None:
                changed |= _tighten(bounds, form, symbols)
                if equality:
                    terms, constant = form
                    changed |= _tighten(bounds, ({k: -c for k, c in terms.items()}, -constant), symbols)
        if not changed:
            break
    return tuple((lo, hi) for lo, hi in bounds)


def _tighten(
    bounds: list[list[int | None]], form: tuple[dict[AffineExpr, int], int], symbols: tuple[int, ...]
) -> bool:
    """Use `Σ c·x + k >= 0` to bound each x by the others' extremes."""
    terms, constant = form
    known = constant
    dims: list[tuple[int, int]] = []
    for leaf, c in terms.items():
        if isinstance(leaf, Sym):
            if leaf.index >= len(symbols):
                return False
            known += c * symbols[leaf.index]
        elif isinstance(leaf, Dim):
            dims.append((leaf.index, c))
    changed = False
    for index, c in dims:
        rest: int | None = known
        for other, k in dims:
            if other != index and rest is not None:
                extreme = bounds[other][1 if k > 0 else 0]
                rest = None if extreme is None else rest + k * extreme
        if rest is None:
            continue
        # c·x >= -rest
        if c > 0:
            low = -(rest // c)
            if bounds[index][0] is None or low > bounds[index][0]:  # type: ignore[operator]
                bounds[index][0], changed = low, True
        else:
            high = rest // -c
            if bounds[index][1] is None or high < bounds[index][1]:  # type: ignore[operator]
                bounds[index][1], changed = high, True
    return changed


@lru_cache(maxsize=4096)
def points_of(
    space: IntegerSet, symbols: tuple[int, ...] = (), clip: tuple[int, int] | None = None
) -> tuple[tuple[int, ...], ...] | None:
    """All points in ascending order, clipped to a range in every dimension when given; None: not bounded."""
    if space.syms > len(symbols):
        return None
    ranges: list[range] = []
    count = 1
    for lo, hi in box_of(space, symbols):
        if clip is not None:
            lo = clip[0] if lo is None else max(lo, clip[0])
            hi = clip[1] if hi is None else min(hi, clip[1])
        if lo is None or hi is None:
            return None
        ranges.append(range(lo, hi + 1))
        count *= len(ranges[-1])
        if count > _MOST_POINTS:
            return None
    return tuple(p for p in itertools.product(*ranges) if space.contains(p, symbols))


def interval_of(expr: AffineExpr, dims: list[Interval], syms: list[Interval]) -> Interval:
    """The range of an affine expression over ranges of its leaves."""
    match expr:
        case Const(value):
            return value, value
        case Dim(index):
            return dims[index]
        case Sym(index):
            return syms[index]
        case Binary(op, lhs, rhs):
            a, b = interval_of(lhs, dims, syms), interval_of(rhs, dims, syms)
            return _combine(op, a, b)
    return None, None


def _combine(op: str, a: Interval, b: Interval) -> Interval:
    match op:
        case "+":
            return _plus(a[0], b[0]), _plus(a[1], b[1])
        case "*":
            return multiply(a, b)
        case "floordiv" | "ceildiv" | "mod":
            if b[0] is None or b[0] != b[1] or b[0] <= 0:
                return None, None
            n = b[0]
            if op == "mod":
                inside = a[0] is not None and a[1] is not None and a[0] // n == a[1] // n
                return (a[0] % n, a[1] % n) if inside else (0, n - 1)  # type: ignore[operator]
            round_up = n - 1 if op == "ceildiv" else 0
            return (
                None if a[0] is None else (a[0] + round_up) // n,
                None if a[1] is None else (a[1] + round_up) // n,
            )
    return None, None


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def multiply(a: Interval, b: Interval) -> Interval:
    """Product of two ranges; unknown when a side is unbounded, unless the other is a constant >= 0."""
    if b[0] is not None and b[0] == b[1] and b[0] >= 0:
        c = b[0]
        return (None if a[0] is None else a[0] * c), (None if a[1] is None else a[1] * c)
    if a[0] is not None and a[0] == a[1] and a[0] >= 0:
        return multiply(b, a)
    if None in a or None in b:
        return None, None
    corners = [x * y for x in a for y in b if x is not None and y is not None]
    return min(corners), max(corners)
