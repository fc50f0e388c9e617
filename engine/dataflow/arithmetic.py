"""Integer expressions of ScheduleIR as DataflowIR: affine subscripts where possible, `arith` ops otherwise.

What depends on tile coordinates and instance numbers only is computed here, per instance; launch-time
arguments come from symbols; loop counters are SSA values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..diagnostics import Position, fail
from ..ktir.affine import AffineExpr, AffineMap, Binary, Const, Dim
from ..ktir.ir import Scalar, Value
from ..numerics import dtype as element_type
from ..numerics import scalar_ops
from ..schedule.index import Index, bounds, evaluate, linear, names, substitute
from ..schedule.program import Program
from ..schedule.sexpr import Term, show
from .builder import I1, INDEX, Array, UnitBuilder

__all__ = ["Arithmetic", "Sum", "predicate"]

Sum = tuple[tuple[tuple[Value, int], ...], int]  # Σ coefficient·value + constant

# The operators of integer expressions and the op that computes each (floordiv, ceildiv round as MLIR's do).
_BINARY = {
    "*": "arith.muli",
    "floordiv": "arith.floordivsi",
    "ceildiv": "arith.ceildivsi",
    "min": "arith.minsi",
    "max": "arith.maxsi",
}
_COMPARE = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle"}


def predicate(name: str) -> int:
    """MLIR's number of an integer comparison."""
    return scalar_ops()["arith.cmpi"].cases.index(name)


