// What views and tiles can do: strides against the memref's layout, a visiting order by columns, a triangle of
// coordinates, a tile that begins before its view, a scalar view, and the older name of the tile id. 3 tiles of a 6x4 array.
module {
  func.func @ktdp_views(%x: index, %by_columns: index, %triangle: index, %before: index, %scalar: index) attributes {grid = [3]} {
    %id = ktdp.coreid : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %row = arith.muli %id, %c2 : index
    // x holds the array column by column; the memref type says nothing about it.
    %X = ktdp.construct_memory_view %x, sizes: [6, 4], strides: [1, 6]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 5 - d0 >= 0, d1 >= 0, 3 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<6x4xf32>
    %B = ktdp.construct_memory_view %by_columns, sizes: [3, 4, 2], strides: [8, 2, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 1 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x4x2xf32>
    %T = ktdp.construct_memory_view %triangle, sizes: [3, 2, 4], strides: [8, 4, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 3 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x2x4xf32>
    %E = ktdp.construct_memory_view %before, sizes: [3, 4, 4], strides: [16, 4, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 3 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x4x4xf32>
    %ordered = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(r, c) -> (c, r)>, access_tile_set = affine_set<(r, c) : (r >= 0, 1 - r >= 0, c >= 0, 3 - c >= 0)>}
      : memref<6x4xf32> -> !ktdp.access_tile<4x2xindex>
    %o = ktdp.load %ordered : !ktdp.access_tile<4x2xindex> -> tensor<4x2xf32>
    %o3 = tensor.expand_shape %o [[0, 1], [2]] output_shape [1, 4, 2] : tensor<4x2xf32> into tensor<1x4x2xf32>
    %t1 = ktdp.construct_access_tile %B[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 1 - d2 >= 0)>}
      : memref<3x4x2xf32> -> !ktdp.access_tile<1x4x2xindex>
    ktdp.store %o3, %t1 : tensor<1x4x2xf32>, !ktdp.access_tile<1x4x2xindex>
    %corner = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(r, c) -> (r, c)>, access_tile_set = affine_set<(r, c) : (r >= 0, 1 - r >= 0, c >= 0, 3 - c >= 0, c - r * 2 >= 0)>}
      : memref<6x4xf32> -> !ktdp.access_tile<2x4xindex>
    %tv = ktdp.load %corner : !ktdp.access_tile<2x4xindex> -> tensor<2x4xf32>
    %tri = tensor.expand_shape %tv [[0, 1], [2]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %t2 = ktdp.construct_access_tile %T[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 3 - d2 >= 0)>}
      : memref<3x2x4xf32> -> !ktdp.access_tile<1x2x4xindex>
    ktdp.store %tri, %t2 : tensor<1x2x4xf32>, !ktdp.access_tile<1x2x4xindex>
    // Rows -1 … 2, 1 … 4, 3 … 6: the first and the last tile reach beyond the view.
    %early = ktdp.construct_access_tile %X[%row - 1, %c0]
      {access_tile_order = affine_map<(r, c) -> (r, c)>, access_tile_set = affine_set<(r, c) : (r >= 0, 3 - r >= 0, c >= 0, 3 - c >= 0)>}
      : memref<6x4xf32> -> !ktdp.access_tile<4x4xindex>
    %b = ktdp.load %early : !ktdp.access_tile<4x4xindex> -> tensor<4x4xf32>
    %b3 = tensor.expand_shape %b [[0, 1], [2]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %t3 = ktdp.construct_access_tile %E[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 3 - d2 >= 0)>}
      : memref<3x4x4xf32> -> !ktdp.access_tile<1x4x4xindex>
    ktdp.store %b3, %t3 : tensor<1x4x4xf32>, !ktdp.access_tile<1x4x4xindex>
    %at = arith.addi %scalar, %id : index
    %S = ktdp.construct_memory_view %at, sizes: [], strides: []
      {coordinate_set = affine_set<() : ()>, memory_space = #ktdp.memory_space<global>} : memref<f32>
    %t4 = ktdp.construct_access_tile %S[]
      {access_tile_order = affine_map<() -> ()>, access_tile_set = affine_set<() : ()>}
      : memref<f32> -> !ktdp.access_tile<index>
    %s = ktdp.load %t4 : !ktdp.access_tile<index> -> tensor<f32>
    %twice = arith.addf %s, %s : tensor<f32>
    %t5 = ktdp.construct_access_tile %S[]
      {access_tile_order = affine_map<() -> ()>, access_tile_set = affine_set<() : ()>}
      : memref<f32> -> !ktdp.access_tile<index>
    ktdp.store %twice, %t5 : tensor<f32>, !ktdp.access_tile<index>
    return
  }
}
