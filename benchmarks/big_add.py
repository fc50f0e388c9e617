"""How close the 4096x4096 add comes to the bound, and the cost model to the simulator.

    python benchmarks/big_add.py [--arch spyre]

Limits: simulated cycles within 5 % of the bound, predicted cycles within 10 % of the simulated ones.
Exit status 1 when one is missed or a result is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

SLACK, ERROR = 1.05, 0.10
EXAMPLE = Path(__file__).parents[1] / "examples" / "big_add.mlir"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arch", default="spyre")
    args = parser.parse_args()
    import tilesat

    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal((4096, 4096), np.float32).astype(np.float16) for _ in range(2))
    start = time.perf_counter()
    program = tilesat.compile(EXAMPLE, arch=args.arch)
    compiled = time.perf_counter() - start
    result = tilesat.run(program, [x, y, np.zeros_like(x)])
    right = bool((result.outputs[2] == x + y).all())
    ratio = result.cycles / result.bound_cycles
    error = abs(program.cost.cycles - result.cycles) / result.cycles
    print(program.schedule[program.schedule.index("  (body") :].rstrip())
    print(f"results {'equal' if right else 'DIFFER FROM'} NumPy's")
    bound = f"{ratio:.4f} x bound ({result.bound_cycles:,.0f}); limit {SLACK}"
    print(f"simulated {result.cycles:,} cycles = {bound}")
    print(f"predicted {program.cost.cycles:,.0f} cycles, {100 * error:.2f} % off; limit {100 * ERROR:.0f} %")
    print(f"compile {1000 * compiled:.0f}, launch {result.launch_ms:.0f}, simulation {result.sim_ms:.0f} ms")
    return 0 if right and ratio <= SLACK and error <= ERROR else 1


if __name__ == "__main__":
    sys.exit(main())
