"""MLIR attribute text → the plain attribute values of `ir`. Cached by text where values are immutable."""

from __future__ import annotations

import re
import struct
from functools import lru_cache
from typing import Any

from .affine_text import parse_map, parse_set
from .ir import DenseArray, Raw, Scalar, Typed
from .type_text import parse_space, parse_type, split_top

__all__ = ["parse_attribute", "round_to", "unescape"]

_NUMBER = re.compile(r"(-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?))(?:\s*:\s*(.+))?$", re.DOTALL)
_TYPE = re.compile(r"(?:[us]?i\d+|index|bf16|tf32|f\d+\w*|none)$|(?:tensor|memref|vector)<|!|\(")
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{2})|(.))")
_KEY = re.compile(r'\s*(?:([A-Za-z_][\w$.]*)|"((?:[^"\\]|\\.)*)")\s*(?:=\s*)?')
_DYNAMIC = -(2**63)
_HEX_FORMATS = {"f16": ("<H", "<e"), "f32": ("<I", "<f"), "f64": ("<Q", "<d")}
# Mantissa bits kept by types Python's struct cannot round to; tf32 stands in for df16 inside MLIR.
_MANTISSA = {"bf16": 7, "tf32": 10, "df16": 9}


def parse_attribute(text: str) -> Any:
    """The plain value of an attribute MLIR prints. `dense<…>` stays `Raw` (the reader builds `Dense`)."""
    value = _scalar(text)
    return value if value is not None else _compound(text)


@lru_cache(maxsize=8192)
def _scalar(text: str) -> Any:
    """Immutable values; None when it is none of them."""
    if text in ("true", "false"):
        return text == "true"
    if text[:1].isdigit() or text[:1] == "-":
        return _number(text)
    if text.startswith("affine_map<"):
        return parse_map(text)
    if text.startswith("affine_set<"):
        return parse_set(text)
    if text.startswith(('"#ktdp.', "#ktdp.memory_space<", "#ktdp.spyre_memory_space<")):
        return parse_space(text)
    if text.startswith('"') and text.endswith('"'):
        return unescape(text[1:-1])
    return None


def _compound(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [parse_attribute(t) for t in split_top(text[1:-1])]
    if text.startswith("array<") and text.endswith(">"):
        element, _, items = text[6:-1].partition(":")
        values = [parse_attribute(t) for t in split_top(items)]
        return DenseArray((None if v == _DYNAMIC else v for v in values), element.strip())
    if text.startswith("{") and text.endswith("}"):
        return dict(_entry(t) for t in split_top(text[1:-1]))
    if _TYPE.match(text):
        return parse_type(text)
    return Raw(text)


def _entry(text: str) -> tuple[str, Any]:
    m = _KEY.match(text)
    if not m:
        return text, Raw("unit")
    key = m[1] or unescape(m[2] or "")
    return key, parse_attribute(text[m.end() :]) if m.end() < len(text) else Raw("unit")


def _number(text: str) -> Any:
    m = _NUMBER.match(text)
    if not m:
        return Raw(text)
    digits, kind = m[1], parse_type(m[2]) if m[2] else None
    name = kind.name if isinstance(kind, Scalar) else ""
    integral = not any(c in digits for c in ".eE") or digits.startswith(("0x", "-0x"))
    if _is_float(name) or (not integral and kind is None):
        value: int | float = _float(digits, name or "f64")
    elif integral:
        value = int(digits, 0)
    else:
        return Raw(text)
    if kind is None or name in ("i64", "f64"):
        return value
    return Typed(value, kind)


def _is_float(name: str) -> bool:
    return name in _MANTISSA or name in _HEX_FORMATS or name[:2] in ("f8", "f1", "f8")


def _float(digits: str, name: str) -> float:
    if digits.startswith("0x"):
        bits = int(digits, 16)
        if name in _HEX_FORMATS:
            as_int, as_float = _HEX_FORMATS[name]
            return float(struct.unpack(as_float, struct.pack(as_int, bits))[0])
        if name == "bf16":
            return float(struct.unpack("<f", struct.pack("<I", bits << 16))[0])
        if name in ("tf32", "df16"):
            return float(struct.unpack("<f", struct.pack("<I", bits << 13))[0])
    return round_to(float(digits), name)


def round_to(value: float, name: str) -> float:
    """`value` as the float type `name` holds it: MLIR prints the shortest text that reads back."""
    if name in _HEX_FORMATS:
        try:
            return float(struct.unpack(_HEX_FORMATS[name][1], struct.pack(_HEX_FORMATS[name][1], value))[0])
        except OverflowError:
            return value
    kept = _MANTISSA.get(name)
    if kept is None or value != value or value in (float("inf"), float("-inf")) or not value:
        return value
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    drop = 23 - kept
    bits = (bits + (1 << (drop - 1)) - 1 + ((bits >> drop) & 1)) & ~((1 << drop) - 1)
    return float(struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0])


def unescape(text: str) -> str:
    """The characters of an MLIR string literal's body."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else {"n": "\n", "t": "\t"}.get(m[2], m[2]), text)
