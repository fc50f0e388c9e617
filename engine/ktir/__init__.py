"""KTIR in memory: reading, checking and printing.

`read_file(path)` and `read_text(text)` give an `ir.Module`; `print_module(module)` its canonical text,
`verify(module, arch, options)` what is wrong or suspicious in it.
"""

from .printer import print_module
from .reader import read_file, read_text
from .verifier import verify

__all__ = ["print_module", "read_file", "read_text", "verify"]
