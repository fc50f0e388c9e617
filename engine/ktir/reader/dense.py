"""`dense<…>` attributes as NumPy arrays."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..attr_text import parse_attribute
from ..ir import Dense, Raw, Scalar, Tensor, Typed, Vector
from ..type_text import parse_type

__all__ = ["read_dense"]

_HEX = re.compile(r'dense<"0x([0-9A-Fa-f]*)">')
_WORD = re.compile(r"[^\s,\[\]]+")
# NumPy types that hold an element's values exactly; bf16 and df16 in f32.
_EXACT = {"f16": "f2", "f32": "f4", "f64": "f8", "bf16": "f4", "df16": "f4", "index": "i8", "i1": "?"}
_WITH_BUFFER = ("f16", "f32", "f64", "index", "i1", "i8", "i16", "i32", "i64")
_HIGH_BITS = {"bf16": 16, "df16": 19}  # of an f32, as MLIR stores them (df16 as its stand-in)


def read_dense(attribute: Any, text: str) -> Dense | Raw:
    """The plain form of an MLIR dense attribute; `text` is its print. `Raw`: elements that are no numbers."""
    kind = parse_type(str(attribute.type))
    if not isinstance(kind, Tensor | Vector) or None in kind.shape:
        return Raw(text)
    shape = tuple(d for d in kind.shape if d is not None)
    element = kind.element
    if attribute.is_splat:
        given = parse_attribute(str(attribute.get_splat_value()))
        scalar = given.value if isinstance(given, Typed) else given
        return Dense(np.broadcast_to(np.array(scalar, dtype=_dtype(element)), shape), kind)
    if element.name in _WITH_BUFFER:
        array = np.array(attribute, dtype=_dtype(element))
    else:
        array = _from_text(text, element, int(np.prod(shape)))
    array = array.reshape(shape)
    array.flags.writeable = False
    return Dense(array, kind)


def _from_text(text: str, element: Scalar, count: int) -> NDArray[Any]:
    """Elements of a type Python has no buffer format for, from numbers or from MLIR's hexadecimal bytes."""
    m = _HEX.match(text)
    if m is None:
        body = text[len("dense<") : text.rindex(">", 0, text.rindex(" : "))]
        numbers = (parse_attribute(f"{w} : {element}") for w in _WORD.findall(body))
        return np.array([n.value if isinstance(n, Typed) else n for n in numbers], dtype=_dtype(element))
    raw = np.frombuffer(bytes.fromhex(m[1]), dtype=np.uint8).reshape(count, -1)
    bits = np.zeros((count, 8), dtype=np.uint8)
    bits[:, : raw.shape[1]] = raw
    values = bits.view("<u8")[:, 0]
    if element.name in _HIGH_BITS:
        return (values << (32 - _HIGH_BITS[element.name])).astype("<u4").view("<f4").astype("f4")
    width = int(element.name.lstrip("sui"))
    if not element.name.startswith("u"):  # sign extension
        values = ((values << (64 - width)).view("<i8") >> (64 - width)).view("<i8")
    return values.astype(_dtype(element))


def _dtype(element: Scalar) -> np.dtype[Any]:
    if element.name in _EXACT:
        return np.dtype(_EXACT[element.name])
    if element.name.lstrip("su").startswith("i"):
        width = int(element.name.lstrip("sui"))
        bits = next((b for b in (8, 16, 32, 64) if b >= width), 64)
        return np.dtype(("u" if element.name.startswith("u") else "i") + str(bits // 8))
    return np.dtype("f8")
