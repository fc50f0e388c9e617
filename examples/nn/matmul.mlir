// C = A·B for 50x70 by 70x90 on a 4x3 grid of 16x32 tiles: K in blocks of 24 with a carried f32 accumulator, every
// edge ragged.
module {
  func.func @matmul(%a: index, %b: index, %c: index) attributes {grid = [4, 3]} {
    %i, %j = ktdp.get_compute_tile_id : index, index
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %c32 = arith.constant 32 : index
    %c70 = arith.constant 70 : index
    %row = arith.muli %i, %c16 : index
    %col = arith.muli %j, %c32 : index
    %zero = arith.constant dense<0.0> : tensor<16x32xf32>
    %A = ktdp.construct_memory_view %a, sizes: [50, 70], strides: [70, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 49 - d0 >= 0, d1 >= 0, 69 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<50x70xf16>
    %B = ktdp.construct_memory_view %b, sizes: [70, 90], strides: [90, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 69 - d0 >= 0, d1 >= 0, 89 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<70x90xf16>
    %C = ktdp.construct_memory_view %c, sizes: [50, 90], strides: [90, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 49 - d0 >= 0, d1 >= 0, 89 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<50x90xf16>
    %acc = scf.for %k = %c0 to %c70 step %c24 iter_args(%sum = %zero) -> (tensor<16x32xf32>) {
      %t1 = ktdp.construct_access_tile %A[%row, %k]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 23 - d1 >= 0)>}
        : memref<50x70xf16> -> !ktdp.access_tile<16x24xindex>
      %at = ktdp.load %t1 : !ktdp.access_tile<16x24xindex> -> tensor<16x24xf16>
      %t2 = ktdp.construct_access_tile %B[%k, %col]
        {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 23 - d0 >= 0, d1 >= 0, 31 - d1 >= 0)>}
        : memref<70x90xf16> -> !ktdp.access_tile<24x32xindex>
      %bt = ktdp.load %t2 : !ktdp.access_tile<24x32xindex> -> tensor<24x32xf16>
      %next = linalg.matmul ins(%at, %bt : tensor<16x24xf16>, tensor<24x32xf16>) outs(%sum : tensor<16x32xf32>) -> tensor<16x32xf32>
      scf.yield %next : tensor<16x32xf32>
    }
    %h = arith.truncf %acc : tensor<16x32xf32> to tensor<16x32xf16>
    %t3 = ktdp.construct_access_tile %C[%row, %col]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 15 - d0 >= 0, d1 >= 0, 31 - d1 >= 0)>}
      : memref<50x90xf16> -> !ktdp.access_tile<16x32xindex>
    ktdp.store %h, %t3 : tensor<16x32xf16>, !ktdp.access_tile<16x32xindex>
    return
  }
}
