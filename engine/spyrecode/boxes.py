"""What sets and layout maps mean for addresses: boxes of points, strides along their dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..diagnostics import Position, fail
from ..ktir.affine import AffineExpr, AffineMap, Dim, IntegerSet, Sym, linear_form
from .forms import Form

__all__ = ["Axis", "box", "lane_stride", "linear_map", "ordered"]


@dataclass(frozen=True, slots=True)
class Axis:
    """Points lower … lower + extent - 1 of dimension `dim`."""

    dim: int
    lower: int
    extent: Form


def box(points: IntegerSet, symbols: Sequence[Form], what: str, position: Position) -> list[Axis]:
    """The box of a set, one Axis per dimension. SPY040: not a box, or without bounds."""
    lower: list[int | None] = [None] * points.dims
    upper: list[Form | None] = [None] * points.dims

    def refuse(why: str) -> None:
        fail("SPY040", f"{what} {points} is not a box: {why}", position, "give one range per dimension")

    for expr, equality in points.constraints:
        parts = linear_form(expr)
        dims = {a: c for a, c in parts[0].items() if isinstance(a, Dim)} if parts else {}
        if parts is None or len(dims) > 1 or any(abs(c) != 1 for c in dims.values()):
            refuse("a constraint is not a bound of one dimension")
            raise AssertionError
        rest = _form({a: c for a, c in parts[0].items() if isinstance(a, Sym)}, parts[1], symbols)
        if not dims:
            if rest.as_int is None or rest.as_int < 0 or (equality and rest.as_int != 0):
                refuse("a constraint does not mention a dimension")
            continue
        ((leaf, sign),) = dims.items()
        assert isinstance(leaf, Dim)
        bound = rest.times(-sign)  # sign·d + rest >= 0
        if sign > 0 or equality:
            if bound.as_int is None:
                refuse("a lower bound is not a number")
            lower[leaf.index] = _largest(lower[leaf.index], bound.as_int or 0)
        if sign < 0 or equality:
            known = upper[leaf.index]
            if known is not None and not (known.as_int is not None and bound.as_int is not None):
                refuse(f"dimension {leaf.index} has several upper bounds")
            upper[leaf.index] = bound if known is None or (bound.as_int or 0) < (known.as_int or 0) else known
    axes = []
    for dim, (low, high) in enumerate(zip(lower, upper, strict=True)):
        if low is None or high is None:
            refuse(f"dimension {dim} has no {'lower' if low is None else 'upper'} bound")
            raise AssertionError
        axes.append(Axis(dim, low, high.plus(Form(1 - low))))
    return axes


def _largest(a: int | None, b: int) -> int:
    return b if a is None else max(a, b)


def _form(terms: dict[AffineExpr, int], constant: int, symbols: Sequence[Form]) -> Form:
    total = Form(constant)
    for leaf, coefficient in terms.items():
        assert isinstance(leaf, Sym)
        total = total.plus(symbols[leaf.index].times(coefficient))
    return total


def ordered(axes: list[Axis], order: AffineMap, what: str, position: Position) -> list[Axis]:
    """The axes of extent other than 1, outermost first as `order` visits them (lexicographically)."""
    walked: list[Axis] = []
    for result in order.results:
        if not isinstance(result, Dim):
            fail("SPY041", f"{what} {order} is not a permutation of dimensions", position)
        walked.append(axes[result.index])
    missing = [a for a in axes if a not in walked and a.extent.as_int != 1]
    if missing or len(walked) != len({a.dim for a in walked}):
        fail("SPY041", f"{what} {order} does not visit every dimension once", position)
    return [a for a in walked if a.extent.as_int != 1]


def linear_map(layout: AffineMap, what: str, position: Position) -> list[list[int]]:
    """Coefficient of every dimension in every result: [result][dim]. SPY042: a map that is not linear."""
    rows = []
    for result in layout.results:
        parts = linear_form(result)
        if parts is None or any(isinstance(leaf, Sym) for leaf in parts[0]):
            fail(
                "SPY042",
                f"{what} {layout} is not linear, so addresses do not advance by a fixed stride",
                position,
                "use a row-major or strided layout, or move one element at a time",
            )
        row = [0] * layout.dims
        for leaf, coefficient in parts[0].items():
            if isinstance(leaf, Dim):
                row[leaf.index] = coefficient
        rows.append(row)
    return rows


def lane_stride(axes: list[Axis], strides: list[int], what: str, position: Position) -> tuple[int, int]:
    """(lanes, elements between two lanes) of a vector over `axes` (outermost first) with these strides."""
    lanes, stride = 1, 1
    for axis, step in reversed(list(zip(axes, strides, strict=True))):
        extent = axis.extent.as_int
        if extent is None or extent < 1:
            fail("SPY043", f"{what}: a vector's extent must be a positive number", position)
        if lanes == 1:
            lanes, stride = extent, step
        elif step == lanes * stride:
            lanes *= extent
        else:
            message = f"{what}: the lanes of the vector are not equally spaced in memory"
            fail("SPY043", message, position, "load vectors along one dimension")
    return lanes, stride
