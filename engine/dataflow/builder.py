"""Building the ops of one unit's program: blocks, names, constants, what differs between instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Position
from ..ktir.affine import AffineExpr, Binary, Const, Dim, IntegerSet
from ..ktir.ir import Block, DenseArray, Op, Region, Scalar, Type, Typed, Value, Vector
from ..numerics import scalar_ops
from .instances import Instances, Place

__all__ = ["I1", "INDEX", "FunctionBuilder", "UnitBuilder", "segments"]

INDEX = Scalar("index")
I1 = Scalar("i1")
_I32 = Scalar("i32")

Array = NDArray[np.int64]


def segments(*groups: Sequence[Value]) -> dict[str, Any]:
    """The sizes of an op's operand groups, as MLIR keeps them."""
    return {"operandSegmentSizes": DenseArray((len(g) for g in groups), "i32")}


class FunctionBuilder:
    """The function that holds all programs: handles of units and memories, names unique in it."""

    def __init__(self, instances: Instances) -> None:
        self.instances = instances
        self._handles: dict[str, list[Value]] = {}
        self._used: dict[str, int] = {}

    def name(self, wanted: str) -> str:
        """`wanted`, made unique by a number."""
        n = self._used.get(wanted)
        self._used[wanted] = 0 if n is None else n + 1
        return wanted if n is None else self.name(f"{wanted}_{n}")

    def handles(self, place: Place) -> list[Value]:
        """One handle per instance."""
        if place.name not in self._handles:
            self._handles[place.name] = [self._unit(place, k) for k in range(len(place.instances))]
        return self._handles[place.name]

    def _unit(self, place: Place, k: int) -> Value:
        instance = place.instances[k]
        at = dict(instance.coordinates)
        label = place.kind.upper()
        attributes: dict[str, Any] = {}
        if instance.tile is not None:
            label = f"C{instance.tile}-{label}"
            attributes["core"] = Typed(instance.tile, _I32)
            if place.local:
                number = 0
                for g in place.local:
                    number = number * self.instances.arch.groups[g].count + at[g]
                label += f"-CL{number}"
                attributes["corelet"] = Typed(number, _I32)
        elif len(place.instances) > 1:
            label = "-".join(
                [*(f"{g.upper()}{c}" for g, c in instance.coordinates if c or g != "card"), label]
            )
            attributes["instance"] = Typed(k, _I32)
        attributes |= {"name": label if attributes else place.kind, "type": place.kind}
        op = Op("dataflow.get_unit", attributes=attributes)
        value = Value(self.name(label.replace("-", "_")), INDEX, op)
        op.results = [value]
        return value

    def prologue(self) -> list[Op]:
        """The `get_unit`s of everything used: units, then memories, in the order of the architecture."""
        arch = self.instances.arch
        ordered = [n for n in dict.fromkeys((*arch.units, *arch.memories)) if n in self._handles]
        return [v.owner for n in ordered for v in self._handles[n] if isinstance(v.owner, Op)]


