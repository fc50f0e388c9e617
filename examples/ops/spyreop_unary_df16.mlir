// Every unary float intrinsic of spyreop on df16, one result row each.
module {
  func.func @spyreop_unary_df16(%x: index, %out: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [2, 35], strides: [35, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 34 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x35x!spyreop.df16>
    %t1 = ktdp.construct_access_tile %x_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 34 - d1 >= 0)>}
      : memref<2x35x!spyreop.df16> -> !ktdp.access_tile<1x35xindex>
    %x_tile = ktdp.load %t1 : !ktdp.access_tile<1x35xindex> -> tensor<1x35x!spyreop.df16>
    %out_view = ktdp.construct_memory_view %out, sizes: [8, 2, 35], strides: [70, 35, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x2x35x!spyreop.df16>
    %e2 = tensor.empty() : tensor<1x35x!spyreop.df16>
    %exp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_tile : tensor<1x35x!spyreop.df16>) outs(%e2 : tensor<1x35x!spyreop.df16>) {
    ^bb0(%p0: !spyreop.df16, %o: !spyreop.df16):
      %r = spyreop.exp %p0 : !spyreop.df16
      linalg.yield %r : !spyreop.df16
    } -> tensor<1x35x!spyreop.df16>
    %e3 = tensor.empty() : tensor<1x35x!spyreop.df16>
    %sqrt = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_tile : tensor<1x35x!spyreop.df16>) outs(%e3 : tensor<1x35x!spyreop.df16>) {
    ^bb0(%p0: !spyreop.df16, %o: !spyreop.df16):
      %r = spyreop.sqrt %p0 : !spyreop.df16
      linalg.yield %r : !spyreop.df16
    } -> tensor<1x35x!spyreop.df16>
    %e4 = tensor.empty() : tensor<1x35x!spyreop.df16>
    %rsqrt = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_tile : tensor<1x35x!spyreop.df16>) outs(%e4 : tensor<1x35x!spyreop.df16>) {
    ^bb0(%p0: !spyreop.df16, %o: !spyreop.df16):
      %r = spyreop.rsqrt %p0 : !spyreop.df16
      linalg.yield %r : !spyreop.df16
    } -> tensor<1x35x!spyreop.df16>
    %e5 = tensor.empty() : tensor<1x35x!spyreop.df16>
    %reciprocal = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_tile : tensor<1x35x!spyreop.df16>) outs(%e5 : tensor<1x35x!spyreop.df16>) {
    ^bb0(%p0: !spyreop.df16, %o: !spyreop.df16):
      %r = spyreop.reciprocal %p0 : !spyreop.df16
      linalg.yield %r : !spyreop.df16
    } -> tensor<1x35x!spyreop.df16>
    %e6 = tensor.empty() : tensor<1x35x!spyreop.df16>
    %sigmoid = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_tile : tensor<1x35x!spyreop.df16>) outs(%e6 : tensor<1x35x!spyreop.df16>) {
    ^bb0(%p0: !spyreop.df16, %o: !spyreop.df16):
      %r = spyreop.sigmoid %p0 : !spyreop.df16
      linalg.yield %r : !spyreop.df16
    } -> tensor<1x35x!spyreop.df16>
    %e7 = tensor.empty() : tensor<1x35x!spyreop.df16>
    %silu = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_tile : tensor<1x35x!spyreop.df16>) outs(%e7 : tensor<1x35x!spyreop.df16>) {
    ^bb0(%p0: !spyreop.df16, %o: !spyreop.df16):
      %r = spyreop.silu %p0 : !spyreop.df16
      linalg.yield %r : !spyreop.df16
    } -> tensor<1x35x!spyreop.df16>
    %e8 = tensor.empty() : tensor<1x35x!spyreop.df16>
    %gelu = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_tile : tensor<1x35x!spyreop.df16>) outs(%e8 : tensor<1x35x!spyreop.df16>) {
    ^bb0(%p0: !spyreop.df16, %o: !spyreop.df16):
      %r = spyreop.gelu %p0 : !spyreop.df16
      linalg.yield %r : !spyreop.df16
    } -> tensor<1x35x!spyreop.df16>
    %e9 = tensor.empty() : tensor<1x35x!spyreop.df16>
    %softplus = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_tile : tensor<1x35x!spyreop.df16>) outs(%e9 : tensor<1x35x!spyreop.df16>) {
    ^bb0(%p0: !spyreop.df16, %o: !spyreop.df16):
      %r = spyreop.softplus %p0 beta 2.0 threshold 20.0 : !spyreop.df16
      linalg.yield %r : !spyreop.df16
    } -> tensor<1x35x!spyreop.df16>
    %row0 = tensor.expand_shape %exp [[0, 1], [2]] output_shape [1, 1, 35] : tensor<1x35x!spyreop.df16> into tensor<1x1x35x!spyreop.df16>
    %at0 = arith.constant 0 : index
    %t10 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>}
      : memref<8x2x35x!spyreop.df16> -> !ktdp.access_tile<1x1x35xindex>
    ktdp.store %row0, %t10 : tensor<1x1x35x!spyreop.df16>, !ktdp.access_tile<1x1x35xindex>
    %row1 = tensor.expand_shape %sqrt [[0, 1], [2]] output_shape [1, 1, 35] : tensor<1x35x!spyreop.df16> into tensor<1x1x35x!spyreop.df16>
    %at1 = arith.constant 1 : index
    %t11 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>}
      : memref<8x2x35x!spyreop.df16> -> !ktdp.access_tile<1x1x35xindex>
    ktdp.store %row1, %t11 : tensor<1x1x35x!spyreop.df16>, !ktdp.access_tile<1x1x35xindex>
    %row2 = tensor.expand_shape %rsqrt [[0, 1], [2]] output_shape [1, 1, 35] : tensor<1x35x!spyreop.df16> into tensor<1x1x35x!spyreop.df16>
    %at2 = arith.constant 2 : index
    %t12 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>}
      : memref<8x2x35x!spyreop.df16> -> !ktdp.access_tile<1x1x35xindex>
    ktdp.store %row2, %t12 : tensor<1x1x35x!spyreop.df16>, !ktdp.access_tile<1x1x35xindex>
    %row3 = tensor.expand_shape %reciprocal [[0, 1], [2]] output_shape [1, 1, 35] : tensor<1x35x!spyreop.df16> into tensor<1x1x35x!spyreop.df16>
    %at3 = arith.constant 3 : index
    %t13 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>}
      : memref<8x2x35x!spyreop.df16> -> !ktdp.access_tile<1x1x35xindex>
    ktdp.store %row3, %t13 : tensor<1x1x35x!spyreop.df16>, !ktdp.access_tile<1x1x35xindex>
    %row4 = tensor.expand_shape %sigmoid [[0, 1], [2]] output_shape [1, 1, 35] : tensor<1x35x!spyreop.df16> into tensor<1x1x35x!spyreop.df16>
    %at4 = arith.constant 4 : index
    %t14 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>}
      : memref<8x2x35x!spyreop.df16> -> !ktdp.access_tile<1x1x35xindex>
    ktdp.store %row4, %t14 : tensor<1x1x35x!spyreop.df16>, !ktdp.access_tile<1x1x35xindex>
    %row5 = tensor.expand_shape %silu [[0, 1], [2]] output_shape [1, 1, 35] : tensor<1x35x!spyreop.df16> into tensor<1x1x35x!spyreop.df16>
    %at5 = arith.constant 5 : index
    %t15 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>}
      : memref<8x2x35x!spyreop.df16> -> !ktdp.access_tile<1x1x35xindex>
    ktdp.store %row5, %t15 : tensor<1x1x35x!spyreop.df16>, !ktdp.access_tile<1x1x35xindex>
    %row6 = tensor.expand_shape %gelu [[0, 1], [2]] output_shape [1, 1, 35] : tensor<1x35x!spyreop.df16> into tensor<1x1x35x!spyreop.df16>
    %at6 = arith.constant 6 : index
    %t16 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>}
      : memref<8x2x35x!spyreop.df16> -> !ktdp.access_tile<1x1x35xindex>
    ktdp.store %row6, %t16 : tensor<1x1x35x!spyreop.df16>, !ktdp.access_tile<1x1x35xindex>
    %row7 = tensor.expand_shape %softplus [[0, 1], [2]] output_shape [1, 1, 35] : tensor<1x35x!spyreop.df16> into tensor<1x1x35x!spyreop.df16>
    %at7 = arith.constant 7 : index
    %t17 = ktdp.construct_access_tile %out_view[%at7, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 34 - d2 >= 0)>}
      : memref<8x2x35x!spyreop.df16> -> !ktdp.access_tile<1x1x35xindex>
    ktdp.store %row7, %t17 : tensor<1x1x35x!spyreop.df16>, !ktdp.access_tile<1x1x35xindex>
    return
  }
}
