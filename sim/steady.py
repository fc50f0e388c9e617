"""Fast-forward of loops that have reached a periodic steady state.

Units that are connected by FIFOs (a chain) influence each other inside their blocks only through these
FIFOs. Time enters only as differences (max-plus), so when the state of a chain, seen relative to one of its
units, is what it was some trips before, everything since then will repeat: all counts and times can be
advanced by whole periods at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..arch import ComputeUnit

if TYPE_CHECKING:
    from .clocks import Fifo
    from .pipeline import Pipeline

__all__ = ["SteadyState"]

_DIGITS = 6  # times are compared to a millionth of a cycle
_PATIENCE = 64  # looks per block


@dataclass(slots=True)
class _Look:
    """What had been reached when a state was seen."""

    time: float
    trips: list[int]
    stalls: list[dict[str, float]]
    by_word: list[dict[int, float]]


class SteadyState:
    """Watches one chain: its units and the FIFOs between them."""

    def __init__(self, units: Sequence[Pipeline]) -> None:
        self.units = list(units)
        self.numbers = {id(u): n for n, u in enumerate(self.units)}
        self.fifos: list[Fifo] = []
        self.observer = next(
            (u for u in self.units if isinstance(u.member.trace.program.unit, ComputeUnit)), None
        )
        self.block = -1
        self.looks: dict[Any, _Look] = {}
        self.patience = _PATIENCE

    def look(self, unit: Pipeline) -> None:
        """`unit` has just completed a trip: advance everything if its state has been seen before."""
        if unit is not self.observer or any(u.flows for u in self.units):
            return
        if self.block != unit.items_done:
            self.block, self.patience = unit.items_done, _PATIENCE
            self.looks.clear()
            self.fifos = unit.component.fifos_of(self.units)
        if not self.patience or any(f.seen != len(f.marks) for f in self.fifos):
            return
        self.patience -= 1
        state = self._state(unit)
        before = self.looks.get(state)
        if before is None:
            self.looks[state] = self._record(unit)
            return
        self._advance(unit, before)
        self.looks.clear()

    def _state(self, unit: Pipeline) -> Any:
        """Everything that decides what happens next, times relative to the unit's clock."""
        waiting = tuple(n for p in unit.engine.ready if (n := self.numbers.get(id(p))) is not None)
        return (
            waiting,
            tuple(_unit_state(u, unit.now) for u in self.units),
            tuple(self._fifo_state(f, unit) for f in self.fifos),
        )

    def _fifo_state(self, fifo: Fifo, unit: Pipeline) -> Any:
        writer, reader = (unit.component.processes[m].now for m in (fifo.source, fifo.target))
        return (
            tuple(_later(t, reader) for t in fifo.arrivals),
            tuple(_later(t, writer) for t in fifo.slots),
            _later(fifo.last, writer),
            fifo.reader is not None,
            fifo.writer is not None,
        )

    def _record(self, unit: Pipeline) -> _Look:
        return _Look(
            unit.now,
            [u.trip for u in self.units],
            [dict(u.stalls) for u in self.units],
            [{index: word[1] for index, word in u.by_word.items()} for u in self.units],
        )

    def _advance(self, unit: Pipeline, before: _Look) -> None:
        """Skip as many whole periods as leave every unit inside its block."""
        gains = [u.trip - trip for u, trip in zip(self.units, before.trips, strict=True)]
        periods = (
            min((u.trips - u.trip - 1) // g for u, g in zip(self.units, gains, strict=True) if g > 0) - 1
        )
        if periods < 1:
            return
        shift = periods * (unit.now - before.time)
        for number, (u, gain) in enumerate(zip(self.units, gains, strict=True)):
            if u.trips:
                u.forward(periods * gain, shift)
            for reason, spent in before.stalls[number].items():
                u.stalls[reason] += periods * (u.stalls[reason] - spent)
            for index, word in u.by_word.items():
                word[1] += periods * (word[1] - before.by_word[number].get(index, 0.0))
        for fifo in self.fifos:
            fifo.forward(shift)


def _later(time: float, now: float) -> float:
    """How far ahead of its user a time is; what lies in the past no longer matters."""
    return round(time - now, _DIGITS) if time > now else 0.0


def _unit_state(unit: Pipeline, now: float) -> Any:
    place = (unit.items_done, unit.finished, unit.version, unit.unconfirmed, unit.waiting_op.index)
    if not unit.trips:
        return place
    ready = tuple((s, _later(t, unit.now)) for s, t in unit.ready.items() if t > unit.now)
    return (*place, round(unit.now - now, _DIGITS), _later(unit.outstanding, unit.now), ready, unit.trip > 0)
