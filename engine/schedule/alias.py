"""Which views may share memory: the same buffer argument, or baked addresses whose ranges meet."""

from __future__ import annotations

from collections.abc import Collection

from ..numerics import dtype
from .index import Index, add, linear, mul, sub
from .program import View

__all__ = ["disjoint", "root_of"]


def root_of(view: View, arguments: Collection[str]) -> str | None:
    """The buffer argument that the view's address starts from; None for a baked address."""
    terms, _ = linear(view.base)
    return next((n for n, c in terms.items() if c == 1 and isinstance(n, str) and n in arguments), None)


def disjoint(a: View, b: View, arguments: Collection[str], may_alias: bool = False) -> bool:
    """Can the two views certainly not overlap? Distinct arguments (and an argument and a baked address)
    are taken to be disjoint buffers unless `may_alias`."""
    if a.space != b.space:
        return True
    if a.space == "ct_local" and isinstance(a.ct_id, int) and isinstance(b.ct_id, int) and a.ct_id != b.ct_id:
        return True
    root_a, root_b = root_of(a, arguments), root_of(b, arguments)
    if root_a != root_b:
        return not may_alias
    if a.name == b.name:
        return False
    size_a, size_b = dtype(a.dtype).nbytes, dtype(b.dtype).nbytes
    if root_a is not None and size_a != size_b:
        return False  # offsets count elements of different sizes from an address that is not known
    gap = sub(mul(b.base, size_b), mul(a.base, size_a))
    span_a, span_b = _span(a), _span(b)
    if not isinstance(gap, int) or span_a is None or span_b is None:
        return False
    return gap >= span_a * size_a or -gap >= span_b * size_b


def _span(view: View) -> int | None:
    """Elements from the first to one past the last that the view covers, strides being non-negative."""
    last: Index = 0
    for extent, stride in zip(view.shape, view.strides, strict=True):
        if not isinstance(stride, int) or stride < 0:
            return None
        last = add(last, mul(stride, sub(extent, 1)))
    return last + 1 if isinstance(last, int) else None
