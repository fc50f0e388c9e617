"""Register allocation: linear scan over live intervals of a structured program.

An interval reaches from a register's first to its last mention; when it begins before a loop in which
it is mentioned it reaches to the loop's end, since the next iteration needs it again (Poletto and
Sarkar, "Linear scan register allocation", 1999).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..diagnostics import Position
from .blocks import Branch, Instr, IntReg, Loop, Node, VecReg

__all__ = ["Exhausted", "allocate"]

Register = IntReg | VecReg


class Exhausted(Exception):
    """More is live at `position` than `capacity` slots can hold."""

    def __init__(self, position: Position, needed: int, capacity: int) -> None:
        super().__init__(f"{needed} of {capacity}")
        self.position, self.needed, self.capacity = position, needed, capacity


class _Scan:
    def __init__(self, kind: type[IntReg] | type[VecReg]) -> None:
        self.kind = kind
        self.time = 0
        self.first: dict[Register, int] = {}
        self.last: dict[Register, int] = {}
        self.where: dict[int, Position] = {}

    def mention(self, register: object) -> None:
        if isinstance(register, self.kind) and register.number is None:
            self.first.setdefault(register, self.time)
            self.last[register] = self.time

    def nodes(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            if isinstance(node, Instr):
                self.where[self.time] = node.position
                for register in node.reads():
                    self.mention(register)
                self.time += 1  # a result may take the place of an operand that ends here
                for register in node.writes():
                    self.mention(register)
                self.time += 1
            elif isinstance(node, Loop):
                self.mention(node.count)
                self.time += 2
                begin = self.time
                self.nodes(node.body)
                self.extend(begin)
                self.time += 2
            else:
                assert isinstance(node, Branch)
                self.mention(node.condition)
                self.time += 2
                self.nodes(node.then)
                self.time += 2
                self.nodes(node.otherwise)
                self.time += 2

    def extend(self, begin: int) -> None:
        for register, last in self.last.items():
            if last >= begin and self.first[register] < begin:
                self.last[register] = self.time


def allocate(
    nodes: Sequence[Node],
    kind: type[IntReg] | type[VecReg],
    slots: Sequence[int],
    size: Callable[[Register], int] = lambda register: 1,
    entry: Sequence[Register] = (),
) -> None:
    """Number all registers of `kind` with one of `slots` (the first of `size` consecutive ones).

    `entry` registers hold a value from the start. Raises Exhausted.
    """
    scan = _Scan(kind)
    for register in entry:
        scan.mention(register)
    scan.time = 1
    scan.nodes(nodes)
    free = [True] * len(slots)
    active: list[tuple[int, Register, int]] = []  # (end, register, slot)
    for register in sorted(scan.first, key=lambda r: scan.first[r]):
        start = scan.first[register]
        for ended in [a for a in active if a[0] < start]:
            active.remove(ended)
            for k in range(size(ended[1])):
                free[ended[2] + k] = True
        n = size(register)
        slot = _first_fit(free, n)
        if slot is None:
            needed = sum(size(r) for _, r, _ in active) + n
            place = max((t for t in scan.where if t <= start), default=None)
            raise Exhausted(scan.where[place] if place is not None else Position(), needed, len(slots))
        for k in range(n):
            free[slot + k] = False
        active.append((scan.last[register], register, slot))
        register.number = slots[slot]


def _first_fit(free: list[bool], n: int) -> int | None:
    run = 0
    for i, is_free in enumerate(free):
        run = run + 1 if is_free else 0
        if run == n:
            return i - n + 1
    return None
