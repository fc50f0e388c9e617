"""Float formats bit by bit. The expected values come from exact integer arithmetic, not from tilesat."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilesat.diagnostics import TilesatError
from tilesat.numerics import cast, dtype, from_numpy, resolve

ALL = np.arange(65536, dtype=np.uint16)


def same(a: np.ndarray, b: np.ndarray) -> None:
    np.testing.assert_array_equal(a, b)
    finite = ~np.isnan(b)
    np.testing.assert_array_equal(np.signbit(a)[finite], np.signbit(b)[finite])


def test_every_f16_pattern_survives() -> None:
    t, half = dtype("f16"), ALL.view(np.float16)
    wide = t.from_storage(half)
    same(wide, half.astype(np.float32))
    back = t.to_storage(wide)
    assert back.dtype == np.float16
    same(back, half)


def test_every_bf16_pattern_survives() -> None:
    t = dtype("bf16")
    values = t.from_storage(ALL)
    same(values, (ALL.astype(np.uint32) << 16).view(np.float32))
    keep = ~np.isnan(values)
    np.testing.assert_array_equal(t.to_storage(values)[keep], ALL[keep])
    assert np.isnan(t.from_storage(t.to_storage(values[~keep]))).all()


def _df16(bits: int) -> float:
    sign = -1.0 if bits >> 15 else 1.0
    if bits & 0x7FFF == 0:
        return sign * 0.0
    if bits & 0x7FFF == 0x7FFF:
        return math.nan
    return sign * math.ldexp(512 + (bits & 511), (bits >> 9 & 63) - 31 - 9)


def test_every_df16_pattern_survives() -> None:
    t = dtype("df16")
    values = t.from_storage(ALL)
    same(values, np.array([_df16(int(b)) for b in ALL], np.float32))
    np.testing.assert_array_equal(t.to_storage(values) & 0x7FFF, ALL & 0x7FFF)


def test_df16_range() -> None:
    t = dtype("df16")
    largest = 2.0**32 * (1 + 510 / 512)
    given_ = np.array(
        [largest, 2.0**33, np.inf, -np.inf, np.nan, 2.0**-32, -(2.0**-32), 0.0, -0.0], np.float32
    )
    codes = t.to_storage(given_)
    assert [int(c) for c in codes] == [0x7FFE, 0x7FFF, 0x7FFF, 0xFFFF, 0x7FFF, 0, 0x8000, 0, 0x8000]
    # exponent 0 holds normal numbers, except that fraction 0 is zero
    assert int(t.to_storage(np.float32([2.0**-31 * (1 + 1 / 512)]))[0]) == 1
    assert int(t.to_storage(np.float32([2.0**-31]))[0]) == 0


def test_df16_ties_go_away_from_zero() -> None:
    x = np.float32([1 + 1 / 1024, -(1 + 1 / 1024), 1 + 1 / 1024 - 2.0**-23])
    assert dtype("df16").round(x).tolist() == [1 + 1 / 512, -(1 + 1 / 512), 1.0]


def test_df16_as_seen_on_spyre() -> None:
    t = resolve(dtype("f16"), "df16-saturating")
    x = np.float32([-65504, 65504, np.inf, -np.inf])
    got = t.from_storage(t.to_storage(x))
    assert got.tolist() == [-65472.0, 65472.0, np.inf, -np.inf]


def _nearest_even(x: float, precision: int, lowest: int) -> Fraction:
    """The nearest multiple of the unit in the last place; ties to even."""
    if x == 0:
        return Fraction(0)
    exponent = max(math.frexp(x)[1] - 1, lowest)
    unit = Fraction(2) ** (exponent - precision + 1)
    return round(Fraction(x) / unit) * unit


finite64 = st.floats(-1e5, 1e5, allow_nan=False, allow_infinity=False)


@given(st.lists(finite64, min_size=1, max_size=20), st.sampled_from([1e-9, 1e-3, 1.0]))
@settings(max_examples=200, deadline=None)
def test_casts_round_once(values: list[float], scale: float) -> None:
    """From float64, where rounding by way of float32 would go wrong on ties."""
    x = np.array(values) * scale
    ties = np.array([float(np.float32(v)) + float(np.float32(v)) * 2.0**-30 for v in values]) * scale
    for data in (x, ties):
        f64 = dtype("f64")
        half = cast(data, f64, dtype("f16")).astype(np.float64)
        brain = cast(data, f64, dtype("bf16")).astype(np.float64)
        for v, h, b in zip(data, half, brain, strict=True):
            want = _nearest_even(v, 11, -14)
            assert (Fraction(h) == want) if abs(want) < 65536 else math.isinf(h)
            assert Fraction(b) == _nearest_even(v, 8, -126)


@pytest.mark.parametrize("scale", [1e-8, 1e-5, 1.0, 3e4])
def test_long_and_short_arrays_round_alike(scale: float) -> None:
    """Blocks of long arrays take another path than short ones, and must give the same bits."""
    x = (np.random.default_rng(3).standard_normal(100_000) * scale).astype(np.float32)
    x[::997], x[1::997], x[2::9973] = 0.0, -0.0, np.inf
    t = dtype("f16")
    with np.errstate(over="ignore"):
        want = x.astype(np.float16)
    same(t.round(x), want.astype(np.float32))
    same(t.round(x[5:700]), want[5:700].astype(np.float32))
    same(t.round_in_place(x.copy()), want.astype(np.float32))
    same(t.to_storage(x), want)
    strided = t.from_storage(want[::3])
    same(strided, want[::3].astype(np.float32))


def test_integers_and_floats() -> None:
    i32, f32, f16, i8, i1 = (dtype(n) for n in ("i32", "f32", "f16", "i8", "i1"))
    assert cast(np.int32([2049, 70000]), i32, f16).tolist() == [2048.0, np.inf]
    assert cast(np.int32([16777217]), i32, f32).tolist() == [16777216.0]
    x = np.float32([1e20, -1e20, np.nan, -1.9, 1.9])
    assert cast(x, f32, i32).tolist() == [2**31 - 1, -(2**31), 0, -1, 1]
    assert cast(np.int32([300, -129, 128]), i32, i8).tolist() == [44, 127, -128]
    assert cast(np.int32([2, 3]), i32, i1).tolist() == [False, True]


def test_pairs_are_packed() -> None:
    t = dtype("fp16_fused")
    x = np.array([1.5 - 2j, 0.25 + 8j], np.complex64)
    assert t.to_storage(x).dtype == np.uint32 and t.nbytes == 4
    np.testing.assert_array_equal(t.from_storage(t.to_storage(x)), x)


def test_unknown_names_are_diagnosed() -> None:
    with pytest.raises(TilesatError, match="unknown element type `f8`"):
        dtype("f8")
    with pytest.raises(TilesatError, match="unknown numerics mode"):
        resolve(dtype("f16"), "fast")
    with pytest.raises(TilesatError, match="no element type"):
        from_numpy(np.dtype(np.complex128))
    assert from_numpy(np.dtype(np.int8)) is dtype("i8")
