// z = x + y on 4096x4096: each of 32 compute tiles takes 128 rows, 1 MiB per operand.
module {
  func.func @big_add(%x: index, %y: index, %z: index) attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c128 : index
    %X = ktdp.construct_memory_view %x, sizes: [4096, 4096], strides: [4096, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 4095 - d0 >= 0, d1 >= 0, 4095 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<4096x4096xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [4096, 4096], strides: [4096, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 4095 - d0 >= 0, d1 >= 0, 4095 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<4096x4096xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [4096, 4096], strides: [4096, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 4095 - d0 >= 0, d1 >= 0, 4095 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<4096x4096xf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 127 - d0 >= 0, d1 >= 0, 4095 - d1 >= 0)>}
      : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %yt = ktdp.construct_access_tile %Y[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 127 - d0 >= 0, d1 >= 0, 4095 - d1 >= 0)>}
      : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 127 - d0 >= 0, d1 >= 0, 4095 - d1 >= 0)>}
      : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<128x4096xindex> -> tensor<128x4096xf16>
    %b = ktdp.load %yt : !ktdp.access_tile<128x4096xindex> -> tensor<128x4096xf16>
    %c = arith.addf %a, %b : tensor<128x4096xf16>
    ktdp.store %c, %zt : tensor<128x4096xf16>, !ktdp.access_tile<128x4096xindex>
    return
  }
}
