"""What FIFO entries order, iteration by iteration.

Vector clocks (clocks.py) count items, and an item may be a loop of many iterations. A load whose value went
through FIFOs into what a store writes is nevertheless before that store: iteration k of the one is ordered
before iteration k of the other, though the loops run side by side. Which entry an iteration pops is known
from the items alone (a Kahn network), so this is counted, not simulated.

An *event* is one step of one iteration, numbered in program order per member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .groups import Group, Member
from .hazards import granule_events
from .trace import Block, Item

__all__ = ["EventIndex", "FifoOrder", "Place"]

Array = NDArray[np.int64]
_PUSHES, _POPS = ("ldf", "send"), ("stf", "recv")


@dataclass(frozen=True, slots=True)
class Place:
    """A memory instance as one component of the group sees it, in granules of so many bytes."""

    component: int
    memory: str
    instance: int
    granule: int


class EventIndex:
    """The events of one member: item i has those from `offsets[i]` to `offsets[i + 1]`."""

    def __init__(self, member: Member) -> None:
        self.items = member.items
        lengths = [item.trips * len(item.steps) if isinstance(item, Block) else 1 for item in self.items]
        self.offsets: Array = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

    @cached_property
    def pushes(self) -> dict[int, _Ends]:
        """By the member at the other end."""
        return self._ends(_PUSHES)

    @cached_property
    def pops(self) -> dict[int, _Ends]:
        return self._ends(_POPS)

    def of_trips(self, item: int, step: int) -> Array:
        """The events of a block's step, one per iteration."""
        block = self.items[item]
        events: Array = self.offsets[item] + step + len(block.steps) * np.arange(block.trips)
        return events

    def _ends(self, names: tuple[str, ...]) -> dict[int, _Ends]:
        peers = {
            s.member: None for i in self.items if isinstance(i, Block) for s in i.steps if s.op.name in names
        }
        return {peer: _Ends(self, names, peer) for peer in peers if peer >= 0}


class _Ends:
    """The events at which a member pushes into (or pops from) one FIFO."""

    def __init__(self, index: EventIndex, names: tuple[str, ...], peer: int) -> None:
        self.index = index
        self.steps = [_steps(item, names, peer) for item in index.items]
        counts = [s.size * i.trips if s.size else 0 for s, i in zip(self.steps, index.items, strict=True)]
        self.before: Array = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))

    def count(self, events: Array) -> Array:
        """How many entries have passed with each event; −1 is before the first event."""
        items = np.searchsorted(self.index.offsets, events, side="right") - 1
        found = np.zeros(events.shape, np.int64)
        for item in np.unique(items[events >= 0]):
            at = (items == item) & (events >= 0)
            steps = self.steps[item]
            found[at] = self.before[item]
            if steps.size:
                trips, step = np.divmod(
                    events[at] - self.index.offsets[item], len(self.index.items[item].steps)
                )
                found[at] += trips * steps.size + np.searchsorted(steps, step, side="right")
        return found

    def events(self, entries: Array) -> Array:
        """The event of each entry number."""
        items = np.searchsorted(self.before, entries, side="right") - 1
        found = np.zeros(entries.shape, np.int64)
        for item in np.unique(items):
            at = items == item
            steps = self.steps[item]
            trips, which = np.divmod(entries[at] - self.before[item], steps.size)
            found[at] = self.index.offsets[item] + trips * len(self.index.items[item].steps) + steps[which]
        return found


def _steps(item: Item, names: tuple[str, ...], peer: int) -> Array:
    steps: Iterable[Any] = item.steps if isinstance(item, Block) else ()
    return np.array([k for k, s in enumerate(steps) if s.member == peer and s.op.name in names], np.int64)


class FifoOrder:
    """The order between the events of a group's members."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self._members: dict[int, EventIndex] = {}

    def member(self, position: int) -> EventIndex:
        if position not in self._members:
            self._members[position] = EventIndex(self.group.members[position])
        return self._members[position]

    def latest(self, position: int, events: Array, known: Sequence[int], target: int) -> Array:
        """The last event of member `target` that is over when each of these events of `position` happens.

        `known`: the vector clock of `position` then, in items. What a unit has loaded is over when it
        pushes a later entry; what it has stored is not, so this orders loads only.
        """
        best = {m: np.full(events.shape, self._done(m, known[m]), np.int64) for m in range(len(known))}
        best[position] = events
        open_members = list(best)
        while open_members:
            reader = open_members.pop()
            for source, pops in self.member(reader).pops.items():
                entries = pops.count(best[reader])
                some = entries > 0
                if not some.any():
                    continue
                pushed = self.member(source).pushes[reader].events(entries[some] - 1)
                if (pushed > best[source][some]).any():
                    best[source][some] = np.maximum(best[source][some], pushed)
                    open_members.append(source)
        return best[target]

    def _done(self, position: int, items: int) -> int:
        return int(self.member(position).offsets[items]) - 1

    def after_loads(
        self,
        place: Place,
        write: tuple[int, int],
        known: Sequence[int],
        other: int,
        granules: Array,
        clocks: NDArray[np.int32],
    ) -> NDArray[np.bool_]:
        """Which granules (ascending) item `write` (member, number) writes after member `other` loaded them.

        `clocks`: the items after which the other member had loaded them last. Every iteration is looked at.
        """
        position, number = write
        item = self.group.members[position].items[number]
        if isinstance(item, Block):
            first = granule_events(granules, place.granule, self._touches(place, *write, True), last=False)
        else:
            first = np.full(granules.shape, self.member(position).offsets[number])
        over = np.zeros(granules.shape, np.bool_)
        for clock in np.unique(clocks):
            if not isinstance(self.group.members[other].items[clock - 1], Block):
                continue  # a transfer is over when its unit has waited for it, which the clocks know
            at = np.flatnonzero(clocks == clock)
            loads = self._touches(place, other, int(clock) - 1, False)
            last = granule_events(granules[at], place.granule, loads, last=True)
            over[at] = (last >= 0) & (last <= self.latest(position, first[at], known, other))
        return over

    def _touches(
        self, place: Place, member: int, number: int, writes: bool
    ) -> Iterator[tuple[Array, int, Array]]:
        """Addresses (one row per iteration, or one row), bytes of a run, events of a block's steps."""
        for k, step in enumerate(self.group.members[member].items[number].steps):
            if step.op.memory != place.memory or (step.op.name in ("stf", "vst")) != writes:
                continue
            if int(_column(step.instance, place.component)) == place.instance:
                runs, size = step.runs
                addresses = _column(step.address, place.component)
                yield (
                    addresses[:, None] + np.arange(runs) * step.stride,
                    size,
                    self.member(member).of_trips(number, k),
                )


def _column(array: Array, component: int) -> Array:
    """A component's values of a (…, components or 1) array."""
    found: Array = array[..., 0 if array.shape[-1] == 1 else component]
    return found
