"""Staged programs lowered and run by the test's own executor in random interleavings, against NumPy."""

# ruff: noqa: E501 (schedule terms read better unbroken)
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dataflow_executor import Machine
from tilesat.arch import load_arch
from tilesat.arch.model import Arch
from tilesat.dataflow import lower, verify
from tilesat.diagnostics import TilesatError
from tilesat.ktir import ir, print_module, read_text
from tilesat.schedule.text import read_program
from tilesat.spyrecode import assemble

TERMS = Path(__file__).parent / "terms"


def lowered(text: str, arch: str = "spyre", overrides: tuple[str, ...] = ()) -> tuple[ir.Module, Arch]:
    machine = load_arch(arch, overrides)
    return lower(read_program(text), machine), machine


def run(
    text: str, arguments: list[object], arch: str = "spyre", seeds: int = 5, overrides: tuple[str, ...] = ()
) -> list[np.ndarray]:
    """The buffers after the run; the same for every interleaving tried."""
    module, machine = lowered(text, arch, overrides)
    results = []
    for seed in range(seeds):
        done = Machine(module, machine, arguments, seed).run()
        results.append([done.result(k) for k in range(sum(isinstance(a, np.ndarray) for a in arguments))])
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)
    return results[0]


def random(*shape: int, dtype: str = "f2") -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype)


def view(name: str, base: str, shape: tuple[int, ...], dtype: str = "f16", space: str = "global") -> str:
    strides = [int(np.prod(shape[k + 1 :])) for k in range(len(shape))]
    dims = " ".join(map(str, shape))
    return f"(view {name} (base {base}) (shape {dims}) (strides {' '.join(map(str, strides))}) (dtype {dtype}) (space {space}))"


def program(
    body: str, axes: str, views: list[str], accesses: str, stmts: str, args: str = "(x index) (y index) (z index)",
    grid: str = "1", more: str = "",
) -> str:  # fmt: skip
    return f"""(program k (grid {grid}) (args {args}) (axes {axes}) (views {" ".join(views)})
      (accesses {accesses}) (stmts {stmts}) {more} (body {body}))"""


ADD = "(stmt s0 (let a f16 (load x0)) (let b f16 (load y0)) (let s f16 (op arith.addf a b)) (store z1 s))"


def staged(
    depth: int, inner: str, box: str, ins: tuple[str, ...] = ("x0", "y0"), out: str = "z1", stmt: str = "s0"
) -> str:
    """DDR → LX → SFU → LX → DDR around `inner` loops of one vector each."""
    far = " ".join(f"(move {x} ddr lx)" for x in ins)
    near = " ".join(f"(move {x} lx sfu)" for x in ins)
    core = f"(pipe 1 (ins {near}) (exec {stmt} (box {box}) sfu) (outs (move {out} sfu lx)))"
    return f"(pipe {depth} (ins {far}) {inner.replace('BODY', core)} (outs (move {out} lx ddr)))"


def test_rows_per_tile() -> None:
    x, y = random(6, 64), random(6, 64)
    *_, z = run((TERMS / "add_rows.sir").read_text(), [x, y, np.zeros_like(x)])
    np.testing.assert_array_equal(z, x + y)


def test_an_operation_upstream_has_no_op_for() -> None:
    """It becomes a marked cast: upstream's tool accepts the file, ours knows the operation."""
    x, y = random(6, 64), random(6, 64)
    text = (TERMS / "add_rows.sir").read_text().replace("arith.addf", "spyreop.realdiv")
    *_, z = run(text, [x, y, np.zeros_like(x)])
    np.testing.assert_array_equal(z, x / y)
    module, machine = lowered(text)
    assert verify(module) == []
    again = read_text(print_module(module))
    assert assemble(again, machine).binary == assemble(module, machine).binary


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_tail_of_a_wide_row(depth: int) -> None:
    """1000 = 15·64 + 40: full vectors and a partial one, in a buffer whose rows are padded."""
    x, y = random(7, 1000), random(7, 1000)
    tail = "(pipe 1 (ins (move x0 lx sfu) (move y0 lx sfu)) (exec s0 (box (i 1) (c 40)) sfu) (outs (move z1 sfu lx)))"
    inner = f"(loop i 2 (then c (loop c 15 BODY) {tail}))"
    rest = f"(then c (loop c 15 BODY) {tail})"
    body = f"(then i (loop i 3 {staged(depth, inner, '(i 1) (c 64)')}) {staged(depth, rest, '(i 1) (c 64)')})"
    shape = (7, 1000)
    text = program(
        body, "(axis i (trips 7)) (axis c (trips 1000))", [view("X", "x", shape), view("Y", "y", shape), view("Z", "z", shape)],
        "(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))", ADD,
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)])
    np.testing.assert_array_equal(z, x + y)


