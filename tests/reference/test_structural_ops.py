"""linalg, tensor, scf, affine, memref, func and ktdp ops against NumPy, without tilesat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tilesat.diagnostics import TilesatError

Array = Any
F16, F32 = np.float16, np.float32


def _rng() -> np.random.Generator:
    return np.random.default_rng(11)


def _floats(*shape: int, t: Any = F32) -> Array:
    return _rng().standard_normal(shape).astype(t)


def same(got: Array, want: Array, name: str = "") -> None:
    np.testing.assert_array_equal(got, want, err_msg=name)


def near(got: Array, want: Array, name: str = "") -> None:
    np.testing.assert_allclose(got, want, rtol=2e-6, atol=2e-6, err_msg=name)


@pytest.mark.parametrize("accumulator", ["wide", "element"])
def test_contractions(execute: Any, accumulator: str) -> None:
    rng = _rng()
    a, b = rng.standard_normal((2, 5, 9)).astype(F16), rng.standard_normal((2, 9, 7)).astype(F16)
    shapes = [(5, 7), (1, 5, 7), (5,), (7,), (), (1, 5), (1, 7), (5, 7), (7, 5)]
    outs = [np.zeros((2, *s), F32) for s in shapes]
    got = execute("linalg_contractions", a, b, *outs, accumulator=accumulator)[2:]
    x, y = a.astype(np.float64), b.astype(np.float64)
    product = x @ y + 1
    row, column = x[:, 2], y[:, :, 3]
    wants = [
        product,
        product[:, None],
        np.einsum("bmk,bk->bm", x, column) + 1,
        np.einsum("bk,bkn->bn", row, y) + 1,
        np.einsum("bk,bk->b", row, column) + 1,
        (np.einsum("bmk,bk->bm", x, column) + 1)[:, None],
        (np.einsum("bk,bkn->bn", row, y) + 1)[:, None],
        np.broadcast_to((x @ y).sum(0) + 1, (2, 5, 7)),
        (product - 1).transpose(0, 2, 1),
    ]
    for i, (g, w) in enumerate(zip(got, wants, strict=True)):
        np.testing.assert_allclose(g, w, rtol=1e-5, atol=1e-5, err_msg=str(i))


def test_structured(execute: Any) -> None:
    x = _floats(3, 6, 10)
    shapes = [(6,), (6,), (10, 6), (4, 6), (6, 10), (6, 10), (6, 10), (6,)]
    outs = [np.zeros((3, *s), np.int32 if i == 1 else F32) for i, s in enumerate(shapes)]
    sums, argmax, turned, spread, soft, mapped, diagonal, running = execute("linalg_structured", x, *outs)[1:]
    xs = x.astype(np.float64)
    e = np.exp(xs - xs.max(-1, keepdims=True))
    softmax = e / e.sum(-1, keepdims=True)
    near(sums, xs.sum(-1))
    same(argmax, x.argmax(-1))
    same(turned, x.transpose(0, 2, 1))
    near(spread, np.broadcast_to(xs.sum(-1)[:, None], (3, 4, 6)))
    near(soft, softmax)
    near(mapped, xs * softmax - xs)
    same(diagonal, x * np.tri(6, 10, dtype=F32))
    state = np.ones((3, 6))
    for j in range(10):
        state = (xs[..., j] + j) / (np.abs(state) + 1)
    near(running, state)


def test_tensors(execute: Any) -> None:
    x = _floats(2, 4, 6)
    out = execute("tensor_shapes", x, np.zeros((2, 14, 40), F32))[1]
    for t in range(2):
        v = x[t]
        elem, other = v[2, t], v[t, 3]
        cut = v[t : t + 3 : 2, 1:5:3]
        inserted = v.copy()
        inserted[t, 1] = elem
        pasted = v.copy()
        pasted[0:4:3, t : t + 3 : 2] = cut
        padded = np.full((3, 4), -1.0)
        padded[1:, :2] = cut
        placed = v.copy()
        placed[[1, 2, 0]] = v[[3, 0, 3]]
        wants = [
            np.full((2, 3), elem),
            np.array([elem, other, elem]),
            inserted,
            cut,
            v[t],
            pasted,
            np.concatenate([v, v[:, 5:]], 1),
            np.add.outer(np.arange(3), np.arange(4)) + t,
            padded,
            v[[3, 0, 3]],
            placed,
            np.full((4, 3), 6.0),
            np.abs(v),
            v.reshape(4, 2, 3).transpose(1, 0, 2),
        ]
        for i, want in enumerate(wants):
            same(out[t, i, : want.size], want.ravel(), f"tile {t}, result {i}")
            same(out[t, i, want.size :], 0, f"tile {t}, result {i}, beyond")


@pytest.mark.parametrize("n", [0, 1, 5])
def test_control_flow_that_differs_between_tiles(execute: Any, n: int) -> None:
    x = np.round(_floats(5, 7) * 8)
    blank = np.full((8, 5, 7), 99, F32)
    out = execute("scf_control", x, blank, n)[1]
    for t in range(5):
        v = x[t]
        acc = v * (t + 1)
        rounds = list(range(0, n, 2))
        chosen = v * v if t % 2 else -v
        total = 0.5 + sum(v[i + j] for i in range(3) for j in range(t))
        woven = np.full(7, 0.5, F32)
        woven[:3] = v[[0, 2, 4]]
        wants = [
            acc,
            v + sum(rounds) - (rounds[-1] if rounds else 0),
            chosen,
            {1: acc, 3: v - acc}.get(t, v),
            chosen + v,
            np.full(7, total),
            woven,
            v if t < 3 else np.full(7, 99),
        ]
        for i, want in enumerate(wants):
            same(out[i, t], want, f"tile {t}, result {i}")


def test_loop_with_a_computed_condition_is_refused(execute: Any) -> None:
    with pytest.raises(TilesatError) as e:
        execute("scf_while", 3)
    (fault,) = e.value.diagnostics
    assert fault.code == "REF001" and "scf.while" in fault.message and fault.position.line == 6


def test_affine_and_views_of_views(execute: Any) -> None:
    x = _floats(6, 10, t=F16)
    same(execute("affine_memref", x, np.zeros((3, 5), F16))[1], x[::2, 5:])


def test_calls(execute: Any) -> None:
    x = np.round(_floats(2, 9) * 8)
    same(execute("func_call", x, np.zeros((2, 9), F32))[1], 3 * x + 1)


def test_gathers(execute: Any) -> None:
    rng = _rng()
    x = _floats(20, 12, t=F16)
    rows = rng.integers(0, 20, (4, 5)).astype(np.int32)
    grid = rng.integers(0, 12, (4, 6))
    outs = [np.zeros(s, F16) for s in ((4, 5, 8), (4, 3, 2), (4,))]
    out, turned, single = execute("ktdp_gather", x, rows, grid, *outs)[3:]
    for t in range(4):
        same(out[t], x[rows[t], t : t + 8] if t < 4 else 0)
        same(turned[t], x[rows[t, 1:3][None, :], grid[t, 0:6:2][:, None]])
        same(single[t], x[rows[t, 3], 2 * t])


def test_an_index_outside_the_view_is_a_fault(execute: Any) -> None:
    x, rows = _floats(20, 12, t=F16), np.full((4, 5), 20, np.int32)
    outs = [np.zeros(s, F16) for s in ((4, 5, 8), (4, 3, 2), (4,))]
    with pytest.raises(TilesatError, match="index read from memory 20 is outside dimension 0"):
        execute("ktdp_gather", x, rows, np.zeros((4, 6), np.int64), *outs)


def test_a_scatter_keeps_the_last_row_written(execute: Any) -> None:
    x = _floats(18, 7)
    rows = _rng().integers(0, 12, 18).astype(np.int32)
    assert len(set(rows.tolist())) < 18
    want = np.zeros((25, 7), F32)
    for source, row in enumerate(rows):
        want[row] = x[source]
    same(execute("ktdp_scatter", x, rows, np.zeros((25, 7), F32))[2], want)


def test_distributed_views(execute: Any) -> None:
    x = _floats(12, 20, t=F16)
    columns, joined = execute("ktdp_distributed", x, np.zeros((12, 20), F16), np.zeros((4, 2, 20), F16))[1:]
    same(columns, x)
    for t in range(4):
        same(joined[t], np.stack([x[11], x[3 * t]]))


def test_inter_tile_operations(execute: Any) -> None:
    x = np.round(_floats(4, 2, 6) * 8)
    shapes = [(2, 6), (2, 6), (2, 3), (4, 6), (4, 3), (1, 6)]
    outs = [np.zeros((4, *s), F32) for s in shapes]
    copied, total, part, gathered, swapped, dealt = execute("ktdp_inter_tile", x, *outs)[1:]
    for t in range(4):
        first, place = t // 2 * 2, t % 2
        pair = x[first : first + 2]
        half = slice(3 * place, 3 * place + 3)
        same(copied[t], x[first + 1 - place], "consume")
        same(total[t], pair.sum(0), "reduce")
        same(part[t], pair.sum(0)[:, half], "reduce_scatter")
        same(gathered[t], pair.reshape(4, 6), "gather")
        same(swapped[t], np.concatenate([pair[0][:, half], pair[1][:, half]]), "all_to_all")
        same(dealt[t], pair[0][place : place + 1], "scatter")


@pytest.mark.parametrize("n", [8, 13, 24])
def test_sizes_known_at_launch(execute: Any, n: int) -> None:
    x = _floats(2, n, t=F16)
    _, y, bound, _ = execute("ktdp_runtime_arg", x, np.zeros((2, n), F16), np.zeros(2, np.int32), n)
    same(y, x + x)
    same(bound, 64)


def test_views_and_tiles(execute: Any) -> None:
    x = _floats(6, 4)
    scalars = np.array([1, 2, 3], F32)
    outs = [np.zeros(s, F32) for s in ((3, 4, 2), (3, 2, 4), (3, 4, 4))]
    by_columns, triangle, before, doubled = execute("ktdp_views", x.T.copy(), *outs, scalars)[1:]
    margin = np.zeros((9, 4), F32)
    margin[1:7] = x
    for t in range(3):
        same(by_columns[t], x[2 * t : 2 * t + 2].T)
        want = x[2 * t : 2 * t + 2].copy()
        want[1, :2] = 0
        same(triangle[t], want)
        same(before[t], margin[2 * t : 2 * t + 4])
    same(doubled, scalars * 2)
    same(scalars, [1, 2, 3], "the caller's array")


def test_a_tile_beyond_its_view_can_be_an_error(execute: Any) -> None:
    outs = [np.zeros(s, F32) for s in ((3, 4, 2), (3, 2, 4), (3, 4, 4))]
    with pytest.raises(TilesatError, match="reaches beyond its view"):
        execute("ktdp_views", _floats(4, 6), *outs, np.ones(3, F32), out_of_view="error")
