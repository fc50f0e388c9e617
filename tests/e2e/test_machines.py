"""Unlike machines: one memory level, three, and a tiny one. The same kernels, where the grid fits."""

from __future__ import annotations

import math

import pytest
import tilesat
from kernels import KERNELS
from tilesat.arch import load_arch, shipped_archs

OTHERS = [name for name in shipped_archs() if name not in ("spyre", "sample-device")]


def cases() -> list[tuple[str, str]]:
    return [(name, arch) for name, kernel in KERNELS.items() if not kernel.slow for arch in OTHERS]


@pytest.mark.parametrize(("name", "arch"), cases(), ids=lambda value: value)
@pytest.mark.parametrize("strategy", ["default", "none"])
def test_results(compiled, name: str, arch: str, strategy: str) -> None:
    kernel = KERNELS[name]
    tiles = math.prod(tilesat.compile(kernel.path).program.grid)
    if tiles > load_arch(arch).limits.grid_cores:
        with pytest.raises(tilesat.TilesatError, match=f"asks for {tiles} compute tiles"):
            compiled(name, arch, strategy)
        return
    made, how = kernel.launch(seed=21)
    result = tilesat.run(compiled(name, arch, strategy), **how)
    kernel.check(made, result)
    assert result.bound_cycles <= result.cycles
