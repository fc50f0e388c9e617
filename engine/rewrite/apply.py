"""Rules on plain terms: instantiate a side, replace it in a term, replay a list of steps exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Position, fail
from ..schedule.program import Program
from ..schedule.sexpr import Expr, Path, Term, parse, show
from .language import FIELDS, is_splice, is_variable
from .rulebook import Rule

__all__ = [
    "Step",
    "apply_rule",
    "canonical",
    "instantiate",
    "parse_steps",
    "replay",
    "show_steps",
    "subterm",
    "trail",
]

Substitution = Mapping[str, Any]
"""Variable (without `?`) → term, name, int, box `((axis, n), …)` or moves `((access, from, to), …)`."""


@dataclass(frozen=True, slots=True)
class Step:
    """`rule` applied at `path` (argument numbers from the root). `backwards`: from `rewrite` to `match`."""

    rule: str
    path: Path
    subst: tuple[tuple[str, Any], ...]
    backwards: bool = False
    position: Position = field(default_factory=Position, compare=False)  # in a file of steps

    @property
    def reverse(self) -> Step:
        return Step(self.rule, self.path, self.subst, not self.backwards, self.position)

    def under(self, prefix: Path) -> Step:
        return Step(self.rule, (*prefix, *self.path), self.subst, self.backwards, self.position)


# --- instantiation ---------------------------------------------------------------------------------------


def instantiate(pattern: Expr, subst: Substitution, axes: Sequence[str]) -> Any:
    """The term that a side of a rule stands for. `axes`: the program's, which is the order of boxes."""
    if is_variable(pattern):
        return _written(subst[str(pattern)[1:].removesuffix("…")])
    if not isinstance(pattern, Term):
        return pattern
    if pattern.head in FIELDS:
        args = []
        for a, (role, _) in zip(pattern.args, FIELDS[pattern.head], strict=True):
            value = instantiate(a, subst, axes)
            args.append(_settle(value, role))
        return Term(pattern.head, tuple(args))
    if pattern.head == "box":
        return _box(pattern, subst, axes)
    if pattern.head in ("ins", "outs"):
        return _moves(pattern, subst)
    numbers = [instantiate(a, subst, axes) for a in pattern.args]
    if not all(isinstance(n, int) for n in numbers):
        fail("RULE034", f"`{show(pattern)}` needs numbers; one is known only at run time")
    return _ARITHMETIC[pattern.head](*numbers)


_ARITHMETIC: dict[str, Any] = {
    "+": lambda *xs: sum(xs),
    "-": lambda x, *ys: x - sum(ys),
    "*": lambda x, *ys: x * _product(ys),
    "/": lambda x, *ys: int(x / _product(ys)) if x < 0 else x // _product(ys),
    "%": lambda x, y: x % y,
    "min": min,
    "max": max,
}


def _product(xs: Sequence[int]) -> int:
    result = 1
    for x in xs:
        result *= x
    return result


def _written(value: Any) -> Any:
    """A substituted value as it stands in a term."""
    if isinstance(value, tuple) and value and len(value[0]) == 2:
        return Term("box", tuple(Term(axis, (n,)) for axis, n in value))
    return value


def _settle(value: Any, role: str) -> Any:
    """A set of moves gets the head of the field it stands in."""
    if isinstance(value, tuple):
        return Term(role, tuple(Term("move", m) for m in sorted(value)))
    return value


def _box(pattern: Term, subst: Substitution, axes: Sequence[str]) -> Term:
    extents: dict[str, int] = {}
    for entry in pattern.args:
        if is_splice(entry):
            extents |= dict(subst[str(entry)[1:].removesuffix("…")])
        else:
            assert isinstance(entry, Term), entry
            axis = instantiate(entry.head, subst, axes)
            extents[axis] = instantiate(entry.args[0], subst, axes)
    return Term("box", tuple(Term(a, (extents[a],)) for a in axes if extents.get(a)))


def _moves(pattern: Term, subst: Substitution) -> tuple[Any, ...]:
    found: list[tuple[str, str, str]] = []
    for entry in pattern.args:
        if is_splice(entry):
            found += subst[str(entry)[1:].removesuffix("…")]
        else:
            assert isinstance(entry, Term), entry
            access, source, target = (str(instantiate(a, subst, ())) for a in entry.args)
            found.append((access, source, target))
    return tuple(sorted(found))


# --- application -----------------------------------------------------------------------------------------


def subterm(t: Expr, path: Path) -> Expr:
    """The sub-term at a path of argument numbers."""
    for k in path:
        assert isinstance(t, Term), t
        t = t.args[k]
    return t


def _replace(t: Expr, path: Path, by: Expr) -> Expr:
    if not path:
        return by
    assert isinstance(t, Term), t
    k, *rest = path
    return Term(t.head, (*t.args[:k], _replace(t.args[k], tuple(rest), by), *t.args[k + 1 :]))


