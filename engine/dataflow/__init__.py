"""DataflowIR: staged ScheduleIR terms → unit programs with addresses and signals, and back from text.

module = lower(program, arch)        # ir.Module in upstream's dialects (docs/lowering.md §1)
text = print_module(module)          # tilesat.ktir's printer; read_text reads it back
faults = verify(module)              # diagnostics; empty when all is well
paths = write(module, directory)     # global.mlir and one file per program
"""

from .files import split_files, write
from .lower import lower
from .verifier import verify

__all__ = ["lower", "split_files", "verify", "write"]
