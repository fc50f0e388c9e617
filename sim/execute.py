"""Running a decoded program once: addresses, timing with hazards, shared memory, values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch
from ..diagnostics import fail
from .classes import timing_classes
from .component import Component
from .groups import Group, Member, build_groups
from .memory import AddressFault, DeviceMemory, Scratchpads
from .program import Image
from .timing import Engine, Timing
from .trace import Block, Op, Transfer
from .tracer import trace_program
from .traffic import Operations, Touched, check_shared, operations
from .values import Memories, run_values

__all__ = ["Outcome", "execute"]

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One program's run: its timing, the bytes it touched and the operations of each core."""

    timing: Timing
    touched: Touched
    operations: Operations
    words: int  # of section `code`


def execute(
    image: Image,
    symbols: NDArray[np.int64],
    device: DeviceMemory,
    scratchpads: dict[str, Scratchpads],
    *,
    mode: str,
    kept: bool = False,
) -> Outcome:
    """Run every unit of every core; changes `device` and `scratchpads`.

    `kept`: scratchpad contents from before the launch may be read. Faults: SIM010 … SIM017, SIM030 … SIM035.
    """
    arch = image.arch
    memories: Memories = {arch.dram.memory: device, **scratchpads}
    traces = [trace for program in image.programs for trace in trace_program(program, symbols)]
    groups = build_groups(traces, arch)
    for group in groups:
        _check_addresses(group, memories)
    components = _components(arch, groups, kept)
    timing = Engine(arch, components).run()
    touched = check_shared(groups, components, arch)
    for group in groups:
        run_values(group, memories, mode)
    return Outcome(timing, touched, operations(groups, arch), len(image.binary["code"]))


def _components(arch: Arch, groups: Sequence[Group], kept: bool) -> list[Component]:
    components: list[Component] = []
    for group in groups:
        for first, weight in timing_classes(group, arch):
            components.append(Component(arch, group, first, weight, len(components), kept))
    return components


def _check_addresses(group: Group, memories: Memories) -> None:
    """SIM010: an access outside memory. SIM017: an address that is not a multiple of the element size."""
    for member in group.members:
        for op, memory, addresses, size, element in _accesses(member, group.components):
            misfit = addresses % element != 0
            if misfit.any():
                at = np.unravel_index(int(np.argmax(misfit)), misfit.shape)
                where = _where(member, op, int(at[-1]) if misfit.shape[-1] > 1 else 0)
                message = (
                    f"{where}: address {int(addresses[at]):#x} of {memory} is not a multiple of {element}"
                )
                fail("SIM017", message, member.trace.program.where(op.index))
            try:
                memories[memory].check(addresses, size)
            except AddressFault as fault:
                lane = fault.lane if addresses.shape[-1] > 1 else 0
                text = f"{_where(member, op, lane)}: {fault}"
                fail(
                    "SIM010",
                    text,
                    member.trace.program.where(op.index),
                    "is a buffer too small, or an index off?",
                )


def _where(member: Member, op: Op, component: int) -> str:
    return member.trace.program.at(op.index, int(member.instances[component]))


def _accesses(member: Member, components: int) -> Iterator[tuple[Op, str, Array, int, int]]:
    """Word, memory, addresses (…, components or 1), bytes of a run, element size; extremes stand for all."""
    for item in member.items:
        if isinstance(item, Block):
            for step in item.steps:
                if step.op.memory is not None:
                    runs, size = step.runs
                    assert step.address is not None
                    grid = step.address
                    if runs > 1:
                        grid = np.concatenate((grid, grid + (runs - 1) * step.stride))
                    yield step.op, step.op.memory, grid, size, step.element_bytes
        elif isinstance(item, Transfer):
            for memory, base, offsets, size in (
                (item.source, item.source_address, item.source_offsets, item.run),
                (item.destination, item.destination_address, item.destination_offsets, item.run),
                (item.destination, item.destination_address, item.cleared, item.element),
            ):
                if offsets.size:
                    ends = np.array([[offsets.min()], [offsets.max()]])
                    yield item.op, memory, ends + base, size, item.element
