"""Moves as address generator ops: boxes between memories, single vectors to and from FIFOs or registers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..diagnostics import fail
from ..ktir.affine import AffineExpr, AffineMap, Binary, Const, Dim, IntegerSet
from ..ktir.ir import Block, Op, Region, Scalar, Value, Vector
from ..numerics.dtypes import dtype as element_type
from ..schedule.index import Index, add
from .arithmetic import Arithmetic
from .builder import UnitBuilder, segments
from .plan import Move
from .storage import Storage

__all__ = ["copy_box", "load_vector", "store_vector"]


def copy_box(b: UnitBuilder, a: Arithmetic, move: Move, src: Storage, dst: Storage, stick_bytes: int) -> None:
    """One `composite_load_and_store` per vector width: whole vectors of a stick, then the shorter last."""
    axes = dict(move.axes)
    lane = _lane_axis(axes, src, dst)
    if lane is None:
        _composite(b, a, src, dst, axes, None, 1, 1, 0)
        return
    extent = axes.pop(lane)
    width = min(extent, max(1, stick_bytes // element_type(src.dtype).nbytes))
    whole, rest = divmod(extent, width)
    _composite(b, a, src, dst, axes, lane, width, whole, 0)
    if rest:
        _composite(b, a, src, dst, axes, lane, rest, 1, whole * width)


def _lane_axis(axes: Mapping[str, int], src: Storage, dst: Storage) -> str | None:
    """The longest axis whose positions are neighbours in both memories."""
    found = [x for x in axes if src.pace(x) == 1 == dst.pace(x) and _single(src, x) and _single(dst, x)]
    return max(found, key=lambda x: axes[x], default=None)


def _single(s: Storage, axis: str) -> bool:
    return sorted(s.step(axis)) == [*[0] * (s.rank - 1), 1]


def _composite(
    b: UnitBuilder,
    a: Arithmetic,
    src: Storage,
    dst: Storage,
    axes: Mapping[str, int],
    lane: str | None,
    width: int,
    pieces: int,
    offset: int,
) -> None:
    """`pieces` vectors of `width` along `lane` (from position `offset` on), for every point of `axes`."""
    times: list[tuple[str, int, int]] = [(x, n, 1) for x, n in axes.items() if n > 1]
    if lane is not None and pieces > 1:
        times.append((lane, pieces, width))
    extents = [n for _, n, _ in times] or [1]
    attributes: dict[str, Any] = {}
    operands: list[list[Value]] = []
    for key, short, s in (("source", "load", src), ("destination", "store", dst)):
        step = s.step(lane) if lane else (0,) * s.rank
        at: list[Index] = [add(x, d * offset) for x, d in zip(s.origin, step, strict=True)]
        amap, values = a.subscripts(at)
        attributes[f"{key}_subscripts"] = amap
        attributes[f"{short}_order"] = AffineMap.identity(s.rank)
        attributes[f"{short}_set"] = _lanes_set(step, width)
        attributes[f"{short}_time_addr_map"] = _time_map(s, times)
        operands += [[s.memref], values]
    attributes["time_order"] = AffineMap.identity(len(extents))
    attributes["time_set"] = _box(extents)
    element = Vector((width,), Scalar(src.dtype))
    vector = Value(b.function.name("v"), element)
    body = Block([vector], [Op("agen.yield", position=b.position)])
    vector.owner = body
    attributes |= segments(*operands, [], [])
    flat = [v for group in operands for v in group]
    b.op("agen.composite_load_and_store", flat, attributes, regions=[Region([body])])


def _time_map(s: Storage, times: list[tuple[str, int, int]]) -> AffineMap:
    results: list[AffineExpr] = []
    for k in range(s.rank):
        total: AffineExpr | None = None
        for t, (axis, _, scale) in enumerate(times):
            factor = s.step(axis)[k] * scale
            if factor:
                part: AffineExpr = Dim(t) if factor == 1 else Binary("*", Dim(t), Const(factor))
                total = part if total is None else Binary("+", total, part)
        results.append(total or Const(0))
    return AffineMap(max(1, len(times)), 0, tuple(results))


def _box(extents: list[int]) -> IntegerSet:
    found: list[tuple[AffineExpr, bool]] = []
    for k, n in enumerate(extents):
        found += [(Dim(k), False), (_rest(k, n - 1), False)]
    return IntegerSet(len(extents), 0, tuple(found))


def _rest(k: int, top: int) -> AffineExpr:
    """`-dk + top`: MLIR's form of `top - dk`."""
    negative = Binary("*", Dim(k), Const(-1))
    return Binary("+", negative, Const(top)) if top else negative


def _lanes_set(step: tuple[int, ...], width: int) -> IntegerSet:
    """The points of `width` lanes that lie `step` apart; step has at most one coordinate that moves."""
    found: list[tuple[AffineExpr, bool]] = []
    for k, n in enumerate(step):
        if n == 0 or width == 1:
            found.append((Dim(k), True))
            continue
        found += [(Dim(k), False), (_rest(k, n * (width - 1)), False)]
        if n > 1:
            found.append((Binary("mod", Dim(k), Const(n)), True))
    return IntegerSet(len(step), 0, tuple(found))


def _vector_access(
    b: UnitBuilder, a: Arithmetic, move: Move, s: Storage, kind: str
) -> tuple[dict[str, Any], list[Value], int]:
    lane, width = next(((x, n) for x, n in move.axes.items() if n > 1), ("", 1))
    step = s.step(lane) if lane else (0,) * s.rank
    moving = [n for n in step if n]
    if width > 1 and (len(moving) != 1 or moving[0] < 0):
        message = f"one vector of `{move.subject}` does not lie along one dimension in `{move.src}`"
        fail("DFLOW044", message, move.position)
    amap, values = a.subscripts(s.origin)
    attributes = {
        "subscripts": amap,
        f"{kind}_order": AffineMap.identity(s.rank),
        f"{kind}_set": _lanes_set(step, width),
    }
    return attributes, values, width


def load_vector(b: UnitBuilder, a: Arithmetic, move: Move, s: Storage) -> Value:
    """One vector of the move's subject: as many lanes as it has along its only wide axis."""
    attributes, values, width = _vector_access(b, a, move, s, "load")
    attributes |= segments([s.memref], values, [])
    kind = Vector((width,), Scalar(s.dtype))
    return b.value("agen.vector_load", [s.memref, *values], attributes, (move.subject, kind))


def store_vector(b: UnitBuilder, a: Arithmetic, move: Move, s: Storage, data: Value) -> None:
    attributes, values, _ = _vector_access(b, a, move, s, "store")
    b.op("agen.vector_store", [data, s.memref, *values], attributes)
