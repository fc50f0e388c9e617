"""The lift: golden programs of the example kernels, their results against NumPy, dependences, diagnostics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ktir_text import CONSTANTS, kernel, load, store, tile, view
from tilesat.diagnostics import TilesatError
from tilesat.ktir import read_file, read_text
from tilesat.options import Options
from tilesat.schedule import Carried, Program, print_program, read_program, show
from tilesat.schedule.interpreter import interpret
from tilesat.schedule.legality import check
from tilesat.schedule.lift import lift

Array = np.ndarray[Any, Any]
EXAMPLES = Path(__file__).parents[2] / "examples"


def f16(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float16)


def two(*shape: int) -> Callable[[], tuple[dict[str, Array], dict[str, Array]]]:
    def case() -> tuple[dict[str, Array], dict[str, Array]]:
        x, y = f16(1, *shape), f16(2, *shape)
        return {"x": x, "y": y, "z": np.zeros_like(x)}, {"z": x + y}

    return case


def chain() -> tuple[dict[str, Array], dict[str, Array]]:
    x, y = f16(3, 64, 256), f16(4, 64, 256)
    xf, yf = x.astype(np.float32), y.astype(np.float32)
    total = xf + yf
    decay = np.exp(-(1 / np.sqrt((total * total + 1).astype(np.float64))).astype(np.float32))
    z = np.zeros_like(x)
    return {"x": x, "y": y, "z": z, "w": z.copy()}, {
        "z": decay.astype(np.float16),
        "w": (decay - yf).astype(np.float16),
    }


def broadcast(b_shape: tuple[int, ...], spread: Callable[[Array], Array]) -> Callable[[], Any]:
    def case() -> tuple[dict[str, Array], dict[str, Array]]:
        x, b = f16(5, 64, 128), f16(6, *b_shape)
        return {"x": x, "b": b, "z": np.zeros_like(x)}, {"z": x * spread(b)}

    return case


def one(shape: tuple[int, ...], f: Callable[[Array], Array], out: str = "z") -> Callable[[], Any]:
    def case() -> tuple[dict[str, Array], dict[str, Array]]:
        x = f16(7, *shape)
        return ({"x": x} if out == "x" else {"x": x, "z": np.zeros_like(x)}), {out: f(x)}

    return case


CASES: dict[str, Callable[[], tuple[dict[str, Array], dict[str, Array]]]] = {
    "vector_add": two(2048),
    "add_96x64": two(96, 64),
    "add_96x64_2tiles": two(96, 64),
    "rows3": two(3, 64),
    "chain": chain,
    "broadcast_row": broadcast((128,), lambda b: b[None, :]),
    "broadcast_column": broadcast((64,), lambda b: b[:, None]),
    "broadcast_n1": broadcast((64, 1), lambda b: b),
    "wide1000": one((8, 1000), lambda x: x * x),
    "exp_in_place": one((16, 128), np.exp, "x"),
    "grid_2d": one((128, 256), np.negative),
    "big_add": two(4096, 4096),
}


def example(name: str) -> Program:
    return lift(read_file(EXAMPLES / f"{name}.mlir"))


@pytest.mark.parametrize("name", CASES)
def test_example(name: str, golden: Callable[[str, str], None]) -> None:
    program = example(name)
    check(program)
    assert read_program(print_program(program)) == program
    golden(f"{name}.sir", print_program(program))


@pytest.mark.parametrize("name", [n for n in CASES if n != "big_add"])
def test_example_runs_right(name: str) -> None:
    buffers, expected = CASES[name]()
    found = interpret(example(name), buffers)
    for key, want in expected.items():
        assert found[key].dtype == want.dtype
        if name in ("chain", "exp_in_place"):  # NumPy's own exp differs in the last place with its SIMD path
            np.testing.assert_array_max_ulp(found[key], want, 1)
        else:
            assert found[key].tobytes() == want.tobytes()


# --- kernels in the test -----------------------------------------------------------------------------------


def lifted(args: str, body: str, grid: str = "[1]", options: Options | None = None) -> Program:
    program = lift(read_text(kernel(args, body, grid)), None, options)
    check(program)
    assert read_program(print_program(program)) == program
    return program


def shifted(distance: int, load_at: str, store_at: str, tile_size: int = 4) -> Program:
    body = CONSTANTS + view("X", "x", [64]) + "scf.for %i = %c0 to %c8 step %c1 {\n"
    body += f"%p = arith.muli %i, %c4 : index\n%q = arith.addi %p, %c{distance} : index\n"
    body += tile("a", "X", load_at, [64], [tile_size]) + load("v", "a", [tile_size])
    body += f"%w = arith.addf %v, %v : tensor<{tile_size}xf32>\n"
    body += tile("b", "X", store_at, [64], [tile_size]) + store("w", "b", [tile_size]) + "}\n"
    return lifted("%x: index", body)


def test_in_place_carries_nothing() -> None:
    assert shifted(0, "%p", "%p").carried == ()


def test_flow_to_the_next_step() -> None:
    assert shifted(4, "%p", "%q").carried == (Carried("s0", "s0", "i", 1, "flow"),)


def test_flow_at_distance_two() -> None:
    assert shifted(8, "%p", "%q").carried == (Carried("s0", "s0", "i", 2, "flow"),)


def test_anti_dependence() -> None:
    assert shifted(4, "%q", "%p").carried == (Carried("s0", "s0", "i", 1, "anti"),)


def test_shift_inside_a_tile() -> None:
    # load x[4i+1 … 4i+4], store x[4i … 4i+3]: element 4i+4 is stored by the next step, the others in this one
    found = {(c.axis, c.distance, c.kind) for c in shifted(1, "%q", "%p").carried}
    assert found == {("i", 1, "anti"), ("c", None, "anti")}


def test_no_conflict_beyond_reach() -> None:
    body = CONSTANTS + view("X", "x", [64]) + "scf.for %i = %c0 to %c8 step %c1 {\n"
    body += "%p = arith.muli %i, %c4 : index\n" + tile("a", "X", "%p", [64], [4]) + load("v", "a", [4])
    body += "%q = affine.apply affine_map<(d) -> (4 * d + 32)>(%i)\n"
    body += tile("b", "X", "%q", [64], [4]) + store("v", "b", [4]) + "}\n"
    assert lifted("%x: index", body).carried == ()


def test_interleaved_columns_do_not_conflict() -> None:
    # load x[2i], store x[2i + 1]
    body = CONSTANTS + view("X", "x", [64]) + "scf.for %i = %c0 to %c8 step %c1 {\n"
    body += "%p = arith.muli %i, %c2 : index\n%q = arith.addi %p, %c1 : index\n"
    body += tile("a", "X", "%p", [64], [1]) + load("v", "a", [1])
    body += tile("b", "X", "%q", [64], [1]) + store("v", "b", [1]) + "}\n"
    assert lifted("%x: index", body).carried == ()


def test_store_repeated_by_a_loop() -> None:
    body = CONSTANTS + view("X", "x", [4]) + view("Z", "z", [4])
    body += "scf.for %i = %c0 to %c8 step %c1 {\n" + tile("a", "X", "%c0", [4], [4]) + load("v", "a", [4])
    body += tile("b", "Z", "%c0", [4], [4]) + store("v", "b", [4]) + "}\n"
    assert lifted("%x: index, %z: index", body).carried == (Carried("s0", "s0", "i", None, "output"),)


@pytest.mark.parametrize("may_alias", [False, True])
def test_distinct_arguments(may_alias: bool) -> None:
    body = CONSTANTS + view("X", "x", [64]) + view("Z", "z", [64]) + "scf.for %i = %c0 to %c8 step %c1 {\n"
    body += tile("a", "X", "%i", [64], [4]) + load("v", "a", [4])
    body += tile("b", "Z", "%i", [64], [4]) + store("v", "b", [4]) + "}\n"
    program = lifted("%x: index, %z: index", body, options=Options(may_alias=may_alias))
    assert any(c.kind == "flow" for c in program.carried) == may_alias


def test_baked_addresses() -> None:
    body = "%b0 = arith.constant 256 : index\n%b1 = arith.constant 512 : index\n" + CONSTANTS
    body += view("X", "b0", [64]) + view("Z", "b1", [64])
    body += tile("a", "X", "%c0", [64], [64]) + load("v", "a", [64]) + "%w = arith.negf %v : tensor<64xf32>\n"
    body += tile("b", "Z", "%c0", [64], [64]) + store("w", "b", [64])
    program = lifted("", body)
    x = np.arange(64, dtype=np.float32)
    assert (interpret(program, {256: x, 512: np.zeros_like(x)})[512] == -x).all()
    in_bytes = lifted("", body, options=Options(address_unit="bytes"))
    assert in_bytes.views["X"].base == 64 and in_bytes.views["Z"].base == 128


def test_load_stays_before_an_overlapping_store() -> None:
    """swap halves through two loads: the second store must not feed the first load's user."""
    body = CONSTANTS + view("X", "x", [8]) + tile("a", "X", "%c0", [8], [4]) + tile("b", "X", "%c4", [8], [4])
    body += load("v", "a", [4]) + load("w", "b", [4]) + store("w", "a", [4]) + store("v", "b", [4])
    program = lifted("%x: index", body)
    x = np.arange(8, dtype=np.float32)
    assert (interpret(program, {"x": x})["x"] == np.concatenate([x[4:], x[:4]])).all()
    assert "let" in show(program.body)


