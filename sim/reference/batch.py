"""Batched values: one NumPy array stands for the values of all lanes.

A *lane* is one execution of an op: at the top of a kernel there is one batch axis, the compute tiles;
the body of a structured op (linalg.generic, tensor.generate, …) adds one axis per iteration dimension.
Every array is shaped `batch axes + type's own shape`; a batch axis has the number of lanes, or 1 where
the value does not vary along it. An integer scalar equal in all lanes is a plain Python int.
The number of batch axes of a value (its *depth*) is known when the kernel is prepared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Array",
    "Divergence",
    "broadcast",
    "collapse",
    "deepen",
    "extrema",
    "first_active",
    "lanes",
    "merge",
    "ones",
    "spread",
    "widen",
]

Array = NDArray[Any]


class Divergence(Exception):
    """Lanes need different shapes or buffers, which one batch cannot hold: run tile by tile instead."""


def ones(n: int) -> tuple[int, ...]:
    return (1,) * n


def deepen(x: Any, depth: int, deeper: int) -> Any:
    """A value of `depth` batch axes, as seen where there are `deeper` ones."""
    if depth == deeper or not isinstance(x, np.ndarray):
        return x
    return x.reshape(x.shape[:depth] + ones(deeper - depth) + x.shape[depth:])


def collapse(x: Array) -> Any:
    """An integer scalar that is the same in all lanes becomes a Python int (or bool)."""
    return x.item() if x.size == 1 else x


def widen(x: Any, dtype: Any, rank: int) -> Array:
    """As an array with at least the `rank` axes of a uniform value."""
    if isinstance(x, np.ndarray):
        return x
    return np.asarray(x, dtype).reshape(ones(rank))


def lanes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The common batch shape."""
    return np.broadcast_shapes(*shapes)


def broadcast(x: Array, shape: tuple[int, ...]) -> Array:
    """A read-only repeated view of `x`, which has the same number of axes (cheaper than broadcast_to)."""
    if x.shape == shape:
        return x
    strides = tuple(0 if have == 1 else s for have, s in zip(x.shape, x.strides, strict=True))
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False)


def spread(x: Array, shape: tuple[int, ...]) -> Array:
    """`x` repeated to `shape`, copied: faster than a repeated view for the small arrays of addresses."""
    if x.shape == shape:
        return x
    full = np.empty(shape, x.dtype)
    full[...] = x
    return full


def extrema(x: Array) -> tuple[int, int]:
    """Smallest and largest value; on few lanes Python's min and max are several times faster."""
    if x.size <= 64:
        values = x.ravel().tolist()
        return min(values), max(values)
    return int(x.min()), int(x.max())


def first_active(mask: Array) -> int:
    """Flat index of the first lane that is active."""
    return int(np.argmax(mask.ravel()))


def merge(mask: Array, new: Any, old: Any) -> Any:
    """`new` in active lanes, `old` elsewhere; `mask` has the batch axes only."""
    if new is old:
        return old
    if isinstance(new, (int, np.ndarray)) and isinstance(old, (int, np.ndarray)):
        rank = max(np.ndim(new), np.ndim(old), mask.ndim)
        condition = mask.reshape(mask.shape + ones(rank - mask.ndim))
        dtype = next((v.dtype for v in (new, old) if isinstance(v, np.ndarray)), None)
        if isinstance(new, int) and isinstance(old, int):
            dtype = np.dtype(np.bool_ if isinstance(new, bool) else np.int64)
        return np.where(condition, np.asarray(new, dtype), np.asarray(old, dtype))
    raise Divergence("a value that is not a number differs between lanes")
