"""Sparse device memory and scratchpads: runs of any size and alignment."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tilesat.diagnostics import TilesatError
from tilesat.sim.memory import SEGMENT_BYTES, AddressFault, DeviceMemory, Scratchpads

BASE = 3 * SEGMENT_BYTES + 256


@given(st.lists(st.integers(0, 40), min_size=1, max_size=9), st.sampled_from([1, 2, 3, 4, 6, 16, 64, 128]))
def test_read_and_write_runs(positions: list[int], size: int) -> None:
    """`positions` in units of the run size or of 2 bytes: both the word path and the byte path."""
    for unit in (size, 2, 1):
        content = np.random.default_rng(0).integers(0, 256, 41 * 128 + 128, np.uint8)
        memory = DeviceMemory.of({BASE: content, 5 * SEGMENT_BYTES: content[::-1].copy()})
        addresses = BASE + np.array(positions, np.int64) * unit
        expected = np.stack([content[p * unit : p * unit + size] for p in positions])
        assert (memory.read(addresses, size) == expected).all()
        data = np.random.default_rng(1).integers(0, 256, (len(positions), size), np.uint8)
        memory.write(addresses, data)
        oracle = content.copy()
        for p, row in zip(positions, data, strict=True):
            oracle[p * unit : p * unit + size] = row
        assert (memory.span(BASE, len(content)) == oracle).all()
        assert (memory.span(5 * SEGMENT_BYTES, len(content)) == content[::-1]).all()


def test_one_access_over_several_ranges() -> None:
    memory = DeviceMemory.of(
        {0: np.arange(64, dtype=np.uint8), SEGMENT_BYTES: np.arange(64, 128, dtype=np.uint8)}
    )
    found = memory.read(np.array([[0, SEGMENT_BYTES + 8]]), 4)
    assert found.tolist() == [[[0, 1, 2, 3], [72, 73, 74, 75]]]


@pytest.mark.parametrize("address", [BASE - 1, BASE + 125, BASE + 10**6, 0, 7 * SEGMENT_BYTES])
def test_outside_what_is_allocated(address: int) -> None:
    memory = DeviceMemory.of({BASE: 128})
    with pytest.raises(AddressFault) as fault:
        memory.read(np.array([BASE, address]), 4)
    assert fault.value.address == address and hex(BASE) in str(fault.value)


@pytest.mark.parametrize("ranges", [{0: 128, 64: 128}, {-128: 128}, {8 * SEGMENT_BYTES - 64: 128}])
def test_impossible_placements(ranges: dict[int, int]) -> None:
    with pytest.raises(TilesatError, match="SIM021"):
        DeviceMemory.of(ranges)


def test_scratchpads_are_separate() -> None:
    pads = Scratchpads("lx", 3, 256)
    addresses = np.array([[0, 0, 0], [128, 128, 128]])
    data = np.arange(6, dtype=np.uint8).reshape(2, 3, 1).repeat(128, axis=2)
    pads.write(addresses, np.arange(3), data)
    assert (pads.read(addresses, np.arange(3), 128) == data).all()
    with pytest.raises(AddressFault, match="outside its"):
        pads.read(np.array([200]), np.array([1]), 128)
