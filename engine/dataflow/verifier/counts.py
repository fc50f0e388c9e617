"""Launch-time integers by structure: equal names are equal numbers, sums and multiples in one normal form.

A name is an int, a leaf (a tuple: a symbol, or an op with the names of its operands) or
`("sum", ((leaf, factor), …), constant)`.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Name", "add", "call", "positive", "scaled"]

Name = Any


def _parts(x: Name) -> tuple[dict[Name, int], int]:
    if isinstance(x, int):
        return {}, x
    if x[0] == "sum":
        return dict(x[1]), x[2]
    return {x: 1}, 0


def _made(terms: dict[Name, int], constant: int) -> Name:
    left = tuple(sorted(((t, c) for t, c in terms.items() if c), key=repr))
    if not left:
        return constant
    return left[0][0] if constant == 0 and len(left) == 1 and left[0][1] == 1 else ("sum", left, constant)


def add(x: Name, y: Name, times: int = 1) -> Name:
    """x + times·y."""
    (terms, constant), (more, rest) = _parts(x), _parts(y)
    for leaf, c in more.items():
        terms[leaf] = terms.get(leaf, 0) + times * c
    return _made(terms, constant + times * rest)


def scaled(x: Name, by: int) -> Name:
    return add(0, x, by)


def positive(x: Name) -> Name:
    """The name of x > 0."""
    return ("positive", x)


def call(op: str, operands: list[Name], attributes: tuple[Any, ...], less: bool) -> Name:
    """The name of an op's result. `less`: a signed comparison `<`."""
    match op:
        case "arith.addi":
            return add(*operands)
        case "arith.subi":
            return add(operands[0], operands[1], -1)
        case "arith.muli" if isinstance(operands[0], int):
            return scaled(operands[1], operands[0])
        case "arith.muli" if isinstance(operands[1], int):
            return scaled(operands[0], operands[1])
        case "arith.cmpi" if less:
            return positive(add(operands[1], operands[0], -1))
    return ((op, *attributes), *operands)
