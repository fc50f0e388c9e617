"""What a fuzzed kernel means, in NumPy: a tiny interpreter of the steps the generator wrote next to the text.

Imports nothing from tilesat. Tensors are arrays in `COMPUTE[dtype]` (bf16: float32 holding bf16 values),
buffers are flat arrays of the same. Tiles of the grid run one after the other; every element's readers and
writers are recorded, so that a kernel whose result would depend on the order of its tiles is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["COMPUTE", "For", "If", "Let", "Load", "Race", "Store", "View", "execute", "round_bf16", "rounded"]

Array = NDArray[Any]
Env = dict[str, Any]

COMPUTE: dict[str, Any] = {
    "f16": np.float16,
    "f32": np.float32,
    "bf16": np.float32,
    "i32": np.int32,
    "i1": np.bool_,
    "index": np.int64,
}


class Race(Exception):
    """Two tiles of the grid meet in memory, an access leaves its buffer or never reaches its view: not a
    legal kernel."""


def round_bf16(x: Array) -> Array:
    """float32 to the nearest bfloat16 (ties to even), as float32."""
    x = np.asarray(x, np.float32)
    bits = x.view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return np.where(np.isnan(x), x, bits.astype(np.uint32).view(np.float32))


def rounded(x: Array, dtype: str) -> Array:
    """A wider float (or an integer) as an element of `dtype`."""
    return round_bf16(x) if dtype == "bf16" else np.asarray(x).astype(COMPUTE[dtype])


@dataclass(frozen=True)
class View:
    """A view of buffer `buffer` (argument number, or address if baked): `base` and strides in elements."""

    buffer: tuple[str, int]
    base: str | int
    sizes: tuple[str | int, ...]
    strides: tuple[str | int, ...]
    dtype: str


@dataclass(frozen=True)
class Let:
    name: str
    compute: Callable[..., Any]
    operands: tuple[str, ...] = ()


@dataclass(frozen=True)
class Load:
    name: str
    view: View
    at: tuple[str, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Store:
    value: str
    view: View
    at: tuple[str, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class For:
    counter: str
    lo: str
    hi: str
    step: str
    body: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class If:
    condition: str
    body: list[Any] = field(default_factory=list)


class _Machine:
    def __init__(self, buffers: dict[tuple[str, int], Array], nudge: float) -> None:
        self.buffers = buffers
        self.nudge = nudge
        self.tile = 0
        self.beyond: dict[int, bool] = {}  # per access: did it start or lie outside its view every time
        self.writer = {k: np.full(b.size, -1) for k, b in buffers.items()}
        self.reader = {k: np.full(b.size, -1) for k, b in buffers.items()}

    def run(self, steps: Sequence[Any], env: Env) -> None:
        for step in steps:
            match step:
                case Let():
                    env[step.name] = step.compute(*(env[o] for o in step.operands))
                case Load():
                    env[step.name] = self._load(step, env)
                case Store():
                    self._store(step, env)
                case If():
                    if env[step.condition]:
                        self.run(step.body, env)
                case For():
                    for i in range(int(env[step.lo]), int(env[step.hi]), int(env[step.step])):
                        env[step.counter] = i
                        self.run(step.body, env)

    def _places(self, step: Load | Store, env: Env) -> tuple[Array, Array]:
        """Flat element numbers of a tile, and which of them lie inside the view."""
        view = step.view
        number = env[view.base] if isinstance(view.base, str) else view.base
        places, inside = np.full(step.shape, int(number)), np.ones(step.shape, bool)
        for k, extent in enumerate(step.shape):
            size, stride = (
                int(env[n]) if isinstance(n, str) else n for n in (view.sizes[k], view.strides[k])
            )
            index = int(env[step.at[k]]) + np.arange(extent)
            along = [-1 if j == k else 1 for j in range(len(step.shape))]
            inside &= ((index >= 0) & (index < size)).reshape(along)
            places = places + (index * stride).reshape(along)
        outside = not inside.any() or any(int(env[at]) < 0 for at in step.at)
        self.beyond[id(step)] = self.beyond.get(id(step), True) and outside
        if inside.any() and (
            places[inside].min() < 0 or places[inside].max() >= self.buffers[view.buffer].size
        ):
            raise Race("out of the buffer")
        return places, inside

    def _load(self, step: Load, env: Env) -> Array:
        places, inside = self._places(step, env)
        key, hit = step.view.buffer, places[inside]
        writer, reader = self.writer[key], self.reader[key]
        if ((writer[hit] >= 0) & (writer[hit] != self.tile)).any():
            raise Race("read what another tile writes")
        reader[hit] = np.where((reader[hit] < 0) | (reader[hit] == self.tile), self.tile, 1 << 30)
        tile = np.zeros(step.shape, COMPUTE[step.view.dtype])
        tile[inside] = self.buffers[key][hit]
        return tile

    def _store(self, step: Store, env: Env) -> None:
        places, inside = self._places(step, env)
        key, hit = step.view.buffer, places[inside]
        if np.unique(hit).size != hit.size:
            raise Race("a tile stores an element twice")
        for others in (self.writer[key][hit], self.reader[key][hit]):
            if ((others >= 0) & (others != self.tile)).any():
                raise Race("wrote what another tile touches")
        self.writer[key][hit] = self.tile
        self.buffers[key][hit] = env[step.value][inside]


def execute(
    steps: Sequence[Any],
    grid: Sequence[int],
    buffers: dict[tuple[str, int], Array],
    scalars: dict[str, Any],
    nudge: float = 0.0,
) -> dict[tuple[str, int], Array]:
    """Contents of all buffers after the kernel ran. Raises Race.

    `nudge`: relative error added to every result of a function that is not exactly rounded (the steps read
    it as `%nudge`), to see how far such an error can spread.
    """
    machine = _Machine({k: b.copy() for k, b in buffers.items()}, nudge)
    with np.errstate(all="ignore"):
        for tile in range(int(np.prod(grid))):
            machine.tile = tile
            env: Env = {"%nudge": nudge, **scalars}
            rest = tile
            for k, extent in enumerate(grid):
                env[f"%tile{k}"] = rest % extent
                rest //= extent
            env["%tile"] = tile
            machine.run(steps, env)
    if any(machine.beyond.values()):
        raise Race("a tile that lies beyond its view wherever it is used")
    return machine.buffers
