"""tensor dialect: making, indexing, slicing and reshaping batched tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...diagnostics import fail
from ...ktir import ir
from .batch import Array, Divergence, broadcast, lanes, ones, widen
from .frame import Code, Frame, Getter, Step
from .memory_ops import mixed, segments, uniform
from .prepare import Context, handles, integer

__all__ = ["run_body"]


def _rank(t: ir.Type) -> int:
    return len(t.shape) if isinstance(t, ir.Tensor) else 0


def _shape(t: ir.Type, dynamic: Sequence[Getter], frame: Frame) -> tuple[int, ...]:
    """The shape of a result type, `?` filled in order."""
    assert isinstance(t, ir.Tensor)
    sizes = iter(dynamic)
    return tuple(n if n is not None else uniform(next(sizes)(frame), "a tensor's size") for n in t.shape)


@handles("empty")
def _empty(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    sizes = context.reads(op.operands)
    slot, dtype, depth = context.define(op.result), context.element(op.result.type).compute, context.depth
    t = op.result.type
    if isinstance(t, ir.Tensor) and None not in t.shape:
        shape = tuple(n or 0 for n in t.shape)
        zero = broadcast(np.zeros(ones(depth + len(shape)), dtype), ones(depth) + shape)

        def fixed(frame: Frame) -> None:
            frame.values[slot] = zero

        return fixed

    def step(frame: Frame) -> None:
        frame.values[slot] = np.zeros(ones(depth) + _shape(t, sizes, frame), dtype)

    return step


@handles("splat")
def _splat(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    scalar, *sizes = context.reads(op.operands)
    t, depth = op.result.type, context.depth
    slot, dtype, rank = context.define(op.result), context.element(t).compute, _rank(t)

    def step(frame: Frame) -> None:
        x = widen(scalar(frame), dtype, depth)
        shape = x.shape + _shape(t, sizes, frame)
        frame.values[slot] = broadcast(x.reshape(x.shape + ones(rank)), shape)

    return step


@handles("from_elements")
def _from_elements(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    gets, t, depth = context.reads(op.operands), op.result.type, context.depth
    slot, dtype = context.define(op.result), context.element(t).compute

    def step(frame: Frame) -> None:
        parts = [widen(g(frame), dtype, depth) for g in gets]
        batch = lanes(ones(depth), *(p.shape for p in parts))
        stacked = (
            np.stack([np.broadcast_to(p, batch) for p in parts], -1)
            if parts
            else np.zeros((*batch, 0), dtype)
        )
        frame.values[slot] = stacked.astype(dtype, copy=False).reshape(batch + _shape(t, (), frame))

    return step


@handles("reshape")
def _reshape(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    """reshape, expand_shape and collapse_shape keep the row-major order of the elements."""
    gets = context.reads(op.operands)
    slot, depth, where = context.define(op.result), context.depth, op.position
    target = op.result.type.shape if isinstance(op.result.type, ir.Tensor) else ()
    by_tensor = len(op.operands) == 2 and isinstance(op.operands[1].type, ir.Tensor)

    def step(frame: Frame) -> None:
        x = gets[0](frame)
        shape: tuple[int, ...] = tuple(n if n is not None else -1 for n in target)
        if -1 in shape and by_tensor:
            wanted = gets[1](frame).reshape(-1, len(target))
            if not (wanted == wanted[0]).all():
                raise Divergence("a tensor's shape differs between compute tiles")
            shape = tuple(int(n) for n in wanted[0])
        elif -1 in shape:
            given = iter([uniform(g(frame), "a tensor's size") for g in gets[1:]])
            shape = tuple(n if n >= 0 else next(given, -1) for n in shape)
            shape = _fill(shape, math.prod(x.shape[depth:]))
        if math.prod(shape) != math.prod(x.shape[depth:]):
            fail("REF018", f"cannot reshape {x.shape[depth:]} to {shape}", where)
        frame.values[slot] = x.reshape(x.shape[:depth] + shape)

    return step


def _fill(shape: tuple[int, ...], total: int) -> tuple[int, ...]:
    """At most one -1 is what remains of `total`."""
    known = math.prod(n for n in shape if n >= 0)
    return tuple(n if n >= 0 else total // max(known, 1) for n in shape)


@handles("concat")
def _concat(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    gets, axis = context.reads(op.operands), integer(op.attributes["dim"])
    slot, depth = context.define(op.result), context.depth

    def step(frame: Frame) -> None:
        parts = [g(frame) for g in gets]
        batch = lanes(*(p.shape[:depth] for p in parts))
        parts = [np.broadcast_to(p, batch + p.shape[depth:]) for p in parts]
        frame.values[slot] = np.concatenate(parts, depth + axis)

    return step


def run_body(
    body: Code, frame: Frame, extents: Sequence[int | range], slot: int, arguments: list[Any]
) -> list[Any]:
    """Run a body once for a whole iteration space: one more batch axis per extent (or range of it)."""
    mask = frame.mask
    frame.values[slot] = extents
    if mask is not None:
        frame.mask = mask.reshape(mask.shape + ones(len(extents)))
    results = body.call(frame, arguments)
    frame.mask = mask
    return results


def _space_indices(depth: int, shape: tuple[int, ...]) -> list[Any]:
    rank = len(shape)
    return [np.arange(n).reshape((*ones(depth + d), n, *ones(rank - d - 1))) for d, n in enumerate(shape)]


def _filled(value: Any, dtype: np.dtype[Any], depth: int, shape: tuple[int, ...]) -> Array:
    """A body's result over the whole iteration space."""
    x = widen(value, dtype, depth + len(shape))
    return np.broadcast_to(x, x.shape[:depth] + shape)


