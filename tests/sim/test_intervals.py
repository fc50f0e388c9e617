"""Byte ranges against sets of integers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tilesat.sim.intervals import Intervals, clash

ranges = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), max_size=8)


def make(pairs: list[tuple[int, int]]) -> tuple[Intervals, set[int]]:
    starts = np.array([s for s, _ in pairs], np.int64)
    ends = np.array([s + n for s, n in pairs], np.int64)
    return Intervals.of(starts, ends), {b for s, n in pairs for b in range(s, s + n)}


def members(x: Intervals) -> set[int]:
    return {b for s, e in zip(x.starts.tolist(), x.ends.tolist(), strict=True) for b in range(s, e)}


@given(ranges, ranges)
def test_union_and_intersection(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    (x, xs), (y, ys) = make(a), make(b)
    assert members(x) == xs and x.nbytes == len(xs)
    assert members(Intervals.union(x, y)) == xs | ys
    assert members(x.intersection(y)) == xs & ys
    assert (x.starts[1:] > x.ends[:-1]).all()


@given(st.lists(ranges, min_size=1, max_size=4), st.data())
def test_clash_finds_a_foreign_write_iff_there_is_one(
    written: list[list[tuple[int, int]]], data: st.DataObject
) -> None:
    read = [data.draw(ranges) for _ in written]
    writes, reads = [make(p) for p in written], [make(p) for p in read]
    wrong = {
        (i, j, b)
        for i, (_, w) in enumerate(writes)
        for j in range(len(writes))
        if j != i
        for b in w & (reads[j][1] | writes[j][1])
    }
    found = clash([x for x, _ in writes], [x for x, _ in reads])
    assert (found is not None) == bool(wrong)
    if found is not None:
        i, j, start, end = found
        assert start < end and any({(i, j, b), (j, i, b)} & wrong for b in range(start, end))
