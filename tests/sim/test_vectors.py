"""Every vector word of the compute unit, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from simasm import Kernel, Unit
from simkernels import stream
from tilesat.arch import load_arch
from tilesat.diagnostics import TilesatError
from tilesat.sim import prepare

ARCH = load_arch("spyre")
ROWS = 5
Body = Callable[[Unit], Any]


def run(
    body: Body,
    inputs: list[NDArray[Any]],
    kinds: list[tuple[str, int]],
    output: tuple[str, int] = ("f16", 64),
    dtype: Any = np.float16,
    prepare_kernel: Callable[[Kernel], None] = lambda k: None,
) -> NDArray[Any]:
    kernel = stream(ARCH, ROWS, body, inputs=kinds, output=output)
    prepare_kernel(kernel)
    out = np.zeros((ROWS, output[1]), dtype)
    return prepare(kernel.code(), ARCH).launch([*inputs, out]).outputs[-1]


def halves(seed: int, lanes: int = 64) -> NDArray[np.float16]:
    return np.random.default_rng(seed).standard_normal((ROWS, lanes)).astype(np.float16)


X, Y = halves(1), halves(2)


def test_chain_of_operations_and_casts() -> None:
    """exp in f32 between two casts: 64 f32 take two sticks."""

    def body(u: Unit) -> None:
        u.vop(op="extf", dtype="f32", source="f16", count=64, vd=8, va=0)
        u.vop(op="exp", dtype="f32", source="f32", count=64, vd=10, va=8)
        u.vop(op="truncf", dtype="f16", source="f32", count=64, vd=12, va=10)

    expected = np.exp(X.astype(np.float64)).astype(np.float16)
    found = run(body, [X], [("f16", 64)])
    assert (np.abs(found.view(np.int16) - expected.view(np.int16)) <= 1).all()


def test_compare_mask_and_select() -> None:
    def body(u: Unit) -> None:
        u.vop(op="cmpf_ogt", dtype="i1", source="f16", count=64, vd=1, va=0, vb=4)
        u.li(rd=2, imm=3).li(rd=3, imm=50).vmask(count=64, vd=2, ra=2, rb=3)
        u.vop(op="andi", dtype="i1", source="i1", count=64, vd=1, va=1, vb=2)
        u.vop(op="select", dtype="f16", source="f16", count=64, vd=12, va=1, vb=0, vc=4)

    lane = np.arange(64)
    expected = np.where((X > Y) & (lane >= 3) & (lane < 50), X, Y)
    assert (run(body, [X, Y], [("f16", 64)] * 2) == expected).all()


def test_constants_moves_and_splats() -> None:

    def body(u: Unit) -> None:
        row, half = (u.kernel.constant("f16", v) for v in (np.arange(64), [0.5]))
        u.vconst(vd=1, constant=row).vconst(vd=2, constant=half, splat=64)
        u.vmov(dtype="f16", count=64, vd=3, va=0).vsplat(dtype="f16", count=64, vd=4, va=3, lane=7)
        u.vop(op="fma", dtype="f16", source="f16", count=64, vd=5, va=1, vb=2, vc=4)
        u.vmov(dtype="f16", count=64, vd=12, va=5)

    expected = (np.arange(64) * 0.5 + X[:, 7:8].astype(np.float64)).astype(np.float16)
    assert (run(body, [X], [("f16", 64)]) == expected).all()


def test_shuffle_of_two_registers() -> None:
    pattern = np.concatenate((np.arange(63, -1, -2), -1 - np.arange(0, 64, 2))).astype(np.int32)

    def body(u: Unit) -> None:
        row = u.kernel.constant("i32", pattern)
        u.vshuf(dtype="f16", count=64, vd=12, va=0, vb=4, pattern=row)

    expected = np.where(pattern >= 0, X[:, np.maximum(pattern, 0)], Y[:, np.maximum(-1 - pattern, 0)])
    assert (run(body, [X, Y], [("f16", 64)] * 2) == expected).all()


def test_short_shuffle_pattern_repeats() -> None:
    def body(u: Unit) -> None:
        row = u.kernel.constant("i32", np.array([3, 0], np.int32))
        u.vshuf(dtype="f16", count=64, vd=12, va=0, pattern=row)

    assert (run(body, [X], [("f16", 64)]) == np.tile(X[:, [3, 0]], 32)).all()


def test_reduce_folds_lanes_in_order() -> None:
    def body(u: Unit) -> None:
        u.vred(op="addf", dtype="f16", count=64, vd=12, va=0)

    expected = X[:, 0].copy()
    for lane in range(1, 64):
        expected = expected + X[:, lane]
    assert (run(body, [X], [("f16", 64)], ("f16", 1))[:, 0] == expected).all()


@pytest.mark.parametrize(("kind", "numpy"), [("i32", np.int32), ("i8", np.int8), ("i64", np.int64)])
def test_vectors_from_integer_registers_wrap(kind: str, numpy: Any) -> None:
    lanes = 16

    def body(u: Unit) -> None:
        u.li(rd=4, imm=-7).li(rd=5, imm=100).vset(dtype=kind, count=lanes, vd=12, ra=4, rb=5)

    found = run(body, [X], [("f16", 64)], (kind, lanes), numpy)
    assert (found == (-7 + 100 * np.arange(lanes)).astype(numpy)).all()


def test_accumulator_over_iterations() -> None:
    """A register carried through the loop: running sums."""

    def body(u: Unit) -> None:
        u.vop(op="addf", dtype="f32", source="f32", count=32, vd=8, va=8, vb=0)
        u.vmov(dtype="f32", count=32, vd=12, va=8)

    def zero(k: Kernel) -> None:
        compute = next(u for u in k.programs if u.name == "sfu")
        compute.words.insert(0, ("vconst", {"vd": 8, "splat": 32, "constant": k.constant("f32", [0.0])}))

    x = np.random.default_rng(3).standard_normal((ROWS, 32)).astype(np.float32)
    found = run(body, [x], [("f32", 32)], ("f32", 32), np.float32, zero)
    assert (found == np.add.accumulate(x)).all()


def test_integers_and_bit_patterns() -> None:
    def body(u: Unit) -> None:
        u.vop(op="fptosi", dtype="i16", source="f16", count=64, vd=1, va=0)
        u.vop(op="muli", dtype="i16", source="i16", count=64, vd=2, va=1, vb=1)
        u.vop(op="bitcast", dtype="f16", source="i16", count=64, vd=12, va=2)

    whole = (X * 20).astype(np.float16)
    expected = np.trunc(whole.astype(np.float32)).astype(np.int16) ** 2
    assert (run(body, [whole], [("f16", 64)]).view(np.int16) == expected).all()


def test_part_of_a_register_is_read_through_its_bytes() -> None:
    """The second stick of 64 x f32 is its upper 32 elements; overwriting it leaves the first alone."""

    def body(u: Unit) -> None:
        u.vop(op="extf", dtype="f32", source="f16", count=64, vd=8, va=0)
        u.vop(op="addf", dtype="f32", source="f32", count=32, vd=9, va=9, vb=9)
        u.vop(op="truncf", dtype="f16", source="f32", count=64, vd=12, va=8)

    expected = np.concatenate((X[:, :32], X[:, 32:] + X[:, 32:]), axis=1)
    assert (run(body, [X], [("f16", 64)]) == expected).all()


def test_unwritten_register() -> None:
    with pytest.raises(TilesatError, match=r"SIM016.*sfu\[0\].*vector register 3"):
        run(lambda u: u.vmov(dtype="f16", count=64, vd=12, va=3), [X], [("f16", 64)])


def test_register_beyond_the_file() -> None:
    with pytest.raises(TilesatError, match=r"SIM030.*vector register 16 of 16"):
        run(lambda u: u.vmov(dtype="f32", count=64, vd=15, va=0), [X], [("f16", 64)])


def test_entries_must_agree_in_type() -> None:
    kernel = stream(ARCH, ROWS, lambda u: u.vmov(dtype="f16", count=64, vd=12, va=0), inputs=[("f16", 64)])
    compute = next(u for u in kernel.programs if u.name == "sfu")
    at = next(i for i, (name, _) in enumerate(compute.words) if name == "recv")
    compute.words[at][1]["count"] = 32
    with pytest.raises(TilesatError, match=r"SIM014.*pops f16 x32, the entry is f16 x64"):
        prepare(kernel.code(), ARCH).launch([X, np.zeros_like(X)])
