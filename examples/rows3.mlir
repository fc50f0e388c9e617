// z = x + y on 3 rows of one compute tile: an odd count for two corelets.
module {
  func.func @rows3(%x: index, %y: index, %z: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 3 : index
    %id = ktdp.get_compute_tile_id : index
    %first = arith.muli %id, %rows : index
    %X = ktdp.construct_memory_view %x, sizes: [3, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<3x64xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [3, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<3x64xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [3, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<3x64xf16>
    scf.for %i = %c0 to %rows step %c1 {
      %row = arith.addi %first, %i : index
      %xt = ktdp.construct_access_tile %X[%row, %c0]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
        : memref<3x64xf16> -> !ktdp.access_tile<1x64xindex>
      %yt = ktdp.construct_access_tile %Y[%row, %c0]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
        : memref<3x64xf16> -> !ktdp.access_tile<1x64xindex>
      %a = ktdp.load %xt : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
      %b = ktdp.load %yt : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
      %init = tensor.empty() : tensor<1x64xf16>
      %c = linalg.add ins(%a, %b : tensor<1x64xf16>, tensor<1x64xf16>) outs(%init : tensor<1x64xf16>) -> tensor<1x64xf16>
      %zt = ktdp.construct_access_tile %Z[%row, %c0]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
        : memref<3x64xf16> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %c, %zt : tensor<1x64xf16>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
