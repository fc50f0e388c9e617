"""Handlers: composite loads and stores, and memory-to-memory transfers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ktir import ir
from ..ktir.affine import Dim, Sym, linear_form
from .addresses import address, subscripts, view_of
from .blocks import Dimension, Transfer
from .boxes import Axis
from .context import Context
from .forms import Form
from .moves import check_move, direction, load, segments, store, time_axes, time_strides, vector_box
from .values import View

if TYPE_CHECKING:
    from .control import Walk

__all__ = ["composite_load", "composite_store", "load_and_store"]


def load_and_store(c: Context, op: ir.Op) -> None:
    """One `xfer`: its dimensions are the time dimensions and then the lanes of the vector."""
    (source,), at_source, (target,), at_target, symbols, multicast = segments(op, 1, -1, 1, 0, 0, 0)
    if multicast:
        c.fail("SPY059", "multicast transfers are not supported", "transfer to every consumer on its own")
    if any(o.name != "agen.yield" for o in op.regions[0].blocks[0].ops):
        c.fail("SPY059", "a transfer whose region computes is not supported", "compute in a compute unit")
    src, dst = view_of(c, source), view_of(c, target)
    if src.dtype != dst.dtype:
        c.fail("SPY054", f"a transfer cannot change elements from {src.dtype} to {dst.dtype}")
    axes, walked = time_axes(c, op, symbols)
    a, lanes, src_step, src_time = _side(c, op, "load", "source_subscripts", at_source, src, axes)
    b, wide, dst_step, dst_time = _side(c, op, "store", "destination_subscripts", at_target, dst, axes)
    if lanes != wide:
        c.fail("SPY054", f"the load set has {lanes} elements, the store set {wide}")
    dimensions: list[Dimension] = []
    by_dim: dict[int, Dimension] = {}
    for axis in walked:
        count = axis.extent.as_int
        dimension = Dimension(count or 0, src_time[axis.dim], dst_time[axis.dim])
        if count is None:
            dimension.count_register = c.scalars.reg(axis.extent)
        elif count <= 0:
            return
        dimensions.append(dimension)
        by_dim[axis.dim] = dimension
    dimensions.append(Dimension(lanes, src_step, dst_step))
    by_dim[len(axes)] = dimensions[-1]
    _limit(c, op, symbols, by_dim, dimensions)
    check_move(c, src.memory.kind.name, dst.memory.kind.name)
    first, second = c.memory(src.memory), c.memory(dst.memory)
    transfer = Transfer(
        src.dtype,
        src.element_bytes,
        first["memory"],
        second["memory"],
        direction(op),
        _joined(dimensions),
        int(op.attributes.get("outside") == "skip"),
    )
    c.emit(
        "xfer",
        transfer=transfer,
        ra=c.scalars.reg(a),
        source_instance=first["instance"],
        rb=c.scalars.reg(b),
        destination_instance=second["instance"],
    )
    c.disturb()


def _limit(
    c: Context, op: ir.Op, symbols: list[ir.Value], by_dim: dict[int, Dimension], dimensions: list[Dimension]
) -> None:
    """`valid_set`: bounds of single dimensions (time, then the lane) become their clip ranges."""
    valid = op.attributes.get("valid_set")
    if valid is None:
        return
    given = [c.form(v) for v in symbols]
    for expr, equality in valid.constraints:
        parts = linear_form(expr)
        dims = [(leaf.index, k) for leaf, k in parts[0].items() if isinstance(leaf, Dim)] if parts else []
        if parts is None or len(dims) != 1 or abs(dims[0][1]) != 1 or equality:
            c.fail("SPY040", f"valid_set {valid} is not a box", "bound one dimension by each constraint")
        ((dim, sign),) = dims
        rest = Form(parts[1])
        for leaf, k in parts[0].items():
            rest = rest.plus(given[leaf.index].times(k)) if isinstance(leaf, Sym) else rest
        if dim not in by_dim:  # a dimension of one position, which walking leaves out
            by_dim[dim] = Dimension(1, 0, 0)
            dimensions.insert(0, by_dim[dim])
        bound = rest.times(-1) if sign > 0 else rest.plus(Form(1))  # d >= bound, d < bound
        if sign > 0:
            by_dim[dim].low_register = c.scalars.reg(bound)
        else:  # register 0 would mean no bound; below -1 is nothing either
            by_dim[dim].high_register = c.scalars.reg(Form(-1) if bound.as_int == 0 else bound)


def _side(
    c: Context, op: ir.Op, side: str, key: str, indices: list[ir.Value], view: View, axes: list[Axis]
) -> tuple[Form, int, int, list[int]]:
    """(byte address of the first element, lanes, lane stride, byte stride per time dimension)."""
    lower, lanes, step = vector_box(
        c, view, op.attributes[f"{side}_set"], op.attributes[f"{side}_order"], f"{side}_set"
    )
    strides, origin = time_strides(c, op, f"{side}_time_addr_map", view)
    at = subscripts(c, op.attributes[key], indices)
    at = [i.plus(Form(low + o)) for i, low, o in zip(at, lower, origin, strict=True)]
    start = sum(axis.lower * strides[axis.dim] for axis in axes)
    return address(c, view, at).plus(Form(start)), lanes, step, strides


def _joined(dimensions: list[Dimension]) -> list[Dimension]:
    """Neighbouring dimensions that continue each other in both memories are one."""
    result = [dimensions[-1]]
    for outer in reversed(dimensions[:-1]):
        inner = result[0]
        fixed = not any(r.number is None for d in (outer, inner) for r in d.registers)
        continues = (
            outer.source_stride == inner.count * inner.source_stride
            and outer.destination_stride == inner.count * inner.destination_stride
        )
        if fixed and inner.count == 1:
            result[0] = outer
        elif fixed and (continues or outer.count == 1):
            if outer.count != 1:
                result[0] = Dimension(
                    outer.count * inner.count, inner.source_stride, inner.destination_stride
                )
        else:
            result.insert(0, outer)
    return result


def composite_load(walk: Walk, op: ir.Op) -> None:
    """A loop over the time set around the region, which uses the vector."""
    c = walk.c
    (memory,), indices, symbols = segments(op, 1, -1, 0)[:3]
    block = op.regions[0].blocks[0]
    (argument,) = block.args

    def body(view: View, where: Form, lanes: int, step: int) -> None:
        c.values[argument] = load(c, view, where, lanes, step, c.vector_type(argument), argument.name)
        walk.ops(block.ops)

    _timed(walk, op, memory, indices, symbols, "load", body)


def composite_store(walk: Walk, op: ir.Op) -> None:
    """A loop over the time set around the region, which yields the vector to store."""
    (memory,), indices, symbols = segments(op, 1, -1, 0)[:3]
    block = op.regions[0].blocks[0]

    def body(view: View, where: Form, lanes: int, step: int) -> None:
        walk.ops(block.ops)
        end = block.ops[-1] if block.ops else None
        if end is None or end.name != "agen.yield" or len(end.operands) != 1:
            walk.c.fail("SPY054", "the region of composite_store must yield the vector to store")
        store(walk.c, view, where, lanes, step, end.operands[0])

    _timed(walk, op, memory, indices, symbols, "store", body)


def _timed(
    walk: Walk,
    op: ir.Op,
    memory: ir.Value,
    indices: list[ir.Value],
    symbols: list[ir.Value],
    side: str,
    body: Callable[[View, Form, int, int], None],
) -> None:
    c = walk.c
    view = view_of(c, memory)
    axes, walked = time_axes(c, op, symbols)
    lower, lanes, step = vector_box(
        c, view, op.attributes[f"{side}_set"], op.attributes[f"{side}_order"], f"{side}_set"
    )
    strides, origin = time_strides(c, op, "time_addr_map", view)
    at = subscripts(c, op.attributes["subscripts"], indices)
    at = [i.plus(Form(low + o)) for i, low, o in zip(at, lower, origin, strict=True)]
    where = address(c, view, at).plus(Form(sum(a.lower * strides[a.dim] for a in axes)))

    def nest(rest: list[Axis], where: Form) -> None:
        if not rest:
            body(view, where, lanes, step)
            return
        axis = rest[0]
        stride = strides[axis.dim]
        walk.counted(axis.extent, lambda i: nest(rest[1:], where.plus(i.times(stride))))

    nest(walked, where)
