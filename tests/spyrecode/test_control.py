"""Integer code: random programs with loops, branches, carried values and index arithmetic do what they say.

The words are executed by a small interpreter of isa.yaml's integer instructions, the DataflowIR by
another one; both record the addresses of every load. Nothing here is shared with the simulator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from dfir import Writer
from hypothesis import given, settings
from hypothesis import strategies as st
from tilesat.arch import load_arch
from tilesat.diagnostics import TilesatError
from tilesat.ktir import ir
from tilesat.spyrecode import assemble, decode_all, unpack

SYMBOLS = {-1: 5, -2: 40_000_000_000}
ARITH: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "remui": lambda a, b: (a % 2**64) % (b % 2**64),
    "divui": lambda a, b: (a % 2**64) // (b % 2**64),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "maxsi": max,
    "minsi": min,
}
COMPARE = {"slt": int.__lt__, "sle": int.__le__, "eq": int.__eq__, "ne": int.__ne__}


def wrap(x: int) -> int:
    return (x + 2**63) % 2**64 - 2**63


# ---- the DataflowIR side


class Reference:
    """Runs the body of one program_unit for instance k."""

    def __init__(self, k: int, me: Any) -> None:
        self.k, self.values, self.trace = k, {me: ("unit", k)}, []

    def run(self, ops: list[ir.Op]) -> list[Any]:
        for op in ops:
            if op.name in ("scf.yield", "dataflow.return"):
                return [self.values[v] for v in op.operands]
            self.op(op)
        return []

    def op(self, op: ir.Op) -> None:
        v, given = self.values, [self.values.get(x) for x in op.operands]
        name = op.name.removeprefix("arith.")
        if name in ARITH:
            v[op.result] = wrap(ARITH[name](*given))
        elif name == "constant":
            v[op.result] = op.attributes["value"]
        elif name == "cmpi":
            v[op.result] = int(COMPARE[op.attributes["predicate"]](*given))
        elif name == "select":
            v[op.result] = given[1] if given[0] else given[2]
        elif name == "symbol.create_symbol":
            v[op.result] = SYMBOLS[op.attributes["SymbolId"]]
        elif name == "uniform.def_immutable_mapping":
            half = len(given) // 2
            v[op.result] = given[half + self.k]
        elif name == "uniform.query_map":
            v[op.result] = given[0]
        elif name == "dataflow.get_logical_memory_view":
            v[op.result] = given[1]
        elif name == "agen.vector_load":
            self.trace.append(wrap(2 * (given[0] + given[1])))
        elif name == "scf.for":
            carried = given[3:]
            for i in range(given[0], given[1], given[2]):
                block = op.regions[0].blocks[0]
                v.update(zip(block.args, [i, *carried], strict=True))
                carried = self.run(block.ops)
            v.update(zip(op.results, carried, strict=True))
        elif name == "scf.if":
            taken = op.regions[0 if given[0] else 1].blocks[0] if given[0] or len(op.regions) > 1 else None
            v.update(zip(op.results, self.run(taken.ops) if taken else [], strict=True))


# ---- the SpyreCode side

ALU: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "remu": ARITH["remui"],
    "divu": ARITH["divui"],
    "fdiv": lambda a, b: a // b,
    "cdiv": lambda a, b: -(-a // b),
    "maxs": max,
    "mins": min,
    "lt": int.__lt__,
    "le": int.__le__,
    "eq": int.__eq__,
    "ne": int.__ne__,
}


def execute(code: Any, instance: int) -> list[int]:
    """Addresses of the loads of one unit instance."""
    from tilesat.spyrecode import isa

    names = {op.code: op.name for op in isa().integer_ops.values()}
    binary = unpack(code.binary)
    (row,) = [u for u in binary["units"] if u["instance"] == instance]
    words = decode_all(binary["code"]["word"][row["entry"] : row["entry"] + row["words"]])
    table = next((s for s in code.plan["JobExecPlan"] if s["command"] == "ComputeOnHost"), None)
    entries = table["properties"]["hcm"]["senConstants"] if table else []
    symbols = {int(e["symbol"]): SYMBOLS[-int(e["argument"]) - 1] for e in entries}
    r = [0] * 256
    first = row["first_register"]
    for initial in binary["registers"][first : first + row["registers"]]:
        r[initial["register"]] = int(initial["value"])
    trace: list[int] = []

    def put(register: int, value: int) -> None:
        r[register] = wrap(int(value))
        assert register != 0

    def run(at: int, end: int) -> int:
        while at < end:
            w = words[at]
            at += 1
            match w.name:
                case "li":
                    put(w["rd"], w["imm"])
                case "lih":
                    put(w["rd"], (r[w["rd"]] & 0xFFFFFFFF) + w["imm"] * 2**32)
                case "ldsym":
                    put(w["rd"], symbols[w["symbol"]])
                case "int":
                    put(w["rd"], ALU[names[w["op"]]](r[w["ra"]], r[w["rb"]]))
                case "inti":
                    put(w["rd"], ALU[names[w["op"]]](r[w["ra"]], w["imm"]))
                case "sel":
                    put(w["rd"], r[w["ra"]] if r[w["rc"]] else r[w["rb"]])
                case "loop" | "loopi":
                    count = r[w["ra"]] if w.name == "loop" else w["count"]
                    for _ in range(count):
                        assert run(at, at + w["words"]) == at + w["words"]
                    at += w["words"]
                case "skip":
                    at += w["words"]
                case "skipz":
                    at += 0 if r[w["ra"]] else w["words"]
                case "ldf":
                    trace.append(r[w["ra"]])
                case "halt":
                    return end
                case _:
                    raise AssertionError(w.name)
            assert at <= end
        return at

    run(0, len(words))
    return trace


# ---- random programs


class Maker:
    """Draws a program; `scope` are the integers that may be used."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], instances: int) -> None:
        self.draw, self.w, self.n = draw, Writer(), instances
        self.budget = 14

    def pick(self, scope: list[ir.Value]) -> ir.Value:
        return scope[self.draw(st.integers(0, len(scope) - 1))]

    def value(self, scope: list[ir.Value]) -> ir.Value:
        w = self.w
        kind = self.draw(st.sampled_from(["const", "old", *ARITH, *ARITH, "cmp"]))
        if kind == "const":
            return w.const(self.draw(st.sampled_from([0, 1, 2, 3, 64, 4096, -7, 2**31, 2**40 + 3])))
        if kind == "old":
            return self.pick(scope)
        if kind == "cmp":
            predicate = self.draw(st.sampled_from(list(COMPARE)))
            test = w.arith("cmpi", self.pick(scope), self.pick(scope), type="i1", predicate=predicate)
            return w.op("arith.select", [test, self.pick(scope), self.pick(scope)], [w.const(0).type])
        if kind in ("remui", "divui", "floordivsi", "ceildivsi"):
            return w.arith(kind, self.pick(scope), w.const(self.draw(st.integers(1, 5))))
        return w.arith(kind, self.pick(scope), self.pick(scope))

    def body(self, view: ir.Value, peer: ir.Value, scope: list[ir.Value], depth: int) -> list[ir.Value]:
        scope = list(scope)
        for _ in range(self.draw(st.integers(1, 4))):
            self.budget -= 1
            if self.budget < 0:
                break
            what = self.draw(st.sampled_from(["value", "value", "load", "load", "loop", "if"]))
            if what == "value":
                scope.append(self.value(scope))
            elif what == "load" or depth == 3:
                self.w.send(peer, self.w.load(view, [self.pick(scope)]))
            elif what == "loop":
                scope += self.loop(view, peer, scope, depth)
            else:
                scope += self.branch(view, peer, scope, depth)
        return scope

    def loop(self, view: ir.Value, peer: ir.Value, scope: list[ir.Value], depth: int) -> list[ir.Value]:
        w = self.w
        lower = w.const(self.draw(st.integers(-2, 3)))
        step = w.const(self.draw(st.integers(1, 3)))
        if self.draw(st.booleans()):
            upper = w.const(self.draw(st.integers(-2, 7)))
        else:
            upper = w.arith("minsi", w.arith("maxsi", self.pick(scope), w.const(-3)), w.const(6))
        inits = [self.pick(scope) for _ in range(self.draw(st.integers(0, 2)))]

        def inside(i: ir.Value, *carried: ir.Value) -> list[ir.Value]:
            inner = self.body(view, peer, [*scope, i, *carried], depth + 1)
            return [self.pick(inner[len(scope) :]) for _ in inits]

        result = w.loop(lower, upper, step, inside, inits)
        return [result] if len(inits) == 1 else list(result)

    def branch(self, view: ir.Value, peer: ir.Value, scope: list[ir.Value], depth: int) -> list[ir.Value]:
        w = self.w
        predicate = self.draw(st.sampled_from(list(COMPARE)))
        test = w.arith("cmpi", self.pick(scope), self.pick(scope), type="i1", predicate=predicate)

        def inside() -> list[ir.Value]:
            return [self.pick(self.body(view, peer, scope, depth + 1))]

        if self.draw(st.booleans()):
            return [w.when(test, inside, inside, [ir.Scalar("index")])]
        w.when(test, lambda: inside() and None)
        return []

    def module(self) -> ir.Module:
        w = self.w
        units, memories = w.units("L1LU", self.n, 1), w.units("lx", self.n)
        peers = w.units("SFU", self.n, 1)
        each = [w.const(self.draw(st.integers(0, 9))) for _ in range(self.n)]

        def body(me: ir.Value) -> None:
            view = w.view(
                w.lookup(me, units, memories), w.const(self.draw(st.sampled_from([0, 512]))), [64], [1]
            )
            peer = w.lookup(me, units, peers)
            scope = [w.const(3), w.lookup(me, units, each), w.symbol(-1), w.symbol(-2)]
            self.body(view, peer, scope, 0)

        w.program(units, body)
        return w.module()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_random_programs_load_the_same_addresses(data: st.DataObject) -> None:
    arch = load_arch("spyre")
    module = Maker(data.draw, 3).module()
    code = assemble(module, arch)
    (function,) = module.functions()
    block = function.regions[0].blocks[0]
    (program,) = [op for op in block.ops if op.name == "dataflow.program_unit"]
    body = program.regions[0].blocks[0]
    for k in range(3):
        reference = Reference(k, body.args[0])
        for op in block.ops:
            if op.name == "arith.constant":
                reference.op(op)
        reference.run(body.ops)
        assert execute(code, 2 * k) == reference.trace
    assert assemble(module, arch).binary == code.binary


