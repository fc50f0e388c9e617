"""The kernels of examples/ with inputs and NumPy oracles. Imports nothing from tilesat.

`KERNELS[name]` says how to make inputs and what each argument must hold after the run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["EXAMPLES", "KERNELS", "Kernel", "assert_matches", "ulp"]

Array = NDArray[Any]
Inputs = Callable[[np.random.Generator], list[Any]]

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Kernel:
    """`arguments` makes the launch arguments; `expected` maps them to {argument: contents afterwards}.

    `exact`: results equal NumPy's bit for bit, otherwise to one unit in the last place.
    `addresses`: the "arguments" are buffers at these constant addresses.
    """

    name: str
    arguments: Inputs
    expected: Callable[[Sequence[Any]], dict[int, Array]]
    exact: bool = True
    addresses: tuple[int, ...] = ()
    slow: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return EXAMPLES / f"{self.name}.mlir"

    def launch(self, seed: int) -> tuple[list[Any], dict[str, Any]]:
        """Fresh arguments, and the same as keywords of `tilesat.run` and `tilesat.reference`."""
        made = self.arguments(np.random.default_rng(seed))
        if self.addresses:
            memory = dict(zip(self.addresses, made, strict=True))
            return made, {"arguments": [], "memory": memory}
        return made, {"arguments": made}

    def check(self, made: Sequence[Any], result: Any, exact: bool | None = None) -> None:
        """Every argument of a run holds what NumPy says, the others what they held before."""
        outputs = [result.memory[a] for a in self.addresses] if self.addresses else result.outputs
        want = self.expected(made)
        for i, given in enumerate(made):
            if isinstance(given, np.ndarray):
                assert_matches(
                    outputs[i],
                    want.get(i, given),
                    0 if (self.exact if exact is None else exact) else 1,
                    f"{self.name}: argument {i}",
                )


def ordinal(x: Array) -> Array:
    """Position among the floats of the dtype; +0 and −0 are distinct neighbours apart from sign."""
    bits = x.view(f"i{x.dtype.itemsize}").astype(np.int64)
    return np.where(bits < 0, -(1 << (8 * x.dtype.itemsize - 1)) - bits, bits)


def ulp(a: Array, b: Array) -> Array:
    """Distance in units in the last place, elementwise; 0 where both are NaN."""
    if a.dtype.kind != "f":
        return np.abs(a.astype(np.int64) - b.astype(np.int64))
    distance = np.abs(ordinal(a) - ordinal(b))
    distance[np.isnan(a) & np.isnan(b)] = 0
    return distance


def assert_matches(actual: Array, expected: Array, tolerance: int, what: str) -> None:
    assert actual.dtype == expected.dtype, f"{what}: {actual.dtype}, expected {expected.dtype}"
    assert actual.shape == expected.shape, f"{what}: shape {actual.shape}, expected {expected.shape}"
    a, b = np.ascontiguousarray(actual).ravel(), np.ascontiguousarray(expected).ravel()
    if tolerance == 0:
        bits = f"u{a.dtype.itemsize}"
        wrong = a.view(bits) != b.view(bits)
        if a.dtype.kind == "f":
            wrong &= ~(np.isnan(a) & np.isnan(b))
    else:
        wrong = ulp(a, b) > tolerance
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        place = np.unravel_index(first, expected.shape)
        raise AssertionError(
            f"{what}: {int(wrong.sum())} of {wrong.size} elements differ; first at "
            f"{tuple(map(int, place))}: {a[first]!r}, expected {b[first]!r}"
        )


def normal(*shape: int, dtype: Any = np.float16) -> Callable[[np.random.Generator], Array]:
    return lambda rng: rng.standard_normal(shape).astype(dtype)


def special(*shape: int, dtype: Any = np.float16) -> Callable[[np.random.Generator], Array]:
    """Every kind of float: subnormals, infinities, NaN, both zeros, and random bit patterns."""

    def make(rng: np.random.Generator) -> Array:
        size = np.dtype(dtype).itemsize
        bits = rng.integers(0, 1 << (8 * size), shape, dtype=f"u{size}")
        return bits.view(dtype)

    return make


def zeros(*shape: int, dtype: Any = np.float16) -> Callable[[np.random.Generator], Array]:
    return lambda rng: np.zeros(shape, dtype)


def made_by(*parts: Callable[[np.random.Generator], Any]) -> Inputs:
    return lambda rng: [part(rng) for part in parts]


def quiet(f: Callable[..., Any]) -> Callable[[Sequence[Any]], Any]:
    def run(made: Sequence[Any]) -> Any:
        with np.errstate(all="ignore"):
            return f(*made)

    return run


def _chain(x: Array, y: Array, z: Array, w: Array) -> dict[int, Array]:
    xf, yf = x.astype(np.float32), y.astype(np.float32)
    total = xf + yf
    decay = np.exp(-(np.float32(1) / np.sqrt(total * total + np.float32(1))))
    return {2: decay.astype(np.float16), 3: (decay - yf).astype(np.float16)}


def round_bf16(x: Array) -> Array:
    """float32 to the nearest bfloat16 (ties to even), as float32."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32)


