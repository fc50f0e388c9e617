"""Random legal elementwise KTIR kernels with what they compute. Imports nothing from tilesat.

    kernel = generate(seed)      # .text, .arguments(seed), .expected(arguments), .features
    kernel.text                  # one func.func in custom syntax

The generator writes the text and, next to it, the steps of `fuzz_oracle`: what each line means in NumPy. A
kernel whose tiles would meet in memory is thrown away (the oracle sees it) and another one is drawn.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import fuzz_ops
import numpy as np
from fuzz_frame import Dim, Frame
from fuzz_oracle import COMPUTE, Let, Race, View, execute, round_bf16
from fuzz_text import Buffer
from kernels import ulp
from numpy.typing import NDArray

__all__ = ["FuzzedKernel", "generate"]

Array = NDArray[Any]
_MOST_ELEMENTS = 60_000


@dataclass
class FuzzedKernel:
    """`exact`: every operation is exactly rounded, so results equal NumPy's bit for bit."""

    seed: int
    text: str
    grid: tuple[int, ...]
    steps: list[Any]
    buffers: list[Buffer]
    parameters: list[tuple[str, str, Any]]  # name, type, choices of a scalar or None
    exact: bool
    features: tuple[str, ...]

    def arguments(self, seed: int) -> tuple[list[Any], dict[int, Array]]:
        """Launch arguments in call order, and the buffers at constant addresses."""
        rng = np.random.default_rng((self.seed, seed))
        wild = rng.random() < 0.25
        made = {b.key: _contents(rng, b, wild and not _tame(self.features)) for b in self.buffers}
        values = []
        for i, (_, _, choices) in enumerate(self.parameters):
            values.append(made[("arg", i)] if choices is None else choices[int(rng.integers(len(choices)))])
        return values, {n: a for (kind, n), a in made.items() if kind == "mem"}

    def run(
        self, values: Sequence[Any], memory: Mapping[int, Array], nudge: float = 0.0
    ) -> dict[tuple[str, int], Array]:
        """Contents of every buffer afterwards. Raises Race for arguments that make tiles meet."""
        buffers = {("mem", n): a for n, a in memory.items()}
        scalars = {}
        for i, (name, kind, choices) in enumerate(self.parameters):
            if choices is None:
                buffers[("arg", i)] = values[i]
            else:
                scalars[name] = COMPUTE[kind](values[i])
        return execute(self.steps, self.grid, buffers, scalars, nudge)

    def expected(
        self, values: Sequence[Any], memory: Mapping[int, Array]
    ) -> dict[tuple[str, int], tuple[Array, Array]]:
        """By buffer: its contents, and how many units in the last place each element may be off."""
        want = self.run(values, memory)
        if self.exact:
            return {k: (a, np.zeros(a.shape, np.int64)) for k, a in want.items()}
        others = [self.run(values, memory, nudge) for nudge in (-1.0, 1.0, -2.0, 2.0)]
        allowed = {}
        for key, a in want.items():
            spread = np.maximum.reduce([_distance(o[key], a) for o in others])
            allowed[key] = (a, np.where(spread > 0, 2 * spread + 1, 0))
        return allowed


def _same(value: Any) -> Any:
    return value


def _distance(a: Array, b: Array) -> Array:
    d = ulp(a, b)
    if a.dtype.kind == "f":
        d = np.where(np.isnan(a) ^ np.isnan(b), 1 << 40, d)
    return d


def _tame(features: Sequence[str]) -> bool:
    return "fptosi" in features


