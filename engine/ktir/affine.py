"""Affine expressions, maps and integer sets: immutable values, evaluated on ints or NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["AffineExpr", "AffineMap", "Binary", "Const", "Dim", "IntegerSet", "Sym", "linear_form"]


@dataclass(frozen=True, slots=True)
class AffineExpr:
    """Base of the expression tree; leaves are `Dim`, `Sym`, `Const`, inner nodes `Binary`."""

    def eval(self, dims: Sequence[Any], syms: Sequence[Any] = ()) -> Any:
        """Value at a point; `dims` and `syms` hold ints or broadcastable integer arrays."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Dim(AffineExpr):
    index: int

    def eval(self, dims: Sequence[Any], syms: Sequence[Any] = ()) -> Any:
        return dims[self.index]

    def __str__(self) -> str:
        return f"d{self.index}"


@dataclass(frozen=True, slots=True)
class Sym(AffineExpr):
    index: int

    def eval(self, dims: Sequence[Any], syms: Sequence[Any] = ()) -> Any:
        return syms[self.index]

    def __str__(self) -> str:
        return f"s{self.index}"


@dataclass(frozen=True, slots=True)
class Const(AffineExpr):
    value: int

    def eval(self, dims: Sequence[Any], syms: Sequence[Any] = ()) -> Any:
        return self.value

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Binary(AffineExpr):
    """`op` is one of `+ * floordiv ceildiv mod` (MLIR's five; subtraction is `a + b * -1`)."""

    op: str
    lhs: AffineExpr
    rhs: AffineExpr

    def eval(self, dims: Sequence[Any], syms: Sequence[Any] = ()) -> Any:
        a, b = self.lhs.eval(dims, syms), self.rhs.eval(dims, syms)
        match self.op:
            case "+":
                return a + b
            case "*":
                return a * b
            case "floordiv":
                return a // b
            case "ceildiv":
                return -((-a) // b)
            case "mod":
                return a % b
        raise ValueError(f"unknown affine operator {self.op}")

    def __str__(self) -> str:
        def wrap(e: AffineExpr) -> str:
            return f"({e})" if isinstance(e, Binary) and self.op != "+" else str(e)

        return f"{wrap(self.lhs)} {self.op} {wrap(self.rhs)}"


def _params(kind: str, n: int) -> str:
    return ", ".join(f"{kind}{i}" for i in range(n))


def _head(dims: int, syms: int) -> str:
    return f"({_params('d', dims)})" + (f"[{_params('s', syms)}]" if syms else "")


@dataclass(frozen=True, slots=True)
class AffineMap:
    dims: int
    syms: int
    results: tuple[AffineExpr, ...]

    @staticmethod
    def identity(rank: int) -> AffineMap:
        return AffineMap(rank, 0, tuple(Dim(i) for i in range(rank)))

    def eval(self, dims: Sequence[Any], syms: Sequence[Any] = ()) -> tuple[Any, ...]:
        return tuple(r.eval(dims, syms) for r in self.results)

    @property
    def is_identity(self) -> bool:
        return self.results == tuple(Dim(i) for i in range(self.dims))

    def __str__(self) -> str:
        return f"affine_map<{_head(self.dims, self.syms)} -> ({', '.join(map(str, self.results))})>"


@dataclass(frozen=True, slots=True)
class IntegerSet:
    """Points where every constraint holds: `(expr, True)` means expr == 0, `(expr, False)` expr >= 0."""

    dims: int
    syms: int
    constraints: tuple[tuple[AffineExpr, bool], ...]

    def contains(self, dims: Sequence[Any], syms: Sequence[Any] = ()) -> Any:
        """Membership; a bool, or a boolean array when dims or syms hold arrays."""
        result: Any = True
        for expr, equality in self.constraints:
            value = expr.eval(dims, syms)
            result = result & ((value == 0) if equality else (value >= 0))
        return result

    def __str__(self) -> str:
        body = ", ".join(f"{e} {'==' if eq else '>='} 0" for e, eq in self.constraints)
        return f"affine_set<{_head(self.dims, self.syms)} : ({body or '0 == 0'})>"


def linear_form(expr: AffineExpr) -> tuple[dict[AffineExpr, int], int] | None:
    """`(coefficients by leaf, constant)`, or None when it has floordiv, mod or a product of leaves."""
    match expr:
        case Const(value):
            return {}, value
        case Dim() | Sym():
            return {expr: 1}, 0
        case Binary("+", lhs, rhs):
            left, right = linear_form(lhs), linear_form(rhs)
            if left is None or right is None:
                return None
            terms = dict(left[0])
            for leaf, c in right[0].items():
                terms[leaf] = terms.get(leaf, 0) + c
            return {leaf: c for leaf, c in terms.items() if c}, left[1] + right[1]
        case Binary("*", lhs, rhs):
            left, right = linear_form(lhs), linear_form(rhs)
            if left is None or right is None or (left[0] and right[0]):
                return None
            (terms, const), factor = (left, right[1]) if not right[0] else (right, left[1])
            return {leaf: c * factor for leaf, c in terms.items() if c * factor}, const * factor
    return None
