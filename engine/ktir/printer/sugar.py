"""Generic form of our dialects' ops → custom form, in text MLIR printed: the inverse of the reader's pass."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from ...diagnostics import fail
from ...specs.dialects import OpSpec, dialect, op_spec
from ..assembly import (
    Alternatives,
    AttrDict,
    Custom,
    Element,
    Functional,
    Group,
    Literal,
    TypeOf,
    Variable,
    compile_assembly,
    variables,
)
from ..reader.spans import type_end, value_end
from ..reader.tokens import Tokens
from ..type_text import original_of
from . import directives

__all__ = ["Parts", "Sugar"]

_STAND_IN = re.compile(r"(?:(?<=x)|(?<=<)|^)[a-z]+\d+\w*(?=$|[>,])")
_SPACE = re.compile(r'"(#ktdp\.memory_space<[^">]*>)"$')
_TIGHT_BEFORE = (",", ")", "]", ">")
_TIGHT_AFTER = ("(", "[", "<")


@dataclass(slots=True)
class Parts:
    """A printed generic op taken apart, by the groups of its spec."""

    spec: OpSpec
    operands: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, list[str]] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    regions: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, list[str]] = field(default_factory=dict)
    argument_types: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Sugar:
    """Rewrites MLIR's print; `aliases` are the `#map = …` definitions at its top."""

    tokens: Tokens
    aliases: dict[str, str] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)  # first name → names of a group of results

    def run(self) -> str:
        text, match = self.tokens.text, self.tokens.match
        i = 0
        while i < len(text) - 2:
            if text[i][0] == "#" and text[i + 1] == "=":
                end = value_end(self.tokens, i + 2)
                self.aliases[text[i]] = self.tokens.slice(i + 2, end)
                i = end
            else:
                i = match.get(i, i) + 1
        return self.emit(0, len(text) - 1)

    def emit(self, lo: int, hi: int) -> str:
        """Tokens lo … hi-1, our ops in custom form, stand-ins replaced by what they stand for."""
        if hi <= lo:
            return ""
        tokens, source = self.tokens, self.tokens.source.text
        out: list[str] = []
        i = at = lo
        while i < hi:
            word = tokens.text[i]
            replaced: str | None = None
            end = i + 1
            first = word[:1]
            if first == '"':
                if tokens.text[end] == "(" and (spec := op_spec(word[1:-1])) and spec.assembly:
                    replaced, end = self._op(spec, i)
                elif m := _SPACE.match(word):
                    replaced = m[1]
            elif first == "!":
                if tokens.text[end] == "<" and tokens.text[end + 1][:1] == '"':
                    end = tokens.match[end] + 1
                    replaced = f"{word}.{tokens.text[i + 2][1:-1]}"
            elif first == "%":
                replaced, end = self._name(i)
            elif first.isalnum() or first == "x":
                replaced = _restored(word)
            if replaced is not None:
                out += [source[tokens.start[at] : tokens.start[i]] if i > at else "", replaced]
                if end < hi:
                    out.append(source[tokens.stop[end - 1] : tokens.start[end]])
                at = end
            i = end
        if at < hi:
            out.append(source[tokens.start[at] : tokens.stop[hi - 1]])
        return "".join(out)

    def _name(self, i: int) -> tuple[str | None, int]:
        """Results MLIR groups (`%x:2`, `%x#1`) under the names they had (`%x, %y`)."""
        word, text = self.tokens.text[i], self.tokens.text
        base, hash_, number = word[1:].partition("#")
        names = self.groups.get(base)
        if names is None or (hash_ and int(number) >= len(names)):
            return None, i + 1
        if hash_:
            return f"%{names[int(number)]}", i + 1
        if text[i + 1] == ":" and text[i + 2] == str(len(names)) and text[i + 3] == "=":
            return ", ".join(f"%{n}" for n in names), i + 3
        return None, i + 1

    # ---- one operation --------------------------------------------------------------------------

    def _op(self, spec: OpSpec, i: int) -> tuple[str, int]:
        parts, end = self._parts(spec, i)
        elements = compile_assembly(spec.assembly[0], spec.position)
        written = variables(elements)
        self._spell_enums(parts, written)
        words = self._render(elements, parts, written)
        return _join([spec.name, *words]), end

    @staticmethod
    def _spell_enums(parts: Parts, written: frozenset[str]) -> None:
        """Keywords MLIR held as strings, as the dialect spells them in a dictionary."""
        owner = dialect(parts.spec.name.partition(".")[0])
        for attribute in parts.spec.attributes:
            given = parts.attributes.get(attribute.name)
            if owner and attribute.enum and given and attribute.name not in written:
                parts.attributes[attribute.name] = owner.spell(attribute.enum, given.strip('"'))

    def _parts(self, spec: OpSpec, i: int) -> tuple[Parts, int]:
        tokens, text, match = self.tokens, self.tokens.text, self.tokens.match
        parts = Parts(spec)
        named = range(i + 2, match[i + 1])
        operands = [self._name(j)[0] or text[j] for j in named if text[j] != ","]
        i = match[i + 1] + 1
        regions: list[tuple[int, int]] = []
        if text[i] == "(":
            end, j = match[i], i + 1
            while j < end:
                regions.append((j, match[j] + 1))
                j = match[j] + 2
            i = end + 1
        if text[i] == "{":
            parts.attributes = self._dictionary(i)
            i = match[i] + 1
        if text[i] != ":" or text[i + 1] != "(":
            fail("PRINT001", f"cannot print {spec.name}", tokens.position(i))
        ins = self._types(i + 2, match[i + 1])
        i = match[i + 1] + 2
        if text[i] == "(":
            outs, i = self._types(i + 1, match[i]), match[i] + 1
        else:
            end = type_end(tokens, i)
            outs, i = [self.emit(i, end)], end
        sizes = self._segments(parts, len(operands))
        at = 0
        for group, size in zip(spec.operands, sizes, strict=True):
            parts.operands[group.name] = operands[at : at + size]
            parts.types[group.name] = ins[at : at + size]
            at += size
        at = 0
        for group in spec.results:
            size = 1 if group.single else len(outs) - sum(g.single for g in spec.results)
            parts.types[group.name] = outs[at : at + size]
            at += size
        for rule, (lo, hi) in zip(spec.regions, regions, strict=False):
            parts.regions[rule.name] = self.emit(lo, hi)
            if text[lo + 1][:1] == "^" and text[lo + 2] == "(":
                head = text[lo + 3 : match[lo + 2]]
                parts.arguments[rule.name] = [t for t, n in pairwise(head) if n == ":"]
                parts.argument_types[rule.name] = self._argument_types(lo + 3, match[lo + 2])
        return parts, i

    def _segments(self, parts: Parts, count: int) -> list[int]:
        spec = parts.spec
        given = parts.attributes.pop("operandSegmentSizes", None)
        if given is not None:
            return [int(n) for n in re.findall(r"\d+", given.partition(":")[2])]
        unknown = count - sum(g.single for g in spec.operands)
        return [1 if g.single else unknown for g in spec.operands]

    def _types(self, i: int, end: int) -> list[str]:
        found: list[str] = []
        while i < end:
            stop = type_end(self.tokens, i)
            found.append(self.emit(i, stop))
            i = stop + 1
        return found

    def _argument_types(self, i: int, end: int) -> list[str]:
        found: list[str] = []
        while i < end:
            stop = type_end(self.tokens, i + 2)  # past `%name :`
            found.append(self.emit(i + 2, stop))
            i = stop + 1
        return found

    def _dictionary(self, i: int) -> dict[str, str]:
        text, match = self.tokens.text, self.tokens.match
        end, j = match[i], i + 1
        found: dict[str, str] = {}
        while j < end:
            key, j = text[j].strip('"'), j + 1
            value = ""
            if text[j] == "=":
                stop = j + 1
                while stop < end and text[stop] != ",":
                    stop = match.get(stop, stop) + 1 if text[stop] in "([{<" else stop + 1
                value, j = self.emit(j + 1, stop), stop
            found[key] = value
            j += 1
        return found

    def resolve(self, text: str) -> str:
        """An attribute's text with an alias written out."""
        return self.aliases.get(text, text)

    # ---- rendering ------------------------------------------------------------------------------

    def _render(self, elements: tuple[Element, ...], parts: Parts, written: frozenset[str]) -> list[str]:
        words: list[str] = []
        for element in elements:
            match element:
                case Literal(text):
                    words.append(text)
                case Variable(name):
                    words += self._variable(name, parts)
                case TypeOf(name):
                    words += _comma(parts.types.get(name, []))
                case AttrDict(keyword):
                    left = {k: v for k, v in parts.attributes.items() if k not in written}
                    if left:
                        body = ", ".join(f"{k} = {v}" if v else k for k, v in left.items())
                        words += [*(["attributes"] if keyword else []), f"{{{body}}}"]
                case Functional():
                    ins = [t for g in parts.spec.operands for t in parts.types[g.name]]
                    outs = [t for g in parts.spec.results for t in parts.types[g.name]]
                    result = outs[0] if len(outs) == 1 else f"({', '.join(outs)})"
                    words.append(f"({', '.join(ins)}) -> {result}")
                case Group(body):
                    if _present(body, parts):
                        words += self._render(body, parts, written)
                case Alternatives(choices):
                    choice = next((c for c in choices if _complete(c, parts)), choices[-1])
                    words += self._render(choice, parts, written)
                case Custom(directive, args):
                    words += directives.render(directive, self, parts, args)
        return words

    def _region(self, name: str, parts: Parts) -> str:
        """A region without what the custom form leaves out: a header written elsewhere, an implicit end."""
        text = parts.regions[name]
        elements = compile_assembly(parts.spec.assembly[0], parts.spec.position)
        if name in _announced(elements):
            text = re.sub(r"^\{\s*\^bb0\([^\n]*\):[ ]*", "{", text)
        rule = next(r for r in parts.spec.regions if r.name == name)
        if rule.implicit_terminator:
            name = re.escape(rule.terminator)
            text = re.sub(rf'\n\s*(?:{name}|"{name}"\(\) : \(\) -> \(\))(\s*\}})$', r"\1", text)
        return text

    def _variable(self, name: str, parts: Parts) -> list[str]:
        if name in parts.operands:
            return _comma(parts.operands[name])
        if name in parts.regions:
            return [self._region(name, parts)]
        attribute = parts.spec.attribute(name)
        value = parts.attributes.get(name, "")
        if attribute and attribute.enum:
            return [value.strip('"')]
        if attribute and attribute.type in ("int", "float", "number"):
            return [value.partition(" : ")[0]]
        return [value]


