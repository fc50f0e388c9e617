// z = x + x on 10 rows by 3 tiles of 4: the last tile reaches beyond its view.
module {
  func.func @ragged(%x: index, %z: index) attributes {grid = [3]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c4 : index
    %X = ktdp.construct_memory_view %x, sizes: [10, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 9 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<10x64xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [10, 64], strides: [64, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 9 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<10x64xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<10x64xf16> -> !ktdp.access_tile<4x64xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 63 - d1 >= 0)>}
      : memref<10x64xf16> -> !ktdp.access_tile<4x64xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
    %c = arith.addf %a, %a : tensor<4x64xf16>
    ktdp.store %c, %zt : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
    return
  }
}
