"""The lower bound, against numbers worked out by hand."""

from __future__ import annotations

import pytest
from tilesat.arch import Work, bound_cycles, bound_parts, load_arch
from tilesat.diagnostics import TilesatError


def test_large_add_is_bound_by_dram() -> None:
    """4096x4096 f16 add: 64 MiB in, 32 MiB out at 150 GB/s, turned round for 32 MiB at 0.00574 ns/B."""
    arch = load_arch("spyre")
    n = 4096 * 4096
    work = Work(4 * n, 2 * n, [{("elementwise", "f16"): n // 32}] * 32)
    ns = (4 * n + 2 * n) / 150 + 0.00574 * 2 * n
    assert bound_cycles(arch, work) == pytest.approx(1.5 * ns, rel=1e-9)
    assert bound_parts(arch, work).compute == n / 32 / 64 / 2  # 32 cores, 64 lanes, 2 corelets


def test_busiest_core_and_busiest_unit_decide() -> None:
    arch = load_arch("spyre")
    idle = {("elementwise", "f16"): 64}
    busy = {("transcendental", "f32"): 32_000, ("elementwise", "f32"): 3200, ("matmul", "f16"): 512_000}
    parts = bound_parts(arch, Work(0, 0, [idle, busy, idle]))
    sfu = (32_000 / 32 * 4 + 3200 / 32) / 2
    pt = 512_000 / 512 / 2
    assert parts.compute == max(sfu, pt) == sfu


def test_small_kernel_is_bound_by_latency() -> None:
    """One vector: DMA 16 + 1 + 10 + DRAM 150, LX load 1 + 6, add 6, LX store 1 + 4, DMA 16 + 1 + 10."""
    arch = load_arch("spyre")
    work = Work(256, 128, [{("elementwise", "f16"): 64}])
    assert bound_parts(arch, work).latency == 177 + 7 + 6 + 5 + 27
    assert bound_cycles(arch, work) == 222


def test_write_only_kernel_has_no_way_in() -> None:
    arch = load_arch("spyre")
    assert bound_parts(arch, Work(0, 128, [{("move", "f16"): 64}])).latency == 2 + 5 + 27


def test_nothing_to_do() -> None:
    assert bound_cycles(load_arch("tiny"), Work()) == 0


def test_single_level_machine() -> None:
    """flat: 64 B at 32 B/cycle + 4 + 60 ns in, 4 compute, 2 + 4 out."""
    work = Work(64, 64, [{("elementwise", "f16"): 32}])
    assert bound_parts(load_arch("flat"), work).latency == (2 + 4 + 60) + 4 + (2 + 4)


def test_unknown_class_is_reported() -> None:
    with pytest.raises(TilesatError, match="ARCH023"):
        bound_cycles(load_arch("tiny"), Work(1, 1, [{("fourier", "f16"): 1}]))


@pytest.mark.parametrize("name", ["deep", "flat", "half-lx", "sample-device", "spyre", "tiny"])
def test_more_work_never_lowers_the_bound(name: str) -> None:
    arch = load_arch(name)
    before = 0.0
    for size in (0, 1, 100, 10_000, 1_000_000):
        now = bound_cycles(
            arch, Work(size, size // 2, [{("elementwise", "f16"): size, ("divide", "f32"): size}])
        )
        assert now >= before
        before = now


def test_several_cores_share_what_is_no_whole_vector() -> None:
    """Two cores that store 24 bytes each: neither has to move a vector of 64."""
    work = Work(8, 48, [{("elementwise", "i32"): 2}] * 2)
    assert bound_parts(load_arch("flat"), work).latency == (1 + 4 + 60) + 4 + (1 + 4)
