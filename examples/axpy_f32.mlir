// z = s x + y in f32 with a scalar s given at launch.
module {
  func.func @axpy_f32(%s: f32, %x: index, %y: index, %z: index) attributes {grid = [8]} {
    %c512 = arith.constant 512 : index
    %id = ktdp.get_compute_tile_id : index
    %at = arith.muli %id, %c512 : index
    %X = ktdp.construct_memory_view %x, sizes: [4096], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 4095 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<4096xf32>
    %Y = ktdp.construct_memory_view %y, sizes: [4096], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 4095 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<4096xf32>
    %Z = ktdp.construct_memory_view %z, sizes: [4096], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 4095 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<4096xf32>
    %xt = ktdp.construct_access_tile %X[%at]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 511 - d0 >= 0)>}
      : memref<4096xf32> -> !ktdp.access_tile<512xindex>
    %yt = ktdp.construct_access_tile %Y[%at]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 511 - d0 >= 0)>}
      : memref<4096xf32> -> !ktdp.access_tile<512xindex>
    %zt = ktdp.construct_access_tile %Z[%at]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 511 - d0 >= 0)>}
      : memref<4096xf32> -> !ktdp.access_tile<512xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<512xindex> -> tensor<512xf32>
    %b = ktdp.load %yt : !ktdp.access_tile<512xindex> -> tensor<512xf32>
    %k = tensor.splat %s : tensor<512xf32>
    %m = arith.mulf %k, %a : tensor<512xf32>
    %c = arith.addf %m, %b : tensor<512xf32>
    ktdp.store %c, %zt : tensor<512xf32>, !ktdp.access_tile<512xindex>
    return
  }
}
