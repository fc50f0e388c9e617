"""The schedule as a tree of nodes that know their units, buffers and covers: the input of the projection.

Every loop gets a name for its counter (`%3`), every `par` contributes the name of its group
(`@corelet`), so that positions are plain `Index` expressions, the same for all units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..diagnostics import Position
from ..schedule.index import Index
from ..schedule.program import Program

__all__ = ["Buffer", "Exec", "Link", "Loop", "Move", "Node", "Par", "Pipe", "Scope", "Seq", "Sync", "When"]

Positions = Mapping[str, Index]  # axis → position; an axis not in it stands at 0


@dataclass(slots=True, eq=False)
class Link:
    """A unit on the inner side of a buffer: how many of its instances use it, per group not fixed outside."""

    unit: str
    reach: dict[str, int]


@dataclass(slots=True, eq=False)
class Buffer:
    """Room in an addressable memory for the copies of one access (or for one value).

    `axes` are in layout order, outermost first; `strides` count elements. `ways`: groups of the `par`s
    around it, each of whose instances has a buffer of its own. `outer` fills it (in-moves) or drains it
    (out-moves); it is None for a value, whose users synchronise as with home memory.
    """

    number: int
    subject: str
    memory: str
    dtype: str
    axes: tuple[tuple[str, int], ...]
    strides: tuple[int, ...]
    copy_bytes: int
    depth: int
    ways: tuple[tuple[str, int], ...]
    outward: bool
    position: Position
    outer: str | None = None
    inner: list[Link] = field(default_factory=list)
    origin: Positions = field(default_factory=dict)  # positions where the buffer's elements begin
    phase: Index = 0
    channel: int = -1  # full; empty follows after `channels`
    channels: int = 1  # threads that one pair of instances may serve
    address: int = -1  # bytes, of the first copy of the first thread

    @property
    def threads(self) -> int:
        n = 1
        for _, ways in self.ways:
            n *= ways
        return n

    @property
    def name(self) -> str:
        return f"{self.subject} in {self.memory}"


@dataclass(slots=True, eq=False)
class Node:
    """`cover` counts positions per axis; `units` are the unit kinds with something to do here."""

    number: int
    cover: dict[str, Index]
    origin: Positions
    units: set[str] = field(default_factory=set)
    pars: set[str] = field(default_factory=set)  # groups of `par`s in the subtree, itself included

    def children(self) -> tuple[Node, ...]:
        return ()

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.children():
            yield from child.walk()


@dataclass(slots=True, eq=False)
class Sync:
    """`sender` tells `receiver` that its part of what came before is done. With `credits` it does so
    after every iteration of a loop, and the receiver may be that many iterations ahead."""

    sender: Link
    receiver: Link
    channel: int
    credits: int = 0


@dataclass(slots=True, eq=False)
class Loop(Node):
    axis: str = ""
    trips: Index = 1
    counter: str = ""
    body: Node = None  # type: ignore[assignment]
    syncs: list[Sync] = field(default_factory=list)

    def children(self) -> tuple[Node, ...]:
        return (self.body,)


@dataclass(slots=True, eq=False)
class Par(Node):
    group: str = ""
    ways: int = 1
    body: Node = None  # type: ignore[assignment]

    def children(self) -> tuple[Node, ...]:
        return (self.body,)


@dataclass(slots=True, eq=False)
class Seq(Node):
    """`seq`, `then` (the second's positions say so) and `let` (producer, user)."""

    first: Node = None  # type: ignore[assignment]
    second: Node = None  # type: ignore[assignment]
    syncs: list[Sync] = field(default_factory=list)

    def children(self) -> tuple[Node, ...]:
        return (self.first, self.second)


@dataclass(slots=True, eq=False)
class Scope(Node):
    """The life of a value: kept in registers, or in `buffer`. `accumulator`: initialised on entry."""

    value: str = ""
    body: Node = None  # type: ignore[assignment]
    buffer: Buffer | None = None
    accumulator: bool = False

    def children(self) -> tuple[Node, ...]:
        return (self.body,)


@dataclass(slots=True, eq=False)
class Move:
    """One hop. `source`, `target`: buffers; None is the subject's home, or a compute unit's operands."""

    subject: str
    src: str
    dst: str
    unit: str
    outward: bool
    source: Buffer | None
    target: Buffer | None
    axes: dict[str, int]  # extents of the subject's axes in what is moved
    compute: str | None = None  # the compute unit at one end
    lanes: set[int] = field(default_factory=set)  # of the execs there that use it
    position: Position = field(default_factory=Position)


@dataclass(slots=True, eq=False)
class Pipe(Node):
    ins: list[Move] = field(default_factory=list)
    outs: list[Move] = field(default_factory=list)
    body: Node = None  # type: ignore[assignment]

    def children(self) -> tuple[Node, ...]:
        return (self.body,)

    def buffers(self) -> Iterator[Buffer]:
        for move in self.ins:
            if move.target is not None:
                yield move.target
        for move in self.outs:
            if move.source is not None:
                yield move.source


@dataclass(slots=True, eq=False)
class Exec(Node):
    stmt: str = ""
    box: dict[str, int] = field(default_factory=dict)
    unit: str = ""


@dataclass(slots=True, eq=False)
class When(Node):
    condition: Index = 1
    body: Node = None  # type: ignore[assignment]

    def children(self) -> tuple[Node, ...]:
        return (self.body,)


@dataclass(slots=True, eq=False)
class Plan:
    """One launched program: the tree and everything numbered while it was built."""

    name: str
    program: Program
    root: Node
    buffers: list[Buffer]
    active: dict[str, int]
    ranges: dict[str, Index]  # loop counter → its trips
