"""Custom form of our dialects' ops → generic form, leaving every other token of the text alone."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from ...diagnostics import TilesatError, fail
from ...specs.dialects import OpSpec, dialect, op_spec, unknown_op_hint
from ..affine_text import AffineSyntaxError
from ..assembly import Element, compile_assembly
from ..attr_text import parse_attribute
from ..ir import MemorySpace, Raw
from ..type_text import TypeSyntaxError, original_of, parse_space, parse_type, stand_in_of
from .match import Matcher
from .output import Piece
from .record import Record
from .spans import UNKNOWN, type_end, value_end
from .tokens import Tokens

__all__ = ["SPACES", "Desugarer"]

# Attributes that may sit inside a memref type, where MLIR takes no attribute of an unknown dialect.
SPACES = ("#ktdp.memory_space", "#ktdp.spyre_memory_space")


_ALIAS = re.compile(r"#[\w$.-]+", re.ASCII)
_ODD_FLOAT = re.compile(r"(?:^|x|<)(tf32|f8E\w+|f[46]E\w+)(?=$|[>,])")


@lru_cache(maxsize=4096)
def _type_text(name: str, kind: str, body: str) -> str:
    """`!name.kind<body>` as MLIR is to see it. Raises TypeSyntaxError."""
    text = str(parse_type(f"!{name}.{kind}{body}"))
    spec = dialect(name)
    if spec and spec.types[kind].quoted:
        return f'!{name}<"{text.partition(".")[2].replace(chr(34), chr(39))}">'
    return text


@cache
def _forms(name: str) -> tuple[tuple[Element, ...], ...]:
    """An op's custom forms, compiled."""
    spec = op_spec(name)
    return tuple(compile_assembly(form, spec.position) for form in spec.assembly) if spec else ()


