"""`ktir_specs/<dialect>.yaml` as objects: what each operation takes, gives, looks like and must obey.

Loaded lazily, one dialect at a time, and cached for the life of the process. The files are checked
against `dialect.schema.json` by the test suite, not here.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..diagnostics import Position
from .loader import package_file, shipped

__all__ = ["AttributeSpec", "DialectSpec", "OpSpec", "RegionSpec", "TypeSpec", "ValueSpec"]
__all__ += ["assembly_dialects", "dialect", "dialect_names", "op_spec", "unknown_op_hint"]


@dataclass(frozen=True, slots=True)
class ValueSpec:
    """An operand or result (group): exactly one of `type` (a constraint) and `same_type` is set."""

    name: str
    type: str = ""
    same_type: str = ""
    variadic: bool = False
    optional: bool = False
    doc: str = ""

    @property
    def single(self) -> bool:
        """Exactly one value, always."""
        return not (self.variadic or self.optional)


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    name: str
    type: str
    optional: bool = False
    default: Any = None
    aliases: tuple[str, ...] = ()
    value_type: str = ""  # the group (or type) whose type a number written without one has
    doc: str = ""

    @property
    def enum(self) -> str:
        """The name of the enum, or an empty string."""
        return self.type[5:-1] if self.type.startswith("enum<") and self.type.endswith(">") else ""


@dataclass(frozen=True, slots=True)
class RegionSpec:
    name: str
    optional: bool = False
    variadic: bool = False
    terminator: str = ""
    implicit_terminator: bool = False
    doc: str = ""


@dataclass(frozen=True, slots=True)
class TypeSpec:
    name: str
    doc: str = ""
    stand_in: str = ""
    quoted: bool = False
    bits: int = 0


@dataclass(frozen=True, slots=True)
class OpSpec:
    """`name` is the full name. `verify` holds the rules as the YAML gives them."""

    name: str
    doc: str
    operands: tuple[ValueSpec, ...] = ()
    results: tuple[ValueSpec, ...] = ()
    attributes: tuple[AttributeSpec, ...] = ()
    regions: tuple[RegionSpec, ...] = ()
    traits: frozenset[str] = frozenset()
    alias_of: str = ""
    assembly: tuple[str, ...] = ()
    verify: tuple[dict[str, Any], ...] = ()
    semantics: Any = None
    cost: dict[str, Any] = field(default_factory=dict)
    position: Position = field(default_factory=Position)

    @property
    def segmented(self) -> bool:
        """Several operand groups of unknown size: their sizes are in `operandSegmentSizes`."""
        return sum(not o.single for o in self.operands) > 1

    def attribute(self, name: str) -> AttributeSpec | None:
        return next((a for a in self.attributes if a.name == name or name in a.aliases), None)


@dataclass(frozen=True, slots=True)
class DialectSpec:
    name: str
    doc: str
    custom_syntax: str
    types: dict[str, TypeSpec]
    enums: dict[str, tuple[str, ...]]
    ops: dict[str, OpSpec]  # by full name
    enum_spelling: str = '"{value}"'

    def spell(self, enum: str, value: str) -> str:
        """An enum's keyword as an attribute dictionary writes it."""
        words = self.enums.get(enum, ())
        if value not in words:
            return f'"{value}"'
        return self.enum_spelling.format(enum=enum, value=value, index=words.index(value))


@cache
def dialect_names() -> tuple[str, ...]:
    """All dialects with a spec file, sorted."""
    return tuple(sorted(p.stem for p in package_file("ktir_specs", "").glob("*.yaml") if _is_dialect(p)))


def _is_dialect(path: Any) -> bool:
    with path.open(encoding="utf-8") as stream:
        return any(line.startswith("dialect:") for line in stream)


@cache
def assembly_dialects() -> tuple[str, ...]:
    """Dialects whose custom form MLIR cannot read and we do. Found without parsing the YAML."""
    paths = (package_file("ktir_specs", f"{name}.yaml") for name in dialect_names())
    return tuple(p.stem for p in paths if "\ncustom_syntax: assembly" in p.read_text(encoding="utf-8"))


@cache
def dialect(name: str) -> DialectSpec | None:
    """The spec of one dialect; None when there is no such file."""
    path = package_file("ktir_specs", f"{name}.yaml")
    if not path.is_file():
        return None
    document = shipped("ktir_specs", path.name)
    data = document.data
    if not isinstance(data, dict) or "dialect" not in data:
        return None
    ops = (_op(name, entry, document.at("ops", i)) for i, entry in enumerate(data.get("ops", [])))
    return DialectSpec(
        name,
        data.get("doc", ""),
        data.get("custom_syntax", "mlir"),
        {t["name"]: TypeSpec(**t) for t in data.get("types", [])},
        {k: tuple(v) for k, v in data.get("enums", {}).items()},
        {op.name: op for op in ops},
        data.get("enum_spelling", '"{value}"'),
    )


def op_spec(name: str) -> OpSpec | None:
    """The spec of `dialect.op`; None when the dialect or the op is unknown."""
    spec = dialect(name.partition(".")[0])
    return spec.ops.get(name) if spec else None


def unknown_op_hint(name: str) -> str:
    """What to do about an op no spec knows: the nearest name of its dialect, or where to look."""
    prefix = name.partition(".")[0]
    known = dialect(prefix)
    if known is None:
        return f"`{prefix}` is not a dialect of KTIR; see ktir_specs/ for those that are"
    close = difflib.get_close_matches(name, list(known.ops), n=1)
    return f"did you mean `{close[0]}`?" if close else f"see ktir_specs/{prefix}.yaml for its ops"


def _op(dialect_name: str, entry: dict[str, Any], position: Position) -> OpSpec:
    assembly = entry.get("assembly", ())
    attributes = (
        AttributeSpec(**{**a, "aliases": tuple(a.get("aliases", ()))}) for a in entry.get("attributes", [])
    )
    return OpSpec(
        name=f"{dialect_name}.{entry['name']}",
        doc=entry["doc"],
        operands=tuple(ValueSpec(**v) for v in entry.get("operands", [])),
        results=tuple(ValueSpec(**v) for v in entry.get("results", [])),
        attributes=tuple(attributes),
        regions=tuple(RegionSpec(**r) for r in entry.get("regions", [])),
        traits=frozenset(entry.get("traits", ())),
        alias_of=entry.get("alias_of", ""),
        assembly=(assembly,) if isinstance(assembly, str) else tuple(assembly),
        verify=tuple(entry.get("verify", ())),
        semantics=entry.get("semantics"),
        cost=entry.get("cost", {}),
        position=position,
    )
