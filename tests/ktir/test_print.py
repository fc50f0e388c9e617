"""Printing: what is read back is the same module, and the text does not move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tilesat.ktir import print_module, read_file, read_text
from tilesat.ktir.ir import Dense, Module, Op

KERNELS = sorted((Path(__file__).parent / "kernels").glob("*.mlir"))


def shape_of(module: Module) -> list[object]:
    """Everything but names and places: ops, operand identities, types, attributes, nesting."""
    numbers: dict[object, int] = {}

    def number(value: object) -> int:
        return numbers.setdefault(value, len(numbers))

    def describe(op: Op) -> list[object]:
        attributes = {
            k: v.array.tolist() if isinstance(v, Dense) else repr(v) for k, v in sorted(op.attributes.items())
        }
        regions = [
            [([(number(a), a.type) for a in b.args], [describe(o) for o in b.ops]) for b in r.blocks]
            for r in op.regions
        ]
        results = [(number(v), v.type) for v in op.results]
        return [op.name, [number(v) for v in op.operands], results, attributes, regions]

    return describe(module.op)


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: p.stem)
@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
def test_print_then_read_is_a_fixed_point(path: Path, generic: bool) -> None:
    module = read_file(path)
    text = print_module(module, generic)
    again = read_text(text)
    assert shape_of(again) == shape_of(module)
    assert print_module(again, generic) == text


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: p.stem)
def test_custom_and_generic_form_say_the_same(path: Path) -> None:
    module = read_file(path)
    custom, generic = read_text(print_module(module)), read_text(print_module(module, generic=True))
    assert shape_of(custom) == shape_of(generic)


def test_canonical_text(golden: Callable[[str, str], None]) -> None:
    for path in KERNELS:
        golden(f"{path.stem}.mlir", print_module(read_file(path)))


def test_new_spelling_is_written() -> None:
    text = print_module(read_file(KERNELS[0].parent / "spellings.mlir"))
    assert "spyre_memory_space" not in text and "#ktdp.memory_space<ct_local, ct_id = 2>" in text
    assert "coreid" not in text


def test_names_are_kept_and_made_unique() -> None:
    text = "module { %a = arith.constant 1 : i32\n"
    text += "scf.execute_region { %b = arith.constant 2 : i32\n scf.yield }\n"
    text += "scf.execute_region { %b = arith.constant 3 : i32\n scf.yield } }"
    printed = print_module(read_text(text))
    assert "%a = " in printed and "%b = " in printed and "%b_" in printed


def test_names_of_several_results() -> None:
    kernel = (
        "func.func @f{}() attributes {{grid = [2, 2]}} {{ %x, %y = ktdp.get_compute_tile_id : index, index\n"
    )
    kernel += "%s = arith.addi %x, %y : index\n %p:2 = ktdp.get_compute_tile_id : index, index\n"
    kernel += "%t = arith.addi %p#0, %p#1 : index return }}\n"
    printed = print_module(read_text(kernel.format(1) + kernel.format(2)))
    assert printed.count("%x, %y = ktdp.get_compute_tile_id") == 1 and printed.count("%p:2 = ") == 2
    assert printed.count("arith.addi %x, %y") == 1 and printed.count("arith.addi %p#0, %p#1") == 2
    assert print_module(read_text(printed)) == printed


def test_empty_module() -> None:
    assert print_module(read_text("")).split() == ["module", "{", "}"]
