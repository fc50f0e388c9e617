"""The assembly language of op specs: text → a tree of elements, walked by the reader and the printer.

The language is that of MLIR's declarative assembly formats; ktir_specs/README.md lists the elements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ..diagnostics import Position, fail

__all__ = [
    "Alternatives",
    "AttrDict",
    "Custom",
    "Element",
    "Functional",
    "Group",
    "Literal",
    "TypeOf",
    "Variable",
    "compile_assembly",
    "variables",
]


@dataclass(frozen=True, slots=True)
class Literal:
    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True)
class TypeOf:
    name: str


@dataclass(frozen=True, slots=True)
class AttrDict:
    keyword: bool


@dataclass(frozen=True, slots=True)
class Functional:
    """`functional-type(operands, results)`."""


@dataclass(frozen=True, slots=True)
class Group:
    """`( … )?`"""

    body: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """`( … | … )`; a plain `( … )` has one choice."""

    choices: tuple[tuple[Element, ...], ...]


@dataclass(frozen=True, slots=True)
class Custom:
    """`custom<Directive>($a, $b)`: a directive of `directives`."""

    directive: str
    args: tuple[str, ...]


Element = Literal | Variable | TypeOf | AttrDict | Functional | Group | Alternatives | Custom

_LEXEME = re.compile(
    r"""\s*(?:`(?P<lit>[^`]*)`|\$(?P<var>\w+)|type\(\$(?P<type>\w+)\)
    |(?P<dict>attr-dict(?:-with-keyword)?)|(?P<fn>functional-type\(operands,\s*results\))
    |custom<(?P<custom>\w+)>\((?P<args>[^)]*)\)|(?P<punct>\)\?|[()|]))""",
    re.VERBOSE,
)


@cache
def compile_assembly(text: str, position: Position | None = None) -> tuple[Element, ...]:
    """The elements of an `assembly:` entry. Raises SPEC001 when it is malformed."""
    lexemes: list[re.Match[str]] = []
    at = 0
    text = text.strip()
    while at < len(text):
        m = _LEXEME.match(text, at)
        if not m:
            fail("SPEC001", f"assembly: cannot read `{text[at : at + 30]}`", position)
        lexemes.append(m)
        at = m.end()
    choices, end, closer = _sequence(lexemes, 0)
    if end != len(lexemes) or closer or len(choices) != 1:
        fail("SPEC001", f"assembly: unbalanced parentheses or stray `|` in `{text}`", position)
    return choices[0]


def _sequence(lexemes: list[re.Match[str]], i: int) -> tuple[tuple[tuple[Element, ...], ...], int, str]:
    """Choices up to the closing parenthesis (or the end), the index after it, and which closer it was."""
    choices: list[tuple[Element, ...]] = []
    current: list[Element] = []
    while i < len(lexemes):
        m = lexemes[i]
        punct = m["punct"]
        if punct in (")", ")?"):
            return (*choices, tuple(current)), i + 1, punct
        if punct == "|":
            choices.append(tuple(current))
            current = []
        elif punct == "(":
            inner, i, closer = _sequence(lexemes, i + 1)
            if not closer:
                return (), i, "unclosed"
            if closer == ")?" and len(inner) == 1:
                current.append(Group(inner[0]))
            else:
                body = Alternatives(inner)
                current.append(Group((body,)) if closer == ")?" else body)
            continue
        else:
            current += _elements(m)
        i += 1
    return (*choices, tuple(current)), i, ""


def _elements(m: re.Match[str]) -> list[Element]:
    match m.lastgroup:
        case "lit":
            return [Literal(t) for t in re.findall(r"->|[A-Za-z_]\w*|\S", m["lit"])]
        case "var":
            return [Variable(m["var"])]
        case "type":
            return [TypeOf(m["type"])]
        case "dict":
            return [AttrDict(m["dict"] != "attr-dict")]
        case "fn":
            return [Functional()]
    return [Custom(m["custom"], tuple(re.findall(r"\w+", m["args"])))]


def variables(elements: tuple[Element, ...]) -> frozenset[str]:
    """The names of operands, attributes and regions an assembly writes itself (the rest is `attr-dict`)."""
    found: set[str] = set()
    for e in elements:
        match e:
            case Variable(name):
                found.add(name)
            case Custom(_, args):
                found.update(args)
            case Group(body):
                found |= variables(body)
            case Alternatives(choices):
                for choice in choices:
                    found |= variables(choice)
            case _:
                pass
    return frozenset(found)
