// z[i, j] = x[i, j] * b[j]: one row used by every row.
module {
  func.func @broadcast_row(%x: index, %b: index, %z: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c16 : index
    %X = ktdp.construct_memory_view %x, sizes: [64, 128], strides: [128, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x128xf16>
    %B = ktdp.construct_memory_view %b, sizes: [128], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 127 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<128xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [64, 128], strides: [128, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x128xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<64x128xf16> -> !ktdp.access_tile<16x128xindex>
    %bt = ktdp.construct_access_tile %B[%c0]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 127 - d0 >= 0)>}
      : memref<128xf16> -> !ktdp.access_tile<128xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<64x128xf16> -> !ktdp.access_tile<16x128xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<16x128xindex> -> tensor<16x128xf16>
    %v = ktdp.load %bt : !ktdp.access_tile<128xindex> -> tensor<128xf16>
    %init = tensor.empty() : tensor<16x128xf16>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
      ins(%a, %v : tensor<16x128xf16>, tensor<128xf16>) outs(%init : tensor<16x128xf16>) {
    ^bb0(%p: f16, %q: f16, %o: f16):
      %s = arith.mulf %p, %q : f16
      linalg.yield %s : f16
    } -> tensor<16x128xf16>
    ktdp.store %r, %zt : tensor<16x128xf16>, !ktdp.access_tile<16x128xindex>
    return
  }
}
