"""Costs of hand-written schedules, worked out on paper from the architecture's own figures."""

from __future__ import annotations

import pytest
from tilesat.arch import load_arch
from tilesat.cost import Model, cost_of
from tilesat.schedule.sexpr import parse
from tilesat.schedule.text import read_program

ADD = """
(program add (grid 32)
  (args (x index) (y index) (z index))
  (axes (axis i (lo 0) (step 1) (trips 3)) (axis c (lo 0) (step 1) (trips 64)))
  (views (view X (base x) (shape 96 64) (strides 64 1) (dtype f16) (space global))
         (view Y (base y) (shape 96 64) (strides 64 1) (dtype f16) (space global))
         (view Z (base z) (shape 96 64) (strides 64 1) (dtype f16) (space global)))
  (accesses (access x0 X (at (+ i (* 3 tile0)) c)) (access y0 Y (at (+ i (* 3 tile0)) c))
            (access z1 Z (at (+ i (* 3 tile0)) c)))
  (stmts (stmt s0 (let a f16 (load x0)) (let b f16 (load y0)) (let t f16 (op arith.addf a b)) (store z1 t)))
  (body (loop i 3 (exec s0 (box (i 1) (c 64)) home))))
"""

STEP = """
(pipe 1 (ins (move x0 lx sfu) (move y0 lx sfu))
  (exec s0 (box (i 1) (c 64)) sfu)
  (outs (move z1 sfu lx)))
"""


def staged(depth: int, body: str) -> str:
    return f"(pipe {depth} (ins (move x0 ddr lx) (move y0 ddr lx)) {body} (outs (move z1 lx ddr)))"


@pytest.fixture
def model() -> Model:
    return Model(read_program(ADD), load_arch("spyre"))


def test_terms_that_no_unit_can_run_have_no_cost(model: Model) -> None:
    assert cost_of(model, parse("(exec s0 (box (i 1) (c 64)) home)")) is None
    assert cost_of(model, parse("(exec s0 (box (i 3) (c 64)) sfu)")) is None, "three rows are not one vector"
    assert cost_of(model, parse("(exec s0 (box (i 1) (c 128)) sfu)")) is None, "twice the lanes"
    skipping = "(pipe 1 (ins (move x0 ddr sfu)) (exec s0 (box (i 1) (c 64)) sfu) (outs))"
    assert cost_of(model, parse(skipping)) is None, "no unit moves from ddr to the sfu"


def test_one_vector_step(model: Model) -> None:
    cost = cost_of(model, parse(STEP))
    arch = model.arch
    add = arch.compute["sfu"].price("elementwise")
    load, store = arch.hops("lx", "sfu")[0], arch.hops("sfu", "lx")[0]
    assert cost is not None
    assert cost.busy == {
        "sfu": add.rate,
        "l1lu": 2 * 128 / load.bytes_per_cycle,
        "l1su": 128 / store.bytes_per_cycle,
    }
    fill = 2 * 128 / load.bytes_per_cycle + load.latency
    drain = 128 / store.bytes_per_cycle + store.latency
    assert cost.latency == fill + add.rate + add.latency + drain
    assert (cost.read_bytes, cost.write_bytes) == (0, 0)


def test_dram_traffic_is_that_of_all_cores(model: Model) -> None:
    cost = cost_of(model, parse(f"(loop i 3 {staged(1, STEP)})"))
    assert cost is not None
    assert (cost.read_bytes, cost.write_bytes) == (2 * 96 * 64 * 2, 96 * 64 * 2)
    assert cost.dram_cycles == pytest.approx(model.arch.dram_cycles(cost.read_bytes, cost.write_bytes))
    assert cost.cycles >= cost.dram_cycles


def test_a_deeper_pipe_overlaps_and_takes_more_memory() -> None:
    fast = [
        "card.ddr.latency=0ns",
        "card.ddr.read=100TB/s",
        "card.ddr.write=100TB/s",
        "card.ddr.turnaround=0ns/B",
    ]
    model = Model(read_program(ADD), load_arch("spyre", fast))
    one, two = (cost_of(model, parse(f"(loop i 3 {staged(d, STEP)})")) for d in (1, 2))
    assert one is not None and two is not None
    assert two.cycles < one.cycles
    assert one.live_bytes == {"lx": 3 * 128}
    assert two.live_bytes == {"lx": 6 * 128}


def test_coarsening_moves_the_same_bytes_with_fewer_startups(model: Model) -> None:
    fine = cost_of(model, parse(f"(loop i 3 {staged(1, STEP)})"))
    coarse = cost_of(model, parse(staged(1, f"(loop i 3 {STEP})")))
    assert fine is not None and coarse is not None
    assert coarse.read_bytes == fine.read_bytes
    assert coarse.busy["mnilu"] < fine.busy["mnilu"]
    assert coarse.live_bytes == {"lx": 3 * 3 * 128}


def test_corelets_share_the_scratchpad(model: Model) -> None:
    both = cost_of(model, parse(staged(1, f"(then i (par corelet 2 i {STEP}) {STEP})")))
    alone = cost_of(model, parse(staged(1, f"(loop i 3 {STEP})")))
    assert both is not None and alone is not None
    assert both.live_bytes == alone.live_bytes
    assert both.busy["sfu"] < alone.busy["sfu"]


def test_what_does_not_fit_cannot_run() -> None:
    arch = load_arch("spyre", ["core.lx.size=66KiB"])
    model = Model(read_program(ADD), arch)
    room = arch.memories["lx"].size
    assert room < 6 * 3 * 128 * 2, "the test needs a scratchpad that is too small for the coarse schedule"
    assert cost_of(model, parse(staged(4, f"(loop i 3 {STEP})"))) is None
    assert cost_of(model, parse(f"(loop i 3 {staged(1, STEP)})")) is not None


def test_run_time_trips_are_assumed() -> None:
    text = (
        ADD.replace("(trips 3)", "(trips n)")
        .replace("(z index)", "(z index) (n i32)")
        .replace("(loop i 3", "(loop i n")
    )
    model = Model(read_program(text), load_arch("spyre"), assumed_trips=10)
    assert model.trips("n") == (10.0, 10.0)
    assert model.trips(parse("(* 2 tile0)")) == (62.0, 31.0)
