"""Timing classes: components of a group that also use the same scratchpad addresses behave alike in time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch
from .groups import Group, is_global
from .trace import Block, Transfer

__all__ = ["timing_classes"]


def timing_classes(group: Group, arch: Arch) -> list[tuple[int, int]]:
    """(first component, number of components) of every class, by first component."""
    rows = [a for a in _local_addresses(group, arch) if a.shape[-1] > 1]
    if group.components == 1 or not rows:
        return [(0, group.components)]
    columns = np.concatenate([r.reshape(-1, group.components) for r in rows])
    columns = columns[(columns != columns[:, :1]).any(axis=1)]
    if not columns.size:
        return [(0, group.components)]
    _, first, count = np.unique(columns, axis=1, return_index=True, return_counts=True)
    return sorted(zip(first.tolist(), count.tolist(), strict=True))


def _local_addresses(group: Group, arch: Arch) -> Iterator[NDArray[Any]]:
    for member in group.members:
        for item in member.items:
            if isinstance(item, Block):
                for step in item.steps:
                    if step.op.memory is not None and not is_global(arch, step.op.memory):
                        assert step.address is not None
                        yield step.address
            elif isinstance(item, Transfer):
                if not is_global(arch, item.source):
                    yield item.source_address
                if not is_global(arch, item.destination):
                    yield item.destination_address
