"""Handlers: loads, stores, FIFOs, signals. A unit without vector registers passes vectors straight on."""

from __future__ import annotations

from typing import Any

from ..ktir import ir
from ..ktir.affine import AffineMap, IntegerSet
from .addresses import address, make_view, subscripts, view_of
from .blocks import ZERO, IntReg, VecReg
from .boxes import Axis, box, lane_stride, linear_map, ordered
from .context import Context
from .forms import Form
from .integers import keyword, plain
from .values import Loaded, Received, View

__all__ = ["HANDLERS", "direction", "load", "segments", "store", "vector_box"]

_DIRECTIONS = {"PseudoRandom": 0, "CounterClockwise": 1, "Clockwise": 2, "BothWays": 3}


def segments(op: ir.Op, *single: int) -> list[list[ir.Value]]:
    """The operand groups; `single` are the sizes when the op carries no operandSegmentSizes."""
    sizes = op.attributes.get("operandSegmentSizes")
    counts = [int(n) for n in sizes] if sizes is not None else list(single)
    if sizes is None:
        counts = [len(op.operands) - sum(n for n in single if n >= 0) if n < 0 else n for n in single]
    groups, start = [], 0
    for n in counts:
        groups.append(list(op.operands[start : start + n]))
        start += n
    return groups


def direction(op: ir.Op) -> int:
    value = op.attributes.get("dir")
    return _DIRECTIONS.get(keyword(value), 0) if value is not None else 0


def vector_box(
    c: Context, view: View, points: IntegerSet, order: AffineMap, what: str
) -> tuple[list[int], int, int]:
    """(lower corner, lanes, bytes between lanes) of the vector that a load or store set describes."""
    axes = box(points, (), what, c.position)
    if len(axes) != view.layout.dims:
        c.fail("SPY054", f"{what} has {len(axes)} dimensions, the view {view.layout.dims}")
    walked = ordered(axes, order, what.replace("set", "order"), c.position)
    (coefficients,) = linear_map(view.layout, "layout_map", c.position) if walked else ([0] * len(axes),)
    lanes, step = lane_stride(walked, [coefficients[a.dim] for a in walked], what, c.position)
    return [a.lower for a in axes], lanes, step * view.element_bytes


def located(c: Context, op: ir.Op, view: View, indices: list[ir.Value], side: str) -> tuple[Form, int, int]:
    """(byte address, lanes, bytes between lanes) of a vector load or store."""
    at = subscripts(c, op.attributes["subscripts"], indices)
    set_, order = op.attributes[f"{side}_set"], op.attributes[f"{side}_order"]
    lower, lanes, step = vector_box(c, view, set_, order, f"{side}_set")
    at = [i.plus(Form(low)) for i, low in zip(at, lower, strict=True)]
    return address(c, view, at), lanes, step


def stride_register(c: Context, step: int, name: str, count: int) -> IntReg:
    return ZERO if count == 1 or step == c.element_bytes(name) else c.scalars.reg(Form(step))


def vector_load(c: Context, op: ir.Op) -> None:
    (memory,), indices, multicast = (*segments(op, 1, -1, 0), [])[:3]
    if multicast:
        c.fail("SPY059", "multicast loads are not supported", "load in every unit that needs the vector")
    view = view_of(c, memory)
    where, lanes, step = located(c, op, view, indices, "load")
    c.values[op.result] = load(c, view, where, lanes, step, c.vector_type(op.result), op.result.name)


def load(
    c: Context, view: View, where: Form, lanes: int, step: int, kind: tuple[str, int], name: str
) -> VecReg | Loaded:
    """The vector at byte address `where`: in a register of a compute unit, else still to be pushed."""
    if kind != (view.dtype, lanes):
        c.fail("SPY054", f"%{name} is {kind[1]} x {kind[0]}, the load gives {lanes} x {view.dtype}")
    if c.compute is None:
        return Loaded(view.memory, where, view.dtype, lanes, step, False, c.epoch, c.position)
    register = VecReg(view.dtype, lanes)
    stride = stride_register(c, step, view.dtype, lanes)
    c.emit(
        "vld",
        dtype=c.code_of(view.dtype),
        count=lanes,
        **c.memory(view.memory),
        ra=c.scalars.reg(where),
        stride=stride,
        vd=register,
    )
    return register


def vector_store(c: Context, op: ir.Op) -> None:
    (data,), (memory,), indices = segments(op, 1, 1, -1)
    view = view_of(c, memory)
    where, lanes, step = located(c, op, view, indices, "store")
    store(c, view, where, lanes, step, data)


