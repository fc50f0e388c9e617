// z[i, j] = x[i, j + 3] + x[i, j + 1]: one buffer read twice, neither time at a stick's start.
module {
  func.func @shifted(%x: index, %z: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c4 : index
    %X = ktdp.construct_memory_view %x, sizes: [16, 128], strides: [128, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<16x128xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [16, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<16x64xf16>
    %right = ktdp.construct_access_tile %X[%row, %c3]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<16x128xf16> -> !ktdp.access_tile<4x64xindex>
    %left = ktdp.construct_access_tile %X[%row, %c1]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<16x128xf16> -> !ktdp.access_tile<4x64xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    %a = ktdp.load %right : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
    %b = ktdp.load %left : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
    %c = arith.addf %a, %b : tensor<4x64xf16>
    ktdp.store %c, %zt : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
    return
  }
}
