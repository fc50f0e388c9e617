"""MLIR's in-memory module → the plain objects of `ir`, with names and positions of the original text."""

from __future__ import annotations

from copy import copy
from typing import Any

from ...diagnostics import Position
from ...specs.dialects import dialect, op_spec
from ..affine_text import AffineSyntaxError
from ..attr_text import parse_attribute
from ..ir import Block, Op, Raw, Region, Typed, Value
from ..type_text import TypeSyntaxError, parse_type
from .dense import read_dense
from .names import SourceMap

__all__ = ["Converter"]


class Converter:
    """One conversion; `source` answers where an op stands and what its values are called."""

    def __init__(self, source: SourceMap) -> None:
        self.source = source
        self.values: dict[Any, Value] = {}
        self.counter = 0
        self.unknown = Position(source.tokens.source.file)

    def op(self, operation: Any, parent: Op | None = None, parent_token: int | None = None) -> Op:
        """The plain form of an MLIR operation and everything inside it.

        Ops MLIR makes itself (implicit terminators, hidden regions) get their parent's position.
        """
        token = self.source.token(operation.location)
        if token is None or token == parent_token:
            token, position = None, parent.position if parent else self.unknown
        else:
            position = self.source.position(token)
        op = Op(operation.name, position=position)
        values = self.values
        operands = operation.operands
        if len(operands):
            try:
                op.operands = [values[v] for v in operands]
            except KeyError:
                self.source.fault("KTIR008", f"`{op.name}` uses a value that is defined later", position)
        attributes = operation.attributes
        if len(attributes):
            op.attributes = self._attributes(op.name, attributes, position)
        read = self.source.attributes.get(token) if token is not None else None
        if read:
            op.attributes |= read
        results = operation.results
        if len(results):
            names = self.source.result_names(token, len(results)) if token is not None else None
            for i, result in enumerate(results):
                value = Value(names[i] if names else self._fresh(), self._type(result.type, position), op, i)
                values[result] = value
                op.results.append(value)
        for region in operation.regions:
            op.regions.append(self._region(region, op, token if token is not None else parent_token))
        return op

    def _region(self, region: Any, parent: Op, token: int | None) -> Region:
        plain = Region()
        blocks = list(region.blocks)
        for block in blocks:  # arguments first: a branch may lead back
            made = Block()
            for i, argument in enumerate(block.arguments):
                name = self.source.argument_name(argument.location) or self._fresh()
                value = Value(name, self._type(argument.type, parent.position), made, i)
                self.values[argument] = value
                made.args.append(value)
            plain.blocks.append(made)
        for block, made in zip(blocks, plain.blocks, strict=True):
            made.ops = [self.op(o.operation, parent, token) for o in block.operations]
        return plain

    def _fresh(self) -> str:
        self.counter += 1
        return f"_{self.counter}"

    def _type(self, kind: Any, position: Position) -> Any:
        found = _TYPES.get(kind)
        if found is None:
            try:
                found = _TYPES[kind] = parse_type(str(kind))
            except TypeSyntaxError as e:
                self.source.fault("KTIR004", str(e), position)
        return found

    def _attributes(self, name: str, attributes: Any, position: Position) -> dict[str, Any]:
        found: dict[str, Any] = {}
        spec = op_spec(name) if name.startswith(self.source.prefixes) else None
        for key in attributes:
            try:
                value = _attribute(attributes[key])
            except (AffineSyntaxError, TypeSyntaxError) as e:
                self.source.fault("KTIR005", f"attribute `{key}`: {e}", position)
            except TypeError:  # the bindings refuse constants of complex numbers and strings
                text = f"attribute `{key}`: constants of this element type are not supported"
                self.source.fault("KTIR009", text, position, "use integers or floats")
            known = spec.attribute(key) if spec else None
            if known is not None:
                key = known.name
                if known.enum:
                    value = _keyword(name, known.enum, value)
            found[key] = value
        return found


# MLIR keeps its types and attributes once per context, and the context lives as long as the process.
_TYPES: dict[Any, Any] = {}
_ATTRIBUTES: dict[Any, Any] = {}
_MOST_CACHED = 1 << 16


def _attribute(attribute: Any) -> Any:
    """The plain value of an MLIR attribute."""
    if attribute in _ATTRIBUTES:
        value = _ATTRIBUTES[attribute]
        return copy(value) if isinstance(value, list | dict) else value
    text = str(attribute)
    value = read_dense(attribute, text) if text.startswith("dense<") else parse_attribute(text)
    if len(_ATTRIBUTES) < _MOST_CACHED and len(text) < 1024:
        _ATTRIBUTES[attribute] = value
    return value


def _keyword(op_name: str, enum: str, value: Any) -> Any:
    """An enum attribute as its keyword: generic forms also hold it as a number or `#dialect.enum<word>`."""
    owner = dialect(op_name.partition(".")[0])
    words = owner.enums.get(enum, ()) if owner else ()
    if isinstance(value, Typed):
        value = value.value
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(words):
        return words[value]
    if isinstance(value, Raw):
        inner = value.text.partition("<")[2].rstrip(">").split()
        return next((w for w in inner if w in words), value)
    return value
