"""Kernels of examples/nn: loops with carried values, masks, ragged edges, gathers, exchanges in loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tilesat.ktir import read_file
from tilesat.sim.reference import run

Array = Any
F16, F32 = np.float16, np.float32


def _run(repository: Path, name: str, *args: Any) -> list[Any]:
    return run(read_file(repository / "examples" / "nn" / f"{name}.mlir"), list(args)).outputs


def _floats(*shape: int, t: Any = F16, seed: int = 5) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(t)


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_softmax_over_a_masked_tail(repository: Path) -> None:
    x = _floats(37, 100) - F16(3)
    y = _run(repository, "softmax_rows", x, np.zeros((37, 100), F16))[1]
    np.testing.assert_allclose(y, _softmax(x.astype(np.float64)), rtol=5e-3, atol=1e-5)


def test_layernorm(repository: Path) -> None:
    x, w, b = _floats(13, 300) * F16(2) + F16(1), _floats(300, seed=1), _floats(300, seed=2)
    y = _run(repository, "layernorm", x, w, b, np.zeros((13, 300), F16))[3]
    v = x.astype(np.float64)
    want = (v - v.mean(1, keepdims=True)) / np.sqrt(v.var(1, keepdims=True) + 1e-5) * w + b
    np.testing.assert_allclose(y, want, rtol=2e-3, atol=2e-3)


def test_matmul_with_ragged_edges(repository: Path) -> None:
    a, b = _floats(50, 70), _floats(70, 90, seed=6)
    c = _run(repository, "matmul", a, b, np.zeros((50, 90), F16))[2]
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("pages", [1, 4, 9])
def test_paged_attention(repository: Path, pages: int) -> None:
    q, k, v = _floats(12, 16), _floats(20, 8, 16, seed=6), _floats(20, 8, 16, seed=7)
    table = np.random.default_rng(8).permutation(20)[:9].astype(np.int32)
    out = _run(repository, "paged_attention", q, k, v, table, np.zeros((12, 16), F16), pages, 0.25)[4]
    ks, vs = (x[table[:pages]].reshape(-1, 16).astype(np.float64) for x in (k, v))
    np.testing.assert_allclose(out, _softmax(0.25 * q.astype(np.float64) @ ks.T) @ vs, rtol=5e-3, atol=5e-3)


def test_rms_norm_across_tiles(repository: Path) -> None:
    x, w = _floats(5, 96, t=F32), _floats(96, t=F32, seed=9)
    y = _run(repository, "rms_norm_split", x, w, np.zeros((5, 96), F32))[2]
    v = x.astype(np.float64)
    want = v / np.sqrt((v * v).mean(1, keepdims=True) + 1e-6) * w
    np.testing.assert_allclose(y, want, rtol=1e-5, atol=1e-6)
