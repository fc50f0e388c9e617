// Every way tiles hand values to each other, in 2 groups of 4 tiles; both spellings of produce and reduce.
#all = affine_set<(i)[g] : (i - 4*g >= 0, 4*g + 3 - i >= 0)>
#first = affine_set<(i)[g] : (i - 4*g == 0)>
#groups = affine_set<(g) : (g >= 0, 1 - g >= 0)>
module {
  func.func @exchange(%p: tensor<4x64xf16>) attributes {grid = [8]} {
    %zero = arith.constant dense<0.0> : tensor<4x64xf16>
    %f0 = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<4x64xf16>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %p : tensor<4x64xf16>
    }
    %sum = ktdp.inter_tile_reduce(%f0) consumer_tiles_per_group = #all, identity(%zero : tensor<4x64xf16>)
      : <(tensor<4x64xf16>), groups = #groups> -> tensor<4x64xf16> {
    ^bb0(%a: tensor<4x64xf16>, %b: tensor<4x64xf16>):
      %c = arith.addf %a, %b : tensor<4x64xf16>
      ktdp.yield_reduced %c : tensor<4x64xf16>
    }
    %f1 = ktdp.inter_tile_produce producer_tiles_per_group = #all
      : tensor<4x64xf16> -> !ktdp.tile_future<tensor<4x64xf16>, groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %sum : tensor<4x64xf16>
    }
    %most = ktdp.inter_tile_reduce(%f1) consumer_tiles_per_group = #first, identity(%zero : tensor<4x64xf16>)
      : !ktdp.tile_future<tensor<4x64xf16>, groups = #groups> -> tensor<4x64xf16> {
    ^bb0(%a: tensor<4x64xf16>, %b: tensor<4x64xf16>):
      %c = arith.maximumf %a, %b : tensor<4x64xf16>
      ktdp.yield_reduced %c : tensor<4x64xf16>
    }
    %f2 = ktdp.inter_tile_produce producer_tiles_per_group = #first -> <(tensor<4x64xf16>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %most : tensor<4x64xf16>
    }
    %copy = ktdp.inter_tile_consume(%f2) consumer_tiles_per_group = #all
      : <(tensor<4x64xf16>), groups = #groups> -> tensor<4x64xf16>
    %f3 = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<4x64xf16>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %copy : tensor<4x64xf16>
    }
    %next = ktdp.inter_tile_consume(%f3) consumer_tiles_per_group = #all,
      producer_dependency_per_consumer = affine_set<(p)[c, g] : (p - 4*g - (c + 1) mod 4 == 0)>
      : <(tensor<4x64xf16>), groups = #groups> -> tensor<4x64xf16>
    %f4 = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<4x64xf16>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %next : tensor<4x64xf16>
    }
    %part = ktdp.inter_tile_reduce_scatter(%f4) consumer_tiles_per_group = #all, scatter_dimensions = [0],
      identity(%zero : tensor<4x64xf16>) : <(tensor<4x64xf16>), groups = #groups> -> tensor<1x64xf16> {
    ^bb0(%a: tensor<4x64xf16>, %b: tensor<4x64xf16>):
      %c = arith.addf %a, %b : tensor<4x64xf16>
      ktdp.yield_reduced %c : tensor<4x64xf16>
    }
    %f5 = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<1x64xf16>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %part : tensor<1x64xf16>
    }
    %whole = ktdp.inter_tile_gather(%f5) consumer_tiles_per_group = #all, gather_dimensions = [0]
      : <(tensor<1x64xf16>), groups = #groups> -> tensor<4x64xf16>
    %f6 = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<4x64xf16>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %whole : tensor<4x64xf16>
    }
    %turned = ktdp.inter_tile_all_to_all(%f6) consumer_tiles_per_group = #all, split_dimensions = [1],
      concat_dimensions = [0] : <(tensor<4x64xf16>), groups = #groups> -> tensor<16x16xf16>
    %f7 = ktdp.inter_tile_produce producer_tiles_per_group = #first -> <(tensor<4x64xf16>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %whole : tensor<4x64xf16>
    }
    %piece = ktdp.inter_tile_scatter(%f7) consumer_tiles_per_group = #all, scatter_dimensions = [0]
      : <(tensor<4x64xf16>), groups = #groups> -> tensor<1x64xf16>
    return
  }
}
