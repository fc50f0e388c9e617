"""Vector code, transfers, FIFOs: listings of hand-written programs, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from dfir import Writer, amap, aset, vector
from tilesat.arch import Arch, load_arch
from tilesat.diagnostics import TilesatError
from tilesat.ktir import ir
from tilesat.spyrecode import assemble, decode_all, disassemble, isa, unpack

I16 = ir.Scalar("i32")


def spyre() -> Arch:
    return load_arch("spyre")


def compute(body: Callable[[Writer, ir.Value, ir.Value], Any], arch: Arch | None = None) -> Any:
    """Core 0's SFU running `body(writer, load unit, store unit)`."""
    w = Writer()
    sfu, lu, su = w.unit("SFU", 0, 0), w.unit("L1LU", 0, 0), w.unit("L1SU", 0, 0)
    w.program([sfu], lambda me: body(w, lu, su) and None)
    return assemble(w.module(), arch or spyre())


def words(code: Any) -> list[Any]:
    return decode_all(unpack(code.binary)["code"]["word"])


def ops(code: Any) -> list[str]:
    names = {op.code: op.name for op in isa().vector_ops.values()}
    return [names[w["op"]] if w.name == "vop" else w.name for w in words(code)]


def refused(action: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(TilesatError) as caught:
        action()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.position.line > 0, "a diagnostic has a place"
    return diagnostic.code, diagnostic.message


# ---- listings


def test_vector_add_on_two_cores(golden: Callable[[str, str], None]) -> None:
    w = Writer()
    cores = 2
    loads, stores = w.units("MNILU", cores), w.units("MNISU", cores)
    lus, sfus, sus = (w.units(k, cores, 2) for k in ("L1LU", "SFU", "L1SU"))
    lxs, ddr = w.units("lx", cores), w.unit("ddr")
    per_corelet = [lx for lx in lxs for _ in range(2)]
    ids = [w.const(i) for i in range(cores)]
    times, step = (
        "affine_set<(r, c) : (r >= 0, 3 - r >= 0, c >= 0, 1 - c >= 0)>",
        "affine_map<(r, c) -> (r, c * 64)>",
    )

    def load(me: ir.Value) -> None:
        c0, two, full = w.const(0), w.const(2), w.const(512)
        mem, row = w.lookup(me, loads, lxs), w.arith("muli", w.lookup(me, loads, ids), w.const(12))
        inputs = [w.view(ddr, w.arith("divui", w.symbol(-i), two), [24, 128], [128, 1]) for i in (1, 2)]
        peers = [w.lookup(me, loads, lus[j::2]) for j in range(2)]

        def block(i: ir.Value) -> None:
            for peer in peers:
                w.op("dataflow.sync_recv", [peer], channel=1)
            phase = w.arith("muli", w.arith("remui", i, two), full)
            at = w.arith("addi", row, w.arith("muli", i, w.const(4)))
            for k, x in enumerate(inputs):
                base = w.arith("addi", phase, w.const(1024 * k))
                w.transfer(x, [at, c0], w.view(mem, base, [4, 128], [128, 1]), [c0, c0], times, step)
            for peer in peers:
                w.op("dataflow.sync_send", [peer], wait_immediately_for_async_transfers=True)

        w.loop(c0, w.const(3), w.const(1), block)

    def feed(me: ir.Value) -> None:
        c0, one, two = w.const(0), w.const(1), w.const(2)
        mem, ld, sfu = (
            w.lookup(me, lus, v) for v in (per_corelet, [x for x in loads for _ in range(2)], sfus)
        )
        half = w.lookup(me, lus, [w.const(2 * j) for _ in range(cores) for j in range(2)])
        for _ in range(2):
            w.op("dataflow.sync_send", [ld], channel=1)

        def block(i: ir.Value) -> None:
            w.op("dataflow.sync_recv", [ld])
            phase = w.arith("muli", w.arith("remui", i, two), w.const(512))
            views = [
                w.view(mem, w.arith("addi", phase, w.const(1024 * k)), [4, 128], [128, 1]) for k in (0, 1)
            ]

            def row(r: ir.Value) -> None:
                at = w.arith("addi", half, r)

                def piece(c: ir.Value) -> None:
                    for view in views:
                        w.send(sfu, w.load(view, [at, w.arith("muli", c, w.const(64))]))

                w.loop(c0, two, one, piece)

            w.loop(c0, two, one, row)
            w.op("dataflow.sync_send", [ld], channel=1)

        w.loop(c0, w.const(3), one, block)

    def add(me: ir.Value) -> None:
        lu, su = w.lookup(me, sfus, lus), w.lookup(me, sfus, sus)

        def vector_step(i: ir.Value) -> None:
            x, y = w.receive(lu), w.receive(lu)
            w.send(su, w.binary("add", x, y))

        w.loop(w.const(0), w.const(12), w.const(1), vector_step)

    w.program(loads, load)
    w.program(lus, feed)
    w.program(sfus, add)
    w.units("MNISU", 0)
    assert stores
    code = assemble(w.module("add_body"), spyre())
    golden("add.txt", disassemble(code, spyre()))
    assert assemble(w.module("add_body"), spyre()).binary == code.binary


def test_lanes(golden: Callable[[str, str], None]) -> None:
    """Casts, constants, comparison and selection, an accumulator in place, masks, permutations."""

    def body(w: Writer, lu: ir.Value, su: ir.Value) -> None:
        half = w.op("vectorchain.constant_bitstream", [], [vector(1)], value=[0x3800])
        halves = w.op("vectorchain.shuffle", [half], [vector(64)], indices=[0], repetition=64)
        dense = w.op(
            "arith.constant",
            [],
            [vector(32, "f32")],
            value=ir.Dense(np.arange(32, dtype=np.float32), vector(32, "f32")),
        )
        zero = w.op("arith.constant", [], [vector(64)], value=ir.Dense(np.zeros(64, np.float32), vector(64)))

        def step(i: ir.Value, total: ir.Value) -> list[ir.Value]:
            x = w.receive(lu)
            y = w.binary("mul", x, halves)
            compare = ir.Raw("#vectorchain<element_wise_compare_operator compare_gt>")
            positive = w.op(
                "vectorchain.element_wise_compare", [x, y], [vector(64, "i1")], compare_op=compare
            )
            z = w.op("vectorchain.element_wise_selection", [positive, x, y], [vector(64)])
            return [w.binary("add", total, w.op("vectorchain.fast_exp", [z], [vector(64)]))]

        total = w.loop(w.const(0), w.const(8), w.const(1), step, [zero])
        w.send(su, total)
        f32 = w.op("vectorchain.cast", [w.receive(lu, 32)], [vector(32, "f32")])
        w.send(su, w.op("vectorchain.cast", [w.binary("add", f32, dense)], [vector(32)]))
        n = w.symbol(-3)
        mask_set = aset("affine_set<(d0)[s0] : (d0 >= 0, s0 - 1 - d0 >= 0)>")
        mask = w.op("vectorchain.create_affine_mask", [n], [vector(64, "i1")], mask_set=mask_set)
        a, b = w.receive(lu), w.receive(lu)
        spelled = ir.Raw("#vectorchain<binary_operator max>")
        masked = w.op("vectorchain.binary", [a, b, mask], [vector(64)], binary_op=spelled)
        swapped = w.op("vectorchain.shuffle", [masked], [vector(64)], indices=[1, 0], repetition=32)
        w.send(su, swapped)
        scalar = w.op(
            "vectorchain.shuffle",
            [a, n],
            [vector(64)],
            indices=[-1],
            repetition=64,
            operandSegmentSizes=[1, 1, 0, 0],
        )
        w.send(su, scalar)
        total = w.op("vector.reduction", [a], [ir.Scalar("f16")], kind=ir.Raw("#vector.kind<add>"))
        w.send(su, w.op("vector.broadcast", [total], [vector(64)]))

    code = compute(body)
    golden("lanes.txt", disassemble(code, spyre()))
    binary = unpack(code.binary)
    kinds = [isa().dtype_names[int(k)] for k in binary["constants"]["dtype"]]
    assert sorted(kinds) == ["f16", "f16", "f32", "i32"]


def test_an_accumulator_needs_no_copy() -> None:
    def body(w: Writer, lu: ir.Value, su: ir.Value) -> None:
        zero = w.op("arith.constant", [], [vector(64)], value=0.0)

        def step(i: ir.Value, total: ir.Value) -> list[ir.Value]:
            return [w.binary("add", total, w.receive(lu))]

        w.send(su, w.loop(w.const(0), w.const(9), w.const(1), step, [zero]))

    assert ops(compute(body)) == ["vconst", "loopi", "recv", "addf", "send", "halt"]


def test_a_value_still_needed_is_copied() -> None:
    """y = f(old); the old value is used after y is made: the copy must stay."""

    def body(w: Writer, lu: ir.Value, su: ir.Value) -> None:
        first = w.receive(lu)

        def step(i: ir.Value, old: ir.Value) -> list[ir.Value]:
            new = w.binary("add", old, w.receive(lu))
            w.send(su, w.binary("mul", old, new))
            return [new]

        w.send(su, w.loop(w.const(0), w.const(9), w.const(1), step, [first]))

    assert ops(compute(body)).count("vmov") == 2


def test_f32_vectors_take_two_registers() -> None:
    def body(w: Writer, lu: ir.Value, su: ir.Value) -> None:
        x, y = w.receive(lu, 64, "f32"), w.receive(lu, 64, "f32")
        w.send(su, w.binary("add", x, y))

    first, second = (w for w in words(compute(body)) if w.name == "recv")
    assert abs(first["vd"] - second["vd"]) == 2


def test_constants_are_reloaded_when_registers_are_short() -> None:
    """20 constants do not fit in 16 registers at once; the values they meet do."""

    def body(w: Writer, lu: ir.Value, su: ir.Value) -> None:
        constants = [w.op("arith.constant", [], [vector(64)], value=float(i)) for i in range(20)]

        def step(i: ir.Value) -> None:
            x = w.receive(lu)
            for c in constants:
                x = w.binary("add", x, c)
            w.send(su, x)

        w.loop(w.const(0), w.const(4), w.const(1), step)

    assert ops(compute(body)).count("addf") == 20


def test_too_many_vectors_are_refused() -> None:
    def body(w: Writer, lu: ir.Value, su: ir.Value) -> None:
        received = [w.receive(lu) for _ in range(17)]
        for x in received:
            w.send(su, x)

    code, message = refused(lambda: compute(body))
    assert code == "SPY067" and "17" in message and "16" in message


def test_unused_pure_code_is_dropped_but_receives_stay() -> None:
    def body(w: Writer, lu: ir.Value, su: ir.Value) -> None:
        x = w.receive(lu)
        w.binary("mul", x, x)
        w.loop(w.const(0), w.const(4), w.const(1), lambda i: w.binary("add", x, x) and None)

    assert ops(compute(body)) == ["recv", "halt"]


# ---- transfers


def transfer(
    time: str,
    source: str,
    target: str,
    symbols: int = 0,
    lanes: int = 64,
    strides: tuple[int, int] = (1024, 1),
) -> Any:
    w = Writer()
    ld, lx, ddr = w.unit("MNILU", 0), w.unit("lx", 0), w.unit("ddr")

    def body(me: ir.Value) -> None:
        c0 = w.const(0)
        x = w.view(ddr, w.const(0), [64, 1024], strides)
        y = w.view(lx, w.const(0), [64, 1024], [256, 1])
        runtime = [w.symbol(-1 - i) for i in range(symbols)]
        w.transfer(x, [c0, c0], y, [c0, c0], time, source, runtime, lanes, target)

    w.program([ld], body)
    return assemble(w.module(), spyre())


def rows(code: Any) -> list[tuple[int, int, int, int]]:
    names = ["count", "count_register", "source_stride", "destination_stride"]
    return [tuple(int(r[n]) for n in names) for r in unpack(code.binary)["dimensions"]]  # type: ignore[misc]


def test_a_transfer_of_a_box() -> None:
    code = transfer(
        "affine_set<(r, c) : (r >= 0, 2 - r >= 0, c >= 0, 3 - c >= 0)>",
        "affine_map<(r, c) -> (r, c * 64)>",
        "affine_map<(r, c) -> (r, c * 64)>",
    )
    assert rows(code) == [(3, 0, 2048, 512), (256, 0, 2, 2)]


def test_a_transfer_starts_at_its_sets_lower_corner() -> None:
    code = transfer(
        "affine_set<(r) : (r - 2 >= 0, 4 - r >= 0)>",
        "affine_map<(r) -> (r, 64)>",
        "affine_map<(r) -> (r, 0)>",
    )
    li = {w["rd"]: w["imm"] for w in words(code) if w.name == "li"}
    (xfer,) = [w for w in words(code) if w.name == "xfer"]
    assert (li[xfer["ra"]], li[xfer["rb"]]) == (2 * 2048 + 128, 2 * 512)


def test_run_time_extents_come_from_a_register() -> None:
    code = transfer(
        "affine_set<(r)[s0] : (r >= 0, s0 - 1 - r >= 0)>",
        "affine_map<(r) -> (r, 0)>",
        "affine_map<(r) -> (r, 0)>",
        symbols=1,
    )
    ((_, register, source, target), lanes) = rows(code)
    loaded = {w["rd"] for w in words(code) if w.name == "ldsym"}
    assert register in loaded and (source, target) == (2048, 512) and lanes == (64, 0, 2, 2)


def test_columns_of_a_matrix_move_with_a_stride() -> None:
    code = transfer(
        "affine_set<(r) : (r >= 0, 7 - r >= 0)>",
        "affine_map<(r) -> (r, 0)>",
        "affine_map<(r) -> (r, 0)>",
        strides=(1, 4096),
    )
    assert rows(code) == [(8, 0, 2, 512), (64, 0, 8192, 2)]


@pytest.mark.parametrize(
    ("time", "code"),
    [
        ("affine_set<(r, c) : (r >= 0, 2 - r >= 0, c >= 0, r - c >= 0)>", "SPY040"),  # a triangle
        ("affine_set<(r, c) : (r >= 0, 2 - r >= 0, c >= 0)>", "SPY040"),  # no upper bound
        ("affine_set<(r, c) : (r >= 0, 2 - r >= 0, 2 * c >= 0, 4 - c >= 0)>", "SPY040"),
    ],
)
def test_sets_that_are_not_boxes_are_refused(time: str, code: str) -> None:
    step = "affine_map<(r, c) -> (r, c * 64)>"
    assert refused(lambda: transfer(time, step, step))[0] == code


def test_diagonals_and_divisions_in_a_layout_are_refused() -> None:
    time = "affine_set<(r) : (r >= 0, 7 - r >= 0)>"
    plain = "affine_map<(r) -> (r, 0)>"
    code, message = refused(lambda: transfer(time, "affine_map<(r) -> (r floordiv 2, 0)>", plain))
    assert code == "SPY042" and "floordiv" in message


# ---- loads and stores


def load_unit(body: Callable[[Writer, ir.Value, ir.Value], Any], kind: str = "L1LU") -> Any:
    w = Writer()
    unit, lx, sfu = w.unit(kind, 0, 0), w.unit("lx", 0), w.unit("SFU", 0, 0)
    w.program([unit], lambda me: body(w, lx, sfu) and None)
    return assemble(w.module(), spyre())


def test_a_splat_on_the_load_unit() -> None:
    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [64], [1])
        one = w.load(view, [w.const(3)], lanes=1)
        w.send(sfu, w.op("vectorchain.shuffle", [one], [vector(64)], indices=[0], repetition=64))

    (word,) = [x for x in words(load_unit(body)) if x.name == "ldf"]
    assert (word["splat"], word["count"]) == (1, 64)


