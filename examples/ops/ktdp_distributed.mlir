// Rows become columns through scratchpads: each of 4 tiles keeps 3 rows in its own scratchpad, then takes 5 columns
// of all 12 from a view over the four. A second view joins rows in main memory with a tile's scratchpad.
module {
  func.func @ktdp_distributed(%x: index, %columns: index, %joined: index) attributes {grid = [4]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %id, %c3 : index
    %col = arith.muli %id, %c5 : index
    %X = ktdp.construct_memory_view %x, sizes: [12, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x20xf16>
    %C = ktdp.construct_memory_view %columns, sizes: [12, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x20xf16>
    %J = ktdp.construct_memory_view %joined, sizes: [4, 2, 20], strides: [40, 20, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 19 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x2x20xf16>
    %t1 = ktdp.construct_access_tile %X[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>}
      : memref<12x20xf16> -> !ktdp.access_tile<3x20xindex>
    %mine = ktdp.load %t1 : !ktdp.access_tile<3x20xindex> -> tensor<3x20xf16>
    %own = ktdp.construct_memory_view %c64, sizes: [3, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<3x20xf16>
    %t2 = ktdp.construct_access_tile %own[%c0, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>}
      : memref<3x20xf16> -> !ktdp.access_tile<3x20xindex>
    ktdp.store %mine, %t2 : tensor<3x20xf16>, !ktdp.access_tile<3x20xindex>
    %part0 = ktdp.construct_memory_view %c64, sizes: [3, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 0>} : memref<3x20xf16>
    %part1 = ktdp.construct_memory_view %c64, sizes: [3, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 - 3 >= 0, 5 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<3x20xf16>
    %part2 = ktdp.construct_memory_view %c64, sizes: [3, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 - 6 >= 0, 8 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 2>} : memref<3x20xf16>
    %part3 = ktdp.construct_memory_view %c64, sizes: [3, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 - 9 >= 0, 11 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<3x20xf16>
    %all = ktdp.construct_distributed_memory_view (%part0, %part1, %part2, %part3 : memref<3x20xf16>, memref<3x20xf16>, memref<3x20xf16>, memref<3x20xf16>) : memref<12x20xf16>
    %t3 = ktdp.construct_access_tile %all[%c0, %col]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 4 - d1 >= 0)>}
      : memref<12x20xf16> -> !ktdp.access_tile<12x5xindex>
    %cols = ktdp.load %t3 : !ktdp.access_tile<12x5xindex> -> tensor<12x5xf16>
    %t4 = ktdp.construct_access_tile %C[%c0, %col]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 4 - d1 >= 0)>}
      : memref<12x20xf16> -> !ktdp.access_tile<12x5xindex>
    ktdp.store %cols, %t4 : tensor<12x5xf16>, !ktdp.access_tile<12x5xindex>
    // Rows 0 to 11 in main memory, 12 to 14 are the tile's own rows: a tile that straddles both.
    %low = ktdp.construct_memory_view %x, sizes: [12, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x20xf16>
    %high = ktdp.construct_memory_view %c64, sizes: [3, 20], strides: [20, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 - 12 >= 0, 14 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<3x20xf16>
    %both = ktdp.construct_distributed_memory_view (%low, %high : memref<12x20xf16>, memref<3x20xf16>) : memref<15x20xf16>
    %c11 = arith.constant 11 : index
    %t5 = ktdp.construct_access_tile %both[%c11, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 19 - d1 >= 0)>}
      : memref<15x20xf16> -> !ktdp.access_tile<2x20xindex>
    %pair = ktdp.load %t5 : !ktdp.access_tile<2x20xindex> -> tensor<2x20xf16>
    %pair3 = tensor.expand_shape %pair [[0, 1], [2]] output_shape [1, 2, 20] : tensor<2x20xf16> into tensor<1x2x20xf16>
    %t6 = ktdp.construct_access_tile %J[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 1 - d1 >= 0, d2 >= 0, 19 - d2 >= 0)>}
      : memref<4x2x20xf16> -> !ktdp.access_tile<1x2x20xindex>
    ktdp.store %pair3, %t6 : tensor<1x2x20xf16>, !ktdp.access_tile<1x2x20xindex>
    return
  }
}
