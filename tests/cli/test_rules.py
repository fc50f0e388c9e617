"""`tilesat rules`: what the commands say about good, wrong and unknown rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilesat.schedule import Program, show


def written(tilesat, old: str = "", new: str = "") -> Path:
    """A rulebook from `rules new`, with a text replaced."""
    assert tilesat("rules", "new", "mine/merge-loops", "-o", "mine.yaml").status == 0
    path = Path("mine.yaml")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path


def test_a_new_rulebook_passes_its_own_checks(tilesat) -> None:
    path = written(tilesat)
    assert tilesat("rules", "check", path).out == "1 rules: 0 errors, 0 warnings\n"
    assert tilesat("rules", "test", path).out == "2 tests: 0 failed\n"
    assert tilesat("rules", "try", path, "--once").status == 0


def test_new_never_overwrites(tilesat) -> None:
    path = written(tilesat)
    before = path.read_text()
    done = tilesat("rules", "new", "mine/other", "-o", path)
    assert done.status == 1 and "IO003" in done.err and path.read_text() == before
    assert tilesat("rules", "new", "noslash").status == 2


def test_an_unbound_variable_has_its_place_in_the_yaml(tilesat) -> None:
    path = written(tilesat, "(loop ?a (* ?n ?k) ?body)", "(loop ?a (* ?n ?k) ?bodi)")
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if "?bodi" in text)
    for command in ("check", "try"):
        words = ("rules", command, path, *(["--once"] if command == "try" else []))
        done = tilesat(*words)
        assert done.status == 1 and f"mine.yaml:{line}:" in done.err and "?bodi" in done.err


def test_a_wrong_rule_fails_its_test_and_its_trials(tilesat) -> None:
    path = written(tilesat, "(loop ?a (* ?n ?k) ?body)", "(loop ?a (+ ?n ?k) ?body)")
    done = tilesat("rules", "test", path)
    assert done.status == 1 and "mine/merge-loops gives" in done.err
    done = tilesat("rules", "verify", path, "--trials", 3, "--walks", 30, "--no-simulate")
    assert done.status == 1 and "mine/merge-loops is wrong" in done.err


def test_verify_runs_rewritten_terms_on_the_simulator(tilesat, monkeypatch: pytest.MonkeyPatch) -> None:
    """A right rule passes, and a machine on which only the rewritten term goes wrong would be noticed."""
    words = ("rules", "verify", "pipeline/stage", "--trials", 2, "--walks", 60)
    done = tilesat(*words)
    assert done.status == 0 and "ok             2 pipeline/stage\n" in done.out, done

    def burning(trial: object, program: Program) -> str | None:
        return "on the machine: it burns" if "(pipe" in show(program.body) else None

    monkeypatch.setattr("tilesat.trial_runner.run_lowered", burning)
    done = tilesat(*words)
    assert done.status == 1 and "pipeline/stage is wrong: on the machine: it burns" in done.err


@pytest.mark.parametrize("command", ["check", "test", "list", "verify"])
def test_unknown_rules(tilesat, command: str) -> None:
    done = tilesat("rules", command, "tyle")
    assert done.status == 1 and "RULE040" in done.err and "tile" in done.err
    done = tilesat("rules", command, "tile/spilt")
    assert done.status == 1 and "tile/split" in done.err


def test_missing_rulebook(tilesat) -> None:
    for words in (("check", "absent.yaml"), ("test", "absent.yaml"), ("try", "absent.yaml", "--once")):
        done = tilesat("rules", *words)
        assert done.status == 1 and "absent.yaml" in done.err and "IO001" in done.err


def test_list_names_every_rule_of_a_book(tilesat) -> None:
    lines = tilesat("rules", "list", "tile").out.splitlines()
    assert len(lines) > 2 and all(line.startswith("tile/") for line in lines)


def test_coverage_counts_matches_uses_and_gains(tilesat, examples) -> None:
    done = tilesat("rules", "coverage", examples / "rows3.mlir", examples / "vector_add.mlir")
    rows = {line.split()[0]: line.split()[1:] for line in done.out.splitlines()[1:]}
    kernels, matched, chosen, _ = rows["pipeline/stage"]
    assert (kernels, int(matched) > 1, int(chosen) >= 2) == ("2", True, True)
    assert rows["tile/strip-mine"][:3] == ["0", "0", "0"]


def test_why_not_names_the_refusing_guard(tilesat, examples) -> None:
    """One row only: nothing is left over when the rows are dealt to two corelets."""
    done = tilesat("rules", "why-not", "reuse/coarsen", examples / "rows3.mlir")
    assert done.status == 0 and "reuse/coarsen" in done.out
    done = tilesat("rules", "why-not", "parallel/deal", examples / "rows3.mlir")
    assert done.status == 0 and "refuses" in done.out and "rules/parallel.yaml:" in done.out


def test_why_not_takes_one_rule(tilesat, examples) -> None:
    assert tilesat("rules", "why-not", "tile", examples / "rows3.mlir").status == 1
