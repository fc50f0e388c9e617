"""Pareto fronts against a brute-force definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tilesat.cost.front import Choice, Front, merge

tables = st.integers(1, 12).flatmap(
    lambda n: arrays(np.float64, (n, 3), elements=st.integers(0, 4).map(float))
)


def front(table: np.ndarray) -> Front:
    return Front(table, tuple(Choice(i, ()) for i in range(len(table))), np.ones(len(table), np.int64))


def urgency(table: np.ndarray) -> np.ndarray:
    return table[:, 0]


def brute_force(table: np.ndarray) -> set[tuple[float, ...]]:
    def beaten(p: np.ndarray) -> bool:
        return any((q <= p).all() and (q < p).any() for q in table)

    return {tuple(p) for p in table if not beaten(p)}


@given(tables, tables)
def test_merge_keeps_exactly_the_undominated_points(a: np.ndarray, b: np.ndarray) -> None:
    merged = merge([front(a), front(b)], width=100, urgency=urgency)
    assert {tuple(p) for p in merged.table} == brute_force(np.concatenate([a, b]))
    assert len(merged) == len({tuple(p) for p in merged.table}), "equal points are kept once"
    assert merged.cut == 0


@given(tables)
def test_a_cut_front_keeps_the_best_of_every_column_and_counts_what_it_dropped(table: np.ndarray) -> None:
    whole = merge([front(table)], width=100, urgency=urgency)
    cut = merge([front(table)], width=3, urgency=urgency)
    assert (cut.table.min(axis=0) == table.min(axis=0)).all()
    assert len(cut) + cut.cut == len(whole)


@given(tables)
def test_choices_follow_their_points(table: np.ndarray) -> None:
    merged = merge([front(table)], width=100, urgency=urgency)
    for point, choice in zip(merged.table, merged.choice, strict=True):
        assert (table[choice.node] == point).all()


def test_of_equal_points_the_smallest_term_stays() -> None:
    big = Front(np.array([[1.0, 2.0]]), (Choice(0, ()),), np.array([5]))
    small = Front(np.array([[1.0, 2.0]]), (Choice(1, ()),), np.array([3]))
    merged = merge([big, small], 8, lambda table: table[:, 0])
    assert [c.node for c in merged.choice] == [1] and merged.sizes.tolist() == [3]
