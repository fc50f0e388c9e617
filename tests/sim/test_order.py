"""Kernels that stay in the scratchpad: FIFO entries order the loads before the stores they feed, and no more.

Every kernel copies x to lx, runs lx[store + k] = 2 · lx[load + k] for k = 0, 1, … with nothing but FIFOs
between the load and the store unit, and copies lx back.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from simasm import Kernel
from simkernels import vector_words
from tilesat.arch import load_arch
from tilesat.diagnostics import TilesatError
from tilesat.sim import prepare

# With one core lx is a memory of the card, which is checked elsewhere (traffic.py).
ARCHS = {cores: load_arch("spyre", (f"core.count={cores}",)) for cores in (1, 32)}
VECTORS, LANES = 12, 64


@dataclass(frozen=True)
class Case:
    """Element offsets of load and store; `ahead`: entries the compute unit has popped (negative: made up)
    before its first result; `cut`: iterations of the load unit's first loop."""

    load: int
    store: int
    ahead: int = 0
    cut: int = 0


def resident(case: Case, cores: int) -> Kernel:
    k = Kernel(ARCHS[cores])
    x, size, n = k.address(0), 2 * LANES, VECTORS
    inward = k.transfer("ddr", "lx", "f16", ((n + 4) * LANES, 2, 2))
    outward = k.transfer("lx", "ddr", "f16", ((n + 4) * LANES, 2, 2))
    fetch, feed, compute = k.unit("mnilu"), k.unit("l1lu"), k.unit("sfu")
    drain, give = k.unit("l1su"), k.unit("mnisu")
    fetch.initial[31] = give.initial[31] = 0
    fetch.ldsym(rd=1, symbol=x).li(rd=2, imm=0).xfer(transfer=inward, ra=1, rb=2)
    for peer in ("l1lu", "l1su"):
        fetch.signal(peer=peer, peer_instance=31, channel=0, wait=1)
    feed.await_(peer="mnilu", channel=0).li(rd=3, imm=2 * case.load)
    for trips in (case.cut, n + max(case.ahead, 0) - case.cut):
        if trips:
            with feed.repeat(trips):
                feed.ldf(memory="lx", ra=3, **vector_words(feed, "sfu")).addi(3, 3, size)
    feed.signal(peer="mnisu", channel=2, wait=1)
    kinds = {"dtype": "f16", "count": 64}
    for _ in range(-case.ahead):
        compute.vconst(vd=4, constant=k.constant("f16", np.zeros(LANES)))
        compute.send(va=4, **vector_words(compute, "l1su"))
    for _ in range(case.ahead):
        compute.recv(vd=0, **vector_words(compute, "l1lu"))
    with compute.repeat(n):
        held = 0
        if case.ahead > 0:
            compute.vmov(vd=1, va=0, **kinds)
            held = 1
        compute.recv(vd=0, **vector_words(compute, "l1lu"))
        compute.vop(op="addf", source="f16", vd=2, va=held, vb=held, **kinds)
        compute.send(va=2, **vector_words(compute, "l1su"))
    drain.await_(peer="mnilu", channel=0).li(rd=3, imm=2 * case.store)
    with drain.repeat(n + max(-case.ahead, 0)):
        drain.stf(memory="lx", ra=3, **vector_words(drain, "sfu")).addi(3, 3, size)
    drain.signal(peer="mnisu", channel=1, wait=1)
    give.await_(peer="l1su", peer_instance=31, channel=1).await_(peer="l1lu", peer_instance=31, channel=2)
    give.ldsym(rd=1, symbol=x).li(rd=2, imm=0).xfer(transfer=outward, ra=2, rb=1)
    return k


def launched(case: Case, cores: int) -> NDArray[np.float16]:
    x = (np.arange((VECTORS + 4) * LANES) % 101).astype(np.float16)
    result = prepare(resident(case, cores).code(), ARCHS[cores]).launch([x])
    assert result.outputs[0] is not None
    return result.outputs[0]


@pytest.mark.parametrize("cores", ARCHS)
@pytest.mark.parametrize(
    "case",
    [
        Case(0, 0),
        Case(LANES, 0),
        Case(3 * LANES, 0),
        Case(1, 0),  # a vector of the load lies across two of the store's
        Case(LANES, LANES, cut=5),  # two loops on one side, one on the other
        Case(0, LANES, ahead=1),  # every store is one load behind the load of its own place
        Case(1, LANES, ahead=1, cut=3),
    ],
    ids=str,
)
def test_a_store_is_after_the_loads_that_feed_it(case: Case, cores: int) -> None:
    x = (np.arange((VECTORS + 4) * LANES) % 101).astype(np.float16)
    expected, many = x.copy(), VECTORS * LANES
    expected[case.store : case.store + many] = 2 * x[case.load : case.load + many]
    assert np.array_equal(launched(case, cores), expected)


@pytest.mark.parametrize("cores", ARCHS)
@pytest.mark.parametrize(
    "case",
    [
        Case(0, LANES),  # iteration k + 1 loads what iteration k stores
        Case(0, 1),
        Case(0, 4),
        Case(0, 2 * LANES, ahead=1),  # one load ahead is not two
        Case(0, LANES + 1, ahead=1, cut=3),
        Case(0, 0, ahead=-1),  # the store is a load ahead
        Case(0, 2 * LANES, cut=4),
    ],
    ids=str,
)
def test_a_load_that_runs_ahead_is_a_race(case: Case, cores: int) -> None:
    with pytest.raises(TilesatError, match=r"l1(su|lu)\[0\].* lx at 0x.*no signal orders the two") as caught:
        launched(case, cores)
    assert caught.value.diagnostics[0].code == "SIM012"


@pytest.mark.parametrize("cores", ARCHS)
def test_fifos_of_one_corelet_do_not_order_the_other(cores: int) -> None:
    kernel = resident(Case(0, 0), cores)
    other = {"l1lu": 1, "l1su": 1, "sfu": 1}
    more = resident(Case(0, 0), cores)
    for unit in more.programs:
        if unit.name in other:
            unit.kernel, unit.instances = kernel, [1]
            unit.words = [w for w in unit.words if w[0] != "signal"]
            kernel.programs.append(unit)
    fetch = next(u for u in kernel.programs if u.name == "mnilu")
    for peer in ("l1lu", "l1su"):
        fetch.initial[32] = 1
        fetch.signal(peer=peer, peer_instance=32, channel=0, wait=1)
    x = np.ones((VECTORS + 4) * LANES, np.float16)
    with pytest.raises(TilesatError, match="no signal orders the two"):
        prepare(kernel.code(), ARCHS[cores]).launch([x])
