"""What a launch of a kernel must be given: read off the lifted program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import NDArray

from .arguments import Parameter, in_storage
from .diagnostics import Position, fail
from .ktir.ir import Op, Value
from .numerics import dtype, resolve
from .options import Options
from .schedule import Program, View

__all__ = ["baked_views", "check_memory", "parameters_of"]


def parameters_of(program: Program, function: Op) -> tuple[Parameter, ...]:
    """One per argument of `function`, in call order.

    A buffer's dtype is known when all its views agree, its least size when they start at constant offsets and
    have constant shapes and strides.
    """
    views: dict[str, list[View]] = {}
    for view in program.views.values():
        root, _ = program.buffer_of(view.name)
        if isinstance(root, str) and view.space == "global":
            views.setdefault(root, []).append(view)
    used = {value for op in function.walk() for value in op.operands}
    arguments = function.regions[0].blocks[0].args
    return tuple(
        _parameter(program, value, kind, views.get(name, []), value in used)
        for value, (name, kind) in zip(arguments, program.args.items(), strict=True)
    )


def _parameter(program: Program, value: Value, kind: str, views: list[View], used: bool) -> Parameter:
    if not used:
        return Parameter(value.name, buffer=None)
    if kind != "index":
        return Parameter(value.name, buffer=False)
    dtypes = {v.dtype for v in views}
    only = dtypes.pop() if len(dtypes) == 1 else None
    where = views[0].position if views else Position()
    return Parameter(value.name, True, only, _elements(program, views) if only else None, where)


def _elements(program: Program, views: list[View]) -> int | None:
    """Elements that the views reach from the base; None when one is not constant."""
    reach = 0
    for view in views:
        _, offset = program.buffer_of(view.name)
        extent = _extent(view)
        if not isinstance(offset, int) or extent is None:
            return None
        reach = max(reach, offset + extent)
    return reach


def _extent(view: View) -> int | None:
    """Elements from a view's base to its last element; None when sizes or strides are not constant."""
    shape = [n for n in view.shape if isinstance(n, int)]
    strides = [n for n in view.strides if isinstance(n, int)]
    if len(shape) != len(view.shape) or len(strides) != len(view.strides):
        return None
    return sum((n - 1) * max(s, 0) for n, s in zip(shape, strides, strict=True)) + 1 if all(shape) else 0


def baked_views(program: Program) -> Iterable[tuple[int, View]]:
    """Views in global memory at constant ("baked") addresses, with the address."""
    for view in program.views.values():
        root, address = program.buffer_of(view.name)
        if root is None and isinstance(address, int) and view.space == "global":
            yield address, view


def check_memory(
    views: Iterable[tuple[int, View]], memory: Mapping[int, NDArray[Any]], options: Options
) -> dict[int, NDArray[Any]]:
    """The buffers at constant addresses in storage form, once every baked view lies in one of them.

    ARG002: a view lies in none; ARG005: dtype; ARG006: the buffer is too small.
    """
    result = dict(memory)
    for address, view in views:
        home = _home(address, view, memory, options)
        element = resolve(dtype(view.dtype), options.numerics)
        result[home] = in_storage(f"the buffer at address {home}", memory[home], element, view.position)
    return result


def _home(address: int, view: View, memory: Mapping[int, NDArray[Any]], options: Options) -> int:
    in_bytes = options.address_unit == "bytes"
    extent = _extent(view)
    n_bytes = dtype(view.dtype).nbytes
    for base in sorted(memory, reverse=True):
        if base <= address:
            size = memory[base].nbytes if in_bytes else memory[base].size
            end = address + (extent or 1) * (n_bytes if in_bytes else 1)
            if address > base and address >= base + size:
                break
            if extent is not None and end > base + size:
                message = (
                    f"`%{view.name}` is used up to address {end}, the buffer at {base} ends at {base + size}"
                )
                fail("ARG006", message, view.position, f"give a buffer of at least {end - base} elements")
            return base
    sizes = "×".join(map(str, view.shape))
    message = (
        f"`%{view.name}` ({sizes} {view.dtype}) lies at the constant address {address}, where no buffer is"
    )
    fail("ARG002", message, view.position, f"add --mem {address}=FILE.npy")
