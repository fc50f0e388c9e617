"""The tile arithmetic of fuzzed kernels: text of an operation and what it computes. Nothing from tilesat.

Floats of 16 bits are computed in float32 and rounded once, which for + − × ÷ √ is exact rounding; functions
that no library rounds exactly are computed in float64 and take part in the oracle's `%nudge`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from fuzz_oracle import COMPUTE, Let, rounded
from numpy.typing import NDArray

__all__ = ["BYTES", "Pool", "grow"]

Array = NDArray[Any]
Compute = Callable[..., Any]

BYTES = {"f16": 2, "bf16": 2, "f32": 4, "i32": 4}
FLOATS = ("f16", "f32", "bf16")
_EPSILON = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-22}

_BINARY: dict[str, Compute] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.maxnumf": lambda a, b: np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.maximum(a, b))),
    "arith.minnumf": lambda a, b: np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.minimum(a, b))),
}
_UNARY: dict[str, Compute] = {
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.sqrt": np.sqrt,
    "math.trunc": np.trunc,
    "math.roundeven": np.rint,
}
_INEXACT: dict[str, Compute] = {
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log2": np.log2,
    "math.log1p": np.log1p,
    "math.tanh": np.tanh,
    "math.sin": np.sin,
    "math.cos": np.cos,
    "math.atan": np.arctan,
    "math.rsqrt": lambda x: 1 / np.sqrt(x),
}
_INTEGER: dict[str, Compute] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.maxui": lambda a, b: np.maximum(a.view(np.uint32), b.view(np.uint32)).view(np.int32),
    "arith.minui": lambda a, b: np.minimum(a.view(np.uint32), b.view(np.uint32)).view(np.int32),
}
_BY_CONSTANT: dict[str, Compute] = {  # second operand: a small positive constant
    "arith.divsi": lambda a, b: (np.sign(a) * (np.abs(a.astype(np.int64)) // b)).astype(np.int32),
    "arith.remsi": lambda a, b: (np.sign(a) * (np.abs(a.astype(np.int64)) % b)).astype(np.int32),
    "arith.floordivsi": np.floor_divide,
    "arith.ceildivsi": lambda a, b: -(-a.astype(np.int64) // b).astype(np.int32),
    "arith.divui": lambda a, b: (a.view(np.uint32) // b.view(np.uint32)).view(np.int32),
    "arith.remui": lambda a, b: (a.view(np.uint32) % b.view(np.uint32)).view(np.int32),
    "arith.shli": np.left_shift,
    "arith.shrsi": np.right_shift,
    "arith.shrui": lambda a, b: (a.view(np.uint32) >> b.view(np.uint32)).view(np.int32),
}
_FLOAT_ORDER: dict[str, Compute] = {
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "une": lambda a, b: a != b,
    "ugt": lambda a, b: ~(a <= b),
    "ult": lambda a, b: ~(a >= b),
    "uno": lambda a, b: np.isnan(a) | np.isnan(b),
}
_INT_ORDER: dict[str, Compute] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: a.view(np.uint32) < b.view(np.uint32),
    "uge": lambda a, b: a.view(np.uint32) >= b.view(np.uint32),
}
_NAMED: dict[str, tuple[int, str | None, str | None]] = {  # operands, float op, integer op
    "add": (2, "arith.addf", "arith.addi"),
    "sub": (2, "arith.subf", "arith.subi"),
    "mul": (2, "arith.mulf", "arith.muli"),
    "div": (2, "arith.divf", None),
    "max": (2, "arith.maximumf", "arith.maxsi"),
    "min": (2, "arith.minimumf", "arith.minsi"),
    "exp": (1, "math.exp", None),
    "log": (1, "math.log", None),
    "abs": (1, "math.absf", None),
    "ceil": (1, "math.ceil", None),
    "floor": (1, "math.floor", None),
    "negf": (1, "arith.negf", None),
    "sqrt": (1, "math.sqrt", None),
    "rsqrt": (1, "math.rsqrt", None),
    "tanh": (1, "math.tanh", None),
    "square": (1, "square", None),
    "reciprocal": (1, "reciprocal", None),
}
_CONSTANTS = (0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 0.1, 100.0, 0.0625)


def semantics(op: str, dtype: str) -> tuple[Compute, bool]:
    """What an op computes on arrays of `dtype`, and whether it takes the nudge as its last operand."""
    if dtype in ("i32", "i1"):
        found = (_INTEGER | _BY_CONSTANT)[op]
        return (lambda *a: np.asarray(found(*a), COMPUTE[dtype])), False
    if op in _INEXACT:
        f, epsilon = _INEXACT[op], _EPSILON[dtype]

        def inexact(*given: Any) -> Array:
            *a, nudge = given
            return rounded(f(*(np.asarray(x, np.float64) for x in a)) * (1 + nudge * epsilon), dtype)

        return inexact, True
    simple: dict[str, Compute] = {
        **_BINARY,
        **_UNARY,
        "square": lambda x: x * x,
        "reciprocal": lambda x: np.float32(1) / x,
    }
    g = simple[op]
    return (lambda *a: rounded(g(*(np.asarray(x, np.float32) for x in a)), dtype)), False


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
        real = self.rng.choice(_CONSTANTS)
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
        body, result = _Body(self, [f"%b{j}" for j in range(len(ins))], dtype, captured).draw()
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


class _Body:
    """Straight-line scalar code in a linalg.generic, of one element type."""

    def __init__(self, pool: Pool, names: list[str], dtype: str, captured: str | None) -> None:
        self.pool, self.dtype = pool, dtype
        self.values = [*names, captured] if captured else list(names)
        self.lines: list[str] = []
        self.steps: list[tuple[str, Compute, bool, tuple[str, ...]]] = []

    def draw(self) -> tuple[_Body, str]:
        rng = self.pool.rng
        many = rng.choice((0, 1, 1, 2)) if len(self.values) == 1 else rng.choice((1, 1, 2, 3))
        result = self.values[0]
        for k in range(many):
            pairs = list(_INTEGER) if self.dtype == "i32" else list(_BINARY)
            unary = self.dtype != "i32" and (len(self.values) == 1 or rng.random() < 0.3)
            op = rng.choice([*_UNARY, *_INEXACT] if unary else pairs)
            operands = (result,) if unary else (result, rng.choice(self.values))
            if not unary and k == 0 and len(self.values) > 1:
                operands = (self.values[0], self.values[1])
            compute, nudged = semantics(op, self.dtype)
            self.pool.out.exact &= not nudged
            result = str(self.pool.out.name("g"))
            self.lines.append(f"{result} = {op} {', '.join(operands)} : {self.dtype}")
            self.steps.append((result, compute, nudged, operands))
            self.values.append(result)
        return self, result

    def run(self, env: dict[str, Any], result: str, nudge: float) -> Any:
        for name, compute, nudged, operands in self.steps:
            env[name] = compute(*(env[o] for o in operands), *((nudge,) if nudged else ()))
        return env[result]


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
    op = pool.rng.choice(list(_INTEGER if a[1] == "i32" else _BINARY))
    b = pool.like(a)
    x, y = (a, b) if pool.rng.random() < 0.5 else (b, a)
    return _apply(pool, op, f"{op} {x[0]}, {y[0]} : {pool.type(a[1])}", a[1], x[0], y[0])


def _unary(pool: Pool) -> bool:
    a = pool.pick(*FLOATS)
    if a is None:
        return False
    op = pool.rng.choice([*_UNARY, *_INEXACT])
    return _apply(pool, op, f"{op} {a[0]} : {pool.type(a[1])}", a[1], a[0])


def _named(pool: Pool) -> bool:
    a = pool.pick(*FLOATS, "i32")
    if a is None:
        return False
    fitting = [(n, c, i if a[1] == "i32" else f) for n, (c, f, i) in _NAMED.items()]
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
    table = _INT_ORDER if a[1] == "i32" else _FLOAT_ORDER
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
    op = pool.rng.choice(list(_BY_CONSTANT))
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
