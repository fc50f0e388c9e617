"""An independent executor of DataflowIR, for tests: units run in random interleavings, transfers finish late.

It shares nothing with the assembler or the simulator. Every write of a unit (transfer or store) becomes
visible at a random moment between its issue and the next signal that waits for it, so that a missing signal
shows as a wrong value, a read of unwritten scratchpad, or a deadlock. At the end every semaphore is 0 and
every FIFO empty.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict, deque
from collections.abc import Callable, Generator
from functools import cache
from typing import Any

import numpy as np
from tilesat.arch.model import Arch
from tilesat.ktir import ir

Key = tuple[str, Any]

_NUMPY = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
}


class Fault(AssertionError):
    """What hardware would not forgive."""


class View:
    def __init__(self, memory: Key, base: int, layout: Any, dtype: Any) -> None:
        self.memory, self.base, self.layout, self.dtype = memory, base, layout, np.dtype(dtype)

    def offsets(self, points: np.ndarray) -> np.ndarray:
        """Element offsets of index points (n, rank)."""
        (result,) = self.layout.eval([points[:, k] for k in range(points.shape[1])])
        return self.base + np.broadcast_to(result, (len(points),))


class Machine:
    def __init__(self, module: ir.Module, arch: Arch, arguments: list[Any], seed: int = 0) -> None:
        self.arch = arch
        self.random = random.Random(seed)
        self.memories: dict[Key, np.ndarray] = {}
        self.written: dict[Key, np.ndarray] = {}
        self.fifos: dict[Any, deque[np.ndarray]] = defaultdict(deque)
        self.semaphores: dict[Any, int] = defaultdict(int)
        self.module = module
        self.buffers: list[tuple[int, np.ndarray]] = []
        self.symbols: list[int] = []
        top = 4096
        for a in arguments:
            if isinstance(a, np.ndarray):
                self.symbols.append(top)
                self.buffers.append((top, a))
                top += -(-a.nbytes // 4096) * 4096 + 4096
            else:
                self.symbols.append(a)
        self.dram = (arch.home("global"), ())
        self.memories[self.dram] = np.full(top, 0xA5, np.uint8)
        self.written[self.dram] = np.ones(top, bool)
        for address, a in self.buffers:
            self.memories[self.dram][address : address + a.nbytes] = a.reshape(-1).view(np.uint8)

    def result(self, number: int) -> np.ndarray:
        address, a = self.buffers[number]
        raw = self.memories[self.dram][address : address + a.nbytes]
        return raw.copy().view(a.dtype).reshape(a.shape)

    def memory(self, key: Key) -> np.ndarray:
        if key not in self.memories:
            size = self.arch.memories[key[0]].size
            self.memories[key] = np.full(size, 0xA5, np.uint8)
            self.written[key] = np.zeros(size, bool)
        return self.memories[key]

    def read(self, view: View, points: np.ndarray) -> np.ndarray:
        data, size = self.memory(view.memory), view.dtype.itemsize
        at = view.offsets(points) * size
        if at.min() < 0 or at.max() + size > len(data):
            raise Fault(f"read outside {view.memory}")
        where = at[:, None] + np.arange(size)
        if not self.written[view.memory][where].all():
            raise Fault(f"read of unwritten {view.memory}")
        return data[where].reshape(-1).view(view.dtype).copy()

    def write(self, view: View, points: np.ndarray, values: np.ndarray) -> None:
        data, size = self.memory(view.memory), view.dtype.itemsize
        at = view.offsets(points) * size
        if at.min() < 0 or at.max() + size > len(data):
            raise Fault(f"write outside {view.memory}")
        where = at[:, None] + np.arange(size)
        data[where] = np.ascontiguousarray(values).view(np.uint8).reshape(len(at), size)
        self.written[view.memory][where] = True

    def run(self) -> Machine:
        """The programs in the order of the calls."""
        bodies = {
            str(op.attributes["sym_name"]): op
            for op in self.module.op.walk()
            if op.name == "func.func" and op.regions[0].blocks
            if any(o.name == "dataflow.program_unit" for o in op.regions[0].blocks[0].ops)
        }
        for body in bodies.values():
            self._launch(body)
        return self

    def _launch(self, body: ir.Op) -> None:
        shared: dict[ir.Value, Any] = {}
        threads: list[Unit] = []
        for op in body.regions[0].blocks[0].ops:
            if op.name == "dataflow.get_unit":
                a = {k: getattr(v, "value", v) for k, v in op.attributes.items()}
                place = (a.get("core"), a.get("corelet"), a.get("instance"))
                shared[op.results[0]] = (a["type"], tuple(x for x in place if x is not None))
            elif op.name == "dataflow.program_unit":
                for unit in op.operands:
                    block = op.regions[0].blocks[0]
                    threads.append(Unit(self, shared[unit], {**shared, block.args[0]: shared[unit]}, block))
        live = list(threads)
        while live:
            progressed = False
            for unit in self.random.sample(live, len(live)):
                for _ in range(self.random.randint(1, 6)):
                    state = unit.step()
                    progressed |= state != "blocked"
                    if state == "done":
                        live.remove(unit)
                    if state != "ran":
                        break
            if live and not progressed:
                raise Fault("deadlock: " + "; ".join(f"{u.name} at {u.waiting}" for u in live))
        left = {k: n for k, n in self.semaphores.items() if n}
        if left:
            raise Fault(f"semaphores left: {left}")
        if any(self.fifos.values()):
            raise Fault("vectors left in FIFOs")


class Unit:
    def __init__(self, machine: Machine, name: Key, env: dict[ir.Value, Any], block: ir.Block) -> None:
        self.m, self.name, self.env = machine, name, env
        self.waiting: Any = None
        self.pending: deque[Callable[[], None]] = deque()
        self.generator = self.block(block)
        self.ended = False

    def step(self) -> str:
        while self.pending and self.m.random.random() < 0.3:
            self.pending.popleft()()
        if self.ended:
            return "done"
        self.waiting = None
        try:
            state = next(self.generator)
        except StopIteration:
            self.flush()
            self.ended = True
            return "done"
        return state

    def flush(self) -> None:
        while self.pending:
            self.pending.popleft()()

    # ---- interpretation

    def block(self, block: ir.Block) -> Generator[str, None, list[Any]]:
        for op in block.ops:
            if op.name in ("scf.yield", "agen.yield", "dataflow.return"):
                return [self.env[v] for v in op.operands]
            yield from self.op(op)
        return []

    def op(self, op: ir.Op) -> Generator[str, None, None]:
        e = [self.env.get(v) for v in op.operands]
        if op.name == "scf.for":
            yield from self._for(op, e)
        elif op.name == "scf.if":
            region = op.regions[0] if e[0] else op.regions[1]
            found = (yield from self.block(region.blocks[0])) if region.blocks else []
            for r, v in zip(op.results, found, strict=True):
                self.env[r] = v
        elif op.name == "dataflow.sync_send":
            self.flush()
            self.m.semaphores[self.name, e[0], _plain(op, "channel", 0)] += 1
            yield "ran"
        elif op.name == "dataflow.sync_recv":
            key = (e[0], self.name, _plain(op, "channel", 0))
            while not self.m.semaphores[key]:
                self.waiting = ("signal", key)
                yield "blocked"
            self.m.semaphores[key] -= 1
            yield "ran"
        elif op.name == "dataflow.send":
            fifo = self.m.fifos[self.name, e[0]]
            while len(fifo) >= 2:
                self.waiting = ("full", e[0])
                yield "blocked"
            fifo.append(e[1])
            yield "ran"
        elif op.name == "dataflow.receive":
            fifo = self.m.fifos[e[0], self.name]
            while not fifo:
                self.waiting = ("empty", e[0])
                yield "blocked"
            found = fifo.popleft()
            if len(found) != op.result.type.shape[0] or found.dtype != _dtype(op.result.type):
                raise Fault(f"{self.name} pops {found.dtype}x{len(found)} as {op.result.type}")
            self.env[op.result] = found
            yield "ran"
        elif op.name.startswith("agen."):
            self.agen(op, e)
            yield "ran"
        else:
            self.plain(op, e)

    def _for(self, op: ir.Op, e: list[Any]) -> Generator[str, None, None]:
        body = op.regions[0].blocks[0]
        carried = e[3:]
        trips = range(e[0], e[1], e[2])
        if len(trips) > self.m.arch.limits.loop_count:
            raise Fault("loop count")
        for i in trips:
            for arg, v in zip(body.args, [i, *carried], strict=True):
                self.env[arg] = v
            carried = yield from self.block(body)
        for r, v in zip(op.results, carried, strict=True):
            self.env[r] = v

    def agen(self, op: ir.Op, e: list[Any]) -> None:
        a = op.attributes
        if op.name == "agen.composite_load_and_store":
            sizes = a["operandSegmentSizes"]
            groups = [[e.pop(0) for _ in range(n)] for n in sizes]
            times = _points(a["time_set"])
            lanes, back = _points(a["load_set"]), _points(a["store_set"])
            source = np.array(a["source_subscripts"].eval(groups[1]), np.int64)
            target = np.array(a["destination_subscripts"].eval(groups[3]), np.int64)
            reads, writes = [], []
            for t in times:
                reads.append(source + np.array(a["load_time_addr_map"].eval(list(t))) + lanes)
                writes.append(target + np.array(a["store_time_addr_map"].eval(list(t))) + back)
            points, into = np.concatenate(reads), np.concatenate(writes)
            inside = _inside(a.get("valid_set"), times, len(lanes), groups[4])
            values = np.zeros(len(points), groups[0][0].dtype)
            if inside.any():
                values[inside] = self.m.read(groups[0][0], points[inside])
            if a.get("outside") == "skip":
                into, values = into[inside], values[inside]
            view = groups[2][0]
            if len(into):
                self.pending.append(lambda: self.m.write(view, into, values))
        elif op.name == "agen.vector_load":
            n = len(op.operands) - 1
            at = np.array(a["subscripts"].eval(e[1 : 1 + n]), np.int64) + _points(a["load_set"])
            self.env[op.result] = self.m.read(e[0], at)
        elif op.name == "agen.vector_store":
            at = np.array(a["subscripts"].eval(e[2:]), np.int64) + _points(a["store_set"])
            view, values = e[1], e[0]
            self.pending.append(lambda: self.m.write(view, at, values))
        else:
            raise Fault(op.name)

    def plain(self, op: ir.Op, e: list[Any]) -> None:
        a = op.attributes
        match op.name:
            case "arith.constant":
                v = a["value"]
                value = v.array if isinstance(v, ir.Dense) else getattr(v, "value", v)
            case "symbol.create_symbol":
                value = self.m.symbols[-_plain(op, "SymbolId") - 1]
            case "uniform.def_immutable_mapping":
                n = len(e) // 2
                value = dict(zip(e[:n], e[n:], strict=True))
            case "uniform.query_map":
                value = e[0][e[1]]
            case "dataflow.get_logical_memory_view":
                key = e[0] if e[0][0] != self.m.dram[0] else self.m.dram
                value = View(key, e[1], a["layout_map"], _dtype(op.result.type))
            case _:
                value = _compute(op, e)
        self.env[op.result] = value


def _inside(valid: Any, times: np.ndarray, lanes: int, symbols: list[int]) -> np.ndarray:
    """Per element, time points outermost: whether it is in the valid set."""
    dims = [np.repeat(times[:, k], lanes) for k in range(times.shape[1])]
    every = np.ones(len(times) * lanes, bool)
    if valid is None:
        return every
    return every & valid.contains([*dims, np.tile(np.arange(lanes), len(times))], symbols)


def _plain(op: ir.Op, key: str, default: Any = None) -> Any:
    value = op.attributes.get(key, default)
    return getattr(value, "value", value)


def _dtype(kind: Any) -> Any:
    return np.dtype(_NUMPY[getattr(kind, "element", kind).name])


@cache
def _points(s: Any) -> np.ndarray:
    """All points of a bounded set, in lexicographic order."""
    spans = []
    for dim in range(s.dims):
        spans.append(range(_top(s, dim) + 1))
    grid = np.array(list(itertools.product(*spans)), np.int64).reshape(-1, s.dims)
    inside = s.contains([grid[:, k] for k in range(s.dims)])
    return grid[np.broadcast_to(inside, (len(grid),))]


def _top(s: Any, dim: int) -> int:
    probe = np.zeros((1 << 14, s.dims), np.int64)
    probe[:, dim] = np.arange(1 << 14)
    top = 0
    for expr, equality in s.constraints:
        values = np.broadcast_to(expr.eval([probe[:, k] for k in range(s.dims)]), (len(probe),))
        if values[0] == values[1] or (not equality and values[-1] >= 0):
            continue
        if "mod" in str(expr):
            continue
        good = (values == 0) if equality else (values >= 0)
        return int(np.flatnonzero(good).max(initial=0))
    return top


_BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}
_INTEGER = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.divui": np.floor_divide,
    "arith.remui": np.remainder,
    "arith.floordivsi": np.floor_divide,
    "arith.ceildivsi": lambda x, y: -((-x) // y),
    "arith.minsi": np.minimum,
    "arith.maxsi": np.maximum,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.divf": np.divide,
}
_COMPARE = [np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal]
_LANES = {
    "compare_eq": np.equal,
    "compare_neq": np.not_equal,
    "compare_lt": np.less,
    "compare_le": np.less_equal,
    "compare_gt": np.greater,
    "compare_ge": np.greater_equal,
}


def _compute(op: ir.Op, e: list[Any]) -> Any:
    a, name = op.attributes, op.name
    kind = _dtype(op.result.type)
    short = name.rpartition(".")[2]
    with np.errstate(all="ignore"):
        if name == "builtin.unrealized_conversion_cast":
            name = str(a["scalar_op"])
            return {"spyreop.realdiv": np.divide}[name](e[0], e[1]).astype(kind)
        if name == "vectorchain.binary":
            return _BINARY[a["binary_op"]](e[0], e[1]).astype(kind)
        if name in _INTEGER:
            found = _INTEGER[name](e[0], e[1])
            return found.astype(kind) if isinstance(found, np.ndarray) else int(found)
        if name == "arith.cmpi":
            return _COMPARE[_plain(op, "predicate")](e[0], e[1])
        if name == "arith.select" or short == "element_wise_selection":
            return np.where(e[0], e[1], e[2]) if isinstance(e[1], np.ndarray) else (e[1] if e[0] else e[2])
        if short == "element_wise_compare":
            return _LANES[a["compare_op"]](e[0], e[1])
        if short == "shuffle":
            picks = [getattr(i, "value", i) for i in a["indices"]]
            return np.tile(e[0][picks], _plain(op, "repetition"))
        if short == "create_affine_mask":
            return np.broadcast_to(
                a["mask_set"].contains([np.arange(op.result.type.shape[0])], e), op.result.type.shape
            )
        if short == "constant_bitstream":
            bits = [getattr(v, "value", v) for v in a["value"]]
            raw = b"".join(int(v).to_bytes(kind.itemsize, "little") for v in bits)
            return np.frombuffer(raw, kind)
        if name == "vector.broadcast":
            return np.full(op.result.type.shape, e[0], kind)
        if name == "vector.step":
            return np.arange(op.result.type.shape[0])
        if name == "vector.reduction":
            assert "add" in a["kind"].text
            total = e[0][0]
            for x in e[0][1:]:
                total = (total + x).astype(kind)
            return total
        if name == "arith.bitcast":
            return np.array(e[0]).astype(f"i{kind.itemsize}").view(kind)[()]
        if short in ("cast", "index_cast", "extf", "truncf", "sitofp", "fptosi"):
            return e[0].astype(kind) if isinstance(e[0], np.ndarray) else kind.type(e[0])
        wide = np.float32 if kind == np.float16 else kind
        x = e[0].astype(wide)
        unary = {
            "fast_exp": np.exp,
            "neg": np.negative,
            "rsqrt_estimate": lambda v: 1 / np.sqrt(v),
            "floor": np.floor,
        }
        return unary[short](x).astype(kind)
