"""Scalar ops of arith, math, spyreop and linalg's named ops against NumPy and Python's math.

Expected values are computed here, without tilesat.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

Array = Any
F16, F32 = np.float16, np.float32


def _f16(rng: np.random.Generator, *shape: int, spread: float = 3.0) -> Array:
    x = (rng.standard_normal(shape) * 10.0 ** rng.uniform(-spread, spread, shape)).astype(F16)
    x.flat[:7] = [0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 6e-8]
    return x


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with np.errstate(all="ignore"):
        yield


def same(got: Array, want: Array, name: str = "") -> None:
    """Equal, NaN to NaN, zeros by value."""
    np.testing.assert_array_equal(got, want, err_msg=name)


def ulps(got: Array, want: Array, n: float, name: str = "") -> None:
    """Within n units in the last place of got's type (of its smallest normal below that)."""
    want = np.asarray(want, np.float64)
    with np.errstate(all="ignore"):
        unit = np.spacing(np.maximum(np.abs(want), np.finfo(got.dtype).tiny).astype(got.dtype)).astype(
            np.float64
        )
        rounded = want.astype(got.dtype).astype(np.float64)
    close = np.abs(got.astype(np.float64) - rounded) <= n * unit
    alike = close | (np.isnan(got) & np.isnan(rounded)) | (got == rounded)
    assert alike.all(), f"{name}: {got[~alike][:5]} is not {want[~alike][:5]}"


def test_float_arithmetic_is_numpy_float16(execute: Any) -> None:
    rng = _rng()
    a, b = _f16(rng, 3, 33), rng.permutation(_f16(rng, 3, 33).ravel()).reshape(3, 33)
    *_, out = execute("arith_float", a, b, np.zeros((10, 3, 33), F16))
    names = ("add", "subtract", "multiply", "divide", "fmod", "maximum", "minimum", "fmax", "fmin")
    for got, name in zip(out, names, strict=False):
        same(got, getattr(np, name)(a, b), name)
    same(out[9], -a, "negf")


def test_float_comparisons(execute: Any) -> None:
    rng = _rng()
    a = rng.integers(-2, 3, (2, 37)).astype(F32)
    b = rng.integers(-2, 3, (2, 37)).astype(F32)
    a[0, :6], b[0, 3:9] = np.nan, np.nan
    *_, out = execute("arith_compare_float", a, b, np.zeros((16, 2, 37), F32))
    nan = np.isnan(a) | np.isnan(b)
    lt, gt, eq = a < b, a > b, a == b
    never = np.zeros_like(nan)
    ordered = [never, eq, gt, gt | eq, lt, lt | eq, lt | gt, ~nan]
    unordered = [eq | nan, gt | nan, gt | eq | nan, lt | nan, lt | eq | nan, lt | gt | nan, nan, ~never]
    for i, want in enumerate(ordered + unordered):
        same(out[i], want.astype(F32), f"predicate {i}")


