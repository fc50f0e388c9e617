"""Moves as address generator ops: boxes between memories, single vectors to and from FIFOs or registers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..diagnostics import fail
from ..ktir.affine import AffineExpr, AffineMap, Binary, Const, Dim, IntegerSet, Sym
from ..ktir.ir import Block, Op, Region, Scalar, Value, Vector
from ..numerics.dtypes import dtype as element_type
from ..schedule.index import Index, add, call, mul
from ..schedule.sexpr import Term
from .arithmetic import Arithmetic
from .builder import UnitBuilder, segments
from .edges import Clip, clips
from .partial import Part, load_part, store_part
from .plan import Move
from .storage import Storage

__all__ = ["copy_box", "load_vector", "store_vector"]


def copy_box(b: UnitBuilder, a: Arithmetic, move: Move, src: Storage, dst: Storage, stick_bytes: int) -> None:
    """One `composite_load_and_store`, hence one start-up: in vectors of a stick where they divide the run.

    Where the tile may reach beyond the view, `valid_set` says which part lies inside.
    """
    axes = dict(move.axes)
    limits = clips(a, src if src.home else dst, axes, move.subject, move.position)
    outside = "zero" if src.home else "skip"
    lane = _lane_axis(axes, src, dst)
    copy = _Copy(b, a, src, dst, axes, limits, outside)
    if lane is None:
        copy.emit(None, 1, 1)
        return
    extent = axes.pop(lane)
    width = min(extent, max(1, stick_bytes // element_type(src.dtype).nbytes))
    if extent % width or any(c.axis == lane for c in limits):
        width = extent  # one run: a second op for the rest would start up again, and the inside is a box
    copy.emit(lane, width, extent // width)


def _lane_axis(axes: Mapping[str, int], src: Storage, dst: Storage) -> str | None:
    """The longest axis whose positions are neighbours in both memories."""
    found = [x for x in axes if src.pace(x) == 1 == dst.pace(x) and _single(src, x) and _single(dst, x)]
    return max(found, key=lambda x: axes[x], default=None)


def _single(s: Storage, axis: str) -> bool:
    return sorted(s.step(axis)) == [*[0] * (s.rank - 1), 1]


@dataclass(frozen=True, slots=True)
class _Copy:
    """What the ops of one move have in common; `axes` are those walked in time."""

    b: UnitBuilder
    a: Arithmetic
    src: Storage
    dst: Storage
    axes: Mapping[str, int]
    limits: list[Clip]
    outside: str

    def emit(self, lane: str | None, width: int, pieces: int) -> None:
        """`pieces` vectors of `width` along `lane`, for every point of `axes`."""
        times: list[tuple[str | None, int, int]] = [(x, n, 1) for x, n in self.axes.items() if n > 1]
        if lane is not None and pieces > 1:
            times.append((lane, pieces, width))
        times += [(None, 1, 0) for c in self.limits if c.axis is None]
        times = times or [(None, 1, 0)]
        attributes: dict[str, Any] = {}
        operands: list[list[Value]] = []
        for key, short, s in (("source", "load", self.src), ("destination", "store", self.dst)):
            step = s.step(lane) if lane else (0,) * s.rank
            amap, values = self.a.subscripts(list(s.origin))
            attributes[f"{key}_subscripts"] = amap
            attributes[f"{short}_order"] = AffineMap.identity(s.rank)
            attributes[f"{short}_set"] = _lanes_set(step, width)
            attributes[f"{short}_time_addr_map"] = _time_map(s, times)
            operands += [[s.memref], values]
        attributes["time_order"] = AffineMap.identity(len(times))
        attributes["time_set"] = _box([n for _, n, _ in times])
        symbols = self._valid(times, lane, attributes)
        element = Vector((width,), Scalar(self.src.dtype))
        vector = Value(self.b.function.name("v"), element)
        body = Block([vector], [Op("agen.yield", position=self.b.position)])
        vector.owner = body
        attributes |= segments(*operands, symbols, [])
        flat = [*(v for group in operands for v in group), *symbols]
        self.b.op("agen.composite_load_and_store", flat, attributes, regions=[Region([body])])

    def _valid(
        self, times: list[tuple[str | None, int, int]], lane: str | None, attributes: dict[str, Any]
    ) -> list[Value]:
        """Sets `valid_set` over the time dimensions and the lane; gives the values of its symbols."""
        if not self.limits:
            return []
        free = [k for k, (x, _, _) in enumerate(times) if x is None]
        symbols: list[Value] = []
        found: list[tuple[AffineExpr, bool]] = []
        for c in self.limits:
            if c.axis is None:
                dim = free.pop(0)
            elif c.axis == lane:
                dim = len(times)
            else:
                dim = next(k for k, (x, _, _) in enumerate(times) if x == c.axis)
            if c.low is not None:
                found.append((Binary("+", Dim(dim), Binary("*", Sym(len(symbols)), Const(-1))), False))
                symbols.append(self.a.value(c.low))
            if c.high is not None:
                rest = Binary("+", Binary("*", Dim(dim), Const(-1)), Sym(len(symbols)))
                found.append((Binary("+", rest, Const(-1)), False))
                symbols.append(self.a.value(c.high))
        attributes["valid_set"] = IntegerSet(len(times) + 1, len(symbols), tuple(found))
        attributes["outside"] = self.outside
        return symbols


def _time_map(s: Storage, times: list[tuple[str | None, int, int]]) -> AffineMap:
    results: list[AffineExpr] = []
    for k in range(s.rank):
        total: AffineExpr | None = None
        for t, (axis, _, scale) in enumerate(times):
            factor = s.step(axis)[k] * scale if axis else 0
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
    b: UnitBuilder, a: Arithmetic, move: Move, s: Storage, kind: str, width: int
) -> tuple[dict[str, Any], list[Value]]:
    lane, extent = _lane(move)
    step = s.step(lane) if lane else (0,) * s.rank
    moving = [n for n in step if n]
    if extent > 1 and (len(moving) != 1 or moving[0] < 0):
        message = f"one vector of `{move.subject}` does not lie along one dimension in `{move.src}`"
        fail("DFLOW044", message, move.position)
    amap, values = a.subscripts(s.origin)
    attributes = {
        "subscripts": amap,
        f"{kind}_order": AffineMap.identity(s.rank),
        f"{kind}_set": _lanes_set(step, width),
    }
    return attributes, values


def _lane(move: Move) -> tuple[str, int]:
    return next(((x, n) for x, n in move.axes.items() if n > 1), ("", 1))


def load_vector(b: UnitBuilder, a: Arithmetic, move: Move, s: Storage) -> Value:
    """One vector of the move's subject: as many lanes as it has along its only wide axis."""
    lanes = _lane(move)[1]
    edge = _edge(a, move, s)

    def load(lane: Index | None = None) -> Value:
        width = edge.width if lane is None else 1
        attributes, values = _vector_access(b, a, move, _from_lane(move, s, lane), "load", width)
        attributes |= segments([s.memref], values, [])
        kind = Vector((width,), Scalar(s.dtype))
        found = b.value("agen.vector_load", [s.memref, *values], attributes, (move.subject, kind))
        return b.widened(found, s.dtype, lanes) if lane is None and width < lanes else found

    def within() -> Value:
        return load_part(b, a, edge.part, s.dtype, load, move.subject) if edge.part else load()

    if not edge.conditions and edge.part is None:
        return load()
    _needs_registers(b, move)
    if not edge.conditions:
        return within()
    zeros = b.zeros(s.dtype, lanes)
    return b.chosen(a.condition(Term("and", tuple(edge.conditions))), within, lambda: zeros, move.subject)


