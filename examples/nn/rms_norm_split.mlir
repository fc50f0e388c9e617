// Root-mean-square norm of 5 rows of 96 whose columns are split over the 2 tiles of a group; 2 groups take rows in
// turn (3 and 2, the shorter one repeats its last row). The sum of squares crosses tiles inside the loop.
#pairs = affine_set<(i)[g] : (i - 2 * g >= 0, 2 * g + 1 - i >= 0)>
#groups = affine_set<(g) : (g >= 0, 1 - g >= 0)>
module {
  func.func @rms_norm_split(%x: index, %weight: index, %y: index) attributes {grid = [2, 2]} {
    %half, %group = ktdp.get_compute_tile_id : index, index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c48 = arith.constant 48 : index
    %col = arith.muli %half, %c48 : index
    %zero = arith.constant dense<0.0> : tensor<1xf32>
    %n = arith.constant dense<96.0> : tensor<1xf32>
    %eps = arith.constant dense<1.0e-6> : tensor<1xf32>
    %X = ktdp.construct_memory_view %x, sizes: [5, 96], strides: [96, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 4 - d0 >= 0, d1 >= 0, 95 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<5x96xf32>
    %W = ktdp.construct_memory_view %weight, sizes: [96], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 95 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<96xf32>
    %Y = ktdp.construct_memory_view %y, sizes: [5, 96], strides: [96, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 4 - d0 >= 0, d1 >= 0, 95 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<5x96xf32>
    %t1 = ktdp.construct_access_tile %W[%col]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 47 - d0 >= 0)>}
      : memref<96xf32> -> !ktdp.access_tile<48xindex>
    %w0 = ktdp.load %t1 : !ktdp.access_tile<48xindex> -> tensor<48xf32>
    %w = tensor.expand_shape %w0 [[0, 1]] output_shape [1, 48] : tensor<48xf32> into tensor<1x48xf32>
    scf.for %r = %c0 to %c3 step %c1 {
      %twice = arith.muli %r, %c2 : index
      %wanted = arith.addi %twice, %group : index
      %row = arith.minui %wanted, %c4 : index
      %t2 = ktdp.construct_access_tile %X[%row, %col]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 47 - d1 >= 0)>}
        : memref<5x96xf32> -> !ktdp.access_tile<1x48xindex>
      %v = ktdp.load %t2 : !ktdp.access_tile<1x48xindex> -> tensor<1x48xf32>
      %vv = arith.mulf %v, %v : tensor<1x48xf32>
      %e = tensor.empty() : tensor<1xf32>
      %part = linalg.reduce { arith.addf } ins(%vv : tensor<1x48xf32>) outs(%e : tensor<1xf32>) dimensions = [1]
      %f = ktdp.inter_tile_produce producer_tiles_per_group = #pairs -> <(tensor<1xf32>), groups = #groups> {
      ^bb0(%g: index):
        ktdp.yield_partial %part : tensor<1xf32>
      }
      %total = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #pairs, identity(%zero : tensor<1xf32>) : <(tensor<1xf32>), groups = #groups> -> tensor<1xf32> {
      ^bb0(%a: tensor<1xf32>, %b: tensor<1xf32>):
        %ab = arith.addf %a, %b : tensor<1xf32>
        ktdp.yield_reduced %ab : tensor<1xf32>
      }
      %mean = arith.divf %total, %n : tensor<1xf32>
      %safe = arith.addf %mean, %eps : tensor<1xf32>
      %rstd = math.rsqrt %safe : tensor<1xf32>
      %e2 = tensor.empty() : tensor<1x48xf32>
      %rb = linalg.broadcast ins(%rstd : tensor<1xf32>) outs(%e2 : tensor<1x48xf32>) dimensions = [1]
      %u = arith.mulf %v, %rb : tensor<1x48xf32>
      %out = arith.mulf %u, %w : tensor<1x48xf32>
      %t3 = ktdp.construct_access_tile %Y[%row, %col]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 47 - d1 >= 0)>}
        : memref<5x96xf32> -> !ktdp.access_tile<1x48xindex>
      ktdp.store %out, %t3 : tensor<1x48xf32>, !ktdp.access_tile<1x48xindex>
    }
    return
  }
}
