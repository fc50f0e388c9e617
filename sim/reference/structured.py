"""linalg: named elementwise ops, fills, transposes, reductions, and spyreop's stick reduction."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...diagnostics import fail
from ...ktir import ir
from ...numerics import DType, cast, scalar_ops, spec_entries
from .batch import broadcast, ones, widen
from .frame import Frame, Getter, Step
from .prepare import Context, handles, integer, integers
from .reduction import Fold, fold_axes, single_combiner
from .scalars import compute
from .tensors import run_body

__all__ = ["ins_outs", "is_bare"]


def ins_outs(op: ir.Op) -> tuple[list[ir.Value], list[ir.Value]]:
    """Inputs and outputs of a linalg op."""
    sizes = op.attributes.get("operandSegmentSizes")
    count = integers(sizes)[0] if sizes is not None else len(op.operands) - max(len(op.results), 1)
    return op.operands[:count], op.operands[count:]


def is_bare(value: ir.Value) -> bool:
    """Whether a tensor is just tensor.empty (or a reshape): reductions into it start from the identity."""
    owner = value.owner
    while isinstance(owner, ir.Op) and _kind(owner) in ("identity", "reshape"):
        owner = owner.operands[0].owner
    return isinstance(owner, ir.Op) and _kind(owner) == "empty"


def _kind(op: ir.Op) -> str:
    semantics = spec_entries()[op.name][0].get("semantics") if op.name in spec_entries() else None
    return str(semantics.get("kind")) if isinstance(semantics, dict) else str(semantics)


def _converted(get: Getter, src: DType, dst: DType) -> Getter:
    if src is dst:
        return get
    return lambda frame: cast(get(frame), src, dst)


@handles("elementwise")
def _elementwise(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    inputs, _ = ins_outs(op)
    out, depth = context.element(op.result.type), context.depth
    rank = len(op.result.type.shape) if isinstance(op.result.type, ir.Tensor) else 0
    types = [context.element(v.type) for v in inputs]
    keep_first = len(inputs) == 3  # a condition is not converted
    wanted = [t if keep_first and i == 0 else out for i, t in enumerate(types)]
    gets = [_converted(g, t, w) for g, t, w in zip(context.reads(inputs), types, wanted, strict=True)]
    gets = gets * int(semantics.get("repeat", 1))
    wanted = wanted * int(semantics.get("repeat", 1))
    slot = context.define(op.result)
    if "apply" not in semantics:

        def copy(frame: Frame) -> None:
            frame.values[slot] = gets[0](frame)

        return copy
    kind = out.kind if out.kind in semantics["apply"] else "int" if out.is_integer else out.kind
    if kind not in semantics["apply"]:
        fail("REF001", f"{op.name} is not defined for {out}", op.position)
    run = compute(scalar_ops()[semantics["apply"][kind]], wanted, out, op.attributes)

    def step(frame: Frame) -> None:
        frame.values[slot] = run(
            *(widen(g(frame), w.compute, depth + rank) for g, w in zip(gets, wanted, strict=True))
        )

    return step


@handles("fill")
def _fill(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    (scalar,), (output,) = ins_outs(op)
    src, dst = context.element(scalar.type), context.element(output.type)
    get, shape_of = context.read(scalar), context.read(output)
    slots = [context.define(r) for r in op.results]
    depth = context.depth

    def step(frame: Frame) -> None:
        x = cast(widen(get(frame), src.compute, depth), src, dst)
        shape = shape_of(frame).shape[depth:]
        for slot in slots:
            frame.values[slot] = broadcast(x.reshape(x.shape + ones(len(shape))), x.shape + shape)

    return step


@handles("transpose")
def _transpose(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    get, depth = context.read(op.operands[0]), context.depth
    axes = (*range(depth), *(depth + d for d in integers(op.attributes["permutation"])))
    slot = context.define(op.result)

    def step(frame: Frame) -> None:
        frame.values[slot] = get(frame).transpose(axes)

    return step


@handles("broadcast")
def _broadcast(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    get, shape_of = context.reads(op.operands[:2])
    depth, added = context.depth, sorted(integers(op.attributes["dimensions"]))
    slot = context.define(op.result)

    def step(frame: Frame) -> None:
        x, target = get(frame), shape_of(frame).shape[depth:]
        own = iter(x.shape[depth:])
        shape = tuple(1 if d in added else next(own) for d in range(len(target)))
        frame.values[slot] = broadcast(x.reshape(x.shape[:depth] + shape), x.shape[:depth] + target)

    return step


@handles("softmax")
def _softmax(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    get, depth = context.read(op.operands[0]), context.depth
    axis = depth + integer(op.attributes["dimension"])
    src, dst = context.element(op.operands[0].type), context.element(op.result.type)
    slot = context.define(op.result)
    carry = np.float64 if src.bits > 16 else np.float32

    def step(frame: Frame) -> None:
        x = get(frame).astype(carry, copy=False)
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        frame.values[slot] = dst.round(e / e.sum(axis=axis, keepdims=True))

    return step


@handles("map")
def _map(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    inputs, (output,) = op.operands[:-1], op.operands[-1:]
    rank = len(op.result.type.shape) if isinstance(op.result.type, ir.Tensor) else 0
    gets, shape_of, depth = context.reads(inputs), context.read(output), context.depth
    inner, space = context.inside(rank)
    block = op.regions[0].blocks[0]
    body = inner.block(block)
    dtype, slot = context.element(op.result.type).compute, context.define(op.result)
    extra = len(block.args) - len(inputs)  # newer MLIR also passes the output element

    def step(frame: Frame) -> None:
        target = shape_of(frame)
        shape = target.shape[depth:]
        arguments = [g(frame) for g in gets] + [target] * extra
        (value,) = run_body(body, frame, shape, space, arguments)
        x = widen(value, dtype, depth + rank)
        frame.values[slot] = np.broadcast_to(x, x.shape[:depth] + shape)

    return step


@handles("reduce")
def _reduce(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    half = len(op.operands) // 2
    inputs, outputs = op.operands[:half], op.operands[half:]
    depth = context.depth
    dims = sorted(integers(op.attributes["dimensions"]))
    axes = tuple(depth + d for d in dims)
    block = op.regions[0].blocks[0]
    slots = [context.define(r) for r in op.results]
    gets, inits = context.reads(inputs), context.reads(outputs)
    spec = single_combiner(block, *block.args) if half == 1 and len(block.args) == 2 else None
    if spec is not None:
        fold = Fold(spec, context.element(inputs[0].type))
        bare = is_bare(outputs[0])
        options = context.options

        def fast(frame: Frame) -> None:
            x = gets[0](frame)
            start = None if bare else np.expand_dims(inits[0](frame), axes)
            frame.values[slots[0]] = fold_axes(x, axes, start, fold, options).squeeze(axes)

        return fast
    return _general_reduce(context, op, gets, inits, slots, dims)


def _general_reduce(
    context: Context, op: ir.Op, gets: list[Getter], inits: list[Getter], slots: list[int], dims: list[int]
) -> Step:
    """Any body: one element after the other along the reduced dimensions, all others at once."""
    depth, block = context.depth, op.regions[0].blocks[0]
    rank = len(op.operands[0].type.shape) if isinstance(op.operands[0].type, ir.Tensor) else 0
    kept = [d for d in range(rank) if d not in dims]
    inner, space = context.inside(len(kept))
    body = inner.block(block)
    order = (*(depth + d for d in dims), *range(depth), *(depth + d for d in kept))
    dtypes = [context.element(r.type).compute for r in op.results]

    def step(frame: Frame) -> None:
        xs = [g(frame).transpose(order) for g in gets]
        extents = xs[0].shape[len(dims) + depth :]
        state = [g(frame) for g in inits]
        for point in np.ndindex(*xs[0].shape[: len(dims)]):
            state = run_body(body, frame, extents, space, [x[point] for x in xs] + state)
        for slot, value, dtype in zip(slots, state, dtypes, strict=True):
            x = widen(value, dtype, depth + len(extents))
            frame.values[slot] = np.broadcast_to(x, x.shape[:depth] + extents)

    return step


@handles("slice_reduction")
def _slice_reduction(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    get, slot = context.read(op.operands[0]), context.define(op.result)
    element = context.element(op.result.type)
    kind, scope = (
        str(getattr(op.attributes[n], "text", op.attributes[n]))
        for n in ("reduction_kind", "reduction_scope")
    )
    combine = compute(scalar_ops()[semantics["combine"][kind]], [element] * 2, element, {})
    first = semantics.get("prepare", {}).get(kind)
    prepare = compute(scalar_ops()[first], [element], element, {}) if first else None
    slices = int(semantics["slices"])

    def step(frame: Frame) -> None:
        x = get(frame)
        if x.shape[-1] % slices:
            fail("REF019", f"{x.shape[-1]} lanes cannot be cut into {slices} slices", op.position)
        y = x.reshape(*x.shape[:-1], slices, -1)
        y = y if prepare is None else prepare(y)
        parts = np.moveaxis(y, -1 if scope == "in_slice" else -2, 0)
        state = parts[0]
        for part in parts[1:]:
            state = combine(state, part)
        result = np.zeros_like(y)
        result[(..., slice(None), 0) if scope == "in_slice" else (..., 0, slice(None))] = state
        frame.values[slot] = result.reshape(x.shape)

    return step
