// A scatter of 6 rows per tile, 3 tiles, into rows named by a table; rows named twice keep the last one written.
module {
  func.func @ktdp_scatter(%x: index, %rows: index, %y: index) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    %first = arith.muli %id, %c6 : index
    %X = ktdp.construct_memory_view %x, sizes: [18, 7], strides: [7, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 17 - d0 >= 0, d1 >= 0, 6 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<18x7xf32>
    %R = ktdp.construct_memory_view %rows, sizes: [18], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 17 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<18xi32>
    %Y = ktdp.construct_memory_view %y, sizes: [25, 7], strides: [7, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 24 - d0 >= 0, d1 >= 0, 6 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<25x7xf32>
    %t1 = ktdp.construct_access_tile %X[%first, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 5 - d0 >= 0, d1 >= 0, 6 - d1 >= 0)>}
      : memref<18x7xf32> -> !ktdp.access_tile<6x7xindex>
    %v = ktdp.load %t1 : !ktdp.access_tile<6x7xindex> -> tensor<6x7xf32>
    %t = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %Y[ind(%R[%first + %r]), (%c)]
      {variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, variables_space_set = affine_set<(d0, d1) : (d0 >= 0, 5 - d0 >= 0, d1 >= 0, 6 - d1 >= 0)>}
      : memref<25x7xf32>, memref<18xi32> -> !ktdp.access_tile<6x7xindex>
    ktdp.store %v, %t : tensor<6x7xf32>, !ktdp.access_tile<6x7xindex>
    return
  }
}
