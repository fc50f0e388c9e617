"""The in-memory form of a KTIR module: plain Python objects, independent of MLIR.

The reader builds it once from MLIR's parse; the verifier, printer, lift and reference interpreter
see only this. Attributes are Python values: int, float, bool, str, list, dict, `AffineMap`,
`IntegerSet`, `MemorySpace`, `Type`, `Typed` (a number with its MLIR type), `Dense` (elements) or
`Raw` (anything else, as MLIR prints it). An `i64` is a plain int and an `f64` a plain float; other numbers
are `Typed`. `array<i64: …>` is a `DenseArray`: a list whose dynamic entries (MLIR's kDynamic) are None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from ..diagnostics import Position
from .affine import IntegerSet

__all__ = [
    "AccessTile",
    "Block",
    "Dense",
    "DenseArray",
    "FunctionType",
    "MemRef",
    "MemorySpace",
    "Module",
    "Op",
    "Opaque",
    "Raw",
    "Region",
    "RuntimeArg",
    "Scalar",
    "Shape",
    "Tensor",
    "TileFuture",
    "Type",
    "Typed",
    "Value",
    "Vector",
]

Shape = tuple[int | None, ...]  # None is a dynamic extent, printed `?`


def _dims(shape: Shape) -> str:
    return "".join(f"{'?' if d is None else d}x" for d in shape)


@dataclass(frozen=True, slots=True)
class Scalar:
    """`name` as in MLIR: f16 bf16 f32 f64 i1 i8 i16 i32 i64 si32 ui32 index; df16 and the
    `*_fused` pairs of spyreop are named without their `!spyreop.` prefix."""

    name: str

    def __str__(self) -> str:
        return f"!spyreop.{self.name}" if self.name == "df16" or self.name.endswith("_fused") else self.name


@dataclass(frozen=True, slots=True)
class MemorySpace:
    """`kind` is `global` or `ct_local`; `ct_id` None means the executing tile's own scratchpad.
    `unspecified` (old dialect) is kept as a kind of its own; old `HBM`/`LX` are read as global/ct_local."""

    kind: str
    ct_id: int | None = None

    def __str__(self) -> str:
        tail = "" if self.ct_id is None else f", ct_id = {self.ct_id}"
        return f"#ktdp.memory_space<{self.kind}{tail}>"


@dataclass(frozen=True, slots=True)
class Tensor:
    shape: Shape
    element: Scalar

    def __str__(self) -> str:
        return f"tensor<{_dims(self.shape)}{self.element}>"


@dataclass(frozen=True, slots=True)
class Vector:
    shape: Shape
    element: Scalar

    def __str__(self) -> str:
        return f"vector<{_dims(self.shape)}{self.element}>"


@dataclass(frozen=True, slots=True)
class MemRef:
    """`layout` keeps MLIR's text of a non-identity layout; it never decides addresses (op strides do)."""

    shape: Shape
    element: Scalar
    layout: str | None = None
    space: MemorySpace | None = None

    def __str__(self) -> str:
        tail = f", {self.layout}" if self.layout else ""
        tail += f", {self.space}" if self.space else ""
        return f"memref<{_dims(self.shape)}{self.element}{tail}>"


@dataclass(frozen=True, slots=True)
class AccessTile:
    shape: Shape

    def __str__(self) -> str:
        return f"!ktdp.access_tile<{_dims(self.shape)}index>"


@dataclass(frozen=True, slots=True)
class RuntimeArg:
    element: Scalar
    granularity: int | None = None
    upperbound: int | None = None

    def __str__(self) -> str:
        parts = [str(self.element)]
        if self.granularity is not None:
            parts.append(f"granularity = {self.granularity}")
        if self.upperbound is not None:
            parts.append(f"upperbound = {self.upperbound}")
        return f"!ktdp.runtime_arg<{', '.join(parts)}>"


@dataclass(frozen=True, slots=True)
class TileFuture:
    partials: tuple[Tensor, ...]
    groups: IntegerSet

    def __str__(self) -> str:
        return f"!ktdp.tile_future<({', '.join(map(str, self.partials))}), groups = {self.groups}>"


@dataclass(frozen=True, slots=True)
class FunctionType:
    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.inputs))}) -> ({', '.join(map(str, self.results))})"


@dataclass(frozen=True, slots=True)
class Opaque:
    """A type we only carry along, as MLIR prints it."""

    text: str

    def __str__(self) -> str:
        return self.text


Type = Scalar | Tensor | Vector | MemRef | AccessTile | RuntimeArg | TileFuture | FunctionType | Opaque


@dataclass(frozen=True, slots=True)
class Typed:
    """A numeric attribute with its MLIR type, e.g. `arith.constant 1.5 : f16`. Floats are exact doubles."""

    value: int | float
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """`dense<…>`: `array` has the type's shape (a splat is broadcast, read-only)."""

    array: NDArray[Any]
    type: Type


class DenseArray(list[Any]):
    """`array<element: …>`: a list that remembers it is MLIR's dense array, not an array of attributes."""

    def __init__(self, items: Iterable[Any] = (), element: str = "i64") -> None:
        super().__init__(items)
        self.element = element


@dataclass(frozen=True, slots=True)
class Raw:
    text: str


@dataclass(slots=True, eq=False)
class Value:
    """An SSA value; `name` has no `%`. `owner` is the defining op, or the block of an argument."""

    name: str
    type: Type
    owner: Op | Block | None = None
    index: int = 0

    def __repr__(self) -> str:
        return f"%{self.name}: {self.type}"


@dataclass(slots=True, eq=False)
class Block:
    args: list[Value] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Region:
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Op:
    """`name` is the full op name (`arith.addf`). The sizes of the operand groups of an op with several
    variadic groups are in `attributes["operandSegmentSizes"]` (a list of ints), as in MLIR."""

    name: str
    operands: list[Value] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    position: Position = field(default_factory=Position)

    @property
    def result(self) -> Value:
        """The only result; an assertion for ops that have one."""
        (value,) = self.results
        return value

    def walk(self) -> Iterator[Op]:
        """This op and all ops nested in it, pre-order."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for op in block.ops:
                    yield from op.walk()


@dataclass(slots=True, eq=False, weakref_slot=True)
class Module:
    """A parsed file. `op` is the `builtin.module`; `source` its text, for diagnostics."""

    op: Op
    file: str = "<string>"
    source: str = ""

    def functions(self) -> list[Op]:
        """All `func.func` with a body, in file order, nested modules included."""
        return [o for o in self.op.walk() if o.name == "func.func" and o.regions and o.regions[0].blocks]
