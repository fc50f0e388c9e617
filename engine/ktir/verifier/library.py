"""The functions rules may call: shapes, types, sets, definitions, uses. Unknown is None (`expression`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from ..affine import AffineMap, Dim, IntegerSet
from ..groups import constant_of, number, operand_groups
from ..ir import (
    AccessTile,
    DenseArray,
    MemorySpace,
    MemRef,
    Op,
    Region,
    RuntimeArg,
    Scalar,
    Tensor,
    TileFuture,
    Value,
    Vector,
)
from . import access, intertile
from .expression import Env

__all__ = ["FUNCTIONS"]


def _type(x: Any) -> Any:
    return x.type if isinstance(x, Value) else x


def _shape(env: Env, x: Any) -> Any:
    kind = _type(x)
    return kind.shape if isinstance(kind, Tensor | Vector | MemRef | AccessTile) else None


def _rank(env: Env, x: Any) -> int | None:
    shape = _shape(env, x)
    return None if shape is None else len(shape)


def _element(env: Env, x: Any) -> Any:
    kind = _type(x)
    return getattr(kind, "element", kind) if not isinstance(kind, AccessTile) else None


def _each(function: Callable[[Env, Any], Any]) -> Callable[[Env, Any], Any]:
    return lambda env, xs: [function(env, x) for x in xs]


def _all_equal(env: Env, xs: Iterable[Any], value: Any) -> bool | None:
    return None if value is None else all(x == value for x in xs if x is not None)


def _lanes(env: Env, x: Any) -> int | None:
    """Elements of a vector; a scalar is one lane."""
    kind = _type(x)
    if isinstance(kind, Vector):
        return None if None in kind.shape else math.prod(d for d in kind.shape if d is not None)
    return 1


def _dims(env: Env, x: Any) -> int | None:
    return x.dims if isinstance(x, AffineMap | IntegerSet) else None


def _syms(env: Env, x: Any) -> int | None:
    return x.syms if isinstance(x, AffineMap | IntegerSet) else None


def _results(env: Env, x: Any) -> int | None:
    return len(x.results) if isinstance(x, AffineMap) else None


def _is_permutation(env: Env, x: Any) -> bool | None:
    if not isinstance(x, AffineMap):
        return None
    return sorted(r.index for r in x.results if isinstance(r, Dim)) == list(range(x.dims))


def _numbers(xs: Any) -> list[int] | None:
    if not isinstance(xs, list):
        return None
    found = [number(x) for x in xs]
    return [int(x) for x in found if x is not None] if None not in found else None


def _min(env: Env, xs: Any) -> int | None:
    values = _numbers(xs)
    return min(values) if values else None


def _max(env: Env, xs: Any) -> int | None:
    values = _numbers(xs)
    return max(values) if values else None


def _product(env: Env, xs: Any) -> int | None:
    values = None if xs is None else _numbers(list(xs))
    return None if values is None else math.prod(values)


def _ascending(env: Env, xs: Any) -> bool | None:
    """Strictly ascending, not empty."""
    values = _numbers(xs)
    return None if values is None else bool(values) and all(a < b for a, b in pairwise(values))


def _dynamic(env: Env, xs: Any) -> int | None:
    return sum(x is None for x in xs) if isinstance(xs, DenseArray) else None


def _block_types(env: Env, region: Region) -> list[Any]:
    return [a.type for a in region.blocks[0].args] if region.blocks else []


def _yielded_types(env: Env, region: Region) -> list[Any]:
    last = region.blocks[-1].ops[-1:] if region.blocks else []
    return [v.type for v in last[0].operands] if last else []


def _partials(env: Env, x: Any) -> list[Any] | None:
    kind = _type(x)
    return list(kind.partials) if isinstance(kind, TileFuture) else None


def _groups(env: Env, x: Any) -> IntegerSet | None:
    kind = _type(x)
    return kind.groups if isinstance(kind, TileFuture) else None


def _property(env: Env, x: Any, name: str) -> int | None:
    """A runtime argument's granularity or upper bound; 0 when its type gives none."""
    kind = _type(x)
    return (getattr(kind, name) or 0) if isinstance(kind, RuntimeArg) else None


