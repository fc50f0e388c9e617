"""What `rules verify` has to say about a rule, or a rule without one of its guards."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import Position
from ..schedule.sexpr import Expr, show
from .rulebook import Rule

__all__ = ["Finding", "Outcome", "VerifyReport"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a rule or mutant went wrong."""

    seed: int
    family: str
    before: Expr
    after: Expr | None
    reason: str

    def __str__(self) -> str:
        after = show(self.after, 100, 2) if self.after is not None else "no term"
        return (
            f"{self.reason} (seed {self.seed}, {self.family})\n"
            f"  {show(self.before, 100, 2)}\n  becomes\n  {after}"
        )


@dataclass(slots=True)
class Outcome:
    """`guard` None: the rule itself. `looked`: places compared; `finding`: the first wrong one."""

    rule: Rule
    guard: int | None
    looked: int = 0
    finding: Finding | None = None

    @property
    def heuristic(self) -> bool:
        return self.guard is not None and self.rule.guards[self.guard].heuristic

    @property
    def label(self) -> str:
        if self.guard is None:
            return self.rule.path
        return f"{self.rule.path} without {show(self.rule.guards[self.guard].term)}"

    @property
    def position(self) -> Position:
        """Of the rule's name or of the guard that is left out."""
        return self.rule.position if self.guard is None else self.rule.guards[self.guard].at()

    def verdict(self, wanted: int) -> str:
        """`ok`, `caught` and `heuristic` are good; `wrong`: there is a counter-example; `unneeded`: the rule
        is right without a guard of `where`; `few`: looked at too rarely; `untried`: never."""
        if self.guard is None:
            bad = "untried" if not self.looked and wanted else "few" if self.looked < wanted else "ok"
            return "wrong" if self.finding else bad
        if self.heuristic:
            return "wrong" if self.finding else "heuristic"
        return "caught" if self.finding else "unneeded" if self.looked else "untried"

    def complaint(self, wanted: int) -> str | None:
        """What is wrong with the rule or guard and where it stands, None when all is well."""
        match self.verdict(wanted):
            case "wrong":
                mere = "" if self.guard is None else "the guard is no mere heuristic: "
                text = f"is wrong: {mere}{self.finding}"
            case "few":
                text = f"fired in {self.looked} of {wanted} trials"
            case "untried" if self.guard is None:
                text = f"fired in 0 of {wanted} trials: nothing is known about it; give it more --walks"
            case "untried":
                text = (
                    "was not tried: no random kernel has a place where it fires and the whole rule does not. "
                    "Give it more --walks, or a `holds` example on which it goes wrong; if there is none, "
                    "move the guard from `where:` to `heuristic:`"
                )
            case "unneeded":
                text = f"was right in all {self.looked} trials: move the guard from `where:` to `heuristic:`"
            case _:
                return None
        return f"{self.position}: {self.label} {text}"


@dataclass(frozen=True, slots=True)
class VerifyReport:
    outcomes: tuple[Outcome, ...]
    walks: int
    wanted: int

    @property
    def complaints(self) -> tuple[str, ...]:
        return tuple(c for o in self.outcomes if (c := o.complaint(self.wanted)))

    @property
    def passed(self) -> bool:
        return not self.complaints