@pytest.mark.parametrize("where", ["inside", "outside"])
def test_three_rows_on_two_corelets(where: str) -> None:
    """Corelets share LX: a common buffer with two consumers, or a buffer for each."""
    x, y = random(3, 128), random(3, 128)
    if where == "inside":
        two = staged(2, "(par corelet 2 i (loop c 2 BODY))", "(i 1) (c 64)")
    else:
        two = f"(par corelet 2 i {staged(2, '(loop c 2 BODY)', '(i 1) (c 64)')})"
    one = staged(2, "(loop c 2 BODY)", "(i 1) (c 64)")
    shape = (3, 128)
    text = program(
        f"(then i {two} {one})", "(axis i (trips 3)) (axis c (trips 128))",
        [view("X", "x", shape), view("Y", "y", shape), view("Z", "z", shape)],
        "(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))", ADD,
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)], seeds=12)
    np.testing.assert_array_equal(z, x + y)


def test_broadcast_operands_hoisted() -> None:
    """A row vector kept in LX over the loop, a column element splat, a scalar constant."""
    x, y, w = random(8, 128), random(128), random(8, 1)
    stmt = """(stmt s0 (let a f16 (load x0)) (let b f16 (load y0)) (let c f16 (load w0)) (let two f16 (const 2.0))
      (let d f16 (op arith.mulf a b)) (let e f16 (op arith.addf d c)) (let f f16 (op arith.mulf e two)) (store z1 f))"""
    body = """(pipe 1 (ins (move y0 ddr lx))
      (loop i 4 (pipe 2 (ins (move x0 ddr lx) (move w0 ddr lx))
        (loop i 2 (pipe 1 (ins (move w0 lx sfu))
          (loop c 2 (pipe 1 (ins (move x0 lx sfu) (move y0 lx sfu)) (exec s0 (box (i 1) (c 64)) sfu) (outs (move z1 sfu lx))))
          (outs)))
        (outs (move z1 lx ddr))))
      (outs))"""
    text = program(
        body, "(axis i (trips 8)) (axis c (trips 128))",
        [view("X", "x", (8, 128)), view("Y", "y", (128,)), view("W", "w", (8, 1)), view("Z", "z", (8, 128))],
        "(access x0 X (at i c)) (access y0 Y (at c)) (access w0 W (at i 0)) (access z1 Z (at i c))",
        stmt, "(x index) (y index) (w index) (z index)",
    )  # fmt: skip
    *_, z = run(text, [x, y, w, np.zeros_like(x)])
    np.testing.assert_array_equal(z, (x * y + w) * np.float16(2))


def test_rows_dealt_cyclically_with_unequal_trips() -> None:
    """Tile t takes rows t, t+3, …: 8 rows on 3 tiles."""
    x, y = random(8, 64), random(8, 64)
    body = f"(loop i (ceildiv (- 8 tile0) 3) {staged(2, 'BODY', '(i 1) (c 64)')})"
    shape = (8, 64)
    text = program(
        body, "(axis i (lo tile0) (step 3) (trips (ceildiv (- 8 tile0) 3))) (axis c (trips 64))",
        [view("X", "x", shape), view("Y", "y", shape), view("Z", "z", shape)],
        "(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))", ADD, grid="3",
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)])
    np.testing.assert_array_equal(z, x + y)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_run_time_trips_and_condition(n: int) -> None:
    x, y = random(8, 64), random(8, 64)
    body = f"(when (lt 0 n) (loop i n {staged(2, 'BODY', '(i 1) (c 64)')}))"
    shape = (8, 64)
    text = program(
        body, "(axis i (trips n)) (axis c (trips 64))",
        [view("X", "x", shape), view("Y", "y", shape), view("Z", "z", shape)],
        "(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))", ADD, "(x index) (y index) (z index) (n i32)",
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x), n])
    np.testing.assert_array_equal(z[:n], (x + y)[:n])
    assert not z[n:].any()


