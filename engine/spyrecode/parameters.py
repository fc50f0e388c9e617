"""What a launch must be given, as far as a DataflowIR module declares it."""

from __future__ import annotations

from ..arguments import Parameter
from ..ktir import ir

__all__ = ["declared_parameters"]


def declared_parameters(module: ir.Module, name: str) -> list[Parameter]:
    """From the kernel's declaration: the function `name`, else the first function with arguments.

    An `index` may be a buffer's address or a number: its `buffer` is None.
    """
    functions = [o for o in module.op.walk() if o.name == "func.func"]
    named = [f for f in functions if f.attributes.get("sym_name") == name]
    for function in [*named, *functions]:
        blocks = function.regions[0].blocks if function.regions else []
        if blocks and blocks[0].args:
            return [_declared(v, function) for v in blocks[0].args]
    return []


def _declared(value: ir.Value, function: ir.Op) -> Parameter:
    kind = value.type.element if isinstance(value.type, ir.RuntimeArg) else value.type
    if isinstance(kind, ir.Scalar) and kind.name != "index":
        return Parameter(value.name, False, kind.name, None, function.position)
    return Parameter(value.name, None, None, None, function.position)
