#map = affine_map<(d0, d1) -> (d0, d1)>
#set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#set1 = affine_set<() : (0 == 0)>
module {
  func.func @spellings(%p: index, %n: index, %st: index) attributes {grid = [1 : index, 1]} {
    %id:2 = ktdp.get_compute_tile_id : index, index
    %old = ktdp.get_compute_tile_id : index
    %far = ktdp.construct_memory_view %p, sizes: [%n, 32], strides: [%st, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>, tts.tensor_layout = {phys_src = [0]}} : memref<?x32xf32>
    %lx = ktdp.construct_memory_view %p, sizes: [%n, 32], strides: [%st, 1] {memory_space = #ktdp.memory_space<ct_local, ct_id = 2>} : memref<?x32xf32, #ktdp.memory_space<ct_local, ct_id = 2>>
    %t = ktdp.construct_access_tile %far[%id#0 + 8, 0] symbols(%n) {access_tile_order = #map, access_tile_set = #set} : memref<?x32xf32> -> !ktdp.access_tile<?x32xindex>
    %x = ktdp.load %t : !ktdp.access_tile<?x32xindex> -> tensor<?x32xf32>
    ktdp.store %x, %t : tensor<?x32xf32>, !ktdp.access_tile<?x32xindex>
    %scalar = ktdp.construct_memory_view %p, sizes: [], strides: [] {coordinate_set = #set1, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<f16>
    %table = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %ones = arith.constant dense<1.000000e+00> : tensor<4xbf16>
    %inf = arith.constant 0xFC00 : f16
    return
  }
}
