#map = affine_map<(d0, d1) -> (d0, d1)>
#set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set1 = affine_set<(d0, d1) : (d0 - 32 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set2 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>
module {
  func.func @halves(%p: index, %q: index, %m: !ktdp.runtime_arg<index, granularity = 4, upperbound = 64>) {
    %a = ktdp.construct_memory_view %p, sizes: [32, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %b = ktdp.construct_memory_view %q, sizes: [32, 64], strides: [64, 1] {coordinate_set = #set1, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<32x64xf16, #ktdp.memory_space<ct_local, ct_id = 1>>
    %d = ktdp.construct_distributed_memory_view(%a, %b : memref<32x64xf16>, memref<32x64xf16, #ktdp.memory_space<ct_local, ct_id = 1>>) : memref<64x64xf16>
    %n = ktdp.runtime_arg_extract value from %m : !ktdp.runtime_arg<index, granularity = 4, upperbound = 64> -> index
    %g = ktdp.runtime_arg_extract granularity from %m : !ktdp.runtime_arg<index, granularity = 4, upperbound = 64> -> index
    %t = ktdp.construct_access_tile %d[%n, 0] {access_tile_order = #map, access_tile_set = #set2} : memref<64x64xf16> -> !ktdp.access_tile<4x64xindex>
    %x = ktdp.load %t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
    return
  }
}
