"""Writing a fuzzed kernel: lines of text with the steps that say what they mean, views and access tiles."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fuzz_oracle import Let, Load, Store, View
from fuzz_tables import BYTES

__all__ = ["Buffer", "Writer"]

_BAKED_STEP = 24 * 1024  # bytes between buffers at constant addresses


@dataclass(frozen=True)
class Buffer:
    key: tuple[str, int]
    dtype: str
    size: int


class Writer:
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
        self.declared: dict[str, str] = {}  # view → shape in its type
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
            name = f"%{'c' if kind == 'index' else 'w'}{value}".replace("-", "m")
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

    # --- views and tiles

    def _buffer(self, dtype: str, size: int) -> tuple[str, tuple[str, int]]:
        """A new buffer: SSA name of its address, key. Sometimes at a constant address."""
        nbytes = BYTES[dtype]
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
        lines = []
        shown, extents, declared = [str(n) for n in sizes], list(sizes), [str(n) for n in sizes]
        symbols = []
        if sizes and self.rng.random() < 0.06:
            k = self.rng.randrange(len(sizes))
            self.features.add("dynamic-size")
            argument = f"%n{len(self.parameters)}"
            self.parameters.append(
                (argument, "index", sorted({0, 1, sizes[k] // 2, sizes[k] - 1, sizes[k]} - {0}))
            )
            shown[k], declared[k], extents[k] = argument, "?", argument
            symbols = [k]
        view = View(key, offset, tuple(extents), strides, dtype)
        if offset:
            self.features.add("base-offset")
            moved = self.name("i")
            lines.append(f"{moved} = arith.addi {address}, {self.index(offset)} : index")
            address = moved
        name = self.name("v")
        names = [f"d{k}" for k in range(len(sizes))]
        tops = [
            f"s0 - {d} - 1" if k in symbols else f"{n - 1} - {d}"
            for k, (d, n) in enumerate(zip(names, sizes, strict=True))
        ]
        bounds = ", ".join(f"{d} >= 0, {top} >= 0" for d, top in zip(names, tops, strict=True))
        formal = f"({', '.join(names)})" + ("[s0]" if symbols else "")
        self.declared[name] = "x".join((*declared, dtype))
        lines.append(
            f"{name} = ktdp.construct_memory_view {address}, sizes: [{', '.join(shown)}], "
            f"strides: {list(strides)} {{coordinate_set = affine_set<{formal} : ({bounds})>, "
            f"memory_space = #ktdp.memory_space<global>}} : memref<{self.declared[name]}>"
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
            size = view[1].sizes[k]
            if base == "%c0" and not 0 <= shift < (1 if isinstance(size, str) else size):
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
        memref = self.declared[view[0]]
        self.emit(
            f"{name} = ktdp.construct_access_tile {view[0]}[{', '.join(subscripts)}] "
            f"{{access_tile_order = {order}, "
            f"access_tile_set = affine_set<({', '.join(dims)}) : ({bounds})>}} "
            f": memref<{memref}> -> !ktdp.access_tile<{_x(shape)}index>"
        )
        return name, names

    def load(self, view: tuple[str, View], at: list[tuple[str, int]], shape: tuple[int, ...]) -> str:
        tile, names = self.tile(view, at, shape)
        dtype = view[1].dtype
        name = self.name("x")
        self.emit(
            f"{name} = ktdp.load {tile} : !ktdp.access_tile<{_x(shape)}index> -> tensor<{_x(shape)}{dtype}>"
        )
        self.steps.append(Load(name, view[1], tuple(names), shape))
        return name

    def store(
        self, value: str, view: tuple[str, View], at: list[tuple[str, int]], shape: tuple[int, ...]
    ) -> None:
        tile, names = self.tile(view, at, shape)
        self.emit(
            f"ktdp.store {value}, {tile} : tensor<{_x(shape)}{view[1].dtype}>, "
            f"!ktdp.access_tile<{_x(shape)}index>"
        )
        self.steps.append(Store(value, view[1], tuple(names), shape))


def _x(shape: Sequence[int]) -> str:
    return "".join(f"{n}x" for n in shape)
