"""What the functional interpreter must refuse, and orders of execution that must make a difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilesat.diagnostics import TilesatError
from tilesat.schedule import Program, Term, parse, read_program, term
from tilesat.schedule.interpreter import Levels, interpret, interpret_all
from tilesat.schedule.legality import check_text, faults

HEAD = """(program p (grid 1) (args (x index) (z index))
  (axes (axis i (trips 8)) (axis c (trips 16)))
  (views (view X (base x) (shape 9 16) (strides 16 1) (dtype f32))
         (view Z (base z) (shape 8 16) (strides 16 1) (dtype f32)))
  (accesses (access x0 X (at i c)) (access x1 X (at (+ i 1) c)) (access z0 Z (at i c)))
  (values (value v (axes i c) (dtype f32)) (value s (axes i) (dtype f32) (init 0.0) (comb arith.addf)))
  (stmts
    (stmt copy (let a f32 (load x0)) (let b f32 (op arith.addf a a)) (store z0 b))
    (stmt next (let a f32 (load x0)) (let b f32 (op arith.addf a a)) (store x1 b))
    (stmt keep (let a f32 (load x0)) (set v a))
    (stmt use (let a f32 (get v)) (let b f32 (op arith.negf a)) (store z0 b))
    (stmt sum (let a f32 (load x0)) (fold s a))
    (stmt spread (let a f32 (get s)) (let b f32 (load x0)) (let d f32 (op arith.subf b a)) (store z0 d)))
  (body BODY))"""
LEVELS = Levels({"global": "ddr", "ct_local": "lx"}, ("ddr", "lx", "sfu"))


def program(body: str) -> Program:
    return read_program(HEAD.replace("BODY", body))


def buffers() -> dict[str | int, np.ndarray[Any, Any]]:
    x = np.arange(144, dtype=np.float32).reshape(9, 16)
    return {"x": x, "z": np.zeros((8, 16), np.float32)}


def run(body: str, **options: Any) -> Any:
    return interpret(program(body), buffers(), levels=LEVELS, **options)


@pytest.mark.parametrize(
    "body, says",
    [
        ("(exec copy (box (i 8) (c 16)) lx)", "x0 is read at lx"),
        ("(pipe 1 (ins (move x0 ddr lx)) (exec copy (box (i 8) (c 16)) lx) (outs))", "z0 is stored at lx"),
        ("(pipe 1 (ins (move x0 lx sfu)) (exec copy (box (i 8) (c 16)) sfu) (outs (move z0 sfu ddr)))", "x0"),
        ("(pipe 1 (ins (move x0 ddr lx)) skip (outs (move z0 lx ddr)))", "never written"),
        ("(loop i 9 (exec copy (box (i 1) (c 16)) home))", "position 8 of i"),
        ("(exec copy (box (c 16)) home)", "domain"),
        ("(exec use (box (i 8) (c 16)) home)", "not in scope"),
        ("(let v home skip (exec use (box (i 8) (c 16)) home))", "never written"),
        (
            "(let v home (exec keep (box (i 4) (c 16)) home) (exec use (box (i 8) (c 16)) home))",
            "cover axis i",
        ),
        ("(seq skip)", "unknown term"),
    ],
)
def test_refused(body: str, says: str) -> None:
    with pytest.raises(TilesatError, match=says):
        run(body)


def test_copy_too_small() -> None:
    """A hoisted copy that covers one row cannot serve the loop that runs through all."""
    body = "(pipe 1 (ins (move x0 ddr lx)) (exec copy (box (i 1) (c 16)) lx) (outs (move z0 lx ddr)))"
    wrong = parse(body.replace("(exec", "(seq (exec").replace("lx) (outs", "lx) (loop i 2 BAD)) (outs"))
    inner = parse("(exec copy (box (i 1) (c 16)) lx)")
    fixed = Term("pipe", (1, wrong.args[1], term("seq", inner, term("loop", "i", 2, inner)), wrong.args[3]))
    with pytest.raises(TilesatError):
        interpret(program("skip"), buffers(), body=fixed)


def test_values_and_accumulators() -> None:
    x = buffers()["x"]
    got = run("(let v home (exec keep (box (i 8) (c 16)) home) (exec use (box (i 8) (c 16)) home))")
    assert (got["z"] == -x[:8]).all()
    body = "(loop i 8 (acc s home (seq (loop c 4 (exec sum (box (i 1) (c 4)) home)) AFTER)))"
    got = run(body.replace("AFTER", "(exec spread (box (i 1) (c 16)) home)"))
    assert (got["z"] == x[:8] - x[:8].sum(1, keepdims=True)).all()


def test_depth_beyond_a_carried_dependence_is_seen() -> None:
    """x[i + 1] = 2 x[i]: depth 1 is right, depth 2 fetches row i + 1 before it is stored."""
    body = (
        "(loop i 8 (pipe D (ins (move x0 ddr lx)) (exec next (box (i 1) (c 16)) lx) (outs (move x1 lx ddr))))"
    )
    want = buffers()["x"][0] * 2.0 ** np.arange(9)[:, None]
    got = interpret_all(program(body.replace("D", "1")), buffers(), levels=LEVELS)
    assert (got["x"] == want).all()
    with pytest.raises(TilesatError, match="order of execution"):
        interpret_all(program(body.replace("D", "2")), buffers(), levels=LEVELS)


def test_par_over_a_dependence_is_seen() -> None:
    body = "(par core 8 i (exec next (box (i 1) (c 16)) home))"
    with pytest.raises(TilesatError, match="order of execution"):
        interpret_all(program(body), buffers(), seeds=range(4), levels=LEVELS)


def test_hoisting_past_the_store_is_seen() -> None:
    step = "(pipe 1 (ins) (exec next (box (i 1) (c 16)) lx) (outs (move x1 lx ddr)))"
    body = f"(pipe 1 (ins (move x0 ddr lx)) (loop i 8 {step}) (outs))"
    want = buffers()["x"][0] * 2.0 ** np.arange(9)[:, None]
    got = interpret(program(body), buffers(), levels=LEVELS)
    assert not (got["x"] == want).all()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_split_staged_random_shapes(data: st.DataObject) -> None:
    """Any nest that covers the box computes what NumPy does, at any depth and in any order."""
    rows, columns = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 33))
    text = HEAD.replace("(trips 8)", f"(trips {rows})").replace("(trips 16)", f"(trips {columns})")
    text = text.replace("(shape 9 16) (strides 16 1)", f"(shape {rows + 1} {columns}) (strides {columns} 1)")
    text = text.replace("(shape 8 16) (strides 16 1)", f"(shape {rows} {columns}) (strides {columns} 1)")
    depth = st.integers(1, 3)
    w = data.draw(st.integers(1, columns))
    step = "(ins (move x0 lx sfu)) (exec copy (box (i 1) (c W)) sfu) (outs (move z0 sfu lx))"
    inner = f"(pipe {data.draw(depth)} {step})"
    row = f"(loop c {columns // w} {inner.replace('W', str(w))})"
    if columns % w:
        row = f"(then c {row} {inner.replace('W', str(columns % w))})"
    middle = f"(pipe {data.draw(depth)} (ins (move x0 ddr lx)) {row} (outs (move z0 lx ddr)))"
    k = data.draw(st.integers(1, rows))
    first = f"(par core {k} i {middle})" if data.draw(st.booleans()) else f"(loop i {k} {middle})"
    body = first if k == rows else f"(then i {first} (loop i {rows - k} {middle}))"
    p = check_text(text.replace("BODY", body))
    x = np.random.default_rng(rows * 100 + columns).standard_normal((rows + 1, columns)).astype(np.float32)
    found = interpret_all(p, {"x": x, "z": np.zeros((rows, columns), np.float32)}, levels=LEVELS)
    assert (found["z"] == x[:rows] + x[:rows]).all()


# --- legality ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body, says",
    [
        ("(loop j 8 (exec copy (box (i 1) (c 16)) home))", "axis j is not declared"),
        ("(exec copy (box (c 16) (i 8)) home)", "in this order"),
        ("(exec copy (box (i 8) (c 15)) home)", "positions of c, which has 16"),
        ("(par g 2 i (par g 2 c (exec copy (box (i 4) (c 8)) home)))", "group g is used twice"),
        ("(pipe 0 (ins) (exec copy (box (i 8) (c 16)) home) (outs))", "positive number"),
        ("(pipe 1 (ins (move q ddr lx)) (exec copy (box (i 8) (c 16)) home) (outs))", "q is neither"),
        ("(exec use (box (i 8) (c 16)) home)", "outside its `let`"),
        ("(acc v home (exec use (box (i 8) (c 16)) home))", "needs a value with"),
        ("(then c (exec copy (box (i 8) (c 8)) home) (exec copy (box (i 4) (c 8)) home))", "differ in other"),
        ("(seq (exec copy (box (i 8) (c 8)) home) (exec next (box (i 8) (c 16)) home))", "cover axis c"),
        ("(when (lt k 3) (exec copy (box (i 8) (c 16)) home))", "uses k"),
        ("(sequence skip skip)", "not a term"),
    ],
)
def test_illegal_terms(body: str, says: str) -> None:
    with pytest.raises(TilesatError, match=says) as error:
        check_text(HEAD.replace("BODY", body))
    assert error.value.diagnostics[0].position.line == 14, "the fault is placed in the body"


@pytest.mark.parametrize(
    "old, new, says",
    [
        ("(at i c)", "(at i)", "1 coordinates"),
        ("(at i c)", "(at i k)", "uses `k`"),
        ("(access x0 X", "(access x0 Q", "view Q"),
        ("arith.negf a", "arith.negf a a", "takes 1 operands"),
        ("arith.negf a", "arith.nope a", "no scalar op"),
        ("(store z0 b)", "(store z0 q)", "does not bind"),
        ("(fold s a)", "(fold v a)", "no `comb`"),
        ("(let a f32 (load x0))", "(let a f16 (load x0))", "the memory of x0 is not"),
        ("(dtype f32)", "(dtype f99)", "f99"),
    ],
)
def test_illegal_declarations(old: str, new: str, says: str) -> None:
    text = HEAD.replace("BODY", "skip").replace(old, new, 1)
    assert any(says in f.message for f in faults(read_program(text)))


@pytest.mark.parametrize(
    "old, new, line",
    [
        ("(trips 8)", "(trips 8) (trips 9)", 2),
        ("(stmt copy", "(stmt next", 9),
        ("(store z0 b)", "(save z0 b)", 8),
        ("(op arith.negf a)", "(op arith.negf (get v))", 11),
        ("(values", "(valves", 6),
    ],
)
def test_malformed_programs(old: str, new: str, line: int) -> None:
    with pytest.raises(TilesatError) as error:
        read_program(HEAD.replace("BODY", "skip").replace(old, new, 1))
    assert error.value.diagnostics[0].position.line == line
