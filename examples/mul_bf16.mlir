// z = x * y in bfloat16.
module {
  func.func @mul_bf16(%x: index, %y: index, %z: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c16 : index
    %X = ktdp.construct_memory_view %x, sizes: [64, 192], strides: [192, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 191 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x192xbf16>
    %Y = ktdp.construct_memory_view %y, sizes: [64, 192], strides: [192, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 191 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x192xbf16>
    %Z = ktdp.construct_memory_view %z, sizes: [64, 192], strides: [192, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 191 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x192xbf16>
    %xt = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 191 - d1 >= 0)>}
      : memref<64x192xbf16> -> !ktdp.access_tile<16x192xindex>
    %yt = ktdp.construct_access_tile %Y[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 191 - d1 >= 0)>}
      : memref<64x192xbf16> -> !ktdp.access_tile<16x192xindex>
    %zt = ktdp.construct_access_tile %Z[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 191 - d1 >= 0)>}
      : memref<64x192xbf16> -> !ktdp.access_tile<16x192xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<16x192xindex> -> tensor<16x192xbf16>
    %b = ktdp.load %yt : !ktdp.access_tile<16x192xindex> -> tensor<16x192xbf16>
    %c = arith.mulf %a, %b : tensor<16x192xbf16>
    ktdp.store %c, %zt : tensor<16x192xbf16>, !ktdp.access_tile<16x192xindex>
    return
  }
}