# ---- shapes of code that matter


def single(body: Callable[[Writer, ir.Value, ir.Value], Any]) -> Any:
    """Core 0's load unit running `body(writer, lx, sfu)`."""
    w = Writer()
    unit, lx, sfu = w.unit("L1LU", 0, 0), w.unit("lx", 0), w.unit("SFU", 0, 0)
    w.program([unit], lambda me: body(w, lx, sfu) and None)
    return assemble(w.module(), load_arch("spyre"))


def names(code: Any) -> Iterator[str]:
    return (w.name for w in decode_all(unpack(code.binary)["code"]["word"]))


def test_inner_loops_step_addresses() -> None:
    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        c0, c1 = w.const(0), w.const(1)
        view = w.view(lx, w.const(0), [8, 256], [256, 1])

        def inner(i: ir.Value, j: ir.Value) -> None:
            w.send(sfu, w.load(view, [i, w.arith("muli", j, w.const(64))]))

        w.loop(c0, w.const(8), c1, lambda i: w.loop(c0, w.const(4), c1, lambda j: inner(i, j)) and None)

    code = single(body)
    assert execute(code, 0) == [512 * i + 128 * j for i in range(8) for j in range(4)]
    inner = list(names(code))
    at = inner.index("ldf")
    assert inner[at - 1 : at + 2] == ["loopi", "ldf", "inti"]


