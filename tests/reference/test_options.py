"""Silent points of the specification, and what the caller or the kernel can get wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tilesat.diagnostics import TilesatError
from tilesat.ktir import read_text
from tilesat.options import Options
from tilesat.sim.reference import ReferenceResult, run

Array = Any
F16, F32 = np.float16, np.float32
VIEW = "ktdp.construct_memory_view"
TILE = "ktdp.construct_access_tile"


def _set(*shape: int) -> str:
    names = ", ".join(f"d{i}" for i in range(len(shape)))
    bounds = ", ".join(f"d{i} >= 0, {n - 1} - d{i} >= 0" for i, n in enumerate(shape))
    return f"affine_set<({names}) : ({bounds})>"


def _order(rank: int) -> str:
    names = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({names}) -> ({names})>"


def view(name: str, address: str, shape: tuple[int, ...], dtype: str = "f16", space: str = "global") -> str:
    strides = [int(np.prod(shape[i + 1 :])) for i in range(len(shape))]
    dims = "".join(f"{n}x" for n in shape)
    attributes = f"{{coordinate_set = {_set(*shape)}, memory_space = #ktdp.memory_space<{space}>}}"
    result = f"{attributes} : memref<{dims}{dtype}>"
    return f"{name} = {VIEW} {address}, sizes: {list(shape)}, strides: {strides} {result}"


def tile(
    name: str, base: str, at: str, shape: tuple[int, ...], size: tuple[int, ...], dtype: str = "f16"
) -> str:
    dims, extent = "".join(f"{n}x" for n in size), "".join(f"{n}x" for n in shape)
    attributes = f"{{access_tile_order = {_order(len(shape))}, access_tile_set = {_set(*shape)}}}"
    types = f"memref<{dims}{dtype}> -> !ktdp.access_tile<{extent}index>"
    return f"{name} = {TILE} {base}[{at}] {attributes} : {types}"


def kernel(arguments: str, lines: list[str], grid: str = "[1]", extra: str = "") -> Any:
    body = "\n    ".join(lines)
    head = f"module {{\n  {extra}\n  func.func @k({arguments}) attributes {{grid = {grid}}} {{\n"
    return read_text(f"{head}    {body}\n    return\n  }}\n}}", "k.mlir")


def _ids(results: str, grid: str) -> Any:
    """Stores the coordinates of every tile at its place in memory order of the linear id."""
    return kernel(
        "%out: index, %id: index",
        [
            f"{results} = ktdp.get_compute_tile_id : {', '.join(['index'] * (results.count('%')))}",
            "%c100 = arith.constant 100 : index",
            "%scaled = arith.muli %y, %c100 : index",
            "%both = arith.addi %x, %scaled : index",
            "%v = arith.index_cast %both : index to i32",
            "%t = tensor.splat %v : tensor<1xi32>",
            "%c3 = arith.constant 3 : index",
            "%far = arith.muli %y, %c3 : index",
            "%place = arith.addi %far, %x : index",
            view("%view", "%out", (6,), "i32"),
            tile("%tile", "%view", "%place", (1,), (6,), "i32"),
            "ktdp.store %t, %tile : tensor<1xi32>, !ktdp.access_tile<1xindex>",
        ],
        grid,
    )


def test_two_grid_dimensions() -> None:
    out = run(_ids("%x, %y", "[3, 2]"), [np.zeros(6, np.int32), 0]).outputs[0]
    assert out.tolist() == [0, 1, 2, 100, 101, 102]


LINEAR = kernel(
    "%out: index",
    [
        "%x, %y = ktdp.get_compute_tile_id : index, index",
        "%c10 = arith.constant 10 : index",
        "%t10 = arith.muli %y, %c10 : index",
        "%v = arith.addi %t10, %x : index",
        "%i = arith.index_cast %v : index to i32",
        "%t = tensor.splat %i : tensor<1xi32>",
        "%zero = arith.constant dense<0> : tensor<1xi32>",
        # a gather hands every tile the values of all tiles in ascending linear id
        "%f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i >= 0, 5 - i >= 0)>"
        " -> <(tensor<1xi32>), groups = affine_set<(g) : (g == 0)>> {",
        "^bb0(%g: index):",
        "  ktdp.yield_partial %t : tensor<1xi32>",
        "}",
        "%all = ktdp.inter_tile_gather(%f)"
        " consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, 5 - i >= 0)>,"
        " gather_dimensions = [0] : <(tensor<1xi32>), groups = affine_set<(g) : (g == 0)>> -> tensor<6xi32>",
        "%c0 = arith.constant 0 : index",
        view("%view", "%out", (6,), "i32"),
        tile("%tile", "%view", "%c0", (6,), (6,), "i32"),
        "ktdp.store %all, %tile : tensor<6xi32>, !ktdp.access_tile<6xindex>",
    ],
    "[3, 2]",
)


@pytest.mark.parametrize(
    ("order", "want"), [("first-fastest", [0, 1, 2, 10, 11, 12]), ("last-fastest", [0, 10, 1, 11, 2, 12])]
)
def test_grid_order(order: str, want: list[int]) -> None:
    out = run(LINEAR, [np.zeros(6, np.int32)], options=Options(grid_order=order)).outputs[0]
    assert out.tolist() == want


def test_fewer_results_than_grid_dimensions() -> None:
    """[2, 3] with one result: the linear id."""
    module = kernel(
        "%out: index",
        [
            "%id = ktdp.get_compute_tile_id : index",
            "%i = arith.index_cast %id : index to i32",
            "%t = tensor.splat %i : tensor<1xi32>",
            view("%view", "%out", (6,), "i32"),
            tile("%tile", "%view", "%id", (1,), (6,), "i32"),
            "ktdp.store %t, %tile : tensor<1xi32>, !ktdp.access_tile<1xindex>",
        ],
        "[2, 3]",
    )
    assert run(module, [np.zeros(6, np.int32)]).outputs[0].tolist() == [0, 1, 2, 3, 4, 5]


def _second_row(dtype: str) -> Any:
    return kernel(
        "%x: index, %out: index, %skip: index",
        [
            "%c0 = arith.constant 0 : index",
            "%p = arith.addi %x, %skip : index",
            view("%a", "%p", (4,), dtype),
            tile("%at", "%a", "%c0", (4,), (4,), dtype),
            f"%v = ktdp.load %at : !ktdp.access_tile<4xindex> -> tensor<4x{dtype}>",
            view("%b", "%out", (4,), dtype),
            tile("%bt", "%b", "%c0", (4,), (4,), dtype),
            f"ktdp.store %v, %bt : tensor<4x{dtype}>, !ktdp.access_tile<4xindex>",
        ],
    )


@pytest.mark.parametrize(("dtype", "t"), [("f16", F16), ("f32", F32), ("i8", np.int8)])
def test_address_units(dtype: str, t: Any) -> None:
    x = np.arange(8).astype(t)
    by_element = run(_second_row(dtype), [x, np.zeros(4, t), 4])
    by_byte = run(
        _second_row(dtype), [x, np.zeros(4, t), 4 * x.itemsize], options=Options(address_unit="bytes")
    )
    assert by_element.outputs[1].tolist() == by_byte.outputs[1].tolist() == [4, 5, 6, 7]
    if x.itemsize > 1:
        with pytest.raises(TilesatError, match="not a multiple"):
            run(_second_row(dtype), [x, np.zeros(4, t), 1], options=Options(address_unit="bytes"))


def test_accesses_outside_the_array_are_faults() -> None:
    x = np.zeros(8, F16)
    for skip in (5, -1, 100):
        with pytest.raises(TilesatError) as e:
            run(_second_row("f16"), [x, np.zeros(4, F16), skip])
        assert e.value.diagnostics[0].code in ("REF020", "REF003")
        assert e.value.diagnostics[0].position.line > 0


def _row_sum(body: str = "{ arith.addf }") -> Any:
    return kernel(
        "%x: index, %out: index",
        [
            "%c0 = arith.constant 0 : index",
            view("%a", "%x", (1, 512)),
            tile("%at", "%a", "%c0, %c0", (1, 512), (1, 512)),
            "%v = ktdp.load %at : !ktdp.access_tile<1x512xindex> -> tensor<1x512xf16>",
            "%e = tensor.empty() : tensor<1xf16>",
            f"%s = linalg.reduce {body} ins(%v : tensor<1x512xf16>)"
            " outs(%e : tensor<1xf16>) dimensions = [1]",
            view("%b", "%out", (1,)),
            tile("%bt", "%b", "%c0", (1,), (1,)),
            "ktdp.store %s, %bt : tensor<1xf16>, !ktdp.access_tile<1xindex>",
        ],
    )


def test_reductions_carry_a_wider_float_by_default() -> None:
    x = np.full((1, 512), 9.0, F16)
    x[0, 0] = 2048  # beyond which f16 counts in steps of 2 and 4
    total = float(x.astype(np.float64).sum())
    assert float(run(_row_sum(), [x, np.zeros(1, F16)]).outputs[1][0]) == float(F16(total))

    step_by_step = F16(0)
    for v in x[0]:
        step_by_step = F16(step_by_step + v)
    sequential = Options(accumulator="element")
    assert run(_row_sum(), [x, np.zeros(1, F16)], options=sequential).outputs[1][0] == step_by_step

    level = x[0]
    while level.size > 1:
        level = level[::2] + level[1::2]
    halves = Options(accumulator="element", reduction_order="tree")
    assert run(_row_sum(), [x, np.zeros(1, F16)], options=halves).outputs[1][0] == level[0]
    assert step_by_step != level[0]


def test_maximum_into_an_empty_tensor_starts_from_minus_infinity() -> None:
    x = np.full((1, 512), -7.0, F16)
    assert run(_row_sum("{ arith.maximumf }"), [x, np.zeros(1, F16)]).outputs[1][0] == -7


def _square(dtype: str = "f16") -> Any:
    return kernel(
        "%x: index",
        [
            "%c0 = arith.constant 0 : index",
            view("%a", "%x", (4,), dtype),
            tile("%at", "%a", "%c0", (4,), (4,), dtype),
            f"%v = ktdp.load %at : !ktdp.access_tile<4xindex> -> tensor<4x{dtype}>",
            f"%s = arith.mulf %v, %v : tensor<4x{dtype}>",
            f"ktdp.store %s, %at : tensor<4x{dtype}>, !ktdp.access_tile<4xindex>",
        ],
    )


def test_df16_numerics() -> None:
    """f16 buffers hold 1-6-9 on the device: a wider range, one fraction bit less."""
    x = np.array([1 + 3 * 2.0**-10, 300, 1.5, 2.0**-20], F16)
    ieee = run(_square(), [x]).outputs[0]
    df16 = run(_square(), [x], options=Options(numerics="df16")).outputs[0]
    assert ieee.dtype == df16.dtype == F16
    assert ieee.tolist() == [float(F16(np.float64(v) ** 2)) if v < 256 else np.inf for v in x]
    rounded = 1 + 2 * 2.0**-9  # 3·2^-10 is a tie, away from zero
    unit = 2.0**-9
    assert df16[0] == np.floor(rounded**2 / unit + 0.5) * unit
    assert df16[1] == np.inf and df16[2] == 2.25 and df16[3] == 0


def test_nothing_of_the_caller_changes() -> None:
    x = np.array([1, 2, 3, 4], F16)
    result = run(_square(), [x])
    assert x.tolist() == [1, 2, 3, 4] and result.outputs[0].tolist() == [1, 4, 9, 16]


def test_arrays_at_constant_addresses() -> None:
    module = kernel(
        "",
        [
            "%c0 = arith.constant 0 : index",
            "%p = arith.constant 4096 : index",
            "%q = arith.constant 8192 : index",
            view("%a", "%p", (4,)),
            tile("%at", "%a", "%c0", (4,), (4,)),
            "%v = ktdp.load %at : !ktdp.access_tile<4xindex> -> tensor<4xf16>",
            "%s = arith.negf %v : tensor<4xf16>",
            view("%b", "%q", (4,)),
            tile("%bt", "%b", "%c0", (4,), (4,)),
            "ktdp.store %s, %bt : tensor<4xf16>, !ktdp.access_tile<4xindex>",
        ],
    )
    x = np.array([1, 2, 3, 4], F16)
    result: ReferenceResult = run(module, [], memory={4096: x, 8192: np.zeros(4, F16)})
    assert result.memory[8192].tolist() == [-1, -2, -3, -4] and result.memory[4096] is x
    with pytest.raises(TilesatError, match=r"address 8192 belongs to no buffer|outside the buffer"):
        run(module, [], memory={4096: x})
    with pytest.raises(TilesatError, match="overlaps"):
        run(module, [], memory={4096: np.zeros(5000, F16), 8192: x})


def test_scratchpads_left_by_an_earlier_kernel() -> None:
    module = kernel(
        "%out: index",
        [
            "%id = ktdp.get_compute_tile_id : index",
            "%c0 = arith.constant 0 : index",
            "%c64 = arith.constant 64 : index",
            view("%a", "%c64", (1, 4), space="ct_local"),
            tile("%at", "%a", "%c0, %c0", (1, 4), (1, 4)),
            "%v = ktdp.load %at : !ktdp.access_tile<1x4xindex> -> tensor<1x4xf16>",
            view("%b", "%out", (3, 4)),
            tile("%bt", "%b", "%id, %c0", (1, 4), (3, 4)),
            "ktdp.store %v, %bt : tensor<1x4xf16>, !ktdp.access_tile<1x4xindex>",
        ],
        "[3]",
    )
    rows = np.arange(12).astype(F16).reshape(3, 4)
    left = {(t, 64): rows[t] for t in range(3)}
    assert run(module, [np.zeros((3, 4), F16)], scratch=left).outputs[0].tolist() == rows.tolist()
    with pytest.raises(TilesatError, match="reads scratchpad that nothing has written"):
        run(module, [np.zeros((3, 4), F16)])
    with pytest.raises(TilesatError, match="reads scratchpad that nothing has written"):
        run(module, [np.zeros((3, 4), F16)], scratch={(t, 64): rows[t, : t + 2] for t in range(3)})
    kept = Options(lx_between_kernels="kept")
    assert not run(module, [np.ones((3, 4), F16)], options=kept).outputs[0].any()


def test_a_memref_argument_is_a_view() -> None:
    module = kernel(
        "%x: memref<2x3xf32>",
        [
            "%c1 = arith.constant 1 : index",
            "%c0 = arith.constant 0 : index",
            tile("%t", "%x", "%c1, %c0", (1, 3), (2, 3), "f32"),
            "%v = ktdp.load %t : !ktdp.access_tile<1x3xindex> -> tensor<1x3xf32>",
            "%s = arith.addf %v, %v : tensor<1x3xf32>",
            "ktdp.store %s, %t : tensor<1x3xf32>, !ktdp.access_tile<1x3xindex>",
        ],
    )
    x = np.arange(6).astype(F32).reshape(2, 3)
    assert run(module, [x]).outputs[0].tolist() == [[0, 1, 2], [6, 8, 10]]


def test_tiles_whose_shapes_differ_run_one_by_one() -> None:
    """Tile i copies i + 1 elements: no single batch can hold that."""
    module = kernel(
        "%x: index, %out: index",
        [
            "%id = ktdp.get_compute_tile_id : index",
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
            "%n = arith.addi %id, %c1 : index",
            f"%a = {VIEW} %x, sizes: [%n], strides: [1] "
            "{coordinate_set = affine_set<(d)[n] : (d >= 0, n - d - 1 >= 0)>, "
            "memory_space = #ktdp.memory_space<global>} : memref<?xf16>",
            f"%at = {TILE} %a[%c0] {{access_tile_order = {_order(1)}, access_tile_set = {_set(4)}}}"
            " : memref<?xf16> -> !ktdp.access_tile<4xindex>",
            "%v = ktdp.load %at : !ktdp.access_tile<4xindex> -> tensor<4xf16>",
            "%w = tensor.expand_shape %v [[0, 1]] output_shape [1, 4] : tensor<4xf16> into tensor<1x4xf16>",
            view("%b", "%out", (3, 4)),
            tile("%bt", "%b", "%id, %c0", (1, 4), (3, 4)),
            "ktdp.store %w, %bt : tensor<1x4xf16>, !ktdp.access_tile<1x4xindex>",
        ],
        "[3]",
    )
    x = np.array([1, 2, 3, 4], F16)
    want = [[1, 0, 0, 0], [1, 2, 0, 0], [1, 2, 3, 0]]
    assert run(module, [x, np.zeros((3, 4), F16)]).outputs[1].tolist() == want


def test_all_tiles_storing_to_one_place_leave_the_last_value() -> None:
    module = kernel(
        "%out: index",
        [
            "%id = ktdp.get_compute_tile_id : index",
            "%c0 = arith.constant 0 : index",
            "%i = arith.index_cast %id : index to i32",
            "%t = tensor.splat %i : tensor<2xi32>",
            view("%b", "%out", (2,), "i32"),
            tile("%bt", "%b", "%c0", (2,), (2,), "i32"),
            "ktdp.store %t, %bt : tensor<2xi32>, !ktdp.access_tile<2xindex>",
        ],
        "[5]",
    )
    assert run(module, [np.zeros(2, np.int32)]).outputs[0].tolist() == [4, 4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([np.zeros(4, F32)], "holds float32, but the kernel views it as f16"),
        ([np.zeros(4, np.int16)], "holds int16, but the kernel views it as f16"),
        ([np.zeros(3, F16)], "outside the buffer of 3 elements"),
        ([], "takes 1 arguments (%x), 0 were given"),
        ([np.zeros(4, F16), 3], "takes 1 arguments (%x), 2 were given"),
        ([7], "address 7 belongs to no buffer"),
        (["x"], "a number is needed, got str"),
    ],
)
def test_wrong_arguments(arguments: list[Any], message: str) -> None:
    with pytest.raises(TilesatError) as e:
        run(_square(), arguments)
    assert message in str(e.value)


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("i32", 2**32, "does not fit i32"),
        ("i32", 1.5, "is not an integer"),
        ("f16", np.zeros(3, F16), "a number is needed"),
        ("memref<4xf16>", 3, "an array is needed"),
    ],
)
def test_wrong_scalars(kind: str, value: Any, message: str) -> None:
    with pytest.raises(TilesatError) as e:
        run(kernel(f"%x: {kind}", []), [value])
    assert message in str(e.value)


def test_choosing_the_function() -> None:
    module = kernel("%x: index", [], extra="func.func @other() attributes {grid = [1]} { return }")
    with pytest.raises(TilesatError, match="several kernels"):
        run(module, [])
    assert run(module, [], entry="other").outputs == []
    with pytest.raises(TilesatError, match="no function `third`"):
        run(module, [], entry="third")


def test_options_are_checked() -> None:
    with pytest.raises(TilesatError, match="option numerics is `fast`"):
        Options(numerics="fast")
    with pytest.raises(TilesatError, match="no option `speed`"):
        Options.parse({"speed": "9"})
    assert Options.parse({"grid-order": "last-fastest"}) == Options(grid_order="last-fastest")


FUTURE = "<(tensor<2xf32>), groups = affine_set<(g) : (g >= 0, 1 - g >= 0)>>"


def _exchange(producers: str, consume: str, before: str = "", after: str = "") -> Any:
    return kernel(
        "",
        [
            "%id = ktdp.get_compute_tile_id : index",
            "%c1 = arith.constant 1 : index",
            "%v = arith.constant dense<1.0> : tensor<2xf32>",
            before,
            f"%f = ktdp.inter_tile_produce producer_tiles_per_group = {producers} -> {FUTURE} {{",
            "^bb0(%g: index):",
            "  ktdp.yield_partial %v : tensor<2xf32>",
            "}",
            consume,
            after,
        ],
        "[4]",
    )


PAIRS = "affine_set<(i)[g] : (i - 2 * g >= 0, 2 * g + 1 - i >= 0)>"
CONSUME = f"%w = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = {PAIRS} : {FUTURE} -> tensor<2xf32>"


@pytest.mark.parametrize(
    ("module", "code"),
    [
        (_exchange("affine_set<(i)[g] : (i >= 0, 1 - i >= 0)>", ""), "REF031"),
        (_exchange(PAIRS, CONSUME), "REF035"),
        (
            _exchange(PAIRS, CONSUME, "%first = arith.cmpi ult, %id, %c1 : index\n    scf.if %first {", "}"),
            "REF032",
        ),
        (
            _exchange(
                PAIRS,
                f"%w = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = {PAIRS},"
                f" scatter_dimensions = [0] : {FUTURE} -> tensor<1xf32>",
            ),
            "REF035",
        ),
    ],
)
def test_faulty_exchanges_are_diagnosed(module: Any, code: str) -> None:
    with pytest.raises(TilesatError) as e:
        run(module, [])
    assert e.value.diagnostics[0].code == code and e.value.diagnostics[0].position.line > 0


def test_a_negative_step_is_a_fault() -> None:
    module = kernel(
        "%n: index",
        [
            "%c0 = arith.constant 0 : index",
            "%c3 = arith.constant 3 : index",
            "scf.for %i = %c0 to %c3 step %n {",
            "}",
        ],
    )
    run(module, [1])
    with pytest.raises(TilesatError, match="step must be positive"):
        run(module, [0])


def test_the_same_array_twice_is_one_buffer() -> None:
    """An in-place kernel written with two arguments: the second half is read after it was written."""
    module = kernel(
        "%x: index, %y: index",
        [
            "%c0 = arith.constant 0 : index",
            "%c2 = arith.constant 2 : index",
            view("%a", "%x", (4,)),
            view("%b", "%y", (4,)),
            tile("%first", "%a", "%c0", (2,), (4,)),
            tile("%target", "%b", "%c2", (2,), (4,)),
            "%v = ktdp.load %first : !ktdp.access_tile<2xindex> -> tensor<2xf16>",
            "ktdp.store %v, %target : tensor<2xf16>, !ktdp.access_tile<2xindex>",
            tile("%last", "%a", "%c2", (2,), (4,)),
            "%w = ktdp.load %last : !ktdp.access_tile<2xindex> -> tensor<2xf16>",
            "%s = arith.addf %w, %w : tensor<2xf16>",
            "ktdp.store %s, %last : tensor<2xf16>, !ktdp.access_tile<2xindex>",
        ],
    )
    x = np.array([1, 2, 3, 4], F16)
    shared = run(module, [x, x]).outputs
    assert shared[0].tolist() == shared[1].tolist() == [1, 2, 2, 4]
    apart = run(module, [x, x.copy()]).outputs
    assert apart[0].tolist() == [1, 2, 6, 8] and apart[1].tolist() == [1, 2, 1, 2]


def test_a_tile_of_a_tensor() -> None:
    types = "tensor<2x4xf16> -> !ktdp.access_tile<2x3xindex>"
    module = kernel(
        "%x: index, %out: index",
        [
            "%id = ktdp.get_compute_tile_id : index",
            "%c0 = arith.constant 0 : index",
            view("%a", "%x", (3, 2, 4)),
            tile("%at", "%a", "%id, %c0, %c0", (1, 2, 4), (3, 2, 4)),
            "%v3 = ktdp.load %at : !ktdp.access_tile<1x2x4xindex> -> tensor<1x2x4xf16>",
            "%v = tensor.collapse_shape %v3 [[0, 1], [2]] : tensor<1x2x4xf16> into tensor<2x4xf16>",
            f"%cut = {TILE} %v[%c0, %id] {{access_tile_order = {_order(2)}, "
            f"access_tile_set = {_set(2, 3)}}} : {types}",
            "%w = ktdp.load %cut : !ktdp.access_tile<2x3xindex> -> tensor<2x3xf16>",
            "%w3 = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 2, 3]"
            " : tensor<2x3xf16> into tensor<1x2x3xf16>",
            view("%b", "%out", (3, 2, 3)),
            tile("%bt", "%b", "%id, %c0, %c0", (1, 2, 3), (3, 2, 3)),
            "ktdp.store %w3, %bt : tensor<1x2x3xf16>, !ktdp.access_tile<1x2x3xindex>",
        ],
        "[3]",
    )
    x = np.arange(24).astype(F16).reshape(3, 2, 4)
    out = run(module, [x, np.zeros((3, 2, 3), F16)]).outputs[1]
    padded = np.concatenate([x, np.zeros((3, 2, 3), F16)], 2)
    assert out.tolist() == [padded[t, :, t : t + 3].tolist() for t in range(3)]
