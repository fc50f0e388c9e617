"""MLIR type text → the plain types of `ir`. Cached by text: a kernel uses few distinct types."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ..specs.dialects import assembly_dialects, dialect
from .affine_text import AffineSyntaxError, parse_set
from .ir import (
    AccessTile,
    FunctionType,
    MemorySpace,
    MemRef,
    Opaque,
    RuntimeArg,
    Scalar,
    Shape,
    Tensor,
    TileFuture,
    Type,
    Vector,
)

__all__ = ["TypeSyntaxError", "parse_space", "parse_type", "split_top"]
__all__ += ["original_of", "stand_in_of"]

_DIMS = re.compile(r"(?:(?:\d+|\?)x)*")
_SCALAR = re.compile(r"(?:[us]?i\d+|index|bf16|tf32|f\d+\w*|none)$")
_SPACE = re.compile(r"#ktdp\.(?:spyre_)?memory_space<\s*(\w+)\s*(?:,\s*(?:ct_id|core)\s*=\s*(-?\d+)\s*)?>$")
_COMMON = ("f16", "bf16", "f32", "f64", "index", "i1", "i8", "i16", "i32", "i64")
# Old dialect's names of the memories, and what they are called now.
_SPACES = ("global", "ct_local", "unspecified", "L0")
_OWNED = ("ct_local", "L0")
_KINDS = {"HBM": "global", "LX": "ct_local"}


class TypeSyntaxError(ValueError):
    """The text is not a type tilesat or MLIR knows."""


@lru_cache(maxsize=256)
def stand_in_of(text: str) -> str | None:
    """The builtin type that takes a dialect type's place inside MLIR: `!spyreop.df16` → `tf32`."""
    name, _, kind = text[1:].partition(".")
    spec = dialect(name) if text.startswith("!") and kind else None
    known = spec.types.get(kind) if spec else None
    return (known.stand_in or None) if known else None


@lru_cache(maxsize=256)
def _is_dialect_scalar(text: str) -> bool:
    """Whether a dialect type is an element with a size: `!spyreop.df16`, `!spyreop.fp16_fused`."""
    name, _, kind = text[1:].partition(".")
    spec = dialect(name) if text.startswith("!") and kind else None
    return bool(spec and kind in spec.types and (spec.types[kind].stand_in or spec.types[kind].bits))


@lru_cache(maxsize=256)
def original_of(text: str) -> str | None:
    """The dialect type a builtin type stands for, or None: `tf32` → `!spyreop.df16`."""
    return _originals().get(text) if text not in _COMMON else None


@cache
def _originals() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in assembly_dialects():
        spec = dialect(name)
        if spec:
            found |= {t.stand_in: f"!{name}.{t.name}" for t in spec.types.values() if t.stand_in}
    return found


def split_top(text: str, separator: str = ",") -> list[str]:
    """Split at separators outside brackets and strings; pieces are stripped, no text gives no pieces."""
    pieces, depth, start, quoted = [], 0, 0, False
    for i, c in enumerate(text):
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif c in "<([{":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-" and text[i + 1 : i + 2] != "="):
            depth -= 1
        elif c == separator and depth == 0:
            pieces.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*pieces, last] if pieces or last else []


def parse_space(text: str) -> MemorySpace:
    """`#ktdp.memory_space<…>` or the older `#ktdp.spyre_memory_space<…>`, possibly as a string attribute."""
    m = _SPACE.match(text.strip().strip('"').replace("\\22", ""))
    if not m:
        raise TypeSyntaxError(f"`{text}` is not a memory space")
    kind = _KINDS.get(m[1], m[1])
    if kind not in _SPACES:
        raise TypeSyntaxError(f"`{m[1]}` is not a memory space: use global or ct_local")
    ct_id = int(m[2]) if m[2] is not None and m[2] != "-1" else None
    if ct_id is not None and kind not in _OWNED:
        raise TypeSyntaxError(f"only scratchpads belong to a tile: `{m[1]}` takes no tile id ({ct_id})")
    if ct_id is not None and ct_id < 0:
        raise TypeSyntaxError(f"tile id {ct_id} is negative")
    return MemorySpace(kind, ct_id)


