"""Which scratchpad elements hold a value: reading one that nothing wrote is a fault of the kernel.

Scratchpads start undefined (`Options.lx_between_kernels`), so a value read before it was written would
depend on whatever ran before. `Buffer.written` marks bytes; only scratchpads have it.
"""

from __future__ import annotations

import numpy as np

from ...diagnostics import Position, fail
from .batch import Array
from .memory import View

__all__ = ["marks", "require"]

_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def marks(view: View) -> Array | None:
    """The marks of a view's buffer, one per element of the view: all bits set where written."""
    written = view.buffer.written
    return None if written is None else written.view(_UNSIGNED[view.dtype.nbytes])


def require(places: Array, where: Position) -> None:
    """REF023: something in a part of the marks was never written."""
    if places.size and not (places == np.iinfo(places.dtype).max).all():
        hint = "store to it first, pass scratch=…, or use the option lx-between-kernels=kept"
        fail("REF023", "a load reads scratchpad that nothing has written", where, hint)
