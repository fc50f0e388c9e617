"""Whole launches of hand-assembled programs: results, preparing once, arguments, plans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from simasm import Kernel
from simkernels import add, stream
from tilesat.arch import bound_cycles, load_arch
from tilesat.diagnostics import TilesatError
from tilesat.options import Options
from tilesat.sim import prepare
from tilesat.spyrecode.directory import write

ARCH = load_arch("spyre")
F16 = NDArray[np.float16]


def halves(count: int, seed: int = 0) -> tuple[F16, F16, F16]:
    random = np.random.default_rng(seed)
    x, y = (random.standard_normal(count).astype(np.float16) for _ in range(2))
    return x, y, np.zeros(count, np.float16)


@pytest.mark.parametrize(
    ("vectors", "cores", "tiles", "depth"),
    [(1, [0], 1, 1), (4, [5], 3, 1), (16, [0, 1, 31], 4, 2), (8, list(range(32)), 2, 2)],
)
@pytest.mark.parametrize("op", ["addf", "subf"])
def test_results_are_numpys(vectors: int, cores: list[int], tiles: int, depth: int, op: str) -> None:
    count = vectors * 64 * tiles * (max(cores) + 1)
    x, y, z = halves(count)
    kernel = add(ARCH, vectors, cores, tiles=tiles, depth=depth, op=op)
    result = prepare(kernel.code(), ARCH).launch([x, y, z])
    expected = np.zeros(count, np.float16)
    for core in cores:
        part = slice(core * tiles * vectors * 64, (core + 1) * tiles * vectors * 64)
        expected[part] = x[part] + y[part] if op == "addf" else x[part] - y[part]
    assert (result.outputs[2] == expected).all()
    assert (result.outputs[0] == x).all() and not z.any()
    moved = len(cores) * tiles * vectors * 128
    assert (result.work.read_bytes, result.work.write_bytes) == (2 * moved, moved)
    assert [dict(c) for c in result.work.cores] == [{("elementwise", "f16"): tiles * vectors * 64}] * len(
        cores
    )
    assert result.profile.links == {
        "ddr→lx": 2 * moved, "lx→sfu": 2 * moved, "sfu→lx": moved, "lx→ddr": moved
    }  # fmt: skip
    assert result.cycles >= bound_cycles(ARCH, result.work)
    json.dumps(result.profile.to_json())


def test_prepared_once_launched_with_other_buffers() -> None:
    prepared = prepare(add(ARCH, 4, tiles=2).code(), ARCH)
    cycles = set()
    for seed in range(3):
        x, y, z = halves(4 * 64 * 2 + 64 * seed, seed)
        result = prepared.launch([x, y, z])
        assert (result.outputs[2][:512] == (x + y)[:512]).all()
        cycles.add(result.cycles)
    assert len(cycles) == 1 and len(prepared._images) == 1


def test_order_of_launches_does_not_matter_and_results_are_reproducible() -> None:
    prepared = prepare(add(ARCH, 4, range(4), tiles=3, depth=2).code(), ARCH)
    a, b = halves(4 * 64 * 12, 1), halves(4 * 64 * 12, 2)
    first, _, again = prepared.launch(a), prepared.launch(b), prepared.launch(a)
    assert (first.outputs[2] == again.outputs[2]).all() and first.cycles == again.cycles
    assert first.profile.to_json() == again.profile.to_json()


def test_from_a_directory(tmp_path: Path) -> None:
    write(add(ARCH, 4).code(), tmp_path / "k")
    x, y, z = halves(256)
    assert (prepare(tmp_path / "k", ARCH).launch([x, y, z]).outputs[2] == x + y).all()


def test_keys_of_the_specification(tmp_path: Path) -> None:
    """`file_path`, `direction` 0 and `oshape` instead of the loader's `init_bin_file`, `dirn`, `size`."""
    write(add(ARCH, 4).code(), tmp_path / "k")
    file = tmp_path / "k" / "spyrecode.json"
    plan = json.loads(file.read_text())
    for step in plan["JobPreparationPlan"] + plan["JobExecPlan"]:
        p = step["properties"]
        if step["command"] == "InitTransfer":
            p["file_path"] = p.pop("init_bin_file")
        elif step["command"] == "DataTransfer":
            del p["dirn"]
            p["direction"] = "0"
        elif step["command"] == "ComputeOnHost":
            p["oshape"] = [p.pop("size")]
    file.write_text(json.dumps(plan))
    x, y, z = halves(256)
    assert (prepare(tmp_path / "k", ARCH).launch([x, y, z]).outputs[2] == x + y).all()


