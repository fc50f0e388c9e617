// A kernel that calls another function of its module twice: y = 3x + 1 on rows of 9, 2 tiles.
module {
  func.func private @scaled(%a: tensor<1x9xf32>, %s: f32) -> tensor<1x9xf32> {
    %t = tensor.splat %s : tensor<1x9xf32>
    %m = arith.mulf %a, %t : tensor<1x9xf32>
    return %m : tensor<1x9xf32>
  }
  func.func @func_call(%x: index, %out: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [2, 9], strides: [9, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 8 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x9xf32>
    %out_view = ktdp.construct_memory_view %out, sizes: [2, 9], strides: [9, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 8 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x9xf32>
    %xt = ktdp.construct_access_tile %x_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, 8 - d1 >= 0)>}
      : memref<2x9xf32> -> !ktdp.access_tile<1x9xindex>
    %ot = ktdp.construct_access_tile %out_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, 8 - d1 >= 0)>}
      : memref<2x9xf32> -> !ktdp.access_tile<1x9xindex>
    %a = ktdp.load %xt : !ktdp.access_tile<1x9xindex> -> tensor<1x9xf32>
    %two = arith.constant 2.0 : f32
    %one = arith.constant 1.0 : f32
    %b = func.call @scaled(%a, %two) : (tensor<1x9xf32>, f32) -> tensor<1x9xf32>
    %c = func.call @scaled(%a, %one) : (tensor<1x9xf32>, f32) -> tensor<1x9xf32>
    %d = arith.addf %b, %c : tensor<1x9xf32>
    %ones = tensor.splat %one : tensor<1x9xf32>
    %y = arith.addf %d, %ones : tensor<1x9xf32>
    ktdp.store %y, %ot : tensor<1x9xf32>, !ktdp.access_tile<1x9xindex>
    return
  }
}
