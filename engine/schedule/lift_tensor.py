"""Lifting pure tensor SSA values into statements, by pulling: which expression gives the element at
this index? Broadcasts, transposes, slices and reshapes only transform the index; what remains are
loads, scalars and scalar ops. Ops are told apart by the `semantics` of their spec entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from ..diagnostics import Position
from ..ktir import ir
from ..ktir.affine import AffineMap, Dim
from ..numerics import scalar_ops, spec_entries
from .index import Index, add, call, mul
from .lift_index import affine_index, is_integer
from .lift_memory import Declarations, is_dynamic, unsupported
from .program import Let
from .sexpr import Expr, Term

__all__ = [
    "NARROW",
    "WIDEN",
    "Builder",
    "Idx",
    "Kept",
    "element",
    "extents",
    "is_terminator",
    "reshaped",
    "semantics",
]

Idx = tuple[Index, ...]
NARROW = "arith.truncf"  # how a reduction carried in f32 becomes a value of its own type
WIDEN = "arith.extf"
Bound = Mapping[ir.Value, "tuple[ir.Value, Idx] | Index"]  # arguments of an inlined body


@dataclass(frozen=True, slots=True)
class Kept:
    """An SSA value that lives in a ScheduleIR value: its name, index by dimension, and element type (wider
    than the SSA value's where a reduction is carried in f32)."""

    name: str
    idx: Idx
    dtype: str


@cache
def semantics(name: str) -> str:
    """What kind of op this is: the `kind` of its spec's semantics, `scalar` for a formula, `` if unknown."""
    if name in scalar_ops():
        return "scalar"
    entry = spec_entries().get(name)
    kind = entry[0].get("semantics") if entry else None
    return str(kind.get("kind", "")) if isinstance(kind, dict) else str(kind or "")


@cache
def is_terminator(name: str) -> bool:
    """Does the op end its block?"""
    entry = spec_entries().get(name)
    return entry is not None and "terminator" in entry[0].get("traits", ())


def extents(t: ir.Type) -> ir.Shape:
    """Shape of a tensor; () for a scalar."""
    return t.shape if isinstance(t, ir.Tensor) else ()


def element(t: ir.Type) -> str:
    return t.element.name if isinstance(t, ir.Tensor) else str(getattr(t, "name", t))


@dataclass
class Builder:
    """The lets of one statement under construction. `values` maps SSA values kept in a ScheduleIR value to
    its name; all others are expanded. `path` names the loop that the statement sits in, for error texts."""

    declare: Declarations
    values: Mapping[ir.Value, Kept]
    lets: list[Let] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    known: dict[tuple[Any, ...], str] = field(default_factory=dict)
    shared: int = 0  # lets found again rather than made: what a second store has in common with the first
    where: Position = field(default_factory=Position)  # of the operation that is being expanded

    def copy(self) -> Builder:
        return replace(self, lets=[*self.lets], names={*self.names}, known={**self.known}, shared=0)

    def bind(self, key: tuple[Any, ...], wanted: str, dtype: str, expr: Term) -> str:
        """The let with this expression, made if there is none yet."""
        found = self.known.get((expr, dtype))
        if found is None:
            base = wanted.strip("_")
            base = base if base[:1].isalpha() else f"v{base}"
            found, n = base, 0
            while found in self.names:
                n += 1
                found = f"{base}_{n}"
            self.names.add(found)
            self.lets.append(Let(found, dtype, expr, self.where))
            self.known[expr, dtype] = found
        else:
            self.shared += 1
        self.known[key] = found
        return found

    def pull(self, value: ir.Value, idx: Idx, bound: Bound) -> str:
        """The name of the tile that holds `value` at `idx` (a scalar: at ())."""
        inner = bound.get(value)
        if isinstance(inner, tuple):
            return self.pull(*inner, {})
        if inner is not None:
            return self.bind((value, idx, inner), value.name, element(value.type), Term("index", (inner,)))
        key = (value, idx, tuple(sorted((k.name, str(v)) for k, v in bound.items())))
        found = self.known.get(key)
        if found is not None:
            self.shared += 1
            return found
        if value in self.values:
            return self._get(key, value, idx)
        index = self._index(value)
        if index is not None:
            return self.bind(key, value.name, element(value.type), Term("index", (index,)))
        op = self.declare.written.get(value, value.owner)
        if not isinstance(op, ir.Op):
            return self._argument(key, value)
        rule = _RULES.get(semantics(op.name))
        if rule is None:
            unsupported(f"{op.name} as part of a stored value", op.position)
        outer, self.where = self.where, op.position
        name = str(rule(self, key, op, value, idx, bound))
        self.where = outer
        return name

    def _argument(self, key: tuple[Any, ...], value: ir.Value) -> str:
        index = self.declare.index.env.get(value)
        if index is None or isinstance(value.type, ir.Tensor):
            unsupported(f"the loop-carried or block argument %{value.name}", Position())
        known = isinstance(index, str) and index in self.declare.scalars
        return self.bind(key, value.name, element(value.type), Term("arg" if known else "index", (index,)))

    def _index(self, value: ir.Value) -> Index | None:
        """A scalar integer computed from arguments, coordinates and axes; constants stay constants."""
        if not is_integer(value.type):
            return None
        if isinstance(value.owner, ir.Op) and semantics(value.owner.name) == "constant":
            return None
        return self.declare.index.index(value)

    def _get(self, key: tuple[Any, ...], value: ir.Value, idx: Idx) -> str:
        kept = self.values[value]
        if idx != kept.idx:
            op = value.owner
            where = op.position if isinstance(op, ir.Op) else Position()
            unsupported(f"%{value.name} used in another layout than it was computed in", where)
        name = self.bind(key, value.name, kept.dtype, Term("get", (kept.name,)))
        if kept.dtype != element(value.type):
            name = self.bind(key, value.name, element(value.type), Term("op", (NARROW, name)))
        return name

    # --- scalars and scalar ops ---------------------------------------------------------------------------

    def scalar(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        known = scalar_ops()[op.name]
        if value is not op.results[0]:
            unsupported(f"the further results of {op.name}", op.position)
        operands = [self.pull(v, idx if isinstance(v.type, ir.Tensor) else (), bound) for v in op.operands]
        attributes: list[Expr] = []
        used = {known.selector, *(n for f in known.formulas for n in f.names)}
        for name in known.attributes:
            given = op.attributes.get(name)
            if given is None or name not in used:
                continue
            plain = getattr(given, "value", getattr(given, "text", given))
            if name == known.selector and isinstance(plain, int):
                plain = known.cases[plain]
            attributes += [f":{name}", int(plain) if isinstance(plain, bool) else plain]
        expr = Term("op", (op.name, *operands, *attributes))
        return self.bind(key, value.name, element(value.type), expr)

    def constant(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        given = op.attributes["value"]
        if isinstance(given, ir.Dense):
            flat = np.asarray(given.array)
            first: Any = flat.reshape(-1)[0] if flat.size else np.int64(0)
            if not ((flat.size and (flat == first).all()) or np.isnan(flat.astype(float)).all()):
                unsupported("a dense constant whose elements differ", op.position, "pass it as a buffer")
            number: Any = first.item()
        else:
            number = getattr(given, "value", given)
        number = number if isinstance(number, float) else int(number)
        return self.bind(key, value.name, element(value.type), Term("const", (number,)))

    def splat(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        return self.pull(op.operands[0], (), bound)

    def single(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        if len(op.operands) != 1:
            unsupported(f"{op.name} of several elements", op.position)
        return self.pull(op.operands[0], (), bound)

    def undefined(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        unsupported("reading a tensor.empty, whose elements are undefined", op.position, "fill it first")

    # --- memory -------------------------------------------------------------------------------------------

    def load(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        tile = self.declare.tile(op.operands[0], op.position)
        access = self.declare.access(op, tile, idx, value.name)
        return self.bind(key, value.name, element(value.type), Term("load", (access,)))

    # --- index transformations ----------------------------------------------------------------------------

    def same(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        return self.pull(op.operands[0], idx, bound)

    def broadcast(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        added = set(op.attributes["dimensions"])
        return self.pull(op.operands[0], tuple(i for k, i in enumerate(idx) if k not in added), bound)

    def transpose(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        permutation = list(op.attributes["permutation"])
        source = tuple(idx[permutation.index(k)] for k in range(len(idx)))
        return self.pull(op.operands[0], source, bound)

    def extract(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        source = tuple(self.declare.require(v, op.position, "an element index") for v in op.operands[1:])
        return self.pull(op.operands[0], source, bound)

    def extract_slice(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        groups = op.attributes["operandSegmentSizes"]
        rest = iter(op.operands[groups[0] :])
        lists = [
            [self.declare.require(next(rest), op.position, name) if is_dynamic(s) else s for s in static]
            for name, static in (
                ("a slice offset", op.attributes["static_offsets"]),
                ("a slice size", op.attributes["static_sizes"]),
                ("a slice stride", op.attributes["static_strides"]),
            )
        ]
        offsets, sizes, strides = lists
        kept = _kept_dims(sizes, extents(value.type))
        if kept is None:
            unsupported("a rank-reducing slice with run-time sizes", op.position)
        at: list[Index] = []
        for d, (offset, stride) in enumerate(zip(offsets, strides, strict=True)):
            inner: Index = idx[kept.index(d)] if d in kept else 0
            at.append(add(offset, mul(stride, inner)))
        return self.pull(op.operands[0], tuple(at), bound)

    def reshape(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        source, target = extents(op.operands[0].type), extents(value.type)
        if None in source or None in target:
            unsupported(f"{op.name} of a tensor with run-time extents", op.position)
        at = reshaped(idx, target, source, self.declare.ranges)
        return self.pull(op.operands[0], at, bound)

    # --- bodies -------------------------------------------------------------------------------------------

    def body(self, key: Any, op: ir.Op, value: ir.Value, idx: Idx, bound: Bound) -> str:
        """A structured op whose iterators are all parallel: its body, with operands at mapped indices."""
        n_in, _ = op.attributes.get("operandSegmentSizes") or (len(op.operands) - 1, 1)
        maps = op.attributes.get("indexing_maps") or [AffineMap.identity(len(idx))] * len(op.operands)
        kinds = [str(getattr(t, "text", t)) for t in op.attributes.get("iterator_types") or []]
        if any("parallel" not in t for t in kinds):
            unsupported(f"{op.name} with a reduction iterator", op.position)
        k = op.results.index(value) if value in op.results else op.operands[n_in:].index(value)
        dims = _solve(maps[n_in + k], idx, op.position)
        return self.inside(op, op.regions[0].blocks[0].ops[-1].operands[k], maps, dims)

    def inside(self, op: ir.Op, value: ir.Value, maps: Sequence[AffineMap], dims: Idx) -> str:
        """A value of a structured op's body at an iteration point."""
        block = op.regions[0].blocks[0]
        inner: dict[ir.Value, tuple[ir.Value, Idx] | Index] = {}
        for arg, operand, m in zip(block.args, op.operands, maps, strict=False):
            at = affine_indices(m, dims, self.declare) if isinstance(operand.type, ir.Tensor) else ()
            inner[arg] = (operand, at)
        for nested in block.ops:
            if semantics(nested.name) == "index":
                inner[nested.result] = dims[nested.attributes["dim"]]
        return self.pull(value, (), inner)


def affine_indices(m: AffineMap, dims: Sequence[Index], declare: Declarations) -> Idx:
    return tuple(affine_index(r, dims, (), declare.ranges) for r in m.results)


def _solve(m: AffineMap, idx: Idx, where: Position) -> Idx:
    """Iteration point of an output index, when the output map is a permutation."""
    dims: list[Index | None] = [None] * m.dims
    for r, i in zip(m.results, idx, strict=True):
        if not isinstance(r, Dim):
            unsupported(f"the output map {m}, which is not a permutation", where)
        dims[r.index] = i
    if None in dims:
        unsupported(f"the output map {m}, which is not a permutation", where)
    return tuple(d for d in dims if d is not None)


def _kept_dims(sizes: Sequence[Index], result: ir.Shape) -> list[int] | None:
    """Source dimensions that the result of a (rank-reducing) slice keeps: unit ones are dropped first."""
    kept: list[int] = []
    for d, size in enumerate(sizes):
        left = len(result) - len(kept)
        if left and (size != 1 or len(sizes) - d == left or result[len(kept)] == 1):
            kept.append(d)
    return kept if len(kept) == len(result) else None


def reshaped(idx: Idx, target: ir.Shape, source: ir.Shape, ranges: Any) -> Idx:
    """Index into `source` of the element at `idx` of `target`, both row-major with as many elements.

    Works group by group between positions where both shapes have covered equally many elements, so that
    dimensions which only move stay plain axes.
    """
    at: list[Index] = []
    t = s = 0
    while s < len(source):
        t0, s0 = t, s
        size_t, size_s = target[t] if t < len(target) else 1, source[s]
        t, s = min(t + 1, len(target)), s + 1
        while size_t != size_s:
            assert size_t is not None and size_s is not None
            if size_t < size_s and t < len(target):
                size_t, t = size_t * (target[t] or 0), t + 1
            elif s < len(source):
                size_s, s = size_s * (source[s] or 0), s + 1
            else:
                size_t, t = size_t * (target[t] or 0), t + 1
        at += _delinearise(_linearise(idx[t0:t], target[t0:t]), source[s0:s], ranges)
    return tuple(at)


def _linearise(idx: Sequence[Index], shape: ir.Shape) -> Index:
    flat: Index = 0
    for i, extent in zip(idx, shape, strict=True):
        flat = add(mul(flat, extent or 0), i)
    return flat


def _delinearise(flat: Index, shape: ir.Shape, ranges: Any) -> list[Index]:
    found: list[Index] = []
    for k, extent in enumerate(reversed(shape)):
        if extent == 1:
            found.append(0)
        elif all(e == 1 for e in shape[: len(shape) - 1 - k]):
            found.append(flat)
            flat = 0
        else:
            found.append(call("mod", flat, extent or 1, ranges=ranges))
            flat = call("floordiv", flat, extent or 1, ranges=ranges)
    return found[::-1]


_RULES: dict[str, Any] = {
    "scalar": Builder.scalar,
    "constant": Builder.constant,
    "splat": Builder.splat,
    "fill": Builder.splat,
    "from_elements": Builder.single,
    "empty": Builder.undefined,
    "load": Builder.load,
    "identity": Builder.same,
    "broadcast": Builder.broadcast,
    "transpose": Builder.transpose,
    "extract": Builder.extract,
    "extract_slice": Builder.extract_slice,
    "reshape": Builder.reshape,
    "elementwise": Builder.body,
    "generic": Builder.body,
    "map": Builder.body,
}
