"""Vector values in flight and in registers, for many components and iterations at once.

Arrays have the axes (iterations or 1, components or 1, elements or 1); a length of 1 stands for "all the
same". A value is kept in memory form, in compute form, or both, and converted only when needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import DType, dtype, resolve

__all__ = ["RegisterFault", "Vector", "VectorFile"]

Array = NDArray[Any]


class RegisterFault(Exception):
    """A vector register is read that nothing was written to."""


class Vector:
    """`count` elements of `kind`, whose format in this numerics mode is `format`."""

    __slots__ = ("_compute", "_memory", "count", "format", "kind")

    def __init__(
        self, kind: DType, mode: str, count: int, *, memory: Array | None = None, compute: Array | None = None
    ) -> None:
        self.kind, self.count = kind, count
        self.format = resolve(kind, mode)
        self._memory, self._compute = memory, compute

    @property
    def compute(self) -> Array:
        """Values in compute form."""
        if self._compute is None:
            self._compute = self.format.from_storage(self._memory)  # type: ignore[arg-type]
        return self._compute

    @property
    def memory(self) -> Array:
        """Elements as memory holds them."""
        if self._memory is None:
            self._memory = self.format.to_storage(self._compute)  # type: ignore[arg-type]
        return self._memory

    def raw(self) -> Array:
        """Bytes of all elements: (…, count · element bytes), uint8."""
        full = self.memory
        if full.shape[-1] != self.count:
            full = np.broadcast_to(full, (*full.shape[:-1], self.count))
        return np.ascontiguousarray(full).view(np.uint8)

    def rows(self, rows: slice) -> Vector:
        """These iterations."""
        return self._map(lambda a: a if a.shape[0] == 1 else a[rows])

    def head(self, count: int) -> Vector:
        """The first `count` elements."""
        if count == self.count:
            return self
        cut = self._map(lambda a: a if a.shape[-1] == 1 else a[..., :count])
        cut.count = count
        return cut

    def _map(self, change: Any) -> Vector:
        result = Vector.__new__(Vector)
        result.kind, result.count, result.format = self.kind, self.count, self.format
        result._memory = None if self._memory is None else change(self._memory)
        result._compute = None if self._compute is None else change(self._compute)
        return result


class VectorFile:
    """A compute unit's vector registers: values by their first stick."""

    def __init__(self, stick: int, mode: str) -> None:
        self.stick, self.mode = stick, mode
        self.values: dict[int, Vector] = {}

    def write(self, first: int, value: Vector) -> None:
        last = first + self._sticks(value)
        for other in [o for o, v in self.values.items() if o < last and o + self._sticks(v) > first]:
            old = self.values.pop(other)
            if other < first or other + self._sticks(old) > last:
                self._keep_outside(other, old, first, last)
        self.values[first] = value

    def read(self, first: int, kind: DType, count: int) -> Vector:
        """`count` elements of `kind` from stick `first` on. Raises `RegisterFault`."""
        value = self.values.get(first)
        if value is not None and value.kind is kind and value.count >= count:
            return value.head(count)
        return self._reinterpret(first, kind, count)

    def settle(self) -> None:
        """After a block: keep the values of its last iteration."""
        for first, value in self.values.items():
            self.values[first] = value.rows(slice(-1, None))

    def _sticks(self, value: Vector) -> int:
        return -(-value.count * value.kind.nbytes // self.stick)

    def _keep_outside(self, start: int, value: Vector, first: int, last: int) -> None:
        """What a partial overwrite leaves of a value, stick by stick."""
        raw = value.raw()
        for s in range(self._sticks(value)):
            if not first <= start + s < last:
                part = raw[..., s * self.stick : (s + 1) * self.stick]
                kept = Vector(dtype("i8"), self.mode, part.shape[-1], memory=part.view(np.int8))
                self.values[start + s] = kept

    def _holder(self, stick: int) -> tuple[int, Vector]:
        """The value that a stick belongs to, and its first stick."""
        for first, value in self.values.items():
            if first <= stick < first + self._sticks(value):
                return first, value
        raise RegisterFault(f"vector register {stick}")

    def _reinterpret(self, first: int, kind: DType, count: int) -> Vector:
        """Other elements or another extent than what was written: through the bytes."""
        need = count * kind.nbytes
        parts: list[Array] = []
        at, have = first, 0
        while have < need:
            start, value = self._holder(at)
            raw = value.raw()[..., (at - start) * self.stick :]
            sticks = self._sticks(value) - (at - start)
            if have + raw.shape[-1] < need and raw.shape[-1] != sticks * self.stick:
                raise RegisterFault(f"the end of vector register {at + sticks - 1}")
            parts.append(raw)
            have += raw.shape[-1]
            at += sticks
        shape = np.broadcast_shapes(*(p.shape[:-1] for p in parts))
        joined = np.concatenate([np.broadcast_to(p, (*shape, p.shape[-1])) for p in parts], -1)
        storage = resolve(kind, self.mode).storage
        return Vector(kind, self.mode, count, memory=np.ascontiguousarray(joined[..., :need]).view(storage))
