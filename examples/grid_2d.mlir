// z = -x on 128x256 with a 2-D grid: 4 tiles down, 2 across.
module {
  func.func @grid_2d(%x: index, %z: index) attributes {grid = [4, 2]} {
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %p, %q = ktdp.get_compute_tile_id : index, index
    %row = arith.muli %p, %c32 : index
    %col = arith.muli %q, %c128 : index
    %X = ktdp.construct_memory_view %x, sizes: [128, 256], strides: [256, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 127 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<128x256xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [128, 256], strides: [256, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 127 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<128x256xf16>
    %xt = ktdp.construct_access_tile %X[%row, %col]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 31 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<128x256xf16> -> !ktdp.access_tile<32x128xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %col]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 31 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<128x256xf16> -> !ktdp.access_tile<32x128xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<32x128xindex> -> tensor<32x128xf16>
    %n = arith.negf %a : tensor<32x128xf16>
    ktdp.store %n, %zt : tensor<32x128xf16>, !ktdp.access_tile<32x128xindex>
    return
  }
}
