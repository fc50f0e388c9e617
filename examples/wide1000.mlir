// z = x * x on rows of 1000 elements: 15 full sticks and a tail of 40.
module {
  func.func @wide1000(%x: index, %z: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c4 : index
    %X = ktdp.construct_memory_view %x, sizes: [8, 1000], strides: [1000, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 999 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<8x1000xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [8, 1000], strides: [1000, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 999 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<8x1000xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 999 - d1 >= 0)>}
      : memref<8x1000xf16> -> !ktdp.access_tile<4x1000xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 999 - d1 >= 0)>}
      : memref<8x1000xf16> -> !ktdp.access_tile<4x1000xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<4x1000xindex> -> tensor<4x1000xf16>
    %s = arith.mulf %a, %a : tensor<4x1000xf16>
    ktdp.store %s, %zt : tensor<4x1000xf16>, !ktdp.access_tile<4x1000xindex>
    return
  }
}
