"""What the public KTIR specification leaves open, in one place: the default is listed first."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from .diagnostics import fail

__all__ = ["CHOICES", "Options"]

CHOICES: dict[str, tuple[str, ...]] = {
    "address_unit": ("elements", "bytes"),
    "grid_order": ("first-fastest", "last-fastest"),
    "out_of_view": ("pad", "error"),
    "lx_between_kernels": ("undefined", "kept"),
    "reduction_order": ("sequential", "tree"),
    "accumulator": ("wide", "element"),
    "numerics": ("ieee", "df16", "df16-saturating"),
}


@dataclass(frozen=True, slots=True)
class Options:
    """Readings of the silent points of KTIR. Every field but the last takes one of `CHOICES[field]`.

    address_unit: what the address operand of construct_memory_view counts.
    grid_order: which result of get_compute_tile_id varies fastest with the linear tile id.
    out_of_view: a tile reaching beyond its view reads zeros and drops stores, or is an error.
    lx_between_kernels: whether scratchpad contents survive from one kernel to the next.
    reduction_order: left to right, or by halves.
    accumulator: reductions and contractions of 16-bit floats carry float32 and round once at the end, or
        round after every step as the scalar body says.
    numerics: f16 is IEEE binary16, or the device's 1-6-9 (see `numerics.resolve`).
    may_alias: whether distinct buffer arguments may overlap.
    """

    address_unit: str = "elements"
    grid_order: str = "first-fastest"
    out_of_view: str = "pad"
    lx_between_kernels: str = "undefined"
    reduction_order: str = "sequential"
    accumulator: str = "wide"
    numerics: str = "ieee"
    may_alias: bool = False

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                what = f"option {name} is `{getattr(self, name)}`"
                fail("OPT001", what, hint=f"one of {', '.join(choices)}")

    @staticmethod
    def parse(settings: dict[str, Any]) -> Options:
        """From `name=value` settings (dashes or underscores). OPT002: no such option."""
        known = {f.name for f in fields(Options)}
        chosen: dict[str, Any] = {}
        for key, value in settings.items():
            name = key.replace("-", "_")
            if name not in known:
                fail("OPT002", f"there is no option `{key}`", hint=f"known: {', '.join(sorted(known))}")
            chosen[name] = value if name != "may_alias" else str(value).lower() in ("1", "true", "yes")
        return Options(**chosen)
