// fill, generic, index, map, reduce, transpose, broadcast and softmax on tiles of 6x10, 3 tiles.
module {
  func.func @linalg_structured(%x: index, %sums: index, %argmax: index, %turned: index, %spread: index, %soft: index, %mapped: index, %diag: index, %prefix: index) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [3, 6, 10], strides: [60, 10, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 5 - d1 >= 0, d2 >= 0, 9 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x6x10xf32>
    %sums_view = ktdp.construct_memory_view %sums, sizes: [3, 6], strides: [6, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 5 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x6xf32>
    %turned_view = ktdp.construct_memory_view %turned, sizes: [3, 10, 6], strides: [60, 6, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 9 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x10x6xf32>
    %spread_view = ktdp.construct_memory_view %spread, sizes: [3, 4, 6], strides: [24, 6, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x4x6xf32>
    %soft_view = ktdp.construct_memory_view %soft, sizes: [3, 6, 10], strides: [60, 10, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 5 - d1 >= 0, d2 >= 0, 9 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x6x10xf32>
    %mapped_view = ktdp.construct_memory_view %mapped, sizes: [3, 6, 10], strides: [60, 10, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 5 - d1 >= 0, d2 >= 0, 9 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x6x10xf32>
    %diag_view = ktdp.construct_memory_view %diag, sizes: [3, 6, 10], strides: [60, 10, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 5 - d1 >= 0, d2 >= 0, 9 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x6x10xf32>
    %argmax_view = ktdp.construct_memory_view %argmax, sizes: [3, 6], strides: [6, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 5 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x6xi32>
    %prefix_view = ktdp.construct_memory_view %prefix, sizes: [3, 6], strides: [6, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 5 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x6xf32>
    %t1 = ktdp.construct_access_tile %x_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 5 - d1 >= 0, d2 >= 0, 9 - d2 >= 0)>}
      : memref<3x6x10xf32> -> !ktdp.access_tile<1x6x10xindex>
    %x3 = ktdp.load %t1 : !ktdp.access_tile<1x6x10xindex> -> tensor<1x6x10xf32>
    %X = tensor.collapse_shape %x3 [[0, 1], [2]] : tensor<1x6x10xf32> into tensor<6x10xf32>
    %e6 = tensor.empty() : tensor<6xf32>
    %e6i = tensor.empty() : tensor<6xi32>
    %e = tensor.empty() : tensor<6x10xf32>
    %sum = linalg.reduce { arith.addf } ins(%X : tensor<6x10xf32>) outs(%e6 : tensor<6xf32>) dimensions = [1]
    %low = arith.constant 0xFF800000 : f32
    %m0 = linalg.fill ins(%low : f32) outs(%e6 : tensor<6xf32>) -> tensor<6xf32>
    %none = arith.constant -1 : i32
    %a0 = linalg.fill ins(%none : i32) outs(%e6i : tensor<6xi32>) -> tensor<6xi32>
    %ei = tensor.empty() : tensor<6x10xi32>
    %column = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%ei : tensor<6x10xi32>) {
    ^bb0(%o: i32):
      %j = linalg.index 1 : index
      %v = arith.index_cast %j : index to i32
      linalg.yield %v : i32
    } -> tensor<6x10xi32>
    %best, %where = linalg.reduce ins(%X, %column : tensor<6x10xf32>, tensor<6x10xi32>) outs(%m0, %a0 : tensor<6xf32>, tensor<6xi32>) dimensions = [1]
      (%v: f32, %i: i32, %bv: f32, %bi: i32) {
      %more = arith.cmpf ogt, %v, %bv : f32
      %nv = arith.select %more, %v, %bv : f32
      %ni = arith.select %more, %i, %bi : i32
      linalg.yield %nv, %ni : f32, i32
    }
    %et = tensor.empty() : tensor<10x6xf32>
    %turn = linalg.transpose ins(%X : tensor<6x10xf32>) outs(%et : tensor<10x6xf32>) permutation = [1, 0]
    %es = tensor.empty() : tensor<4x6xf32>
    %spr = linalg.broadcast ins(%sum : tensor<6xf32>) outs(%es : tensor<4x6xf32>) dimensions = [0]
    %sm = linalg.softmax dimension(1) ins(%X : tensor<6x10xf32>) outs(%e : tensor<6x10xf32>) -> tensor<6x10xf32>
    %mp = linalg.map ins(%X, %sm : tensor<6x10xf32>, tensor<6x10xf32>) outs(%e : tensor<6x10xf32>)
      (%a: f32, %b: f32, %o: f32) {
      %p = arith.mulf %a, %b : f32
      %q = arith.subf %p, %a : f32
      linalg.yield %q : f32
    }
    %dg = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%X : tensor<6x10xf32>) outs(%e : tensor<6x10xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %on = arith.cmpi sge, %i, %j : index
      %zero = arith.constant 0.0 : f32
      %v = arith.select %on, %a, %zero : f32
      linalg.yield %v : f32
    } -> tensor<6x10xf32>
    // The running value enters through a quotient, so that no reordering of the reduction is possible.
    %one = arith.constant 1.0 : f32
    %p0 = linalg.fill ins(%one : f32) outs(%e6 : tensor<6xf32>) -> tensor<6xf32>
    %pf = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%X : tensor<6x10xf32>) outs(%p0 : tensor<6xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %j = linalg.index 1 : index
      %ji = arith.index_cast %j : index to i32
      %jf = arith.sitofp %ji : i32 to f32
      %d = math.absf %acc : f32
      %den = arith.addf %d, %one : f32
      %n = arith.addf %a, %jf : f32
      %v = arith.divf %n, %den : f32
      linalg.yield %v : f32
    } -> tensor<6xf32>
    %o_sums = tensor.expand_shape %sum [[0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
    %t2 = ktdp.construct_access_tile %sums_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 5 - d1 >= 0)>}
      : memref<3x6xf32> -> !ktdp.access_tile<1x6xindex>
    ktdp.store %o_sums, %t2 : tensor<1x6xf32>, !ktdp.access_tile<1x6xindex>
    %o_argmax = tensor.expand_shape %where [[0, 1]] output_shape [1, 6] : tensor<6xi32> into tensor<1x6xi32>
    %t3 = ktdp.construct_access_tile %argmax_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 5 - d1 >= 0)>}
      : memref<3x6xi32> -> !ktdp.access_tile<1x6xindex>
    ktdp.store %o_argmax, %t3 : tensor<1x6xi32>, !ktdp.access_tile<1x6xindex>
    %o_turned = tensor.expand_shape %turn [[0, 1], [2]] output_shape [1, 10, 6] : tensor<10x6xf32> into tensor<1x10x6xf32>
    %t4 = ktdp.construct_access_tile %turned_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 9 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<3x10x6xf32> -> !ktdp.access_tile<1x10x6xindex>
    ktdp.store %o_turned, %t4 : tensor<1x10x6xf32>, !ktdp.access_tile<1x10x6xindex>
    %o_spread = tensor.expand_shape %spr [[0, 1], [2]] output_shape [1, 4, 6] : tensor<4x6xf32> into tensor<1x4x6xf32>
    %t5 = ktdp.construct_access_tile %spread_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<3x4x6xf32> -> !ktdp.access_tile<1x4x6xindex>
    ktdp.store %o_spread, %t5 : tensor<1x4x6xf32>, !ktdp.access_tile<1x4x6xindex>
    %o_soft = tensor.expand_shape %sm [[0, 1], [2]] output_shape [1, 6, 10] : tensor<6x10xf32> into tensor<1x6x10xf32>
    %t6 = ktdp.construct_access_tile %soft_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 5 - d1 >= 0, d2 >= 0, 9 - d2 >= 0)>}
      : memref<3x6x10xf32> -> !ktdp.access_tile<1x6x10xindex>
    ktdp.store %o_soft, %t6 : tensor<1x6x10xf32>, !ktdp.access_tile<1x6x10xindex>
    %o_mapped = tensor.expand_shape %mp [[0, 1], [2]] output_shape [1, 6, 10] : tensor<6x10xf32> into tensor<1x6x10xf32>
    %t7 = ktdp.construct_access_tile %mapped_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 5 - d1 >= 0, d2 >= 0, 9 - d2 >= 0)>}
      : memref<3x6x10xf32> -> !ktdp.access_tile<1x6x10xindex>
    ktdp.store %o_mapped, %t7 : tensor<1x6x10xf32>, !ktdp.access_tile<1x6x10xindex>
    %o_diag = tensor.expand_shape %dg [[0, 1], [2]] output_shape [1, 6, 10] : tensor<6x10xf32> into tensor<1x6x10xf32>
    %t8 = ktdp.construct_access_tile %diag_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 5 - d1 >= 0, d2 >= 0, 9 - d2 >= 0)>}
      : memref<3x6x10xf32> -> !ktdp.access_tile<1x6x10xindex>
    ktdp.store %o_diag, %t8 : tensor<1x6x10xf32>, !ktdp.access_tile<1x6x10xindex>
    %o_prefix = tensor.expand_shape %pf [[0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
    %t9 = ktdp.construct_access_tile %prefix_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 5 - d1 >= 0)>}
      : memref<3x6xf32> -> !ktdp.access_tile<1x6xindex>
    ktdp.store %o_prefix, %t9 : tensor<1x6xf32>, !ktdp.access_tile<1x6xindex>
    return
  }
}
