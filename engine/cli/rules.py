"""`tilesat rules …`: check, test, verify rules, and see where they fire."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..diagnostics import Position, TilesatError, fail, render
from .options import compile_options, compiled

if TYPE_CHECKING:
    from ..rewrite.rulebook import Rule

F = TypeVar("F", bound=Callable[..., Any])


@click.group("rules")
def rules_command() -> None:
    """Check, test, verify and explore rewrite rules.

    RULES are names of books, BOOK/RULE, YAML files, or FILE.yaml/RULE; without any, all shipped books.
    """


_names = click.argument("names", nargs=-1, metavar="[RULES]...")


def _selected(names: tuple[str, ...], own: Iterable[Rule] = ()) -> list[Rule]:
    """The rules that the words name; `own` ones are found by name too. RULE040: no such book or rule."""
    from ..rewrite import load_books
    from ..rewrite.rulebook import load_book, split_reference

    if not names:
        return [rule for book in load_books().values() for rule in book.rules]
    found: list[Rule] = []
    for name in names:
        file, book, rule = split_reference(name)
        if file:
            known = list(load_book(file).rules)
        else:
            shipped = [r for b in load_books().values() for r in b.rules]
            known = list({r.path: r for r in (*shipped, *own)}.values())
        here = [r for r in known if file or r.book == book]
        rules = [r for r in here if rule in ("", r.name)]
        if not rules:
            others = [r.path for r in here] or list(dict.fromkeys(r.book for r in known))
            hint = "" if file else "a book of your own is named by its file: `mine.yaml` or `mine.yaml/RULE`"
            what = f"there is no rule or book `{name}`"
            fail("RULE040", what, Position(name), f"known: {', '.join(others)}" + (hint and f"; {hint}"))
        found += rules
    return found


@rules_command.command("list")
@_names
def list_command(names: tuple[str, ...]) -> None:
    """One line per rule: name, kind, what it does."""
    for rule in _selected(names):
        click.echo(f"{rule.path:28} {rule.kind:13} {' '.join(rule.doc.split())}")


@rules_command.command("check")
@_names
def check_command(names: tuple[str, ...]) -> int:
    """Schema, variables, operators, guards, and that every guard has a test."""
    from ..rewrite.check import check_rule

    rules = _selected(names)
    found = [d for rule in rules for d in check_rule(rule)]
    for diagnostic in found:
        click.echo(render(diagnostic), err=True)
    errors = sum(d.severity == "error" for d in found)
    click.echo(f"{len(rules)} rules: {errors} errors, {len(found) - errors} warnings")
    return 1 if errors else 0


@rules_command.command("test")
@_names
def test_command(names: tuple[str, ...]) -> int:
    """Run the examples in the rules' own YAML."""
    from ..rewrite.check import run_tests

    reports = run_tests(_selected(names))
    failed = [r for r in reports if not r.passed]
    for report in failed:
        click.echo(f"{report.position}: {report.message}", err=True)
    click.echo(f"{len(reports)} tests: {len(failed)} failed")
    return 1 if failed else 0


@rules_command.command("verify")
@_names
@click.option("--trials", default=20, show_default=True, help="Places to compare per rule.")
@click.option("--walks", default=2000, show_default=True, help="Most random walks.")
@click.option("--seed", default=0, show_default=True)
@click.option("--simulate/--no-simulate", default=True, show_default=True, help="Also run on the simulator.")
def verify_command(names: tuple[str, ...], trials: int, walks: int, seed: int, simulate: bool) -> int:
    """Compare both sides of rules on random kernels, and delete each guard in turn: each must be missed."""
    from ..rewrite.check import check_test
    from ..rewrite.rulebook import rule_tests
    from ..rewrite.verify import verify
    from ..trial_runner import run_lowered

    rules = _selected(names)
    if malformed := [d for rule in rules for test in rule_tests(rule) for d in check_test(test)]:
        raise TilesatError(*dict.fromkeys(malformed))
    report = verify(
        rules,
        _selected(()),
        wanted=trials,
        walks=walks,
        seed=seed,
        runner=run_lowered if simulate else None,
        progress=_progress if sys.stderr.isatty() else None,
    )
    for outcome in report.outcomes:
        click.echo(f"{outcome.verdict(report.wanted):10} {outcome.looked:5} {outcome.label}")
    for complaint in report.complaints:
        click.echo(complaint, err=True)
    click.echo(
        f"{len(report.outcomes)} rules and mutants, {report.walks} walks: {len(report.complaints)} faults"
    )
    return 0 if report.passed else 1


