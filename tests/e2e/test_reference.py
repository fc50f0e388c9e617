"""The reference interpreter against NumPy on every example kernel."""

from __future__ import annotations

import pytest
import tilesat
from kernels import EXAMPLES, KERNELS


@pytest.mark.parametrize("name", KERNELS)
def test_reference(name: str) -> None:
    kernel = KERNELS[name]
    made, how = kernel.launch(seed=7)
    kernel.check(made, tilesat.reference(kernel.path, **how))


def test_every_example_has_an_oracle() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.mlir")} == set(KERNELS)
