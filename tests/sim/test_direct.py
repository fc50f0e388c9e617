"""A compute unit that reads and writes memory itself (machine: flat), and aliases between its iterations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from simasm import Kernel
from tilesat.arch import load_arch
from tilesat.sim import LaunchResult, prepare

ARCH = load_arch("flat")
VPU, DRAM = ARCH.compute["vpu"], ARCH.dram
LANES = 32


def running(vectors: int, cores: list[int], shift: int = 1) -> Kernel:
    """z[i + shift] = z[i] + x[i], vector by vector, every core on its own part."""
    k = Kernel(ARCH)
    z, x = k.address(0), k.address(1)
    size = LANES * 2
    u = k.unit("vpu", cores, r9=[c * (vectors + shift) * size for c in cores])
    u.ldsym(rd=1, symbol=z).ldsym(rd=2, symbol=x)
    u.emit("int", op="add", rd=1, ra=1, rb=9).emit("int", op="add", rd=2, ra=2, rb=9).addi(3, 1, shift * size)
    with u.repeat(vectors):
        u.vld(dtype="f16", count=LANES, memory="dram", ra=1, vd=0)
        u.vld(dtype="f16", count=LANES, memory="dram", ra=2, vd=1)
        u.vop(op="addf", dtype="f16", source="f16", count=LANES, vd=2, va=0, vb=1)
        u.vst(dtype="f16", count=LANES, memory="dram", ra=3, va=2)
        u.addi(1, 1, size).addi(2, 2, size).addi(3, 3, size)
    return k


def launch(vectors: int, cores: list[int], shift: int) -> tuple[LaunchResult, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    count = (vectors + shift) * LANES * (max(cores) + 1)
    z = np.arange(count).astype(np.float16) % 7
    x = np.ones(count, np.float16)
    return prepare(running(vectors, cores, shift).code(), ARCH).launch([z, x]), z, x


@pytest.mark.parametrize("shift", [0, 1, 3])
@pytest.mark.parametrize("cores", [[0], [0, 1, 2, 5]])
def test_iterations_see_what_earlier_ones_stored(cores: list[int], shift: int) -> None:
    vectors = 6
    result, z, x = launch(vectors, cores, shift)
    expected = z.reshape(-1, vectors + shift, LANES).copy()
    ones = x.reshape(expected.shape)
    for core in cores:
        for i in range(vectors):
            expected[core, i + shift] = expected[core, i] + ones[core, i]
    assert (result.outputs[0] == expected.ravel()).all()


def test_cycles_of_one_core() -> None:
    """Per vector two reads, one issue and a write: one data path, one after the other."""
    vectors, size = 10, LANES * 2
    result, _, _ = launch(vectors, [0], 0)
    own = math.ceil(size / VPU.bytes_per_cycle)
    read = max(own, size / DRAM.read_bytes_per_cycle)
    write = max(own, size / DRAM.write_bytes_per_cycle + DRAM.turnaround_cycles_per_byte * size)
    issue = VPU.price("elementwise").rate
    way = ARCH.memories["dram"].latency + VPU.move_latency + VPU.price("elementwise").latency
    # The store of a vector is behind its loads by their latency; the pipeline does not wait for it.
    end = vectors * (2 * read + issue + write) + way + VPU.move_latency
    assert result.cycles == pytest.approx(end, abs=2)


def test_cores_share_the_port() -> None:
    one, _, _ = launch(20, [0], 0)
    eight, _, _ = launch(20, list(range(8)), 0)
    moved = 8 * 20 * LANES * 2
    assert eight.cycles > DRAM.cycles(2 * moved, moved) > one.cycles
    assert eight.profile.units["vpu"].stalls["memory"] > 0


def test_strided_and_splat_access() -> None:
    """Lane i at a stride of 3 elements; one element replicated to all lanes."""
    k = Kernel(ARCH)
    z, x = k.address(0), k.address(1)
    u = k.unit("vpu")
    u.ldsym(rd=1, symbol=x).ldsym(rd=2, symbol=z).li(rd=3, imm=6).addi(4, 1, 10)
    u.vld(dtype="f16", count=16, memory="dram", ra=1, stride=3, vd=0)
    u.vld(dtype="f16", count=16, memory="dram", ra=4, splat=1, vd=1)
    u.vop(op="mulf", dtype="f16", source="f16", count=16, vd=2, va=0, vb=1)
    u.vst(dtype="f16", count=16, memory="dram", ra=2, stride=3, va=2)
    x_values, z_values = np.arange(48).astype(np.float16), np.zeros(48, np.float16)
    result = prepare(k.code(), ARCH).launch([z_values, x_values])
    expected = np.zeros(48, np.float16)
    expected[::3] = x_values[::3] * x_values[5]
    assert (result.outputs[0] == expected).all()
    assert (result.work.read_bytes, result.work.write_bytes) == (34, 32)
