"""Where types and attribute values end, by their tokens alone."""

from __future__ import annotations

from ...diagnostics import fail
from .tokens import Tokens

__all__ = ["UNKNOWN", "type_end", "value_end"]

UNKNOWN = object()  # the value of an attribute that only MLIR can read


def type_end(tokens: Tokens, i: int) -> int:
    """One past the type beginning at token i. Raises PARSE004 when there is none."""
    text = tokens.text
    t = text[i]
    if t == "(":
        end = tokens.match[i] + 1
        return type_end(tokens, end + 1) if text[end] == "->" else end
    if t == "<":
        return tokens.match[i] + 1
    if t[:1] == "!" or t[:1].isalpha():
        return tokens.match[i + 1] + 1 if text[i + 1] == "<" else i + 1
    fail("PARSE004", f"expected a type, found `{t or 'the end'}`", tokens.position(i))


def value_end(tokens: Tokens, i: int) -> int:
    """One past the attribute value beginning at token i (with its `: type`, if any)."""
    text = tokens.text
    t = text[i]
    if t == "-":
        i += 1
        t = text[i]
    if not t:
        fail("PARSE004", "expected a value, found the end of the text", tokens.position(i))
    if t in ("(", "[", "{"):
        return _after_bracket(tokens, i)
    end = i + 1
    if text[end] == "<" or (t == "loc" and text[end] == "("):
        end = tokens.match[end] + 1
    while text[end] == "::" and text[end + 1]:  # @a::@b
        end += 2
    typed = t[:1].isdigit() or t[:1] == '"' or t in ("dense", "sparse", "dense_resource")
    if typed and text[end] == ":" and not (t[:1] == '"' and text[end + 1][:1] in "%"):
        end = type_end(tokens, end + 1)
    return end


def _after_bracket(tokens: Tokens, i: int) -> int:
    end = tokens.match[i] + 1
    if tokens.text[i] == "(" and tokens.text[end] == "->":
        return type_end(tokens, end + 1)
    return end
