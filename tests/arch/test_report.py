"""show, draw, diff."""

from __future__ import annotations

import pytest
from tilesat.arch import load_arch, shipped_archs
from tilesat.arch.report import diff, draw, show


@pytest.mark.parametrize("name", shipped_archs())
def test_show_names_everything_and_its_origin(name: str) -> None:
    arch = load_arch(name)
    text = show(arch)
    for thing in (*arch.groups, *arch.units, *(m for m in arch.memories), *arch.figures):
        assert thing in text
    figures = text[text.index("figures (") :].splitlines()[1:]
    assert len(figures) == len(arch.figures)
    assert all("source: " in line or "assumed: " in line for line in figures)


@pytest.mark.parametrize("name", shipped_archs())
def test_drawing_is_balanced_and_has_every_move(name: str) -> None:
    arch = load_arch(name)
    lines = draw(arch).splitlines()
    assert lines[0] == "flowchart TB"
    opened = sum(line.strip().startswith("subgraph") for line in lines)
    assert opened == sum(line.strip() == "end" for line in lines) == len(arch.groups)
    for hop in arch.edges:
        assert any(
            line.strip().startswith(f'{hop.src_memory} -->|"{hop.unit}:')
            and line.endswith(f" {hop.dst_memory}")
            for line in lines
        )


def test_show_says_when_an_override_was_used() -> None:
    assert "1MiB  [assumed: --set core.lx.size=1MiB]" in show(load_arch("spyre", ["core.lx.size=1MiB"]))


def test_diff() -> None:
    spyre = load_arch("spyre")
    assert diff(spyre, spyre) == []
    assert diff(spyre, load_arch("spyre", ["core.lx.size=2048KiB"])) == []  # the same in bytes
    other = load_arch(
        "spyre", ["corelet.sfu.ops.divide.rate=8", "corelet.sfu.lanes.f16=32", "core.lx.read=1B/cycle"]
    )
    assert [str(row) for row in diff(spyre, other)] == [
        "corelet.sfu.lanes.f16: 64 → 32",
        "corelet.sfu.ops.divide.rate: 4 → 8",
        "core.lx.read: (absent) → 1B/cycle",
    ]
    rows = {row.path: row for row in diff(spyre, load_arch("sample-device"))}
    assert rows["ring.rate"].second is None
    assert rows["corelet.l1lu.moves"].second == "lx to sfu"


def test_the_diff_command_applies_overrides_to_both() -> None:
    from click.testing import CliRunner
    from tilesat.cli.arch import arch_command

    def out(*overrides: str) -> str:
        words = [word for override in overrides for word in ("--set", override)]
        return CliRunner().invoke(arch_command, ["diff", "spyre", "half-lx", *words]).output

    assert out("core.count=4") == out() == "core.lx.size: 2 MiB → 1 MiB\n"
    assert out("core.lx.size=3MiB") == ""


def test_a_clock_change_shows_only_as_the_clock_and_what_it_scales() -> None:
    rows = [row.path for row in diff(load_arch("tiny"), load_arch("tiny", ["clock=50MHz"]))]
    assert rows == ["clock"]
