"""Running kernels of examples/ in the reference interpreter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tilesat.ktir import read_file
from tilesat.options import Options
from tilesat.sim.reference import run

Execute = Callable[..., list[Any]]


@pytest.fixture
def execute(repository: Path) -> Execute:
    """`execute("name", args…, **options)`: the outputs of examples/ops/name.mlir."""

    def call(name: str, *args: Any, **options: Any) -> list[Any]:
        module = read_file(repository / "examples" / "ops" / f"{name}.mlir")
        return run(module, list(args), entry=name, options=Options(**options)).outputs

    return call
