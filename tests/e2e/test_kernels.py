"""KTIR in, SpyreCode out, executed by the simulator: every example × architecture × strategy.

Expected values are NumPy's (tests/support/kernels.py); the reference interpreter must agree as well.
"""

from __future__ import annotations

import numpy as np
import pytest
import tilesat
from kernels import KERNELS
from tilesat.dataflow import verify
from tilesat.diagnostics import render
from tilesat.explain import check_replay, explain
from tilesat.ktir import read_text
from tilesat.rewrite import parse_steps, show_steps
from tilesat.rewrite.apply import canonical

ARCHS = ("spyre", "sample-device")
STRATEGIES = ("default", "none")
FAST = [name for name, kernel in KERNELS.items() if not kernel.slow]
CASES = [(name, arch, strategy) for name in FAST for arch in ARCHS for strategy in STRATEGIES]

each = pytest.mark.parametrize(("name", "arch", "strategy"), CASES, ids=lambda value: value)


@each
def test_results(compiled, name: str, arch: str, strategy: str) -> None:
    kernel, program = KERNELS[name], compiled(name, arch, strategy)
    made, how = kernel.launch(seed=11)
    before = [np.copy(x) for x in made]
    result = tilesat.run(program, **how)
    kernel.check(made, result)
    for was, now in zip(before, made, strict=True):
        np.testing.assert_array_equal(was, now, err_msg="what the caller passed was changed")
    oracle = tilesat.reference(kernel.path, **how)
    kernel.check(made, oracle)
    assert result.bound_cycles <= result.cycles, "faster than any schedule can be"


@each
def test_launched_again_with_other_buffers(compiled, name: str, arch: str, strategy: str) -> None:
    kernel, program = KERNELS[name], compiled(name, arch, strategy)
    binary = program.spyrecode.binary
    cycles = set()
    for seed in (1, 2):
        made, how = kernel.launch(seed)
        result = tilesat.run(program, **how)
        kernel.check(made, result)
        cycles.add(result.cycles)
    assert program.spyrecode.binary is binary
    assert len(cycles) == 1, "cycles depend on the data"


@each
def test_dataflow_text_assembles_to_the_same_binary(
    compiled, name: str, arch: str, strategy: str, tmp_path
) -> None:
    program = compiled(name, arch, strategy)
    path = tmp_path / f"{program.name}.mlir"
    path.write_text(program.dataflow)
    again = tilesat.compile(path, arch=arch)
    assert again.module is None
    assert again.dataflow == program.dataflow
    assert again.spyrecode.binary == program.spyrecode.binary


@each
def test_dataflow_is_well_formed(compiled, name: str, arch: str, strategy: str) -> None:
    found = verify(read_text(compiled(name, arch, strategy).dataflow, f"{name}.mlir"))
    assert not found, "\n".join(render(d) for d in found)


@each
def test_explained_steps_lead_to_the_chosen_schedule(compiled, name: str, arch: str, strategy: str) -> None:
    program = compiled(name, arch, strategy)
    steps = parse_steps(show_steps(program.steps))
    assert check_replay(program, steps, "steps") == canonical(program.program.body, tuple(program.plain.axes))
    told = explain(program)
    assert told.stages and told.stages[-1].cost is not None
    assert told.stages[-1].cost.cycles == pytest.approx(program.cost.cycles)


@pytest.mark.parametrize("name", FAST)
def test_compilation_is_deterministic(compiled, name: str) -> None:
    first, second = compiled(name, "spyre", "default"), tilesat.compile(KERNELS[name].path)
    assert second.schedule == first.schedule
    assert second.spyrecode.binary == first.spyrecode.binary


@pytest.mark.parametrize("name", FAST)
def test_the_best_schedule_is_no_slower_than_the_plain_one(compiled, name: str) -> None:
    _, how = KERNELS[name].launch(seed=5)
    best, plain = (tilesat.run(compiled(name, "spyre", s), **how).cycles for s in STRATEGIES)
    assert best <= 1.02 * plain


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("name", FAST)
def test_the_cost_model_is_near_the_simulator(compiled, name: str, arch: str) -> None:
    program = compiled(name, arch, "default")
    _, how = KERNELS[name].launch(seed=6)
    assert program.cost.cycles == pytest.approx(tilesat.run(program, **how).cycles, rel=0.25)


def test_the_ktir_printed_is_the_ktir_compiled(compiled) -> None:
    program = compiled("chain", "spyre", "default")
    text = program.stage_text("ktir")
    again = tilesat.compile(read_text(text, "chain.mlir"))
    assert again.spyrecode.binary == program.spyrecode.binary
