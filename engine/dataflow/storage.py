"""Where an access's elements lie: its home view, or a buffer. Both give subscripts and steps per axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..diagnostics import Position, fail
from ..ktir.affine import AffineExpr, AffineMap, Binary, Const, Dim
from ..ktir.ir import MemRef, Scalar, Value
from ..numerics.dtypes import dtype as element_type
from ..schedule.index import Index, linear, sub, substitute
from ..schedule.program import Access
from ..schedule.sexpr import Term, show
from .arithmetic import Arithmetic
from .builder import UnitBuilder
from .packing import shared_ways
from .plan import Buffer, Positions

__all__ = ["Storage", "StorageMaker"]


@dataclass(frozen=True, slots=True)
class Storage:
    """`origin`: the coordinates of the first element; `steps[axis]`: how far each coordinate goes per
    position of the axis; `strides`: elements per coordinate (None: known at launch only)."""

    memref: Value
    dtype: str
    origin: tuple[Index, ...]
    steps: Mapping[str, tuple[int, ...]]
    strides: tuple[int | None, ...]
    shape: tuple[Index, ...]
    home: bool
    padded: bool = False  # beyond the view elements read 0 and are not stored

    @property
    def rank(self) -> int:
        return len(self.origin)

    def step(self, axis: str) -> tuple[int, ...]:
        return self.steps.get(axis, (0,) * self.rank)

    def pace(self, axis: str) -> int | None:
        """Elements in memory between two positions of an axis."""
        total = 0
        for n, stride in zip(self.step(axis), self.strides, strict=True):
            if n and stride is None:
                return None
            total += n * (stride or 0)
        return total


class StorageMaker:
    """Makes the views of one unit's program."""

    def __init__(self, builder: UnitBuilder, arithmetic: Arithmetic) -> None:
        self.b = builder
        self.a = arithmetic
        self.program = arithmetic.program

    def get(self, subject: str, buffer: Buffer | None, at: Positions, wide: set[str]) -> Storage:
        """The subject's place as seen from positions `at`. `wide`: axes along which more than one position
        moves, in which its coordinates must be affine."""
        if buffer is not None:
            return self._buffer(buffer, at)
        return self._home(self.program.accesses[subject], at, wide)

    # ---- homes ------------------------------------------------------------------------------------------

    def _home(self, access: Access, at: Positions, wide: set[str]) -> Storage:
        view = self.program.views[access.view]
        axes = self.program.access_axes[access.name]
        values = {a: self.program.axes[a].value(at.get(a, 0)) for a in axes}
        steps: dict[str, list[int]] = {a: [] for a in axes}
        origin = []
        for coordinate in access.at:
            resolved = self.a.resolved(coordinate)
            terms, _ = linear(resolved)
            for a in axes:
                if a in wide and any(isinstance(t, Term) and _mentions(t, a) for t in terms):
                    self._opaque(access, coordinate, a)
                steps[a].append(terms.get(a, 0) * self.program.axes[a].step)
            origin.append(substitute(resolved, values))
        strides = tuple(self.a.known(s) for s in view.strides)
        return Storage(
            self._home_view(access.view, strides, access.position),
            view.dtype,
            tuple(origin) or (0,),
            {a: tuple(s) for a, s in steps.items()},
            strides or (1,),
            view.shape or (1,),
            True,
            access.boundary == "pad",
        )

    def _opaque(self, access: Access, coordinate: Index, axis: str) -> None:
        what = f"in which its coordinate `{show(coordinate)}` is not affine"
        message = f"`{access.name}` moves along `{axis}`, {what}"
        fail("DFLOW041", message, access.position, "move one position of that axis at a time")

    def _home_view(self, name: str, strides: tuple[int | None, ...], position: Position) -> Value:
        view = self.program.views[name]
        if view.ct_id is not None:
            fail("DFLOW042", f"view `{name}` is in another tile's scratchpad; not lowered yet", position)
        memory = self.a.b.instances.place(self.b.instances.arch.home(view.space))
        unit = self.b.handle(memory)
        address = self.a.base(name)
        if None in strides:
            fail(
                "DFLOW043",
                f"view `{name}` has strides that are known at launch only; not lowered yet",
                position,
            )
        shape = tuple(n if isinstance(n, int) else self.a.known(n) for n in view.shape) or (1,)
        known = tuple(s or 0 for s in strides) or (1,)
        return self._view(name, unit, address, shape, known, view.dtype)

    def _view(
        self,
        name: str,
        unit: Value,
        address: Value,
        shape: tuple[int | None, ...],
        strides: tuple[int, ...],
        kind: str,
    ) -> Value:
        attributes = {"layout_map": AffineMap(len(shape), 0, (_layout(strides),))}
        memref = MemRef(shape, Scalar(kind))
        key = ("view", id(unit), id(address), shape, strides, kind)
        operands = [unit, address]
        return self.b.cached(
            key,
            lambda: self.b.value(
                "dataflow.get_logical_memory_view", operands, attributes, (name, memref), top=True
            ),
            top=True,
        )

    # ---- buffers ----------------------------------------------------------------------------------------

    def _buffer(self, buffer: Buffer, at: Positions) -> Storage:
        memory = self.b.instances.place(buffer.memory)
        size = element_type(buffer.dtype).nbytes
        copy = buffer.copy_bytes // size
        thread = self._thread(buffer) * (copy * buffer.depth) + buffer.address // size
        unit = self.b.handle(memory)
        address = self.b.per_instance(thread)
        origin: list[Index] = []
        shape: list[int | None] = []
        strides: list[int] = []
        steps: dict[str, tuple[int, ...]] = {}
        if buffer.depth > 1 or not buffer.axes:
            origin.append(buffer.phase)
            shape.append(buffer.depth)
            strides.append(copy)
        rank = len(shape) + len(buffer.axes)
        for (axis, extent), stride in zip(buffer.axes, buffer.strides, strict=True):
            steps[axis] = tuple(int(k == len(shape)) for k in range(rank))
            origin.append(sub(at.get(axis, 0), buffer.origin.get(axis, 0)))
            shape.append(extent)
            strides.append(stride)
        memref = self._view(
            f"{buffer.subject}_{buffer.memory}", unit, address, tuple(shape), tuple(strides), buffer.dtype
        )
        whole = tuple(n or 0 for n in shape)
        return Storage(memref, buffer.dtype, tuple(origin), steps, tuple(strides), whole, False)

    def _thread(self, buffer: Buffer) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """Which of the copies in one memory instance is this thread's, per unit instance."""
        instances = self.b.instances
        place = instances.place(buffer.memory)
        number = np.zeros(len(self.b.place.instances), np.int64)
        if instances.arch.grid_group not in place.path:
            number = number + self._tile_in_memory(place.path)
        for group, ways in shared_ways(buffer, instances):
            number = number * ways + self.b.coordinate(group)
        return number

    def _tile_in_memory(self, path: tuple[str, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        number = np.zeros(len(self.b.place.instances), np.int64)
        for group in self.b.instances.chain:
            if group not in path:
                number = number * self.b.instances.arch.groups[group].count + self.b.coordinate(group)
        return number


def _mentions(t: Term, axis: str) -> bool:
    return any(axis in x.args for x in t.walk())


def _layout(strides: tuple[int, ...]) -> AffineExpr:
    total: AffineExpr | None = None
    for k, s in enumerate(strides):
        part: AffineExpr = Dim(k) if s == 1 else Binary("*", Dim(k), Const(s))
        if s:
            total = part if total is None else Binary("+", total, part)
    return total or Const(0)
