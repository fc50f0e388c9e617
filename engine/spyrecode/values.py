"""What an SSA value of a unit's program is to the assembler, besides an integer form or a vector register."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..diagnostics import Position
from ..ktir.affine import AffineMap
from .blocks import Block
from .forms import Form

__all__ = ["BitScalar", "Bits", "Loaded", "Lookup", "Place", "Places", "Received", "View"]


@dataclass(frozen=True, slots=True)
class Place:
    """One instance of a unit or memory: `get_unit`."""

    name: str  # the arch's name of the unit or memory
    memory: bool
    group: str
    instance: int


@dataclass(frozen=True, slots=True)
class Places:
    """A unit or memory operand: the place it is for each instance of the program, all of one kind."""

    each: tuple[Place, ...]

    @property
    def kind(self) -> Place:
        return self.each[0]


@dataclass(frozen=True, slots=True)
class Lookup:
    """`uniform.def_immutable_mapping`: place → value."""

    entries: Mapping[Place, Any]


@dataclass(frozen=True, slots=True)
class View:
    """Memory seen as an array: `base` and layout in elements."""

    memory: Places
    base: Form
    layout: AffineMap
    dtype: str
    element_bytes: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """A vector in memory that a load unit will push; `epoch` is the moment the program read it."""

    memory: Places
    address: Form
    dtype: str
    count: int
    stride: int  # bytes between lanes
    splat: bool
    epoch: int
    position: Position


@dataclass(slots=True, eq=False)
class Received:
    """A vector that a store unit will pop from the FIFO of `peer`."""

    peer: Places
    dtype: str
    count: int
    position: Position
    block: Block  # it must be stored where it was received: not in a loop around the store only
    pending: bool = True


@dataclass(frozen=True, slots=True)
class BitScalar:
    """A float scalar as a bit pattern in an integer form."""

    dtype: str
    bits: Form


@dataclass(frozen=True, slots=True)
class Bits:
    """A constant vector: the memory form of its elements; one element stands for `splat` equal lanes."""

    dtype: str
    count: int
    data: bytes
    splat: int = 0
