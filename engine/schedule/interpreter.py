"""The functional interpreter: docs/scheduleir.md §3, executable.

    out = interpret(program, {"x": x, "z": z}, {"n": 100})     # {"x": …, "z": …}: contents afterwards

Values only, no time. It checks what the denotation demands: copies that exist and hold what is read, values
in scope and written, positions within their axes. Faults: SIR100.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..diagnostics import fail
from ..numerics import apply, dtype, resolve, scalar_ops
from .index import evaluate
from .interp_exec import Ports, run_statement
from .interp_memory import Array, Memory, Window, fault
from .interp_unroll import Event, Exchange, Fill, Levels, Move, Run, Unroller
from .program import Program
from .sexpr import Expr, Term

__all__ = ["Levels", "interpret", "interpret_all", "tile_coordinates"]


def interpret(
    program: Program,
    buffers: Mapping[str | int, Array],
    args: Mapping[str, Any] | None = None,
    *,
    body: Expr | None = None,
    overlap: str = "none",
    seed: int | None = None,
    levels: Levels | None = None,
    numerics: str = "ieee",
) -> dict[str | int, Array]:
    """Run a program (or another `body` over its declarations) and return the buffers' contents afterwards.

    `buffers`: by argument name, or by address (in elements) for baked addresses; any shape, taken in C
    order, not modified. `args`: run-time scalars. `overlap`: when in-moves of repeated pipes run (`none`:
    in program order; `eager`: as early as depth allows; `random`: somewhere between, needs `seed`).
    `seed`: `par` instances and tiles run in a shuffled, interleaved order. `levels`: homes and nearness of
    memories, for strict checks. `numerics`: as `numerics.MODES`.
    """
    flat = {k: np.array(b, order="C").reshape(-1) for k, b in buffers.items()}
    machine = _Machine(program, Memory(program, flat, numerics), dict(args or {}), numerics)
    machine.run(program.body if body is None else body, levels or Levels(), overlap, seed)
    return {k: flat[k].reshape(np.shape(b)) for k, b in buffers.items()}


def tile_coordinates(program: Program, tile: int) -> dict[str, int]:
    """`tile0`, `tile1`… of a linear tile id, and `tile` itself."""
    found = {"tile": tile}
    extents = list(enumerate(program.grid))
    for k, extent in extents if program.grid_order == "first" else reversed(extents):
        found[f"tile{k}"] = tile % extent
        tile //= extent
    return found


class _Machine:
    def __init__(self, program: Program, memory: Memory, args: dict[str, Any], mode: str) -> None:
        self.program, self.memory, self.args, self.mode = program, memory, args, mode
        self.published: dict[tuple[Term, int, int], dict[int, Array]] = {}

    def run(self, body: Expr, levels: Levels, overlap: str, seed: int | None) -> None:
        count = int(np.prod(self.program.grid))
        tiles = [_Tile(self, k, body, levels, overlap, seed) for k in range(count)]
        if seed is not None:
            np.random.default_rng(seed).shuffle(tiles)
        waiting = tiles
        while waiting:
            unfinished = [t for t in waiting if not t.advance()]
            if len(unfinished) == len(waiting) and not any(t.moved for t in waiting):
                stuck = ", ".join(str(t.tile) for t in unfinished)
                fault(f"deadlock: tiles {stuck} wait in `comm` for tiles that never reach it")
            waiting = unfinished


class _Tile:
    """One tile's run: its events in order, stopping where an exchange is not ready."""

    def __init__(
        self, machine: _Machine, tile: int, body: Expr, levels: Levels, overlap: str, seed: int | None
    ) -> None:
        self.machine, self.tile = machine, tile
        program = machine.program
        env: dict[str, Any] = {k: int(v) for k, v in machine.args.items() if isinstance(v, int | np.integer)}
        env |= tile_coordinates(program, tile)
        for name, e in program.syms.items():
            env[name] = machine.memory.index(e, env)
        self.env = env
        own = None if seed is None else seed * 1009 + tile
        unroller = Unroller(program, _Names(env), levels, overlap, own)
        self.events: Iterator[Event] = iter(unroller.unroll(body))
        self.blocked: Exchange | None = None
        self.moved = False

    def advance(self) -> bool:
        """Run until the end (True) or a wait (False)."""
        self.moved = False
        if self.blocked is not None:
            if not self._receive(self.blocked):
                return False
            self.blocked, self.moved = None, True
        for event in self.events:
            self.moved = True
            match event:
                case Move():
                    self._move(event)
                case Run():
                    self._run(event)
                case Fill():
                    self._fill(event)
                case Exchange():
                    self._publish(event)
                    if not self._receive(event):
                        self.blocked = event
                        return False
        return True

    def _move(self, move: Move) -> None:
        if move.source is not None:
            data = move.source.read(move.window)
        else:
            data = self._load_home(move.name, move.window)
        if move.target is not None:
            move.target.write(move.window, data)
        else:
            self._store_home(move.name, move.window, data)

    def _load_home(self, name: str, window: Window) -> Array:
        program = self.machine.program
        return self.machine.memory.load(program.accesses[name], program.access_axes[name], window, self.env)

    def _store_home(self, name: str, window: Window, data: Array) -> None:
        program = self.machine.program
        access = program.accesses[name]
        self.machine.memory.store(access, program.access_axes[name], window, self.env, data, True)

    def _run(self, run: Run) -> None:
        if any(n == 0 for _, n in run.window.values()):
            return
        window = run.window
        ports = Ports(
            lambda x: run.loads[x].read(window) if x in run.loads else self._load_home(x, window),
            lambda v: run.values[v].read(window),
            lambda y, d: (
                run.stores[y].write(window, d) if y in run.stores else self._store_home(y, window, d)
            ),
            lambda v, d: run.values[v].write(window, d),
            self.machine.memory.index,
        )
        machine = self.machine
        stmt = machine.program.stmts[run.stmt]
        run_statement(machine.program, stmt, window, self.env, machine.args, ports, machine.mode)

    def _fill(self, fill: Fill) -> None:
        value = self.machine.program.values[fill.value.name]
        if value.init is None:
            fault(f"`acc {value.name}` needs an initial value", hint="declare (init N)")
        t = resolve(dtype(value.dtype), self.machine.mode)
        fill.value.data[...] = t.round(np.asarray(value.init))
        fill.value.written[...] = True

    # --- exchanges between tiles ------------------------------------------------------------------------

    def _publish(self, event: Exchange) -> None:
        for group in range(_field(event.term, "groups")):
            if self._member(event.term, "producers", group, self.tile):
                published = self.machine.published.setdefault((event.term, event.number, group), {})
                published[self.tile] = event.source.read(event.source.window).copy()

    def _member(self, term: Term, role: str, group: int, tile: int) -> bool:
        return bool(evaluate(_clause(term, role), {**self.env, "t": tile, "g": group}))

    def _receive(self, event: Exchange) -> bool:
        """Take the result where this tile is a consumer; False while producers are missing."""
        term = event.term
        tiles = range(int(np.prod(self.machine.program.grid)))
        for group in range(_field(term, "groups")):
            if not self._member(term, "consumers", group, self.tile):
                continue
            producers = [t for t in tiles if self._member(term, "producers", group, t)]
            published = self.machine.published.get((term, event.number, group), {})
            if any(p not in published for p in producers):
                return False
            consumers = [t for t in tiles if self._member(term, "consumers", group, t)]
            parts = [published[p] for p in producers]
            self._deliver(event, parts, consumers.index(self.tile))
        return True

    def _deliver(self, event: Exchange, parts: list[Array], rank: int) -> None:
        """Split axes (of the source only) are indexed by the consumer's rank, concatenated ones (of the
        result only) by the producer's; a combiner folds the producers in ascending order."""
        source, result = event.source, event.result
        for k, a in reversed([*enumerate(source.axes)]):
            if a not in result.axes:
                parts = [np.take(p, rank, axis=k) for p in parts]
        added = [a for a in result.axes if a not in source.axes]
        clauses = [a for a in event.term.args[3:] if isinstance(a, Term) and a.head == "comb"]
        if clauses:
            t = dtype(self.machine.program.values[result.name].dtype)
            op = scalar_ops()[str(clauses[0].args[0])]
            data = parts[0]
            for part in parts[1:]:
                data = np.asarray(apply(op, [data, part], [t, t], t, {}, self.machine.mode))
        elif added:
            data = np.stack(parts, axis=result.axes.index(added[0]))
        elif len(parts) == 1:
            data = parts[0]
        else:
            fault(
                f"{len(parts)} producers for one consumer of {result.name}: a combiner or an axis is missing"
            )
        result.write(result.window, data)


