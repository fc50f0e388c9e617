"""Addresses of views: subscripts and layout maps evaluated on integer forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ktir import ir
from ..ktir.affine import AffineMap
from .context import Context
from .forms import Form
from .scalars import Scalars
from .values import View

__all__ = ["Expr", "address", "make_view", "subscripts", "view_of"]


@dataclass(frozen=True, slots=True)
class Expr:
    """A form with Python's operators, for `AffineExpr.eval`."""

    scalars: Scalars
    form: Form

    @staticmethod
    def of(scalars: Scalars, value: Expr | int) -> Expr:
        return value if isinstance(value, Expr) else Expr(scalars, Form(value))

    def _binary(self, op: str, other: Expr | int) -> Expr:
        return Expr(self.scalars, self.scalars.binary(op, self.form, Expr.of(self.scalars, other).form))

    def __add__(self, other: Expr | int) -> Expr:
        return self._binary("add", other)

    def __mul__(self, other: Expr | int) -> Expr:
        return self._binary("mul", other)

    def __floordiv__(self, other: Expr | int) -> Expr:
        return self._binary("fdiv", other)

    def __mod__(self, other: Expr | int) -> Expr:
        return self._binary("mod", other)

    def __neg__(self) -> Expr:
        return Expr(self.scalars, self.form.times(-1))

    __radd__ = __add__
    __rmul__ = __mul__


def view_of(c: Context, value: ir.Value) -> View:
    found = c.get(value)
    if not isinstance(found, View):
        c.fail("SPY052", f"%{value.name} is not a memory view", "views come from get_logical_memory_view")
    return found


def make_view(c: Context, op: ir.Op) -> None:
    """get_logical_memory_view: memory, base address in elements, layout."""
    places = c.places(op.operands[0])
    if not places.kind.memory:
        c.fail("SPY052", f"%{op.operands[0].name} is a unit, not a memory")
    kind = op.result.type
    if not isinstance(kind, ir.MemRef):
        c.fail("SPY054", f"a memory view has a memref type, not {kind}")
    name = kind.element.name
    layout = op.attributes["layout_map"]
    if len(layout.results) != 1 or layout.dims != len(kind.shape):
        c.fail("SPY054", f"layout_map {layout} does not fit {kind}")
    c.values[op.result] = View(places, c.form(op.operands[1]), layout, name, c.element_bytes(name))


def subscripts(c: Context, amap: AffineMap, operands: Sequence[ir.Value]) -> list[Form]:
    given = [Expr(c.scalars, c.form(v)) for v in operands]
    results = amap.eval(given[: amap.dims], given[amap.dims :])
    return [Expr.of(c.scalars, r).form for r in results]


def address(c: Context, view: View, indices: Sequence[Form]) -> Form:
    """Byte address of the element at `indices`."""
    if len(indices) != view.layout.dims:
        c.fail("SPY054", f"{len(indices)} subscripts for a view with {view.layout.dims} dimensions")
    given = [Expr(c.scalars, i) for i in indices]
    (offset,) = view.layout.eval(given, ())
    return view.base.plus(Expr.of(c.scalars, offset).form).times(view.element_bytes)
