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

__all__ = ["Choice", "Front", "Table", "empty_front", "merge"]

Table = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Choice:
    """Point made by e-node `node` (index in its class) from one point of each child front."""

    node: int
    children: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Front:
    """`table`: (points, metrics) float64. `sizes`: nodes in each point's term, which breaks ties: of terms
    that cost the same the smallest, so that no point is made from itself (`loop a 1 S` = S).
    `cut`: points dropped only to bound the width, over all merges."""

    table: Table
    choice: tuple[Choice, ...]
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
    choices = [c for f in fronts for c in f.choice]
    cut = sum(f.cut for f in fronts)
    keep = _undominated(table, sizes)
    table, sizes, choices = table[keep], sizes[keep], [choices[i] for i in keep]
    if len(choices) > width:
        cut += len(choices) - width
        chosen = _bounded(table, width, urgency(table))
        table, sizes, choices = table[chosen], sizes[chosen], [choices[i] for i in chosen]
    return Front(table, tuple(choices), sizes, cut)


def _undominated(table: Table, sizes: NDArray[np.int64]) -> NDArray[np.intp]:
    """Row numbers of the Pareto front, ascending; of equal rows the smallest, then the first."""
    if len(table) < 2:
        return np.arange(len(table))
    order = np.lexsort((sizes, *table.T[::-1]))
    ranked = table[order]
    alive: list[int] = []
    for i, row in enumerate(ranked):  # lexicographic order: only earlier rows can dominate
        if alive and (ranked[alive] <= row).all(axis=1).any():
            continue
        alive.append(i)
    return np.sort(order[alive])


def _bounded(table: Table, width: int, urgency: NDArray[np.float64]) -> NDArray[np.intp]:
    chosen = dict.fromkeys(int(i) for i in np.argmin(table, axis=0))
    for i in np.argsort(urgency, kind="stable"):
        if len(chosen) >= width:
            break
        chosen.setdefault(int(i))
    return np.sort(np.array(list(chosen)[:width]))
