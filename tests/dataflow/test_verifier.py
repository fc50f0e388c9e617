"""The structural verifier: silent on what we emit, precise on what is broken."""

# ruff: noqa: E501 (schedule terms read better unbroken)
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tilesat.arch import load_arch
from tilesat.dataflow import lower, split_files, verify, write
from tilesat.diagnostics import TilesatError
from tilesat.ktir import print_module
from tilesat.ktir.reader import read_text
from tilesat.schedule.text import read_program

TERMS = Path(__file__).parent / "terms"
NAMES = sorted(p.stem for p in TERMS.glob("*.sir"))


def emitted(name: str) -> str:
    """Text of a term; its first line may name the architecture: `; arch deep`."""
    text = (TERMS / f"{name}.sir").read_text()
    arch = text.split(maxsplit=3)[2] if text.startswith("; arch ") else "spyre"
    return print_module(lower(read_program(text), load_arch(arch)))


@pytest.mark.parametrize("name", NAMES)
def test_emitted_text(name: str, golden: Callable[[str, str], None]) -> None:
    """Accepted, a fixed point of reading and printing, and as looked at once. (Upstream's tool accepts these files.)"""
    text = emitted(name)
    module = read_text(text, f"{name}.mlir")
    assert verify(module) == []
    assert print_module(module) == text
    golden(f"{name}.mlir", text)


def test_same_input_same_bytes() -> None:
    assert emitted("add_rows") == emitted("add_rows")


def test_files(tmp_path: Path) -> None:
    module = lower(read_program((TERMS / "add_rows.sir").read_text()), load_arch("spyre"))
    paths = write(module, tmp_path / "out")
    assert sorted(p.name for p in paths) == ["add_rows_0.mlir", "global.mlir"]
    assert {p.name: p.read_text() for p in paths} == split_files(module)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["add_rows_0.mlir", "global.mlir"]
    assert "program_unit" not in (tmp_path / "out" / "global.mlir").read_text()
    program = read_text((tmp_path / "out" / "add_rows_0.mlir").read_text())
    assert verify(program) == []


BROKEN = [
    # what is replaced, by what, code, part of the message
    ("vectorchain.binary", "vectorchain.bynary", "KTIR001", "vectorchain.bynary"),
    ("binary_operator add", "binary_operator plus", "KTIR01", "binary_op"),
    ("-d1 + 63 >= 0", "-d1 + 31 >= 0", "DFIR063", "32 points"),
    ("(d0, d1) -> (d0 * 64 + d1)", "(d0) -> (d0)", "DFIR020", "1 dimension"),
    ("%x0_lx[%t, 0] time_symbols", "%x0_lx[%t] time_symbols", "DFIR060", "1 subscript"),
    ("memref<2x64xf16>, vector<64xf16>", "memref<2x64xf32>, vector<64xf16>", "", ""),
    ("[%C1_MNILU -> %C1_L1LU_CL0]", "[%C0_MNISU -> %C1_L1LU_CL0]", "DFIR036", "no value for %C1_MNILU"),
    ("[%C1_MNILU -> %c3]", "[%C1_MNILU -> %C0_LX]", "DFIR034", "different ops"),
    ("[%C1_MNILU -> %c3]", "[%C1_MNILU -> %me]", "DFIR033", "block argument"),
    ("-> (%C0_MNISU, %C1_MNISU)", "-> (%C0_MNISU, %C0_MNISU)", "DFIR082", "two programs"),
    ("-> (%C0_MNISU, %C1_MNISU)", "-> (%C0_MNISU)", "DFIR070", "C1-MNISU"),
    ("sync_recv %l1lu {channel = 1 : i32}", "sync_recv %l1lu {channel = 9 : i32}", "DFIR070", "channel"),
    ("dataflow.send %l1su_0, %addf : vector<64xf16>", "", "DFIR071", "C0-SFU-CL0 sends C0-L1SU-CL0 no vectors"),
    ("%c3_3 = arith.constant 3", "%c3_3 = arith.constant 2", "DFIR071", "6 vectors"),
    ("SymbolId = -1", "SymbolId = 1", "DFIR040", "not negative"),
]  # fmt: skip


@pytest.mark.parametrize("case", BROKEN, ids=lambda c: c[0][:30])
def test_broken(case: tuple[str, str, str, str]) -> None:
    old, new, code, part = case
    text = emitted("add_rows")
    assert old in text
    try:
        faults = verify(read_text(text.replace(old, new, 1), "broken.mlir"))
    except TilesatError as e:  # refused on reading already
        faults = list(e.diagnostics)
    assert faults
    assert any(d.code.startswith(code) and part in d.message for d in faults), faults
    assert all(d.position.line > 0 for d in faults)


def test_use_before_definition_in_memory() -> None:
    """MLIR refuses such text; a module built in memory is checked by us."""
    module = lower(read_program((TERMS / "add_rows.sir").read_text()), load_arch("spyre"))
    program = next(op for op in module.op.walk() if op.name == "dataflow.program_unit")
    ops = program.regions[0].blocks[0].ops
    ops.insert(0, ops.pop(next(k for k, op in enumerate(ops) if op.name == "scf.for")))
    assert {d.code for d in verify(module)} == {"DFIR080"}
