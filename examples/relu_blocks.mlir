// z = max(x, 0), four rows and a block of 256 columns at a time.
module {
  func.func @relu_blocks(%x: index, %z: index) attributes {grid = [8]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c4 : index
    %zero = arith.constant dense<0.0> : tensor<4x256xf16>
    %X = ktdp.construct_memory_view %x, sizes: [32, 1024], strides: [1024, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 31 - d0 >= 0, d1 >= 0, 1023 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<32x1024xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [32, 1024], strides: [1024, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 31 - d0 >= 0, d1 >= 0, 1023 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<32x1024xf16>
    scf.for %col = %c0 to %c1024 step %c256 {
      %xt = ktdp.construct_access_tile %X[%row, %col]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>}
        : memref<32x1024xf16> -> !ktdp.access_tile<4x256xindex>
      %a = ktdp.load %xt : !ktdp.access_tile<4x256xindex> -> tensor<4x256xf16>
      %c = arith.maximumf %a, %zero : tensor<4x256xf16>
      %zt = ktdp.construct_access_tile %Z[%row, %col]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>}
        : memref<32x1024xf16> -> !ktdp.access_tile<4x256xindex>
      ktdp.store %c, %zt : tensor<4x256xf16>, !ktdp.access_tile<4x256xindex>
    }
    return
  }
}
