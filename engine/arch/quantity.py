"""Quantities with units: "2 MiB", "150 GB/s", "1.5 GHz", "0.00574 ns/B", "16 entries" → bytes and cycles.

Arithmetic is exact (`Fraction`) until the last step, so that "0.5 KiB" is 512 bytes and "0.3 B" an error
rather than a rounding.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from ..diagnostics import Position, fail

__all__ = ["DIMENSIONS", "Quantity", "parse_quantity", "render_quantity"]

Quantity = int | float

# Base unit of each dimension: byte, second, cycle, one. A unit is (dimension, factor).
_UNITS: dict[str, tuple[str, Fraction]] = {
    "": ("one", Fraction(1)),
    "%": ("one", Fraction(1, 100)),
    "B": ("byte", Fraction(1)),
    "cycle": ("cycle", Fraction(1)),
    "cycles": ("cycle", Fraction(1)),
    "entries": ("one", Fraction(1)),
    "elements": ("one", Fraction(1)),
    "instances": ("one", Fraction(1)),
    "Hz": ("hertz", Fraction(1)),
    "s": ("second", Fraction(1)),
}
for _index, _prefix in enumerate("KMGT", start=1):
    _UNITS[f"{_prefix}iB"] = ("byte", Fraction(1024**_index))
    _UNITS[f"{_prefix}B"] = ("byte", Fraction(1000**_index))
    _UNITS[f"{_prefix}Hz"] = ("hertz", Fraction(1000**_index))
_UNITS["kB"], _UNITS["kHz"] = _UNITS["KB"], _UNITS["KHz"]
for _prefix, _power in (("ms", 3), ("us", 6), ("µs", 6), ("ns", 9), ("ps", 12)):
    _UNITS[_prefix] = ("second", Fraction(1, 10**_power))

#: dimension → (accepted numerator/denominator pairs, unit of the result, an example for the hint)
DIMENSIONS: dict[str, tuple[tuple[tuple[str, str], ...], str, str]] = {
    "bytes": ((("byte", "one"),), "B", "2 MiB"),
    "count": ((("one", "one"),), "", "16 entries"),
    "ratio": ((("one", "one"),), "", "0.8"),
    "frequency": ((("hertz", "one"),), "Hz", "1.5 GHz"),
    "time": ((("cycle", "one"), ("second", "one")), "cycles", "20 cycles"),
    "cycles": ((("one", "one"), ("cycle", "one"), ("second", "one")), "cycles", "4"),
    "rate": ((("byte", "cycle"), ("byte", "second")), "B/cycle", "150 GB/s"),
    "time per byte": ((("cycle", "byte"), ("second", "byte")), "cycles/B", "0.00574 ns/B"),
}
_INTEGER = ("bytes", "count")

_NUMBER = re.compile(
    r"\s*(?P<number>\d[\d_]{0,18}(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?)\s*"
    r"(?P<unit>[A-Za-zµ%]*)\s*(?:/\s*(?P<per>[A-Za-z]+))?\s*"
)


def parse_quantity(
    text: object,
    dimension: str,
    position: Position,
    clock_hz: float | None = None,
    minimum: float = 0,
) -> Quantity:
    """The value of `text` in the base unit of `dimension` (a key of `DIMENSIONS`).

    Bytes and counts give an `int`, times give whole cycles (rounded up), everything else a `float`. Seconds
    become cycles through `clock_hz`. Raises ARCH010 (not a quantity), ARCH011 (wrong dimension),
    ARCH012 (not whole, or below `minimum`).
    """
    accepted, base, example = DIMENSIONS[dimension]
    value, numerator, denominator = _read(text, position, example)
    if (numerator, denominator) not in accepted:
        wanted = "a plain number" if base == "" else f"{dimension} ({base})"
        fail("ARCH011", f"`{text}` has the wrong unit: {wanted} is needed", position, f"write `{example}`")
    if clock_hz is not None and "second" in (numerator, denominator):
        clock = Fraction(clock_hz)
        value = value / clock if denominator == "second" else value * clock
    if dimension in _INTEGER and value.denominator != 1:
        near = f"`{math.floor(value)}{base and ' ' + base}` or `{math.ceil(value)}{base and ' ' + base}`"
        message = f"`{text}` is not a whole number" + (f" of {base}" if base else "")
        fail("ARCH012", message, position, f"write a whole number: {near}")
    if value < Fraction(minimum):
        fail("ARCH012", f"`{text}` is below the smallest possible value {minimum:g} {base}", position)
    if dimension in _INTEGER:
        return int(value)
    return math.ceil(value) if dimension in ("time", "cycles") else float(value)


def _read(text: object, position: Position, example: str) -> tuple[Fraction, str, str]:
    written = str(text) if isinstance(text, (str, int, float)) and not isinstance(text, bool) else ""
    match = _NUMBER.fullmatch(written)
    if not match:
        fail("ARCH010", f"`{text}` is not a quantity", position, f"write a number and a unit: `{example}`")
    units = []
    for unit in (match["unit"] or "", match["per"] or ""):
        if unit not in _UNITS:
            known = " ".join(sorted(u for u in _UNITS if u))
            fail("ARCH010", f"`{unit}` in `{text}` is not a unit", position, f"units are: {known}")
        units.append(_UNITS[unit])
    (numerator, factor), (denominator, divisor) = units
    return Fraction(match["number"].replace("_", "")) * factor / divisor, numerator, denominator


def render_quantity(value: Quantity, dimension: str) -> str:
    """A short text that `parse_quantity` reads back to `value` (exactly for bytes, counts and times)."""
    base = DIMENSIONS[dimension][1]
    if dimension == "bytes":
        for unit in ("GiB", "MiB", "KiB"):
            size = int(_UNITS[unit][1])
            if value and value % size == 0:
                return f"{int(value) // size} {unit}"
    if dimension == "frequency":
        return f"{value / 1e9:.9g} GHz"
    return f"{value:.9g} {base}".strip() if isinstance(value, float) else f"{value} {base}".strip()
