"""The lift of reductions, contractions, carried values, gathers and transfers, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ktir_text import CONSTANTS, full, kernel, load, reduce, spread, store, tile, view
from tilesat.diagnostics import TilesatError
from tilesat.ktir import read_text
from tilesat.options import Options
from tilesat.schedule import Program, print_program, read_program, show
from tilesat.schedule.interpreter import interpret
from tilesat.schedule.legality import check
from tilesat.schedule.lift import lift

Array = np.ndarray[Any, Any]


def lifted(args: str, body: str, grid: str = "[1]", options: Options | None = None) -> Program:
    program = lift(read_text(kernel(args, body, grid)), None, options)
    check(program)
    assert read_program(print_program(program)) == program
    return program


def randoms(seed: int, *shape: int, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def ew(name: str, op: str, args: str, shape: str) -> str:
    return f"%{name} = {op} {args} : {shape}\n"


def softmax() -> str:
    t = "tensor<4x16xf32>"
    body = CONSTANTS + view("X", "x", [4, 16]) + view("Z", "z", [4, 16])
    body += tile("a", "X", "%c0, %c0", [4, 16], [4, 16]) + load("v", "a", [4, 16])
    body += full("low", "0xFF800000", [4]) + full("zero", "0.0", [4])
    body += reduce("m", "arith.maximumf", "v", "low", [4, 16], [1]) + spread("mb", "m", [4, 16], [1])
    body += ew("d", "arith.subf", "%v, %mb", t) + ew("e", "math.exp", "%d", t)
    body += reduce("s", "arith.addf", "e", "zero", [4, 16], [1]) + spread("sb", "s", [4, 16], [1])
    body += ew("p", "arith.divf", "%e, %sb", t)
    return body + tile("b", "Z", "%c0, %c0", [4, 16], [4, 16]) + store("p", "b", [4, 16])


def test_softmax() -> None:
    program = lifted("%x: index, %z: index", softmax())
    x = randoms(1, 4, 16)
    e = np.exp((x - x.max(1, keepdims=True)).astype(np.float64))
    z = interpret(program, {"x": x, "z": np.zeros_like(x)})["z"]
    np.testing.assert_allclose(z, e / e.sum(1, keepdims=True), rtol=2e-6)
    accumulators = [v for v in program.values.values() if v.comb]
    assert [(v.init, v.comb) for v in accumulators] == [(-np.inf, "arith.maximumf"), (0.0, "arith.addf")]
    assert len(program.values) == 3, "exp is computed once, for its sum and for the quotient"


@pytest.mark.parametrize("accumulator", ["wide", "element"])
def test_sum_of_f16_is_carried_as_the_option_says(accumulator: str) -> None:
    body = CONSTANTS + view("X", "x", [2, 600], "f16") + view("Z", "z", [2], "f16")
    body += tile("a", "X", "%c0, %c0", [2, 600], [2, 600], "f16") + load("v", "a", [2, 600], "f16")
    body += "%e = tensor.empty() : tensor<2xf16>\n" + reduce(
        "s", "arith.addf", "v", "e", [2, 600], [1], "f16"
    )
    body += tile("b", "Z", "%c0", [2], [2], "f16") + store("s", "b", [2], "f16")
    program = lifted("%x: index, %z: index", body, options=Options(accumulator=accumulator))
    x = np.ones((2, 600), np.float16) * np.float16(4.4)
    z = interpret(program, {"x": x, "z": np.zeros(2, np.float16)})["z"]
    if accumulator == "wide":
        assert (z == x.astype(np.float32).sum(1).astype(np.float16)).all()
    else:
        total = np.float16(0)
        for term in x[0]:
            total = np.float16(total + term)
        assert (z == total).all() and total != np.float16(x[0].astype(np.float32).sum())


def matmul(element: str) -> str:
    body = CONSTANTS + view("A", "a", [4, 24]) + view("B", "b", [24, 8]) + view("C", "c", [4, 8])
    body += full("zero", "0.0", [4, 8]) + "%c24 = arith.constant 24 : index\n"
    body += "%r = scf.for %k = %c0 to %c24 step %c8 iter_args(%acc = %zero) -> (tensor<4x8xf32>) {\n"
    body += tile("at", "A", "%c0, %k", [4, 24], [4, 8]) + load("av", "at", [4, 8])
    body += tile("bt", "B", "%k, %c0", [24, 8], [8, 8]) + load("bv", "bt", [8, 8])
    body += element + "scf.yield %n : tensor<4x8xf32>\n}\n"
    return body + tile("ct", "C", "%c0, %c0", [4, 8], [4, 8]) + store("r", "ct", [4, 8])


T48 = "tensor<4x8xf32>"
DOT = (
    "%{r} = linalg.matmul ins(%av, %bv : tensor<4x8xf32>, tensor<8x8xf32>) "
    "outs(%{o} : tensor<4x8xf32>) -> tensor<4x8xf32>\n"
)


@pytest.mark.parametrize(
    "step, values",
    [
        (DOT.format(r="n", o="acc"), 1),
        (
            "%e = tensor.empty() : tensor<4x8xf32>\n"
            + DOT.format(r="d", o="e")
            + f"%n = arith.addf %acc, %d : {T48}\n",
            2,
        ),
        (DOT.format(r="d", o="acc") + full("h", "0.5", [4, 8]) + f"%n = arith.mulf %d, %h : {T48}\n", 2),
    ],
    ids=["accumulates", "adds", "scales"],
)
def test_matmul_over_k(step: str, values: int) -> None:
    program = lifted("%a: index, %b: index, %c: index", matmul(step))
    a, b = randoms(2, 4, 24), randoms(3, 24, 8)
    want = np.zeros((4, 8))
    for k in range(0, 24, 8):
        want = want + a[:, k : k + 8].astype(np.float64) @ b[k : k + 8].astype(np.float64)
        want = want * (0.5 if "mulf %d" in step else 1)
    got = interpret(program, {"a": a, "b": b, "c": np.zeros((4, 8), np.float32)})["c"]
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
    assert len(program.values) == values
    assert ("mulf %d" in step) == any(c.axis == "k" and c.kind == "flow" for c in program.carried)


def test_online_softmax_statistics() -> None:
    """Carried maximum and sum, each new value from both old ones: order of the updates matters."""
    t, row = "tensor<4x8xf32>", "tensor<4xf32>"
    body = CONSTANTS + view("X", "x", [4, 32]) + view("M", "m", [4]) + view("L", "l", [4])
    body += full("low", "0xFF800000", [4]) + full("zero", "0.0", [4]) + "%c32 = arith.constant 32 : index\n"
    body += "%mx, %ls = scf.for %k = %c0 to %c32 step %c8 iter_args(%mo = %low, %lo = %zero)"
    body += f" -> ({row}, {row}) {{\n"
    body += tile("a", "X", "%c0, %k", [4, 32], [4, 8]) + load("v", "a", [4, 8])
    body += reduce("top", "arith.maximumf", "v", "low", [4, 8], [1]) + ew(
        "mn", "arith.maximumf", "%mo, %top", row
    )
    body += (
        spread("mb", "mn", [4, 8], [1]) + ew("d", "arith.subf", "%v, %mb", t) + ew("e", "math.exp", "%d", t)
    )
    body += reduce("s", "arith.addf", "e", "zero", [4, 8], [1])
    body += ew("sh", "arith.subf", "%mo, %mn", row) + ew("al", "math.exp", "%sh", row)
    body += ew("kl", "arith.mulf", "%lo, %al", row) + ew("ln", "arith.addf", "%kl, %s", row)
    body += f"scf.yield %mn, %ln : {row}, {row}\n}}\n"
    body += tile("mt", "M", "%c0", [4], [4]) + store("mx", "mt", [4])
    body += tile("lt", "L", "%c0", [4], [4]) + store("ls", "lt", [4])
    program = lifted("%x: index, %m: index, %l: index", body)
    x = randoms(4, 4, 32) * 3
    got = interpret(program, {"x": x, "m": np.zeros(4, np.float32), "l": np.zeros(4, np.float32)})
    assert (got["m"] == x.max(1)).all()
    want = np.exp(x.astype(np.float64) - x.max(1, keepdims=True)).sum(1)
    np.testing.assert_allclose(got["l"], want, rtol=1e-5)


def test_swap_of_carried_values() -> None:
    """Fibonacci-like: both new values need both old ones, so they are set at once."""
    row = "tensor<4xf32>"
    body = CONSTANTS + view("Z", "z", [4]) + full("p0", "1.0", [4]) + full("q0", "2.0", [4])
    body += f"%p, %q = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %p0, %b = %q0) -> ({row}, {row}) {{\n"
    body += ew("c", "arith.addf", "%a, %b", row) + ew("d", "arith.subf", "%a, %b", row)
    body += f"scf.yield %d, %c : {row}, {row}\n}}\n"
    body += ew("r", "arith.divf", "%p, %q", row) + tile("b_", "Z", "%c0", [4], [4]) + store("r", "b_", [4])
    a, b = 1.0, 2.0
    for _ in range(3):
        a, b = a - b, a + b
    got = interpret(lifted("%z: index", body), {"z": np.zeros(4, np.float32)})["z"]
    assert (got == np.float32(a / b)).all()


def indirect(name: str, of: str, index: str, shape: list[int], view_shape: list[int]) -> str:
    bounds = f"r >= 0, {shape[0] - 1} - r >= 0, c >= 0, {shape[1] - 1} - c >= 0"
    return (
        f"%{name} = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) "
        f"%{of}[ind(%{index}[%r]), (%c)] {{variables_space_order = affine_map<(r, c) -> (r, c)>, "
        f"variables_space_set = affine_set<(r, c) : ({bounds})>}} "
        f": memref<{view_shape[0]}x{view_shape[1]}xf32>, memref<{shape[0]}xi32> "
        f"-> !ktdp.access_tile<{shape[0]}x{shape[1]}xindex>\n"
    )


def test_gather_and_scatter() -> None:
    body = CONSTANTS + view("X", "x", [20, 8]) + view("I", "i", [5], "i32") + view("J", "j", [5], "i32")
    body += view("Z", "z", [20, 8]) + indirect("a", "X", "I", [5, 8], [20, 8]) + load("v", "a", [5, 8])
    body += ew("w", "arith.negf", "%v", "tensor<5x8xf32>")
    body += indirect("b", "Z", "J", [5, 8], [20, 8]) + store("w", "b", [5, 8])
    program = lifted("%x: index, %i: index, %j: index, %z: index", body)
    x, i, j = randoms(5, 20, 8), np.array([3, 19, 3, 0, 7], np.int32), np.array([1, 2, 8, 19, 0], np.int32)
    want = np.zeros_like(x)
    want[j] = -x[i]
    assert (interpret(program, {"x": x, "i": i, "j": j, "z": np.zeros_like(x)})["z"] == want).all()


def test_subscript_read_from_memory() -> None:
    body = CONSTANTS + view("X", "x", [20, 8]) + view("I", "i", [4], "i32") + view("Z", "z", [4, 8])
    body += "scf.for %k = %c0 to %c4 step %c1 {\n" + tile("it", "I", "%k", [4], [1], "i32")
    body += load("iv", "it", [1], "i32") + "%s = tensor.extract %iv[%c0] : tensor<1xi32>\n"
    body += "%row = arith.index_cast %s : i32 to index\n"
    body += tile("a", "X", "%row, %c0", [20, 8], [1, 8]) + load("v", "a", [1, 8])
    body += tile("b", "Z", "%k, %c0", [4, 8], [1, 8]) + store("v", "b", [1, 8]) + "}\n"
    program = lifted("%x: index, %i: index, %z: index", body)
    x, i = randoms(6, 20, 8), np.array([3, 19, 3, 0], np.int32)
    assert (interpret(program, {"x": x, "i": i, "z": np.zeros((4, 8), np.float32)})["z"] == x[i]).all()


def test_value_chosen_by_the_tile() -> None:
    body = (
        CONSTANTS
        + view("X", "x", [4, 8])
        + view("Z", "z", [4, 8])
        + "%id = ktdp.get_compute_tile_id : index\n"
    )
    body += tile("a", "X", "%id, %c0", [4, 8], [1, 8]) + load("v", "a", [1, 8])
    body += "%first = arith.cmpi ult, %id, %c2 : index\n%r = scf.if %first -> (tensor<1x8xf32>) {\n"
    body += ew("n", "arith.negf", "%v", "tensor<1x8xf32>") + "scf.yield %n : tensor<1x8xf32>\n} else {\n"
    body += "scf.yield %v : tensor<1x8xf32>\n}\n"
    body += tile("b", "Z", "%id, %c0", [4, 8], [1, 8]) + store("r", "b", [1, 8])
    program = lifted("%x: index, %z: index", body, "[4]")
    x = randoms(7, 4, 8)
    want = np.where(np.arange(4)[:, None] < 2, -x, x)
    assert (interpret(program, {"x": x, "z": np.zeros_like(x)})["z"] == want).all()


FUTURE = "<(tensor<1x8xf32>), groups = affine_set<(g) : (g >= 0, 1 - g >= 0)>>"
GROUP = "affine_set<(i)[g] : (i - 4 * g >= 0, 4 * g + 3 - i >= 0)>"


def transfer(producers: str, deliver: str) -> Program:
    body = (
        CONSTANTS
        + view("X", "x", [8, 8])
        + view("Z", "z", [8, 8])
        + "%id = ktdp.get_compute_tile_id : index\n"
    )
    body += f"%f = ktdp.inter_tile_produce producer_tiles_per_group = {producers} -> {FUTURE} {{\n"
    body += "^bb0(%g: index):\n"
    body += tile("a", "X", "%id, %c0", [8, 8], [1, 8]) + load("v", "a", [1, 8])
    body += "ktdp.yield_partial %v : tensor<1x8xf32>\n}\n" + full("zero", "0.0", [1, 8]) + deliver
    body += tile("b", "Z", "%id, %c0", [8, 8], [1, 8]) + store("s", "b", [1, 8])
    return lifted("%x: index, %z: index", body, "[8]")


def test_reduce_within_groups() -> None:
    program = transfer(
        GROUP,
        f"%s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = {GROUP}, "
        "identity(%zero : tensor<1x8xf32>) "
        f": {FUTURE} -> tensor<1x8xf32> {{\n^bb0(%l: tensor<1x8xf32>, %r: tensor<1x8xf32>):\n"
        "%t = arith.addf %l, %r : tensor<1x8xf32>\nktdp.yield_reduced %t : tensor<1x8xf32>\n}\n",
    )
    x = randoms(8, 8, 8)
    want = np.repeat(x.astype(np.float64).reshape(2, 4, 8).sum(1), 4, axis=0)
    got = interpret(program, {"x": x, "z": np.zeros_like(x)}, seed=3)["z"]
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def test_broadcast_within_groups() -> None:
    program = transfer(
        "affine_set<(i)[g] : (i - 4 * g - 1 == 0)>",
        f"%s = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = {GROUP} "
        f": {FUTURE} -> tensor<1x8xf32>\n",
    )
    assert "(when (or (eq tile 1) (eq tile 5))" in show(program.body, 1000)
    x = randoms(9, 8, 8)
    got = interpret(program, {"x": x, "z": np.zeros_like(x)}, seed=1)["z"]
    assert (got == np.repeat(x[[1, 5]], 4, axis=0)).all()


@pytest.mark.parametrize(
    "body, says",
    [
        (reduce("s", "arith.subf", "v", "zero", [4, 8], [1]), "single fold"),
        (
            "%s = scf.for %k = %c0 to %c4 step %c1 iter_args(%n = %c0) -> (index) {\n"
            "scf.yield %n : index\n}\n",
            "index",
        ),
        (
            "scf.for %i = %c0 to %c4 step %c1 {\nscf.for %j = %c0 to %i step %c1 {\nSTORE}\n}\n",
            "trip count varies",
        ),
    ],
)
def test_not_covered(body: str, says: str) -> None:
    text = CONSTANTS + view("X", "x", [4, 8]) + view("Z", "z", [4]) + full("zero", "0.0", [4])
    text += tile("a", "X", "%c0, %c0", [4, 8], [4, 8]) + load("v", "a", [4, 8])
    stored = tile("b", "Z", "%c0", [4], [4]) + store(
        "s" if "addf" in body or "subf" in body else "zero", "b", [4]
    )
    text += body.replace("STORE", stored)
    with pytest.raises(TilesatError, match=says) as error:
        lifted("%x: index, %z: index", text + stored)
    assert error.value.diagnostics[0].position.line > 1
