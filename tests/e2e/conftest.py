"""Compiled kernels, each made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import tilesat
from kernels import KERNELS


@pytest.fixture(scope="session")
def compiled() -> Callable[..., Any]:
    """`compiled(kernel name, arch, strategy)`: the same object every time."""

    @cache
    def compile_once(name: str, arch: str, strategy: str) -> Any:
        return tilesat.compile(KERNELS[name].path, arch=arch, strategy=strategy)

    return compile_once
