"""Components that do the same work twice: a kernel whose tiles do not all use their coordinates.

Two components of a group with equal operands in every word load the same bytes, hence store the same
values; that both store them is no race, unless one also reads what the other stores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .groups import Group
from .trace import Block, Transfer

__all__ = ["first_twins"]


@lru_cache(maxsize=8)
def first_twins(group: Group) -> tuple[int, ...]:
    """For every component of a group the first one with the same operands."""
    digests = [hashlib.sha256() for _ in range(group.components)]
    for array in _operands(group):
        rows = np.ascontiguousarray(np.broadcast_to(array, (*array.shape[:-1], group.components)).T)
        for digest, row in zip(digests, rows, strict=True):
            digest.update(row.tobytes())
    first: dict[bytes, int] = {}
    return tuple(first.setdefault(d.digest(), c) for c, d in enumerate(digests))


def _operands(group: Group) -> Iterator[NDArray[np.int64]]:
    """Addresses and integer operands of vector words, with the components as last axis."""
    for member in group.members:
        for item in member.items:
            if isinstance(item, Transfer):
                yield item.source_address
                yield item.destination_address
            elif isinstance(item, Block):
                for step in item.steps:
                    yield from step.values
                    if step.address is not None:
                        yield step.address
