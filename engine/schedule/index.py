"""Integer expressions of ScheduleIR: coordinates, trip counts, base addresses, conditions.

An `Index` is an int, a name, or a `Term`: `+ - * floordiv ceildiv mod min max`, comparisons
`eq ne lt le` and `and or not` (1 or 0), `(select c a b)`, and `(ind ACCESS)`, an index element read
from memory. Constructors (`add`, `mul`, …) return a canonical form: a linear combination over
*leaves* (names and non-linear terms) in sorted order, constant last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from .sexpr import Expr, Term, show

__all__ = [
    "FUNCTIONS",
    "Bounds",
    "Index",
    "Linear",
    "accesses_of",
    "add",
    "bounds",
    "call",
    "evaluate",
    "linear",
    "mul",
    "names",
    "sub",
    "substitute",
]

Index = Expr
Linear = tuple[dict[Index, int], int]  # coefficient by leaf, constant
Bounds = tuple[int | None, int | None]  # inclusive; None is unbounded


def _reduce(f: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def many(*xs: Any) -> Any:
        result = xs[0]
        for x in xs[1:]:
            result = f(result, x)
        return result

    return many


def _int(x: Any) -> Any:
    return x.astype(np.int64) if isinstance(x, np.ndarray) else int(x)


_minimum = _reduce(lambda a, b: np.minimum(a, b) if _arrays(a, b) else min(a, b))
_maximum = _reduce(lambda a, b: np.maximum(a, b) if _arrays(a, b) else max(a, b))


def _arrays(*xs: Any) -> bool:
    return any(isinstance(x, np.ndarray) for x in xs)


FUNCTIONS: dict[str, tuple[int, int | None, Callable[..., Any]]] = {
    # name: (fewest arguments, most arguments, meaning on ints and int64 arrays)
    "+": (1, None, _reduce(lambda a, b: a + b)),
    "-": (2, 2, lambda a, b: a - b),
    "*": (1, None, _reduce(lambda a, b: a * b)),
    "floordiv": (2, 2, lambda a, b: a // b),
    "ceildiv": (2, 2, lambda a, b: -((-a) // b)),
    "mod": (2, 2, lambda a, b: a % b),
    "min": (1, None, _minimum),
    "max": (1, None, _maximum),
    "eq": (2, 2, lambda a, b: _int(a == b)),
    "ne": (2, 2, lambda a, b: _int(a != b)),
    "lt": (2, 2, lambda a, b: _int(a < b)),
    "le": (2, 2, lambda a, b: _int(a <= b)),
    "and": (1, None, lambda *xs: _int(_reduce(lambda a, b: (a != 0) & (b != 0))(*xs, 1))),
    "or": (1, None, lambda *xs: _int(_reduce(lambda a, b: (a != 0) | (b != 0))(*xs, 0))),
    "not": (1, 1, lambda a: _int(a == 0)),
    "select": (3, 3, lambda c, a, b: np.where(c != 0, a, b) if _arrays(c, a, b) else (a if c else b)),
}


def evaluate(e: Index, env: Mapping[str, Any], ind: Callable[[str], Any] | None = None) -> Any:
    """Value of `e`; names are ints or int64 arrays that broadcast. `ind` reads an index access.

    Raises KeyError for an unbound name, ZeroDivisionError for a division by zero.
    """
    if isinstance(e, int):
        return e
    if isinstance(e, str):
        return env[e]
    assert isinstance(e, Term), e
    if e.head == "ind":
        assert ind is not None, "an index access needs memory"
        return ind(str(e.args[0]))
    return FUNCTIONS[e.head][2](*[evaluate(a, env, ind) for a in e.args])


@lru_cache(maxsize=65536)
def names(e: Index) -> frozenset[str]:
    """All names in `e`; an index access contributes none here (see `accesses_of`)."""
    if isinstance(e, str):
        return frozenset((e,))
    if isinstance(e, Term) and e.head != "ind":
        return frozenset().union(*map(names, e.args))
    return frozenset()


def accesses_of(e: Index) -> tuple[str, ...]:
    """Index accesses that `e` reads, in order."""
    if not isinstance(e, Term):
        return ()
    return tuple(str(t.args[0]) for t in e.walk() if t.head == "ind")


@lru_cache(maxsize=65536)
def _linear(e: Index) -> tuple[tuple[tuple[Index, int], ...], int]:
    terms, const = _linear_form(e)
    return tuple(terms.items()), const


def linear(e: Index) -> Linear:
    """`e` as Σ coefficient·leaf + constant. Leaves are names and terms that are not linear."""
    terms, const = _linear(e)
    return dict(terms), const


def _linear_form(e: Index) -> Linear:
    if isinstance(e, int):
        return {}, e
    if not isinstance(e, Term):
        return {e: 1}, 0
    if e.head in ("+", "-"):
        total: dict[Index, int] = {}
        const = 0
        for k, a in enumerate(e.args):
            sign = -1 if e.head == "-" and k else 1
            part, c = linear(a)
            const += sign * c
            for leaf, factor in part.items():
                total[leaf] = total.get(leaf, 0) + sign * factor
        return {leaf: c for leaf, c in total.items() if c}, const
    if e.head == "*":
        factor = 1
        varying: list[Linear] = []
        for a in e.args:
            form = linear(a)
            if form[0]:
                varying.append(form)
            else:
                factor *= form[1]
        if not varying or not factor:
            return {}, factor if not varying else 0
        if len(varying) == 1:
            return {leaf: c * factor for leaf, c in varying[0][0].items()}, varying[0][1] * factor
        product = Term("*", tuple(sorted((_build(*form) for form in varying), key=show)))
        return {product: factor}, 0
    return {e: 1}, 0


def _rejoin(terms: dict[Index, int], const: int) -> Linear:
    """c·d·(x floordiv d) + c·(x mod d) is c·x."""
    for leaf, c in terms.items():
        if isinstance(leaf, Term) and leaf.head == "mod" and isinstance(leaf.args[1], int):
            quotient = Term("floordiv", leaf.args)
            if terms.get(quotient) == c * leaf.args[1]:
                rest = {k: v for k, v in terms.items() if k not in (leaf, quotient)}
                whole, offset = linear(leaf.args[0])
                for k, v in whole.items():
                    rest[k] = rest.get(k, 0) + c * v
                return _rejoin({k: v for k, v in rest.items() if v}, const + c * offset)
    return terms, const


def _build(terms: dict[Index, int], const: int) -> Index:
    terms, const = _rejoin(terms, const)
    parts: list[Index] = []
    for leaf in sorted(terms, key=show):
        c = terms[leaf]
        if c == 1:
            parts.append(leaf)
        elif isinstance(leaf, Term) and leaf.head == "*":
            parts.append(Term("*", (c, *leaf.args)))
        else:
            parts.append(Term("*", (c, leaf)))
    if const or not parts:
        parts.append(const)
    return parts[0] if len(parts) == 1 else Term("+", tuple(parts))


def add(*es: Index) -> Index:
    return _build(*_linear_form(Term("+", es)))


def sub(a: Index, b: Index) -> Index:
    return _build(*_linear_form(Term("-", (a, b))))


def mul(*es: Index) -> Index:
    return _build(*_linear_form(Term("*", es)))


def call(head: str, *es: Index, ranges: Mapping[str, Bounds] | None = None) -> Index:
    """`(head es…)` in canonical form; `ranges` bounds names, which lets divisions simplify."""
    if head in ("+", "-", "*"):
        return _build(*_linear_form(Term(head, es)))
    if all(isinstance(e, int) for e in es) and not (head in ("floordiv", "ceildiv", "mod") and es[1] == 0):
        return int(FUNCTIONS[head][2](*es))
    if head in ("floordiv", "mod") and isinstance(es[1], int) and es[1] > 0:
        return _divide(head, es[0], es[1], ranges or {})
    if head in ("min", "max"):
        return _extremum(head, es, ranges or {})
    if head == "ceildiv" and isinstance(es[1], int) and es[1] > 0:
        return call("floordiv", add(es[0], es[1] - 1), es[1], ranges=ranges)
    if head in ("eq", "ne", "lt", "le"):
        low, high = bounds(sub(es[0], es[1]), ranges or {})
        decided = _decide(head, low, high)
        if decided is not None:
            return decided
    return Term(head, es)


def _decide(head: str, low: int | None, high: int | None) -> int | None:
    """Truth of `difference HEAD 0` where it follows from the difference's bounds."""
    match head:
        case "eq" | "ne" if (low is not None and low > 0) or (high is not None and high < 0):
            return int(head == "ne")
        case "eq" | "ne" if low == 0 == high:
            return int(head == "eq")
        case "lt" | "le":
            limit = 0 if head == "le" else -1
            if high is not None and high <= limit:
                return 1
            if low is not None and low > limit:
                return 0
    return None


