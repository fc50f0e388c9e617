"""The functions a semantics formula may call. All work elementwise on NumPy arrays or Python numbers.

`VALUE_PRESERVING` names those whose result is always one of the values of the operands' format, so
that no rounding is needed afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

__all__ = ["FUNCTIONS", "VALUE_PRESERVING", "WIDTH_DEPENDENT"]

_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


@cache
def _hermite_table(name: str) -> tuple[Any, Any, float]:
    """(values, slopes × step, step) on a grid for cubic Hermite interpolation.

    erf on [0, 6]; `erfcx` = exp(x²)·erfc(x) on [0, 11], whose slope is 2x·erfcx − 2/√π.
    """
    end, step = (6.0, 1.0 / 512) if name == "erf" else (11.0, 1.0 / 512)
    grid = np.arange(0, end + 2 * step, step)
    root = 2 / math.sqrt(math.pi)
    if name == "erf":
        return np.array([math.erf(x) for x in grid]), root * np.exp(-grid * grid) * step, step
    value = np.array([math.exp(x * x) * math.erfc(x) for x in grid])
    return value, (2 * grid * value - root) * step, step


def _interpolate(name: str, x: Any) -> Any:
    value, slope, step = _hermite_table(name)
    position = np.nan_to_num(x) / step
    cell = position.astype(np.int64)
    t = position - cell
    left, right, d0, d1 = value[cell], value[cell + 1], slope[cell], slope[cell + 1]
    return left + t * (d0 + t * (3 * (right - left) - 2 * d0 - d1 + t * (2 * (left - right) + d0 + d1)))


_erf64 = np.vectorize(math.erf, otypes=[np.float64])
_erfc64 = np.vectorize(math.erfc, otypes=[np.float64])


def _erf(x: Any) -> Any:
    """Error function: libm for float64; between libm values (relative error < 1e-9) for float32."""
    x = np.asarray(x)
    if x.dtype == np.float64:
        return _erf64(x) if x.size else x
    y = _interpolate("erf", np.minimum(np.abs(x).astype(np.float64), 6.0))
    return np.where(np.isnan(x), x, np.copysign(y, x)).astype(x.dtype)


def _erfc(x: Any) -> Any:
    """Complementary error function, accurate in its tail: libm for float64, exp(−x²)·table for float32."""
    x = np.asarray(x)
    if x.dtype == np.float64:
        return _erfc64(x) if x.size else x
    magnitude = np.minimum(np.abs(x).astype(np.float64), 11.0)
    y = np.exp(-magnitude * magnitude) * _interpolate("erfcx", magnitude)
    return np.where(np.isnan(x), x, np.where(x < 0, 2 - y, y)).astype(x.dtype)


def unsigned(x: Any) -> Any:
    """The same bits read as an unsigned integer (i1: 0 or 1)."""
    if isinstance(x, int) and not isinstance(x, bool):
        return x if x >= 0 else x + (1 << 64)
    x = np.asarray(x)
    if x.dtype == np.bool_:
        return x.astype(np.uint8)
    return x.view(_UNSIGNED[x.dtype.itemsize]) if x.dtype.kind == "i" else x


def _signed(x: Any) -> Any:
    """The same bits read as a signed integer (i1: 0 or −1)."""
    if isinstance(x, int):
        return -int(x) if isinstance(x, bool) else x
    x = np.asarray(x)
    if x.dtype == np.bool_:
        return -x.astype(np.int8)
    return x.view(f"i{x.dtype.itemsize}") if x.dtype.kind == "u" else x


def _like(result: Any, operand: Any) -> Any:
    operand = np.asarray(operand)
    return np.asarray(result).view(operand.dtype) if operand.dtype.kind in "iu" else result


def _zero_safe(divisor: Any) -> Any:
    return np.where(divisor == 0, np.ones_like(divisor), divisor)


def _div_trunc(a: Any, b: Any) -> Any:
    """Signed division towards zero. MLIR leaves x/0 undefined: 0 here; INT_MIN / −1 wraps."""
    if isinstance(a, int) and isinstance(b, int):
        return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    a, b = np.asarray(a), np.asarray(b)
    safe = _zero_safe(b)
    quotient = a // safe
    quotient = quotient + ((a - quotient * safe != 0) & ((a < 0) != (safe < 0)))
    return np.where(b == 0, np.zeros_like(quotient), quotient).astype(a.dtype, copy=False)


def _rem_trunc(a: Any, b: Any) -> Any:
    """Remainder of the signed division towards zero; x rem 0 is x."""
    return a - _div_trunc(a, b) * b


def _div_floor(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return 0 if b == 0 else a // b
    return np.where(np.asarray(b) == 0, 0, np.asarray(a) // _zero_safe(np.asarray(b)))


def _div_ceil(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return 0 if b == 0 else -(-a // b)
    a, b = np.asarray(a), np.asarray(b)
    quotient = a // _zero_safe(b)
    return np.where(b == 0, 0, quotient + (quotient * b != a)).astype(a.dtype, copy=False)


def _plain(f: Callable[[int, int], int], a: int, b: int) -> int:
    """An unsigned operation on Python ints, which stand for 64 bits; the bits read as signed again."""
    result = f(a % (1 << 64), b % (1 << 64))
    return result - (1 << 64) if result >= 1 << 63 else result


def _div_unsigned(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return _plain(lambda x, y: x // y if y else 0, a, b)
    ua, ub = unsigned(a), unsigned(b)
    return _like(np.where(ub == 0, np.zeros_like(ua), ua // _zero_safe(np.asarray(ub))), a)


def _ceildiv_unsigned(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return _plain(lambda x, y: -(-x // y) if y else 0, a, b)
    ua, ub = np.asarray(unsigned(a)), np.asarray(unsigned(b))
    quotient = ua // _zero_safe(ub)
    return _like(np.where(ub == 0, np.zeros_like(ua), quotient + (quotient * ub != ua)), a)


def _rem_unsigned(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return _plain(lambda x, y: x % y if y else x, a, b)
    ua, ub = np.asarray(unsigned(a)), np.asarray(unsigned(b))
    return _like(np.where(ub == 0, ua, ua % _zero_safe(ub)), a)


def _width(x: Any) -> int:
    return 64 if isinstance(x, int) else np.asarray(x).dtype.itemsize * 8


def _shift(kind: str) -> Callable[[Any, Any], Any]:
    """Shifts by the width or more (MLIR: poison) give 0, or the sign for the arithmetic one."""

    def shift(a: Any, b: Any) -> Any:
        width = _width(a)
        value = np.asarray(a, np.int64) if isinstance(a, int) else np.asarray(a)
        count = np.asarray(b, value.dtype)
        over = (count < 0) | (count >= width)
        safe = np.where(over, np.zeros_like(count), count)
        if kind == "left":
            return np.where(over, np.zeros_like(value), np.left_shift(value, safe))
        if kind == "right":
            return np.where(over, np.where(value < 0, -1, 0), np.right_shift(value, safe)).astype(value.dtype)
        bits = np.right_shift(unsigned(value), unsigned(safe))
        return np.where(over, np.zeros_like(value), np.asarray(bits).view(value.dtype))

    return shift


def _popcount(x: Any) -> Any:
    return np.bitwise_count(unsigned(np.asarray(x))).astype(np.asarray(x).dtype)


def _leading_zeros(x: Any) -> Any:
    width = _width(x)
    value = np.asarray(unsigned(np.asarray(x)))
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < width:
            value = value | (value >> value.dtype.type(shift))
    return (width - np.bitwise_count(value).astype(np.int64)).astype(np.asarray(x).dtype)


def _trailing_zeros(x: Any) -> Any:
    value = np.asarray(unsigned(np.asarray(x)))
    below = ~value & (value - value.dtype.type(1))
    return np.bitwise_count(below).astype(np.asarray(x).dtype)


def _fma(a: Any, b: Any, c: Any) -> Any:
    """a·b + c with one rounding (exact in float64 for operands of up to 24 bits, but for f64 itself)."""
    return np.asarray(a).astype(np.float64) * b + c


def _integer_power(a: Any, b: Any) -> Any:
    """Wrapping integer power. A negative exponent gives ±1 for a base of ±1, otherwise 0."""
    a, b = np.asarray(a), np.asarray(b)
    positive = np.power(a, np.where(b < 0, b & 1, b))
    return np.where((b < 0) & (np.abs(a) != 1), np.zeros_like(a), positive)


def _rsqrt(x: Any) -> Any:
    return 1 / np.sqrt(x)


def _round_half_away(x: Any) -> Any:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


class _Extremum:
    """The larger (smaller) operand, −0 below +0. Otherwise as `ufunc`: fmax and fmin ignore a NaN operand,
    signalling or not.

    NumPy leaves open which zero and what a signalling NaN gives: it differs with the length of an array.
    `ufunc` is what folds many values into one.
    """

    def __init__(self, ufunc: np.ufunc) -> None:
        self.ufunc = ufunc
        self.larger = ufunc in (np.maximum, np.fmax)
        self.ignores_nan = ufunc in (np.fmax, np.fmin)

    def __call__(self, a: Any, b: Any) -> Any:
        result = np.maximum(a, b) if self.larger else np.minimum(a, b)
        if result.dtype.kind != "f":
            return result
        zero = result == 0
        if zero.any():
            tied = np.add(a, b) if self.larger else -np.subtract(-np.asarray(a), b)
            result = np.where(zero & np.equal(a, b), tied, result)
        if self.ignores_nan:
            nan = np.isnan(result)
            if nan.any():
                result = np.where(nan, np.where(np.isnan(a), b, a), result)
        return result


def _where(condition: Any, a: Any, b: Any) -> Any:
    if isinstance(a, float) and isinstance(b, float):  # Python literals stay float32
        a, b = np.float32(a), np.float32(b)
    return np.where(condition, a, b)


def _isnan(x: Any) -> Any:
    return np.isnan(x) if np.asarray(x).dtype.kind in "fc" else np.zeros(np.shape(x), bool)


# Their value depends on the operand's width, which a Python int does not have.
WIDTH_DEPENDENT = frozenset({"clz", "ctz", "shl", "shrs", "shru"})

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "ceildivs": _div_ceil,
    "ceildivu": _ceildiv_unsigned,
    "copysign": np.copysign,
    "cos": np.cos,
    "cosh": np.cosh,
    "clz": _leading_zeros,
    "ctz": _trailing_zeros,
    "divs": _div_trunc,
    "divu": _div_unsigned,
    "erf": _erf,
    "erfc": _erfc,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "floordivs": _div_floor,
    "fma": _fma,
    "fmod": np.fmod,
    "imag": np.imag,
    "ipow": _integer_power,
    "isfinite": np.isfinite,
    "isinf": np.isinf,
    "isnan": _isnan,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "maximum": _Extremum(np.maximum),
    "maxnum": _Extremum(np.fmax),
    "minimum": _Extremum(np.minimum),
    "minnum": _Extremum(np.fmin),
    "pair": lambda mean, square: np.asarray(mean) + 1j * np.asarray(square),
    "popcount": _popcount,
    "pow": np.power,
    "real": np.real,
    "rems": _rem_trunc,
    "remu": _rem_unsigned,
    "round": _round_half_away,
    "roundeven": np.rint,
    "rsqrt": _rsqrt,
    "shl": _shift("left"),
    "shrs": _shift("right"),
    "shru": _shift("logical"),
    "signed": _signed,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
    "unsigned": unsigned,
    "where": _where,
}

VALUE_PRESERVING = frozenset({"abs", "ceil", "copysign", "floor", "maximum", "maxnum", "minimum", "minnum"})
VALUE_PRESERVING |= {"round", "roundeven", "trunc", "where", "fmod", "real", "imag"}
