"""Affine text: what is parsed means what it says, whatever the spelling; canonical forms are unique."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from tilesat.ktir.affine import AffineExpr, Binary, Const, Dim, Sym
from tilesat.ktir.affine_text import AffineSyntaxError, canonical, format_expr, parse_map, parse_set
from tilesat.ktir.verifier.sets import box_of, interval_of, points_of

LEAVES = st.one_of(
    st.builds(Dim, st.integers(0, 2)), st.builds(Sym, st.integers(0, 1)), st.builds(Const, st.integers(-9, 9))
)


def grow(inner: st.SearchStrategy[AffineExpr]) -> st.SearchStrategy[AffineExpr]:
    constant = st.builds(Const, st.integers(-5, 5))
    divisor = st.builds(Const, st.integers(1, 7))
    return st.one_of(
        st.builds(Binary, st.just("+"), inner, inner),
        st.builds(Binary, st.just("*"), inner, constant),
        st.builds(Binary, st.sampled_from(["floordiv", "ceildiv", "mod"]), inner, divisor),
    )


EXPRESSIONS = st.recursive(LEAVES, grow, max_leaves=12)
POINTS = st.tuples(*[st.integers(-20, 20)] * 5)


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS, POINTS)
def test_text_round_trip_keeps_the_function(expr: AffineExpr, point: tuple[int, ...]) -> None:
    dims, syms = point[:3], point[3:]
    wanted = expr.eval(dims, syms)
    assert canonical(expr).eval(dims, syms) == wanted
    parsed = parse_map(f"(d0, d1, d2)[s0, s1] -> ({expr})").results[0]
    assert parsed.eval(dims, syms) == wanted
    assert parsed == canonical(parsed)
    named = canonical(expr)
    if not any(isinstance(e, Sym) for e in _leaves(named)):
        text = format_expr(named, ["a", "b", "c"])
        assert parse_map(f"(a, b, c) -> ({text})").results[0].eval(dims) == wanted


def _leaves(expr: AffineExpr) -> list[AffineExpr]:
    return _leaves(expr.lhs) + _leaves(expr.rhs) if isinstance(expr, Binary) else [expr]


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS, st.tuples(*[st.tuples(st.integers(-6, 6), st.integers(0, 4))] * 5))
def test_intervals_hold_all_values(expr: AffineExpr, boxes: tuple[tuple[int, int], ...]) -> None:
    ranges = [(lo, lo + n) for lo, n in boxes]
    lo, hi = interval_of(expr, list(ranges[:3]), list(ranges[3:]))
    for corner in range(1 << 5):
        point = [r[corner >> k & 1] for k, r in enumerate(ranges)]
        value = expr.eval(point[:3], point[3:])
        assert (lo is None or lo <= value) and (hi is None or value <= hi)


def test_spellings_of_one_set_are_equal() -> None:
    texts = ["(i)[g] : (i - 4*g >= 0, 4*g + 3 - i >= 0)", "(a)[b] : (-(4 * b) + a >= 0, 3 >= a - b * 4)"]
    assert parse_set(texts[0]) == parse_set(texts[1])
    assert parse_set("() : ()") == parse_set("() : (0 == 0)")


def test_points_and_boxes() -> None:
    group = parse_set("(i)[g] : (i - 4*g >= 0, 4*g + 3 - i >= 0)")
    assert points_of(group, (2,)) == ((8,), (9,), (10,), (11,))
    triangle = parse_set("(a, b) : (a >= 0, 3 - a >= 0, b >= 0, a - b >= 0)")
    assert box_of(triangle) == ((0, 3), (0, 3)) and len(points_of(triangle) or ()) == 10
    strided = parse_set("(a) : (a >= 0, 9 - a >= 0, a mod 3 == 0)")
    assert points_of(strided) == ((0,), (3,), (6,), (9,))
    assert points_of(parse_set("(a) : (a >= 0)")) is None
    assert points_of(parse_set("(a) : (a >= 0)"), (), (0, 2)) == ((0,), (1,), (2,))


@pytest.mark.parametrize(
    ("text", "offset"),
    [("(a, a) -> (a)", 4), ("(a) -> (b)", 8), ("(a) -> (a + )", 12), ("(a) -> (a", 9),
     ("(a) -> (a floordiv 0)", 10),
     ("(a, b) -> (a * b)", 13), ("(a) -> (a) x", 11), ("(a -> (a)", 3), ("(a) -> (a ; 2)", 10)],
)  # fmt: skip
def test_faults(text: str, offset: int) -> None:
    with pytest.raises(AffineSyntaxError) as caught:
        parse_map(text)
    assert caught.value.offset == offset
