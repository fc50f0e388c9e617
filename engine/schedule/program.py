"""ScheduleIR programs: declarations by name plus one term (docs/scheduleir.md §1).

Everything is immutable; a transformed program is `dataclasses.replace(program, body=…)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..diagnostics import Position
from .index import Index, accesses_of, linear, names
from .sexpr import Expr, Term

__all__ = ["Access", "Axis", "Carried", "Let", "Program", "Stmt", "Value", "View"]


@dataclass(frozen=True, slots=True)
class Axis:
    """An iteration space: positions 0 … trips−1, value lo + step·position."""

    name: str
    lo: Index = 0
    step: int = 1
    trips: Index = 1

    def value(self, position: Index) -> Index:
        return Term("+", (self.lo, Term("*", (self.step, position))))


@dataclass(frozen=True, slots=True)
class View:
    """A window on memory. `base` and `strides` count elements of `dtype`; `ct_id` None with space
    `ct_local` is the executing tile's own scratchpad."""

    name: str
    base: Index
    shape: tuple[Index, ...]
    strides: tuple[Index, ...]
    dtype: str
    space: str = "global"
    ct_id: Index | None = None
    position: Position = field(default_factory=Position, compare=False)


@dataclass(frozen=True, slots=True)
class Access:
    """One coordinate per dimension of the view. `boundary`: `pad` (outside the view load 0, drop
    stores) or `error`."""

    name: str
    view: str
    at: tuple[Index, ...]
    boundary: str = "pad"
    position: Position = field(default_factory=Position, compare=False)


@dataclass(frozen=True, slots=True)
class Value:
    """A temporary tensor over the positions of `axes`; `init` and `comb` make it an accumulator."""

    name: str
    axes: tuple[str, ...]
    dtype: str
    init: int | float | None = None
    comb: str | None = None


@dataclass(frozen=True, slots=True)
class Let:
    """One step of a statement: `name` of `dtype` is the expression `expr`."""

    name: str
    dtype: str
    expr: Term
    position: Position = field(default_factory=Position, compare=False)


@dataclass(frozen=True, slots=True)
class Stmt:
    """Straight-line tile arithmetic. `effects` are `(store ACCESS x)`, `(set VALUE x)`, `(fold VALUE x)`."""

    name: str
    lets: tuple[Let, ...]
    effects: tuple[Term, ...]
    position: Position = field(default_factory=Position, compare=False)

    def _lets(self, head: str) -> Iterator[str]:
        return (str(s.expr.args[0]) for s in self.lets if s.expr.head == head)

    def _effects(self, *heads: str) -> Iterator[str]:
        return (str(e.args[0]) for e in self.effects if e.head in heads)

    @property
    def loads(self) -> tuple[str, ...]:
        """Accesses loaded, in order, without repetition (index reads of coordinates not included)."""
        return tuple(dict.fromkeys(self._lets("load")))

    @property
    def stores(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._effects("store")))

    @property
    def gets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._lets("get")))

    @property
    def sets(self) -> tuple[str, ...]:
        """Values written, by `set` or `fold`."""
        return tuple(dict.fromkeys(self._effects("set", "fold")))

    @property
    def folds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._effects("fold")))


@dataclass(frozen=True, slots=True)
class Carried:
    """A dependence between different positions of `axis`: `sink` at position p + distance must follow
    `source` at p. `distance` None: unknown or several (text `*`). `kind`: flow, anti or output."""

    source: str
    sink: str
    axis: str
    distance: int | None
    kind: str = "flow"


