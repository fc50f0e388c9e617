"""A kernel that stores nothing is legal: it compiles to a program in which no unit has anything to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tilesat

IDLE = """
module {
  func.func @idle(%x: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    return
  }
}
"""


def test_a_kernel_without_effects_runs_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "idle.mlir"
    path.write_text(IDLE)
    x = np.arange(4, dtype=np.float16)
    program = tilesat.compile(path)
    result = tilesat.run(program, [x])
    assert result.cycles == 0
    assert "nan" not in result.summary()
    np.testing.assert_array_equal(result.outputs[0], x)
