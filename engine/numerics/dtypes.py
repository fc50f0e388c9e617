"""Element types: how values are held in memory (`storage`) and how they are computed (`compute`).

| name            | storage              | compute                                             |
|-----------------|----------------------|-----------------------------------------------------|
| f16             | float16              | float32, rounded to f16 after every operation       |
| bf16, df16      | uint16 bit pattern   | float32, rounded after every operation              |
| f32, f64        | float32, float64     | the same                                            |
| i1              | bool                 | bool                                                |
| i8 … i64, si32  | int8 … int64         | the same, wrapping                                  |
| ui32            | uint32               | the same                                            |
| index           | int64                | the same (Python ints are welcome)                  |
| *_fused         | uint32 / complex64   | complex64: real = mean, imag = mean of squares      |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..diagnostics import fail
from . import formats

__all__ = ["MODES", "DType", "cast", "dtype", "from_numpy", "resolve"]

Array = NDArray[Any]

# ieee: as KTIR says. df16: f16 behaves as the device's 1-6-9 format in its published coding.
# df16-saturating: the same with the overflow behaviour seen on Spyre.
MODES = ("ieee", "df16", "df16-saturating")


@dataclass(frozen=True, slots=True)
class DType:
    """An element type. `kind` is `float`, `int` (signless or signed), `uint`, `bool` or `pair`."""

    name: str
    bits: int
    kind: str
    storage: np.dtype[Any]
    compute: np.dtype[Any]
    base: str | None = None  # of a pair: the type of each half

    @property
    def nbytes(self) -> int:
        """Bytes of one element in memory (i1 takes a whole byte)."""
        return self.storage.itemsize

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "uint", "bool")

    def round(self, x: Array) -> Array:
        """Any float or integer array → the nearest values of this type, in compute form."""
        return _ROUND[self.name](x) if self.name in _ROUND else _convert(x, self)

    def round_in_place(self, y: Array) -> Array:
        """As `round`, for an array the caller gives away (it may be overwritten and returned)."""
        return formats.round_f16_in_place(y) if self.name == "f16" else self.round(y)

    def from_storage(self, x: Array) -> Array:
        """Memory form → compute form; exact."""
        decode = _DECODE.get(self.name)
        return decode(x) if decode else x

    def to_storage(self, x: Array) -> Array:
        """Compute form → memory form, rounding what is not yet a value of the type."""
        x = np.asarray(x)
        encode = _ENCODE.get(self.name)
        return encode(x) if encode else _convert(x, self)

    def __str__(self) -> str:
        return self.name


def _pack_pair(x: Array, half: str) -> Array:
    low = _TYPES[half].to_storage(x.real).view(np.uint16).astype(np.uint32)
    high = _TYPES[half].to_storage(x.imag).view(np.uint16).astype(np.uint32)
    return low | (high << np.uint32(16))


def _unpack_pair(x: Array, half: str) -> Array:
    base = _TYPES[half]
    low = np.ascontiguousarray((x & np.uint32(0xFFFF)).astype(np.uint16)).view(base.storage)
    high = np.ascontiguousarray((x >> np.uint32(16)).astype(np.uint16)).view(base.storage)
    return (base.from_storage(low) + 1j * base.from_storage(high)).astype(np.complex64)


def _round_pair(x: Array, half: str) -> Array:
    base = _TYPES[half]
    x = np.asarray(x)
    result = np.empty(x.shape, np.complex64)
    result.real, result.imag = base.round(x.real.astype(np.float32)), base.round(x.imag.astype(np.float32))
    return result


def _make() -> dict[str, DType]:
    def t(name: str, bits: int, kind: str, storage: Any, compute: Any, base: str | None = None) -> DType:
        return DType(name, bits, kind, np.dtype(storage), np.dtype(compute), base)

    types = [
        t("f16", 16, "float", np.float16, np.float32),
        t("bf16", 16, "float", np.uint16, np.float32),
        t("df16", 16, "float", np.uint16, np.float32),
        t("df16-saturating", 16, "float", np.uint16, np.float32),
        t("f32", 32, "float", np.float32, np.float32),
        t("f64", 64, "float", np.float64, np.float64),
        t("i1", 1, "bool", np.bool_, np.bool_),
        t("si32", 32, "int", np.int32, np.int32),
        t("ui32", 32, "uint", np.uint32, np.uint32),
        t("index", 64, "int", np.int64, np.int64),
        t("fp16_fused", 32, "pair", np.uint32, np.complex64, "f16"),
        t("df16_fused", 32, "pair", np.uint32, np.complex64, "df16"),
        t("fp32_fused", 64, "pair", np.complex64, np.complex64, "f32"),
    ]
    types += [t(f"i{n}", n, "int", f"int{n}", f"int{n}") for n in (8, 16, 32, 64)]
    return {x.name: x for x in types}


_TYPES = _make()
_ROUND: dict[str, Any] = {
    "f16": formats.round_f16,
    "bf16": formats.round_bf16,
    "df16": formats.round_df16,
    "df16-saturating": lambda x: formats.round_df16(x, True),
    "fp16_fused": lambda x: _round_pair(x, "f16"),
    "df16_fused": lambda x: _round_pair(x, "df16"),
}
_ENCODE: dict[str, Any] = {
    "f16": formats.encode_f16,
    "bf16": formats.encode_bf16,
    "df16": formats.encode_df16,
    "df16-saturating": lambda x: formats.encode_df16(x, True),
    "fp16_fused": lambda x: _pack_pair(x, "f16"),
    "df16_fused": lambda x: _pack_pair(x, "df16"),
}
_DECODE: dict[str, Any] = {
    "f16": formats.decode_f16,
    "bf16": formats.decode_bf16,
    "df16": formats.decode_df16,
    "df16-saturating": lambda x: formats.decode_df16(x, True),
    "fp16_fused": lambda x: _unpack_pair(x, "f16"),
    "df16_fused": lambda x: _unpack_pair(x, "df16"),
}


def dtype(name: str) -> DType:
    """The element type called `name` (as in MLIR, without `!spyreop.`). Unknown: NUM001."""
    found = _TYPES.get(name)
    if found is None:
        fail("NUM001", f"unknown element type `{name}`", hint=f"known: {', '.join(_TYPES)}")
    return found


def from_numpy(x: np.dtype[Any]) -> DType:
    """The element type whose memory form is the NumPy type `x`; 16-bit patterns (uint16) have none."""
    for name in ("f16", "f32", "f64", "i1", "i8", "i16", "i32", "i64"):
        if _TYPES[name].storage == x:
            return _TYPES[name]
    fail("NUM001", f"no element type corresponds to NumPy's {x}", hint="convert the array first")


def resolve(t: DType, mode: str = "ieee") -> DType:
    """The format that `t` has in a numerics mode: f16 is 1-6-9 in the df16 modes."""
    if mode == "ieee":
        return t
    if mode not in MODES:
        fail("NUM002", f"unknown numerics mode `{mode}`", hint=f"one of {', '.join(MODES)}")
    if t.name in ("f16", "df16"):
        return _TYPES[mode]
    return _TYPES["df16_fused"] if t.name == "fp16_fused" else t


def _convert(x: ArrayLike, t: DType) -> Array:
    """To the compute form of a type NumPy has. Float → integer truncates and clamps, NaN gives 0."""
    a = np.asarray(x)
    if a.dtype == t.compute:
        return a
    if t.kind == "bool":
        return (a & 1).astype(np.bool_) if a.dtype.kind in "iu" else a.astype(np.bool_)
    if a.dtype.kind == "f" and t.is_integer:
        info = np.iinfo(t.compute)
        wide = np.nan_to_num(np.trunc(a.astype(np.float64)), nan=0.0, posinf=np.inf, neginf=-np.inf)
        inside = np.clip(wide, float(info.min), float(info.max))
        with np.errstate(invalid="ignore"):
            result = inside.astype(t.compute)
        return np.asarray(np.where(wide >= float(info.max), t.compute.type(info.max), result))
    with np.errstate(over="ignore"):
        return a.astype(t.compute)


def cast(x: ArrayLike, src: DType, dst: DType, mode: str = "ieee") -> Array:
    """Convert values from compute form of `src` to compute form of `dst`, one correct rounding.

    Integers wrap (truncation) or sign-extend by `src`'s kind; float → integer truncates towards zero,
    clamps out-of-range values and turns NaN into 0 (MLIR leaves both open).
    """
    dst = resolve(dst, mode)
    a = np.asarray(x)
    if dst.is_float and a.dtype.kind in "iub":
        a = a.astype(np.float64)  # exact to 2^53, then one rounding
        return a if dst.name == "f64" else dst.round(a)
    return dst.round(a)
