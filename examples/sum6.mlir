// z = a + b + … + f on 2048x4096: seven operands per tile, so that the scratchpad decides how large tiles are.
#view = affine_set<(r, c) : (r >= 0, 2047 - r >= 0, c >= 0, 4095 - c >= 0)>
#tile = affine_set<(r, c) : (r >= 0, 63 - r >= 0, c >= 0, 4095 - c >= 0)>
#order = affine_map<(r, c) -> (r, c)>
module {
  func.func @sum6(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index, %z: index)
      attributes {grid = [32]} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c64 : index
    %A = ktdp.construct_memory_view %a, sizes: [2048, 4096], strides: [4096, 1]
      {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<2048x4096xf16>
    %at = ktdp.construct_access_tile %A[%row, %c0] {access_tile_set = #tile, access_tile_order = #order}
      : memref<2048x4096xf16> -> !ktdp.access_tile<64x4096xindex>
    %B = ktdp.construct_memory_view %b, sizes: [2048, 4096], strides: [4096, 1]
      {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<2048x4096xf16>
    %bt = ktdp.construct_access_tile %B[%row, %c0] {access_tile_set = #tile, access_tile_order = #order}
      : memref<2048x4096xf16> -> !ktdp.access_tile<64x4096xindex>
    %C = ktdp.construct_memory_view %c, sizes: [2048, 4096], strides: [4096, 1]
      {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<2048x4096xf16>
    %ct = ktdp.construct_access_tile %C[%row, %c0] {access_tile_set = #tile, access_tile_order = #order}
      : memref<2048x4096xf16> -> !ktdp.access_tile<64x4096xindex>
    %D = ktdp.construct_memory_view %d, sizes: [2048, 4096], strides: [4096, 1]
      {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<2048x4096xf16>
    %dt = ktdp.construct_access_tile %D[%row, %c0] {access_tile_set = #tile, access_tile_order = #order}
      : memref<2048x4096xf16> -> !ktdp.access_tile<64x4096xindex>
    %E = ktdp.construct_memory_view %e, sizes: [2048, 4096], strides: [4096, 1]
      {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<2048x4096xf16>
    %et = ktdp.construct_access_tile %E[%row, %c0] {access_tile_set = #tile, access_tile_order = #order}
      : memref<2048x4096xf16> -> !ktdp.access_tile<64x4096xindex>
    %F = ktdp.construct_memory_view %f, sizes: [2048, 4096], strides: [4096, 1]
      {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<2048x4096xf16>
    %ft = ktdp.construct_access_tile %F[%row, %c0] {access_tile_set = #tile, access_tile_order = #order}
      : memref<2048x4096xf16> -> !ktdp.access_tile<64x4096xindex>
    %Z = ktdp.construct_memory_view %z, sizes: [2048, 4096], strides: [4096, 1]
      {coordinate_set = #view, memory_space = #ktdp.memory_space<global>} : memref<2048x4096xf16>
    %zt = ktdp.construct_access_tile %Z[%row, %c0] {access_tile_set = #tile, access_tile_order = #order}
      : memref<2048x4096xf16> -> !ktdp.access_tile<64x4096xindex>
    %av = ktdp.load %at : !ktdp.access_tile<64x4096xindex> -> tensor<64x4096xf16>
    %bv = ktdp.load %bt : !ktdp.access_tile<64x4096xindex> -> tensor<64x4096xf16>
    %cv = ktdp.load %ct : !ktdp.access_tile<64x4096xindex> -> tensor<64x4096xf16>
    %dv = ktdp.load %dt : !ktdp.access_tile<64x4096xindex> -> tensor<64x4096xf16>
    %ev = ktdp.load %et : !ktdp.access_tile<64x4096xindex> -> tensor<64x4096xf16>
    %fv = ktdp.load %ft : !ktdp.access_tile<64x4096xindex> -> tensor<64x4096xf16>
    %sb = arith.addf %av, %bv : tensor<64x4096xf16>
    %sc = arith.addf %sb, %cv : tensor<64x4096xf16>
    %sd = arith.addf %sc, %dv : tensor<64x4096xf16>
    %se = arith.addf %sd, %ev : tensor<64x4096xf16>
    %sf = arith.addf %se, %fv : tensor<64x4096xf16>
    ktdp.store %sf, %zt : tensor<64x4096xf16>, !ktdp.access_tile<64x4096xindex>
    return
  }
}
