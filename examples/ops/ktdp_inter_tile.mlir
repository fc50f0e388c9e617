// Every inter-tile operation on 4 tiles in two groups of neighbours, one 2x6 tile each.
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, 2 * g + 1 - i >= 0)>
#first = affine_set<(i)[g] : (i - 2 * g == 0)>
#groups = affine_set<(g) : (g >= 0, 1 - g >= 0)>
#partner = affine_set<(p)[c, g] : (p + c - 4 * g - 1 == 0)>
module {
  func.func @ktdp_inter_tile(%x: index, %bcast: index, %total: index, %part: index, %gathered: index, %swapped: index, %dealt: index) attributes {grid = [4]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [4, 2, 6], strides: [12, 6, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x2x6xf32>
    %bcast_view = ktdp.construct_memory_view %bcast, sizes: [4, 2, 6], strides: [12, 6, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x2x6xf32>
    %total_view = ktdp.construct_memory_view %total, sizes: [4, 2, 6], strides: [12, 6, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x2x6xf32>
    %part_view = ktdp.construct_memory_view %part, sizes: [4, 2, 3], strides: [6, 3, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 2 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x2x3xf32>
    %gathered_view = ktdp.construct_memory_view %gathered, sizes: [4, 4, 6], strides: [24, 6, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x4x6xf32>
    %swapped_view = ktdp.construct_memory_view %swapped, sizes: [4, 4, 3], strides: [12, 3, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 2 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x4x3xf32>
    %dealt_view = ktdp.construct_memory_view %dealt, sizes: [4, 1, 6], strides: [6, 6, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x1x6xf32>
    %t1 = ktdp.construct_access_tile %x_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<4x2x6xf32> -> !ktdp.access_tile<1x2x6xindex>
    %x3 = ktdp.load %t1 : !ktdp.access_tile<1x2x6xindex> -> tensor<1x2x6xf32>
    %X = tensor.collapse_shape %x3 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %zero = arith.constant dense<0.0> : tensor<2x6xf32>
    // Each tile takes its partner's tile.
    %f0 = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> <(tensor<2x6xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %X : tensor<2x6xf32>
    }
    %v_bcast = ktdp.inter_tile_consume(%f0) consumer_tiles_per_group = #pairs, producer_dependency_per_consumer = #partner : <(tensor<2x6xf32>), groups = #groups> -> tensor<2x6xf32>
    %f1 = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> <(tensor<2x6xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %X : tensor<2x6xf32>
    }
    %v_total = ktdp.inter_tile_reduce(%f1) consumer_tiles_per_group = #pairs, identity(%zero : tensor<2x6xf32>) : <(tensor<2x6xf32>), groups = #groups> -> tensor<2x6xf32> {
    ^bb0(%l: tensor<2x6xf32>, %r: tensor<2x6xf32>):
      %s = arith.addf %l, %r : tensor<2x6xf32>
      ktdp.yield_reduced %s : tensor<2x6xf32>
    }
    %f2 = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> <(tensor<2x6xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %X : tensor<2x6xf32>
    }
    %v_part = ktdp.inter_tile_reduce_scatter(%f2) consumer_tiles_per_group = #pairs, scatter_dimensions = [1], identity(%zero : tensor<2x6xf32>) : <(tensor<2x6xf32>), groups = #groups> -> tensor<2x3xf32> {
    ^bb0(%l: tensor<2x6xf32>, %r: tensor<2x6xf32>):
      %s = arith.addf %l, %r : tensor<2x6xf32>
      ktdp.yield_reduced %s : tensor<2x6xf32>
    }
    %f3 = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> <(tensor<2x6xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %X : tensor<2x6xf32>
    }
    %v_gathered = ktdp.inter_tile_gather(%f3) consumer_tiles_per_group = #pairs, gather_dimensions = [0] : <(tensor<2x6xf32>), groups = #groups> -> tensor<4x6xf32>
    %f4 = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> <(tensor<2x6xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %X : tensor<2x6xf32>
    }
    %v_swapped = ktdp.inter_tile_all_to_all(%f4) consumer_tiles_per_group = #pairs, split_dimensions = [1], concat_dimensions = [0] : <(tensor<2x6xf32>), groups = #groups> -> tensor<4x3xf32>
    %f5 = ktdp.inter_tile_produce producer_tiles_per_group = #first -> <(tensor<2x6xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %X : tensor<2x6xf32>
    }
    %v_dealt = ktdp.inter_tile_scatter(%f5) consumer_tiles_per_group = #pairs, scatter_dimensions = [0] : <(tensor<2x6xf32>), groups = #groups> -> tensor<1x6xf32>
    %o_bcast = tensor.expand_shape %v_bcast [[0, 1], [2]] output_shape [1, 2, 6] : tensor<2x6xf32> into tensor<1x2x6xf32>
    %t2 = ktdp.construct_access_tile %bcast_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<4x2x6xf32> -> !ktdp.access_tile<1x2x6xindex>
    ktdp.store %o_bcast, %t2 : tensor<1x2x6xf32>, !ktdp.access_tile<1x2x6xindex>
    %o_total = tensor.expand_shape %v_total [[0, 1], [2]] output_shape [1, 2, 6] : tensor<2x6xf32> into tensor<1x2x6xf32>
    %t3 = ktdp.construct_access_tile %total_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<4x2x6xf32> -> !ktdp.access_tile<1x2x6xindex>
    ktdp.store %o_total, %t3 : tensor<1x2x6xf32>, !ktdp.access_tile<1x2x6xindex>
    %o_part = tensor.expand_shape %v_part [[0, 1], [2]] output_shape [1, 2, 3] : tensor<2x3xf32> into tensor<1x2x3xf32>
    %t4 = ktdp.construct_access_tile %part_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 2 - d2 >= 0)>}
      : memref<4x2x3xf32> -> !ktdp.access_tile<1x2x3xindex>
    ktdp.store %o_part, %t4 : tensor<1x2x3xf32>, !ktdp.access_tile<1x2x3xindex>
    %o_gathered = tensor.expand_shape %v_gathered [[0, 1], [2]] output_shape [1, 4, 6] : tensor<4x6xf32> into tensor<1x4x6xf32>
    %t5 = ktdp.construct_access_tile %gathered_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<4x4x6xf32> -> !ktdp.access_tile<1x4x6xindex>
    ktdp.store %o_gathered, %t5 : tensor<1x4x6xf32>, !ktdp.access_tile<1x4x6xindex>
    %o_swapped = tensor.expand_shape %v_swapped [[0, 1], [2]] output_shape [1, 4, 3] : tensor<4x3xf32> into tensor<1x4x3xf32>
    %t6 = ktdp.construct_access_tile %swapped_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 3 - d1 >= 0, d2 >= 0, 2 - d2 >= 0)>}
      : memref<4x4x3xf32> -> !ktdp.access_tile<1x4x3xindex>
    ktdp.store %o_swapped, %t6 : tensor<1x4x3xf32>, !ktdp.access_tile<1x4x3xindex>
    %o_dealt = tensor.expand_shape %v_dealt [[0, 1], [2]] output_shape [1, 1, 6] : tensor<1x6xf32> into tensor<1x1x6xf32>
    %t7 = ktdp.construct_access_tile %dealt_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 5 - d2 >= 0)>}
      : memref<4x1x6xf32> -> !ktdp.access_tile<1x1x6xindex>
    ktdp.store %o_dealt, %t7 : tensor<1x1x6xf32>, !ktdp.access_tile<1x1x6xindex>
    return
  }
}
