"""Fuzzed kernels on every machine: legal KTIR must compile and compute what NumPy does.

`tests/support/kernel_fuzz.py` draws them, `fuzz_check.py` says what is checked. A seed that fails here is
printed with `python tests/support/kernel_fuzz.py SEED`.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fuzz_check import check, check_reference, check_text
from kernel_fuzz import FuzzedKernel, generate
from tilesat.arch import load_arch
from tilesat.diagnostics import TilesatError

# What the compiler may refuse, with a position. COST002: values that outlive their source and tiles that
# overlap what they overwrite need a place in memory that no rule finds yet; LIFT001: dense constants whose
# elements differ, loops whose trips vary with the loop around them.
UNSUPPORTED = {"COST002", "LIFT001"}

_LANES = {
    12: "f16 bf16 df16 i1 i8 i16",
    6: "f32 fp16_fused df16_fused i32 si32 ui32",
    3: "f64 fp32_fused i64 index",
}
ODD = "\n".join(
    [
        "arch: odd",
        "extends: flat",
        "set:",
        "  core.vpu.vector: {value: 24 B, assumed: lanes that are no power of two}",
        *(
            f"  core.vpu.lanes.{name}: {{value: {lanes}, assumed: odd}}"
            for lanes, names in _LANES.items()
            for name in names.split()
        ),
        "",
    ]
)

MACHINES: list[tuple[str, tuple[str, ...]]] = [
    ("spyre", ()),
    ("tiny", ()),
    ("flat", ()),
    ("sample-device", ()),
    ("deep", ()),
    ("half-lx", ()),
    ("odd", ()),
    ("spyre", ("core.lx.size=128KiB",)),
    ("tiny", ("core.pad.size=512B",)),
    ("deep", ("block.buffer.size=1KiB",)),
]
STRATEGIES = ("default", "none", "default", "fast")
QUICK, MANY = range(300, 336), range(400, 460)


def cases(seeds: range) -> list[tuple[int, str, str, tuple[str, ...]]]:
    """Every seed with a machine and a strategy; a machine that is too small gives way to the next."""
    return [
        (seed, *MACHINES[seed % len(MACHINES)], STRATEGIES[seed // 2 % len(STRATEGIES)]) for seed in seeds
    ]


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "odd.yaml").write_text(ODD)
    return folder


def drawn(folder: Path, seed: int, most_tiles: int = 32) -> tuple[FuzzedKernel, Path]:
    kernel = generate(seed, most_tiles)
    path = folder / f"fuzz{seed}_{most_tiles}.mlir"
    path.write_text(kernel.text)
    return kernel, path


def run(folder: Path, seed: int, machine: str, overrides: tuple[str, ...], strategy: str) -> None:
    arch = str(folder / "odd.yaml") if machine == "odd" else machine
    kernel, path = drawn(folder, seed, load_arch(arch, overrides).limits.grid_cores)
    assert math.prod(kernel.grid) <= load_arch(arch, overrides).limits.grid_cores
    before = time.process_time()
    result = check(kernel, path, arch, strategy, overrides)
    assert time.process_time() - before < 30, "far too long for compiling and running a small kernel twice"
    if isinstance(result, TilesatError):
        for diagnostic in result.diagnostics:
            assert diagnostic.code in UNSUPPORTED, diagnostic
            assert diagnostic.position.file == str(path) and diagnostic.position.line > 1


@pytest.mark.parametrize(("seed", "machine", "overrides", "strategy"), cases(QUICK))
def test_kernel(written: Path, seed: int, machine: str, overrides: tuple[str, ...], strategy: str) -> None:
    run(written, seed, machine, overrides, strategy)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "machine", "overrides", "strategy"), cases(MANY))
def test_more(written: Path, seed: int, machine: str, overrides: tuple[str, ...], strategy: str) -> None:
    run(written, seed, machine, overrides, strategy)


@pytest.mark.parametrize("seed", range(500, 540))
def test_reference(written: Path, seed: int) -> None:
    kernel, path = drawn(written, seed)
    check_text(path)
    check_reference(kernel, path)


def test_most_seeds_are_supported(written: Path) -> None:
    """Refusals must stay rare, or the tests above say little."""
    import tilesat

    refused = 0
    for seed in range(540, 570):
        _, path = drawn(written, seed)
        try:
            tilesat.compile(path, strategy="none")
        except TilesatError as error:
            assert {d.code for d in error.diagnostics} <= UNSUPPORTED, error
            refused += 1
    assert refused <= 5


def test_what_is_drawn_is_varied_and_repeatable() -> None:
    kernels = [generate(seed) for seed in range(150)]
    assert [k.text for k in kernels[:20]] == [generate(seed).text for seed in range(20)]
    seen = {feature for k in kernels for feature in k.features}
    wanted = (
        "tail loop cyclic i32-loop runtime-bound grid-nd decoded-id baked base-offset padded-strides "
        "permuted-strides wide-stride shifted-load shifted-store in-place read-back turned turned-store "
        "row-or-column unit-dims scalar-tile generic select cast splat fill scalar-argument"
    )
    assert not set(wanted.split()) - seen


_DIGEST = """
import hashlib, sys, tilesat
for path, arch in zip(sys.argv[1::2], sys.argv[2::2]):
    p = tilesat.compile(path, arch=arch)
    print(hashlib.sha256(p.spyrecode.binary + p.dataflow.encode() + p.schedule.encode()).hexdigest())
"""


def test_the_same_bytes_in_every_process(written: Path) -> None:
    words: list[str] = []
    for seed, arch in ((600, "spyre"), (601, "tiny"), (602, "deep"), (603, "sample-device")):
        words += [str(drawn(written, seed, load_arch(arch).limits.grid_cores)[1]), arch]
    digests = {
        subprocess.run(
            [sys.executable, "-c", _DIGEST, *words],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "4711")
    }
    assert len(digests) == 1
    assert len(digests.pop().split()) == 4
