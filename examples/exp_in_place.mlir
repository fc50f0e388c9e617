// x = exp(x), one buffer, one access tile for the load and the store.
module {
  func.func @exp_in_place(%x: index) attributes {grid = [8]} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c2 : index
    %X = ktdp.construct_memory_view %x, sizes: [16, 128], strides: [128, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<16x128xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
      : memref<16x128xf16> -> !ktdp.access_tile<2x128xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<2x128xindex> -> tensor<2x128xf16>
    %e = math.exp %a : tensor<2x128xf16>
    ktdp.store %e, %xt : tensor<2x128xf16>, !ktdp.access_tile<2x128xindex>
    return
  }
}
