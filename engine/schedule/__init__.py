"""ScheduleIR: terms, whole programs, their text, analyses, legality, lift from KTIR, interpreter.

docs/scheduleir.md is the authority on the language.
"""

from .program import Access, Axis, Carried, Let, Program, Stmt, Value, View
from .sexpr import Expr, Term, parse, parse_all, parse_located, show, term
from .text import print_program, read_program

__all__ = [
    "Access",
    "Axis",
    "Carried",
    "Expr",
    "Let",
    "Program",
    "Stmt",
    "Term",
    "Value",
    "View",
    "parse",
    "parse_all",
    "parse_located",
    "print_program",
    "read_program",
    "show",
    "term",
]
