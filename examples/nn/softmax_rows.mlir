// Softmax of 37 rows of 100, dealt cyclically to 4 tiles. The row tile is 128 wide: columns past the view
// read as zeros and are masked to -inf before the maximum.
module {
  func.func @softmax_rows(%x: index, %y: index) attributes {grid = [4]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c37 = arith.constant 37 : index
    %c100 = arith.constant 100 : index
    %low = arith.constant 0xFC00 : f16
    %X = ktdp.construct_memory_view %x, sizes: [37, 100], strides: [100, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 36 - d0 >= 0, d1 >= 0, 99 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<37x100xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [37, 100], strides: [100, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 36 - d0 >= 0, d1 >= 0, 99 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<37x100xf16>
    scf.for %row = %id to %c37 step %c4 {
      %t1 = ktdp.construct_access_tile %X[%row, %c0]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
        : memref<37x100xf16> -> !ktdp.access_tile<1x128xindex>
      %raw = ktdp.load %t1 : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf16>
      %e = tensor.empty() : tensor<1x128xf16>
      %v = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%raw : tensor<1x128xf16>) outs(%e : tensor<1x128xf16>) {
      ^bb0(%a: f16, %o: f16):
        %j = linalg.index 1 : index
        %in = arith.cmpi ult, %j, %c100 : index
        %m = arith.select %in, %a, %low : f16
        linalg.yield %m : f16
      } -> tensor<1x128xf16>
      %e1 = tensor.empty() : tensor<1xf16>
      %max = linalg.reduce { arith.maximumf } ins(%v : tensor<1x128xf16>) outs(%e1 : tensor<1xf16>) dimensions = [1]
      %maxs = linalg.broadcast ins(%max : tensor<1xf16>) outs(%e : tensor<1x128xf16>) dimensions = [1]
      %d = arith.subf %v, %maxs : tensor<1x128xf16>
      %p = math.exp %d : tensor<1x128xf16>
      %sum = linalg.reduce { arith.addf } ins(%p : tensor<1x128xf16>) outs(%e1 : tensor<1xf16>) dimensions = [1]
      %sums = linalg.broadcast ins(%sum : tensor<1xf16>) outs(%e : tensor<1x128xf16>) dimensions = [1]
      %q = arith.divf %p, %sums : tensor<1x128xf16>
      %t2 = ktdp.construct_access_tile %Y[%row, %c0]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
        : memref<37x100xf16> -> !ktdp.access_tile<1x128xindex>
      ktdp.store %q, %t2 : tensor<1x128xf16>, !ktdp.access_tile<1x128xindex>
    }
    return
  }
}