def _contents(rng: np.random.Generator, b: Buffer, wild: bool) -> Array:
    if b.dtype == "i32":
        return rng.integers(-(1 << 31) if wild else -99, 1 << 31 if wild else 100, b.size).astype(np.int32)
    if wild and b.dtype != "f32":
        bits = rng.integers(0, 1 << 16, b.size).astype(np.uint16)
        if b.dtype == "f16":
            return bits.view(np.float16)
        return round_bf16((bits.astype(np.uint32) << 16).view(np.float32))
    x = rng.standard_normal(b.size).astype(np.float32)
    if wild:
        x[rng.random(b.size) < 0.1] = np.inf
        x[rng.random(b.size) < 0.1] = np.nan
        x[rng.random(b.size) < 0.1] = -0.0
        x[rng.random(b.size) < 0.1] = 1e-40
    return round_bf16(x) if b.dtype == "bf16" else x.astype(COMPUTE[b.dtype])


def generate(seed: int, most_tiles: int = 32) -> FuzzedKernel:
    """The kernel of a seed: always the same."""
    for attempt in itertools.count():
        kernel = _Generator(random.Random(f"{seed}/{attempt}"), seed, most_tiles).kernel()
        if sum(b.size for b in kernel.buffers) > _MOST_ELEMENTS:
            continue
        try:
            for launch in range(3):
                kernel.run(*kernel.arguments(launch))
        except Race:
            continue
        return kernel
    raise AssertionError


