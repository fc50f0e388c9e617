"""The tile arithmetic of fuzzed kernels: text of operations on whole tiles and in linalg.generic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from fuzz_body import Body
from fuzz_oracle import COMPUTE, Let, rounded
from fuzz_tables import (
    BINARY,
    BY_CONSTANT,
    BYTES,
    CONSTANTS,
    FLOAT_ORDER,
    FLOATS,
    INEXACT,
    INT_ORDER,
    INTEGER,
    NAMED,
    UNARY,
    Array,
    Compute,
    semantics,
)

__all__ = ["Pool", "grow"]


class Pool:
    """The tile values made so far; all have the shape of the tile."""

    def __init__(self, out: Any, shape: tuple[int, ...]) -> None:
        self.out, self.rng, self.shape = out, out.rng, shape
        self.values: list[tuple[str, str]] = []
        self.fresh: set[str] = set()  # as loaded: finite when the inputs are
        self.scalars: list[tuple[str, str]] = []

    def type(self, dtype: str, shape: Sequence[int] | None = None) -> str:
        return f"tensor<{'x'.join(map(str, (*(self.shape if shape is None else shape), dtype)))}>"

    def add(self, name: str, dtype: str) -> str:
        self.values.append((name, dtype))
        self.fresh.add(name)
        return name

    def made(self, text: str, dtype: str, compute: Compute, *operands: str) -> str:
        name = str(self.out.let("y", text, compute, *operands))
        self.values.append((name, dtype))
        return name

    def pick(self, *dtypes: str) -> tuple[str, str] | None:
        """A value of one of these types; late ones more often."""
        found = [v for v in self.values if v[1] in dtypes]
        if not found:
            return None
        return found[-1] if self.rng.random() < 0.5 else self.rng.choice(found)

    def like(self, value: tuple[str, str]) -> tuple[str, str]:
        """Another value of the same type; a constant when there is none, or sometimes anyway."""
        others = [v for v in self.values if v[1] == value[1] and v != value]
        if others and self.rng.random() < 0.75:
            return self.rng.choice(others)  # type: ignore[no-any-return]
        return value if self.rng.random() < 0.3 else (self.constant(value[1]), value[1])

    def pick_stored(self) -> tuple[str, str]:
        stored = [v for v in self.values if v[1] in BYTES]
        found = stored[-1] if stored and self.rng.random() < 0.7 else self.pick(*BYTES)
        return found if found is not None else (self.constant("f16"), "f16")

    def empty(self, dtype: str, shape: Sequence[int] | None = None) -> str:
        name = str(self.out.name("e"))
        self.out.emit(f"{name} = tensor.empty() : {self.type(dtype, shape)}")
        return name

    # --- constants and scalars

    def scalar(self, dtype: str) -> str:
        """A scalar: a constant of the kernel or one of its arguments."""
        rng, out = self.rng, self.out
        if rng.random() < 0.5:
            out.features.add("scalar-argument")
            name = f"%a{len(out.parameters)}"
            choices = (3, -7, 1 << 20) if dtype == "i32" else (0.5, -2.0, 3.25)
            out.parameters.append((name, dtype, choices))
            return name
        value, text = self._literal(dtype)
        return str(out.let("f", f"arith.constant {text} : {dtype}", lambda: value))

    def _literal(self, dtype: str) -> tuple[Any, str]:
        if dtype == "i1":
            value = bool(self.rng.random() < 0.5)
            return value, str(value).lower()
        if dtype == "i32":
            number = self.rng.choice((0, 1, -1, 7, 123456, -99))
            return np.int32(number), str(number)
        real = self.rng.choice(CONSTANTS)
        return rounded(np.float64(real), dtype)[()], repr(real)

    def constant(self, dtype: str) -> str:
        """A tile of one value, or of several."""
        rng, out, shape = self.rng, self.out, self.shape
        roll = rng.random()
        if roll < 0.6 or dtype == "i1":
            value, text = self._literal(dtype)
            full = np.full(shape, value, COMPUTE[dtype])
            return str(out.let("k", f"arith.constant dense<{text}> : {self.type(dtype)}", lambda: full))
        if roll < 0.65 and int(np.prod(shape)) <= 16:
            out.features.add("dense-list")
            drawn = [self._literal(dtype) for _ in range(int(np.prod(shape)))]
            listed = np.array([v for v, _ in drawn], COMPUTE[dtype]).reshape(shape)
            words = iter([t for _, t in drawn])
            text = _nested(shape, words)
            return str(out.let("k", f"arith.constant dense<{text}> : {self.type(dtype)}", lambda: listed))
        scalar = self.scalar(dtype)
        if roll < 0.85:
            out.features.add("splat")
            text = f"tensor.splat {scalar} : {self.type(dtype)}"
        else:
            out.features.add("fill")
            empty = self.empty(dtype)
            tensor = self.type(dtype)
            text = f"linalg.fill ins({scalar} : {dtype}) outs({empty} : {tensor}) -> {tensor}"
        return str(out.let("k", text, lambda s: np.full(shape, s, COMPUTE[dtype]), scalar))

    # --- shapes

    def transposed(self, x: str, dtype: str, turn: Sequence[int]) -> str:
        """Dimension j of the result is dimension turn[j] of `x`, which has the tile's shape."""
        shape = [self.shape[k] for k in turn]
        empty = self.empty(dtype, shape)
        text = (
            f"linalg.transpose ins({x} : {self.type(dtype)}) outs({empty} : {self.type(dtype, shape)}) "
            f"permutation = {list(turn)}"
        )
        return str(self.out.let("y", text, lambda a: np.transpose(a, turn), x))

    def turn(self, x: str, dtype: str, kept: Sequence[int]) -> None:
        """Dimension j of `x` is dimension kept[j] of the tile."""
        if self.rng.random() < 0.5:
            self.generic([(x, dtype, list(kept))])
            return
        back = [list(kept).index(k) for k in range(len(self.shape))]
        source = [self.shape[k] for k in kept]
        empty = self.empty(dtype)
        text = (
            f"linalg.transpose ins({x} : {self.type(dtype, source)}) outs({empty} : {self.type(dtype)}) "
            f"permutation = {back}"
        )
        self.made(text, dtype, lambda a: np.transpose(a, back), x)

    def spread_units(self, x: str, dtype: str, kept: Sequence[int]) -> None:
        self.generic([(x, dtype, [k if k in kept else None for k in range(len(self.shape))])])

    def spread(self, x: str, dtype: str, kept: Sequence[int]) -> None:
        if list(kept) != sorted(kept) or self.rng.random() < 0.5:
            self.generic([(x, dtype, list(kept))])
            return
        missing = [k for k in range(len(self.shape)) if k not in kept]
        empty = self.empty(dtype)
        source = self.type(dtype, [self.shape[k] for k in kept])
        text = (
            f"linalg.broadcast ins({x} : {source}) outs({empty} : {self.type(dtype)}) dimensions = {missing}"
        )
        full = self.shape
        self.made(text, dtype, lambda a: np.broadcast_to(np.expand_dims(a, missing), full), x)

    # --- linalg.generic

    def generic(self, ins: list[tuple[str, str, list[int | None]]]) -> None:
        """A generic over tiles read through `maps` (None: index 0), with one or two operations in it."""
        rng, out, rank = self.rng, self.out, len(self.shape)
        out.features.add("generic")
        if rng.random() < 0.6:
            other = [v for v in self.values if v[1] == ins[0][1]]
            if other:
                ins = [*ins, (*rng.choice(other), list(range(rank)))]
                if rng.random() < 0.3:
                    ins.reverse()
        dtype = ins[0][1]
        captured = self.scalar(dtype) if rng.random() < 0.2 else None
        body, result = Body(self, [f"%b{j}" for j in range(len(ins))], dtype, captured).draw()
        dims = [f"d{k}" for k in range(rank)]
        maps = [
            f"affine_map<({', '.join(dims)}) -> ({', '.join('0' if k is None else dims[k] for k in m)})>"
            for m in [*(m for _, _, m in ins), list(range(rank))]
        ]
        types = [self.type(t, [1 if k is None else self.shape[k] for k in m]) for _, t, m in ins]
        empty = self.empty(dtype)
        arguments = [f"%b{j}: {dtype}" for j in range(len(ins))] + [f"%o: {dtype}"]
        iterators = ", ".join(['"parallel"'] * rank)
        name = out.name("y")
        out.emit(
            f"{name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{iterators}]}} "
            f"ins({', '.join(n for n, _, _ in ins)} : {', '.join(types)}) "
            f"outs({empty} : {self.type(dtype)}) {{"
        )
        out.emit(f"^bb0({', '.join(arguments)}):")
        for line in body.lines:
            out.emit("  " + line)
        out.emit(f"  linalg.yield {result} : {dtype}")
        out.emit(f"}} -> {self.type(dtype)}")
        shape = self.shape

        def compute(*given: Any) -> Array:
            env = {f"%b{j}": _spread_to(given[j], ins[j][2], shape) for j in range(len(ins))}
            if captured is not None:
                env[captured] = given[-2]
            return np.broadcast_to(body.run(env, result, given[-1]), shape)

        operands = [n for n, _, _ in ins] + ([captured] if captured else []) + ["%nudge"]
        out.steps.append(Let(name, compute, tuple(operands)))
        self.values.append((name, dtype))


