"""Running command lines in this process."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tilesat.cli.main import run


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


Tilesat = Callable[..., Ran]


@pytest.fixture
def tilesat(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """`tilesat("compile", path)` in an empty folder. No traceback may ever be printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TILESAT_DEBUG", raising=False)

    def invoke(*words: object) -> Ran:
        status = run([os.fspath(w) if isinstance(w, Path) else str(w) for w in words])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Ran(status, out, err)

    return invoke


@pytest.fixture
def examples(repository: Path) -> Path:
    return repository / "examples"