def baked(addresses: list[int]) -> Kernel:
    kernel = add(ARCH, 4)
    kernel.symbols.clear()
    for unit in kernel.programs:
        for i, (name, fields) in enumerate(unit.words):
            if name == "ldsym":
                low = addresses[fields["symbol"]]
                unit.words[i] = ("li", {"rd": fields["rd"], "imm": low & 0x7FFFFFFF})
                unit.words.insert(i + 1, ("lih", {"rd": fields["rd"], "imm": low >> 32}))
    return kernel


def test_buffers_at_constant_addresses() -> None:
    places = [1 << 34, 2 << 34, (5 << 34) + 1024]
    x, y, z = halves(256)
    code = baked(places).code()
    assert [s["command"] for s in code.plan["JobExecPlan"]] == ["ComputeOnDevice"]
    result = prepare(code, ARCH).launch(memory=dict(zip(places, (x, y, z), strict=True)))
    assert (result.memory[places[2]] == x + y).all() and result.outputs == []


def test_scalar_arguments() -> None:
    """A float scalar reaches the vector unit as a bit pattern, an integer one counts a loop."""
    kernel = stream(ARCH, 4, lambda u: u.vset(dtype="f16", count=64, vd=12, ra=9), inputs=[("f16", 64)])
    compute = next(u for u in kernel.programs if u.name == "sfu")
    compute.words.insert(0, ("ldsym", {"rd": 9, "symbol": kernel.scalar(2, "f16")}))
    x, out = np.zeros(256, np.float16), np.zeros(256, np.float16)
    result = prepare(kernel.code(), ARCH).launch([x, out, 1.7])
    assert (result.outputs[1] == np.float16(1.7)).all() and result.outputs[2] is None


@pytest.mark.parametrize(
    ("arguments", "what"),
    [([np.zeros(256, np.float16)] * 2, "uses argument 2"), ([], "uses argument 0")],
)
def test_missing_arguments(arguments: list[Any], what: str) -> None:
    with pytest.raises(TilesatError, match=f"SIM020.*{what}"):
        prepare(add(ARCH, 4).code(), ARCH).launch(arguments)


def test_program_of_another_machine() -> None:
    with pytest.raises(TilesatError, match="SIM031"):
        prepare(add(ARCH, 4).code(), load_arch("deep")).launch(halves(256))


def test_a_variant_in_sizes_runs_the_same_binary() -> None:
    x, y, z = halves(256)
    small = load_arch("spyre", ["core.lx.size=1MiB"])
    assert (prepare(add(ARCH, 4).code(), small).launch([x, y, z]).outputs[2] == x + y).all()


def test_same_array_twice_is_two_buffers_unless_they_may_alias() -> None:
    x, y, _ = halves(256)
    code = add(ARCH, 4).code()
    apart = prepare(code, ARCH).launch([x, y, x])
    assert (apart.outputs[2] == x + y).all() and (apart.outputs[0] == x).all()
    shared = prepare(code, ARCH, options=Options(may_alias=True)).launch([x, y, x])
    assert (shared.outputs[2] == x + y).all() and (shared.outputs[0] == x + y).all()


def test_df16_buffers_hold_patterns_and_compute_in_that_format() -> None:
    from tilesat.numerics import dtype, resolve

    kind = resolve(dtype("f16"), "df16")
    x, y, z = (kind.to_storage(kind.round(a.astype(np.float32))) for a in halves(256))
    result = prepare(add(ARCH, 4).code(), ARCH, options=Options(numerics="df16")).launch([x, y, z])
    expected = kind.round(kind.from_storage(x) + kind.from_storage(y))
    assert (kind.from_storage(result.outputs[2]) == expected).all()
