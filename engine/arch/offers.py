"""Warnings about what the compute units of a machine offer, against what ktir_specs can ask of them."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Diagnostic
from ..numerics import spec_entries
from ..specs import Document, shipped
from .files import closest
from .model import Arch

__all__ = ["offer_warnings"]

_RING = "ring"  # class of transfers between tiles: the ring prices it, not a unit


def offer_warnings(arch: Arch, document: Document) -> Iterator[Diagnostic]:
    """Prices no op asks for (ARCH034), and cost classes and dtypes that no unit has (ARCH035).

    `document` is the merged file that `arch` was made from.
    """
    if not arch.compute:
        return
    asked: dict[str, list[str]] = {}  # cost class → its ops
    for name, (entry, _) in sorted(spec_entries().items()):
        asked.setdefault(entry.get("cost", {}).get("class", "none"), []).append(name)
    asked.pop(_RING, None)
    for unit in arch.compute.values():
        path = ("groups", unit.group, "units", unit.name, "ops", "value")
        for name in unit.ops:
            if name not in asked:
                message = (
                    f"`{unit.name}` has a price for class `{name}`, which no op of ktir_specs belongs to"
                )
                where, hint = document.at(*path, name), closest(name, asked)
                yield Diagnostic("ARCH034", message, where, hint, severity="warning")
    first = next(iter(arch.compute.values()))
    place = ("groups", first.group, "units", first.name)
    for op_class, ops in sorted(asked.items()):
        if not any(op_class in unit.ops for unit in arch.compute.values()):
            message = f"no unit has a price for class `{op_class}`: kernels with {_some(ops)} do not compile"
            hint = f"add `{op_class}: {{rate: …, latency: …}}` to the `ops` of a unit"
            yield Diagnostic("ARCH035", message, document.at(*place, "ops"), hint, severity="warning")
    dtypes = [str(name) for name in shipped("ktir_specs", "isa.yaml").data["dtypes"]]
    missing = [name for name in dtypes if not any(name in u.lane_counts for u in arch.compute.values())]
    if missing:
        message = f"no unit computes on {', '.join(missing)}: kernels with them do not compile"
        where = document.at(*place, "lanes", "value")
        yield Diagnostic("ARCH035", message, where, "add them to the `lanes` of a unit", severity="warning")


def _some(names: list[str], most: int = 3) -> str:
    """The first few of `names`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
