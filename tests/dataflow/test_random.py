"""Random elementwise programs, tiled and staged at random, in random interleavings, against NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from dataflow_executor import Machine
from hypothesis import given, settings
from hypothesis import strategies as st
from tilesat.arch import load_arch
from tilesat.dataflow import lower, verify
from tilesat.schedule.text import read_program


@dataclass(frozen=True)
class Machinery:
    """Memories from home to compute, and the group that shares the one before the last."""

    arch: str
    levels: tuple[str, ...]
    lanes: int
    group: str | None
    ways: int


MACHINES = [
    Machinery("spyre", ("ddr", "lx", "sfu"), 64, "corelet", 2),
    Machinery("deep", ("hbm", "store", "near", "buffer", "simd"), 32, "block", 4),
    Machinery("tiny", ("dram", "pad", "alu"), 8, None, 1),
    Machinery("flat", ("dram", "vpu"), 32, None, 1),
]


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, Machinery, int, int, bool]:
    """z[i, c] = x[i, c] + y[c or i] in a random nest."""
    m = draw(st.sampled_from(MACHINES))
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 3 * m.lanes))
    by_column = draw(st.booleans())
    hoisted = draw(st.booleans()) and by_column
    depths = [draw(st.integers(1, 3)) for _ in m.levels]
    ways = draw(st.sampled_from([1, m.ways]))
    outside = draw(st.booleans())
    body = _rows(m, rows, columns, depths, ways, outside, hoisted)
    if hoisted:
        moves = " ".join(f"(move y0 {m.levels[0]} {m.levels[1]})" for _ in range(1))
        body = f"(pipe 1 (ins {moves}) {body} (outs))" if len(m.levels) > 2 else body
    y = (
        ("(shape {c})", "(strides 1)", "(at c)")
        if by_column
        else ("(shape {r} 1)", "(strides 1 1)", "(at i 0)")
    )
    shape, strides, at = (t.format(r=rows, c=columns) for t in y)
    text = f"""(program k (args (x index) (y index) (z index))
      (axes (axis i (trips {rows})) (axis c (trips {columns})))
      (views (view X (base x) (shape {rows} {columns}) (strides {columns} 1) (dtype f16) (space global))
             (view Y (base y) {shape} {strides} (dtype f16) (space global))
             (view Z (base z) (shape {rows} {columns}) (strides {columns} 1) (dtype f16) (space global)))
      (accesses (access x0 X (at i c)) (access y0 Y {at}) (access z1 Z (at i c)))
      (stmts (stmt s0 (let a f16 (load x0)) (let b f16 (load y0))
                      (let s f16 (op arith.addf a b)) (store z1 s)))
      (body {body}))"""
    return text, m, rows, columns, by_column


def _rows(
    m: Machinery, rows: int, columns: int, depths: list[int], ways: int, outside: bool, hoisted: bool
) -> str:
    """Blocks of `tile` rows distributed over `ways` instances, then what is left on one."""
    tile = 2 if rows >= 2 * ways else 1
    block = tile * ways
    parts = []
    for count, n, w in ((rows // block, tile, ways), (rows % block, 1, 1)):
        if count:
            parts.append(f"(loop i {count} {_stage(m, 0, n, columns, depths, w, outside, hoisted)})")
    return parts[0] if len(parts) == 1 else f"(then i {parts[0]} {parts[1]})"


def _stage(
    m: Machinery,
    level: int,
    tile: int,
    columns: int,
    depths: list[int],
    ways: int,
    outside: bool,
    hoisted: bool,
) -> str:
    if level == len(m.levels) - 2:
        return _vectors(m, tile, columns, depths[level])
    far, near = m.levels[level], m.levels[level + 1]
    ins = f"(move x0 {far} {near})" + ("" if hoisted and level == 0 else f" (move y0 {far} {near})")
    inner = _stage(m, level + 1, tile, columns, depths, 1, outside, hoisted)
    # The group's instances share every memory but the last ones: split inside the first pipe, or around it.
    if ways > 1 and not outside:
        last = (
            _stage(m, level + 1, tile, columns, depths, ways, True, hoisted)
            if level + 3 < len(m.levels)
            else inner
        )
        inner = last if level + 3 < len(m.levels) else f"(par {m.group} {ways} i {inner})"
    staged = f"(pipe {depths[level]} (ins {ins}) {inner} (outs (move z1 {near} {far})))"
    return f"(par {m.group} {ways} i {staged})" if ways > 1 and outside else staged


def _vectors(m: Machinery, tile: int, columns: int, depth: int) -> str:
    far, unit = m.levels[-2:]
    whole, rest = divmod(columns, m.lanes)

    def step(n: int) -> str:
        return (
            f"(pipe {depth} (ins (move x0 {far} {unit}) (move y0 {far} {unit}))"
            f" (exec s0 (box (i 1) (c {n})) {unit}) (outs (move z1 {unit} {far})))"
        )

    parts = [f"(loop c {whole} {step(m.lanes)})"] if whole else []
    parts += [step(rest)] if rest else []
    row = parts[0] if len(parts) == 1 else f"(then c {parts[0]} {parts[1]})"
    return f"(loop i {tile} {row})"


@settings(max_examples=60, deadline=None, derandomize=True)
@given(programs(), st.integers(0, 1000))
def test_any_staging_gives_the_same_values(case: tuple[str, Machinery, int, int, bool], seed: int) -> None:
    text, m, rows, columns, by_column = case
    arch = load_arch(m.arch)
    module = lower(read_program(text), arch)
    assert verify(module) == []
    random = np.random.default_rng(seed)
    x = random.standard_normal((rows, columns)).astype("f2")
    y = random.standard_normal(columns if by_column else (rows, 1)).astype("f2")
    done = Machine(module, arch, [x, y, np.zeros_like(x)], seed).run()
    np.testing.assert_array_equal(done.result(2), x + y)
