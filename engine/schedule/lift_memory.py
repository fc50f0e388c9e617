"""Lifting memory views and access tiles: declarations of views, accesses, tile axes, and unique names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from ..diagnostics import Position, fail
from ..ktir import ir
from ..ktir.affine import AffineMap, Dim, IntegerSet, linear_form
from ..numerics import dtype
from ..options import Options
from .index import Bounds, Index, add, call, linear, mul, names
from .lift_index import IndexLift, affine_index, is_integer
from .program import Access, Axis, Stmt, Value, View
from .sexpr import Term

__all__ = ["Declarations", "Tile", "unsupported"]


def unsupported(what: str, where: Position, hint: str = "") -> NoReturn:
    """LIFT001: legal KTIR that the lift does not cover."""
    fail("LIFT001", f"not supported yet: {what}", where, hint)


@dataclass(frozen=True, slots=True)
class Tile:
    """An access tile: a view and the coordinate of each of its dimensions at tile index `idx`."""

    view: str
    base: tuple[Index, ...]
    lower: tuple[int, ...]
    order: tuple[int, ...]  # result dimension k walks dimension order[k] of the box
    shape: ir.Shape

    def at(self, idx: Sequence[Index]) -> tuple[Index, ...]:
        within = [idx[self.order.index(d)] for d in range(len(self.order))]
        return tuple(add(b, low, i) for b, low, i in zip(self.base, self.lower, within, strict=True))


@dataclass(frozen=True, slots=True)
class Subscript:
    """One dimension of an indirect tile: a map over captured values and variables, or (with `view`) the
    element of an index view at the mapped coordinates."""

    results: AffineMap
    view: str = ""


@dataclass(frozen=True, slots=True)
class IndirectTile:
    """A gather or scatter: coordinates computed from the tile's own variables."""

    view: str
    subscripts: tuple[Subscript, ...]
    captured: tuple[Index, ...]
    lower: tuple[int, ...]
    order: tuple[int, ...]
    shape: ir.Shape
    read: Callable[[str, tuple[Index, ...]], Index]
    ranges: Mapping[str, Bounds]

    def at(self, idx: Sequence[Index]) -> tuple[Index, ...]:
        variables = [add(idx[self.order.index(d)], low) for d, low in enumerate(self.lower)]
        dims = (*self.captured, *variables)
        found: list[Index] = []
        for s in self.subscripts:
            at = tuple(affine_index(r, dims, (), self.ranges) for r in s.results.results)
            found.append(self.read(s.view, at) if s.view else at[0])
        return tuple(found)


