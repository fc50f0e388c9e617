// All predicates of arith.cmpi on i8; 1 where they hold.
module {
  func.func @arith_compare_int(%a: index, %b: index, %out: index) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [3, 21], strides: [21, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 20 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x21xi8>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 20 - d1 >= 0)>}
      : memref<3x21xi8> -> !ktdp.access_tile<1x21xindex>
    %a_tile = ktdp.load %t1 : !ktdp.access_tile<1x21xindex> -> tensor<1x21xi8>
    %b_view = ktdp.construct_memory_view %b, sizes: [3, 21], strides: [21, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 20 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x21xi8>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 20 - d1 >= 0)>}
      : memref<3x21xi8> -> !ktdp.access_tile<1x21xindex>
    %b_tile = ktdp.load %t2 : !ktdp.access_tile<1x21xindex> -> tensor<1x21xi8>
    %out_view = ktdp.construct_memory_view %out, sizes: [10, 3, 21], strides: [63, 21, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 9 - d0 >= 0, d1 >= 0, 2 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<10x3x21xi8>
    %is_eq = arith.cmpi eq, %a_tile, %b_tile : tensor<1x21xi8>
    %v_eq = arith.extui %is_eq : tensor<1x21xi1> to tensor<1x21xi8>
    %is_ne = arith.cmpi ne, %a_tile, %b_tile : tensor<1x21xi8>
    %v_ne = arith.extui %is_ne : tensor<1x21xi1> to tensor<1x21xi8>
    %is_slt = arith.cmpi slt, %a_tile, %b_tile : tensor<1x21xi8>
    %v_slt = arith.extui %is_slt : tensor<1x21xi1> to tensor<1x21xi8>
    %is_sle = arith.cmpi sle, %a_tile, %b_tile : tensor<1x21xi8>
    %v_sle = arith.extui %is_sle : tensor<1x21xi1> to tensor<1x21xi8>
    %is_sgt = arith.cmpi sgt, %a_tile, %b_tile : tensor<1x21xi8>
    %v_sgt = arith.extui %is_sgt : tensor<1x21xi1> to tensor<1x21xi8>
    %is_sge = arith.cmpi sge, %a_tile, %b_tile : tensor<1x21xi8>
    %v_sge = arith.extui %is_sge : tensor<1x21xi1> to tensor<1x21xi8>
    %is_ult = arith.cmpi ult, %a_tile, %b_tile : tensor<1x21xi8>
    %v_ult = arith.extui %is_ult : tensor<1x21xi1> to tensor<1x21xi8>
    %is_ule = arith.cmpi ule, %a_tile, %b_tile : tensor<1x21xi8>
    %v_ule = arith.extui %is_ule : tensor<1x21xi1> to tensor<1x21xi8>
    %is_ugt = arith.cmpi ugt, %a_tile, %b_tile : tensor<1x21xi8>
    %v_ugt = arith.extui %is_ugt : tensor<1x21xi1> to tensor<1x21xi8>
    %is_uge = arith.cmpi uge, %a_tile, %b_tile : tensor<1x21xi8>
    %v_uge = arith.extui %is_uge : tensor<1x21xi1> to tensor<1x21xi8>
    %row0 = tensor.expand_shape %v_eq [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at0 = arith.constant 0 : index
    %t3 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row0, %t3 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row1 = tensor.expand_shape %v_ne [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at1 = arith.constant 1 : index
    %t4 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row1, %t4 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row2 = tensor.expand_shape %v_slt [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at2 = arith.constant 2 : index
    %t5 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row2, %t5 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row3 = tensor.expand_shape %v_sle [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at3 = arith.constant 3 : index
    %t6 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row3, %t6 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row4 = tensor.expand_shape %v_sgt [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at4 = arith.constant 4 : index
    %t7 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row4, %t7 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row5 = tensor.expand_shape %v_sge [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at5 = arith.constant 5 : index
    %t8 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row5, %t8 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row6 = tensor.expand_shape %v_ult [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at6 = arith.constant 6 : index
    %t9 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row6, %t9 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row7 = tensor.expand_shape %v_ule [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at7 = arith.constant 7 : index
    %t10 = ktdp.construct_access_tile %out_view[%at7, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row7, %t10 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row8 = tensor.expand_shape %v_ugt [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at8 = arith.constant 8 : index
    %t11 = ktdp.construct_access_tile %out_view[%at8, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row8, %t11 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    %row9 = tensor.expand_shape %v_uge [[0, 1], [2]] output_shape [1, 1, 21] : tensor<1x21xi8> into tensor<1x1x21xi8>
    %at9 = arith.constant 9 : index
    %t12 = ktdp.construct_access_tile %out_view[%at9, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 20 - d2 >= 0)>}
      : memref<10x3x21xi8> -> !ktdp.access_tile<1x1x21xindex>
    ktdp.store %row9, %t12 : tensor<1x1x21xi8>, !ktdp.access_tile<1x1x21xindex>
    return
  }
}
