"""Single vectors that lie partly beyond their view, by a number of lanes that differs from iteration to
iteration: whole where they are inside, else lane by lane.

Only a unit with vector registers can do that; it has no instruction for a part of a vector whose length is
in a register.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..ktir.affine import Binary, Const, Dim, IntegerSet, Sym
from ..ktir.ir import Region, Scalar, Value, Vector
from ..schedule.index import Index, call, sub
from ..schedule.sexpr import Term
from .arithmetic import Arithmetic
from .builder import I1, INDEX, UnitBuilder

__all__ = ["Part", "load_part", "store_part"]

_UP_TO = IntegerSet(1, 1, ((Dim(0), False), (Binary("+", Binary("*", Dim(0), Const(-1)), Sym(0)), False)))


@dataclass(frozen=True, slots=True)
class Part:
    """Lanes low … high − 1 of a vector of `lanes` are inside; None is a bound that always holds."""

    low: Index | None
    high: Index | None
    lanes: int

    @property
    def whole(self) -> Index:
        """Is the vector inside?"""
        conditions: list[Index] = [] if self.low is None else [Term("le", (self.low, 0))]
        if self.high is not None:
            conditions.append(Term("le", (self.lanes, self.high)))
        return conditions[0] if len(conditions) == 1 else Term("and", tuple(conditions))

    @property
    def first(self) -> Index:
        return 0 if self.low is None else call("max", self.low, 0)

    @property
    def end(self) -> Index:
        return self.lanes if self.high is None else call("min", self.high, self.lanes)


def load_part(
    b: UnitBuilder, a: Arithmetic, part: Part, kind: str, load: Callable[[Index | None], Value], name: str
) -> Value:
    """`load(None)` loads the whole vector, `load(l)` its lane l alone; lanes outside are 0."""
    long = Vector((part.lanes,), Scalar(kind))
    zeros = b.zeros(kind, part.lanes)

    def up_to(last: Index, inner: Value, outer: Value) -> Value:
        """`inner` in lanes 0 … last, `outer` in the others."""
        chosen = ("lanes", Vector((part.lanes,), I1))
        mask = b.value("vectorchain.create_affine_mask", [a.value(last)], {"mask_set": _UP_TO}, chosen)
        return b.value("vectorchain.element_wise_selection", [mask, inner, outer], None, (name, long))

    def step(number: Index, held: Value) -> Value:
        lane = sub(sub(part.end, 1), number)  # downwards: a lane is right once those above it are
        return up_to(lane, b.splat(load(lane), kind, part.lanes), held)

    def lanes() -> Value:
        found = _walk(b, a, sub(part.end, part.first), zeros, step)
        return found if part.low is None else up_to(sub(part.first, 1), zeros, found)

    return b.chosen(a.condition(part.whole), lambda: load(None), lanes, name)


def store_part(
    b: UnitBuilder,
    a: Arithmetic,
    part: Part,
    kind: str,
    data: Value,
    store: Callable[[Index | None, Value], None],
) -> None:
    """`store(None, v)` stores a whole vector, `store(l, v)` the vector v of one element at lane l."""

    def step(lane: Index, held: Value) -> Value:
        one = b.narrowed(held, kind, 1)
        if part.low is None:
            store(lane, one)
        else:
            with b.when(a.condition(Term("le", (part.low, lane)))):
                store(lane, one)
        return b.rotated(held, kind)

    def lanes() -> None:
        _walk(b, a, part.end, data, step)

    b.branch(a.condition(part.whole), lambda: store(None, data), lanes)


def _walk(
    b: UnitBuilder, a: Arithmetic, trips: Index, start: Value, step: Callable[[Index, Value], Value]
) -> Value:
    """A loop that carries a vector."""
    counter = b.function.name("%lane")
    iv, held = Value(b.function.name("lane"), INDEX), Value(b.function.name(start.name), start.type)
    times = a.value(call("max", trips, 0))
    a.counters[counter] = iv
    with b.block([iv, held]) as body:
        b.op("scf.yield", [step(counter, held)])
    del a.counters[counter]
    operands = [b.constant(0), times, b.constant(1), start]
    return b.op("scf.for", operands, None, (start.name, start.type), [Region([body])]).result