@lru_cache(maxsize=4096)
def parse_type(text: str) -> Type:
    """The plain type of an MLIR type's text. Raises TypeSyntaxError for malformed types of our dialects."""
    text = text.strip()
    if text.startswith("("):
        return _function(text)
    head, angle, rest = text.partition("<")
    body = rest[:-1] if angle and rest.endswith(">") else ""
    match head:
        case "tensor":
            shape, element, extra = _shaped(body)
            return Opaque(text) if extra or shape is None else Tensor(shape, element)
        case "vector":
            shape, element, extra = _shaped(body)
            return Opaque(text) if extra or shape is None or "[" in body else Vector(shape, element)
        case "memref":
            return _memref(text, body)
        case "!ktdp.access_tile":
            return _access_tile(body)
        case "!ktdp.runtime_arg":
            return _runtime_arg(body)
        case "!ktdp.tile_future":
            return _tile_future(body)
        case "!ktdp":  # MLIR's spelling of a body that had to be quoted
            return parse_type("!ktdp." + body.strip('"').replace("\\22", '"'))
    return _scalar(text) or Opaque(text)


def _scalar(text: str) -> Scalar | None:
    if not _SCALAR.match(text):
        return Scalar(text.partition(".")[2]) if _is_dialect_scalar(text) else None
    original = original_of(text)
    return Scalar(original.partition(".")[2] if original else text)


def _shaped(body: str) -> tuple[Shape | None, Scalar, list[str]]:
    first, *extra = split_top(body) or [""]
    m = _DIMS.match(first)
    dims = m[0] if m else ""
    element = _scalar(first[len(dims) :])
    if element is None:
        return None, Scalar("none"), extra
    shape = tuple(None if d == "?" else int(d) for d in dims.split("x")[:-1])
    return shape, element, extra


def _memref(text: str, body: str) -> Type:
    shape, element, extra = _shaped(body)
    if shape is None:
        return Opaque(text)
    layout, space = None, None
    for part in extra:
        if "memory_space<" in part:
            space = parse_space(part)
        else:
            layout = part if layout is None else f"{layout}, {part}"
    return MemRef(shape, element, layout, space)


def _access_tile(body: str) -> AccessTile:
    body = body.replace(" ", "")
    m = _DIMS.match(body)
    dims = m[0] if m else ""
    if body[len(dims) :] != "index":
        raise TypeSyntaxError(f"access_tile<{body}>: the element must be `index` and extents numbers or `?`")
    return AccessTile(tuple(None if d == "?" else int(d) for d in dims.split("x")[:-1]))


def _runtime_arg(body: str) -> RuntimeArg:
    first, *properties = split_top(body) or [""]
    element = _scalar(first)
    if element is None:
        raise TypeSyntaxError(f"runtime_arg<{body}>: `{first}` is not an integer, float or index type")
    values: dict[str, int] = {}
    for part in properties:
        key, equal, value = (s.strip() for s in part.partition("="))
        if key not in ("granularity", "upperbound"):
            raise TypeSyntaxError(f"runtime_arg: unknown property `{key}`; use granularity or upperbound")
        if key in values:
            raise TypeSyntaxError(f"runtime_arg: `{key}` is given twice")
        if not equal or not value.isdigit() or int(value) == 0:
            raise TypeSyntaxError(f"runtime_arg: `{key}` must be a positive integer, not `{value}`")
        values[key] = int(value)
    return RuntimeArg(element, values.get("granularity"), values.get("upperbound"))


def _tile_future(body: str) -> TileFuture:
    parts = split_top(body)
    groups = next((p.partition("=")[2].strip() for p in parts if p.startswith("groups")), "")
    listed = [p for p in parts if not p.startswith("groups")]
    if len(listed) == 1 and listed[0].startswith("("):
        listed = split_top(listed[0][1:-1])
    partials = tuple(parse_type(p) for p in listed)
    if not groups or not partials:
        raise TypeSyntaxError(f"tile_future<{body}>: needs the partial types and `groups = affine_set<…>`")
    for partial in partials:
        if not isinstance(partial, Tensor):
            raise TypeSyntaxError(f"tile_future: `{partial}` is not a ranked tensor")
    try:
        group_set = parse_set(groups)
    except AffineSyntaxError as e:
        raise TypeSyntaxError(f"tile_future groups: {e}") from e
    return TileFuture(tuple(p for p in partials if isinstance(p, Tensor)), group_set)


def _function(text: str) -> FunctionType:
    inputs, _, results = _split_arrow(text)
    return FunctionType(
        tuple(parse_type(t) for t in split_top(_unwrap(inputs))),
        tuple(parse_type(t) for t in split_top(_unwrap(results))),
    )


def _split_arrow(text: str) -> tuple[str, str, str]:
    depth = 0
    for i, c in enumerate(text):
        if c in "(<":
            depth += 1
        elif c == ")" or (c == ">" and text[i - 1] != "-" and text[i + 1 : i + 2] != "="):
            depth -= 1
            if depth == 0 and c == ")":
                return text[: i + 1], "->", text[i + 1 :].strip().removeprefix("->").strip()
    raise TypeSyntaxError(f"`{text}` is not a function type")


def _unwrap(text: str) -> str:
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text
