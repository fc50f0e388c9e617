"""The machine of docs/arch.md: complete, the same as its file, and kernels run on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import tilesat
from kernels import EXAMPLES, KERNELS
from tilesat.arch.report import check

MINE = EXAMPLES / "mine.yaml"
PAGE = Path(__file__).parents[2] / "docs" / "arch.md"


def test_the_page_shows_the_file_and_it_is_complete() -> None:
    shown = re.search(r"^```yaml\n(arch: mine\n.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert shown and shown[1] == MINE.read_text("utf-8")
    assert check(MINE) == []


@pytest.mark.parametrize("strategy", ["default", "none"])
@pytest.mark.parametrize("name", ["add_96x64_2tiles", "chain", "broadcast_row", "load_again"])
def test_kernels_run_on_it(name: str, strategy: str) -> None:
    kernel = KERNELS[name]
    made, how = kernel.launch(seed=5)
    kernel.check(made, tilesat.run(tilesat.compile(kernel.path, arch=MINE, strategy=strategy), **how))
