"""The one place that imports MLIR's Python bindings, on first use.

`mlir.ir` (a local LLVM build), `torch_mlir.ir` (the wheel tilesat depends on) or `iree.compiler.ir`.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from ..diagnostics import fail

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
    ctx = ir().Context()
    ctx.allow_unregistered_dialects = True
    ctx.enable_multithreading(False)
    return ctx
