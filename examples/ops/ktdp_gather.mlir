// Gathers: rows named by a table with the columns shifted by the tile, a permuted order over a 2-D table,
// and a tile without variables. 4 tiles.
module {
  func.func @ktdp_gather(%x: index, %rows: index, %grid: index, %out: index, %turned: index, %single: index) attributes {grid = [4]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %X = ktdp.construct_memory_view %x, sizes: [20, 12], strides: [12, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 19 - d0 >= 0, d1 >= 0, 11 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<20x12xf16>
    %R = ktdp.construct_memory_view %rows, sizes: [4, 5], strides: [5, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 4 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x5xi32>
    %G = ktdp.construct_memory_view %grid, sizes: [4, 6], strides: [6, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 5 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x6xi64>
    %out_view = ktdp.construct_memory_view %out, sizes: [4, 5, 8], strides: [40, 8, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 7 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x5x8xf16>
    %turned_view = ktdp.construct_memory_view %turned, sizes: [4, 3, 2], strides: [6, 2, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 2 - d1 >= 0, d2 >= 0, 1 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x3x2xf16>
    %single_view = ktdp.construct_memory_view %single, sizes: [4], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 3 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
    %g = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %X[ind(%R[%id, %r]), (%c + %id)]
      {variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, variables_space_set = affine_set<(d0, d1) : (d0 >= 0, 4 - d0 >= 0, d1 >= 0, 7 - d1 >= 0)>}
      : memref<20x12xf16>, memref<4x5xi32> -> !ktdp.access_tile<5x8xindex>
    %gv = ktdp.load %g : <5x8xindex> -> tensor<5x8xf16>
    %g3 = tensor.expand_shape %gv [[0, 1], [2]] output_shape [1, 5, 8] : tensor<5x8xf16> into tensor<1x5x8xf16>
    %t1 = ktdp.construct_access_tile %out_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 7 - d2 >= 0)>}
      : memref<4x5x8xf16> -> !ktdp.access_tile<1x5x8xindex>
    ktdp.store %g3, %t1 : tensor<1x5x8xf16>, !ktdp.access_tile<1x5x8xindex>
    // 2x3 points in the order of columns first: the result is 3x2.
    %p = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %X[ind(%R[%id, %a + 1]), ind(%G[%a floordiv 2 + %id, %b * 2])]
      {variables_space_order = affine_map<(d0, d1) -> (d1, d0)>, variables_space_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 2 - d1 >= 0)>}
      : memref<20x12xf16>, memref<4x5xi32>, memref<4x6xi64> -> !ktdp.access_tile<3x2xindex>
    %pv = ktdp.load %p : <3x2xindex> -> tensor<3x2xf16>
    %p3 = tensor.expand_shape %pv [[0, 1], [2]] output_shape [1, 3, 2] : tensor<3x2xf16> into tensor<1x3x2xf16>
    %t2 = ktdp.construct_access_tile %turned_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 2 - d1 >= 0, d2 >= 0, 1 - d2 >= 0)>}
      : memref<4x3x2xf16> -> !ktdp.access_tile<1x3x2xindex>
    ktdp.store %p3, %t2 : tensor<1x3x2xf16>, !ktdp.access_tile<1x3x2xindex>
    %s = ktdp.construct_indirect_access_tile intermediate_variables() %X[ind(%R[%id, %c3]), (%id * 2)]
      {variables_space_order = affine_map<() -> ()>, variables_space_set = affine_set<() : ()>}
      : memref<20x12xf16>, memref<4x5xi32> -> !ktdp.access_tile<index>
    %sv = ktdp.load %s : <index> -> tensor<f16>
    %s1 = tensor.expand_shape %sv [] output_shape [1] : tensor<f16> into tensor<1xf16>
    %t3 = ktdp.construct_access_tile %single_view[%id]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 0 - d0 >= 0)>}
      : memref<4xf16> -> !ktdp.access_tile<1xindex>
    ktdp.store %s1, %t3 : tensor<1xf16>, !ktdp.access_tile<1xindex>
    return
  }
}
