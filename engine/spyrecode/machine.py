"""How the program format numbers an architecture: unit kinds, memories, instances, OWN addressing."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..arch import Arch, Unit

__all__ = ["Machine", "machine"]


@dataclass(frozen=True, eq=False)
class Machine:
    """Numbers of `arch` as isa.yaml's fields hold them."""

    arch: Arch

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Unit names; the position is the unit kind."""
        return tuple(self.arch.units)

    @cached_property
    def memories(self) -> tuple[str, ...]:
        """Names of the addressable memories; the position is the memory number."""
        return tuple(name for name, m in self.arch.memories.items() if m.addressable)

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

    def instances(self, group: str) -> int:
        """Instances of a group on the whole card."""
        return self.arch.instances(group)

    def instance(self, group: str, grid: int, inner: int) -> int:
        """Instance `inner` (corelet) of `group` inside instance `grid` (core) of the grid's group."""
        chain = self.arch.ancestors(group)
        if self.arch.grid_group not in chain:
            return 0 if self.instances(group) == 1 else grid
        return grid * self.arch.instances(group, within=self.arch.grid_group) + inner

    def own(self, mine: str, instance: int, theirs: str) -> int | None:
        """The only instance of `theirs` in the innermost group around both; None if there are several."""
        common = next(g for g in self.arch.ancestors(mine) if g in self.arch.ancestors(theirs))
        if self.arch.instances(theirs, within=common) != 1:
            return None
        return instance // self.arch.instances(mine, within=common)


@lru_cache(maxsize=64)
def machine(arch: Arch) -> Machine:
    """The numbering of an architecture (cached: an Arch is compared by identity)."""
    return Machine(arch)
