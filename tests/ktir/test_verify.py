# ruff: noqa: E501 - the tables below read better one case a line
"""The verifier: sound kernels give no error; each rule is broken once and names the fault at its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilesat.diagnostics import Diagnostic
from tilesat.ktir import read_file, read_text, verify
from tilesat.options import Options

FOLDER = Path(__file__).parent / "kernels"
LIMITS = {"max_tiles": 32, "max_loop_count": 65535, "max_span": 268431360, "scratchpad": 2**20}


def errors(found: list[Diagnostic]) -> list[str]:
    return [d.code for d in found if d.severity == "error"]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.mlir")), ids=lambda p: p.stem)
def test_sound_kernels(path: Path) -> None:
    assert verify(read_file(path), LIMITS) == []


SPREAD = "affine_set<(p)[c, g] : (p - 4*g - (c + 1) mod 4 == 0)>"
PAIRS = "affine_set<(p)[c, g] : (p - 4*g >= 0, 4*g + 1 - p >= 0)>"
ALL = "#all = affine_set<(i)[g] : (i - 4*g >= 0, 4*g + 3 - i >= 0)>"

# (kernel, text, what replaces it (first occurrence), code)
BROKEN = [
    ("core", "!ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>", "!ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>", "MLIR002"),
    ("core", "grid = [4]", "grid = [33]", "FUNC002"),
    ("core", "grid = [4]", "grid = [0]", "FUNC001"),
    ("core", "grid = [4]", 'grid = "x"', "FUNC001"),
    ("core", "strides: [64, 1]", "strides: [64]", "KTDP003"),
    ("core", "sizes: [48, 64]", "sizes: [48, 64, 1]", "KTDP003"),
    ("core", "memref<48x64xf16>\n    %vy", "memref<48xf16>\n    %vy", "MLIR002"),
    ("core", "coordinate_set = #rows", "coordinate_set = affine_set<(r) : (r >= 0)>", "KTDP005"),
    ("core", "coordinate_set = #rows", "coordinate_set = affine_set<(r, c)[n] : (n - r >= 0)>", "KTDP006"),
    ("core", "memory_space = #ktdp.memory_space<global>", "memory_space = 3 : i32", "KTIR014"),
    ("core", ", memory_space = #ktdp.memory_space<global>", "", "KTIR013"),
    ("core", "%vx[%row, %c0]", "%vx[%row]", "KTDP040"),
    ("core", "access_tile_set = #one", "access_tile_set = affine_set<(a) : (a == 0)>", "KTDP041"),
    ("core", "access_tile_set = #one", "access_tile_set = affine_set<(a, b)[s] : (s - a - b >= 0)>", "KTDP042"),
    ("core", "access_tile_order = #keep", "access_tile_order = affine_map<(a, b) -> (a, a)>", "KTDP043"),
    ("core", "access_tile_order = #keep", "access_tile_order = affine_map<(a) -> (a)>", "KTDP043"),
    ("core", "%vx[%row, %c0]", "%vx[%row + 48, %c0]", "KTDP046"),
    ("core", "%vx[%row, %c0]", "%vx[%c0 - 1, %c0]", "KTDP046"),
    ("core", "%tx = ktdp.construct_access_tile %vx", "%tx = ktdp.construct_access_tile %s", "MLIR002"),
    ("distributed", "value from %m", "upperbound from %m", None),
    ("distributed", "granularity = 4>) {", "granularity = 4>) {\n %bad = ktdp.runtime_arg_extract value from %m : "
     "!ktdp.runtime_arg<index, granularity = 4, upperbound = 64> -> i32", "KTDP070"),
    ("distributed", "granularity = 4>) {", "granularity = 4>) {\n %bad = ktdp.runtime_arg_extract upperbound from %m : "
     "!ktdp.runtime_arg<index, granularity = 4, upperbound = 64> -> i32", "KTDP071"),
    ("distributed", "%m: !ktdp.runtime_arg<index, upperbound = 64, granularity = 4>",
     "%o: !ktdp.runtime_arg<index>, %m: !ktdp.runtime_arg<index, upperbound = 64, granularity = 4>", None),
    ("distributed", "memref<32x64xf16>,\n", "memref<32x64xf32>,\n", "MLIR002"),
    ("distributed", "memref<64x64xf16>\n    %n", "memref<64x64xf32>\n    %n", "MLIR002"),
    ("indirect", "%x[ind(%i[%r]), (%c)]", "%x[ind(%i[%r]), (%c), (%c)]", "KTDP060"),
    ("indirect", "ind(%i[%r]), (%c)] {", "ind(%i[%r, %c]), (%c)] {", "KTDP062"),
    ("indirect", "variables_space_set = #space", "variables_space_set = #i1", "KTDP064"),
    ("indirect", "symbols(%k) {", "{", "KTDP042"),
    ("indirect", "affine_map<(a, b) -> (b, a)>", "affine_map<(a, b) -> (a, b)>", "KTDP066"),
    ("indirect", "affine_map<(a, b) -> (b, a)>", "affine_map<(a, b) -> (b, b)>", "KTDP065"),
    ("indirect", "memref<16xsi32>\n    %j", "memref<16xf32>\n    %j", "MLIR002"),
    ("intertile", "#all -> <(tensor<4x64xf16>)", "affine_set<(i) : (i == 0)> -> <(tensor<4x64xf16>)", "KTDP080"),
    ("intertile", ALL, "#all = affine_set<(i)[g] : (i >= 0, 3 - i >= 0)>", "KTDP083"),
    ("intertile", ALL, "#all = affine_set<(i)[g] : (i - 5*g >= 0, 4*g + 3 - i >= 0)>", "KTDP085"),
    ("intertile", ALL, "#all = affine_set<(i)[g] : (i - 4*g >= 0, 4*g - 1 - i >= 0)>", "KTDP086"),
    ("intertile", "grid = [8]", "grid = [7]", "KTDP087"),
    ("intertile", "ktdp.yield_partial %p : tensor<4x64xf16>", "%q = tensor.empty() : tensor<4xf16> "
     "ktdp.yield_partial %q : tensor<4xf16>", "KTDP082"),
    ("intertile", "^bb0(%g: index):", "^bb0(%g: i32):", "KTDP081"),
    ("intertile", "ktdp.yield_partial %p : tensor<4x64xf16>", "", "KTIR016"),
    ("intertile", "%most = ktdp.inter_tile_reduce(%f1)", "%most = ktdp.inter_tile_reduce(%f0)", "KTDP084"),
    ("intertile", "identity(%zero : tensor<4x64xf16>)", "identity(%zero : tensor<4x64xf16>, %zero2 : tensor<4x64xf16>)", "PARSE004"),
    ("intertile", "%copy = ktdp.inter_tile_consume(%f2) consumer_tiles_per_group = #all",
     "%copy = ktdp.inter_tile_consume(%f2) consumer_tiles_per_group = affine_set<(i)[g] : (i - 9*g >= 0, -1 - i >= 0)>", "KTDP088"),
    ("intertile", SPREAD, "affine_set<(p)[c, g] : (p - 4*g - 9 == 0)>", "KTDP089"),
    ("intertile", SPREAD, "affine_set<(p)[c, g] : (p - 4*g == 0)>", "KTDP090"),
    ("intertile", SPREAD, PAIRS, "KTDP093"),
    ("intertile", "producer_tiles_per_group = #first -> <(tensor<4x64xf16>), groups = #groups> {\n    ^bb0(%g: index):\n"
     "      ktdp.yield_partial %most", "producer_tiles_per_group = #all -> <(tensor<4x64xf16>), groups = #groups> {\n"
     "    ^bb0(%g: index):\n      ktdp.yield_partial %most", "KTDP093"),
    ("intertile", "ktdp.yield_reduced %c : tensor<4x64xf16>", "%d = tensor.empty() : tensor<4xf16> "
     "ktdp.yield_reduced %d : tensor<4xf16>", "KTDP096"),
    ("intertile", "^bb0(%a: tensor<4x64xf16>, %b: tensor<4x64xf16>):\n      %c = arith.addf %a, %b",
     "^bb0(%a: tensor<4x64xf16>):\n      %c = arith.addf %a, %a", "KTDP096"),
    ("intertile", "groups = #groups> -> tensor<4x64xf16> {", "groups = #groups> -> tensor<2x64xf16> {", "MLIR002"),
    ("intertile", "consumer_tiles_per_group = #first, identity", "consumer_tiles_per_group = "
     "affine_set<(i)[g] : (i + 4*g - 4 == 0)>, identity", "KTDP098"),
    ("intertile", "consumer_tiles_per_group = #first, identity", "consumer_tiles_per_group = "
     "affine_set<(i)[g] : (i - 4*g >= 0, 4*g + 1 - i >= 0)>, identity", "KTDP099"),
    ("intertile", "scatter_dimensions = [0],", "scatter_dimensions = [1, 0],", "KTDP100"),
    ("intertile", "scatter_dimensions = [0],", "scatter_dimensions = [2],", "KTDP100"),
    ("intertile", "-> tensor<1x64xf16> {", "-> tensor<2x64xf16> {", "MLIR002"),
    ("intertile", "gather_dimensions = [0]", "gather_dimensions = [1]", "KTDP102"),
    ("intertile", "tensor<16x16xf16>", "tensor<16x64xf16>", "KTDP101"),
    ("intertile", "%piece = ktdp.inter_tile_scatter(%f7) consumer_tiles_per_group = #all, scatter_dimensions = [0]",
     "%piece = ktdp.inter_tile_scatter(%f7) consumer_tiles_per_group = #all, scatter_dimensions = [1]", "KTDP101"),
    ("spyreop", "spyreop.addi32toi32 %k, %k : i32", "spyreop.silu %k : i32", "KTIR012"),
    ("spyreop", "beta 1.0", "beta 0.0", "SPY001"),
    ("spyreop", "compare <greaterthan>", "compare <bigger>", "PARSE004"),
    ("spyreop", "spyreop.silu %a : f16", "spyreop.silly %a : f16", "KTIR001"),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "old", "new", "code"), BROKEN, ids=lambda v: str(v)[:24])
def test_broken_rules(kernel: str, old: str, new: str, code: str | None) -> None:
    from tilesat.diagnostics import TilesatError

    text = (FOLDER / f"{kernel}.mlir").read_text()
    assert old in text
    at = text[: text.index(old)].count("\n") + 1
    try:
        found = errors(verify(read_text(text.replace(old, new, 1)), LIMITS))
        places = [d.position.line for d in verify(read_text(text.replace(old, new, 1)), LIMITS)]
    except TilesatError as error:
        found = [d.code for d in error.diagnostics]
        places = [d.position.line for d in error.diagnostics]
    if code is None:
        assert found == []
    else:
        assert code in found
        assert places and all(p >= min(at, 3) for p in places)


def test_combiner_must_be_pure() -> None:
    text = (FOLDER / "intertile.mlir").read_text()
    tile = (
        "%v = ktdp.construct_memory_view %k, sizes: [4, 64], strides: [64, 1] "
        "{memory_space = #ktdp.memory_space<global>} : memref<4x64xf16>\n"
        "%t = ktdp.construct_access_tile %v[0, 0] {access_tile_order = affine_map<(a, b) -> (a, b)>, "
        "access_tile_set = affine_set<(a, b) : (a >= 0, 3 - a >= 0, b >= 0, 63 - b >= 0)>} "
        ": memref<4x64xf16> -> !ktdp.access_tile<4x64xindex>\n"
        "%e = ktdp.load %t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>\n"
    )
    text = text.replace("%p: tensor<4x64xf16>", "%p: tensor<4x64xf16>, %k: index", 1)
    text = text.replace("%c = arith.addf %a, %b", f"{tile}%c = arith.addf %a, %e", 1)
    assert errors(verify(read_text(text))) == ["KTDP097"]


def test_reduction_may_drop_unit_dimensions() -> None:
    text = (FOLDER / "intertile.mlir").read_text().replace("4x64xf16", "1x256xf16")
    head, _, _ = text.partition("    %f1 = ")
    kernel = head.replace("-> tensor<1x256xf16> {\n    ^bb0(%a", "-> tensor<256xf16> {\n    ^bb0(%a")
    assert errors(verify(read_text(kernel + "    return\n  }\n}"))) == []


WARNED = [
    ("core", "sizes: [48, 64]", "sizes: [40, 64]", "KTDP007"),
    ("core", "%vx[%row, %c0]", "%vx[%row + 1, %c0]", "KTDP045"),
    ("core", "sizes: [48, 64], strides: [64, 1]", "sizes: [48, 64], strides: [4194304, 1]", "KTDP009"),
    ("core", "%c4 = arith.constant 4 : index", "%c4 = arith.constant 4 : index\n %c9 = arith.constant 70000 : index\n"
     "%c1 = arith.constant 1 : index scf.for %z = %c0 to %c9 step %c1 { }", "SCF001"),
    ("core", "access_tile_set = #one", "access_tile_set = #rows", "KTDP048"),
    ("distributed", "#upper = affine_set<(a, b) : (a - 32 >= 0", "#upper = affine_set<(a, b) : (a - 31 >= 0", "KTDP033"),
    ("core", "#ktdp.memory_space<global>} : memref<48x64xf16>\n    %vy", "#ktdp.memory_space<ct_local>} : "
     "memref<48x64xf16>\n    %vy", "KTDP051"),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "old", "new", "code"), WARNED, ids=lambda v: str(v)[:24])
def test_suspicious_but_legal(kernel: str, old: str, new: str, code: str) -> None:
    text = (FOLDER / f"{kernel}.mlir").read_text()
    assert old in text
    found = verify(read_text(text.replace(old, new, 1)), LIMITS)
    assert errors(found) == [] and code in [d.code for d in found]


def test_store_into_one_tiles_scratchpad() -> None:
    text = (FOLDER / "core.mlir").read_text()
    text = text.replace("#ktdp.memory_space<global>}", "#ktdp.memory_space<ct_local, ct_id = 2>}")
    guarded = verify(read_text(text))
    assert [d.code for d in guarded] == []  # the store stands in an scf.if
    bare = text.replace("scf.if %even {", "scf.execute_region {").replace(
        "      }\n      %next", "scf.yield }\n%next"
    )
    assert [d.code for d in verify(read_text(bare))] == ["KTDP050"]


def test_scratchpad_views_that_share_bytes() -> None:
    view = (
        "%{0} = ktdp.construct_memory_view %c{1}, sizes: [4, 64], strides: [{2}, 1] "
        "{{memory_space = #ktdp.memory_space<ct_local>}} : memref<4x64xf16>\n"
    )
    head = "func.func @f() { %c0 = arith.constant 0 : index %c128 = arith.constant 128 : index\n"

    def codes(*views: str) -> list[str]:
        return [d.code for d in verify(read_text(head + "".join(views) + "return }"))]

    assert codes(view.format("a", 0, 64), view.format("b", 128, 64)) == ["KTDP052"]
    assert codes(view.format("a", 0, 64), view.format("b", 0, 64)) == []  # the same buffer twice
    assert codes(view.format("a", 0, 64), view.format("b", 0, 128)) == ["KTDP052"]


def test_distributed_extent() -> None:
    text = (FOLDER / "distributed.mlir").read_text().replace("64x64xf16", "80x64xf16")
    assert [d.code for d in verify(read_text(text))] == ["KTDP034"]


def test_limits_apply_only_with_an_architecture() -> None:
    text = (FOLDER / "core.mlir").read_text().replace("grid = [4]", "grid = [33]")
    assert errors(verify(read_text(text))) == []


def test_out_of_view_can_be_an_error() -> None:
    text = (FOLDER / "core.mlir").read_text().replace("%vx[%row, %c0]", "%vx[%row + 1, %c0]")
    module = read_text(text)
    assert errors(verify(module)) == [] and errors(verify(module, None, Options(out_of_view="error"))) == [
        "KTDP045"
    ]


def test_unsupported_and_foreign_ops() -> None:
    loop = (
        "func.func @f(%c: i1) { scf.while : () -> () { scf.condition(%c) } do { scf.yield } return }",
        'func.func @f() { "tt.load"() : () -> () return }',
    )
    codes = [errors(verify(read_text(t))) for t in loop]
    assert "KTIR002" in codes[0] and codes[1] == ["KTIR001"]


def test_arity_and_types_of_generic_forms() -> None:
    head = "func.func @f(%t: !ktdp.access_tile<4xindex>, %i: index) { "
    assert errors(verify(read_text(head + '%x = "ktdp.load"(%t, %i) : (!ktdp.access_tile<4xindex>, index) -> '
                                   "tensor<4xf16> return }"))) == ["KTIR010"]  # fmt: skip
    assert errors(verify(read_text(head + '%x = "ktdp.load"(%i) : (index) -> tensor<4xf16> return }'))) == [
        "KTIR012"
    ]
    assert errors(
        verify(read_text(head + '"ktdp.load"(%t) : (!ktdp.access_tile<4xindex>) -> () return }'))
    ) == ["KTIR011"]
