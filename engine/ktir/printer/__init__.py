"""`ir.Module` → text: the custom form people read, or MLIR's generic form."""

from __future__ import annotations

import re

from ...diagnostics import Diagnostic, TilesatError
from .. import mlir
from ..ir import Module
from ..reader.tokens import Source, tokenize
from .generic import GenericPrinter
from .spelling import Speller
from .sugar import Sugar

__all__ = ["print_module"]

_ALIAS = re.compile(r"#[\w$.-]+", re.ASCII)
_ALIAS_LINE = re.compile(r"^(#[\w$.-]+) = .*\n", re.MULTILINE | re.ASCII)


def print_module(module: Module, generic: bool = False) -> str:
    """Canonical text; reading it back gives the same module.

    The custom form is MLIR's own print of its dialects with ours put back in (`assembly` entries), SSA names
    kept where they are unique. Raises TilesatError PRINT002 when MLIR refuses the module.
    """
    if generic:
        return GenericPrinter(Speller()).print(module)
    printer = GenericPrinter(Speller(for_mlir=True), named_locations=True)
    text = printer.print(module)
    ir = mlir.ir()
    with mlir.context():
        try:
            parsed = ir.Module.parse(text)
        except ir.MLIRError as e:
            faults = "; ".join(str(d.message) for d in e.error_diagnostics)
            where = module.op.position
            raise TilesatError(
                Diagnostic("PRINT002", f"MLIR refuses the module to be printed: {faults}", where)
            ) from None
        printed = parsed.operation.get_asm(use_name_loc_as_prefix=True)
    sugared = Sugar(tokenize(Source("<print>", printed), ()), groups=printer.groups).run()
    return _tidy_aliases(sugared.rstrip() + "\n")


def _tidy_aliases(text: str) -> str:
    """Drops `#map = …` lines nothing refers to (custom forms write those out), numbers the rest anew."""
    used = set(_ALIAS.findall(_ALIAS_LINE.sub("", text)))
    text = _ALIAS_LINE.sub(lambda m: m[0] if m[1] in used else "", text)
    counts: dict[str, int] = {}
    names: dict[str, str] = {}
    for m in _ALIAS_LINE.finditer(text):
        kind = m[1].rstrip("0123456789")
        number = counts[kind] = counts.get(kind, -1) + 1
        names[m[1]] = f"{kind}{number or ''}"
    return _ALIAS.sub(lambda m: names.get(m[0], m[0]), text)
