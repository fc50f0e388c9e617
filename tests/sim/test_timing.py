"""Cycles worked out by hand from the architecture's numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from simasm import Kernel
from simkernels import add, stream
from tilesat.arch import Arch, bound_cycles, load_arch
from tilesat.sim import LaunchResult, classes, execute, prepare, tracer

ARCH = load_arch("spyre")
SYNC = ARCH.sync_cycles
LOAD, STORE = ARCH.units["mnilu"], ARCH.units["mnisu"]
FEED, DRAIN = ARCH.units["l1lu"], ARCH.units["l1su"]
DDR = ARCH.memories["ddr"].latency
ELEMENTWISE = ARCH.compute["sfu"].price("elementwise")
DIVIDE = ARCH.compute["sfu"].price("divide")


def launch(kernel: Kernel, count: int, arch: Arch = ARCH) -> LaunchResult:
    x = (np.arange(count) % 97).astype(np.float16)
    y = (np.arange(count) % 31 + 1).astype(np.float16)
    return prepare(kernel.code(), arch).launch([x, y, np.zeros(count, np.float16)])


def test_one_tile_from_ddr_and_back() -> None:
    """Every term of the way of one tile of n vectors, one core alone."""
    n, dram = 4, ARCH.dram
    size = 128 * n
    start = SYNC  # the consumer's `empty` signal
    read = 2 * (LOAD.move_startup + size / dram.read_bytes_per_cycle)
    there = start + read + LOAD.move_latency + DDR + SYNC
    last_pair = there + 2 * n + FEED.move_latency
    stored = last_pair + ELEMENTWISE.latency + 1 + DRAIN.move_latency + SYNC
    written = size / dram.write_bytes_per_cycle + dram.turnaround_cycles_per_byte * size
    end = stored + STORE.move_startup + written + STORE.move_latency
    assert launch(add(ARCH, n), 64 * n).cycles == math.ceil(end)


def test_full_fifo_holds_the_load_unit_back() -> None:
    """A divide takes 4 cycles per vector; the load unit runs 16 entries ahead, then waits for slots."""
    n, depth = 40, FEED.fifo_depth
    assert depth == 16 and DIVIDE.rate == 4
    slow = launch(add(ARCH, n, op="divf"), 64 * n)
    # Pair i is popped at first + 4·i. The last two of 2n pushes follow once pair n - 9 has left.
    first_pair = 2 + FEED.move_latency
    last_push = first_pair + DIVIDE.rate * (n - 1 - depth // 2) + 2
    stalls = slow.profile.units["l1lu"].stalls
    assert stalls["full"] == pytest.approx(last_push - 2 * n)
    fast = launch(add(ARCH, n), 64 * n)
    assert fast.profile.units["l1lu"].stalls["full"] == 0
    # Against the add: n - 1 issues of 4 instead of 2 cycles per pair, and a longer latency.
    more = (n - 1) * (DIVIDE.rate - 2) + DIVIDE.latency - ELEMENTWISE.latency
    assert slow.cycles - fast.cycles == pytest.approx(more, abs=1)


def test_busy_and_idle_add_up_to_the_launch() -> None:
    result = launch(add(ARCH, 8, range(3), tiles=3, depth=2), 8 * 64 * 9)
    for use in result.profile.units.values():
        total = use.busy + sum(use.stalls.values()) + use.idle
        assert total <= result.cycles * use.instances + 1e-6
        assert total >= (result.cycles - 20) * use.instances  # latencies in flight are neither
    assert result.profile.units["sfu"].busy == 8 * 9 and result.profile.units["l1lu"].busy == 2 * 8 * 9


def test_ddr_time_of_all_cores_is_the_formula() -> None:
    cores, n, tiles = 32, 16, 4
    result = launch(add(ARCH, n, range(cores), tiles=tiles, depth=2), 64 * n * tiles * cores)
    moved = cores * tiles * n * 128
    served = result.profile.memories["ddr"] * result.cycles
    assert served == pytest.approx(ARCH.dram_cycles(2 * moved, moved), rel=1e-6)


def test_double_buffering_overlaps_loading_with_storing() -> None:
    """One core alone: with one buffer the bus idles while the core computes and waits for latencies."""
    count = 128 * 64 * 16
    single, double = (launch(add(ARCH, 128, tiles=16, depth=d), count) for d in (1, 2))
    bound = bound_cycles(ARCH, double.work)
    assert double.cycles < 1.15 * bound < single.cycles
    cores = launch(add(ARCH, 128, range(32), tiles=16, depth=2), 32 * count)
    assert cores.cycles < 1.05 * bound_cycles(ARCH, cores.work)


def test_cores_with_unequal_trips() -> None:
    cores, trips = [0, 1, 2, 3, 4], [3, 3, 2, 0, 3]
    result = launch(add(ARCH, 4, cores, tiles=3, trips=trips), 4 * 64 * 15)
    x = (np.arange(4 * 64 * 15) % 97).astype(np.float16)
    y = (np.arange(4 * 64 * 15) % 31 + 1).astype(np.float16)
    expected = np.zeros_like(x)
    for core, n in zip(cores, trips, strict=True):
        part = slice(core * 768, core * 768 + n * 256)
        expected[part] = x[part] + y[part]
    assert (result.outputs[2] == expected).all()
    assert result.work.read_bytes == 2 * 512 * sum(trips)
    assert result.cycles < launch(add(ARCH, 4, cores, tiles=3), 4 * 64 * 15).cycles


@pytest.mark.parametrize("cores", [3, 32])
def test_a_class_stands_for_its_cores(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulating every core by itself gives the same cycles and profile as one with their weight."""
    kernel = add(ARCH, 8, range(cores), tiles=3, depth=2)
    together = launch(kernel, 8 * 64 * 3 * cores)
    monkeypatch.setattr(
        execute, "timing_classes", lambda group, arch: [(c, 1) for c in range(group.components)]
    )
    apart = launch(kernel, 8 * 64 * 3 * cores)
    assert apart.cycles == together.cycles
    for name, use in apart.profile.units.items():
        assert use.busy == pytest.approx(together.profile.units[name].busy)
        assert use.stalls == pytest.approx(together.profile.units[name].stalls, abs=1e-3)


