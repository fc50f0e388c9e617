"""S-expressions: exact equality, round trip of text, exact error positions."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tilesat.diagnostics import Position, TilesatError
from tilesat.schedule.sexpr import Expr, Term, parse, parse_all, parse_located, show, term

heads = st.text(min_size=1, max_size=6)
atoms = st.one_of(
    heads,
    st.sampled_from(["?x", "?rest…", ":op", "1", "-inf", "1e5", "a b", '"', "("]),
    st.integers(-(10**30), 10**30),
    st.floats(),
)
exprs: st.SearchStrategy[Expr] = st.recursive(
    atoms, lambda e: st.builds(Term, heads, st.lists(e, max_size=5).map(tuple)), max_leaves=30
)
terms = st.builds(Term, heads, st.lists(exprs, max_size=5).map(tuple))


@given(terms, st.integers(1, 120))
def test_round_trip(t: Term, width: int) -> None:
    back = parse(show(t, width))
    assert back == t and hash(back) == hash(t)
    assert show(back, width) == show(t, width)


@given(terms)
def test_pickle_keeps_equality(t: Term) -> None:
    assert pickle.loads(pickle.dumps(t)) == t


def test_equality_is_exact() -> None:
    assert term("c", 1) != term("c", 1.0) != term("c", "1.0")
    assert term("c", 0.0) != term("c", -0.0)
    assert term("c", math.nan) == term("c", float("nan"))
    assert len({term("c", float("nan")), term("c", math.nan)}) == 1
    with pytest.raises(AttributeError):
        term("c").head = "d"  # type: ignore[misc]


def test_layout() -> None:
    t = parse(
        "(loop i 3 (pipe 2 (ins (move x0 ddr lx)) (exec s0 (box (i 1) (c 64)) lx) (outs (move z1 lx ddr))))"
    )
    assert show(t, 60) == (
        "(loop i 3\n"
        "  (pipe 2 (ins (move x0 ddr lx))\n"
        "    (exec s0 (box (i 1) (c 64)) lx)\n"
        "    (outs (move z1 lx ddr))))"
    )
    assert "\n" not in show(t, 200)


def test_dots_and_comments() -> None:
    assert parse("(ins ?a... ; rest\n ?b…)") == term("ins", "?a…", "?b…")
    assert parse_all("(a ?x) skip 3") == (term("a", "?x"), "skip", 3)


@pytest.mark.parametrize(
    "text, line, column",
    [
        ("(a (b)", 1, 1),
        ("(a\n  (b c)))", 2, 9),
        ("(a ((b) c))", 1, 5),
        ("(a\n\n ())", 3, 2),
        ('(a "x\n)', 1, 4),
        ("(a) (b)", 1, 5),
        ("(a (3 b))", 1, 4),
        ("", 1, 1),
        ("(a " * 500, 1, 1201),
    ],
)
def test_error_positions(text: str, line: int, column: int) -> None:
    with pytest.raises(TilesatError) as error:
        parse(text, Position("f.yaml", 11, 7))
    where = error.value.diagnostics[0].position
    assert (where.file, where.line, where.column) == ("f.yaml", line + 10, column + 6)


def test_places() -> None:
    _, places = parse_located("(a x\n  (b y))")
    assert (places[(0, 1, 0)].line, places[(0, 1, 0)].column) == (2, 6)
    assert (places[(0, 0)].line, places[(0, 0)].column) == (1, 4)
