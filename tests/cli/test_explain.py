"""`explain` and `schedule`: the derivation is shown, written, and arrives at the chosen schedule again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tilesat.schedule import read_program


def test_explain_shows_plain_steps_costs_and_the_chosen_schedule(tilesat, examples) -> None:
    done = tilesat("explain", examples / "rows3.mlir")
    assert done.status == 0 and done.err == ""
    lines = done.out.splitlines()
    assert lines[0] == "rows3 on spyre, strategy default"
    assert "not runnable yet" in done.out
    order = [lines.index(heading) for heading in ("plain schedule", "chosen schedule", "search")]
    assert order == sorted(order)
    assert any(line.startswith("1. ") for line in lines)


def test_explain_as_data(tilesat, examples) -> None:
    told = json.loads(tilesat("explain", examples / "rows3.mlir", "--json").out)
    assert told["plain_cycles"] is None, "the plain schedule works on home memories, which no unit can"
    assert told["steps"][-1]["cycles"] == told["cost"]["cycles"]
    assert {"rule", "path", "before", "after"} <= set(told["steps"][0])


@pytest.mark.parametrize("strategy", ["default", "none"])
def test_written_steps_replay_to_the_chosen_schedule(tilesat, examples, strategy: str) -> None:
    words = (examples / "rows3.mlir", "--strategy", strategy)
    assert tilesat("explain", *words, "--steps", "steps.txt").status == 0
    done = tilesat("schedule", "replay", *words, "steps.txt")
    assert done.status == 0 and "steps arrive at the chosen schedule" in done.out
    chosen = json.loads(tilesat("explain", *words, "--json").out)["chosen"]
    assert done.out.startswith(chosen)


def test_steps_that_lead_elsewhere(tilesat, examples) -> None:
    tilesat("explain", examples / "rows3.mlir", "--steps", "steps.txt")
    lines = Path("steps.txt").read_text().splitlines(keepends=True)
    Path("steps.txt").write_text("".join(lines[:-1]))
    done = tilesat("schedule", "replay", examples / "rows3.mlir", "steps.txt")
    assert done.status == 1 and done.out == "" and "steps.txt: error[EXPL001]" in done.err


@pytest.mark.parametrize(
    "text",
    [
        "(step no/such /)",
        "(step pipeline/stage /2)",
        "(step pipeline/stage /9/9/9)",
        "(stop pipeline/stage /)",
        "(step pipeline/stage x/y)",
        "((((",
    ],
)
def test_steps_that_are_wrong(tilesat, examples, text: str) -> None:
    Path("steps.txt").write_text(f"; steps\n{text}\n")
    done = tilesat("schedule", "replay", examples / "rows3.mlir", "steps.txt")
    assert done.status == 1 and done.out == "" and "steps.txt:2:" in done.err and "error[" in done.err


def test_missing_steps(tilesat, examples) -> None:
    done = tilesat("schedule", "replay", examples / "rows3.mlir", "absent.txt")
    assert done.status == 1 and "absent.txt: error[IO001]" in done.err


def test_schedule_show_prints_programs_that_read_back(tilesat, examples) -> None:
    plain = tilesat("schedule", "show", "--plain", examples / "rows3.mlir").out
    chosen = tilesat("schedule", "show", examples / "rows3.mlir").out
    assert plain != chosen
    assert read_program(plain).views.keys() == read_program(chosen).views.keys()


LIMITED = """strategy: limited
doc: Stops long before it is done.
phases:
  - name: schedule
    rules: [tile, pipeline, route, vector, fit, reuse, parallel]
    rounds: {rounds}
"""


@pytest.mark.parametrize(
    "words",
    [
        ["compile"],
        ["compile", "--emit", "schedule"],
        ["explain"],
        ["run", "--random", 1],
        ["schedule", "show"],
    ],
)
def test_a_limit_that_was_hit_is_said(tilesat, examples, words) -> None:
    Path("limited.yaml").write_text(LIMITED.format(rounds=4))
    command = words[:2] if words[0] == "schedule" else words[:1]
    options = words[len(command) :]
    done = tilesat(*command, examples / "rows3.mlir", "--strategy", "limited.yaml", *options)
    assert done.status == 0, done
    assert (
        "limited.yaml:4:11: warning[STRAT010]: limit hit in phase schedule: stopped after 4 rounds"
        in done.err
    )
    if words[0] == "explain":
        assert "limit hit: phase schedule: stopped after 4 rounds" in done.out
    done = tilesat(*command, examples / "rows3.mlir", *options)
    assert done.status == 0 and "limit hit" not in done.out + done.err


def test_no_schedule_within_the_limits(tilesat, examples) -> None:
    Path("limited.yaml").write_text(LIMITED.format(rounds=1))
    done = tilesat("compile", examples / "rows3.mlir", "--strategy", "limited.yaml")
    assert done.status == 1 and "COST001" in done.err
    assert (
        "the search was cut short: phase schedule: stopped after 1 rounds" in done.err and "raise" in done.err
    )
