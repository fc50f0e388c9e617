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
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import fuzz_ops
import numpy as np
from fuzz_oracle import COMPUTE, For, Let, Load, Race, Store, View, execute, round_bf16
from kernels import ulp
from numpy.typing import NDArray

__all__ = ["FuzzedKernel", "generate"]

Array = NDArray[Any]
_MOST_ELEMENTS = 60_000
_BAKED_STEP = 24 * 1024  # bytes between buffers at constant addresses


@dataclass(frozen=True)
class Buffer:
    key: tuple[str, int]
    dtype: str
    size: int


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
        others = [self.run(values, memory, nudge) for nudge in (-1.0, 1.0)]
        allowed = {}
        for key, a in want.items():
            spread = np.maximum(*(_distance(o[key], a) for o in others))
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


@dataclass
class _Dim:
    """One dimension of the iteration domain: tiles of `tile` elements over `size`."""

    size: int
    tile: int
    lo: str = ""  # SSA name of the coordinate of the current tile
    split: bool = False  # over the grid
    depth: int = 0  # loops around it
    loops: list[Any] = field(default_factory=list)


class _Generator:
    def __init__(self, rng: random.Random, seed: int, most_tiles: int) -> None:
        self.rng, self.seed, self.most_tiles = rng, seed, most_tiles
        self.head: list[str] = []
        self.lines: list[str] = []
        self.steps: list[Any] = []
        self.indent = 2
        self.count = 0
        self.parameters: list[tuple[str, str, Any]] = []
        self.buffers: list[Buffer] = []
        self.constants: dict[tuple[str, Any], str] = {}
        self.features: set[str] = set()
        self.exact = True
        self.baked = rng.random() < 0.15
        self.next_byte = 4096
        self.late_views = rng.random() < 0.3
        self.read_back: list[Any] = []  # views and coordinates that a later nest may read

    # --- writing

    def emit(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def name(self, stem: str) -> str:
        self.count += 1
        return f"%{stem}{self.count}"

    def let(self, stem: str, text: str, compute: Any, *operands: str) -> str:
        """A line `%new = TEXT` and its step; `{0}`, `{1}`… of the text are the operands."""
        name = self.name(stem)
        self.emit(f"{name} = " + text)
        self.steps.append(Let(name, compute, operands))
        return name

    def index(self, value: int, kind: str = "index") -> str:
        """A constant, defined once at the top of the function."""
        if (kind, value) not in self.constants:
            name = f"%{'c' if kind == 'index' else 'k'}{value}".replace("-", "m")
            self.constants[kind, value] = name
            self.head.append(f"    {name} = arith.constant {value} : {kind}")
        return self.constants[kind, value]

    def arith(self, op: str, a: str, b: str, kind: str = "index") -> str:
        compute = {
            "addi": lambda x, y: x + y,
            "subi": lambda x, y: x - y,
            "muli": lambda x, y: x * y,
            "divui": lambda x, y: x // y,
            "divsi": lambda x, y: x // y,
            "remui": lambda x, y: x % y,
            "remsi": lambda x, y: x % y,
            "minsi": min,
            "maxsi": max,
            "ceildivsi": lambda x, y: -(-x // y),
        }[op]
        return self.let("i", f"arith.{op} {a}, {b} : {kind}", lambda x, y: compute(int(x), int(y)), a, b)

    def cast(self, a: str, source: str, target: str) -> str:
        if source == target:
            return a
        return self.let("i", f"arith.index_cast {a} : {source} to {target}", int, a)

    # --- the kernel

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

    def _dims(self, rank: int) -> list[_Dim]:
        rng = self.rng
        dims = []
        for k in range(rank):
            last = k == rank - 1
            extents = (
                (1, 3, 7, 8, 16, 31, 32, 33, 64, 64, 65, 100, 128, 130, 200)
                if last
                else (1, 1, 2, 3, 4, 5, 8)
            )
            dims.append(_Dim(0, rng.choice(extents)))
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

    def _partition(self, dim: _Dim, ways: int, coordinate: str | None) -> None:
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
        at = [d.lo for d in self.dims]
        closing: list[tuple[list[str], list[Any]]] = []
        hoisted: dict[tuple[Any, ...], str] = {}
        for k, loop in order:
            at[k] = self._open(loop, at[k], closing)
        self.at = at
        self.hoisted = hoisted
        self._body(number)
        for steps in reversed(closing):
            self.indent -= 1
            self.emit("}")
            self.steps = steps  # type: ignore[assignment]

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

    # --- views and tiles

    def _buffer(self, dtype: str, size: int) -> tuple[str, tuple[str, int]]:
        """A new buffer: SSA name of its address, key. Sometimes at a constant address."""
        nbytes = fuzz_ops.BYTES[dtype]
        if self.baked:
            self.features.add("baked")
            address = self.next_byte // nbytes
            while any(
                k == "mem" and n < address + size and address < n + b.size
                for b in self.buffers
                for k, n in [b.key]
            ):
                self.next_byte += _BAKED_STEP // 3 // 128 * 128
                address = self.next_byte // nbytes
            self.next_byte += -(-size * nbytes // 128) * 128
            self.buffers.append(Buffer(("mem", address), dtype, size))
            return self.index(address), ("mem", address)
        name = f"%p{len(self.parameters)}"
        key = ("arg", len(self.parameters))
        self.parameters.append((name, dtype, None))
        self.buffers.append(Buffer(key, dtype, size))
        return name, key

    def view(self, dtype: str, sizes: tuple[int, ...], odd: float = 0.5) -> tuple[str, View]:
        """A view of a new buffer, with strides that may be padded, permuted or wide."""
        rng = self.rng
        strides, pace = [0] * len(sizes), 1
        order = list(reversed(range(len(sizes))))
        if rng.random() < odd / 3 and len(sizes) > 1:
            rng.shuffle(order)
            self.features.add("permuted-strides")
        if rng.random() < odd / 5:
            pace = rng.choice((2, 3))
            self.features.add("wide-stride")
        padded = rng.random() < odd / 3
        for k in order:
            strides[k] = pace
            pace *= sizes[k]
            if padded:
                pace += rng.choice((0, 1, 5, 64))
        offset = rng.choice((1, 3, 17, 64, 128)) if rng.random() < odd / 3 else 0
        size = offset + 1 + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True))
        address, key = self._buffer(dtype, size + rng.choice((0, 0, 3)))
        if padded:
            self.features.add("padded-strides")
        return self._view_of(address, key, dtype, sizes, tuple(strides), offset)

    def _view_of(
        self,
        address: str,
        key: tuple[str, int],
        dtype: str,
        sizes: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int,
    ) -> tuple[str, View]:
        view = View(key, offset, sizes, strides, dtype)
        lines = []
        if offset:
            self.features.add("base-offset")
            moved = self.name("i")
            lines.append(f"{moved} = arith.addi {address}, {self.index(offset)} : index")
            address = moved
        name = self.name("v")
        names = [f"d{k}" for k in range(len(sizes))]
        bounds = ", ".join(f"{d} >= 0, {n - 1} - {d} >= 0" for d, n in zip(names, sizes, strict=True))
        shape = "x".join(map(str, (*sizes, dtype)))
        lines.append(
            f"{name} = ktdp.construct_memory_view {address}, sizes: {list(sizes)}, strides: {list(strides)} "
            f"{{coordinate_set = affine_set<({', '.join(names)}) : ({bounds})>, "
            f"memory_space = #ktdp.memory_space<global>}} : memref<{shape}>"
        )
        for line in lines:
            if self.late_views:
                self.emit(line)
            else:
                self.head.append("    " + line)
        return name, view

    def tile(
        self, view: tuple[str, View], at: list[tuple[str, int]], shape: tuple[int, ...]
    ) -> tuple[str, list[str]]:
        """An access tile at coordinates `(SSA name, shift)`; returns its name and the coordinates' names."""
        rng = self.rng
        inline = rng.random() < 0.4
        subscripts, names = [], []
        for k, (base, shift) in enumerate(at):
            if base == "%c0" and not 0 <= shift < view[1].sizes[k]:
                shift = 0  # what starts outside its view at every launch is refused (KTDP046)
            if shift == 0:
                subscripts.append(base)
                names.append(base)
            elif inline:
                subscripts.append(f"{base} + {shift}" if shift > 0 else f"{base} - {-shift}")
                name = self.name("s")
                self.steps.append(Let(name, (lambda s: lambda x: int(x) + s)(shift), (base,)))
                names.append(name)
            else:
                name = self.arith("addi", base, self.index(shift))
                subscripts.append(name)
                names.append(name)
        dims = [f"d{k}" for k in range(len(shape))]
        bounds = ", ".join(f"{d} >= 0, {n - 1} - {d} >= 0" for d, n in zip(dims, shape, strict=True))
        order = f"affine_map<({', '.join(dims)}) -> ({', '.join(dims)})>"
        name = self.name("t")
        memref = "x".join(map(str, (*view[1].sizes, view[1].dtype)))
        self.emit(
            f"{name} = ktdp.construct_access_tile {view[0]}[{', '.join(subscripts)}] "
            f"{{access_tile_order = {order}, "
            f"access_tile_set = affine_set<({', '.join(dims)}) : ({bounds})>}} "
            f": memref<{memref}> -> !ktdp.access_tile<{_x(shape)}xindex>"
        )
        return name, names

    def load(self, view: tuple[str, View], at: list[tuple[str, int]], shape: tuple[int, ...]) -> str:
        tile, names = self.tile(view, at, shape)
        dtype = view[1].dtype
        name = self.name("x")
        self.emit(
            f"{name} = ktdp.load {tile} : !ktdp.access_tile<{_x(shape)}xindex> -> tensor<{_x(shape)}x{dtype}>"
        )
        self.steps.append(Load(name, view[1], tuple(names), shape))
        return name

    def store(
        self, value: str, view: tuple[str, View], at: list[tuple[str, int]], shape: tuple[int, ...]
    ) -> None:
        tile, names = self.tile(view, at, shape)
        self.emit(
            f"ktdp.store {value}, {tile} : tensor<{_x(shape)}x{view[1].dtype}>, "
            f"!ktdp.access_tile<{_x(shape)}xindex>"
        )
        self.steps.append(Store(value, view[1], tuple(names), shape))

    # --- what happens to one tile

    def _body(self, number: int) -> None:
        rng = self.rng
        shape = tuple(d.tile for d in self.dims)
        dtype = rng.choice(("f16", "f16", "f16", "f32", "bf16", "i32"))
        sources: list[tuple[tuple[str, View], list[tuple[str, int]]]] = []
        pool = fuzz_ops.Pool(self, shape)
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

    def _shift(self, dim: _Dim) -> int:
        rng = self.rng
        return rng.choice((0, 1, 1, 2, 3, dim.tile, 64)) * (-1 if rng.random() < 0.2 else 1)

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
        if not any(d.loops for d in dims):
            self.read_back.append((view, at))


def _x(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))


if __name__ == "__main__":
    import sys

    for word in sys.argv[1:]:
        print(generate(int(word)).text)
