"""The architectures in archs/: valid, routable, complete, and with the published numbers."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest
import yaml
from tilesat.arch import load_arch, shipped_archs
from tilesat.arch.report import check
from tilesat.diagnostics import TilesatError
from tilesat.specs import load_document, package_file

ALL = ["deep", "flat", "half-lx", "sample-device", "spyre", "tiny"]

# (memory, memory) → the units on the way, worked out by hand from the files
ROUTES = {
    "spyre": {("ddr", "sfu"): "mnilu l1lu", ("sfu", "ddr"): "l1su mnisu", ("ddr", "pt"): "mnilu l1lu"},
    "half-lx": {("ddr", "sfu"): "mnilu l1lu", ("sfu", "ddr"): "l1su mnisu", ("lx", "ddr"): "mnisu"},
    "sample-device": {("ddr", "sfu"): "mnilu l1lu", ("sfu", "ddr"): "l1su mnisu", ("ddr", "lx"): "mnilu"},
    "flat": {("dram", "vpu"): "vpu", ("vpu", "dram"): "vpu"},
    "deep": {
        ("hbm", "simd"): "dma reader filler feeder",
        ("simd", "hbm"): "collector drainer writer dma",
        ("near", "store"): "writer",
        ("store", "buffer"): "reader filler",
    },
    "tiny": {("dram", "alu"): "mover loader", ("alu", "dram"): "storer mover"},
}


def test_these_are_shipped() -> None:
    assert shipped_archs() == ALL


@pytest.mark.parametrize("name", ALL)
def test_fits_the_schema_and_has_no_warnings(name: str) -> None:
    load_document(package_file("archs", f"{name}.yaml"), "arch")
    assert load_arch(name).name == name
    assert check(name) == []


@pytest.mark.parametrize("name", ALL)
def test_routes(name: str) -> None:
    arch = load_arch(name)
    for (src, dst), units in ROUTES[name].items():
        hops = arch.hops(src, dst)
        assert " ".join(hop.unit for hop in hops) == units
        assert hops[0].src_memory == src and hops[-1].dst_memory == dst
        assert all(a.dst_memory == b.src_memory for a, b in pairwise(hops))
        assert arch.next_hop(src, dst) == hops[0].dst_memory
    for memory in arch.memories:
        assert arch.hops(memory, memory) == []


@pytest.mark.parametrize("name", ALL)
def test_next_hops_lead_to_the_destination(name: str) -> None:
    """Following next_hop makes progress: no A → B → A."""
    arch = load_arch(name)
    for src in arch.memories:
        for dst in arch.memories:
            if not arch.reaches(src, dst):
                continue
            at, steps = src, 0
            while at != dst:
                at, steps = arch.next_hop(at, dst), steps + 1
                assert at == dst or arch.memories[at].addressable
            assert steps == len(arch.hops(src, dst)) <= len(arch.memories)


@pytest.mark.parametrize("name", ALL)
def test_every_cost_class_and_dtype_has_a_price(name: str) -> None:
    """What ktir_specs and numerics know, some unit of each machine can do."""
    from tilesat.numerics import dtypes

    classes = set()
    for path in package_file("ktir_specs", "").glob("*.yaml"):
        _collect_classes(yaml.safe_load(path.read_text(encoding="utf-8")), classes)
    assert {"elementwise", "transcendental", "none"} <= classes
    arch = load_arch(name)
    for op_class in sorted(classes - {"ring"}):  # inter-tile transfers are priced by the ring, not by a unit
        for dtype in (name for name in dtypes._TYPES if "-" not in name):  # names of KTIR types, not of modes
            assert arch.compute_for(op_class, dtype).lanes(dtype) >= 1


def _collect_classes(node: object, into: set[str]) -> None:
    if isinstance(node, dict):
        cost = node.get("cost")
        if isinstance(cost, dict) and isinstance(cost.get("class"), str):
            into.add(cost["class"])
        for value in node.values():
            _collect_classes(value, into)
    elif isinstance(node, list):
        for value in node:
            _collect_classes(value, into)


def test_spyre_has_the_published_numbers() -> None:
    arch = load_arch("spyre")
    assert arch.limits.grid_cores == 32
    assert arch.limits.loop_count == 65535
    assert arch.limits.span_bytes == 268431360
    assert arch.limits.alignment == arch.limits.stick == 128
    assert arch.instances("corelet") == 64 and arch.instances("corelet", within="core") == 2
    # round128(int((2 MiB - 64 KiB) * 0.8)): torch-spyre's scratchpad planning
    assert arch.memories["lx"].size == 1625344 and arch.memories["lx"].total == 2097152
    assert arch.home("global") == "ddr" and arch.home("ct_local") == "lx"
    assert arch.ancestors("corelet") == ("corelet", "core", "card")
    read, write = arch.hops("ddr", "lx")[0], arch.hops("lx", "ddr")[0]
    assert (read.bytes_per_cycle, write.bytes_per_cycle) == (256, 128)
    assert read.shared_by == write.shared_by == "core"
    assert read.fifo_depth is None
    fifo = arch.hops("lx", "sfu")[0]
    assert (fifo.fifo_depth, fifo.granularity, fifo.shared_by) == (16, (128, 2), "corelet")
    assert not arch.memories["sfu"].addressable and arch.memories["sfu"].size == 2048


def test_spyre_dram_reproduces_the_measured_rates() -> None:
    """150 GB/s one way and about 105 GB/s balanced (torch-spyre's cost model)."""
    arch = load_arch("spyre")
    size = 10**9
    seconds_one_way = arch.dram_cycles(size, 0) / arch.clock_hz
    assert size / seconds_one_way == pytest.approx(150e9)
    seconds_balanced = arch.dram_cycles(size, size) / arch.clock_hz
    assert 2 * size / seconds_balanced == pytest.approx(105e9, rel=0.01)


def test_charges_name_the_shared_resources() -> None:
    arch = load_arch("deep")
    [hop] = arch.hops("hbm", "store")
    assert [(c.resource, c.direction, c.group, c.bytes_per_cycle) for c in hop.charges] == [
        ("dma", "move", "core", 64.0),
        ("hbm", "read", "chip", 200.0),
        ("store", "write", "core", 96.0),
    ]
    assert hop.latency == 20 + 240  # the DMA engine's and the DRAM's 120 ns at 2 GHz
    assert hop.cycles(6400) == 40 + 100 + 260
    assert hop.charged_bytes(100, runs=3) == 3 * 128


def test_compute_prices() -> None:
    arch = load_arch("spyre")
    sfu, pt = arch.compute["sfu"], arch.compute["pt"]
    assert sfu.lanes("f16") == 64 and sfu.lanes("f32") == 32
    assert sfu.issue_cycles("elementwise", "f16", 65) == 2
    assert sfu.issue_cycles("transcendental", "f32", 64) == 2 * sfu.price("transcendental").rate
    assert sfu.latency("divide") == sfu.price("divide").latency
    assert arch.compute_for("matmul", "f16") is pt
    assert arch.compute_for("matmul", "f32") is sfu
    # 8x8 PEs x 8 lanes x 2 corelets: 1024 multiply-adds per core and cycle
    assert pt.lanes("f16") * arch.instances("corelet", within="core") == 1024


@pytest.mark.parametrize(
    ("ask", "code", "says"),
    [
        (lambda a: a.hops("ddr", "ldx"), "ARCH020", "no memory `ldx`"),
        (lambda a: a.compute["sfu"].lanes("f8"), "ARCH022", "does not compute on f8"),
        (lambda a: a.compute["pt"].issue_cycles("divide", "f16", 1), "ARCH023", "class `divide`"),
        (lambda a: a.compute_for("fourier", "f16"), "ARCH023", "class `fourier` on f16"),
        (lambda a: a.home("shared"), "ARCH024", "space `shared`"),
        (lambda a: a.instances("cluster"), "ARCH025", "no group `cluster`"),
        (lambda a: a.instances("core", within="corelet"), "ARCH025", "not inside `corelet`"),
    ],
)
def test_questions_without_an_answer(ask: object, code: str, says: str) -> None:
    with pytest.raises(TilesatError) as error:
        ask(load_arch("spyre"))  # type: ignore[operator]
    [diagnostic] = error.value.diagnostics
    assert diagnostic.code == code and says in diagnostic.message
    assert diagnostic.position.file.endswith("spyre.yaml") and diagnostic.position.line > 0
    assert diagnostic.hint


def test_single_level_machine_has_no_local_space() -> None:
    with pytest.raises(TilesatError, match="ARCH024"):
        load_arch("flat").home("ct_local")


def test_variant_differs_in_one_number_only() -> None:
    from tilesat.arch.report import diff

    assert [str(row) for row in diff(load_arch("spyre"), load_arch("half-lx"))] == [
        "core.lx.size: 2 MiB → 1 MiB"
    ]


def test_the_same_text_is_loaded_once() -> None:
    overrides = ["core.lx.size=1MiB"]
    assert load_arch("spyre", overrides) is load_arch("spyre", overrides)


def test_loading_a_shipped_file_does_not_import_jsonschema() -> None:
    code = "import sys, tilesat.arch as a; a.load_arch('half-lx'); sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
