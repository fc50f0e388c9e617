"""Where the cycles of a launch went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Position
from .timing import Timing

__all__ = ["LineUse", "Profile", "UnitUse", "build_profile"]


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


def build_profile(
    timing: Timing, cycles: int, distinct: dict[str, tuple[int, int]], positions: Sequence[Position]
) -> Profile:
    """Add up all processes. `positions`: source of every word of section `code` ([] when unknown)."""
    units: dict[str, UnitUse] = {}
    links: dict[str, int] = {}
    lines: dict[Position, LineUse] = {}
    for component, processes in zip(timing.components, timing.processes, strict=True):
        weight = component.weight
        for process in processes:
            use = units.setdefault(process.member.name, UnitUse())
            use.instances += weight
            use.busy += process.busy * weight
            use.busiest = max(use.busiest, process.busy)
            use.idle += max(cycles - process.end, 0.0) * weight
            for reason, stalled in process.stalls.items():
                use.stalls[reason] = use.stalls.get(reason, 0.0) + stalled * weight
            for link, size in process.moved.items():
                links[link] = links.get(link, 0) + size * weight
            entry = process.member.trace.program.entry
            for index, (busy, stalled, count) in process.by_word.items():
                if entry + index < len(positions):
                    line = lines.setdefault(positions[entry + index], LineUse(positions[entry + index]))
                    line.busy += busy * weight
                    line.stalled += stalled * weight
                    line.words += int(count) * weight
    shares = {name: busy / max(cycles, 1) for name, busy in timing.servers.items()}
    ordered = sorted(lines.values(), key=lambda u: (u.position.file, u.position.line, u.position.column))
    return Profile(cycles, units, links, shares, distinct, ordered)
