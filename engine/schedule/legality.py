"""Well-formedness of programs and terms: everything docs/scheduleir.md demands that can be seen without
running. Faults: SIR020 (declarations), SIR021 (terms); all of them are reported, each at its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Diagnostic, Position, TilesatError
from ..numerics import dtype, scalar_ops
from .analysis import Cover, box_of, cover
from .index import FUNCTIONS, Index, accesses_of, add, names
from .program import Let, Program, Stmt, operands
from .sexpr import Expr, Path, Term, parse_located, show
from .text import read_program

__all__ = ["check", "check_text", "faults"]


def check(program: Program, body: Expr | None = None) -> None:
    """Raise TilesatError with every fault of the declarations and of `body` (default: the program's own)."""
    found = list(faults(program, body))
    if found:
        raise TilesatError(*found)


def check_text(text: str, position: Position | None = None) -> Program:
    """Read a program and check it; faults in its body are placed in the text."""
    program = read_program(text, position)
    items, places = parse_located(text, position)
    root = items[0]
    assert isinstance(root, Term)
    heads = [s.head if isinstance(s, Term) else "" for s in root.args]
    at = (0, heads.index("body"), 0) if "body" in heads else (0,)
    found = list(faults(program, None, places, at))
    if found:
        raise TilesatError(*found)
    return program


def faults(
    program: Program,
    body: Expr | None = None,
    places: Mapping[Path, Position] | None = None,
    at: Path = (),
    whole: bool = True,
) -> Iterator[Diagnostic]:
    """All faults. `places` and `at` (the body's path in them) give faults in the body a position. Not
    `whole`: the body is part of a kernel's and need not run through all positions."""
    declared = [*_Declarations(program).check()]
    yield from declared
    if not declared:
        yield from _Terms(program, places or {}, at, whole).check(program.body if body is None else body)


# --- declarations ----------------------------------------------------------------------------------------


@dataclass
class _Declarations:
    program: Program
    found: list[Diagnostic] = field(default_factory=list)

    def fault(self, message: str, where: Position | None = None) -> None:
        self.found.append(Diagnostic("SIR020", message, where or Position(self.program.name)))

    def check(self) -> list[Diagnostic]:
        p = self.program
        constants = {*p.args, *p.syms, "tile", *(f"tile{k}" for k in range(len(p.grid)))}
        for name, e in p.syms.items():
            self._index(e, constants, f"symbol {name}")
        for axis in p.axes.values():
            self._index(axis.lo, constants, f"lo of axis {axis.name}")
            self._index(axis.trips, constants, f"trips of axis {axis.name}")
            if axis.step < 1:
                self.fault(f"axis {axis.name} has step {axis.step}; steps are positive")
        for view in p.views.values():
            for e in (view.base, *view.shape, *view.strides):
                self._index(e, constants, f"view {view.name}", view.position)
            self._dtype(view.dtype, f"view {view.name}", view.position)
        self._accesses(constants)
        for value in p.values.values():
            self._dtype(value.dtype, f"value {value.name}")
            for a in value.axes:
                if a not in p.axes:
                    self.fault(f"value {value.name} names axis {a}, which is not declared")
            if value.comb is not None and value.comb not in scalar_ops():
                self.fault(f"value {value.name} combines with {value.comb}, which is no scalar op")
        if not self.found:  # statements' axes need all of the above
            for stmt in p.stmts.values():
                self._stmt(stmt)
            for c in p.carried:
                if c.source not in p.stmts or c.sink not in p.stmts or c.axis not in p.axes:
                    self.fault(f"the dependence ({c.source} {c.sink} {c.axis}) names something undeclared")
        return self.found

    def _accesses(self, constants: set[str]) -> None:
        p = self.program
        for access in p.accesses.values():
            view = p.views.get(access.view)
            if view is None:
                self.fault(
                    f"access {access.name} is of view {access.view}, which is not declared", access.position
                )
            elif len(access.at) != len(view.shape):
                ranks = f"{len(access.at)} coordinates, view {view.name} {len(view.shape)} dimensions"
                self.fault(f"access {access.name} has {ranks}", access.position)
            for e in access.at:
                self._index(e, constants | p.axes.keys(), f"access {access.name}", access.position)

    def _index(self, e: Index, allowed: set[str], what: str, where: Position | None = None) -> None:
        for name in sorted(names(e) - allowed):
            self.fault(f"{what} uses `{name}`, which is not an argument, symbol or axis it may use", where)
        for access in accesses_of(e):
            if access not in self.program.accesses:
                self.fault(f"{what} reads index access {access}, which is not declared", where)
        for t in e.walk() if isinstance(e, Term) else ():
            if t.head != "ind" and t.head not in FUNCTIONS:
                self.fault(f"{what}: `{t.head}` is not an integer operator", where)

    def _dtype(self, name: str, what: str, where: Position | None = None) -> None:
        try:
            dtype(name)
        except TilesatError as e:
            self.fault(f"{what}: {e.diagnostics[0].message}", where)

    def _stmt(self, stmt: Stmt) -> None:
        known: dict[str, str] = {}
        for step in stmt.lets:
            self._dtype(step.dtype, f"{stmt.name}: {step.name}", stmt.position)
            self._let(stmt, step, known)
            if step.name in known:
                self.fault(f"{stmt.name} binds {step.name} twice", stmt.position)
            known[step.name] = step.dtype
        if not stmt.effects:
            self.fault(f"{stmt.name} has no effect", stmt.position)
        for effect in stmt.effects:
            self._effect(stmt, effect, known)

    def _let(self, stmt: Stmt, step: Let, known: Mapping[str, str]) -> None:
        p, what = self.program, f"{stmt.name}: {step.name}"
        used: list[str] = []
        match step.expr:
            case Term("load", (str(x),)):
                if x not in p.accesses:
                    self.fault(f"{what} loads {x}, which is not a declared access", stmt.position)
                elif p.views[p.accesses[x].view].dtype != step.dtype:
                    self.fault(f"{what} is {step.dtype}, the memory of {x} is not", stmt.position)
            case Term("get", (str(x),)):
                if x not in p.values:
                    self.fault(f"{what} gets {x}, which is not a declared value", stmt.position)
                elif p.values[x].dtype != step.dtype:
                    self.fault(f"{what} is {step.dtype}, value {x} is {p.values[x].dtype}", stmt.position)
            case Term("arg", (str(x),)) if x not in p.args:
                self.fault(f"{what} uses argument {x}, which is not declared", stmt.position)
            case Term("index", (e,)):
                allowed = {*p.args, *p.syms, *p.axes, "tile", *(f"tile{k}" for k in range(len(p.grid)))}
                self._index(e, allowed, what, stmt.position)
            case Term("reduce", (str(op), str(axis), str(x))):
                used = [x]
                known_op = scalar_ops().get(op)
                if known_op is None or known_op.combiner is None:
                    self.fault(f"{what} reduces with {op}, which is no combiner", stmt.position)
                self._axis(axis, what, stmt)
            case Term("contract", (str(axis), str(x), str(y))):
                used = [x, y]
                self._axis(axis, what, stmt)
            case Term("op", (str(op), *rest)):
                used = operands(rest)
                self._op(op, len(used), what, stmt)
        for x in used:
            if x not in known:
                self.fault(f"{what} uses {x}, which is not bound before", stmt.position)

    def _axis(self, axis: str, what: str, stmt: Stmt) -> None:
        if axis not in self.program.axes:
            self.fault(f"{what} reduces along {axis}, which is not a declared axis", stmt.position)

    def _op(self, op: str, count: int, what: str, stmt: Stmt) -> None:
        known = scalar_ops().get(op)
        if known is None:
            self.fault(f"{what} applies {op}, which is no scalar op of ktir_specs", stmt.position)
        elif len(known.operands) != count:
            self.fault(f"{what}: {op} takes {len(known.operands)} operands, found {count}", stmt.position)

    def _effect(self, stmt: Stmt, effect: Term, known: Mapping[str, str]) -> None:
        p = self.program
        target, x = str(effect.args[0]), str(effect.args[1])
        if x not in known:
            self.fault(f"{stmt.name} writes {x}, which it does not bind", stmt.position)
            return
        if effect.head == "store":
            if target not in p.accesses:
                self.fault(f"{stmt.name} stores to {target}, which is not a declared access", stmt.position)
                return
            held = p.views[p.accesses[target].view].dtype
        else:
            if target not in p.values:
                self.fault(f"{stmt.name} writes {target}, which is not a declared value", stmt.position)
                return
            held = p.values[target].dtype
            if effect.head == "fold":
                if p.values[target].comb is None:
                    self.fault(f"{stmt.name} folds into {target}, which has no `comb`", stmt.position)
                return
        if held != known[x]:
            self.fault(f"{stmt.name} writes {x} of {known[x]} to {target} of {held}", stmt.position)


# --- terms -----------------------------------------------------------------------------------------------

_FORMS: dict[str, str] = {
    # operand kinds: S term, A axis, N number of times, G group, V value, M memory, C condition, D depth
    "seq": "SS",
    "then": "ASS",
    "loop": "ANS",
    "par": "GNAS",
    "let": "VMSS",
    "acc": "VMS",
    "when": "CS",
    "program": "GS",
}


@dataclass(frozen=True, slots=True)
class _Around:
    """What encloses a node: groups, values in scope."""

    groups: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


@dataclass
class _Terms:
    program: Program
    places: Mapping[Path, Position]
    at: Path
    whole: bool = True
    found: list[Diagnostic] = field(default_factory=list)

    def fault(self, message: str, path: Path) -> None:
        full = (*self.at, *path)
        while full and full not in self.places:
            full = full[:-1]
        where = self.places.get(full, Position(self.program.name))
        self.found.append(Diagnostic("SIR021", message, where))

    def check(self, body: Expr) -> list[Diagnostic]:
        covered = self._node(body, (), _Around())
        if self.whole and covered is not None and not self.found:
            for a, n in covered.items():
                if add(n) != add(self.program.axes[a].trips):
                    trips = show(self.program.axes[a].trips)
                    self.fault(f"the term runs through {show(n)} positions of {a}, which has {trips}", ())
        return self.found

    def _node(self, s: Expr, path: Path, around: _Around) -> Cover | None:
        """Check a term; its cover, or None when that makes no sense any more."""
        if s == "skip":
            return {}
        if not isinstance(s, Term):
            self.fault(f"`{show(s)}` is not a term", path)
            return None
        if s.head == "exec":
            return self._exec(s, path, around)
        if s.head == "pipe":
            return self._pipe(s, path, around)
        if s.head == "comm":
            self._comm(s, path, around)
            return {}
        form = _FORMS.get(s.head)
        if form is None or len(s.args) != len(form):
            what = f"`{s.head}` is not a term" if form is None else f"`{s.head}` takes {len(form)} operands"
            self.fault(what, path)
            return None
        for k, kind in enumerate(form):
            self._operand(kind, s.args[k], (*path, k))
        inner = self._inside(s, path, around)
        parts = [self._node(a, (*path, k), inner) for k, a in enumerate(s.args) if form[k] == "S"]
        return self._covered(s, path) if None not in parts else None

    def _covered(self, s: Term, path: Path) -> Cover | None:
        if s.head == "then":
            a, b = cover(s.args[1]), cover(s.args[2])
            axis = str(s.args[0])
            if axis not in a or axis not in b:
                self.fault(f"both parts of `then {axis}` must run through {axis}", path)
                return None
            if {k: v for k, v in a.items() if k != axis} != {k: v for k, v in b.items() if k != axis}:
                self.fault(f"the parts of `then {axis}` differ in other axes than {axis}", path)
                return None
        try:
            return cover(s)
        except TilesatError as e:
            self.fault(e.diagnostics[0].message, path)
            return None

    def _inside(self, s: Term, path: Path, around: _Around) -> _Around:
        if s.head == "par":
            group = str(s.args[0])
            if group in around.groups:
                self.fault(f"group {group} is used twice on this path", path)
            return _Around(around.groups | {group}, around.values)
        if s.head in ("let", "acc"):
            value = str(s.args[0])
            if value in around.values:
                self.fault(f"value {value} is bound twice on this path", path)
            if s.head == "acc" and value in self.program.values and self.program.values[value].init is None:
                self.fault(f"`acc {value}` needs a value with (init N)", path)
            return _Around(around.groups, around.values | {value})
        return around

    def _operand(self, kind: str, e: Expr, path: Path) -> None:
        match kind:
            case "A" if e not in self.program.axes:
                self.fault(f"axis {show(e)} is not declared", path)
            case "V" if e not in self.program.values:
                self.fault(f"value {show(e)} is not declared", path)
            case "G" | "M" if not isinstance(e, str):
                self.fault(f"expected a name, found `{show(e)}`", path)
            case "N" | "C":
                self._index(e, path, kind == "C")

    def _index(self, e: Expr, path: Path, axes: bool) -> None:
        p = self.program
        allowed = {*p.args, *p.syms, "tile", *(f"tile{k}" for k in range(len(p.grid)))}
        unknown = names(e) - allowed - (p.axes.keys() if axes else set())
        if isinstance(e, float) or unknown or (isinstance(e, int) and e < 0):
            what = f"uses {' '.join(sorted(unknown))}" if unknown else "is no number of times"
            self.fault(f"`{show(e)}` {what}", path)

    def _exec(self, s: Term, path: Path, around: _Around) -> Cover | None:
        if len(s.args) != 3 or not isinstance(s.args[1], Term) or s.args[1].head != "box":
            self.fault("expected (exec STMT (box (AXIS n)…) MEM)", path)
            return None
        stmt, box = s.args[0], s.args[1]
        if stmt not in self.program.stmts:
            self.fault(f"statement {show(stmt)} is not declared", (*path, 0))
            return None
        if not all(isinstance(extent, Term) and len(extent.args) == 1 for extent in box.args):
            self.fault("a box lists (AXIS n)", (*path, 1))
            return None
        extents, domain = box_of(box), self.program.domains[str(stmt)]
        if tuple(extents) != domain or len(box.args) != len(domain):
            wanted, found = " ".join(domain), " ".join(e.head for e in box.args if isinstance(e, Term))
            self.fault(
                f"the box of {stmt} must list ({wanted}) in this order, it lists ({found})", (*path, 1)
            )
            return None
        for k, (a, n) in enumerate(extents.items()):
            self._index(n, (*path, 1, k), False)
            if n != 1 and a in self.program.sequential[str(stmt)]:
                self.fault(f"{stmt} is sequential along {a}: its box must have extent 1 there", (*path, 1, k))
        declared = self.program.stmts[str(stmt)]
        for v in dict.fromkeys((*declared.gets, *declared.sets)):
            if v not in around.values:
                self.fault(f"{stmt} uses value {v} outside its `let` or `acc`", path)
        return extents

    def _pipe(self, s: Term, path: Path, around: _Around) -> Cover | None:
        if len(s.args) != 4 or not all(
            isinstance(e, Term) and e.head == head for e, head in ((s.args[1], "ins"), (s.args[3], "outs"))
        ):
            self.fault("expected (pipe d (ins MOVE…) S (outs MOVE…))", path)
            return None
        if not isinstance(s.args[0], int) or s.args[0] < 1:
            self.fault(f"the depth of a pipe is a positive number, not `{show(s.args[0])}`", (*path, 0))
        for side in (1, 3):
            ends: Any = s.args[side]
            for k, m in enumerate(ends.args):
                self._move(m, (*path, side, k))
        return self._node(s.args[2], (*path, 2), around)

    def _move(self, m: Expr, path: Path) -> None:
        if not isinstance(m, Term) or m.head != "move" or len(m.args) != 3:
            self.fault("expected (move ACCESS from to)", path)
            return
        name, source, target = m.args
        if name not in self.program.accesses and name not in self.program.values:
            self.fault(f"{show(name)} is neither a declared access nor a value", path)
        if source == target:
            self.fault(f"{show(name)} moves from {show(source)} to itself", path)

    def _comm(self, s: Term, path: Path, around: _Around) -> None:
        if len(s.args) < 3:
            self.fault("expected (comm KIND RESULT SOURCE clause…)", path)
            return
        for k in (1, 2):
            if s.args[k] not in around.values:
                self.fault(f"`comm` uses {show(s.args[k])} outside its `let` or `acc`", (*path, k))
        heads = {c.head for c in s.args[3:] if isinstance(c, Term)}
        for head in ("groups", "producers", "consumers"):
            if head not in heads:
                self.fault(f"`comm` needs ({head} …)", path)
