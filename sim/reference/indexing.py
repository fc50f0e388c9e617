"""tensor dialect: elements and slices of batched tensors at positions that may differ between lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from ...ktir import ir
from .batch import Array, collapse, lanes, ones, widen
from .boxes import kept_dims
from .frame import Frame, Getter, Step
from .memory_ops import mixed, segments, uniform
from .prepare import Context, handles, integers

__all__ = ["insertion"]


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
        np.arange(n).reshape((*ones(a), n, *ones(depth - a - 1))) if shape[a] == n else 0
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
        box = tuple(
            slice(int(o), int(o) + (n - 1) * s + 1 if n else int(o), s)
            for o, n, s in zip(offsets, sizes, strides, strict=True)
        )
        return (slice(None),) * depth + box, sizes, None
    rank = len(sizes)
    batch = lanes(*(o.shape for o in offsets if isinstance(o, np.ndarray)))
    index: list[Any] = []
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
