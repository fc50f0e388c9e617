// Half of a tensor in memory, half in tile 1's scratchpad, seen as one; a runtime argument.
#lower = affine_set<(a, b) : (a >= 0, 31 - a >= 0, b >= 0, 63 - b >= 0)>
#upper = affine_set<(a, b) : (a - 32 >= 0, 63 - a >= 0, b >= 0, 63 - b >= 0)>
module {
  func.func @halves(%p: index, %q: index, %m: !ktdp.runtime_arg<index, upperbound = 64, granularity = 4>) {
    %a = ktdp.construct_memory_view %p, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = #lower, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %b = ktdp.construct_memory_view %q, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = #upper, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>}
      : memref<32x64xf16, #ktdp.memory_space<ct_local, ct_id = 1>>
    %d = ktdp.construct_distributed_memory_view (%a, %b : memref<32x64xf16>,
      memref<32x64xf16, #ktdp.memory_space<ct_local, ct_id = 1>>) : memref<64x64xf16>
    %n = ktdp.runtime_arg_extract value from %m
      : !ktdp.runtime_arg<index, granularity = 4, upperbound = 64> -> index
    %g = ktdp.runtime_arg_extract granularity from %m : <index, granularity = 4, upperbound = 64> -> index
    %t = ktdp.construct_access_tile %d[%n, 0] {access_tile_order = affine_map<(a, b) -> (a, b)>,
      access_tile_set = affine_set<(a, b) : (a >= 0, 3 - a >= 0, b >= 0, 63 - b >= 0)>}
      : memref<64x64xf16> -> !ktdp.access_tile<4x64xindex>
    %x = ktdp.load %t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
    return
  }
}
