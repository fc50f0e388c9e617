"""Kernels on which something was wrong once, cut down to what matters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilesat
from kernels import assert_matches, round_bf16
from tilesat.arch import load_arch
from tilesat.dataflow import verify
from tilesat.diagnostics import TilesatError
from tilesat.explain import check_replay
from tilesat.ktir import read_text


def box(shape: Sequence[int]) -> str:
    dims = [f"d{k}" for k in range(len(shape))]
    bounds = ", ".join(f"{d} >= 0, {n - 1} - {d} >= 0" for d, n in zip(dims, shape, strict=True))
    return f"affine_set<({', '.join(dims)}) : ({bounds})>"


def view(name: str, base: str, sizes: Sequence[int], dtype: str, strides: Sequence[int] | None = None) -> str:
    rows = [int(np.prod(sizes[k + 1 :])) for k in range(len(sizes))]
    shape = "x".join(map(str, (*sizes, dtype)))
    return (
        f"{name} = ktdp.construct_memory_view {base}, sizes: {list(sizes)}, strides: {list(strides or rows)} "
        f"{{coordinate_set = {box(sizes)}, memory_space = #ktdp.memory_space<global>}} : memref<{shape}>"
    )


def tile(name: str, at: str, shape: Sequence[int], memref: str) -> str:
    dims = ", ".join(f"d{k}" for k in range(len(shape)))
    return (
        f"{name} = ktdp.construct_access_tile {at} {{access_tile_order = affine_map<({dims}) -> ({dims})>, "
        f"access_tile_set = {box(shape)}}} : memref<{memref}> -> !ktdp.access_tile<{_x(shape)}xindex>"
    )


def load(name: str, of: str, shape: Sequence[int], dtype: str) -> str:
    return f"{name} = ktdp.load {of} : !ktdp.access_tile<{_x(shape)}xindex> -> tensor<{_x(shape)}x{dtype}>"


def store(value: str, to: str, shape: Sequence[int], dtype: str) -> str:
    return f"ktdp.store {value}, {to} : tensor<{_x(shape)}x{dtype}>, !ktdp.access_tile<{_x(shape)}xindex>"


def _x(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))


def kernel(folder: Path, arguments: str, grid: int, *lines: str) -> Path:
    path = folder / "k.mlir"
    head = f"func.func @k({arguments}) attributes {{grid = [{grid}]}} {{"
    path.write_text("\n    ".join(["module {", head, *lines, "return", "}", "}", ""]))
    return path


def runs(path: Path, given: list[Any], expected: dict[int, Any], arch: str, strategy: str) -> None:
    program = tilesat.compile(path, arch=arch, strategy=strategy)
    assert verify(read_text(program.dataflow, "k.mlir")) == []
    for result in (tilesat.run(program, given), tilesat.reference(path, given)):
        for i, want in expected.items():
            assert_matches(np.asarray(result.outputs[i]), want, 0, f"argument {i}")


every = pytest.mark.parametrize("arch", ["spyre", "tiny", "flat", "deep"])
both = pytest.mark.parametrize("strategy", ["default", "none"])


def ragged(folder: Path, size: int, step: int) -> Path:
    """z = x + x in tiles of `step` over `size` elements, for n of them."""
    t, memref = (step,), f"{size}xf16"
    return kernel(
        folder,
        "%x: index, %z: index, %n: index",
        1,
        "%c0 = arith.constant 0 : index",
        f"%s = arith.constant {step} : index",
        view("%X", "%x", (size,), "f16"),
        view("%Z", "%z", (size,), "f16"),
        "scf.for %i = %c0 to %n step %s {",
        tile("%xt", "%X[%i]", t, memref),
        load("%a", "%xt", t, "f16"),
        f"%b = arith.addf %a, %a : tensor<{step}xf16>",
        tile("%zt", "%Z[%i]", t, memref),
        store("%b", "%zt", t, "f16"),
        "}",
    )


@every
@both
@pytest.mark.parametrize("size", [100, 131])
def test_loop_and_tile_reach_beyond_the_view(tmp_path: Path, arch: str, strategy: str, size: int) -> None:
    """Two axes move one coordinate over the edge (DFLOW045); single vectors do so in some iterations only
    (DFLOW046); a loop whose trips the launch decides has its first loads taken out (DFIR070)."""
    path = ragged(tmp_path, size, 33)
    x = np.arange(size).astype(np.float16)
    for n in (0, 1, 34, size):
        z = np.zeros(size, np.float16)
        end = min(size, -(-n // 33) * 33)
        runs(path, [x, z, n], {1: np.where(np.arange(size) < end, x + x, z)}, arch, strategy)


@every
def test_tile_that_starts_before_its_view(tmp_path: Path, arch: str) -> None:
    """z[i] = x[i - 5], zero where that is outside."""
    t = (64,)
    path = kernel(
        tmp_path,
        "%x: index, %z: index",
        1,
        "%c0 = arith.constant 0 : index",
        "%c64 = arith.constant 64 : index",
        "%c128 = arith.constant 128 : index",
        view("%X", "%x", (128,), "f16"),
        view("%Z", "%z", (128,), "f16"),
        "scf.for %i = %c0 to %c128 step %c64 {",
        tile("%xt", "%X[%i - 5]", t, "128xf16"),
        load("%a", "%xt", t, "f16"),
        tile("%zt", "%Z[%i]", t, "128xf16"),
        store("%a", "%zt", t, "f16"),
        "}",
    )
    x = np.arange(1, 129).astype(np.float16)
    want = np.concatenate([np.zeros(5, np.float16), x[:-5]])
    runs(path, [x, np.zeros(128, np.float16)], {1: want}, arch, "default")


def test_buffer_at_an_offset_has_a_type(tmp_path: Path) -> None:
    """The view starts behind the argument's address: float32 given for bf16 is still rounded and checked."""
    t = (64,)
    path = kernel(
        tmp_path,
        "%x: index, %z: index",
        1,
        "%c0 = arith.constant 0 : index",
        "%c3 = arith.constant 3 : index",
        "%at = arith.addi %x, %c3 : index",
        view("%X", "%at", (64,), "bf16"),
        view("%Z", "%z", (64,), "bf16"),
        tile("%xt", "%X[%c0]", t, "64xbf16"),
        load("%a", "%xt", t, "bf16"),
        "%b = arith.addf %a, %a : tensor<64xbf16>",
        tile("%zt", "%Z[%c0]", t, "64xbf16"),
        store("%b", "%zt", t, "bf16"),
    )
    x = round_bf16(np.linspace(-3, 3, 67))
    z = np.zeros(64, np.float32)
    runs(path, [x, z], {1: round_bf16(x[3:] + x[3:])}, "spyre", "default")
    program = tilesat.compile(path)
    assert [(p.dtype, p.elements) for p in program.parameters] == [("bf16", 67), ("bf16", 64)]
    with pytest.raises(TilesatError, match="used up to element 67"):
        tilesat.run(program, [x[:66], z])
    with pytest.raises(TilesatError, match="used as bf16"):
        tilesat.run(program, [x.astype(np.int32), z])


