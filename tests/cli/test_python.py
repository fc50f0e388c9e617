"""The Python functions: what they accept, and what they say about the rest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tilesat
from tilesat import Options, TilesatError


@pytest.fixture
def rows3(examples: Path) -> Path:
    return examples / "rows3.mlir"


def arrays() -> list[np.ndarray]:
    return [np.full((3, 64), k, np.float16) for k in (1, 2, 0)]


def test_a_compiled_program_has_its_machine(rows3) -> None:
    program = tilesat.compile(rows3)
    with pytest.raises(TilesatError, match="arch: the program is compiled already, for spyre"):
        tilesat.run(program, arrays(), arch="tiny")


def test_unknown_parameters(rows3) -> None:
    with pytest.raises(TilesatError, match="no parameter `archs`"):
        tilesat.run(rows3, arrays(), archs="tiny")


def test_options_by_name(rows3) -> None:
    program = tilesat.compile(rows3, options={"address-unit": "bytes"})
    assert program.options == Options(address_unit="bytes")
    with pytest.raises(TilesatError, match=r"^error\[OPT002\].*`adress_unit`"):
        tilesat.reference(rows3, arrays(), options={"adress_unit": "bytes"})


def test_text_instead_of_a_path(rows3) -> None:
    text = rows3.read_text()
    result = tilesat.run(text, arrays())
    np.testing.assert_array_equal(result.outputs[2], np.full((3, 64), 3, np.float16))
    np.testing.assert_array_equal(result.outputs[2], tilesat.reference(text, arrays()).outputs[2])
    with pytest.raises(TilesatError, match="<text>:"):
        tilesat.compile(text.replace("ktdp.load", "ktdp.lode"))


def test_a_nested_list_is_refused_in_few_words(rows3) -> None:
    x, y, z = arrays()
    with pytest.raises(TilesatError, match="type list") as caught:
        tilesat.run(rows3, [x.tolist(), y, z])
    assert len(str(caught.value)) < 300


def test_errors_as_text_hold_the_help(rows3) -> None:
    with pytest.raises(TilesatError, match=r"(?s)ARCH001.*\n  help: .*spyre"):
        tilesat.compile(rows3, arch="spyr")


def test_a_transposed_array_warns(rows3) -> None:
    x, y, z = arrays()
    with pytest.warns(UserWarning, match="used as 3x64, the array is 64x3"):
        tilesat.run(rows3, [x.T, y, z])


def test_results_at_constant_addresses(examples) -> None:
    x, y = (np.full((96, 64), k, np.float16) for k in (1, 2))
    program = tilesat.compile(examples / "baked_add.mlir")
    places = {4096: x, 16384: y, 32768: np.zeros_like(x)}
    assert program.parameters == ()
    result = tilesat.run(program, [], memory=places)
    assert (result.memory[32768] == 3).all() and (result.memory[4096] == 1).all()