def test_invariant_computation_is_kept_not_repeated() -> None:
    body = CONSTANTS + view("X", "x", [4]) + view("Z", "z", [8, 4])
    body += tile("a", "X", "%c0", [4], [4]) + load("v", "a", [4]) + "%e = math.exp %v : tensor<4xf32>\n"
    body += "scf.for %i = %c0 to %c8 step %c1 {\n"
    body += "%r = tensor.expand_shape %e [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>\n"
    body += tile("b", "Z", "%i, %c0", [8, 4], [1, 4]) + store("r", "b", [1, 4]) + "}\n"
    program = lifted("%x: index, %z: index", body)
    assert len(program.values) == 1 and len(program.stmts) == 2
    x = np.linspace(0, 1, 4, dtype=np.float32)
    z = interpret(program, {"x": x, "z": np.zeros((8, 4), np.float32)})["z"]
    assert (z == np.exp(x)[None, :]).all()


def test_index_maps() -> None:
    """transpose, slice with stride, collapse, broadcast: only coordinates change."""
    body = CONSTANTS + view("X", "x", [4, 6]) + view("Z", "z", [2, 12])
    body += tile("a", "X", "%c0, %c0", [4, 6], [4, 6]) + load("v", "a", [4, 6])
    body += "%t0 = tensor.empty() : tensor<6x4xf32>\n"
    body += (
        "%t = linalg.transpose ins(%v : tensor<4x6xf32>) outs(%t0 : tensor<6x4xf32>) permutation = [1, 0]\n"
    )
    body += "%s = tensor.extract_slice %t[1, 0] [3, 4] [2, 1] : tensor<6x4xf32> to tensor<3x4xf32>\n"
    body += "%f = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>\n"
    body += "%g0 = tensor.empty() : tensor<2x12xf32>\n"
    body += "%g = linalg.broadcast ins(%f : tensor<12xf32>) outs(%g0 : tensor<2x12xf32>) dimensions = [0]\n"
    body += tile("b", "Z", "%c0, %c0", [2, 12], [2, 12]) + store("g", "b", [2, 12])
    program = lifted("%x: index, %z: index", body)
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    want = np.broadcast_to(x.T[1::2].reshape(1, 12), (2, 12))
    z = interpret(program, {"x": x, "z": np.zeros((2, 12), np.float32)})["z"]
    assert (z == want).all()


