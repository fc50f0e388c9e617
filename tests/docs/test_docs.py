"""Every `$ command` in the documentation runs, and prints what the page says.

Fenced `console` and `sh` blocks of README.md and docs/*.md are run, page by page, in a folder that has a
copy of examples/. The lines below a `$ ` line are its output: `…` stands for anything, within a line or as
whole lines. `<!-- not run -->` on the line before a fence skips it. `pytest --update-golden` writes the
present output.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@dataclass
class Command:
    line: int  # of the first line, from 0
    text: str
    output: list[str] = field(default_factory=list)
    end: int = 0  # line after the output


def commands(text: str) -> Iterator[Command]:
    lines = text.splitlines()
    inside, current = False, None
    for n, line in enumerate(lines):
        if line.startswith("```"):
            if current:
                current.end = n
                yield current
            current = None
            skipped = n > 0 and lines[n - 1].strip() == "<!-- not run -->"
            inside = not inside and line[3:].strip() in ("console", "sh") and not skipped
        elif inside and line.startswith("$ "):
            if current:
                current.end = n
                yield current
            current = Command(n, line[2:])
        elif inside and current is not None:
            if current.text.endswith("\\") and not current.output:
                current.text += "\n" + line
            else:
                current.output.append(line)


def fits(pattern: list[str], actual: list[str]) -> bool:
    """`…` alone on a line: any lines; within a line: any text."""
    parts = [
        r"(?:.*\n)*?" if line.strip() == "…" else ".*?".join(map(re.escape, line.rstrip().split("…"))) + "\n"
        for line in pattern
    ]
    return re.fullmatch("".join(parts), "".join(line.rstrip() + "\n" for line in actual)) is not None


def is_fault_of_tilesat(output: list[str]) -> bool:
    """Whether this must not be written down as what a command prints."""
    return any("internal error" in line or line == "(exit status 3)" for line in output)


def run(command: str, folder: Path) -> list[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "110"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    output = done.stdout.splitlines()
    return output + ([f"(exit status {done.returncode})"] if done.returncode else [])


@pytest.mark.parametrize("page", [p for p in PAGES if p.exists()], ids=lambda p: p.name)
def test_commands(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = page.read_text(encoding="utf-8")
    found = list(commands(text))
    if not found:
        pytest.skip("no commands")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    wrong, lines, shift = [], text.splitlines(), 0
    for command in found:
        actual = run(command.text, tmp_path)
        assert not is_fault_of_tilesat(actual), "\n".join([command.text, *actual])
        if fits(command.output, actual):
            continue
        wrong.append(f"{page.name}:{command.line + 1}: $ {command.text}\n" + "\n".join(actual))
        start = command.end - len(command.output) + shift
        lines[start : command.end + shift] = [line.rstrip() for line in actual]
        shift += len(actual) - len(command.output)
    if wrong and request.config.getoption("--update-golden"):
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        assert not wrong, "\n\n".join(wrong)


def test_python_in_the_readme(tmp_path: Path) -> None:
    """Its Python blocks run, one after the other, as one program."""
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_the_readme_writes_is_ignored(tmp_path: Path) -> None:
    """Its commands, run in a clone, leave nothing for `git status` to show."""
    text = (ROOT / "README.md").read_text("utf-8")
    written = re.findall(r"(?:>|--steps) (\S+\.\w+)", "\n".join(c.text for c in commands(text)))
    assert written
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    shutil.copy(ROOT / ".gitignore", tmp_path)
    for name in [*written, "add_96x64.spyrecode/"]:
        found = subprocess.run(["git", "check-ignore", "-q", name], cwd=tmp_path, check=False)
        assert found.returncode == 0, name


def test_there_are_commands_in_the_readme() -> None:
    assert any(c.text.startswith("tilesat ") for c in commands((ROOT / "README.md").read_text("utf-8")))


def test_faults_of_tilesat_are_never_written_down() -> None:
    assert is_fault_of_tilesat(["tilesat: internal error: KeyError: 'x'", "(exit status 3)"])
    assert is_fault_of_tilesat(["silent", "(exit status 3)"])
    assert not is_fault_of_tilesat(["k.mlir:1:1: error[KTIR001]: …", "(exit status 1)"])


def test_output_patterns() -> None:
    assert fits(["a … c", "…", "z"], ["a b c", "1", "2", "z"])
    assert fits(["…"], []) and fits([], [])
    assert not fits(["a"], ["a", "b"]) and not fits(["a … c"], ["a b d"])


def test_continued_commands_and_skipped_blocks() -> None:
    page = "```sh\n$ one \\\n  two\nout\n$ three\n```\n"
    page += "<!-- not run -->\n```sh\n$ no\n```\n```python\n$ no\n```\n"
    assert [(c.text, c.output) for c in commands(page)] == [("one \\\n  two", ["out"]), ("three", [])]