def canonical(t: Expr, axes: Sequence[str]) -> Expr:
    """Boxes in the program's order, moves sorted: the form in which terms are compared."""
    if not isinstance(t, Term) or t.head == "comm":
        return t
    if t.head == "box":
        extents = {e.head: e for e in t.args if isinstance(e, Term)}
        return Term("box", tuple(extents[a] for a in axes if a in extents))
    if t.head in ("ins", "outs"):
        return Term(t.head, tuple(sorted(t.args, key=lambda m: m.args if isinstance(m, Term) else ())))
    return Term(t.head, tuple(canonical(a, axes) for a in t.args))


def apply_rule(rule: Rule, t: Expr, step: Step, axes: Sequence[str]) -> Expr:
    """Replace one side of the rule by the other. RULE030 when the side is not what stands there."""
    subst = dict(step.subst)
    before, after = rule.match.term, rule.rewrite.term
    if step.backwards:
        before, after = after, before
    try:
        found = subterm(t, step.path)
    except (AssertionError, IndexError):
        fail("RULE030", f"{step.rule}: the term has nothing at {_path(step.path)}", step.position)
    try:
        expected, result = instantiate(before, subst, axes), instantiate(after, subst, axes)
    except (KeyError, TypeError) as error:
        fail("RULE030", f"{step.rule} at {_path(step.path)}: no value for {error}", step.position)
    if found != expected:
        message = f"{step.rule} at {_path(step.path)} expects {show(expected, 80)}, found {show(found, 80)}"
        hint = "the steps belong to another kernel, or a rule has changed since"
        fail("RULE030", message, step.position, hint)
    return _replace(t, step.path, result)


def trail(program: Program, steps: Sequence[Step], rules: Mapping[str, Rule]) -> Iterator[Expr]:
    """The program's body and the term after each step. RULE030 (does not apply), RULE031 (no rule)."""
    axes = tuple(program.axes)
    t = canonical(program.body, axes)
    yield t
    for step in steps:
        if step.rule not in rules:
            hint = f"the strategy has {', '.join(rules)}"
            fail("RULE031", f"no rule `{step.rule}`", step.position, hint)
        t = apply_rule(rules[step.rule], t, step, axes)
        yield t


def replay(program: Program, steps: Sequence[Step], rules: Mapping[str, Rule]) -> Expr:
    """The term that the steps make of the program's body. Raises as `trail`."""
    *_, last = trail(program, steps, rules)
    return last


# --- text ------------------------------------------------------------------------------------------------


def _path(path: Path) -> str:
    return "/" + "/".join(map(str, path))


def show_steps(steps: Sequence[Step]) -> str:
    """One step per line: `(step RULE PATH (x value)…)`, `(unstep …)` for a step backwards."""
    return "".join(f"{show(_step_term(s), 10**9)}\n" for s in steps)


def _step_term(step: Step) -> Term:
    bindings = tuple(Term(name, _value_args(value)) for name, value in step.subst)
    return Term("unstep" if step.backwards else "step", (step.rule, _path(step.path), *bindings))


def _value_args(value: Any) -> tuple[Expr, ...]:
    if not isinstance(value, tuple):
        return (value,)
    if value and len(value[0]) == 2:
        return (Term("box", tuple(Term(axis, (n,)) for axis, n in value)),)
    return (Term("moves", tuple(Term("move", m) for m in value)),)


def parse_steps(text: str, file: str = "<steps>") -> tuple[Step, ...]:
    """Steps from `show_steps`'s text; `file` for diagnostics. SEXPR001, RULE032 (not a step)."""
    found: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        where = Position(file, number, 1)
        if not line.strip() or line.lstrip().startswith(";"):
            continue
        t = parse(line, where)
        if t.head not in ("step", "unstep") or len(t.args) < 2:
            fail("RULE032", f"`{line.strip()[:60]}` is not a step", where, "(step RULE PATH (x value)…)")
        places = [k for k in str(t.args[1]).split("/") if k]
        if not all(k.isdecimal() for k in places):
            hint = "argument numbers from the root: /2/1, or /"
            fail("RULE032", f"`{t.args[1]}` is not a path", where, hint)
        path = tuple(map(int, places))
        bindings = tuple((b.head, _value(b.args[0])) for b in t.args[2:] if isinstance(b, Term))
        found.append(Step(str(t.args[0]), path, bindings, t.head == "unstep", where))
    return tuple(found)


def _value(e: Expr) -> Any:
    if isinstance(e, Term) and e.head == "box":
        return tuple((x.head, x.args[0]) for x in e.args if isinstance(x, Term))
    if isinstance(e, Term) and e.head == "moves":
        return tuple(tuple(map(str, m.args)) for m in e.args if isinstance(m, Term))
    return e
