"""Launch arguments: words of the command line, matching with parameters, element types NumPy lacks."""

from __future__ import annotations

import numpy as np
import pytest
from tilesat.arguments import (
    Arguments,
    Parameter,
    bind,
    load_arguments,
    save_outputs,
    shape_warnings,
    with_random_buffers,
)
from tilesat.diagnostics import Position, TilesatError

X = Parameter("x", True, "f16", 8, Position("k.mlir", 3, 5))
N = Parameter("n", False)
HALVES = np.arange(8, dtype=np.float16)


def refused(code: str, *parameters: Parameter, memory: dict | None = None, **named: object) -> str:
    with pytest.raises(TilesatError) as caught:
        bind(parameters, Arguments(named, memory or {}))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code
    return f"{diagnostic.position} {diagnostic.message} {diagnostic.hint}"


def test_names_and_positions_mix() -> None:
    bound = bind([X, N], Arguments({"n": 3, "0": HALVES}))
    assert bound.values[0] is HALVES and bound.values[1] == 3


def test_missing_names_the_argument_and_both_spellings() -> None:
    text = refused("ARG002", X, N, n=3)
    assert "argument 0 (%x), a buffer" in text and "--arg x=… or --arg 0=…" in text


def test_given_twice() -> None:
    assert "twice" in refused("ARG003", X, **{"x": HALVES, "0": HALVES})


def test_unknown_lists_what_is_known() -> None:
    assert "known: 0 or x, 1 or n" in refused("ARG003", X, N, x=HALVES, n=1, z=2)


def test_no_parameters_at_all() -> None:
    assert "it takes none" in refused("ARG003", z=2)


def test_number_for_a_buffer_and_array_for_a_number() -> None:
    assert "not the number 7" in refused("ARG004", X, x=7)
    assert "scalar" in refused("ARG004", N, n=HALVES)
    assert bind([N], Arguments({"n": np.array([5])})).values == [5]


@pytest.mark.parametrize("value", ["3", [1, 2], None])
def test_neither_array_nor_number(value: object) -> None:
    for parameter in (X, N, Parameter("u", None)):
        assert "NumPy array or a number" in refused("ARG004", parameter, **{parameter.name: value})


def test_wrong_dtype_says_how_to_convert_and_where() -> None:
    text = refused("ARG005", X, x=HALVES.astype(np.float32))
    assert text.startswith("k.mlir:3:5") and "astype(np.float16)" in text and "float32" in text


def test_too_small() -> None:
    assert "up to element 8, the array has 7" in refused("ARG006", X, x=HALVES[:7])


def test_an_unused_argument_takes_anything() -> None:
    unused = Parameter("u", None)
    for value in (3, HALVES):
        assert bind([unused], Arguments({"u": value})).values[0] is value


def test_bfloat16_from_float32_rounds_to_nearest_even_and_back() -> None:
    given = np.array([1.0, 1.00390625, 1.01171875, -3.0, np.inf], np.float32)
    bound = bind([Parameter("b", True, "bf16", 5)], Arguments({"b": given}))
    (stored,) = bound.values
    assert isinstance(stored, np.ndarray) and stored.dtype == np.uint16
    assert stored.tolist() == [0x3F80, 0x3F80, 0x3F82, 0xC040, 0x7F80]
    (back,) = bound.outputs([stored])
    assert back is not None and back.dtype == np.float32
    assert back.tolist() == [1.0, 1.0, 1.015625, -3.0, np.inf]


def test_bfloat16_bit_patterns_stay_bit_patterns() -> None:
    bits = np.array([[0x3F80, 0xC040]], np.uint16)
    bound = bind([Parameter("b", True, "bf16", 2)], Arguments({"b": bits}))
    assert bound.values[0] is bits and bound.outputs([bits])[0] is bits


def test_f16_in_device_numerics_is_converted_there_and_back() -> None:
    given = np.array([[1.0, 1.0029296875]], np.float16)  # 1 + 3/1024 lies between two values of 1-6-9
    bound = bind([Parameter("x", True, "f16", 2)], Arguments({"x": given}), "df16")
    (stored,) = bound.values
    assert isinstance(stored, np.ndarray) and stored.dtype == np.uint16
    (back,) = bound.outputs([stored])
    assert back is not None and back.dtype == np.float16 and back.tolist() == [[1.0, 1.00390625]]


