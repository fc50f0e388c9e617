"""Handlers: constants, index arithmetic, units, uniform maps, symbols."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np

from ..ktir import ir
from ..numerics import dtype, scalar_ops
from .context import Context, Divergent
from .forms import Form, uniform
from .isa import isa
from .plan import Symbol
from .values import Bits, BitScalar, Lookup, Place, Places, View

__all__ = ["HANDLERS", "keyword", "mnemonic", "place_of"]

_NAME = re.compile(r"C(\d+)(?:-[A-Za-z0-9]+)*?(?:-CL(\d+))?(?:-|$)")


def plain(value: Any) -> Any:
    """The Python value inside an attribute."""
    return value.value if isinstance(value, ir.Typed) else value.text if isinstance(value, ir.Raw) else value


def keyword(value: Any) -> str:
    """The keyword of an enum attribute in any of its forms: `#d<kind word>`, `word`, `"word"`."""
    match = re.search(r"(\w+)\W*$", str(plain(value)))
    return match.group(1) if match else str(value)


def constant(c: Context, op: ir.Op) -> None:
    value = op.attributes["value"]
    result = op.result
    if isinstance(result.type, ir.Vector):
        kind, count = c.vector_type(result)
        array = value.array if isinstance(value, ir.Dense) else np.full(count, plain(value))
        c.values[result] = bits_of(c, kind, np.asarray(array).ravel())
        return
    number = plain(value)
    name = getattr(result.type, "name", "")
    if isinstance(number, float):
        t = dtype(name)
        stored = t.to_storage(t.round(np.asarray([number])))
        c.values[result] = BitScalar(name, Form(int.from_bytes(stored.tobytes(), "little")))
    else:
        c.values[result] = Form(int(number) & 1 if name == "i1" else int(number))


def bits_of(c: Context, name: str, array: Any) -> Bits:
    """A vector constant from values (floats or ints) of element type `name`."""
    c.code_of(name)
    t = dtype(name)
    stored = t.to_storage(array if array.dtype == t.compute else t.round(array))
    return squeezed(name, np.ascontiguousarray(stored))


def squeezed(name: str, stored: Any) -> Bits:
    """Equal elements are kept once."""
    raw, size, count = stored.tobytes(), stored.itemsize, stored.size
    if count > 1 and raw == raw[:size] * count:
        return Bits(name, 1, raw[:size], count)
    return Bits(name, count, raw)


def bitstream(c: Context, op: ir.Op) -> None:
    name, count = c.vector_type(op.result)
    size = c.element_bytes(name)
    values = [int(plain(v)) & ((1 << 8 * size) - 1) for v in op.attributes["value"]]
    if len(values) != count:
        c.fail("SPY055", f"constant_bitstream has {len(values)} values for {count} lanes")
    raw = b"".join(v.to_bytes(size, "little") for v in values)
    c.values[op.result] = squeezed(name, np.frombuffer(raw, f"V{size}"))


# ---- arithmetic on scalars


@cache
def _operations() -> dict[str, list[tuple[str, dict[str, str]]]]:
    table: dict[str, list[tuple[str, dict[str, str]]]] = {}
    for name, op in isa().integer_ops.items():
        if op.scalar:
            table.setdefault(op.scalar, []).append((name, dict(op.attributes)))
    return table


def mnemonic(op: ir.Op) -> str | None:
    """The integer operation that an arith op on scalars is, or None."""
    for name, attributes in _operations().get(op.name, ()):
        if all(_case(op, key) == wanted for key, wanted in attributes.items()):
            return name
    return None


def _case(op: ir.Op, key: str) -> str:
    value = plain(op.attributes.get(key))
    cases = scalar_ops()[op.name].cases
    return cases[value] if isinstance(value, int) and value < len(cases) else keyword(value)


def width(kind: ir.Type) -> int:
    return dtype(kind.name).bits if isinstance(kind, ir.Scalar) else 64


def arithmetic(c: Context, op: ir.Op) -> None:
    name = mnemonic(op)
    if name is None:
        c.fail("SPY051", f"`{op.name}` on scalars is not an operation of a unit's integer registers")
    a, b = (c.form(v) for v in op.operands)
    bits = width(op.operands[0].type)
    if bits < 64 and name in ("divu", "remu", "shru", "minu", "maxu", "ltu", "leu", "gtu", "geu", "cdivu"):
        mask = Form((1 << bits) - 1)
        a, b = c.scalars.binary("and", a, mask), c.scalars.binary("and", b, mask)
    result = c.scalars.binary(name, a, b)
    if op.name != "arith.cmpi":  # whose result is 0 or 1
        result = c.scalars.wrapped(result, width(op.result.type))
    c.values[op.result] = result


def convert(c: Context, op: ir.Op) -> None:
    """index_cast, extsi, trunci: registers hold sign-extended values (an i1 0 or 1)."""
    source, target = width(op.operands[0].type), width(op.result.type)
    value = c.form(op.operands[0])
    if op.name in ("arith.extui", "arith.index_castui") and 1 < source < 64:
        value = c.scalars.binary("and", value, Form((1 << source) - 1))
    elif source == 1 and op.name in ("arith.extsi", "arith.index_cast"):
        value = value.times(-1)
    c.values[op.result] = c.scalars.wrapped(value, target) if target < source else value


def bitcast(c: Context, op: ir.Op) -> None:
    """Between a float scalar and the integer with its bits."""
    found, name = c.get(op.operands[0]), getattr(op.result.type, "name", "")
    bits = found.bits if isinstance(found, BitScalar) else c.form(op.operands[0])
    if dtype(name).is_float:
        c.values[op.result] = BitScalar(name, bits)
    else:
        c.values[op.result] = c.scalars.wrapped(bits, dtype(name).bits)


def select(c: Context, op: ir.Op) -> None:
    condition, a, b = (c.form(v) for v in op.operands)
    c.values[op.result] = c.scalars.select(condition, a, b)


def affine_apply(c: Context, op: ir.Op) -> None:
    from .addresses import Expr

    amap = op.attributes["map"]
    given = [Expr(c.scalars, c.form(v)) for v in op.operands]
    (result,) = amap.eval(given[: amap.dims], given[amap.dims :])
    c.values[op.result] = Expr.of(c.scalars, result).form


# ---- units, maps, symbols


def place_of(c: Context, op: ir.Op) -> Place:
    """`get_unit`: which unit or memory of the arch, and which instance. SPY056: the arch has none such."""
    arch, machine = c.machine.arch, c.machine
    kind, name = str(op.attributes.get("type", "")), str(op.attributes.get("name", ""))
    grid, inner = op.attributes.get("core"), op.attributes.get("corelet")
    if grid is None and (match := _NAME.match(name)):
        grid, inner = match.group(1), inner if inner is not None else match.group(2)
    core, corelet = int(plain(grid) or 0), int(plain(inner) or 0)
    known = machine.named.get(kind.lower())
    if known is None:
        hint = f"it has {', '.join(machine.named)}"
        c.fail("SPY056", f"`{arch.name}` has no unit or memory of type `{kind}`", hint)
    element, memory, group = known
    found = Place(element, memory, group, machine.instance(group, core, corelet))
    if not 0 <= found.instance < machine.counts[found.group]:
        count = machine.counts[found.group]
        c.fail("SPY056", f"`{arch.name}` has no `{name}`: there are {count} instances of its kind")
    return found


def get_unit(c: Context, op: ir.Op) -> None:
    c.values[op.result] = place_of(c, op)


def mapping(c: Context, op: ir.Op) -> None:
    sizes = op.attributes.get("operandSegmentSizes")
    n = int(sizes[0]) if sizes else len(op.operands) // 2
    keys, values = op.operands[:n], op.operands[n:]
    entries = {}
    for key, value in zip(keys, values, strict=True):
        place = c.get(key)
        if not isinstance(place, Place):
            c.fail("SPY052", f"%{key.name}: the keys of a uniform map are units")
        entries[place] = c.get(value)
    c.values[op.result] = Lookup(entries)


def query(c: Context, op: ir.Op) -> None:
    table, key = c.get(op.operands[0]), c.places(op.operands[1])
    if not isinstance(table, Lookup):
        c.fail("SPY052", f"%{op.operands[0].name} is not a uniform map")
    found = []
    for place in key.each:
        if place not in table.entries:
            message = f"the map has no entry for instance {place.instance} of {place.name}"
            c.fail("SPY057", message, "a map needs an entry for every unit of the program")
        found.append(table.entries[place])
    c.values[op.result] = merged(found)


def merged(found: list[Any]) -> Any:
    """One value out of the values of all instances."""
    first = found[0]
    if all(v == first for v in found):
        return first
    if all(isinstance(v, Form) and v.as_int is not None for v in found):
        return Form(uniform(tuple(v.as_int for v in found)))
    if all(isinstance(v, (Place, Places)) for v in found):
        return Places(tuple(v if isinstance(v, Place) else v.each[i] for i, v in enumerate(found)))
    if all(isinstance(v, Form) and v.is_constant for v in found):
        constants = [v.constant for v in found]
        return Form(uniform(tuple(k[i] if isinstance(k, tuple) else k for i, k in enumerate(constants))))
    if all(isinstance(v, View) for v in found):
        alike = {(v.layout, v.dtype) for v in found}
        if len(alike) == 1:
            memory, base = merged([v.memory for v in found]), merged([v.base for v in found])
            return View(memory, base, first.layout, first.dtype, first.element_bytes)
    raise Divergent


def symbol(c: Context, op: ir.Op) -> None:
    number = op.attributes.get("SymbolId")
    if number is None or int(plain(number)) >= 0:
        c.fail(
            "SPY058",
            "create_symbol needs a negative SymbolId",
            "argument i of the kernel has SymbolId -(i + 1)",
        )
    key = int(plain(number))
    if key not in c.pool.symbols:
        argument = c.pool.symbol_arguments.get(key, -key - 1)
        name = c.pool.scalar_types.get(argument, "index")
        kind = "address" if name == "index" else "scalar"
        c.pool.symbols[key] = Symbol(len(c.pool.symbols), argument, kind, name)
    found = c.pool.symbols[key]
    c.values[op.result] = c.scalars.symbol(found.index)


HANDLERS = {
    "arith.constant": constant,
    "arith.bitcast": bitcast,
    "arith.select": select,
    "affine.apply": affine_apply,
    "dataflow.get_unit": get_unit,
    "uniform.def_immutable_mapping": mapping,
    "uniform.query_map": query,
    "symbol.create_symbol": symbol,
    "vectorchain.constant_bitstream": bitstream,
    **{f"arith.{n}": convert for n in ["extsi", "extui", "trunci", "index_cast", "index_castui"]},
    **dict.fromkeys(_operations(), arithmetic),
}