@handles("generate")
def _generate(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    sizes, t, depth = context.reads(op.operands), op.result.type, context.depth
    inner, space = context.inside(_rank(t))
    body = inner.block(op.regions[0].blocks[0])
    slot, dtype = context.define(op.result), context.element(t).compute

    def step(frame: Frame) -> None:
        shape = _shape(t, sizes, frame)
        (value,) = run_body(body, frame, shape, space, _space_indices(depth, shape))
        frame.values[slot] = _filled(value, dtype, depth, shape)

    return step


@handles("pad")
def _pad(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    _, low_values, high_values = segments(op, 3)
    source = context.read(op.operands[0])
    low = mixed(context, op.attributes["static_low"], low_values)
    high = mixed(context, op.attributes["static_high"], high_values)
    t, depth = op.result.type, context.depth
    inner, space = context.inside(_rank(t))
    body = inner.block(op.regions[0].blocks[0])
    slot, dtype = context.define(op.result), context.element(t).compute

    def step(frame: Frame) -> None:
        x = source(frame)
        before = [uniform(g(frame), "a padding") for g in low]
        after = [uniform(g(frame), "a padding") for g in high]
        shape = tuple(a + n + b for a, n, b in zip(before, x.shape[depth:], after, strict=True))
        (value,) = run_body(body, frame, shape, space, _space_indices(depth, shape))
        filler = _filled(value, dtype, depth, shape)
        batch = lanes(filler.shape[:depth], x.shape[:depth])
        result = np.broadcast_to(filler, batch + shape).copy()
        inside = tuple(slice(a, a + n) for a, n in zip(before, x.shape[depth:], strict=True))
        result[(slice(None),) * depth + inside] = x
        frame.values[slot] = result

    return step


@handles("dim")
def _dim(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    source, index = context.reads(op.operands)
    slot, depth, where = context.define(op.result), context.depth, op.position

    def step(frame: Frame) -> None:
        x, d = source(frame), uniform(index(frame), "a dimension")
        sizes = x.shape[depth:] if isinstance(x, np.ndarray) else x.sizes
        if not 0 <= d < len(sizes):
            fail("REF017", f"there is no dimension {d} in a value of rank {len(sizes)}", where)
        frame.values[slot] = sizes[d]

    return step


@handles("rank")
def _rank_op(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    source, slot, depth = context.read(op.operands[0]), context.define(op.result), context.depth

    def step(frame: Frame) -> None:
        frame.values[slot] = source(frame).ndim - depth

    return step
