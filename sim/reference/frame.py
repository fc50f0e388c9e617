"""State of one run: what a step of the prepared kernel reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...options import Options
from .batch import Array
from .memory import Memory

__all__ = ["Code", "Frame", "Getter", "Machine", "Step"]


@dataclass(slots=True)
class Machine:
    """One launch. `tiles` holds the linear ids of the batch's compute tiles, `grid` the extents."""

    options: Options
    memory: Memory
    grid: tuple[int, ...]
    tiles: Array
    steps: int = 0


@dataclass(slots=True)
class Frame:
    """Values by slot, and the lanes that are active (None: all)."""

    machine: Machine
    values: list[Any]
    mask: Array | None = None


Step = Callable[[Frame], None]
Getter = Callable[[Frame], Any]


@dataclass(slots=True)
class Code:
    """A prepared block: run `steps` in order, then `results` give the terminator's operands.
    `arguments` are the slots of the block's arguments."""

    arguments: list[int] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    results: list[Getter] = field(default_factory=list)

    def run(self, frame: Frame) -> None:
        for step in self.steps:
            step(frame)

    def call(self, frame: Frame, arguments: list[Any]) -> list[Any]:
        """Bind the arguments, run, and give the results."""
        values = frame.values
        for slot, value in zip(self.arguments, arguments, strict=True):
            values[slot] = value
        for step in self.steps:
            step(frame)
        return [get(frame) for get in self.results]