def _clause(term: Term, head: str) -> Expr:
    for a in term.args[3:]:
        if isinstance(a, Term) and a.head == head:
            return a.args[0]
    fault(f"`comm` without `({head} …)`")


def _field(term: Term, head: str) -> int:
    value = _clause(term, head)
    assert isinstance(value, int), value
    return value


class _Names(dict[str, Any]):
    """An environment whose missing names are reported as what they are."""

    def __missing__(self, name: str) -> Any:
        fault(f"no value is given for `{name}`", hint="pass it in args")


def interpret_all(
    program: Program,
    buffers: Mapping[str | int, Array],
    args: Mapping[str, Any] | None = None,
    *,
    body: Expr | None = None,
    seeds: Sequence[int] = (0, 1),
    levels: Levels | None = None,
) -> dict[str | int, Array]:
    """The result of a valid term: run in program order, eagerly and in random orders; all must agree.

    SIR101 when two allowed orders differ, which means that the term is not valid.
    """
    first = interpret(program, buffers, args, body=body, levels=levels)
    orders: list[tuple[str, int | None]] = [("eager", None), *(("random", s) for s in seeds)]
    for overlap, seed in orders:
        other = interpret(program, buffers, args, body=body, overlap=overlap, seed=seed, levels=levels)
        for key, value in first.items():
            if value.tobytes() != other[key].tobytes():
                message = f"buffer {key} depends on the order of execution ({overlap}, seed {seed})"
                fail("SIR101", message, hint="a dependence is not respected by pipe depth or par")
    return first
