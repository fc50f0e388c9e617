"""Faults of rulebooks and strategies, each at its line and column."""

from __future__ import annotations

import pytest
from tilesat.diagnostics import TilesatError
from tilesat.rewrite.check import check_rule, run_tests
from tilesat.rewrite.pattern import compile_rule
from tilesat.rewrite.rulebook import load_book, load_strategy, read_book

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


NEGATE = """book: b
doc: A book.
programs:
  p: |
    (args (x index))
    (axes (axis i (trips 8)))
    (views (view X (base x) (shape 8) (strides 1) (dtype f16)))
    (accesses (access x0 X (at i)))
    (stmts (stmt s (let a f16 (load x0)) (store x0 a)))
rules:
  - name: r
    doc: Does something to a loop.
    kind: exact
    match: (loop ?a 1 ?body)
    rewrite: (loop ?a 1 ?body)
    tests:
      - given: p
        fires: |
          (loop i 1 (exec s (box (i 1)) home))
        gives: (loop i 1 (exec s (box (i 1)) home))
      - given: p
        holds: |
          (loop i 8 (exec s (box (i 1)) home))
        because: eight trips
"""


@pytest.mark.parametrize(
    ("old", "new", "code", "position", "word"),
    [
        ("given: p\n        holds", "given: shft\n        holds", "RULE001", "b.yaml:21:16", "shft"),
        ("(load x0)", "(load x9)", "SIR020", "b.yaml:9:12", "x9"),
        ("access x0 X", "access x0 Q", "SIR020", "b.yaml:8:15", "Q"),
        ("(at i)", "(at i i)", "SIR020", "b.yaml:8:15", "2 coordinates"),
        ("(trips 8)", "(trips n)", "SIR020", "b.yaml:5:5", "`n`"),
        ("(shape 8)", "(shop 8)", "SIR001", "b.yaml:7:29", "shop"),
        ("(loop i 1 (exec s", "(loop i 1 (exec t", "SIR021", "b.yaml:19:27", "statement t"),
        ("(loop i 8", "(loop q 8", "SIR021", "b.yaml:23:17", "axis q"),
        ("(loop i 8 (exec", "(loop i 8 (exc", "SIR021", "b.yaml:23:21", "exc"),
        (
            "gives: (loop i 1 (exec s (box (i 1)) home))",
            "gives: (exec s (box (i 1)))",
            "SIR021",
            "b.yaml:20:16",
            "exec",
        ),
        ("because: eight", "arch: moon\n        because: eight", "ARCH001", "b.yaml:23:11", "moon"),
    ],
)
def test_faults_in_a_test_point_at_their_place(old, new, code, position, word):
    (rule,) = read_book(NEGATE, "b.yaml").rules
    assert not [d for d in check_rule(rule) if d.code != "RULE011"]
    assert old in NEGATE
    (rule,) = read_book(NEGATE.replace(old, new, 1), "b.yaml").rules
    d = check_rule(rule)[0]
    assert (d.code, str(d.position)) == (code, position) and word in d.message
    with pytest.raises(TilesatError) as caught:
        run_tests([rule])
    assert d in caught.value.diagnostics


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("book: b\ndoc: d\nrules: 7\n", "3:8"),
        ("book: b\ndoc: d\nrules: [3]\n", "3:9"),
        ("book: b\nrules: []\n", "2:8"),
        ("- 3\n", "1:1"),
        (GOOD.replace("    match: |\n      (loop ?a ?n\n        ?body)\n", "    match: 3\n"), "9:12"),
    ],
)
@pytest.mark.parametrize("validate", [True, False])
def test_shipped_books_are_not_validated_but_never_crash(tmp_path, text, position, validate):
    path = tmp_path / "b.yaml"
    path.write_text(text)
    with pytest.raises(TilesatError) as caught:
        load_book(path, validate)
    d = caught.value.diagnostics[0]
    assert (d.code, str(d.position)) == ("SCHEMA001", f"{path}:{position}")


def own_strategy(tmp_path, rules, phases=""):
    """A strategy file beside `mine.yaml` and `sub/more.yaml`."""
    (tmp_path / "sub").mkdir(exist_ok=True)
    mine = NEGATE.replace("book: b", "book: mine")
    second = mine[mine.index("  - name: r") :].replace("name: r", "name: second")
    (tmp_path / "mine.yaml").write_text(mine + second)
    (tmp_path / "sub" / "more.yaml").write_text(NEGATE.replace("book: b", "book: more"))
    (tmp_path / "sub" / "tile.yaml").write_text(NEGATE.replace("book: b", "book: tile"))
    path = tmp_path / "s.yaml"
    path.write_text(f"strategy: s\ndoc: d\nphases:\n  - {{name: p, rules: [{rules}]}}\n{phases}")
    return path


@pytest.mark.parametrize(
    ("rules", "chosen"),
    [
        ("mine.yaml", ["mine/r", "mine/second"]),
        ("mine.yaml, ./sub/more.yaml", ["mine/r", "mine/second", "more/r"]),
        ("mine.yaml, -mine/second", ["mine/r"]),
        ("mine.yaml, -mine.yaml/r", ["mine/second"]),
        ("route, mine.yaml/second", ["route/expand", "mine/second"]),
    ],
)
def test_own_books_in_an_own_strategy(tmp_path, monkeypatch, rules, chosen):
    path = own_strategy(tmp_path, rules)
    assert list(load_strategy(path).rules) == chosen
    monkeypatch.chdir(tmp_path / "sub")  # paths are relative to the strategy's file
    assert list(load_strategy("../s.yaml").rules) == chosen


def test_a_rule_of_an_own_book_that_another_phase_names(tmp_path):
    path = own_strategy(tmp_path, "mine/r, route", "  - {name: q, rules: [mine.yaml]}\n")
    assert [r.path for r in load_strategy(path).phases[0].rules] == ["mine/r", "route/expand"]


@pytest.mark.parametrize(
    ("rules", "code", "word"),
    [
        ("absent.yaml", "STRAT002", "absent.yaml"),
        ("mine.yaml/third", "STRAT002", "mine.yaml/third"),
        ("tile, sub/tile.yaml", "STRAT003", "book `tile`"),
        ("mine.yaml, mine/third", "STRAT002", "mine/third"),
    ],
)
def test_faults_of_own_books_in_a_strategy(tmp_path, rules, code, word):
    path = own_strategy(tmp_path, rules)
    with pytest.raises(TilesatError) as caught:
        load_strategy(path)
    d = caught.value.diagnostics[0]
    assert d.code == code and word in d.message and str(d.position).startswith(f"{path}:4:")
