"""Kernels that work in place in the scratchpad: copy in, overwrite, copy out, on every machine that has one.

A load whose value a store overwrites needs no signal: the FIFOs order the two. A load of what an earlier
iteration stored needs one, which the lowering makes out of the kernel's `carried` dependences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tilesat.arch import load_arch
from tilesat.cost import Model, extract
from tilesat.dataflow import lower
from tilesat.diagnostics import TilesatError
from tilesat.rewrite import load_strategy, saturate
from tilesat.schedule.dependences import Touched, carried
from tilesat.schedule.text import read_program
from tilesat.sim import prepare
from tilesat.spyrecode import assemble

ROWS, COLUMNS = 6, 192


@dataclass(frozen=True)
class Shift:
    """The kernel stores 2 · L[i + rows, c + columns] to L[i + to_rows, c + to_columns]."""

    rows: int = 0
    columns: int = 0
    to_rows: int = 0
    to_columns: int = 0


def _program(shift: Shift, loops: tuple[str, ...], body: str):  # type: ignore[no-untyped-def]
    shape = f"(shape {ROWS + 2} {COLUMNS + 2}) (strides {COLUMNS + 2} 1) (dtype f16)"
    every = f"(box (r {ROWS + 2}) (q {COLUMNS + 2}))"
    program = read_program(f"""(program resident (args (x index) (y index))
      (axes (axis i (trips {ROWS})) (axis c (trips {COLUMNS}))
            (axis r (trips {ROWS + 2})) (axis q (trips {COLUMNS + 2})))
      (views (view X (base x) {shape} (space global)) (view Y (base y) {shape} (space global))
             (view L (base 0) {shape} (space ct_local)))
      (accesses (access x0 X (at r q)) (access l0 L (at r q)) (access l3 L (at r q)) (access y0 Y (at r q))
                (access l1 L (at (+ i {shift.rows}) (+ c {shift.columns})))
                (access l2 L (at (+ i {shift.to_rows}) (+ c {shift.to_columns}))))
      (stmts (stmt before (let a f16 (load x0)) (store l0 a))
             (stmt s (let a f16 (load l1)) (let b f16 (op arith.addf a a)) (store l2 b))
             (stmt after (let a f16 (load l3)) (store y0 a)))
      (body (seq (exec before {every} home) (seq {body} (exec after {every} home)))))""")
    touched = [Touched(s, loops if s == "s" else ()) for s in program.stmts]
    return replace(program, carried=carried(program, touched, False))


def _run(
    shift: Shift, arch: str, loops: tuple[str, ...], body: str, dependences: bool = True
) -> tuple[NDArray[np.float16], ...]:
    machine = load_arch(arch)
    program = _program(shift, loops, body)
    if not dependences:
        program = replace(program, carried=())
    term = extract(saturate(program, machine, load_strategy("none")), Model(program, machine)).picked.term
    x = (np.arange((ROWS + 2) * (COLUMNS + 2)) % 13).astype(np.float16).reshape(ROWS + 2, COLUMNS + 2)
    code = assemble(lower(program, machine, term), machine, "resident")
    _, y = prepare(code, machine).launch([x, np.zeros_like(x)]).outputs
    assert y is not None
    return x, y


def _expected(x: NDArray[np.float16], shift: Shift, box: tuple[int, int]) -> NDArray[np.float16]:
    """Box by box in row-major order; a box is read whole before it is stored."""
    z, (rows, columns) = x.copy(), box
    for i in range(0, ROWS, rows):
        for c in range(0, COLUMNS, columns):
            a, b, d, e = i + shift.rows, c + shift.columns, i + shift.to_rows, c + shift.to_columns
            z[d : d + rows, e : e + columns] = 2 * z[a : a + rows, b : b + columns].copy()
    return z


TILE = ((), "(exec s (box (i 6) (c 192)) home)", (6, 192))
BY_ROW = (("i",), "(loop i 6 (exec s (box (i 1) (c 192)) home))", (1, 192))
BY_VECTOR = (("i", "c"), "(loop i 6 (loop c 3 (exec s (box (i 1) (c 64)) home)))", (1, 64))
HALVES = ((), "(par corelet 2 i (exec s (box (i 3) (c 192)) home))", (3, 192))
MACHINES = ("sample-device", "spyre")


@pytest.mark.parametrize("arch", MACHINES)
@pytest.mark.parametrize("nest", [TILE, BY_ROW, BY_VECTOR], ids=["tile", "rows", "vectors"])
@pytest.mark.parametrize("shift", [Shift(), Shift(rows=1), Shift(rows=2), Shift(columns=1)], ids=str)
def test_overwriting_what_was_loaded(shift: Shift, nest, arch: str) -> None:
    loops, body, box = nest
    x, y = _run(shift, arch, loops, body)
    np.testing.assert_array_equal(y, _expected(x, shift, box))


@pytest.mark.parametrize("arch", MACHINES)
@pytest.mark.parametrize("nest", [BY_ROW, BY_VECTOR], ids=["rows", "vectors"])
@pytest.mark.parametrize("shift", [Shift(to_rows=1), Shift(to_rows=2)], ids=str)
def test_loading_what_an_earlier_iteration_stored(shift: Shift, nest, arch: str) -> None:
    loops, body, box = nest
    x, y = _run(shift, arch, loops, body)
    np.testing.assert_array_equal(y, _expected(x, shift, box))


def test_loading_what_the_vector_before_stored() -> None:
    x, y = _run(Shift(to_columns=1), "sample-device", *BY_VECTOR[:2])
    np.testing.assert_array_equal(y, _expected(x, Shift(to_columns=1), BY_VECTOR[2]))


def test_without_its_dependences_the_same_kernel_is_a_race() -> None:
    """Nothing but the signals that follow from `carried` makes the shifted kernel right."""
    with pytest.raises(TilesatError, match="no signal orders the two") as caught:
        _run(Shift(to_rows=1), "sample-device", *BY_ROW[:2], dependences=False)
    assert caught.value.diagnostics[0].code == "SIM012"


def test_corelets_order_nothing_between_them() -> None:
    """Dealing rows over corelets is right in place, and a race when one half loads what the other stores."""
    x, y = _run(Shift(), "sample-device", *HALVES[:2])
    np.testing.assert_array_equal(y, _expected(x, Shift(), HALVES[2]))
    with pytest.raises(TilesatError, match=r"l1su\[1\].*l1lu\[0\].*no signal orders the two") as caught:
        _run(Shift(rows=1), "sample-device", *HALVES[:2])
    assert caught.value.diagnostics[0].code == "SIM012"
