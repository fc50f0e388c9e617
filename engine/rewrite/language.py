"""The grammar of ScheduleIR terms, as the rule engine needs it: what each argument of a node is.

One row per node; everything else (pattern compiler, encoding, e-graph reader) interprets this table.
"""

from __future__ import annotations

from enum import Enum

__all__ = ["FIELDS", "OPAQUE", "Kind", "Move", "is_splice", "is_variable"]


class Kind(Enum):
    """What a field of a node, an argument of a fact, or a pattern variable stands for."""

    TERM = "term"
    AXIS = "axis"
    STMT = "statement"
    MEMORY = "memory"
    GROUP = "group"
    ACCESS = "access"
    VALUE = "value"
    NAME = "name"
    INT = "integer"
    TRIPS = "trips"  # a literal, or an expression known only at run time
    EXPR = "expression"
    BOX = "box"
    MOVES = "moves"
    ITEMS = "arguments"  # all arguments of a node that no rule looks into

    @property
    def symbol(self) -> bool:
        """Is it written as a plain name?"""
        return self in _SYMBOLS


_SYMBOLS = {Kind.AXIS, Kind.STMT, Kind.MEMORY, Kind.GROUP, Kind.ACCESS, Kind.VALUE, Kind.NAME}

FIELDS: dict[str, tuple[tuple[str, Kind], ...]] = {
    "skip": (),
    "seq": (("first", Kind.TERM), ("second", Kind.TERM)),
    "then": (("axis", Kind.AXIS), ("first", Kind.TERM), ("second", Kind.TERM)),
    "loop": (("axis", Kind.AXIS), ("trips", Kind.TRIPS), ("body", Kind.TERM)),
    "par": (("group", Kind.GROUP), ("ways", Kind.INT), ("axis", Kind.AXIS), ("body", Kind.TERM)),
    "pipe": (("depth", Kind.INT), ("ins", Kind.MOVES), ("body", Kind.TERM), ("outs", Kind.MOVES)),
    "let": (("value", Kind.VALUE), ("memory", Kind.MEMORY), ("producer", Kind.TERM), ("body", Kind.TERM)),
    "acc": (("value", Kind.VALUE), ("memory", Kind.MEMORY), ("body", Kind.TERM)),
    "exec": (("statement", Kind.STMT), ("box", Kind.BOX), ("memory", Kind.MEMORY)),
    "when": (("condition", Kind.EXPR), ("body", Kind.TERM)),
    "comm": (("items", Kind.ITEMS),),
    "program": (("name", Kind.NAME), ("body", Kind.TERM)),
}
"""Node head → its arguments in order, as (role, kind)."""

OPAQUE = frozenset(("comm",))  # leaves whose arguments are kept as text

Move = tuple[str, str, str]  # access, from memory, to memory


def is_variable(e: object) -> bool:
    """`?x` (also `?x…`)."""
    return isinstance(e, str) and len(e) > 1 and e.startswith("?")


def is_splice(e: object) -> bool:
    """`?rest…`: the elements of a box or of a set of moves that the pattern does not name."""
    return is_variable(e) and str(e).endswith("…")