@dataclass
class Declarations:
    """Everything declared so far, and the ranges of the names that integer expressions use."""

    options: Options
    index: IndexLift
    ranges: dict[str, Bounds]
    used: set[str] = field(default_factory=set)  # all names given so far
    arguments: set[str] = field(default_factory=set)  # arguments that may be buffer addresses
    scalars: set[str] = field(default_factory=set)  # floating-point arguments
    roots: set[str] = field(default_factory=set)  # arguments that are buffer addresses
    loops: dict[str, Axis] = field(default_factory=dict)
    dims: dict[tuple[Index, int], Axis] = field(default_factory=dict)  # (extent, dimension from the right)
    views: dict[str, View] = field(default_factory=dict)
    accesses: dict[str, Access] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    stmts: dict[str, Stmt] = field(default_factory=dict)
    written: dict[ir.Value, ir.Op] = field(default_factory=dict)  # `outs` of structured ops without results
    _view_of: dict[ir.Value, str] = field(default_factory=dict)
    _element_of: dict[tuple[str, tuple[Index, ...]], str] = field(default_factory=dict)
    _access_of: dict[tuple[ir.Op, tuple[Index, ...]], str] = field(default_factory=dict)

    def unique(self, wanted: str) -> str:
        """A name like `wanted` that is not in use: numbers get a letter, clashes a suffix."""
        wanted = f"v{wanted}" if not wanted or not (wanted[0].isalpha() or wanted[0] == "_") else wanted
        name, n = wanted, 0
        while name in self.used:
            n += 1
            name = f"{wanted}_{n}"
        self.used.add(name)
        return name

    def axes(self) -> dict[str, Axis]:
        """Canonical order: loops outermost first, then tile dimensions, leftmost first."""
        tile = sorted(self.dims.items(), key=lambda item: -item[0][1])
        return {**self.loops, **{a.name: a for _, a in tile}}

    def tile_indices(self, shape: Sequence[Index]) -> tuple[Index, ...]:
        """An index per dimension: 0 for extent 1, otherwise the axis of that extent and place."""
        last = len(shape) - 1
        return tuple(0 if n == 1 else self.tile_axis(n, last - k) for k, n in enumerate(shape))

    def tile_axis(self, extent: Index, place: int, avoid: Collection[Index] = ()) -> str:
        """The axis of an extent at a place from the right, or at the next place that is not in `avoid`."""
        axis = self.dims.get((extent, place))
        if axis is None:
            axis = Axis(self.unique("crpqstuvw"[min(place, 8)]), 0, 1, extent)
            self.dims[extent, place] = axis
            self.ranges[axis.name] = (0, extent - 1 if isinstance(extent, int) else None)
        return axis.name if axis.name not in avoid else self.tile_axis(extent, place + 1, avoid)

    # --- views ------------------------------------------------------------------------------------------

    def view(self, value: ir.Value, where: Position) -> str:
        """The view that an SSA memref denotes."""
        known = self._view_of.get(value)
        if known is None:
            known = self._view_of[value] = self._declare_view(value, where)
        return known

    def _declare_view(self, value: ir.Value, where: Position) -> str:
        op = value.owner
        assert isinstance(value.type, ir.MemRef), value
        if isinstance(op, ir.Block):
            return self._argument_view(value, where)
        if op is None or op.name != "ktdp.construct_memory_view":
            what = op.name if op else f"memref %{value.name}"
            unsupported(f"memory that comes from {what}", op.position if op else where)
        groups = op.attributes["operandSegmentSizes"]
        sizes = op.operands[groups[0] : groups[0] + groups[1]]
        strides = op.operands[groups[0] + groups[1] :]
        space = op.attributes.get("memory_space") or value.type.space or ir.MemorySpace("global")
        if space.kind not in ("global", "ct_local"):
            unsupported(f"memory space {space.kind}", op.position, "use global or ct_local")
        view = View(
            self.unique(value.name),
            self._address(op.operands[0], value.type.element, op.position),
            self._mixed(op.attributes["static_sizes"], sizes, op.position),
            self._mixed(op.attributes["static_strides"], strides, op.position),
            value.type.element.name,
            space.kind,
            space.ct_id,
            op.position,
        )
        varying = frozenset().union(*(names(e) for e in (view.base, *view.shape, *view.strides)))
        if varying & self.loops.keys():
            unsupported("a memory view that varies with a loop", op.position, "move the loop into subscripts")
        self.views[view.name] = view
        return view.name

    def _argument_view(self, value: ir.Value, where: Position) -> str:
        """A memref argument: its own buffer, row-major."""
        assert isinstance(value.type, ir.MemRef)
        shape = value.type.shape
        if None in shape or value.type.layout:
            unsupported(f"argument %{value.name} of type {value.type}", where, "use static row-major memrefs")
        strides: list[Index] = [1]
        for extent in reversed(shape[1:]):
            strides.insert(0, mul(strides[0], extent or 1))
        name = self.index.env[value]
        self.roots.add(str(name))
        kind = value.type.space.kind if value.type.space else "global"
        full = tuple(e or 0 for e in shape)
        view = View(
            self.unique(value.name), name, full, tuple(strides[: len(full)]), value.type.element.name, kind
        )
        self.views[view.name] = view
        return view.name

    def _address(self, value: ir.Value, element: ir.Scalar, where: Position) -> Index:
        """A base address in elements: an argument plus an offset, or a constant."""
        address = self.require(value, where, "a base address")
        size = dtype(element.name).nbytes if self.options.address_unit == "bytes" else 1
        terms, const = linear(address)
        roots = [n for n, c in terms.items() if c == 1 and n in self.arguments]
        if len(roots) > 1:  # the buffer's argument is the first one named by the address computation
            known = [r for r in roots if r in self.roots]
            roots = known or roots
        if not roots:
            return call("floordiv", address, size, ranges=self.ranges)
        root = str(roots[0])
        self.roots.add(root)
        rest = add(*[mul(c, leaf) for leaf, c in terms.items() if leaf != root], const)
        return add(root, call("floordiv", rest, size, ranges=self.ranges))

    def require(self, value: ir.Value, where: Position, what: str) -> Index:
        """The integer expression of `value`; LIFT001 when it is data-dependent."""
        found = self.index.index(value)
        if found is None:
            found = self._loaded_index(value)
        if found is None:
            owner = value.owner
            reason = f"computed by {owner.name}" if isinstance(owner, ir.Op) else "a block argument"
            unsupported(f"{what} that depends on data: %{value.name} is {reason}", where)
        return found

    def _mixed(
        self, static: Sequence[int], dynamic: Sequence[ir.Value], where: Position
    ) -> tuple[Index, ...]:
        rest = iter(dynamic)
        return tuple(
            self.require(next(rest), where, "a size or stride") if is_dynamic(s) else s for s in static
        )

    # --- access tiles -----------------------------------------------------------------------------------

    def tile(self, value: ir.Value, where: Position) -> Tile | IndirectTile:
        """The access tile that an SSA value denotes."""
        op = value.owner
        assert isinstance(value.type, ir.AccessTile)
        if isinstance(op, ir.Op) and op.name == "ktdp.construct_indirect_access_tile":
            return self._indirect_tile(op, value.type)
        if not isinstance(op, ir.Op) or op.name != "ktdp.construct_access_tile":
            name = op.name if isinstance(op, ir.Op) else f"block argument %{value.name}"
            unsupported(f"an access tile from {name}", op.position if isinstance(op, ir.Op) else where)
        if not isinstance(op.operands[0].type, ir.MemRef):
            unsupported("an access tile of a tensor", op.position)
        groups = op.attributes["operandSegmentSizes"]
        subscripts = op.operands[1 : 1 + groups[1]]
        base_map: AffineMap = op.attributes["base_map"]
        operands = [self.require(v, op.position, "a subscript") for v in subscripts]
        dims, syms = operands[: base_map.dims], operands[base_map.dims :]
        base = tuple(affine_index(r, dims, syms, self.ranges) for r in base_map.results)
        order = _order(op.attributes.get("access_tile_order"), len(base), op.position)
        extents = tuple(value.type.shape[order.index(d)] for d in range(len(order)))
        lower = box_lower(op.attributes["access_tile_set"], extents, op.position)
        return Tile(self.view(op.operands[0], op.position), base, lower, order, value.type.shape)

    def _indirect_tile(self, op: ir.Op, type_: ir.AccessTile) -> IndirectTile:
        groups = op.attributes["operandSegmentSizes"]
        tables = iter(op.operands[groups[0] : groups[0] + groups[1]])
        captured = op.operands[groups[0] + groups[1] : groups[0] + groups[1] + groups[2]]
        subscripts = tuple(
            Subscript(m, self.view(next(tables), op.position) if getattr(kind, "value", kind) else "")
            for kind, m in zip(
                op.attributes["per_dim_subscript_kinds"], op.attributes["per_dim_subscript_maps"], strict=True
            )
        )
        region: IntegerSet = op.attributes["variables_space_set"]
        order = _order(op.attributes.get("variables_space_order"), region.dims, op.position)
        extents = tuple(type_.shape[order.index(d)] for d in range(len(order)))
        return IndirectTile(
            self.view(op.operands[0], op.position),
            subscripts,
            tuple(self.require(v, op.position, "a subscript") for v in captured),
            box_lower(region, extents, op.position),
            order,
            type_.shape,
            lambda view, at: self._index_element(view, at, op.position),
            self.ranges,
        )

    def _index_element(self, view: str, at: tuple[Index, ...], where: Position) -> Index:
        """`(ind ACCESS)` of an index view's element."""
        known = self._element_of.get((view, at))
        if known is None:
            known = self._element_of[view, at] = self.unique(f"{view}_at")
            self.accesses[known] = Access(known, view, at, "error", where)
        return Term("ind", (known,))

    def _loaded_index(self, value: ir.Value) -> Index | None:
        """An integer that comes out of memory: casts of one element of a loaded tile."""
        op = value.owner
        while isinstance(op, ir.Op) and len(op.operands) == 1 and is_integer(op.operands[0].type):
            value = op.operands[0]
            op = value.owner
        if not isinstance(op, ir.Op) or op.name != "tensor.extract":
            return None
        load = op.operands[0].owner
        if not isinstance(load, ir.Op) or load.name != "ktdp.load":
            return None
        tile = self.tile(load.operands[0], load.position)
        idx = tuple(self.require(v, op.position, "an element index") for v in op.operands[1:])
        return self._index_element(tile.view, tile.at(idx), load.position)

    def access(self, op: ir.Op, tile: Tile | IndirectTile, idx: Sequence[Index], name: str) -> str:
        """The access of one load or store at a tile index; every load and store has its own."""
        at = tile.at(idx)
        key = (op, at)
        known = self._access_of.get(key)
        if known is None:
            known = self._access_of[key] = self.unique(name)
            boundary = self.options.out_of_view
            self.accesses[known] = Access(known, tile.view, at, boundary, op.position)
        return known

    def forget(self, access: str) -> None:
        """Undo the declaration of an access that nothing uses."""
        del self.accesses[access]
        self.used.discard(access)
        for key in [k for k, name in self._access_of.items() if name == access]:
            del self._access_of[key]
        for element in [k for k, name in self._element_of.items() if name == access]:
            del self._element_of[element]


