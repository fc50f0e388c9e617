"""Finds architecture files, reads them, merges what `extends:` names, applies `set:` and `--set`."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..diagnostics import Position, fail
from ..specs import Document, load_text, package_file, schema_check
from .fields import GROUP, LIMITS, MEMORY, RING, SYNC, TOP, UNIT, Field

__all__ = ["Source", "closest", "parse", "read_source", "resolve", "shipped_archs"]

Source = tuple[tuple[str, str], ...]  # (file, text): the file itself, then what it extends


def shipped_archs() -> list[str]:
    """Names of the architectures in `archs/`."""
    return sorted(path.stem for path in package_file("archs", "").glob("*.yaml"))


def closest(name: str, known: Iterable[str]) -> str:
    """A hint that lists `known`, the most similar first."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1)
    listed = ", ".join(names) or "nothing"
    return f"did you mean `{near[0]}`? Known: {listed}" if near else f"known: {listed}"


def read_source(name_or_path: str | Path, asked_at: Position | None = None) -> Source:
    """The text of an architecture file and of everything it extends.

    A name without a suffix and without a directory is a shipped architecture; everything else a path.
    Raises ARCH001 (no such architecture), IO001 (cannot read), ARCH002 (extends itself).
    """
    chain: list[tuple[str, str]] = []
    seen: list[str] = []
    wanted, base, where = str(name_or_path), Path(), asked_at or Position()
    while True:
        path = _locate(wanted, base, where)
        if os.path.realpath(path) in seen:
            names = " → ".join(Path(file).name for file in [*seen, str(path)])
            fail("ARCH002", f"an architecture cannot extend itself: {names}", where, "remove one `extends:`")
        seen.append(os.path.realpath(path))
        text = _read_text(path, where)
        chain.append((str(path), text))
        document = parse(str(path), text)
        parent = document.data.get("extends") if isinstance(document.data, dict) else None
        if parent is None:
            return tuple(chain)
        wanted, base, where = str(parent), path.parent, document.at("extends")


def _locate(wanted: str, base: Path, where: Position) -> Path:
    if not wanted or not wanted.isprintable():
        fail("ARCH001", f"{wanted!r} is not the name of an architecture", where, "give a name or a path")
    if Path(wanted).suffix not in (".yaml", ".yml") and "/" not in wanted and "\\" not in wanted:
        if wanted not in shipped_archs():
            fail("ARCH001", f"there is no architecture `{wanted}`", where, closest(wanted, shipped_archs()))
        return package_file("archs", f"{wanted}.yaml")
    return base / wanted


def _read_text(path: Path, where: Position) -> str:
    where = where if where.line else Position(str(path))
    try:
        return path.read_text(encoding="utf-8")
    except OSError as e:
        fail("IO001", f"cannot read {path}: {e.strerror or e}", where, "check the path")
    except UnicodeDecodeError:
        fail("IO001", f"{path} is not UTF-8 text", where, "give a YAML text file")


@lru_cache(maxsize=64)
def parse(file: str, text: str) -> Document:
    """Parse one file. Files that are not shipped are checked against the schema (SCHEMA001).

    The result is shared: never change it.
    """
    document = load_text(text, file)
    if os.path.realpath(Path(file).parent) != os.path.realpath(package_file("archs", "")):
        schema_check(document, "arch")
    return document


def resolve(source: Source, overrides: Sequence[str]) -> Document:
    """One document: the oldest ancestor with each descendant merged over it, `set:` and overrides applied.

    Mappings merge key by key, a quantity (`value:`) and everything else replaces what was there, null
    removes it. Every node keeps the position it was written at.
    """
    file, text = source[0]
    result = Document(file, text, {})
    for child_file, child_text in reversed(source):
        child = parse(child_file, child_text)
        result.positions[()] = child.at()
        _merge(result, child, ())
        for path, quantity in (child.data.get("set") or {}).items():
            _assign(
                result,
                path,
                quantity["value"],
                child.at("set", path, "value"),
                child.at("set", path),
                quantity,
            )
    for override in overrides:
        where = Position(f"--set {override}")
        path, equals, value = override.partition("=")
        if not equals or not path.strip() or not value.strip():
            fail("ARCH003", f"`{override}` is not an override", where, "write `core.lx.size=1MiB`")
        _assign(result, path.strip(), value.strip(), where, where, {"assumed": f"--set {override}"})
    return result


