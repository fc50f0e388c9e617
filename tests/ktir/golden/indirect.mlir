#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<() -> ()>
#set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set1 = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>
#set2 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>
#set3 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set4 = affine_set<() : (0 == 0)>
#set5 = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>
module {
  func.func @gathers(%px: index, %pi: index, %pj: index, %k: index) attributes {grid = [1]} {
    %x = ktdp.construct_memory_view %px, sizes: [128, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<128x64xf16>
    %i = ktdp.construct_memory_view %pi, sizes: [16], strides: [1] {coordinate_set = #set1, memory_space = #ktdp.memory_space<global>} : memref<16xsi32>
    %j = ktdp.construct_memory_view %pj, sizes: [4, 8], strides: [8, 1] {coordinate_set = #set2, memory_space = #ktdp.memory_space<global>} : memref<4x8xi64>
    %rows = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %x[ind(%i[%r]), (%c)] {variables_space_order = #map, variables_space_set = #set3} : memref<128x64xf16>, memref<16xsi32> -> !ktdp.access_tile<16x64xindex>
    %a = ktdp.load %rows : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %turned = ktdp.construct_indirect_access_tile intermediate_variables(%r_1, %c_2) %x[ind(%i[%r_1]), (%c_2)] {variables_space_order = #map1, variables_space_set = #set3} : memref<128x64xf16>, memref<16xsi32> -> !ktdp.access_tile<64x16xindex>
    %both = ktdp.construct_indirect_access_tile intermediate_variables(%r_3, %c_4) %x[ind(%j[%r_3 floordiv 4, %c_4 mod 8]), ind(%j[%r_3 mod 4, %k * 2 + 1])] {variables_space_order = #map, variables_space_set = #set3} : memref<128x64xf16>, memref<4x8xi64>, memref<4x8xi64> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %a, %both : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    %point = ktdp.construct_indirect_access_tile intermediate_variables() %x[ind(%i[%k]), (%k + 3)] {variables_space_order = #map3, variables_space_set = #set4} : memref<128x64xf16>, memref<16xsi32> -> !ktdp.access_tile<index>
    %some = ktdp.construct_indirect_access_tile intermediate_variables(%r_5) %x[ind(%i[%r_5]), (0)] symbols(%k) {variables_space_order = #map2, variables_space_set = #set5} : memref<128x64xf16>, memref<16xsi32> -> !ktdp.access_tile<?xindex>
    return
  }
}