def test_runtime_loop_and_scalars() -> None:
    """Cyclic rows with a run-time count, i32 arithmetic, a float argument, a store under scf.if."""
    args = "%x: index, %z: index, %n: i32, %s: f32"
    body = CONSTANTS + view("X", "x", [40, 4]) + view("Z", "z", [40, 4])
    body += "%id = ktdp.get_compute_tile_id : index\n%m = arith.index_cast %n : i32 to index\n"
    body += "scf.for %row = %id to %m step %c4 {\n"
    body += tile("a", "X", "%row, %c0", [40, 4], [1, 4]) + load("v", "a", [1, 4])
    body += "%k = tensor.splat %s : tensor<1x4xf32>\n%w = arith.mulf %v, %k : tensor<1x4xf32>\n"
    body += "%odd = arith.remui %row, %c2 : index\n%yes = arith.cmpi eq, %odd, %c0 : index\nscf.if %yes {\n"
    body += tile("b", "Z", "%row, %c0", [40, 4], [1, 4]) + store("w", "b", [1, 4])
    body += "} else {\n" + tile("c", "Z", "%row, %c0", [40, 4], [1, 4]) + store("v", "c", [1, 4]) + "}\n}\n"
    program = lifted(args, body, "[4]")
    x = np.arange(160, dtype=np.float32).reshape(40, 4)
    for n in (0, 3, 37):
        want = np.zeros_like(x)
        want[:n:2] = x[:n:2] * np.float32(1.5)
        want[1:n:2] = x[1:n:2]
        got = interpret(program, {"x": x, "z": np.zeros_like(x)}, {"n": n, "s": 1.5})["z"]
        assert (got == want).all(), n