class _Generator(Frame):
    def kernel(self) -> FuzzedKernel:
        rng = self.rng
        rank = rng.choice((1, 2, 2, 2, 3))
        self.dims = self._dims(rank)
        grid = self._grid()
        for nest in range(rng.choice((1, 1, 1, 2))):
            self._nest(nest)
        constants = [Let(n, partial(_same, v), ()) for (_, v), n in self.constants.items()]
        arguments = ", ".join(f"{n}: {t if c is not None else 'index'}" for n, t, c in self.parameters)
        shown = ", ".join(map(str, grid))
        text = "\n".join(
            [
                f"// seed {self.seed}: {', '.join(sorted(self.features))}",
                "module {",
                f"  func.func @fuzz{self.seed}({arguments}) attributes {{grid = [{shown}]}} {{",
                *self.head,
                *self.lines,
                "    return",
                "  }",
                "}",
                "",
            ]
        )
        return FuzzedKernel(
            self.seed,
            text,
            grid,
            [*constants, *self.steps],
            self.buffers,
            self.parameters,
            self.exact,
            tuple(sorted(self.features)),
        )

    # --- what happens to one tile

    def body(self) -> None:
        rng = self.rng
        shape = tuple(d.tile for d in self.dims)
        dtype = rng.choice(("f16", "f16", "f16", "f32", "bf16", "i32"))
        sources: list[tuple[tuple[str, View], list[tuple[str, int]]]] = []
        pool = fuzz_ops.Pool(self, shape)
        for name, kind, kept in self.hoisted:
            pool.spread(name, kind, kept)
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            self._operand(pool, dtype if rng.random() < 0.85 else rng.choice(("f16", "f32", "i32")), sources)
        fuzz_ops.grow(pool, rng.choice((0, 1, 1, 2, 3, 5)))
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            self._result(pool, sources)

    def _operand(self, pool: fuzz_ops.Pool, dtype: str, sources: list[Any]) -> None:
        rng, dims, shape = self.rng, self.dims, pool.shape
        roll = rng.random()
        old = [s for s in self.read_back if s[0][1].dtype in ("f16", "f32", "bf16", "i32")]
        if old and roll < 0.5:  # what an earlier nest stored
            view, at = rng.choice(old)
            pool.add(self.load(view, at, shape), view[1].dtype)
            self.features.add("read-back")
            return
        if sources and roll < 0.25:  # one buffer again, elsewhere
            view, at = rng.choice(sources)
            moved = [(b, s + self._shift(dims[k])) for k, (b, s) in enumerate(at)]
            pool.add(self.load(view, moved, shape), view[1].dtype)
            self.features.add("shifted-load")
            return
        if roll < 0.6 or (len(shape) == 1 and roll < 0.8):
            shifts = [self._shift(d) if rng.random() < 0.15 else 0 for d in dims]
            sizes = tuple(
                max(1, d.size + (max(s, 0) if rng.random() < 0.5 else 0))
                for d, s in zip(dims, shifts, strict=True)
            )
            view = self.view(dtype, sizes)
            at = [(b, s) for b, s in zip(self.at, shifts, strict=True)]
            if any(shifts):
                self.features.add("shifted-load")
            pool.add(self.load(view, at, shape), dtype)
            sources.append((view, at))
            return
        self._broadcast(pool, dtype)

    def _broadcast(self, pool: fuzz_ops.Pool, dtype: str) -> None:
        """An operand with fewer, turned or unit dimensions, brought to the tile's shape."""
        rng, dims, shape = self.rng, self.dims, pool.shape
        rank = len(shape)
        kept = sorted(rng.sample(range(rank), rng.randint(0, rank)))
        if len(kept) == rank:
            rng.shuffle(kept)
            self.features.add("turned")
            view = self.view(dtype, tuple(dims[k].size for k in kept))
            x = self.load(view, [(self.at[k], 0) for k in kept], tuple(shape[k] for k in kept))
            pool.turn(x, dtype, kept)
            return
        if not kept and rng.random() < 0.4:
            self.features.add("rank-0")
            pool.spread(self.load(self.view(dtype, ()), [], ()), dtype, [])
            return
        units = rng.random() < 0.4 or not kept
        if units:  # [N, 1]
            self.features.add("unit-dims" if kept else "scalar-tile")
            sizes = tuple(dims[k].size if k in kept else 1 for k in range(rank))
            at = [(self.at[k], 0) if k in kept else (self.index(0), 0) for k in range(rank)]
            x = self.load(
                self.view(dtype, sizes), at, tuple(shape[k] if k in kept else 1 for k in range(rank))
            )
            pool.spread_units(x, dtype, kept)
            return
        self.features.add("row-or-column")
        if rng.random() < 0.3:
            rng.shuffle(kept)
        view = self.view(dtype, tuple(dims[k].size for k in kept))
        x = self.load(view, [(self.at[k], 0) for k in kept], tuple(shape[k] for k in kept))
        pool.spread(x, dtype, kept)

    def _shift(self, dim: Dim) -> int:
        rng = self.rng
        back = (
            rng.random() < 0.2 and "scf.if" not in self.features
        )  # what a guard skips may be all that is inside
        return rng.choice((0, 1, 1, 2, 3, dim.tile, 64)) * (-1 if back else 1)

    def _result(self, pool: fuzz_ops.Pool, sources: list[Any]) -> None:
        rng, dims, shape = self.rng, self.dims, pool.shape
        value, dtype = pool.pick_stored()
        fitting = [s for s in [*sources, *self.read_back] if s[0][1].dtype == dtype]
        if fitting and rng.random() < 0.25:  # in place, or shifted onto what was read
            view, at = rng.choice(fitting)
            if rng.random() < 0.4:
                at = [(b, s + self._shift(dims[k])) for k, (b, s) in enumerate(at)]
                self.features.add("shifted-store")
            self.features.add("in-place")
            self.store(value, view, at, shape)
            return
        if len(shape) > 1 and rng.random() < 0.15:
            turn = list(range(len(shape)))
            rng.shuffle(turn)
            view = self.view(dtype, tuple(dims[k].size for k in turn))
            self.features.add("turned-store")
            self.store(
                pool.transposed(value, dtype, turn),
                view,
                [(self.at[k], 0) for k in turn],
                tuple(shape[k] for k in turn),
            )
            return
        view = self.view(dtype, tuple(d.size for d in dims))
        at = [(b, 0) for b in self.at]
        self.store(value, view, at, shape)
        # A later nest may run under other loop counters: only what the grid alone places can be read back.
        if not any(d.loops for d in dims) and not self.late_views:
            self.read_back.append((view, at))


if __name__ == "__main__":
    import sys

    for word in sys.argv[1:]:
        print(generate(int(word)).text)
