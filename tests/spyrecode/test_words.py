"""The instruction set file and the word codec."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tilesat.diagnostics import TilesatError
from tilesat.numerics import dtype, parse_formula, scalar_ops
from tilesat.specs import load_document, package_file
from tilesat.spyrecode import decode, decode_all, encode, isa


def test_the_file_fits_its_schema() -> None:
    load_document(package_file("ktir_specs", "isa.yaml"), "isa")


def test_fields_do_not_overlap_and_names_are_unique() -> None:
    assert len(isa().opcodes) == len(isa().instructions)
    for instruction in isa().instructions.values():
        taken = set(range(6))
        for field in instruction.fields:
            bits = set(range(field.low, field.low + field.width))
            assert bits and max(bits) < 64 and not bits & taken, (instruction.name, field.name)
            taken |= bits
            assert field.kind in isa().document.data["field_kinds"]


def test_operation_tables_point_at_known_semantics() -> None:
    for table in (isa().integer_ops, isa().vector_ops):
        assert len({op.code for op in table.values()}) == len(table)
        for op in table.values():
            if op.scalar:
                scalar = scalar_ops()[op.scalar]
                assert len(scalar.operands) <= 3
                if op.attributes:
                    scalar.choose(op.attributes)
            else:
                assert set(parse_formula(str(op.formula)).names) <= {"a", "b", "c"}


def test_every_lane_op_of_arith_and_math_has_an_instruction() -> None:
    """A new scalar op in the specs needs an entry here, or a place in the list of what lanes cannot do."""
    without = {"math.fpowi"}  # operands of two types
    covered = {op.scalar for op in isa().vector_ops.values()}
    scalars = {name for name, op in scalar_ops().items() if name.split(".")[0] in ("arith", "math")}
    wide = {"arith.mulsi_extended", "arith.mului_extended", "arith.addui_extended"}  # two results
    assert scalars - covered - without - wide == set()


def test_dtypes_are_those_of_numerics() -> None:
    for name in isa().dtypes:
        assert dtype(name).nbytes >= 1
    assert set(isa().dtypes.values()) == set(range(16))


@st.composite
def instruction_and_fields(draw: st.DrawFn) -> tuple[str, dict[str, int]]:
    instruction = draw(st.sampled_from(list(isa().instructions.values())))
    values = {f.name: draw(st.integers(f.minimum, f.maximum)) for f in instruction.fields}
    return instruction.name, values


@given(instruction_and_fields())
def test_encode_decode(case: tuple[str, dict[str, int]]) -> None:
    name, fields = case
    word = encode(name, fields)
    assert 0 <= word < 1 << 64
    decoded = decode(word)
    assert decoded.name == name
    assert dict(decoded.fields) == fields


@given(st.integers(0, 2**64 - 1))
def test_any_word_decodes_to_itself_or_is_refused(word: int) -> None:
    try:
        decoded = decode(word)
    except TilesatError as error:
        assert error.diagnostics[0].code == "SPY011"
        return
    assert encode(decoded.name, decoded.fields) == word


def test_a_value_that_does_not_fit_is_refused() -> None:
    with pytest.raises(TilesatError) as caught:
        encode("loopi", {"count": 65536, "words": 1})
    assert caught.value.diagnostics[0].code == "SPY010"
    assert "65535" in caught.value.diagnostics[0].message


def test_decode_all_shares_equal_words() -> None:
    words = np.array([encode("halt", {}), encode("li", {"rd": 1, "imm": -5}), encode("halt", {})], np.uint64)
    first, second, third = decode_all(words)
    assert first is third and second["imm"] == -5
