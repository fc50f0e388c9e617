"""The hand-written programs of terms/: they read back from their own print, and run right against NumPy,
as written and staged, in every order that the denotation allows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tilesat.schedule import Program, parse, print_program, read_program, show
from tilesat.schedule.interpreter import Levels, interpret, interpret_all
from tilesat.schedule.legality import check

TERMS = Path(__file__).parent / "terms"
LEVELS = Levels({"global": "ddr", "ct_local": "lx"}, ("ddr", "lx", "sfu", "register"))
Buffers = dict[str, np.ndarray[Any, Any]]


def program(name: str) -> Program:
    return read_program((TERMS / f"{name}.sir").read_text())


def randoms(seed: int, *shape: int, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def cyclic_rows() -> tuple[Buffers, Buffers, float]:
    x = randoms(1, 37, 64, dtype=np.float16)
    return {"x": x, "z": np.zeros_like(x)}, {"z": x * x}, 0


def column_blocks() -> tuple[Buffers, Buffers, float]:
    x = randoms(2, 5, 96)
    return {"x": x, "y": np.zeros(5, np.float32)}, {"y": x.astype(np.float64).sum(1)}, 1e-5


def matmul() -> tuple[Buffers, Buffers, float]:
    a, b = randoms(3, 6, 32, dtype=np.float16), randoms(4, 32, 16, dtype=np.float16)
    c = a.astype(np.float64) @ b.astype(np.float64)
    return {"a": a, "b": b, "c": np.zeros((6, 16), np.float16)}, {"c": c}, 1e-2


def online_softmax() -> tuple[Buffers, Buffers, float]:
    x = randoms(5, 6, 64) * 4
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return {"x": x, "z": np.zeros_like(x)}, {"z": e / e.sum(1, keepdims=True)}, 1e-6


def exp_in_place() -> tuple[Buffers, Buffers, float]:
    x = randoms(6, 8, 64, dtype=np.float16)
    return {"x": x}, {"x": np.exp(x.astype(np.float64))}, 1e-3


def gather() -> tuple[Buffers, Buffers, float]:
    x, rows = randoms(7, 20, 32), np.array([3, 3, 0, 19, 7, 2, 11], np.int32)
    z = x[rows] + np.float32(0.5)
    return {"x": x, "rows": rows, "z": np.zeros((7, 32), np.float32)}, {"z": z}, 0


def ring_reduce() -> tuple[Buffers, Buffers, float]:
    x = randoms(8, 24, 32)
    y = x.astype(np.float64).reshape(2, 12, 32).sum(1)
    return {"x": x, "y": np.zeros((2, 32), np.float32)}, {"y": y}, 1e-5


def peeled_tail() -> tuple[Buffers, Buffers, float]:
    x = randoms(9, 4, 1000, dtype=np.float16)
    return {"x": x, "z": np.zeros_like(x)}, {"z": -x}, 0


CASES: list[Callable[[], tuple[Buffers, Buffers, float]]] = [
    cyclic_rows,
    column_blocks,
    matmul,
    online_softmax,
    exp_in_place,
    gather,
    ring_reduce,
    peeled_tail,
]
STAGED = [c for c in CASES if (TERMS / f"{c.__name__}.staged.sir").exists()]


def test_every_file_has_a_case() -> None:
    assert {p.name.split(".")[0] for p in TERMS.glob("*.sir")} == {c.__name__ for c in CASES}
    assert len(STAGED) >= 6


def close(found: Any, expected: Buffers, tolerance: float) -> None:
    for name, want in expected.items():
        if tolerance == 0:
            assert found[name].tobytes() == want.astype(found[name].dtype).tobytes()
        else:
            np.testing.assert_allclose(found[name].astype(np.float64), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.__name__)
def test_text_round_trip(case: Callable[[], Any]) -> None:
    p = program(case.__name__)
    check(p)
    text = print_program(p)
    assert read_program(text) == p
    assert print_program(read_program(text)) == text


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.__name__)
def test_runs_right(case: Callable[[], tuple[Buffers, Buffers, float]]) -> None:
    buffers, expected, tolerance = case()
    before = {k: v.copy() for k, v in buffers.items()}
    found = interpret_all(program(case.__name__), buffers, {"s": 0.5}, levels=LEVELS)
    close(found, expected, tolerance)
    assert all((buffers[k] == before[k]).all() for k in buffers), "inputs must not be modified"


@pytest.mark.parametrize("case", STAGED, ids=lambda c: c.__name__)
@pytest.mark.parametrize("levels", [LEVELS, None], ids=["strict", "inferred"])
def test_staged_runs_right(case: Callable[[], tuple[Buffers, Buffers, float]], levels: Levels | None) -> None:
    p = program(case.__name__)
    body = parse((TERMS / f"{case.__name__}.staged.sir").read_text())
    check(p, body)
    assert parse(show(body, 50)) == body
    buffers, expected, tolerance = case()
    found = interpret_all(p, buffers, {"s": 0.5}, body=body, levels=levels)
    close(found, expected, tolerance)
    plain = interpret(p, buffers, {"s": 0.5}, body=p.body)
    for name in expected:  # the staged forms keep the order of every fold but matmul's and the sums'
        if case is not column_blocks:
            assert found[name].tobytes() == plain[name].tobytes()