@dataclass(frozen=True)
class Program:
    """A kernel: declarations and `body`. Mappings keep declaration order; that of `axes` is canonical."""

    name: str
    body: Expr = "skip"
    grid: tuple[int, ...] = (1,)
    grid_order: str = "first"  # which grid coordinate runs fastest in the linear tile id: first | last
    args: Mapping[str, str] = field(default_factory=dict)  # name -> type, in call order
    syms: Mapping[str, Index] = field(default_factory=dict)
    axes: Mapping[str, Axis] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    accesses: Mapping[str, Access] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)
    stmts: Mapping[str, Stmt] = field(default_factory=dict)
    carried: tuple[Carried, ...] = ()

    def in_order(self, axes: frozenset[str] | set[str]) -> tuple[str, ...]:
        """The axes in canonical order."""
        return tuple(a for a in self.axes if a in axes)

    def index_axes(self, e: Index) -> frozenset[str]:
        """Axes that an integer expression varies with, through index reads too."""
        found = names(e) & self.axes.keys()
        for access in accesses_of(e):
            found |= self._index_access_axes(access)
        return frozenset(found)

    def _index_access_axes(self, access: str) -> frozenset[str]:
        return frozenset().union(*(self.index_axes(e) for e in self.accesses[access].at))

    @cached_property
    def access_axes(self) -> Mapping[str, tuple[str, ...]]:
        """Axes that each access varies with, in canonical order."""
        return {name: self.in_order(self._index_access_axes(name)) for name in self.accesses}

    @cached_property
    def layouts(self) -> Mapping[str, tuple[str, ...]]:
        """Axes of each access in the order a copy of it is laid out: that of the view's dimensions, in one
        dimension the axis with the longer steps first."""
        return {name: self._layout(access) for name, access in self.accesses.items()}

    def _layout(self, access: Access) -> tuple[str, ...]:
        order: dict[str, None] = {}
        for coordinate in access.at:
            terms, _ = linear(coordinate)
            own = [a for a in self.access_axes[access.name] if a in terms]
            own.sort(key=lambda a: -abs(terms[a] * self.axes[a].step))
            order |= dict.fromkeys(own)
        order |= dict.fromkeys(self.access_axes[access.name])
        return tuple(order)

    @cached_property
    def domains(self) -> Mapping[str, tuple[str, ...]]:
        """The domain of each statement: its box lists exactly these axes, in this order."""
        return {name: self.in_order(self.domain_of(s)) for name, s in self.stmts.items()}

    @cached_property
    def sequential(self) -> Mapping[str, tuple[str, ...]]:
        """Axes along which each statement has extent 1 in every box: what it stores or sets varies with
        them, where it goes does not (carried state, a store that a loop repeats)."""
        return {name: self.in_order(self._sequential(s)) for name, s in self.stmts.items()}

    def _sequential(self, stmt: Stmt) -> set[str]:
        tiles = self.tile_axes(stmt)
        found: set[str] = set()
        for effect in stmt.effects:
            target = str(effect.args[0])
            if effect.head == "store":
                found |= tiles[str(effect.args[1])] - {*self.access_axes[target]}
            elif effect.head == "set":
                found |= tiles[str(effect.args[1])] - {*self.values[target].axes}
        return found

    def domain_of(self, stmt: Stmt) -> set[str]:
        """The domain of a statement, declared or not, as a set."""
        axes: set[str] = set()
        for access in (*stmt.loads, *stmt.stores):
            axes.update(self.access_axes[access])
        for value in (*stmt.gets, *stmt.sets):
            axes.update(self.values[value].axes)
        for step in stmt.lets:
            if step.expr.head in ("reduce", "contract"):
                axes.add(str(step.expr.args[1 if step.expr.head == "reduce" else 0]))
            elif step.expr.head == "index":
                axes |= self.index_axes(step.expr.args[0])
        return axes

    def tile_axes(self, stmt: Stmt) -> dict[str, frozenset[str]]:
        """Axes of the tile that each let of the statement denotes."""
        known: dict[str, frozenset[str]] = {}
        for step in stmt.lets:
            known[step.name] = self._tile_axes(step.expr, known)
        return known

    def _tile_axes(self, e: Term, known: dict[str, frozenset[str]]) -> frozenset[str]:
        match e:
            case Term("load", (str(access),)):
                return frozenset(self.access_axes[access])
            case Term("get", (str(value),)):
                return frozenset(self.values[value].axes)
            case Term("index", (i,)):
                return self.index_axes(i)
            case Term("reduce", (_, str(axis), str(x))):
                return known[x] - {axis}
            case Term("contract", (str(axis), str(x), str(y))):
                return (known[x] | known[y]) - {axis}
            case Term("op", (_, *rest)):
                return frozenset().union(*(known[x] for x in operands(rest)))
        return frozenset()

    def buffer_of(self, view: str) -> tuple[str | int | None, Index]:
        """`(root, offset)` of a view: the argument whose buffer it lies in (or None when its address is
        made of constants: a baked address), and the element offset from there."""
        terms, const = linear(self.views[view].base)
        roots = [n for n, c in terms.items() if isinstance(n, str) and self.args.get(n) == "index" and c == 1]
        if not roots:
            return None, self.views[view].base
        root = str(roots[0])
        rest = [Term("*", (c, leaf)) for leaf, c in terms.items() if leaf != root]
        return root, Term("+", (*rest, const)) if rest else const


def operands(items: list[Expr] | tuple[Expr, ...]) -> list[str]:
    """The operand names of `(op NAME x y :attr v)` after NAME; `attributes` gives the rest."""
    cut = next((k for k, x in enumerate(items) if isinstance(x, str) and x.startswith(":")), len(items))
    return [str(x) for x in items[:cut]]


def attributes(items: list[Expr] | tuple[Expr, ...]) -> dict[str, Expr]:
    """The `:attr value` pairs of an `op` expression."""
    cut = len(operands(items))
    return {str(k)[1:]: v for k, v in zip(items[cut::2], items[cut + 1 :: 2], strict=True)}
