// Attention of 3x4 queries of size 16 over pages of 8 keys named by a table: online softmax with carried maximum, sum
// and accumulator; the number of pages is known at launch.
module {
  func.func @paged_attention(%q: index, %keys: index, %values: index, %table: index, %out: index, %pages: i32, %scale: f32) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %row = arith.muli %id, %c4 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %low = arith.constant dense<0xFF800000> : tensor<4xf32>
    %none = arith.constant dense<0.0> : tensor<4xf32>
    %blank = arith.constant dense<0.0> : tensor<4x16xf32>
    %scales = tensor.splat %scale : tensor<4x8xf32>
    %Q = ktdp.construct_memory_view %q, sizes: [12, 16], strides: [16, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 15 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x16xf16>
    %K = ktdp.construct_memory_view %keys, sizes: [20, 8, 16], strides: [128, 16, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 19 - d0 >= 0, d1 >= 0, 7 - d1 >= 0, d2 >= 0, 15 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<20x8x16xf16>
    %V = ktdp.construct_memory_view %values, sizes: [20, 8, 16], strides: [128, 16, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 19 - d0 >= 0, d1 >= 0, 7 - d1 >= 0, d2 >= 0, 15 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<20x8x16xf16>
    %T = ktdp.construct_memory_view %table, sizes: [9], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 8 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<9xi32>
    %O = ktdp.construct_memory_view %out, sizes: [12, 16], strides: [16, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 15 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x16xf16>
    %t1 = ktdp.construct_access_tile %Q[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 15 - d1 >= 0)>}
      : memref<12x16xf16> -> !ktdp.access_tile<4x16xindex>
    %queries = ktdp.load %t1 : !ktdp.access_tile<4x16xindex> -> tensor<4x16xf16>
    %m, %l, %acc = scf.for %p = %z to %pages step %one iter_args(%mi = %low, %li = %none, %ai = %blank)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4x16xf32>)  : i32 {
      %page = arith.index_cast %p : i32 to index
      %kg = ktdp.construct_indirect_access_tile intermediate_variables(%t, %d) %K[ind(%T[%page]), (%t), (%d)]
        {variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, variables_space_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 15 - d1 >= 0)>}
        : memref<20x8x16xf16>, memref<9xi32> -> !ktdp.access_tile<8x16xindex>
      %kt = ktdp.load %kg : !ktdp.access_tile<8x16xindex> -> tensor<8x16xf16>
      %vg = ktdp.construct_indirect_access_tile intermediate_variables(%t, %d) %V[ind(%T[%page]), (%t), (%d)]
        {variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, variables_space_set = affine_set<(d0, d1) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 15 - d1 >= 0)>}
        : memref<20x8x16xf16>, memref<9xi32> -> !ktdp.access_tile<8x16xindex>
      %vt = ktdp.load %vg : !ktdp.access_tile<8x16xindex> -> tensor<8x16xf16>
      %ke = tensor.empty() : tensor<16x8xf16>
      %kt2 = linalg.transpose ins(%kt : tensor<8x16xf16>) outs(%ke : tensor<16x8xf16>) permutation = [1, 0]
      %se = tensor.empty() : tensor<4x8xf32>
      %s0 = linalg.matmul ins(%queries, %kt2 : tensor<4x16xf16>, tensor<16x8xf16>) outs(%se : tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = arith.mulf %s0, %scales : tensor<4x8xf32>
      %mj = linalg.reduce { arith.maximumf } ins(%s : tensor<4x8xf32>) outs(%mi : tensor<4xf32>) dimensions = [1]
      %mb = linalg.broadcast ins(%mj : tensor<4xf32>) outs(%se : tensor<4x8xf32>) dimensions = [1]
      %sd = arith.subf %s, %mb : tensor<4x8xf32>
      %pe = math.exp %sd : tensor<4x8xf32>
      %md = arith.subf %mi, %mj : tensor<4xf32>
      %alpha = math.exp %md : tensor<4xf32>
      %lscaled = arith.mulf %li, %alpha : tensor<4xf32>
      %lj = linalg.reduce { arith.addf } ins(%pe : tensor<4x8xf32>) outs(%lscaled : tensor<4xf32>) dimensions = [1]
      %ae = tensor.empty() : tensor<4x16xf32>
      %ab = linalg.broadcast ins(%alpha : tensor<4xf32>) outs(%ae : tensor<4x16xf32>) dimensions = [1]
      %as = arith.mulf %ai, %ab : tensor<4x16xf32>
      %ph = arith.truncf %pe : tensor<4x8xf32> to tensor<4x8xf16>
      %aj = linalg.matmul ins(%ph, %vt : tensor<4x8xf16>, tensor<8x16xf16>) outs(%as : tensor<4x16xf32>) -> tensor<4x16xf32>
      scf.yield %mj, %lj, %aj : tensor<4xf32>, tensor<4xf32>, tensor<4x16xf32>
    }
    %oe = tensor.empty() : tensor<4x16xf32>
    %lb = linalg.broadcast ins(%l : tensor<4xf32>) outs(%oe : tensor<4x16xf32>) dimensions = [1]
    %o = arith.divf %acc, %lb : tensor<4x16xf32>
    %oh = arith.truncf %o : tensor<4x16xf32> to tensor<4x16xf16>
    %t2 = ktdp.construct_access_tile %O[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 15 - d1 >= 0)>}
      : memref<12x16xf16> -> !ktdp.access_tile<4x16xindex>
    ktdp.store %oh, %t2 : tensor<4x16xf16>, !ktdp.access_tile<4x16xindex>
    return
  }
}
