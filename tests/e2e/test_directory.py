"""A SpyreCode directory on disk runs like the kernel it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tilesat
from kernels import KERNELS


@pytest.mark.parametrize("name", ["rows3", "exp_in_place", "axpy_f32", "baked_add"])
def test_run_from_the_directory(compiled, name: str, tmp_path: Path) -> None:
    kernel, program = KERNELS[name], compiled(name, "spyre", "default")
    program.write(tmp_path / "k.spyrecode")
    made, how = kernel.launch(seed=3)
    again = tilesat.run(tmp_path / "k.spyrecode", **how)
    kernel.check(made, again)
    assert again.cycles == tilesat.run(program, **how).cycles


def test_names_dtypes_and_sizes_survive(compiled, tmp_path: Path) -> None:
    compiled("rows3", "spyre", "default").write(tmp_path / "k.spyrecode")
    x = np.zeros((3, 64), np.float16)
    assert set(tilesat.run(tmp_path / "k.spyrecode", {"x": x, "y": x, "z": x}).names) == {"x", "y", "z"}
    for wrong in (x[:2], x.astype(np.float32)):
        with pytest.raises(tilesat.TilesatError, match="argument 1"):
            tilesat.run(tmp_path / "k.spyrecode", [x, wrong, x])


def test_the_machine_must_be_the_one_it_was_made_for(compiled, tmp_path: Path) -> None:
    compiled("rows3", "spyre", "default").write(tmp_path / "k.spyrecode")
    x = np.zeros((3, 64), np.float16)
    with pytest.raises(tilesat.TilesatError, match="machine"):
        tilesat.run(tmp_path / "k.spyrecode", [x, x, x], arch="flat")


def test_the_binary_holds_no_program_text_and_no_tensors(compiled) -> None:
    """Small whatever the size of the tensors, and without a single name of the source."""
    big = tilesat.compile(KERNELS["big_add"].path)
    code = big.spyrecode
    assert len(code.binary) < 64 * 1024
    for word in (b"module", b"func", b"arith", b"addf", b"big_add", b"loop", b"(exec"):
        assert word not in code.binary
    keys = set(json.loads(json.dumps(code.plan)))
    assert {"JobPreparationPlan", "JobExecPlan"} <= keys
