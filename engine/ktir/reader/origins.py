"""Explicit `loc(…)`: which op each belongs to, aliases written out."""

from __future__ import annotations

import re
from typing import Any

from .desugar import Desugarer
from .names import SourceMap

__all__ = ["attach_origins"]

_ALIAS = re.compile(r"#[A-Za-z_$.][\w$.-]*|#\d+")


def attach_origins(module: Any, desugarer: Desugarer, where: SourceMap) -> dict[int, str]:
    """Op token → text of its location, e.g. `"add.py":12:3`.

    A trailing location belongs to the last op begun at its own bracket depth.
    """
    ops = _op_tokens(module.operation, where)
    locations = dict(desugarer.locations)
    origins: dict[int, str] = {}
    open_ops: list[int | None] = [None]
    match, text = desugarer.tokens.match, desugarer.tokens.text
    for i, word in enumerate(text):
        if i in locations:
            owner = open_ops[-1]
            if owner is not None and owner not in origins:
                origin = _expand(locations[i], desugarer.location_aliases)
                if origin != "unknown":
                    origins[owner] = origin
        if i in ops:
            open_ops[-1] = i
        if i in match and word:
            if match[i] > i:
                open_ops.append(None)
            else:
                open_ops.pop()
    return origins


def _op_tokens(operation: Any, where: SourceMap) -> set[int]:
    found: set[int] = set()
    pending = [operation]
    while pending:
        op = pending.pop()
        token = where.token(op.location)
        if token is not None:
            found.add(token)
        for region in op.regions:
            for block in region.blocks:
                pending += [o.operation for o in block.operations]
    return found


def _expand(text: str, aliases: dict[str, str]) -> str:
    """The inside of `loc(…)` with aliases written out (a bounded number of times)."""
    for _ in range(20):
        replaced = _ALIAS.sub(lambda m: _inner(aliases.get(m[0], m[0])), text)
        if replaced == text:
            break
        text = replaced
    return _inner(text)


def _inner(text: str) -> str:
    return text[4:-1] if text.startswith("loc(") and text.endswith(")") else text