def test_a_strided_vector() -> None:
    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [64, 4], [4, 1])
        w.send(sfu, w.load(view, [w.const(0), w.const(1)], dim=0))

    code = load_unit(body)
    (word,) = [x for x in words(code) if x.name == "ldf"]
    li = {x["rd"]: x["imm"] for x in words(code) if x.name == "li"}
    assert li[word["stride"]] == 8 and li[word["ra"]] == 2


def test_composite_load_and_store_become_loops() -> None:
    def composite(w: Writer, name: str, view: ir.Value, block: ir.Block) -> None:
        side = name.removeprefix("composite_")
        c0 = w.const(0)
        w.op(
            f"agen.{name}",
            [view, c0, c0],
            [],
            [block],
            operandSegmentSizes=[1, 2, 0],
            subscripts=amap("affine_map<(i, j) -> (i, j)>"),
            **{
                f"{side}_set": aset("affine_set<(d0, d1) : (d0 == 0, d1 >= 0, 63 - d1 >= 0)>"),
                f"{side}_order": amap("affine_map<(i, j) -> (i, j)>"),
            },
            time_addr_map=amap("affine_map<(t) -> (t, 0)>"),
            time_set=aset("affine_set<(t) : (t >= 0, 3 - t >= 0)>"),
            time_order=amap("affine_map<(t) -> (t)>"),
        )

    def loads(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [4, 64], [64, 1])
        composite(w, "composite_load", view, w.region([vector(64)], lambda x: w.send(sfu, x), "agen.yield"))

    def stores(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [4, 64], [64, 1])
        composite(w, "composite_store", view, w.region([], lambda: [w.receive(sfu)], "agen.yield"))

    assert ops(load_unit(loads)) == ["li", "loopi", "ldf", "inti", "halt"]
    assert ops(load_unit(stores, "L1SU")) == ["li", "loopi", "stf", "inti", "halt"]