def test_in_place_exp() -> None:
    x = random(8, 128)
    stmt = "(stmt s0 (let a f16 (load x0)) (let e f16 (op math.exp a)) (store x1 e))"
    body = f"(loop i 4 {staged(2, '(loop i 2 (loop c 2 BODY))', '(i 1) (c 64)', ('x0',), 'x1')})"
    text = program(
        body, "(axis i (trips 8)) (axis c (trips 128))", [view("X", "x", (8, 128))],
        "(access x0 X (at i c)) (access x1 X (at i c))", stmt, "(x index)",
    )  # fmt: skip
    (z,) = run(text, [x])
    np.testing.assert_array_equal(z, np.exp(x.astype("f4")).astype("f2"))


def test_shifted_alias_waits_for_the_store() -> None:
    """x[i+1] = x[i] + x[i+1]: row i+1 is loaded after row i has been stored."""
    x = random(6, 64)
    stmt = (
        "(stmt s0 (let a f16 (load x0)) (let b f16 (load y0)) (let s f16 (op arith.addf a b)) (store z1 s))"
    )
    body = f"(loop i 5 {staged(1, 'BODY', '(i 1) (c 64)')})"
    text = program(
        body, "(axis i (trips 5)) (axis c (trips 64))", [view("X", "x", (6, 64))],
        "(access x0 X (at i c)) (access y0 X (at (+ i 1) c)) (access z1 X (at (+ i 1) c))", stmt, "(x index)",
        more="(carried (s0 s0 i 1))",
    )  # fmt: skip
    (z,) = run(text, [x], seeds=12)
    expected = x.copy()
    for i in range(5):
        expected[i + 1] = expected[i] + expected[i + 1]
    np.testing.assert_array_equal(z, expected)


TWO = """(stmt s0 (let a f16 (load x0)) (let b f16 (load y0)) (let s f16 (op arith.addf a b)) (store z1 s))
  (stmt s1 (let a f16 (load z0)) (let b f16 (load y1)) (let s f16 (op arith.mulf a b)) (store w1 s))"""
TWO_ACCESSES = """(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))
  (access z0 Z (at i c)) (access y1 Y (at i c)) (access w1 W (at i c))"""


@pytest.mark.parametrize("rows", [2, 1])
def test_second_nest_loads_what_the_first_stored(rows: int) -> None:
    n = 4
    first = f"(loop i {n // rows} {staged(2, f'(loop i {rows} BODY)', '(i 1) (c 64)')})"
    second = (
        f"(loop i {n // rows} {staged(2, f'(loop i {rows} BODY)', '(i 1) (c 64)', ('z0', 'y1'), 'w1', 's1')})"
    )
    x, y = random(n, 64), random(n, 64)
    shape = (n, 64)
    text = program(
        f"(seq {first} {second})", "(axis i (trips 4)) (axis c (trips 64))",
        [view(v.upper(), v, shape) for v in "xyzw"], TWO_ACCESSES, TWO, "(x index) (y index) (z index) (w index)",
    )  # fmt: skip
    *_, w = run(text, [x, y, np.zeros_like(x), np.zeros_like(x)], seeds=12)
    np.testing.assert_array_equal(w, (x + y) * y)


def test_two_programs_in_sequence() -> None:
    first = f"(loop i 4 {staged(2, 'BODY', '(i 1) (c 64)')})"
    second = f"(loop i 4 {staged(2, 'BODY', '(i 1) (c 64)', ('z0', 'y1'), 'w1', 's1')})"
    x, y = random(4, 64), random(4, 64)
    text = program(
        f"(seq (program a {first}) (program b {second}))", "(axis i (trips 4)) (axis c (trips 64))",
        [view(v.upper(), v, (4, 64)) for v in "xyzw"], TWO_ACCESSES, TWO, "(x index) (y index) (z index) (w index)",
    )  # fmt: skip
    *_, w = run(text, [x, y, np.zeros_like(x), np.zeros_like(x)])
    np.testing.assert_array_equal(w, (x + y) * y)


