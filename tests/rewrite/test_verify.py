"""Soundness trials: the shipped rules pass, every guard is needed, and wrong rules are caught."""

from __future__ import annotations

import pytest
from tilesat.rewrite.levels import levels_of
from tilesat.rewrite.rulebook import load_books, read_book
from tilesat.rewrite.trials import FAMILIES, random_trial
from tilesat.rewrite.verify import _Hunt, verify
from tilesat.schedule.interpreter import interpret_all
from tilesat.schedule.legality import check
from tilesat.trial_runner import run_lowered

RULES = [rule for book in load_books().values() for rule in book.rules]


@pytest.mark.parametrize("family", FAMILIES)
def test_trials_are_legal_kernels(family):
    """Else a finding would say nothing about a rule."""
    for seed in range(8):
        trial = random_trial(seed, family)
        check(trial.program)
        levels = levels_of(trial.program, trial.arch)
        interpret_all(trial.program, trial.buffers, trial.args, levels=levels)


def test_trials_depend_on_the_seed_only():
    first, second = random_trial(7), random_trial(7)
    assert first.program == second.program and first.arch is second.arch and first.args == second.args


def test_walks_go_to_all_families_then_also_where_rare_rules_fire():
    hunt = _Hunt(RULES[:1], 20, 200, None, {})
    families = ("plain", "rare", "never")
    hunt.walked.update(plain=30, rare=30)
    hunt.fired.update({(RULES[0].path, "plain"): 1, (RULES[0].path, "rare"): 6})
    assert [hunt.family(families, k) for k in range(6)] == [*families, *families]
    late = [hunt.family(families, k) for k in range(300, 306)]
    assert late[1::2] == ["rare"] * 3 and set(late[::2]) == set(families)
    hunt.outcomes[RULES[0].path, None].looked = 20
    assert {hunt.family(families, k) for k in range(300, 306)} == set(families)


def test_shipped_rules_quick():
    """Every guard is caught by an example or a walk; no finding against a rule in a few walks."""
    report = verify(RULES, RULES, wanted=1, tries=40, walks=32, seed=1)
    wrong = [c for c in report.complaints if "fired in" not in c]
    assert not wrong, "\n\n".join(wrong)
    fired = {o.rule.path for o in report.outcomes if o.guard is None and o.looked}
    assert len(fired) >= len(RULES) - 4


@pytest.mark.slow
def test_shipped_rules_in_full():
    report = verify(RULES, RULES, wanted=5, tries=100, walks=400, seed=1000)
    assert report.passed, "\n\n".join(report.complaints)


@pytest.mark.slow
def test_shipped_rules_on_the_simulator():
    report = verify(RULES, RULES, wanted=3, tries=20, walks=60, seed=5000, runner=run_lowered)
    wrong = [c for c in report.complaints if "fired in" not in c]
    assert not wrong, "\n\n".join(wrong)


BOOK = """
book: wrong
doc: Rules that must be caught.
programs:
  add: |
    (args (x index) (z index))
    (axes (axis i (trips 8)) (axis c (trips 64)))
    (views (view X (base x) (shape 8 64) (strides 64 1) (dtype f16))
           (view Z (base z) (shape 8 64) (strides 64 1) (dtype f16)))
    (accesses (access x0 X (at i c)) (access z1 Z (at i c)))
    (stmts (stmt s (let a f16 (load x0)) (store z1 a)))
rules:
  - name: rule
    doc: A rule that is wrong in one way.
    kind: exact
    match: |
      {match}
    where: |
      {where}
    rewrite: |
      {rewrite}
    tests:
      - given: add
        fires: (exec s (box (i 8) (c 64)) home)
        gives: (exec s (box (i 8) (c 64)) home)
      - given: add
        holds: (exec s (box (i 8) (c 64)) home)
        because: never mind
"""

WRONG = {
    "splits what is carried": (
        "(exec ?s (box (?a ?n) ?rest…) ?m)",
        "(factor ?a ?n ?f)",
        "(loop ?a (/ ?n ?f) (exec ?s (box (?a ?f) ?rest…) ?m))",
        "wrong/rule is wrong",
    ),
    "loses a tail": (
        "(exec ?s (box (?a ?n) ?rest…) ?m)",
        "(> ?n 1)",
        "(loop ?a 2 (exec ?s (box (?a (/ ?n 2)) ?rest…) ?m))",
        "wrong/rule is wrong",
    ),
    "runs twice": (
        "(exec ?s ?b ?m)",
        "(far ?s ?m)",
        "(seq (exec ?s ?b ?m) (exec ?s ?b ?m))",
        "wrong/rule is wrong",
    ),
    "drops a move": (
        "(pipe ?d (ins (move ?x ?f ?t) ?rest…) ?body ?outs)",
        "(addressable ?t)",
        "(pipe ?d (ins ?rest…) ?body ?outs)",
        "wrong/rule is wrong",
    ),
    "deepens queues": (
        "(pipe 1 ?ins ?body ?outs)",
        "(prefetchable ?ins)",
        "(pipe 2 ?ins ?body ?outs)",
        "is wrong",
    ),
    "has a guard it does not need": (
        "(exec ?s ?b ?m)",
        "(far ?s ?m) (stage-moves ?s ?m ?e ?ins ?outs)",
        "(pipe 1 ?ins (exec ?s ?b ?e) ?outs)",
        "from `where:` to `heuristic:`",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rules_are_caught(name):
    match, where, rewrite, complaint = WRONG[name]
    book = read_book(BOOK.format(match=match, where=where, rewrite=rewrite))
    report = verify(book.rules, [*RULES, *book.rules], wanted=100, tries=15, walks=80, steps=2)
    assert any(complaint in c for c in report.complaints), report.complaints


def test_a_needed_guard_may_not_be_called_heuristic():
    book = read_book(
        BOOK.format(
            match="(exec ?s (box (?a ?n) ?rest…) ?m)",
            where="(factor ?a ?n ?f)\n      (splittable ?s ?a)\n    heuristic: |\n"
            "      (order-distance ?s ?m ?a ?safe)\n      (<= ?n ?safe)",
            rewrite="(loop ?a (/ ?n ?f) (exec ?s (box (?a ?f) ?rest…) ?m))",
        )
    )
    report = verify(book.rules, [*RULES, *book.rules], wanted=80, walks=80, steps=1, families=["in-place"])
    assert any("no mere heuristic" in c for c in report.complaints), report.complaints
