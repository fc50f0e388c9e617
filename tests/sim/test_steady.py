"""Fast-forward gives what simulating every trip gives, and it does skip."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simasm import Kernel
from simkernels import add, stream
from tilesat.arch import Arch, load_arch
from tilesat.sim import LaunchResult, pipeline, prepare, steady


def run(kernel: Kernel, arch: Arch, count: int, buffers: int, observe: int) -> LaunchResult:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "OBSERVE", observe)
        arrays = [np.ones(count, np.float16) for _ in range(buffers)]
        return prepare(kernel.code(), arch).launch(arrays)


def same(kernel: Kernel, arch: Arch, count: int, buffers: int = 3) -> None:
    skipped, stepped = (run(kernel, arch, count, buffers, n) for n in (8, 10**9))
    assert skipped.cycles == stepped.cycles
    assert skipped.profile.links == stepped.profile.links
    for name, use in stepped.profile.units.items():
        other = skipped.profile.units[name]
        assert other.busy == use.busy and other.instances == use.instances
        assert other.stalls == pytest.approx(use.stalls, abs=1e-3)


overrides = st.fixed_dictionaries(
    {
        "corelet.l1lu.fifo_depth": st.sampled_from(["2", "5", "16"]),
        "corelet.l1su.rate": st.sampled_from(["128 B/cycle", "48 B/cycle"]),
        "corelet.l1lu.latency": st.sampled_from(["0 cycles", "6 cycles", "31 cycles"]),
    }
)


@settings(max_examples=25, deadline=None)
@given(
    overrides,
    st.sampled_from(["addf", "divf", "powf"]),
    st.integers(30, 120),
    st.integers(1, 3),
    st.integers(1, 2),
)
def test_any_balance_of_rates(
    settings_: dict[str, str], op: str, vectors: int, tiles: int, depth: int
) -> None:
    arch = load_arch("spyre", [f"{k}={v}" for k, v in settings_.items()])
    same(add(arch, vectors, [0, 3], tiles=tiles, depth=depth, op=op), arch, vectors * 64 * tiles * 4)


def test_accumulator_chain() -> None:
    arch = load_arch("spyre")
    kernel = stream(
        arch,
        100,
        lambda u: u.vop(op="addf", dtype="f16", source="f16", count=64, vd=12, va=12, vb=0),
        inputs=[("f16", 64)],
    )
    compute = next(u for u in kernel.programs if u.name == "sfu")
    zero = kernel.constant("f16", [0.0])
    compute.words.insert(0, ("vconst", {"vd": 12, "splat": 64, "constant": zero}))
    same(kernel, arch, 6400, 2)


def test_it_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    skips: list[int] = []
    advance = steady.SteadyState._advance

    def spy(self: steady.SteadyState, unit: pipeline.Pipeline, before: steady._Look) -> None:
        start = unit.trip
        advance(self, unit, before)
        skips.append(unit.trip - start)

    monkeypatch.setattr(steady.SteadyState, "_advance", spy)
    arch = load_arch("spyre")
    run(add(arch, 250), arch, 250 * 64, 3, 8)
    assert sum(skips) > 180
