"""`tilesat rules …`: check, test, verify rules, and see where they fire."""

from __future__ import annotations

import time
from collections.abc import Callable
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

    RULES are names of books, BOOK/RULE, or YAML files; without any, all shipped books.
    """


_names = click.argument("names", nargs=-1, metavar="[RULES]...")


def _selected(names: tuple[str, ...]) -> list[Rule]:
    """The rules that the words name. RULE040: no such book or rule."""
    from ..rewrite import load_books
    from ..rewrite.rulebook import load_book

    if not names:
        return [rule for book in load_books().values() for rule in book.rules]
    found: list[Rule] = []
    for name in names:
        if name.endswith((".yaml", ".yml")):
            found += load_book(name).rules
            continue
        books = load_books()
        book = books.get(name.split("/")[0])
        rules = [r for r in book.rules if name in (book.name, r.path)] if book else []
        if not rules:
            known = [b.name for b in books.values()] if not book else [r.path for r in book.rules]
            fail(
                "RULE040", f"there is no rule or book `{name}`", Position(name), f"known: {', '.join(known)}"
            )
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
@click.option("--walks", default=400, show_default=True, help="Most random walks.")
@click.option("--seed", default=0, show_default=True)
@click.option("--simulate/--no-simulate", default=True, show_default=True, help="Also run on the simulator.")
def verify_command(names: tuple[str, ...], trials: int, walks: int, seed: int, simulate: bool) -> int:
    """Compare both sides of rules on random kernels, and delete each guard in turn: each must be missed."""
    from ..rewrite.verify import verify
    from ..trial_runner import run_lowered

    report = verify(
        _selected(names),
        _selected(()),
        wanted=trials,
        walks=walks,
        seed=seed,
        runner=run_lowered if simulate else None,
    )
    for outcome in report.outcomes:
        verdict = "wrong" if outcome.complaint(report.wanted) else "ok"
        if outcome.guard is not None and verdict == "ok":
            verdict = "heuristic" if outcome.heuristic else "caught"
        click.echo(f"{verdict:10} {outcome.looked:5} {outcome.label}")
    for complaint in report.complaints:
        click.echo(complaint, err=True)
    click.echo(
        f"{len(report.outcomes)} rules and mutants, {report.walks} walks: {len(report.complaints)} faults"
    )
    return 0 if report.passed else 1


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
    """Where RULE applies on the way to KERNEL's schedule, or which guard refuses it where it nearly does."""
    from ..coverage import why_not

    (chosen, *others) = _selected((rule,))
    if others:
        fail("RULE040", f"`{rule}` names several rules", Position(rule), "give BOOK/RULE")
    found = why_not(chosen, compiled(**kernel, stop="schedule"))
    for refusal in found:
        click.echo(refusal.text(chosen))
    if not found:
        click.echo(f"no term on the way has the form that {chosen.path} matches, but for one guard:")
        click.echo("\n".join(f"    {line}" for line in str(chosen.match.term).splitlines()))


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


_TEMPLATE = """\
# yaml-language-server: $schema=rulebook.schema.json
book: {book}
doc: What these rules have in common.
programs: # declarations that the tests below refer to by name
  negate: |
    (args (x index))
    (axes (axis i (trips 8)) (axis c (trips 64)))
    (views (view X (base x) (shape 8 64) (strides 64 1) (dtype f16)))
    (accesses (access x0 X (at i c)))
    (stmts (stmt s (let a f16 (load x0)) (let b f16 (op arith.negf a)) (store x0 b)))
rules:
  - name: {rule}
    doc: A loop of a loop along the same axis is one loop. (Say in one sentence what yours does.)
    kind: exact
    match: |
      (loop ?a ?n (loop ?a ?k ?body))
    where: |
      (> ?k 1)
    rewrite: |
      (loop ?a (* ?n ?k) ?body)
    tests:
      - given: negate
        fires: |
          (loop i 4 (loop i 2 (exec s (box (i 1) (c 64)) home)))
        gives: |
          (loop i 8 (exec s (box (i 1) (c 64)) home))
      - given: negate
        holds: |
          (loop i 8 (loop i 1 (exec s (box (i 1) (c 64)) home)))
        because: a loop of one trip is no loop (every guard needs a test that only it refuses)
"""


@rules_command.command("new")
@click.argument("name", metavar="BOOK/RULE")
@click.option("-o", "output", type=click.Path(path_type=Path), help="File to write (default: BOOK.yaml).")
def new_command(name: str, output: Path | None) -> None:
    """Write a rulebook with one rule, its test, and everything a rule needs: a start for your own."""
    from ..writing import write_text

    book, _, rule = name.partition("/")
    if not book or not rule:
        raise click.UsageError("give BOOK/RULE, for example mine/merge-loops")
    target = output or Path(f"{book}.yaml")
    if target.exists():
        fail("IO003", f"{target} exists", Position(str(target)), "choose another file with -o")
    write_text(target, _TEMPLATE.format(book=book, rule=rule))
    click.echo(f"{target}: now edit it; `tilesat rules try {target}` checks it at every save")