def _announced(elements: tuple[Element, ...]) -> set[str]:
    """Regions whose block arguments a directive writes before them."""
    found: set[str] = set()
    for e in elements:
        match e:
            case Custom("BlockArgument", args):
                found.add(args[0])
            case Group(body):
                found |= _announced(body)
            case Alternatives(choices):
                for choice in choices:
                    found |= _announced(choice)
            case _:
                pass
    return found


def _complete(choice: tuple[Element, ...], parts: Parts) -> bool:
    """Whether everything an alternative writes is there."""
    return all(_present((e,), parts) for e in choice if isinstance(e, Variable | Custom))


def _restored(word: str) -> str | None:
    """`tensor<4x64xtf32>` → `tensor<4x64x!spyreop.df16>`; None when the word holds no stand-in."""
    m = _STAND_IN.search(word)
    original = original_of(m[0]) if m else None
    return None if original is None or m is None else word[: m.start()] + original + word[m.end() :]


def _comma(items: list[str]) -> list[str]:
    return [", ".join(items)] if items else []


def _present(body: tuple[Element, ...], parts: Parts) -> bool:
    for element in body:
        match element:
            case Variable(name):
                return bool(parts.operands.get(name) or parts.attributes.get(name) or parts.regions.get(name))
            case TypeOf(name):
                return bool(parts.types.get(name))
            case Custom(_, args):
                tables = (parts.operands, parts.attributes, parts.arguments)
                return any(table.get(a) for a in args for table in tables)
            case Alternatives(choices):
                return _present(choices[0], parts)
            case _:
                continue
    return False


def _join(words: list[str]) -> str:
    """Words with MLIR's spacing: tight inside brackets, before commas, and in `sizes:` and `name(`."""
    out = ""
    for i, word in enumerate(words):
        if not word:
            continue
        before = out[-1:]
        tight = not out or word[0] in _TIGHT_BEFORE or before in _TIGHT_AFTER
        if word in ("(", "["):
            tight = tight or before.isalnum() or before == "_"
        if word == ":" and i and re.fullmatch(r"[a-z_]+", words[i - 1]) and words[i - 1] != "attributes":
            tight = True
        out += word if tight else f" {word}"
    return out