def _merge(result: Document, child: Document, path: tuple[str | int, ...]) -> None:
    ours, theirs = _node(result.data, path), _node(child.data, path)
    for key, value in theirs.items():
        here = (*path, key)
        if not path and key == "set":
            continue
        if isinstance(value, dict) and "value" not in value:
            if not isinstance(ours.get(key), dict) or "value" in ours[key]:
                ours[key] = {}
            result.positions[here] = child.at(*here)
            _merge(result, child, here)
        elif value is None:
            ours.pop(key, None)
        else:
            ours[key] = _copy(value)
            for at, position in child.positions.items():
                if at[: len(here)] == here:
                    result.positions[at] = position


def _node(data: Any, path: Iterable[str | int]) -> dict[str, Any]:
    for key in path:
        data = data[key]
    found: dict[str, Any] = data
    return found


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _assign(
    document: Document,
    path: str,
    value: Any,
    at_value: Position,
    at_path: Position,
    quantity: Mapping[str, Any],
) -> None:
    """Set the quantity that a dotted path names, e.g. `core.lx.size`, `clock`, `corelet.sfu.ops.divide.rate`.

    Raises ARCH003 when the path names no quantity.
    """
    steps = path.split(".")
    where, fields, rest = _object(document, steps, path, at_path)
    if not rest or rest[0] not in fields:
        members = [*fields, *_members(_node(document.data, where))]
        fail(
            "ARCH003",
            f"`{path}` does not name a quantity",
            at_path,
            closest(rest[0] if rest else "", members),
        )
    name, inner = rest[0], rest[1:]
    field = fields[name]
    owner = _node(document.data, where)
    if field.shape in ("list", "words") and not isinstance(value, list):
        value = [item.strip() for item in str(value).split(",")]
    provenance = {key: quantity[key] for key in ("source", "assumed") if key in quantity}
    if inner or field.shape in ("table", "prices"):
        _assign_entry(owner, name, field, inner, value, path, at_path)
        owner[name].update(provenance)
    else:
        owner[name] = {"value": value, **provenance}
    at = (*where, name, "value", *inner)
    document.positions = {p: q for p, q in document.positions.items() if p[: len(at)] != at}
    document.positions[at] = at_value


def _object(
    document: Document, steps: Sequence[str], path: str, at: Position
) -> tuple[tuple[str, ...], dict[str, Field], Sequence[str]]:
    """(path of the object, its fields, steps left)."""
    if steps[0] in TOP:
        return (), TOP, steps
    for name, fields in (("limits", LIMITS), ("sync", SYNC), ("ring", RING)):
        if steps[0] == name and name in document.data:
            return (name,), fields, steps[1:]
    groups = document.data.get("groups") or {}
    if steps[0] not in groups:
        known = [*TOP, *(n for n in ("limits", "sync", "ring") if n in document.data), *groups]
        fail("ARCH003", f"`{steps[0]}` in `{path}` names nothing", at, closest(steps[0], known))
    for kind, fields in (("memories", MEMORY), ("units", UNIT)):
        if len(steps) > 1 and steps[1] in (groups[steps[0]].get(kind) or {}):
            return ("groups", steps[0], kind, steps[1]), fields, steps[2:]
    return ("groups", steps[0]), GROUP, steps[1:]


def _members(owner: Mapping[str, Any]) -> list[str]:
    return [*(owner.get("memories") or {}), *(owner.get("units") or {})]


def _assign_entry(
    owner: dict[str, Any], name: str, field: Field, inner: Sequence[str], value: Any, path: str, at: Position
) -> None:
    table = owner.get(name, {}).get("value")
    if field.shape == "table" and isinstance(table, dict) and len(inner) == 1:
        table[inner[0]] = value
    elif field.shape == "prices" and isinstance(table, dict) and len(inner) == 2 and inner[0] in table:
        if inner[1] not in table[inner[0]]:
            fail("ARCH003", f"`{path}` does not name a quantity", at, closest(inner[1], table[inner[0]]))
        table[inner[0]][inner[1]] = value
    else:
        known = list(table) if isinstance(table, dict) else []
        wanted = {"table": f"{name}.KEY", "prices": f"{name}.CLASS.rate"}.get(field.shape, name)
        hint = f"write `…{wanted}`; {closest(inner[0] if inner else '', known)}"
        fail("ARCH003", f"`{path}` does not name a quantity", at, hint)
