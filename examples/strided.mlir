// z[i, j] = -x[i, 2 j]: every other element of a row of 128.
module {
  func.func @strided(%x: index, %z: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c8 : index
    %X = ktdp.construct_memory_view %x, sizes: [16, 64], strides: [128, 2]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<16x64xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [16, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<16x64xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<16x64xf16> -> !ktdp.access_tile<8x64xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<16x64xf16> -> !ktdp.access_tile<8x64xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf16>
    %n = arith.negf %a : tensor<8x64xf16>
    ktdp.store %n, %zt : tensor<8x64xf16>, !ktdp.access_tile<8x64xindex>
    return
  }
}
