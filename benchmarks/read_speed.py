"""Reading speed, side by side with ktir-cpu's parser on its own examples, in one process.

    python benchmarks/read_speed.py KTIR_CPU_CHECKOUT [--repeat 5] [--json]

Each file is read once to warm up (imports, caches); then the best of `--repeat` readings counts, in CPU time,
the two readers taking turns so that both see the same machine, garbage collection switched off for both.
Exit status 1 when tilesat is slower in total.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tilesat.diagnostics import TilesatError
from tilesat.ktir import read_text


def best_of(readers: dict[str, Callable[[str], object]], text: str, repeat: int) -> dict[str, float]:
    """Milliseconds per reader; infinite for one that refuses the text."""
    best = dict.fromkeys(readers, float("inf"))
    for turn in range(repeat + 1):
        for name, read in readers.items():
            begin = time.thread_time()
            try:
                read(text)
            except (TilesatError, Exception):  # the other parser has its own exceptions
                continue
            if turn:
                best[name] = min(best[name], (time.thread_time() - begin) * 1e3)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    sys.path.insert(0, str(args.checkout))
    gc.disable()
    from ktir_cpu.parser import KTIRParser  # type: ignore[import-not-found]

    readers: dict[str, Callable[[str], object]] = {
        "tilesat": read_text,
        "ktir-cpu": lambda text: KTIRParser().parse_module(text),
    }
    examples = args.checkout / "examples"
    rows = {}
    for path in sorted([*examples.rglob("*.mlir"), *examples.rglob("*.ktir")]):
        rows[str(path.relative_to(examples))] = best_of(
            readers, path.read_text(encoding="utf-8"), args.repeat
        )
    both = [r for r in rows.values() if all(v < float("inf") for v in r.values())]
    total = {name: round(sum(r[name] for r in both), 2) for name in readers}
    if args.json:
        print(json.dumps({"files": rows, "total_ms": total, "compared": len(both)}, indent=1))
    else:
        for name, row in rows.items():
            print(f"{name:50}" + "".join(f"{k} {v:8.2f} ms   " for k, v in row.items()))
        print(f"{'total of ' + str(len(both)):50}" + "".join(f"{k} {v:8.2f} ms   " for k, v in total.items()))
    return int(total["tilesat"] > total["ktir-cpu"])


if __name__ == "__main__":
    sys.exit(main())
