"""Which threads of the schedule a unit serves at a place of the tree, which instances are active there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from ..arch.model import Arch, ComputeUnit
from .arithmetic import Arithmetic
from .builder import FunctionBuilder, UnitBuilder
from .compute import Compute
from .plan import Plan
from .storage import StorageMaker

__all__ = ["Threads", "Where"]


@dataclass(frozen=True, slots=True)
class Where:
    """`pars`: groups of the `par`s around this place, with their ways, outermost first; `alone`: groups whose
    condition "instance 0 only" already holds."""

    pars: tuple[tuple[str, int], ...] = ()
    alone: frozenset[str] = frozenset()

    def inside(self, group: str, ways: int) -> Where:
        return Where((*self.pars, (group, ways)), self.alone)

    def fixed(self, group: str) -> bool:
        return group in self.alone or any(g == group for g, _ in self.pars)


@dataclass
class Threads:
    """The program of one unit kind while it is built; `unit` is the unit's name in the architecture."""

    arch: Arch
    plan: Plan
    function: FunctionBuilder
    unit: str
    b: UnitBuilder = field(init=False)
    a: Arithmetic = field(init=False)
    storage: StorageMaker = field(init=False)
    compute: Compute | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.b = UnitBuilder(self.function, self.function.instances.place(self.unit))
        self.a = Arithmetic(self.b, self.plan.program, self.plan.ranges)
        self.storage = StorageMaker(self.b, self.a)
        found = self.arch.units[self.unit]
        if isinstance(found, ComputeUnit):
            self.compute = Compute(self.b, self.a, found)

    def threads(self, where: Where) -> Iterator[dict[str, int]]:
        """Every thread that one instance serves here: its tiles, and indices of `par`s it stands outside of.

        Sets the builder's thread; ops emitted for tiles that some instances do not have are guarded.
        """
        outside = [(g, n) for g, n in where.pars if g not in self.b.place.path]
        slots = self.b.slots
        for slot in range(slots):
            for chosen in product(*(range(n) for _, n in outside)):
                served = dict(zip((g for g, _ in outside), chosen, strict=True))
                self.b.set_thread(slot, served)
                if slots > 1:
                    owned = [len(self.b.instances.tiles_of(i)) for i in self.b.place.instances]
                    with self.b.guard(np.array([slot < n for n in owned])):
                        yield served
                else:
                    yield served
        self.b.set_thread(0, {})

    @contextmanager
    def only(self, reach: Mapping[str, int], where: Where) -> Iterator[None]:
        """Ops for the instances below `reach` in every group that no `par` around fixes."""
        active = np.ones(len(self.b.place.instances), bool)
        for group in self.b.place.local:
            if not where.fixed(group):
                active &= self.b.coordinate(group) < reach.get(group, 1)
        with self.b.guard(active):
            yield

    @contextmanager
    def within(self, pars: tuple[tuple[str, int], ...]) -> Iterator[None]:
        """On the instances that take part in these `par`s."""
        active = np.ones(len(self.b.place.instances), bool)
        for group, ways in pars:
            if group in self.b.place.path:
                active &= self.b.coordinate(group) < ways
        with self.b.guard(active):
            yield