def _uses(env: Env, x: Value) -> int:
    return int(env["uses"].get(x, 0))


def _defined_by(env: Env, x: Value, name: str) -> bool | None:
    """Whether a value comes from an op of this name; unknown for block arguments."""
    return x.owner.name == name if isinstance(x.owner, Op) else None


def _true_count(env: Env, xs: Any) -> int | None:
    return sum(x is True for x in xs) if isinstance(xs, list) else None


def _subscripts_fit(env: Env, kinds: Any, maps: Any, views: list[Value]) -> bool | None:
    """Direct subscripts have one result; indirect ones one per dimension of their index view."""
    if not isinstance(kinds, list) or not isinstance(maps, list) or len(kinds) != len(maps):
        return None
    ranks = iter(views)
    for kind, subscript in zip(kinds, maps, strict=True):
        view = next(ranks, None) if kind is True else None
        wanted = 1 if view is None else _rank(env, view)
        if _results(env, subscript) != wanted:
            return False
    return True


def _map_dims(env: Env, maps: Any) -> list[int | None]:
    return [_dims(env, m) for m in maps] if isinstance(maps, list) else []


def _pure(env: Env, region: Region) -> bool:
    """No op of the region reads, writes or communicates."""
    from ...specs.dialects import op_spec

    for block in region.blocks:
        for op in (o for top in block.ops for o in top.walk()):
            spec = op_spec(op.name)
            if spec is not None and not spec.traits & {"pure", "terminator"}:
                return False
    return True


def _squeezed(env: Env, xs: Any) -> list[Any]:
    """Shapes and elements of types with unit dimensions left out (reductions may drop them)."""
    kinds = [_type(x) for x in xs]
    return [(tuple(d for d in k.shape if d != 1), k.element) if isinstance(k, Tensor) else k for k in kinds]


def _inside(env: Env, name: str) -> bool:
    """Whether the op stands inside an op of this name."""
    return name in env["parents"]


def _operand(env: Env, x: Value, group: str) -> Any:
    """The first operand of a group of the op that defines x."""
    groups = operand_groups(x.owner) if isinstance(x.owner, Op) else None
    values = groups.get(group) if groups else None
    return values[0] if values else None


def _positive(env: Env, xs: Any) -> bool | None:
    if xs is None:
        return None
    values = _numbers(xs)
    return bool(values) and all(v > 0 for v in values or ())


def _step_of(env: Env, loop: Op) -> int | None:
    step = constant_of(loop.operands[2])
    return step if isinstance(step, int) else None


def _stored_in_function(env: Env, kind: str) -> bool:
    """Whether the function stores to a view in this kind of memory (or to one out of sight)."""
    return kind in env["stored"] or None in env["stored"]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": lambda env, x: None if x is None else abs(x),
    "all_equal": _all_equal,
    "ascending": _ascending,
    "block_types": _block_types,
    "defined_by": _defined_by,
    "dims": _dims,
    "dynamic": _dynamic,
    "element": _element,
    "elements": _each(_element),
    "first": lambda env, xs: xs[0] if xs else None,
    "given": lambda env, x: x is not None,
    "groups": _groups,
    "inside": _inside,
    "is_permutation": _is_permutation,
    "lanes": _lanes,
    "len": lambda env, xs: None if xs is None else len(xs),
    "map_dims": _map_dims,
    "max": _max,
    "min": _min,
    "operand": _operand,
    "partials": _partials,
    "product": _product,
    "property": _property,
    "pure": _pure,
    "rank": _rank,
    "ranks": _each(_rank),
    "results": _results,
    "positive": _positive,
    "scalar": lambda env, name: Scalar(name),
    "shape": _shape,
    "shapes": _each(_shape),
    "space": lambda env, kind: MemorySpace(kind),
    "squeezed": _squeezed,
    "step_of": _step_of,
    "stored_in_function": _stored_in_function,
    "subscripts_fit": _subscripts_fit,
    "syms": _syms,
    "true_count": _true_count,
    "type": lambda env, x: _type(x),
    "types": lambda env, xs: [_type(x) for x in xs],
    "uses": _uses,
    "yielded_types": _yielded_types,
    **access.FUNCTIONS,
    **intertile.FUNCTIONS,
}
