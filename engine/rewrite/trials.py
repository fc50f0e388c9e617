"""Random small kernels for `rules verify`: programs with data on which rules can be caught out.

Each family stresses another guard: broadcasts and odd strides, in-place and shifted aliases, a
reduction that is used again inside the same statement, gathers with repeated rows, two statements that
meet in memory, rows read while the kernel overwrites them, trip counts known only at launch (0 included)
or differing from core to core, extents with tails, loops longer than the hardware counts, as many rows as
a group has instances.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch, load_arch
from ..schedule.program import Access, Axis, Let, Program, Stmt
from ..schedule.sexpr import Expr, Term, term
from .drafts import Draft, columns_of, draft_of, rows_of
from .levels import Levels

__all__ = ["FAMILIES", "Trial", "observed", "random_buffers", "random_trial"]

_ARCHS = (("tiny", 8), ("sample-device", 64), ("sample-device", 64), ("deep", 32), ("flat", 32))  # f16 lanes

_SCRATCHPADS = {
    "tiny": "core.pad.size",
    "sample-device": "core.lx.size",
    "deep": "block.buffer.size",
    "flat": "chip.dram.size",
}


@dataclass(frozen=True)
class Trial:
    """A kernel with everything needed to run it."""

    family: str
    program: Program
    arch: Arch
    buffers: Mapping[str | int, NDArray[Any]]
    args: Mapping[str, int]


def _elementwise(rng: random.Random, lanes: int) -> Draft:
    d = draft_of(rng, lanes, fixed=rng.random() < 0.7)
    if rng.random() < 0.2:
        d.axes["i"] = replace(d.axes["i"], step=2)
    n, m = rows_of(d), columns_of(d)
    op = rng.choice(("arith.addf", "arith.subf", "arith.mulf"))
    x = d.access("x0", d.view("x", (n, m)), "i", "c")
    shape, at = rng.choice((((n, m), ("i", "c")), ((m,), ("c",)), ((n,), ("i",)), ((n, 1), ("i", 0))))
    y = d.access("y0", d.view("y", shape), *at)
    z = d.access("z0", d.view("z", (n, m), odd=rng.random() < 0.3), "i", "c")
    d.stmt(
        "s",
        ("a", term("load", x)),
        ("b", term("load", y)),
        ("r", term("op", op, "a", "b")),
        term("store", z, "r"),
    )
    return d


def _cramped(rng: random.Random, lanes: int) -> Draft:
    d = _elementwise(rng, lanes)
    extent = rng.choice((2 * lanes + 5, 3 * lanes + 1, 4 * lanes))
    d.axes["c"] = replace(d.axes["c"], trips=extent)
    d.loops = [a for a in d.loops if a != "c"]
    for name, view in d.views.items():  # as wide as the axis now is
        rows = view.shape[0]
        wide = (rows, extent) if len(view.shape) == 2 and view.shape[1] != 1 else view.shape
        if len(view.shape) == 1 and d.accesses["y0"].at == ("c",):
            wide = (extent,)
        strides = (wide[1], 1) if len(wide) == 2 else (1,)
        d.views[name] = replace(view, shape=wide, strides=strides)
    d.cramped = True
    return d


def _long(rng: random.Random, lanes: int) -> Draft:
    d = draft_of(rng, lanes, tiles=False)
    d.axes = {"i": Axis("i", 0, 1, rng.choice((254, 256, 510))), "c": Axis("c", 0, 1, 1)}
    d.loops = ["i"]
    n = rows_of(d)
    x, z = d.access("x0", d.view("x", (n, 1)), "i", "c"), d.access("z0", d.view("z", (n, 1)), "i", "c")
    d.stmt("s", ("a", term("load", x)), ("r", term("op", "arith.addf", "a", "a")), term("store", z, "r"))
    return d


def _in_place(rng: random.Random, lanes: int) -> Draft:
    """x[i+p, c+q] := f(x[i+r, c+t]): aliases, most often shifted by one along one axis."""
    d = draft_of(rng, lanes, tiles=False)
    n, m = rows_of(d), columns_of(d) + 2
    x = d.view("x", (n, m), odd=rng.random() < 0.3)
    if rng.random() < 0.5:  # in the tile's own scratchpad: no copies on the way to compute
        d.views[x] = replace(d.views[x], base=0, space="ct_local")
        del d.args["x"]
    p, q, r, t = rng.choice(
        ((1, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 0), (0, 0, 0, 1), (2, 0, 0, 0), (0, 0, 0, 0))
    )
    load = d.access("x0", x, term("+", "i", r), term("+", "c", t))
    store = d.access("x1", x, term("+", "i", p), term("+", "c", q))
    d.stmt("s", ("a", term("load", load)), ("r", term("op", "arith.negf", "a")), term("store", store, "r"))
    return d


def _centred(rng: random.Random, lanes: int) -> Draft:
    """Subtract the sum along one axis: cutting that axis changes the sum."""
    d = draft_of(rng, lanes, tiles=False)
    along = rng.choice(("i", "c"))
    d.loops = [a for a in d.loops if a != along]
    n, m = rows_of(d), columns_of(d)
    x, z = (
        d.access("x0", d.view("x", (n, m)), "i", "c"),
        d.access("z0", d.view("z", (n, m), odd=False), "i", "c"),
    )
    d.stmt(
        "s",
        ("a", term("load", x)),
        ("b", term("reduce", "arith.addf", along, "a")),
        ("r", term("op", "arith.subf", "a", "b")),
        term("store", z, "r"),
    )
    return d


def _gathered(rng: random.Random, lanes: int) -> Draft:
    d = draft_of(rng, lanes, fixed=rng.random() < 0.7)
    n, m = rows_of(d), columns_of(d)
    index = d.access("k0", d.view("k", (n,), "i32"), "i")
    x = d.access("x0", d.view("x", (n, m), odd=False), term("ind", index), "c")
    z = d.access("z0", d.view("z", (n, m), odd=False), "i", "c")
    d.stmt("s", ("a", term("load", x)), ("r", term("op", "arith.addf", "a", "a")), term("store", z, "r"))
    return d


def _two_statements(rng: random.Random, lanes: int) -> Draft:
    """The second statement loads what the first stores, at the same place or a row further."""
    d = draft_of(rng, lanes, tiles=False)
    n, m = rows_of(d), columns_of(d)
    x, w = d.view("x", (n, m)), d.view("w", (n, m), odd=False)
    z = d.view("z", (n, m), odd=rng.random() < 0.3)
    shift = rng.choice((0, 0, 1, -1))
    d.split_nests = rng.random() < 0.4
    base = 1
    a, b = d.access("x0", x, "i", "c"), d.access("z0", z, term("+", "i", base), "c")
    e, f = d.access("z1", z, term("+", "i", base + shift), "c"), d.access("w0", w, "i", "c")
    d.stmt("s", ("a", term("load", a)), ("r", term("op", "arith.negf", "a")), term("store", b, "r"))
    d.stmt("t", ("a", term("load", e)), ("r", term("op", "arith.addf", "a", "a")), term("store", f, "r"))
    return d


def _overwritten(rng: random.Random, lanes: int) -> Draft:
    """A row that every iteration reads, in a buffer that the kernel writes (or does not)."""
    d = draft_of(rng, lanes, tiles=False)
    n, m = rows_of(d), columns_of(d)
    x = d.view("x", (n, m), odd=rng.random() < 0.3)
    row = rng.choice((0, 1, n - 1))
    z = x if rng.random() < 0.7 else d.view("z", (n, m))
    load, store = d.access("x0", x, row, "c"), d.access("x1", z, "i", "c")
    y = d.access("y0", d.view("y", (n, m)), "i", "c")
    d.stmt(
        "s",
        ("a", term("load", load)),
        ("b", term("load", y)),
        ("r", term("op", "arith.addf", "a", "b")),
        term("store", store, "r"),
    )
    return d


def _last_row(rng: random.Random, lanes: int) -> Draft:
    """Every iteration reads row n−1 of n, which is outside the buffer when n is 0."""
    d = draft_of(rng, lanes, fixed=False)
    n, m = rows_of(d), columns_of(d)
    x = d.access("x0", d.view("x", (n, m)), term("-", "n", 1), "c", boundary="error")
    z = d.access("z0", d.view("z", (n, m)), "i", "c")
    d.stmt("s", ("a", term("load", x)), ("r", term("op", "arith.negf", "a")), term("store", z, "r"))
    return d


def _dealt(rng: random.Random, lanes: int) -> Draft:
    """As many rows as a group has instances, loaded by the nearest units: out of place, in place, or from the
    row that the next iteration stores."""
    d = draft_of(rng, lanes, tiles=False)
    d.axes["i"] = Axis("i", 0, 1, rng.choice((2, 2, 4)))
    d.loops = rng.choice((["i"], ["i"], ["i", "c"], ["c", "i"]))
    d.near = True
    n, m = rows_of(d), columns_of(d)
    x = d.view("x", (n, m))
    z = x if rng.random() < 0.5 else d.view("z", (n, m))
    load = d.access("x0", x, term("+", "i", rng.choice((0, 0, 1))), "c")
    store = d.access("z0", z, "i", "c")
    d.stmt("s", ("a", term("load", load)), ("r", term("op", "arith.negf", "a")), term("store", store, "r"))
    return d


FAMILIES: dict[str, Callable[[random.Random, int], Draft]] = {
    "elementwise": _elementwise,
    "cramped": _cramped,
    "long": _long,
    "in-place": _in_place,
    "centred": _centred,
    "gathered": _gathered,
    "two-statements": _two_statements,
    "overwritten": _overwritten,
    "last-row": _last_row,
    "dealt": _dealt,
}


def random_trial(seed: int, family: str | None = None) -> Trial:
    """The trial of a seed: the same on every machine."""
    rng = random.Random(seed)
    name = family or rng.choice(list(FAMILIES))
    arch, lanes = ("tiny", 8) if name == "long" else rng.choice(_ARCHS)
    overrides = (
        (f"core.pad.size={rng.choice((64, 256, 512))} B",) if arch == "tiny" and rng.random() < 0.6 else ()
    )
    draft = FAMILIES[name](rng, lanes)
    machine = load_arch(arch, overrides)
    program = draft.finish(name)
    if any(view.space not in machine.spaces for view in program.views.values()):
        machine = load_arch("sample-device")
    if draft.near or (rng.random() < 0.6 and not draft.cramped):
        program = replace(program, body=_staged(program, machine, program.body, rng, draft.near))
    program = observed(program)
    return Trial(name, program, machine, random_buffers(program, seed), draft.scalars)


def random_buffers(program: Program, seed: int) -> dict[str | int, NDArray[Any]]:
    """Contents for every buffer of a program with constant shapes and strides; i32 buffers hold rows."""
    data = np.random.default_rng(seed)
    buffers: dict[str | int, NDArray[Any]] = {}
    for view in program.views.values():
        if view.space != "global":
            continue
        shape, strides = (tuple(int(str(e)) for e in es) for es in (view.shape, view.strides))
        size = 1 + sum((e - 1) * s for e, s in zip(shape, strides, strict=True))
        values = data.integers(0, shape[0], size) if view.dtype == "i32" else data.uniform(-4, 4, size)
        buffers[str(view.base)] = values.astype(np.int32 if view.dtype == "i32" else np.float16)
    return buffers


def observed(program: Program) -> Program:
    """The kernel with its scratchpad views filled from buffers before and copied to buffers afterwards,
    so that what it does there can be seen."""
    views, accesses, stmts = dict(program.views), dict(program.accesses), dict(program.stmts)
    args, axes, body = dict(program.args), dict(program.axes), program.body
    for name, view in program.views.items():
        if view.space != "ct_local":
            continue
        at = tuple(f"{name}_{k}" for k in range(len(view.shape)))
        axes |= {a: Axis(a, 0, 1, n) for a, n in zip(at, view.shape, strict=True)}
        box = Term("box", tuple(Term(a, (n,)) for a, n in zip(at, view.shape, strict=True)))
        runs: list[Expr] = []
        for side in ("before", "after"):
            outside = f"{name}_{side}"
            args[outside.lower()] = "index"
            views[outside] = replace(view, name=outside, base=outside.lower(), space="global")
            ends = (outside, name) if side == "before" else (name, outside)
            source, target = (
                Access(f"{outside}_{e}", v, at) for e, v in zip(("from", "to"), ends, strict=True)
            )
            accesses |= {source.name: source, target.name: target}
            effects = (term("store", target.name, "a"),)
            stmts[outside] = Stmt(outside, (Let("a", view.dtype, term("load", source.name)),), effects)
            runs.append(term("exec", outside, box, "home"))
        body = term("seq", runs[0], term("seq", body, runs[1]))
    return replace(program, args=args, views=views, accesses=accesses, stmts=stmts, axes=axes, body=body)


def _staged(program: Program, arch: Arch, t: Expr, rng: random.Random, near: bool) -> Expr:
    """The body with every statement brought to a random level short of compute (the nearest), hop by hop."""
    if not isinstance(t, Term):
        return t
    if t.head != "exec":
        inside = {"loop": (2,), "seq": (0, 1)}[t.head]
        args = (_staged(program, arch, a, rng, near) if k in inside else a for k, a in enumerate(t.args))
        return Term(t.head, tuple(args))
    levels = Levels(program, arch, program.stmts[str(t.args[0])])
    most = max(1, len(levels.levels) - 1)
    inner = levels.levels[: most if near else rng.randint(1, most)]
    body: Expr = Term("exec", (*t.args[:2], inner[-1]))
    for outer, nearer in reversed([*pairwise(inner)]):
        staging = levels.staging(outer, nearer)
        if staging.ins or staging.outs:
            ends = (("ins", staging.ins), ("outs", staging.outs))
            ins, outs = (Term(side, tuple(Term("move", m) for m in moves)) for side, moves in ends)
            body = term("pipe", 1, ins, body, outs)
    return body
