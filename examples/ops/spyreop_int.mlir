// Integer intrinsics of spyreop.
module {
  func.func @spyreop_int(%a: index, %b: index, %out: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [2, 13], strides: [13, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 12 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x13xi32>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 12 - d1 >= 0)>}
      : memref<2x13xi32> -> !ktdp.access_tile<1x13xindex>
    %a_tile = ktdp.load %t1 : !ktdp.access_tile<1x13xindex> -> tensor<1x13xi32>
    %b_view = ktdp.construct_memory_view %b, sizes: [2, 13], strides: [13, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 12 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x13xi32>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 12 - d1 >= 0)>}
      : memref<2x13xi32> -> !ktdp.access_tile<1x13xindex>
    %b_tile = ktdp.load %t2 : !ktdp.access_tile<1x13xindex> -> tensor<1x13xi32>
    %out_view = ktdp.construct_memory_view %out, sizes: [4, 2, 13], strides: [26, 13, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 12 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x2x13xi32>
    %e3 = tensor.empty() : tensor<1x13xi32>
    %add = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x13xi32>, tensor<1x13xi32>) outs(%e3 : tensor<1x13xi32>) {
    ^bb0(%p0: i32, %p1: i32, %o: i32):
      %r = spyreop.addi32toi32 %p0, %p1 : i32
      linalg.yield %r : i32
    } -> tensor<1x13xi32>
    %e4 = tensor.empty() : tensor<1x13xi32>
    %mul = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x13xi32>, tensor<1x13xi32>) outs(%e4 : tensor<1x13xi32>) {
    ^bb0(%p0: i32, %p1: i32, %o: i32):
      %r = spyreop.muli32toi32 %p0, %p1 : i32
      linalg.yield %r : i32
    } -> tensor<1x13xi32>
    %base = arith.constant 1024 : i32
    %stride = arith.constant 128 : i32
    %e5 = tensor.empty() : tensor<1x13xi32>
    %addr = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile : tensor<1x13xi32>) outs(%e5 : tensor<1x13xi32>) {
    ^bb0(%p0: i32, %o: i32):
      %r = spyreop.idx32toaddr %p0 base %base stride %stride : i32
      linalg.yield %r : i32
    } -> tensor<1x13xi32>
    %a64 = arith.extsi %a_tile : tensor<1x13xi32> to tensor<1x13xi64>
    %b64 = arith.extsi %b_tile : tensor<1x13xi32> to tensor<1x13xi64>
    %e6 = tensor.empty() : tensor<1x13xi64>
    %add64 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a64, %b64 : tensor<1x13xi64>, tensor<1x13xi64>) outs(%e6 : tensor<1x13xi64>) {
    ^bb0(%p0: i64, %p1: i64, %o: i64):
      %r = spyreop.addi64toi64 %p0, %p1 : i64
      linalg.yield %r : i64
    } -> tensor<1x13xi64>
    %c1_64 = arith.constant dense<1> : tensor<1x13xi64>
    %half = arith.shrsi %add64, %c1_64 : tensor<1x13xi64>
    %low = arith.trunci %half : tensor<1x13xi64> to tensor<1x13xi32>
    %row0 = tensor.expand_shape %add [[0, 1], [2]] output_shape [1, 1, 13] : tensor<1x13xi32> into tensor<1x1x13xi32>
    %at0 = arith.constant 0 : index
    %t7 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 12 - d2 >= 0)>}
      : memref<4x2x13xi32> -> !ktdp.access_tile<1x1x13xindex>
    ktdp.store %row0, %t7 : tensor<1x1x13xi32>, !ktdp.access_tile<1x1x13xindex>
    %row1 = tensor.expand_shape %mul [[0, 1], [2]] output_shape [1, 1, 13] : tensor<1x13xi32> into tensor<1x1x13xi32>
    %at1 = arith.constant 1 : index
    %t8 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 12 - d2 >= 0)>}
      : memref<4x2x13xi32> -> !ktdp.access_tile<1x1x13xindex>
    ktdp.store %row1, %t8 : tensor<1x1x13xi32>, !ktdp.access_tile<1x1x13xindex>
    %row2 = tensor.expand_shape %addr [[0, 1], [2]] output_shape [1, 1, 13] : tensor<1x13xi32> into tensor<1x1x13xi32>
    %at2 = arith.constant 2 : index
    %t9 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 12 - d2 >= 0)>}
      : memref<4x2x13xi32> -> !ktdp.access_tile<1x1x13xindex>
    ktdp.store %row2, %t9 : tensor<1x1x13xi32>, !ktdp.access_tile<1x1x13xindex>
    %row3 = tensor.expand_shape %low [[0, 1], [2]] output_shape [1, 1, 13] : tensor<1x13xi32> into tensor<1x1x13xi32>
    %at3 = arith.constant 3 : index
    %t10 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 12 - d2 >= 0)>}
      : memref<4x2x13xi32> -> !ktdp.access_tile<1x1x13xindex>
    ktdp.store %row3, %t10 : tensor<1x1x13xi32>, !ktdp.access_tile<1x1x13xindex>
    return
  }
}