@pytest.mark.parametrize("where", ["lx", "sfu"])
def test_a_value_between_two_statements(where: str) -> None:
    """The intermediate tensor lives in LX (moved out and in again) or in a register."""
    stmts = """(stmt s0 (let a f16 (load x0)) (let b f16 (load y0)) (let s f16 (op arith.addf a b)) (set v s))
      (stmt s1 (let a f16 (get v)) (let b f16 (load y1)) (let s f16 (op arith.mulf a b)) (store z1 s))"""
    if where == "lx":
        body = """(loop i 3 (pipe 2 (ins (move x0 ddr lx) (move y0 ddr lx) (move y1 ddr lx))
          (let v lx
            (loop c 2 (pipe 1 (ins (move x0 lx sfu) (move y0 lx sfu)) (exec s0 (box (i 1) (c 64)) sfu) (outs (move v sfu lx))))
            (loop c 2 (pipe 1 (ins (move v lx sfu) (move y1 lx sfu)) (exec s1 (box (i 1) (c 64)) sfu) (outs (move z1 sfu lx)))))
          (outs (move z1 lx ddr))))"""
    else:
        body = """(loop i 3 (pipe 2 (ins (move x0 ddr lx) (move y0 ddr lx) (move y1 ddr lx))
          (loop c 2 (pipe 1 (ins (move x0 lx sfu) (move y0 lx sfu) (move y1 lx sfu))
            (let v sfu (exec s0 (box (i 1) (c 64)) sfu) (exec s1 (box (i 1) (c 64)) sfu))
            (outs (move z1 sfu lx))))
          (outs (move z1 lx ddr))))"""
    x, y = random(3, 128), random(3, 128)
    text = program(
        body, "(axis i (trips 3)) (axis c (trips 128))", [view(v.upper(), v, (3, 128)) for v in "xyz"],
        "(access x0 X (at i c)) (access y0 Y (at i c)) (access y1 Y (at i c)) (access z1 Z (at i c))", stmts,
        more="(values (value v (axes i c) (dtype f16)))",
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)], seeds=12)
    np.testing.assert_array_equal(z, (x + y) * y)


def test_accumulator_in_registers() -> None:
    """Column sums: an accumulator of one vector carried over the rows."""
    stmts = """(stmt s0 (let a f32 (load x0)) (fold m a))
      (stmt s1 (let a f32 (get m)) (let b f16 (op arith.truncf a)) (store z1 b))"""
    body = """(loop c 4 (pipe 1 (ins)
      (acc m sfu (seq
        (loop i 8 (pipe 2 (ins (move x0 ddr lx)) (pipe 1 (ins (move x0 lx sfu)) (exec s0 (box (i 1) (c 32)) sfu) (outs)) (outs)))
        (pipe 1 (ins) (pipe 1 (ins) (exec s1 (box (c 32)) sfu) (outs (move z1 sfu lx))) (outs (move z1 lx ddr)))))
      (outs)))"""
    x = random(8, 128, dtype="f4")
    text = program(
        body, "(axis i (trips 8)) (axis c (trips 128))", [view("X", "x", (8, 128), "f32"), view("Z", "z", (128,))],
        "(access x0 X (at i c)) (access z1 Z (at c))", stmts, "(x index) (z index)",
        more="(values (value m (axes c) (dtype f32) (init 0.0) (comb arith.addf)))",
    )  # fmt: skip
    _, z = run(text, [x, np.zeros(128, "f2")])
    total = np.zeros(128, "f4")
    for row in x:
        total = total + row
    np.testing.assert_array_equal(z, total.astype("f2"))


def test_deep_machine_with_four_blocks() -> None:
    """Three buffers on the way in, three on the way out, blocks with buffers of their own."""
    x, y = random(8, 96), random(8, 96)
    core = """(pipe 1 (ins (move x0 buffer simd) (move y0 buffer simd)) (exec s0 (box (i 1) (c 32)) simd)
      (outs (move z1 simd buffer)))"""
    body = f"""(loop i 2 (pipe 2 (ins (move x0 hbm store) (move y0 hbm store))
      (pipe 1 (ins (move x0 store near) (move y0 store near))
        (par block 4 i (pipe 2 (ins (move x0 near buffer) (move y0 near buffer)) (loop c 3 {core}) (outs (move z1 buffer near))))
        (outs (move z1 near store)))
      (outs (move z1 store hbm))))"""
    text = program(
        body, "(axis i (trips 8)) (axis c (trips 96))", [view(v.upper(), v, (8, 96)) for v in "xyz"],
        "(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))", ADD,
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)], "deep", seeds=8)
    np.testing.assert_array_equal(z, x + y)


