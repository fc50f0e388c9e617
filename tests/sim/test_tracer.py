"""The tracer against a plain interpreter of the same integer words, on random programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simasm import Kernel, Unit
from tilesat.arch import load_arch
from tilesat.diagnostics import TilesatError
from tilesat.sim import tracer
from tilesat.sim.program import load_image
from tilesat.sim.trace import Block
from tilesat.spyrecode.container import unpack

ARCH = load_arch("spyre")
INSTANCES = [0, 2, 4]

register = st.integers(1, 5)
integer = st.one_of(
    st.tuples(
        st.just("inti"), st.sampled_from(["add", "add", "mul", "sub"]), register, register, st.integers(-4, 9)
    ),
    st.tuples(st.just("int"), st.sampled_from(["add", "sub", "mins"]), register, register, register),
    st.tuples(st.just("li"), register, st.integers(-3, 20)),
    st.tuples(st.just("sel"), register, register, register, register),
)
access = st.tuples(st.just("ldf"), register)
statements = st.recursive(
    st.lists(st.one_of(integer, integer, access), min_size=1, max_size=4),
    lambda body: st.lists(
        st.one_of(
            integer,
            access,
            st.tuples(st.just("loop"), st.integers(0, 4), body),
            st.tuples(st.just("loopr"), register, body),
            st.tuples(st.just("if"), register, body),
        ),
        min_size=1,
        max_size=4,
    ),
    max_leaves=12,
)


def emit(u: Unit, body: list[Any]) -> None:
    for kind, *rest in body:
        if kind == "inti":
            u.emit("inti", op=rest[0], rd=rest[1], ra=rest[2], imm=rest[3])
        elif kind == "int":
            u.emit("int", op=rest[0], rd=rest[1], ra=rest[2], rb=rest[3])
        elif kind == "li":
            u.li(rd=rest[0], imm=rest[1])
        elif kind == "sel":
            u.sel(rd=rest[0], rc=rest[1], ra=rest[2], rb=rest[3])
        elif kind == "ldf":
            u.ldf(memory="lx", ra=rest[0], dtype="f16", count=64, peer="sfu")
        elif kind == "loop":
            with u.repeat(rest[0]):
                emit(u, rest[1])
        elif kind == "loopr":
            u.emit("inti", op="remu", rd=6, ra=rest[0], imm=4)
            with u.repeat(ra=6):
                emit(u, rest[1])
        else:
            with u.unless_zero(rest[0]):
                emit(u, rest[1])


def interpret(body: list[Any], r: list[int], out: list[int]) -> None:
    """One instance, word by word; appends the address of every access."""
    wrap = lambda v: (v + 2**63) % 2**64 - 2**63  # noqa: E731
    ops = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "mins": min}
    for kind, *rest in body:
        if kind == "inti":
            r[rest[1]] = wrap(ops[rest[0]](r[rest[2]], rest[3]))
        elif kind == "int":
            r[rest[1]] = wrap(ops[rest[0]](r[rest[2]], r[rest[3]]))
        elif kind == "li":
            r[rest[0]] = rest[1]
        elif kind == "sel":
            r[rest[0]] = r[rest[2]] if r[rest[1]] else r[rest[3]]
        elif kind == "ldf":
            out.append(r[rest[0]])
        elif kind == "loop":
            for _ in range(rest[0]):
                interpret(rest[1], r, out)
        elif kind == "loopr":
            r[6] = (r[rest[0]] % 2**64) % 4
            for _ in range(r[6]):
                interpret(rest[1], r, out)
        elif r[rest[0]]:
            interpret(rest[1], r, out)


def traced(body: list[Any], initial: list[list[int]]) -> dict[int, list[int]]:
    """Instance → addresses in order."""
    k = Kernel(ARCH)
    u = k.unit("l1lu", INSTANCES, **{f"r{i + 1}": list(v) for i, v in enumerate(zip(*initial, strict=True))})
    emit(u, body)
    image = load_image(unpack(k.code().binary), ARCH)
    found: dict[int, list[int]] = {}
    for trace in tracer.trace_program(image.programs[0], np.zeros(0, np.int64)):
        for lane, instance in enumerate(trace.instances.tolist()):
            addresses: list[int] = []
            for item in trace.items:
                assert isinstance(item, Block)
                for trip in range(item.trips):
                    for step in item.steps:
                        grid = step.address
                        assert grid is not None and len(grid) in (1, item.trips)
                        column = 0 if grid.shape[1] == 1 else lane
                        addresses.append(int(grid[trip if len(grid) > 1 else 0, column]))
            found[instance] = addresses
    return found


values = st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=3, max_size=3)


@settings(max_examples=300, deadline=None)
@given(statements, values, st.sampled_from([1 << 20, 8]))
def test_addresses_are_those_of_a_word_by_word_interpreter(
    body: list[Any], initial: list[list[int]], limit: int
) -> None:
    expected = {}
    for instance, row in zip(INSTANCES, initial, strict=True):
        out: list[int] = []
        interpret(body, [0, *row, 0], out)
        expected[instance] = out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tracer, "_GRID_LIMIT", limit)  # chunks of a few trips
        assert traced(body, initial) == expected


def test_a_nest_is_one_block() -> None:
    inner = ("loop", 4, [("ldf", 2), ("inti", "add", 2, 2, 7)])
    body = [("li", 1, 0), ("loop", 3, [("inti", "mul", 2, 1, 100), inner, ("inti", "add", 1, 1, 1)])]
    k = Kernel(ARCH)
    u = k.unit("l1lu", [0])
    emit(u, body)
    (trace,) = tracer.trace_program(
        load_image(unpack(k.code().binary), ARCH).programs[0], np.zeros(0, np.int64)
    )
    (block,) = trace.items
    assert block.trips == 12
    assert block.steps[0].address[:, 0].tolist() == [100 * i + 7 * j for i in range(3) for j in range(4)]


@pytest.mark.parametrize(("count", "fine"), [(3, True), (4, False)])
def test_loop_limit_is_the_archs(count: int, fine: bool) -> None:
    small = load_arch("spyre", ["limits.loop_count=3"])
    k = Kernel(small)
    with k.unit("l1lu").repeat(count):
        k.programs[0].li(rd=1, imm=0)
    image = load_image(unpack(k.code().binary), small)
    if fine:
        assert tracer.trace_program(image.programs[0], np.zeros(0, np.int64))[0].items == []
    else:
        with pytest.raises(TilesatError, match="SIM032"):
            tracer.trace_program(image.programs[0], np.zeros(0, np.int64))
