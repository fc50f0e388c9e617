"""What a launch of a kernel must be given, read off its KTIR."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from .arguments import Parameter, in_storage
from .diagnostics import Position, fail
from .ktir.ir import MemRef, Op, Scalar, Typed, Value
from .numerics import DType, dtype, resolve
from .options import Options
from .schedule.lift_tensor import semantics

__all__ = ["BakedView", "baked_views", "memory_types", "parameters_from", "parameters_of"]


def parameters_of(function: Op) -> tuple[Parameter, ...]:
    """One per argument of a kernel, in call order.

    An `index` argument is a buffer's address when a view starts at it. The buffer's dtype is known when all
    such views agree, its least size when their shapes and strides are constant. An `index` argument that only
    takes part in arithmetic may be either.
    """
    views: dict[Value, list[Op]] = {}
    for op in _views(function):
        views.setdefault(op.operands[0], []).append(op)
    used = {value for op in function.walk() for value in op.operands}
    return tuple(
        _parameter(value, views.get(value, []), value in used) for value in function.regions[0].blocks[0].args
    )


def _views(function: Op) -> Iterator[Op]:
    return (op for op in function.walk() if semantics(op.name) == "memory_view")


def _parameter(value: Value, views: list[Op], used: bool) -> Parameter:
    if views:
        kinds = {_element(op) for op in views}
        if len(kinds) > 1:
            return Parameter(value.name, True, position=views[0].position)
        extents = [_extent(op) for op in views]
        least = max(n for n in extents if n is not None) if None not in extents else None
        return Parameter(value.name, True, kinds.pop(), least, views[0].position)
    if isinstance(value.type, MemRef):
        return Parameter(value.name, True, value.type.element.name)
    anything = not used or value.type == Scalar("index")
    scalar = value.type.name if isinstance(value.type, Scalar) and not anything else None
    return Parameter(value.name, None if anything else False, scalar)


def _element(view: Op) -> str:
    assert isinstance(view.result.type, MemRef)
    return view.result.type.element.name


def _extent(view: Op) -> int | None:
    """Elements from a view's base to its last element; None when sizes or strides are not constant."""
    sizes, strides = (_integers(view.attributes[f"static_{what}"]) for what in ("sizes", "strides"))
    if min((*sizes, *strides), default=0) < 0:
        return None
    return 1 + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True)) if all(sizes) else 0


def _integers(values: Iterable[Any]) -> list[int]:
    """Plain ints of an attribute; -1 for what is known only at launch."""
    found = (getattr(v, "value", v) for v in values)
    return [-1 if v is None else int(v) for v in found]


@dataclass(frozen=True, slots=True)
class BakedView:
    """A view in global memory at a constant ("baked") address; `extent` as for `_extent`."""

    name: str
    address: int
    dtype: str
    shape: str
    extent: int | None
    position: Position


def baked_views(function: Op) -> Iterator[BakedView]:
    """The views of a kernel that start at a constant."""
    constants = {
        op.result: op.attributes["value"] for op in function.walk() if semantics(op.name) == "constant"
    }
    for op in _views(function):
        value = constants.get(op.operands[0])
        space = op.attributes.get("memory_space")
        if value is None or (space is not None and space.kind != "global"):
            continue
        address = value.value if isinstance(value, Typed) else value
        shape = "x".join("?" if n < 0 else str(n) for n in _integers(op.attributes["static_sizes"]))
        yield BakedView(op.result.name, int(address), _element(op), shape, _extent(op), op.position)


def parameters_from(hcm: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """From host-compute metadata: what the compiler wrote down, or what the symbols need."""
    described = hcm.get("vdci", {}).get("arguments", ())
    if described:
        return tuple(Parameter.from_json(entry) for entry in described)
    used = {int(entry["argument"]) for entry in hcm.get("senConstants", ())}
    return tuple(Parameter(f"arg{i}", None) for i in range(max(used, default=-1) + 1))


def memory_types(
    views: Iterable[BakedView], memory: Mapping[int, NDArray[Any]], options: Options
) -> dict[int, DType]:
    """Element types of the buffers at constant addresses, by address.

    ARG002: a view lies in none of them; ARG005: dtype; ARG006: the buffer is too small.
    """
    types: dict[int, DType] = {}
    for view in views:
        home = _home(view, memory, options)
        types[home] = resolve(dtype(view.dtype), options.numerics)
        in_storage(f"the buffer at address {home}", memory[home], types[home], view.position)
    return types


def _home(view: BakedView, memory: Mapping[int, NDArray[Any]], options: Options) -> int:
    """Address of the buffer that a view starts in."""
    in_bytes = options.address_unit == "bytes"
    unit = dtype(view.dtype).nbytes if in_bytes else 1
    for base in sorted(memory, reverse=True):
        end = base + (memory[base].nbytes if in_bytes else memory[base].size)
        if not base <= view.address < end:
            continue
        last = view.address + (view.extent or 0) * unit
        if last > end:
            message = f"%{view.name} is used up to address {last}, the buffer at {base} ends at {end}"
            fail(
                "ARG006",
                message,
                view.position,
                f"give a buffer of at least {last - base} {options.address_unit}",
            )
        return base
    message = f"%{view.name} ({view.shape} {view.dtype}) lies at the constant address {view.address}"
    fail("ARG002", f"{message}, where no buffer is", view.position, f"add --mem {view.address}=FILE.npy")
