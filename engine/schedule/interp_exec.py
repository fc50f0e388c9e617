"""Evaluation of one statement on one box: NumPy arrays with a dimension per axis of the domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics import DType, ScalarOp, apply, cast, dtype, identity_value, resolve, scalar_ops
from .interp_memory import Array, Window, axis_values, fault
from .program import Let, Program, Stmt, attributes, operands
from .sexpr import Term

__all__ = ["Ports", "run_statement"]


@dataclass(slots=True)
class Ports:
    """How a statement reaches memory: each takes an access's or value's name and data over its axes."""

    load: Callable[[str], Array]
    get: Callable[[str], Array]
    store: Callable[[str, Array], None]
    set: Callable[[str, Array], None]
    index: Callable[[Any, Mapping[str, Any]], Any]


def run_statement(
    program: Program,
    stmt: Stmt,
    window: Window,
    env: Mapping[str, Any],
    scalars: Mapping[str, Any],
    ports: Ports,
    mode: str,
) -> None:
    """Evaluate all lets on the box, then the effects in order. `window` covers the statement's domain."""
    _Evaluation(program, stmt, window, env, scalars, ports, mode).run()


def fold(op: ScalarOp, total: Array, steps: Array, t: DType, tx: DType, mode: str) -> Array:
    """`op(…op(op(total, steps[0]), steps[1])…)`, each step rounded to `t`."""
    formula = op.formulas[0]
    exact = mode == "ieee" and tx.name == t.name and (formula.preserving or t.compute == t.storage)
    if exact and formula.reducer is not None and formula.names == op.operands and t.kind != "bool":
        with np.errstate(all="ignore"):  # accumulate goes strictly from left to right, reduce does not
            ordered = np.concatenate([total[None], steps.astype(total.dtype, copy=False)])
            return np.asarray(formula.reducer.accumulate(ordered, axis=0)[-1])
    for part in steps:
        total = np.asarray(apply(op, [total, part], [t, tx], t, {}, mode))
    return total


