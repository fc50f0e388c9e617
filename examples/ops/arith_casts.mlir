// Conversions: floats f16, f32, bf16, integers i8, i32, i64 and index, and bits.
module {
  func.func @arith_casts(%half: index, %word: index, %byte: index, %to_single: index, %to_brain: index, %from_int: index, %from_unsigned: index, %to_int: index, %to_unsigned: index, %wide: index, %wide_zero: index, %narrow: index, %bits: index, %index_sum: index, %reformed: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %half_view = ktdp.construct_memory_view %half, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xf16>
    %word_view = ktdp.construct_memory_view %word, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi32>
    %byte_view = ktdp.construct_memory_view %byte, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi8>
    %to_single_view = ktdp.construct_memory_view %to_single, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xf32>
    %to_brain_view = ktdp.construct_memory_view %to_brain, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xbf16>
    %from_int_view = ktdp.construct_memory_view %from_int, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xf16>
    %from_unsigned_view = ktdp.construct_memory_view %from_unsigned, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xf32>
    %to_int_view = ktdp.construct_memory_view %to_int, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi32>
    %to_unsigned_view = ktdp.construct_memory_view %to_unsigned, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi32>
    %wide_view = ktdp.construct_memory_view %wide, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi64>
    %wide_zero_view = ktdp.construct_memory_view %wide_zero, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi64>
    %narrow_view = ktdp.construct_memory_view %narrow, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi8>
    %bits_view = ktdp.construct_memory_view %bits, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi16>
    %index_sum_view = ktdp.construct_memory_view %index_sum, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xi32>
    %reformed_view = ktdp.construct_memory_view %reformed, sizes: [2, 19], strides: [19, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x19xbf16>
    %t1 = ktdp.construct_access_tile %half_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xf16> -> !ktdp.access_tile<1x19xindex>
    %half_tile = ktdp.load %t1 : !ktdp.access_tile<1x19xindex> -> tensor<1x19xf16>
    %t2 = ktdp.construct_access_tile %word_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi32> -> !ktdp.access_tile<1x19xindex>
    %word_tile = ktdp.load %t2 : !ktdp.access_tile<1x19xindex> -> tensor<1x19xi32>
    %t3 = ktdp.construct_access_tile %byte_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi8> -> !ktdp.access_tile<1x19xindex>
    %byte_tile = ktdp.load %t3 : !ktdp.access_tile<1x19xindex> -> tensor<1x19xi8>
    %single = arith.extf %half_tile : tensor<1x19xf16> to tensor<1x19xf32>
    %third = arith.constant dense<0.333333343> : tensor<1x19xf32>
    %scaled = arith.mulf %single, %third : tensor<1x19xf32>
    %t4 = ktdp.construct_access_tile %to_single_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xf32> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %scaled, %t4 : tensor<1x19xf32>, !ktdp.access_tile<1x19xindex>
    %brain = arith.truncf %scaled : tensor<1x19xf32> to tensor<1x19xbf16>
    %t5 = ktdp.construct_access_tile %to_brain_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xbf16> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %brain, %t5 : tensor<1x19xbf16>, !ktdp.access_tile<1x19xindex>
    %i2f = arith.sitofp %word_tile : tensor<1x19xi32> to tensor<1x19xf16>
    %t6 = ktdp.construct_access_tile %from_int_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xf16> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %i2f, %t6 : tensor<1x19xf16>, !ktdp.access_tile<1x19xindex>
    %u2f = arith.uitofp %word_tile : tensor<1x19xi32> to tensor<1x19xf32>
    %t7 = ktdp.construct_access_tile %from_unsigned_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xf32> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %u2f, %t7 : tensor<1x19xf32>, !ktdp.access_tile<1x19xindex>
    %f2i = arith.fptosi %single : tensor<1x19xf32> to tensor<1x19xi32>
    %t8 = ktdp.construct_access_tile %to_int_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi32> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %f2i, %t8 : tensor<1x19xi32>, !ktdp.access_tile<1x19xindex>
    %f2u = arith.fptoui %single : tensor<1x19xf32> to tensor<1x19xi32>
    %t9 = ktdp.construct_access_tile %to_unsigned_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi32> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %f2u, %t9 : tensor<1x19xi32>, !ktdp.access_tile<1x19xindex>
    %sx = arith.extsi %byte_tile : tensor<1x19xi8> to tensor<1x19xi64>
    %t10 = ktdp.construct_access_tile %wide_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi64> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %sx, %t10 : tensor<1x19xi64>, !ktdp.access_tile<1x19xindex>
    %zx = arith.extui %byte_tile : tensor<1x19xi8> to tensor<1x19xi64>
    %t11 = ktdp.construct_access_tile %wide_zero_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi64> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %zx, %t11 : tensor<1x19xi64>, !ktdp.access_tile<1x19xindex>
    %tr = arith.trunci %word_tile : tensor<1x19xi32> to tensor<1x19xi8>
    %t12 = ktdp.construct_access_tile %narrow_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi8> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %tr, %t12 : tensor<1x19xi8>, !ktdp.access_tile<1x19xindex>
    %bc = arith.bitcast %half_tile : tensor<1x19xf16> to tensor<1x19xi16>
    %t13 = ktdp.construct_access_tile %bits_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi16> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %bc, %t13 : tensor<1x19xi16>, !ktdp.access_tile<1x19xindex>
    %ix = arith.index_cast %byte_tile : tensor<1x19xi8> to tensor<1x19xindex>
    %ux = arith.index_castui %byte_tile : tensor<1x19xi8> to tensor<1x19xindex>
    %both = arith.addi %ix, %ux : tensor<1x19xindex>
    %back = arith.index_cast %both : tensor<1x19xindex> to tensor<1x19xi32>
    %t14 = ktdp.construct_access_tile %index_sum_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xi32> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %back, %t14 : tensor<1x19xi32>, !ktdp.access_tile<1x19xindex>
    %rf = arith.convertf %half_tile : tensor<1x19xf16> to tensor<1x19xbf16>
    %t15 = ktdp.construct_access_tile %reformed_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 18 - d1 >= 0)>}
      : memref<2x19xbf16> -> !ktdp.access_tile<1x19xindex>
    ktdp.store %rf, %t15 : tensor<1x19xbf16>, !ktdp.access_tile<1x19xindex>
    return
  }
}
