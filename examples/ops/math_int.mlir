// Integer functions of math on i32.
module {
  func.func @math_int(%a: index, %b: index, %out: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [2, 27], strides: [27, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 26 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x27xi32>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 26 - d1 >= 0)>}
      : memref<2x27xi32> -> !ktdp.access_tile<1x27xindex>
    %a_tile = ktdp.load %t1 : !ktdp.access_tile<1x27xindex> -> tensor<1x27xi32>
    %b_view = ktdp.construct_memory_view %b, sizes: [2, 27], strides: [27, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 26 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x27xi32>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 26 - d1 >= 0)>}
      : memref<2x27xi32> -> !ktdp.access_tile<1x27xindex>
    %b_tile = ktdp.load %t2 : !ktdp.access_tile<1x27xindex> -> tensor<1x27xi32>
    %out_view = ktdp.construct_memory_view %out, sizes: [5, 2, 27], strides: [54, 27, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 4 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 26 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<5x2x27xi32>
    %absi = math.absi %a_tile : tensor<1x27xi32>
    %ctlz = math.ctlz %a_tile : tensor<1x27xi32>
    %cttz = math.cttz %a_tile : tensor<1x27xi32>
    %ctpop = math.ctpop %a_tile : tensor<1x27xi32>
    %ipowi = math.ipowi %a_tile, %b_tile : tensor<1x27xi32>
    %row0 = tensor.expand_shape %absi [[0, 1], [2]] output_shape [1, 1, 27] : tensor<1x27xi32> into tensor<1x1x27xi32>
    %at0 = arith.constant 0 : index
    %t3 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 26 - d2 >= 0)>}
      : memref<5x2x27xi32> -> !ktdp.access_tile<1x1x27xindex>
    ktdp.store %row0, %t3 : tensor<1x1x27xi32>, !ktdp.access_tile<1x1x27xindex>
    %row1 = tensor.expand_shape %ctlz [[0, 1], [2]] output_shape [1, 1, 27] : tensor<1x27xi32> into tensor<1x1x27xi32>
    %at1 = arith.constant 1 : index
    %t4 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 26 - d2 >= 0)>}
      : memref<5x2x27xi32> -> !ktdp.access_tile<1x1x27xindex>
    ktdp.store %row1, %t4 : tensor<1x1x27xi32>, !ktdp.access_tile<1x1x27xindex>
    %row2 = tensor.expand_shape %cttz [[0, 1], [2]] output_shape [1, 1, 27] : tensor<1x27xi32> into tensor<1x1x27xi32>
    %at2 = arith.constant 2 : index
    %t5 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 26 - d2 >= 0)>}
      : memref<5x2x27xi32> -> !ktdp.access_tile<1x1x27xindex>
    ktdp.store %row2, %t5 : tensor<1x1x27xi32>, !ktdp.access_tile<1x1x27xindex>
    %row3 = tensor.expand_shape %ctpop [[0, 1], [2]] output_shape [1, 1, 27] : tensor<1x27xi32> into tensor<1x1x27xi32>
    %at3 = arith.constant 3 : index
    %t6 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 26 - d2 >= 0)>}
      : memref<5x2x27xi32> -> !ktdp.access_tile<1x1x27xindex>
    ktdp.store %row3, %t6 : tensor<1x1x27xi32>, !ktdp.access_tile<1x1x27xindex>
    %row4 = tensor.expand_shape %ipowi [[0, 1], [2]] output_shape [1, 1, 27] : tensor<1x27xi32> into tensor<1x1x27xi32>
    %at4 = arith.constant 4 : index
    %t7 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 26 - d2 >= 0)>}
      : memref<5x2x27xi32> -> !ktdp.access_tile<1x1x27xindex>
    ktdp.store %row4, %t7 : tensor<1x1x27xi32>, !ktdp.access_tile<1x1x27xindex>
    return
  }
}