class _Evaluation:
    def __init__(
        self,
        program: Program,
        stmt: Stmt,
        window: Window,
        env: Mapping[str, Any],
        scalars: Mapping[str, Any],
        ports: Ports,
        mode: str,
    ) -> None:
        self.program, self.stmt, self.window = program, stmt, window
        self.env, self.scalars, self.ports, self.mode = env, scalars, ports, mode
        self.domain = program.domains[stmt.name]
        self.tiles: dict[str, Array] = {}
        self.types: dict[str, DType] = {}
        self.consumed: dict[str, frozenset[str]] = {}  # axes reduced on the way to each let

    def run(self) -> None:
        for step in self.stmt.lets:
            self.types[step.name] = dtype(step.dtype)
            self.consumed[step.name] = frozenset()
            self.tiles[step.name] = self._value(step)
        for effect in self.stmt.effects:
            self._effect(effect)

    def _spread(self, data: Array, axes: tuple[str, ...]) -> Array:
        """Data over `axes` (canonical order) with a dimension for every axis of the domain."""
        return data.reshape([self.window[a][1] if a in axes else 1 for a in self.domain])

    def _value(self, step: Let) -> Array:
        t = self.types[step.name]
        match step.expr:
            case Term("load", (str(access),)):
                return self._spread(self.ports.load(access), self.program.access_axes[access])
            case Term("get", (str(value),)):
                axes = self.program.in_order({*self.program.values[value].axes})
                return self._spread(self.ports.get(value), axes)
            case Term("const", (number,)):
                return np.asarray(resolve(t, self.mode).round(np.asarray(number))).reshape(
                    [1] * len(self.domain)
                )
            case Term("arg", (str(name),)):
                if name not in self.scalars:
                    fault(f"no value is given for argument {name}", self.stmt.position)
                given = resolve(t, self.mode).round(np.asarray(self.scalars[name]))
                return np.asarray(given).reshape([1] * len(self.domain))
            case Term("index", (index,)):
                env = {**self.env, **axis_values(self.program, self.domain, self.window, self.env)}
                found = np.asarray(self.ports.index(index, env), np.int64)
                return t.round(found.reshape([1] * (len(self.domain) - found.ndim) + list(found.shape)))
            case Term("op", (str(name), *rest)):
                return self._op(step, name, operands(rest), attributes(rest), t)
            case Term("reduce", (str(name), str(axis), str(x))):
                self.consumed[step.name] = self.consumed[x] | {axis}
                return self._fold(name, axis, self.tiles[x], self.types[x], t)
            case Term("contract", (str(axis), str(x), str(y))):
                self.consumed[step.name] = self.consumed[x] | self.consumed[y] | {axis}
                return self._contract(axis, x, y, t)
        fault(f"unknown expression {step.expr}", self.stmt.position)

    def _op(self, step: Let, name: str, inputs: list[str], given: Mapping[str, Any], t: DType) -> Array:
        op = scalar_ops().get(name)
        if op is None:
            fault(f"{name} is not a scalar op of ktir_specs", self.stmt.position)
        self.consumed[step.name] = frozenset().union(*(self.consumed[x] for x in inputs))
        arrays = [self.tiles[x] for x in inputs]
        result = apply(op, arrays, [self.types[x] for x in inputs], t, dict(given), self.mode)
        return np.asarray(result)

    def _fold(self, name: str, axis: str, x: Array, tx: DType, t: DType) -> Array:
        """Ascending fold along the axis, starting from the first element."""
        op = scalar_ops()[name]
        k = self.domain.index(axis)
        n = self.window[axis][1]
        if n == 0:
            if op.combiner is None:
                fault(f"{name} over no elements has no value", self.stmt.position)
            return np.full(
                [1 if i == k else s for i, s in enumerate(x.shape)], identity_value(op.combiner, t)
            )
        steps = np.moveaxis(x, k, 0)
        if steps.shape[0] != n:
            steps = np.broadcast_to(steps, (n, *steps.shape[1:]))
        first = steps[0] if tx.name == t.name else cast(steps[0], tx, t, self.mode)
        return np.expand_dims(fold(op, first, steps[1:], t, tx, self.mode), k)

    def _contract(self, axis: str, x: str, y: str, t: DType) -> Array:
        """Σ of products along the axis, ascending, every product and sum rounded to `t`."""
        k, n = self.domain.index(axis), self.window[axis][1]
        work = resolve(t, self.mode)
        a, b = self.tiles[x], self.tiles[y]
        total: Array | None = None
        for i in range(n):
            product = np.take(a, [min(i, a.shape[k] - 1)], axis=k) * np.take(
                b, [min(i, b.shape[k] - 1)], axis=k
            )
            product = work.round(np.asarray(product))
            total = product if total is None else work.round(total + product)
        shape = [1 if i == k else max(p, q) for i, (p, q) in enumerate(zip(a.shape, b.shape, strict=True))]
        return np.zeros(shape, t.compute) if total is None else np.asarray(total)

    # --- effects ----------------------------------------------------------------------------------------

    def _effect(self, effect: Term) -> None:
        target, name = str(effect.args[0]), str(effect.args[1])
        if effect.head == "store":
            axes = self.program.access_axes[target]
            self.ports.store(target, self._narrow(name, axes, f"access {target}"))
            return
        value = self.program.values[target]
        axes = self.program.in_order({*value.axes})
        if effect.head == "set":
            self.ports.set(target, self._narrow(name, axes, f"value {target}"))
        else:
            self.ports.set(target, self._folded(name, target, axes))

    def _narrow(self, name: str, axes: tuple[str, ...], what: str) -> Array:
        """The tile over `axes` only; a tile that varies along another axis has no single value to write."""
        tile = self.tiles[name]
        for k, a in enumerate(self.domain):
            if a not in axes and tile.shape[k] > 1:
                fault(f"{name} varies with {a}, but {what} does not", self.stmt.position)
        full = np.broadcast_to(tile, [self.window[a][1] if a in axes else 1 for a in self.domain])
        return full.reshape([self.window[a][1] for a in axes])

    def _folded(self, name: str, target: str, axes: tuple[str, ...]) -> Array:
        """The accumulator's new contents: every point of the domain folded in, in ascending order."""
        value = self.program.values[target]
        if value.comb is None:
            fault(f"value {target} has no combiner to fold with", self.stmt.position)
        op, t = scalar_ops()[value.comb], dtype(value.dtype)
        over = [a for a in self.domain if a not in axes and a not in self.consumed[name]]
        tile = self.tiles[name]
        full = [self.window[a][1] if a in axes or a in over else 1 for a in self.domain]
        tile = np.broadcast_to(tile, full)
        kept = [self.window[a][1] for a in axes]
        order = [self.domain.index(a) for a in (*over, *axes)]
        rest = [k for k in range(len(self.domain)) if k not in order]
        steps = tile.transpose(*order, *rest).reshape([-1, *kept])
        total = np.asarray(self.ports.get(target))
        return fold(op, total, steps, t, self.types[name], self.mode)
