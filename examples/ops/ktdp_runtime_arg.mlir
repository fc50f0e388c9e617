// Sizes known at launch: y = x + x over n columns in tiles of the argument's granularity, plus its upper bound at the end.
module {
  func.func @ktdp_runtime_arg(%x: index, %y: index, %bound: index, %n: !ktdp.runtime_arg<index, granularity = 8, upperbound = 64>)
    attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %columns = ktdp.runtime_arg_extract value from %n : !ktdp.runtime_arg<index, granularity = 8, upperbound = 64> -> index
    %step = ktdp.runtime_arg_extract granularity from %n : !ktdp.runtime_arg<index, granularity = 8, upperbound = 64> -> index
    %most = ktdp.runtime_arg_extract upperbound from %n : !ktdp.runtime_arg<index, granularity = 8, upperbound = 64> -> index
    %X = ktdp.construct_memory_view %x, sizes: [2, %columns], strides: [%columns, 1]
      {coordinate_set = affine_set<(r, c)[n] : (r >= 0, 1 - r >= 0, c >= 0, n - c - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x?xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [2, %columns], strides: [%columns, 1]
      {coordinate_set = affine_set<(r, c)[n] : (r >= 0, 1 - r >= 0, c >= 0, n - c - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x?xf16>
    scf.for %c = %c0 to %columns step %step {
      %xt = ktdp.construct_access_tile %X[%id, %c] symbols(%step)
        {access_tile_order = affine_map<(d0, d1)[s] -> (d0, d1)>, access_tile_set = affine_set<(d0, d1)[s] : (d0 >= 0, -d0 >= 0, d1 >= 0, s - d1 - 1 >= 0)>}
        : memref<2x?xf16> -> !ktdp.access_tile<1x?xindex>
      %yt = ktdp.construct_access_tile %Y[%id, %c] symbols(%step)
        {access_tile_order = affine_map<(d0, d1)[s] -> (d0, d1)>, access_tile_set = affine_set<(d0, d1)[s] : (d0 >= 0, -d0 >= 0, d1 >= 0, s - d1 - 1 >= 0)>}
        : memref<2x?xf16> -> !ktdp.access_tile<1x?xindex>
      %a = ktdp.load %xt : !ktdp.access_tile<1x?xindex> -> tensor<1x?xf16>
      %b = arith.addf %a, %a : tensor<1x?xf16>
      ktdp.store %b, %yt : tensor<1x?xf16>, !ktdp.access_tile<1x?xindex>
    }
    %B = ktdp.construct_memory_view %bound, sizes: [2], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 1 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2xi32>
    %bt = ktdp.construct_access_tile %B[%id] {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 >= 0)>}
      : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %m = arith.index_cast %most : index to i32
    %mt = tensor.splat %m : tensor<1xi32>
    ktdp.store %mt, %bt : tensor<1xi32>, !ktdp.access_tile<1xindex>
    return
  }
}
