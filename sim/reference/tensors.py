"""tensor dialect: making, indexing, slicing and reshaping batched tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from ...ktir import ir
from .batch import Array, Divergence, broadcast, collapse, lanes, ones, widen
from .boxes import kept_dims
from .frame import Code, Frame, Getter, Step
from .memory_ops import mixed, segments, uniform
from .prepare import Context, handles, integer, integers

__all__ = ["insertion", "run_body"]


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


def _positions(frame: Frame, indices: list[Any], sizes: Sequence[int], where: Position) -> list[Any]:
    """Indices checked against the tensor's extents in active lanes, and made harmless in the others."""
    safe = []
    for d, (i, n) in enumerate(zip(indices, sizes, strict=True)):
        bad = np.asarray((np.asarray(i) < 0) | (np.asarray(i) >= n))
        if bad.any():
            seen = bad if frame.mask is None or bad.ndim == 0 else bad & frame.mask
            if seen.any():
                value = np.broadcast_to(np.asarray(i), seen.shape)[seen].ravel()[0]
                fail("REF017", f"index {int(value)} is outside dimension {d} of size {n}", where)
            i = np.clip(i, 0, max(n - 1, 0))
        safe.append(i)
    return safe


def _batch_indices(shape: tuple[int, ...], full: tuple[int, ...]) -> list[Any]:
    """Index arrays that walk the batch axes of an array of batch shape `shape` over lanes `full`."""
    depth = len(full)
    return [
        np.arange(n).reshape((*ones(a), n, *ones(depth - a - 1))) if shape[a] != 1 else 0
        for a, n in enumerate(full)
    ]


