"""The 4096x4096 add: near the bound, and predicted."""

from __future__ import annotations

import pytest
import tilesat
from kernels import KERNELS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("arch", ["spyre", "sample-device", "half-lx"])
def test_bandwidth_bound(compiled, arch: str) -> None:
    kernel, program = KERNELS["big_add"], compiled("big_add", arch, "default")
    made, how = kernel.launch(seed=4)
    result = tilesat.run(program, **how)
    kernel.check(made, result)
    assert result.cycles <= 1.05 * result.bound_cycles
    assert program.cost.cycles == pytest.approx(result.cycles, rel=0.10)


def test_plain_schedule(compiled) -> None:
    kernel = KERNELS["big_add"]
    made, how = kernel.launch(seed=4)
    kernel.check(made, tilesat.run(compiled("big_add", "spyre", "none"), **how))


def test_half_the_scratchpad_gives_another_schedule(compiled) -> None:
    """A machine with half the room that the chosen schedule takes: another schedule, as right."""
    kernel, roomy = KERNELS["big_add"], compiled("big_add", "spyre", "default")
    half = int(roomy.cost.live_bytes["lx"]) // 2
    overrides = [f"core.lx.size={half} B", "core.lx.reserved=0 B", "core.lx.usable=1"]
    tight = tilesat.compile(kernel.path, set=overrides)
    assert tight.schedule != roomy.schedule
    assert tight.cost.live_bytes["lx"] <= half
    made, how = kernel.launch(seed=4)
    kernel.check(made, tilesat.run(tight, **how))


def test_a_machine_with_half_the_scratchpad_gets_smaller_tiles(compiled) -> None:
    """half-lx differs from spyre in one line. What fits whole there is cut here, and both are right."""
    kernel = KERNELS["sum6"]
    whole, half = (compiled("sum6", arch, "default") for arch in ("spyre", "half-lx"))
    assert half.schedule != whole.schedule
    room = half.arch.memories["lx"].size
    assert half.cost.live_bytes["lx"] <= room < whole.cost.live_bytes["lx"]
    made, how = kernel.launch(seed=5)
    for program in (whole, half):
        kernel.check(made, tilesat.run(program, **how))
