// t = x + y, loaded again four times over: z = t * t. Later inputs of a unit depend on its earlier output.
module {
  func.func @load_again(%x: index, %y: index, %t: index, %z: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %X = ktdp.construct_memory_view %x, sizes: [3, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<3x64xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [3, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<3x64xf16>
    %T = ktdp.construct_memory_view %t, sizes: [3, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<3x64xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [3, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<3x64xf16>
    %xt = ktdp.construct_access_tile %X[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<3x64xf16> -> !ktdp.access_tile<3x64xindex>
    %yt = ktdp.construct_access_tile %Y[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<3x64xf16> -> !ktdp.access_tile<3x64xindex>
    %tt = ktdp.construct_access_tile %T[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<3x64xf16> -> !ktdp.access_tile<3x64xindex>
    %zt = ktdp.construct_access_tile %Z[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<3x64xf16> -> !ktdp.access_tile<3x64xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<3x64xindex> -> tensor<3x64xf16>
    %b = ktdp.load %yt : !ktdp.access_tile<3x64xindex> -> tensor<3x64xf16>
    %sum = arith.addf %a, %b : tensor<3x64xf16>
    ktdp.store %sum, %tt : tensor<3x64xf16>, !ktdp.access_tile<3x64xindex>
    scf.for %i = %c0 to %c4 step %c1 {
      %again = ktdp.load %tt : !ktdp.access_tile<3x64xindex> -> tensor<3x64xf16>
      %sq = arith.mulf %again, %again : tensor<3x64xf16>
      ktdp.store %sq, %zt : tensor<3x64xf16>, !ktdp.access_tile<3x64xindex>
    }
    return
  }
}
