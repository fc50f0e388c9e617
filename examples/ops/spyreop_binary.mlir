// Division, comparison, choice and constants of spyreop on f16.
module {
  func.func @spyreop_binary(%a: index, %b: index, %out: index) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [3, 41], strides: [41, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 40 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x41xf16>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 40 - d1 >= 0)>}
      : memref<3x41xf16> -> !ktdp.access_tile<1x41xindex>
    %a_tile = ktdp.load %t1 : !ktdp.access_tile<1x41xindex> -> tensor<1x41xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [3, 41], strides: [41, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 40 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x41xf16>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 40 - d1 >= 0)>}
      : memref<3x41xf16> -> !ktdp.access_tile<1x41xindex>
    %b_tile = ktdp.load %t2 : !ktdp.access_tile<1x41xindex> -> tensor<1x41xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [8, 3, 41], strides: [123, 41, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 2 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x3x41xf16>
    %e3 = tensor.empty() : tensor<1x41xf16>
    %realdiv = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x41xf16>, tensor<1x41xf16>) outs(%e3 : tensor<1x41xf16>) {
    ^bb0(%p0: f16, %p1: f16, %o: f16):
      %r = spyreop.realdiv %p0, %p1 : f16
      linalg.yield %r : f16
    } -> tensor<1x41xf16>
    %e4 = tensor.empty() : tensor<1x41xf16>
    %equal = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x41xf16>, tensor<1x41xf16>) outs(%e4 : tensor<1x41xf16>) {
    ^bb0(%p0: f16, %p1: f16, %o: f16):
      %r = spyreop.compare <equal> %p0, %p1 : f16
      linalg.yield %r : f16
    } -> tensor<1x41xf16>
    %e5 = tensor.empty() : tensor<1x41xf16>
    %notequal = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x41xf16>, tensor<1x41xf16>) outs(%e5 : tensor<1x41xf16>) {
    ^bb0(%p0: f16, %p1: f16, %o: f16):
      %r = spyreop.compare <notequal> %p0, %p1 : f16
      linalg.yield %r : f16
    } -> tensor<1x41xf16>
    %e6 = tensor.empty() : tensor<1x41xf16>
    %greaterthan = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x41xf16>, tensor<1x41xf16>) outs(%e6 : tensor<1x41xf16>) {
    ^bb0(%p0: f16, %p1: f16, %o: f16):
      %r = spyreop.compare <greaterthan> %p0, %p1 : f16
      linalg.yield %r : f16
    } -> tensor<1x41xf16>
    %e7 = tensor.empty() : tensor<1x41xf16>
    %greaterequal = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x41xf16>, tensor<1x41xf16>) outs(%e7 : tensor<1x41xf16>) {
    ^bb0(%p0: f16, %p1: f16, %o: f16):
      %r = spyreop.compare <greaterequal> %p0, %p1 : f16
      linalg.yield %r : f16
    } -> tensor<1x41xf16>
    %e8 = tensor.empty() : tensor<1x41xf16>
    %lesserthan = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x41xf16>, tensor<1x41xf16>) outs(%e8 : tensor<1x41xf16>) {
    ^bb0(%p0: f16, %p1: f16, %o: f16):
      %r = spyreop.compare <lesserthan> %p0, %p1 : f16
      linalg.yield %r : f16
    } -> tensor<1x41xf16>
    %e9 = tensor.empty() : tensor<1x41xf16>
    %lesserequal = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x41xf16>, tensor<1x41xf16>) outs(%e9 : tensor<1x41xf16>) {
    ^bb0(%p0: f16, %p1: f16, %o: f16):
      %r = spyreop.compare <lesserequal> %p0, %p1 : f16
      linalg.yield %r : f16
    } -> tensor<1x41xf16>
    %e10 = tensor.empty() : tensor<1x41xf16>
    %picked = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a_tile, %b_tile : tensor<1x41xf16>, tensor<1x41xf16>) outs(%e10 : tensor<1x41xf16>) {
    ^bb0(%p0: f16, %p1: f16, %o: f16):
      %half = spyreop.constant 0.5 : f16
      %c = spyreop.compare <greaterthan> %p0, %p1 : f16
      %r = spyreop.select %c, %p0, %half : f16
      linalg.yield %r : f16
    } -> tensor<1x41xf16>
    %row0 = tensor.expand_shape %realdiv [[0, 1], [2]] output_shape [1, 1, 41] : tensor<1x41xf16> into tensor<1x1x41xf16>
    %at0 = arith.constant 0 : index
    %t11 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>}
      : memref<8x3x41xf16> -> !ktdp.access_tile<1x1x41xindex>
    ktdp.store %row0, %t11 : tensor<1x1x41xf16>, !ktdp.access_tile<1x1x41xindex>
    %row1 = tensor.expand_shape %equal [[0, 1], [2]] output_shape [1, 1, 41] : tensor<1x41xf16> into tensor<1x1x41xf16>
    %at1 = arith.constant 1 : index
    %t12 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>}
      : memref<8x3x41xf16> -> !ktdp.access_tile<1x1x41xindex>
    ktdp.store %row1, %t12 : tensor<1x1x41xf16>, !ktdp.access_tile<1x1x41xindex>
    %row2 = tensor.expand_shape %notequal [[0, 1], [2]] output_shape [1, 1, 41] : tensor<1x41xf16> into tensor<1x1x41xf16>
    %at2 = arith.constant 2 : index
    %t13 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>}
      : memref<8x3x41xf16> -> !ktdp.access_tile<1x1x41xindex>
    ktdp.store %row2, %t13 : tensor<1x1x41xf16>, !ktdp.access_tile<1x1x41xindex>
    %row3 = tensor.expand_shape %greaterthan [[0, 1], [2]] output_shape [1, 1, 41] : tensor<1x41xf16> into tensor<1x1x41xf16>
    %at3 = arith.constant 3 : index
    %t14 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>}
      : memref<8x3x41xf16> -> !ktdp.access_tile<1x1x41xindex>
    ktdp.store %row3, %t14 : tensor<1x1x41xf16>, !ktdp.access_tile<1x1x41xindex>
    %row4 = tensor.expand_shape %greaterequal [[0, 1], [2]] output_shape [1, 1, 41] : tensor<1x41xf16> into tensor<1x1x41xf16>
    %at4 = arith.constant 4 : index
    %t15 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>}
      : memref<8x3x41xf16> -> !ktdp.access_tile<1x1x41xindex>
    ktdp.store %row4, %t15 : tensor<1x1x41xf16>, !ktdp.access_tile<1x1x41xindex>
    %row5 = tensor.expand_shape %lesserthan [[0, 1], [2]] output_shape [1, 1, 41] : tensor<1x41xf16> into tensor<1x1x41xf16>
    %at5 = arith.constant 5 : index
    %t16 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>}
      : memref<8x3x41xf16> -> !ktdp.access_tile<1x1x41xindex>
    ktdp.store %row5, %t16 : tensor<1x1x41xf16>, !ktdp.access_tile<1x1x41xindex>
    %row6 = tensor.expand_shape %lesserequal [[0, 1], [2]] output_shape [1, 1, 41] : tensor<1x41xf16> into tensor<1x1x41xf16>
    %at6 = arith.constant 6 : index
    %t17 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>}
      : memref<8x3x41xf16> -> !ktdp.access_tile<1x1x41xindex>
    ktdp.store %row6, %t17 : tensor<1x1x41xf16>, !ktdp.access_tile<1x1x41xindex>
    %row7 = tensor.expand_shape %picked [[0, 1], [2]] output_shape [1, 1, 41] : tensor<1x41xf16> into tensor<1x1x41xf16>
    %at7 = arith.constant 7 : index
    %t18 = ktdp.construct_access_tile %out_view[%at7, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 40 - d2 >= 0)>}
      : memref<8x3x41xf16> -> !ktdp.access_tile<1x1x41xindex>
    ktdp.store %row7, %t18 : tensor<1x1x41xf16>, !ktdp.access_tile<1x1x41xindex>
    return
  }
}
