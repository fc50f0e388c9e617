// Affine index arithmetic and views of views: the second half of every other row, 3 tiles.
module {
  func.func @affine_memref(%x: index, %out: index) attributes {grid = [3]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [6, 10], strides: [10, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 5 - d0 >= 0, d1 >= 0, 9 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<6x10xf16>
    %out_view = ktdp.construct_memory_view %out, sizes: [3, 5], strides: [5, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 4 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x5xf16>
    %row = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 7)>(%id)[%c1]
    %clamped = affine.min affine_map<(d0) -> (d0, 5)>(%row)
    %start = affine.max affine_map<(d0, d1) -> (d0, d1)>(%clamped, %c0)
    %half = memref.subview %x_view[%start, 5] [1, 5] [1, 1] : memref<6x10xf16> to memref<1x5xf16, strided<[10, 1], offset: ?>>
    %loose = memref.cast %half : memref<1x5xf16, strided<[10, 1], offset: ?>> to memref<?x5xf16, strided<[10, 1], offset: ?>>
    %n = memref.dim %loose, %c0 : memref<?x5xf16, strided<[10, 1], offset: ?>>
    %origin = arith.subi %n, %c1 : index
    %t1 = ktdp.construct_access_tile %loose[%origin, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 4 - d1 >= 0)>}
      : memref<?x5xf16, strided<[10, 1], offset: ?>> -> !ktdp.access_tile<1x5xindex>
    %t = ktdp.load %t1 : !ktdp.access_tile<1x5xindex> -> tensor<1x5xf16>
    %t2 = ktdp.construct_access_tile %out_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 4 - d1 >= 0)>}
      : memref<3x5xf16> -> !ktdp.access_tile<1x5xindex>
    ktdp.store %t, %t2 : tensor<1x5xf16>, !ktdp.access_tile<1x5xindex>
    return
  }
}