def test_tile_beyond_the_view_is_padded() -> None:
    body = CONSTANTS + view("X", "x", [10]) + view("Z", "z", [10])
    body += tile("a", "X", "%c4", [10], [8]) + load("v", "a", [8]) + "%w = math.exp %v : tensor<8xf32>\n"
    body += tile("b", "Z", "%c0", [10], [8]) + store("w", "b", [8])
    body += tile("c", "Z", "%c8", [10], [8]) + store("v", "c", [8])
    program = lifted("%x: index, %z: index", body)
    x = np.linspace(-1, 1, 10, dtype=np.float32)
    padded = np.concatenate([x[4:], np.zeros(2, np.float32)])
    z = interpret(program, {"x": x, "z": np.full(10, 7, np.float32)})["z"]
    assert (z == np.concatenate([np.exp(padded), padded[:2]])).all()
    strict = lifted("%x: index, %z: index", body, options=Options(out_of_view="error"))
    with pytest.raises(TilesatError, match="beyond view"):
        interpret(strict, {"x": x, "z": np.zeros(10, np.float32)})


def test_grid_order() -> None:
    body = CONSTANTS + view("Z", "z", [6]) + "%p, %q = ktdp.get_compute_tile_id : index, index\n"
    body += "%i = affine.apply affine_map<(p, q) -> (2 * p + q)>(%p, %q)\n"
    body += (
        tile("b", "Z", "%i", [6], [1])
        + "%v = arith.constant dense<1.0> : tensor<1xf32>\n"
        + store("v", "b", [1])
    )
    for order in ("first-fastest", "last-fastest"):
        program = lifted("%z: index", body, "[3, 2]", Options(grid_order=order))
        assert (interpret(program, {"z": np.zeros(6, np.float32)})["z"] == 1).all()


@pytest.mark.parametrize(
    "op, says",
    [
        ("%r = tensor.empty() : tensor<4xf32>\n", "undefined"),
        ("%r = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n", "elements differ"),
    ],
)
def test_what_is_not_covered_says_so(op: str, says: str) -> None:
    body = CONSTANTS + view("Z", "z", [4]) + op + tile("b", "Z", "%c0", [4], [4]) + store("r", "b", [4])
    with pytest.raises(TilesatError) as error:
        lifted("%z: index", body)
    fault = error.value.diagnostics[0]
    assert fault.code == "LIFT001" and says in fault.message and fault.position.line > 1


def test_entry() -> None:
    two_kernels = kernel("", "") + kernel("", "").replace("@k", "@other")
    both = read_text("module {" + two_kernels + "}")
    with pytest.raises(TilesatError, match="ENTRY001"):
        lift(both)
    assert lift(both, "other").name == "other"
    with pytest.raises(TilesatError, match="no function `nope`"):
        lift(both, "nope")
