"""Bit-level rules of the 16-bit float formats, on NumPy arrays.

Values of f16, bf16 and df16 are computed as float32 arrays that hold only values of the format;
`round_*` brings an arbitrary float array back to the format, `encode_*`/`decode_*` go to and from the
bit pattern held in memory. One float32 operation followed by one rounding is the correctly rounded
operation of the narrow format for + - * / sqrt, because 24 >= 2p + 2 (Figueroa, "When is double
rounding innocuous?", 1995).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DF16_SATURATION",
    "decode_bf16",
    "decode_df16",
    "decode_f16",
    "encode_bf16",
    "encode_df16",
    "encode_f16",
    "round_bf16",
    "round_df16",
    "round_f16",
    "round_f16_in_place",
    "to_float32_odd",
]

Array = NDArray[Any]
U32 = np.uint32

_EXPONENT = U32(0x7F800000)
_MAGNITUDE = U32(0x7FFFFFFF)
_SIGN = U32(0x80000000)
_SMALL = 2048  # below this many elements NumPy's own conversion beats the bit manipulation
_BLOCK = 1 << 15
# An array, as NumPy's maximum with a scalar is four times slower.
_FLOOR = np.full(_BLOCK, (127 - 14) << 23, U32)
_EXPONENT_15 = U32((127 + 15) << 23)
_MAGIC = U32((13 << 23) | 0x400000)
_UP, _DOWN = np.float32(2.0**112), np.float32(2.0**-112)  # between binary16's bias and float32's
_SIGN_AND_F16 = np.int32(-0x80000000 | 0x0FFFE000)
_LOST = np.int32(0x70001FFF)  # bits that no binary16 value sets after scaling by 2^-112

# 1-6-9: bias 31, no subnormals, no infinity. Source: zDNN/onnx-mlir conversion code (DLF16).
_DF16_MIN_BITS = U32((127 - 31) << 23)  # 2^-31
_DF16_MAX_BITS = U32(((127 + 32) << 23) | (510 << 14))  # 2^32 * (1 + 510/512)
_DF16_ALL_ONES = U32(0x7FFF)
DF16_SATURATION = 65472.0  # largest 1-6-9 value in f16's finite range (torch-spyre pull request 2518)


def to_float32_odd(x: Array) -> Array:
    """float64 → float32 rounding to odd, so that a second rounding to ≤ 22 bits is correct."""
    with np.errstate(over="ignore"):
        y = np.asarray(x, np.float64).astype(np.float32)
    even = (y.view(U32) & U32(1)) == 0
    inexact = (y.astype(np.float64) != x) & np.isfinite(x)
    fix = even & inexact
    if fix.any():
        toward = np.where(x > y, np.float32(np.inf), np.float32(-np.inf))
        y = np.where(fix, np.nextafter(y, toward), y)
    return y


def _as_float32(x: Array) -> Array:
    if x.dtype == np.float32:
        return x
    return to_float32_odd(x) if x.dtype == np.float64 else x.astype(np.float32)


def round_f16(x: Array) -> Array:
    """Nearest binary16 value (ties to even, overflow to infinity), as float32."""
    if x.dtype != np.float32 or x.size < _SMALL:
        return x.astype(np.float16).astype(np.float32)
    return round_f16_in_place(np.array(x, order="C"))


def round_f16_in_place(y: Array) -> Array:
    """`round_f16` of a float32 array that the caller gives away; the result may be that array.

    Adding and subtracting 1.5 · 2^(e+13) leaves 10 fraction bits, and those of 2^-24 below 2^-14.
    Works in blocks that stay in cache. A block with values of exponent 15 and more (possible overflow,
    infinity, NaN) goes through NumPy's own conversion.
    """
    if y.size < _SMALL or y.dtype != np.float32 or not y.flags.c_contiguous:
        return y.astype(np.float16).astype(np.float32)
    flat = y.reshape(-1)
    magic, rounded = np.empty(_BLOCK, U32), np.empty(_BLOCK, np.float32)
    for start in range(0, flat.size, _BLOCK):
        block = flat[start : start + _BLOCK]
        big, near = magic[: block.size], rounded[: block.size]
        np.bitwise_and(block.view(U32), _EXPONENT, out=big)
        if big.max() >= _EXPONENT_15:
            block[:] = block.astype(np.float16)
            continue
        np.maximum(big, _FLOOR[: block.size], out=big)
        np.add(big, _MAGIC, out=big)
        np.add(block, big.view(np.float32), out=near)
        np.subtract(near, big.view(np.float32), out=near)
        bits = block.view(U32)
        np.bitwise_and(bits, _SIGN, out=bits)
        np.bitwise_or(bits, near.view(U32), out=bits)  # keeps the sign of zero
    return y


def encode_f16(x: Array) -> Array:
    """float16 array of float32 values that are binary16 values already (or nearly: then rounded)."""
    x = np.asarray(x)
    if x.dtype != np.float32 or x.size < _SMALL:
        with np.errstate(over="ignore"):
            return x.astype(np.float16)
    source = np.ascontiguousarray(x).reshape(-1)
    result = np.empty(x.shape, np.float16)
    target = result.reshape(-1)
    low, high = np.empty(_BLOCK, np.int32), np.empty(_BLOCK, np.int32)
    for start in range(0, source.size, _BLOCK):
        block = source[start : start + _BLOCK]
        a, b = low[: block.size], high[: block.size]
        np.multiply(block, _DOWN, out=a.view(np.float32))  # binary16's exponents, low in float32's
        np.bitwise_and(a, _LOST, out=b)
        if b.any():  # not a binary16 value, or infinity or NaN
            target[start : start + _BLOCK] = block
            continue
        np.right_shift(a, 13, out=a)
        np.right_shift(a, 3, out=b)
        np.bitwise_and(b, 0x8000, out=b)  # the sign, now at bit 15
        np.bitwise_and(a, 0x7FFF, out=a)
        np.bitwise_or(a, b, out=a)
        target[start : start + _BLOCK].view(np.int16)[:] = a
    return result


def decode_f16(x: Array) -> Array:
    """float32 values of a float16 array, exact."""
    if x.size < _SMALL:
        return x.astype(np.float32)
    bits = x.view(np.int16).astype(np.int32, order="C")
    flat = bits.reshape(-1)
    for start in range(0, flat.size, _BLOCK):
        block = flat[start : start + _BLOCK]
        np.left_shift(block, 13, out=block)
        np.bitwise_and(block, _SIGN_AND_F16, out=block)
        value = block.view(np.float32)
        np.multiply(value, _UP, out=value)
        if value.max() >= 65536.0 or value.min() <= -65536.0:  # exponent 31: infinity or NaN
            special = np.abs(value) >= 65536.0
            fraction = (block & 0x7FFFFF) != 0
            value[special] = np.copysign(np.where(fraction, np.nan, np.inf), value)[special]
    return bits.view(np.float32)


def round_bf16(x: Array) -> Array:
    """Nearest bfloat16 value, ties to even, as float32."""
    x = _as_float32(np.asarray(x))
    bits = x.view(U32)
    y = (bits + (U32(0x7FFF) + ((bits >> U32(16)) & U32(1)))) & U32(0xFFFF0000)
    result = y.view(np.float32)
    nan = np.isnan(x)
    return np.where(nan, np.float32(np.nan), result) if nan.any() else result


def encode_bf16(x: Array) -> Array:
    """Bit patterns (uint16) of the nearest bfloat16 values."""
    return (round_bf16(x).view(U32) >> U32(16)).astype(np.uint16)


def decode_bf16(bits: Array) -> Array:
    return (bits.astype(U32) << U32(16)).view(np.float32)


def round_df16(x: Array, saturating: bool = False) -> Array:
    """Nearest 1-6-9 value, ties away from zero, as float32.

    Published format: overflow, infinity and NaN all become the one NaN-infinity (NaN here).
    `saturating` (seen on Spyre): finite values clamp to ±65472, infinities stay infinite.
    """
    x = _as_float32(np.asarray(x))
    bits = x.view(U32)
    magnitude = ((bits & _MAGNITUDE) + U32(0x2000)) & U32(0xFFFFC000)
    # The pattern of exponent 0, fraction 0 is zero, so 2^-31 itself is not a value either.
    magnitude = np.where(magnitude <= _DF16_MIN_BITS, U32(0), magnitude)
    y = (magnitude | (bits & _SIGN)).view(np.float32)
    if saturating:
        limit = np.float32(DF16_SATURATION)
        y = np.where(np.isinf(x), x, np.clip(y, -limit, limit))
        return np.where(np.isnan(x), np.float32(np.nan), y)
    return np.where(magnitude > _DF16_MAX_BITS, np.copysign(np.float32(np.nan), x), y)


def encode_df16(x: Array, saturating: bool = False) -> Array:
    """Bit patterns (uint16) of the nearest 1-6-9 values."""
    y = round_df16(x, saturating)
    bits = y.view(U32)
    magnitude = bits & _MAGNITUDE
    code = (magnitude - U32((127 - 31) << 23)) >> U32(14)
    code = np.where(magnitude == 0, U32(0), np.where(np.isfinite(y), code, _DF16_ALL_ONES))
    return (code | ((bits >> U32(16)) & U32(0x8000))).astype(np.uint16)


def decode_df16(bits: Array, saturating: bool = False) -> Array:
    """float32 values of 1-6-9 patterns; all-ones is NaN, or ±infinity when `saturating`."""
    wide = bits.astype(U32)
    code = wide & _DF16_ALL_ONES
    sign = (wide & U32(0x8000)) << U32(16)
    magnitude = np.where(code == 0, U32(0), (code << U32(14)) + U32((127 - 31) << 23))
    special = U32(0x7F800000) if saturating else U32(0x7FC00000)
    bits32: Array = np.where(code == _DF16_ALL_ONES, special, magnitude) | sign
    return bits32.view(np.float32)
