"""Plain types and attributes → MLIR text, as people write it or as MLIR without our dialects takes it."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir import (
    Dense,
    DenseArray,
    FunctionType,
    MemorySpace,
    MemRef,
    Raw,
    Scalar,
    Tensor,
    TileFuture,
    Typed,
    Vector,
)
from ..type_text import stand_in_of

__all__ = ["Speller", "quote"]

_IDENTIFIER = re.compile(r"[A-Za-z_][\w$.]*$", re.ASCII)
_DYNAMIC = -(2**63)
_FORMATS = {"f16": ("<e", 16), "f32": ("<f", 32), "f64": ("<d", 64)}
_HIGH_BITS = {
    "bf16": 16,
    "df16": 19,
    "tf32": 19,
}  # bits kept of an f32, from the top (df16's stand-in has 19)


def quote(text: str) -> str:
    """An MLIR string literal."""
    out = "".join(c if c.isprintable() and c not in '"\\' else f"\\{b:02X}" for c, b in _bytes(text))
    return f'"{out}"'


def _bytes(text: str) -> list[tuple[str, int]]:
    pairs: list[tuple[str, int]] = []
    for c in text:
        if ord(c) < 128:
            pairs.append((c, ord(c)))
        else:
            pairs += [("\0", b) for b in c.encode("utf-8")]
    return pairs


@dataclass(frozen=True, slots=True)
class Speller:
    """`for_mlir`: with stand-ins for what MLIR refuses from unregistered dialects."""

    for_mlir: bool = False

    # ---- types ----------------------------------------------------------------------------------

    def type(self, kind: Any) -> str:
        if not self.for_mlir:
            return str(kind)
        match kind:
            case Scalar():
                text = str(kind)
                return stand_in_of(text) or text
            case Tensor(shape, element):
                return f"tensor<{self._dims(shape)}{self.type(element)}>"
            case Vector(shape, element):
                return f"vector<{self._dims(shape)}{self.type(element)}>"
            case MemRef(shape, element, layout, space):
                tail = f", {layout}" if layout else ""
                tail += f', "{space}"' if space else ""
                return f"memref<{self._dims(shape)}{self.type(element)}{tail}>"
            case TileFuture():
                return f'!ktdp<"{str(kind).removeprefix("!ktdp.")}">'
            case FunctionType(inputs, results):
                return f"({self.types(inputs)}) -> ({self.types(results)})"
        return str(kind)

    def types(self, kinds: Any) -> str:
        return ", ".join(self.type(k) for k in kinds)

    def results(self, kinds: Any) -> str:
        """Result types of an operation: bare when there is one, else in parentheses."""
        texts = [self.type(k) for k in kinds]
        return texts[0] if len(texts) == 1 and not texts[0].startswith("(") else f"({', '.join(texts)})"

    @staticmethod
    def _dims(shape: tuple[int | None, ...]) -> str:
        return "".join(f"{'?' if d is None else d}x" for d in shape)

    # ---- attributes -----------------------------------------------------------------------------

    def attribute(self, value: Any) -> str:
        match value:
            case bool():
                return "true" if value else "false"
            case int():
                return f"{value} : i64"
            case float():
                return f"{self._float(value, 'f64')} : f64"
            case Typed(number, kind):
                return f"{self._number(number, kind)} : {self.type(kind)}"
            case str():
                return quote(value)
            case MemorySpace():
                return f'"{value}"' if self.for_mlir else str(value)
            case Dense():
                return self._dense(value)
            case DenseArray():
                items = ", ".join(self._element(_DYNAMIC if v is None else v) for v in value)
                return f"array<{value.element}{': ' if items else ''}{items}>"
            case list():
                return f"[{', '.join(self._element(v) for v in value)}]"
            case dict():
                return f"{{{self.entries(value)}}}"
            case Raw(text):
                return text
            case None:
                return "unit"
        return self.type(value)  # a type, an affine map or a set

    def entries(self, attributes: dict[str, Any]) -> str:
        """`a = 1 : i64, b` for a dictionary's inside."""
        return ", ".join(self._entry(k, v) for k, v in sorted(attributes.items()))

    def _entry(self, key: str, value: Any) -> str:
        name = key if _IDENTIFIER.match(key) else quote(key)
        return name if value == Raw("unit") else f"{name} = {self.attribute(value)}"

    def _element(self, value: Any) -> str:
        """Inside arrays i64 and f64 are understood."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self._float(value, "f64") if isinstance(value, float) else self.attribute(value)

    def _number(self, number: int | float, kind: Any) -> str:
        if isinstance(number, float):
            return self._float(number, kind.name if isinstance(kind, Scalar) else "f64")
        return str(number)

    def _float(self, value: float, name: str) -> str:
        if math.isfinite(value):
            text = repr(value)
            return text.replace("e", ".0e") if "e" in text and "." not in text else text
        if name in _HIGH_BITS:
            keep = _HIGH_BITS[name]
            bits = struct.unpack("<I", struct.pack("<f", value))[0] >> (32 - keep)
            return f"0x{bits:0{(keep + 3) // 4}X}"
        layout, width = _FORMATS.get(name, _FORMATS["f64"])
        bits = int.from_bytes(struct.pack(layout, value), "little")
        return f"0x{bits:0{width // 4}X}"

    def _dense(self, value: Dense) -> str:
        kind = value.type
        element = kind.element if isinstance(kind, Tensor | Vector) else Scalar("f64")
        array = value.array
        if array.size and (array.ndim == 0 or all(s == 0 for s in array.strides)):
            body = self._scalar(array.flat[0], element)
        else:
            body = self._nested(array, element)
        return f"dense<{body}> : {self.type(kind)}"

    def _nested(self, array: Any, element: Scalar) -> str:
        if array.ndim == 0:
            return self._scalar(array[()], element)
        if not array.size:
            return ""
        return f"[{', '.join(self._nested(a, element) for a in array)}]"

    def _scalar(self, value: Any, element: Scalar) -> str:
        if isinstance(value, np.bool_ | bool):
            return "true" if value else "false"
        if isinstance(value, np.floating):
            return self._float(float(value), element.name)
        return str(int(value))
