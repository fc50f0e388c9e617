"""A SpyreCode directory: `spyrecode.json`, the program file, `debug/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..diagnostics import Position, fail
from ..writing import write_directory
from .assemble import BINARY, SpyreCode
from .container import Binary, unpack
from .plan import SEGMENT_BASE, ComputeOnDevice, read_plan

__all__ = ["files", "programs", "read", "write"]

PLAN, LINES = "spyrecode.json", "debug/lines.json"


def files(code: SpyreCode) -> dict[str, str | bytes]:
    """What a directory holds: relative name → content."""
    return {
        PLAN: json.dumps(code.plan, indent=1) + "\n",
        BINARY: code.binary,
        LINES: json.dumps(code.debug, separators=(",", ":")) + "\n",
    }


def write(code: SpyreCode, directory: str | Path) -> None:
    """Write a directory as a whole or not at all. IO002, IO003: see `write_directory`."""
    write_directory(directory, files(code))


def read(directory: str | Path) -> SpyreCode:
    """Read and check a directory. IO001: a file is missing; SPY020/021/030: not what the loader accepts."""
    folder = Path(directory)
    plan_text = _bytes(folder / PLAN)
    plan = read_plan(plan_text, str(folder / PLAN))
    names = {t.file for t in plan.preparation}
    if len(names) != 1 or Path(*names).name not in names:
        fail(
            "SPY030",
            f"{folder / PLAN}: one program file in the directory itself is expected",
            Position(str(folder)),
        )
    file = folder / names.pop()
    binary = _bytes(file)
    sizes = {t.size for t in plan.preparation}
    if sizes != {len(binary)}:
        fail("SPY021", f"{file} has {len(binary)} bytes, the plan says {sizes.pop()}", Position(str(file)))
    lines: Any = {}
    if (folder / LINES).exists():
        try:
            lines = json.loads(_bytes(folder / LINES))
        except ValueError:
            lines = {}  # positions are a help for people; nothing depends on them
    steps = [s for s in plan.execution if isinstance(s, ComputeOnDevice)]
    for step in steps:
        unpack(memoryview(binary)[step.job_bin_ptr - SEGMENT_BASE :], Position(str(file)))
    return SpyreCode(steps[0].name.split("#")[0], binary, json.loads(plan_text), lines)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        hint = "a SpyreCode directory holds spyrecode.json and its program file"
        fail("IO001", f"cannot read {path}: {error.strerror or error}", Position(str(path)), hint)


def programs(code: SpyreCode) -> list[Binary]:
    """The programs of the file, in the order in which the plan runs them. SPY020, SPY021: damaged."""
    plan = read_plan(code.plan)
    offsets = [s.job_bin_ptr - SEGMENT_BASE for s in plan.execution if isinstance(s, ComputeOnDevice)]
    return [unpack(memoryview(code.binary)[offset:]) for offset in offsets]
