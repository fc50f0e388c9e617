"""What hardware would not forgive: each fault is found and names unit, instruction and address."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from simasm import Kernel, Unit
from simkernels import add
from tilesat.arch import Arch, load_arch
from tilesat.diagnostics import Position, TilesatError
from tilesat.sim import prepare
from tilesat.spyrecode.debug import line_table

ARCH = load_arch("spyre")
Change = Callable[[Kernel], None]


def unit(kernel: Kernel, name: str) -> Unit:
    return next(u for u in kernel.programs if u.name == name)


def find(u: Unit, name: str, nth: int = 0) -> int:
    return [i for i, (word, _) in enumerate(u.words) if word == name][nth]


def drop(u: Unit, name: str, nth: int = 0) -> None:
    """Delete a word and shorten the loops around it."""
    at = find(u, name, nth)
    for i, (word, fields) in enumerate(u.words[:at]):
        if word in ("loop", "loopi") and i + fields["words"] >= at:
            fields["words"] -= 1
    del u.words[at]


def fault(change: Change, match: str, *, tiles: int = 3, depth: int = 1, arch: Arch = ARCH) -> str:
    kernel = add(arch, 4, [0, 1], tiles=tiles, depth=depth)
    change(kernel)
    arrays = [np.ones(4 * 64 * tiles * 2, np.float16) for _ in range(3)]
    return launched(kernel, arrays, match, arch)


def launched(kernel: Kernel, arrays: list[NDArray[np.float16]], match: str, arch: Arch = ARCH) -> str:
    """The diagnostic "CODE: message" of a launch; it must match."""
    with pytest.raises(TilesatError) as caught:
        prepare(kernel.code(), arch).launch(arrays)
    (found,) = caught.value.diagnostics
    text = f"{found.code}: {found.message}"
    assert re.search(match, text), text
    return text


@pytest.mark.parametrize("depth", [1, 2])
def test_the_unchanged_kernel_is_fine(depth: int) -> None:
    kernel = add(ARCH, 4, [0, 1], tiles=3, depth=depth)
    prepare(kernel.code(), ARCH).launch([np.ones(4 * 64 * 6, np.float16) for _ in range(3)])


def test_missing_full_signal_is_a_deadlock_with_its_circle() -> None:
    message = fault(lambda k: drop(unit(k, "mnilu"), "signal"), r"SIM013.*in a circle")
    assert "unit l1lu[0]" in message and "unit mnilu[0]" in message and "await" in message


def test_missing_initial_empty_signals() -> None:
    message = fault(lambda k: drop(unit(k, "l1lu"), "signal"), "SIM013.*in a circle", tiles=1)
    assert "waits for a signal of l1lu on channel 1" in message


def test_waiting_for_a_unit_that_has_halted() -> None:
    def change(k: Kernel) -> None:
        u = unit(k, "sfu")
        u.recv(vd=0, dtype="f16", count=64, peer="l1lu")

    message = fault(change, r"SIM013.*sfu\[0\].*an entry of l1lu")
    assert "l1lu[0] has halted" in message


def test_deadlock_that_only_bounded_fifos_have() -> None:
    """The store unit waits for a signal that the load unit sends after 40 entries: 16 + 16 fit on the way."""

    def change(k: Kernel) -> None:
        feed, drain = unit(k, "l1lu"), unit(k, "l1su")
        feed.signal(peer="l1su", channel=7, wait=1)
        drain.words.insert(0, ("await", {"peer": k.units.index("l1lu"), "channel": 7}))

    kernel = add(ARCH, 40)
    change(kernel)
    arrays = [np.ones(40 * 64, np.float16) for _ in range(3)]
    launched(kernel, arrays, r"SIM013.*in a circle.*free slot")


def test_signal_without_wait_does_not_announce_the_data() -> None:
    def change(k: Kernel) -> None:
        u = unit(k, "mnilu")
        u.words[find(u, "signal")][1]["wait"] = 0

    message = fault(change, r"SIM012: race: unit l1lu\[0\].*reads lx at 0x")
    assert "unit mnilu[0]" in message and "xfer" in message


def test_missing_empty_signal_is_a_race() -> None:
    message = fault(lambda k: drop(unit(k, "mnilu"), "await"), r"SIM012.* lx at 0x0 ")
    assert "mnilu[0]" in message and "l1lu[0]" in message


def test_too_shallow_a_promise() -> None:
    """Two initial `empty` signals for a single buffer: the second tile overwrites the first."""

    def change(k: Kernel) -> None:
        u = unit(k, "l1lu")
        u.words.insert(0, u.words[0])

    message = fault(change, "SIM012.* lx at 0x0 ")
    assert "mnilu[0]" in message and "l1lu[0]" in message


def test_overlapping_buffers() -> None:
    def change(k: Kernel) -> None:
        for name in ("l1su", "mnisu"):
            u = unit(k, name)
            for word, fields in u.words:
                if word == "inti" and fields["imm"] == 0x10000:
                    fields["imm"] = 0x100

    fault(change, r"SIM012.*writes lx at 0x1[0-9a-f][0-9a-f]")


def test_unwritten_scratchpad() -> None:
    def shifted(k: Kernel) -> None:
        u = unit(k, "l1lu")
        u.words.insert(find(u, "await") + 1, ("inti", {"op": 0, "rd": 3, "ra": 3, "imm": 256}))
        u.words[find(u, "loopi")][1]["words"] += 1

    message = fault(shifted, r"SIM011.*l1lu\[0\].*reads lx at 0x200")
    assert "ldf" in message


def test_outside_a_buffer() -> None:
    kernel = add(ARCH, 4, [0, 1], tiles=2)
    x, y, z = (np.ones(4 * 64 * 4, np.float16) for _ in range(3))
    message = launched(kernel, [x, y[:-64], z], r"SIM010.*mnilu\[1\].*xfer.*outside what is allocated")
    assert hex((1 << 34) + 3 * 512) in message


def test_outside_the_scratchpad() -> None:
    def change(k: Kernel) -> None:
        u = unit(k, "l1su")
        u.words[find(u, "inti", 2)][1]["imm"] = ARCH.memories["lx"].total - 128

    fault(change, r"SIM010.*l1su\[0\].*of lx are outside its \[0, 0x200000\)")


def test_misaligned() -> None:
    def change(k: Kernel) -> None:
        u = unit(k, "l1lu")
        u.words[find(u, "inti", 2)][1]["imm"] = 1

    fault(change, r"SIM017.*l1lu\[0\].*0x1 of lx is not a multiple of 2")


def test_left_over_entries() -> None:
    def change(k: Kernel) -> None:
        unit(k, "l1lu").li(rd=9, imm=0).ldf(memory="lx", ra=9, dtype="f16", count=64, peer="sfu")

    fault(change, r"SIM015: 1 entries are left in the FIFO from l1lu\[0\] to sfu\[0\]")


def test_loop_longer_than_the_hardware_counts() -> None:
    fault(
        lambda k: None,
        r"SIM032.*4 trips, the hardware counts to 3",
        arch=load_arch("spyre", ["limits.loop_count=3"]),
    )


def test_division_by_zero() -> None:
    fault(
        lambda k: unit(k, "mnilu").emit("inti", op="divs", rd=1, ra=1, imm=0),
        "SIM033.*mnilu.*division by zero",
    )


@pytest.mark.parametrize("instance", [64, -1])
def test_no_such_instance(instance: int) -> None:
    def change(k: Kernel) -> None:
        unit(k, "mnilu").initial[30] = instance

    fault(change, f"SIM034.*mnilu.*l1lu has no instance {instance}")


def test_own_that_is_not_clear() -> None:
    def change(k: Kernel) -> None:
        u = unit(k, "mnilu")
        u.words[find(u, "await")][1]["peer_instance"] = 0

    fault(change, "SIM034.*mnilu.*which l1lu is not clear")


def test_move_that_the_unit_cannot_make() -> None:
    def change(k: Kernel) -> None:
        u = unit(k, "mnilu")
        u.words[find(u, "xfer")][1]["transfer"] = 1

    fault(change, "SIM035.*mnilu.*does not move data from lx to ddr|SIM010|SIM011")


def test_program_that_leaves_its_loop() -> None:
    def change(k: Kernel) -> None:
        u = unit(k, "sfu")
        u.words[find(u, "loopi", 1)][1]["words"] += 5

    fault(change, "SIM030.*sfu.*leaves the surrounding loop")


def test_two_cores_write_the_same_bytes() -> None:
    def change(k: Kernel) -> None:
        unit(k, "mnisu").initial[10] = [0, 512]

    message = fault(change, r"SIM012: race.*mnisu\[\d\].*writes ddr at 0x")
    assert "mnisu[0]" in message and "mnisu[1]" in message


def test_one_core_reads_what_another_writes() -> None:
    kernel = add(ARCH, 4, [0, 1], tiles=2)
    kernel.symbols[2] = type(kernel.symbols[2])(2, 0, "address")  # in place …
    unit(kernel, "mnisu").initial[10] = [1024, 2048]  # … one core further
    arrays = [np.ones(4 * 64 * 6, np.float16) for _ in range(3)]
    launched(kernel, arrays, r"SIM012: race.*mnisu\[0\].*mnilu\[1\]")


def in_place(shift: int) -> Kernel:
    kernel = add(ARCH, 4, [0, 1], tiles=4, depth=2)
    kernel.symbols[2] = type(kernel.symbols[2])(2, 0, "address")
    unit(kernel, "mnisu").initial[10] = [shift, 4 * 512 + shift]
    return kernel


def test_in_place_is_ordered_by_the_data() -> None:
    x, y, z = (np.arange(4 * 64 * 8).astype(np.float16) for _ in range(3))
    result = prepare(in_place(0).code(), ARCH).launch([x, y, z])
    assert (result.outputs[0] == x + y).all()


def test_shifted_in_place_is_a_race_inside_the_core() -> None:
    """Tile t is stored where tile t + 1 is loaded from, with nothing between the two units."""
    kernel = in_place(512)
    for u in kernel.programs:
        u.instances, u.initial = (
            u.instances[:1],
            {r: v if isinstance(v, int) else v[:1] for r, v in u.initial.items()},
        )
    arrays = [np.ones(4 * 64 * 8, np.float16) for _ in range(3)]
    launched(kernel, arrays, r"SIM012: race: unit mni[ls]u\[0\].*no signal orders the two")


def test_faults_point_at_the_source_of_the_word() -> None:
    kernel = add(ARCH, 4)
    drop(unit(kernel, "mnilu"), "signal")
    code = kernel.code()
    words = sum(len(u.words) + 1 for u in kernel.programs)
    lines = [Position("k.mlir", 10 + i, 3) for i in range(words)]
    arrays = [np.ones(256, np.float16) for _ in range(3)]
    with pytest.raises(TilesatError) as caught:
        prepare(replace(code, debug=line_table(lines)), ARCH).launch(arrays)
    (found,) = caught.value.diagnostics
    mnilu = unit(kernel, "mnilu")
    feed = len(mnilu.words) + 1 + find(unit(kernel, "l1lu"), "await")
    assert found.position == lines[feed], found.message
    assert found.message.endswith("mnilu[0] has halted")


def test_cores_that_do_the_same_may_store_the_same() -> None:
    """Both cores load tile 0 and store it; but not in place, where one would load what the other stored."""
    kernel = add(ARCH, 4, [0, 1], tiles=1)
    for u in kernel.programs:
        u.initial = {
            r: v if isinstance(v, int) or u.name not in ("mnilu", "mnisu") or r != 10 else [v[0]] * 2
            for r, v in u.initial.items()
        }
    x, y, z = (np.arange(4 * 64 * 2).astype(np.float16) for _ in range(3))
    result = prepare(kernel.code(), ARCH).launch([x, y, z])
    assert (result.outputs[2][: 4 * 64] == (x + y)[: 4 * 64]).all()
    kernel.symbols[2] = type(kernel.symbols[2])(2, 0, "address")
    launched(kernel, [x, y, z], "SIM012: race")
