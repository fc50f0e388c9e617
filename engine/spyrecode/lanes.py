"""Handlers: vector operations. Which op is which instruction says table `vector_ops` of isa.yaml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ..ktir import ir
from ..numerics import dtype, scalar_ops
from .blocks import ZERO, VecReg
from .boxes import box
from .context import Context
from .forms import Form
from .integers import bits_of, keyword, plain
from .isa import VectorOp, isa
from .moves import segments
from .values import Bits, BitScalar, Loaded

__all__ = ["emit", "handles"]

_Spelling = tuple[VectorOp, Mapping[str, Any]]


@cache
def _spellings() -> dict[str, list[_Spelling]]:
    """DataflowIR op name → the instructions it may be, with the conditions of each."""
    table: dict[str, list[_Spelling]] = {}
    for op in isa().vector_ops.values():
        if op.scalar:
            table.setdefault(op.scalar, []).append((op, {"attributes": op.attributes}))
        for spelling in op.dataflow:
            table.setdefault(spelling["op"], []).append((op, spelling))
    return table


def handles(op: ir.Op) -> bool:
    """Whether `op` is a vector operation (an op on scalars of the same name is not)."""
    if op.name in _SPECIAL:
        return True
    if op.name not in _spellings():
        return False
    return any(isinstance(v.type, ir.Vector) for v in (*op.operands, *op.results))


def emit(c: Context, op: ir.Op) -> None:
    """Emit the instructions of a vector operation."""
    special = _SPECIAL.get(op.name)
    if special:
        special(c, op)
    else:
        _lanewise(c, op)


def _class(name: str) -> str:
    return "float" if dtype(name).is_float else "int"


def _matches(op: ir.Op, spelling: Mapping[str, Any], source: str, result: str) -> bool:
    if spelling.get("elements", _class(source)) != _class(source):
        return False
    if spelling.get("result", _class(result)) != _class(result):
        return False
    a, b = dtype(source).bits, dtype(result).bits
    if "width" in spelling and not (b > a if spelling["width"] == "wider" else b < a):
        return False
    return all(_case(op, key) == wanted for key, wanted in spelling.get("attributes", {}).items())


def _case(op: ir.Op, key: str) -> str:
    value = plain(op.attributes.get(key))
    scalar = scalar_ops().get(op.name)
    if isinstance(value, int) and scalar is not None and value < len(scalar.cases):
        return scalar.cases[value]
    return keyword(value)


def _lanewise(c: Context, op: ir.Op) -> None:
    result, count = c.vector_type(op.result)
    source, width = c.vector_type(op.operands[-1 if "select" in op.name else 0])
    if op.name == "vectorchain.cast" and source == result:
        c.values[op.result] = c.get(op.operands[0])
        return
    if op.name.endswith("element_wise_selection"):
        source, width = c.vector_type(op.operands[1])
    found = next((v for v, s in _spellings()[op.name] if _matches(op, s, source, result)), None)
    if found is None:
        c.fail(
            "SPY051",
            f"`{op.name}` from {source} to {result} has no instruction",
            "see `vector_ops` in isa.yaml",
        )
    if width != count:
        c.fail("SPY054", f"`{op.name}` takes {width} lanes and gives {count}")
    arity = _arity(found)
    operands = [c.vector(v) for v in op.operands[:arity]]
    mask = c.vector(op.operands[arity]) if len(op.operands) > arity else None
    c.values[op.result] = _vop(c, found, operands, source, result, count, mask)


def _arity(op: VectorOp) -> int:
    from ..numerics import formula

    return len(scalar_ops()[op.scalar].operands) if op.scalar else len(formula(str(op.formula)).names)


def _vop(
    c: Context,
    op: VectorOp,
    operands: list[VecReg],
    source: str,
    result: str,
    count: int,
    mask: VecReg | None,
) -> VecReg:
    _supported(c, op, source, result)
    target = VecReg(result, count)
    fields: dict[str, Any] = dict(zip(("va", "vb", "vc"), operands, strict=False))
    c.emit(
        "vop", op=op.code, dtype=c.code_of(result), source=c.code_of(source), count=count, vd=target, **fields
    )
    if mask is None:
        return target
    if source != result:
        c.fail("SPY059", "a mask on an operation that changes the element type is not supported")
    # Lanes that are masked off keep the first operand.
    return _vop(c, isa().vector_ops["select"], [mask, target, operands[0]], result, result, count, None)


def _supported(c: Context, op: VectorOp, source: str, result: str) -> None:
    price = op.cost_class or scalar_ops()[str(op.scalar)].cost
    _supports(c, price, source)
    _supports(c, price, result)


def _supports(c: Context, price: str, name: str) -> None:
    unit = c.compute
    assert unit is not None
    if not unit.supports(price, name):
        able = ", ".join(unit.lane_counts)
        message = f"`{unit.name}` has no operations of class `{price}` on {name}"
        c.fail("SPY064", message, f"classes: {', '.join(unit.ops)}; types: {able}")


# ---- operations that are not lane by lane


def shuffle(c: Context, op: ir.Op) -> None:
    """A splat, a broadcast of a scalar, or a permutation with a constant pattern."""
    inputs, variables, pads, masks = (*segments(op, 1, -1, 0, 0), [], [], [])[:4]
    name, count = c.vector_type(op.result)
    pattern = [int(plain(i)) for i in op.attributes["indices"]]
    scalars = [*variables, *pads]
    if masks:
        c.fail("SPY059", "a masked shuffle is not supported", "select after the shuffle")
    if len(pattern) == 1:
        if pattern[0] < 0:
            c.values[op.result] = _from_scalar(c, c.get(scalars[-1 - pattern[0]]), name, count)
        else:
            c.values[op.result] = _splat(c, inputs[0], pattern[0], name, count)
        return
    if any(i < 0 for i in pattern):
        c.fail(
            "SPY059", "a shuffle that mixes lanes and scalars is not supported", "select after the shuffle"
        )
    row = c.pool.constant("i32", len(pattern), np.asarray(pattern, "<i4").tobytes())
    target = VecReg(name, count)
    source = c.vector(inputs[0])
    c.emit("vshuf", dtype=c.code_of(name), count=count, vd=target, va=source, vb=source, pattern=row)
    c.values[op.result] = target


def _splat(c: Context, value: ir.Value, lane: int, name: str, count: int) -> Any:
    found = c.get(value)
    if isinstance(found, Bits):
        size = c.element_bytes(name)
        data = found.data if found.splat else found.data[lane * size : (lane + 1) * size]
        return Bits(name, 1, data, count)
    if isinstance(found, Loaded):
        if "splat" not in c.unit.features:
            c.fail(
                "SPY064", f"`{c.unit.name}` cannot replicate an element", "replicate it in the compute unit"
            )
        where = found.address.plus(Form(lane * found.stride))
        return replace(found, address=where, count=count, stride=c.element_bytes(name), splat=True)
    return _replicated(c, c.vector(value), lane, count)


def _replicated(c: Context, source: VecReg, lane: int, count: int) -> VecReg:
    target = VecReg(source.dtype, count)
    c.emit("vsplat", dtype=c.code_of(source.dtype), count=count, vd=target, va=source, lane=lane)
    return target


def _from_scalar(c: Context, found: Any, name: str, count: int) -> VecReg:
    bits = found.bits if isinstance(found, BitScalar) else found
    if not isinstance(bits, Form) or c.compute is None:
        c.fail("SPY053", f"`{c.unit.name}` cannot make a vector of this scalar")
    target = VecReg(name, count)
    register = c.scalars.reg(bits)
    c.emit("vset", dtype=c.code_of(name), count=count, vd=target, ra=register, rb=ZERO)
    return target


def broadcast(c: Context, op: ir.Op) -> None:
    """vector.broadcast / vector.splat of a scalar or of one element."""
    name, count = c.vector_type(op.result)
    source = op.operands[0]
    if isinstance(source.type, ir.Vector):
        if c.vector_type(source)[1] != 1:
            c.fail("SPY059", "only one element can be broadcast", "repeat lanes with vectorchain.shuffle")
        c.values[op.result] = _splat(c, source, 0, name, count)
        return
    found = c.get(source)
    if isinstance(found, VecReg):  # a scalar that a reduction left in lane 0
        c.values[op.result] = found if count == 1 else _replicated(c, found, 0, count)
    elif isinstance(found, BitScalar) and found.bits.as_int is not None:
        size = c.element_bytes(name)
        c.values[op.result] = Bits(name, 1, found.bits.as_int.to_bytes(size, "little"), count)
    elif isinstance(found, Form) and found.as_int is not None and not dtype(name).is_float:
        c.values[op.result] = replace(bits_of(c, name, np.asarray([found.as_int])), splat=count)
    else:
        c.values[op.result] = _from_scalar(c, found, name, count)


def step(c: Context, op: ir.Op) -> None:
    """vector.step: 0, 1, 2, …"""
    name, count = c.vector_type(op.result)
    target = VecReg(name, count)
    one = c.scalars.reg(Form(1))
    c.emit("vset", dtype=c.code_of(name), count=count, vd=target, ra=ZERO, rb=one)
    c.values[op.result] = target


def affine_mask(c: Context, op: ir.Op) -> None:
    """create_affine_mask: the lanes in a range."""
    name, count = c.vector_type(op.result)
    symbols = [c.form(v) for v in op.operands]
    (axis,) = box(op.attributes["mask_set"], symbols, "mask_set", c.position)
    target = VecReg(name, count)
    low = c.scalars.reg(Form(axis.lower))
    high = c.scalars.reg(axis.extent.plus(Form(axis.lower)))
    if c.compute is None:
        c.fail("SPY053", f"`{c.unit.name}` has no vector registers for a mask")
    c.emit("vmask", count=count, vd=target, ra=low, rb=high)
    c.values[op.result] = target


def reduction(c: Context, op: ir.Op) -> None:
    """vector.multi_reduction / vector.reduction, ascending, to one element (vector<1xT> or a scalar)."""
    source = c.vector(op.operands[0])
    kind = keyword(op.attributes["kind"])
    spellings = {
        "add": ("addf", "addi"),
        "mul": ("mulf", "muli"),
        "and": ("andi", "andi"),
        "or": ("ori", "ori"),
        "xor": ("xori", "xori"),
    }
    choices = spellings.get(kind, (kind, kind))
    name = choices[0 if dtype(source.dtype).is_float else 1]
    if name not in isa().vector_ops:
        c.fail("SPY051", f"reduction `{kind}` of {source.dtype} has no instruction")
    found = isa().vector_ops[name]
    _supports(c, isa().instructions["vred"].cost or "none", source.dtype)
    target = VecReg(source.dtype, 1)
    code = c.code_of(source.dtype)
    c.emit("vred", op=found.code, dtype=code, count=source.count, vd=target, va=source)
    if len(op.operands) > 1:  # the accumulator comes first
        target = _vop(c, found, [c.vector(op.operands[1]), target], source.dtype, source.dtype, 1, None)
    c.values[op.result] = target


_SPECIAL: Mapping[str, Callable[[Context, ir.Op], None]] = {
    "vectorchain.shuffle": shuffle,
    "vectorchain.create_affine_mask": affine_mask,
    "vector.broadcast": broadcast,
    "vector.splat": broadcast,
    "vector.step": step,
    "vector.reduction": reduction,
    "vector.multi_reduction": reduction,
}
