#set = affine_set<(d0)[s0] : (d0 - s0 * 4 >= 0, -d0 + s0 * 4 + 3 >= 0)>
#set1 = affine_set<(d0)[s0] : (d0 - s0 * 4 == 0)>
#set2 = affine_set<(d0)[s0, s1] : (d0 - s1 * 4 - (s0 + 1) mod 4 == 0)>
module {
  func.func @exchange(%p: tensor<4x64xf16>) attributes {grid = [8]} {
    %zero = arith.constant dense<0.000000e+00> : tensor<4x64xf16>
    %f0 = ktdp.inter_tile_produce producer_tiles_per_group = #set -> !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> {
    ^bb0(%g: index):
      ktdp.yield_partial %p : tensor<4x64xf16>
    }
    %sum = ktdp.inter_tile_reduce(%f0) consumer_tiles_per_group = #set, identity(%zero : tensor<4x64xf16>) : !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> -> tensor<4x64xf16> {
    ^bb0(%a: tensor<4x64xf16>, %b: tensor<4x64xf16>):
      %c = arith.addf %a, %b : tensor<4x64xf16>
      ktdp.yield_reduced %c : tensor<4x64xf16>
    }
    %f1 = ktdp.inter_tile_produce producer_tiles_per_group = #set -> !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> {
    ^bb0(%g_1: index):
      ktdp.yield_partial %sum : tensor<4x64xf16>
    }
    %most = ktdp.inter_tile_reduce(%f1) consumer_tiles_per_group = #set1, identity(%zero : tensor<4x64xf16>) : !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> -> tensor<4x64xf16> {
    ^bb0(%a_2: tensor<4x64xf16>, %b_3: tensor<4x64xf16>):
      %c_4 = arith.maximumf %a_2, %b_3 : tensor<4x64xf16>
      ktdp.yield_reduced %c_4 : tensor<4x64xf16>
    }
    %f2 = ktdp.inter_tile_produce producer_tiles_per_group = #set1 -> !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> {
    ^bb0(%g_5: index):
      ktdp.yield_partial %most : tensor<4x64xf16>
    }
    %copy = ktdp.inter_tile_consume(%f2) consumer_tiles_per_group = #set : !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> -> tensor<4x64xf16>
    %f3 = ktdp.inter_tile_produce producer_tiles_per_group = #set -> !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> {
    ^bb0(%g_6: index):
      ktdp.yield_partial %copy : tensor<4x64xf16>
    }
    %next = ktdp.inter_tile_consume(%f3) consumer_tiles_per_group = #set, producer_dependency_per_consumer = #set2 : !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> -> tensor<4x64xf16>
    %f4 = ktdp.inter_tile_produce producer_tiles_per_group = #set -> !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> {
    ^bb0(%g_7: index):
      ktdp.yield_partial %next : tensor<4x64xf16>
    }
    %part = ktdp.inter_tile_reduce_scatter(%f4) consumer_tiles_per_group = #set, scatter_dimensions = [0], identity(%zero : tensor<4x64xf16>) : !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> -> tensor<1x64xf16> {
    ^bb0(%a_8: tensor<4x64xf16>, %b_9: tensor<4x64xf16>):
      %c_10 = arith.addf %a_8, %b_9 : tensor<4x64xf16>
      ktdp.yield_reduced %c_10 : tensor<4x64xf16>
    }
    %f5 = ktdp.inter_tile_produce producer_tiles_per_group = #set -> !ktdp.tile_future<(tensor<1x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> {
    ^bb0(%g_11: index):
      ktdp.yield_partial %part : tensor<1x64xf16>
    }
    %whole = ktdp.inter_tile_gather(%f5) consumer_tiles_per_group = #set, gather_dimensions = [0] : !ktdp.tile_future<(tensor<1x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> -> tensor<4x64xf16>
    %f6 = ktdp.inter_tile_produce producer_tiles_per_group = #set -> !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> {
    ^bb0(%g_12: index):
      ktdp.yield_partial %whole : tensor<4x64xf16>
    }
    %turned = ktdp.inter_tile_all_to_all(%f6) consumer_tiles_per_group = #set, split_dimensions = [1], concat_dimensions = [0] : !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> -> tensor<16x16xf16>
    %f7 = ktdp.inter_tile_produce producer_tiles_per_group = #set1 -> !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> {
    ^bb0(%g_13: index):
      ktdp.yield_partial %whole : tensor<4x64xf16>
    }
    %piece = ktdp.inter_tile_scatter(%f7) consumer_tiles_per_group = #set, scatter_dimensions = [0] : !ktdp.tile_future<(tensor<4x64xf16>), groups = affine_set<(d0) : (d0 >= 0, d0 * -1 + 1 >= 0)>> -> tensor<1x64xf16>
    return
  }
}
