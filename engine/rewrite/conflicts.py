"""Which stores may touch what a load or another store touches: the facts behind the dependence guards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

from ..schedule.alias import disjoint
from ..schedule.index import accesses_of, linear, sub
from ..schedule.program import Carried, Program, Stmt

__all__ = ["FAR", "Conflicts"]

FAR = 1 << 40  # no dependence: farther than any extent


class Conflicts:
    """Dependences of one program, as the guards of rules ask for them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._buffers = [a for a, kind in program.args.items() if kind == "index"]

    def may_meet(self, a: str, b: str) -> bool:
        """May two accesses touch the same element?"""
        views = self.program.views
        first, second = (views[self.program.accesses[x].view] for x in (a, b))
        return not disjoint(first, second, self._buffers)

    @cached_property
    def stores(self) -> dict[str, tuple[str, ...]]:
        """Access → the stores that may touch its elements."""
        stored = list(dict.fromkeys(x for s in self.program.stmts.values() for x in s.stores))
        return {x: tuple(z for z in stored if self.may_meet(x, z)) for x in self.program.accesses}

    def written_before(self, access: str) -> bool:
        """May an element that the access loads have been stored earlier in the same run?

        Within its own statement a store at the same position comes after the load; everything else counts.
        """
        for stmt in self.program.stmts.values():
            if access not in stmt.loads:
                continue
            own = [z for z in self.stores[access] if z in stmt.stores]
            if len(own) < len(self.stores[access]) or any(self.flows_back(stmt, access, z) for z in own):
                return True
            if own and any(c.kind == "flow" and c.sink == stmt.name for c in self.program.carried):
                return True
        return False

    def flows_back(self, stmt: Stmt, load: str, store: str) -> bool:
        """May the statement load at some position what it stored at an earlier one?"""
        shifts = self.shifts(load, store)
        if shifts is None:
            return False
        return any(shifts.get(a) is None or int(shifts[a] or 0) < 0 for a in self.program.domains[stmt.name])

    def shifts(self, a: str, b: str) -> dict[str, int | None] | None:
        """Per axis, position of b minus position of a where both touch the same element.

        An axis maps to None when every distance is possible or it is not known; the result is None when
        they never meet, and maps nothing when no axis moves them.
        """
        program = self.program
        first, second = program.accesses[a], program.accesses[b]
        axes = program.in_order({*program.access_axes[a], *program.access_axes[b]})
        if first.view != second.view:
            return dict.fromkeys(axes) or {}
        found: dict[str, int | None] = {}
        for x, y in zip(first.at, second.at, strict=True):
            moving, gap = linear(x)[0], sub(x, y)
            if moving != linear(y)[0] or not isinstance(gap, int) or program.index_axes(x) - moving.keys():
                return dict.fromkeys(axes)
            varying = [n for n in moving if n in program.axes]
            if not varying:
                if gap:
                    return None
                continue
            paces = {str(n): moving[n] * program.axes[str(n)].step for n in varying}
            apart = self._apart(paces, gap)
            if apart is None:
                return None
            for axis, distance in apart.items():
                if found.setdefault(axis, distance) != distance:
                    return None if None not in (found[axis], distance) else dict.fromkeys(axes)
        return found

    def _apart(self, paces: Mapping[str, int], gap: int) -> dict[str, int | None] | None:
        """Distances d along the axes with Σ pace·d = gap, as `shifts` gives them.

        From the longest step to the shortest, d is known when the shorter steps together leave one choice.
        """
        found: dict[str, int | None] = {}
        order = sorted(paces, key=lambda axis: -abs(paces[axis]))
        for k, axis in enumerate(order):
            pace, rest = paces[axis], self._reach({a: paces[a] for a in order[k + 1 :]})
            if rest is None:
                return dict.fromkeys(paces)
            ends = sorted((Fraction(gap - rest, pace), Fraction(gap + rest, pace)))
            choices = range(ceil(ends[0]), floor(ends[1]) + 1)
            if len(choices) != 1:
                return dict.fromkeys(paces) if choices else None
            found[axis] = choices[0]
            gap -= pace * choices[0]
        return found

    def _reach(self, paces: Mapping[str, int]) -> int | None:
        """How far the axes move a coordinate at most; None: not known before launch."""
        total = 0
        for axis, pace in paces.items():
            trips = self.program.axes[axis].trips
            if not isinstance(trips, int):
                return None
            total += abs(pace) * max(0, trips - 1)
        return total

    def distances(self, stmt: Stmt, axis: str, at_home: Collection[str]) -> tuple[int, int]:
        """`(order, any)`: so many neighbouring positions of the axis give the same in one box as in
        ascending order, and as in any order. `FAR` when there is no dependence.

        `at_home`: the accesses that the statement reads and writes in place. Others work on copies of
        their own, filled before and stored after, and depend on nothing.
        """
        order = both = FAR
        for forward, apart in self._shifts_of(stmt, axis, at_home):
            reach = 1 if apart is None else abs(apart)
            if apart != 0:
                both = min(both, reach)
                if not forward or apart is None or apart < 0:
                    order = min(order, reach)
        return order, both

    def _shifts_of(
        self, stmt: Stmt, axis: str, at_home: Collection[str]
    ) -> Iterator[tuple[bool, int | None]]:
        """Distances along the axis between two touches of one element by the statement, one of them a
        store. True: a later store does no harm when the order is ascending (load first)."""
        in_place = False
        for z in stmt.stores:
            repeated = axis not in self.program.access_axes[z]
            for other in (*stmt.loads, *stmt.stores):
                if z not in self.stores[other] or (other == z and not repeated):
                    continue
                if other != z and not {z, other} <= set(at_home):
                    continue
                in_place |= other != z
                shifts = self.shifts(other, z)
                if shifts is not None:
                    yield other in stmt.loads, shifts.get(axis)
        indices = {
            i
            for x in (*stmt.loads, *stmt.stores)
            for e in self.program.accesses[x].at
            for i in accesses_of(e)
        }
        if in_place or any(set(self.stores[i]) & set(stmt.stores) for i in indices):
            for c in self.program.carried:
                if c.source == c.sink == stmt.name and c.axis == axis:
                    yield c.kind == "anti", c.distance

    def ordered(self, c: Carried) -> bool:
        """Does fetching everything first, and storing everything last, change the outcome?"""
        return c.kind != "anti" or c.distance is None or c.distance < 0