class Arithmetic:
    """Emission of index arithmetic into one unit's program."""

    def __init__(self, builder: UnitBuilder, program: Program, ranges: Mapping[str, Index]) -> None:
        self.b = builder
        self.program = program
        self.counters: dict[str, Value | Index] = {}  # loop counter → its value, or what it is made of
        self.syms: dict[str, Index] = {}
        for name, e in program.syms.items():
            self.syms[name] = substitute(e, self.syms)
        self.ranges = ranges
        self._resolved: dict[Index, Index] = {}
        self.position = Position()

    # ---- evaluation per instance ------------------------------------------------------------------------

    def resolved(self, e: Index) -> Index:
        """`e` with syms written out."""
        if isinstance(e, int) or not self.syms:
            return e
        if e not in self._resolved:
            self._resolved[e] = substitute(e, self.syms)
        return self._resolved[e]

    def static(self, e: Index) -> Array | None:
        """The value of `e` on every instance (for the current thread); None when it is not known yet."""
        e = self.resolved(e)
        if isinstance(e, Term) and any(t.head == "ind" for t in e.walk()):
            return None
        if not names(e) <= self.b.static.keys():
            return None
        found = np.asarray(evaluate(e, self.b.static), np.int64)
        return np.broadcast_to(found, (len(self.b.place.instances),))

    def known(self, e: Index) -> int | None:
        """As `static`, when it is one number."""
        found = self.static(e)
        return int(found[0]) if found is not None and (found == found[0]).all() else None

    def at_least(self, e: Index, least: int) -> bool:
        """Is `e` ≥ `least` on every instance and in every iteration, as far as is known before launch?"""
        terms, const = linear(self.resolved(e))
        lowest: Array | int = const
        for leaf, c in terms.items():
            fixed = self.static(leaf)
            if fixed is not None:
                lowest = lowest + c * fixed
                continue
            low, high = self._leaf_bounds(leaf)
            limit = low if c > 0 else high
            if limit is None:
                return False
            lowest = lowest + c * limit
        return bool((np.asarray(lowest) >= least).all())

    def _leaf_bounds(self, leaf: Index) -> tuple[Array | int | None, Array | int | None]:
        if isinstance(leaf, str) and leaf in self.ranges:
            trips = self.static(self.ranges[leaf])
            return 0, None if trips is None else np.maximum(trips - 1, 0)
        return bounds(leaf, self._bounds())

    # ---- emission ---------------------------------------------------------------------------------------

    def sum(self, e: Index) -> Sum:
        """`e` as a linear combination of SSA values."""
        terms, const = linear(self.resolved(e))
        constant: Array | int = const
        found: dict[Value, int] = {}
        for leaf, c in terms.items():
            fixed = self.static(leaf)
            if fixed is not None:
                constant = constant + c * fixed
                continue
            parts, rest = self._leaf(leaf)
            constant = constant + c * rest
            for value, factor in parts:
                found[value] = found.get(value, 0) + c * factor
        column = np.broadcast_to(np.asarray(constant, np.int64), (len(self.b.place.instances),))
        if not (column == column[0]).all():
            found[self.b.per_instance(column)] = 1
            return tuple((v, c) for v, c in found.items() if c), 0
        return tuple((v, c) for v, c in found.items() if c), int(column[0])

    def _leaf(self, leaf: Index) -> Sum:
        if isinstance(leaf, str):
            held = self.counters.get(leaf)
            if isinstance(held, Value):
                return ((held, 1),), 0
            return self.sum(held) if held is not None else (((self.argument(leaf), 1),), 0)
        assert isinstance(leaf, Term)
        return ((self._nonlinear(leaf), 1),), 0

    def value(self, e: Index) -> Value:
        """`e` as one SSA value, computed where its operands are known."""
        terms, const = self.sum(e)
        total: Value | None = None
        for v, c in terms:
            part = v if c == 1 else self._op("arith.muli", [v, self.b.constant(c)], "t")
            total = part if total is None else self._op("arith.addi", [total, part], "t")
        if total is None:
            return self.b.constant(const)
        return self._op("arith.addi", [total, self.b.constant(const)], "t") if const else total

    def condition(self, e: Index) -> Value:
        """`e` ≠ 0 as an i1."""
        e = self.resolved(e)
        if isinstance(e, Term) and e.head in _COMPARE:
            a, b = (self.value(x) for x in e.args)
            return self._op("arith.cmpi", [a, b], "p", {"predicate": predicate(_COMPARE[e.head])}, I1)
        return self._op(
            "arith.cmpi", [self.value(e), self.b.constant(0)], "p", {"predicate": predicate("ne")}, I1
        )

    def _nonlinear(self, e: Term) -> Value:
        if e.head in _BINARY:
            first, *rest = (self.value(a) for a in e.args)
            for other in rest:
                first = self._op(_BINARY[e.head], [first, other], "t")
            return first
        match e:
            case Term("mod", (a, b)):
                return self._modulo(a, b)
            case Term("select", (c, a, b)):
                return self._op("arith.select", [self.condition(c), self.value(a), self.value(b)], "t")
            case Term("and" | "or", args):
                flags = [self.condition(a) for a in args]
                name = "arith.andi" if e.head == "and" else "arith.ori"
                flag = flags[0]
                for other in flags[1:]:
                    flag = self._op(name, [flag, other], "p", None, I1)
                return self._chosen(flag, 1, 0)
            case Term("not", (a,)):
                return self._chosen(self.condition(a), 0, 1)
            case Term("eq" | "ne" | "lt" | "le"):
                return self._chosen(self.condition(e), 1, 0)
        message = f"the index `{show(e)}` is read from memory; such accesses are not lowered yet"
        fail("DFLOW040", message, self.position)

    def _chosen(self, flag: Value, yes: int, no: int) -> Value:
        return self._op("arith.select", [flag, self.b.constant(yes), self.b.constant(no)], "t")

    def _modulo(self, a: Index, b: Index) -> Value:
        low, _ = bounds(self.resolved(a), self._bounds())
        x, y = self.value(a), self.value(b)
        if low is not None and low >= 0:
            return self._op("arith.remui", [x, y], "t")
        quotient = self._op("arith.floordivsi", [x, y], "t")
        return self._op("arith.subi", [x, self._op("arith.muli", [quotient, y], "t")], "t")

    def _bounds(self) -> dict[str, tuple[int | None, int | None]]:
        found: dict[str, tuple[int | None, int | None]] = dict.fromkeys(self.ranges, (0, None))
        found |= {n: (int(v.min()), int(v.max())) for n, v in self.b.static.items()}
        return found

    def _op(
        self,
        name: str,
        operands: list[Value],
        label: str,
        attributes: dict[str, int] | None = None,
        kind: Scalar = INDEX,
    ) -> Value:
        """Where its operands are: at the top when none depends on a loop, else here; each once per block."""
        top = all(v in self.b.top_values for v in operands)
        key = (name, *(id(v) for v in operands), *(attributes or {}).values())

        def make() -> Value:
            return self.b.value(name, operands, dict(attributes or {}), (label, kind), top=top)

        return self.b.cached(key, make, top=top)

    # ---- symbols ----------------------------------------------------------------------------------------

    def argument(self, name: str) -> Value:
        """A launch-time argument: a buffer's byte address, or an integer's value."""
        number = list(self.program.args).index(name)

        def make() -> Value:
            attributes = {"SymbolId": -(number + 1)}
            return self.b.value("symbol.create_symbol", (), attributes, (name, INDEX), top=True)

        return self.b.cached(("argument", name), make, top=True)

    def base(self, view: str) -> Value:
        """The view's first element, counted in elements from address 0."""
        declared = self.program.views[view]
        root, offset = self.program.buffer_of(view)
        if root is None:
            return self.value(declared.base)
        size = self.b.constant(element_type(declared.dtype).nbytes)
        first = self._op("arith.divui", [self.argument(str(root)), size], "base")
        rest = self.value(offset)
        return first if self.known(offset) == 0 else self._op("arith.addi", [first, rest], "base")

    # ---- subscripts -------------------------------------------------------------------------------------

    def subscripts(self, indices: Sequence[Index]) -> tuple[AffineMap, list[Value]]:
        """Affine subscripts and the values they are made of, in order of first use."""
        values: dict[Value, int] = {}
        results: list[AffineExpr] = []
        for e in indices:
            terms, const = self.sum(e)
            expr: AffineExpr | None = None
            for v, c in terms:
                dim: AffineExpr = Dim(values.setdefault(v, len(values)))
                part = dim if c == 1 else Binary("*", dim, Const(c))
                expr = part if expr is None else Binary("+", expr, part)
            if expr is None:
                expr = Const(const)
            elif const:
                expr = Binary("+", expr, Const(const))
            results.append(expr)
        return AffineMap(len(values), 0, tuple(results)), list(values)
