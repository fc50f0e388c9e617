"""ktdp's access tiles: boxes of coordinates, and points whose coordinates come from memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from ...ktir import ir
from ...ktir.affine import AffineMap, IntegerSet
from .access import Tile
from .batch import lanes, ones
from .boxes import Box, box_of, visiting_order
from .frame import Frame, Step
from .gather import Points, gather
from .memory import Buffer, View, row_major
from .memory_ops import segments, uniform
from .prepare import Context, handles

__all__: list[str] = []


@handles("access_tile")
def _access_tile(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    base, index_values, symbol_values = _tile_operands(op)
    view = _base(context, base)
    indices = context.reads(index_values)
    symbols = context.reads(symbol_values)
    subscripts: AffineMap = op.attributes.get("base_map") or AffineMap.identity(len(index_values))
    region: IntegerSet = op.attributes["access_tile_set"]
    order = visiting_order(op.attributes["access_tile_order"], op.position)
    type_ = op.result.type
    assert isinstance(type_, ir.AccessTile)
    hint = _unpermuted(type_.shape, order)
    fixed = _decided(box_of(region, [], hint, op.position), hint, type_.shape) if not region.syms else None
    slot, depth, where = context.define(op.result), context.depth, op.position

    def step(frame: Frame) -> None:
        box = fixed
        if box is None:
            found = box_of(region, [uniform(g(frame), "a tile's extent") for g in symbols], hint, where)
            box = _decided(found, hint, type_.shape)
        at = subscripts.eval([g(frame) for g in indices])
        corner = tuple(c + lo for c, lo in zip(at, box.lower, strict=True))
        frame.values[slot] = Tile(view(frame), corner, box.shape, depth, order, box.member)

    return step


def _base(context: Context, value: ir.Value) -> Callable[[Frame], View]:
    """The view a tile is cut from; of a tensor, a view of a copy that holds every lane's elements."""
    get, depth = context.read(value), context.depth
    if isinstance(value.type, ir.MemRef):
        return get
    element, name = context.element(value.type), f"%{value.name}"

    def as_view(frame: Frame) -> View:
        x = get(frame)
        batch, shape = x.shape[:depth], x.shape[depth:]
        flat = np.ascontiguousarray(element.to_storage(x)).reshape(-1)
        offset = np.arange(math.prod(batch)).reshape(batch) * math.prod(shape)
        buffer = Buffer(name, 0, flat, flat.size, owned=True)
        return View(buffer, element, offset, shape, row_major(shape), depth, (0,) * len(shape))

    return as_view


def _tile_operands(op: ir.Op) -> tuple[ir.Value, list[ir.Value], list[ir.Value]]:
    _, indices, symbols = segments(op, 3)
    return op.operands[0], indices, symbols


def _unpermuted(shape: Sequence[int | None], order: tuple[int, ...] | None) -> list[int | None]:
    if order is None:
        return list(shape)
    hint: list[int | None] = [None] * len(shape)
    for axis, d in enumerate(order):
        hint[d] = shape[axis]
    return hint


def _decided(box: Box, hint: Sequence[int | None], declared: Sequence[int | None]) -> Box:
    """A static tile type decides the extents; a set of another size only places the corner. (A type in
    the set's own order, although the visiting order permutes it, keeps the set: its points are counted.)"""
    if None in hint or box.shape in (tuple(hint), tuple(declared)):
        return box
    return Box(box.lower, tuple(n or 0 for n in hint))


@handles("indirect_access_tile")
def _indirect_tile(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    _, index_views, captured_values, symbol_values = segments(op, 4)
    view = _base(context, op.operands[0])
    tables = context.reads(index_views)
    captured = context.reads(captured_values)
    symbols = context.reads(symbol_values)
    kinds = [bool(getattr(k, "value", k)) for k in op.attributes["per_dim_subscript_kinds"]]
    maps: list[AffineMap] = op.attributes["per_dim_subscript_maps"]
    region: IntegerSet = op.attributes["variables_space_set"]
    order = visiting_order(op.attributes["variables_space_order"], op.position)
    type_ = op.result.type
    assert isinstance(type_, ir.AccessTile)
    hint = _unpermuted(type_.shape, order)
    slot, depth, where = context.define(op.result), context.depth, op.position
    rank = region.dims

    def step(frame: Frame) -> None:
        box = box_of(region, [uniform(g(frame), "a tile's extent") for g in symbols], hint, where)
        box = _decided(box, hint, type_.shape)
        outer = [_with_axes(g(frame), rank) for g in captured]
        inner = [
            (np.arange(n) + lo).reshape((*ones(depth + k), n, *ones(rank - k - 1)))
            for k, (n, lo) in enumerate(zip(box.shape, box.lower, strict=True))
        ]
        remaining = iter(tables)
        coords = []
        for indirect, m in zip(kinds, maps, strict=True):
            at = [_points(x, depth + rank) for x in m.eval([*outer, *inner])]
            coords.append(_lookup(next(remaining)(frame), at, frame, depth, where) if indirect else at[0])
        member, space = box.member, box.shape
        if order is not None:
            coords = [c.transpose(*range(depth), *(depth + d for d in order)) for c in coords]
            space = tuple(box.shape[d] for d in order)
            member = member.transpose(order) if member is not None else None
        frame.values[slot] = Points(view(frame), tuple(coords), tuple(kinds), space, depth, member)

    return step


def _with_axes(x: Any, rank: int) -> Any:
    return x.reshape(x.shape + ones(rank)) if isinstance(x, np.ndarray) else x


def _points(x: Any, rank: int) -> Any:
    return x if isinstance(x, np.ndarray) else np.full(ones(rank), x)


def _lookup(table: View, at: list[Any], frame: Frame, depth: int, where: Position) -> Any:
    """Index values at the given coordinates of an index view."""
    space = lanes(*(x.shape[depth:] for x in at)) if at else ()
    points = Points(table, tuple(at), (False,) * len(at), space, depth)
    values = gather(points, frame, depth, where)
    if values.dtype.kind not in "iu":
        fail("REF009", f"indices must be integers, the index view holds {table.dtype}", where)
    return values.astype(np.int64)
