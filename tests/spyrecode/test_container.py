"""The program file, the plans and the directory, well-formed and damaged."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest
from dfir import Writer
from hypothesis import given
from hypothesis import strategies as st
from tilesat.arch import load_arch
from tilesat.diagnostics import TilesatError
from tilesat.spyrecode import (
    SEGMENT_BASE,
    ComputeOnDevice,
    ComputeOnHost,
    DataTransfer,
    SpyreCode,
    assemble,
    disassemble,
    isa,
    pack,
    read,
    read_plan,
    section_range,
    symbol_table,
    unpack,
    write,
)


def small() -> SpyreCode:
    """Core 0 copies 4 x 64 f16 from an argument to LX."""
    w = Writer()
    ld, lx, ddr = w.unit("MNILU", 0), w.unit("lx", 0), w.unit("ddr")

    def body(me: object) -> None:
        c0, c2 = w.const(0), w.const(2)
        x = w.view(ddr, w.arith("divui", w.symbol(-2), c2), [4, 64], [64, 1])
        y = w.view(lx, w.const(256), [4, 64], [128, 1])
        w.transfer(
            x, [c0, c0], y, [c0, c0], "affine_set<(t) : (t >= 0, 3 - t >= 0)>", "affine_map<(t) -> (t, 0)>"
        )

    w.program([ld], body)
    return assemble(w.module("copy_body"), load_arch("spyre"))


def code_of(caught: pytest.ExceptionInfo[TilesatError]) -> str:
    return caught.value.diagnostics[0].code


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20),
    st.lists(st.integers(0, 2**64 - 1), max_size=20),
    st.integers(0, 2**32 - 1),
)
def test_pack_unpack(symbols: list[int], words: list[int], machine: int) -> None:
    form = isa().sections
    sections = {
        "symbols": np.array(symbols, np.int64).view(form["symbols"].dtype),
        "code": np.array(words, np.uint64).view(form["code"].dtype),
    }
    data = pack(machine, sections)
    binary = unpack(data)
    assert binary.machine == machine and binary.size == len(data) and len(data) % 128 == 0
    assert binary["symbols"]["value"].tolist() == symbols
    assert binary["code"]["word"].tolist() == words
    assert all(offset % 128 == 0 for offset in binary.offsets.values())
    assert pack(machine, binary.sections) == data


def test_truncation_anywhere_is_a_diagnostic() -> None:
    data = small().binary
    for n in range(0, len(data) - 1, 37):
        with pytest.raises(TilesatError) as caught:
            unpack(data[:n])
        assert code_of(caught) in ("SPY020", "SPY021")


@given(st.data())
def test_damage_never_gives_a_traceback(data: st.DataObject) -> None:
    code = _CODE
    raw = bytearray(code.binary)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.integers(0, 255))
    damaged = SpyreCode(code.name, bytes(raw), code.plan, code.debug)
    with contextlib.suppress(TilesatError):
        disassemble(damaged, load_arch("spyre"))


_CODE = small()


@pytest.mark.parametrize(
    ("section", "field", "value", "says"),
    [
        ("units", "entry", 7, "program"),
        ("units", "registers", 9, "initial registers"),
        ("transfers", "dimensions", 3, "dimensions"),
        ("constants", "offset", 64, "data"),
        ("constants", "dtype", 99, "data"),
        ("registers", "register", 256, "register"),
    ],
)
def test_rows_that_point_nowhere(section: str, field: str, value: int, says: str) -> None:
    sections = {name: rows.copy() for name, rows in unpack(_CODE.binary).sections.items()}
    sections["constants"] = np.array([(3, 2, 0)], isa().sections["constants"].dtype)
    sections["constant_data"] = np.zeros(8, isa().sections["constant_data"].dtype)
    sections["registers"] = np.array([(5, 0, 1)], isa().sections["registers"].dtype)
    unpack(pack(0, sections))
    sections[section][field][0] = value
    with pytest.raises(TilesatError) as caught:
        unpack(pack(0, sections))
    assert code_of(caught) == "SPY021" and says in str(caught.value) and section in str(caught.value)


def test_other_versions_and_other_files_are_refused() -> None:
    raw = bytearray(_CODE.binary)
    raw[8] += 1
    with pytest.raises(TilesatError) as caught:
        unpack(bytes(raw))
    assert code_of(caught) == "SPY020" and "version" in str(caught.value)
    with pytest.raises(TilesatError) as caught:
        unpack(b"\x7fELF" + bytes(300))
    assert "magic" in str(caught.value)


def test_the_binary_holds_the_declared_sections_and_nothing_else() -> None:
    binary = unpack(_CODE.binary)
    covered = isa().header.itemsize + len(isa().sections) * isa().directory.itemsize
    rest = bytearray(_CODE.binary)
    rest[:covered] = bytes(covered)
    for name, rows in binary.sections.items():
        start = binary.offsets[name]
        rest[start : start + rows.nbytes] = bytes(rows.nbytes)
    assert not any(rest)
    assert binary["units"].tolist() == [(0, 0, 0, 0, 6, 0, 0)]
    assert binary["transfers"][["element_bytes", "dimensions"]].tolist() == [(2, 2)]
    assert binary["dimensions"][["count", "source_stride", "destination_stride"]].tolist() == [
        (4, 128, 256),
        (64, 2, 2),
    ]


def test_plan_follows_the_loader() -> None:
    plan = read_plan(_CODE.plan)
    assert plan.allocate == len(_CODE.binary)
    assert [(t.file, t.dev_ptr, t.size) for t in plan.preparation] == [
        ("init_binary.bin", 0x1C00000000, len(_CODE.binary))
    ]
    host, transfer, compute = plan.execution
    assert isinstance(host, ComputeOnHost) and isinstance(compute, ComputeOnDevice)
    offset, size = section_range(unpack(_CODE.binary), "symbols")
    assert transfer == DataTransfer(True, host.ohandle, SEGMENT_BASE + offset, size)
    assert host.size == size and size % 128 == 0
    (symbol,) = symbol_table(host)
    assert (symbol.index, symbol.argument, symbol.kind) == (0, 1, "address")

    def strings(value: object) -> bool:
        if isinstance(value, dict):
            return all(strings(v) for v in value.values())
        return all(map(strings, value)) if isinstance(value, list) else isinstance(value, str)

    assert strings(_CODE.plan)  # the loader takes no JSON numbers


def test_the_specifications_spelling_is_read_too() -> None:
    text = (
        json.dumps(_CODE.plan)
        .replace("init_bin_file", "file_path")
        .replace('"dirn": "false"', '"direction": "0"')
    )
    assert read_plan(text) == read_plan(_CODE.plan)


def _edited(*path_and_value: object) -> dict[str, object]:
    plan = json.loads(json.dumps(_CODE.plan))
    *path, key, value = path_and_value
    node = plan
    for step in path:
        node = node[step]
    if value is None:
        del node[key]
    else:
        node[key] = value
    return plan


@pytest.mark.parametrize(
    "edit",
    [
        ("JobPreparationPlan", 0, "command", "InitTransfer"),
        ("JobPreparationPlan", [{"command": "Allocate", "properties": {"size": "5"}}]),
        ("JobPreparationPlan", 0, "properties", "size", 128),
        ("JobPreparationPlan", 0, "properties", "size", "-1"),
        ("JobPreparationPlan", 0, "properties", "size", "99999999999999999999"),
        ("JobPreparationPlan", 0, "properties", "size", "128"),
        ("JobPreparationPlan", 1, "properties", "dev_ptr", "0"),
        ("JobPreparationPlan", 1, "properties", "init_bin_file", None),
        ("JobExecPlan", 0, "properties", "ihandle", "nowhere"),
        ("JobExecPlan", 0, "properties", "hcm", "text"),
        ("JobExecPlan", 0, "command", "Sleep"),
        ("JobExecPlan", 1, "properties", "dirn", "2"),
        ("JobExecPlan", 1, "properties", "host_handle", "other"),
        ("JobExecPlan", 2, "properties", "job_bin_ptr", "120259084289"),
        ("JobExecPlan", []),
        ("JobExecPlan", 2, "properties", None),
    ],
)
def test_what_the_loader_refuses_is_refused(edit: tuple[object, ...]) -> None:
    with pytest.raises(TilesatError) as caught:
        read_plan(_edited(*edit))
    assert code_of(caught) == "SPY030"


def test_write_and_read(tmp_path: Path) -> None:
    write(_CODE, tmp_path / "k")
    again = read(tmp_path / "k")
    assert (again.binary, again.plan, again.name) == (_CODE.binary, _CODE.plan, "copy")
    assert disassemble(again) == disassemble(tmp_path / "k")
    write(again, tmp_path / "k2")
    for name in ("spyrecode.json", "init_binary.bin", "debug/lines.json"):
        assert (tmp_path / "k" / name).read_bytes() == (tmp_path / "k2" / name).read_bytes()


def test_a_directory_with_a_missing_or_cut_file(tmp_path: Path) -> None:
    with pytest.raises(TilesatError) as caught:
        read(tmp_path)
    assert code_of(caught) == "IO001"
    write(_CODE, tmp_path / "k")
    file = tmp_path / "k" / "init_binary.bin"
    file.write_bytes(file.read_bytes()[:-128])
    with pytest.raises(TilesatError) as caught:
        read(tmp_path / "k")
    assert code_of(caught) == "SPY021"
