"""ktdp's views, access tiles, loads and stores, and memref's views of views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from ...ktir import ir
from ...ktir.affine import IntegerSet
from ...numerics import DType
from .access import Tile, load, store
from .batch import Array, Divergence, collapse, deepen
from .boxes import bounds_of, kept_dims
from .frame import Frame, Getter, Step
from .gather import Points, gather, scatter
from .memory import SCRATCH_WINDOW, Buffer, View
from .prepare import Context, handles, integers

__all__ = ["mixed", "segments"]


def segments(op: ir.Op, count: int) -> list[list[ir.Value]]:
    """The operand groups of an op with `count` variadic groups."""
    sizes = op.attributes.get("operandSegmentSizes")
    if sizes is None:
        fail("REF005", f"{op.name} lacks operandSegmentSizes", op.position)
    groups, start = [], 0
    for n in integers(sizes)[:count]:
        groups.append(op.operands[start : start + n])
        start += n
    return groups


def uniform(value: Any, what: str) -> int:
    """A shape or stride must be the same in all lanes."""
    if isinstance(value, np.ndarray):
        first = value.ravel()[0] if value.size else 0
        if not (value == first).all():
            raise Divergence(f"{what} differs between compute tiles")
        return int(first)
    return int(value)


def mixed(context: Context, static: Sequence[int | None], dynamic: Sequence[ir.Value]) -> list[Getter]:
    """Getters of a list of constants and values."""
    values = iter(context.reads(dynamic))
    return [_constant(v) if v is not None else next(values) for v in static]


def _constant(value: int) -> Getter:
    return lambda frame: value


@handles("tile_id")
def _tile_id(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    slots = [context.define(r) for r in op.results]
    first_fastest = context.options.grid_order == "first-fastest"
    depth = context.depth

    def step(frame: Frame) -> None:
        grid = frame.machine.grid
        rest = frame.machine.tiles
        # More results than dimensions are 0; fewer: the last result takes all the slower dimensions.
        extents = list(grid[: len(slots) - 1]) if first_fastest else list(reversed(grid[1 : len(slots)]))
        coordinates = []
        for extent in extents:
            coordinates.append(rest % extent)
            rest = rest // extent
        coordinates.append(rest)
        coordinates += [np.zeros_like(rest)] * (len(slots) - len(coordinates))
        if not first_fastest:
            coordinates.reverse()
        for slot, c in zip(slots, coordinates, strict=True):
            frame.values[slot] = collapse(deepen(_compress(c), c.ndim, depth))

    return step


def _compress(x: Array) -> Array:
    """Extent 1 along every axis on which the values do not vary."""
    for axis in range(x.ndim):
        first = x.take([0], axis)
        if (x == first).all():
            x = first
    return x


@handles("memory_view")
def _memory_view(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    _, size_values, stride_values = segments(op, 3)
    offset = context.read(op.operands[0])
    sizes = mixed(context, op.attributes["static_sizes"], size_values)
    strides = mixed(context, op.attributes["static_strides"], stride_values)
    dynamic = [i for i, n in enumerate(op.attributes["static_sizes"]) if n is None]
    type_ = op.result.type
    space = op.attributes.get("memory_space") or getattr(type_, "space", None)
    local = isinstance(space, ir.MemorySpace) and space.kind == "ct_local"
    tile = space.ct_id if isinstance(space, ir.MemorySpace) else None
    element = context.element(type_)
    where, slot, depth = op.position, context.define(op.result), context.depth
    region: IntegerSet | None = op.attributes.get("coordinate_set")

    def step(frame: Frame) -> None:
        shape = tuple(uniform(g(frame), "a view's size") for g in sizes)
        stride = tuple(uniform(g(frame), "a view's stride") for g in strides)
        address = offset(frame)
        if local:
            buffer, at = _scratch(frame, address, tile, element, depth)
        else:
            buffer, at = frame.machine.memory.locate(address, where)
            _check_type(buffer, element, where)
        if not local and frame.machine.memory.unit == "bytes":
            at = _elements(at, element, where)
        corner = (0,) * len(shape)
        if region is not None:
            symbols = [shape[i] for i in dynamic][: region.syms]
            if len(symbols) == region.syms:
                corner = _corner(region, symbols, shape, where)
        frame.values[slot] = View(buffer, element, at, shape, stride, depth, corner)

    return step


def _corner(
    region: IntegerSet, symbols: list[int], shape: tuple[int, ...], where: Position
) -> tuple[int, ...]:
    """Lower corner of a coordinate set (bounds only: the set may be huge)."""
    return tuple(lo if lo is not None else 0 for lo, _ in bounds_of(region, symbols))


def _elements(offset: Any, element: DType, where: Position) -> Any:
    if np.any(offset % element.nbytes):
        text = f"a byte address is not a multiple of {element.nbytes}, the size of {element}"
        fail("REF006", text, where, "check the option address-unit")
    return offset // element.nbytes


def _scratch(frame: Frame, address: Any, tile: int | None, element: DType, depth: int) -> tuple[Buffer, Any]:
    memory = frame.machine.memory
    owner: Any = tile
    if tile is None:
        tiles = frame.machine.tiles
        owner = deepen(tiles, tiles.ndim, depth)
    elif not 0 <= tile < memory.tiles:
        fail("REF007", f"ct_id {tile} is not a tile of the grid ({memory.tiles} tiles)")
    if memory.unit == "bytes":
        address = address // element.nbytes
    return memory.scratchpad(), address + owner * (SCRATCH_WINDOW // element.nbytes)


def _check_type(buffer: Buffer, element: DType, where: Position) -> None:
    have, want = buffer.flat.dtype, element.storage
    if have == want or (have.itemsize == want.itemsize and (have.kind == "u" or want.kind in "iub")):
        return
    text = f"{buffer.name} holds {have}, but the kernel views it as {element}"
    fail("REF010", text, where, f"give an array of {want}")


@handles("distributed_memory_view")
def _distributed_view(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    gets = context.reads(op.operands)
    slot, depth = context.define(op.result), context.depth
    declared = op.result.type.shape if isinstance(op.result.type, ir.MemRef) else ()

    def step(frame: Frame) -> None:
        parts = tuple(part for g in gets for part in (g(frame).parts or (g(frame),)))
        ends = [[c + n for c, n in zip(p.corner, p.sizes, strict=True)] for p in parts]
        extent = tuple(max(column) for column in zip(*ends, strict=True))
        extent = tuple(have if want is None else want for want, have in zip(declared, extent, strict=True))
        first = parts[0]
        frame.values[slot] = replace(first, sizes=extent, corner=(0,) * len(extent), parts=parts, depth=depth)

    return step


@handles("load")
def _load(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    tile = context.read(op.operands[0])
    slot, depth, where = context.define(op.result), context.depth, op.position
    rank = len(op.result.type.shape) if isinstance(op.result.type, ir.Tensor) else 0
    declared = op.result.type.shape if isinstance(op.result.type, ir.Tensor) else ()
    _same_element(context, op.operands[0], op.result.type, op)

    def step(frame: Frame) -> None:
        target = tile(frame)
        value = (
            gather(target, frame, depth, where)
            if isinstance(target, Points)
            else load(target, frame, depth, where)
        )
        if value.shape[depth:] != declared and None not in declared:
            value = value.reshape(value.shape[:depth] + declared)
        assert value.ndim == depth + rank
        frame.values[slot] = value

    return step


def _same_element(context: Context, tile: ir.Value, tensor: ir.Type, op: ir.Op) -> None:
    """The dialect compares only shapes; a load that changes the element type has no meaning."""
    source = tile.owner.operands[0].type if isinstance(tile.owner, ir.Op) and tile.owner.operands else None
    if isinstance(source, (ir.MemRef, ir.Tensor)) and context.element(source) is not context.element(tensor):
        verb = op.name.split(".")[1]
        text = f"{verb} moves {context.element(tensor)} between a tensor and a view of {source.element}"
        fail("REF014", text, op.position, "use the view's element type and convert with arith ops")


@handles("store")
def _store(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    data, tile = context.reads(op.operands)
    owner = op.operands[1].owner
    if isinstance(owner, ir.Op) and owner.operands and isinstance(owner.operands[0].type, ir.Tensor):
        hint = "tensors are values: use tensor.insert_slice"
        fail("REF001", "a store to a tile of a tensor changes nothing", op.position, hint)
    depth, where = context.depth, op.position
    _same_element(context, op.operands[1], op.operands[0].type, op)

    def step(frame: Frame) -> None:
        value, target = data(frame), tile(frame)
        shape = target.space if isinstance(target, Points) else _visited(target)
        if value.shape[depth:] != shape:
            value = value.reshape(value.shape[:depth] + shape)
        if isinstance(target, Points):
            scatter(value, target, frame, depth, where)
        else:
            store(value, target, frame, depth, where)

    return step


def _visited(tile: Tile) -> tuple[int, ...]:
    return tile.shape if tile.order is None else tuple(tile.shape[d] for d in tile.order)


@handles("runtime_arg")
def _runtime_arg(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    get, slot = context.read(op.operands[0]), context.define(op.result)
    kind = op.attributes.get("kind")
    kind = getattr(kind, "text", kind)
    type_ = op.operands[0].type
    assert isinstance(type_, ir.RuntimeArg)
    fixed = {"granularity": type_.granularity, "upperbound": type_.upperbound}

    def step(frame: Frame) -> None:
        frame.values[slot] = fixed[kind] if kind in fixed else get(frame)

    return step


@handles("subview")
def _subview(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    _, offset_values, size_values, stride_values = segments(op, 4)
    get = context.read(op.operands[0])
    offsets = mixed(context, op.attributes["static_offsets"], offset_values)
    sizes = mixed(context, op.attributes["static_sizes"], size_values)
    strides = mixed(context, op.attributes["static_strides"], stride_values)
    target = op.result.type.shape if isinstance(op.result.type, ir.MemRef) else ()
    slot, depth, where = context.define(op.result), context.depth, op.position

    def step(frame: Frame) -> None:
        view: View = get(frame)
        if view.parts:
            fail("REF001", "a subview of a distributed view is not supported", where)
        shape = [uniform(g(frame), "a view's size") for g in sizes]
        factor = [uniform(g(frame), "a view's stride") for g in strides]
        offset = deepen(view.offset, view.depth, depth)
        for g, stride in zip(offsets, view.strides, strict=True):
            offset = offset + g(frame) * stride
        keep = kept_dims(shape, target)
        frame.values[slot] = View(
            view.buffer,
            view.dtype,
            offset,
            tuple(shape[d] for d in keep),
            tuple(view.strides[d] * factor[d] for d in keep),
            depth,
            (0,) * len(keep),
        )

    return step


@handles("identity")
def _identity(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    get, slot = context.read(op.operands[0]), context.define(op.result)

    def step(frame: Frame) -> None:
        frame.values[slot] = get(frame)

    return step
