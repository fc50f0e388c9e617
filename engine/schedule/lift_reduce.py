"""Reductions in the lift: taking a structured op's body apart into a combiner and what it folds in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ktir import ir
from ..ktir.affine import AffineMap, Dim
from ..numerics import ScalarOp, dtype, scalar_ops, spec_entries
from ..options import Options
from .lift_memory import unsupported
from .lift_tensor import element, extents, semantics

__all__ = ["Reduction", "accumulator_type", "combined", "maps_of", "reduction_dims", "reduction_of"]


@dataclass(frozen=True, slots=True)
class Reduction:
    """`result = comb(init, …)` folded over the iteration dimensions `over`. `folded` is the value inside the
    body that each point contributes; `maps` index operands and the result by iteration dimension."""

    op: ir.Op
    comb: ScalarOp
    folded: ir.Value
    init: ir.Value
    maps: tuple[AffineMap, ...]
    over: tuple[int, ...]
    factors: tuple[ir.Value, ir.Value] | None  # a sum of products, which `contract` denotes


def maps_of(op: ir.Op) -> tuple[AffineMap, ...]:
    """The indexing maps of a structured op, inputs first."""
    given = op.attributes.get("indexing_maps")
    if given:
        return tuple(given)
    kind = semantics(op.name)
    if kind == "reduce":
        n = len(extents(op.operands[0].type))
        kept = [d for d in range(n) if d not in set(op.attributes["dimensions"])]
        half = len(op.operands) // 2
        out = AffineMap(n, 0, tuple(Dim(d) for d in kept))
        return (AffineMap.identity(n),) * half + (out,) * half
    subscripts = spec_entries()[op.name][0]["semantics"].get("subscripts") if kind == "contraction" else None
    if subscripts:
        groups = str(subscripts).replace("->", ",").split(",")
        letters = sorted({c for g in groups for c in g}, key=str(subscripts).index)
        return tuple(AffineMap(len(letters), 0, tuple(Dim(letters.index(c)) for c in g)) for g in groups)
    rank = len(extents(op.results[0].type)) if op.results else len(extents(op.operands[-1].type))
    return (AffineMap.identity(rank),) * len(op.operands)


def reduction_dims(op: ir.Op) -> tuple[int, ...]:
    """Iteration dimensions that the result does not have; () for an elementwise op."""
    if semantics(op.name) not in ("reduce", "contraction", "generic"):
        return ()
    maps = maps_of(op)
    present = {r.index for r in maps[-1].results if isinstance(r, Dim)}
    return tuple(d for d in range(maps[-1].dims) if d not in present)


def reduction_of(op: ir.Op) -> Reduction:
    """Take a structured op with reduction dimensions apart. LIFT001 when its body is no fold."""
    groups = op.attributes.get("operandSegmentSizes")
    n_in = groups[0] if groups else len(op.operands) // 2
    if len(op.operands) - n_in != 1:
        unsupported(f"{op.name} with several results", op.position)
    block = op.regions[0].blocks[0] if op.regions and op.regions[0].blocks else None
    if block is None or len(block.args) != len(op.operands):
        unsupported(f"{op.name} without a body", op.position)
    comb, folded = combined(block.ops[-1].operands[0], block.args[n_in], op)
    return Reduction(
        op, comb, folded, op.operands[n_in], maps_of(op), reduction_dims(op), _factors(comb, folded)
    )


def combined(result: ir.Value, state: ir.Value, op: ir.Op) -> tuple[ScalarOp, ir.Value]:
    """`(combiner, x)` with result = combiner(state, x), x independent of the state. LIFT001 otherwise."""
    last = result.owner
    if isinstance(last, ir.Op):
        known = scalar_ops().get(last.name)
        if known is not None and known.combiner is not None and len(last.operands) == 2:
            a, b = last.operands
            if a is state and not depends_on(b, {state}):
                return known, b
            if b is state and known.combiner.commutative and not depends_on(a, {state}):
                return known, a
    unsupported(f"{op.name} whose body is not a single fold into its output", op.position)


def depends_on(value: ir.Value, states: set[ir.Value]) -> bool:
    """Does computing `value` use one of `states`?"""
    work, seen = [value], set[ir.Value]()
    while work:
        v = work.pop()
        if v in states:
            return True
        if v in seen or not isinstance(v.owner, ir.Op):
            continue
        seen.add(v)
        for nested in v.owner.walk():
            work += nested.operands
    return False


def _factors(comb: ScalarOp, folded: ir.Value) -> tuple[ir.Value, ir.Value] | None:
    product = folded.owner
    if not isinstance(product, ir.Op) or comb.formulas[0].text != "a + b":
        return None
    known = scalar_ops().get(product.name)
    if known is None or known.formulas[0].text != "a * b":
        return None
    a, b = product.operands
    return _narrow(a), _narrow(b)


def _narrow(value: ir.Value) -> ir.Value:
    """Drop an exact widening of floats: a contraction multiplies exactly anyway."""
    op = value.owner
    known = scalar_ops().get(op.name) if isinstance(op, ir.Op) else None
    if known is None or known.formulas[0].text != "a" or not isinstance(op, ir.Op):
        return value
    source, target = op.operands[0], value
    if isinstance(source.type, ir.Scalar) and isinstance(target.type, ir.Scalar):
        a, b = dtype(source.type.name), dtype(target.type.name)
        if a.is_float and b.is_float and b.bits > a.bits:
            return source
    return value


def accumulator_type(name: str, comb: ScalarOp, options: Options) -> str:
    """What a fold is carried in: 16-bit floats in f32 (option `accumulator`), unless folding never rounds."""
    t = dtype(name)
    rounds = t.is_float and not comb.formulas[0].preserving
    return "f32" if rounds and t.bits == 16 and options.accumulator == "wide" else name


def tensor_operands(op: ir.Op) -> Sequence[ir.Value]:
    """Operands that have a shape."""
    return [v for v in op.operands if isinstance(v.type, ir.Tensor)]


def result_element(op: ir.Op) -> str:
    return element(op.result.type)