@dataclass(slots=True)
class Desugarer:
    """Rewrites one token list. `locations` collects `(token, text)` of every explicit `loc(…)`."""

    tokens: Tokens
    aliases: dict[str, tuple[int, int]] = field(default_factory=dict)
    locations: list[tuple[int, str]] = field(default_factory=list)
    location_aliases: dict[str, str] = field(default_factory=dict)
    op_tokens: list[int] = field(default_factory=list)
    value_types: dict[str, str] = field(default_factory=dict)
    attributes: dict[int, dict[str, Any]] = field(default_factory=dict)  # by op token: MLIR need not see them
    alias_values: dict[str, Any] = field(default_factory=dict)

    def run(self) -> list[Piece]:
        self._collect_aliases()
        self._refuse_stand_ins()
        return self.emit(0, len(self.tokens.text) - 1)

    def _collect_aliases(self) -> None:
        text, match = self.tokens.text, self.tokens.match
        i, n = 0, len(text) - 1
        while i < n:
            t = text[i]
            if t[0] in "#!" and text[i + 1] == "=":
                end = min(value_end(self.tokens, i + 2), n)
                self.aliases[t] = (i + 2, end)
                i = end
            else:
                i = max(i, match.get(i, i)) + 1

    def _refuse_stand_ins(self) -> None:
        """The builtin types we lend to dialect types must not come from the input: they would be mistaken."""
        for word in {w for w in set(self.tokens.text) if "f" in w and _ODD_FLOAT.search(w)}:
            m = _ODD_FLOAT.search(word)
            if m and original_of(m[1]):
                offset = self.tokens.start[self.tokens.text.index(word)] + m.start(1)
                where = self.tokens.source.position(offset)
                fail("KTIR006", f"type `{m[1]}` is not supported", where, "use f16, bf16, f32 or df16")

    # ---- emission -------------------------------------------------------------------------------

    def emit(self, lo: int, hi: int) -> list[Piece]:
        """Tokens lo … hi-1 with all special tokens rewritten."""
        tokens = self.tokens
        pieces: list[Piece] = []
        special = tokens.special
        at, k = lo, bisect_left(special, lo)
        while k < len(special) and special[k] < hi:
            i = special[k]
            if i < at:
                k += 1
                continue
            replaced, end = self._special(i, hi)
            if replaced is not None:
                if i > at:
                    pieces.append(self._copy(at, i))
                pieces += replaced
                at = end
            k += 1
        if at < hi:
            start = self.tokens.start[at]
            pieces.append(Piece(self.tokens.clean[start : self.tokens.stop[hi - 1]], start, True))
        return pieces

    def _copy(self, lo: int, hi: int) -> Piece:
        """Verbatim, together with the white space that follows."""
        start, end = self.tokens.start[lo], self.tokens.start[hi]
        return Piece(self.tokens.clean[start:end], start, True)

    def text(self, lo: int, hi: int) -> str:
        """As `emit`, as one string (for types and short values)."""
        special = self.tokens.special
        k = bisect_left(special, lo)
        if k == len(special) or special[k] >= hi:
            return self.tokens.slice(lo, hi)
        return "".join(p.text for p in self.emit(lo, hi)).strip()

    def _piece(self, text: str, i: int) -> list[Piece]:
        return [Piece(text, self.tokens.start[i])]

    def _special(self, i: int, hi: int) -> tuple[list[Piece] | None, int]:
        """What replaces the construct beginning at special token i, and where it ends."""
        tokens = self.tokens
        word, following = tokens.text[i], tokens.text[i + 1]
        if word == "loc":
            return self._location(i) if following == "(" else (None, i)
        if word[0] == "!":
            return self._type(i)
        if word[0] == "#":
            if word in SPACES and following == "<":
                end = tokens.match[i + 1] + 1
                text = tokens.slice(i, end).replace('"', "")
                self._space(text, i)
                return self._piece(f'"{text}" ', i), end
            return None, i
        if word[0] == '"':
            return self._generic(i, hi) if following == "(" else (None, i)
        if following == "=":
            return None, i  # an attribute's name
        if i and tokens.text[i - 1] in ("{", ",") and following in (",", "}"):
            spec = op_spec(word)  # a unit attribute's name, unless it is an op that stands alone
            if spec is None or any(o.single for o in spec.operands) or tokens.text[i - 1] == ",":
                return None, i
        return self._op(i, hi)

    def _space(self, text: str, i: int) -> MemorySpace:
        try:
            return parse_space(text)
        except TypeSyntaxError as e:
            fail("KTIR005", str(e), self.tokens.position(i))

    def _location(self, i: int) -> tuple[list[Piece] | None, int]:
        tokens = self.tokens
        end = tokens.match[i + 1] + 1
        if i >= 2 and tokens.text[i - 1] == "=" and not tokens.text[i - 2].startswith("#"):
            return None, i  # a location as an attribute's value
        text = tokens.slice(i, end)
        if i >= 2 and tokens.text[i - 1] == "=":
            self.location_aliases[tokens.text[i - 2]] = text
            return None, i  # an unused alias is harmless
        self.locations.append((i, text))
        return self._piece(" ", i), end

    def _type(self, i: int) -> tuple[list[Piece] | None, int]:
        tokens = self.tokens
        word = tokens.text[i]
        stand_in = stand_in_of(word)
        if stand_in:
            return self._piece(stand_in + " ", i), i + 1
        word, angle, _ = word.partition("<")
        name, _, kind = word[1:].partition(".")
        spec = dialect(name)
        known = spec.types.get(kind) if spec else None
        if known is not None and angle:
            return self._piece(self.checked_type(name, kind, i, i + 1) + " ", i), i + 1
        if known is None or tokens.text[i + 1] != "<":
            return None, i
        end = tokens.match[i + 1] + 1
        return self._piece(self.checked_type(name, kind, i + 1, end) + " ", i), end

    def checked_type(self, name: str, kind: str, lo: int, hi: int) -> str:
        """The generated text of a dialect's type, tokens lo … hi-1 or its `<…>` only. KTIR004: malformed.

        Aliases are written out, since MLIR does not look inside; bodies its lexer refuses are quoted. One
        spelling per type, since MLIR compares text.
        """
        body = self.tokens.slice(lo, hi)
        if body[0] == "!":
            body = body[body.index("<") :]
        if "#" in body:
            body = _ALIAS.sub(lambda m: self.tokens.slice(*self.aliases.get(m[0], (0, 0))) or m[0], body)
        try:
            return _type_text(name, kind, body)
        except TypeSyntaxError as e:
            fail(
                "KTIR004",
                str(e),
                self.tokens.position(lo if self.tokens.text[lo][0] == "!" else max(lo - 1, 0)),
            )

    # ---- operations -----------------------------------------------------------------------------

    def _generic(self, i: int, hi: int) -> tuple[list[Piece] | None, int]:
        """`"d.op"(…) <{…}> ({…}) {…} : …`: MLIR hides `<{…}>` of unregistered ops, so merge it into `{…}`."""
        tokens = self.tokens
        name = tokens.text[i].strip('"')
        spec = self._known(name, i)
        after = tokens.match[i + 1] + 1
        text = tokens.text
        if text[after] == "[":
            after = tokens.match[after] + 1
        pieces = self._piece(f'"{spec.alias_of or name}"', i) + self.emit(i + 1, after)
        properties: list[Piece] = []
        if text[after] == "<" and text[after + 1] == "{":
            properties = self.emit(after + 2, tokens.match[after + 1])
            after = tokens.match[after] + 1
        if text[after] == "(":
            end = tokens.match[after] + 1
            pieces += self.emit(after, end)
            after = end
        if text[after] == "{":
            end = tokens.match[after]
            given = self.emit(after + 1, end)
            comma = [Piece(", ", tokens.start[after])] if given and properties else []
            properties = properties + comma + given
            after = end + 1
        if properties:
            pieces += [*self._piece(" {", i), *properties, *self._piece("} ", i)]
        self.op_tokens.append(i)
        return pieces, after

    def _known(self, name: str, i: int) -> OpSpec:
        spec = op_spec(name)
        if spec is not None:
            return spec
        fail("KTIR001", f"unknown operation `{name}`", self.tokens.position(i), unknown_op_hint(name))

    def _op(self, i: int, hi: int) -> tuple[list[Piece], int]:
        spec = self._known(self.tokens.text[i], i)
        self.op_tokens.append(i)
        best: Matcher | None = None
        for elements in _forms(spec.name):
            matcher = Matcher(self, spec, i, hi)
            end = matcher.sequence(elements, i + 1)
            if end is not None:
                return self._render(matcher.record, spec, i), end
            if best is None or matcher.farthest > best.farthest:
                best = matcher
        if best is None:
            fail(
                "KTIR001",
                f"`{spec.name}` has no custom form",
                self.tokens.position(i),
                "write it generically",
            )
        raise best.error()

    def value(self, lo: int, hi: int) -> Any:
        """The plain value of the attribute in tokens lo … hi-1; `UNKNOWN` when MLIR must read it."""
        word = self.tokens.text[lo]
        if word in self.aliases and hi == lo + 1:
            if word not in self.alias_values:
                self.alias_values[word] = UNKNOWN  # an alias of itself
                self.alias_values[word] = self.value(*self.aliases[word])
            return self.alias_values[word]
        text = self.tokens.slice(lo, hi)
        if word in SPACES:
            return self._space(text, lo)
        if word.startswith("affine_"):
            try:
                return parse_attribute(text)
            except AffineSyntaxError as e:
                where = self.tokens.source.position(self.tokens.start[lo] + word.find("<") + 1 + e.offset)
                fail("PARSE005", f"{word.partition('<')[0]}: {e}", where)
        if word[:1].isdigit() or word[:1] in ('"', "-") or word in ("true", "false"):
            value = parse_attribute(text)
            return UNKNOWN if isinstance(value, Raw) else value
        return UNKNOWN

    def _render(self, record: Record, spec: OpSpec, i: int) -> list[Piece]:
        record.complete(self, spec, i)
        operands = [name for group in spec.operands for name in record.operands.get(group.name, [])]
        ins = [t for group in spec.operands for t in record.types.get(group.name, [])]
        outs = [t for group in spec.results for t in record.types.get(group.name, [])]
        results = outs[0] if len(outs) == 1 and not outs[0].startswith("(") else f"({', '.join(outs)})"
        head = f'"{spec.alias_of or spec.name}"({", ".join(operands)}) '
        tail = f": ({', '.join(ins)}) -> {results} "
        self.attributes[i] = record.plain
        self._remember(i, outs)
        if not record.regions and not record.attributes:
            return self._piece(head + tail, i)
        pieces = self._piece(head, i)
        for n, group in enumerate(g for g in spec.regions if g.name in record.regions):
            pieces += [*self._piece(", " if n else "(", i), *record.regions[group.name]]
        if record.regions:
            pieces += self._piece(") ", i)
        if record.attributes:
            pieces += self._piece("{", i)
            for n, (key, value) in enumerate(record.attributes.items()):
                name = key if key.isidentifier() else f'"{key}"'
                pieces += [*self._piece(f"{', ' if n else ''}{name} = ", i), *value]
            pieces += self._piece("} ", i)
        return pieces + self._piece(tail, i)

    def _remember(self, i: int, outs: list[str]) -> None:
        text = self.tokens.text
        if i >= 2 and text[i - 1] == "=" and outs:
            self.value_types[text[i - 2]] = outs[-1]

    def type_of_value(self, name: str, before: int) -> str | None:
        """The type text of an SSA name, as far as the text before token `before` shows it."""
        if name in self.value_types:
            return self.value_types[name]
        text = self.tokens.text
        for j in range(before - 1, -1, -1):
            if text[j] != name:
                continue
            if text[j + 1] == "=":
                return self._last_type(j + 2, before)
            if text[j + 1] == ":":
                try:
                    return self.text(j + 2, type_end(self.tokens, j + 2))
                except TilesatError:
                    return None
        return None

    def _last_type(self, i: int, before: int) -> str | None:
        """The type the custom form of an MLIR op ends with: `arith.constant 0 : index`."""
        text, match = self.tokens.text, self.tokens.match
        last: int | None = None
        i += 1
        while i < before and text[i] != "=" and not (text[i][:1].isalpha() and "." in text[i]):
            if text[i] in (":", "to", "->"):
                last = i + 1
            i = match.get(i, i) + 1 if match.get(i, i) > i else i + 1
        return self.text(last, type_end(self.tokens, last)) if last is not None else None