def _divide(head: str, a: Index, divisor: int, ranges: Mapping[str, Bounds]) -> Index:
    """(q·d + r) by d: multiples of the divisor move out; r within 0…d−1 vanishes."""
    terms, const = linear(a)
    whole = {leaf: c // divisor for leaf, c in terms.items() if c % divisor == 0}
    rest = _build({leaf: c for leaf, c in terms.items() if c % divisor}, const % divisor)
    quotient = _build(whole, const // divisor)
    low, high = bounds(rest, ranges)
    if low is not None and high is not None and low // divisor == high // divisor:
        inner = low // divisor
        return add(quotient, inner) if head == "floordiv" else sub(rest, divisor * inner)
    if head == "mod":
        return Term("mod", (rest, divisor))
    return add(quotient, Term("floordiv", (rest, divisor)))


def _extremum(head: str, es: tuple[Index, ...], ranges: Mapping[str, Bounds]) -> Index:
    kept: list[Index] = []
    for e in es:
        if any(_dominates(head, other, e, ranges) for other in kept):
            continue
        kept = [k for k in kept if not _dominates(head, e, k, ranges)]
        kept.append(e)
    return kept[0] if len(kept) == 1 else Term(head, tuple(kept))


def _dominates(head: str, a: Index, b: Index, ranges: Mapping[str, Bounds]) -> bool:
    """Is `a` always the extremum of the two?"""
    low, high = bounds(sub(a, b), ranges)
    return (high is not None and high <= 0) if head == "min" else (low is not None and low >= 0)


def substitute(e: Index, by: Mapping[str, Index]) -> Index:
    """`e` with names replaced, in canonical form."""
    if isinstance(e, str):
        return by.get(e, e)
    if isinstance(e, Term) and e.head != "ind" and names(e) & by.keys():
        return call(e.head, *[substitute(a, by) for a in e.args])
    return e


def bounds(e: Index, ranges: Mapping[str, Bounds]) -> Bounds:
    """Inclusive bounds of `e` by interval arithmetic on its linear form; unknown names are unbounded."""
    terms, const = linear(e)
    low: int | None = const
    high: int | None = const
    for leaf, c in terms.items():
        a, b = ranges.get(leaf, (None, None)) if isinstance(leaf, str) else _leaf_bounds(leaf, ranges)
        if c < 0:
            a, b = b, a
        low = None if low is None or a is None else low + c * a
        high = None if high is None or b is None else high + c * b
    return low, high


def _leaf_bounds(leaf: Index, ranges: Mapping[str, Bounds]) -> Bounds:
    if not isinstance(leaf, Term) or leaf.head == "ind":
        return None, None
    parts = [bounds(a, ranges) for a in leaf.args]
    lows, highs = [p[0] for p in parts], [p[1] for p in parts]
    match leaf.head:
        case "floordiv" | "mod" if isinstance(leaf.args[1], int) and leaf.args[1] > 0:
            d = leaf.args[1]
            if leaf.head == "floordiv":
                return _div(lows[0], d), _div(highs[0], d)
            bounded = lows[0] is not None and lows[0] >= 0 and highs[0] is not None
            return 0, min(d - 1, highs[0]) if bounded and highs[0] is not None else d - 1
        case "min":
            known = [h for h in highs if h is not None]
            return _all(min, lows), min(known) if known else None
        case "max":
            known = [x for x in lows if x is not None]
            return max(known) if known else None, _all(max, highs)
        case "eq" | "ne" | "lt" | "le" | "and" | "or" | "not":
            return 0, 1
        case "select":
            return _all(min, lows[1:]), _all(max, highs[1:])
        case "*" if all(x is not None and x >= 0 for x in lows):
            product = 1
            for x in lows:
                product *= x or 0
            top: int | None = 1
            for h in highs:
                top = None if top is None or h is None else top * h
            return product, top
    return None, None


def _div(x: int | None, d: int) -> int | None:
    return None if x is None else x // d


def _all(f: Callable[[list[int]], int], xs: list[int | None]) -> int | None:
    known = [x for x in xs if x is not None]
    return f(known) if len(known) == len(xs) else None
