"""Scratchpads with ports of their own (machine: deep): reading and writing do not share time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from simasm import Kernel
from tilesat.arch import load_arch
from tilesat.sim import LaunchResult, prepare

ARCH = load_arch("deep")
DMA, READER, WRITER = (ARCH.units[n] for n in ("dma", "reader", "writer"))
STORE = ARCH.memories["store"]
SIZE = 64 * 1024


def copies(dma: bool, reader: bool) -> LaunchResult:
    """The DMA engine fills one half of `store` while the reader copies the other half to `near`."""
    k = Kernel(ARCH)
    x = k.address(0)
    half = SIZE // 2
    row = (half, 2, 2)
    fill = k.unit("dma")
    fill.ldsym(rd=1, symbol=x).li(rd=2, imm=0).li(rd=3, imm=SIZE)
    fill.xfer(transfer=("hbm", "store", "f16", row), ra=1, rb=2)
    if reader:
        fill.signal(peer="reader", wait=1)
        read = k.unit("reader")
        read.await_(peer="dma").li(rd=1, imm=0).xfer(transfer=("store", "near", "f16", row), ra=1, rb=1)
    if dma:
        fill.xfer(transfer=("hbm", "store", "f16", row), ra=1, rb=3)
    return prepare(k.code(), ARCH).launch([np.ones(half, np.float16)])


def test_reads_and_writes_of_a_scratchpad_overlap() -> None:
    alone, both = copies(False, True), copies(True, True)
    hbm = SIZE / ARCH.dram.read_bytes_per_cycle
    rate = min(DMA.bytes_per_cycle, ARCH.dram.read_bytes_per_cycle)
    first = DMA.move_startup + SIZE / rate + DMA.move_latency + ARCH.memories["hbm"].latency
    read = READER.move_startup + SIZE / READER.bytes_per_cycle + READER.move_latency + STORE.latency
    assert READER.bytes_per_cycle < STORE.read_bytes_per_cycle
    assert alone.cycles == math.ceil(first + ARCH.sync_cycles + read)
    again = DMA.move_startup + SIZE / rate + DMA.move_latency + ARCH.memories["hbm"].latency
    assert both.cycles == math.ceil(first + max(ARCH.sync_cycles + read, again))
    assert set(both.profile.memories) == {"hbm", "store read", "store write"}
    assert both.profile.memories["hbm"] * both.cycles >= 2 * hbm


def test_two_readers_share_a_read_port() -> None:
    """Reader (store → near) and DMA engine (store → hbm): 96 B/cycle for 64 + 64."""
    k = Kernel(ARCH)
    x, z = k.address(0), k.address(1)
    row = (SIZE // 2, 2, 2)
    dma, reader = k.unit("dma"), k.unit("reader")
    dma.ldsym(rd=1, symbol=x).ldsym(rd=3, symbol=z)
    dma.xfer(transfer=("hbm", "store", "f16", row), ra=1, rb=0)
    dma.signal(peer="reader", wait=1).xfer(transfer=("store", "hbm", "f16", row), ra=0, rb=3)
    reader.await_(peer="dma").xfer(transfer=("store", "near", "f16", row), ra=0, rb=0)
    x_values = np.arange(SIZE // 2).astype(np.float16)
    result = prepare(k.code(), ARCH).launch([x_values, np.zeros_like(x_values)])
    assert (result.outputs[1] == x_values).all()
    served = result.profile.memories["store read"] * result.cycles
    assert served == pytest.approx(2 * SIZE / STORE.read_bytes_per_cycle, rel=0.02)
    stalls = result.profile.units["reader"].stalls["memory"]
    assert stalls > 0.2 * SIZE / READER.bytes_per_cycle
