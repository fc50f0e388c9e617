"""What a launch of a kernel must be given, read off its KTIR."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from .arguments import Parameter, in_storage
from .diagnostics import Position, fail
from .ktir.ir import MemRef, Op, Scalar, Value
from .numerics import DType, dtype, resolve
from .options import Options
from .schedule.index import linear
from .schedule.lift_index import IndexLift, is_integer
from .schedule.lift_tensor import semantics

__all__ = ["BakedView", "addresses_known", "baked_views", "memory_types", "parameters_from", "parameters_of"]


def parameters_of(function: Op, options: Options | None = None, source: str = "") -> tuple[Parameter, ...]:
    """One per argument of a kernel, in call order.

    An `index` argument is a buffer's address when a view starts at it. The buffer's dtype is known when all
    such views agree, its least size when their shapes and strides are constant. An `index` argument that only
    takes part in arithmetic may be either. `source` is the file's text, for the places of
    arguments without a view.
    """
    addresses = _Addresses(function, options or Options())
    views: dict[Value, list[_View]] = {}
    for op in _views(function):
        root, offset = addresses.root(op)
        if root is not None:
            views.setdefault(root, []).append(_View(op, offset))
    used = {value for op in function.walk() for value in op.operands}
    return tuple(
        replace(
            _parameter(v, views.get(v, []), v in used), position=_place(v, views.get(v), function, source)
        )
        for v in function.regions[0].blocks[0].args
    )


def _place(argument: Value, views: list[_View] | None, function: Op, source: str) -> Position:
    """The first view of a buffer, which says its type and size; else where the text declares the argument, or
    the function when that cannot be told."""
    if views:
        return views[0].op.position
    here = function.position
    start = sum(map(len, source.splitlines(keepends=True)[: max(0, here.line - 1)]))
    found = re.compile(rf"%{re.escape(argument.name)}\s*:").search(source, start)
    if found is None or not here.line:
        return here
    before = source[: found.start()]
    return replace(here, line=before.count("\n") + 1, column=len(before) - before.rfind("\n"))


def _views(function: Op) -> Iterator[Op]:
    return (op for op in function.walk() if semantics(op.name) == "memory_view")


@dataclass(frozen=True, slots=True)
class _View:
    """A view and how many elements after an argument's address it starts; None: not constant."""

    op: Op
    offset: int | None

    @property
    def extent(self) -> int | None:
        """Elements from the argument's address to the view's last element."""
        own = _extent(self.op)
        if own is None or self.offset is None:
            return None
        return max(0, own + self.offset) if own else 0

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Of the tensor that the view is of the whole buffer, row-major; None when it is not such a view."""
        sizes = tuple(_integers(self.op.attributes["static_sizes"]))
        strides = _integers(self.op.attributes["static_strides"])
        dense = [math.prod(sizes[d + 1 :]) for d in range(len(sizes))]
        return sizes if self.offset == 0 and min(sizes, default=0) > 0 and strides == dense else None


class _Addresses:
    """Addresses as the lift reads them: an argument plus a distance, or a constant."""

    def __init__(self, function: Op, options: Options) -> None:
        args = function.regions[0].blocks[0].args
        self.by_name = {f"%{k}": value for k, value in enumerate(args)}
        self.lift = IndexLift({})
        self.lift.env = {value: name for name, value in self.by_name.items()}
        for op in function.walk():
            inner = [v for region in op.regions for block in region.blocks for v in block.args]
            for value in (*op.results, *inner):
                if is_integer(value.type) and self.lift.index(value) is None:
                    self.lift.env[value] = f"?{len(self.lift.env)}"
        self.in_bytes = options.address_unit == "bytes"

    def root(self, view: Op) -> tuple[Value | None, int | None]:
        """The argument that a view's address is counted from, and the distance in elements; without
        argument the address itself in the unit of addresses. None: not constant."""
        address = self.lift.index(view.operands[0])
        if address is None:
            return None, None
        terms, const = linear(address)
        roots = [self.by_name[str(n)] for n, c in terms.items() if c == 1 and n in self.by_name]
        roots = [value for value in roots if value.type == Scalar("index")]
        if not roots:
            return None, None if terms else const
        if len(terms) > 1:
            return roots[0], None
        return roots[0], const // (dtype(_element(view)).nbytes if self.in_bytes else 1)


def _parameter(value: Value, views: list[_View], used: bool) -> Parameter:
    if views:
        kinds = {_element(view.op) for view in views}
        if len(kinds) > 1:
            return Parameter(value.name, True)
        extents = [view.extent for view in views]
        known = [n for n in extents if n is not None]
        least = max(known) if len(known) == len(extents) else None
        shapes = {view.shape for view in views}
        return Parameter(
            value.name, True, kinds.pop(), least, shape=shapes.pop() if len(shapes) == 1 else None
        )
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


def baked_views(function: Op, options: Options | None = None) -> Iterator[BakedView]:
    """The views of a kernel that start at a constant."""
    addresses = _Addresses(function, options or Options())
    for op in _views(function):
        root, address = addresses.root(op)
        space = op.attributes.get("memory_space")
        if root is not None or address is None or (space is not None and space.kind != "global"):
            continue
        shape = "x".join("?" if n < 0 else str(n) for n in _integers(op.attributes["static_sizes"]))
        yield BakedView(op.result.name, address, _element(op), shape, _extent(op), op.position)


def addresses_known(function: Op, options: Options | None = None) -> bool:
    """Whether every view starts at an argument's address or at a constant."""
    addresses = _Addresses(function, options or Options())
    return all(addresses.root(op) != (None, None) for op in _views(function))


def parameters_from(hcm: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """From host-compute metadata: what the compiler wrote down, or what the symbols need."""
    described = hcm.get("vdci", {}).get("arguments", ())
    if described:
        return tuple(Parameter.from_json(entry) for entry in described)
    used = {int(entry["argument"]) for entry in hcm.get("senConstants", ())}
    return tuple(Parameter(f"arg{i}", None) for i in range(max(used, default=-1) + 1))


def memory_types(
    views: Sequence[BakedView],
    memory: Mapping[int, NDArray[Any]],
    options: Options,
    complete: bool = False,
) -> dict[int, DType]:
    """Element types of the buffers at constant addresses, by address; `complete`: there are no other views.

    ARG002: a view lies in none of them; ARG003: a buffer that no view lies in, where all are known; ARG005:
    dtype; ARG006: the buffer is too small.
    """
    types: dict[int, DType] = {}
    for view in views:
        home = _home(view, memory, options)
        types[home] = resolve(dtype(view.dtype), options.numerics)
        in_storage(f"the buffer at address {home}", memory[home], types[home], view.position)
    for address in memory if complete else ():
        if address not in types:
            known = ", ".join(f"{v.address} (%{v.name})" for v in views) or "none"
            message = f"the kernel has no view at address {address}"
            fail("ARG003", message, Position(f"--mem {address}=…"), f"its constant addresses: {known}")
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