class UnitBuilder:
    """One `program_unit`. Ops that need no loop counter go to its top, once each.

    `static` holds, per name, what an integer expression's name is for each instance (arrays in the order of
    `place.instances`): tile coordinates, `@group` indices.
    """

    def __init__(self, function: FunctionBuilder, place: Place) -> None:
        self.function = function
        self.place = place
        self.instances = function.instances
        self.me = Value(function.name("me"), INDEX)
        self.top_values: set[Value] = {self.me}  # known at the top of the program
        self.top: list[Op] = []
        self._blocks: list[tuple[list[Op], dict[Any, Value]]] = [([], {})]
        self._top_cache: dict[Any, Value] = {}
        self.position = Position()
        self.static: dict[str, Array] = {}
        self.thread_key: tuple[Any, ...] = ()
        self._which: dict[Any, list[int]] = {}
        self.set_thread(0, {})

    @property
    def computes(self) -> bool:
        """The unit has vector registers."""
        return self.place.name in self.instances.arch.compute

    # ---- threads ----------------------------------------------------------------------------------------

    @property
    def slots(self) -> int:
        """Tiles that one instance serves (1 unless it stands above the grid's group)."""
        return max(len(self.instances.tiles_of(i)) for i in self.place.instances)

    def set_thread(self, slot: int, served: Mapping[str, int]) -> None:
        """Evaluate names for the thread at tile number `slot` of each instance and these `par` indices."""
        self.thread_key = (slot, tuple(served.items()))
        self.static = _static_of(self.instances, self.place, slot, served, self.thread_key)

    def coordinate(self, group: str) -> Array:
        """The instance's, or the served thread's, index in a group."""
        return self.static[f"@{group}"]

    # ---- ops --------------------------------------------------------------------------------------------

    def op(
        self,
        name: str,
        operands: Sequence[Value] = (),
        attributes: dict[str, Any] | None = None,
        result: tuple[str, Type] | None = None,
        regions: list[Region] | None = None,
        top: bool = False,
    ) -> Op:
        made = Op(name, list(operands), [], attributes or {}, regions or [], self.position)
        if result is not None:
            made.results = [Value(self.function.name(result[0]), result[1], made)]
        (self.top if top else self._blocks[-1][0]).append(made)
        return made

    def value(
        self,
        name: str,
        operands: Sequence[Value],
        attributes: dict[str, Any] | None,
        result: tuple[str, Type],
        top: bool = False,
    ) -> Value:
        return self.op(name, operands, attributes, result, top=top).results[0]

    def cached(self, key: Any, make: Callable[[], Value], top: bool) -> Value:
        """`make()`, unless the same key was made in this block or one around it (or at the top)."""
        if key in self._top_cache:
            return self._top_cache[key]
        for _, cache in reversed(self._blocks):
            if key in cache:
                known: Value = cache[key]
                return known
        made = make()
        if top:
            self.top_values.add(made)
        (self._top_cache if top else self._blocks[-1][1])[key] = made
        return made

    @contextmanager
    def block(self, args: list[Value] | None = None) -> Iterator[Block]:
        """Ops emitted inside go to a new block."""
        block = Block(args or [])
        for k, v in enumerate(block.args):
            v.owner, v.index = block, k
        self._blocks.append((block.ops, {}))
        try:
            yield block
        finally:
            self._blocks.pop()

    @property
    def at_top(self) -> bool:
        """No loop or condition is open."""
        return len(self._blocks) == 1

    # ---- values -----------------------------------------------------------------------------------------

    def constant(self, n: int) -> Value:
        def make() -> Value:
            name = f"c{n}" if n >= 0 else f"m{-n}"
            return self.value("arith.constant", (), {"value": Typed(n, INDEX)}, (name, INDEX), top=True)

        return self.cached(("constant", n), make, top=True)

    def splat(self, value: Value, kind: str, lanes: int) -> Value:
        """The first lane of a vector in `lanes` lanes."""
        given = _picked([0], lanes)
        top = value in self.top_values
        result = (f"{value.name}_all", Vector((lanes,), Scalar(kind)))
        key = ("splat", id(value), lanes)
        return self.cached(
            key, lambda: self.value("vectorchain.shuffle", [value], given, result, top=top), top=top
        )

    def zeros(self, kind: str, lanes: int) -> Value:
        """A vector of zeros."""
        one = Vector((1,), Scalar(kind))

        def make() -> Value:
            return self.value("vectorchain.constant_bitstream", (), {"value": [0]}, ("zero", one), top=True)

        return self.splat(self.cached(("bits", 0, kind), make, top=True), kind, lanes)

    def widened(self, value: Value, kind: str, lanes: int) -> Value:
        """The lanes of a short vector, then zeros."""
        assert isinstance(value.type, Vector) and value.type.shape[0] is not None
        width = value.type.shape[0]
        picks = [*range(width), *[0] * (lanes - width)]
        long = Vector((lanes,), Scalar(kind))
        spread = self.value("vectorchain.shuffle", [value], _picked(picks), (value.name, long))
        mask_type = Vector((lanes,), I1)
        points = IntegerSet(1, 0, ((Dim(0), False), (_upto(width - 1), False)))

        def make() -> Value:
            given = {"mask_set": points}
            return self.value("vectorchain.create_affine_mask", (), given, ("inside", mask_type), top=True)

        mask = self.cached(("mask", width, lanes), make, top=True)
        operands = [mask, spread, self.zeros(kind, lanes)]
        return self.value("vectorchain.element_wise_selection", operands, None, (value.name, long))

    def narrowed(self, value: Value, kind: str, width: int) -> Value:
        """The first lanes of a vector."""
        short = Vector((width,), Scalar(kind))
        return self.value("vectorchain.shuffle", [value], _picked([*range(width)]), (value.name, short))

    def rotated(self, value: Value, kind: str) -> Value:
        """Lane i + 1 in lane i, the first lane last."""
        assert isinstance(value.type, Vector) and value.type.shape[0] is not None
        lanes = value.type.shape[0]
        picks = _picked([*range(1, lanes), 0])
        return self.value("vectorchain.shuffle", [value], picks, (value.name, value.type))

    def chosen(
        self, condition: Value, make: Callable[[], Value], other: Callable[[], Value], name: str
    ) -> Value:
        """`make()` where the condition holds, else `other()`."""
        with self.block() as yes:
            found = make()
            self.op("scf.yield", [found])
        with self.block() as no:
            self.op("scf.yield", [other()])
        return self.op("scf.if", [condition], None, (name, found.type), [Region([yes]), Region([no])]).result

    def branch(self, condition: Value, make: Callable[[], None], other: Callable[[], None]) -> None:
        """What `make` emits runs where the condition holds, else what `other` emits."""
        regions = []
        for emit in (make, other):
            with self.block() as block:
                emit()
                self.op("scf.yield")
            regions.append(Region([block]))
        self.op("scf.if", [condition], regions=regions)

    def per_instance(self, numbers: Array) -> Value:
        """A number that may differ from instance to instance."""
        if (numbers == numbers[0]).all():
            return self.constant(int(numbers[0]))
        key = ("numbers", tuple(int(n) for n in numbers))
        return self.cached(key, lambda: self._mapping([self.constant(n) for n in key[1]], "n"), top=True)

    def handle(self, place: Place, coordinates: Mapping[str, int] | None = None) -> Value:
        """The instance of another unit or memory: in common groups my own, else at `coordinates`."""
        chosen = self.which(place, coordinates or {})
        handles = self.function.handles(place)
        if len(set(chosen)) == 1:
            return handles[chosen[0]]
        key = ("handles", place.name, tuple(chosen))
        return self.cached(key, lambda: self._mapping([handles[k] for k in chosen], place.name), top=True)

    def which(self, place: Place, coordinates: Mapping[str, int]) -> list[int]:
        """For each of my instances, the position of the other's."""
        key = (place.name, self.thread_key, tuple(coordinates.items()))
        if key not in self._which:
            self._which[key] = self._find_all(place, coordinates)
        return self._which[key]

    def _find_all(self, place: Place, coordinates: Mapping[str, int]) -> list[int]:
        columns: dict[str, Array] = {}
        for group in place.path:
            given = coordinates.get(group)
            column = self.coordinate(group) if given is None else given
            columns[group] = np.broadcast_to(np.asarray(column, np.int64), (len(self.place.instances),))
        return place.find_all(columns)

    def _mapping(self, values: list[Value], name: str) -> Value:
        keys = self.function.handles(self.place)
        mapping = self.value(
            "uniform.def_immutable_mapping",
            [*keys, *values],
            segments(keys, values),
            (f"{name}_map", INDEX),
            top=True,
        )
        return self.value("uniform.query_map", [mapping, self.me], None, (name, values[0].type), top=True)

    # ---- control ----------------------------------------------------------------------------------------

    @contextmanager
    def guard(self, active: NDArray[np.bool_]) -> Iterator[None]:
        """Ops emitted inside run on the instances where `active` holds."""
        if active.all():
            yield
            return
        flag = self.per_instance(active.astype(np.int64))
        zero = self.constant(0)
        attributes = {"predicate": scalar_ops()["arith.cmpi"].cases.index("ne")}
        key = ("guard", tuple(active.tolist()))
        condition = self.cached(
            key,
            lambda: self.value("arith.cmpi", [flag, zero], attributes, ("active", I1), top=True),
            top=True,
        )
        with self.when(condition):
            yield

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        with self.block() as body:
            yield
            self.op("scf.yield")
        if len(body.ops) > 1:
            self.op("scf.if", [condition], regions=[Region([body]), Region()])

    def program(self, precision: str | None = None) -> Op:
        """The finished `program_unit`."""
        body = Block([self.me], [*self.top, *self._blocks[0][0], Op("dataflow.return")])
        self.me.owner = body
        attributes = {"precision": precision} if precision else {}
        units = self.function.handles(self.place)
        return Op("dataflow.program_unit", list(units), [], attributes, [Region([body])])

    @property
    def empty(self) -> bool:
        return not self._blocks[0][0]


