"""Reading: names, positions, origins, types and attributes of the plain module."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tilesat.diagnostics import TilesatError
from tilesat.ktir import print_module, read_file, read_text
from tilesat.ktir.groups import operand_groups
from tilesat.ktir.ir import (
    AccessTile,
    Dense,
    MemorySpace,
    MemRef,
    Module,
    Op,
    Raw,
    RuntimeArg,
    Scalar,
    Tensor,
    TileFuture,
    Typed,
)

KERNELS = Path(__file__).parent / "kernels"


def ops(module: Module, name: str) -> list[Op]:
    return [op for op in module.op.walk() if op.name == name]


def test_names_and_positions_are_those_of_the_text() -> None:
    module = read_file(KERNELS / "core.mlir")
    (function,) = module.functions()
    assert [a.name for a in function.regions[0].blocks[0].args] == ["x", "y", "n", "s"]
    (loop,) = ops(module, "scf.for")
    assert [a.name for a in loop.regions[0].blocks[0].args] == ["row", "k"]
    assert [v.name for v in loop.results] == ["count"]
    source = (KERNELS / "core.mlir").read_text().split("\n")
    for op in module.op.walk():
        if op.name.startswith("ktdp."):
            place = op.position
            assert source[place.line - 1][place.column - 1 :].startswith(op.name)


def test_view_attributes() -> None:
    module = read_file(KERNELS / "spellings.mlir")
    far, lx, scalar = ops(module, "ktdp.construct_memory_view")
    assert far.attributes["static_sizes"] == [None, 32]
    assert far.attributes["memory_space"] == MemorySpace("global")
    assert far.attributes["tts.tensor_layout"] == {"phys_src": [0]}
    groups = operand_groups(far)
    assert groups is not None
    assert [v.name for v in groups["sizes"]] == ["n"] and [v.name for v in groups["strides"]] == ["st"]
    assert lx.attributes["memory_space"] == MemorySpace("ct_local", 2)
    assert lx.result.type == MemRef((None, 32), Scalar("f32"), None, MemorySpace("ct_local", 2))
    assert scalar.result.type == MemRef((), Scalar("f16"))
    assert scalar.attributes["memory_space"] == MemorySpace("ct_local", 3)


def test_short_types_and_missing_memref_part() -> None:
    module = read_file(KERNELS / "spellings.mlir")
    (tile,) = ops(module, "ktdp.construct_access_tile")
    assert tile.result.type == AccessTile((None, 32))
    assert tile.attributes["base_map"].eval([5]) == (13, 0)
    (load,) = ops(module, "ktdp.load")
    assert load.operands == [tile.result] and load.result.type == Tensor((None, 32), Scalar("f32"))


def test_older_names_are_read_as_todays() -> None:
    module = read_file(KERNELS / "spellings.mlir")
    assert len(ops(module, "ktdp.get_compute_tile_id")) == 2 and not ops(module, "ktdp.coreid")


def test_locations_become_origins() -> None:
    module = read_file(KERNELS / "spellings.mlir")
    view = ops(module, "ktdp.construct_memory_view")[0]
    assert view.position.line == 11 and view.position.origin == '"view"("row"("gen.py":3:1))'
    load = ops(module, "ktdp.load")[0]
    assert load.position.origin == 'fused["a.py":1:2, "gen.py":3:1]'
    tile = ops(module, "ktdp.construct_access_tile")[0]
    assert tile.position.origin is None
    assert ops(module, "func.return")[0].position.origin == '"gen.py":3:1'
    assert ops(module, "func.func")[0].position.origin == '"gen.py":3:1'


def test_constants() -> None:
    module = read_file(KERNELS / "spellings.mlir")
    table, ones, inf = (op.attributes["value"] for op in ops(module, "arith.constant"))
    assert isinstance(table, Dense) and np.array_equal(table.array, [[1, 2], [3, 4]])
    assert isinstance(ones, Dense) and ones.array.shape == (4,) and np.all(ones.array == 1)
    assert inf == Typed(float("-inf"), Scalar("f16"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1 : f16", float(np.float16(0.1))),
        ("0.1 : f32", float(np.float32(0.1))),
        ("0.1 : bf16", 0.10009765625),
        ("0x7E00 : f16", float("nan")),
        ("-65504.0 : f16", -65504.0),
        ("-3 : i32", -3),
        ("7 : index", 7),
    ],
)
def test_numbers_are_exact(text: str, value: float) -> None:
    module = read_text(f"module {{ %c = arith.constant {text} }}")
    given = module.op.regions[0].blocks[0].ops[0].attributes["value"]
    assert isinstance(given, Typed)
    assert given.value == value or (value != value and given.value != given.value)


def test_dense_of_types_without_buffers() -> None:
    module = read_text(
        "module { %a = arith.constant dense<[1.5, -0.25]> : tensor<2xbf16> "
        "%b = arith.constant dense<[[1.5], [2.0]]> : tensor<2x1x!spyreop.df16> "
        "%c = arith.constant dense<[true, false]> : tensor<2xi1> }"
    )
    a, b, c = (op.attributes["value"] for op in module.op.regions[0].blocks[0].ops)
    assert a.array.tolist() == [1.5, -0.25] and str(a.type) == "tensor<2xbf16>"
    assert b.array.tolist() == [[1.5], [2.0]] and b.type == Tensor((2, 1), Scalar("df16"))
    assert c.array.tolist() == [True, False]


@pytest.mark.parametrize("kind", ["bf16", "!spyreop.df16", "i4", "i24", "f16", "i64", "i1"])
def test_large_constants(kind: str) -> None:
    """Above 100 elements MLIR prints the bytes in hexadecimal."""
    numbers = [("1.5" if "f" in kind else "1")] * 150 + [("-0.25" if "f" in kind else "0")]
    words = ", ".join({"1": "true", "0": "false"}[n] if kind == "i1" else n for n in numbers)
    module = read_text(f"module {{ %a = arith.constant dense<[{words}]> : tensor<151x{kind}> }}")
    value = module.op.regions[0].blocks[0].ops[0].attributes["value"]
    assert isinstance(value, Dense) and value.array.tolist() == [float(n) for n in numbers]
    again = read_text(print_module(module, generic=True)).op.regions[0].blocks[0].ops[0].attributes["value"]
    assert np.array_equal(again.array, value.array)


def test_indirect_tiles() -> None:
    module = read_file(KERNELS / "indirect.mlir")
    rows, turned, both, point, some = ops(module, "ktdp.construct_indirect_access_tile")
    assert rows.attributes["per_dim_subscript_kinds"] == [True, False]
    assert [a.name for a in rows.regions[0].blocks[0].args] == ["r", "c"]
    assert rows.regions[0].blocks[0].ops[-1].name == "ktdp.region_terminator"
    assert turned.result.type == AccessTile((64, 16))
    groups = operand_groups(both)
    assert groups is not None and [v.name for v in groups["indirect_memrefs"]] == ["j", "j"]
    assert [v.name for v in groups["captured_variables"]] == ["k"]
    first, second = both.attributes["per_dim_subscript_maps"]  # dims: k, r, c
    assert first.eval([9, 6, 11]) == (1, 3) and second.eval([9, 6, 11]) == (2, 19)
    assert point.result.type == AccessTile(()) and not point.regions[0].blocks[0].args
    assert some.result.type == AccessTile((None,))


def test_the_rfcs_first_spelling_of_indirection() -> None:
    text = (KERNELS / "indirect.mlir").read_text().replace("%x[ind(%i[%r]), (%c)]", "%x[i[%r / 1], %c % 64]")
    rows = ops(read_text(text), "ktdp.construct_indirect_access_tile")[0]
    assert rows.attributes["per_dim_subscript_kinds"] == [True, False]
    assert [m.eval([7, 70]) for m in rows.attributes["per_dim_subscript_maps"]] == [(7,), (6,)]


def test_inter_tile_spellings_agree() -> None:
    module = read_file(KERNELS / "intertile.mlir")
    futures = [op.result.type for op in ops(module, "ktdp.inter_tile_produce")]
    assert all(isinstance(f, TileFuture) for f in futures)
    assert futures[0] == futures[1]  # `<(T), groups>` and `!ktdp.tile_future<T, groups>`
    reduce = ops(module, "ktdp.inter_tile_reduce")[0]
    assert [v.name for v in reduce.operands] == ["f0", "zero"]
    assert [len(b.args) for b in reduce.regions[0].blocks] == [2]
    spread = ops(module, "ktdp.inter_tile_consume")[1]
    assert spread.attributes["producer_dependency_per_consumer"].syms == 2
    scattered = ops(module, "ktdp.inter_tile_reduce_scatter")[0]
    assert scattered.attributes["scatter_dimensions"] == [0]


def test_runtime_arguments() -> None:
    module = read_file(KERNELS / "distributed.mlir")
    kinds = [op.attributes["kind"] for op in ops(module, "ktdp.runtime_arg_extract")]
    assert kinds == ["value", "granularity"]
    wanted = RuntimeArg(Scalar("index"), 4, 64)
    assert module.functions()[0].regions[0].blocks[0].args[2].type == wanted


def test_spyreop() -> None:
    module = read_file(KERNELS / "spyreop.mlir")
    softplus = ops(module, "spyreop.softplus")[0]
    assert softplus.attributes == {"beta": 1.0, "threshold": 20.0}
    assert ops(module, "spyreop.compare")[0].attributes["predicate"] == "greaterthan"
    reduction = ops(module, "spyreop.slice_reduction")[0]
    assert reduction.attributes["reduction_kind"] == "add" and reduction.operands[0].type == Tensor(
        (64,), Scalar("df16")
    )
    assert [r.name for r in ops(module, "spyreop.exx2")[0].results] == ["mean", "sq"]


def test_generic_form_with_properties() -> None:
    module = read_text(
        "func.func @f(%p: index) {\n"
        '  %v = "ktdp.construct_memory_view"(%p) <{static_sizes = array<i64: 4>,\n'
        "    static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0, 0>,\n"
        "    memory_space = #ktdp.memory_space<global>}>\n"
        "    {coordinate_set = affine_set<(d0) : (d0 >= 0, 3 - d0 >= 0)>, note} : (index) -> memref<4xf16>\n"
        "  return\n}"
    )
    (view,) = ops(module, "ktdp.construct_memory_view")
    assert view.attributes["static_sizes"] == [4] and view.attributes["note"] == Raw("unit")
    assert view.attributes["memory_space"] == MemorySpace("global")
    assert view.attributes["coordinate_set"].contains([3]) and view.position.line == 2


def test_comments_strings_and_keys_are_left_alone() -> None:
    module = read_text(
        'func.func @f() attributes {a = "ktdp.load // no comment", ktdp.note = "loc(x)"} { // ktdp.load {\n'
        "  return // }\n} // %x = ktdp.load"
    )
    attributes = module.functions()[0].attributes
    assert attributes["a"] == "ktdp.load // no comment" and attributes["ktdp.note"] == "loc(x)"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("module {\n  %x = ktdp.lode %t\n}", "KTIR001", 2, 8),
        ("module {\n  foo.bar %t\n}", "KTIR001", 2, 3),
        ('module {\n  "ktdp.lode"() : () -> ()\n}', "KTIR001", 2, 3),
        ("module {\n  func.func @f(%a: index) {\n    ktdp.store %a\n  }\n}", "PARSE004", 4, 3),
        ("module {\n  %c = arith.constant 1 :\n}", "MLIR002", 2, 26),
        ("module {\n (]\n}", "PARSE002", 2, 3),
        ("module {", "PARSE002", 1, 8),
        ("module }", "PARSE002", 1, 8),
        ('module {\n  "abc\n}', "PARSE001", 2, 3),
        ("module {\n  \x00\n}", "PARSE001", 2, 3),
        (
            "func.func @f(%a: memref<4xf16,\n #ktdp.memory_space<global, ct_id = 1>>) { return }",
            "KTIR005",
            2,
            2,
        ),
        ("func.func @f(%a: !ktdp.access_tile<4xf16>) { return }", "KTIR004", 1, 18),
        ("func.func @f(%a: !ktdp.runtime_arg<index, upperbound=-1>) { return }", "KTIR004", 1, 18),
        ("func.func @f(%a: tensor<4xtf32>) { return }", "KTIR006", 1, 27),
        ("module {\n %a = arith.addi %b, %b : i32\n %b = arith.constant 1 : i32 }", "KTIR008", 2, 7),
        ("module { %a = arith.constant dense<(1.0,2.0)> : tensor<2xcomplex<f32>> }", "KTIR009", 1, 15),
        ("#s = affine_set<(a) : (a >= 0)>\nmodule { %x = ktdp.load }", "PARSE004", 2, 25),
    ],
)
def test_faults_have_a_place(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(TilesatError) as caught:
        read_text(text, "k.mlir")
    first = caught.value.diagnostics[0]
    assert (first.code, first.position.line, first.position.column) == (code, line, column), first
    assert first.position.file == "k.mlir"


def test_a_hint_names_the_nearest_op() -> None:
    with pytest.raises(TilesatError) as caught:
        read_text("module { %x = ktdp.constuct_access_tile }")
    assert "ktdp.construct_access_tile" in caught.value.diagnostics[0].hint


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TilesatError) as caught:
        read_file(tmp_path / "none.mlir")
    assert caught.value.diagnostics[0].code == "IO001"
    (tmp_path / "junk.mlir").write_bytes(b"module {\n\xff\xfe}")
    with pytest.raises(TilesatError) as caught:
        read_file(tmp_path / "junk.mlir")
    first = caught.value.diagnostics[0]
    assert (first.code, first.position.line, first.position.column) == ("IO002", 2, 1)