def _spread_to(x: Any, kept: Sequence[int | None], shape: Sequence[int]) -> Array:
    """`x` as seen through a map: its dimension j runs along the tile's dimension kept[j]."""
    real = [(j, k) for j, k in enumerate(kept) if k is not None]
    x = np.asarray(x)[tuple(0 if k is None else slice(None) for k in kept)]
    order = sorted(range(len(real)), key=lambda j: real[j][1])
    x = np.transpose(x, order)
    there = {k for _, k in real}
    return np.broadcast_to(np.expand_dims(x, [k for k in range(len(shape)) if k not in there]), shape)


def _nested(shape: Sequence[int], words: Any) -> str:
    if not shape:
        return str(next(words))
    return "[" + ", ".join(_nested(shape[1:], words) for _ in range(shape[0])) + "]"


# --- growing


def grow(pool: Pool, count: int) -> None:
    """Add `count` operations on what is there."""
    rng = pool.rng
    kinds = [_whole, _whole, _whole, _unary, _unary, _named, _generic, _cast, _choose, _integers, _spliced]
    for _ in range(count):
        for _ in range(10):
            if rng.choice(kinds)(pool):
                break


def _apply(pool: Pool, op: str, text: str, dtype: str, *operands: str) -> bool:
    compute, nudged = semantics(op, dtype)
    pool.out.exact &= not nudged
    pool.out.features.add(op)
    pool.made(text, dtype, compute, *operands, *(("%nudge",) if nudged else ()))
    return True