@handles("extract")
def _extract(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    tensor, *indices = context.reads(op.operands)
    slot, depth, where = context.define(op.result), context.depth, op.position
    integral = context.element(op.result.type).is_integer

    def step(frame: Frame) -> None:
        x = tensor(frame)
        at = _positions(frame, [g(frame) for g in indices], x.shape[depth:], where)
        if any(isinstance(i, np.ndarray) for i in at):
            full = lanes(x.shape[:depth], *(i.shape for i in at if isinstance(i, np.ndarray)))
            result = x[tuple(_batch_indices(x.shape[:depth], full) + [np.asarray(i) for i in at])]
            result = np.broadcast_to(result, full)
        else:
            result = x[(slice(None),) * depth + tuple(int(i) for i in at)]
        frame.values[slot] = collapse(result) if integral else result

    return step


@handles("insert")
def _insert(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    scalar, tensor, *indices = context.reads(op.operands)
    slot, depth, where = context.define(op.result), context.depth, op.position
    dtype = context.element(op.result.type).compute

    def step(frame: Frame) -> None:
        x, value = tensor(frame), widen(scalar(frame), dtype, depth)
        at = _positions(frame, [g(frame) for g in indices], x.shape[depth:], where)
        arrays = [i for i in at if isinstance(i, np.ndarray)]
        full = lanes(x.shape[:depth], value.shape, *(i.shape for i in arrays))
        result = np.broadcast_to(x, full + x.shape[depth:]).copy()
        result[tuple(_batch_indices(full, full) + [np.asarray(i) for i in at])] = value
        frame.values[slot] = result

    return step


def _slice_parts(
    context: Context, op: ir.Op, leading: int
) -> tuple[list[Getter], list[Getter], list[Getter]]:
    """Offsets, sizes and strides of a slice op with `leading` tensor operands."""
    groups = segments(op, leading + 3)[leading:]
    names = ("static_offsets", "static_sizes", "static_strides")
    offsets, sizes, strides = (
        mixed(context, op.attributes[n], g) for n, g in zip(names, groups, strict=True)
    )
    return offsets, sizes, strides


def _slice(
    frame: Frame, parts: tuple[list[Getter], ...], extents: Sequence[int], depth: int, where: Position
) -> tuple[tuple[Any, ...], tuple[int, ...], tuple[int, ...] | None]:
    """(index tuple, sizes, batch shape or None): basic slices when the offsets are uniform."""
    offsets = [g(frame) for g in parts[0]]
    sizes = tuple(uniform(g(frame), "a slice's size") for g in parts[1])
    strides = [uniform(g(frame), "a slice's stride") for g in parts[2]]
    last = [o + (n - 1) * s if n else o for o, n, s in zip(offsets, sizes, strides, strict=True)]
    if 0 not in sizes:
        offsets = _positions(frame, offsets, extents, where)
        _positions(frame, last, extents, where)
    if not any(isinstance(o, np.ndarray) for o in offsets):
        index = tuple(
            slice(int(o), int(o) + (n - 1) * s + 1 if n else int(o), s)
            for o, n, s in zip(offsets, sizes, strides, strict=True)
        )
        return (slice(None),) * depth + index, sizes, None
    rank = len(sizes)
    batch = lanes(*(o.shape for o in offsets if isinstance(o, np.ndarray)))
    index = []
    for d, (o, n, s, extent) in enumerate(zip(offsets, sizes, strides, extents, strict=True)):
        base = o.reshape(o.shape + ones(rank)) if isinstance(o, np.ndarray) else o
        steps = (np.arange(n) * s).reshape((*ones(d), n, *ones(rank - d - 1)))
        index.append(np.clip(base + steps, 0, max(extent - 1, 0)))
    return tuple(index), sizes, batch


@handles("extract_slice")
def _extract_slice(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    tensor = context.read(op.operands[0])
    parts = _slice_parts(context, op, 1)
    slot, depth, where = context.define(op.result), context.depth, op.position
    target = op.result.type.shape if isinstance(op.result.type, ir.Tensor) else ()

    def step(frame: Frame) -> None:
        x = tensor(frame)
        index, sizes, batch = _slice(frame, parts, x.shape[depth:], depth, where)
        if batch is None:
            result = x[index]
        else:
            full = lanes(x.shape[:depth], batch)
            outer = [
                i.reshape(i.shape + ones(len(sizes))) if isinstance(i, np.ndarray) else i
                for i in _batch_indices(x.shape[:depth], full)
            ]
            result = np.broadcast_to(x[tuple(outer) + index], full + sizes)
        keep = kept_dims(sizes, target)
        frame.values[slot] = result.reshape(result.shape[:depth] + tuple(sizes[d] for d in keep))

    return step


def insertion(context: Context, op: ir.Op) -> Callable[[Frame, Array], Array]:
    """For an insert_slice-like op: a function of the frame and the destination giving the new tensor."""
    source = context.read(op.operands[0])
    parts = _slice_parts(context, op, 2)
    depth, where = context.depth, op.position

    def insert(frame: Frame, dest: Array) -> Array:
        data = source(frame)
        index, sizes, batch = _slice(frame, parts, dest.shape[depth:], depth, where)
        data = data.reshape(data.shape[:depth] + sizes)
        full = lanes(dest.shape[:depth], data.shape[:depth], *(() if batch is None else (batch,)))
        result = np.broadcast_to(dest, full + dest.shape[depth:]).copy()
        if batch is None:
            result[index] = data
        else:
            outer = [
                i.reshape(i.shape + ones(len(sizes))) if isinstance(i, np.ndarray) else i
                for i in _batch_indices(full, full)
            ]
            result[tuple(outer) + index] = np.broadcast_to(data, full + sizes)
        return result

    return insert


@handles("insert_slice")
def _insert_slice(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    dest, insert = context.read(op.operands[1]), insertion(context, op)
    slot = context.define(op.result)

    def step(frame: Frame) -> None:
        frame.values[slot] = insert(frame, dest(frame))

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
        shape = target
        if None in shape and by_tensor:
            wanted = gets[1](frame).reshape(-1, len(target))
            if not (wanted == wanted[0]).all():
                raise Divergence("a tensor's shape differs between compute tiles")
            shape = tuple(int(n) for n in wanted[0])
        elif None in shape:
            dynamic = iter(gets[1:])
            sizes = [n if n is not None else (next(dynamic, None) or (lambda f: -1))(frame) for n in target]
            shape = tuple(uniform(n, "a tensor's size") for n in sizes)
            shape = _fill(shape, math.prod(x.shape[depth:]))
        if math.prod(n or 0 for n in shape) != math.prod(x.shape[depth:]):
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


def _coordinates(
    frame: Frame, indices: Array, dims: list[int], shape: tuple[int, ...], depth: int, op: ir.Op
) -> Any:
    """(per dim: positions, shaped batch + leading index dims); the last index dimension is the coordinate."""
    if indices.shape[-1] != len(dims):
        text = f"{indices.shape[-1]} coordinates are given for {len(dims)} dimensions"
        fail("REF019", text, op.position)
    checked = []
    for k, d in enumerate(dims):
        at = indices[..., k].astype(np.int64)
        mask = (
            frame.mask.reshape(frame.mask.shape + ones(at.ndim - depth)) if frame.mask is not None else None
        )
        bad = (at < 0) | (at >= shape[d])
        if (bad if mask is None else bad & mask).any():
            fail(
                "REF017",
                f"index {int(at[bad].ravel()[0])} is outside dimension {d} of size {shape[d]}",
                op.position,
            )
        checked.append(np.clip(at, 0, max(shape[d] - 1, 0)))
    return checked


def _element_index(
    shape: tuple[int, ...], dims: list[int], at: list[Array], batch: tuple[int, ...]
) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """Index arrays of every element of the slices at `at`: axes are batch, index dims, tensor dims
    (extent 1 for the dims that are indexed)."""
    depth, rank = len(batch), len(shape)
    lead = at[0].shape[depth:] if at else ()
    slice_shape = tuple(1 if d in dims else n for d, n in enumerate(shape))
    total = depth + len(lead) + rank
    index: list[Any] = [
        np.arange(n).reshape((*ones(a), n, *ones(total - a - 1))) for a, n in enumerate(batch)
    ]
    for d, n in enumerate(shape):
        if d in dims:
            positions = at[dims.index(d)]
            index.append(positions.reshape(positions.shape + ones(rank)))
        else:
            axis = depth + len(lead) + d
            index.append(np.arange(n).reshape((*ones(axis), n, *ones(total - axis - 1))))
    return tuple(index), batch + lead + slice_shape


@handles("gather")
def _gather(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    source, indices = context.reads(op.operands)
    dims = integers(op.attributes["gather_dims"])
    slot, depth = context.define(op.result), context.depth
    target = op.result.type.shape if isinstance(op.result.type, ir.Tensor) else ()

    def step(frame: Frame) -> None:
        x, where = source(frame), indices(frame)
        at = _coordinates(frame, where, dims, x.shape[depth:], depth, op)
        batch = lanes(x.shape[:depth], where.shape[:depth])
        x = np.broadcast_to(x, batch + x.shape[depth:])
        index, full = _element_index(x.shape[depth:], dims, at, batch)
        values = np.broadcast_to(x[index], full)
        keep = kept_dims(full[depth:], target)
        frame.values[slot] = values.reshape(batch + tuple(full[depth + d] for d in keep))

    return step


@handles("scatter")
def _scatter(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    """Slices are written in row-major order of the index tensor: the last of equal ones stays."""
    source, dest, indices = context.reads(op.operands)
    dims = integers(op.attributes["scatter_dims"])
    slot, depth = context.define(op.result), context.depth

    def step(frame: Frame) -> None:
        data, x, where = source(frame), dest(frame), indices(frame)
        at = _coordinates(frame, where, dims, x.shape[depth:], depth, op)
        batch = lanes(x.shape[:depth], where.shape[:depth], data.shape[:depth])
        result = np.broadcast_to(x, batch + x.shape[depth:]).copy()
        index, full = _element_index(x.shape[depth:], dims, at, batch)
        result[index] = np.broadcast_to(data, batch + data.shape[depth:]).reshape(full)
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
