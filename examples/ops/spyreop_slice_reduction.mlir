// Reductions inside one stick of 64 lanes: every kind and scope.
module {
  func.func @spyreop_slice_reduction(%x: index, %out: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [2, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x64xf16>
    %t1 = ktdp.construct_access_tile %x_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<2x64xf16> -> !ktdp.access_tile<1x64xindex>
    %x_tile = ktdp.load %t1 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [12, 2, 64], strides: [128, 64, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x2x64xf16>
    %stick = tensor.collapse_shape %x_tile [[0, 1]] : tensor<1x64xf16> into tensor<64xf16>
    %add_in_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
    %add_in_slice_2d = tensor.expand_shape %add_in_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %add_across_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<across_slice>} : tensor<64xf16> -> tensor<64xf16>
    %add_across_slice_2d = tensor.expand_shape %add_across_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %sub_in_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<sub>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
    %sub_in_slice_2d = tensor.expand_shape %sub_in_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %sub_across_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<sub>, reduction_scope = #spyreop.reduction_scope<across_slice>} : tensor<64xf16> -> tensor<64xf16>
    %sub_across_slice_2d = tensor.expand_shape %sub_across_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %max_in_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<max>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
    %max_in_slice_2d = tensor.expand_shape %max_in_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %max_across_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<max>, reduction_scope = #spyreop.reduction_scope<across_slice>} : tensor<64xf16> -> tensor<64xf16>
    %max_across_slice_2d = tensor.expand_shape %max_across_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %min_in_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<min>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
    %min_in_slice_2d = tensor.expand_shape %min_in_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %min_across_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<min>, reduction_scope = #spyreop.reduction_scope<across_slice>} : tensor<64xf16> -> tensor<64xf16>
    %min_across_slice_2d = tensor.expand_shape %min_across_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %mul_in_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<mul>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
    %mul_in_slice_2d = tensor.expand_shape %mul_in_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %mul_across_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<mul>, reduction_scope = #spyreop.reduction_scope<across_slice>} : tensor<64xf16> -> tensor<64xf16>
    %mul_across_slice_2d = tensor.expand_shape %mul_across_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %abs_max_in_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<abs_max>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
    %abs_max_in_slice_2d = tensor.expand_shape %abs_max_in_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %abs_max_across_slice = spyreop.slice_reduction %stick {reduction_kind = #spyreop.reduction_kind<abs_max>, reduction_scope = #spyreop.reduction_scope<across_slice>} : tensor<64xf16> -> tensor<64xf16>
    %abs_max_across_slice_2d = tensor.expand_shape %abs_max_across_slice [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %row0 = tensor.expand_shape %add_in_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at0 = arith.constant 0 : index
    %t2 = ktdp.construct_access_tile %out_view[%at0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row0, %t2 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row1 = tensor.expand_shape %add_across_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at1 = arith.constant 1 : index
    %t3 = ktdp.construct_access_tile %out_view[%at1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row1, %t3 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row2 = tensor.expand_shape %sub_in_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at2 = arith.constant 2 : index
    %t4 = ktdp.construct_access_tile %out_view[%at2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row2, %t4 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row3 = tensor.expand_shape %sub_across_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at3 = arith.constant 3 : index
    %t5 = ktdp.construct_access_tile %out_view[%at3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row3, %t5 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row4 = tensor.expand_shape %max_in_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at4 = arith.constant 4 : index
    %t6 = ktdp.construct_access_tile %out_view[%at4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row4, %t6 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row5 = tensor.expand_shape %max_across_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at5 = arith.constant 5 : index
    %t7 = ktdp.construct_access_tile %out_view[%at5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row5, %t7 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row6 = tensor.expand_shape %min_in_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at6 = arith.constant 6 : index
    %t8 = ktdp.construct_access_tile %out_view[%at6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row6, %t8 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row7 = tensor.expand_shape %min_across_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at7 = arith.constant 7 : index
    %t9 = ktdp.construct_access_tile %out_view[%at7, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row7, %t9 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row8 = tensor.expand_shape %mul_in_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at8 = arith.constant 8 : index
    %t10 = ktdp.construct_access_tile %out_view[%at8, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row8, %t10 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row9 = tensor.expand_shape %mul_across_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at9 = arith.constant 9 : index
    %t11 = ktdp.construct_access_tile %out_view[%at9, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row9, %t11 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row10 = tensor.expand_shape %abs_max_in_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at10 = arith.constant 10 : index
    %t12 = ktdp.construct_access_tile %out_view[%at10, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row10, %t12 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    %row11 = tensor.expand_shape %abs_max_across_slice_2d [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at11 = arith.constant 11 : index
    %t13 = ktdp.construct_access_tile %out_view[%at11, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 63 - d2 >= 0)>}
      : memref<12x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %row11, %t13 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    return
  }
}
