"""KTIR text → `ir.Module`: tokens, desugaring, MLIR's own parser and verifier, conversion."""

from __future__ import annotations

import gc
import re
from functools import cache
from pathlib import Path
from typing import Any

from ...diagnostics import Diagnostic, Position, TilesatError, fail
from ...specs.dialects import assembly_dialects, unknown_op_hint
from .. import mlir
from ..ir import Module
from .convert import Converter
from .desugar import Desugarer
from .isolate import guard, screen
from .names import SourceMap
from .origins import attach_origins
from .output import Generated, join
from .tokens import Source, Tokens, tokenize

__all__ = ["read_file", "read_text"]

_LINE_COLUMN = re.compile(r":(\d+):(\d+)")
_UNKNOWN = re.compile(r"custom op '([\w.$]+)' is unknown|not found for custom op '([\w.$]+)'")


@cache
def _prefixes() -> tuple[str, ...]:
    """`("ktdp.", "spyreop.")`: dialects whose custom forms we read ourselves."""
    return tuple(f"{name}." for name in assembly_dialects())


def read_file(path: str | Path, isolate: bool = False) -> Module:
    """Read a KTIR file. Raises TilesatError: IO001, IO002 (cannot read), PARSE…, KTIR…, MLIR…

    With `isolate` a forked child parses first, so that text which crashes MLIR gives a diagnostic.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except OSError as e:
        fail("IO001", f"cannot read {path}: {e.strerror or e}", Position(str(path)), "check the path")
    except UnicodeDecodeError as e:
        before = e.object[: e.start]
        where = Position(str(path), before.count(b"\n") + 1, e.start - (before.rfind(b"\n") + 1) + 1)
        fail("IO002", f"{path} is not UTF-8 text", where, "KTIR is MLIR text")
    return read_text(text, str(path), isolate)


def read_text(text: str, file: str = "<string>", isolate: bool = False) -> Module:
    """Read KTIR text; `file` is the name diagnostics show. Raises as `read_file`."""
    collecting = gc.isenabled()
    gc.disable()  # reading makes many small objects and no garbage worth looking for
    try:
        return _read(Source(file, text), isolate)
    finally:
        if collecting:
            gc.enable()


def _read(source: Source, isolate: bool) -> Module:
    tokens = tokenize(source, _prefixes())
    screen(tokens)
    desugarer = Desugarer(tokens)
    generated = join(desugarer.run())
    ir = mlir.ir()
    with mlir.context():
        if isolate:
            guard(source, generated, ir.Module.parse)
        try:
            module = ir.Module.parse(generated.text)
        except ir.MLIRError as e:
            raise _translated(e, tokens, generated) from None
        where = SourceMap(tokens, generated, _prefixes(), desugarer.attributes)
        if desugarer.locations:
            where.origins = attach_origins(module, desugarer, where)
        return Module(Converter(where).op(module.operation), source.file, source.text)


def _translated(error: Any, tokens: Tokens, generated: Generated) -> TilesatError:
    """MLIR's diagnostics, pointing into the original text."""
    found = [_diagnostic(d, tokens, generated) for d in error.error_diagnostics]
    return TilesatError(*(found or [Diagnostic("MLIR003", str(error), Position(tokens.source.file, 1, 1))]))


def _diagnostic(info: Any, tokens: Tokens, generated: Generated) -> Diagnostic:
    at = _LINE_COLUMN.search(str(info.location))
    line, column = (int(at[1]), int(at[2])) if at else (1, 1)
    offset = generated.to_source(generated.offset(line, column))
    where = tokens.source.position(offset)
    message = str(info.message)
    unknown = _UNKNOWN.search(message)
    if unknown:
        name = unknown[1] or unknown[2]
        return Diagnostic("KTIR001", f"unknown operation `{name}`", where, unknown_op_hint(name))
    notes = "; ".join(str(n.message) for n in info.notes)
    return Diagnostic("MLIR002", message, where, notes)
