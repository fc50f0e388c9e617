"""Hand-assembled kernels used by several tests (machine: spyre)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simasm import Kernel, Unit
from tilesat.arch import Arch
from tilesat.numerics import dtype

FULL, EMPTY = 0, 1  # channels
X, Y, Z = 0x0, 0x8000, 0x10000  # buffers in lx


def vector_words(unit: Unit, peer: str, **more: int) -> dict[str, object]:
    return {"dtype": "f16", "count": 64, "peer": peer, **more}


def add(
    arch: Arch,
    vectors: int,
    cores: Sequence[int] = (0,),
    *,
    tiles: int = 1,
    depth: int = 1,
    op: str = "addf",
    trips: Sequence[int] | None = None,
) -> Kernel:
    """z = x op y: every core does `tiles` tiles of `vectors` x 64 f16 on corelet 0, with `depth` buffers.

    `trips`: how many of its tiles each core really does.
    """
    k = Kernel(arch)
    x, y, z = k.address(0), k.address(1), k.address(2)
    tile = vectors * 128
    assert depth * tile <= Y - X
    inward = k.transfer("ddr", "lx", "f16", (vectors, 128, 128), (64, 2, 2))
    outward = k.transfer("lx", "ddr", "f16", (vectors, 128, 128), (64, 2, 2))
    again: dict[str, int] = {"count": tiles} if trips is None else {"ra": 40}
    offsets = [c * tiles * tile for c in cores]
    corelets = [2 * c for c in cores]

    load = k.unit("mnilu", cores, r10=offsets)
    load.ldsym(rd=1, symbol=x).ldsym(rd=2, symbol=y)
    load.emit("int", op="add", rd=1, ra=1, rb=10).emit("int", op="add", rd=2, ra=2, rb=10)
    load.li(rd=20, imm=0)
    _peer(load, cores)
    with load.repeat(**again):
        _phase(load, depth, tile, {3: X, 4: Y})
        load.await_(peer="l1lu", peer_instance=30, channel=EMPTY)
        load.xfer(transfer=inward, ra=1, rb=3).xfer(transfer=inward, ra=2, rb=4)
        load.signal(peer="l1lu", peer_instance=30, channel=FULL, wait=1)
        load.addi(1, 1, tile).addi(2, 2, tile).addi(20, 20, 1)

    feed = k.unit("l1lu", corelets)
    for _ in range(depth):
        feed.signal(peer="mnilu", channel=EMPTY, wait=1)
    feed.li(rd=20, imm=0)
    with feed.repeat(**again):
        _phase(feed, depth, tile, {3: X, 4: Y})
        feed.await_(peer="mnilu", channel=FULL)
        with feed.repeat(vectors):
            feed.ldf(memory="lx", ra=3, **vector_words(feed, "sfu"))
            feed.ldf(memory="lx", ra=4, **vector_words(feed, "sfu"))
            feed.addi(3, 3, 128).addi(4, 4, 128)
        feed.signal(peer="mnilu", channel=EMPTY, wait=1).addi(20, 20, 1)

    compute = k.unit("sfu", corelets)
    with compute.repeat(**again), compute.repeat(vectors):
        compute.recv(vd=0, **vector_words(compute, "l1lu")).recv(vd=1, **vector_words(compute, "l1lu"))
        compute.vop(op=op, dtype="f16", source="f16", count=64, vd=2, va=0, vb=1)
        compute.send(va=2, **vector_words(compute, "l1su"))

    drain = k.unit("l1su", corelets)
    drain.li(rd=20, imm=0)
    with drain.repeat(**again):
        _phase(drain, depth, tile, {3: Z})
        drain.await_(peer="mnisu", channel=EMPTY)
        with drain.repeat(vectors):
            drain.stf(memory="lx", ra=3, **vector_words(drain, "sfu")).addi(3, 3, 128)
        drain.signal(peer="mnisu", channel=FULL, wait=1).addi(20, 20, 1)

    store = k.unit("mnisu", cores, r10=offsets)
    store.ldsym(rd=1, symbol=z).emit("int", op="add", rd=1, ra=1, rb=10).li(rd=20, imm=0)
    _peer(store, cores)
    for _ in range(depth):
        store.signal(peer="l1su", peer_instance=30, channel=EMPTY, wait=1)
    with store.repeat(**again):
        _phase(store, depth, tile, {3: Z})
        store.await_(peer="l1su", peer_instance=30, channel=FULL)
        store.xfer(transfer=outward, ra=3, rb=1)
        store.signal(peer="l1su", peer_instance=30, channel=EMPTY, wait=1)
        store.addi(1, 1, tile).addi(20, 20, 1)
    if trips is not None:
        for unit in k.programs:
            unit.initial[40] = list(trips)
    return k


def _peer(unit: Unit, cores: Sequence[int]) -> None:
    """Register 30: corelet 0 of the own core (the unit has two, so OWN is not clear)."""
    unit.initial[30] = [2 * c for c in cores]


def _phase(unit: Unit, depth: int, tile: int, bases: dict[int, int]) -> None:
    """Registers := base + (r20 mod depth) · tile."""
    unit.emit("inti", op="remu", rd=21, ra=20, imm=depth)
    unit.emit("inti", op="mul", rd=21, ra=21, imm=tile)
    for register, base in bases.items():
        unit.addi(register, 21, base)


def stream(
    arch: Arch,
    vectors: int,
    body: Callable[[Unit], None],
    *,
    inputs: Sequence[tuple[str, int]] = (("f16", 64), ("f16", 64)),
    output: tuple[str, int] = ("f16", 64),
) -> Kernel:
    """One core, corelet 0: receives one vector per input into v0, v4, v8 … , runs `body`, sends v12.

    Arguments: the inputs and the output as flat arrays of `vectors` rows.
    """
    k = Kernel(arch)
    symbols = [k.address(i) for i in range(len(inputs) + 1)]
    sizes = [dtype(kind).nbytes * count for kind, count in (*inputs, output)]
    bases = [i * 0x8000 for i in range(len(sizes))]
    load, feed, compute = k.unit("mnilu"), k.unit("l1lu"), k.unit("sfu")
    drain, store = k.unit("l1su"), k.unit("mnisu")
    for (kind, _), size, base, symbol in zip(inputs, sizes, bases, symbols, strict=False):
        element = dtype(kind).nbytes
        row = k.transfer("ddr", "lx", kind, (vectors * size // element, element, element))
        load.ldsym(rd=1, symbol=symbol).li(rd=2, imm=base).xfer(transfer=row, ra=1, rb=2)
    load.signal(peer="l1lu", peer_instance=31, channel=FULL, wait=1)
    load.initial[31] = store.initial[31] = 0
    feed.await_(peer="mnilu", channel=FULL)
    for i, base in enumerate(bases[:-1]):
        feed.li(rd=3 + i, imm=base)
    with feed.repeat(vectors):
        for i, ((kind, count), size) in enumerate(zip(inputs, sizes, strict=False)):
            feed.ldf(memory="lx", ra=3 + i, dtype=kind, count=count, peer="sfu").addi(3 + i, 3 + i, size)
    with compute.repeat(vectors):
        for i, (kind, count) in enumerate(inputs):
            compute.recv(vd=4 * i, dtype=kind, count=count, peer="l1lu")
        body(compute)
        compute.send(va=12, dtype=output[0], count=output[1], peer="l1su")
    drain.li(rd=3, imm=bases[-1])
    with drain.repeat(vectors):
        drain.stf(memory="lx", ra=3, dtype=output[0], count=output[1], peer="sfu").addi(3, 3, sizes[-1])
    drain.signal(peer="mnisu", channel=FULL, wait=1)
    element = dtype(output[0]).nbytes
    row = k.transfer("lx", "ddr", output[0], (vectors * sizes[-1] // element, element, element))
    store.await_(peer="l1su", peer_instance=31, channel=FULL)
    store.ldsym(rd=1, symbol=symbols[-1]).li(rd=2, imm=bases[-1]).xfer(transfer=row, ra=2, rb=1)
    return k
