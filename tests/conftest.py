"""Fixtures that every room's tests may use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

# The same examples every time, and no verdict on how busy the machine is.
hypothesis.settings.register_profile("tilesat", deadline=None, derandomize=True)
hypothesis.settings.load_profile("tilesat")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files instead of comparing"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)` compares text with the file golden/NAME beside the test module."""
    update = request.config.getoption("--update-golden")
    folder = Path(request.path).parent / "golden"

    def check(name: str, text: str) -> None:
        path = folder / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"{path} is missing: run pytest --update-golden, then look at it"
        assert text == path.read_text(encoding="utf-8"), f"differs from {path} (--update-golden rewrites it)"

    return check


@pytest.fixture
def repository() -> Path:
    """The root of the source tree."""
    return Path(__file__).parent.parent
