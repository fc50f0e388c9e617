// Every unary float function of math on f32, one result row each.
module {
  func.func @math_unary_f32(%x: index, %out: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [2, 40], strides: [40, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 39 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x40xf32>
    %t1 = ktdp.construct_access_tile %x_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 39 - d1 >= 0)>}
      : memref<2x40xf32> -> !ktdp.access_tile<1x40xindex>
    %x_tile = ktdp.load %t1 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf32>
    %out_view = ktdp.construct_memory_view %out, sizes: [30, 2, 40], strides: [80, 40, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 29 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<30x2x40xf32>
    %absf = math.absf %x_tile : tensor<1x40xf32>
    %acos = math.acos %x_tile : tensor<1x40xf32>
    %acosh = math.acosh %x_tile : tensor<1x40xf32>
    %asin = math.asin %x_tile : tensor<1x40xf32>
    %asinh = math.asinh %x_tile : tensor<1x40xf32>
    %atan = math.atan %x_tile : tensor<1x40xf32>
    %atanh = math.atanh %x_tile : tensor<1x40xf32>
    %cbrt = math.cbrt %x_tile : tensor<1x40xf32>
    %ceil = math.ceil %x_tile : tensor<1x40xf32>
    %cos = math.cos %x_tile : tensor<1x40xf32>
    %cosh = math.cosh %x_tile : tensor<1x40xf32>
    %erf = math.erf %x_tile : tensor<1x40xf32>
    %erfc = math.erfc %x_tile : tensor<1x40xf32>
    %exp = math.exp %x_tile : tensor<1x40xf32>
    %exp2 = math.exp2 %x_tile : tensor<1x40xf32>
    %expm1 = math.expm1 %x_tile : tensor<1x40xf32>
    %floor = math.floor %x_tile : tensor<1x40xf32>
    %log = math.log %x_tile : tensor<1x40xf32>
    %log10 = math.log10 %x_tile : tensor<1x40xf32>
    %log1p = math.log1p %x_tile : tensor<1x40xf32>
    %log2 = math.log2 %x_tile : tensor<1x40xf32>
    %round = math.round %x_tile : tensor<1x40xf32>
    %roundeven = math.roundeven %x_tile : tensor<1x40xf32>
    %rsqrt = math.rsqrt %x_tile : tensor<1x40xf32>
    %sin = math.sin %x_tile : tensor<1x40xf32>
    %sinh = math.sinh %x_tile : tensor<1x40xf32>
    %sqrt = math.sqrt %x_tile : tensor<1x40xf32>
    %tan = math.tan %x_tile : tensor<1x40xf32>
    %tanh = math.tanh %x_tile : tensor<1x40xf32>
    %trunc = math.trunc %x_tile : tensor<1x40xf32>
    %row0 = tensor.expand_shape %absf [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at0 = arith.constant 0 : index
    %t2 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row0, %t2 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row1 = tensor.expand_shape %acos [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at1 = arith.constant 1 : index
    %t3 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row1, %t3 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row2 = tensor.expand_shape %acosh [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at2 = arith.constant 2 : index
    %t4 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row2, %t4 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row3 = tensor.expand_shape %asin [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at3 = arith.constant 3 : index
    %t5 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row3, %t5 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row4 = tensor.expand_shape %asinh [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at4 = arith.constant 4 : index
    %t6 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row4, %t6 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row5 = tensor.expand_shape %atan [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at5 = arith.constant 5 : index
    %t7 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row5, %t7 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row6 = tensor.expand_shape %atanh [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at6 = arith.constant 6 : index
    %t8 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row6, %t8 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row7 = tensor.expand_shape %cbrt [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at7 = arith.constant 7 : index
    %t9 = ktdp.construct_access_tile %out_view[%at7, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row7, %t9 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row8 = tensor.expand_shape %ceil [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at8 = arith.constant 8 : index
    %t10 = ktdp.construct_access_tile %out_view[%at8, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row8, %t10 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row9 = tensor.expand_shape %cos [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at9 = arith.constant 9 : index
    %t11 = ktdp.construct_access_tile %out_view[%at9, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row9, %t11 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row10 = tensor.expand_shape %cosh [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at10 = arith.constant 10 : index
    %t12 = ktdp.construct_access_tile %out_view[%at10, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row10, %t12 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row11 = tensor.expand_shape %erf [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at11 = arith.constant 11 : index
    %t13 = ktdp.construct_access_tile %out_view[%at11, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row11, %t13 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row12 = tensor.expand_shape %erfc [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at12 = arith.constant 12 : index
    %t14 = ktdp.construct_access_tile %out_view[%at12, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row12, %t14 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row13 = tensor.expand_shape %exp [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at13 = arith.constant 13 : index
    %t15 = ktdp.construct_access_tile %out_view[%at13, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row13, %t15 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row14 = tensor.expand_shape %exp2 [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at14 = arith.constant 14 : index
    %t16 = ktdp.construct_access_tile %out_view[%at14, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row14, %t16 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row15 = tensor.expand_shape %expm1 [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at15 = arith.constant 15 : index
    %t17 = ktdp.construct_access_tile %out_view[%at15, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row15, %t17 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row16 = tensor.expand_shape %floor [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at16 = arith.constant 16 : index
    %t18 = ktdp.construct_access_tile %out_view[%at16, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row16, %t18 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row17 = tensor.expand_shape %log [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at17 = arith.constant 17 : index
    %t19 = ktdp.construct_access_tile %out_view[%at17, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row17, %t19 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row18 = tensor.expand_shape %log10 [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at18 = arith.constant 18 : index
    %t20 = ktdp.construct_access_tile %out_view[%at18, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row18, %t20 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row19 = tensor.expand_shape %log1p [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at19 = arith.constant 19 : index
    %t21 = ktdp.construct_access_tile %out_view[%at19, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row19, %t21 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row20 = tensor.expand_shape %log2 [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at20 = arith.constant 20 : index
    %t22 = ktdp.construct_access_tile %out_view[%at20, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row20, %t22 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row21 = tensor.expand_shape %round [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at21 = arith.constant 21 : index
    %t23 = ktdp.construct_access_tile %out_view[%at21, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row21, %t23 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row22 = tensor.expand_shape %roundeven [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at22 = arith.constant 22 : index
    %t24 = ktdp.construct_access_tile %out_view[%at22, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row22, %t24 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row23 = tensor.expand_shape %rsqrt [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at23 = arith.constant 23 : index
    %t25 = ktdp.construct_access_tile %out_view[%at23, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row23, %t25 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row24 = tensor.expand_shape %sin [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at24 = arith.constant 24 : index
    %t26 = ktdp.construct_access_tile %out_view[%at24, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row24, %t26 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row25 = tensor.expand_shape %sinh [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at25 = arith.constant 25 : index
    %t27 = ktdp.construct_access_tile %out_view[%at25, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row25, %t27 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row26 = tensor.expand_shape %sqrt [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at26 = arith.constant 26 : index
    %t28 = ktdp.construct_access_tile %out_view[%at26, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row26, %t28 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row27 = tensor.expand_shape %tan [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at27 = arith.constant 27 : index
    %t29 = ktdp.construct_access_tile %out_view[%at27, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row27, %t29 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row28 = tensor.expand_shape %tanh [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at28 = arith.constant 28 : index
    %t30 = ktdp.construct_access_tile %out_view[%at28, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row28, %t30 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    %row29 = tensor.expand_shape %trunc [[0, 1], [2]] output_shape [1, 1, 40] : tensor<1x40xf32> into tensor<1x1x40xf32>
    %at29 = arith.constant 29 : index
    %t31 = ktdp.construct_access_tile %out_view[%at29, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>}
      : memref<30x2x40xf32> -> !ktdp.access_tile<1x1x40xindex>
    ktdp.store %row29, %t31 : tensor<1x1x40xf32>, !ktdp.access_tile<1x1x40xindex>
    return
  }
}
