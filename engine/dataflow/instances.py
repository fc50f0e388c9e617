"""Which instances of a unit or memory a program uses, and where each stands in the machine.

A *thread* of a schedule is one tile of the grid plus one index per `par` around it. A unit instance
serves every thread that agrees with its own coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arch.model import Arch
from ..diagnostics import Position, fail

_RADIX = 1 << 20  # above any group's count

__all__ = ["Instance", "Instances", "Place"]


@dataclass(frozen=True, slots=True)
class Instance:
    """One unit or memory: its coordinate in every group around it, and the first tile it belongs to."""

    coordinates: tuple[tuple[str, int], ...]
    tile: int | None  # None: above the grid's group, hence of several tiles


@dataclass(frozen=True, eq=False)
class Place:
    """A unit kind or memory with all its instances, in row-major order of their groups."""

    name: str
    kind: str  # DataflowIR's `type`
    path: tuple[str, ...]  # groups around it, outermost first
    local: tuple[str, ...]  # those below the grid's group
    instances: tuple[Instance, ...]

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        """Position of an instance by the mixed-radix number of its coordinates."""
        columns = {g: np.array([c for _, c in at]) for g, at in self._by_group.items()}
        return {int(n): k for k, n in enumerate(self._mixed(columns))}

    @cached_property
    def _by_group(self) -> Mapping[str, list[tuple[str, int]]]:
        return {g: [i.coordinates[k] for i in self.instances] for k, g in enumerate(self.path)}

    def _mixed(self, columns: Mapping[str, NDArray[np.int64]]) -> NDArray[np.int64]:
        number = np.zeros(1, np.int64)
        for group in self.path:
            number = number * _RADIX + columns[group]
        return number

    def find_all(self, columns: Mapping[str, NDArray[np.int64]]) -> list[int]:
        """Positions of the instances at these coordinates (a column per group of `path`)."""
        numbers = self._numbers
        return [numbers[n] for n in self._mixed(columns).tolist()]


@dataclass(frozen=True)
class Instances:
    """`active` says how many instances of each group below the grid's take part (the widest `par`)."""

    arch: Arch
    grid: tuple[int, ...]
    grid_order: str
    active: Mapping[str, int]
    position: Position

    @cached_property
    def tiles(self) -> int:
        n = math.prod(self.grid)
        cores = self.arch.instances(self.arch.grid_group)
        if n > cores:
            message = (
                f"a grid of {n} tiles needs {n} instances of `{self.arch.grid_group}`; `{self.arch.name}`"
            )
            fail(
                "DFLOW001", f"{message} has {cores}", self.position, "use a smaller grid or a larger machine"
            )
        return n

    @cached_property
    def chain(self) -> tuple[str, ...]:
        """Groups from the outermost to the grid's."""
        return tuple(reversed(self.arch.ancestors(self.arch.grid_group)))

    def coordinates_of_tile(self, tile: int) -> dict[str, int]:
        found: dict[str, int] = {}
        for group in reversed(self.chain):
            count = self.arch.groups[group].count
            tile, found[group] = divmod(tile, count)
        return found

    def tile_coordinates(self, tile: int) -> tuple[int, ...]:
        """Grid coordinates of a linear tile number."""
        found = []
        sizes = self.grid if self.grid_order == "first" else tuple(reversed(self.grid))
        for n in sizes:
            tile, c = divmod(tile, n)
            found.append(c)
        return tuple(found if self.grid_order == "first" else reversed(found))

    @cached_property
    def static_cache(self) -> dict[Any, Any]:
        """For builders: what names mean per instance."""
        return {}

    @cached_property
    def _places(self) -> dict[str, Place]:
        return {}

    def place(self, name: str) -> Place:
        """The unit kind or memory `name`."""
        if name not in self._places:
            unit = self.arch.units.get(name)
            if unit is not None:
                group, kind = unit.group, unit.kind.upper()
            else:
                group, kind = self.arch.memories[name].group, name
            path = tuple(reversed(self.arch.ancestors(group)))
            below = self._below_grid(path)
            self._places[name] = Place(name, kind, path, below, self._list(path, below))
        return self._places[name]

    def _below_grid(self, path: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(g for g in path if g not in self.chain)

    def _list(self, path: tuple[str, ...], below: tuple[str, ...]) -> tuple[Instance, ...]:
        inside = self.arch.grid_group in path
        found: dict[tuple[tuple[str, int], ...], Instance] = {}
        for tile in range(self.tiles):
            at = self.coordinates_of_tile(tile)
            for own in product(*(range(self.active.get(g, 1)) for g in below)):
                at.update(zip(below, own, strict=True))
                key = tuple((g, at[g]) for g in path)
                if key not in found:
                    found[key] = Instance(key, tile if inside else None)
        return tuple(found.values())

    def tiles_of(self, instance: Instance) -> tuple[int, ...]:
        """The tiles an instance serves, ascending."""
        if instance.tile is not None:
            return (instance.tile,)
        shared = [(g, c) for g, c in instance.coordinates if g in self.chain]
        at = [self.coordinates_of_tile(t) for t in range(self.tiles)]
        return tuple(t for t, found in enumerate(at) if all(found[g] == c for g, c in shared))