def _progress(text: str) -> None:
    """One line on the terminal that the next one, or the report, overwrites."""
    click.echo(f"\r{text[:100]}\x1b[K\r", nl=False, err=True)


@rules_command.command("coverage")
@click.argument("kernels", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--arch", default="spyre", show_default=True)
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE")
@click.option("--strategy", default="default", show_default=True)
def coverage_command(kernels: tuple[Path, ...], arch: str, overrides: tuple[str, ...], strategy: str) -> None:
    """Per rule over KERNELS: kernels it matched in, matches, uses in chosen schedules, cycles gained."""
    from ..coverage import coverage

    done = [compiled(k, arch, overrides, strategy, None, (), stop="schedule") for k in kernels]
    rules = [rule for program in done[:1] for rule in program.graph.rules.values()]
    click.echo(f"{'rule':28} {'kernels':>7} {'matched':>8} {'chosen':>7} {'cycles gained':>14}")
    for use in coverage(rules, done):
        click.echo(f"{use.rule:28} {use.kernels:7} {use.fired:8} {use.chosen:7} {use.gained:14,.0f}")


@rules_command.command("why-not")
@click.argument("rule")
@compile_options
def why_not_command(rule: str, **kernel: Any) -> None:
    """Where RULE applies on the way to KERNEL's schedule, or which guard refuses it where it nearly does.

    The way is the plain schedule and what each step shown by `tilesat explain` makes of it. RULE is BOOK/RULE
    of a shipped book or of one that --strategy names, or FILE.yaml/RULE.
    """
    from ..coverage import why_not
    from ..schedule import show

    program = compiled(**kernel, stop="schedule")
    (chosen, *others) = _selected((rule,), program.strategy.rules.values())
    if others:
        known = ", ".join(r.path for r in (chosen, *others))
        fail("RULE040", f"`{rule}` names several rules", Position(rule), f"give one of {known}")
    found = why_not(chosen, program)
    for refusal in found:
        click.echo(refusal.text(chosen))
    if not found:
        form = "\n".join(f"    {line}" for line in show(chosen.match.term, 96).splitlines())
        click.echo(
            f"{chosen.path} applies nowhere on the way, and no single guard is what refuses it.\n"
            f"On the way are the plain schedule and what each of the {len(program.steps)} steps of\n"
            f"`tilesat explain` makes of it, not all that the search saw. The rule matches\n{form}"
        )


@rules_command.command("try")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--once", is_flag=True, help="Do not wait for the next save.")
def try_command(file: Path, once: bool) -> int:
    """Check and test a rulebook FILE, again on every save (stop with Ctrl-C)."""
    seen: float | None = None
    while True:
        saved = file.stat().st_mtime if file.exists() else 0.0
        if saved != seen:
            seen = saved
            good = _tried(file)
        if once:
            return 0 if good else 1
        time.sleep(0.3)


def _tried(file: Path) -> bool:
    from ..rewrite.check import check_book, run_tests
    from ..rewrite.rulebook import load_book

    try:
        book = load_book(file)
        found = check_book(book)
        failed = [] if any(d.severity == "error" for d in found) else run_tests(book.rules)
    except TilesatError as error:
        found, failed = list(error.diagnostics), []
    for diagnostic in found:
        click.echo(render(diagnostic), err=True)
    wrong = [r for r in failed if not r.passed]
    for report in wrong:
        click.echo(f"{report.position}: {report.message}", err=True)
    good = not wrong and not any(d.severity == "error" for d in found)
    click.echo(f"{time.strftime('%H:%M:%S')} {file}: {'ok' if good else 'not yet'}, {len(failed)} tests ran")
    return good


@rules_command.command("new")
@click.argument("name", metavar="BOOK/RULE")
@click.option("-o", "output", type=click.Path(path_type=Path), help="File to write (default: BOOK.yaml).")
def new_command(name: str, output: Path | None) -> None:
    """Write a rulebook with one rule, its test, and everything a rule needs: a start for your own."""
    from ..writing import write_text
    from .rule_template import new_rulebook, next_steps

    book, _, rule = name.partition("/")
    if not book or not rule:
        raise click.UsageError("give BOOK/RULE, for example mine/merge-loops")
    target = output or Path(f"{book}.yaml")
    if target.exists():
        fail("IO003", f"{target} exists", Position(str(target)), "choose another file with -o")
    write_text(target, new_rulebook(book, rule, target))
    click.echo(next_steps(book, target), nl=False)
