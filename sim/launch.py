"""SpyreCode on a simulated card: prepare once, launch many times, following the two job plans."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch, Work
from ..diagnostics import Position, fail
from ..numerics import dtype
from ..options import Options
from ..spyrecode.assemble import SpyreCode
from ..spyrecode.container import Binary, unpack
from ..spyrecode.debug import positions
from ..spyrecode.directory import read
from ..spyrecode.plan import (
    SEGMENT_BASE,
    ComputeOnDevice,
    ComputeOnHost,
    DataTransfer,
    Plan,
    Symbol,
    read_plan,
    symbol_table,
)
from .execute import Outcome, execute
from .intervals import Intervals
from .memory import SEGMENT_BYTES, SEGMENTS, DeviceMemory, Scratchpads
from .profile import Profile, ProfileBuilder
from .program import Image, load_image
from .traffic import Operations, Touched, work_of

__all__ = ["LaunchResult", "Prepared", "prepare"]

Array = NDArray[Any]
Argument = Array | int | float
_ALIGNMENT = 128  # of every start address (SpyreCode specification)


@dataclass(frozen=True)
class LaunchResult:
    """`outputs[i]`: argument i afterwards (None: a scalar); `memory`: the buffers at constant addresses.

    `sim_ms`: host time of the execution plan, placing and fetching of buffers not included.
    """

    outputs: Sequence[Array | None]
    memory: Mapping[int, Array]
    cycles: int
    time_us: float
    work: Work
    profile: Profile = field(repr=False)
    sim_ms: float = 0.0


def prepare(code: SpyreCode | str | Path, arch: Arch, *, options: Options | None = None) -> Prepared:
    """Load a program: runs the job preparation plan (Allocate, InitTransfer).

    Raises SIM031 when it was assembled for a machine of another structure, and what `spyrecode.read` raises.
    """
    if not isinstance(code, SpyreCode):
        code = read(code)
    return Prepared(code, arch, options or Options())


class Prepared:
    """A program in device memory, ready to be launched any number of times."""

    def __init__(self, code: SpyreCode, arch: Arch, options: Options) -> None:
        self.code, self.arch, self.options = code, arch, options
        self.plan: Plan = read_plan(dict(code.plan))
        self.position = Position(code.name)
        self.program: NDArray[np.uint8] = np.zeros(self.plan.allocate, np.uint8)
        for transfer in self.plan.preparation:
            start = transfer.dev_ptr - SEGMENT_BASE
            data = np.frombuffer(code.binary, np.uint8)[: transfer.size]
            self.program[start : start + len(data)] = data
        self.words = positions(code.debug) if code.debug else []
        self._images: dict[tuple[int, bytes], Image] = {}
        self._kept: dict[str, Scratchpads] | None = None

    def launch(
        self, arguments: Sequence[Argument] = (), *, memory: Mapping[int, Array] | None = None
    ) -> LaunchResult:
        """Run the job execution plan.

        Arrays are copied to segments 0 to 6 at 128-byte aligned addresses (bit patterns as they are), numbers
        are scalars; `memory` places arrays at constant byte addresses. SIM020: an argument does not fit its
        symbol. SIM021: ranges overlap.
        """
        baked = {address: np.asarray(value) for address, value in (memory or {}).items()}
        addresses = _place(arguments, baked, self.options.may_alias)
        ranges: dict[int, Array | bytes | int] = {**baked, SEGMENT_BASE: self.program}
        ranges |= {addresses[i]: np.asarray(arguments[i]) for i in addresses}
        device = DeviceMemory.of(ranges)
        begin = time.perf_counter()
        outcomes = self._execute(device, arguments, addresses)
        elapsed = 1000 * (time.perf_counter() - begin)
        outputs = [
            _fetch(device, addresses[i], np.asarray(a)) if i in addresses else None
            for i, a in enumerate(arguments)
        ]
        after = {address: _fetch(device, address, value) for address, value in baked.items()}
        work, profile = self._summary(outcomes)
        time_us = 1e6 * profile.cycles / self.arch.clock_hz
        return LaunchResult(outputs, after, profile.cycles, time_us, work, profile, elapsed)

    def _summary(self, outcomes: Sequence[Outcome]) -> tuple[Work, Profile]:
        """Programs of a launch run one after the other; bytes that several of them touch count once."""
        builder = ProfileBuilder(self.words)
        touched: Touched = {}
        cores: Operations = {}
        for outcome in outcomes:
            builder.add(outcome.timing, outcome.words)
            for memory, sets in outcome.touched.items():
                known = touched.get(memory)
                touched[memory] = (
                    (Intervals.union(known[0], sets[0]), Intervals.union(known[1], sets[1]))
                    if known
                    else sets
                )
            for core, counts in outcome.operations.items():
                cores.setdefault(core, Counter()).update(counts)
        distinct = {memory: (read.nbytes, written.nbytes) for memory, (read, written) in touched.items()}
        return work_of(self.arch, touched, cores), builder.build(distinct)

    def _execute(
        self, device: DeviceMemory, arguments: Sequence[Argument], addresses: dict[int, int]
    ) -> list[Outcome]:
        """Follow the execution plan; what each ComputeOnDevice did."""
        handles: dict[str, bytes] = {}
        outcomes: list[Outcome] = []
        for step in self.plan.execution:
            if isinstance(step, ComputeOnHost):
                handles[step.ohandle] = _correction(step, arguments, addresses)
            elif isinstance(step, DataTransfer):
                span = device.span(step.dev_ptr, step.size)
                if step.to_device:
                    span[:] = np.frombuffer(handles[step.host_handle], np.uint8)[: step.size]
                else:
                    handles[step.host_handle] = span.tobytes()
            else:
                outcomes.append(self._compute(device, step, sum(o.words for o in outcomes)))
        return outcomes

    def _compute(self, device: DeviceMemory, step: ComputeOnDevice, first_word: int) -> Outcome:
        size = SEGMENT_BASE + self.plan.allocate - step.job_bin_ptr
        binary = unpack(device.span(step.job_bin_ptr, size).tobytes(), self.position)
        image = self._image(binary, first_word)
        kept = self.options.lx_between_kernels == "kept"
        pads = self._kept if kept and self._kept is not None else _scratchpads(self.arch)
        self._kept = pads if kept else None
        symbols = binary["symbols"]["value"]
        return execute(image, symbols, device, pads, mode=self.options.numerics, kept=kept)

    def _image(self, binary: Binary, first_word: int) -> Image:
        """The decoded program; a launch that changes only symbols finds it decoded already."""
        content = b"".join(rows.tobytes() for name, rows in binary.sections.items() if name != "symbols")
        key = (first_word, content)
        if key not in self._images:
            lines = self.words[first_word : first_word + len(binary["code"])]
            self._images[key] = load_image(binary, self.arch, self.position, lines)
        return self._images[key]


def _scratchpads(arch: Arch) -> dict[str, Scratchpads]:
    return {
        name: Scratchpads(name, arch.instances(m.group), m.total)
        for name, m in arch.memories.items()
        if m.addressable and name != arch.dram.memory
    }


def _fetch(device: DeviceMemory, address: int, like: Array) -> Array:
    return device.span(address, like.nbytes).copy().view(like.dtype).reshape(like.shape)


def _place(arguments: Sequence[Argument], baked: Mapping[int, Array], may_alias: bool) -> dict[int, int]:
    """Argument index → byte address: argument i in segment i mod 7, behind what is there already.

    With `may_alias` the same array given twice is one buffer.
    """
    taken = [(address, address + max(value.nbytes, 1)) for address, value in baked.items()]
    placed: dict[int, int] = {}
    seen: dict[int, int] = {}
    for i, value in enumerate(arguments):
        if not isinstance(value, np.ndarray):
            continue
        if may_alias and id(value) in seen:
            placed[i] = seen[id(value)]
            continue
        start = _free(taken, (i % (SEGMENTS - 1)) * SEGMENT_BYTES, max(value.nbytes, 1))
        taken.append((start, start + max(value.nbytes, 1)))
        placed[i] = seen[id(value)] = start
    return placed


def _free(taken: list[tuple[int, int]], segment: int, size: int) -> int:
    """The lowest aligned address in the segment with `size` free bytes. SIM021: there is none."""
    start = segment
    for low, high in sorted(taken):
        if low < start + size and start < high:
            start = -(-high // _ALIGNMENT) * _ALIGNMENT
    if start + size > segment + SEGMENT_BYTES:
        fail(
            "SIM021",
            f"{size} bytes do not fit segment {segment // SEGMENT_BYTES}",
            hint="use smaller buffers",
        )
    return start


def _correction(step: ComputeOnHost, arguments: Sequence[Argument], addresses: dict[int, int]) -> bytes:
    """The content of section `symbols` for these arguments, as the host-compute metadata says."""
    table = np.zeros(-(-step.size // 8), np.int64)
    for symbol in symbol_table(step):
        if symbol.index >= len(table):
            fail("SIM020", f"symbol {symbol.index} is outside the correction buffer of {step.size} bytes")
        table[symbol.index] = _symbol_value(symbol, arguments, addresses)
    return table.tobytes()[: step.size]


def _symbol_value(symbol: Symbol, arguments: Sequence[Argument], addresses: dict[int, int]) -> int:
    i = symbol.argument
    if i >= len(arguments):
        fail(
            "SIM020",
            f"the program uses argument {i}, the launch has {len(arguments)}",
            hint="give all arguments",
        )
    value = arguments[i]
    if symbol.kind == "address":
        return addresses[i] if i in addresses else int(value)
    if i in addresses:
        fail("SIM020", f"argument {i} is a scalar of type {symbol.dtype}, not an array", hint="give a number")
    kind = dtype(symbol.dtype)
    stored = kind.to_storage(kind.round(np.asarray([value])))
    if kind.is_float:
        return int(stored.view(f"u{kind.nbytes}")[0])
    return int(stored[0])
