// z = x * x, rows dealt to 32 tiles like cards: some get 3, some 2.
module {
  func.func @cyclic_rows(%x: index, %z: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c70 = arith.constant 70 : index
    %id = ktdp.get_compute_tile_id : index
    %X = ktdp.construct_memory_view %x, sizes: [70, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 69 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<70x64xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [70, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 69 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<70x64xf16>
    scf.for %row = %id to %c70 step %c32 {
      %xt = ktdp.construct_access_tile %X[%row, %c0]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
        : memref<70x64xf16> -> !ktdp.access_tile<1x64xindex>
      %a = ktdp.load %xt : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
      %c = arith.mulf %a, %a : tensor<1x64xf16>
      %zt = ktdp.construct_access_tile %Z[%row, %c0]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
        : memref<70x64xf16> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %c, %zt : tensor<1x64xf16>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
