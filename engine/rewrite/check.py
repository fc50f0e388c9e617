"""`rules check` and `rules test`: what can be said about rules without running kernels.

Check: every rule compiles (schema, variables, kinds, guards), names roles instead of memories, and has a
test that shows it fire and, for every guard, one that only this guard refuses. Test: the examples in the
YAML do what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ..arch import load_arch
from ..diagnostics import Diagnostic, Position, TilesatError
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Term, show
from ..schedule.text import read_program
from .apply import apply_rule, canonical
from .language import FIELDS, Kind
from .pattern import compile_rule
from .probe import Probe, Spot, Variant
from .rulebook import Book, Limits, Rule, RuleTest, rule_tests

__all__ = ["TestReport", "check_book", "check_rule", "refused_by", "run_test", "run_tests"]

LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class TestReport:
    """Outcome of one test; `message` says what went wrong when not `passed`."""

    __test__ = False  # not a pytest class

    rule: str
    number: int
    position: Position
    passed: bool
    message: str = ""


def check_book(book: Book) -> list[Diagnostic]:
    """Faults and warnings of every rule of a book, in the order of the file."""
    return [d for rule in book.rules for d in check_rule(rule)]


def check_rule(rule: Rule) -> list[Diagnostic]:
    """Faults and warnings of one rule."""
    try:
        compile_rule(rule)
        tests = rule_tests(rule)
    except TilesatError as error:
        return list(error.diagnostics)
    return [*_named_memories(rule), *_untested(rule, tests)]


def _named_memories(rule: Rule) -> Iterator[Diagnostic]:
    for side in (rule.match, rule.rewrite):
        for t in side.term.walk():
            for (_, kind), a in zip(FIELDS.get(t.head, ()), t.args, strict=False):
                named = kind in (Kind.MEMORY, Kind.GROUP) and isinstance(a, str)
                if named and not str(a).startswith("?") and a != "home":
                    message = f"rule {rule.path} names {kind.value} `{a}`: it holds on machines that have one"
                    yield Diagnostic("RULE010", message, side.at(), "bind it by a fact", "warning")


def _untested(rule: Rule, tests: tuple[RuleTest, ...]) -> Iterator[Diagnostic]:
    if not any(t.gives for t in tests):
        yield Diagnostic("RULE011", f"rule {rule.path} has no test in which it fires", rule.position)
    generators = compile_rule(rule).generators
    holding = [t for t in tests if not t.gives]
    if not holding:
        yield Diagnostic("RULE011", f"rule {rule.path} has no test in which it holds", rule.position)
    refused = {k for test in holding for k in refused_by(rule, test)}
    for k, clause in enumerate(rule.guards):
        if k not in generators and k not in refused:
            message = f"no test of {rule.path} is refused by {show(clause.term)} alone"
            yield Diagnostic("RULE011", message, clause.at(), "add a `holds` test that fires without it")


def test_program(test: RuleTest) -> Program:
    """The program whose body is the test's term."""
    return replace(read_program(f"(program test {test.program})", test.position), body=test.term)


@lru_cache(maxsize=64)
def _probe(rule: Rule) -> Probe:
    """A probe for the rule and its variants without one guard each."""
    generators = compile_rule(rule).generators
    without = [None, *(k for k in range(len(rule.guards)) if k not in generators)]
    return Probe([Variant(rule, k) for k in without])


def _spots(rule: Rule, test: RuleTest) -> list[Spot]:
    arch = load_arch(test.arch, test.overrides)
    return _probe(rule).spots(test_program(test), arch, LIMITS)


def refused_by(rule: Rule, test: RuleTest) -> set[int]:
    """Guards that alone keep the rule from firing on the test's term."""
    fired = {s.variant.without for s in _spots(rule, test)}
    return set() if None in fired else {k for k in fired if k is not None}


def run_tests(rules: Iterable[Rule]) -> list[TestReport]:
    """All tests of the rules, in order."""
    return [run_test(rule, k, test) for rule in rules for k, test in enumerate(rule_tests(rule))]


def run_test(rule: Rule, number: int, test: RuleTest) -> TestReport:
    """One test: with `gives`, some application must give exactly that term; otherwise none may exist."""
    spots = [s for s in _spots(rule, test) if s.variant.without is None]
    message = ""
    axes = tuple(test_program(test).axes)
    plain = canonical(test.term, axes)
    results = [apply_rule(rule, plain, s.step, axes) for s in spots]
    if test.gives is None and results:
        message = f"{rule.path} fires, giving {show(results[0])}, although {test.because.strip()}"
    elif test.gives is not None and canonical(test.gives, axes) not in results:
        message = _expected(rule, test.gives, results)
    return TestReport(rule.path, number, test.position, not message, message)


def _expected(rule: Rule, gives: Term, results: list[Expr]) -> str:
    if not results:
        return f"{rule.path} does not fire"
    found = "; ".join(show(r) for r in results)
    return f"{rule.path} gives {found}, not {show(gives)}"
