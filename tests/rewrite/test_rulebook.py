"""Faults of rulebooks and strategies, each at its line and column."""

from __future__ import annotations

import pytest
from tilesat.diagnostics import TilesatError
from tilesat.rewrite.check import check_rule
from tilesat.rewrite.pattern import compile_rule
from tilesat.rewrite.rulebook import load_strategy, read_book

GOOD = """book: b
doc: A book.
programs:
  p: (args (x index))
rules:
  - name: r
    doc: Does something to a loop.
    kind: exact
    match: |
      (loop ?a ?n
        ?body)
    where: |
      (> ?n 1)
    rewrite: |
      (loop ?a ?n ?body)
    tests:
      - {given: p, fires: (skip), gives: (skip)}
      - {given: p, holds: (skip), because: x}
"""

LOOP = "(loop ?a ?n\n        ?body)"


def fault(text: str) -> tuple[str, str, str]:
    with pytest.raises(TilesatError) as caught:
        for rule in read_book(text, "b.yaml").rules:
            compile_rule(rule)
    d = caught.value.diagnostics[0]
    return d.code, str(d.position), d.message


def test_a_good_book_compiles():
    (rule,) = read_book(GOOD).rules
    compiled = compile_rule(rule)
    assert [name for name, _ in compiled.variables] == ["a", "n", "body"]


@pytest.mark.parametrize(
    ("old", "new", "code", "position", "word"),
    [
        ("kind: exact", "kind: maybe", "SCHEMA001", "b.yaml:8:11", "maybe"),
        ("(loop ?a ?n ?body)", "(loop ?a ?n ?boddy)", "RULE005", "b.yaml:15:19", "?boddy"),
        ("(> ?n 1)", "(bigger ?n 1)", "RULE006", "b.yaml:13:8", "bigger"),
        ("(> ?n 1)", "(splittable ?n ?a)", "RULE004", "b.yaml:13:19", "?n"),
        ("(> ?n 1)", "(> ?n 1", "SEXPR001", "b.yaml:13:7", "never closed"),
        ("(> ?n 1)", "(addressable ?m ?n)", "RULE007", "b.yaml:13:7", "1 arguments"),
        ("(> ?n 1)", "(> ?q 1)", "RULE005", "b.yaml:13:10", "?q"),
        (LOOP, "(lop ?a ?n\n        ?body)", "RULE003", "b.yaml:10:8", "lop"),
        (
            "(loop ?a ?n\n        ?body)",
            "(loop ?a ?n\n        (exec ?s ?b))",
            "RULE007",
            "b.yaml:11:9",
            "exec",
        ),
        (LOOP, "(loop ?a ?n\n        ?body…)", "RULE003", "b.yaml:11:9", "box"),
        ("(loop ?a ?n ?body)", "(loop ?a (** ?n 2) ?body)", "RULE003", "b.yaml:15:16", "number"),
        ("(loop ?a ?n ?body)", "(loop ?a ?n ?body) (skip)", "RULE001", "b.yaml:15:26", "one term"),
        ("(> ?n 1)", "(let ?n 3)", "RULE003", "b.yaml:13:12", "new variable"),
    ],
)
def test_faults_point_at_their_place(old, new, code, position, word):
    assert old in GOOD
    found = fault(GOOD.replace(old, new))
    assert found[:2] == (code, position)
    assert word in found[2]


def test_two_rules_of_one_name():
    text = GOOD + GOOD[GOOD.index("  - name: r") :]
    assert fault(text)[0] == "RULE002"


def test_a_guard_without_a_test_is_reported():
    text = GOOD.replace("(args (x index))", "(axes (axis i (trips 3)))").replace("(skip)", "(loop i 3 skip)")
    (rule,) = read_book(text, "b.yaml").rules
    (d,) = [d for d in check_rule(rule) if "refused" in d.message]
    assert (d.code, str(d.position)) == ("RULE011", "b.yaml:13:7")


def test_naming_a_memory_is_a_warning():
    text = GOOD.replace("(loop ?a ?n\n        ?body)", "(loop ?a ?n (exec ?s ?b lx))")
    text = text.replace("(loop ?a ?n ?body)", "(loop ?a ?n (exec ?s ?b lx))")
    (rule,) = read_book(text, "b.yaml").rules
    assert {d.code for d in check_rule(rule) if d.severity == "warning"} == {"RULE010"}


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("strategy: s\ndoc: d\nphases:\n  - {name: p, rules: [tle]}\n", "STRAT002", "4:23"),
        ("strategy: s\ndoc: d\nphases:\n  - {name: p, rules: [tile/spilt]}\n", "STRAT002", "4:23"),
        ("strategy: s\ndoc: d\nphases:\n  - {name: p, rules: []}\n", "SCHEMA001", "4:22"),
    ],
)
def test_bad_strategies(tmp_path, text, code, position):
    path = tmp_path / "s.yaml"
    path.write_text(text)
    with pytest.raises(TilesatError) as caught:
        load_strategy(path)
    d = caught.value.diagnostics[0]
    assert (d.code, str(d.position)) == (code, f"{path}:{position}")


def test_unknown_strategy():
    with pytest.raises(TilesatError) as caught:
        load_strategy("defualt")
    assert caught.value.diagnostics[0].code == "STRAT001"


def test_rules_can_be_taken_out_of_a_strategy():
    assert "reuse/coarsen" not in load_strategy("fast").rules
    assert "reuse/hoist-invariant-move" in load_strategy("fast").rules
