"""Rule functions about memory: extents and bytes of tiles, spans of views, coordinates that leave a view."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..affine import AffineMap, IntegerSet
from ..groups import constant_of, operand_groups
from ..ir import AccessTile, DenseArray, MemorySpace, MemRef, Op, Scalar, Tensor, Value
from .expression import Env
from .ranges import trips_of
from .sets import Interval, box_of, interval_of, points_of

__all__ = ["FUNCTIONS", "space_of", "view_of"]


def bytes_of(element: Any) -> int | None:
    """Bytes one element takes in memory."""
    from ...diagnostics import TilesatError
    from ...numerics import dtype

    if not isinstance(element, Scalar):
        return None
    try:
        return int(dtype(element.name).nbytes)
    except TilesatError:
        return None


def view_of(value: Any) -> Op | None:
    """The construct_memory_view behind a view or an access tile, when it is in sight and the only one."""
    for _ in range(4):
        op = value.owner if isinstance(value, Value) else None
        if not isinstance(op, Op) or op.name == "ktdp.construct_memory_view":
            return op if isinstance(op, Op) else None
        groups = operand_groups(op)
        base = groups.get("base") if groups else None
        if not base:
            return None
        value = base[0]
    return None


def _extents(env: Env, space: Any) -> tuple[int, ...] | None:
    """Extent of a constant box per dimension; None when it is not one."""
    if not isinstance(space, IntegerSet) or space.syms:
        return None
    box = box_of(space)
    if any(lo is None or hi is None for lo, hi in box):
        return None
    return tuple(hi - lo + 1 for lo, hi in box if lo is not None and hi is not None)


def _point_count(env: Env, space: Any) -> int | None:
    """Number of points of a constant set: exact when enumerable, else of its box when it is a box."""
    extents = _extents(env, space)
    if extents is None:
        return None
    points = points_of(space)
    return len(points) if points is not None else math.prod(extents) if _is_box(space) else None


def _is_box(space: IntegerSet) -> bool:
    from ..affine import linear_form

    return all((f := linear_form(e)) is not None and len(f[0]) <= 1 for e, _ in space.constraints)


def _size_of(env: Env, x: Any) -> int | None:
    """Number of elements of a tile, tensor or memref with constant shape."""
    kind = x.type if isinstance(x, Value) else x
    shape = getattr(kind, "shape", None)
    if shape is None or None in shape:
        return None
    return math.prod(int(d) for d in shape)


def _permuted(env: Env, extents: Any, order: Any) -> tuple[int, ...] | None:
    """Extents in visiting order: what a tile over them has as its shape."""
    if extents is None or not isinstance(order, AffineMap) or len(extents) != order.dims or order.syms:
        return None
    return tuple(int(r.eval(extents)) for r in order.results)


def _fits_shape(env: Env, shape: Any, extents: Any) -> bool | None:
    """A tile's shape against the extents of its set; dynamic dimensions fit anything."""
    if shape is None or extents is None or len(shape) != len(extents):
        return None
    return all(s is None or s == e for s, e in zip(shape, extents, strict=True))


def _tile_bytes(env: Env, x: Any) -> int | None:
    """Bytes a tensor takes, or the elements at a tile's coordinates."""
    kind = x.type if isinstance(x, Value) else x
    count = _size_of(env, x)
    if isinstance(kind, Tensor):
        size = bytes_of(kind.element)
    else:
        view = view_of(x)
        size = bytes_of(view.result.type.element) if view and isinstance(view.result.type, MemRef) else None
    return None if count is None or size is None else count * size


def _sizes_agree(env: Env, sizes: Any, view: Value) -> bool | None:
    """Constant sizes on the op against the memref's dimensions."""
    if not isinstance(sizes, DenseArray) or not isinstance(view.type, MemRef):
        return None
    pairs = zip(sizes, view.type.shape, strict=False)
    return all(s is None or d is None or s == d for s, d in pairs)


