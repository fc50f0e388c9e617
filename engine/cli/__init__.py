"""The `tilesat` command: reads the command line, calls the library, prints. No logic of its own."""

from .main import main

__all__ = ["main"]
