"""Compile and run the elementwise kernels of other projects, and compare with the reference interpreter.

    python benchmarks/upstream_elementwise.py [--arch A]… [--strategy S]… [--all] [--verify-with TOOL] PATH…

Every *.mlir and *.ktir file below the paths (scratch checkouts, say, of torch-spyre's ktir-cpu and
dataflow-scheduler) is read; a file may hold several modules separated by `// -----`. Kernels that are not
elementwise (they reduce, contract, gather, communicate or carry values) are left out unless --all.
Buffers get random contents. Exit status 1 when an elementwise kernel does not run or is wrong.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

# Kinds of meaning (ktir_specs: `semantics`) that an elementwise kernel may use.
ELEMENTWISE = {"memory_view", "access_tile", "tile_id", "runtime_arg", "load", "store", "constant", "for"}
ELEMENTWISE |= {"yield", "function", "scalar", "empty", "splat", "elementwise", "generic", "broadcast"}
ELEMENTWISE |= {"index", "affine_apply"}
DYNAMIC = 1 << 16  # elements of a buffer whose size the kernel leaves open
SIZE, SCALAR = 128, 1  # value of a scalar argument: one whose name speaks of a size or a length, and others


def modules(paths: list[Path]) -> Iterator[tuple[str, str]]:
    """(name, text) of every module in every file, without declarations of a device: --arch says that."""
    for path in paths:
        files = (
            sorted(p for p in path.rglob("*") if p.suffix in (".mlir", ".ktir")) if path.is_dir() else [path]
        )
        for file in files:
            parts = re.split(
                r"^// -----$", file.read_text(encoding="utf-8", errors="replace"), flags=re.MULTILINE
            )
            for k, text in enumerate(parts):
                yield f"{file}#{k}" if len(parts) > 1 else str(file), without_device(text)


def without_device(text: str) -> str:
    """The text without a line `ktdf_arch.device … import("…")`."""
    return re.sub(r"^\s*ktdf_arch\.device .*import\(.*\)\s*$", "", text, flags=re.MULTILINE)


def is_elementwise(function: Any) -> bool:
    from tilesat.schedule.lift_tensor import semantics

    inner = [op for op in function.walk() if op is not function]
    kinds = {semantics(op.name) for op in inner if op.name not in ("func.return", "builtin.module")}
    carried = any(semantics(op.name) == "for" and op.results for op in inner)
    reduces = any("reduction" in str(op.attributes.get("iterator_types", "")) for op in inner)
    return kinds <= ELEMENTWISE and not carried and not reduces and "store" in kinds


def arguments(opened: Any, seed: int) -> tuple[list[Any], dict[int, Any]]:
    """Random buffers where the kernel's views say what they are, small numbers for the rest."""
    from tilesat.kernel_interface import baked_views
    from tilesat.numerics import dtype

    rng = np.random.default_rng(seed)

    def buffer(element: str, size: int) -> Any:
        kind = dtype(element)
        if kind.is_float:
            return kind.to_storage(kind.round(rng.standard_normal(size).astype(np.float32)))
        return rng.integers(0, 2, size).astype(kind.storage)

    def number(name: str) -> int:
        return SIZE if re.search("size|elements|len|block|step", name, re.IGNORECASE) else SCALAR

    values = [
        buffer(p.dtype or "f16", p.elements or DYNAMIC) if p.buffer else number(p.name)
        for p in opened.parameters
    ]
    spans: dict[int, tuple[str, int]] = {}
    for view in sorted(baked_views(opened.function), key=lambda v: v.address):
        end = view.address + (view.extent or DYNAMIC)
        inside = next((a for a, (_, last) in spans.items() if a <= view.address < last), view.address)
        spans[inside] = (view.dtype, max(end, spans.get(inside, ("", end))[1]))
    return values, {at: buffer(element, end - at) for at, (element, end) in spans.items()}


def attempt(path: Path, arch: str, strategy: str, everything: bool, tool: str) -> tuple[str, str]:
    """(verdict, detail) of one module."""
    from tilesat.arguments import Arguments
    from tilesat.compiler import compile_kernel, open_kernel
    from tilesat.diagnostics import TilesatError
    from tilesat.runner import compare, run_compiled

    try:
        opened = open_kernel(path, arch, isolate=True)
        if opened.module is None or not any("ktdp." in op.name for op in opened.function.walk()):
            return "not KTIR", ""
        if not everything and not is_elementwise(opened.function):
            return "not elementwise", ""
    except TilesatError as error:
        return "not KTIR", str(error)
    try:
        program = compile_kernel(opened.ktir, arch=opened.arch, strategy=strategy, stop="ktir")
        values, memory = arguments(program, seed=1)
        given = Arguments.of(values, memory)
        result = run_compiled(program, given)
        verdict = compare(program, given, result)
    except TilesatError as error:
        return "REFUSED", str(error)
    except Exception as error:  # report and go on: the corpus is not ours
        return "INTERNAL", f"{type(error).__name__}: {error}"
    detail = f"{result.cycles:,} cycles; {verdict.text}"
    if tool and (refusal := refused_by(tool, path.with_suffix(".dataflow.mlir"), program.dataflow)):
        return "UPSTREAM", refusal
    return ("ok" if verdict.matches else "WRONG"), detail


def refused_by(tool: str, file: Path, dataflow: str) -> str:
    """What upstream's tool says about DataflowIR text; empty when it accepts it."""
    file.write_text(dataflow, encoding="utf-8")
    done = subprocess.run([tool, str(file)], capture_output=True, text=True, check=False)
    return (done.stderr or done.stdout or "refused") if done.returncode else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--arch", action="append")
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--all", action="store_true", help="not only elementwise kernels")
    parser.add_argument(
        "--verify-with", default="", metavar="TOOL", help="upstream's dialects tool, run on the DataflowIR"
    )
    args = parser.parse_args()
    totals: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, text) in enumerate(modules(args.paths)):
            path = Path(folder) / f"{number}.mlir"
            path.write_text(text, encoding="utf-8")
            for arch in args.arch or ["spyre", "sample-device"]:
                for strategy in args.strategy or ["default", "none"]:
                    verdict, detail = attempt(path, arch, strategy, args.all, args.verify_with)
                    totals[verdict] += 1
                    if verdict not in ("not KTIR", "not elementwise"):
                        print(f"{verdict:9} {arch}/{strategy} {name}: {detail.replace(folder, '')[:240]}")
    print(", ".join(f"{verdict} {count}" for verdict, count in sorted(totals.items())))
    return 1 if any(totals[bad] for bad in ("REFUSED", "WRONG", "INTERNAL", "UPSTREAM")) else 0


if __name__ == "__main__":
    sys.exit(main())
