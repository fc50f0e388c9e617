"""Correctness and speed of `tilesat reference` next to ktir-cpu, on ktir-cpu's own example kernels.

    python benchmarks/reference_vs_ktir_cpu.py --checkout PATH [--repeat N] [--json]

`--checkout` is a copy of torch-spyre/ktir-cpu. Inputs and NumPy oracles are ours; both interpreters run in
this process, one after the other, on the same data. Exit status 1 when a result of ours is wrong, or when
the total speed-up is below `--at-least` (default 20).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for both: waiting threads dominate on a busy machine

import numpy as np
from numpy.typing import NDArray
from tilesat.diagnostics import TilesatError
from tilesat.ktir import read_text
from tilesat.sim.reference import run

Array = NDArray[Any]
STICK = 128  # bytes; the unit of ktir-cpu's memory writes


@dataclass
class Case:
    """Inputs of one kernel and what must come out. `expected`: argument index or address → values."""

    args: list[Any] = field(default_factory=list)
    memory: dict[int, Array] = field(default_factory=dict)
    scratch: dict[tuple[int, int], Array] = field(default_factory=dict)
    expected: dict[int, Array] = field(default_factory=dict)
    rtol: float = 2e-2
    atol: float = 1e-2
    edit: tuple[tuple[str, str], ...] = ()  # repairs of the file's text, applied for both


RNG = np.random.default_rng(20)


def f16(*shape: int, scale: float = 1.0) -> Array:
    return (RNG.standard_normal(shape) * scale).astype(np.float16)


def zeros(*shape: int) -> Array:
    return np.zeros(shape, np.float16)


def wide(*xs: Array) -> list[Array]:
    return [x.astype(np.float64) for x in xs]


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def vector_add() -> Case:
    x, y = f16(4096), f16(4096)
    return Case([x, y, zeros(4096), 128], expected={2: x + y}, rtol=0, atol=0)


def vector_add_dynamic(n: int) -> Callable[[], Case]:
    def build() -> Case:
        x, y = (RNG.standard_normal(n).astype(np.float32) for _ in range(2))
        return Case([x, y, np.zeros(n, np.float32), n], expected={2: x + y}, rtol=0, atol=0)

    return build


def scalar_broadcast() -> Case:
    x = f16(1, 1)
    return Case([x, zeros(4, 64)], expected={1: np.broadcast_to(x, (4, 64))}, rtol=0, atol=0)


def softmax_rows(rows: int, columns: int, with_count: bool = True) -> Callable[[], Case]:
    def build() -> Case:
        x = f16(rows, columns)
        extra = [rows] if with_count else []
        return Case([zeros(rows, columns), x, *extra], expected={0: softmax(x.astype(np.float64))})

    return build


def softmax_wide() -> Case:
    x = f16(2, 262144)
    return Case([zeros(2, 262144), x], expected={0: softmax(x.astype(np.float64))}, rtol=5e-2, atol=1e-6)


def layernorm() -> Case:
    rows, columns, eps = 1151, 8192, 1e-5
    x, w, b = f16(rows, columns), f16(rows, columns), f16(rows, columns)
    xs = x.astype(np.float32)
    mean = xs.mean(1, keepdims=True)
    rstd = 1 / np.sqrt(xs.var(1, keepdims=True) + eps)
    y = (xs - mean) * rstd * w + b
    args = [x, zeros(rows, columns), w, b, zeros(rows), zeros(rows), columns, eps, 1024]
    return Case(args, expected={1: y, 4: mean[:, 0], 5: rstd[:, 0]}, atol=5e-2)


def matmul(m: int, n: int, k: int, blocks: tuple[int, int, int]) -> Callable[[], Case]:
    def build() -> Case:
        a, b = f16(m, k), f16(k, n)
        product = a.astype(np.float32) @ b.astype(np.float32)
        return Case([a, b, zeros(m, n), k, *blocks], expected={2: product}, atol=2e-1)

    return build


def reduce_generic() -> Case:
    x = f16(1, 4)
    return Case([x], expected={0: np.full((1, 4), x.astype(np.float32).sum())})


def reduce_multiop() -> Case:
    x = f16(1, 8)
    return Case([x], expected={0: np.full((1, 8), x.max())}, rtol=0, atol=0)


def nested_yield() -> Case:
    return Case([np.zeros(4, np.float32)], expected={0: np.full(4, 2.0)}, rtol=0, atol=0)


def sdpa_2d() -> Case:
    q, k, v = f16(32, 64), f16(32, 64), f16(32, 64)
    qs, ks, vs = wide(q, k, v)
    return Case([q, k, v, zeros(32, 64)], expected={3: softmax(qs @ ks.T / 8.0) @ vs})


def sdpa_pv_ksplit() -> Case:
    a, b = f16(1, 8192), f16(8192, 128)
    product = a.astype(np.float64) @ b.astype(np.float64)
    return Case([a, b, zeros(1, 128)], expected={2: product}, atol=4e-1)


def indexed_add() -> Case:
    x, y = f16(128, 64, 8, 128), f16(2, 32, 8, 128)
    index = np.array([77, 5], np.int64)
    result = x[index, 0:32] + y
    return Case([x, y, index, zeros(2, 32, 8, 128), 0], expected={3: result}, rtol=0, atol=0)


def paged_attention() -> Case:
    tokens, heads, kv_heads, size, block, pages, tiles, context = 8, 32, 8, 128, 16, 64, 8, 120
    q = f16(tokens, heads, size)
    keys, values = f16(pages, block, kv_heads, size), f16(pages, block, kv_heads, size)
    table = RNG.permutation(pages)[:16].astype(np.int32).reshape(1, 16)
    scale = 1 / math.sqrt(size)
    k = keys[table[0, :tiles]].reshape(-1, kv_heads, size).astype(np.float64)
    v = values[table[0, :tiles]].reshape(-1, kv_heads, size).astype(np.float64)
    expected = np.zeros((tokens, heads, size))
    visible = np.arange(tiles * block)[None, :] <= context + np.arange(tokens)[:, None]
    for h in range(heads):
        score = scale * q[:, h].astype(np.float64) @ k[:, h // 4].T
        score = np.where(visible, score, -np.inf)
        # the kernel starts its running maximum at -inf and its running sum at 1, which the first
        # rescale by exp(-inf) = 0 removes again
        expected[:, h] = softmax(score) @ v[:, h // 4]
    args = [zeros(tokens, heads, size), q, keys, values, table, 0, 0, tiles, context, scale]
    return Case(args, expected={0: expected})


def ring(tiles: int, group: int, factor: int = 1) -> Callable[[], Case]:
    def build() -> Case:
        rows = RNG.uniform(1, 2, (tiles, 128)).astype(np.float16)
        sums = rows.astype(np.float64).reshape(tiles // group, group, 128).sum(1) * factor
        extra = [factor] if factor > 1 else []
        return Case([rows, zeros(tiles // group, 128), *extra], expected={1: sums})

    return build


def swiglu(rows: int, model: int, hidden: int) -> Callable[[], Case]:
    def build() -> Case:
        x = f16(rows, model)
        gate, up, down = (
            f16(model, hidden, scale=0.2),
            f16(model, hidden, scale=0.2),
            f16(hidden, model, scale=0.2),
        )
        xs, gs, us, ds = wide(x, gate, up, down)
        g = xs @ gs
        y = xs + (g / (1 + np.exp(-g)) * (xs @ us)) @ ds
        return Case([x, gate, up, down, zeros(rows, model)], expected={4: y}, atol=3e-1)

    return build


def rmsnorm() -> Case:
    x, w = f16(256, 4096), np.broadcast_to(f16(4096), (256, 4096)).copy()
    xs = x.astype(np.float64)
    y = xs / np.sqrt((xs * xs).mean(1, keepdims=True) + 1e-5) * w
    return Case([x, zeros(256, 4096), w, 4096, 1e-5, 1024], expected={1: y}, atol=3e-2)


def rope() -> Case:
    heads, length = 40, 4096
    x, cos, sin = f16(heads * length, 128), f16(length, 64), f16(length, 64)
    first, second = x.reshape(heads, length, 128)[..., :64], x.reshape(heads, length, 128)[..., 64:]
    y = np.concatenate([first * cos - second * sin, first * sin + second * cos], -1)
    return Case(
        [x, cos, sin, zeros(heads * length, 128)],
        expected={3: y.reshape(heads * length, 128)},
        rtol=0,
        atol=0,
    )


def rfc_add() -> Case:
    a, b = f16(96, 64), f16(96, 64)
    want = zeros(96, 64)
    want[:3] = a[:3] + b[:3]  # no grid: one tile, the first three rows
    return Case([], {1024: a, 12288: b, 18432: zeros(96, 64)}, expected={18432: want}, rtol=0, atol=0)


def distributed_copy() -> Case:
    full = f16(192, 64)
    memory = {0: full[:96].copy(), 24576: zeros(192, 64)}
    columns = zeros(64, 64)  # tile 0 holds its 32 rows by columns, 64 elements apart
    columns[:, :32] = full[96:128].T
    scratch = {(0, 12288): columns, (1, 16384): full[128:].copy()}
    return Case([], memory, scratch, {24576: full}, rtol=0, atol=0)


def distributed_columns(n: int) -> Callable[[], Case]:
    def build() -> Case:
        a, b = f16(64, n), f16(64, n)
        return Case([a, b, zeros(64, 2 * n), n], expected={2: np.concatenate([a, b], 1)}, rtol=0, atol=0)

    return build


def distributed_rows(n: int) -> Callable[[], Case]:
    def build() -> Case:
        a, b = f16(64, n), f16(64, n)
        return Case([a, b, zeros(128, n), n], expected={2: np.concatenate([a, b])}, rtol=0, atol=0)

    return build


# These two files number their addresses in sticks, so that in elements the four arrays would overlap.
APART = tuple(
    (f"%{name}_addr = arith.constant {old} ", f"%{name}_addr = arith.constant {new} ")
    for name, old, new in (("IDX1", 64, 65536), ("IDX2", 128, 131072), ("Y", 192, 196608))
)
APART += tuple((a.replace(" = ", "    = "), b) for a, b in APART if "Y_addr" in a)


def indirect_copy() -> Case:
    x = f16(64, 64)
    rows, columns = (RNG.integers(0, 64, (64, 64)).astype(np.int32) for _ in range(2))
    memory = {0: x, 65536: rows, 131072: columns, 196608: zeros(64, 64)}
    return Case([], memory, expected={196608: x[rows, columns]}, rtol=0, atol=0, edit=APART)


def indirect_scatter() -> Case:
    x = f16(64, 64)
    place = RNG.permutation(4096).reshape(64, 64)
    rows, columns = (place // 64).astype(np.int32), (place % 64).astype(np.int32)
    want = zeros(64, 64)
    want[rows, columns] = x
    memory = {0: x, 65536: rows, 131072: columns, 196608: zeros(64, 64)}
    return Case([], memory, expected={196608: want}, rtol=0, atol=0, edit=APART)


def paged_copy() -> Case:
    x = f16(100, 8, 64, 128)  # the view declares 10000 pages; the table names the first 100 only
    table = RNG.integers(0, 100, (4, 32)).astype(np.int32)
    want = x[table].transpose(0, 1, 3, 2, 4).reshape(4, 2048, 8, 128)
    memory = {30000000: x, 20000000: table, 10000000: zeros(4, 2048, 8, 128)}
    return Case([], memory, expected={10000000: want}, rtol=0, atol=0)


def paged_write() -> Case:
    x = f16(4, 2048, 8, 128)
    table = RNG.permutation(200)[:128].reshape(4, 32).astype(np.int32)
    want = zeros(200, 8, 64, 128)
    want[table] = x.reshape(4, 32, 64, 8, 128).transpose(0, 1, 3, 2, 4)
    memory = {10000000: x, 30000000: table, 40000000: zeros(200, 8, 64, 128)}
    return Case([], memory, expected={40000000: want}, rtol=0, atol=0)


CASES: list[tuple[str, str, Callable[[], Case]]] = [
    ("ktir/ffn_swiglu.mlir", "", swiglu(1, 64, 128)),
    ("ktir/ffn_swiglu_4core.mlir", "", swiglu(4, 256, 1024)),
    ("ktir/nested_yield.ktir", "", nested_yield),
    ("ktir/reduce_generic.mlir", "", reduce_generic),
    ("ktir/reduce_multiop.mlir", "", reduce_multiop),
    ("ktir/ring_reduce.mlir", "", ring(4, 4)),
    ("ktir/ring_reduce_inner_loop.mlir", "", ring(4, 4, 3)),
    ("ktir/scalar_broadcast.mlir", "", scalar_broadcast),
    ("ktir/softmax_wide.mlir", "", softmax_wide),
    ("latency/matmul_small.mlir", "", matmul(16, 64, 64, (8, 32, 32))),
    ("latency/ring_reduce_multi_group.mlir", "", ring(16, 4)),
    ("latency/rmsnorm_4core_2x2.mlir", "", rmsnorm),
    ("latency/rmsnorm_4core_4x1.mlir", "", rmsnorm),
    ("latency/rope_fwd_4x2.mlir", "", rope),
    ("latency/softmax_small.mlir", "", softmax_rows(64, 64)),
    ("latency/softmax_small_explicit.mlir", "", softmax_rows(64, 64)),
    ("rfc/add-with-control-flow.mlir", "", rfc_add),
    ("rfc/distributed-view-copy.mlir", "", distributed_copy),
    ("rfc/distributed-view-copy-dynamic.mlir", "n=16", distributed_columns(16)),
    ("rfc/distributed-view-copy-dynamic.mlir", "n=32", distributed_columns(32)),
    ("rfc/distributed-view-copy-rowmerge-dynamic.mlir", "n=16", distributed_rows(16)),
    ("rfc/distributed-view-copy-rowmerge-dynamic.mlir", "n=32", distributed_rows(32)),
    ("rfc/indirect-access-copy.mlir", "", indirect_copy),
    ("rfc/indirect-scatter.mlir", "", indirect_scatter),
    ("rfc/paged-tensor-copy.mlir", "", paged_copy),
    ("rfc/paged-tensor-write.mlir", "", paged_write),
    ("sdsc/sdpa_pv_ksplit.mlir", "", sdpa_pv_ksplit),
    ("triton-ktir/indexed_add.mlir", "", indexed_add),
    ("triton-ktir/layernorm_fwd_ktir.mlir", "", layernorm),
    ("triton-ktir/matmul_fwd_ktir.mlir", "", matmul(64, 8192, 2048, (32, 512, 128))),
    ("triton-ktir/paged_attention.mlir", "", paged_attention),
    ("triton-ktir/sdpa_2d.mlir", "", sdpa_2d),
    ("triton-ktir/softmax_fwd_ktir.mlir", "", softmax_rows(4096, 1024)),
    ("triton-ktir/vector_add_dynamic_ktir.mlir", "n=256", vector_add_dynamic(256)),
    ("triton-ktir/vector_add_dynamic_ktir.mlir", "n=1000", vector_add_dynamic(1000)),
    ("triton-ktir/vector_add_ktir.mlir", "", vector_add),
]


@dataclass
class Outcome:
    read_ms: float = math.nan
    run_ms: float = math.nan
    error: str = ""  # empty: ran and is right

    @property
    def ran(self) -> bool:
        return not math.isnan(self.run_ms)


def _judge(case: Case, found: Callable[[int], Array]) -> str:
    """What is wrong with the results, or nothing."""
    for key, want in case.expected.items():
        got, want = np.asarray(found(key), np.float64).reshape(want.shape), np.asarray(want, np.float64)
        close = np.isclose(got, want, case.rtol, case.atol)
        if not close.all():
            worst = float(np.nanmax(np.abs(got - want)))
            return f"output {key}: {int((~close).sum())} of {close.size} differ, by {worst:.3g} at most"
    return ""


def ours(text: str, name: str, case: Case) -> Outcome:
    outcome = Outcome()
    try:
        start = time.perf_counter()
        module = read_text(text, name)
        outcome.read_ms = (time.perf_counter() - start) * 1e3
        start = time.perf_counter()
        result = run(module, case.args, memory=case.memory, scratch=case.scratch)
        outcome.run_ms = (time.perf_counter() - start) * 1e3
        outcome.error = _judge(case, lambda k: result.memory[k] if case.memory else result.outputs[k])
    except TilesatError as e:
        outcome.error = str(e)
    return outcome


def theirs(text: str, case: Case, interpreter: Any) -> Outcome:
    """ktir-cpu through its public class. Memory is seeded once its simulated memory exists."""
    outcome = Outcome()
    try:
        start = time.perf_counter()
        interpreter.load(text)
        outcome.read_ms = (time.perf_counter() - start) * 1e3
        (function,) = interpreter.module.functions
        prepare = interpreter._prepare_execution

        def seeded(grid: Any) -> None:
            prepare(grid)
            for address, x in case.memory.items():
                interpreter.memory.hbm.write(address * x.itemsize // STICK, x.ravel())
            for (tile, address), x in case.scratch.items():
                scratchpad = interpreter.memory.get_lx(tile)
                scratchpad.write(address * x.itemsize, x.ravel())
                # it keeps the kernel's tensors in the same memory, and would put them over the data
                end = address * x.itemsize + x.nbytes
                scratchpad.next_ptr = max(scratchpad.next_ptr, end)

        interpreter._prepare_execution = seeded
        keywords = dict(zip(interpreter.arg_names(function), (_copy(x) for x in case.args), strict=True))
        start = time.perf_counter()
        outputs = interpreter.execute_function(function, **keywords)
        outcome.run_ms = (time.perf_counter() - start) * 1e3
        names = list(keywords)
        if case.memory:
            kinds = {np.dtype(np.float16): "f16", np.dtype(np.int32): "i32"}

            def read(k: int) -> Array:
                x = case.memory[k]
                return np.asarray(
                    interpreter.memory.hbm.read(k * x.itemsize // STICK, x.size, kinds[x.dtype])
                )

            outcome.error = _judge(case, read)
        else:
            outcome.error = _judge(case, lambda k: outputs[names[k]])
    except Exception as e:  # whatever the other tool raises is its result
        outcome.error = f"{type(e).__name__}: {e}".splitlines()[0]
    return outcome


def _copy(x: Any) -> Any:
    return x.copy() if isinstance(x, np.ndarray) else x


def best(outcomes: list[Outcome]) -> Outcome:
    return min(outcomes, key=lambda o: o.run_ms if o.ran else math.inf)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", type=Path, required=True, help="a copy of torch-spyre/ktir-cpu")
    parser.add_argument("--repeat", type=int, default=1, help="runs per kernel and tool; the best one counts")
    parser.add_argument("--only", default="", help="kernels whose path contains this")
    parser.add_argument("--ours-only", action="store_true", help="do not run ktir-cpu")
    parser.add_argument("--at-least", type=float, default=20.0, help="total speed-up required")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(options.checkout))
    from ktir_cpu import KTIRInterpreter  # type: ignore[import-not-found]

    rows = []
    for path, variant, build in CASES:
        if options.only not in path:
            continue
        text = (options.checkout / "examples" / path).read_text(encoding="utf-8")
        case = build()
        for old, new in case.edit:
            text = text.replace(old, new)
        mine = best([ours(text, path, case) for _ in range(options.repeat)])
        count = 0 if options.ours_only else options.repeat
        other = best([theirs(text, case, KTIRInterpreter()) for _ in range(count)] or [Outcome()])
        rows.append((f"{path} {variant}".strip(), mine, other))
        if not options.json:
            _print(*rows[-1])
    both = [(m, t) for _, m, t in rows if m.ran and t.ran]
    totals = [sum(getattr(o[i], key) for o in both) for key in ("run_ms", "read_ms") for i in (0, 1)]
    faster = totals[1] / totals[0] if totals[0] else math.nan
    wrong = [name for name, m, _ in rows if m.error]
    if options.json:
        table = [{"kernel": n, "ours": vars(m), "ktir_cpu": vars(t)} for n, m, t in rows]
        print(json.dumps({"kernels": table, "speedup": faster, "wrong": wrong}))
    else:
        print(f"{len(rows)} kernels; ours wrong: {wrong or 'none'}")
        print(
            f"run, where both ran ({len(both)}): ours {totals[0]:.0f} ms, "
            f"ktir-cpu {totals[1]:.0f} ms: {faster:.1f}×"
        )
        print(f"read: ours {totals[2]:.0f} ms, ktir-cpu {totals[3]:.0f} ms")
    return 1 if wrong or (both and not options.ours_only and faster < options.at_least) else 0


def _print(name: str, mine: Outcome, other: Outcome) -> None:
    ratio = other.run_ms / mine.run_ms if mine.ran and other.ran else math.nan
    print(
        f"{name:58s} read {mine.read_ms:7.1f} {other.read_ms:8.1f}"
        f"  run {mine.run_ms:8.1f} {other.run_ms:9.1f} ms"
        f" {ratio:7.1f}×  {mine.error or 'right'}" + (f" | ktir-cpu: {other.error}" if other.error else ""),
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
