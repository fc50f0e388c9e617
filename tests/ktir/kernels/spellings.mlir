// The older spellings, short types, locations and aliases everywhere, sizes and strides from arguments.
#loc = loc("gen.py":3:1)
#loc1 = loc("row"(#loc))
#dyn = affine_set<(a, b)[n] : (a >= 0, n - a - 1 >= 0, b >= 0, 31 - b >= 0)>
#near = #ktdp.spyre_memory_space<LX, core = 2>
#tile = affine_set<(a, b)[h] : (a >= 0, h - 1 - a >= 0, b >= 0, 31 - b >= 0)>
module {
  func.func @spellings(%p: index loc("p"), %n: index loc(#loc), %st: index) attributes {grid = [1 : index, 1]} {
    %id:2 = ktdp.get_compute_tile_id : index, index loc(#loc1)
    %old = ktdp.coreid : index
    %far = ktdp.construct_memory_view %p, sizes: [%n, 32], strides: [%st, 1] {
      coordinate_set = #dyn, memory_space = #ktdp.spyre_memory_space<HBM>, tts.tensor_layout = {phys_src = [0]}
    } : memref<?x32xf32> loc("view"(#loc1))
    %lx = ktdp.construct_memory_view %p, sizes: [%n, 32], strides: [%st, 1] {memory_space = #near}
      : memref<?x32xf32, #ktdp.spyre_memory_space<LX, core = 2>>
    %t = ktdp.construct_access_tile %far[%id#0 + 8, 0] symbols(%n) {
      access_tile_set = #tile, access_tile_order = affine_map<(a, b) -> (a, b)>
    } -> !ktdp.access_tile<?x32xindex> loc(unknown)
    %x = ktdp.load %t : <?x32xindex> -> tensor<?x32xf32> loc(fused["a.py":1:2, #loc])
    ktdp.store %x, %t : tensor<?x32xf32>, <?x32xindex>
    %scalar = ktdp.construct_memory_view %p, sizes: [], strides: [] {
      coordinate_set = affine_set<() : ()>, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<f16>
    %table = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %ones = arith.constant dense<1.0> : tensor<4xbf16>
    %inf = arith.constant 0xFC00 : f16
    return loc(#loc)
  } loc(#loc)
} loc(#loc)