def _trunc_div(a: int, b: int) -> int:
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _integer_oracle(bits: int) -> list[Callable[[int, int, int], int]]:
    """One function per row of arith_int_*: (a, b, shift) → value before wrapping."""
    mask = (1 << bits) - 1

    def u(x: int) -> int:
        return x & mask

    return [
        lambda a, b, s: a + b,
        lambda a, b, s: a - b,
        lambda a, b, s: a * b,
        lambda a, b, s: _trunc_div(a, b),
        lambda a, b, s: u(a) // u(b) if b else 0,
        lambda a, b, s: -(-a // b) if b else 0,
        lambda a, b, s: -(-u(a) // u(b)) if b else 0,
        lambda a, b, s: a // b if b else 0,
        lambda a, b, s: a - _trunc_div(a, b) * b,
        lambda a, b, s: u(a) % u(b) if b else a,
        lambda a, b, s: a & b,
        lambda a, b, s: a | b,
        lambda a, b, s: a ^ b,
        lambda a, b, s: u(a) << s if s < bits else 0,
        lambda a, b, s: a >> s if s < bits else (-1 if a < 0 else 0),
        lambda a, b, s: u(a) >> s if s < bits else 0,
        lambda a, b, s: max(a, b),
        lambda a, b, s: min(a, b),
        lambda a, b, s: max(a, b, key=u),
        lambda a, b, s: min(a, b, key=u),
    ]


@pytest.mark.parametrize(("name", "width"), [("i8", 31), ("i32", 29), ("i64", 5)])
def test_integer_arithmetic(execute: Any, name: str, width: int) -> None:
    rng, bits = _rng(), int(name[1:])
    t, info = f"int{bits}", np.iinfo(f"int{bits}")
    a = rng.integers(info.min, info.max, (2, width), t)
    b = rng.integers(-9, 10, (2, width), t)
    a[0, :4], b[0, :4] = [info.min, info.max, -1, 0], [-1, info.max, 0, info.min]
    s = rng.integers(0, bits + 3, (2, width)).astype(t)
    *_, out = execute(f"arith_int_{name}", a, b, s, np.zeros((20, 2, width), t))
    for i, function in enumerate(_integer_oracle(bits)):
        raw = [function(int(x), int(y), int(z)) for x, y, z in zip(a.flat, b.flat, s.flat, strict=True)]
        want = [(v - info.min) % (1 << bits) + info.min for v in raw]
        same(out[i], np.array(want, t).reshape(a.shape), f"row {i}")


def test_integer_comparisons(execute: Any) -> None:
    rng = _rng()
    a, b = (rng.integers(-128, 128, (3, 21)).astype(np.int8) for _ in range(2))
    b[0] = a[0]
    *_, out = execute("arith_compare_int", a, b, np.zeros((10, 3, 21), np.int8))
    c, d = a.view(np.uint8), b.view(np.uint8)
    rows = [a == b, a != b, a < b, a <= b, a > b, a >= b, c < d, c <= d, c > d, c >= d]
    same(out, np.stack(rows).astype(np.int8))


def _bf16(x: Array) -> Array:
    """Round to nearest even, by exact arithmetic on the 16 low bits."""
    bits = x.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def test_conversions(execute: Any) -> None:
    rng = _rng()
    half = (rng.standard_normal((2, 19)) * 300).astype(F16)
    word = rng.integers(-(2**31), 2**31, (2, 19)).astype(np.int32)
    word[0, :3] = [2049, -70000, 65519]
    byte = rng.integers(-128, 128, (2, 19)).astype(np.int8)
    kinds = (
        F32,
        np.uint16,
        F16,
        F32,
        np.int32,
        np.int32,
        np.int64,
        np.int64,
        np.int8,
        np.int16,
        np.int32,
        np.uint16,
    )
    outs = [np.zeros((2, 19), k) for k in kinds]
    out = execute("arith_casts", half, word, byte, *outs)[3:]
    scaled = half.astype(F32) * F32(1 / 3)
    same(out[0], scaled)
    same(out[1], _bf16(scaled))
    same(out[2], word.astype(np.float64).astype(F16))
    same(out[3], word.view(np.uint32).astype(np.float64).astype(F32))
    same(out[4], np.trunc(half.astype(np.float64)).astype(np.int32))
    same(out[5], np.maximum(np.trunc(half.astype(np.float64)), 0).astype(np.int32))
    same(out[6], byte.astype(np.int64))
    same(out[7], byte.view(np.uint8).astype(np.int64))
    same(out[8], (word & 0xFF).astype(np.uint8).view(np.int8))
    same(out[9], half.view(np.int16))
    same(out[10], byte.astype(np.int32) + byte.view(np.uint8).astype(np.int32))
    same(out[11], _bf16(half.astype(F32)))


UNARY: list[tuple[str, Callable[[Array], Array]]] = [
    ("absf", np.abs),
    ("acos", np.arccos),
    ("acosh", np.arccosh),
    ("asin", np.arcsin),
    ("asinh", np.arcsinh),
    ("atan", np.arctan),
    ("atanh", np.arctanh),
    ("cbrt", np.cbrt),
    ("ceil", np.ceil),
    ("cos", np.cos),
    ("cosh", np.cosh),
    ("erf", np.vectorize(math.erf)),
    ("erfc", np.vectorize(math.erfc)),
    ("exp", np.exp),
    ("exp2", np.exp2),
    ("expm1", np.expm1),
    ("floor", np.floor),
    ("log", np.log),
    ("log10", np.log10),
    ("log1p", np.log1p),
    ("log2", np.log2),
    ("round", lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)),
    ("roundeven", np.round),
    ("rsqrt", lambda x: 1 / np.sqrt(x)),
    ("sin", np.sin),
    ("sinh", np.sinh),
    ("sqrt", np.sqrt),
    ("tan", np.tan),
    ("tanh", np.tanh),
    ("trunc", np.trunc),
]


@pytest.mark.parametrize(("name", "t", "width", "allowed"), [("f32", F32, 40, 4), ("f16", F16, 23, 1)])
def test_math_functions(execute: Any, name: str, t: Any, width: int, allowed: int) -> None:
    x = (
        np.concatenate([_rng().uniform(-1, 1, width), _rng().uniform(0, 6, width)])
        .astype(t)
        .reshape(2, width)
    )
    x[0, :4] = [0.5, -0.5, 1.5, 2.5]
    out = execute(f"math_unary_{name}", x, np.zeros((len(UNARY), 2, width), t))[1]
    for got, (op, oracle) in zip(out, UNARY, strict=True):
        ulps(got, oracle(x.astype(np.float64)), allowed, op)


def test_math_with_several_operands(execute: Any) -> None:
    rng = _rng()
    a = rng.uniform(0.1, 4, (3, 17)).astype(F32)
    b = rng.uniform(-5, 5, (3, 17)).astype(F32)
    out = execute("math_binary", a, b, np.zeros((9, 3, 17), F32))[2]
    x, y = a.astype(np.float64), b.astype(np.float64)
    wants = [np.arctan2(x, y), np.copysign(x, y), x**y, x * y + x, np.clip(y, 0.5, 2.0), x ** np.trunc(y)]
    for i, want in enumerate(wants):
        ulps(out[i], want, 4, f"row {i}")
    b[0, :3] = [np.inf, -np.inf, np.nan]
    out = execute("math_binary", a, b, np.zeros((9, 3, 17), F32))[2]
    same(out[6:9], np.stack([np.isfinite(b), np.isinf(b), np.isnan(b)]).astype(F32))


def test_integer_functions(execute: Any) -> None:
    rng = _rng()
    a = rng.integers(-(2**31), 2**31, (2, 27)).astype(np.int32)
    a[0, :6] = [0, 1, -1, 2, -(2**31), 8]
    b = rng.integers(-2, 6, (2, 27)).astype(np.int32)
    out = execute("math_int", a, b, np.zeros((5, 2, 27), np.int32))[2]

    def row(function: Callable[[int, int], int]) -> Array:
        values = [function(int(x), int(y)) for x, y in zip(a.flat, b.flat, strict=True)]
        return np.array([(v + 2**31) % 2**32 - 2**31 for v in values], np.int32).reshape(a.shape)

    def power(x: int, n: int) -> int:
        if n >= 0:
            return x**n
        return x ** (-n & 1) if abs(x) == 1 else 0

    same(out[0], row(lambda x, y: abs(x)))
    same(out[1], row(lambda x, y: 32 - (x & 0xFFFFFFFF).bit_length()))
    same(out[2], row(lambda x, y: (x & -x).bit_length() - 1 if x else 32))
    same(out[3], row(lambda x, y: (x & 0xFFFFFFFF).bit_count()))
    same(out[4], row(power))


def _intrinsics(x: Array) -> list[Array]:
    sigmoid = 1 / (1 + np.exp(-x))
    normal = 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    softplus = np.where(2 * x > 20, x, np.log1p(np.exp(2 * x)) / 2)
    return [np.exp(x), np.sqrt(x), 1 / np.sqrt(x), 1 / x, sigmoid, x * sigmoid, x * normal, softplus]


def test_intrinsics_on_f16(execute: Any) -> None:
    x = _rng().uniform(-4, 12, (2, 35)).astype(F16)
    out = execute("spyreop_unary_f16", x, np.zeros((8, 2, 35), F16))[1]
    for i, want in enumerate(_intrinsics(x.astype(np.float64))):
        ulps(out[i], want, 1, f"row {i}")


def _decode_df16(bits: int) -> float:
    """The published reading of a 1-6-9 pattern."""
    sign, exponent, fraction = -1.0 if bits >> 15 else 1.0, bits >> 9 & 63, bits & 511
    if bits & 0x7FFF == 0:
        return sign * 0.0
    if bits & 0x7FFF == 0x7FFF:
        return math.nan
    return sign * 2.0 ** (exponent - 31) * (1 + fraction / 512)


def test_intrinsics_on_df16(execute: Any) -> None:
    bits = _rng().integers(25 << 9, 35 << 9, (2, 35)).astype(np.uint16)
    bits[1] |= np.uint16(0x8000)
    x = np.vectorize(_decode_df16)(bits)
    out = execute("spyreop_unary_df16", bits, np.zeros((8, 2, 35), np.uint16))[1]
    for i, want in enumerate(_intrinsics(x)):
        got = np.vectorize(_decode_df16)(out[i])
        close = np.abs(got - want) <= np.abs(want) * 2.0**-9
        huge, tiny = np.abs(want) > 2.0**33, np.abs(want) < 2.0**-31
        right = close | (np.isnan(got) & (np.isnan(want) | huge)) | ((got == 0) & tiny)
        assert right.all(), f"row {i}: {got[~right][:4]} is not {want[~right][:4]}"


def test_intrinsics_with_two_operands(execute: Any) -> None:
    rng = _rng()
    a, b = (rng.integers(-3, 4, (3, 41)).astype(F16) for _ in range(2))
    out = execute("spyreop_binary", a, b, np.zeros((8, 3, 41), F16))[2]
    same(out[0], a / b)
    for i, want in enumerate([a == b, a != b, a > b, a >= b, a < b, a <= b]):
        same(out[1 + i], want.astype(F16), f"comparison {i}")
    same(out[7], np.where(a > b, a, F16(0.5)))


def test_integer_intrinsics(execute: Any) -> None:
    rng = _rng()
    a, b = (rng.integers(-(2**31), 2**31, (2, 13)).astype(np.int32) for _ in range(2))
    out = execute("spyreop_int", a, b, np.zeros((4, 2, 13), np.int32))[2]
    same(out[0], a + b)
    same(out[1], a * b)
    same(out[2], np.int32(1024) + np.int32(128) * a)
    same(out[3], ((a.astype(np.int64) + b) >> 1).astype(np.int32))


def test_layernorm_intrinsics(execute: Any) -> None:
    rng = _rng()
    x = (rng.standard_normal((12, 50)) * 2 + 1).astype(F16)
    w, b = rng.standard_normal(50).astype(F16), rng.standard_normal(50).astype(F16)
    outs = [np.zeros((12, 50), F16) for _ in range(3)]
    plain, fused, rms = execute("spyreop_layernorm", x, w, b, *outs)[3:]
    xs = x.astype(np.float64)
    mean, square = xs.mean(1, keepdims=True), (xs * xs).mean(1, keepdims=True)
    variance = square - mean * mean
    np.testing.assert_allclose(plain, (xs - mean) / np.sqrt(variance) * w + b, rtol=1e-2, atol=1e-2)
    np.testing.assert_allclose(
        fused, (xs - mean) / np.sqrt(variance + 2.0**-10) * w + b, rtol=1e-2, atol=1e-2
    )
    np.testing.assert_allclose(rms, xs / np.sqrt(square + 2.0**-10) * w + b, rtol=1e-2, atol=1e-2)


def test_mean_of_squares_does_not_overflow_on_the_way(execute: Any) -> None:
    """300² is beyond f16, the variance of values near 300 is not: the pair rounds after the mean only."""
    x = np.full((12, 50), 200, F16)
    x[:, ::2] = 202
    one, zero = np.ones(50, F16), np.zeros(50, F16)
    plain = execute("spyreop_layernorm", x, one, zero, *(np.zeros((12, 50), F16) for _ in range(3)))[3]
    assert np.isfinite(plain).all()


def test_stick_reductions(execute: Any) -> None:
    x = _rng().integers(-3, 4, (2, 64)).astype(F16)
    x[x == 0] = 1
    out = execute("spyreop_slice_reduction", x, np.zeros((12, 2, 64), F16))[1]
    y = x.reshape(2, 8, 8).astype(np.float64)

    def difference(v: Array, axis: int) -> Array:
        return 2 * v.take(0, axis) - v.sum(axis)

    folds: list[Callable[[Array, int], Array]] = [
        lambda v, a: v.sum(a),
        difference,
        lambda v, a: v.max(a),
        lambda v, a: v.min(a),
        lambda v, a: v.prod(a),
        lambda v, a: np.abs(v).max(a),
    ]
    for i, fold in enumerate(folds):
        within, across = np.zeros((2, 8, 8)), np.zeros((2, 8, 8))
        within[:, :, 0], across[:, 0, :] = fold(y, 2), fold(y, 1)
        same(out[2 * i], within.reshape(2, 64), f"kind {i} in slices")
        same(out[2 * i + 1], across.reshape(2, 64), f"kind {i} across slices")


def test_named_elementwise(execute: Any) -> None:
    rng = _rng()
    a, b = rng.uniform(0.1, 3, (2, 31)).astype(F32), rng.uniform(-2, 2, (2, 31)).astype(F32)
    out = execute("linalg_elementwise", a, b, np.zeros((22, 2, 31), F32))[2]
    x, y = a.astype(np.float64), b.astype(np.float64)
    two = [x + y, x - y, x * y, x / y, np.maximum(x, y), np.minimum(x, y), x**y]
    one = [np.exp(x), np.log(x), np.abs(x), np.ceil(x), np.floor(x), -x, 1 / x, np.floor(x + 0.5)]
    one += [np.sqrt(x), 1 / np.sqrt(x), x * x, np.tanh(x), np.vectorize(math.erf)(x), x]
    for i, want in enumerate([*two, *one, np.where(x < y, x, y)]):
        ulps(out[i], want, 4, f"row {i}")


def test_named_elementwise_on_integers(execute: Any) -> None:
    rng = _rng()
    a = rng.integers(-(2**31), 2**31, (3, 11)).astype(np.int32)
    b = rng.integers(1, 9, (3, 11)).astype(np.int32)
    out = execute("linalg_elementwise_int", a, b, np.zeros((7, 3, 11), np.int32))[2]
    quotient = (np.abs(a.astype(np.int64)) // b * np.sign(a)).astype(np.int32)
    unsigned = (a.view(np.uint32) // b.view(np.uint32)).view(np.int32)
    wants = [a + b, a - b, a * b, quotient, unsigned, np.maximum(a, b), np.minimum(a, b)]
    for i, want in enumerate(wants):
        same(out[i], want, f"row {i}")
