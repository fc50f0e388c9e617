"""Architecture file → `Arch`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..diagnostics import Position, fail
from ..specs import Document
from .consistency import check_fifos, check_grid, check_lanes, check_moves
from .fields import COMPUTE, FEATURES, GROUP, LIMITS, MEMORY, MOVER, RING, SYNC, TOP, UNIT, Field
from .files import Source, closest, read_source, resolve
from .model import Arch, ComputeUnit, Dram, Figure, Group, Limits, Memory, OpPrice, Ring, Unit
from .quantity import parse_quantity

__all__ = ["load_arch"]


def load_arch(name_or_path: str | Path, overrides: Sequence[str] = ()) -> Arch:
    """The architecture of that name (in `archs/`) or in that file, with `--set` overrides applied in order.

    Overrides read "core.lx.size=1MiB". The same text and overrides give the same object. Raises
    `TilesatError` with ARCH001 … ARCH019, IO001, YAML001, YAML002 or SCHEMA001 at the YAML line.
    """
    return _load(read_source(name_or_path), tuple(overrides))


@lru_cache(maxsize=256)
def _load(source: Source, overrides: tuple[str, ...]) -> Arch:
    digest = hashlib.sha256(repr(([text for _, text in source], overrides)).encode()).hexdigest()
    return _Builder(resolve(source, overrides)).arch(digest)


class _Builder:
    """Turns a merged document into the model, object by object."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.clock_hz: float | None = None
        self.groups: dict[str, Group] = {}
        self.memories: dict[str, Memory] = {}
        self.units: dict[str, Unit] = {}
        self.figures: dict[str, Figure] = {}

    def arch(self, fingerprint: str) -> Arch:
        data = self.document.data
        self.clock_hz = self.quantities(TOP)["clock"]
        self._groups()
        for group in self.groups:
            for name in self.table("groups", group, "memories"):
                self._memory(group, name)
        for group in self.groups:
            for name in self.table("groups", group, "units"):
                self._unit(group, name)
        check_moves(self.document, self.groups, self.memories, self.units)
        check_fifos(self.units)
        spaces = {
            space: self.reference("memory", self.memories, "spaces", space) for space in self.table("spaces")
        }
        grid = self.reference("group", self.groups, "grid")
        dram = self._dram(spaces)
        check_grid(self.document, self.groups, self.memories, self.units, grid, spaces)
        return Arch(
            name=str(self.field("arch")),
            doc=str(data.get("doc") or "").strip(),
            clock_hz=self.clock_hz or 0.0,
            groups=self.groups,
            memories=self.memories,
            units=self.units,
            spaces=spaces,
            grid_group=grid,
            dram=dram,
            ring=self._ring(),
            sync_cycles=self.quantities(SYNC, "sync")["latency"],
            limits=self._limits(grid),
            figures=self.figures,
            fingerprint=fingerprint,
            position=self.document.at("arch"),
        )

    # -- reading ------------------------------------------------------------------------------------------

    def field(self, *path: str) -> Any:
        """The node at `path`. Raises ARCH004 when it is missing."""
        node: Any = self.document.data
        for depth, key in enumerate(path):
            if not isinstance(node, dict) or node.get(key) is None:
                owner = "/".join(path[:depth]) or "the file"
                fail(
                    "ARCH004",
                    f"`{key}` is missing in {owner}",
                    self.document.at(*path[:depth]),
                    f"add `{key}:`",
                )
            node = node[key]
        return node

    def table(self, *path: str) -> dict[str, Any]:
        """The mapping at `path`; empty when absent."""
        node: Any = self.document.data
        for key in path:
            node = (node or {}).get(key)
        return node or {}

    def reference(self, what: str, known: Mapping[str, Any], *path: str | int) -> str:
        """The name written at `path`, which must be one of `known` (ARCH005)."""
        node: Any = self.document.data
        for key in path:
            node = self.field(str(key)) if node is self.document.data else node[key]
        if node not in known:
            fail(
                "ARCH005", f"there is no {what} `{node}`", self.document.at(*path), closest(str(node), known)
            )
        return str(node)

    def quantities(self, fields: Mapping[str, Field], *path: str) -> dict[str, Any]:
        """The values of all `fields` of the object at `path`; None for an absent optional one."""
        owner = self.field(*path)
        values: dict[str, Any] = {}
        for name, field in fields.items():
            if owner.get(name) is None and not field.required:
                values[name] = None
            else:
                written = self.field(*path, name, "value")
                values[name] = self._shaped(field, written, (*path, name, "value"))
                self._record(field, (*path, name), written, values[name])
        return values

    def _record(self, field: Field, path: tuple[str, ...], written: Any, value: Any) -> None:
        node = self.field(*path)
        set_path = ".".join(
            p for i, p in enumerate(path) if not (path[0] == "groups" and i in (0, 2) and i < len(path) - 1)
        )
        source, assumed = str(node.get("source") or ""), str(node.get("assumed") or "").strip()
        where = self.document.at(*path, "value")
        self.figures[set_path] = Figure(written, value, field.dimension, source, assumed, where)

    def _shaped(self, field: Field, value: Any, path: tuple[str | int, ...]) -> Any:
        if field.shape == "one":
            return self._parse(field, value, path)
        if field.shape == "words":
            for i, word in enumerate(value):
                if word not in FEATURES:
                    where = self.document.at(*path, i)
                    fail("ARCH005", f"there is no feature `{word}`", where, closest(str(word), FEATURES))
            return frozenset(value)
        if field.shape == "list":
            return tuple(
                sorted((self._parse(field, v, (*path, i)) for i, v in enumerate(value)), reverse=True)
            )
        if field.shape == "table":
            return {str(key): self._parse(field, v, (*path, key)) for key, v in value.items()}
        return {
            str(name): OpPrice(
                *(self._parse(field, price[part], (*path, name, part)) for part in ("rate", "latency"))
            )
            for name, price in value.items()
        }

    def _parse(self, field: Field, value: Any, path: tuple[str | int, ...]) -> Any:
        return parse_quantity(value, field.dimension, self.document.at(*path), self.clock_hz, field.minimum)

    # -- objects ------------------------------------------------------------------------------------------

    def _groups(self) -> None:
        for name, body in self.field("groups").items():
            where = self.document.at("groups", name)
            parent = body.get("in")
            if parent is None and self.groups:
                fail("ARCH006", f"group `{name}` does not say which group it is in", where, "add `in:`")
            if parent is not None and parent not in self.groups:
                at = self.document.at("groups", name, "in")
                hint = f"groups come after the group they are in; {closest(parent, self.groups)}"
                fail("ARCH005", f"there is no group `{parent}` above `{name}`", at, hint)
            depth = self.groups[parent].depth + 1 if parent is not None else 0
            if parent is None and body.get("count") is not None:
                hint = "leave `count` away"
                fail(
                    "ARCH013",
                    f"the outermost group `{name}` is one card: several are not supported",
                    where,
                    hint,
                )
            count = 1 if parent is None else self.quantities(GROUP, "groups", name)["count"]
            self.groups[name] = Group(name, count, parent, depth, where)

    def _fresh(self, name: str, where: Position) -> None:
        if name in self.memories or name in self.units or name in self.groups:
            fail("ARCH007", f"the name `{name}` is used twice", where, "names are unique in the whole file")

    def _memory(self, group: str, name: str) -> None:
        path = ("groups", group, "memories", name)
        where = self.document.at(*path)
        self._fresh(name, where)
        q = self.quantities(MEMORY, *path)
        usable = _usable(q["size"], q["reserved"] or 0, q["usable"], q["alignment"])
        if usable <= 0:
            fail("ARCH008", f"nothing of memory `{name}` is left to use", where, "reserve less of it")
        self.memories[name] = Memory(
            name=name,
            kind=str(self.field(*path, "kind")),
            group=group,
            size=usable,
            total=q["size"],
            alignment=q["alignment"],
            read_bytes_per_cycle=q["read"],
            write_bytes_per_cycle=q["write"],
            latency=q["latency"] or 0,
            position=where,
        )

    def _unit(self, group: str, name: str) -> None:
        path = ("groups", group, "units", name)
        where = self.document.at(*path)
        self._fresh(name, where)
        body = self.field(*path)
        moves = tuple((str(m["from"]), str(m["to"])) for m in body.get("moves") or [])
        computes = body.get("ops") is not None
        if not moves and not computes:
            fail("ARCH009", f"unit `{name}` neither moves nor computes", where, "add `moves:` or `ops:`")
        fields = {**(MOVER if moves else {}), **(COMPUTE if computes else {}), "features": UNIT["features"]}
        q = self.quantities(fields, *path)
        common: dict[str, Any] = {
            "name": name,
            "kind": str(self.field(*path, "kind")),
            "group": group,
            "moves": moves,
            "features": q["features"] or frozenset(),
            "bytes_per_cycle": q.get("rate") or 0.0,
            "move_latency": q.get("latency") or 0,
            "move_startup": q.get("startup") or 0,
            "granularity": q.get("granularity") or (),
            "fifo_depth": q.get("fifo_depth"),
            "position": where,
        }
        if not computes:
            self.units[name] = Unit(**common)
            return
        unit = ComputeUnit(
            **common,
            vector_bytes=q["vector"],
            register_bytes=q["registers"],
            lane_counts=q["lanes"],
            ops=q["ops"],
        )
        check_lanes(self.document, unit)
        self.units[name] = unit
        size = q["registers"]
        self.memories[name] = Memory(name, "registers", group, size, size, q["vector"], False, position=where)

    def _dram(self, spaces: Mapping[str, str]) -> Dram:
        if "global" not in spaces:
            hint = "map it to the memory that holds the kernel's buffers"
            fail("ARCH004", "`global` is missing in spaces", self.document.at("spaces"), hint)
        memory = self.memories[spaces["global"]]
        path = ("groups", memory.group, "memories", memory.name)
        where = self.document.at(*path)
        if memory.read_bytes_per_cycle is None or memory.write_bytes_per_cycle is None:
            fail("ARCH004", f"memory `{memory.name}` needs `read` and `write` rates", where, "add them")
        if self.groups[memory.group].parent is not None:
            fail("ARCH006", f"memory `{memory.name}` of space `global` must be in the outermost group", where)
        turnaround = self.quantities(MEMORY, *path)["turnaround"] or 0.0
        return Dram(memory.name, memory.read_bytes_per_cycle, memory.write_bytes_per_cycle, turnaround)

    def _ring(self) -> Ring | None:
        if not self.document.data.get("ring"):
            return None
        q = self.quantities(RING, "ring")
        for end in ("sender", "receiver"):
            unit, over = self.reference("unit", self.units, "ring", end), self.field("ring", "over")
            if self.units[unit].group != over or not self.units[unit].moves:
                message = f"unit `{unit}` does not move data in a {over}"
                fail(
                    "ARCH006",
                    message,
                    self.document.at("ring", end),
                    "name a unit with `moves:` of that group",
                )
        return Ring(
            group=self.reference("group", self.groups, "ring", "over"),
            bytes_per_cycle=q["rate"],
            directions=q["directions"],
            latency=q["latency"],
            sender=self.reference("unit", self.units, "ring", "sender"),
            receiver=self.reference("unit", self.units, "ring", "receiver"),
        )

    def _limits(self, grid: str) -> Limits:
        q = self.quantities(LIMITS, "limits")
        cores, group = 1, grid
        while True:
            cores *= self.groups[group].count
            parent = self.groups[group].parent
            if parent is None:
                break
            group = parent
        return Limits(cores, q["loop_count"], q["span"], q["alignment"], q["stick"], q["program"])


def _usable(size: int, reserved: int, fraction: float | None, alignment: int) -> int:
    """Bytes a program may use: round up (size - reserved) · fraction to the alignment.

    Source: torch-spyre's scratchpad planning. Never more than there is.
    """
    free = max(0, size - reserved)
    share = int(free * (1.0 if fraction is None else fraction))
    return min(-(-share // alignment) * alignment, free // alignment * alignment)
