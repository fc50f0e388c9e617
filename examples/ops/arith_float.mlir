// Every float operation of arith on f16, one result row each.
module {
  func.func @arith_float(%a: index, %b: index, %out: index) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [3, 33], strides: [33, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 32 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x33xf16>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 32 - d1 >= 0)>}
      : memref<3x33xf16> -> !ktdp.access_tile<1x33xindex>
    %a_tile = ktdp.load %t1 : !ktdp.access_tile<1x33xindex> -> tensor<1x33xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [3, 33], strides: [33, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 32 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x33xf16>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 32 - d1 >= 0)>}
      : memref<3x33xf16> -> !ktdp.access_tile<1x33xindex>
    %b_tile = ktdp.load %t2 : !ktdp.access_tile<1x33xindex> -> tensor<1x33xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [10, 3, 33], strides: [99, 33, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 9 - d0 >= 0, d1 >= 0, 2 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<10x3x33xf16>
    %addf = arith.addf %a_tile, %b_tile : tensor<1x33xf16>
    %subf = arith.subf %a_tile, %b_tile : tensor<1x33xf16>
    %mulf = arith.mulf %a_tile, %b_tile : tensor<1x33xf16>
    %divf = arith.divf %a_tile, %b_tile : tensor<1x33xf16>
    %remf = arith.remf %a_tile, %b_tile : tensor<1x33xf16>
    %maximumf = arith.maximumf %a_tile, %b_tile : tensor<1x33xf16>
    %minimumf = arith.minimumf %a_tile, %b_tile : tensor<1x33xf16>
    %maxnumf = arith.maxnumf %a_tile, %b_tile : tensor<1x33xf16>
    %minnumf = arith.minnumf %a_tile, %b_tile : tensor<1x33xf16>
    %negf = arith.negf %a_tile : tensor<1x33xf16>
    %row0 = tensor.expand_shape %addf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at0 = arith.constant 0 : index
    %t3 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row0, %t3 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row1 = tensor.expand_shape %subf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at1 = arith.constant 1 : index
    %t4 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row1, %t4 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row2 = tensor.expand_shape %mulf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at2 = arith.constant 2 : index
    %t5 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row2, %t5 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row3 = tensor.expand_shape %divf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at3 = arith.constant 3 : index
    %t6 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row3, %t6 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row4 = tensor.expand_shape %remf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at4 = arith.constant 4 : index
    %t7 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row4, %t7 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row5 = tensor.expand_shape %maximumf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at5 = arith.constant 5 : index
    %t8 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row5, %t8 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row6 = tensor.expand_shape %minimumf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at6 = arith.constant 6 : index
    %t9 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row6, %t9 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row7 = tensor.expand_shape %maxnumf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at7 = arith.constant 7 : index
    %t10 = ktdp.construct_access_tile %out_view[%at7, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row7, %t10 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row8 = tensor.expand_shape %minnumf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at8 = arith.constant 8 : index
    %t11 = ktdp.construct_access_tile %out_view[%at8, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row8, %t11 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    %row9 = tensor.expand_shape %negf [[0, 1], [2]] output_shape [1, 1, 33] : tensor<1x33xf16> into tensor<1x1x33xf16>
    %at9 = arith.constant 9 : index
    %t12 = ktdp.construct_access_tile %out_view[%at9, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 32 - d2 >= 0)>}
      : memref<10x3x33xf16> -> !ktdp.access_tile<1x1x33xindex>
    ktdp.store %row9, %t12 : tensor<1x1x33xf16>, !ktdp.access_tile<1x1x33xindex>
    return
  }
}
