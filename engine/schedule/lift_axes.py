"""Which axes the dimensions of a tensor run along, where something fixes them.

A load fits any index, so most tensors take the default axes of their shape. A value that is kept (a
reduction, a carried tensor) has axes of its own; `Anchors` finds what a tensor inherits from those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..diagnostics import Position
from ..ktir import ir
from ..ktir.affine import Dim
from .index import Index
from .lift_memory import Declarations, unsupported
from .lift_reduce import maps_of, reduction_dims
from .lift_tensor import Idx, Kept, extents, reshaped, semantics

__all__ = ["Anchors"]


@dataclass
class Anchors:
    declare: Declarations
    values: Mapping[ir.Value, Kept]
    active: set[ir.Value] = field(default_factory=set)  # guards against loops through carried values

    def indices(self, value: ir.Value) -> Idx:
        """Index of each dimension: inherited, or the default of the shape."""
        found = self.inherited(value)
        return found if found is not None else self.default(value)

    def axes(self, value: ir.Value) -> Idx:
        """As `indices`, but plain axes (or 0) only: what a kept value needs."""
        found = self.indices(value)
        return found if all(i == 0 or isinstance(i, str) for i in found) else self.default(value)

    def default(self, value: ir.Value) -> Idx:
        shape = extents(value.type)
        if None in shape:
            op = value.owner
            unsupported("a tile with run-time extents", op.position if isinstance(op, ir.Op) else _NOWHERE)
        return self.declare.tile_indices([e or 0 for e in shape])

    def inherited(self, value: ir.Value) -> Idx | None:
        kept = self.values.get(value)
        if kept is not None:
            return kept.idx
        op = self.declare.written.get(value, value.owner)
        if not isinstance(op, ir.Op) or value in self.active or not isinstance(value.type, ir.Tensor):
            return None
        self.active.add(value)
        found = self._from(op, value)
        self.active.discard(value)
        return found

    def _from(self, op: ir.Op, value: ir.Value) -> Idx | None:
        match semantics(op.name):
            case "scalar" | "identity":
                return self._first([v for v in op.operands if isinstance(v.type, ir.Tensor)])
            case "reduce" | "contraction" | "generic" | "elementwise" | "map":
                if not reduction_dims(op) and not self._structured(op):
                    return None
                dims = self.iteration(op)
                return tuple(dims[r.index] for r in maps_of(op)[-1].results if isinstance(r, Dim))
            case "broadcast":
                inner = self.inherited(op.operands[0])
                if inner is None:
                    return None
                rest, added = iter(inner), set(op.attributes["dimensions"])
                return self._complete(
                    value, [None if k in added else next(rest) for k in range(_rank(value))]
                )
            case "transpose":
                inner = self.inherited(op.operands[0])
                return None if inner is None else tuple(inner[d] for d in op.attributes["permutation"])
            case "reshape":
                return self._reshaped(op, value)
            case "for":
                last = op.regions[0].blocks[0].ops[-1]
                k = op.results.index(value)
                return self.inherited(last.operands[k]) or self.inherited(op.operands[3 + k])
        return None

    def _first(self, operands: list[ir.Value]) -> Idx | None:
        for v in operands:
            found = self.inherited(v)
            if found is not None:
                return found
        return None

    def _structured(self, op: ir.Op) -> bool:
        return any(self.inherited(v) is not None for v in op.operands)

    def iteration(self, op: ir.Op) -> Idx:
        """Index of each iteration dimension of a structured op: from operands that inherit one, then by
        default; two dimensions never share an axis."""
        maps = maps_of(op)
        dims: list[Index | None] = [None] * maps[-1].dims
        tensors = [(v, m) for v, m in zip(op.operands, maps, strict=False) if isinstance(v.type, ir.Tensor)]
        for v, m in tensors:
            for r, i in zip(m.results, self.inherited(v) or (), strict=False):
                if isinstance(r, Dim) and dims[r.index] is None and (i == 0 or i not in dims):
                    dims[r.index] = i
        inputs_first = bool(reduction_dims(op)) and len(tensors) == 2
        for v, m in tensors if inputs_first else [tensors[-1], *tensors]:
            shape = extents(v.type)
            for place, (r, n) in enumerate(zip(m.results, shape, strict=True)):
                if isinstance(r, Dim) and dims[r.index] is None:
                    if n is None:
                        unsupported("a tile with run-time extents", op.position)
                    used = [d for d in dims if isinstance(d, str)]
                    dims[r.index] = 0 if n == 1 else self.declare.tile_axis(n, len(shape) - 1 - place, used)
        if None in dims:
            unsupported(f"{op.name} with an iteration dimension that no operand shows", op.position)
        return tuple(d for d in dims if d is not None)

    def _complete(self, value: ir.Value, partial: list[Index | None]) -> Idx:
        """Fill open dimensions with default axes that are not in use."""
        shape = extents(value.type)
        used = [i for i in partial if isinstance(i, str)]
        for k, (i, n) in enumerate(zip(partial, shape, strict=True)):
            if i is None:
                partial[k] = 0 if n == 1 else self.declare.tile_axis(n or 0, len(shape) - 1 - k, used)
        return tuple(i for i in partial if i is not None)

    def _reshaped(self, op: ir.Op, value: ir.Value) -> Idx | None:
        """The same axes; a dimension that is split or joined becomes an expression in them."""
        inner = self.inherited(op.operands[0])
        before, after = extents(op.operands[0].type), extents(value.type)
        if inner is None or None in before or None in after:
            return None
        return reshaped(inner, before, after, self.declare.ranges)


def _rank(value: ir.Value) -> int:
    return len(extents(value.type))


_NOWHERE = Position()