def _whole(pool: Pool) -> bool:
    a = pool.pick("f16", "f32", "bf16", "i32")
    if a is None:
        return False
    op = pool.rng.choice(list(INTEGER if a[1] == "i32" else BINARY))
    b = pool.like(a)
    x, y = (a, b) if pool.rng.random() < 0.5 else (b, a)
    return _apply(pool, op, f"{op} {x[0]}, {y[0]} : {pool.type(a[1])}", a[1], x[0], y[0])


def _unary(pool: Pool) -> bool:
    a = pool.pick(*FLOATS)
    if a is None:
        return False
    op = pool.rng.choice([*UNARY, *INEXACT])
    return _apply(pool, op, f"{op} {a[0]} : {pool.type(a[1])}", a[1], a[0])


def _named(pool: Pool) -> bool:
    a = pool.pick(*FLOATS, "i32")
    if a is None:
        return False
    fitting = [(n, c, i if a[1] == "i32" else f) for n, (c, f, i) in NAMED.items()]
    name, count, op = pool.rng.choice([f for f in fitting if f[2] is not None])
    operands = [a[0]] if count == 1 else [a[0], pool.like(a)[0]]
    t, empty = pool.type(a[1]), pool.empty(a[1])
    text = f"linalg.{name} ins({', '.join(operands)} : {', '.join([t] * count)}) outs({empty} : {t}) -> {t}"
    pool.out.features.add(f"linalg.{name}")
    return _apply(pool, str(op), text, a[1], *operands)