def test_machine_without_scratchpad() -> None:
    x, y = random(4, 80), random(4, 80)
    full, rest = (
        f"(pipe 1 (ins (move x0 dram vpu) (move y0 dram vpu)) (exec s0 (box (i 1) (c {n})) vpu) (outs (move z1 vpu dram)))"
        for n in (32, 16)
    )
    text = program(
        f"(loop i 2 (then c (loop c 2 {full}) {rest}))", "(axis i (lo (* 2 tile0)) (trips 2)) (axis c (trips 80))",
        [view(v.upper(), v, (4, 80)) for v in "xyz"],
        "(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))", ADD, grid="2",
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)], "flat")
    np.testing.assert_array_equal(z, x + y)


def test_one_mover_for_both_directions_and_short_loops() -> None:
    """`tiny` counts to 255: 300 rows take two loops; its mover serves loads and stores."""
    x, y = random(300, 8), random(300, 8)
    body = """(loop i 300 (pipe 2 (ins (move x0 dram pad) (move y0 dram pad))
      (pipe 1 (ins (move x0 pad alu) (move y0 pad alu)) (exec s0 (box (i 1) (c 8)) alu) (outs (move z1 alu pad)))
      (outs (move z1 pad dram))))"""
    text = program(
        body, "(axis i (trips 300)) (axis c (trips 8))", [view(v.upper(), v, (300, 8)) for v in "xyz"],
        "(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))", ADD,
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)], "tiny")
    np.testing.assert_array_equal(z, x + y)


@pytest.mark.parametrize("loops", [(1, 6), (6, 1)])
def test_buffers_share_addresses_when_they_must(loops: tuple[int, int]) -> None:
    """Two unrelated nests whose buffers fit only one after the other, in sequence (once, or in every iteration of a
    loop): the loads of one must not overrun what the other still reads."""
    outer, inner = loops
    shape = (6, 256)
    stmts = (
        ADD
        + """ (stmt s1 (let a f16 (load x1)) (let b f16 (load y1)) (let s f16 (op arith.mulf a b)) (store w1 s))"""
    )
    first = f"(loop i {inner} {staged(1, '(loop c 4 BODY)', '(i 1) (c 64)')})"
    second = f"(loop i {inner} {staged(1, '(loop c 4 BODY)', '(i 1) (c 64)', ('x1', 'y1'), 'w1', 's1')})"
    text = program(
        f"(loop i {outer} (seq {first} {second}))", "(axis i (trips 6)) (axis c (trips 256))",
        [view(v.upper(), v, shape) for v in "xyzw"],
        """(access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c))
           (access x1 X (at i c)) (access y1 Y (at i c)) (access w1 W (at i c))""",
        stmts, "(x index) (y index) (z index) (w index)",
    )  # fmt: skip
    x, y = random(*shape), random(*shape)
    small = (
        "core.lx.size=2 KiB",
        "core.lx.reserved=0 B",
        "core.lx.usable=1",
    )  # four of the six 512-byte buffers
    *_, z, w = run(text, [x, y, np.zeros_like(x), np.zeros_like(x)], seeds=20, overrides=small)
    np.testing.assert_array_equal(z, x + y)
    np.testing.assert_array_equal(w, x * y)


def test_index_expressions_and_scalars() -> None:
    """z = x·a + (c + 3·i) with a run-time f16 scalar; iota along the lanes."""
    stmt = """(stmt s0 (let x f16 (load x0)) (let a f16 (arg a)) (let m f16 (op arith.mulf x a))
      (let k i32 (index (+ c (* 3 i)))) (let f f16 (op arith.sitofp k)) (let s f16 (op arith.addf m f)) (store z1 s))"""
    body = f"(loop i 4 {staged(2, '(loop c 2 BODY)', '(i 1) (c 32)', ('x0',))})"
    x = random(4, 64)
    a = np.float16(1.5)
    text = program(
        body, "(axis i (trips 4)) (axis c (trips 64))", [view("X", "x", (4, 64)), view("Z", "z", (4, 64))],
        "(access x0 X (at i c)) (access z1 Z (at i c))", stmt, "(x index) (z index) (a f16)",
    )  # fmt: skip
    _, z = run(text, [x, np.zeros_like(x), int(a.view("u2"))])
    i, c = np.meshgrid(np.arange(4), np.arange(64), indexing="ij")
    np.testing.assert_array_equal(z, x * a + (c + 3 * i).astype("f2"))