def _span_bytes(env: Env, sizes: Any, strides: Any, element: Any) -> int | None:
    """Bytes from the first to the last element a view reaches."""
    width = bytes_of(element)
    if width is None or not isinstance(sizes, DenseArray) or not isinstance(strides, DenseArray):
        return None
    if None in sizes or None in strides or len(sizes) != len(strides) or 0 in sizes:
        return None
    return int((sum((n - 1) * abs(s) for n, s in zip(sizes, strides, strict=True)) + 1) * width)


def _element_of_view(env: Env, tile: Value) -> Any:
    """Element type behind an access tile; None when out of sight (block argument)."""
    op = tile.owner
    groups = operand_groups(op) if isinstance(op, Op) else None
    base = groups.get("base") if groups else None
    return getattr(base[0].type, "element", None) if base else None


def _reach(env: Env, base: Value, base_map: Any, indices: list[Value], space: Any) -> list[Interval] | None:
    """Per dimension of the view, the coordinates the tile may touch over all tiles and iterations."""
    if not isinstance(base_map, AffineMap) or not isinstance(space, IntegerSet) or space.syms:
        return None
    if len(indices) != base_map.dims or len(base_map.results) != space.dims:
        return None
    dims = [env["ranges"].of(v) for v in indices]
    reach: list[Interval] = []
    for expr, (lo, hi) in zip(base_map.results, box_of(space), strict=True):
        low, high = interval_of(expr, dims, [])
        reach.append(
            (
                None if low is None or lo is None else low + lo,
                None if high is None or hi is None else high + hi,
            )
        )
    return reach


def _view_shape(base: Value) -> list[int | None]:
    """Extents of a view: constant sizes of its op, else the memref's."""
    shape = list(getattr(base.type, "shape", ()))
    op = base.owner
    if isinstance(op, Op) and op.name == "ktdp.construct_memory_view":
        sizes = op.attributes.get("static_sizes")
        groups = operand_groups(op)
        if isinstance(sizes, DenseArray) and groups and len(sizes) == len(shape):
            dynamic = iter(groups["sizes"])
            shape = [_constant_int(next(dynamic, None)) if s is None else s for s in sizes]
    return shape


def _constant_int(value: Value | None) -> int | None:
    found = constant_of(value) if value is not None else None
    return found if isinstance(found, int) else None


def _below_zero(env: Env, base: Value, base_map: Any, indices: list[Value], space: Any) -> bool | None:
    """Some coordinate is certainly negative on every visit."""
    reach = _first_point(env, base_map, indices, space)
    return None if reach is None else any(hi is not None and hi < 0 for _, hi in reach)


def _first_point(env: Env, base_map: Any, indices: list[Value], space: Any) -> list[Interval] | None:
    """The range of the tile's lowest corner."""
    if not isinstance(base_map, AffineMap) or not isinstance(space, IntegerSet) or space.syms:
        return None
    if len(indices) != base_map.dims or len(base_map.results) != space.dims:
        return None
    dims = [env["ranges"].of(v) for v in indices]
    found: list[Interval] = []
    for expr, (lo, _) in zip(base_map.results, box_of(space), strict=True):
        low, high = interval_of(expr, dims, [])
        found.append((None if low is None else low + (lo or 0), None if high is None else high + (lo or 0)))
    return found


def _outside(env: Env, base: Value, base_map: Any, indices: list[Value], space: Any) -> bool | None:
    """The tile lies beyond the view on every visit."""
    first = _first_point(env, base_map, indices, space)
    if first is None:
        return None
    shape = _view_shape(base)
    return any(lo is not None and n is not None and lo >= n for (lo, _), n in zip(first, shape, strict=False))


def _overhang(env: Env, base: Value, base_map: Any, indices: list[Value], space: Any) -> int | None:
    """How many coordinates the tile may reach beyond the view in its worst dimension; 0: it stays inside."""
    reach = _reach(env, base, base_map, indices, space)
    if reach is None:
        return None
    worst = 0
    for (lo, hi), n in zip(reach, _view_shape(base), strict=False):
        if lo is not None and lo < 0:
            worst = max(worst, -lo)
        if hi is not None and n is not None:
            worst = max(worst, hi - n + 1)
    return worst


