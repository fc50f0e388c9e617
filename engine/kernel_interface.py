"""What a launch of a kernel must be given: its parameters, read off the lifted program."""

from __future__ import annotations

from .arguments import Parameter
from .options import Options
from .schedule import Program, View

__all__ = ["parameters_of"]


def parameters_of(program: Program, options: Options) -> tuple[Parameter, ...]:
    """One per argument, in call order. A buffer's dtype is known when all its views agree, its least size
    when they start at the base itself and have constant shapes and strides."""
    views: dict[str, list[View]] = {}
    for view in program.views.values():
        root, _ = program.buffer_of(view.name)
        if isinstance(root, str):
            views.setdefault(root, []).append(view)
    return tuple(
        _parameter(program, name, kind, views.get(name, []), options) for name, kind in program.args.items()
    )


def _parameter(program: Program, name: str, kind: str, views: list[View], options: Options) -> Parameter:
    position = program.arg_positions.get(name, views[0].position if views else None)
    where = {} if position is None else {"position": position}
    if kind != "index" or not views:
        return Parameter(name, buffer=False, dtype=None, **where)
    dtypes = {v.dtype for v in views}
    only = dtypes.pop() if len(dtypes) == 1 else None
    return Parameter(name, True, only, _elements(program, views) if only else None, **where)


def _elements(program: Program, views: list[View]) -> int | None:
    """Elements that the views reach from the base; None when one is not constant."""
    reach = 0
    for view in views:
        _, offset = program.buffer_of(view.name)
        sizes = (*view.shape, *view.strides)
        if not isinstance(offset, int) or not all(isinstance(n, int) for n in sizes):
            return None
        last = sum((int(n) - 1) * int(s) for n, s in zip(view.shape, view.strides, strict=True))
        reach = max(reach, offset + last + 1)
    return reach
