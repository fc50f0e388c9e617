"""How long compiling takes: a warm `tilesat.compile`, and the whole command in a fresh process.

    python benchmarks/compile_latency.py [KERNEL] [--repeat N]

Limits: 100 ms and 1 s, for the least disturbed of the repetitions. Exit status 1 when one is missed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

WARM_MS, COMMAND_MS = 100, 1000
EXAMPLE = Path(__file__).parents[1] / "examples" / "add_96x64.mlir"


def measured(action: Callable[[], object], repeat: int) -> list[float]:
    """Milliseconds of each call, after one that is not counted."""
    action()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(1000 * (time.perf_counter() - start))
    return times


def report(what: str, times: list[float], limit: float) -> bool:
    best = min(times)
    verdict = "ok" if best <= limit else "TOO SLOW"
    median = statistics.median(times)
    print(f"{what:26} best {best:6.1f} ms, median {median:6.1f} ms, limit {limit:.0f} ms: {verdict}")
    return best <= limit


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernel", nargs="?", default=str(EXAMPLE))
    parser.add_argument("--repeat", type=int, default=9)
    args = parser.parse_args()
    import tilesat

    warm = measured(lambda: tilesat.compile(args.kernel).spyrecode, args.repeat)
    stages = tilesat.compile(args.kernel).seconds
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tilesat", "compile", args.kernel, "-o", f"{folder}/k.spyrecode"]
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"  # compiled modules are kept, as in an installation
        used = os.times()
        cold = measured(
            lambda: subprocess.run(command, check=True, capture_output=True, env=env), args.repeat
        )
        now = os.times()
    good = [
        report("tilesat.compile, warm", warm, WARM_MS),
        report("tilesat compile, command", cold, COMMAND_MS),
    ]
    cpu = now.children_user + now.children_system - used.children_user - used.children_system
    print(f"processor time of one command: {1000 * cpu / (args.repeat + 1):.0f} ms (with the first)")
    print("stages: " + ", ".join(f"{stage} {1000 * s:.1f} ms" for stage, s in stages.items()))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
