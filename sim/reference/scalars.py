"""Elementwise ops: the formula of the spec on whole batches, rounded to the result type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...diagnostics import fail
from ...ktir import ir
from ...numerics import DType, ScalarOp, apply
from .batch import Array, collapse, ones, widen
from .frame import Frame, Getter, Step
from .prepare import Context, handles

__all__ = ["compute", "constant_value", "scalar_step"]

_ROUNDED = ("f16", "bf16", "df16", "df16-saturating")


def _rank(t: ir.Type) -> int:
    return len(t.shape) if isinstance(t, (ir.Tensor, ir.Vector)) else 0


def _aligned(context: Context, value: ir.Value, rank: int) -> Getter:
    """Read a value so that it broadcasts against tensors of `rank`: a scalar gets unit axes."""
    get = context.read(value)
    missing = rank - _rank(value.type)
    if missing <= 0:
        return get

    def read(frame: Frame) -> Any:
        x = get(frame)
        return x.reshape(x.shape + ones(missing)) if isinstance(x, np.ndarray) else x

    return read


def wrap(value: int, t: DType) -> int:
    """A Python int as the two's complement integer of a type."""
    if t.kind == "bool":
        return bool(value & 1)
    span = 1 << t.bits
    value &= span - 1
    return value - span if t.kind == "int" and value >= span >> 1 else value


def compute(op: ScalarOp, types: list[DType], out: DType, attributes: dict[str, Any]) -> Callable[..., Any]:
    """A function of arrays in compute form: the shortest way to what `numerics.apply` gives.

    One ufunc plus one rounding where the formula is one; Python arithmetic on non-negative Python ints
    (whose meaning no width or signedness changes).
    """
    formula = op.choose(attributes)
    if op.bitcast or op.unsigned or formula.ufunc is None or formula.names != op.operands[: len(types)]:
        return lambda *xs: apply(
            op, [_array(x, t) for x, t in zip(xs, types, strict=True)], types, out, attributes
        )
    ufunc = formula.ufunc
    if out.is_float and all(t is out for t in types):
        if formula.preserving or out.name not in _ROUNDED:
            return ufunc
        rounding = out.round_in_place
        if len(types) == 2:
            return lambda a, b: rounding(ufunc(a, b))
        return lambda *xs: rounding(ufunc(*xs))
    if out.kind == "bool" and types[0].is_float and formula.ufunc in _COMPARISONS:
        return ufunc
    return lambda *xs: apply(
        op, [_array(x, t) for x, t in zip(xs, types, strict=True)], types, out, attributes
    )


_COMPARISONS = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)


def _array(x: Any, t: DType) -> Any:
    return x if isinstance(x, np.ndarray) else np.asarray(x, t.compute)


def scalar_step(context: Context, op: ir.Op, spec: ScalarOp) -> Step:
    """The step of an op whose semantics is a formula."""
    if len(op.results) != 1:
        return _several(context, op, spec)
    result = op.results[0].type
    rank = _rank(result)
    gets = [_aligned(context, v, rank) for v in op.operands]
    types = [context.element(v.type) for v in op.operands]
    out = context.element(result)
    run = compute(spec, types, out, op.attributes)
    slot = context.define(op.results[0])
    if out.is_integer and rank == 0:
        return _integer_step(context, op, spec, gets, types, out, run, slot)
    if len(gets) == 2:
        first, second = gets

        def binary(frame: Frame) -> None:
            frame.values[slot] = run(first(frame), second(frame))

        return (
            binary
            if not any(t.is_integer for t in types)
            else _general(gets, types, run, slot, context, rank)
        )
    return _general(gets, types, run, slot, context, rank)


def _general(
    gets: list[Getter], types: list[DType], run: Callable[..., Any], slot: int, context: Context, rank: int
) -> Step:
    depth = context.depth

    def step(frame: Frame) -> None:
        frame.values[slot] = run(
            *(widen(g(frame), t.compute, depth + rank) for g, t in zip(gets, types, strict=True))
        )

    return step


def _integer_step(
    context: Context,
    op: ir.Op,
    spec: ScalarOp,
    gets: list[Getter],
    types: list[DType],
    out: DType,
    run: Callable[..., Any],
    slot: int,
) -> Step:
    formula = spec.choose(op.attributes)
    code = formula.code
    names = spec.operands
    integral = all(t.is_integer for t in types) and not spec.bitcast and formula.widthless
    depth = context.depth

    def step(frame: Frame) -> None:
        xs = [g(frame) for g in gets]
        if integral and all(type(x) is bool or (type(x) is int and x >= 0) for x in xs):
            value = code(dict(zip(names, xs, strict=False)))
            frame.values[slot] = wrap(int(value), out)
            return
        value = run(*(widen(x, t.compute, depth) for x, t in zip(xs, types, strict=True)))
        frame.values[slot] = collapse(np.asarray(value))

    return step


def _several(context: Context, op: ir.Op, spec: ScalarOp) -> Step:
    gets = context.reads(op.operands)
    types = [context.element(v.type) for v in op.operands]
    outs = [context.element(v.type) for v in op.results]
    slots = [context.define(v) for v in op.results]

    def step(frame: Frame) -> None:
        for slot, value in zip(
            slots, apply(spec, [g(frame) for g in gets], types, outs, op.attributes), strict=True
        ):
            frame.values[slot] = value

    return step


def constant_value(context: Context, value: Any, t: ir.Type, op: ir.Op) -> Any:
    """A literal attribute as a runtime value."""
    element = context.element(t)
    if isinstance(value, ir.Dense):
        array = np.asarray(value.array)
        number = _literal(array, element)
        return number.reshape(ones(context.depth) + number.shape)
    number = getattr(value, "value", value)
    if not isinstance(number, (bool, int, float)):
        fail("REF004", f"cannot read the constant {number}", op.position, "give a number or dense<…>")
    if isinstance(t, (ir.Tensor, ir.Vector)):
        filled = np.full([d or 0 for d in t.shape], number)
        return _literal(filled, element).reshape(ones(context.depth) + filled.shape)
    if element.is_integer:
        return wrap(int(number), element)
    return element.round(np.full(ones(context.depth), float(number)))


def _literal(array: Array, element: DType) -> Array:
    if element.is_integer:
        return array.astype(element.compute)
    return element.round(array.astype(np.float64))


@handles("constant")
def _constant(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    with np.errstate(all="ignore"):
        value = constant_value(context, op.attributes.get("value"), op.result.type, op)
    slot = context.define(op.result)

    def step(frame: Frame) -> None:
        frame.values[slot] = value

    return step
