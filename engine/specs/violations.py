"""JSON-Schema errors → one diagnostic per place of the YAML file, with the cause in plain words."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..diagnostics import Diagnostic, Position

__all__ = ["violations"]

Path_ = tuple[str | int, ...]
_WIDEST, _MOST = 120, 20

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def violations(
    schema: Mapping[str, Any], errors: Iterable[Any], place: Callable[..., Position]
) -> list[Diagnostic]:
    """SCHEMA001 diagnostics for the `errors` that jsonschema found with `schema`, deepest first, at most 20.

    `place(*path)` gives the position of a node. Several faults of one node make one diagnostic. Faults that
    only follow from another one (a key counts as unevaluated when its own schema fails) are left out.
    """
    causes = [cause for error in errors for cause in _causes(error)]
    at: dict[Path_, dict[str, str]] = {}  # node → what is wrong → hint
    for error in causes:
        path = tuple(error.absolute_path)
        for where, what, hint in _described(error, path, schema):
            at.setdefault(where, {}).setdefault(what, hint)
    found = []
    for path, faults in at.items():
        words = "; ".join(sorted(faults, key=lambda what: (len(what), what)))
        hint = "; ".join(dict.fromkeys(hint for hint in faults.values() if hint))
        owner = "/".join(map(str, path)) or "top level"
        found.append((path, Diagnostic("SCHEMA001", f"{owner}: {_short(words, 300)}", place(*path), hint)))
    found.sort(key=lambda f: (-len(f[0]), f[1].position.line, f[1].position.column, f[1].message))
    return [diagnostic for _, diagnostic in found[:_MOST]]


def _causes(error: Any) -> list[Any]:
    """The error itself, or what is wrong with the alternative (`oneOf`, `anyOf`) that was most nearly met."""
    branches: dict[Any, list[Any]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).extend(_causes(inner))
    ranks = {key: (max(len(e.absolute_path) for e in b), -len(b)) for key, b in branches.items()}
    best = [key for key, rank in ranks.items() if rank == max(ranks.values())]
    return branches[best[0]] if len(best) == 1 else [error]


def _described(error: Any, path: Path_, root: Mapping[str, Any]) -> list[tuple[Path_, str, str]]:
    """(node, what is wrong, hint) of one error; none when the error follows from others."""
    schema, value, rule = error.schema, error.instance, error.validator_value
    known = _properties(schema, root) if isinstance(schema, Mapping) else {}
    match error.validator:
        case "additionalProperties" | "unevaluatedProperties" if rule is False:
            unknown = [key for key in value if key not in known]
            hints = {key: _closest(str(key), known, _doc(schema)) for key in unknown}
            return [((*path, key), f"there is no `{_short(key)}` here", hints[key]) for key in unknown]
        case "required":
            missing = [key for key in rule if key not in value]
            bare = schema if "properties" not in schema else None  # `then:` of a rule: its own words
            hint = _doc(bare) or (_doc(known.get(missing[0])) if len(missing) == 1 else "")
            return [(path, f"{_list(missing)} {'is' if len(missing) == 1 else 'are'} missing", hint)]
        case "type":
            wanted = " or ".join(_TYPES.get(t, t) for t in ([rule] if isinstance(rule, str) else rule))
            return [(path, f"`{_short(value)}` is not {wanted}", _doc(schema))]
        case "enum" | "const":
            options = [str(option) for option in (rule if error.validator == "enum" else [rule])]
            return [(path, f"`{_short(value)}` is not possible here", _closest(str(value), options))]
        case "pattern":
            where = (*path, value) if "propertyNames" in error.absolute_schema_path else path
            return [(where, f"`{_short(value)}` does not look like `{rule}`", _doc(schema))]
        case "minLength":
            return [(path, f"`{_short(value)}` is too short: at least {rule} characters", _doc(schema))]
        case "minItems" | "minProperties":
            return [(path, f"too short: has {len(value)} of at least {rule} entries", _doc(schema))]
        case "oneOf" | "anyOf" if all(way.keys() == {"required"} for way in rule):
            ways = " or ".join(_list(way["required"]) for way in rule)
            return [(path, f"either {ways} must be given" + ("" if error.context else ", not both"), "")]
    return [(path, _short(error.message), _doc(schema))]


def _properties(schema: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Any]:
    """Keys that a mapping schema declares, itself or through `allOf` and references into `root`."""
    found: dict[str, Any] = dict(schema.get("properties", {}))
    for part in schema.get("allOf", ()):
        target: Any = root if "$ref" in part else part
        for step in part.get("$ref", "#").split("/")[1:]:
            target = target.get(step, {})
        found = {**_properties(target, root), **found}
    return found


def _doc(schema: Any) -> str:
    return _short(str(schema.get("description", "")), 160) if isinstance(schema, Mapping) else ""


def _list(names: Iterable[str]) -> str:
    *most, last = [f"`{name}`" for name in names]
    return f"{', '.join(most)} and {last}" if most else last


def _closest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    names = [str(k) for k in known]
    near = difflib.get_close_matches(name, names, n=1)
    listed = ", ".join(names) or "nothing"
    if near:
        return f"did you mean `{near[0]}`? Known: {listed}"
    return f"known: {listed}" + (f"; {otherwise}" if otherwise else "")


def _short(value: Any, widest: int = _WIDEST) -> str:
    """As YAML's flow style would show it, cut."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= widest else text[: widest - 1] + "…"
