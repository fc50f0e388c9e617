"""The commands do what they say: what they print, write, and return."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from kernels import KERNELS


@pytest.fixture
def launch(tmp_path: Path) -> list[object]:
    """Words that give rows3 its three arguments."""
    made, _ = KERNELS["rows3"].launch(seed=1)
    words: list[object] = []
    for name, array in zip("xyz", made, strict=True):
        np.save(tmp_path / f"{name}.npy", array)
        words += ["--arg", f"{name}={name}.npy"]
    return words


@pytest.mark.parametrize("command", ["run", "reference"])
def test_results_are_saved(tilesat, examples, launch, command: str) -> None:
    done = tilesat(command, examples / "rows3.mlir", *launch, "--out", "z=out.npy")
    assert done.status == 0 and done.err == ""
    made, _ = KERNELS["rows3"].launch(seed=1)
    np.testing.assert_array_equal(np.load("out.npy"), made[0] + made[1])
    np.testing.assert_array_equal(np.load("z.npy"), made[2])


def test_run_as_data(tilesat, examples, launch) -> None:
    done = tilesat("run", examples / "rows3.mlir", *launch, "--json", "--check")
    told = json.loads(done.out)
    keys = {"cycles", "time_us", "bound_cycles", "units", "links", "compile_ms", "launch_ms", "sim_ms"}
    assert keys <= set(told) and told["matches"] is True
    assert told["cycles"] >= told["bound_cycles"] > 0
    assert told["links"]["ddr→lx"] == 2 * 3 * 64 * 2 and told["links"]["lx→ddr"] == 3 * 64 * 2
    assert all(0 <= unit["busy"] <= 1 for unit in told["units"].values())


def test_profile_names_units_waits_and_lines(tilesat, examples, launch) -> None:
    done = tilesat("run", examples / "rows3.mlir", *launch, "--profile")
    assert done.status == 0
    for unit in ("mnilu", "l1lu", "sfu", "l1su", "mnisu"):
        assert f"\n{unit} " in done.out
    assert "ddr→lx 768 B" in done.out and "rows3.mlir:" in done.out and "ktdp.load" in done.out


def test_check_says_how_well_it_matches(tilesat, examples, launch) -> None:
    done = tilesat("run", examples / "rows3.mlir", *launch, "--check")
    assert done.status == 0 and "results match the reference (bit for bit)" in done.out


def test_compile_writes_a_directory_that_runs(tilesat, examples, launch) -> None:
    done = tilesat("compile", examples / "rows3.mlir", "--keep-stages")
    assert done.status == 0 and done.out.startswith("rows3.spyrecode: ")
    files = {str(p.relative_to("rows3.spyrecode")) for p in Path("rows3.spyrecode").rglob("*") if p.is_file()}
    assert {"spyrecode.json", "init_binary.bin", "debug/dataflow.mlir", "debug/schedule.sir"} <= files
    done = tilesat("run", "rows3.spyrecode", *launch, "--out", "2=out.npy")
    assert done.status == 0
    made, _ = KERNELS["rows3"].launch(seed=1)
    np.testing.assert_array_equal(np.load("out.npy"), made[0] + made[1])
    listing = tilesat("disasm", "rows3.spyrecode")
    assert listing.status == 0 and "program sfu" in listing.out and "addf" in listing.out


def test_check_needs_ktir(tilesat, examples, launch) -> None:
    tilesat("compile", examples / "rows3.mlir")
    done = tilesat("run", "rows3.spyrecode", *launch, "--check")
    assert done.status == 1 and "COMP002" in done.err


@pytest.mark.parametrize(
    ("stage", "begins"),
    [("ktir", "#"), ("schedule", "(program rows3"), ("egg", "("), ("dataflow", "#")],
)
def test_text_stages_go_to_stdout_or_a_directory(tilesat, examples, stage: str, begins: str) -> None:
    shown = tilesat("compile", examples / "rows3.mlir", "--emit", stage)
    assert shown.status == 0 and shown.out.startswith(begins)
    written = tilesat("compile", examples / "rows3.mlir", "--emit", stage, "-o", "out")
    assert written.status == 0
    files = [Path(line) for line in written.out.split()]
    assert files and all(f.is_file() and f.parent == Path("out") for f in files)
    if stage != "dataflow":
        assert files[0].read_text() == shown.out


def test_dataflow_from_a_file(tilesat, examples, launch) -> None:
    Path("df.mlir").write_text(tilesat("compile", examples / "rows3.mlir", "--emit", "dataflow").out)
    made, _ = KERNELS["rows3"].launch(seed=1)
    done = tilesat("run", "df.mlir", *launch, "--out", "2=out.npy")
    assert done.status == 0, done.err
    np.testing.assert_array_equal(np.load("out.npy"), made[0] + made[1])


def test_another_machine(tilesat, examples) -> None:
    """Half the scratchpad: another schedule, as valid."""
    words = ("compile", examples / "big_add.mlir", "--emit", "schedule")
    whole, half = tilesat(*words).out, tilesat(*words, "--set", "core.lx.size=128KiB").out
    assert whole != half and half.startswith("(program big_add")


def test_dump_egg(tilesat, examples) -> None:
    done = tilesat("compile", examples / "rows3.mlir", "--dump-egg", "k.egg")
    assert done.status == 0 and "(rule" in Path("k.egg").read_text()


def test_arch_commands(tilesat) -> None:
    assert tilesat("arch", "check", "spyre").out == "spyre: ok\n"
    assert tilesat("arch", "show", "spyre", "--set", "core.lx.size=1MiB").out.startswith("spyre at")
    assert tilesat("arch", "draw", "spyre").out.startswith("flowchart")
    assert "core.lx.size: 2 MiB → 1 MiB" in tilesat("arch", "diff", "spyre", "half-lx").out


def test_arch_warnings(tilesat) -> None:
    done = tilesat("arch", "check", "spyre", "--set", "corelet.sfu.registers=256B")
    assert done.status == 0 and "warning[ARCH032]" in done.err and "1 warning(s)" in done.out


def test_check(tilesat, examples) -> None:
    assert tilesat("check", examples / "rows3.mlir").out.endswith("rows3.mlir: ok\n")
    done = tilesat("check", examples / "ragged.mlir")
    assert done.status == 0 and "warning[" in done.err and "warning(s)" in done.out


def test_help_lists_every_command(tilesat) -> None:
    done = tilesat("--help")
    assert done.status == 0
    for command in ("compile", "run", "reference", "explain", "schedule", "rules", "arch", "disasm", "check"):
        assert f"\n  {command} " in done.out