def _boxes(views: list[Value]) -> list[tuple[Interval, ...]] | None:
    """The boxes of the coordinate sets of views; None when one is not a constant box."""
    boxes = []
    for view in views:
        op = view_of(view)
        space = op.attributes.get("coordinate_set") if op and op.result is view else None
        if not isinstance(space, IntegerSet) or space.syms or not _is_box(space):
            return None
        boxes.append(box_of(space))
    return boxes


def _parts_apart(env: Env, views: list[Value]) -> bool | None:
    """Any two parts of a distributed view hold the same coordinates (copies) or none in common."""
    boxes = _boxes(views)
    if boxes is None or any(None in side for box in boxes for side in box):
        return None
    return all(a == b or _apart(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])


def _apart(a: tuple[Interval, ...], b: tuple[Interval, ...]) -> bool:
    return any(
        ah is not None and bl is not None and al is not None and bh is not None and (ah < bl or bh < al)
        for (al, ah), (bl, bh) in zip(a, b, strict=False)
    )


def _union_extents(env: Env, views: list[Value]) -> tuple[int, ...] | None:
    """One past the largest coordinate of the parts, per dimension."""
    boxes = _boxes(views)
    if not boxes:
        return None
    highs = [[hi for _, hi in column] for column in zip(*boxes, strict=False)]
    if any(None in column for column in highs):
        return None
    return tuple(max(hi for hi in column if hi is not None) + 1 for column in highs)


def _clashing_view(env: Env, op: Op) -> str | None:
    """The name of an earlier scratchpad view that shares bytes with this one but not its layout."""
    mine = _scratchpad_bytes(op)
    if mine is None:
        return None
    for other in env["scratchpad_views"]:
        if other is op:
            return None
        theirs = _scratchpad_bytes(other)
        if theirs and mine[0] == theirs[0] and mine[1] < theirs[2] and theirs[1] < mine[2]:
            same = all(
                op.attributes.get(k) == other.attributes.get(k) for k in ("static_sizes", "static_strides")
            )
            if not (same and mine == theirs):
                return str(other.result.name)
    return None


def _scratchpad_bytes(op: Op) -> tuple[int | None, int, int] | None:
    """Owner, first and one past the last byte of a scratchpad view at a constant address (in elements)."""
    space = op.attributes.get("memory_space")
    groups = operand_groups(op)
    if not isinstance(space, MemorySpace) or space.kind != "ct_local" or not groups:
        return None
    kind, address = op.result.type, constant_of(groups["offset"][0])
    width = bytes_of(getattr(kind, "element", None))
    sizes, strides = op.attributes.get("static_sizes"), op.attributes.get("static_strides")
    span = _span_bytes({}, sizes, strides, getattr(kind, "element", None))
    if not isinstance(address, int) or width is None or span is None:
        return None
    return space.ct_id, address * width, address * width + span


def space_of(env: Env, x: Any) -> str | None:
    """`global` or `ct_local` behind a view or access tile."""
    view = view_of(x)
    space = view.attributes.get("memory_space") if view else None
    return space.kind if isinstance(space, MemorySpace) else None


def _owner_of(env: Env, x: Any) -> int | None:
    """The tile a view or access tile names with `ct_id`; None when it names none."""
    view = view_of(x)
    space = view.attributes.get("memory_space") if view else None
    return space.ct_id if isinstance(space, MemorySpace) else None


def _tile_shape(env: Env, x: Any) -> Any:
    return x.type.shape if isinstance(x, Value) and isinstance(x.type, AccessTile) else None


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "below_zero": _below_zero,
    "clashing_view": _clashing_view,
    "element_of_view": _element_of_view,
    "extents": _extents,
    "fits_shape": _fits_shape,
    "outside": _outside,
    "parts_apart": _parts_apart,
    "overhang": _overhang,
    "owner_of": _owner_of,
    "permuted": _permuted,
    "point_count": _point_count,
    "size_of": _size_of,
    "sizes_agree": _sizes_agree,
    "space_of": space_of,
    "span_bytes": _span_bytes,
    "tile_bytes": _tile_bytes,
    "tile_shape": _tile_shape,
    "union_extents": _union_extents,
    "trips": lambda env, op: trips_of(op),
}
