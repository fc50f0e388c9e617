// All predicates of arith.cmpf on f32 with NaNs among the values; 1.0 where they hold.
module {
  func.func @arith_compare_float(%a: index, %b: index, %out: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [2, 37], strides: [37, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 36 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x37xf32>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 36 - d1 >= 0)>}
      : memref<2x37xf32> -> !ktdp.access_tile<1x37xindex>
    %a_tile = ktdp.load %t1 : !ktdp.access_tile<1x37xindex> -> tensor<1x37xf32>
    %b_view = ktdp.construct_memory_view %b, sizes: [2, 37], strides: [37, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 36 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x37xf32>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 36 - d1 >= 0)>}
      : memref<2x37xf32> -> !ktdp.access_tile<1x37xindex>
    %b_tile = ktdp.load %t2 : !ktdp.access_tile<1x37xindex> -> tensor<1x37xf32>
    %out_view = ktdp.construct_memory_view %out, sizes: [16, 2, 37], strides: [74, 37, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x2x37xf32>
    %one = arith.constant dense<1.0> : tensor<1x37xf32>
    %zero = arith.constant dense<0.0> : tensor<1x37xf32>
    %is_false = arith.cmpf false, %a_tile, %b_tile : tensor<1x37xf32>
    %v_false = arith.select %is_false, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_oeq = arith.cmpf oeq, %a_tile, %b_tile : tensor<1x37xf32>
    %v_oeq = arith.select %is_oeq, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_ogt = arith.cmpf ogt, %a_tile, %b_tile : tensor<1x37xf32>
    %v_ogt = arith.select %is_ogt, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_oge = arith.cmpf oge, %a_tile, %b_tile : tensor<1x37xf32>
    %v_oge = arith.select %is_oge, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_olt = arith.cmpf olt, %a_tile, %b_tile : tensor<1x37xf32>
    %v_olt = arith.select %is_olt, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_ole = arith.cmpf ole, %a_tile, %b_tile : tensor<1x37xf32>
    %v_ole = arith.select %is_ole, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_one = arith.cmpf one, %a_tile, %b_tile : tensor<1x37xf32>
    %v_one = arith.select %is_one, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_ord = arith.cmpf ord, %a_tile, %b_tile : tensor<1x37xf32>
    %v_ord = arith.select %is_ord, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_ueq = arith.cmpf ueq, %a_tile, %b_tile : tensor<1x37xf32>
    %v_ueq = arith.select %is_ueq, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_ugt = arith.cmpf ugt, %a_tile, %b_tile : tensor<1x37xf32>
    %v_ugt = arith.select %is_ugt, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_uge = arith.cmpf uge, %a_tile, %b_tile : tensor<1x37xf32>
    %v_uge = arith.select %is_uge, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_ult = arith.cmpf ult, %a_tile, %b_tile : tensor<1x37xf32>
    %v_ult = arith.select %is_ult, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_ule = arith.cmpf ule, %a_tile, %b_tile : tensor<1x37xf32>
    %v_ule = arith.select %is_ule, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_une = arith.cmpf une, %a_tile, %b_tile : tensor<1x37xf32>
    %v_une = arith.select %is_une, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_uno = arith.cmpf uno, %a_tile, %b_tile : tensor<1x37xf32>
    %v_uno = arith.select %is_uno, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %is_true = arith.cmpf true, %a_tile, %b_tile : tensor<1x37xf32>
    %v_true = arith.select %is_true, %one, %zero : tensor<1x37xi1>, tensor<1x37xf32>
    %row0 = tensor.expand_shape %v_false [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at0 = arith.constant 0 : index
    %t3 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row0, %t3 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row1 = tensor.expand_shape %v_oeq [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at1 = arith.constant 1 : index
    %t4 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row1, %t4 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row2 = tensor.expand_shape %v_ogt [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at2 = arith.constant 2 : index
    %t5 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row2, %t5 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row3 = tensor.expand_shape %v_oge [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at3 = arith.constant 3 : index
    %t6 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row3, %t6 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row4 = tensor.expand_shape %v_olt [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at4 = arith.constant 4 : index
    %t7 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row4, %t7 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row5 = tensor.expand_shape %v_ole [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at5 = arith.constant 5 : index
    %t8 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row5, %t8 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row6 = tensor.expand_shape %v_one [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at6 = arith.constant 6 : index
    %t9 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row6, %t9 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row7 = tensor.expand_shape %v_ord [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at7 = arith.constant 7 : index
    %t10 = ktdp.construct_access_tile %out_view[%at7, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row7, %t10 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row8 = tensor.expand_shape %v_ueq [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at8 = arith.constant 8 : index
    %t11 = ktdp.construct_access_tile %out_view[%at8, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row8, %t11 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row9 = tensor.expand_shape %v_ugt [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at9 = arith.constant 9 : index
    %t12 = ktdp.construct_access_tile %out_view[%at9, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row9, %t12 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row10 = tensor.expand_shape %v_uge [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at10 = arith.constant 10 : index
    %t13 = ktdp.construct_access_tile %out_view[%at10, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row10, %t13 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row11 = tensor.expand_shape %v_ult [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at11 = arith.constant 11 : index
    %t14 = ktdp.construct_access_tile %out_view[%at11, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row11, %t14 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row12 = tensor.expand_shape %v_ule [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at12 = arith.constant 12 : index
    %t15 = ktdp.construct_access_tile %out_view[%at12, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row12, %t15 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row13 = tensor.expand_shape %v_une [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at13 = arith.constant 13 : index
    %t16 = ktdp.construct_access_tile %out_view[%at13, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row13, %t16 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row14 = tensor.expand_shape %v_uno [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at14 = arith.constant 14 : index
    %t17 = ktdp.construct_access_tile %out_view[%at14, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row14, %t17 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    %row15 = tensor.expand_shape %v_true [[0, 1], [2]] output_shape [1, 1, 37] : tensor<1x37xf32> into tensor<1x1x37xf32>
    %at15 = arith.constant 15 : index
    %t18 = ktdp.construct_access_tile %out_view[%at15, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 36 - d2 >= 0)>}
      : memref<16x2x37xf32> -> !ktdp.access_tile<1x1x37xindex>
    ktdp.store %row15, %t18 : tensor<1x1x37xf32>, !ktdp.access_tile<1x1x37xindex>
    return
  }
}
