"""linalg.generic: the body once for the whole iteration space, one batch axis per iteration dimension.

Reduction iterators are folded afterwards where the body is a plain combiner of something that does not
depend on the running value (a matrix product where that something is a product); any other body runs
point by point along the reduction iterators, all parallel points at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...diagnostics import fail
from ...ktir import ir
from ...ktir.affine import AffineMap, Const, Dim
from ...numerics import Formula, dtype, scalar_ops
from .batch import Array, broadcast, ones, widen
from .contraction import contract, subscripts_of
from .frame import Code, Frame, Getter, Step
from .prepare import Context, handles
from .reduction import Fold, fold_axes
from .structured import ins_outs, is_bare
from .tensors import run_body

__all__: list[str] = []


@dataclass(slots=True)
class _Nest:
    """Everything about one generic that does not depend on values."""

    op: ir.Op
    inputs: list[ir.Value]
    outputs: list[ir.Value]
    maps: list[AffineMap]
    reduced: list[int]  # dimensions of reduction iterators
    rank: int
    block: ir.Block
    depth: int


@handles("generic")
def _generic(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    inputs, outputs = ins_outs(op)
    maps = list(op.attributes["indexing_maps"])
    kinds = [str(getattr(k, "text", k)) for k in op.attributes["iterator_types"]]
    reduced = [i for i, k in enumerate(kinds) if "reduction" in k]
    nest = _Nest(op, inputs, outputs, maps, reduced, len(kinds), op.regions[0].blocks[0], context.depth)
    for m in maps[len(inputs) :]:
        if not all(isinstance(r, (Dim, Const)) for r in m.results):
            fail(
                "REF001",
                f"the output map {m} is more than a projection",
                op.position,
                "permute or broadcast inputs",
            )
    return _product(context, nest) or _folded(context, nest) or _pointwise(context, nest)


def _extents(nest: _Nest, operands: Sequence[Array]) -> tuple[int, ...]:
    """The iteration space, from the axes that are a single dimension."""
    sizes: list[int | None] = [None] * nest.rank
    for m, x in zip(nest.maps, operands, strict=True):
        for r, n in zip(m.results, x.shape[nest.depth :], strict=True):
            if isinstance(r, Dim):
                known = sizes[r.index]
                if known is not None and known != n:
                    text = f"iteration dimension {r.index} is {known} for one operand and {n} for another"
                    fail("REF019", text, nest.op.position)
                sizes[r.index] = n
    if None in sizes:
        fail("REF019", "an iteration dimension is not the axis of any operand", nest.op.position)
    return tuple(n or 0 for n in sizes)


def _over_space(x: Array, m: AffineMap, extents: tuple[int, ...], depth: int) -> Array:
    """An operand over the iteration space: batch axes, then one axis per dimension (1 if unused)."""
    dims = [r.index for r in m.results if isinstance(r, Dim)]
    if len(dims) == len(m.results) == len(set(dims)):
        x = x.transpose(*range(depth), *(depth + i for i in np.argsort(dims)))
        shape = tuple(n if d in dims else 1 for d, n in enumerate(extents))
        return x.reshape(x.shape[:depth] + shape)
    rank = len(extents)
    grid = [np.arange(n).reshape((*ones(d), n, *ones(rank - d - 1))) for d, n in enumerate(extents)]
    index = np.broadcast_arrays(
        *(np.asarray(i).reshape(np.shape(i) or ones(rank)) for i in m.eval(grid)), *grid
    )
    return x[(slice(None),) * depth + tuple(index[: len(m.results)])]


def _place(value: Any, m: AffineMap, extents: tuple[int, ...], dtype: np.dtype[Any], depth: int) -> Array:
    """A result over the iteration space (extent 1 along reductions) as the output tensor."""
    x = widen(value, dtype, depth + len(extents))
    dims = [r.index for r in m.results if isinstance(r, Dim)]
    others = [d for d in range(len(extents)) if d not in dims]
    # A parallel dimension that the output does not have writes the same element again: the last point stays.
    x = x[
        (slice(None),) * depth
        + tuple(slice(-1, None) if d in others else slice(None) for d in range(len(extents)))
    ]
    x = x.transpose(*range(depth), *(depth + d for d in (*dims, *others)))
    found = iter(x.shape[depth:])
    shape = tuple(next(found) if isinstance(r, Dim) else 1 for r in m.results)
    sizes = tuple(extents[r.index] if isinstance(r, Dim) else 1 for r in m.results)
    x = x.reshape(x.shape[:depth] + shape)
    return np.broadcast_to(x, x.shape[:depth] + sizes)


def _defined_by(value: ir.Value, block: ir.Block) -> ir.Op | None:
    owner = value.owner
    return owner if isinstance(owner, ir.Op) and any(owner is o for o in block.ops) else None


def _uses(block: ir.Block, value: ir.Value) -> int:
    return sum(o is value for op in block.ops for inner in op.walk() for o in inner.operands)


def _combiners(nest: _Nest) -> list[tuple[ir.Op, ir.Value]] | None:
    """Per output the combining op and its non-carried operand, if every output is such a fold."""
    found = []
    for carried, given in zip(nest.block.args[len(nest.inputs) :], nest.block.ops[-1].operands, strict=True):
        op = _defined_by(given, nest.block)
        spec = scalar_ops().get(op.name) if op is not None else None
        if op is None or spec is None or spec.combiner is None or _uses(nest.block, carried) != 1:
            return None
        if carried is op.operands[0]:
            found.append((op, op.operands[1]))
        elif carried is op.operands[1] and spec.combiner.commutative:
            found.append((op, op.operands[0]))
        else:
            return None
    return found


def _product(context: Context, nest: _Nest) -> Step | None:
    """acc + a·b with projections only: a matrix product instead of the whole iteration space."""
    combiners = _combiners(nest) if nest.reduced else None
    subscripts = subscripts_of(nest.maps)
    if combiners is None or subscripts is None or len(nest.outputs) != 1 or len(nest.inputs) != 2:
        return None
    if context.options.accumulator != "wide" or any(len(set(s)) != len(s) for s in subscripts):
        return None
    combine, term = combiners[0]
    source = _defined_by(term, nest.block)
    add, multiply = scalar_ops()[combine.name], scalar_ops().get(source.name) if source else None
    if source is None or multiply is None or add.formulas[0].ufunc is not np.add:
        return None
    a, b = nest.block.args[:2]
    operands = [_through_cast(v, nest.block) for v in source.operands]
    if multiply.formulas[0].ufunc is not np.multiply or operands not in ([a, b], [b, a]) or nest.rank == 0:
        return None
    if set(subscripts[0]) | set(subscripts[1]) != set(range(nest.rank)):
        return None
    types = [context.element(v.type) for v in nest.inputs]
    out = context.element(nest.op.result.type)
    if len(nest.block.ops) != 3 + sum(v is not w for v, w in zip(source.operands, operands, strict=True)):
        return None
    left, right = context.reads(nest.inputs)
    initial, slot, bare = (
        context.read(nest.outputs[0]),
        context.define(nest.op.result),
        is_bare(nest.outputs[0]),
    )

    def step(frame: Frame) -> None:
        start = None if bare else initial(frame)
        frame.values[slot] = contract(left(frame), right(frame), start, subscripts, types, out, nest.depth)

    return step


def _through_cast(value: ir.Value, block: ir.Block) -> ir.Value:
    """The narrower value behind an exact widening inside the body."""
    op = _defined_by(value, block)
    spec = scalar_ops().get(op.name) if op is not None else None
    if op is None or spec is None or spec.cost != "cast" or len(op.operands) != 1:
        return value
    names = [getattr(v.type, "name", "") for v in (op.operands[0], value)]
    widening = (
        all(n in ("f16", "bf16", "df16", "f32", "f64") for n in names)
        and dtype(names[0]).bits < dtype(names[1]).bits
    )
    return op.operands[0] if widening else value


def _folded(context: Context, nest: _Nest) -> Step | None:
    """Body without reductions, or whose outputs fold values that do not depend on the running value."""
    averaged = _averaged(nest)
    combiners: list[tuple[ir.Op, ir.Value]] | None = []
    if nest.reduced and not averaged:
        combiners = _combiners(nest)
        if combiners is None:
            return None
    dropped = [_defined_by(v, nest.block) for v in nest.block.ops[-1].operands] if averaged else []
    dropped = dropped or [op for op, _ in combiners or []]
    yielded = [v for v, _, _ in averaged] or [v for _, v in combiners or []]
    gets, inits = context.reads(nest.inputs), context.reads(nest.outputs)
    slots = [context.define(r) for r in nest.op.results]
    inner, space = context.inside(nest.rank)
    body = _body(inner, nest, dropped, yielded)
    types = [context.element(r.type) for r in nest.op.results]
    folds = [Fold(scalar_ops()[op.name], t) for (op, _), t in zip(combiners or [], types, strict=False)]
    bare = [is_bare(v) for v in nest.outputs]
    axes = tuple(nest.depth + d for d in nest.reduced)
    out_maps = nest.maps[len(nest.inputs) :]
    read_outputs = [_uses(nest.block, a) > 0 and not folds for a in nest.block.args[len(nest.inputs) :]]

    def step(frame: Frame) -> None:
        ins, outs = [g(frame) for g in gets], [g(frame) for g in inits]
        extents = _extents(nest, [*ins, *outs])
        arguments = [_over_space(x, m, extents, nest.depth) for x, m in zip(ins, nest.maps, strict=False)]
        carried = [
            _over_output(x, m, extents, nest.depth) if needed else np.zeros(ones(nest.depth + nest.rank))
            for x, m, needed in zip(outs, out_maps, read_outputs, strict=True)
        ]
        values = run_body(body, frame, extents, space, arguments + carried)
        for k, (slot, t) in enumerate(zip(slots, types, strict=True)):
            value = values[k]
            if averaged:
                _, formula, name = averaged[k]
                wide = formula.code({name: np.asarray(value, np.float64)})
                value = t.round(np.mean(wide + np.zeros(wide.shape), axis=axes, keepdims=True))
            elif axes:
                x = broadcast(*_spread(value, t.compute, extents, nest))
                start = None if bare[k] else _over_output(outs[k], out_maps[k], extents, nest.depth)
                value = fold_axes(x, axes, start, folds[k], context.options)
            frame.values[slot] = _place(value, out_maps[k], extents, t.compute, nest.depth)

    return step


def _spread(
    value: Any, dtype: np.dtype[Any], extents: tuple[int, ...], nest: _Nest
) -> tuple[Array, tuple[int, ...]]:
    """Full extent along the reduced dimensions, so that each element is folded as often as it counts."""
    x = widen(value, dtype, nest.depth + nest.rank)
    shape = list(x.shape)
    for d in nest.reduced:
        shape[nest.depth + d] = extents[d]
    return x, tuple(shape)


def _over_output(x: Array, m: AffineMap, extents: tuple[int, ...], depth: int) -> Array:
    if all(isinstance(r, Dim) for r in m.results):
        return _over_space(x, m, extents, depth)
    axes = tuple(depth + i for i, r in enumerate(m.results) if isinstance(r, Const))
    dims = AffineMap(m.dims, m.syms, tuple(r for r in m.results if isinstance(r, Dim)))
    return _over_space(x.squeeze(axes), dims, extents, depth)


def _averaged(nest: _Nest) -> list[tuple[ir.Value, Formula, str]]:
    """Per output (operand, formula, operand name) when all outputs come straight from ops that average
    over the reduction (spyreop.exx2 and its kin); these round once, after the mean. Else empty."""
    found = []
    for value in nest.block.ops[-1].operands:
        op = _defined_by(value, nest.block)
        spec = scalar_ops().get(op.name) if op is not None else None
        if op is None or spec is None or spec.reduces != "mean":
            return []
        found.append((op.operands[0], spec.formulas[value.index], spec.operands[0]))
    return found


def _body(context: Context, nest: _Nest, dropped: Sequence[ir.Op | None], yielded: list[ir.Value]) -> Code:
    """The body; or, without the folding ops, yielding what they would fold."""
    if not yielded:
        return context.block(nest.block)
    code = Code([context.define(a) for a in nest.block.args])
    for op in nest.block.ops[:-1]:
        if not any(op is d for d in dropped):
            step = context.op(op)
            if step is not None:
                code.steps.append(step)
    code.results = context.reads(yielded)
    return code


def _pointwise(context: Context, nest: _Nest) -> Step:
    """Point by point along the reduction iterators, in row-major order."""
    gets: list[Getter] = context.reads(nest.inputs)
    inits = context.reads(nest.outputs)
    slots = [context.define(r) for r in nest.op.results]
    inner, space = context.inside(nest.rank)
    body = inner.block(nest.block)
    types = [context.element(r.type) for r in nest.op.results]
    out_maps = nest.maps[len(nest.inputs) :]

    def step(frame: Frame) -> None:
        ins, outs = [g(frame) for g in gets], [g(frame) for g in inits]
        extents = _extents(nest, [*ins, *outs])
        arguments = [_over_space(x, m, extents, nest.depth) for x, m in zip(ins, nest.maps, strict=False)]
        state: list[Any] = [
            _over_output(x, m, extents, nest.depth) for x, m in zip(outs, out_maps, strict=True)
        ]
        for point in np.ndindex(*(extents[d] for d in nest.reduced)):
            at = [_at(x, nest, point) for x in arguments]
            here: list[int | range] = list(extents)
            for d, i in zip(nest.reduced, point, strict=True):
                here[d] = range(i, i + 1)
            state = run_body(body, frame, here, space, at + state)
        for slot, value, m, t in zip(slots, state, out_maps, types, strict=True):
            frame.values[slot] = _place(value, m, extents, t.compute, nest.depth)

    return step


def _at(x: Array, nest: _Nest, point: tuple[int, ...]) -> Array:
    """The values at one point of the reduction iterators, those axes kept with extent 1."""
    index: list[Any] = [slice(None)] * x.ndim
    for d, i in zip(nest.reduced, point, strict=True):
        axis = nest.depth + d
        if x.shape[axis] != 1:
            index[axis] = slice(i, i + 1)
    return np.asarray(x[tuple(index)])