def test_loops_in_one_go_are_loops_trip_by_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = add(ARCH, 8, range(2), tiles=5, depth=2)
    at_once = launch(kernel, 8 * 64 * 10)
    monkeypatch.setattr(tracer, "_GRID_LIMIT", 0)
    one_by_one = launch(kernel, 8 * 64 * 10)
    assert (at_once.outputs[2] == one_by_one.outputs[2]).all()
    assert at_once.cycles == one_by_one.cycles
    assert at_once.profile.units["l1lu"] == one_by_one.profile.units["l1lu"]


def test_scratchpad_addresses_part_classes() -> None:
    kernel = add(ARCH, 4, range(4))
    code = kernel.code()
    from tilesat.sim.groups import build_groups
    from tilesat.sim.program import load_image
    from tilesat.spyrecode.container import unpack

    image = load_image(unpack(code.binary), ARCH)
    traces = [t for p in image.programs for t in tracer.trace_program(p, np.zeros(3, np.int64))]
    (group,) = build_groups(traces, ARCH)
    assert len(group.members) == 5 and group.components == 4
    assert classes.timing_classes(group, ARCH) == [(0, 4)]


def test_a_value_of_an_earlier_iteration_stalls_the_issue() -> None:
    """n dependent adds take n latencies; independent ones are pipelined."""
    n = 30

    def chain(u: object) -> None:
        u.vop(op="addf", dtype="f16", source="f16", count=64, vd=8, va=8, vb=0)  # type: ignore[attr-defined]
        u.vmov(dtype="f16", count=64, vd=12, va=8)  # type: ignore[attr-defined]

    def pipelined(u: object) -> None:
        u.vop(op="addf", dtype="f16", source="f16", count=64, vd=8, va=0, vb=0)  # type: ignore[attr-defined]
        u.vmov(dtype="f16", count=64, vd=12, va=8)  # type: ignore[attr-defined]

    cycles = []
    for body in (chain, pipelined):
        kernel = stream(ARCH, n, body, inputs=[("f16", 64)])
        compute = next(u for u in kernel.programs if u.name == "sfu")
        zero = kernel.constant("f16", [0.0])
        compute.words.insert(0, ("vconst", {"vd": 8, "splat": 64, "constant": zero}))
        x = np.ones((n, 64), np.float16)
        cycles.append(prepare(kernel.code(), ARCH).launch([x, np.zeros_like(x)]).cycles)
    move = ARCH.compute["sfu"].price("move").rate
    per_trip = ELEMENTWISE.latency
    assert cycles[0] - cycles[1] == pytest.approx((n - 1) * (per_trip - ELEMENTWISE.rate - move), abs=2)


def test_transfer_over_the_ring() -> None:
    """Core 0 loads, sends the tile to core 3's scratchpad, core 3 stores it: one component of two cores."""
    k = Kernel(ARCH)
    x, z = k.address(0), k.address(1)
    row = (256, 2, 2)
    load, give = k.unit("mnilu", [0]), k.unit("mnisu", [0], r5=3)
    take = k.unit("mnisu", [3], r5=0)
    load.ldsym(rd=1, symbol=x).li(rd=2, imm=512).xfer(transfer=("ddr", "lx", "f16", row), ra=1, rb=2)
    load.signal(peer="mnisu", wait=1)
    give.await_(peer="mnilu").li(rd=1, imm=512).li(rd=2, imm=1024)
    give.xfer(transfer=("lx", "lx", "f16", row), ra=1, rb=2, destination_instance=5)
    give.signal(peer="mnisu", peer_instance=5, wait=1)
    take.await_(peer="mnisu", peer_instance=5).ldsym(rd=1, symbol=z).li(rd=2, imm=1024)
    take.xfer(transfer=("lx", "ddr", "f16", row), ra=2, rb=1)
    data = np.arange(256, dtype=np.float16)
    result = prepare(k.code(), ARCH).launch([data, np.zeros_like(data)])
    assert (result.outputs[1] == data).all()
    ring, dram = ARCH.ring, ARCH.dram
    assert ring is not None
    read = LOAD.move_startup + 512 / dram.read_bytes_per_cycle + LOAD.move_latency + DDR + SYNC
    hop = STORE.move_startup + 512 / ring.bytes_per_cycle + STORE.move_latency + 3 * ring.latency + SYNC
    write = STORE.move_startup + dram.cycles(512, 512) - 512 / dram.read_bytes_per_cycle + STORE.move_latency
    assert result.cycles == math.ceil(read + hop + write)
    assert result.profile.links["ring"] == 512
