"""Integer expressions: the canonical form and its simplifications never change a value."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tilesat.schedule.index import (
    FUNCTIONS,
    Index,
    add,
    bounds,
    call,
    evaluate,
    linear,
    mul,
    sub,
    substitute,
)
from tilesat.schedule.sexpr import Term, term

RANGES = {"a": (0, 6), "b": (-3, 4), "n": (1, 9)}
HEADS = [h for h in FUNCTIONS if h not in ("floordiv", "ceildiv", "mod")]


def applied(draw: st.DrawFn, children: st.SearchStrategy[Index]) -> Index:
    if draw(st.booleans()):
        divisor = draw(st.sampled_from([1, 2, 3, 4, 8]))
        return term(draw(st.sampled_from(["floordiv", "ceildiv", "mod"])), draw(children), divisor)
    head = draw(st.sampled_from(HEADS))
    fewest, most, _ = FUNCTIONS[head]
    count = draw(st.integers(fewest, fewest + 2 if most is None else most))
    return Term(head, tuple(draw(children) for _ in range(count)))


exprs: st.SearchStrategy[Index] = st.recursive(
    st.one_of(st.integers(-5, 9), st.sampled_from(["a", "b", "n"])),
    lambda inner: st.composite(applied)(inner),
    max_leaves=8,
)
values = st.fixed_dictionaries({k: st.integers(low, high) for k, (low, high) in RANGES.items()})


def canonical(e: Index) -> Index:
    return call(e.head, *map(canonical, e.args), ranges=RANGES) if isinstance(e, Term) else e


@settings(max_examples=300, deadline=None)
@given(exprs, values)
def test_canonical_form_keeps_the_value(e: Index, env: dict[str, int]) -> None:
    want = evaluate(e, env)
    form = canonical(e)
    assert evaluate(form, env) == want
    low, high = bounds(form, RANGES)
    assert (low is None or low <= want) and (high is None or want <= high)
    terms, const = linear(form)
    assert sum(c * evaluate(leaf, env) for leaf, c in terms.items()) + const == want


@settings(max_examples=100, deadline=None)
@given(exprs, values)
def test_arrays_agree_with_numbers(e: Index, env: dict[str, int]) -> None:
    arrays = {k: np.array([v, v], np.int64) for k, v in env.items()}
    assert (np.broadcast_to(evaluate(e, arrays), (2,)) == evaluate(e, env)).all()


@given(exprs, exprs, values)
def test_substitution(e: Index, by: Index, env: dict[str, int]) -> None:
    inner = {**env, "a": evaluate(by, env)}
    assert evaluate(substitute(e, {"a": by}), env) == evaluate(e, inner)


def test_simplifications() -> None:
    ranges = {"i": (0, 3), "j": (0, 7)}
    flat = add(mul(8, "i"), "j")
    assert call("floordiv", flat, 8, ranges=ranges) == "i"
    assert call("mod", flat, 8, ranges=ranges) == "j"
    assert call("floordiv", flat, 8) == add("i", term("floordiv", "j", 8)), "unknown ranges stay"
    assert add(mul(4, term("floordiv", "j", 4)), term("mod", "j", 4)) == "j"
    assert sub(add("i", "j"), "i") == "j"
    assert call("min", add("i", 9), "j", ranges=ranges) == "j"
    assert call("lt", "i", 4, ranges=ranges) == 1
    assert mul(add("i", 1), add("i", 1)) == mul(add("i", 1), add(1, "i"))
