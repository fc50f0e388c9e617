"""Costs for people: named figures from a row of the cost table, and the cost of a concrete term."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rewrite.language import FIELDS, Kind
from ..schedule.analysis import box_of, cover, moves
from ..schedule.sexpr import Expr, Term
from .front import Table
from .metrics import LATENCY, READ, WRITE
from .model import Model
from .price import price

__all__ = ["Cost", "cost_of", "describe"]


@dataclass(frozen=True, slots=True)
class Cost:
    """Predicted figures of one launch: cycles; busy cycles per resource of the busiest core; bytes of DRAM
    traffic of all cores together; live bytes per memory instance."""

    cycles: float
    latency: float
    dram_cycles: float
    busy: Mapping[str, float]
    read_bytes: float
    write_bytes: float
    live_bytes: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        return {
            "cycles": round(self.cycles),
            "dram_cycles": round(self.dram_cycles),
            "busy": {k: round(v) for k, v in self.busy.items()},
            "read_bytes": round(self.read_bytes),
            "write_bytes": round(self.write_bytes),
            "live_bytes": {k: round(v) for k, v in self.live_bytes.items()},
        }


def describe(model: Model, row: Table) -> Cost:
    """Name the figures of a one-row table."""
    layout = model.layout
    return Cost(
        cycles=float(layout.total(row)[0]),
        latency=float(row[0, LATENCY]),
        dram_cycles=float(layout.dram_cycles(row)[0]),
        busy={name: float(row[0, c]) for name, c in layout.resources.items() if row[0, c]},
        read_bytes=float(row[0, READ] * model.cores),
        write_bytes=float(row[0, WRITE] * model.cores),
        live_bytes={name: float(row[0, c]) for name, c in layout.memories.items() if row[0, c]},
    )


def cost_of(model: Model, term: Expr) -> Cost | None:
    """Cost of a concrete term; None when it cannot be run as it stands."""
    row = _row(model, term)
    return None if row is None or not np.isfinite(row[0, LATENCY]) else describe(model, row)


def _row(model: Model, term: Expr) -> Table | None:
    if not isinstance(term, Term):
        return model.layout.zero()
    args: list[Any] = []
    parts: list[Table] = []
    first: Expr | None = None
    for value, (_, kind) in zip(term.args, FIELDS[term.head], strict=False):
        match kind:
            case Kind.TERM:
                row = _row(model, value)
                if row is None:
                    return None
                parts.append(row)
                first = value if first is None else first
                args.append(None)
            case Kind.BOX:
                args.append(tuple(box_of(value).items()))
            case Kind.MOVES:
                args.append(tuple(moves(value)))
            case _:
                args.append(value)
    inner = None if first is None else {a: n if isinstance(n, int) else None for a, n in cover(first).items()}
    return price(model, term.head, args, parts, inner)
