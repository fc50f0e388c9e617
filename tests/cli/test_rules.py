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


def test_a_new_rulebook_is_verified(tilesat) -> None:
    """Its only guard is a heuristic; as a guard of `where:` it would be said to be needless."""
    path = written(tilesat)
    words = ("--trials", 1, "--no-simulate", "--walks")
    done = tilesat("rules", "verify", path, *words, 12)
    assert done.status == 0 and "heuristic" in done.out, done
    text = path.read_text()
    path.write_text(text.replace("heuristic: |", "where: |", 1) if "    heuristic: |" in text else "")
    done = tilesat("rules", "verify", path, *words, 4)
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if "(> ?k 1)" in text)
    assert done.status == 1 and f"mine.yaml:{line}:7: mine/merge-loops without (> ?k 1)" in done.err
    assert "was right in all" in done.err or "was not tried" in done.err


def test_a_guard_that_no_trial_needed_is_not_called_right(tilesat) -> None:
    path = written(
        tilesat, "    heuristic: |\n      (> ?k 1)", "    where: |\n      (> ?k 1)\n      (!= ?k 77)"
    )
    done = tilesat("rules", "verify", path, "--trials", 1, "--walks", 10, "--no-simulate")
    assert done.status == 1 and "untried        0 mine/merge-loops without (!= ?k 77)" in done.out
    assert "without (!= ?k 77) was not tried" in done.err and "in all 0" not in done.err


def test_verify_says_how_far_it_is(tilesat, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("rules", "verify", written(tilesat), "--trials", 1, "--walks", 2, "--no-simulate")
    assert "walk 1" not in tilesat(*words).err  # not a terminal
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert "walk 1 of at most 2" in tilesat(*words).err


def test_the_schema_of_a_new_rulebook(tilesat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found from the file when it is inside the project's folder, not mentioned otherwise."""
    from tilesat.cli import rule_template

    assert "$schema" not in written(tilesat).read_text()
    schema = tmp_path / "project" / "ktir_specs" / "schemas" / "rulebook.schema.json"
    schema.parent.mkdir(parents=True)
    schema.touch()
    monkeypatch.setattr(rule_template, "package_file", lambda *_: schema)
    target = tmp_path / "project" / "rules" / "mine" / "b.yaml"
    first = rule_template.new_rulebook("b", "r", target).splitlines()[0]
    named = first.partition("$schema=")[2]
    assert (target.parent / named).resolve() == schema.resolve()


def test_faults_in_tests_of_a_rule(tilesat) -> None:
    """Whatever the command, with the place in the YAML and never as an internal error."""
    path = written(tilesat, "(load x0)", "(load x9)")
    for command in (["check"], ["test"], ["verify", "--no-simulate"], ["try", "--once"]):
        done = tilesat("rules", *command, path)
        assert done.status == 1 and "mine.yaml:" in done.err and "x9" in done.err, command


def test_a_rule_without_a_holds_test_is_a_short_message(tilesat) -> None:
    path = written(tilesat)
    text = path.read_text()
    path.write_text(text[: text.rindex("      - given:")])
    done = tilesat("rules", "check", path)
    message = next(line for line in done.err.splitlines() if "SCHEMA001" in line)
    assert done.status == 1 and "rules/0/tests" in message and "1 of at least 2" in message
    assert len(message) < 120 and "only this guard refuses" in done.err


OWN = """strategy: own
doc: A shipped strategy and a book of mine.
phases:
  - name: schedule
    rules: [tile, pipeline, route, vector, fit, reuse, parallel, mine.yaml]
"""


def test_an_own_book_in_an_own_strategy(tilesat, examples) -> None:
    path = written(tilesat)
    Path("own.yaml").write_text(OWN)
    kernel, own = examples / "rows3.mlir", ("--strategy", "own.yaml")
    assert tilesat("compile", kernel, *own, "--emit", "schedule").status == 0
    done = tilesat("rules", "coverage", kernel, *own)
    assert done.status == 0 and "mine/merge-loops" in done.out
    for name in ("mine/merge-loops", f"{path}/merge-loops"):
        done = tilesat("rules", "why-not", name, kernel, *own)
        assert done.status == 0 and "mine/merge-loops" in done.out
    done = tilesat("rules", "why-not", "mine/merge-loops", kernel)
    assert done.status == 1 and "FILE" not in done.out and "mine.yaml" in done.err
    assert tilesat("rules", "check", "mine.yaml/merge-loops").out.startswith("1 rules")
    assert tilesat("rules", "check", "mine.yaml/absent").status == 1


def test_what_a_new_rulebook_says_can_be_done_as_it_says(tilesat, examples) -> None:
    told = tilesat("rules", "new", "mine/merge-loops").out
    lines = [line[2:] for line in told.splitlines() if line.startswith("  ") and "tilesat" not in line]
    Path("my-strategy.yaml").write_text("\n".join(lines) + "\n")
    words = told.splitlines()[-1].rstrip(".").split()
    assert words[-2:] == ["--strategy", "my-strategy.yaml"]
    done = tilesat("compile", examples / "rows3.mlir", *words[-2:], "--emit", "schedule")
    assert done.status == 0, done


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


def test_why_not_says_what_it_looked_at(tilesat, examples) -> None:
    done = tilesat("rules", "why-not", f"{written(tilesat)}/merge-loops", examples / "rows3.mlir")
    assert done.status == 0 and "On the way are the plain schedule and what each of the" in done.out
    assert "    (loop ?a ?n (loop ?a ?k ?body))" in done.out


def test_why_not_takes_one_rule(tilesat, examples) -> None:
    assert tilesat("rules", "why-not", "tile", examples / "rows3.mlir").status == 1
