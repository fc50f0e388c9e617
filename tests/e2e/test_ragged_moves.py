"""Rows that whole sticks do not divide: one start-up per move, as the cost model says."""

from __future__ import annotations

import pytest
import tilesat
from kernels import KERNELS


def run(arch: str, *overrides: str) -> tuple[float, float]:
    """(predicted, simulated) cycles of rows of 101 elements."""
    kernel = KERNELS["odd_sub"]
    made, how = kernel.launch(seed=3)
    compiled = tilesat.compile(kernel.path, arch=arch, set=overrides)
    result = tilesat.run(compiled, **how)
    kernel.check(made, result)
    return compiled.cost.cycles, result.cycles


@pytest.mark.parametrize("arch", ["deep", "spyre"])
def test_prediction(arch: str) -> None:
    predicted, simulated = run(arch)
    assert predicted == pytest.approx(simulated, rel=0.05)


def test_a_slower_start_counts_once_per_move() -> None:
    """Two operands in, one result out: 100 cycles more for each."""
    (before, simulated), (after, slower) = run("deep"), run("deep", "core.dma.startup=140 cycles")
    assert (after - before, slower - simulated) == pytest.approx((300, 300))