def store(c: Context, view: View, where: Form, lanes: int, step: int, data: ir.Value) -> None:
    """Write a vector operand at byte address `where`."""
    kind = c.vector_type(data)
    if kind != (view.dtype, lanes):
        c.fail("SPY054", f"%{data.name} is {kind[1]} x {kind[0]}, the store writes {lanes} x {view.dtype}")
    fields: dict[str, Any] = {"dtype": c.code_of(view.dtype), "count": lanes, **c.memory(view.memory)}
    fields |= {"ra": c.scalars.reg(where), "stride": stride_register(c, step, view.dtype, lanes)}
    if c.compute is not None:
        c.emit("vst", va=c.vector(data), **fields)
    else:
        source = c.get(data)
        ready = isinstance(source, Received) and source.pending and source.block is c.scalars.block
        if not ready or c.pending[0] is not source:
            c.fail(
                "SPY060",
                f"`{c.unit.name}` stores %{data.name}, which is not the next vector it received",
                "without vector registers, vectors are stored where and in the order they are received",
            )
        assert isinstance(source, Received)
        c.pending.pop(0)
        source.pending = False
        number = c.machine.units.index(source.peer.kind.name)
        check_move(c, source.peer.kind.name, view.memory.kind.name)
        c.emit("stf", peer=number, peer_instance=c.instance_register(source.peer), **fields)
    c.disturb()


def check_move(c: Context, source: str, target: str) -> None:
    if (source, target) not in c.unit.moves:
        able = ", ".join(f"{a} to {b}" for a, b in c.unit.moves) or "nothing"
        c.fail(
            "SPY061", f"`{c.unit.name}` does not move data from `{source}` to `{target}`", f"it moves {able}"
        )


def send(c: Context, op: ir.Op) -> None:
    target, data = op.operands
    name, count = c.vector_type(data)
    fields: dict[str, Any] = {"dtype": c.code_of(name), "count": count, **c.peer(target)}
    if c.compute is not None:
        c.emit("send", va=c.vector(data), direction=direction(op), **fields)
        return
    source = c.get(data)
    if not isinstance(source, Loaded):
        c.fail(
            "SPY060",
            f"`{c.unit.name}` sends %{data.name}, which it did not load",
            "it has no vector registers",
        )
    if source.epoch != c.epoch:
        c.fail(
            "SPY060",
            f"%{data.name} is sent after a store, transfer or signal that follows its load",
            "a load unit has no vector registers: send right after the load",
        )
    check_move(c, source.memory.kind.name, c.places(target).kind.name)
    c.emit(
        "ldf",
        **fields,
        **c.memory(source.memory),
        ra=c.scalars.reg(source.address),
        stride=stride_register(c, source.stride, name, source.count),
        splat=int(source.splat),
    )


def receive(c: Context, op: ir.Op) -> None:
    name, count = c.vector_type(op.result)
    if c.compute is not None:
        register = VecReg(name, count)
        c.emit("recv", dtype=c.code_of(name), count=count, vd=register, **c.peer(op.operands[0]))
        c.values[op.result] = register
        return
    c.peer(op.operands[0])
    received = Received(c.places(op.operands[0]), name, count, c.position, c.scalars.block)
    c.pending.append(received)
    c.values[op.result] = received


def sync_send(c: Context, op: ir.Op) -> None:
    flag = bool(plain(op.attributes.get("wait_immediately_for_async_transfers", False)))
    c.emit("signal", **c.peer(op.operands[0]), wait=int(flag), channel=channel(op))
    c.disturb()


def sync_recv(c: Context, op: ir.Op) -> None:
    c.emit("await", **c.peer(op.operands[0]), channel=channel(op))
    c.disturb()


def channel(op: ir.Op) -> int:
    return int(plain(op.attributes.get("channel", 0)))


def time_axes(c: Context, op: ir.Op, symbols: list[ir.Value]) -> tuple[list[Axis], list[Axis]]:
    """All axes of a composite op's time set, and the walked ones, outermost first."""
    given = [c.form(v) for v in symbols]
    axes = box(op.attributes["time_set"], given, "time_set", c.position)
    return axes, ordered(axes, op.attributes["time_order"], "time_order", c.position)


def time_strides(c: Context, op: ir.Op, key: str, view: View) -> tuple[list[int], list[int]]:
    """Byte stride of `view` per time dimension, and the map's constant part as subscript offsets."""
    amap: AffineMap = op.attributes[key]
    if len(amap.results) != view.layout.dims:
        c.fail("SPY054", f"{key} gives {len(amap.results)} subscripts, the view has {view.layout.dims}")
    matrix = linear_map(amap, key, c.position)
    (layout,) = linear_map(view.layout, "layout_map", c.position)
    per_dim = [sum(k * row[t] for k, row in zip(layout, matrix, strict=True)) for t in range(amap.dims)]
    origin = [int(v) for v in amap.eval([0] * amap.dims)]
    return [s * view.element_bytes for s in per_dim], origin


HANDLERS = {
    "dataflow.get_logical_memory_view": make_view,
    "agen.vector_load": vector_load,
    "agen.vector_store": vector_store,
    "dataflow.send": send,
    "dataflow.receive": receive,
    "dataflow.sync_send": sync_send,
    "dataflow.sync_recv": sync_recv,
}
