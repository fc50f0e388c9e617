// Named elementwise operations of linalg on i32.
module {
  func.func @linalg_elementwise_int(%a: index, %b: index, %out: index) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [3, 11], strides: [11, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 10 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x11xi32>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 10 - d1 >= 0)>}
      : memref<3x11xi32> -> !ktdp.access_tile<1x11xindex>
    %a_tile = ktdp.load %t1 : !ktdp.access_tile<1x11xindex> -> tensor<1x11xi32>
    %b_view = ktdp.construct_memory_view %b, sizes: [3, 11], strides: [11, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 10 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x11xi32>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 10 - d1 >= 0)>}
      : memref<3x11xi32> -> !ktdp.access_tile<1x11xindex>
    %b_tile = ktdp.load %t2 : !ktdp.access_tile<1x11xindex> -> tensor<1x11xi32>
    %out_view = ktdp.construct_memory_view %out, sizes: [7, 3, 11], strides: [33, 11, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 6 - d0 >= 0, d1 >= 0, 2 - d1 >= 0, d2 >= 0, 10 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<7x3x11xi32>
    %e = tensor.empty() : tensor<1x11xi32>
    %add = linalg.add ins(%a_tile, %b_tile : tensor<1x11xi32>, tensor<1x11xi32>) outs(%e : tensor<1x11xi32>) -> tensor<1x11xi32>
    %sub = linalg.sub ins(%a_tile, %b_tile : tensor<1x11xi32>, tensor<1x11xi32>) outs(%e : tensor<1x11xi32>) -> tensor<1x11xi32>
    %mul = linalg.mul ins(%a_tile, %b_tile : tensor<1x11xi32>, tensor<1x11xi32>) outs(%e : tensor<1x11xi32>) -> tensor<1x11xi32>
    %div = linalg.div ins(%a_tile, %b_tile : tensor<1x11xi32>, tensor<1x11xi32>) outs(%e : tensor<1x11xi32>) -> tensor<1x11xi32>
    %div_unsigned = linalg.div_unsigned ins(%a_tile, %b_tile : tensor<1x11xi32>, tensor<1x11xi32>) outs(%e : tensor<1x11xi32>) -> tensor<1x11xi32>
    %max = linalg.max ins(%a_tile, %b_tile : tensor<1x11xi32>, tensor<1x11xi32>) outs(%e : tensor<1x11xi32>) -> tensor<1x11xi32>
    %min = linalg.min ins(%a_tile, %b_tile : tensor<1x11xi32>, tensor<1x11xi32>) outs(%e : tensor<1x11xi32>) -> tensor<1x11xi32>
    %row0 = tensor.expand_shape %add [[0, 1], [2]] output_shape [1, 1, 11] : tensor<1x11xi32> into tensor<1x1x11xi32>
    %at0 = arith.constant 0 : index
    %t3 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 10 - d2 >= 0)>}
      : memref<7x3x11xi32> -> !ktdp.access_tile<1x1x11xindex>
    ktdp.store %row0, %t3 : tensor<1x1x11xi32>, !ktdp.access_tile<1x1x11xindex>
    %row1 = tensor.expand_shape %sub [[0, 1], [2]] output_shape [1, 1, 11] : tensor<1x11xi32> into tensor<1x1x11xi32>
    %at1 = arith.constant 1 : index
    %t4 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 10 - d2 >= 0)>}
      : memref<7x3x11xi32> -> !ktdp.access_tile<1x1x11xindex>
    ktdp.store %row1, %t4 : tensor<1x1x11xi32>, !ktdp.access_tile<1x1x11xindex>
    %row2 = tensor.expand_shape %mul [[0, 1], [2]] output_shape [1, 1, 11] : tensor<1x11xi32> into tensor<1x1x11xi32>
    %at2 = arith.constant 2 : index
    %t5 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 10 - d2 >= 0)>}
      : memref<7x3x11xi32> -> !ktdp.access_tile<1x1x11xindex>
    ktdp.store %row2, %t5 : tensor<1x1x11xi32>, !ktdp.access_tile<1x1x11xindex>
    %row3 = tensor.expand_shape %div [[0, 1], [2]] output_shape [1, 1, 11] : tensor<1x11xi32> into tensor<1x1x11xi32>
    %at3 = arith.constant 3 : index
    %t6 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 10 - d2 >= 0)>}
      : memref<7x3x11xi32> -> !ktdp.access_tile<1x1x11xindex>
    ktdp.store %row3, %t6 : tensor<1x1x11xi32>, !ktdp.access_tile<1x1x11xindex>
    %row4 = tensor.expand_shape %div_unsigned [[0, 1], [2]] output_shape [1, 1, 11] : tensor<1x11xi32> into tensor<1x1x11xi32>
    %at4 = arith.constant 4 : index
    %t7 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 10 - d2 >= 0)>}
      : memref<7x3x11xi32> -> !ktdp.access_tile<1x1x11xindex>
    ktdp.store %row4, %t7 : tensor<1x1x11xi32>, !ktdp.access_tile<1x1x11xindex>
    %row5 = tensor.expand_shape %max [[0, 1], [2]] output_shape [1, 1, 11] : tensor<1x11xi32> into tensor<1x1x11xi32>
    %at5 = arith.constant 5 : index
    %t8 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 10 - d2 >= 0)>}
      : memref<7x3x11xi32> -> !ktdp.access_tile<1x1x11xindex>
    ktdp.store %row5, %t8 : tensor<1x1x11xi32>, !ktdp.access_tile<1x1x11xindex>
    %row6 = tensor.expand_shape %min [[0, 1], [2]] output_shape [1, 1, 11] : tensor<1x11xi32> into tensor<1x1x11xi32>
    %at6 = arith.constant 6 : index
    %t9 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 10 - d2 >= 0)>}
      : memref<7x3x11xi32> -> !ktdp.access_tile<1x1x11xindex>
    ktdp.store %row6, %t9 : tensor<1x1x11xi32>, !ktdp.access_tile<1x1x11xindex>
    return
  }
}
