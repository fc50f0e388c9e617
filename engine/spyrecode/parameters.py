"""What a launch must be given, as far as a DataflowIR module declares it."""

from __future__ import annotations

from ..arguments import Parameter
from ..diagnostics import fail
from ..ktir import ir

__all__ = ["declared_parameters", "symbol_arguments"]


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


def symbol_arguments(module: ir.Module) -> dict[int, int]:
    """SymbolId → position of the argument it stands for, as `symbol.create_id` declares them.

    Undeclared ids stand for argument -id - 1. SPY059: a symbol that is computed from arguments.
    """
    found = {}
    for op in module.op.walk():
        if op.name != "symbol.create_id":
            continue
        (source,) = op.operands
        if not isinstance(source.owner, ir.Block):
            message = f"%{source.name} is computed from arguments: only arguments themselves can be symbols"
            fail("SPY059", message, op.position, "do the arithmetic in the units' programs")
        number = op.attributes["symbol_id"]
        found[int(getattr(number, "value", number))] = source.owner.args.index(source)
    return found