def is_dynamic(extent: object) -> bool:
    """Is this entry of a static list MLIR's marker for "given by an operand"?"""
    return extent is None or (isinstance(extent, int) and extent == -(2**63))


def _order(m: AffineMap | None, rank: int, where: Position) -> tuple[int, ...]:
    if m is None:
        return tuple(range(rank))
    dims = tuple(r.index for r in m.results if isinstance(r, Dim))
    if sorted(dims) != list(range(rank)):
        unsupported(f"access_tile_order {m}, which is not a permutation", where)
    return dims


def box_lower(s: IntegerSet, shape: ir.Shape, where: Position) -> tuple[int, ...]:
    """Lower corner of a set that is a box of the given shape; anything else is LIFT001."""
    lower: list[int | None] = [None] * s.dims
    upper: list[int | None] = [None] * s.dims
    for expr, equality in s.constraints:
        form = linear_form(expr)
        if form is None or len(form[0]) > 1:
            if form is not None and any(not isinstance(leaf, Dim) for leaf in form[0]):
                continue  # a symbolic upper bound: the tile's type has the extent
            unsupported(f"the access set {s}, which is not a box", where)
        if not form[0]:
            continue
        ((leaf, c),), const = form[0].items(), form[1]
        if not isinstance(leaf, Dim) or abs(c) != 1:
            unsupported(f"the access set {s}, which is not a box", where)
        k, corner = leaf.index, -const * c
        low, high = lower[k], upper[k]
        if c > 0 or equality:
            lower[k] = corner if low is None else max(low, corner)
        if c < 0 or equality:
            upper[k] = corner if high is None else min(high, corner)
    for low, high, extent in zip(lower, upper, shape, strict=True):
        # A set larger than the tile's type occurs in upstream's files: the type is what load and store use.
        if low is None or (high is not None and extent is not None and high - low + 1 < extent):
            unsupported(f"the access set {s}, which does not fit the tile's shape", where)
    return tuple(low or 0 for low in lower)
