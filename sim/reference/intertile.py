"""Inter-tile operations: values that the producer tiles of a group hand to its consumer tiles.

All tiles of the grid are in the batch, so a transfer is an index operation on the first batch axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from ...ktir import ir
from ...ktir.affine import IntegerSet
from .batch import Array
from .frame import Frame, Step
from .prepare import Context, handles, integers

__all__: list[str] = []


@dataclass(slots=True, eq=False)
class Future:
    """What was produced: `values` over all tiles (meaningful on producers), `producers` the tiles of each
    group in ascending order."""

    values: list[Array]
    producers: dict[int, list[int]]


@dataclass(slots=True)
class _Delivery:
    """For each consumer tile: its group, its place among the group's consumers, and its producers."""

    tiles: list[int]
    place: list[int]
    count: int  # consumers per group
    sources: list[list[int]]


def _tiles(frame: Frame, where: Position) -> int:
    total = math.prod(frame.machine.grid)
    if frame.machine.tiles.size != total:
        text = "tiles of this kernel diverge too much to run together, but it exchanges values between tiles"
        fail("REF030", text, where, "give all tiles the same shapes and buffers")
    return total


def _members(s: IntegerSet, group: int, total: int) -> list[int]:
    inside = np.broadcast_to(s.contains([np.arange(total)], [group][: s.syms]), (total,))
    return [int(i) for i in np.flatnonzero(inside)]


def _groups(s: IntegerSet, total: int) -> list[int]:
    inside = np.broadcast_to(s.contains([np.arange(total)], []), (total,))
    return [int(g) for g in np.flatnonzero(inside)]


