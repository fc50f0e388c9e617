"""`rules check` and `rules test`: what can be said about rules without running kernels.

Check: every rule compiles (schema, variables, kinds, guards), names roles instead of memories, and has a
test that shows it fire and, for every guard, one that only this guard refuses. Test: the examples in the
YAML do what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache

from ..arch import load_arch
from ..diagnostics import Diagnostic, Position, TilesatError
from ..schedule.legality import faults
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Term, show
from ..schedule.text import read_program
from .apply import apply_rule, canonical
from .language import FIELDS, Kind
from .pattern import compile_rule
from .probe import Probe, Spot, Variant
from .rulebook import Book, Limits, Rule, RuleTest, rule_tests

__all__ = ["TestReport", "check_book", "check_rule", "check_test", "refused_by", "run_test", "run_tests"]

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
        malformed = [d for test in tests for d in check_test(test)]
    except TilesatError as error:
        return list(error.diagnostics)
    untested = [] if malformed else _untested(rule, tests)  # tests that cannot run say nothing
    return [*dict.fromkeys(malformed), *_named_memories(rule), *untested]


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
    where = test.program.position
    above = replace(where, line=max(where.line - 1, 1))  # so that the text's own lines keep their places
    return replace(read_program(f"(program test\n{test.program.text})", above), body=test.term)


def check_test(test: RuleTest) -> list[Diagnostic]:
    """What is not well formed in a test's program and terms (SIR020, SIR021), and a machine that is not
    there."""
    with _placed(test.position):
        load_arch(test.arch, test.overrides)
        program = test_program(test)
    found = []
    with _placed(test.program.position):
        declared = list(faults(replace(program, body="skip"), whole=False))
    found += [_at(d, test.program.position) for d in declared]
    for side in (test.given, test.result) if not declared else ():
        if side is not None:
            found += [_at(d, side.at()) for d in faults(program, side.term, side.places, whole=False)]
    return found


def _at(d: Diagnostic, position: Position) -> Diagnostic:
    return d if d.position.line else replace(d, position=position)


@contextmanager
def _placed(position: Position) -> Iterator[None]:
    """Faults without a place get `position`."""
    try:
        yield
    except TilesatError as error:
        raise TilesatError(*(_at(d, position) for d in error.diagnostics)) from None


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
    """One test: with `gives`, some application must give exactly that term; otherwise none may exist.
    Raises what is not well formed in the test itself."""
    if malformed := check_test(test):
        raise TilesatError(*malformed)
    with _placed(test.position):
        return _run_test(rule, number, test)


def _run_test(rule: Rule, number: int, test: RuleTest) -> TestReport:
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
