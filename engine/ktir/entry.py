"""Which function of a module is the kernel."""

from __future__ import annotations

from ..diagnostics import fail
from .ir import Module, Op

__all__ = ["entry_function"]


def entry_function(module: Module, name: str | None = None) -> Op:
    """The function called `name`, or the only public one (of those with a `grid`, if there are any).

    ENTRY001: there is no such function, or more than one.
    """
    functions = module.functions()
    known = ", ".join(str(f.attributes.get("sym_name")) for f in functions) or "none"
    if name is not None:
        for function in functions:
            if function.attributes.get("sym_name") == name:
                return function
        what = f"the module has no function `{name}`"
        fail("ENTRY001", what, module.op.position, f"functions: {known}")
    public = [f for f in functions if f.attributes.get("sym_visibility") != "private"]
    kernels = [f for f in public if "grid" in f.attributes] or public
    if len(kernels) != 1:
        what = "the module has several kernels" if kernels else "the module has no kernel"
        fail("ENTRY001", what, module.op.position, f"name one with --entry; functions: {known}")
    return kernels[0]
