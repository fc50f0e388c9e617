"""Quantities with units."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tilesat.arch.quantity import DIMENSIONS, parse_quantity, render_quantity
from tilesat.diagnostics import Position, TilesatError

HERE = Position("x.yaml", 3, 7)
GHZ = 1e9


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("2 MiB", "bytes", 2 * 1024 * 1024),
        ("2MB", "bytes", 2_000_000),
        ("0.5 KiB", "bytes", 512),
        ("268431360 B", "bytes", 268431360),
        ("16 entries", "count", 16),
        (16, "count", 16),
        ("1_000", "count", 1000),
        ("1.5 GHz", "frequency", 1.5e9),
        ("1.5e3 MHz", "frequency", 1.5e9),
        ("150 GB/s", "rate", 100.0),
        ("128 B/cycle", "rate", 128.0),
        ("1 KiB / cycle", "rate", 1024.0),
        ("0.00574 ns/B", "time per byte", 0.00861),
        ("0.05 cycles/B", "time per byte", 0.05),
        ("100 ns", "time", 150),
        ("1 ns", "time", 2),  # 1.5 cycles: a time is whole cycles, rounded up
        ("20 cycles", "time", 20),
        ("4", "cycles", 4),
        (4, "cycles", 4),
        (0.8, "ratio", 0.8),
        ("80 %", "ratio", 0.8),
    ],
)
def test_reads(text: object, dimension: str, value: float) -> None:
    assert parse_quantity(text, dimension, HERE, clock_hz=1.5 * GHZ) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "dimension", "code", "says"),
    [
        ("", "bytes", "ARCH010", "not a quantity"),
        ("two MiB", "bytes", "ARCH010", "not a quantity"),
        ("-1 B", "bytes", "ARCH010", "not a quantity"),
        ("2 MiB extra", "bytes", "ARCH010", "not a quantity"),
        ("1e999 B", "bytes", "ARCH010", "not a quantity"),
        (True, "count", "ARCH010", "not a quantity"),
        (None, "count", "ARCH010", "not a quantity"),
        ([1], "count", "ARCH010", "not a quantity"),
        (float("inf"), "ratio", "ARCH010", "not a quantity"),
        ("2 MiBs", "bytes", "ARCH010", "`MiBs`"),
        ("2 B/fortnight", "rate", "ARCH010", "`fortnight`"),
        ("2 ns", "bytes", "ARCH011", "bytes (B) is needed"),
        ("2 MiB", "count", "ARCH011", "plain number"),
        ("2", "bytes", "ARCH011", "bytes (B)"),
        ("150 GB", "rate", "ARCH011", "rate (B/cycle)"),
        ("3 cycles", "frequency", "ARCH011", "frequency (Hz)"),
        ("0.3 B", "bytes", "ARCH012", "whole"),
        ("1.5", "count", "ARCH012", "whole"),
    ],
)
def test_refuses(text: object, dimension: str, code: str, says: str) -> None:
    with pytest.raises(TilesatError) as error:
        parse_quantity(text, dimension, HERE, clock_hz=GHZ)
    [diagnostic] = error.value.diagnostics
    assert (diagnostic.code, diagnostic.position) == (code, HERE)
    assert says in diagnostic.message


def test_minimum() -> None:
    with pytest.raises(TilesatError, match="ARCH012"):
        parse_quantity("0 entries", "count", HERE, minimum=1)


@given(st.integers(0, 2**60))
def test_bytes_survive_rendering(size: int) -> None:
    assert parse_quantity(render_quantity(size, "bytes"), "bytes", HERE) == size


@given(st.integers(0, 10**15), st.sampled_from(["count", "time", "cycles"]))
def test_integers_survive_rendering(value: int, dimension: str) -> None:
    assert parse_quantity(render_quantity(value, dimension), dimension, HERE, GHZ) == value


@given(st.floats(1e-6, 1e9), st.sampled_from(["rate", "time per byte", "frequency", "ratio"]))
def test_floats_survive_rendering(value: float, dimension: str) -> None:
    text = render_quantity(value, dimension)
    assert parse_quantity(text, dimension, HERE, GHZ) == pytest.approx(value, rel=1e-8)


@given(
    st.integers(1, 10**6),
    st.sampled_from([("KiB", 1024), ("kB", 1000), ("MiB", 1024**2), ("GB", 10**9)]),
    st.integers(1, 5000),
)
def test_rate_is_bytes_per_second_over_the_clock(number: int, unit: tuple[str, int], mhz: int) -> None:
    rate = parse_quantity(f"{number} {unit[0]}/s", "rate", HERE, clock_hz=mhz * 1e6)
    assert rate == pytest.approx(float(Fraction(number * unit[1], mhz * 10**6)), rel=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 5000))
def test_time_rounds_up_to_cycles(ns: int, mhz: int) -> None:
    assert parse_quantity(f"{ns} ns", "time", HERE, clock_hz=mhz * 1e6) == math.ceil(Fraction(ns * mhz, 1000))


@given(st.text(max_size=20), st.sampled_from(sorted(DIMENSIONS)))
def test_any_text_is_read_or_diagnosed(text: str, dimension: str) -> None:
    try:
        value = parse_quantity(text, dimension, HERE, GHZ)
    except TilesatError as error:
        assert all(d.position == HERE for d in error.diagnostics)
    else:
        assert value >= 0
