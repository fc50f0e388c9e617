"""The cost of one node of ScheduleIR from the costs of its parts: shared by extraction and `explain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .front import Table
from .metrics import LATENCY
from .model import Model

__all__ = ["price"]

Cover = Mapping[str, int | None]


def price(
    model: Model, head: str, args: Sequence[Any], parts: Sequence[Table], cover: Cover | None
) -> Table | None:
    """Table of the node: a row per combination of the parts' rows (first part varies slowest).

    `args` as in `rewrite.graph.ENode`; `parts` are the tables of its sub-terms in order; `cover` is that
    of the first sub-term. None: the node cannot be run as it stands (a level no unit computes at, a move
    no unit makes). Rows whose buffers do not fit are infinite.
    """
    layout = model.layout
    match head:
        case "skip":
            result: Table | None = layout.zero()
        case "exec":
            result = _exec(model, str(args[0]), dict(args[1]), str(args[2]))
        case "loop":
            too_long = isinstance(args[1], int) and args[1] > model.arch.limits.loop_count
            result = None if too_long else layout.loop(parts[0], *model.trips(args[1]))
        case "par":
            result = layout.parallel(parts[0], str(args[0]), int(args[1]))
        case "seq":
            result = layout.sequence(parts[0], parts[1], dependent=True)
        case "then":
            result = layout.sequence(parts[0], parts[1], dependent=False)
        case "pipe":
            result = _pipe(model, args, parts[0], cover)
        case "when" | "program":
            result = parts[0]
        case _:
            result = None  # let, acc, comm: no rule lowers them yet
    if result is None:
        return None
    fitting = layout.fits(result)
    return result if fitting.all() else np.where(fitting[:, None], result, np.inf)


def _exec(model: Model, stmt: str, box: Mapping[str, int], memory: str) -> Table | None:
    unit = model.arch.compute.get(memory)
    return None if unit is None else model.compute(model.program.stmts[stmt], box, unit)


def _pipe(model: Model, args: Sequence[Any], body: Table, cover: Cover | None) -> Table | None:
    depth, ins, _, outs = args
    known = {axis: n for axis, n in (cover or {}).items() if n is not None}
    moved = {axis for access, _, _ in (*ins, *outs) for axis in model.program.access_axes[access]}
    if cover is None or any(cover.get(axis, 1) is None for axis in moved):
        return None  # a buffer needs a constant size
    inwards, outwards = model.traffic(ins, known), model.traffic(outs, known)
    if inwards is None or outwards is None:
        return None
    return model.layout.pipe(body, int(depth), inwards, outwards)


def runnable(table: Table) -> Table:
    """The rows of a table that fit."""
    return table[np.isfinite(table[:, LATENCY])]
