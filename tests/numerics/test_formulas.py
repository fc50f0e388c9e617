"""The formula language: what it allows, what it refuses, and what its evaluation rounds."""

from __future__ import annotations

import numpy as np
import pytest
from tilesat.diagnostics import TilesatError
from tilesat.numerics import apply, dtype, evaluate, formula, identity_value, parse_formula, scalar_ops

REFUSED = [
    "__import__('os')",
    "a.__class__",
    "a[0]",
    "lambda: a",
    "[x for x in a]",
    "f'{a}'",
    "'text'",
    "exp(a, b=1)",
    "exp(*a)",
    "open(a)",
    "a < b < c",
    "a and b",
    "a @ b",
    "a ** b",
    "(a := 1)",
    "a;b",
    "",
    "a +",
    "(" * 500 + "a" + ")" * 500,
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_a_formula(text: str) -> None:
    with pytest.raises(TilesatError) as e:
        parse_formula(text)
    assert e.value.diagnostics[0].code == "FORM001"


def test_formulas_are_elementwise() -> None:
    a, b = np.float32([1, -2, 3]), np.float32([2, 2, 2])
    assert formula("a * b + 1")(a=a, b=b).tolist() == [3, -3, 7]
    assert formula("a if a > 0 else -b")(a=a, b=b).tolist() == [1, -2, 3]
    assert formula("where(a == inf, 1, maximum(a, b))")(a=a, b=b).tolist() == [2, 2, 3]
    assert formula("a + b").names == ("a", "b") and formula("a + b") is formula("a + b")


def test_one_ufunc_is_recognised() -> None:
    assert formula("a + b").ufunc is np.add
    assert formula("sqrt(a)").ufunc is np.sqrt
    assert (
        formula("a + a").ufunc is None
        and formula("a + 1").ufunc is None
        and formula("1 / (1 + a)").ufunc is None
    )


def test_one_rounding_per_formula() -> None:
    """a·b + c in one formula on f16 rounds once; as two ops it rounds twice."""
    t = dtype("f16")
    a, b, c = np.float32([1 + 3 * 2**-10]), np.float32([1 + 3 * 2**-10]), np.float32([-1])
    once = evaluate("a * b + c", {"a": a, "b": b, "c": c}, dict.fromkeys("abc", t), t)
    ops = scalar_ops()
    twice = apply(ops["arith.addf"], [apply(ops["arith.mulf"], [a, b], [t, t], t), c], [t, t], t)
    assert once[0] == 6 * 2**-10 + 2**-17 and twice[0] == 6 * 2**-10


def test_compound_formulas_on_f32_use_float64() -> None:
    t = dtype("f32")
    x = np.float32([1e-4])
    got = evaluate("1 - exp(-a)", {"a": x}, {"a": t}, t)
    assert got[0] == np.float32(-np.expm1(-np.float64(x[0])))


def test_attributes_reach_the_formula() -> None:
    t, op = dtype("f16"), scalar_ops()["spyreop.softplus"]
    x = np.float32([0.0, 11.0])
    got = apply(op, [x], [t], t, {"beta": 2.0, "threshold": 20.0})
    assert got.tolist() == [float(np.float16(np.log(2) / 2)), 11.0]
    scale = scalar_ops()["spyreop.layernormscale"]
    assert apply(scale, [np.float32([0]), np.float32([0.25])], [t, t], t)[0] == 2.0  # eps defaults to 0


def test_predicates_by_name_and_number() -> None:
    t, i1, op = dtype("f32"), dtype("i1"), scalar_ops()["arith.cmpf"]
    a, b = np.float32([1, 2]), np.float32([2, 1])
    assert apply(op, [a, b], [t, t], i1, {"predicate": "olt"}).tolist() == [True, False]
    assert apply(op, [a, b], [t, t], i1, {"predicate": 4}).tolist() == [True, False]
    with pytest.raises(TilesatError, match="unknown predicate `near`"):
        apply(op, [a, b], [t, t], i1, {"predicate": "near"})


def test_df16_mode_computes_in_1_6_9() -> None:
    t, op = dtype("f16"), scalar_ops()["arith.addf"]
    a, b = np.float32([1.0]), np.float32([2.0**-10])
    assert apply(op, [a, b], [t, t], t)[0] == 1 + 2**-10
    assert apply(op, [a, b], [t, t], t, mode="df16")[0] == 1 + 2**-9  # half a unit: away from zero


@pytest.mark.parametrize("name", sorted(n for n, op in scalar_ops().items() if op.combiner))
def test_identities_are_neutral(name: str) -> None:
    op = scalar_ops()[name]
    assert op.combiner is not None
    kinds = {"float": ("f16", "bf16", "df16", "f32", "f64"), "int": ("i8", "i32", "i64"), "bool": ("i1",)}
    for kind, names in kinds.items():
        if kind not in op.combiner.identity:
            continue
        for t in map(dtype, names):
            e = identity_value(op.combiner, t)
            if kind == "float":
                x = t.round(np.array([-3.5, 0.0, 1.0, 100.0]))
            else:
                values = [0, 1] if kind == "bool" else [-7, 0, 1, 100]
                x = np.array(values, t.compute)
            got = apply(op, [np.full_like(x, e), x], [t, t], t)
            np.testing.assert_array_equal(got, x, err_msg=f"{name} {t}")


def test_an_op_without_identity_says_so() -> None:
    op = scalar_ops()["arith.addf"]
    assert op.combiner is not None
    with pytest.raises(TilesatError, match="no identity for i32"):
        identity_value(op.combiner, dtype("i32"))


def test_division_by_zero_is_zero() -> None:
    i32 = dtype("i32")
    a, b = np.int32([7, -7]), np.int32([0, 0])
    for name in ("divsi", "divui", "ceildivsi", "ceildivui", "floordivsi"):
        assert apply(scalar_ops()[f"arith.{name}"], [a, b], [i32, i32], i32).tolist() == [0, 0], name
    for name in ("remsi", "remui"):
        assert apply(scalar_ops()[f"arith.{name}"], [a, b], [i32, i32], i32).tolist() == [7, -7], name
