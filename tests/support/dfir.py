"""Hand-written DataflowIR for the tests, as `ir` objects: a small writer of ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilesat.diagnostics import Position
from tilesat.ktir import ir
from tilesat.ktir.affine import AffineMap, Dim, IntegerSet
from tilesat.ktir.affine_text import parse_map, parse_set

INDEX = ir.Scalar("index")


def amap(text: str) -> AffineMap:
    return parse_map(text)


def aset(text: str) -> IntegerSet:
    return parse_set(text)


def vector(count: int, dtype: str = "f16") -> ir.Vector:
    return ir.Vector((count,), ir.Scalar(dtype))


class Writer:
    """Appends ops to the current block; every method returns the op's value(s)."""

    def __init__(self) -> None:
        self.blocks: list[ir.Block] = [ir.Block()]
        self.line = 0
        self.grid: dict[str, list[ir.Value]] = {}

    def op(
        self,
        name_: str,
        operands: Sequence[ir.Value] = (),
        types: Sequence[ir.Type] = (),
        regions: Sequence[ir.Block] = (),
        /,
        **attributes: Any,
    ) -> Any:
        self.line += 1
        op = ir.Op(name_, list(operands), [], dict(attributes), [ir.Region([b]) for b in regions])
        op.position = Position("t.mlir", self.line, 1)
        op.results = [ir.Value(f"v{self.line}_{i}", t, op, i) for i, t in enumerate(types)]
        self.blocks[-1].ops.append(op)
        return op.results[0] if len(types) == 1 else op.results

    def region(
        self, types: Sequence[ir.Type], body: Callable[..., Sequence[ir.Value] | None], end: str
    ) -> ir.Block:
        block = ir.Block()
        block.args = [ir.Value(f"a{self.line}_{i}", t, block, i) for i, t in enumerate(types)]
        self.blocks.append(block)
        values = body(*block.args)
        self.op(end, list(values or ()))
        return self.blocks.pop()

    # ---- the ops

    def unit(self, kind: str, core: int | None = None, corelet: int | None = None) -> ir.Value:
        name = (
            f"C{core}-{kind}" + (f"-CL{corelet}" if corelet is not None else "") if core is not None else kind
        )
        extra = {k: v for k, v in (("core", core), ("corelet", corelet)) if v is not None}
        return self.op("dataflow.get_unit", [], [INDEX], name=name, type=kind, **extra)

    def units(self, kind: str, cores: int, corelets: int = 0) -> list[ir.Value]:
        places = [(i, j) for i in range(cores) for j in (range(corelets) if corelets else [None])]
        return [self.unit(kind, i, j) for i, j in places]

    def const(self, value: int, dtype: str = "index") -> ir.Value:
        return self.op("arith.constant", [], [ir.Scalar(dtype)], value=value)

    def program(self, units: Sequence[ir.Value], body: Callable[[ir.Value], None]) -> None:
        block = self.region([INDEX], body, "dataflow.return")
        self.op("dataflow.program_unit", units, [], [block])

    def lookup(self, me: ir.Value, keys: Sequence[ir.Value], values: Sequence[ir.Value]) -> ir.Value:
        table = self.op(
            "uniform.def_immutable_mapping",
            [*keys, *values],
            [INDEX],
            operandSegmentSizes=[len(keys), len(values)],
        )
        return self.op("uniform.query_map", [table, me], [values[0].type])

    def symbol(self, number: int, **attributes: Any) -> ir.Value:
        return self.op("symbol.create_symbol", [], [INDEX], SymbolId=number, **attributes)

    def arith(self, name: str, *operands: ir.Value, type: str | None = None, **attributes: Any) -> ir.Value:
        kind = ir.Scalar(type) if type else operands[-1].type
        return self.op(f"arith.{name}", operands, [kind], **attributes)

    def view(
        self,
        memory: ir.Value,
        base: ir.Value,
        shape: Sequence[int],
        strides: Sequence[int],
        dtype: str = "f16",
    ) -> ir.Value:
        dims = ", ".join(f"d{i}" for i in range(len(shape)))
        layout = " + ".join(f"d{i} * {s}" for i, s in enumerate(strides)) or "0"
        return self.op(
            "dataflow.get_logical_memory_view",
            [memory, base],
            [ir.MemRef(tuple(shape), ir.Scalar(dtype))],
            layout_map=amap(f"affine_map<({dims}) -> ({layout})>"),
        )

    def load(self, view: ir.Value, at: Sequence[ir.Value], lanes: int = 64, dim: int = -1) -> ir.Value:
        rank = len(view.type.shape)  # type: ignore[union-attr]
        dtype = view.type.element.name  # type: ignore[union-attr]
        return self.op(
            "agen.vector_load",
            [view, *at],
            [vector(lanes, dtype)],
            operandSegmentSizes=[1, len(at), 0],
            subscripts=AffineMap.identity(len(at)),
            load_set=lane_set(rank, lanes, dim),
            load_order=AffineMap.identity(rank),
        )

    def store(self, data: ir.Value, view: ir.Value, at: Sequence[ir.Value], dim: int = -1) -> None:
        rank = len(view.type.shape)  # type: ignore[union-attr]
        self.op(
            "agen.vector_store",
            [data, view, *at],
            [],
            subscripts=AffineMap.identity(len(at)),
            store_set=lane_set(rank, data.type.shape[0], dim),  # type: ignore[union-attr]
            store_order=AffineMap.identity(rank),
        )

    def transfer(
        self,
        source: ir.Value,
        at_source: Sequence[ir.Value],
        target: ir.Value,
        at_target: Sequence[ir.Value],
        time: str,
        move: str,
        symbols: Sequence[ir.Value] = (),
        lanes: int = 64,
        move_target: str | None = None,
    ) -> None:
        times = aset(time)
        rank, other = len(source.type.shape), len(target.type.shape)  # type: ignore[union-attr]
        block = ir.Block([ir.Value("x", vector(lanes))], [ir.Op("agen.yield")])
        self.op(
            "agen.composite_load_and_store",
            [source, *at_source, target, *at_target, *symbols],
            [],
            [block],
            operandSegmentSizes=[1, len(at_source), 1, len(at_target), len(symbols), 0],
            source_subscripts=AffineMap.identity(rank),
            destination_subscripts=AffineMap.identity(other),
            load_set=lane_set(rank, lanes),
            load_order=AffineMap.identity(rank),
            store_set=lane_set(other, lanes),
            store_order=AffineMap.identity(other),
            load_time_addr_map=amap(move),
            store_time_addr_map=amap(move_target or move),
            time_set=times,
            time_order=AffineMap.identity(times.dims),
        )

    def receive(self, peer: ir.Value, lanes: int = 64, dtype: str = "f16") -> ir.Value:
        return self.op("dataflow.receive", [peer], [vector(lanes, dtype)])

    def send(self, peer: ir.Value, data: ir.Value) -> None:
        self.op("dataflow.send", [peer, data], [])

    def binary(self, name: str, a: ir.Value, b: ir.Value) -> ir.Value:
        spelled = ir.Raw(f"#vectorchain<binary_operator {name}>")
        return self.op(
            "vectorchain.binary",
            [a, b],
            [a.type],
            binary_op=spelled,
            op_specific_map=amap("affine_map<(d0) -> (d0)>"),
        )

    def loop(
        self,
        lower: ir.Value,
        upper: ir.Value,
        step: ir.Value,
        body: Callable[..., Sequence[ir.Value] | None],
        inits: Sequence[ir.Value] = (),
    ) -> Any:
        types = [v.type for v in inits]
        block = self.region([INDEX, *types], body, "scf.yield")
        return self.op("scf.for", [lower, upper, step, *inits], types, [block])

    def when(
        self,
        condition: ir.Value,
        then: Callable[[], Sequence[ir.Value] | None],
        otherwise: Callable[[], Sequence[ir.Value] | None] | None = None,
        types: Sequence[ir.Type] = (),
    ) -> Any:
        blocks = [self.region([], then, "scf.yield")]
        if otherwise:
            blocks.append(self.region([], otherwise, "scf.yield"))
        return self.op("scf.if", [condition], types, blocks)

    def module(self, name: str = "kernel_body") -> ir.Module:
        self.op("func.return")
        function = ir.Op("func.func", [], [], {"sym_name": name}, [ir.Region([self.blocks[0]])])
        return ir.Module(ir.Op("builtin.module", regions=[ir.Region([ir.Block([], [function])])]), "t.mlir")


def lane_set(rank: int, lanes: int, dim: int = -1) -> IntegerSet:
    """One vector of `lanes` elements along dimension `dim`."""
    wide = dim % rank
    names = [f"d{i}" for i in range(rank)]
    parts = [f"{n} >= 0, {lanes - 1} - {n} >= 0" if i == wide else f"{n} == 0" for i, n in enumerate(names)]
    return aset(f"affine_set<({', '.join(names)}) : ({', '.join(parts)})>")


__all__ = ["INDEX", "Dim", "Writer", "amap", "aset", "lane_set", "vector"]
