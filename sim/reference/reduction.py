"""Folding an axis of a batched array with a scalar op or an arbitrary combiner body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ktir import ir
from ...numerics import DType, ScalarOp, identity_value, scalar_ops
from ...options import Options
from .batch import Array, ones
from .scalars import compute

__all__ = ["Fold", "fold_axes", "single_combiner", "wide_type"]

Combine = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Fold:
    """A reduction by one scalar op on elements of one type."""

    op: ScalarOp
    dtype: DType

    def identity(self) -> Any:
        assert self.op.combiner is not None
        return identity_value(self.op.combiner, self.dtype)

    def combine(self) -> Combine:
        return compute(self.op, [self.dtype, self.dtype], self.dtype, {})


def wide_type(t: DType) -> np.dtype[Any]:
    """What a reduction carries with `Options.accumulator = wide`: the next wider float."""
    if t.is_float:
        return np.dtype(np.float32) if t.bits == 16 else np.dtype(np.float64)
    return t.compute


def single_combiner(block: ir.Block, element: ir.Value, carried: ir.Value) -> ScalarOp | None:
    """The combiner op of a body that is just `yield op(carried, element)`."""
    if len(block.ops) != 2:
        return None
    op, end = block.ops
    spec = scalar_ops().get(op.name)
    if (
        spec is None
        or spec.combiner is None
        or len(end.operands) != 1
        or end.operands[0] is not op.results[0]
    ):
        return None
    pair = op.operands
    straight = pair[0] is carried and pair[1] is element
    swapped = pair[0] is element and pair[1] is carried and spec.combiner.commutative
    return spec if straight or swapped else None


def fold_axes(x: Array, axes: tuple[int, ...], initial: Array | None, fold: Fold, options: Options) -> Array:
    """Fold `axes` (kept with extent 1) of `x`, starting from `initial` (or the identity).

    wide: NumPy's reduction in the wider type and one rounding, in which the order is not visible up to
    that type's own rounding. element: the op itself, rounding at every step, from the first element to
    the last (`sequential`) or by halves (`tree`).
    """
    ufunc = fold.op.formulas[0].reducer
    start = initial if initial is not None else np.full(ones(x.ndim), fold.identity(), fold.dtype.compute)
    if ufunc is not None and (options.accumulator == "wide" or fold.op.formulas[0].preserving):
        carry = fold.dtype.compute if fold.op.formulas[0].preserving else wide_type(fold.dtype)
        return fold.dtype.round(_reduce(ufunc, x, axes, carry, start))
    return _stepwise(x, axes, start, fold.combine(), options.reduction_order)


def _reduce(ufunc: np.ufunc, x: Array, axes: tuple[int, ...], carry: np.dtype[Any], start: Array) -> Array:
    if any(x.shape[a] == 0 for a in axes):
        shape = tuple(1 if a in axes else n for a, n in enumerate(x.shape))
        return np.asarray(np.broadcast_to(start.astype(carry), np.broadcast_shapes(shape, start.shape)))
    folded = ufunc.reduce(x, axis=axes, dtype=carry, keepdims=True)
    return np.asarray(ufunc(start.astype(carry, copy=False), folded))


def _stepwise(x: Array, axes: tuple[int, ...], start: Array, combine: Combine, order: str) -> Array:
    lanes_first = np.moveaxis(x, axes, range(len(axes)))
    flat = lanes_first.reshape(-1, *lanes_first.shape[len(axes) :])
    kept = tuple(1 if a in axes else n for a, n in enumerate(x.shape))
    if order == "tree":
        parts = [p.reshape(kept) for p in flat]
        while len(parts) > 1:
            pairs = [combine(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
            parts = pairs + parts[len(pairs) * 2 :]
        return np.asarray(combine(start, parts[0])) if parts else start
    state: Any = start
    for p in flat:
        state = combine(state, p.reshape(kept))
    return np.asarray(np.broadcast_to(state, np.broadcast_shapes(np.shape(state), kept)))
