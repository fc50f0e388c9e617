"""A structured op whose result is dropped: later uses of `outs` see it, as KTIR's RFC writes its kernels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tilesat

KERNEL = """
#rows = affine_set<(r, c) : (r >= 0, 2 - r >= 0, c >= 0, 39 - c >= 0)>
#order = affine_map<(r, c) -> (r, c)>
module {
  func.func @sum(%x: index, %y: index, %z: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c3 : index
    VIEWS
    %a = ktdp.load %tx : !ktdp.access_tile<3x40xindex> -> tensor<3x40xf16>
    %b = ktdp.load %ty : !ktdp.access_tile<3x40xindex> -> tensor<3x40xf16>
    %c = tensor.empty() : tensor<3x40xf16>
    linalg.add ins(%a, %b : tensor<3x40xf16>, tensor<3x40xf16>)
      outs(%c : tensor<3x40xf16>) -> tensor<3x40xf16>
    ktdp.store %c, %tz : tensor<3x40xf16>, !ktdp.access_tile<3x40xindex>
    return
  }
}
"""
VIEW = """
    %vN = ktdp.construct_memory_view %N, sizes: [6, 40], strides: [40, 1] {
      coordinate_set = affine_set<(r, c) : (r >= 0, 5 - r >= 0, c >= 0, 39 - c >= 0)>,
      memory_space = #ktdp.memory_space<global>} : memref<6x40xf16>
    %tN = ktdp.construct_access_tile %vN[%row, %c0] {access_tile_set = #rows, access_tile_order = #order}
      : memref<6x40xf16> -> !ktdp.access_tile<3x40xindex>
"""


def test_later_uses_of_outs_see_the_result(tmp_path: Path) -> None:
    path = tmp_path / "sum.mlir"
    path.write_text(KERNEL.replace("VIEWS", "".join(VIEW.replace("N", n) for n in "xyz")))
    rng = np.random.default_rng(5)
    x, y = (rng.standard_normal((6, 40)).astype(np.float16) for _ in range(2))
    arguments = [x, y, np.zeros_like(x)]
    np.testing.assert_array_equal(tilesat.reference(path, arguments).outputs[2], x + y)
    np.testing.assert_array_equal(tilesat.run(path, arguments).outputs[2], x + y)
