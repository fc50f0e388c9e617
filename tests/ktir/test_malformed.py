"""Malformed text: every input reads or gives a diagnostic with a position, quickly, and nothing crashes."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest
from tilesat.diagnostics import Diagnostic, TilesatError, render
from tilesat.ktir import read_text, verify

KERNELS = sorted((Path(__file__).parent / "kernels").glob("*.mlir"))
LIMIT = 2.0  # seconds per input
_TOKEN = re.compile(r"[%#!@^]?[\w$.]+|->|>=|==|\s+|.", re.DOTALL)
_TYPES = ("f16", "i32", "index", "tensor<4xf16>", "memref<4xf32>", "!ktdp.access_tile<2xindex>", "()", "none")
_JUNK = ("\x00", "\u20ac", "\\", '"', "}", ">", "loc(", "#", "%", "affine_set<", "-9999999999999999999999")


def read_and_verify(text: str) -> list[Diagnostic]:
    """All diagnostics of reading and verifying; asserts the promises."""
    begin = time.perf_counter()
    try:
        found = verify(read_text(text, "k.mlir", isolate=True))
    except TilesatError as error:
        found = list(error.diagnostics)
        assert found
        for d in found:
            assert d.position.file == "k.mlir" and d.position.line >= 1 and d.position.column >= 1, d
            assert d.position.line <= text.count("\n") + 1, d
            assert d.code and d.message and render(d, text)
    assert time.perf_counter() - begin < LIMIT
    return found


def mutate(text: str, chance: random.Random) -> str:
    """One to three small accidents."""
    for _ in range(chance.randint(1, 3)):
        tokens = _TOKEN.findall(text)
        solid = [i for i, t in enumerate(tokens) if not t.isspace()] or [0]
        i, j = chance.choice(solid), chance.choice(solid)
        if not tokens:
            break
        match chance.randrange(9):
            case 0:
                tokens = tokens[:i]
            case 1:
                tokens[i] = ""
            case 2:
                tokens[i], tokens[j] = tokens[j], tokens[i]
            case 3:
                tokens[i] = f"{tokens[i]} {tokens[i]}"
            case 4:  # a wrong type
                types = [k for k in solid if re.fullmatch(r"f16|index|i32|\d+x\d*x?\w+", tokens[k])]
                tokens[chance.choice(types or solid)] = chance.choice(_TYPES)
            case 5:  # a wrong rank or count
                numbers = [k for k in solid if tokens[k].isdigit()]
                tokens[chance.choice(numbers or solid)] = chance.choice(
                    ("0", "-1", "7, 7", "", "99999999999")
                )
            case 6:
                tokens[i] = chance.choice(_JUNK)
            case 7:  # another value or attribute
                names = [k for k in solid if tokens[k][0] in "%#"]
                if names:
                    tokens[chance.choice(names)] = tokens[chance.choice(names)]
            case _:
                tokens.insert(i, tokens[j])
        text = "".join(tokens)
    return text


@pytest.mark.parametrize("block", range(10))
def test_mutations(block: int) -> None:
    refused = 0
    for n in range(30):
        chance = random.Random(1000 * block + n)
        text = KERNELS[(block + n) % len(KERNELS)].read_text()
        refused += bool(read_and_verify(mutate(text, chance)))
    assert refused >= 15  # the accidents are real: most are noticed


def test_binary_junk() -> None:
    chance = random.Random(7)
    for _ in range(20):
        junk = bytes(chance.randrange(256) for _ in range(2000)).decode("latin-1")
        assert read_and_verify(junk)


@pytest.mark.parametrize("text", ["x" * 1_000_000, "%a, " * 250_000, "1" * 1_000_000, '"' + "s" * 1_000_000])
def test_a_line_of_one_megabyte(text: str) -> None:
    assert read_and_verify(text)
    assert read_and_verify("module { %c = arith.constant " + text + "}")


@pytest.mark.parametrize("pair", ["()", "[]", "{}", "<>"])
@pytest.mark.parametrize("closed", [True, False])
def test_ten_thousand_nested_brackets(pair: str, closed: bool) -> None:
    text = pair[0] * 10_000 + (pair[1] * 10_000 if closed else "")
    for context in (
        "{}",
        "module {{ %x = arith.constant {} }}",
        "#s = affine_set<{}>",
        "module attributes {{a = {}}} {{}}",
    ):
        (first, *_) = read_and_verify(context.format(text))
        assert first.code == "PARSE003"


@pytest.mark.parametrize(
    "text",
    [
        "func.func @f(%a: tensor<4x4xf16>, %b: tensor<4xf16>) {{ %r = linalg.reduce {{ arith.addf }} "
        "ins(%a : tensor<4x4xf16>) outs(%b : tensor<4xf16>) dimensions = {} return }}",
        "func.func @f(%a: tensor<4x4xf16>, %b: tensor<4x4xf16>) {{ %r = linalg.transpose "
        "ins(%a : tensor<4x4xf16>) outs(%b : tensor<4x4xf16>) permutation = {} return }}",
    ],
)
@pytest.mark.parametrize(
    "value",
    ["", "1", "%a", "[", "[1", "[[1]]", "[-1]", "[9]", "[0, 0, 0]", '"x"', "[0, store.]", "[,]", "[0,]"],
)
def test_texts_known_to_crash_mlir(text: str, value: str) -> None:
    assert read_and_verify(text.format(value))


@pytest.mark.parametrize(
    "text",
    [
        "#s = affine_set<(a) : (" + "(" * 5000 + "a" + ")" * 5000 + " >= 0)>",
        "#m = affine_map<(a) -> ("
        + " + ".join(["a"] * 5000)
        + ")>\nmodule { ktdp.get_compute_tile_id {x = #m} : index }",
        "module { func.func @f(%a: tensor<" + "4x" * 5000 + "f16>) { return } }",
        "module { func.func @f(%a: !ktdp.access_tile<" + "4x" * 50000 + "index>) { return } }",
        "module { %a = arith.constant dense<" + "[" * 5000 + "1" + "]" * 5000 + "> : tensor<1xi32> }",
        "#a = #b\n#b = #a\nmodule { %i = ktdp.get_compute_tile_id {x = #a} : index }",
        "module attributes {a = " + "{a = " * 3000 + "1" + "}" * 3000 + "} {}",
        "func.func @f() { " + "scf.execute_region { " * 3000 + "}" * 3000 + " return }",
    ],
    ids=lambda t: t[:30],
)
def test_depth_and_size(text: str) -> None:
    read_and_verify(text)


def test_a_crash_is_a_diagnostic_where_it_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the screens MLIR dies; the child takes the blow."""
    from tilesat.ktir import reader

    monkeypatch.setattr(reader, "screen", lambda tokens: None)
    text = (
        "func.func @f(%a: tensor<4x4xf16>, %b: tensor<4xf16>) {\n  %r = linalg.reduce { arith.addf }\n"
        "    ins(%a : tensor<4x4xf16>) outs(%b : tensor<4xf16>)\n    dimensions = 1\n  return\n}"
    )
    (first,) = read_and_verify(text)
    assert first.code == "MLIR004" and first.position.line in (4, 5)


@pytest.mark.parametrize("cut", range(0, 100, 4))
def test_truncation(cut: int) -> None:
    text = KERNELS[cut % len(KERNELS)].read_text()
    read_and_verify(text[: len(text) * cut // 100])