def _picked(indices: list[int], repetition: int = 1) -> dict[str, Any]:
    """Attributes of a shuffle."""
    return {"indices": [Typed(i, _I32) for i in indices], "repetition": Typed(repetition, _I32)}


def _upto(top: int) -> AffineExpr:
    return Binary("+", Binary("*", Dim(0), Const(-1)), Const(top))


def _static_of(
    instances: Instances, place: Place, slot: int, served: Mapping[str, int], key: Any
) -> dict[str, Array]:
    cache = instances.static_cache
    full = (place.name, key)
    known: dict[str, Array] | None = cache.get(full)
    if known is not None:
        return known
    tiles = []
    for instance in place.instances:
        mine = instances.tiles_of(instance)
        tiles.append(mine[min(slot, len(mine) - 1)])
    found: dict[str, Array] = {}
    grid = np.array([instances.tile_coordinates(t) for t in tiles], np.int64)
    for k in range(grid.shape[1]):
        found[f"tile{k}"] = grid[:, k]
    chain = [instances.coordinates_of_tile(t) for t in tiles]
    own = [dict(i.coordinates) for i in place.instances]
    for group in instances.arch.groups:
        if group in place.path:
            column = [at[group] for at in own]
        elif group in instances.chain:
            column = [at[group] for at in chain]
        else:
            column = [served.get(group, 0)] * len(own)
        found[f"@{group}"] = np.array(column, np.int64)
    cache[full] = found
    return found
