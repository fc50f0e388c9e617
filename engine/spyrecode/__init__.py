"""SpyreCode: DataflowIR → program file, job plans and host-compute metadata; and back to a listing.

    code = assemble(dataflow_module, arch)      # SpyreCode: binary, plan, hcm, debug
    write(code, directory); code = read(directory)
    print(disassemble(code, arch))

    (binary,) = programs(code)                  # per program: sections as NumPy record arrays
    words = decode_all(binary["code"]["word"])  # list[Word]: name, fields
    plan = read_plan(code.plan)                 # what the launcher does

The format is declared in ktir_specs/isa.yaml (`isa()`), explained in docs/isa.md.
"""

from .assemble import SpyreCode, assemble
from .container import Binary, pack, section_range, unpack
from .debug import positions
from .directory import programs, read, write
from .disassemble import disassemble
from .isa import Isa, isa
from .machine import Machine, machine
from .plan import (
    SEGMENT_BASE,
    SEGMENT_SIZE,
    ComputeOnDevice,
    ComputeOnHost,
    DataTransfer,
    InitTransfer,
    Plan,
    Symbol,
    read_plan,
    symbol_table,
)
from .words import Word, decode, decode_all, encode

__all__ = [
    "SEGMENT_BASE",
    "SEGMENT_SIZE",
    "Binary",
    "ComputeOnDevice",
    "ComputeOnHost",
    "DataTransfer",
    "InitTransfer",
    "Isa",
    "Machine",
    "Plan",
    "SpyreCode",
    "Symbol",
    "Word",
    "assemble",
    "decode",
    "decode_all",
    "disassemble",
    "encode",
    "isa",
    "machine",
    "pack",
    "positions",
    "programs",
    "read",
    "read_plan",
    "section_range",
    "symbol_table",
    "unpack",
    "write",
]