def test_fifo_order_on_the_store_unit_is_checked() -> None:
    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [4, 64], [64, 1])
        a, b = w.receive(sfu), w.receive(sfu)
        w.store(b, view, [w.const(0), w.const(0)])
        w.store(a, view, [w.const(1), w.const(0)])

    assert refused(lambda: load_unit(body, "L1SU"))[0] == "SPY060"


def test_a_store_repeated_by_a_loop_is_checked() -> None:
    def body(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        view = w.view(lx, w.const(0), [4, 64], [64, 1])
        a = w.receive(sfu)
        w.loop(w.const(0), w.const(3), w.const(1), lambda i: w.store(a, view, [i, w.const(0)]))

    assert refused(lambda: load_unit(body, "L1SU"))[0] == "SPY060"


def test_a_received_vector_that_is_dropped_is_refused() -> None:
    assert refused(lambda: load_unit(lambda w, lx, sfu: w.receive(sfu), "L1SU"))[0] == "SPY060"


def test_what_a_unit_cannot_do_is_refused() -> None:
    def arithmetic(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        x = w.load(w.view(lx, w.const(0), [64], [1]), [w.const(0)])
        w.send(sfu, w.binary("add", x, x))

    def wrong_way(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        w.send(sfu, w.load(w.view(lx, w.const(0), [64], [1]), [w.const(0)]))

    def unknown(w: Writer, lx: ir.Value, sfu: ir.Value) -> None:
        w.op("dataflow.opaque", [], [], func_name="f")

    assert refused(lambda: load_unit(arithmetic))[0] == "SPY053"
    assert refused(lambda: load_unit(wrong_way, "MNISU"))[0] == "SPY061"
    assert refused(lambda: load_unit(unknown)) == (
        "SPY051",
        "`dataflow.opaque` has no translation into SpyreCode",
    )
    code, message = refused(lambda: compute(lambda w, a, b: w.unit("TPU", 0)))
    assert code == "SPY056" and "TPU" in message
    assert refused(lambda: compute(lambda w, a, b: w.unit("SFU", 99, 0)))[0] == "SPY056"


def test_an_empty_module_is_refused() -> None:
    w = Writer()
    with pytest.raises(TilesatError) as caught:
        assemble(w.module(), spyre())
    assert caught.value.diagnostics[0].code == "SPY050"


def test_foreign_instances_are_addressed_by_number() -> None:
    """Core 0 loads into core 1's LX and signals core 1: numbers in registers, not OWN."""
    w = Writer()
    ld, lx, lu, ddr = w.unit("MNILU", 0), w.unit("lx", 1), w.unit("L1LU", 1, 1), w.unit("ddr")

    def body(me: ir.Value) -> None:
        c0 = w.const(0)
        x, y = w.view(ddr, w.const(0), [4, 64], [64, 1]), w.view(lx, w.const(0), [4, 64], [64, 1])
        w.transfer(
            x, [c0, c0], y, [c0, c0], "affine_set<(t) : (t >= 0, 3 - t >= 0)>", "affine_map<(t) -> (t, 0)>"
        )
        w.op("dataflow.sync_send", [lu])

    w.program([ld], body)
    code = assemble(w.module(), spyre())
    initial = {int(r["register"]): int(r["value"]) for r in unpack(code.binary)["registers"]}
    xfer, signal = (x for x in words(code) if x.name in ("xfer", "signal"))
    assert xfer["source_instance"] == 0
    assert initial[xfer["destination_instance"]] == 1
    assert initial[signal["peer_instance"]] == 3


def test_instances_with_different_symbols_get_programs_of_their_own() -> None:
    w = Writer()
    lds, lxs, ddr = w.units("MNILU", 2), w.units("lx", 2), w.unit("ddr")

    def body(me: ir.Value) -> None:
        c0, lx = w.const(0), w.lookup(me, lds, lxs)
        base = w.lookup(me, lds, [w.symbol(-1), w.symbol(-2)])
        x, y = w.view(ddr, base, [4, 64], [64, 1]), w.view(lx, w.const(0), [4, 64], [64, 1])
        w.transfer(
            x, [c0, c0], y, [c0, c0], "affine_set<(t) : (t >= 0, 3 - t >= 0)>", "affine_map<(t) -> (t, 0)>"
        )

    w.program(lds, body)
    binary = unpack(assemble(w.module(), spyre()).binary)
    assert len(set(binary["units"]["entry"].tolist())) == 2
    assert len(binary["symbols"]) == 2


def test_program_space_is_checked() -> None:
    def body(w: Writer, lu: ir.Value, su: ir.Value) -> None:
        for _ in range(4200):
            w.send(su, w.receive(lu))

    with pytest.raises(TilesatError) as caught:
        compute(body)
    assert caught.value.diagnostics[0].code == "SPY068"


def test_debug_lines_cover_every_word() -> None:
    from tilesat.spyrecode import positions

    code = compute(lambda w, lu, su: w.send(su, w.receive(lu)))
    assert len(positions(code.debug)) == len(unpack(code.binary)["code"])
    assert all(p.line > 0 for p in positions(code.debug))


def test_symbols_stand_for_the_arguments_that_are_declared() -> None:
    """An entry function says that symbol -1 is the second argument; a derived symbol is refused."""

    def module(derived: bool) -> ir.Module:
        w = Writer()
        ld, lx, ddr = w.unit("MNILU", 0), w.unit("lx", 0), w.unit("ddr")

        def body(me: ir.Value) -> None:
            c0 = w.const(0)
            x, y = w.view(ddr, w.symbol(-1), [4, 64], [64, 1]), w.view(lx, c0, [4, 64], [64, 1])
            time = "affine_set<(t) : (t >= 0, 3 - t >= 0)>"
            w.transfer(x, [c0, c0], y, [c0, c0], time, "affine_map<(t) -> (t, 0)>")

        w.program([ld], body)
        made = w.module()
        entry = Writer()
        block = entry.blocks[0]
        block.args = [ir.Value(n, ir.Scalar("index"), block, k) for k, n in enumerate("ab")]
        source = entry.arith("addi", block.args[1], block.args[1]) if derived else block.args[1]
        entry.op("symbol.create_id", [source], [], symbol_id=ir.Typed(-1, ir.Scalar("si64")))
        function = ir.Op("func.func", [], [], {"sym_name": "kernel"}, [ir.Region([block])])
        made.op.regions[0].blocks[0].ops.insert(0, function)
        return made

    code = assemble(module(False), spyre())
    assert [e["argument"] for e in code.hcm["senConstants"]] == ["1"]
    assert [a["name"] for a in code.hcm["vdci"]["arguments"]] == ["a", "b"]
    assert refused(lambda: assemble(module(True), spyre()))[0] == "SPY059"
