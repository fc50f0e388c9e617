"""What a term may not be, whatever it computes: the part of "legal to run" that rules must not break.

Depth, queues, groups and buffer sizes are invisible to the functional interpreter. Terms on the way to
a schedule are not runnable yet, so soundness trials compare the faults before and after a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..arch import Arch
from ..diagnostics import TilesatError
from ..schedule.analysis import cover
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Term
from .levels import Levels

__all__ = ["structural_faults"]


def structural_faults(program: Program, arch: Arch, body: Expr) -> Counter[str]:
    """Kinds of faults with their numbers."""
    return Counter(_Walk(program, arch).faults(body, frozenset()))


class _Walk:
    def __init__(self, program: Program, arch: Arch) -> None:
        self.program = program
        self.arch = arch
        self.levels = {s.name: Levels(program, arch, s) for s in program.stmts.values()}

    def faults(self, t: Expr, inside: frozenset[str]) -> Iterator[str]:
        """`inside`: groups whose single instance runs the term."""
        if not isinstance(t, Term) or t.head == "comm":
            return
        match t:
            case Term("pipe", (depth, Term(_, ins), body, Term(_, outs))):
                yield from self._pipe(depth, (*ins, *outs), body, inside)
            case Term("exec", (str(s), _, str(m))):
                yield from self._exec(s, m, inside)
            case Term("par", (str(group), ways, _, body)):
                yield from self._par(group, ways, inside)
                yield from self.faults(body, inside | {group})
                return
            case Term("loop", (_, int(n), _)) if n < 0:
                yield "a loop runs a negative number of times"
        for a in t.args:
            if isinstance(a, Term) and a.head not in ("ins", "outs", "box"):
                yield from self.faults(a, inside)

    def _pipe(
        self, depth: Expr, moves: tuple[Expr, ...], body: Expr, inside: frozenset[str]
    ) -> Iterator[str]:
        ends = [tuple(map(str, m.args)) for m in moves if isinstance(m, Term)]
        covered = cover(body)
        queued = False
        for access, a, b in ends:
            direct = self.arch.reaches(a, b) and self.arch.next_hop(a, b) == b
            queue = not (self.arch.memories[a].addressable and self.arch.memories[b].addressable)
            if direct and queue:
                queued = True
            elif any(not isinstance(covered.get(x, 1), int) for x in self.program.access_axes[access]):
                yield "a buffer has a size known only at launch"
            yield from self._owned(a, b, inside)
        if queued and depth != 1:
            yield "a queue has a depth of its own"
        if queued and not self._one_step(body):
            yield "a queue feeds something other than one compute step"

    def _one_step(self, body: Expr) -> bool:
        if not isinstance(body, Term) or body.head != "exec":
            return False
        stmt, box, _ = body.args
        levels = self.levels[str(stmt)]
        assert isinstance(box, Term)
        extents = ((e.head, e.args[0]) for e in box.args if isinstance(e, Term))
        return all(isinstance(n, int) and n <= levels.step(a) for a, n in extents)

    def _owned(self, a: str, b: str, inside: frozenset[str]) -> Iterator[str]:
        """Every unit of the way belongs to an instance of all groups that the term is dealt to."""
        if not self.arch.reaches(a, b):
            return
        for hop in self.arch.hops(a, b):
            around = self.arch.ancestors(self.arch.units[hop.unit].group)
            if any(g not in around for g in inside):
                yield "an instance uses a unit that it shares with others"

    def _exec(self, s: str, m: str, inside: frozenset[str]) -> Iterator[str]:
        levels = self.levels[s]
        if levels.unit is None or not levels.levels:
            return
        ways = [levels.place(x, m) for x in levels.ways_in]
        for place in ways:
            yield from self._owned(place, levels.unit.name, inside)
        for x in levels.ways_out:
            yield from self._owned(levels.unit.name, levels.place(x, m, True), inside)

    def _par(self, group: str, ways: Expr, inside: frozenset[str]) -> Iterator[str]:
        if group in inside:
            yield "a group is distributed over twice"
        try:
            count = self.arch.instances(group, self.arch.groups[group].parent)
        except (TilesatError, KeyError):
            yield "a group that the machine does not have"
            return
        if not isinstance(ways, int) or not 1 <= ways <= count:
            yield "more instances than the group has"
