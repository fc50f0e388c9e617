"""Integer values at assembly time: linear forms over what is only known at run time.

A `Form` is `constant + Σ coefficient · atom`. The constant is an int, or a tuple with one int per
instance of the program (what `uniform` maps give). An `Atom` is a value in an integer register:
a loop's induction variable, a symbol, a carried value, or the result of a non-linear operation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .blocks import Block, IntReg

__all__ = ["Atom", "Constant", "Form", "combine"]

Constant = int | tuple[int, ...]


@dataclass(slots=True, eq=False)
class Atom:
    """`block` is where its value is defined. `number` orders atoms deterministically."""

    number: int
    block: Block
    reg: IntReg | None  # None for an induction variable: its registers are made per use
    name: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    constant: Constant
    terms: tuple[tuple[Atom, int], ...] = field(default=())

    @property
    def is_constant(self) -> bool:
        """Known at assembly time, perhaps different per instance."""
        return not self.terms

    @property
    def as_int(self) -> int | None:
        """The value if it is the same number for all instances, else None."""
        return self.constant if not self.terms and isinstance(self.constant, int) else None

    def plus(self, other: Form) -> Form:
        constant = combine(lambda a, b: a + b, self.constant, other.constant)
        if not other.terms:
            return Form(constant, self.terms)
        terms = dict(self.terms)
        for atom, coefficient in other.terms:
            terms[atom] = terms.get(atom, 0) + coefficient
        kept = sorted((t for t in terms.items() if t[1]), key=lambda t: t[0].number)
        return Form(constant, tuple(kept))

    def times(self, factor: int) -> Form:
        if factor == 0:
            return Form(0)
        constant = combine(lambda a, b: a * b, self.constant, factor)
        return Form(constant, tuple((a, c * factor) for a, c in self.terms))

    def minus(self, other: Form) -> Form:
        return self.plus(other.times(-1))


def combine(function: Callable[[int, int], int], a: Constant, b: Constant) -> Constant:
    """`function` on constants, instance by instance; a tuple of equal numbers becomes the number."""
    if isinstance(a, int) and isinstance(b, int):
        return function(a, b)
    n = len(a) if isinstance(a, tuple) else len(b) if isinstance(b, tuple) else 0
    left = a if isinstance(a, tuple) else (a,) * n
    right = b if isinstance(b, tuple) else (b,) * n
    return uniform(tuple(function(x, y) for x, y in zip(left, right, strict=True)))


def uniform(values: tuple[int, ...]) -> Constant:
    """The tuple, or its number when all are equal."""
    return values[0] if all(v == values[0] for v in values) else values
