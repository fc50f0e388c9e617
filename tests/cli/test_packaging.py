"""What is installed is what is in the tree."""

from __future__ import annotations

import tomllib
from pathlib import Path


def test_every_package_is_declared(repository: Path) -> None:
    setuptools = tomllib.loads((repository / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {folder: name for name, folder in setuptools["package-dir"].items()}
    found = {
        ".".join([folders[top], *init.parent.relative_to(repository / top).parts])
        for top in folders
        for init in (repository / top).rglob("__init__.py")
    }
    assert found == set(setuptools["packages"])


def test_the_readme_that_pyproject_names_exists(repository: Path) -> None:
    assert (repository / "README.md").read_text(encoding="utf-8").startswith("# tilesat")
