// Every operation of tensor on one 4x6 tile of f32 per compute tile, 2 tiles; results are stored one after the other.
module {
  func.func @tensor_shapes(%x: index, %out: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [2, 4, 6], strides: [24, 6, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x4x6xf32>
    %out_view = ktdp.construct_memory_view %out, sizes: [2, 14, 40], strides: [560, 40, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 13 - d1 >= 0, d2 >= 0, 39 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x14x40xf32>
    %t1 = ktdp.construct_access_tile %x_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<2x4x6xf32> -> !ktdp.access_tile<1x4x6xindex>
    %x3 = ktdp.load %t1 : !ktdp.access_tile<1x4x6xindex> -> tensor<1x4x6xf32>
    %X = tensor.collapse_shape %x3 [[0, 1], [2]] : tensor<1x4x6xf32> into tensor<4x6xf32>
    // A column that depends on the tile, one element in all rows.
    %elem = tensor.extract %X[%c2, %id] : tensor<4x6xf32>
    %splat = tensor.splat %elem : tensor<2x3xf32>
    %shape0 = arith.constant dense<[1, 1, 6]> : tensor<3xindex>
    %flat0 = tensor.reshape %splat(%shape0) : (tensor<2x3xf32>, tensor<3xindex>) -> tensor<1x1x6xf32>
    %r0 = arith.constant 0 : index
    %t2 = ktdp.construct_access_tile %out_view[%id, %r0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x6xindex>
    ktdp.store %flat0, %t2 : tensor<1x1x6xf32>, !ktdp.access_tile<1x1x6xindex>
    %other = tensor.extract %X[%id, %c3] : tensor<4x6xf32>
    %list = tensor.from_elements %elem, %other, %elem : tensor<3xf32>
    %shape1 = arith.constant dense<[1, 1, 3]> : tensor<3xindex>
    %flat1 = tensor.reshape %list(%shape1) : (tensor<3xf32>, tensor<3xindex>) -> tensor<1x1x3xf32>
    %r1 = arith.constant 1 : index
    %t3 = ktdp.construct_access_tile %out_view[%id, %r1, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 2 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x3xindex>
    ktdp.store %flat1, %t3 : tensor<1x1x3xf32>, !ktdp.access_tile<1x1x3xindex>
    %with = tensor.insert %elem into %X[%id, %c1] : tensor<4x6xf32>
    %shape2 = arith.constant dense<[1, 1, 24]> : tensor<3xindex>
    %flat2 = tensor.reshape %with(%shape2) : (tensor<4x6xf32>, tensor<3xindex>) -> tensor<1x1x24xf32>
    %r2 = arith.constant 2 : index
    %t4 = ktdp.construct_access_tile %out_view[%id, %r2, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 23 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x24xindex>
    ktdp.store %flat2, %t4 : tensor<1x1x24xf32>, !ktdp.access_tile<1x1x24xindex>
    %cut = tensor.extract_slice %X[%id, 1] [2, 2] [2, 3] : tensor<4x6xf32> to tensor<2x2xf32>
    %shape3 = arith.constant dense<[1, 1, 4]> : tensor<3xindex>
    %flat3 = tensor.reshape %cut(%shape3) : (tensor<2x2xf32>, tensor<3xindex>) -> tensor<1x1x4xf32>
    %r3 = arith.constant 3 : index
    %t5 = ktdp.construct_access_tile %out_view[%id, %r3, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 3 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x4xindex>
    ktdp.store %flat3, %t5 : tensor<1x1x4xf32>, !ktdp.access_tile<1x1x4xindex>
    %line = tensor.extract_slice %X[%id, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
    %shape4 = arith.constant dense<[1, 1, 6]> : tensor<3xindex>
    %flat4 = tensor.reshape %line(%shape4) : (tensor<6xf32>, tensor<3xindex>) -> tensor<1x1x6xf32>
    %r4 = arith.constant 4 : index
    %t6 = ktdp.construct_access_tile %out_view[%id, %r4, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x6xindex>
    ktdp.store %flat4, %t6 : tensor<1x1x6xf32>, !ktdp.access_tile<1x1x6xindex>
    %pasted = tensor.insert_slice %cut into %X[0, %id] [2, 2] [3, 2] : tensor<2x2xf32> into tensor<4x6xf32>
    %shape5 = arith.constant dense<[1, 1, 24]> : tensor<3xindex>
    %flat5 = tensor.reshape %pasted(%shape5) : (tensor<4x6xf32>, tensor<3xindex>) -> tensor<1x1x24xf32>
    %r5 = arith.constant 5 : index
    %t7 = ktdp.construct_access_tile %out_view[%id, %r5, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 23 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x24xindex>
    ktdp.store %flat5, %t7 : tensor<1x1x24xf32>, !ktdp.access_tile<1x1x24xindex>
    %edge = tensor.extract_slice %X[0, 5] [4, 1] [1, 1] : tensor<4x6xf32> to tensor<4x1xf32>
    %joined = tensor.concat dim(1) %X, %edge : (tensor<4x6xf32>, tensor<4x1xf32>) -> tensor<4x7xf32>
    %shape6 = arith.constant dense<[1, 1, 28]> : tensor<3xindex>
    %flat6 = tensor.reshape %joined(%shape6) : (tensor<4x7xf32>, tensor<3xindex>) -> tensor<1x1x28xf32>
    %r6 = arith.constant 6 : index
    %t8 = ktdp.construct_access_tile %out_view[%id, %r6, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 27 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x28xindex>
    ktdp.store %flat6, %t8 : tensor<1x1x28xf32>, !ktdp.access_tile<1x1x28xindex>
    %made = tensor.generate {
    ^bb0(%i: index, %j: index):
      %s = arith.addi %i, %j : index
      %t = arith.addi %s, %id : index
      %ti = arith.index_cast %t : index to i32
      %v = arith.sitofp %ti : i32 to f32
      tensor.yield %v : f32
    } : tensor<3x4xf32>
    %shape7 = arith.constant dense<[1, 1, 12]> : tensor<3xindex>
    %flat7 = tensor.reshape %made(%shape7) : (tensor<3x4xf32>, tensor<3xindex>) -> tensor<1x1x12xf32>
    %r7 = arith.constant 7 : index
    %t9 = ktdp.construct_access_tile %out_view[%id, %r7, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 11 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x12xindex>
    ktdp.store %flat7, %t9 : tensor<1x1x12xf32>, !ktdp.access_tile<1x1x12xindex>
    %zero = arith.constant -1.0 : f32
    %padded = tensor.pad %cut low[1, 0] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<2x2xf32> to tensor<3x4xf32>
    %shape8 = arith.constant dense<[1, 1, 12]> : tensor<3xindex>
    %flat8 = tensor.reshape %padded(%shape8) : (tensor<3x4xf32>, tensor<3xindex>) -> tensor<1x1x12xf32>
    %r8 = arith.constant 8 : index
    %t10 = ktdp.construct_access_tile %out_view[%id, %r8, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 11 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x12xindex>
    ktdp.store %flat8, %t10 : tensor<1x1x12xf32>, !ktdp.access_tile<1x1x12xindex>
    %rows = arith.constant dense<[[3], [0], [3]]> : tensor<3x1xindex>
    %picked = tensor.gather %X[%rows] gather_dims([0]) : (tensor<4x6xf32>, tensor<3x1xindex>) -> tensor<3x1x6xf32>
    %shape9 = arith.constant dense<[1, 1, 18]> : tensor<3xindex>
    %flat9 = tensor.reshape %picked(%shape9) : (tensor<3x1x6xf32>, tensor<3xindex>) -> tensor<1x1x18xf32>
    %r9 = arith.constant 9 : index
    %t11 = ktdp.construct_access_tile %out_view[%id, %r9, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 17 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x18xindex>
    ktdp.store %flat9, %t11 : tensor<1x1x18xf32>, !ktdp.access_tile<1x1x18xindex>
    %two = tensor.extract_slice %picked[0, 0, 0] [3, 1, 6] [1, 1, 1] : tensor<3x1x6xf32> to tensor<3x1x6xf32>
    %places = arith.constant dense<[[1], [2], [0]]> : tensor<3x1xindex>
    %placed = tensor.scatter %two into %X[%places] scatter_dims([0]) unique : (tensor<3x1x6xf32>, tensor<4x6xf32>, tensor<3x1xindex>) -> tensor<4x6xf32>
    %shape10 = arith.constant dense<[1, 1, 24]> : tensor<3xindex>
    %flat10 = tensor.reshape %placed(%shape10) : (tensor<4x6xf32>, tensor<3xindex>) -> tensor<1x1x24xf32>
    %r10 = arith.constant 10 : index
    %t12 = ktdp.construct_access_tile %out_view[%id, %r10, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 23 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x24xindex>
    ktdp.store %flat10, %t12 : tensor<1x1x24xf32>, !ktdp.access_tile<1x1x24xindex>
    %loose = tensor.cast %X : tensor<4x6xf32> to tensor<?x6xf32>
    %extent = tensor.dim %loose, %c0 : tensor<?x6xf32>
    %rank = tensor.rank %loose : tensor<?x6xf32>
    %sum = arith.addi %extent, %rank : index
    %sum_i = arith.index_cast %sum : index to i32
    %sum_f = arith.sitofp %sum_i : i32 to f32
    %empty = tensor.empty(%extent) : tensor<?x3xf32>
    %filled = linalg.fill ins(%sum_f : f32) outs(%empty : tensor<?x3xf32>) -> tensor<?x3xf32>
    %tight = tensor.cast %filled : tensor<?x3xf32> to tensor<4x3xf32>
    %shape11 = arith.constant dense<[1, 1, 12]> : tensor<3xindex>
    %flat11 = tensor.reshape %tight(%shape11) : (tensor<4x3xf32>, tensor<3xindex>) -> tensor<1x1x12xf32>
    %r11 = arith.constant 11 : index
    %t13 = ktdp.construct_access_tile %out_view[%id, %r11, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 11 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x12xindex>
    ktdp.store %flat11, %t13 : tensor<1x1x12xf32>, !ktdp.access_tile<1x1x12xindex>
    %raw = tensor.bitcast %X : tensor<4x6xf32> to tensor<4x6xi32>
    %mask = arith.constant dense<0x7FFFFFFF> : tensor<4x6xi32>
    %cleared = arith.andi %raw, %mask : tensor<4x6xi32>
    %magnitude = tensor.bitcast %cleared : tensor<4x6xi32> to tensor<4x6xf32>
    %shape12 = arith.constant dense<[1, 1, 24]> : tensor<3xindex>
    %flat12 = tensor.reshape %magnitude(%shape12) : (tensor<4x6xf32>, tensor<3xindex>) -> tensor<1x1x24xf32>
    %r12 = arith.constant 12 : index
    %t14 = ktdp.construct_access_tile %out_view[%id, %r12, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 23 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x24xindex>
    ktdp.store %flat12, %t14 : tensor<1x1x24xf32>, !ktdp.access_tile<1x1x24xindex>
    %split = tensor.expand_shape %X [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xf32> into tensor<4x2x3xf32>
    %et = tensor.empty() : tensor<2x4x3xf32>
    %back = linalg.transpose ins(%split : tensor<4x2x3xf32>) outs(%et : tensor<2x4x3xf32>) permutation = [1, 0, 2]
    %shape13 = arith.constant dense<[1, 1, 24]> : tensor<3xindex>
    %flat13 = tensor.reshape %back(%shape13) : (tensor<2x4x3xf32>, tensor<3xindex>) -> tensor<1x1x24xf32>
    %r13 = arith.constant 13 : index
    %t15 = ktdp.construct_access_tile %out_view[%id, %r13, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 23 - d2 >= 0)>}
      : memref<2x14x40xf32> -> !ktdp.access_tile<1x1x24xindex>
    ktdp.store %flat13, %t15 : tensor<1x1x24xf32>, !ktdp.access_tile<1x1x24xindex>
    return
  }
}
