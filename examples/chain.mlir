// Casts to f32, add/sub/mul/neg/exp/rsqrt there, and back: two results from shared values.
module {
  func.func @chain(%x: index, %y: index, %z: index, %w: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %one = arith.constant dense<1.0> : tensor<64x256xf32>
    %X = ktdp.construct_memory_view %x, sizes: [64, 256], strides: [256, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x256xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [64, 256], strides: [256, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x256xf16>
    %Z = ktdp.construct_memory_view %z, sizes: [64, 256], strides: [256, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x256xf16>
    %W = ktdp.construct_memory_view %w, sizes: [64, 256], strides: [256, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>}
      : memref<64x256xf16>
    %xt = ktdp.construct_access_tile %X[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>}
      : memref<64x256xf16> -> !ktdp.access_tile<64x256xindex>
    %yt = ktdp.construct_access_tile %Y[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>}
      : memref<64x256xf16> -> !ktdp.access_tile<64x256xindex>
    %zt = ktdp.construct_access_tile %Z[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>}
      : memref<64x256xf16> -> !ktdp.access_tile<64x256xindex>
    %wt = ktdp.construct_access_tile %W[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 63 - d0 >= 0, d1 >= 0, 255 - d1 >= 0)>}
      : memref<64x256xf16> -> !ktdp.access_tile<64x256xindex>
    %x16 = ktdp.load %xt : !ktdp.access_tile<64x256xindex> -> tensor<64x256xf16>
    %y16 = ktdp.load %yt : !ktdp.access_tile<64x256xindex> -> tensor<64x256xf16>
    %xf = arith.extf %x16 : tensor<64x256xf16> to tensor<64x256xf32>
    %yf = arith.extf %y16 : tensor<64x256xf16> to tensor<64x256xf32>
    %sum = arith.addf %xf, %yf : tensor<64x256xf32>
    %square = arith.mulf %sum, %sum : tensor<64x256xf32>
    %lifted = arith.addf %square, %one : tensor<64x256xf32>
    %inverse = math.rsqrt %lifted : tensor<64x256xf32>
    %minus = arith.negf %inverse : tensor<64x256xf32>
    %decay = math.exp %minus : tensor<64x256xf32>
    %shift = arith.subf %decay, %yf : tensor<64x256xf32>
    %z16 = arith.truncf %decay : tensor<64x256xf32> to tensor<64x256xf16>
    %w16 = arith.truncf %shift : tensor<64x256xf32> to tensor<64x256xf16>
    ktdp.store %z16, %zt : tensor<64x256xf16>, !ktdp.access_tile<64x256xindex>
    ktdp.store %w16, %wt : tensor<64x256xf16>, !ktdp.access_tile<64x256xindex>
    return
  }
}