def test_index_argument_that_is_no_address(tmp_path: Path) -> None:
    """Its type in DataflowIR is `index` like that of an address (PRINT002)."""
    program = tilesat.compile(ragged(tmp_path, 100, 33))
    assert "%n: index" in program.dataflow


@pytest.mark.parametrize("columns", [2, 3])
def test_copies_with_permuted_strides_are_cut_to_fit(tmp_path: Path, columns: int) -> None:
    """In a buffer rows follow the order of the dimensions, however close they are in memory (COST001)."""
    shape, t = (31, 144, 4), (31, 3, columns)
    path = kernel(
        tmp_path,
        "%x: index, %z: index",
        1,
        "%c0 = arith.constant 0 : index",
        view("%X", "%x", shape, "f16", (1, 124, 31)),
        view("%Z", "%z", shape, "f32"),
        tile("%xt", "%X[%c0, %c0, %c0]", t, "31x144x4xf16"),
        load("%a", "%xt", t, "f16"),
        f"%b = arith.extf %a : tensor<{_x(t)}xf16> to tensor<{_x(t)}xf32>",
        tile("%zt", "%Z[%c0, %c0, %c0]", t, "31x144x4xf32"),
        store("%b", "%zt", t, "f32"),
    )
    x = np.arange(31 * 144 * 4).astype(np.float16)
    seen = x.reshape(144, 4, 31).transpose(2, 0, 1)
    want = np.zeros(shape, np.float32)
    want[:, :3, :columns] = seen[:, :3, :columns]
    runs(path, [x, np.zeros(shape, np.float32)], {1: want}, "deep", "none")


@pytest.mark.parametrize("arch", ["flat", "tiny"])
def test_in_place_along_two_axes_of_one_dimension(tmp_path: Path, arch: str) -> None:
    """A machine without scratchpad may cut the tile: no other position touches what is stored (COST001)."""
    t = (64,)
    path = kernel(
        tmp_path,
        "%x: index",
        1,
        "%c0 = arith.constant 0 : index",
        "%c64 = arith.constant 64 : index",
        "%c256 = arith.constant 256 : index",
        view("%X", "%x", (256,), "f32"),
        "scf.for %i = %c0 to %c256 step %c64 {",
        tile("%xt", "%X[%i]", t, "256xf32"),
        load("%a", "%xt", t, "f32"),
        "%b = arith.mulf %a, %a : tensor<64xf32>",
        store("%b", "%xt", t, "f32"),
        "}",
    )
    x = np.linspace(-2, 2, 256).astype(np.float32)
    runs(path, [x], {0: x * x}, arch, "default")


