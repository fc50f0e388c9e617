"""What a person reads when a YAML file does not fit its schema: causes only, one per place, in words."""

from __future__ import annotations

import pytest
from tilesat.diagnostics import Diagnostic, TilesatError
from tilesat.specs import load_text, package_file

TINY = package_file("archs", "tiny.yaml").read_text(encoding="utf-8")
SPAN = "{value: 1 MiB, assumed: 20-bit addresses}"
LANES = TINY[TINY.index("        lanes:\n") : TINY.index("        vector:")]
TEST = "book: b\ndoc: words and words\nrules:\n- name: r\n  doc: words and words\n  kind: exact\n"
TEST += "  match: x\n  rewrite: y\n  tests:\n  - {given: g, %s}\n"


def faults(text: str, schema: str = "arch") -> list[Diagnostic]:
    with pytest.raises(TilesatError) as error:
        load_text(text, "f.yaml", schema)
    return list(error.value.diagnostics)


def replaced(old: str, new: str) -> str:
    assert TINY.count(old) == 1
    return TINY.replace(old, new)


def test_a_bad_origin_does_not_make_its_key_unexpected() -> None:
    [found] = faults(replaced(SPAN, "{value: 1 MiB, assumed: x}"))
    assert found.message == "limits/span/assumed: `x` is too short: at least 3 characters"
    assert (found.position.line, found.position.column) == (13, 33)


def test_a_number_without_origin_is_told_what_to_write() -> None:
    [found] = faults(replaced(SPAN, "{value: 1 MiB}"))
    assert found.message == "limits/span: `assumed` is missing" and "`source: …`" in found.hint


def test_a_bare_number_is_told_what_to_write() -> None:
    [found] = faults(replaced(SPAN, "1 MiB"))
    assert found.message == "limits/span: `1 MiB` is not a mapping"
    assert found.hint.startswith("write {value: 4 KiB, assumed: why}")


def test_quantities_inside_a_table_give_one_fault_per_place() -> None:
    lanes = "        lanes: {f16: {value: 8, assumed: abc}, f32: {value: 4, assumed: abc}}\n"
    found = faults(replaced(LANES, lanes))
    assert [d.message.partition(": ")[0].rpartition("/")[2] for d in found] == ["f16", "f32", "lanes"]
    assert len({d.position for d in found}) == 3
    assert "write {value: {f16: 8, f32: 4}" in found[0].hint
    assert "`value` is missing" in found[2].message


def test_an_unknown_key_is_named_with_the_closest() -> None:
    found = faults(replaced("loop_count:", "loop_counts:").replace("stick:", "stik:"))
    assert [d.message for d in found] == [
        "limits/loop_counts: there is no `loop_counts` here",
        "limits/stik: there is no `stik` here",
    ]
    assert [d.hint.split("?")[0] for d in found] == ["did you mean `loop_count`", "did you mean `stick`"]


def test_all_that_is_missing_is_one_fault() -> None:
    [found] = faults("arch: x")
    assert found.message == (
        "top level: `clock`, `spaces`, `grid`, `limits`, `sync` and `groups` are missing"
    )


def test_deepest_first() -> None:
    found = faults(replaced("grid: core\n", "").replace(SPAN, "{value: 1 MiB, assumed: x}"))
    assert [d.message.partition(":")[0] for d in found] == ["limits/span/assumed", "top level"]


def test_long_values_are_cut_and_shown_as_yaml() -> None:
    items = "{" + ", ".join(f"k{i}: null" for i in range(100)) + "}"
    [found] = faults(replaced(SPAN, f"{{value: {items}, assumed: too much}}"))
    assert '`{"k0": null, "k1": null' in found.message and "…` is not text or a number" in found.message
    assert len(found.message) < 200 and "None" not in found.message


@pytest.mark.parametrize(
    ("test", "says"),
    [
        ("fires: a", "rules/0/tests/0: `gives` is missing"),
        ("holds: a", "rules/0/tests/0: `because` is missing"),
        ("doc: a", "rules/0/tests/0/doc: there is no `doc`"),
        ("fires: a, gives: b, holds: c, because: words", "not both"),
    ],
)
def test_alternatives_name_the_nearest(test: str, says: str) -> None:
    found = faults(TEST % test, "rulebook")
    assert any(says in d.message for d in found), [d.message for d in found]
