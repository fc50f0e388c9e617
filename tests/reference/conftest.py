"""Running kernels of examples/ in the reference interpreter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tilesat.ktir import read_file
from tilesat.options import Options
from tilesat.sim.reference import run

Execute = Callable[..., list[Any]]


@pytest.fixture
def execute(repository: Path) -> Execute:
    """`execute("name", args…, **options)`: the outputs of examples/ops/name.mlir.

    Kernels whose tiles do not talk to each other run a second time, tile by tile, and must agree.
    """

    def call(name: str, *args: Any, **options: Any) -> list[Any]:
        module = read_file(repository / "examples" / "ops" / f"{name}.mlir")
        chosen = Options(**options)
        outputs = run(module, list(args), entry=name, options=chosen).outputs
        if not any(
            op.name.startswith("ktdp.inter_tile") or "distributed" in op.name for op in module.op.walk()
        ):
            alone = run(module, list(args), entry=name, options=chosen, batched=False).outputs
            for a, b in zip(outputs, alone, strict=True):
                np.testing.assert_array_equal(a, b)
        return outputs

    return call
