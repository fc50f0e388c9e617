"""Fills the facts of `vocabulary.py` for one program and one arch, as egglog commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from ..arch import Arch
from ..numerics import dtype
from ..schedule.analysis import box_of, cover
from ..schedule.program import Program
from ..schedule.sexpr import Term
from .binding import quote
from .conflicts import Conflicts
from .extents import Cuts, closure
from .levels import HOME, Levels, Staging, home_of
from .rulebook import Limits

__all__ = ["Facts", "operand", "set_of"]

Row = tuple[object, ...]


def operand(access: str, memory: str) -> str:
    """How an access in a memory is named in sets."""
    return f"{access}@{memory}"


def set_of(names: Iterable[str]) -> str:
    """An egglog set of strings."""
    items = " ".join(quote(n) for n in sorted(set(names)))
    return f"(set-of {items})" if items else "(set-empty)"


class Facts:
    """All facts about `program` (whose body decides the extents) on `arch` under a strategy's `limits`."""

    def __init__(self, program: Program, arch: Arch, limits: Limits) -> None:
        self.program = program
        self.arch = arch
        self.limits = limits
        self.conflicts = Conflicts(program)
        self.levels = {name: Levels(program, arch, s) for name, s in program.stmts.items()}

    # --- text --------------------------------------------------------------------------------------------

    def text(self) -> str:
        """egglog commands: relations, set-valued functions, derived rules."""
        lines = [self._row(name, row) for name, rows in self.relations().items() for row in rows]
        lines += self._functions()
        lines += self._derived()
        return "\n".join(lines) + "\n"

    def _row(self, name: str, row: Row) -> str:
        return f"({name} {' '.join(self._cell(v) for v in row)})"

    def _cell(self, value: object) -> str:
        if isinstance(value, int):
            return str(value)
        if isinstance(value, tuple):  # moves: two columns
            sources = set_of(operand(x, a) for x, a, _ in value)
            return f"{sources} {set_of(operand(x, b) for x, _, b in value)}"
        return quote(str(value))

    # --- relations ---------------------------------------------------------------------------------------

    def relations(self) -> dict[str, list[Row]]:
        """Fact → its rows, as vocabulary.py describes them."""
        fill: dict[str, Callable[[], Iterator[Row]]] = {
            "axis": lambda: ((a,) for a in self.program.axes),
            "operand": self._operands,
            "stage-moves": lambda: self._stagings(adjacent=False),
            "feed-moves": lambda: self._stagings(adjacent=True),
            "far": lambda: ((s, m) for s, m, *_ in self._stagings(adjacent=False)),
            "near": lambda: ((s, m) for s, m, *_ in self._stagings(adjacent=True)),
            "first-hop": self._first_hops,
            "factor": lambda: ((a, n, f) for a, n, cuts in self._extents() for f in cuts.factors(n)),
            "halve": lambda: ((a, n, f) for a, n, cuts in self._extents() if (f := cuts.halve(n))),
            "ragged": lambda: ((a, n, k) for a, n, cuts in self._extents() if (k := cuts.ragged(n))),
            "step": lambda: ((s, a, self.levels[s].step(a)) for s, a in self._domains()),
            "splittable": lambda: ((s, a) for s, a in self._domains() if self._splittable(s, a)),
            "order-distance": lambda: self._distances(0),
            "any-distance": lambda: self._distances(1),
            "addressable": lambda: ((m.name,) for m in self.arch.memories.values() if m.addressable),
            "invariant": self._invariant,
            "ways": lambda: ((g, w) for g, ways in self.groups.items() for w in ways),
            "loop-limit": lambda: iter([(self.arch.limits.loop_count,)]),
            "depth-limit": lambda: iter([(self.limits.depth,)]),
        }
        return {name: list(dict.fromkeys(rows())) for name, rows in fill.items()}

    def _domains(self) -> Iterator[tuple[str, str]]:
        return ((s, a) for s, axes in self.program.domains.items() for a in axes)

    def _operands(self) -> Iterator[Row]:
        for x, memories in self.places.items():
            for m in memories:
                yield x, m, operand(x, m)

    @cached_property
    def places(self) -> Mapping[str, tuple[str, ...]]:
        """Access → the memories it can be in: its home, those on its ways, those that the body names."""
        found: dict[str, dict[str, None]] = {x: {self._home(x): None} for x in self.program.accesses}
        for levels in self.levels.values():
            for x, way in (*levels.ways_in.items(), *levels.ways_out.items()):
                found[x].update(dict.fromkeys(way))
        if isinstance(self.program.body, Term):
            for t in self.program.body.walk():
                if t.head == "move":
                    found.setdefault(str(t.args[0]), {}).update(dict.fromkeys(map(str, t.args[1:])))
        return {x: tuple(memories) for x, memories in found.items()}

    def _stagings(self, adjacent: bool) -> Iterator[Row]:
        for s, levels in self.levels.items():
            end = levels.operand_level
            for m in levels.levels[:-1]:
                assert end is not None
                staging = levels.staging(m, end)
                if (staging.ins or staging.outs) and levels.adjacent(staging) == adjacent:
                    yield s, m, end, staging.ins, staging.outs

    def _first_hops(self) -> Iterator[Row]:
        for levels in self.levels.values():
            for m in levels.levels[:-1]:
                nearer, end = levels.next_level(m), levels.operand_level
                if nearer is None or end is None or nearer == end:
                    continue
                whole, first = levels.staging(m, end), levels.staging(m, nearer)
                if not levels.adjacent(whole):
                    yield whole.ins, end, whole.outs, nearer, first.ins, first.outs

    def _splittable(self, s: str, axis: str) -> bool:
        inner = {"reduce": 1, "contract": 0}  # which argument names the axis that is folded away
        exprs = [step.expr for step in self.program.stmts[s].lets]
        return not any(axis == e.args[inner[e.head]] for e in exprs if e.head in inner)

    def _distances(self, which: int) -> Iterator[Row]:
        for s, levels in self.levels.items():
            stmt = self.program.stmts[s]
            for m in dict.fromkeys((HOME, *levels.levels, *self._named_levels())):
                at_home = {x for x in stmt.loads if levels.place(x, m) == self._home(x)}
                at_home |= {z for z in stmt.stores if levels.place(z, m, True) == self._home(z)}
                for a in self.program.domains[s]:
                    yield s, m, a, self.conflicts.distances(stmt, a, at_home)[which]

    def _home(self, access: str) -> str:
        return home_of(self.program, self.arch, access)

    def _invariant(self) -> Iterator[Row]:
        for x, axes in self.program.access_axes.items():
            yield from ((x, a) for a in self.program.axes if a not in axes)

    # --- extents -----------------------------------------------------------------------------------------

    def _extents(self) -> Iterator[tuple[str, int, Cuts]]:
        for axis, extents in self.extents.items():
            for n in extents:
                yield axis, n, self.cuts(axis)

    def cuts(self, axis: str) -> Cuts:
        """How extents of the axis are cut: whole vectors where some statement has its lanes there."""
        lanes = [self.levels[s].step(a) for s, a in self._domains() if a == axis]
        return Cuts(max(lanes, default=1), self.limits.factors)

    @cached_property
    def extents(self) -> Mapping[str, tuple[int, ...]]:
        """Axis → every extent a box can have on it."""
        start: dict[str, set[int]] = {a: set() for a in self.program.axes}
        for t in self.program.body.walk() if isinstance(self.program.body, Term) else ():
            covered = box_of(t.args[1]) if t.head == "exec" else cover(t) if t.head == "loop" else {}
            for axis, n in covered.items():
                if isinstance(n, int):
                    start[axis].add(n)
        ways = sorted({w for ways in self.groups.values() for w in ways})
        return {a: closure(sorted(ns), self.cuts(a), ways) for a, ns in start.items()}

    # --- groups ------------------------------------------------------------------------------------------

    @cached_property
    def groups(self) -> Mapping[str, tuple[int, ...]]:
        """Group inside one compute tile → numbers of its instances that can share work equally."""
        found: dict[str, tuple[int, ...]] = {}
        for name in self.arch.groups:
            chain = self.arch.ancestors(name)
            if name == self.arch.grid_group or self.arch.grid_group not in chain:
                continue
            parent = self.arch.groups[name].parent
            count = self.arch.instances(name, parent)
            found[name] = tuple(w for w in range(2, count + 1) if count % w == 0)
        return found

    def _level_of(self, group: str) -> Iterator[str]:
        """Operands at levels outside the group from which every unit and memory down to compute is inside."""
        inside = {g for g in self.arch.groups if group in self.arch.ancestors(g)}
        for levels in self.levels.values():
            for x, way in (*levels.ways_in.items(), *levels.ways_out.items()):
                for k, memory in enumerate(way[:-1]):
                    rest = way[k + 1 :]
                    hops = self._hops(way[k:], x in levels.ways_in)
                    if self.arch.memories[memory].group in inside:
                        continue
                    if all(self.arch.memories[m].group in inside for m in rest) and hops <= inside:
                        yield operand(x, memory)

    def _hops(self, way: tuple[str, ...], inwards: bool) -> set[str]:
        """Groups of the units that move along a way."""
        groups: set[str] = set()
        for a, b in pairwise(way):
            for hop in self.arch.hops(*((a, b) if inwards else (b, a))):
                groups.add(self.arch.units[hop.unit].group)
        return groups

    # --- sets --------------------------------------------------------------------------------------------

    def _functions(self) -> Iterator[str]:
        program, arch = self.program, self.arch
        for s, levels in self.levels.items():
            stmt = program.stmts[s]
            for m in dict.fromkeys((HOME, *levels.levels, *self._named_levels())):
                reads = [operand(x, levels.place(x, m)) for x in stmt.loads]
                writes = [operand(x, levels.place(x, m, True)) for x in stmt.stores]
                reads += [operand(v, m) for v in stmt.gets]
                writes += [operand(v, m) for v in stmt.sets]
                yield f"(set (exec-reads {quote(s)} {quote(m)}) {set_of(reads)})"
                yield f"(set (exec-writes {quote(s)} {quote(m)}) {set_of(writes)})"
            yield f"(set (exec-sources {quote(s)}) {set_of(self._dependences(s, None))})"
            yield f"(set (exec-sinks {quote(s)}) {set_of(self._dependences(None, s))})"
        for a in program.axes:
            along = [(k, c) for k, c in enumerate(program.carried) if c.axis == a]
            ordered = (f"d{k}" for k, c in along if self.conflicts.ordered(c))
            yield f"(set (ordered-along {quote(a)}) {set_of(ordered)})"
            yield f"(set (dependent-along {quote(a)}) {set_of(f'd{k}' for k, _ in along)})"
        for g in self.groups:
            yield f"(set (level-of {quote(g)}) {set_of(self._level_of(g))})"
        for x, memories in self.places.items():
            home = home_of(program, arch, x) if x in program.accesses else None
            for m in memories:
                stores = self.conflicts.stores[x] if m == home else ()
                yield f"(set (rivals {quote(x)} {quote(m)}) {set_of(operand(z, m) for z in stores)})"
        for v in program.values:
            yield f"(set (operands-of {quote(v)}) {set_of(operand(v, m) for m in (*arch.memories, HOME))})"
        queued = (operand(x, m) for x, ms in self.places.items() for m in ms if not self._addressable(m))
        yield f"(set (queued) {set_of(queued)})"
        written = (
            operand(x, home_of(program, arch, x))
            for x in program.accesses
            if self.conflicts.written_before(x)
        )
        yield f"(set (written-before) {set_of(written)})"

    def _addressable(self, memory: str) -> bool:
        return memory not in self.arch.memories or self.arch.memories[memory].addressable

    def _named_levels(self) -> tuple[str, ...]:
        """Levels that the body's exec nodes name."""
        body = self.program.body
        found = (str(t.args[2]) for t in body.walk() if t.head == "exec") if isinstance(body, Term) else ()
        return tuple(dict.fromkeys(found))

    def _dependences(self, source: str | None, sink: str | None) -> Iterator[str]:
        for k, c in enumerate(self.program.carried):
            if c.source == source or c.sink == sink:
                yield f"d{k}"

    # --- derived facts -----------------------------------------------------------------------------------

    def _derived(self) -> Iterator[str]:
        """Facts about boxes, which only appear during saturation: a rule per statement."""
        for s, levels in self.levels.items():
            axes = self.program.domains[s]
            within = " ".join(f"(<= (map-get b {quote(a)}) {levels.step(a)})" for a in axes)
            yield (
                f"(rule ((exec {quote(s)} b m) {within}) ((one-step {quote(s)} b))"
                f" :ruleset analysis :name {quote('one-step ' + s)})"
            )
            for m in levels.levels[:-1]:
                k = levels.next_level(m)
                if k is None or not self._addressable(k):
                    continue
                size = self._copy_bytes(levels.staging(m, k), k)
                yield (
                    f"(rule ((exec {quote(s)} b {quote(m)}) (> {size} {self.arch.memories[k].size}))"
                    f" ((overflows {quote(s)} b {quote(m)}))"
                    f" :ruleset analysis :name {quote(f'overflows {s} {m}')})"
                )

    def _copy_bytes(self, staging: Staging, memory: str) -> str:
        """Arithmetic over box `b`: aligned bytes of the copies that the staging keeps in `memory`."""
        copies = [x for x, _, b in staging.ins if b == memory] + [
            x for x, a, _ in staging.outs if a == memory
        ]
        total = "0"
        for x in copies:
            total = f"(+ {total} {self._image_bytes(x, self.arch.memories[memory].alignment)})"
        return total

    def _image_bytes(self, access: str, alignment: int) -> str:
        """Rows of elements along the innermost axis of the copy's layout, each starting at a multiple of the
        alignment."""
        program = self.program
        size = dtype(program.views[program.accesses[access].view].dtype).nbytes
        wide = [a for a in program.layouts[access] if program.axes[a].trips != 1]
        rows, run = "1", "1"
        for axis in program.access_axes[access]:
            extent = f"(map-get b {quote(axis)})"
            if wide and axis == wide[-1]:
                run = extent
            else:
                rows = f"(* {rows} {extent})"
        return f"(* {rows} (* {alignment} (/ (+ (* {run} {size}) {alignment - 1}) {alignment})))"
