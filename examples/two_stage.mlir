// t = x + y goes to memory and is read again: z = t * t.
module {
  func.func @two_stage(%x: index, %y: index, %t: index, %z: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c8 : index
    %X = ktdp.construct_memory_view %x, sizes: [32, 128], strides: [128, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 31 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<32x128xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [32, 128], strides: [128, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 31 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<32x128xf16>
    %T = ktdp.construct_memory_view %t, sizes: [32, 128], strides: [128, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 31 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<32x128xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [32, 128], strides: [128, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 31 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<32x128xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    %yt = ktdp.construct_access_tile %Y[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    %tt = ktdp.construct_access_tile %T[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<8x128xindex> -> tensor<8x128xf16>
    %b = ktdp.load %yt : !ktdp.access_tile<8x128xindex> -> tensor<8x128xf16>
    %sum = arith.addf %a, %b : tensor<8x128xf16>
    ktdp.store %sum, %tt : tensor<8x128xf16>, !ktdp.access_tile<8x128xindex>
    %again = ktdp.load %tt : !ktdp.access_tile<8x128xindex> -> tensor<8x128xf16>
    %c = arith.mulf %again, %again : tensor<8x128xf16>
    ktdp.store %c, %zt : tensor<8x128xf16>, !ktdp.access_tile<8x128xindex>
    return
  }
}
