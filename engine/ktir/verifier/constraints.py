"""The type constraints of op specs (`like<float> | index`), compiled to predicates once."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from ...diagnostics import fail
from ..ir import (
    AccessTile,
    FunctionType,
    MemRef,
    Opaque,
    RuntimeArg,
    Scalar,
    Tensor,
    TileFuture,
    Type,
    Vector,
)

__all__ = ["satisfies"]

_Predicate = Callable[[Type], bool]

_FLOATS = frozenset(("f16", "bf16", "f32", "f64", "df16", "tf32"))
_INT = re.compile(r"[su]?i\d+$")
_CLASSES: dict[str, tuple[type, ...]] = {
    "tensor": (Tensor,),
    "vector": (Vector,),
    "memref": (MemRef,),
    "shaped": (Tensor, Vector, MemRef),
    "access_tile": (AccessTile,),
    "runtime_arg": (RuntimeArg,),
    "tile_future": (TileFuture,),
    "function": (FunctionType,),
}


def satisfies(kind: Type, constraint: str) -> bool:
    """Whether a type meets a constraint. Raises SPEC002 for a constraint that makes no sense."""
    return _compiled(constraint)(kind)


@cache
def _compiled(constraint: str) -> _Predicate:
    choices = [_single(part.strip()) for part in _split(constraint)]
    return choices[0] if len(choices) == 1 else lambda t: any(c(t) for c in choices)


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "<") - (c == ">")
        if c == "|" and not depth:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def _single(text: str) -> _Predicate:
    head, angle, rest = text.partition("<")
    if angle:
        inner = _compiled(rest[:-1])
        if head == "like":
            return lambda t: inner(t.element if isinstance(t, Tensor | Vector) else t)
        classes = _CLASSES.get(head)
        if classes is None:
            fail("SPEC002", f"unknown type constraint `{text}`")
        known = classes
        return lambda t: isinstance(t, known) and inner(getattr(t, "element", t))
    if head in _CLASSES:
        classes = _CLASSES[head]
        return lambda t: isinstance(t, classes)
    match head:
        case "any":
            return lambda t: True
        case "float":
            return lambda t: isinstance(t, Scalar) and t.name in _FLOATS
        case "int":
            return lambda t: isinstance(t, Scalar) and bool(_INT.match(t.name))
        case "scalar":
            return lambda t: isinstance(t, Scalar)
    # a named scalar, or a dialect's own type (`unit`, `dataflow.unit`), as MLIR spells it
    return lambda t: _name(t) == head


def _name(kind: Type) -> str:
    if isinstance(kind, Scalar):
        return kind.name
    if isinstance(kind, Opaque) and kind.text.startswith("!"):
        return kind.text[1:].partition("<")[0].rpartition(".")[2]
    return ""
