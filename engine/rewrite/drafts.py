"""Kernels under construction: what the families of random trials (trials.py) have in common."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from ..schedule.dependences import Touched, carried
from ..schedule.index import Index
from ..schedule.program import Access, Axis, Let, Program, Stmt, View
from ..schedule.sexpr import Expr, Term, term

__all__ = ["Draft", "columns_of", "draft_of", "rows_of"]


@dataclass
class Draft:
    """A program under construction: per statement, the axes that are loops (outermost first)."""

    rng: random.Random
    lanes: int
    axes: dict[str, Axis]
    loops: list[str]
    views: dict[str, View]
    accesses: dict[str, Access]
    stmts: dict[str, Stmt]
    args: dict[str, str]
    scalars: dict[str, int]
    grid: int = 1
    split_nests: bool = False
    cramped: bool = False  # on a scratchpad so small that boxes must be cut
    near: bool = False  # with the operands as near to compute as they get

    def view(self, name: str, shape: tuple[int, ...], dtype: str = "f16", odd: bool = True) -> str:
        """A buffer argument and its view; `odd` allows padding and a column-major layout."""
        layout = self.rng.choice(("rows", "rows", "padded", "columns")) if odd and len(shape) > 1 else "rows"
        pad = self.rng.randint(1, 3) if layout == "padded" else 0
        order = range(len(shape)) if layout == "columns" else reversed(range(len(shape)))
        strides, pace = [0] * len(shape), 1
        for k in order:
            strides[k] = pace
            pace *= shape[k] + pad
        self.args[name] = "index"
        self.views[name.upper()] = View(name.upper(), name, shape, tuple(strides), dtype)
        return name.upper()

    def access(self, name: str, view: str, *at: Index, boundary: str = "pad") -> str:
        self.accesses[name] = Access(name, view, at, boundary)
        return name

    def stmt(self, name: str, *steps: Term | tuple[str, Term]) -> None:
        """Steps `(x, expr)` bind; bare terms are effects."""
        lets = tuple(Let(s[0], "f16", s[1]) for s in steps if isinstance(s, tuple))
        self.stmts[name] = Stmt(name, lets, tuple(s for s in steps if isinstance(s, Term)))

    def finish(self, name: str) -> Program:
        program = Program(
            name,
            grid=(self.grid,),
            args=self.args,
            axes=self.axes,
            views=self.views,
            accesses=self.accesses,
            stmts=self.stmts,
        )
        touched = [Touched(s, tuple(self.loops)) for s in self.stmts]
        found = carried(program, touched, False)
        return replace(program, body=self._body(program), carried=found)

    def _body(self, program: Program) -> Expr:
        """Loops around the statements' boxes; sometimes one nest per statement."""
        runs: list[Expr] = []
        for s in self.stmts:
            domain = program.domains[s]
            extents = (
                Term(a, (1 if a in self.loops else program.axes[a].trips,))
                for a in program.axes
                if a in domain
            )
            runs.append(term("exec", s, Term("box", tuple(extents)), "home"))
        if self.split_nests:
            runs = [self._nest(program, r) for r in runs]
        body = runs[0]
        for r in runs[1:]:
            body = term("seq", body, r)
        return body if self.split_nests else self._nest(program, body)

    def _nest(self, program: Program, body: Expr) -> Expr:
        for a in reversed(self.loops):
            body = term("loop", a, program.axes[a].trips, body)
        return body


def extent_of(rng: random.Random, lanes: int) -> int:
    """An extent along the lanes: single, whole vectors, tails."""
    return rng.choice(
        (1, lanes, lanes, 2 * lanes, 3 * lanes, 4 * lanes, lanes + 3, 2 * lanes + 5, lanes // 2)
    )


def draft_of(rng: random.Random, lanes: int, *, fixed: bool = True, tiles: bool = True) -> Draft:
    """Axes i and c; i may have a trip count known only at launch unless `fixed`."""
    draft = Draft(rng, lanes, {}, [], {}, {}, {}, {}, {})
    rows = rng.choice((1, 2, 3, 4, 5, 6, 8, 9))
    trips: Index = rows
    if not fixed:
        draft.args["n"] = "i32"
        draft.scalars["n"] = rng.choice((0, 0, 1, 2, 3, rows))
        trips = "n"
    draft.grid = rng.choice((1, 2, 3)) if tiles and fixed else 1
    lo: Index = term("*", rows, "tile0") if draft.grid > 1 else 0
    if draft.grid > 1 and rng.random() < 0.3:
        trips = term("max", 0, term("-", rows, "tile0"))  # unequal from core to core
    draft.axes = {"i": Axis("i", lo, 1, trips), "c": Axis("c", 0, 1, extent_of(rng, lanes))}
    if not isinstance(trips, int):
        draft.loops = ["i"]
    else:
        draft.loops = rng.choice(([], ["i"], ["i"], ["c"], ["i", "c"], ["c", "i"]))
    return draft


def rows_of(draft: Draft) -> int:
    """Rows that a buffer needs for all positions of i on all tiles."""
    axis = draft.axes["i"]
    most = axis.trips if isinstance(axis.trips, int) else 9
    return int(most) * draft.grid * axis.step + 4 + (9 * draft.grid if not isinstance(axis.trips, int) else 0)


def columns_of(draft: Draft) -> int:
    return int(draft.axes["c"].trips)  # type: ignore[arg-type]