def bf16(*shape: int) -> Callable[[np.random.Generator], Array]:
    return lambda rng: round_bf16(rng.standard_normal(shape))


def scalar(rng: np.random.Generator) -> float:
    return float(np.float32(rng.standard_normal()))


_ALL = [
    Kernel(
        "add_96x64",
        made_by(normal(96, 64), normal(96, 64), zeros(96, 64)),
        lambda a: {2: a[0] + a[1]},
    ),
    Kernel(
        "add_96x64_2tiles",
        made_by(special(96, 64), special(96, 64), zeros(96, 64)),
        quiet(lambda x, y, z: {2: x + y}),
    ),
    Kernel(
        "big_add",
        made_by(normal(4096, 4096), normal(4096, 4096), zeros(4096, 4096)),
        lambda a: {2: a[0] + a[1]},
        slow=True,
    ),
    Kernel(
        "broadcast_column",
        made_by(normal(64, 128), normal(64), zeros(64, 128)),
        lambda a: {2: a[0] * a[1][:, None]},
    ),
    Kernel(
        "broadcast_n1",
        made_by(normal(64, 128), normal(64, 1), zeros(64, 128)),
        lambda a: {2: a[0] * a[1]},
    ),
    Kernel(
        "broadcast_row",
        made_by(normal(64, 128), normal(128), zeros(64, 128)),
        lambda a: {2: a[0] * a[1]},
    ),
    Kernel(
        "chain",
        made_by(normal(64, 256), normal(64, 256), zeros(64, 256), zeros(64, 256)),
        quiet(_chain),
        exact=False,
    ),
    Kernel("exp_in_place", made_by(normal(16, 128)), lambda a: {0: np.exp(a[0])}, exact=False),
    Kernel("grid_2d", made_by(special(128, 256), zeros(128, 256)), lambda a: {1: -a[0]}),
    Kernel("rows3", made_by(normal(3, 64), normal(3, 64), zeros(3, 64)), lambda a: {2: a[0] + a[1]}),
    Kernel(
        "vector_add", made_by(special(2048), special(2048), zeros(2048)), quiet(lambda x, y, z: {2: x + y})
    ),
    Kernel(
        "axpy_f32",
        made_by(
            scalar,
            normal(4096, dtype=np.float32),
            normal(4096, dtype=np.float32),
            zeros(4096, dtype=np.float32),
        ),
        quiet(lambda s, x, y, z: {3: np.float32(s) * x + y}),
    ),
    Kernel(
        "baked_add",
        made_by(normal(96, 64), normal(96, 64), zeros(96, 64)),
        lambda a: {2: a[0] + a[1]},
        addresses=(4096, 16384, 32768),
    ),
    Kernel("cyclic_rows", made_by(normal(70, 64), zeros(70, 64)), lambda a: {1: a[0] * a[0]}),
    Kernel(
        "given_step",
        made_by(normal(2048), normal(2048), zeros(2048), lambda rng: 64),
        lambda a: {2: a[0] + a[1]},
    ),
    Kernel(
        "linear_id", made_by(special(2048), special(2048), zeros(2048)), quiet(lambda x, y, z: {2: x + y})
    ),
    Kernel(
        "load_again",
        made_by(normal(3, 64), normal(3, 64), zeros(3, 64), zeros(3, 64)),
        lambda a: {2: a[0] + a[1], 3: (a[0] + a[1]) * (a[0] + a[1])},
    ),
    Kernel(
        "mul_bf16",
        made_by(bf16(64, 192), bf16(64, 192), bf16(64, 192)),
        lambda a: {2: round_bf16(a[0] * a[1])},
    ),
    Kernel(
        "odd_sub",
        made_by(special(35, 101), special(35, 101), zeros(35, 101)),
        quiet(lambda x, y, z: {2: x - y}),
    ),
    Kernel("ragged", made_by(normal(10, 64), zeros(10, 64)), lambda a: {1: a[0] + a[0]}),
    Kernel(
        "relu_blocks",
        made_by(normal(32, 1024), zeros(32, 1024)),
        lambda a: {1: np.maximum(a[0], np.float16(0))},
    ),
    Kernel(
        "shifted",
        made_by(normal(16, 128), zeros(16, 64)),
        lambda a: {1: a[0][:, 3:67] + a[0][:, 1:65]},
    ),
    Kernel("strided", made_by(special(16, 128), zeros(16, 64)), lambda a: {1: -a[0][:, ::2]}),
    Kernel(
        "sum6",
        made_by(*[normal(2048, 4096)] * 6, zeros(2048, 4096)),
        lambda a: {6: a[0] + a[1] + a[2] + a[3] + a[4] + a[5]},
        slow=True,
    ),
    Kernel(
        "two_stage",
        made_by(normal(32, 128), normal(32, 128), zeros(32, 128), zeros(32, 128)),
        lambda a: {2: a[0] + a[1], 3: (a[0] + a[1]) * (a[0] + a[1])},
    ),
    Kernel("wide1000", made_by(special(8, 1000), zeros(8, 1000)), quiet(lambda x, z: {1: x * x})),
]

KERNELS = {kernel.name: kernel for kernel in _ALL}
