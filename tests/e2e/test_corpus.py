"""The kernels that cover every op: those that are elementwise compile, run, and agree with the reference.

Uses the script that does the same for other projects' kernels (benchmarks/upstream_elementwise.py).
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from kernels import EXAMPLES

FILES = sorted(path for folder in ("ops", "nn") for path in (EXAMPLES / folder).glob("*.mlir"))


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "upstream_elementwise", EXAMPLES.parent / "benchmarks" / "upstream_elementwise.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_elementwise_kernels_match_the_reference(script: ModuleType, path: Path, tmp_path: Path) -> None:
    for number, (_, text) in enumerate(script.modules([path])):
        copy = tmp_path / f"{number}.mlir"
        copy.write_text(text, encoding="utf-8")
        verdict, detail = script.attempt(copy, "spyre", "default", False, "")
        if verdict == "REFUSED" and "LIFT001: not supported yet" in detail.replace("]", ""):
            pytest.skip(detail)
        assert verdict in ("ok", "not elementwise") or (verdict, detail) == ("not KTIR", ""), detail


def test_the_script_tells_good_from_bad(script: ModuleType, tmp_path: Path) -> None:
    good = (EXAMPLES / "rows3.mlir").read_text(encoding="utf-8")
    (tmp_path / "k.mlir").write_text(good)
    assert script.attempt(tmp_path / "k.mlir", "spyre", "none", False, "")[0] == "ok"
    (tmp_path / "k.mlir").write_text(good.replace("tensor.empty", "tensor.full"))
    assert script.attempt(tmp_path / "k.mlir", "spyre", "none", False, "")[0] == "not KTIR"
    (tmp_path / "k.mlir").write_text(good)
    assert script.attempt(tmp_path / "k.mlir", "spyre", "none", False, "false")[0] == "UPSTREAM"
