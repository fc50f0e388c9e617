"""KTIR in memory: reading, checking and printing.

`read_file(path)` and `read_text(text)` give an `ir.Module`.
"""

from .reader import read_file, read_text

__all__ = ["read_file", "read_text"]
