"""Before lifting: which SSA values must be kept in a ScheduleIR value instead of being inlined.

Inlining moves a load down to the store that uses it. That is wrong past a store that may overlap it,
and wasteful for a computation that a loop would repeat: those values are computed where the kernel does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..diagnostics import TilesatError
from ..ktir import ir
from ..ktir.groups import written_in_place
from .alias import disjoint
from .lift_memory import Declarations
from .lift_reduce import reduction_dims
from .lift_tensor import element, semantics
from .program import View

__all__ = ["Plan", "plan"]

_CONTROL = {"for", "if", "execute_region", "parallel", "forall", "while"}
_COMPUTE = {"scalar", "elementwise", "generic", "map", "reduce", "contraction"}
Place = tuple[tuple[int, ir.Op], ...]  # (position in block, op) from the function's block inwards


@dataclass
class Plan:
    declare: Declarations
    may_alias: bool
    kept: dict[ir.Value, None] = field(default_factory=dict)  # in the order they were found
    places: dict[ir.Op, Place] = field(default_factory=dict)
    stores: list[ir.Op] = field(default_factory=list)
    roots: list[tuple[ir.Op, list[ir.Value]]] = field(default_factory=list)
    order: dict[ir.Value, int] = field(default_factory=dict)  # of definition

    def same_buffer(self, x: str, y: str) -> bool:
        """May two declared accesses overlap, as far as their views tell?"""
        views, accesses = self.declare.views, self.declare.accesses
        return self._may_overlap(views[accesses[x].view], views[accesses[y].view])

    def _may_overlap(self, a: View, b: View) -> bool:
        return not disjoint(a, b, self.declare.arguments, self.may_alias)

    def is_pure(self, op: ir.Op) -> bool:
        """An op with a region that only computes its results (linalg, tensor.generate)."""
        kind = semantics(op.name)
        return kind not in _CONTROL and not op.name.startswith("scf.") and not kind.startswith("inter_tile")

    # --- building ---------------------------------------------------------------------------------------

    def enter(self, block: ir.Block, around: Place, used: set[ir.Value]) -> None:
        for position, op in enumerate(block.ops):
            place = (*around, (position, op))
            self.places[op] = place
            self.order.update((v, len(self.order)) for v in op.results)
            kind = semantics(op.name)
            if kind == "store":
                self.stores.append(op)
            elif kind in _COMPUTE:
                self.declare.written.update((outs, op) for outs, _ in written_in_place(op, used))
            if not self.is_pure(op):
                for region in op.regions:
                    for inner in region.blocks:
                        self.enter(inner, place, used)

    def decide(self) -> None:
        """Reductions, loads that a store would overtake, computations that a loop would repeat; then, one at
        a time from the end, computations that several statements other than stores would repeat."""
        while True:
            users = self._trace()
            shared = [
                v
                for v, roots in users.items()
                if len(roots) > 1 and not all(semantics(self.roots[r][0].name) == "store" for r in roots)
            ]
            if not shared:
                return
            self.kept[max(shared, key=lambda v: self.order[v])] = None

    def _trace(self) -> dict[ir.Value, set[int]]:
        """Visit what each root needs, marking what must be kept; the roots that inline each computation."""
        self.roots = []
        for op in self.places:
            kind = semantics(op.name)
            if kind == "store":
                self.roots.append((op, [op.operands[0]]))
            elif kind == "for":
                self.roots += [(op, [v]) for v in op.operands[3:]]
            elif kind == "inter_tile_produce":
                last = op.regions[0].blocks[0].ops[-1]
                self.roots += [(last, [v]) for v in last.operands]
            elif kind == "yield":
                self.roots += [(op, [v]) for v in op.operands]
        self.roots += [(v.owner, [*_operands(v.owner)]) for v in self.kept if isinstance(v.owner, ir.Op)]
        users: dict[ir.Value, set[int]] = {}
        number = 0
        while number < len(self.roots):
            root, operands = self.roots[number]
            self._visit(root, list(operands), number, users)
            number += 1
        return users

    def _visit(
        self, root: ir.Op, operands: list[ir.Value], number: int, users: dict[ir.Value, set[int]]
    ) -> None:
        seen: set[ir.Value] = set()
        while operands:
            value = operands.pop()
            op = self.declare.written.get(value, value.owner)
            if value in seen or not isinstance(op, ir.Op) or op not in self.places:
                continue
            seen.add(value)
            if value in self.kept or semantics(op.name) in _CONTROL:
                continue
            if self._must_keep(value, op, root):
                self.kept[value] = None
                self.roots.append((op, [*_operands(op)]))
                continue
            if semantics(op.name) in _COMPUTE and isinstance(value.type, ir.Tensor):
                users.setdefault(value, set()).add(number)
            operands += _operands(op)

    def _must_keep(self, value: ir.Value, op: ir.Op, root: ir.Op) -> bool:
        kind = semantics(op.name)
        if kind == "load":
            return self._crosses(op, root)
        if kind not in _COMPUTE:
            return False
        if not isinstance(value.type, ir.Tensor):
            return self._repeats(op, root) and self._is_loaded(op)
        return bool(reduction_dims(op)) or self._repeats(op, root)

    def _is_loaded(self, op: ir.Op) -> bool:
        """A floating-point scalar computed from memory, not from arguments and constants alone."""
        work, seen = [op], set[ir.Op]()
        while work:
            o = work.pop()
            if semantics(o.name) == "load":
                return "f" in element(op.result.type)
            if o not in seen:
                seen.add(o)
                work += [v.owner for v in o.operands if isinstance(v.owner, ir.Op)]
        return False

    def _repeats(self, op: ir.Op, root: ir.Op) -> bool:
        """Is there a loop around `root` that is not around `op`?"""
        around = {o for _, o in self.places[op]}
        return any(o not in around and semantics(o.name) == "for" for _, o in self.places[root][:-1])

    def _crosses(self, load: ir.Op, root: ir.Op) -> bool:
        """May a store that runs between the load and `root` overlap what is loaded?"""
        a, b = self.places[load], self.places[root]
        depth = next(k for k in range(len(a)) if k >= len(b) or a[k] != b[k]) if a != b else len(a)
        if depth >= min(len(a), len(b)):
            return False
        first, last = a[depth][0], b[depth][0]
        nested = len(b) > depth + 1
        for store in self.stores:
            place = self.places[store]
            if len(place) <= depth or place[:depth] != a[:depth] or (store is root and not nested):
                continue
            between = first < place[depth][0] < last or (nested and place[depth][0] == last)
            if between and self._may_touch(load.operands[0], store.operands[1]):
                return True
        return False

    def _may_touch(self, a: ir.Value, b: ir.Value) -> bool:
        """May two access tiles overlap? Yes if their views cannot be declared before the loops are lifted."""
        if not isinstance(a.owner, ir.Op) or not isinstance(b.owner, ir.Op):
            return True
        views = [(op.operands[0], op.position) for op in (a.owner, b.owner)]
        try:
            names = [self.declare.view(v, where) for v, where in views]
        except TilesatError:
            return True
        return self._may_overlap(*(self.declare.views[n] for n in names))


def _operands(op: ir.Op) -> Iterator[ir.Value]:
    """What an op uses, its regions included; load addresses are not tensor values."""
    if semantics(op.name) == "load":
        return
    for nested in op.walk():
        yield from nested.operands


def plan(block: ir.Block, declare: Declarations, may_alias: bool) -> Plan:
    """Decide for one function body."""
    result = Plan(declare, may_alias)
    used = {v for op in block.ops for inner in op.walk() for v in inner.operands}
    result.enter(block, (), used)
    result.decide()
    return result
