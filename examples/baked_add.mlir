// z = x + y on 96x64 at constant addresses (in elements): x at 4096, y at 16384, z at 32768.
module {
  func.func @baked_add() attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4096 = arith.constant 4096 : index
    %c16384 = arith.constant 16384 : index
    %c32768 = arith.constant 32768 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c3 : index
    %X = ktdp.construct_memory_view %c4096, sizes: [96, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 95 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<96x64xf16>
    %Y = ktdp.construct_memory_view %c16384, sizes: [96, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 95 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<96x64xf16>
    %Z = ktdp.construct_memory_view %c32768, sizes: [96, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 95 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<96x64xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    %yt = ktdp.construct_access_tile %Y[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<3x64xindex> -> tensor<3x64xf16>
    %b = ktdp.load %yt : !ktdp.access_tile<3x64xindex> -> tensor<3x64xf16>
    %c = arith.addf %a, %b : tensor<3x64xf16>
    ktdp.store %c, %zt : tensor<3x64xf16>, !ktdp.access_tile<3x64xindex>
    return
  }
}
