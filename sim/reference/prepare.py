"""Turns a kernel into steps, once, so that running it only touches values.

A handler per `semantics.kind` of the op specs (registered with `@handles`) builds the step of one op;
ops whose semantics is a formula share the handler in `scalars`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...diagnostics import fail
from ...ktir import ir
from ...ktir.groups import written_in_place
from ...numerics import DType, dtype, resolve, scalar_ops, spec_entries
from ...options import Options
from .batch import Array, deepen
from .frame import Code, Getter, Step

__all__ = ["Context", "Kernel", "batch_of", "grid_of", "handles", "integer", "integers", "prepare"]

Handler = Callable[["Context", ir.Op, dict[str, Any]], Step | None]
_HANDLERS: dict[str, Handler] = {}


def handles(kind: str) -> Callable[[Handler], Handler]:
    """Register the handler of ops whose spec says `semantics: {kind: …}` (or just the keyword)."""

    def register(handler: Handler) -> Handler:
        _HANDLERS[kind] = handler
        return handler

    return register


@dataclass(slots=True)
class Kernel:
    """A prepared function: its body and the number of value slots."""

    function: ir.Op
    body: Code
    slots: int


@dataclass(slots=True)
class _Shared:
    """What all contexts of one kernel share: the module's functions, and where each value lives."""

    functions: dict[str, ir.Op]
    options: Options
    base: int  # batch axes of the grid
    used: frozenset[ir.Value]  # all operands of the kernel
    slots: dict[ir.Value, tuple[int, int]] = field(default_factory=dict)  # value → slot, depth
    count: int = 0
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """Where an op stands: the number of batch axes, and the innermost structured op's iteration space."""

    shared: _Shared
    depth: int
    space: tuple[int, int] | None = None  # (depth outside, slot holding the extents)

    @property
    def options(self) -> Options:
        return self.shared.options

    def slot(self) -> int:
        self.shared.count += 1
        return self.shared.count - 1

    def define(self, value: ir.Value) -> int:
        """A slot for a value that this context computes."""
        slot = self.slot()
        self.shared.slots[value] = slot, self.depth
        return slot

    def read(self, value: ir.Value) -> Getter:
        """How to get a value at this context's depth."""
        slot, depth = self.shared.slots[value]
        if depth == self.depth:
            get = operator.itemgetter(slot)
            return lambda frame: get(frame.values)
        here = self.depth
        return lambda frame: deepen(frame.values[slot], depth, here)

    def reads(self, values: Sequence[ir.Value]) -> list[Getter]:
        return [self.read(v) for v in values]

    def element(self, t: ir.Type) -> DType:
        """The element type in the chosen numerics mode."""
        element = t if isinstance(t, ir.Scalar) else getattr(t, "element", None)
        if not isinstance(element, ir.Scalar):
            fail("REF001", f"values of type {t} are not supported")
        return resolve(dtype(element.name), self.options.numerics)

    def inside(self, axes: int) -> tuple[Context, int]:
        """The context of a structured op's body with `axes` more batch axes, and the slot for its extents."""
        slot = self.slot()
        return replace(self, depth=self.depth + axes, space=(self.depth, slot)), slot

    def block(self, block: ir.Block) -> Code:
        """Prepare a block: arguments, ops, and the operands of its terminator as results."""
        code = Code([self.define(a) for a in block.args])
        for op in block.ops:
            if op is block.ops[-1] and _is_terminator(op):
                code.results = self.reads(op.operands)
                break
            step = self.op(op)
            if step is not None:
                code.steps.append(step)
            for outs, result in written_in_place(op, self.shared.used):
                self.shared.slots[outs] = self.shared.slots[result]
        return code

    def op(self, op: ir.Op) -> Step | None:
        spec = scalar_ops().get(op.name)
        if spec is not None:
            from .scalars import scalar_step

            return scalar_step(self, op, spec)
        found = spec_entries().get(op.name)
        semantics = found[0].get("semantics") if found else None
        if isinstance(semantics, str):
            semantics = {"kind": semantics}
        handler = _HANDLERS.get(semantics.get("kind", "")) if isinstance(semantics, dict) else None
        if handler is None or semantics is None:
            hint = "rewrite it with supported ops"
            fail("REF001", f"the reference interpreter does not support `{op.name}`", op.position, hint)
        return handler(self, op, semantics)


def _is_terminator(op: ir.Op) -> bool:
    found = spec_entries().get(op.name)
    return bool(found) and "terminator" in found[0].get("traits", ()) if found else False


def prepare(module: ir.Module, function: ir.Op, options: Options) -> Kernel:
    """Build the steps of `function`. REF001: an op without semantics here."""
    base = batch_of(grid_of(function), options).ndim
    functions = {str(f.attributes.get("sym_name")): f for f in module.functions()}
    used = frozenset(v for op in module.op.walk() for v in op.operands)
    context = Context(_Shared(functions, options, base, used), base)
    body = context.block(function.regions[0].blocks[0])
    return Kernel(function, body, context.shared.count)


def grid_of(function: ir.Op) -> tuple[int, ...]:
    """Extents of the grid; a kernel without one runs on one tile."""
    return tuple(integers(function.attributes.get("grid") or [1]))


def batch_of(grid: tuple[int, ...], options: Options) -> Array:
    """Linear ids of all tiles, one batch axis per grid dimension (unit ones dropped), slowest first: so
    a value that depends on one grid coordinate only is held once per value of that coordinate."""
    extents = [n for n in grid if n != 1] or [1]
    if options.grid_order == "first-fastest":
        extents.reverse()
    return np.arange(math.prod(grid)).reshape(extents)


def integers(values: Sequence[Any]) -> list[int]:
    """Plain ints of an attribute list that may hold `ir.Typed` numbers or arrays."""
    if isinstance(values, np.ndarray):
        return [int(v) for v in values.ravel()]
    return [int(getattr(v, "value", v)) for v in values]


def integer(value: Any) -> int:
    return int(getattr(value, "value", value))
