"""Whether the rows of a program file point at rows that exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import dtype
from .isa import isa

__all__ = ["dangling"]

Rows = NDArray[Any]


def dangling(sections: Mapping[str, Rows]) -> Iterator[str]:
    """One sentence per kind of fault: `row 3 of section units: …`."""
    units, transfers = sections["units"], sections["transfers"]
    checks = [
        ("units", _beyond(units["entry"], units["words"], len(sections["code"])), "its program"),
        (
            "units",
            _beyond(units["first_register"], units["registers"], len(sections["registers"])),
            "its initial registers",
        ),
        (
            "transfers",
            _beyond(transfers["first_dimension"], transfers["dimensions"], len(sections["dimensions"])),
            "its dimensions",
        ),
        ("registers", sections["registers"]["register"] >= isa().integer_registers, "the register"),
        ("constants", _constants(sections), "its data"),
    ]
    for section, faulty, what in checks:
        if faulty.any():
            yield f"row {int(np.argmax(faulty))} of section `{section}`: {what} does not exist"


def _beyond(first: Rows, count: Rows, rows: int) -> Rows:
    return np.asarray(first.astype(np.uint64) + count.astype(np.uint64) > rows)


def _constants(sections: Mapping[str, Rows]) -> Rows:
    codes = sections["constants"]["dtype"]
    sizes = np.zeros(len(codes), np.uint64)
    for code, name in isa().dtype_names.items():
        sizes[codes == code] = dtype(name).nbytes
    end = sections["constants"]["offset"] + sections["constants"]["count"] * sizes
    available = len(sections["constant_data"])
    return np.asarray((sizes == 0) | (end > available) | (sections["constants"]["offset"] > available))
