"""How the program format numbers an architecture: unit kinds, memories, instances, OWN addressing."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cached_property, lru_cache

from ..arch import Arch, Unit

__all__ = ["Machine", "machine"]


class Machine:
    """Numbers of `arch` as isa.yaml's fields hold them."""

    def __init__(self, arch: Arch) -> None:
        self.arch = arch
        self._own: dict[tuple[str, str], int | None] = {}

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Unit names; the position is the unit kind."""
        return tuple(self.arch.units)

    @cached_property
    def memories(self) -> tuple[str, ...]:
        """Names of the addressable memories; the position is the memory number."""
        return tuple(name for name, m in self.arch.memories.items() if m.addressable)

    @cached_property
    def named(self) -> Mapping[str, tuple[str, bool, str]]:
        """Type in DataflowIR, lower case → (name in the arch, is a memory, group). Units go first."""
        found = {m: (m, True, self.arch.memories[m].group) for m in reversed(self.memories)}
        for unit in reversed(list(self.arch.units.values())):
            found[unit.name.lower()] = (unit.name, False, unit.group)
        for unit in reversed(list(self.arch.units.values())):
            found[unit.kind.lower()] = (unit.name, False, unit.group)
        return found

    @cached_property
    def fingerprint(self) -> int:
        """CRC-32 of what the numbers depend on (docs/isa.md §1)."""
        arch = self.arch
        lines = [f"unit {u.name} {u.kind} {u.group}\n" for u in arch.units.values()]
        lines += [f"memory {m} {arch.memories[m].group}\n" for m in self.memories]
        lines += [f"group {g.name} {g.count} {g.parent or '-'}\n" for g in arch.groups.values()]
        return zlib.crc32("".join(lines).encode())

    def unit(self, number: int) -> Unit:
        return self.arch.units[self.units[number]]

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Instances of every group on the whole card."""
        return {g: self.arch.instances(g) for g in self.arch.groups}

    @cached_property
    def per_grid(self) -> Mapping[str, int | None]:
        """Instances of every group in one instance of the grid's group; None for groups not inside it."""
        grid = self.arch.grid_group
        return {
            g: self.arch.instances(g, within=grid) if grid in self.arch.ancestors(g) else None
            for g in self.arch.groups
        }

    def instance(self, group: str, grid: int, inner: int) -> int:
        """Instance `inner` (corelet) of `group` inside instance `grid` (core) of the grid's group."""
        inside = self.per_grid[group]
        if inside is None:
            return 0 if self.counts[group] == 1 else grid
        return grid * inside + inner

    def own(self, mine: str, instance: int, theirs: str) -> int | None:
        """The only instance of `theirs` in the innermost group around both; None if there are several."""
        if (mine, theirs) not in self._own:
            common = next(g for g in self.arch.ancestors(mine) if g in self.arch.ancestors(theirs))
            unique = self.arch.instances(theirs, within=common) == 1
            self._own[mine, theirs] = self.arch.instances(mine, within=common) if unique else None
        ratio = self._own[mine, theirs]
        return None if ratio is None else instance // ratio


@lru_cache(maxsize=64)
def machine(arch: Arch) -> Machine:
    """The numbering of an architecture (cached: an Arch is compared by identity)."""
    return Machine(arch)
