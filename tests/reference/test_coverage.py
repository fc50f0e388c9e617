"""Every op of every KTIR spec has a kernel in examples/ that uses it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilesat.ktir import read_file
from tilesat.numerics import scalar_ops, spec_entries


@pytest.fixture(scope="module")
def used() -> set[str]:
    examples = Path(__file__).parents[2] / "examples"
    kernels = sorted(examples.glob("**/*.mlir"))
    assert kernels
    return {op.name for k in kernels for op in read_file(k).op.walk()}


@pytest.mark.parametrize("dialect", sorted({name.partition(".")[0] for name in spec_entries()}))
def test_every_op_has_a_kernel(dialect: str, used: set[str]) -> None:
    # a legacy name is read as the op it stands for
    wanted = {
        entry.get("alias_of") or name
        for name, (entry, _) in spec_entries().items()
        if name.partition(".")[0] == dialect
    }
    assert sorted(wanted - used) == []


def test_every_op_has_a_meaning() -> None:
    """No entry without semantics, except terminators of regions whose op says what happens."""
    silent = [
        n for n, (e, _) in spec_entries().items() if "semantics" not in e and "terminator" not in e["traits"]
    ]
    assert silent == []


def test_reductions_have_an_identity() -> None:
    for name, op in scalar_ops().items():
        if op.combiner is not None:
            assert op.combiner.associative and op.combiner.identity, name
