"""Arguments in, results out: binding a kernel's arguments to memory and running it over the grid."""

from __future__ import annotations

import contextlib
import math
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from ...ktir import ir
from ...ktir.entry import entry_function
from ...numerics import dtype, resolve
from ...options import Options
from .batch import Array, Divergence, ones
from .frame import Frame, Machine
from .memory import SEGMENT, Buffer, Memory, View, row_major
from .prepare import Kernel, batch_of, grid_of, prepare
from .scalars import wrap

__all__ = ["ReferenceResult", "run"]


@dataclass(slots=True)
class ReferenceResult:
    """`outputs[i]` is argument i after the run: the array as the kernel left it, or the number given.
    `memory` holds the arrays at constant addresses."""

    outputs: list[Any]
    memory: dict[int, Array] = field(default_factory=dict)


_PREPARED: weakref.WeakKeyDictionary[ir.Module, dict[tuple[str, Options], Kernel]] = (
    weakref.WeakKeyDictionary()
)


def run(
    module: ir.Module,
    args: Sequence[Any],
    *,
    entry: str | None = None,
    memory: Mapping[int, Array] | None = None,
    scratch: Mapping[tuple[int, int], Array] | None = None,
    options: Options | None = None,
    batched: bool = True,
) -> ReferenceResult:
    """Run a kernel. `args`: arrays and numbers in call order; `memory`: arrays at constant addresses;
    `scratch`: scratchpad contents left by an earlier kernel, by (linear tile id, address); `entry`: the
    function's name when the module has several; `batched=False` runs one tile after the other, which
    only kernels whose tiles do not exchange values can do.

    TilesatError: REF0xx for what the kernel or the arguments get wrong, with the op's position.
    """
    options = options or Options()
    function = entry_function(module, entry)
    kernel = _prepared(module, function, options)
    grid = grid_of(function)
    launch = _Launch(kernel, args, memory or {}, scratch or {}, options, grid)
    with np.errstate(all="ignore"):
        if batched:
            with contextlib.suppress(Divergence):
                return launch.run([batch_of(grid, options)])
        single = ones(batch_of(grid, options).ndim)
        try:
            return launch.run([np.full(single, t) for t in range(math.prod(grid))])
        except Divergence as e:
            fail("REF040", f"a tensor's shape or buffer varies within one tile: {e}", function.position)


def _prepared(module: ir.Module, function: ir.Op, options: Options) -> Kernel:
    cache = _PREPARED.setdefault(module, {})
    key = str(function.attributes.get("sym_name")), options
    if key not in cache:
        cache[key] = prepare(module, function, options)
    return cache[key]


@dataclass(slots=True)
class _Launch:
    """Everything one run needs; running again starts from the caller's arrays again."""

    kernel: Kernel
    args: Sequence[Any]
    memory: Mapping[int, Array]
    scratch: Mapping[tuple[int, int], Array]
    options: Options
    grid: tuple[int, ...]

    def run(self, batches: list[Array]) -> ReferenceResult:
        """Run the batches of tiles one after the other on one memory."""
        options, function = self.options, self.kernel.function
        space = Memory(options.address_unit, math.prod(self.grid))
        space.undefined_scratch = options.lx_between_kernels == "undefined"
        baked = {a: _register(space, f"memory[{a}]", a, x, options) for a, x in self.memory.items()}
        for (tile, address), x in self.scratch.items():
            space.fill_scratch(tile, address, _incoming(x, options))
        parameters = function.regions[0].blocks[0].args
        if len(self.args) != len(parameters):
            names = ", ".join(f"%{a.name}" for a in parameters)
            text = f"the kernel takes {len(parameters)} arguments ({names}), {len(self.args)} were given"
            fail("REF051", text, function.position)
        pairs = enumerate(zip(parameters, self.args, strict=True))
        base = batches[0].ndim
        bound = [_bind(space, i, p, x, options, base, function.position) for i, (p, x) in pairs]
        for tiles in batches:
            frame = Frame(Machine(options, space, self.grid, tiles), [None] * self.kernel.slots)
            self.kernel.body.call(frame, [value for value, _ in bound])
        outputs = [x if b is None else _outgoing(b, x) for (_, b), x in zip(bound, self.args, strict=True)]
        return ReferenceResult(outputs, {a: _outgoing(b, self.memory[a]) for a, b in baked.items()})


def _register(space: Memory, name: str, base: int, x: Array, options: Options) -> Buffer:
    buffer = space.add(name, base, _incoming(x, options))
    buffer.original = x
    buffer.numerics = options.numerics
    return buffer


def _incoming(x: Array, options: Options) -> Array:
    """f16 arrays become the device's format in the df16 modes."""
    x = np.asarray(x)
    format_ = resolve(dtype("f16"), options.numerics)
    if x.dtype == np.float16 and format_.name != "f16":
        return format_.to_storage(x.astype(np.float32))
    return x


def _outgoing(buffer: Buffer, given: Array) -> Array:
    result = buffer.result()
    if not buffer.changed:
        return np.asarray(given)
    if result.dtype != np.asarray(given).dtype:
        format_ = resolve(dtype("f16"), buffer.numerics)
        return format_.from_storage(result).astype(np.float16)
    return result


def _bind(
    space: Memory, index: int, parameter: ir.Value, x: Any, options: Options, base: int, where: Position
) -> tuple[Any, Buffer | None]:
    """The runtime value of one argument, and its buffer if it is one."""
    name = f"argument {index} (%{parameter.name})"
    is_array = isinstance(x, np.ndarray) and x.ndim > 0
    type_ = parameter.type
    element = type_.element if isinstance(type_, ir.RuntimeArg) else type_
    if isinstance(type_, ir.MemRef) or (is_array and element == ir.Scalar("index")):
        if not is_array:
            fail("REF052", f"{name} is {type_}: an array is needed, got {x!r}", where)
        # The same array given twice is one piece of memory.
        known = next((b for b in space.buffers if b.original is x), None)
        buffer = known or _register(space, name, (index + 1) * SEGMENT, x, options)
        if isinstance(type_, ir.MemRef):
            format_ = resolve(dtype(type_.element.name), options.numerics)
            return View(buffer, format_, 0, x.shape, row_major(x.shape), base, (0,) * x.ndim), buffer
        return buffer.base, buffer
    if is_array or not isinstance(x, (bool, int, float, np.number, np.bool_, np.ndarray)):
        fail("REF052", f"{name} is {type_}: a number is needed, got {type(x).__name__}", where)
    number = x.item() if isinstance(x, (np.generic, np.ndarray)) else x
    if not isinstance(element, ir.Scalar):
        fail("REF052", f"{name}: arguments of type {type_} are not supported", where)
    format_ = resolve(dtype(element.name), options.numerics)
    if format_.is_integer:
        if isinstance(number, float) and not number.is_integer():
            fail("REF052", f"{name} is {type_}: {number} is not an integer", where)
        value = int(number)
        if wrap(value, format_) != value and not 0 <= value < 1 << format_.bits:
            fail("REF052", f"{name}: {value} does not fit {type_}", where)
        return wrap(value, format_), None
    return format_.round(np.full(ones(base), float(number))), None
