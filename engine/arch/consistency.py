"""Rules between the objects of an architecture file that neither the schema nor a single object can see."""

from __future__ import annotations

from collections.abc import Mapping

from ..diagnostics import TilesatError, fail
from ..numerics import dtype
from ..specs import Document
from .files import closest
from .model import ComputeUnit, Group, Memory, Unit

__all__ = ["check_fifos", "check_grid", "check_lanes", "check_moves"]

Groups = Mapping[str, Group]
Memories = Mapping[str, Memory]
Units = Mapping[str, Unit]


def check_moves(document: Document, groups: Groups, memories: Memories, units: Units) -> None:
    """Both ends of a move exist (ARCH005) and lie in the unit's group or around it (ARCH006)."""
    for unit in units.values():
        around = _around(groups, unit.group)
        for i, ends in enumerate(unit.moves):
            for key, memory in zip(("from", "to"), ends, strict=True):
                where = document.at("groups", unit.group, "units", unit.name, "moves", i, key)
                if memory not in memories:
                    fail("ARCH005", f"there is no memory `{memory}`", where, closest(memory, memories))
                owner = memories[memory].group
                if owner not in around:
                    message = f"unit `{unit.name}` of a {unit.group} cannot reach `{memory}` of a {owner}"
                    fail("ARCH006", message, where, f"put the unit into group `{owner}`")


def check_fifos(units: Units) -> None:
    """Whatever feeds or empties another unit that computes uses a FIFO of known depth (ARCH004)."""
    for unit in units.values():
        for end in dict.fromkeys(name for ends in unit.moves for name in ends if name != unit.name):
            peer = units.get(end)
            if isinstance(peer, ComputeUnit) and unit.fifo_depth is None and peer.fifo_depth is None:
                message = f"`fifo_depth` is missing in unit `{unit.name}`: entries between it and `{end}`"
                hint = f"add `fifo_depth:` to it; only moves that `{end}` does itself need no FIFO"
                fail("ARCH004", message, unit.position, hint)


def check_grid(
    document: Document,
    groups: Groups,
    memories: Memories,
    units: Units,
    grid: str,
    spaces: Mapping[str, str],
) -> None:
    """One tile of a grid owns all between the DRAM and compute.

    What several tiles would share is not supported (ARCH013); `ct_local` is one memory per tile (ARCH006).
    """
    things: list[Memory | Unit] = [*memories.values(), *units.values()]
    for thing in things:
        if thing.name != spaces.get("global") and grid not in _around(groups, thing.group):
            message = f"`{thing.name}` belongs to a {thing.group}: sharing it between tiles is not supported"
            hint = f"put it into group `{grid}` (or one inside), or choose a larger group as `grid:`"
            fail("ARCH013", message, thing.position, hint)
    local = spaces.get("ct_local")
    if local is not None and (memories[local].group != grid or local == spaces.get("global")):
        message = (
            f"space `ct_local` needs one memory per {grid}; `{local}` belongs to a {memories[local].group}"
        )
        hint = f"name a memory of group `{grid}`"
        fail("ARCH006", message, document.at("spaces", "ct_local"), hint)


def check_lanes(document: Document, unit: ComputeUnit) -> None:
    """Lanes are counted per element type (ARCH005) and fit into a vector (ARCH014).

    A systolic unit uses each operand in many multipliers: its lanes are not bound by the vector.
    """
    path = ("groups", unit.group, "units", unit.name, "lanes", "value")
    for name, lanes in unit.lane_counts.items():
        where = document.at(*path, name)
        try:
            width = dtype(name).nbytes
        except TilesatError as error:
            fail("ARCH005", error.diagnostics[0].message, where, error.diagnostics[0].hint)
        needed, held = lanes * width, unit.vector_bytes
        if "systolic" not in unit.features and needed > held:
            message = f"{lanes} lanes of {name} need {needed} B, a vector of `{unit.name}` has {held} B"
            fail("ARCH014", message, where, f"at most {held // width} fit, or enlarge `vector`")


def _around(groups: Groups, group: str) -> set[str]:
    """The group and those that surround it."""
    chain = {group}
    parent = groups[group].parent
    while parent is not None:
        chain.add(parent)
        parent = groups[parent].parent
    return chain
