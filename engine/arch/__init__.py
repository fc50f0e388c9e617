"""Architecture files → the `Arch` graph: groups, memories, units, routes, prices, limits."""

from .bound import Bound, Work, bound_cycles, bound_parts
from .files import shipped_archs
from .load import load_arch
from .model import Arch, Charge, ComputeUnit, Dram, Group, Hop, Limits, Memory, OpPrice, Ring, Unit

__all__ = [
    "Arch",
    "Bound",
    "Charge",
    "ComputeUnit",
    "Dram",
    "Group",
    "Hop",
    "Limits",
    "Memory",
    "OpPrice",
    "Ring",
    "Unit",
    "Work",
    "bound_cycles",
    "bound_parts",
    "load_arch",
    "shipped_archs",
]
