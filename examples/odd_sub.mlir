// z = x - y on 35x101: rows that are no multiple of a stick and start anywhere.
module {
  func.func @odd_sub(%x: index, %y: index, %z: index) attributes {grid = [7]} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c5 : index
    %X = ktdp.construct_memory_view %x, sizes: [35, 101], strides: [101, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 34 - d0 >= 0, d1 >= 0, 100 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<35x101xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [35, 101], strides: [101, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 34 - d0 >= 0, d1 >= 0, 100 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<35x101xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [35, 101], strides: [101, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 34 - d0 >= 0, d1 >= 0, 100 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<35x101xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 4 - d0 >= 0, d1 >= 0, 100 - d1 >= 0)>}
      : memref<35x101xf16> -> !ktdp.access_tile<5x101xindex>
    %yt = ktdp.construct_access_tile %Y[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 4 - d0 >= 0, d1 >= 0, 100 - d1 >= 0)>}
      : memref<35x101xf16> -> !ktdp.access_tile<5x101xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 4 - d0 >= 0, d1 >= 0, 100 - d1 >= 0)>}
      : memref<35x101xf16> -> !ktdp.access_tile<5x101xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<5x101xindex> -> tensor<5x101xf16>
    %b = ktdp.load %yt : !ktdp.access_tile<5x101xindex> -> tensor<5x101xf16>
    %c = arith.subf %a, %b : tensor<5x101xf16>
    ktdp.store %c, %zt : tensor<5x101xf16>, !ktdp.access_tile<5x101xindex>
    return
  }
}
