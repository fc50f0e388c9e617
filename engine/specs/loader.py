"""YAML → (data, positions), and JSON-Schema validation that points at the YAML line."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from ..diagnostics import Position, TilesatError, fail

Path_ = tuple[str | int, ...]
_DEEPEST, _MOST_NODES = 100, 200_000


@dataclass(slots=True)
class Document:
    """A loaded YAML file.

    `data` is plain Python (dict, list, str, int, float, bool, None). `positions` maps the path of a
    node, e.g. `("rules", 0, "match")`, to its place; for a block scalar that is its first text line and
    its indentation, so that lines and columns inside it can be added.
    """

    file: str
    text: str
    data: Any
    positions: dict[Path_, Position] = field(default_factory=dict)

    def at(self, *path: str | int) -> Position:
        """The place of the node at `path`, or of its nearest ancestor that has one."""
        while path and path not in self.positions:
            path = path[:-1]
        return self.positions.get(path, Position(self.file, 1, 1))


def package_file(package: str, name: str) -> Path:
    """Path of a data file shipped in `tilesat.<package>` (archs, rules, ktir_specs)."""
    return Path(str(files(f"tilesat.{package}") / name))


def load_document(path: str | Path, schema: str | None = None) -> Document:
    """Read a YAML file; with `schema` (a name in ktir_specs/schemas) also validate it.

    Raises `TilesatError` IO001 (cannot read), YAML001 (not YAML), YAML002 (duplicate key),
    SCHEMA001 (does not fit the schema).
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as e:
        fail("IO001", f"cannot read {path}: {e.strerror or e}", Position(str(path)), "check the path")
    except UnicodeDecodeError:
        fail("IO001", f"{path} is not UTF-8 text", Position(str(path)), "give a YAML text file")
    return load_text(text, str(path), schema)


@cache
def shipped(package: str, name: str) -> Document:
    """A data file shipped in `tilesat.<package>`, parsed once per process. Not to be changed."""
    return load_document(package_file(package, name))


def load_text(text: str, file: str = "<string>", schema: str | None = None) -> Document:
    """As `load_document`, for text already in memory."""
    document = Document(file, text, None)
    loader = yaml.CSafeLoader(text)
    try:
        node = loader.get_single_node()
        document.data = _build(loader, node, (), document) if node else None
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        where = Position(file, mark.line + 1, mark.column + 1) if mark else Position(file)
        fail("YAML001", f"not valid YAML: {getattr(e, 'problem', None) or e}", where)
    except ValueError as e:  # from PyYAML's constructors: a date like 2020-13-45
        fail("YAML001", f"not valid YAML: {e}", Position(file), "put quotes around text")
    finally:
        loader.dispose()
    if schema:
        schema_check(document, schema)
    return document


def _build(loader: yaml.CSafeLoader, node: yaml.Node, path: Path_, document: Document) -> Any:
    mark = node.start_mark
    block = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    line = mark.line + 2 if block else mark.line + 1
    column = _indent(document.text, mark.index) if block else mark.column
    document.positions[path] = Position(document.file, line, column + 1)
    if (
        len(path) > _DEEPEST or len(document.positions) > _MOST_NODES
    ):  # aliases can nest or multiply without end
        fail("YAML001", "nested too deeply or too large", document.positions[path], "use fewer aliases")
    if isinstance(node, yaml.MappingNode):
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            if not isinstance(key, (str, int)) or key in result:
                where = Position(document.file, key_node.start_mark.line + 1, key_node.start_mark.column + 1)
                fail("YAML002", f"key `{key}` is a duplicate or not a name", where)
            result[key] = _build(loader, value_node, (*path, key), document)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_build(loader, item, (*path, i), document) for i, item in enumerate(node.value)]
    return loader.construct_object(node, deep=True)


def _indent(text: str, mark: int) -> int:
    """Indentation of the block scalar whose indicator is at `mark`: that of its first text line."""
    start = text.find("\n", mark) + 1
    rest = text[start : start + 4096].lstrip("\n")
    return len(rest) - len(rest.lstrip(" "))


@cache
def _validator(schema: str) -> Any:
    import jsonschema

    path = package_file("ktir_specs", f"schemas/{schema}.schema.json")
    return jsonschema.Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


def schema_check(document: Document, schema: str) -> None:
    """Raise SCHEMA001 with one diagnostic per place that does not fit the schema, each at its YAML line."""
    validator = _validator(schema)
    errors = list(validator.iter_errors(document.data))
    if errors:
        from .violations import violations

        raise TilesatError(*violations(validator.schema, errors, document.at))