def store_vector(b: UnitBuilder, a: Arithmetic, move: Move, s: Storage, data: Value) -> None:
    edge = _edge(a, move, s)
    if edge.width < _lane(move)[1]:
        _needs_registers(b, move)
        data = b.narrowed(data, s.dtype, edge.width)

    def store(lane: Index | None, value: Value) -> None:
        width = edge.width if lane is None else 1
        attributes, values = _vector_access(b, a, move, _from_lane(move, s, lane), "store", width)
        b.op("agen.vector_store", [value, s.memref, *values], attributes)

    def within() -> None:
        if edge.part is None:
            store(None, data)
            return
        _needs_registers(b, move)
        store_part(b, a, edge.part, s.dtype, data, store)

    if not edge.conditions:
        within()
        return
    with b.when(a.condition(Term("and", tuple(edge.conditions)))):
        within()


def _from_lane(move: Move, s: Storage, lane: Index | None) -> Storage:
    """The storage as seen from one lane of the vector."""
    if lane is None:
        return s
    step = s.step(_lane(move)[0])
    return replace(s, origin=tuple(add(x, mul(d, lane)) for x, d in zip(s.origin, step, strict=True)))


@dataclass(frozen=True, slots=True)
class _Edge:
    """How a vector lies at the edge of its view: inside only under `conditions`, there with `width` lanes,
    or with those that `part` computes."""

    conditions: list[Index]
    width: int
    part: Part | None


def _edge(a: Arithmetic, move: Move, s: Storage) -> _Edge:
    _, lanes = _lane(move)
    conditions: list[Index] = []
    lows: list[Index] = []
    highs: list[Index] = []
    for c in clips(a, s, move.axes, move.subject, move.position):
        if c.axis is None:
            conditions += [Term("le", (c.low, 0))] if c.low is not None else []
            conditions += [Term("lt", (0, c.high))] if c.high is not None else []
        else:
            lows += [c.low] if c.low is not None else []
            highs += [c.high] if c.high is not None else []
    fixed = [a.known(high) for high in highs]
    widths = [n for n in fixed if n is not None and n >= 1]
    if not lows and len(widths) == len(highs):
        return _Edge(conditions, min([lanes, *widths]), None)
    low = call("max", *lows) if len(lows) > 1 else next(iter(lows), None)
    high = call("min", *highs) if len(highs) > 1 else next(iter(highs), None)
    return _Edge(conditions, lanes, Part(low, high, lanes))


def _needs_registers(b: UnitBuilder, move: Move) -> None:
    if not b.computes:
        message = f"`{b.place.name}` would have to make up the part of `{move.subject}` beyond its view"
        fail("DFLOW047", message, move.position, "let the tile end at the edge of the view")
