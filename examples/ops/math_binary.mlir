// Float functions of math with several operands, and classification.
module {
  func.func @math_binary(%a: index, %b: index, %out: index) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [3, 17], strides: [17, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 16 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x17xf32>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 16 - d1 >= 0)>}
      : memref<3x17xf32> -> !ktdp.access_tile<1x17xindex>
    %a_tile = ktdp.load %t1 : !ktdp.access_tile<1x17xindex> -> tensor<1x17xf32>
    %b_view = ktdp.construct_memory_view %b, sizes: [3, 17], strides: [17, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 16 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x17xf32>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 16 - d1 >= 0)>}
      : memref<3x17xf32> -> !ktdp.access_tile<1x17xindex>
    %b_tile = ktdp.load %t2 : !ktdp.access_tile<1x17xindex> -> tensor<1x17xf32>
    %out_view = ktdp.construct_memory_view %out, sizes: [9, 3, 17], strides: [51, 17, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 8 - d0 >= 0, d1 >= 0, 2 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<9x3x17xf32>
    %atan2 = math.atan2 %a_tile, %b_tile : tensor<1x17xf32>
    %copysign = math.copysign %a_tile, %b_tile : tensor<1x17xf32>
    %powf = math.powf %a_tile, %b_tile : tensor<1x17xf32>
    %fma = math.fma %a_tile, %b_tile, %a_tile : tensor<1x17xf32>
    %half = arith.constant dense<0.5> : tensor<1x17xf32>
    %two = arith.constant dense<2.0> : tensor<1x17xf32>
    %clampf = math.clampf %b_tile to [%half, %two] : tensor<1x17xf32>
    %exponent = arith.fptosi %b_tile : tensor<1x17xf32> to tensor<1x17xi32>
    %fpowi = math.fpowi %a_tile, %exponent : tensor<1x17xf32>, tensor<1x17xi32>
    %isfinite = math.isfinite %b_tile : tensor<1x17xf32>
    %v_isfinite = arith.uitofp %isfinite : tensor<1x17xi1> to tensor<1x17xf32>
    %isinf = math.isinf %b_tile : tensor<1x17xf32>
    %v_isinf = arith.uitofp %isinf : tensor<1x17xi1> to tensor<1x17xf32>
    %isnan = math.isnan %b_tile : tensor<1x17xf32>
    %v_isnan = arith.uitofp %isnan : tensor<1x17xi1> to tensor<1x17xf32>
    %row0 = tensor.expand_shape %atan2 [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at0 = arith.constant 0 : index
    %t3 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row0, %t3 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    %row1 = tensor.expand_shape %copysign [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at1 = arith.constant 1 : index
    %t4 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row1, %t4 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    %row2 = tensor.expand_shape %powf [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at2 = arith.constant 2 : index
    %t5 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row2, %t5 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    %row3 = tensor.expand_shape %fma [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at3 = arith.constant 3 : index
    %t6 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row3, %t6 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    %row4 = tensor.expand_shape %clampf [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at4 = arith.constant 4 : index
    %t7 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row4, %t7 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    %row5 = tensor.expand_shape %fpowi [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at5 = arith.constant 5 : index
    %t8 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row5, %t8 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    %row6 = tensor.expand_shape %v_isfinite [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at6 = arith.constant 6 : index
    %t9 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row6, %t9 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    %row7 = tensor.expand_shape %v_isinf [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at7 = arith.constant 7 : index
    %t10 = ktdp.construct_access_tile %out_view[%at7, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row7, %t10 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    %row8 = tensor.expand_shape %v_isnan [[0, 1], [2]] output_shape [1, 1, 17] : tensor<1x17xf32> into tensor<1x1x17xf32>
    %at8 = arith.constant 8 : index
    %t11 = ktdp.construct_access_tile %out_view[%at8, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 16 - d2 >= 0)>}
      : memref<9x3x17xf32> -> !ktdp.access_tile<1x1x17xindex>
    ktdp.store %row8, %t11 : tensor<1x1x17xf32>, !ktdp.access_tile<1x1x17xindex>
    return
  }
}
