"""Results must not depend on how values lie in arrays, nor on whether they are Python numbers."""

from __future__ import annotations

import numpy as np
import pytest
from tilesat.numerics import apply, dtype, scalar_ops

ZEROS = {"maximumf": (0, 0, 0, 1), "maxnumf": (0, 0, 0, 1), "minimumf": (0, 1, 1, 1), "minnumf": (0, 1, 1, 1)}


@pytest.mark.parametrize("name", ZEROS)
@pytest.mark.parametrize("length", [1, 3, 7, 33])
@pytest.mark.parametrize("kind", ["f16", "f32", "bf16"])
def test_zeros_are_ordered(name: str, length: int, kind: str) -> None:
    t = dtype(kind)
    for (a, b), negative in zip(
        ((0.0, 0.0), (0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0)), ZEROS[name], strict=True
    ):
        x, y = (np.full(length, v, t.compute) for v in (a, b))
        found = apply(scalar_ops()[f"arith.{name}"], [x, y], [t, t], t)
        assert (np.signbit(found) == bool(negative)).all(), (name, a, b)


@pytest.mark.parametrize("name", ["maxnumf", "minnumf"])
@pytest.mark.parametrize("length", [1, 3, 7, 33])
def test_signalling_nans_are_ignored_too(name: str, length: int) -> None:
    t = dtype("f16")
    signalling = np.full(length, 0x7C01, np.uint16).view(np.float16)
    ones = np.ones(length, np.float16)
    for x, y in ((signalling, ones), (ones, signalling)):
        assert (apply(scalar_ops()[f"arith.{name}"], [x, y], [t, t], t) == 1).all()


@pytest.mark.parametrize(("a", "b"), [(-1, 4), (-1, 1), (7, -2), (-5, -3), (-1, 0), (12, 5)])
def test_unsigned_division_of_python_integers(a: int, b: int) -> None:
    index, whole = dtype("index"), 1 << 64
    x, y = a % whole, b % whole
    expected = {"divui": x // y if y else 0, "remui": x % y if y else x, "ceildivui": -(-x // y) if y else 0}
    for name, value in expected.items():
        op = scalar_ops()[f"arith.{name}"]
        for given in ([a, b], [np.array([a], np.int64), np.array([b], np.int64)]):
            found = np.asarray(apply(op, given, [index, index], index)).reshape(-1)[0]
            assert int(found) % whole == value, (name, given)
