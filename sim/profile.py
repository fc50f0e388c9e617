"""Where the cycles of a launch went."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Position
from .timing import Timing
from .unit_state import UnitState

__all__ = ["LineUse", "Profile", "ProfileBuilder", "UnitUse"]


@dataclass(slots=True)
class UnitUse:
    """All instances of one unit kind. Cycles are summed over them; `busiest`: the largest busy time."""

    instances: int = 0
    busy: float = 0.0
    busiest: float = 0.0
    idle: float = 0.0  # after the unit had ended
    stalls: dict[str, float] = field(default_factory=dict)  # reason → cycles


@dataclass(slots=True)
class LineUse:
    """One source line of the kernel: cycles of the words that serve it, summed over all instances."""

    position: Position
    busy: float = 0.0
    stalled: float = 0.0
    words: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """`links`: bytes per hop ("ddr→lx"); `memories`: share of the launch each shared memory was serving.

    Stall reasons: `empty` (waits for a FIFO entry), `full` (for a slot), `signal`, `transfers` (for its own
    transfers to complete), `memory` (shared bandwidth), `operand` (a value of an earlier iteration).
    """

    cycles: int
    units: dict[str, UnitUse]
    links: dict[str, int]
    memories: dict[str, float]
    distinct: dict[str, tuple[int, int]]  # shared memory → distinct bytes (read, written)
    lines: list[LineUse]

    def to_json(self) -> dict[str, Any]:
        """Plain data for `tilesat run --json`; busy and stall are per instance, as a share of the launch."""
        total = max(self.cycles, 1)

        def share(cycles: float, use: UnitUse) -> float:
            return round(cycles / use.instances / total, 4)

        return {
            "units": {
                name: {
                    "instances": use.instances,
                    "busy": share(use.busy, use),
                    "idle": share(use.idle, use),
                    "stalls": {k: share(v, use) for k, v in use.stalls.items() if v},
                }
                for name, use in self.units.items()
            },
            "links": dict(self.links),
            "memories": {name: round(part, 4) for name, part in self.memories.items()},
            "distinct_bytes": {n: {"read": r, "written": w} for n, (r, w) in self.distinct.items()},
            "lines": [
                {
                    "at": str(line.position),
                    "busy": round(line.busy),
                    "stalled": round(line.stalled),
                    "words": line.words,
                    **({"origin": line.position.origin} if line.position.origin else {}),
                }
                for line in self.lines
            ],
        }


class ProfileBuilder:
    """Adds up the programs of a launch, which run one after the other."""

    def __init__(self, positions: Sequence[Position]) -> None:
        self.positions = positions  # source of every word of all programs ([] when unknown)
        self.cycles, self.words = 0, 0
        self.units: dict[str, UnitUse] = {}
        self.links: dict[str, int] = {}
        self.served: dict[str, float] = {}
        self.lines: dict[Position, LineUse] = {}

    def add(self, timing: Timing, words: int) -> None:
        """A program of `words` words."""
        cycles = math.ceil(timing.cycles - _ROUNDING)
        seen: dict[str, int] = {}
        for component, processes in zip(timing.components, timing.processes, strict=True):
            for process in processes:
                self._unit(process, component.weight, cycles)
                self._lines(process, component.weight)
                seen[process.member.name] = seen.get(process.member.name, 0) + component.weight
        for name, count in seen.items():
            self.units[name].instances = max(self.units[name].instances, count)
        for name, busy in timing.servers.items():
            self.served[name] = self.served.get(name, 0.0) + busy
        self.cycles += cycles
        self.words += words

    def _unit(self, process: UnitState, weight: int, cycles: int) -> None:
        use = self.units.setdefault(process.member.name, UnitUse())
        use.busy += process.busy * weight
        use.busiest = max(use.busiest, process.busy)
        use.idle += max(cycles - process.end, 0.0) * weight
        for reason, stalled in process.stalls.items():
            use.stalls[reason] = use.stalls.get(reason, 0.0) + stalled * weight
        for link, size in process.moved.items():
            self.links[link] = self.links.get(link, 0) + size * weight

    def _lines(self, process: UnitState, weight: int) -> None:
        first = self.words + process.member.trace.program.entry
        for index, (busy, stalled, count) in process.by_word.items():
            if first + index < len(self.positions):
                position = self.positions[first + index]
                line = self.lines.setdefault(position, LineUse(position))
                line.busy += busy * weight
                line.stalled += stalled * weight
                line.words += int(count) * weight

    def build(self, distinct: dict[str, tuple[int, int]]) -> Profile:
        shares = {name: busy / max(self.cycles, 1) for name, busy in self.served.items()}
        ordered = sorted(
            self.lines.values(), key=lambda u: (u.position.file, u.position.line, u.position.column)
        )
        return Profile(self.cycles, self.units, self.links, shares, distinct, ordered)


_ROUNDING = 1e-6  # cycles: what sums of fractions may be off by
