"""The dialect specs themselves: they fit the schema, their assemblies and rules compile, names agree."""

from __future__ import annotations

import ast
import re

import pytest
from tilesat.ktir.assembly import compile_assembly, variables
from tilesat.ktir.ir import Scalar
from tilesat.ktir.verifier.constraints import satisfies
from tilesat.ktir.verifier.library import FUNCTIONS
from tilesat.specs import load_document, package_file
from tilesat.specs.dialects import OpSpec, dialect, dialect_names, op_spec

OPS = [op for name in dialect_names() if (spec := dialect(name)) for op in spec.ops.values()]
CONTEXT = {"op", "grid", "tiles", "max_tiles", "max_loop_count", "max_span", "scratchpad"}


@pytest.mark.parametrize("name", dialect_names())
def test_fits_the_schema(name: str) -> None:
    load_document(package_file("ktir_specs", f"{name}.yaml"), schema="dialect")


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_assembly(op: OpSpec) -> None:
    known = {x.name for group in (op.operands, op.results, op.attributes, op.regions) for x in group}
    for text in op.assembly:
        unknown = variables(compile_assembly(text, op.position)) - known - {"index"}
        assert not unknown, f"{op.position}: assembly names {unknown}"


@pytest.mark.parametrize("op", [op for op in OPS if op.verify], ids=lambda op: op.name)
def test_rules_compile(op: OpSpec) -> None:
    """Every name and function a rule uses exists, in messages too: a typo must not wait for a bad kernel."""
    known = {
        x.name for group in (op.operands, op.results, op.attributes, op.regions) for x in group
    } | CONTEXT
    for rule in op.verify:
        texts = [rule["require"], rule.get("when", "True")]
        texts += re.findall(r"\{([^{}]+)\}", rule["message"] + rule.get("hint", ""))
        for text in texts:
            tree = ast.parse(str(text), mode="eval")
            calls = {
                n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
            }
            names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - calls
            assert calls <= FUNCTIONS.keys(), f"{op.name}: {calls - FUNCTIONS.keys()} in {text}"
            assert names <= known | {"True", "False", "None"}, f"{op.name}: {names - known} in {text}"


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_constraints_and_references(op: OpSpec) -> None:
    groups = {g.name for g in (*op.operands, *op.results)}
    for group in (*op.operands, *op.results):
        if group.type:
            satisfies(Scalar("f16"), group.type)
        else:
            assert group.same_type in groups
    if op.alias_of:
        assert op_spec(op.alias_of) is not None
    for region in op.regions:
        assert not region.terminator or op_spec(region.terminator) is not None
    owner = dialect(op.name.partition(".")[0])
    assert owner is not None
    for attribute in op.attributes:
        assert not attribute.enum or attribute.enum in owner.enums
    if owner.custom_syntax == "assembly" and not any(r.implicit_terminator for r in op.regions):
        assert op.assembly or "terminator" in op.traits, f"{op.name} cannot be written"


def test_codes_name_one_fault_each() -> None:
    """A code belongs to one kind of fault of one dialect."""
    owners: dict[str, set[str]] = {}
    for op in OPS:
        for rule in op.verify:
            if "code" in rule:
                owners.setdefault(rule["code"], set()).add(op.name.partition(".")[0])
    assert {code: names for code, names in owners.items() if len(names) > 1} == {}


def test_a_new_op_needs_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """An op declared in YAML alone is read, checked, printed and read back."""
    from tilesat.diagnostics import TilesatError
    from tilesat.ktir import print_module, read_text, verify
    from tilesat.ktir.reader import desugar
    from tilesat.specs import dialects, load_text

    text = """
name: swizzle
doc: Exchanges lanes.
operands: [{name: a, type: f16 | f32}, {name: others, same_type: a, variadic: true}]
results: [{name: r, same_type: a}]
attributes: [{name: mode, type: enum<reduction_kind>}, {name: by, type: int, optional: true}]
assembly: "`(` $a (`with` $others)? `)` `mode` $mode (`by` $by)? attr-dict `:` type($a)"
verify: [{require: len(others) <= 2, message: "{len(others)} others are too many", code: SPY900}]
"""
    owner = dialect("spyreop")
    assert owner is not None
    document = load_text(text)
    entry = dialects._op("spyreop", document.data, document.at())
    monkeypatch.setitem(owner.ops, entry.name, entry)
    desugar._forms.cache_clear()
    kernel = (
        "func.func @f(%x: f16) { %y = spyreop.swizzle (%x with %x, %x) mode max by 3 {tag = 1} : f16 return }"
    )
    module = read_text(kernel)
    assert verify(module) == []
    printed = print_module(module)
    assert "%y = spyreop.swizzle(%x with %x, %x) mode max by 3 {tag = 1 : i64} : f16" in printed
    assert print_module(read_text(printed)) == printed
    broken = read_text(kernel.replace("%x, %x", "%x, %x, %x"))
    assert [d.code for d in verify(broken)] == ["SPY900"]
    with pytest.raises(TilesatError, match="one of add, sub"):
        read_text(kernel.replace("mode max", "mode most"))
    desugar._forms.cache_clear()
