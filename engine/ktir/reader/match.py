"""Matching tokens against an op's assembly."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...diagnostics import Diagnostic, TilesatError
from ...specs.dialects import OpSpec, ValueSpec, dialect
from ..assembly import (
    Alternatives,
    AttrDict,
    Custom,
    Element,
    Group,
    Literal,
    TypeOf,
    Variable,
)
from ..ir import Raw
from . import directives
from .output import Piece
from .record import Record
from .spans import UNKNOWN, type_end, value_end
from .tokens import Tokens

if TYPE_CHECKING:
    from .desugar import Desugarer

__all__ = ["Matcher"]

_DIALECT_TYPES = ("access_tile", "runtime_arg", "tile_future")


@dataclass(slots=True)
class Matcher:
    """Walks an assembly over the tokens from op token `at`; `farthest` and `expected` explain a failure."""

    desugarer: Desugarer
    spec: OpSpec
    at: int
    hi: int
    record: Record = field(default_factory=Record)
    farthest: int = 0
    expected: str = ""

    @property
    def tokens(self) -> Tokens:
        return self.desugarer.tokens

    def error(self) -> TilesatError:
        found = self.tokens.text[self.farthest] or "the end of the text"
        return TilesatError(
            Diagnostic(
                "PARSE004",
                f"{self.spec.name}: expected {self.expected}, found `{found}`",
                self.tokens.position(self.farthest),
                f"form: {self.spec.name} {self.spec.assembly[0]}",
            )
        )

    def miss(self, i: int, expected: str) -> None:
        """Note that `expected` was not found at token i."""
        if i >= self.farthest:
            self.farthest, self.expected = i, expected

    def sequence(self, elements: tuple[Element, ...], i: int) -> int | None:
        """The token after the match of all `elements` from i, or None."""
        for n, element in enumerate(elements):
            if isinstance(element, Alternatives):  # may need to look past itself: try each with the rest
                return self._alternatives(element, elements[n + 1 :], i)
            after = self.element(element, i)
            if after is None:
                return None
            i = after
        return i

    def _alternatives(self, element: Alternatives, rest: tuple[Element, ...], i: int) -> int | None:
        saved = self.record
        for choice in element.choices:
            self.record = saved.copy()
            after = self.sequence(choice + rest, i)
            if after is not None:
                return after
        self.record = saved
        return None

    def element(self, element: Any, i: int) -> int | None:
        """The token after the match of one element from i, or None. Most frequent kinds first."""
        kind = type(element)
        if kind is Literal:
            if self.tokens.text[i] == element.text and i < self.hi:
                return i + 1
            self.miss(i, f"`{element.text}`")
            return None
        if kind is Variable:
            return self._variable(element.name, i)
        if kind is TypeOf:
            return self._types(element.name, i)
        if kind is AttrDict:
            return self._dictionary(i, element.keyword)
        if kind is Group:
            return self._group(element.body, i)
        if kind is Custom:
            return directives.parse(element.directive, self, element.args, i)
        return self._functional(i)

    def _group(self, body: tuple[Element, ...], i: int) -> int:
        first = body[0]
        if isinstance(first, Literal) and self.tokens.text[i] != first.text:
            self.miss(i, f"`{first.text}`") if i > self.farthest else None
            return i
        saved = self.record
        self.record = saved.copy()
        after = self.sequence(body, i)
        if after is None:
            self.record = saved
            return i
        return after

    # ---- operands, attributes, regions ----------------------------------------------------------

    def _variable(self, name: str, i: int) -> int | None:
        group = next((o for o in self.spec.operands if o.name == name), None)
        if group is not None:
            return self._operands(group, i)
        if any(r.name == name for r in self.spec.regions):
            return self._region(name, i)
        return self._attribute(name, i)

    def _operands(self, group: ValueSpec, i: int) -> int | None:
        text = self.tokens.text
        names: list[str] = []
        if text[i][:1] == "%":
            names.append(text[i])
            i += 1
            while group.variadic and text[i] == "," and text[i + 1][:1] == "%":
                names.append(text[i + 1])
                i += 2
        if group.single and not names:
            self.miss(i, f"a value (`%…`) for `{group.name}`")
            return None
        self.record.operands[group.name] = names
        return i

    def _region(self, name: str, i: int) -> int | None:
        if self.tokens.text[i] != "{":
            self.miss(i, f"`{{` (region `{name}`)")
            return None
        end = self.tokens.match[i]
        rule = next(r for r in self.spec.regions if r.name == name)
        body = self.desugarer.emit(i + 1, end)
        head = self.record.headers.get(name, "")
        tail = ""
        if rule.implicit_terminator and not self._has_at_top(i, end, rule.terminator):
            tail = f'\n"{rule.terminator}"() : () -> ()'
        start = self.tokens.start
        self.record.regions[name] = [Piece("{" + head, start[i]), *body, Piece(tail + "}", start[end])]
        return end + 1

    def _has_at_top(self, lo: int, hi: int, word: str) -> bool:
        """Whether a token stands directly inside the brackets lo … hi."""
        text, match = self.tokens.text, self.tokens.match
        i = lo + 1
        while i < hi:
            if text[i].strip('"') == word:
                return True
            i = max(i, match.get(i, i)) + 1
        return False

    def _attribute(self, name: str, i: int) -> int | None:
        attribute = self.spec.attribute(name)
        assert attribute is not None, f"{self.spec.name}: assembly names unknown `{name}`"
        start, word = i, self.tokens.text[i]
        if attribute.enum:
            owner = dialect(self.spec.name.partition(".")[0])
            allowed = owner.enums.get(attribute.enum, ()) if owner else ()
            if word not in allowed:
                self.miss(i, f"one of {', '.join(allowed)}")
                return None
            self.record.plain[name] = word
            return i + 1
        if not word or word in (")", "]", "}", ">", ",", ":", "->"):
            self.miss(i, f"a value for `{name}`")
            return None
        if attribute.type in ("int", "float", "number"):
            i += word == "-"
            if not self.tokens.text[i][:1].isdigit():
                self.miss(i, f"a number for `{name}`")
                return None
            end = i + 1
        else:
            end = value_end(self.tokens, i)
        self._store(name, start, end, typed=bool(attribute.value_type))
        return end

    def _store(self, name: str, lo: int, hi: int, typed: bool = False) -> None:
        """Keep an attribute's value, in plain form when it can be read without MLIR."""
        value = UNKNOWN if typed else self.desugarer.value(lo, hi)
        if value is UNKNOWN:
            self.record.attributes[name] = self.desugarer.emit(lo, hi)
        else:
            self.record.plain[name] = value

    def _dictionary(self, i: int, keyword: bool) -> int | None:
        text, match = self.tokens.text, self.tokens.match
        if keyword:
            if text[i] != "attributes":
                return i
            i += 1
        if text[i] != "{":
            self.miss(i, "`{` (attributes)") if keyword or i > self.farthest else None
            return None if keyword else i
        end, j = match[i], i + 1
        while j < end:
            if not (text[j][:1].isalpha() or text[j][:1] in ('"', "_")):
                self.miss(j, "an attribute's name")
                return None
            key, j = text[j].strip('"'), j + 1
            known = self.spec.attribute(key)
            key = known.name if known else key
            fresh = key not in self.record.attributes and key not in self.record.plain
            if text[j] == "=":
                stop = j + 1
                while stop < end and text[stop] != ",":
                    stop = match.get(stop, stop) + 1 if text[stop] in "([{<" else stop + 1
                if stop == j + 1:
                    self.miss(stop, f"a value for `{key}`")
                    return None
                if fresh:
                    self._store(key, j + 1, stop)
                j = stop
            elif fresh:
                self.record.plain[key] = Raw("unit")
            if text[j] == "," and j < end:
                j += 1
            elif j != end:
                self.miss(j, "`,` or `}`")
                return None
        return end + 1

    # ---- types ----------------------------------------------------------------------------------

    def _types(self, name: str, i: int) -> int | None:
        group = next((v for v in (*self.spec.operands, *self.spec.results) if v.name == name), None)
        assert group is not None, f"{self.spec.name}: assembly names unknown `{name}`"
        count = len(self.record.operands.get(name, [])) if group in self.spec.operands else None
        if count == 0:
            self.record.types[name] = []
            return i
        types: list[str] = []
        if group.variadic and self.tokens.text[i] == "(":
            listed = self._type_list(i + 1, self.tokens.match[i])
            if listed is None:
                return None
            self.record.types[name] = listed
            return self.tokens.match[i] + 1
        while True:
            parsed = self.one_type(group, i)
            if parsed is None:
                return None
            types.append(parsed[0])
            i = parsed[1]
            if not group.variadic or self.tokens.text[i] != "," or len(types) == count:
                break
            i += 1
        self.record.types[name] = types
        return i

    def one_type(self, group: ValueSpec | None, i: int) -> tuple[str, int] | None:
        """The generated text of the type at token i and the token after it; completes short forms."""
        text = self.tokens.text
        word = text[i]
        if i >= self.hi or not (word[:1] in ("!", "(", "<") or word[:1].isalpha()):
            self.miss(i, "a type")
            return None
        end = type_end(self.tokens, i)
        if word != "<":
            return self.desugarer.text(i, end), end
        kind = group.type if group else ""
        if kind not in _DIALECT_TYPES:
            self.miss(i, "a type")
            return None
        return self.desugarer.checked_type("ktdp", kind, i, end), end

    def _functional(self, i: int) -> int | None:
        text, match = self.tokens.text, self.tokens.match
        if text[i] != "(":
            self.miss(i, "`(` (a function type)")
            return None
        ins = self._type_list(i + 1, match[i])
        i = match[i] + 1
        if text[i] != "->":
            self.miss(i, "`->`")
            return None
        if text[i + 1] == "(":
            outs, after = self._type_list(i + 2, match[i + 1]), match[i + 1] + 1
        else:
            parsed = self.one_type(None, i + 1)
            if parsed is None:
                return None
            outs, after = [parsed[0]], parsed[1]
        if ins is None or outs is None:
            return None
        for groups, types in ((self.spec.operands, ins), (self.spec.results, outs)):
            self._distribute(groups, types)
        return after

    def _type_list(self, i: int, end: int) -> list[str] | None:
        types: list[str] = []
        while i < end:
            parsed = self.one_type(None, i)
            if parsed is None:
                return None
            types.append(parsed[0])
            i = parsed[1] + (self.tokens.text[parsed[1]] == ",")
        return types

    def _distribute(self, groups: tuple[ValueSpec, ...], types: list[str]) -> None:
        rest = len(types)
        for n, group in enumerate(groups):
            known = self.record.operands.get(group.name) if groups is self.spec.operands else None
            later = sum(g.single for g in groups[n + 1 :])
            take = len(known) if known is not None else 1 if group.single else max(0, rest - later)
            at = len(types) - rest
            self.record.types[group.name] = types[at : at + take]
            rest -= take
