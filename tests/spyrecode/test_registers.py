"""Vector register allocation: random programs with loops, carried vectors and branches.

A vector is a number here; an operation mixes its operands. The word interpreter keeps, per stick, which
value's which part lies there, so that a clobbered or half-overwritten register is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dfir import Writer, vector
from hypothesis import given, settings
from hypothesis import strategies as st
from tilesat.arch import load_arch
from tilesat.diagnostics import TilesatError
from tilesat.ktir import ir
from tilesat.numerics import dtype
from tilesat.spyrecode import assemble, decode_all, isa, unpack

NAMES = {"vectorchain.binary": {"add": "addf", "mul": "mulf", "sub": "subf"}}
STICK = 128


def mix(name: str, *values: int) -> int:
    return hash((name, *values))


def reference(
    ops: list[ir.Op], values: dict[ir.Value, Any], source: Iterator[int], sent: list[int]
) -> list[Any]:
    """Runs DataflowIR of a compute unit."""
    for op in ops:
        given = [values.get(v) for v in op.operands]
        if op.name in ("scf.yield", "dataflow.return"):
            return given
        if op.name == "dataflow.receive":
            values[op.result] = next(source)
        elif op.name == "dataflow.send":
            sent.append(given[1])
        elif op.name == "vectorchain.binary":
            spelled = op.attributes["binary_op"].text
            name = next(v for k, v in NAMES[op.name].items() if f" {k}>" in spelled)
            values[op.result] = mix(name, *given)
        elif op.name == "vectorchain.cast":
            values[op.result] = mix("extf" if op.result.type.element.name == "f32" else "truncf", given[0])
        elif op.name == "arith.constant":
            value = op.attributes["value"]
            values[op.result] = mix("constant", int(value)) if isinstance(value, float) else value
        elif op.name == "arith.cmpi":
            values[op.result] = given[0] < given[1]
        elif op.name == "scf.for":
            carried, block = given[3:], op.regions[0].blocks[0]
            for i in range(given[0], given[1], given[2]):
                values.update(zip(block.args, [i, *carried], strict=True))
                carried = reference(block.ops, values, source, sent)
            values.update(zip(op.results, carried, strict=True))
        elif op.name == "scf.if":
            block = op.regions[0 if given[0] else 1].blocks[0]
            values.update(zip(op.results, reference(block.ops, values, source, sent), strict=True))
    return []


def execute(code: Any, source: Iterator[int]) -> list[int]:
    """Runs the words of a compute unit; what it sends."""
    binary = unpack(code.binary)
    words = decode_all(binary["code"]["word"])
    ops = {op.code: op.name for op in isa().vector_ops.values()}
    integers = {op.code: op.name for op in isa().integer_ops.values()}
    alu: dict[str, Callable[[int, int], int]] = {"add": int.__add__, "lt": int.__lt__}
    constants = {i: _constant(binary, i) for i in range(len(binary["constants"]))}
    file: list[tuple[int, int] | None] = [None] * 16
    r = [0] * 256
    sent: list[int] = []

    def sticks(code_: int, count: int) -> int:
        return max(1, -(-count * dtype(isa().dtype_names[code_]).nbytes // STICK))

    def get(register: int, n: int) -> int:
        parts = file[register : register + n]
        first = parts[0]
        assert first is not None and parts == [(first[0], k) for k in range(n)], "a register was overwritten"
        return first[0]

    def put(register: int, n: int, value: int) -> None:
        assert register + n <= 16
        file[register : register + n] = [(value, k) for k in range(n)]

    def run(at: int, end: int) -> None:
        while at < end:
            w = words[at]
            at += 1
            n = sticks(w["dtype"], w["count"]) if "dtype" in w.fields and "count" in w.fields else 1
            match w.name:
                case "recv":
                    put(w["vd"], n, next(source))
                case "send":
                    sent.append(get(w["va"], n))
                case "vmov":
                    put(w["vd"], n, get(w["va"], n))
                case "vconst":
                    put(w["vd"], 1, constants[w["constant"]])
                case "vop":
                    name, wide = ops[w["op"]], sticks(w["source"], w["count"])
                    operands = ["va"] if name in ("extf", "truncf") else ["va", "vb"]
                    put(w["vd"], n, mix(name, *(get(w[k], wide) for k in operands)))
                case "li":
                    r[w["rd"]] = w["imm"]
                case "inti":
                    r[w["rd"]] = int(alu[integers[w["op"]]](r[w["ra"]], w["imm"]))
                case "loopi":
                    for _ in range(w["count"]):
                        run(at, at + w["words"])
                    at += w["words"]
                case "skip":
                    at += w["words"]
                case "skipz":
                    at += 0 if r[w["ra"]] else w["words"]
                case "halt":
                    return
                case _:
                    raise AssertionError(w.name)

    run(0, len(words))
    return sent


def _constant(binary: Any, i: int) -> int:
    import numpy as np

    row = binary["constants"][i]
    data = binary["constant_data"]["byte"].tobytes()[int(row["offset"]) :][:2]
    return mix("constant", int(np.frombuffer(data, np.float16)[0]))


class Maker:
    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw, self.w, self.budget = draw, Writer(), 16

    def pick(self, scope: list[ir.Value], kind: str) -> ir.Value:
        fitting = [v for v in scope if v.type.element.name == kind]  # type: ignore[union-attr]
        return fitting[self.draw(st.integers(0, len(fitting) - 1))]

    def body(
        self, peers: tuple[ir.Value, ir.Value], scope: list[ir.Value], i: ir.Value, depth: int
    ) -> list[ir.Value]:
        w, scope = self.w, list(scope)
        for _ in range(self.draw(st.integers(1, 5))):
            self.budget -= 1
            if self.budget < 0:
                break
            what = self.draw(
                st.sampled_from(["receive", "binary", "binary", "cast", "send", "constant", "loop", "if"])
            )
            kind = self.draw(st.sampled_from(["f16", "f32"]))
            if what == "receive":
                scope.append(w.receive(peers[0], 64, kind))
            elif what == "binary":
                name = self.draw(st.sampled_from(["add", "mul", "sub"]))
                scope.append(w.binary(name, self.pick(scope, kind), self.pick(scope, kind)))
            elif what == "cast":
                other = "f32" if kind == "f16" else "f16"
                scope.append(w.op("vectorchain.cast", [self.pick(scope, kind)], [vector(64, other)]))
            elif what == "constant":
                value = float(self.draw(st.integers(0, 9)))
                scope.append(w.op("arith.constant", [], [vector(64)], value=value))
            elif what == "send" or depth == 2:
                w.send(peers[1], self.pick(scope, kind))
            elif what == "loop":
                scope += self.loop(peers, scope, depth)
            else:
                scope.append(self.branch(peers, scope, i, depth, kind))
        return scope

    def loop(self, peers: tuple[ir.Value, ir.Value], scope: list[ir.Value], depth: int) -> list[ir.Value]:
        kinds = [self.draw(st.sampled_from(["f16", "f32"])) for _ in range(self.draw(st.integers(1, 3)))]
        inits = [self.pick(scope, k) for k in kinds]

        def inside(i: ir.Value, *carried: ir.Value) -> list[ir.Value]:
            inner = self.body(peers, [*scope, *carried], i, depth + 1)
            return [self.pick(inner, k) for k in kinds]

        w = self.w
        trips = w.const(self.draw(st.integers(0, 3)))
        results = w.loop(w.const(0), trips, w.const(1), inside, inits)
        return [results] if len(kinds) == 1 else list(results)

    def branch(
        self, peers: tuple[ir.Value, ir.Value], scope: list[ir.Value], i: ir.Value, depth: int, kind: str
    ) -> ir.Value:
        test = self.w.arith("cmpi", i, self.w.const(1), type="i1", predicate="slt")

        def inside() -> list[ir.Value]:
            return [self.pick(self.body(peers, scope, i, depth + 1), kind)]

        return self.w.when(test, inside, inside, [vector(64, kind)])

    def module(self) -> ir.Module:
        w = self.w
        unit, lu, su = w.unit("SFU", 0, 0), w.unit("L1LU", 0, 0), w.unit("L1SU", 0, 0)

        def body(me: ir.Value) -> None:
            scope = [w.receive(lu), w.receive(lu, 64, "f32")]
            end = self.body((lu, su), scope, w.const(0), 0)
            w.send(su, self.pick(end, "f16"))

        w.program([unit], body)
        return w.module()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_random_vector_programs_send_the_same_values(data: st.DataObject) -> None:
    module = Maker(data.draw).module()
    try:
        code = assemble(module, load_arch("spyre"))
    except TilesatError as error:  # more live vectors than registers: refused, not miscompiled
        assert error.diagnostics[0].code == "SPY067"
        return
    (function,) = module.functions()
    sent: list[int] = []
    for op in function.regions[0].blocks[0].ops:
        if op.name == "dataflow.program_unit":
            reference(op.regions[0].blocks[0].ops, {}, iter(range(10**6)), sent)
    assert execute(code, iter(range(10**6))) == sent
