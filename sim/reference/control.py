"""Structured control flow over batches: where lanes disagree, a mask says who runs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...diagnostics import Position, fail
from ...ktir import ir
from .batch import Array, merge, ones
from .frame import Code, Frame, Step
from .memory_ops import mixed, segments
from .prepare import Context, handles, integer, integers

__all__: list[str] = []


@handles("unsupported")
def _unsupported(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    hint = "KTIR kernels loop with scf.for" if op.name.startswith("scf.while") else ""
    fail("REF001", f"`{op.name}` is not supported", op.position, hint)


@handles("for")
def _for(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    lower, upper, step_of, *inits = context.reads(op.operands)
    block = op.regions[0].blocks[0]
    dtype = context.element(block.args[0].type).compute
    body = context.block(block)
    slots = [context.define(r) for r in op.results]
    where = op.position
    induction, *carried = body.arguments

    def step(frame: Frame) -> None:
        lo, hi, st = lower(frame), upper(frame), step_of(frame)
        state = [g(frame) for g in inits]
        values = frame.values
        if type(lo) is int and type(hi) is int and type(st) is int:
            _positive(st, where)
            for i in range(lo, hi, st):
                values[induction] = i
                state = _iterate(body, frame, carried, state)
        else:
            state = _per_lane(body, frame, induction, carried, state, (lo, hi, st), dtype, where)
        for slot, value in zip(slots, state, strict=True):
            values[slot] = value

    return step


def _positive(step: Any, where: Position) -> None:
    if np.any(np.asarray(step) <= 0):
        fail("REF015", "a loop's step must be positive", where)


def _iterate(body: Code, frame: Frame, carried: list[int], state: list[Any]) -> list[Any]:
    values = frame.values
    for slot, value in zip(carried, state, strict=True):
        values[slot] = value
    for step in body.steps:
        step(frame)
    return [g(frame) for g in body.results]


def _per_lane(
    body: Code,
    frame: Frame,
    induction: int,
    carried: list[int],
    state: list[Any],
    bounds: tuple[Any, Any, Any],
    dtype: np.dtype[Any],
    where: Position,
) -> list[Any]:
    """A loop whose bounds differ between lanes: as many rounds as the longest lane needs."""
    lo, hi, st = np.broadcast_arrays(*(np.asarray(b, np.int64) for b in bounds))
    outer = frame.mask
    shape = lo.shape if outer is None else np.broadcast_shapes(lo.shape, outer.shape)
    active = np.ones(shape, bool) if outer is None else np.broadcast_to(outer, shape)
    _positive(np.where(active, st, 1), where)
    trips = np.where(active, np.maximum(0, -((lo - hi) // np.maximum(st, 1))), 0)
    most = int(trips.max()) if trips.size else 0
    least = int(trips[active].min()) if active.any() else 0
    for k in range(most):
        frame.values[induction] = (lo + k * st).astype(dtype, copy=False)
        if k < least:
            state = _iterate(body, frame, carried, state)
            continue
        frame.mask = trips > k
        new = _iterate(body, frame, carried, state)
        state = [merge(frame.mask, n, o) for n, o in zip(new, state, strict=True)]
        frame.mask = outer
    return state


@handles("if")
def _if(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    condition = context.read(op.operands[0])
    branches = [context.block(r.blocks[0]) if r.blocks else None for r in op.regions]
    branches += [None] * (2 - len(branches))
    slots = [context.define(r) for r in op.results]

    def step(frame: Frame) -> None:
        chosen = condition(frame)
        if not isinstance(chosen, np.ndarray):
            cases: list[tuple[Array | None, Code | None]] = [(None, branches[0] if chosen else branches[1])]
        else:
            cases = [(chosen, branches[0]), (~chosen, branches[1])]
        _choose(frame, cases, slots)

    return step


def _choose(frame: Frame, cases: list[tuple[Array | None, Code | None]], slots: list[int]) -> None:
    """Run each block under its condition (None: all lanes) and merge the results."""
    outer = frame.mask
    results: list[Any] | None = None
    for condition, block in cases:
        if block is None:
            continue
        if condition is not None:
            mask = condition if outer is None else condition & outer
            if not mask.any():
                continue
            frame.mask = mask
        block.run(frame)
        values = [g(frame) for g in block.results]
        frame.mask = outer
        if results is None or condition is None:
            results = values
        else:
            results = [merge(condition, new, old) for new, old in zip(values, results, strict=True)]
    for slot, value in zip(slots, results or [], strict=bool(results)):
        frame.values[slot] = value


@handles("index_switch")
def _index_switch(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    argument = context.read(op.operands[0])
    keys = integers(op.attributes.get("cases") or [])
    default, *blocks = [context.block(r.blocks[0]) for r in op.regions]
    slots = [context.define(r) for r in op.results]

    def step(frame: Frame) -> None:
        value = argument(frame)
        if not isinstance(value, np.ndarray):
            block = blocks[keys.index(value)] if value in keys else default
            _choose(frame, [(None, block)], slots)
            return
        cases: list[tuple[Array | None, Code | None]] = [
            (value == key, block) for key, block in zip(keys, blocks, strict=True)
        ]
        _choose(frame, [*cases, (~np.isin(value, keys), default)], slots)

    return step


@handles("execute_region")
def _execute_region(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    body = context.block(op.regions[0].blocks[0])
    slots = [context.define(r) for r in op.results]

    def step(frame: Frame) -> None:
        _choose(frame, [(None, body)], slots)

    return step


@handles("call")
def _call(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    name = str(getattr(op.attributes["callee"], "text", op.attributes["callee"])).lstrip("@")
    callee = context.shared.functions.get(name)
    if callee is None:
        fail("REF016", f"the module has no function `{name}`", op.position)
    if name in context.shared.calls:
        fail("REF016", f"`{name}` calls itself", op.position, "KTIR has no recursion")
    arguments = context.reads(op.operands)
    outside = context.shared.calls
    context.shared.calls = (*outside, name)
    body = context.block(callee.regions[0].blocks[0])  # inlined: every call gets slots of its own
    context.shared.calls = outside
    slots = [context.define(r) for r in op.results]

    def step(frame: Frame) -> None:
        for slot, value in zip(slots, body.call(frame, [g(frame) for g in arguments]), strict=True):
            frame.values[slot] = value

    return step


def _nest(frame: Frame, bounds: list[tuple[Any, Any, Any]], where: Position) -> Any:
    """Row-major iteration over a loop nest, as (indices, mask of lanes that are still inside or None)."""
    ranges = []
    for lo, hi, st in bounds:
        _positive(st, where)
        if any(isinstance(b, np.ndarray) for b in (lo, hi, st)):
            trips = np.maximum(0, -((lo - hi) // st))
            ranges.append([(lo + k * st, trips > k) for k in range(int(np.max(trips)))])
        else:
            ranges.append([(i, None) for i in range(lo, hi, st)])
    outer = frame.mask
    for point in itertools.product(*ranges):
        mask = outer
        for _, inside in point:
            if inside is not None:
                mask = inside if mask is None else mask & inside
        if mask is None or mask.any():
            yield [i for i, _ in point], mask


@handles("parallel")
def _parallel(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    """Iterations in row-major order, which is one of the orders the op allows."""
    groups = segments(op, 4)
    lower, upper, steps, inits = (context.reads(g) for g in groups)
    block = op.regions[0].blocks[0]
    body = context.block(block)
    combiners = [context.block(r.blocks[0]) for r in block.ops[-1].regions] if block.ops else []
    slots = [context.define(r) for r in op.results]
    where = op.position

    def step(frame: Frame) -> None:
        state = [g(frame) for g in inits]
        outer = frame.mask
        bounds = [(a(frame), b(frame), c(frame)) for a, b, c in zip(lower, upper, steps, strict=True)]
        for point, mask in _nest(frame, bounds, where):
            frame.mask = mask
            values = body.call(frame, point)
            for k, (combine, value) in enumerate(zip(combiners, values, strict=False)):
                (new,) = combine.call(frame, [state[k], value])
                state[k] = new if mask is outer or mask is None else merge(mask, new, state[k])
            frame.mask = outer
        for slot, value in zip(slots, state, strict=True):
            frame.values[slot] = value

    return step


@handles("forall")
def _forall(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    """Every iteration reads the tensors as they were before the loop; insertions go to the results."""
    low_values, high_values, step_values, outputs = segments(op, 4)
    lower = mixed(context, op.attributes["staticLowerBound"], low_values)
    upper = mixed(context, op.attributes["staticUpperBound"], high_values)
    steps = mixed(context, op.attributes["staticStep"], step_values)
    inits = context.reads(outputs)
    block = op.regions[0].blocks[0]
    body = context.block(block)
    rank = len(lower)
    shared = body.arguments[rank:]
    insertions = _insertions(context, block, rank)
    slots = [context.define(r) for r in op.results]
    where = op.position

    def step(frame: Frame) -> None:
        state = [g(frame) for g in inits]
        before = list(state)
        outer = frame.mask
        bounds = [(a(frame), b(frame), c(frame)) for a, b, c in zip(lower, upper, steps, strict=True)]
        for point, mask in _nest(frame, bounds, where):
            frame.mask = mask
            for slot, value in zip(shared, before, strict=True):
                frame.values[slot] = value
            for slot, value in zip(body.arguments[:rank], point, strict=True):
                frame.values[slot] = value
            body.run(frame)
            for k, insert in insertions:
                new = insert(frame, state[k])
                state[k] = new if mask is outer or mask is None else merge(mask, new, state[k])
            frame.mask = outer
        for slot, value in zip(slots, state, strict=True):
            frame.values[slot] = value

    return step


def _insertions(context: Context, block: ir.Block, rank: int) -> list[tuple[int, Any]]:
    """(index of the shared output, function of frame and tensor) for each op of scf.forall.in_parallel."""
    from .indexing import insertion

    if not block.ops or not block.ops[-1].regions:
        return []
    outputs = block.args[rank:]
    found = []
    for op in block.ops[-1].regions[0].blocks[0].ops:
        if op.operands:
            found.append((outputs.index(op.operands[1]), insertion(context, op)))
    return found


@handles("affine_apply")
@handles("affine_min")
@handles("affine_max")
def _affine(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    affine_map = op.attributes["map"]
    gets = context.reads(op.operands)
    slot = context.define(op.result)
    fold = {"affine_min": np.minimum, "affine_max": np.maximum}.get(semantics["kind"])

    def step(frame: Frame) -> None:
        xs = [g(frame) for g in gets]
        value, *others = affine_map.eval(xs[: affine_map.dims], xs[affine_map.dims :])
        for other in others if fold is not None else ():
            value = fold(value, other)  # type: ignore[misc]
        frame.values[slot] = value if isinstance(value, np.ndarray) and value.size > 1 else int(value)

    return step


def iteration_index(context: Context, dim: int) -> Any:
    """The positions along one iteration dimension of the enclosing structured op."""
    if context.space is None:
        raise AssertionError("no enclosing structured op")
    base, slot = context.space
    depth = context.depth

    def get(frame: Frame) -> Any:
        extent = frame.values[slot][dim]
        points = extent if isinstance(extent, range) else range(extent)
        return np.arange(points.start, points.stop).reshape(
            (*ones(base + dim), -1, *ones(depth - base - dim - 1))
        )

    return get


@handles("index")
def _index(context: Context, op: ir.Op, semantics: dict[str, Any]) -> Step:
    get = iteration_index(context, integer(op.attributes["dim"]))
    slot = context.define(op.result)

    def step(frame: Frame) -> None:
        frame.values[slot] = get(frame)

    return step
