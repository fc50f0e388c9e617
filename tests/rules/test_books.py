"""The shipped rulebooks: schema, checks, and every example in their YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilesat.diagnostics import render
from tilesat.rewrite.check import check_rule, run_test
from tilesat.rewrite.rulebook import (
    Rule,
    load_book,
    load_books,
    load_strategy,
    rule_tests,
    shipped_strategies,
)
from tilesat.rewrite.vocabulary import FACTS, PREDICATES
from tilesat.specs import load_document, package_file

RULES = [rule for book in load_books().values() for rule in book.rules]
TESTS = [(rule, k) for rule in RULES for k in range(len(rule_tests(rule)))]


@pytest.mark.parametrize("path", sorted(package_file("rules", "").glob("*.yaml")), ids=lambda p: p.stem)
def test_book_fits_its_schema(path):
    load_book(path, validate=True)


@pytest.mark.parametrize("name", shipped_strategies())
def test_strategy_fits_its_schema(name):
    load_document(package_file("rules", f"strategies/{name}.yaml"), "strategy")
    assert load_strategy(name).name == name


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.path)
def test_rule_is_sound_in_form_and_every_guard_has_a_test(rule: Rule):
    found = check_rule(rule)
    assert not found, "\n".join(render(d) for d in found)


@pytest.mark.parametrize(("rule", "number"), TESTS, ids=[f"{r.path}#{k}" for r, k in TESTS])
def test_example(rule: Rule, number: int):
    report = run_test(rule, number, rule_tests(rule)[number])
    assert report.passed, f"{report.position}: {report.message}"


def test_every_rule_is_used_by_the_default_strategy():
    assert {r.path for r in RULES} == set(load_strategy("default").rules)


def test_the_documentation_lists_the_whole_vocabulary():
    text = Path(__file__).parents[2].joinpath("docs", "rules.md").read_text(encoding="utf-8")
    for entry in (*FACTS.values(), *PREDICATES.values()):
        form = f"`({entry.name} {' '.join(role for role, _ in entry.args)})`"
        assert f"| {form} |" in text and entry.doc in text, f"docs/rules.md does not describe {form}"