@handles("inter_tile_produce")
def _produce(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    body = context.block(op.regions[0].blocks[0])
    slot, where, depth = context.define(op.result), op.position, context.depth
    type_ = op.result.type
    assert isinstance(type_, ir.TileFuture)
    region: IntegerSet = op.attributes["producer_tiles_per_group"]
    if depth != context.shared.base:
        fail("REF001", "inter-tile operations inside a structured op's body are not supported", where)

    def step(frame: Frame) -> None:
        total = _tiles(frame, where)
        producers = {g: _members(region, g, total) for g in _groups(type_.groups, total)}
        group: Array = np.zeros(total, np.int64)
        member: Array = np.zeros(total, bool)
        for g, tiles in producers.items():
            if member[tiles].any():
                fail(
                    "REF031",
                    f"a tile produces for group {g} and another one",
                    where,
                    "producer sets are disjoint",
                )
            group[tiles], member[tiles] = g, True
        batch = frame.machine.tiles.shape
        group, member = group.reshape(batch), member.reshape(batch)
        outer = frame.mask
        if outer is not None and (member & ~np.broadcast_to(outer, batch)).any():
            text = "a producer tile never reaches this operation: its group would wait forever"
            fail("REF032", text, where, "let every producer of the group take part")
        frame.mask = None if member.all() else member
        values = body.call(frame, [group if total > 1 else int(group.item())] if body.arguments else [])
        frame.mask = outer
        frame.values[slot] = Future(values, producers)

    return step


def _deliver(op: ir.Op, future: Future, total: int, where: Position) -> _Delivery:
    consumers: IntegerSet = op.attributes["consumer_tiles_per_group"]
    dependency: IntegerSet | None = op.attributes.get("producer_dependency_per_consumer")
    result = _Delivery([], [], 0, [])
    for g, producers in future.producers.items():
        members = _members(consumers, g, total)
        result.count = max(result.count, len(members))
        for place, tile in enumerate(members):
            if tile in result.tiles:
                fail("REF031", f"tile {tile} consumes in more than one group", where)
            sources = producers
            if dependency is not None:
                wanted = dependency.contains([np.asarray(producers)], [tile, g][: dependency.syms])
                sources = [
                    p for p, w in zip(producers, np.broadcast_to(wanted, (len(producers),)), strict=True) if w
                ]
            result.tiles.append(tile)
            result.place.append(place)
            result.sources.append(sources)
    return result


def _source_matrix(delivery: _Delivery, total: int, where: Position) -> Array:
    """[tiles, producers]: the tile each consumer takes its k-th value from (non-consumers: any)."""
    counts = {len(s) for s in delivery.sources}
    if len(counts) != 1 or 0 in counts:
        text = f"consumers depend on different numbers of producers ({sorted(counts)})"
        fail("REF033", text, where, "every consumer needs the same number, at least one")
    matrix = np.zeros((total, counts.pop()), np.int64)
    matrix[delivery.tiles] = delivery.sources
    return matrix


def _pick(value: Array, tiles: Array, batch: tuple[int, ...]) -> Array:
    """The values of the given tiles, one per tile of the batch."""
    own = value.shape[len(batch) :]
    flat = np.broadcast_to(value, batch + own).reshape(-1, *own)
    return flat[tiles].reshape(batch + own)


def _received(
    op: ir.Op, frame: Frame, future: Future, where: Position
) -> tuple[_Delivery, list[list[Array]]]:
    """Per partial the values from the first producer, the second, … as seen by every tile."""
    total = _tiles(frame, where)
    delivery = _deliver(op, future, total, where)
    if not delivery.tiles:
        return delivery, []
    matrix = _source_matrix(delivery, total, where)
    batch = frame.machine.tiles.shape
    return delivery, [[_pick(v, matrix[:, k], batch) for k in range(matrix.shape[1])] for v in future.values]


def _finish(frame: Frame, op: ir.Op, slots: list[int], values: list[Array], depth: int) -> None:
    """Results, reshaped to the declared type (unit dimensions may have been dropped)."""
    for slot, value, result in zip(slots, values, op.results, strict=True):
        shape = result.type.shape if isinstance(result.type, ir.Tensor) else ()
        if None not in shape and value.shape[depth:] != shape:
            if math.prod(value.shape[depth:]) != math.prod(n or 0 for n in shape):
                fail(
                    "REF034",
                    f"the tiles receive {value.shape[depth:]}, the result is {result.type}",
                    op.position,
                )
            value = value.reshape(value.shape[:depth] + shape)
        frame.values[slot] = value


@handles("inter_tile_consume")
def _consume(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    future, depth, where = context.read(op.operands[0]), context.depth, op.position
    slots = [context.define(r) for r in op.results]

    def step(frame: Frame) -> None:
        promised: Future = future(frame)
        _, parts = _received(op, frame, promised, where)
        for p in parts:
            if len(p) != 1:
                hint = "name the producer with producer_dependency_per_consumer"
                fail("REF035", f"a consumer has {len(p)} producers, not one", where, hint)
        _finish(frame, op, slots, [p[0] for p in parts] or promised.values, depth)

    return step


@handles("inter_tile_reduce")
@handles("inter_tile_reduce_scatter")
def _reduce(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    future, *identities = context.reads(op.operands)
    body = context.block(op.regions[0].blocks[0])
    depth, where = context.depth, op.position
    slots = [context.define(r) for r in op.results]
    tree = context.options.reduction_order == "tree"
    dims = integers(op.attributes.get("scatter_dimensions") or [])

    def step(frame: Frame) -> None:
        promised: Future = future(frame)
        delivery, parts = _received(op, frame, promised, where)
        state = [g(frame) for g in identities]
        outer = frame.mask
        frame.mask = None
        rounds = [list(r) for r in zip(*parts, strict=True)]
        while tree and len(rounds) > 1:
            pairs = [body.call(frame, [*a, *b]) for a, b in zip(rounds[::2], rounds[1::2], strict=False)]
            rounds = pairs + rounds[2 * len(pairs) :]
        for values in rounds:
            state = body.call(frame, [*state, *values])
        frame.mask = outer
        if dims:
            state = [_piece(v, dims, delivery, frame, depth, where) for v in state]
        _finish(frame, op, slots, state, depth)

    return step


def _piece(
    value: Array, dims: Sequence[int], delivery: _Delivery, frame: Frame, depth: int, where: Position
) -> Array:
    """Each consumer's share of a tensor cut along `dims`; the first of several dims varies slowest."""
    tiles = frame.machine.tiles
    own = value.shape[depth:]
    flat = np.broadcast_to(value, tiles.shape + own).reshape(-1, *own)
    pieces = _cut(flat, dims, max(delivery.count, 1), 1, where)
    places = np.zeros(tiles.size, np.int64)
    places[delivery.tiles] = delivery.place
    mine = pieces[places, np.arange(places.size)]
    return mine.reshape(tiles.shape + mine.shape[1:])


def _factors(shape: Sequence[int], dims: Sequence[int], count: int, where: Position) -> list[int]:
    """How often each of `dims` is cut: slowest first, as often as it can be (all of it on one dim)."""
    factors, rest = [], count
    for k, d in enumerate(dims):
        f = rest if k == len(dims) - 1 else math.gcd(rest, shape[d])
        if shape[d] % f:
            fail("REF036", f"dimension {d} of size {shape[d]} cannot be cut into {f} pieces", where)
        factors.append(f)
        rest //= f
    return factors


def _cut(value: Array, dims: Sequence[int], count: int, depth: int, where: Position) -> Array:
    """[piece, batch…, shape of a piece…]"""
    factors = dict(zip(dims, _factors(value.shape[depth:], dims, count, where), strict=True))
    shape: list[int] = list(value.shape[:depth])
    front = []
    for d, n in enumerate(value.shape[depth:]):
        if d in factors:
            front.append(len(shape))
            shape += [factors[d], n // factors[d]]
        else:
            shape.append(n)
    x = np.moveaxis(value.reshape(shape), front, range(len(front)))
    return x.reshape(count, *x.shape[len(front) :])


@handles("inter_tile_gather")
def _gather(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    future, depth, where = context.read(op.operands[0]), context.depth, op.position
    slots = [context.define(r) for r in op.results]
    dims = integers(op.attributes["gather_dimensions"])

    def step(frame: Frame) -> None:
        promised: Future = future(frame)
        _, parts = _received(op, frame, promised, where)
        shapes = [r.type.shape if isinstance(r.type, ir.Tensor) else () for r in op.results]
        values = [_joined(p, dims, s, depth, where) for p, s in zip(parts, shapes, strict=True)]
        _finish(frame, op, slots, values, depth)

    return step


def _joined(
    parts: list[Array], dims: Sequence[int], target: Sequence[int | None], depth: int, where: Position
) -> Array:
    """Concatenate along one dim, or lay out in a row-major grid over several (sizes from the result type)."""
    if len(dims) == 1:
        return np.concatenate(np.broadcast_arrays(*parts), depth + dims[0])
    own = parts[0].shape[depth:]
    counts = [(target[d] or 0) // own[d] for d in dims]
    if math.prod(counts) != len(parts):
        fail("REF036", f"{len(parts)} pieces do not fill {counts} along {list(dims)}", where)
    grid = np.stack(np.broadcast_arrays(*parts)).reshape(*counts, *parts[0].shape)
    for k in reversed(range(len(dims))):
        axis = depth + dims[k]
        moved = np.moveaxis(grid, k, k + axis)
        shape = (
            *moved.shape[: k + axis],
            moved.shape[k + axis] * moved.shape[k + axis + 1],
            *moved.shape[k + axis + 2 :],
        )
        grid = moved.reshape(shape)
    return grid


@handles("inter_tile_all_to_all")
def _all_to_all(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    future, depth, where = context.read(op.operands[0]), context.depth, op.position
    slots = [context.define(r) for r in op.results]
    split = integers(op.attributes["split_dimensions"])
    concat = integers(op.attributes["concat_dimensions"])

    def step(frame: Frame) -> None:
        promised: Future = future(frame)
        delivery, parts = _received(op, frame, promised, where)
        shapes = [r.type.shape if isinstance(r.type, ir.Tensor) else () for r in op.results]
        values = []
        for p, s in zip(parts, shapes, strict=True):
            mine = [_piece(v, split, delivery, frame, depth, where) for v in p]
            values.append(_joined(mine, concat, s, depth, where))
        _finish(frame, op, slots, values, depth)

    return step


@handles("inter_tile_scatter")
def _scatter(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    future, depth, where = context.read(op.operands[0]), context.depth, op.position
    slots = [context.define(r) for r in op.results]
    dims = integers(op.attributes["scatter_dimensions"])

    def step(frame: Frame) -> None:
        promised: Future = future(frame)
        delivery, parts = _received(op, frame, promised, where)
        if any(len(p) != 1 for p in parts):
            fail("REF035", "a scatter has exactly one producer per group", where)
        values = [_piece(p[0], dims, delivery, frame, depth, where) for p in parts]
        _finish(frame, op, slots, values, depth)

    return step
