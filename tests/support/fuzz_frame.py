"""The frame of a fuzzed kernel: its grid, how tiles cover the iteration domain, loops and conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from fuzz_oracle import For, If, Let
from fuzz_text import Writer

__all__ = ["Dim", "Frame"]


@dataclass
class Dim:
    """One dimension of the iteration domain: tiles of `tile` elements over `size`."""

    size: int
    tile: int
    lo: str = ""  # SSA name of the coordinate of the current tile
    split: bool = False  # over the grid
    depth: int = 0  # loops around it
    loops: list[Any] = field(default_factory=list)


class Frame(Writer):
    """Draws everything around what happens to one tile, which `body` says."""

    def body(self) -> None:
        raise NotImplementedError

    def _dims(self, rank: int) -> list[Dim]:
        rng = self.rng
        dims = []
        for k in range(rank):
            last = k == rank - 1
            extents = (
                (1, 3, 7, 8, 16, 31, 32, 33, 64, 64, 65, 100, 128, 130, 200)
                if last
                else (1, 1, 2, 3, 4, 5, 8)
            )
            dims.append(Dim(0, rng.choice(extents)))
        if rank > 1 and rng.random() < 0.15:
            dims[0].tile, dims[-1].tile = dims[-1].tile, dims[0].tile
        return dims

    def _grid(self) -> tuple[int, ...]:
        """Draw the grid and deal its coordinates to dimensions; sets every dimension's `lo` and size."""
        rng, dims = self.rng, self.dims
        ways = [1] * len(dims)
        for k in rng.sample(range(len(dims)), rng.randint(0, len(dims))):
            fitting = [w for w in (1, 2, 2, 3, 4, 5, 8, 16, 32) if w * int(np.prod(ways)) <= self.most_tiles]
            ways[k] = rng.choice(fitting)
        split = [k for k, w in enumerate(ways) if w > 1]
        if len(split) > 1 and rng.random() < 0.5:
            grid: tuple[int, ...] = (int(np.prod(ways)),)
            coordinates = self._decoded(split, ways)
        else:
            rng.shuffle(split)
            extents = [ways[k] for k in split]
            while rng.random() < 0.2 and len(extents) < 3:
                extents.insert(rng.randint(0, len(extents)), 1)
            grid = tuple(extents) or (1,)
            found = self._tile_ids(len(grid))
            free = [n for n, e in zip(found, grid, strict=True) if e > 1]
            coordinates = dict(zip(split, free, strict=True))
        if len(grid) > 1:
            self.features.add("grid-nd")
        for k, dim in enumerate(dims):
            self._partition(dim, ways[k], coordinates.get(k))
        return grid

    def _tile_ids(self, rank: int) -> list[str]:
        names = [self.name("id") for _ in range(rank)]
        self.emit(f"{', '.join(names)} = ktdp.get_compute_tile_id : {', '.join(['index'] * rank)}")
        for k, n in enumerate(names):
            self.steps.append(Let(n, int, (f"%tile{k}",)))
        return names

    def _decoded(self, split: list[int], ways: list[int]) -> dict[int, str]:
        """Several coordinates out of one linear tile id."""
        self.features.add("decoded-id")
        kind = self.rng.choice(("index", "i32"))
        divide, remainder = self.rng.choice((("divui", "remui"), ("divsi", "remsi")))
        (tile,) = self._tile_ids(1)
        rest = self.cast(tile, "index", kind)
        found = {}
        for k in split[:-1]:
            w = self.index(ways[k], kind)
            found[k] = self.cast(self.arith(remainder, rest, w, kind), kind, "index")
            rest = self.arith(divide, rest, w, kind)
        found[split[-1]] = self.cast(rest, kind, "index")
        return found

    def _partition(self, dim: Dim, ways: int, coordinate: str | None) -> None:
        """How a dimension is covered: blocks or cards dealt to the tiles, loops inside."""
        rng, t = self.rng, dim.tile
        loops = rng.choice((0, 0, 0, 1, 1, 2)) if t < 64 or ways == 1 else rng.choice((0, 0, 1))
        trips = rng.choice((1, 2, 3, 4)) if loops else 1
        inner = rng.choice((2, 3)) if loops == 2 else 1
        most = ways * trips * inner * t
        dim.size = most
        if rng.random() < 0.35:  # ceil-div tails: the last tiles reach beyond, or lie outside
            dim.size = max(1, most - rng.randint(0, max(0, (t if rng.random() < 0.7 else 2 * t) - 1)))
            self.features.add("tail")
        dim.split = coordinate is not None
        cyclic = dim.split and loops and rng.random() < 0.4
        start = self.index(0)
        if coordinate is not None:
            block = t if cyclic else trips * inner * t
            start = coordinate if block == 1 else self.arith("muli", coordinate, self.index(block))
        dim.lo = start
        if not loops:
            return
        self.features.add("cyclic" if cyclic else "loop")
        if cyclic:
            dim.loops = [("range", start, dim.size, ways * t * inner, None)]
            if inner > 1:
                dim.loops.append(("within", None, None, ways * t, ways * t * inner))
            return
        dim.loops = [
            (rng.choice(("range", "offset", "count")), start, trips * inner * t, t * inner, dim.size)
        ]
        if inner > 1:
            dim.loops.append(("within", None, None, t, t * inner))

    # --- loops

    def _nest(self, number: int) -> None:
        rng = self.rng
        order = [(k, loop) for k, d in enumerate(self.dims) for loop in d.loops]
        if number and rng.random() < 0.5:
            pass
        elif len({k for k, _ in order}) > 1 and rng.random() < 0.4:
            inner = [o for o in order if o[1][0] == "within"]
            outer = [o for o in order if o[1][0] != "within"]
            rng.shuffle(outer)
            order = outer + inner
        self.at = [d.lo for d in self.dims]
        closing: list[Any] = []
        self.hoisted: list[tuple[str, str, list[int]]] = []
        for n, (k, loop) in enumerate(order):
            if rng.random() < 0.2:
                self._hoist([d for d in range(len(self.dims)) if d not in {x for x, _ in order[n:]}])
            self.at[k] = self._open(loop, self.at[k], closing)
        if rng.random() < 0.12:
            self._guard(closing)
        self.body()
        for steps in reversed(closing):
            self.indent -= 1
            self.emit("}")
            self.steps = steps  # type: ignore[assignment]

    def _hoist(self, fixed: list[int]) -> None:
        """A load outside of the loops that come, of dimensions whose coordinates they do not move."""
        kept = sorted(self.rng.sample(fixed, self.rng.randint(0, len(fixed))))
        if not kept:
            return
        self.features.add("hoisted-load")
        dtype = self.rng.choice(("f16", "f32"))
        sizes, shape = (tuple(of(self.dims[k]) for k in kept) for of in (lambda d: d.size, lambda d: d.tile))
        view = self.view(dtype, sizes)
        self.hoisted.append((self.load(view, [(self.at[k], 0) for k in kept], shape), dtype, kept))

    def _guard(self, closing: list[Any]) -> None:
        """The rest of the nest under a condition on where the tile is."""
        self.features.add("scf.if")
        k = self.rng.randrange(len(self.dims))
        limit = self.index(self.rng.choice((0, self.dims[k].tile, self.dims[k].size // 2 + 1)))
        condition = self.let(
            "q",
            f"arith.cmpi slt, {self.at[k]}, {limit} : index",
            lambda x, y: int(x) < int(y),
            self.at[k],
            limit,
        )
        self.emit(f"scf.if {condition} {{")
        node = If(condition)
        self.steps.append(node)
        closing.append(self.steps)
        self.steps = node.body
        self.indent += 1

    def _open(self, loop: Any, current: str, closing: list[Any]) -> str:
        """Open one loop; returns the coordinate inside it."""
        rng = self.rng
        form, start, span, step, limit = loop
        kind = "i32" if rng.random() < 0.25 else "index"
        coordinate: Any
        if form == "range" and limit is None:  # cyclic
            lo, hi, by = start, self._bound(span, kind), self.index(step, kind)
            lo = self.cast(lo, "index", kind)
            coordinate = ("is", 1)
        elif form == "range":
            lo = self.cast(start, "index", kind)
            hi = self.arith("addi", lo, self.index(span, kind), kind)
            if rng.random() < 0.5:
                hi = self.arith("minsi", hi, self._bound(limit, kind), kind)
            by, coordinate = self.index(step, kind), ("is", 1)
        elif form == "offset":
            lo, hi, by = self.index(0, kind), self._bound(span, kind), self.index(step, kind)
            coordinate = ("add", 1)
        elif form == "count":
            lo, hi, by = self.index(0, kind), self._bound(span // step, kind), self.index(1, kind)
            coordinate = ("add", step)
        else:  # within
            lo, hi, by = self.index(0, kind), self.index(limit, kind), self.index(step, kind)
            if kind == "index" and rng.random() < 0.2:
                self.features.add("triangular")
                hi = self.arith("minsi", hi, self.arith("addi", current, by))
            coordinate = ("add", 1)
        counter = self.name("l")
        self.emit(f"scf.for {counter} = {lo} to {hi} step {by} " + (": i32 {" if kind == "i32" else "{"))
        node = For(counter, lo, hi, by)
        self.steps.append(node)
        closing.append(self.steps)
        self.steps = node.body
        self.indent += 1
        if kind == "i32":
            self.features.add("i32-loop")
        value = self.cast(counter, kind, "index")
        if coordinate[0] == "is":
            return value
        if coordinate[1] != 1:
            value = self.arith("muli", value, self.index(coordinate[1]))
        return self.arith("addi", current, value)

    def _bound(self, value: int, kind: str) -> str:
        """An upper bound: a constant, or an argument of the kernel that may be less."""
        roll = self.rng.random()
        if roll < 0.72:
            if roll < 0.02:
                self.features.add("zero-trip")
                return self.index(0, kind)
            return self.index(value, kind)
        self.features.add("runtime-bound")
        type_ = self.rng.choice(("i32", "index"))
        choices = sorted({0, 1, value // 2, value - 1, value, value})
        name = f"%n{len(self.parameters)}"
        self.parameters.append((name, type_, choices))
        return self.cast(name, type_, kind)