def _generic(pool: Pool) -> bool:
    a = pool.pick(*FLOATS, "i32")
    if a is None:
        return False
    pool.generic([(*a, list(range(len(pool.shape))))])
    return True


def _cast(pool: Pool) -> bool:
    a = pool.pick(*FLOATS, "i32")
    if a is None:
        return False
    name, dtype = a
    targets = {"f16": ("f32",), "bf16": ("f32",), "f32": ("f16", "bf16", "i32"), "i32": FLOATS}[dtype]
    to = pool.rng.choice(targets)
    if dtype == "i32":
        op, compute = "arith.sitofp", lambda x: rounded(np.asarray(x, np.float64), to)
    elif to == "i32":
        if name not in pool.fresh:
            return False
        pool.out.features.add("fptosi")
        op, compute = "arith.fptosi", lambda x: np.trunc(x).astype(np.int32)
    else:
        op, compute = ("arith.extf" if to == "f32" else "arith.truncf"), lambda x: rounded(x, to)
    pool.out.features.add("cast")
    pool.made(f"{op} {name} : {pool.type(dtype)} to {pool.type(to)}", to, compute, name)
    return True


def _choose(pool: Pool) -> bool:
    """A comparison and a selection by it."""
    rng = pool.rng
    a = pool.pick(*FLOATS, "i32")
    if a is None:
        return False
    b = pool.like(a)
    table = INT_ORDER if a[1] == "i32" else FLOAT_ORDER
    predicate = rng.choice(list(table))
    op = "arith.cmpi" if a[1] == "i32" else "arith.cmpf"
    pool.out.features.add("select")
    condition = pool.made(
        f"{op} {predicate}, {a[0]}, {b[0]} : {pool.type(a[1])}", "i1", table[predicate], a[0], b[0]
    )
    earlier = [v for v, t in pool.values if t == "i1" and v != condition]
    if earlier and rng.random() < 0.5:
        join = rng.choice(("arith.andi", "arith.ori", "arith.xori"))
        other = rng.choice(earlier)
        condition = pool.made(
            f"{join} {condition}, {other} : {pool.type('i1')}",
            "i1",
            semantics(join, "i1")[0],
            condition,
            other,
        )
    yes = pool.pick(*FLOATS, "i32")
    assert yes is not None
    no = pool.like(yes)
    t = pool.type(yes[1])
    text = f"arith.select {condition}, {yes[0]}, {no[0]} : {pool.type('i1')}, {t}"
    pool.made(text, yes[1], np.where, condition, yes[0], no[0])
    return True


def _integers(pool: Pool) -> bool:
    a = pool.pick("i32")
    if a is None:
        return False
    op = pool.rng.choice(list(BY_CONSTANT))
    number = pool.rng.choice((1, 2, 3, 5, 7))
    full = np.full(pool.shape, number, np.int32)
    k = pool.out.let("k", f"arith.constant dense<{number}> : {pool.type('i32')}", lambda: full)
    return _apply(pool, op, f"{op} {a[0]}, {k} : {pool.type('i32')}", "i32", a[0], k)


def _spliced(pool: Pool) -> bool:
    """One more constant tile among the values."""
    a = pool.pick(*FLOATS, "i32")
    if a is None:
        return False
    pool.values.append((pool.constant(a[1]), a[1]))
    return True
