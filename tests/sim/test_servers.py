"""Shared memory bandwidth: totals by the published formula, whatever the order of transfers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tilesat.arch import load_arch
from tilesat.sim.servers import Flow, Server

Request = tuple[float, bool, float, float, int]  # start, write, bytes, cap, weight


def drive(server: Server, requests: list[Request]) -> dict[int, float]:
    """Serve all requests; end time per request number."""
    waiting = sorted(enumerate(requests), key=lambda pair: pair[1][0])
    numbers: dict[int, int] = {}
    ends: dict[int, float] = {}
    while waiting or server.flows:
        event = server.next_event()
        if waiting and (event is None or waiting[0][1][0] <= event):
            number, (now, write, size, cap, weight) = waiting.pop(0)
            ended = server.advance(now)
            flow = Flow(write, size, cap, weight)
            numbers[id(flow)] = number
            server.start(now, flow)
        else:
            assert event is not None
            now, ended = event, server.advance(event)
        ends |= {numbers[id(f)]: now for f in ended}
    return ends


def ddr() -> Server:
    return Server("ddr", 100.0, 100.0, 0.00861)


requests = st.tuples(
    st.sampled_from([0.0, 0.0, 3.5, 40.0]),
    st.booleans(),
    st.integers(1, 5000).map(float),
    st.sampled_from([16.0, 128.0, 256.0]),
    st.integers(1, 32),
)


@given(st.lists(requests, min_size=1, max_size=25))
def test_busy_together_takes_the_time_of_the_formula(batch: list[Request]) -> None:
    """While caps do not bind, the bus is never idle and the total is R/r + W/w + t·min(R, W)."""
    batch = [(0.0, write, size, 1e12, weight) for _, write, size, _, weight in batch]
    read = sum(size * weight for _, write, size, _, weight in batch if not write)
    written = sum(size * weight for _, write, size, _, weight in batch if write)
    end = max(drive(ddr(), batch).values())
    assert end == pytest.approx(read / 100 + written / 100 + 0.00861 * min(read, written), rel=1e-9)


@given(st.lists(requests, min_size=1, max_size=25))
def test_every_byte_is_served_and_no_flow_beats_its_cap(batch: list[Request]) -> None:
    server = ddr()
    ends = drive(server, batch)
    for number, (start, _, size, cap, _) in enumerate(batch):
        assert ends[number] >= start + size / cap - 1e-6
    assert server.done[0] == pytest.approx(sum(s * w for _, write, s, _, w in batch if not write), abs=1e-3)
    assert server.done[1] == pytest.approx(sum(s * w for _, write, s, _, w in batch if write), abs=1e-3)


def test_equal_shares_and_caps() -> None:
    """Two readers share 100 B/cycle; when one is capped at 20, the other gets 80."""
    assert drive(ddr(), [(0, False, 1000, 256, 1), (0, False, 1000, 256, 1)]) == {0: 20.0, 1: 20.0}
    ends = drive(ddr(), [(0, False, 200, 20, 1), (0, False, 800, 256, 1)])
    assert ends == {0: pytest.approx(10.0), 1: pytest.approx(10.0)}


def test_turnaround_is_charged_to_the_direction_that_catches_up() -> None:
    """1000 B are read alone in 10 cycles; then 1000 B written cost 10 + 1000 · 0.00861."""
    ends = drive(ddr(), [(0, False, 1000, 256, 1), (10, True, 1000, 256, 1)])
    assert ends[0] == pytest.approx(10.0)
    assert ends[1] == pytest.approx(10 + 10 + 8.61)


def test_arch_formula_is_the_servers() -> None:
    dram = load_arch("spyre").dram
    server = Server(
        "ddr", dram.read_bytes_per_cycle, dram.write_bytes_per_cycle, dram.turnaround_cycles_per_byte
    )
    ends = drive(server, [(0, False, 4096, 1e9, 32), (0, True, 2048, 1e9, 32)])
    assert max(ends.values()) == pytest.approx(dram.cycles(4096 * 32, 2048 * 32))