def test_transposed_access_moves_single_elements() -> None:
    """z[i, c] = x[c, i]: lanes along c lie a row apart in x."""
    stmt = (
        "(stmt s0 (let a f16 (load x0)) (let b f16 (load y0)) (let s f16 (op arith.addf a b)) (store z1 s))"
    )
    body = staged(1, "(loop i 3 BODY)", "(i 1) (c 64)")
    x, y = random(64, 3), random(3, 64)
    text = program(
        body, "(axis i (trips 3)) (axis c (trips 64))",
        [view("X", "x", (64, 3)), view("Y", "y", (3, 64)), view("Z", "z", (3, 64))],
        "(access x0 X (at c i)) (access y0 Y (at i c)) (access z1 Z (at i c))", stmt,
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(y)])
    np.testing.assert_array_equal(z, x.T + y)


EDGES = "(access x0 X (at (+ i (* 4 tile0)) c)) (access y0 Y (at (- (+ i (* 4 tile0)) 1) c)) (access z1 Z (at (+ i (* 4 tile0)) c))"


def edges(x: np.ndarray, y: np.ndarray, wide: int) -> np.ndarray:
    """z[i, c] = x[i, c] + y[i - 1, c] on 10 rows; beyond the views elements are 0."""
    z = x.copy()
    z[1:] += y[:-1]
    return z


@pytest.mark.parametrize("columns", [128, 100])
def test_tiles_beyond_their_view(columns: int) -> None:
    """3 tiles of 4x128 on views of 10 rows: rows above and below, and columns, lie outside."""
    x, y = random(10, columns), random(10, columns)
    shape = (10, columns)
    text = program(
        staged(1, "(loop i 4 (loop c 2 BODY))", "(i 1) (c 64)"), "(axis i (trips 4)) (axis c (trips 128))",
        [view(v.upper(), v, shape) for v in "xyz"], EDGES, ADD, grid="3",
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)])
    np.testing.assert_array_equal(z, edges(x, y, columns))


def test_run_time_extent_of_a_view() -> None:
    """Rows beyond n, known at launch, are neither read nor written."""
    x, y = random(10, 64), random(10, 64)
    text = program(
        staged(1, "(loop i 4 BODY)", "(i 1) (c 64)"), "(axis i (trips 4)) (axis c (trips 64))",
        [view(v.upper(), v, (10, 64)).replace("(shape 10", "(shape n") for v in "xyz"], EDGES, ADD,
        "(x index) (y index) (z index) (n i32)", grid="3",
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x), 7])
    expected = edges(x, y, 64)
    expected[7:] = 0
    np.testing.assert_array_equal(z, expected)


def test_tiles_beyond_their_view_without_scratchpad() -> None:
    """Whole vectors outside, and the last vector of a row of 40 partly."""
    x, y = random(10, 40), random(10, 40)
    step = "(pipe 1 (ins (move x0 dram vpu) (move y0 dram vpu)) (exec s0 (box (i 1) (c 32)) vpu) (outs (move z1 vpu dram)))"
    text = program(
        f"(loop i 4 (then c {step} {step}))", "(axis i (trips 4)) (axis c (trips 64))",
        [view(v.upper(), v, (10, 40)) for v in "xyz"], EDGES, ADD, grid="3",
    )  # fmt: skip
    *_, z = run(text, [x, y, np.zeros_like(x)], "flat")
    np.testing.assert_array_equal(z, edges(x, y, 40))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("(move y0 lx sfu)", ""), "DFLOW015"),
        (("(i 1) (c 64)", "(i 2) (c 64)"), "DFLOW021"),
        (("(move x0 ddr lx)", "(move x0 ddr sfu)"), "DFLOW020"),
        (("sfu)\n          (outs", "lx)\n          (outs"), "DFLOW013"),
        (("pipe 2", "pipe 9000"), "DFLOW030"),
        (("(grid 2)", "(grid 64)"), "DFLOW001"),
        (("(loop i 3", "(loop i 3 (par card 1 i"), "DFLOW012"),
    ],
)
def test_faults(change: tuple[str, str], code: str) -> None:
    text = (TERMS / "add_rows.sir").read_text()
    assert change[0] in text
    text = text.replace(*change)
    if "par card" in change[1]:
        text = text.replace("(outs (move z1 lx ddr))))))", "(outs (move z1 lx ddr)))))))")
    with pytest.raises(TilesatError) as caught:
        lowered(text)
    assert caught.value.diagnostics[0].code == code
