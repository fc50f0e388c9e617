"""Pareto fronts as NumPy tables: one row a point, one column a metric, smaller is better.

A front belongs to an e-class: its points are the ways to run the class that no other way beats in every
metric. `choice[i]` says how point i arose; the extraction rebuilds the term from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Choice", "Choices", "Front", "Table", "empty_front", "merge"]

Table = NDArray[np.float64]
_CHUNK = 256  # rows compared with each other at once


@dataclass(frozen=True, slots=True)
class Choice:
    """Point made by e-node `node` (index in its class) from one point of each child front."""

    node: int
    children: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choices(Sequence[Choice]):
    """The choices of one e-node, made when asked for: few of its points survive a merge."""

    node: int
    points: tuple[NDArray[np.intp], ...]  # per child, its point; one entry per choice
    size: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, k: Any) -> Any:
        return Choice(self.node, tuple(int(p[k]) for p in self.points))


@dataclass(frozen=True, slots=True)
class Front:
    """`table`: (points, metrics) float64. `sizes`: nodes in each point's term, which breaks ties: of terms
    that cost the same the smallest, so that no point is made from itself (`loop a 1 S` = S).
    `cut`: points dropped only to bound the width, over all merges."""

    table: Table
    choice: Sequence[Choice]
    sizes: NDArray[np.int64]
    cut: int = 0

    def __len__(self) -> int:
        return len(self.choice)


def empty_front(columns: int) -> Front:
    return Front(np.zeros((0, columns)), (), np.zeros(0, np.int64))


def merge(fronts: Sequence[Front], width: int, urgency: Any) -> Front:
    """The Pareto front of the union, at most `width` points.

    `urgency(table)` gives each point a number; when the front is too wide, the best point of every column
    stays and the rest is filled up by ascending urgency. Ties keep the smallest, then the earliest point
    (determinism).
    """
    table = np.concatenate([f.table for f in fronts])
    sizes = np.concatenate([f.sizes for f in fronts])
    cut = sum(f.cut for f in fronts)
    keep = _undominated(table, sizes)
    if len(keep) > width:
        cut += len(keep) - width
        keep = keep[_bounded(table[keep], width, urgency(table[keep]))]
    ends = np.cumsum([len(f) for f in fronts])
    numbers = np.searchsorted(ends, keep, side="right")
    places = keep - (ends - [len(f) for f in fronts])[numbers]
    choices = tuple(fronts[n].choice[k] for n, k in zip(numbers.tolist(), places.tolist(), strict=True))
    return Front(table[keep], choices, sizes[keep], cut)


def _undominated(table: Table, sizes: NDArray[np.int64]) -> NDArray[np.intp]:
    """Row numbers of the Pareto front, ascending; of equal rows the smallest, then the first."""
    if len(table) < 2:
        return np.arange(len(table))
    order = np.lexsort((sizes, *table.T[::-1]))
    new = np.ones(len(order), bool)
    new[1:] = (table[order[1:]] != table[order[:-1]]).any(axis=1)
    order = order[new]
    found = order[:0]
    for start in range(0, len(order), _CHUNK):  # lexicographic order: only earlier rows can dominate
        chunk = order[start : start + _CHUNK]
        chunk = chunk[~_beats(table[found], table[chunk]).any(axis=0)]
        within = np.triu(_beats(table[chunk], table[chunk]), k=1)
        found = np.concatenate([found, chunk[~within.any(axis=0)]])
    return np.sort(found)


def _beats(a: Table, b: Table) -> NDArray[np.bool_]:
    """[i, j]: is row i of `a` no worse than row j of `b` in any column?"""
    result = np.ones((len(a), len(b)), bool)
    for x, y in zip(a.T, b.T, strict=True):
        result &= x[:, None] <= y[None, :]
    return result


def _bounded(table: Table, width: int, urgency: NDArray[np.float64]) -> NDArray[np.intp]:
    chosen = dict.fromkeys(int(i) for i in np.argmin(table, axis=0))
    for i in np.argsort(urgency, kind="stable"):
        if len(chosen) >= width:
            break
        chosen.setdefault(int(i))
    return np.sort(np.array(list(chosen)[:width]))
