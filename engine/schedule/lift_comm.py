"""Lifting inter-tile transfers: a produced value, and the `comm` that delivers it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..diagnostics import Position
from ..ktir import ir
from ..ktir.affine import IntegerSet
from ..numerics import ScalarOp
from .index import Bounds, Index, call
from .lift_index import affine_index
from .lift_memory import unsupported
from .lift_reduce import combined
from .lift_tensor import Kept, semantics
from .sexpr import Expr, Term

__all__ = ["Promise", "combiner_of", "group_of", "is_any_producer", "membership", "transfer"]


@dataclass(frozen=True, slots=True)
class Promise:
    """What a future stands for: the value that producers hold, and the op that made it."""

    value: Kept
    op: ir.Op


def membership(s: IntegerSet, tiles: int) -> Index:
    """A set over (tile)[group] as an integer expression over `t` and `g`."""
    ranges: dict[str, Bounds] = {"t": (0, tiles - 1)}
    clauses: list[Expr] = []
    for expr, equality in s.constraints:
        value = affine_index(expr, ["t"], ["g"], ranges)
        clauses.append(
            call("eq", value, 0, ranges=ranges) if equality else call("le", 0, value, ranges=ranges)
        )
    kept = [c for c in clauses if c != 1]
    return 1 if not kept else kept[0] if len(kept) == 1 else Term("and", tuple(kept))


def groups(future: ir.Value, where: Position) -> int:
    """The number of groups; they must be 0 … n−1."""
    assert isinstance(future.type, ir.TileFuture)
    found = [g for g in range(1025) if future.type.groups.contains([g])]
    if found != list(range(len(found))) or len(found) > 1024:
        unsupported(f"groups {future.type.groups}, which are not 0 … n−1", where)
    return len(found)


def producers(op: ir.Op, grid: Sequence[int]) -> dict[int, int]:
    """Group by producing tile."""
    region: IntegerSet = op.attributes["producer_tiles_per_group"]
    found = {}
    for g in range(groups(op.result, op.position)):
        found.update({t: g for t in range(math.prod(grid)) if region.contains([t], [g])})
    return found


def is_any_producer(op: ir.Op, grid: Sequence[int]) -> Index:
    """Does this tile produce at all? An expression over `tile`."""
    found = sorted(producers(op, grid))
    tiles = math.prod(grid)
    if len(found) == tiles:
        return 1
    if found and found == list(range(found[0], found[-1] + 1)):
        return Term("and", (Term("le", (found[0], "tile")), Term("le", ("tile", found[-1]))))
    return Term("or", tuple(Term("eq", ("tile", t)) for t in found)) if found else 0


def group_of(op: ir.Op, grid: Sequence[int]) -> Index:
    """The group this tile produces for, as an expression over `tile`."""
    found = producers(op, grid)
    for size in range(1, math.prod(grid) + 1):
        if all(g == t // size for t, g in found.items()):
            return call("floordiv", "tile", size) if size > 1 else "tile"
        if all(g == t % size for t, g in found.items()):
            return call("mod", "tile", size)
    chosen: Index = 0
    for t, g in found.items():
        chosen = Term("select", (Term("eq", ("tile", t)), g, chosen))
    return chosen


def combiner_of(op: ir.Op) -> ScalarOp:
    """The scalar op that a reduction's region applies elementwise. LIFT001 when it is not one op."""
    block = op.regions[0].blocks[0]
    if len(block.args) != 2:
        unsupported(f"{op.name} of several values", op.position)
    result = block.ops[-1].operands[0]
    last = result.owner
    if isinstance(last, ir.Op) and semantics(last.name) in ("elementwise", "generic", "map"):
        inner = last.regions[0].blocks[0]
        sides = {v: a for a, v in zip(inner.args, last.operands, strict=False)}
        if block.args[0] in sides and block.args[1] in sides:
            comb, other = combined(inner.ops[-1].operands[0], sides[block.args[0]], op)
            if other is sides[block.args[1]]:
                return comb
    comb, other = combined(result, block.args[0], op)
    if other is not block.args[1]:
        unsupported(f"{op.name} whose region is not one combining op", op.position)
    return comb


def transfer(op: ir.Op, promise: Promise, result: str, comb: ScalarOp | None, grid: Sequence[int]) -> Term:
    """The `comm` term of a delivering op."""
    if op.attributes.get("producer_dependency_per_consumer") is not None:
        unsupported("producer_dependency_per_consumer", op.position)
    tiles = math.prod(grid)
    clauses: list[Expr] = [
        Term("groups", (groups(op.operands[0], op.position),)),
        Term("producers", (membership(promise.op.attributes["producer_tiles_per_group"], tiles),)),
        Term("consumers", (membership(op.attributes["consumer_tiles_per_group"], tiles),)),
    ]
    if comb is not None:
        clauses.append(Term("comb", (comb.name,)))
    kind = semantics(op.name).removeprefix("inter_tile_")
    return Term("comm", (kind, result, promise.value.name, *clauses))