def test_upstreams_double_buffer_is_carried() -> None:
    """next = (A + B) - current, as dataflow-scheduler writes it."""

    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        total = w.const(0 + 1024)

        def step(i: ir.Value, current: ir.Value) -> list[ir.Value]:
            w.send(sfu, w.load(w.view(lx, current, [64], [1]), [w.const(0)]))
            return [w.arith("subi", total, current)]

        w.loop(w.const(0), w.const(5), w.const(1), step, [w.const(0)])

    assert execute(single(body), 0) == [0, 2048, 0, 2048, 0]


def test_swapped_carried_values() -> None:
    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [64], [1])

        def step(i: ir.Value, a: ir.Value, b: ir.Value) -> list[ir.Value]:
            w.send(sfu, w.load(view, [a]))
            return [b, a]

        w.loop(w.const(0), w.const(4), w.const(1), step, [w.const(64), w.const(128)])

    assert execute(single(body), 0) == [128, 256, 128, 256]


def test_loops_over_the_limit_are_refused() -> None:
    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [64], [1])
        zero, one = w.const(0), w.const(1)
        w.loop(zero, w.const(65536), one, lambda i: w.send(sfu, w.load(view, [w.const(0)])))

    with pytest.raises(TilesatError) as caught:
        single(body)
    assert caught.value.diagnostics[0].code == "SPY063"
    assert caught.value.diagnostics[0].position.line > 0


def test_too_many_live_integers_are_refused() -> None:
    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [64], [1])
        s = w.symbol(-1)
        values = [w.arith("remui", s, w.const(i + 2)) for i in range(300)]
        w.loop(w.const(0), s, w.const(1), lambda i: [w.send(sfu, w.load(view, [v])) for v in values] and None)

    with pytest.raises(TilesatError) as caught:
        single(body)
    assert caught.value.diagnostics[0].code == "SPY067"
