// z = x + y over 2048 elements; how far apart the tiles are is said at launch.
module {
  func.func @given_step(%x: index, %y: index, %z: index, %step: index) attributes {grid = [32]} {
    %id = ktdp.get_compute_tile_id : index
    %start = arith.muli %id, %step : index
    %X = ktdp.construct_memory_view %x, sizes: [2048], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 2047 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<2048xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [2048], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 2047 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<2048xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [2048], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 2047 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<2048xf16>
    %xt = ktdp.construct_access_tile %X[%start]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 63 - d0 >= 0)>}
      : memref<2048xf16> -> !ktdp.access_tile<64xindex>
    %yt = ktdp.construct_access_tile %Y[%start]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 63 - d0 >= 0)>}
      : memref<2048xf16> -> !ktdp.access_tile<64xindex>
    %zt = ktdp.construct_access_tile %Z[%start]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 63 - d0 >= 0)>}
      : memref<2048xf16> -> !ktdp.access_tile<64xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<64xindex> -> tensor<64xf16>
    %b = ktdp.load %yt : !ktdp.access_tile<64xindex> -> tensor<64xf16>
    %c = arith.addf %a, %b : tensor<64xf16>
    ktdp.store %c, %zt : tensor<64xf16>, !ktdp.access_tile<64xindex>
    return
  }
}
