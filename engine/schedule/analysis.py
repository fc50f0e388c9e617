"""Analyses of terms: cover, reads, writes, comb, as docs/scheduleir.md §2 defines them.

Plain functions on S-expressions; nothing here needs the declarations except where a statement's
loads and stores are asked for. All are invariants: equal terms have equal results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..diagnostics import fail
from .index import Index, add, mul
from .program import Program
from .sexpr import Expr, Term, show

__all__ = ["Touch", "box_of", "comb", "cover", "moves", "reads", "writes"]

Cover = dict[str, Index]
Touch = frozenset[tuple[str, str]]  # (access or value, memory)


def box_of(box: Expr) -> Cover:
    """`(box (i 1) (c 64))` as a mapping, in the box's order."""
    if not isinstance(box, Term) or box.head != "box":
        fail("SIR010", f"expected a box, found `{show(box, 60)}`")
    return {extent.head: extent.args[0] for extent in box.args if isinstance(extent, Term)}


def moves(ends: Expr) -> Iterator[tuple[str, str, str]]:
    """`(access, from, to)` of every move in `(ins …)` or `(outs …)`."""
    assert isinstance(ends, Term), ends
    for m in ends.args:
        assert isinstance(m, Term) and m.head == "move", m
        access, source, target = m.args
        yield str(access), str(source), str(target)


def cover(s: Expr) -> Cover:
    """Positions that `s` runs through, by axis. Raises SIR011 when two parts disagree."""
    match s:
        case Term("exec", (_, box, _)):
            return box_of(box)
        case Term("loop", (str(axis), n, body)) | Term("par", (_, n, str(axis), body)):
            inner = cover(body)
            return {**inner, axis: mul(n, inner.get(axis, 1))}
        case Term("then", (str(axis), a, b)):
            return _append(axis, cover(a), cover(b), s)
        case Term("seq", (a, b)) | Term("let", (_, _, a, b)):
            return _union(cover(a), cover(b), s)
        case Term("pipe", (_, _, body, _)) | Term("when", (_, body)) | Term("program", (_, body)):
            return cover(body)
        case Term("acc", (_, _, body)):
            return cover(body)
    return {}


def _union(a: Cover, b: Cover, s: Expr) -> Cover:
    for axis in a.keys() & b.keys():
        if a[axis] != b[axis]:
            found = f"{show(a[axis])} and {show(b[axis])}"
            fail("SIR011", f"the parts of `{show(s, 60)[:60]}…` cover axis {axis} {found} times")
    return {**a, **b}


def _append(axis: str, a: Cover, b: Cover, s: Expr) -> Cover:
    first = {k: v for k, v in a.items() if k != axis}
    second = {k: v for k, v in b.items() if k != axis}
    return {**_union(first, second, s), axis: add(a.get(axis, 0), b.get(axis, 0))}


Nearer = Callable[[str, str], str]  # (access, memory) -> the memory it is really found at


def _at_memory(access: str, memory: str) -> str:
    return memory


def reads(s: Expr, program: Program, nearer: Nearer = _at_memory) -> Touch:
    """(access or value, memory) pairs that `s` reads. `nearer` moves a touch to the access's home when
    that is nearer to compute; it needs the architecture, so the caller supplies it."""
    return _touch(s, nearer, 0, lambda stmt: (*program.stmts[stmt].loads, *program.stmts[stmt].gets))


def writes(s: Expr, program: Program, nearer: Nearer = _at_memory) -> Touch:
    """(access or value, memory) pairs that `s` writes."""
    return _touch(s, nearer, 1, lambda stmt: (*program.stmts[stmt].stores, *program.stmts[stmt].sets))


def _touch(s: Expr, nearer: Nearer, side: int, of: Callable[[str], Sequence[str]]) -> Touch:
    match s:
        case Term("exec", (str(stmt), _, str(memory))):
            return frozenset((x, nearer(x, memory)) for x in of(stmt))
        case Term("pipe", (_, ins, body, outs)):
            touched = set(_touch(body, nearer, side, of))
            # In: compute found x at `target`, the pipe as a whole reads it at `source`; out: reversed.
            for access, source, target in moves(outs) if side else reversed([*moves(ins)]):
                inner, outer = (source, target) if side else (target, source)
                if (access, inner) in touched:
                    touched.discard((access, inner))
                    touched.add((access, outer))
            return frozenset(touched)
        case Term():
            return frozenset().union(*(_touch(a, nearer, side, of) for a in _children(s)))
    return frozenset()


def _children(s: Term) -> tuple[Expr, ...]:
    keep = {"let": s.args[2:], "loop": s.args[2:], "par": s.args[3:], "then": s.args[1:], "acc": s.args[2:]}
    return keep.get(
        s.head, s.args if s.head == "seq" else s.args[1:] if s.head in ("when", "program") else ()
    )


def comb(s: Expr, program: Program) -> frozenset[tuple[str, str | None]]:
    """(value, combiner) of every accumulator that `s` folds into."""
    found: set[tuple[str, str | None]] = set()
    if isinstance(s, Term):
        for t in s.walk():
            if t.head == "exec":
                folds = program.stmts[str(t.args[0])].folds
                found.update((v, program.values[v].comb) for v in folds)
    return frozenset(found)


def evaluated(c: Mapping[str, Index], value: Callable[[Index], int]) -> dict[str, int]:
    """A cover with numbers for its extents."""
    return {axis: value(n) for axis, n in c.items()}
