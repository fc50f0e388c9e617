"""The file `init_binary.bin`: header, directory and sections ↔ NumPy record arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Position, fail
from .isa import isa
from .references import dangling

__all__ = ["Binary", "pack", "section_range", "unpack"]

Rows = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Binary:
    """A parsed program. `sections` has all sections of the format; `offsets` their places in the file."""

    machine: int
    size: int
    sections: Mapping[str, Rows]
    offsets: Mapping[str, int]
    position: Position = field(default_factory=Position)

    def __getitem__(self, section: str) -> Rows:
        return self.sections[section]


def pack(machine: int, sections: Mapping[str, Rows]) -> bytes:
    """The bytes of the file; sections that are not given are empty."""
    form = isa()
    header = np.zeros(1, form.header)
    directory = np.zeros(len(form.sections), form.directory)
    body = bytearray(_aligned(header.nbytes + directory.nbytes))
    for entry, section in zip(directory, form.sections.values(), strict=True):
        rows = np.ascontiguousarray(sections.get(section.name, np.zeros(0, section.dtype)), section.dtype)
        entry["section"], entry["row_bytes"] = section.id, section.dtype.itemsize
        entry["offset"], entry["rows"] = len(body), len(rows)
        body += rows.tobytes()
        body += bytes(_aligned(len(body)) - len(body))
    header["magic"], header["version"], header["sections"] = form.magic, form.version, len(directory)
    header["size"], header["machine"] = len(body), machine
    body[: header.nbytes + directory.nbytes] = header.tobytes() + directory.tobytes()
    return bytes(body)


def _aligned(size: int) -> int:
    alignment = isa().alignment
    return -(-size // alignment) * alignment


def unpack(data: bytes | memoryview, position: Position | None = None) -> Binary:
    """Parse a file. SPY020: not such a file; SPY021: truncated or damaged.

    The arrays are read-only views of `data`.
    """
    form = isa()
    where = position or Position()

    def damaged(what: str) -> None:
        fail("SPY021", f"the program file is damaged: {what}", where, "compile the kernel again")

    if len(data) < form.header.itemsize:
        fail(
            "SPY020",
            f"{len(data)} bytes are too few for a program file",
            where,
            "give a file written by tilesat",
        )
    header = np.frombuffer(data, form.header, 1)[0]
    if int(header["magic"]) != form.magic:
        fail(
            "SPY020",
            "not a tilesat program file (wrong magic number)",
            where,
            "give a file written by tilesat",
        )
    if int(header["version"]) != form.version:
        message = f"program format version {int(header['version'])}, this tilesat reads {form.version}"
        fail("SPY020", message, where, "compile the kernel again")
    if int(header["size"]) > len(data):
        damaged(f"it should have {int(header['size'])} bytes and has {len(data)}")
    if int(header["sections"]) != len(form.sections):
        damaged(f"{int(header['sections'])} sections instead of {len(form.sections)}")
    start = form.header.itemsize
    if start + len(form.sections) * form.directory.itemsize > len(data):
        damaged("its directory is cut off")
    directory = np.frombuffer(data, form.directory, len(form.sections), start)
    sections: dict[str, Rows] = {}
    offsets: dict[str, int] = {}
    for entry, section in zip(directory, form.sections.values(), strict=True):
        number, row_bytes, offset, rows = (int(x) for x in entry.item())
        if number != section.id or row_bytes != section.dtype.itemsize or offset % form.alignment:
            damaged(f"wrong directory entry of section `{section.name}`")
        if offset + rows * row_bytes > len(data):
            damaged(f"section `{section.name}` is outside the file")
        sections[section.name] = np.frombuffer(data, section.dtype, rows, offset)
        offsets[section.name] = offset
    for fault in dangling(sections):
        damaged(fault)
    return Binary(int(header["machine"]), int(header["size"]), sections, offsets, where)


def section_range(binary: Binary, section: str) -> tuple[int, int]:
    """Offset in the file and aligned size in bytes of a section (0 when it is empty)."""
    return binary.offsets[section], _aligned(binary[section].nbytes)
