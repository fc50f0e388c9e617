"""The one place that imports MLIR's Python bindings, on first use.

`mlir.ir` (a local LLVM build), `torch_mlir.ir` (the wheel tilesat depends on) or `iree.compiler.ir`.
"""

from __future__ import annotations

import importlib
import sys
import types
from functools import cache
from typing import Any

from ..diagnostics import fail
from ..specs.dialects import dialect_names

__all__ = ["context", "ir"]

_CANDIDATES = ("mlir.ir", "torch_mlir.ir", "iree.compiler.ir")


@cache
def ir() -> Any:
    """The bindings' `ir` module."""
    for name in _CANDIDATES:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    fail("MLIR001", "no MLIR Python bindings found", hint="pip install torch-mlir==20261001")


@cache
def context() -> Any:
    """The process's context: upstream dialects registered, unknown dialects let through."""
    _spare_op_classes()
    ctx = ir().Context()
    ctx.allow_unregistered_dialects = True
    ctx.enable_multithreading(False)
    return ctx


def _spare_op_classes() -> None:
    """Keep the bindings from importing a Python module per dialect when they wrap an operation.

    We use none of those classes; their import costs 100 ms (linalg's most), and for a dialect that has no
    module the search is repeated for every operation.
    """
    package = "tilesat_no_op_classes"
    bindings = importlib.import_module(ir().__name__.rpartition(".")[0] + "._mlir_libs._mlir")
    found = getattr(bindings, "globals", None)
    if found is None or not hasattr(found, "dialect_search_modules"):
        return
    sys.modules.setdefault(package, types.ModuleType(package))
    for name in dialect_names():
        sys.modules.setdefault(f"{package}.{name}", types.ModuleType(f"{package}.{name}"))
    found.dialect_search_modules = [package, *found.dialect_search_modules]
