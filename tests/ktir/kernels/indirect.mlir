// Gathers and a scatter: one and two index dimensions, a permuted order, no variables, symbols, captured values.
#x = affine_set<(a, b) : (a >= 0, 127 - a >= 0, b >= 0, 63 - b >= 0)>
#i1 = affine_set<(a) : (a >= 0, 15 - a >= 0)>
#i2 = affine_set<(a, b) : (a >= 0, 3 - a >= 0, b >= 0, 7 - b >= 0)>
#space = affine_set<(a, b) : (a >= 0, 15 - a >= 0, b >= 0, 63 - b >= 0)>
#keep = affine_map<(a, b) -> (a, b)>
module {
  func.func @gathers(%px: index, %pi: index, %pj: index, %k: index) attributes {grid = [1]} {
    %x = ktdp.construct_memory_view %px, sizes: [128, 64], strides: [64, 1] {
      coordinate_set = #x, memory_space = #ktdp.memory_space<global>} : memref<128x64xf16>
    %i = ktdp.construct_memory_view %pi, sizes: [16], strides: [1] {
      coordinate_set = #i1, memory_space = #ktdp.memory_space<global>} : memref<16xsi32>
    %j = ktdp.construct_memory_view %pj, sizes: [4, 8], strides: [8, 1] {
      coordinate_set = #i2, memory_space = #ktdp.memory_space<global>} : memref<4x8xi64>
    %rows = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %x[ind(%i[%r]), (%c)] {
      variables_space_order = #keep, variables_space_set = #space
    } : memref<128x64xf16>, memref<16xsi32> -> !ktdp.access_tile<16x64xindex>
    %a = ktdp.load %rows : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %turned = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %x[ind(%i[%r]), (%c)] {
      variables_space_order = affine_map<(a, b) -> (b, a)>, variables_space_set = #space
    } : memref<128x64xf16>, memref<16xsi32> -> !ktdp.access_tile<64x16xindex>
    %both = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c)
      %x[ind(%j[%r floordiv 4, %c mod 8]), ind(%j[%r mod 4, 2 * %k + 1])] {
      variables_space_order = #keep, variables_space_set = #space
    } : memref<128x64xf16>, memref<4x8xi64>, memref<4x8xi64> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %a, %both : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    %point = ktdp.construct_indirect_access_tile intermediate_variables() %x[ind(%i[%k]), (%k + 3)] {
      variables_space_order = affine_map<() -> ()>, variables_space_set = affine_set<() : ()>
    } : memref<128x64xf16>, memref<16xsi32> -> !ktdp.access_tile<index>
    %some = ktdp.construct_indirect_access_tile intermediate_variables(%r) %x[ind(%i[%r]), (0)] symbols(%k) {
      variables_space_order = affine_map<(a) -> (a)>,
      variables_space_set = affine_set<(a)[n] : (a >= 0, n - 1 - a >= 0)>
    } : memref<128x64xf16>, memref<16xsi32> -> !ktdp.access_tile<?xindex>
    return
  }
}
