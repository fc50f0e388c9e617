"""What a launch must be given: between DataflowIR's declarations, `Parameter`s and host-compute metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..arguments import Parameter
from ..ktir import ir
from ..numerics import dtype

__all__ = ["declared_parameters", "parameter_entries", "parameters_of"]


def declared_parameters(module: ir.Module, name: str) -> list[Parameter]:
    """From the kernel's declaration (the function `name`, else any function with arguments).

    An `index` may be a buffer's address or a number: `buffer` is None.
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


def parameter_entries(parameters: Iterable[Parameter]) -> list[dict[str, str]]:
    """JSON objects for `hcm`; all values are strings, unknown ones are absent."""
    entries = []
    for p in parameters:
        kind = {True: "buffer", False: "scalar", None: "any"}[p.buffer]
        entry = {"name": p.name, "kind": kind}
        if p.dtype is not None:
            entry["dtype"] = p.dtype
        if p.elements is not None:
            entry["elements"] = str(p.elements)
        entries.append(entry)
    return entries


def parameters_of(hcm: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """The parameters kept in `hcm`; else one of unknown kind per argument that a symbol names."""
    given = hcm.get("vdci", {}).get("arguments")
    if given is not None:
        kinds = {"buffer": True, "scalar": False}
        return tuple(
            Parameter(
                str(e["name"]),
                kinds.get(e["kind"]),
                dtype(e["dtype"]).name if "dtype" in e else None,
                int(e["elements"]) if "elements" in e else None,
            )
            for e in given
        )
    count = max((int(e["argument"]) + 1 for e in hcm.get("senConstants", ())), default=0)
    return tuple(Parameter(f"arg{i}", None) for i in range(count))
