"""How much memory an access touches over a box, and in how many contiguous pieces."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..arch import Arch, Hop
from ..numerics import dtype
from ..schedule.index import linear
from ..schedule.program import Program

__all__ = ["Footprint", "Footprints"]


@dataclass(frozen=True, slots=True)
class Footprint:
    """`runs` contiguous pieces of `run` elements of `element_bytes` each; all pieces of all boxes start
    at multiples of `pitch` bytes from the base."""

    runs: int
    run: int
    element_bytes: int
    pitch: int
    row: int = 1  # elements along the innermost axis of a copy's layout

    @property
    def elements(self) -> int:
        return self.runs * self.run

    def buffer_bytes(self, alignment: int) -> int:
        """Bytes of a copy in a memory: every row of its layout starts at a multiple of `alignment`."""
        rows = self.elements // self.row
        return rows * -(-self.row * self.element_bytes // alignment) * alignment

    def moved_bytes(self, hop: Hop) -> int:
        """Bytes that keep the hop busy: whole granules per piece, the expected number of them when the
        pieces do not all start at one (offsets uniform over the multiples of gcd(pitch, granule))."""
        granule = hop.granularity[-1] if hop.granularity else 1
        step = math.gcd(self.pitch, granule)
        return hop.charged_bytes(self.run * self.element_bytes + granule - step, self.runs)


class Footprints:
    """Footprints of a program's accesses; strides per axis are worked out once."""

    def __init__(self, program: Program, arch: Arch) -> None:
        self.program = program
        self.arch = arch
        self._cache: dict[tuple[str, tuple[int, ...]], Footprint] = {}

    @cached_property
    def strides(self) -> Mapping[str, Mapping[str, int | None]]:
        """access → axis → elements between neighbours along the axis (None: not affine or not constant)."""
        return {name: self._strides(name) for name in self.program.accesses}

    def _strides(self, name: str) -> dict[str, int | None]:
        program = self.program
        access = program.accesses[name]
        view = program.views[access.view]
        flat: dict[str, int | None] = dict.fromkeys(program.access_axes[name], 0)
        for coordinate, stride in zip(access.at, view.strides, strict=True):
            coefficients, _ = linear(coordinate)
            for axis in program.index_axes(coordinate):
                step, so_far = coefficients.get(axis), flat[axis]
                if step is None or so_far is None or not isinstance(stride, int):
                    flat[axis] = None
                else:
                    flat[axis] = so_far + step * program.axes[axis].step * stride
        return flat

    def of(self, access: str, cover: Mapping[str, int]) -> Footprint:
        """Footprint over `cover` (axis → positions; an axis that is absent counts one)."""
        axes = self.program.access_axes[access]
        extents = tuple(cover.get(axis, 1) for axis in axes)
        key = (access, extents)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self._of(access, dict(zip(axes, extents, strict=True)))
        return found

    def _of(self, access: str, extents: Mapping[str, int]) -> Footprint:
        size = dtype(self.program.views[self.program.accesses[access].view].dtype).nbytes
        strides = self.strides[access]
        known = [(abs(s), extents[a]) for a, s in strides.items() if s is not None and extents[a] > 1]
        total = 1
        for axis, extent in extents.items():
            total *= extent if strides[axis] != 0 else 1
        run = 1
        for stride, extent in sorted(known):
            if stride == run:
                run *= extent
        in_run = {1, run}
        pitch = math.gcd(*(s for s in self.starts[access] if s not in in_run), run)
        layout = [extents[a] for a in self.program.layouts[access] if extents[a] > 1 and strides[a] != 0]
        return Footprint(total // run, run, size, pitch * size, layout[-1] if layout else 1)

    @cached_property
    def starts(self) -> Mapping[str, tuple[int, ...]]:
        """access → elements by which a step of an axis, a tile or a symbol moves the first element."""
        return {name: self._starts(name) for name in self.program.accesses}

    def _starts(self, name: str) -> tuple[int, ...]:
        access = self.program.accesses[name]
        view = self.program.views[access.view]
        steps = [abs(s) if s is not None else 1 for s in self.strides[name].values()]
        for coordinate, stride in zip(access.at, view.strides, strict=True):
            coefficients, constant = linear(coordinate)
            fixed = [c for leaf, c in coefficients.items() if leaf not in self.program.axes]
            steps += [abs(c * stride) if isinstance(stride, int) else 1 for c in (*fixed, constant)]
        return tuple(steps)