def test_why_an_overlapping_tile_has_no_schedule(tmp_path: Path) -> None:
    """x[i + 1] = x[i] for a whole tile needs a place for the tile."""
    t = (64,)
    path = kernel(
        tmp_path,
        "%x: index",
        1,
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
        view("%X", "%x", (65,), "f16"),
        tile("%xt", "%X[%c0]", t, "65xf16"),
        load("%a", "%xt", t, "f16"),
        tile("%yt", "%X[%c1]", t, "65xf16"),
        store("%a", "%yt", t, "f16"),
    )
    with pytest.raises(TilesatError, match="no memory to hold it") as error:
        tilesat.compile(path, arch="flat")
    (found,) = error.value.diagnostics
    assert (found.code, found.position.line) == ("COST002", 9)
    x = np.arange(65).astype(np.float16)
    runs(path, [x], {0: np.concatenate([x[:1], x[:64]])}, "spyre", "default")


def test_grids_of_the_machines_are_as_assumed() -> None:
    assert [load_arch(a).limits.grid_cores for a in ("spyre", "tiny", "flat", "deep")] == [32, 1, 8, 16]


@every
@both
def test_one_load_stored_in_place_and_elsewhere(tmp_path: Path, arch: str, strategy: str) -> None:
    """The first store overwrites what the second still needs: both are effects of one statement (COST002)."""
    t = (100,)
    path = kernel(
        tmp_path,
        "%x: index, %z: index",
        1,
        "%c0 = arith.constant 0 : index",
        view("%X", "%x", t, "f16"),
        view("%Z", "%z", t, "f16"),
        tile("%xt", "%X[%c0]", t, "100xf16"),
        load("%a", "%xt", t, "f16"),
        "%b = arith.addf %a, %a : tensor<100xf16>",
        store("%b", "%xt", t, "f16"),
        tile("%zt", "%Z[%c0]", t, "100xf16"),
        "%d = arith.subf %b, %a : tensor<100xf16>",
        store("%d", "%zt", t, "f16"),
    )
    x = np.arange(100).astype(np.float16)
    runs(path, [x, np.zeros(100, np.float16)], {0: x + x, 1: x}, arch, strategy)


@pytest.mark.parametrize("arch", ["spyre", "tiny", "deep"])
def test_condition_on_a_loop_counter(tmp_path: Path, arch: str) -> None:
    """Which of two buffers is next does not follow from loop counters where iterations are left out."""
    t = (64,)
    path = kernel(
        tmp_path,
        "%x: index, %z: index",
        1,
        *(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 2, 64, 8)),
        view("%X", "%x", (512,), "f16"),
        view("%Z", "%z", (512,), "f16"),
        "scf.for %i = %c0 to %c8 step %c1 {",
        "%odd = arith.remui %i, %c2 : index",
        "%even = arith.cmpi eq, %odd, %c0 : index",
        "scf.if %even {",
        "%at = arith.muli %i, %c64 : index",
        tile("%xt", "%X[%at]", t, "512xf16"),
        load("%a", "%xt", t, "f16"),
        "%b = arith.addf %a, %a : tensor<64xf16>",
        tile("%zt", "%Z[%at]", t, "512xf16"),
        store("%b", "%zt", t, "f16"),
        "}",
        "}",
    )
    x = np.arange(512).astype(np.float16)
    want = np.where(np.arange(512) // 64 % 2 == 0, x + x, np.float16(0)).astype(np.float16)
    for strategy in ("default", "none"):
        runs(path, [x, np.zeros(512, np.float16)], {1: want}, arch, strategy)


def test_steps_through_a_loop_of_one_trip(tmp_path: Path) -> None:
    """`(loop l 1 S)` is in the class of S: a derivation must not need what it is to derive (RULE033)."""
    path = kernel(
        tmp_path,
        "%x: index, %z: index",
        1,
        *(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 3, 130)),
        view("%X", "%x", (3, 1), "i32"),
        view("%Z", "%z", (3, 130), "i32"),
        "scf.for %i = %c0 to %c3 step %c1 {",
        "scf.for %j = %c0 to %c1 step %c1 {",
        "%at = arith.muli %j, %c130 : index",
        tile("%xt", "%X[%i, %c0]", (1, 1), "3x1xi32"),
        load("%a", "%xt", (1, 1), "i32"),
        "%e = tensor.empty() : tensor<1x130xi32>",
        "%b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, "
        'affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} '
        "ins(%a : tensor<1x1xi32>) outs(%e : tensor<1x130xi32>) {",
        "^bb0(%p: i32, %o: i32):",
        "%s = arith.addi %p, %p : i32",
        "linalg.yield %s : i32",
        "} -> tensor<1x130xi32>",
        "%k = arith.constant dense<3> : tensor<1x130xi32>",
        "%d = arith.muli %b, %k : tensor<1x130xi32>",
        tile("%zt", "%Z[%i, %at]", (1, 130), "3x130xi32"),
        store("%d", "%zt", (1, 130), "i32"),
        "}",
        "}",
    )
    program = tilesat.compile(path)
    assert check_replay(program, program.steps, "steps") is not None
    x = np.array([[1], [-2], [7]], np.int32)
    runs(path, [x, np.zeros((3, 130), np.int32)], {1: np.repeat(6 * x, 130, 1)}, "spyre", "default")
