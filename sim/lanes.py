"""What a compute unit does with its vector registers. All arithmetic is engine/numerics'."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import DType, apply, dtype, resolve
from .functions import VectorFunction, vector_functions
from .program import Image
from .trace import Step
from .vectors import Vector, VectorFile

__all__ = ["Compute"]

Array = NDArray[Any]


class Compute:
    """Executes vector words on a register file, for the iterations of a chunk at once."""

    def __init__(self, image: Image, mode: str) -> None:
        self.image, self.mode = image, mode
        self._constants: dict[tuple[int, int], Vector] = {}

    def run(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        """The value of the word. Raises `RegisterFault`."""
        result: Vector = getattr(self, f"_{step.op.name}")(step, rows, file)
        return result

    def _vop(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        f, kind = step.op.fields, step.op.dtype
        assert kind is not None
        function = vector_functions()[f["op"]]
        types = function.operand_types(self.image.dtype(f["source"]))
        registers = (f["va"], f["vb"], f["vc"])
        values = [file.read(r, t, step.op.count) for r, t in zip(registers, types, strict=False)]
        operands = [v.compute for v in values]
        result = apply(function.scalar, operands, types, kind, function.attributes, self.mode)
        return self._computed(kind, step.op.count, np.asarray(result))

    def _vred(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        f, kind = step.op.fields, step.op.dtype
        assert kind is not None
        function = vector_functions()[f["op"]]
        lanes = file.read(f["va"], kind, step.op.count).compute
        lanes = np.broadcast_to(lanes, (*lanes.shape[:-1], step.op.count))
        return self._computed(kind, 1, self._fold(function, kind, lanes))

    def _fold(self, function: VectorFunction, kind: DType, lanes: Array) -> Array:
        total = lanes[..., :1]
        for lane in range(1, lanes.shape[-1]):
            operands = [total, lanes[..., lane : lane + 1]]
            total = apply(function.scalar, operands, [kind, kind], kind, function.attributes, self.mode)
        return total

    def _computed(self, kind: DType, count: int, values: Array) -> Vector:
        return Vector(kind, self.mode, count, compute=values)

    def _vmov(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        assert step.op.dtype is not None
        return file.read(step.op.fields["va"], step.op.dtype, step.op.count)

    def _vsplat(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        lane, kind = step.op.fields["lane"], step.op.dtype
        assert kind is not None
        memory = file.read(step.op.fields["va"], kind, lane + 1).memory
        one = memory if memory.shape[-1] == 1 else memory[..., lane : lane + 1]
        return Vector(kind, self.mode, step.op.count, memory=one)

    def _vconst(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        row, count = step.op.fields["constant"], step.op.count
        if (row, count) not in self._constants:
            constant = self.image.constants[row]
            values = _literal(constant.dtype, constant.values, self.mode).reshape(1, 1, -1)
            self._constants[row, count] = self._computed(constant.dtype, count, values)
        return self._constants[row, count]

    def _vset(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        kind, count = step.op.dtype, step.op.count
        assert kind is not None
        first, increment = (_rows(v, rows)[..., None] for v in step.values)
        if kind.is_float:
            bits = first.astype(np.dtype(f"u{kind.nbytes}")).view(kind.storage)
            return self._computed(kind, count, _literal(kind, bits, self.mode))
        lanes = first + np.arange(count) * increment if increment.any() else first
        return self._computed(kind, count, kind.round(lanes))

    def _vmask(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        low, high = (_rows(v, rows)[..., None] for v in step.values)
        lane = np.arange(step.op.count)
        return self._computed(dtype("i1"), step.op.count, (low <= lane) & (lane < high))

    def _vshuf(self, step: Step, rows: slice, file: VectorFile) -> Vector:
        f, kind, count = step.op.fields, step.op.dtype, step.op.count
        assert kind is not None
        lanes = np.resize(self.image.constants[f["pattern"]].values.astype(np.int64), count)
        first = self._gather(file, f["va"], kind, np.maximum(lanes, 0), bool((lanes >= 0).any()))
        if (lanes >= 0).all():
            return Vector(kind, self.mode, count, memory=first)
        second = self._gather(file, f["vb"], kind, np.maximum(-1 - lanes, 0), True)
        chosen = second if first is None else np.where(lanes >= 0, first, second)
        return Vector(kind, self.mode, count, memory=chosen)

    def _gather(self, file: VectorFile, register: int, kind: DType, lanes: Array, used: bool) -> Any:
        if not used:
            return None
        memory = file.read(register, kind, int(lanes.max()) + 1).memory
        return memory if memory.shape[-1] == 1 else memory[..., lanes]


def _literal(kind: DType, bits: Array, mode: str) -> Array:
    """Bit patterns as the program holds them (IEEE for f16) → compute form in this mode."""
    return resolve(kind, mode).round(kind.from_storage(bits))


def _rows(grid: Array, rows: slice) -> Array:
    return grid if len(grid) == 1 else grid[rows]