def test_words_become_values(tmp_path) -> None:
    np.save(tmp_path / "x.npy", HALVES)
    given = load_arguments(
        {"%x": str(tmp_path / "x.npy"), "n": "0x10", "f": "1e-3"}, {"0x400": str(tmp_path / "x.npy")}
    )
    assert given.named["n"] == 16 and given.named["f"] == 1e-3
    np.testing.assert_array_equal(given.named["x"], HALVES)
    assert list(given.memory) == [1024]


@pytest.mark.parametrize(
    ("named", "memory", "says"),
    [
        ({"x": "absent.npy"}, {}, "cannot read absent.npy"),
        ({"x": "twelve"}, {}, "neither a .npy file nor a number"),
        ({}, {"here": "x.npy"}, "`here` is not a number"),
    ],
)
def test_bad_words(named: dict, memory: dict, says: str) -> None:
    with pytest.raises(TilesatError, match=says) as caught:
        load_arguments(named, memory)
    assert caught.value.diagnostics[0].code == "ARG001"


def test_junk_and_pickles_are_refused(tmp_path) -> None:
    junk = tmp_path / "junk.npy"
    junk.write_bytes(b"not an array")
    pickled = tmp_path / "pickled.npy"
    np.save(pickled, np.array([{}], dtype=object), allow_pickle=True)
    for file in (junk, pickled):
        with pytest.raises(TilesatError, match=r"not a .npy array"):
            load_arguments({"x": str(file)}, {})
        with pytest.raises(TilesatError, match=r"not a .npy array"):
            load_arguments({}, {"1024": str(file)})


class Result:
    names = ("x", "n")
    outputs = (HALVES, None)
    memory = {1024: HALVES + 1}  # noqa: RUF012


def test_outputs_by_name_position_and_address(tmp_path) -> None:
    save_outputs(Result(), {name: str(tmp_path / f"{i}.npy") for i, name in enumerate(("%x", "0", "1024"))})
    for i, expected in enumerate((HALVES, HALVES, HALVES + 1)):
        np.testing.assert_array_equal(np.load(tmp_path / f"{i}.npy"), expected)


@pytest.mark.parametrize("name", ["y", "n", "1", "2048"])
def test_no_such_output(tmp_path, name: str) -> None:
    with pytest.raises(TilesatError, match="no such buffer") as caught:
        save_outputs(Result(), {name: str(tmp_path / "y.npy")})
    assert caught.value.diagnostics[0].code == "ARG007"
    assert not list(tmp_path.iterdir())


def test_an_unknown_name_comes_first_with_a_suggestion() -> None:
    text = refused("ARG003", X, Parameter("scale", False), scal=2)
    assert text.startswith("--arg scal=…") and "did you mean `scale`?" in text


def test_missing_buffers_mention_random_and_numbers_do_not() -> None:
    assert "--random SEED" in refused("ARG002", X, N, n=3)
    assert "--random" not in refused("ARG002", X, N, x=HALVES)


def test_what_is_used_as_a_number_is_not_called_a_buffer() -> None:
    step = Parameter("step", None)
    text = refused("ARG002", X, step, x=HALVES)
    assert "a number" in text and "buffer" not in text


def test_random_buffers_have_the_shape_of_the_only_view() -> None:
    parameter = Parameter("x", True, "f16", 500, shape=(5, 100))
    assert Parameter.from_json(parameter.as_json()) == parameter
    filled = with_random_buffers([parameter], Arguments(), 3).named["x"]
    assert isinstance(filled, np.ndarray) and filled.shape == (5, 100)


def test_random_needs_dtype_and_size() -> None:
    for parameter in (Parameter("x", None), Parameter("x", True), Parameter("x", True, "f16")):
        with pytest.raises(TilesatError, match="--random cannot fill argument 0"):
            with_random_buffers([parameter], Arguments(), 0)


@pytest.mark.parametrize(
    ("shape", "warned"), [((100, 5), True), ((5, 100), False), ((500,), False), ((1, 5, 100), False)]
)
def test_an_array_that_looks_transposed(shape: tuple[int, ...], warned: bool) -> None:
    parameter = Parameter("x", True, "f16", 500, shape=(5, 100))
    found = shape_warnings([parameter], Arguments({"0": np.zeros(shape, np.float16)}))
    assert [d.code for d in found] == ["ARG008"] * warned
