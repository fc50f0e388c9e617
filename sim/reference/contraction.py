"""Contractions (matmul and its relatives): matrix products of whole batches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...diagnostics import fail
from ...ktir import ir
from ...ktir.affine import AffineMap, Dim
from ...numerics import DType, ScalarOp, cast, scalar_ops
from .batch import Array, ones
from .frame import Frame, Step
from .prepare import Context, handles
from .reduction import wide_type
from .scalars import compute
from .structured import ins_outs, is_bare

__all__ = ["contract", "subscripts_of"]


def subscripts_of(maps: list[AffineMap]) -> list[tuple[int, ...]] | None:
    """Iteration dimensions of each operand's axes; None if a map is more than a projection."""
    result = []
    for m in maps:
        if not all(isinstance(r, Dim) for r in m.results):
            return None
        result.append(tuple(r.index for r in m.results if isinstance(r, Dim)))
    return result


def _letters(text: str) -> list[tuple[int, ...]]:
    ins, out = text.split("->")
    names = sorted(set(text) - set(",->"))
    return [tuple(names.index(c) for c in part) for part in (*ins.split(","), out)]


@handles("contraction")
def _contraction(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    inputs, (output,) = ins_outs(op)
    maps = op.attributes.get("indexing_maps")
    subscripts = subscripts_of(maps) if maps else _letters(semantics["subscripts"])
    if subscripts is None or len(inputs) != 2:
        fail("REF001", f"{op.name}: only projections of the iteration space are supported", op.position)
    types = [context.element(v.type) for v in inputs]
    out = context.element(op.result.type)
    left, right = context.reads(inputs)
    initial, slot, depth = context.read(output), context.define(op.result), context.depth
    bare, element = is_bare(output), context.options.accumulator == "element"
    body = (scalar_ops()[semantics["multiply"]], scalar_ops()[semantics["add"]])

    def step(frame: Frame) -> None:
        a, b = left(frame), right(frame)
        start = None if bare else initial(frame)
        if element and out.is_float:
            frame.values[slot] = _stepwise(a, b, start, subscripts, types, out, depth, body)
        else:
            frame.values[slot] = contract(a, b, start, subscripts, types, out, depth)

    return step


def contract(
    a: Array,
    b: Array,
    start: Array | None,
    subscripts: list[tuple[int, ...]],
    types: list[DType],
    out: DType,
    depth: int,
) -> Array:
    """start + Σ a·b over the dimensions missing from the output, carried in the type one wider than
    the widest operand (products of 16-bit floats are exact in float32) and rounded once."""
    widest = max((*types, out), key=lambda t: t.bits)
    carry = wide_type(widest) if out.is_float else out.compute
    if out.is_float and widest.bits == 32 and all(t.bits == 16 for t in types):
        carry = np.dtype(np.float32)  # exact products; f32 is the accumulator the kernel asked for
    left, right, result = subscripts
    dims = {d: n for s, x in ((left, a), (right, b)) for d, n in zip(s, x.shape[depth:], strict=True)}
    shared = [d for d in left if d in right]
    batch = [d for d in shared if d in result]
    summed = [d for d in shared if d not in result]
    a, left = _sum_out(a.astype(carry, copy=False), left, right, result, depth)
    b, right = _sum_out(b.astype(carry, copy=False), right, left, result, depth)
    rows = [d for d in left if d not in shared]
    cols = [d for d in right if d not in shared]
    x = _matrix(a, left, (batch, rows, summed), dims, depth)
    y = _matrix(b, right, (batch, summed, cols), dims, depth)
    product = np.matmul(x, y)
    product = product.reshape(product.shape[:depth] + tuple(dims[d] for d in (*batch, *rows, *cols)))
    have = (*batch, *rows, *cols)
    product = product.transpose(*range(depth), *(depth + have.index(d) for d in result))
    if start is not None:
        product = product + start.astype(carry, copy=False)
    return out.round(product)


def _sum_out(
    x: Array, own: tuple[int, ...], other: tuple[int, ...], result: tuple[int, ...], depth: int
) -> tuple[Array, tuple[int, ...]]:
    """Sum the dimensions that only this operand has."""
    alone = [d for d in own if d not in other and d not in result]
    if not alone:
        return x, own
    axes = tuple(depth + own.index(d) for d in alone)
    return x.sum(axis=axes, dtype=x.dtype), tuple(d for d in own if d not in alone)


def _matrix(
    x: Array, own: tuple[int, ...], groups: tuple[list[int], ...], dims: dict[int, int], depth: int
) -> Array:
    """Axes in the order of the groups; the last two groups become one axis each."""
    order = [d for g in groups for d in g]
    x = x.transpose(*range(depth), *(depth + own.index(d) for d in order))
    batch, first, second = groups
    shape = [dims[d] for d in batch] + [math.prod(dims[d] for d in g) for g in (first, second)]
    return x.reshape(x.shape[:depth] + tuple(shape))


def _stepwise(
    a: Array,
    b: Array,
    start: Array | None,
    subscripts: list[tuple[int, ...]],
    types: list[DType],
    out: DType,
    depth: int,
    body: tuple[ScalarOp, ScalarOp],
) -> Array:
    """The scalar body at every point, rounding each product and each sum, in row-major order."""
    left, right, result = subscripts
    dims = {d: n for s, x in ((left, a), (right, b)) for d, n in zip(s, x.shape[depth:], strict=True)}
    summed = [d for d in sorted(dims) if d not in result]
    a, b = (cast(x, t, out) for x, t in zip((a, b), types, strict=True))
    multiply, add = (compute(op, [out, out], out, {}) for op in body)
    state: Any = start if start is not None else np.zeros(ones(depth + len(result)), out.compute)
    for point in np.ndindex(*(dims[d] for d in summed)):
        at = dict(zip(summed, point, strict=True))
        x, y = (_aligned(v, s, at, result, depth) for v, s in ((a, left), (b, right)))
        state = add(state, multiply(x, y))
    shape = tuple(dims[d] for d in result)
    return np.asarray(np.broadcast_to(state, np.shape(state)[:depth] + shape))


def _aligned(
    x: Array, own: tuple[int, ...], at: dict[int, int], result: tuple[int, ...], depth: int
) -> Array:
    """The operand at one point of the summed dimensions, axes in result order, unit where missing."""
    x = x[(slice(None),) * depth + tuple(at.get(d, slice(None)) for d in own)]
    rest = [d for d in own if d not in at]
    x = x.transpose(*range(depth), *(depth + rest.index(d) for d in result if d in rest))
    shape = iter(x.shape[depth:])
    return x.reshape(x.shape[:depth] + tuple(next(shape) if d in rest else 1 for d in result))
