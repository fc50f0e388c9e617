"""What a unit does, with all addresses known: the result of running its integer words.

One trace serves all *lanes* (instances of a unit kind) whose control flow is the same. Arrays have the
lanes as last axis; a length of 1 means "the same for all". A trace is a list of items in program order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import DType

__all__ = ["Block", "Item", "Lanes", "Op", "Step", "Sync", "Transfer", "carries"]

Lanes = NDArray[np.int64]  # (lanes,)
Grid = NDArray[np.int64]  # (iterations or 1, lanes or 1)


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """The constant part of a word that occupies the data path."""

    index: int  # word number in the program
    name: str
    fields: Mapping[str, int]
    dtype: DType | None
    count: int  # lanes of the vector
    memory: str | None
    peer: str | None  # unit kind at the other end of the FIFO or semaphore
    reads: tuple[tuple[int, int], ...] = ()  # vector registers: (first stick, one past the last)
    writes: tuple[int, int] | None = None

    @property
    def nbytes(self) -> int:
        assert self.dtype is not None
        return self.dtype.nbytes * self.count


@dataclass(slots=True, eq=False)
class Step:
    """One vector word inside a block, with its run-time operands."""

    op: Op
    address: Grid | None = None  # bytes
    stride: int = 0  # bytes between lanes of the vector; 0 = contiguous
    instance: Lanes | None = None  # of the memory
    peer: Lanes | None = None  # instance of the peer
    member: int = -1  # the peer's position in its component (groups.py)
    values: tuple[Grid, ...] = ()  # integer operands of vset, vmask

    @property
    def element_bytes(self) -> int:
        assert self.op.dtype is not None
        return self.op.dtype.nbytes

    @property
    def runs(self) -> tuple[int, int]:
        """(runs, bytes of one) in memory: a whole vector, a splat's element, or strided elements."""
        if self.op.fields.get("splat"):
            return 1, self.element_bytes
        if self.stride in (0, self.element_bytes):
            return 1, self.op.nbytes
        return self.op.count, self.element_bytes


@dataclass(slots=True, eq=False)
class Block:
    """Straight-line vector words, executed `trips` times."""

    trips: int
    steps: list[Step]
    carried: bool  # some vector register is read from the previous iteration


@dataclass(slots=True, eq=False)
class Sync:
    """`signal` or `await` on a semaphore with instance `peer` (per lane) of unit kind `op.peer`."""

    op: Op
    peer: Lanes
    channel: int
    wait: bool = False
    member: int = -1


@dataclass(slots=True, eq=False)
class Transfer:
    """A memory-to-memory copy: runs of `run` bytes at source + offset to destination + offset.

    `cleared` are destination offsets (of `element` bytes each) that receive zero.
    """

    op: Op
    source: str
    destination: str
    source_address: Lanes
    destination_address: Lanes
    source_instance: Lanes
    destination_instance: Lanes
    source_offsets: NDArray[np.int64]
    destination_offsets: NDArray[np.int64]
    run: int
    cleared: NDArray[np.int64]
    element: int
    source_runs: tuple[int, int] = field(default=(0, 0))  # (how many, bytes of one): contiguous in the source
    destination_runs: tuple[int, int] = field(default=(0, 0))

    @property
    def nbytes(self) -> int:
        return self.run * int(self.source_offsets.size)


Item = Any  # Block | Sync | Transfer


def carries(steps: list[Step]) -> bool:
    """Whether a vector register is read in an iteration before that iteration writes it."""
    written = [s.op.writes for s in steps if s.op.writes]
    seen: list[tuple[int, int]] = []
    for step in steps:
        for low, high in step.op.reads:
            if any(a < high and low < b for a, b in written) and not _covered(low, high, seen):
                return True
        if step.op.writes:
            seen.append(step.op.writes)
    return False


def _covered(low: int, high: int, ranges: list[tuple[int, int]]) -> bool:
    return all(any(a <= stick < b for a, b in ranges) for stick in range(low, high))
