"""Rows of the binary's `transfers` and `dimensions` sections → the runs of bytes that a transfer moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["Dimension", "Pattern", "pattern"]

Array = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Dimension:
    """A loop of a transfer with its count and clip range known; positions outside [low, high) are clipped."""

    count: int
    low: int
    high: int
    source_stride: int
    destination_stride: int


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """Byte offsets of the moved runs (each of `run` bytes), and of clipped elements that are zeroed."""

    source: Array
    destination: Array
    run: int
    cleared: Array
    source_runs: tuple[int, int]
    destination_runs: tuple[int, int]


@cache
def pattern(dimensions: tuple[Dimension, ...], element: int, zero_outside: bool) -> Pattern:
    """The runs of a transfer, merged as far as both sides are contiguous. Outermost dimension first."""
    inside = [(max(d.low, 0), min(d.high, d.count)) for d in dimensions]
    source, destination = np.zeros(1, np.int64), np.zeros(1, np.int64)
    run = element
    merging = True
    for d, (low, high) in zip(reversed(dimensions), reversed(inside), strict=True):
        positions = np.arange(low, max(low, high), dtype=np.int64)
        exact = d.source_stride == run and d.destination_stride == run and len(positions) > 0
        if merging and (exact or len(positions) == 1):
            first = low
            source = source + first * d.source_stride
            destination = destination + first * d.destination_stride
            run *= len(positions)
            continue
        merging = False
        source = ((positions * d.source_stride)[:, None] + source).ravel()
        destination = ((positions * d.destination_stride)[:, None] + destination).ravel()
    cleared = _cleared(dimensions, inside) if zero_outside else np.empty(0, np.int64)
    return Pattern(source, destination, run, cleared, _runs(source, run), _runs(destination, run))


def _cleared(dimensions: Sequence[Dimension], inside: Sequence[tuple[int, int]]) -> Array:
    """Destination offsets of the elements that some dimension clips."""
    if all(low == 0 and high == d.count for d, (low, high) in zip(dimensions, inside, strict=True)):
        return np.empty(0, np.int64)
    offsets, outside = np.zeros(1, np.int64), np.zeros(1, bool)
    for d, (low, high) in zip(dimensions, inside, strict=True):
        positions = np.arange(d.count, dtype=np.int64)
        clipped = (positions < low) | (positions >= high)
        offsets = (offsets[:, None] + positions * d.destination_stride).ravel()
        outside = (outside[:, None] | clipped).ravel()
    return offsets[outside]


def _runs(offsets: Array, run: int) -> tuple[int, int]:
    """(how many, bytes of one): runs that follow each other in memory count as one."""
    if not offsets.size:
        return 0, run
    breaks = int((np.diff(offsets) != run).sum()) + 1
    return breaks, run * offsets.size // breaks
