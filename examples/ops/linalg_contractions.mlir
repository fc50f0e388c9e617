// Every named contraction of linalg, f16 operands and f32 results: batch 2, m 5, n 7, k 9. Two tiles take one batch item each.
module {
  func.func @linalg_contractions(%a: index, %b: index, %mm: index, %bmm: index, %mv: index, %vm: index, %dot: index, %bmv: index, %bvm: index, %brm: index, %ct: index) attributes {grid = [2]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [2, 5, 9], strides: [45, 9, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 8 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x5x9xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [2, 9, 7], strides: [63, 7, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 8 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x9x7xf16>
    %mm_view = ktdp.construct_memory_view %mm, sizes: [2, 5, 7], strides: [35, 7, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x5x7xf32>
    %bmm_view = ktdp.construct_memory_view %bmm, sizes: [2, 1, 5, 7], strides: [35, 35, 7, 1]
      {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 4 - d2 >= 0, d3 >= 0, 6 - d3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x1x5x7xf32>
    %mv_view = ktdp.construct_memory_view %mv, sizes: [2, 5], strides: [5, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 4 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x5xf32>
    %vm_view = ktdp.construct_memory_view %vm, sizes: [2, 7], strides: [7, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 6 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x7xf32>
    %dot_view = ktdp.construct_memory_view %dot, sizes: [2], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 1 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2xf32>
    %bmv_view = ktdp.construct_memory_view %bmv, sizes: [2, 1, 5], strides: [5, 5, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 4 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x1x5xf32>
    %bvm_view = ktdp.construct_memory_view %bvm, sizes: [2, 1, 7], strides: [7, 7, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x1x7xf32>
    %brm_view = ktdp.construct_memory_view %brm, sizes: [2, 5, 7], strides: [35, 7, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x5x7xf32>
    %ct_view = ktdp.construct_memory_view %ct, sizes: [2, 7, 5], strides: [35, 5, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 6 - d1 >= 0, d2 >= 0, 4 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x7x5xf32>
    %t1 = ktdp.construct_access_tile %a_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 8 - d2 >= 0)>}
      : memref<2x5x9xf16> -> !ktdp.access_tile<1x5x9xindex>
    %A3 = ktdp.load %t1 : !ktdp.access_tile<1x5x9xindex> -> tensor<1x5x9xf16>
    %t2 = ktdp.construct_access_tile %b_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 8 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<2x9x7xf16> -> !ktdp.access_tile<1x9x7xindex>
    %B3 = ktdp.load %t2 : !ktdp.access_tile<1x9x7xindex> -> tensor<1x9x7xf16>
    %t3 = ktdp.construct_access_tile %a_view[%c0, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 8 - d2 >= 0)>}
      : memref<2x5x9xf16> -> !ktdp.access_tile<2x5x9xindex>
    %A2b = ktdp.load %t3 : !ktdp.access_tile<2x5x9xindex> -> tensor<2x5x9xf16>
    %t4 = ktdp.construct_access_tile %b_view[%c0, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 1 - d0 >= 0, d1 >= 0, 8 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<2x9x7xf16> -> !ktdp.access_tile<2x9x7xindex>
    %B2b = ktdp.load %t4 : !ktdp.access_tile<2x9x7xindex> -> tensor<2x9x7xf16>
    %A = tensor.collapse_shape %A3 [[0, 1], [2]] : tensor<1x5x9xf16> into tensor<5x9xf16>
    %B = tensor.collapse_shape %B3 [[0, 1], [2]] : tensor<1x9x7xf16> into tensor<9x7xf16>
    %arow = tensor.extract_slice %A[2, 0] [1, 9] [1, 1] : tensor<5x9xf16> to tensor<9xf16>
    %bcol = tensor.extract_slice %B[0, 3] [9, 1] [1, 1] : tensor<9x7xf16> to tensor<9xf16>
    %arow3 = tensor.expand_shape %arow [[0, 1]] output_shape [1, 9] : tensor<9xf16> into tensor<1x9xf16>
    %bcol3 = tensor.expand_shape %bcol [[0, 1]] output_shape [1, 9] : tensor<9xf16> into tensor<1x9xf16>
    %one = arith.constant 1.0 : f32
    %e_mm = tensor.empty() : tensor<5x7xf32>
    %i_mm = linalg.fill ins(%one : f32) outs(%e_mm : tensor<5x7xf32>) -> tensor<5x7xf32>
    %r_mm = linalg.matmul ins(%A, %B : tensor<5x9xf16>, tensor<9x7xf16>) outs(%i_mm : tensor<5x7xf32>) -> tensor<5x7xf32>
    %e_bmm = tensor.empty() : tensor<1x5x7xf32>
    %i_bmm = linalg.fill ins(%one : f32) outs(%e_bmm : tensor<1x5x7xf32>) -> tensor<1x5x7xf32>
    %r_bmm = linalg.batch_matmul ins(%A3, %B3 : tensor<1x5x9xf16>, tensor<1x9x7xf16>) outs(%i_bmm : tensor<1x5x7xf32>) -> tensor<1x5x7xf32>
    %e_mv = tensor.empty() : tensor<5xf32>
    %i_mv = linalg.fill ins(%one : f32) outs(%e_mv : tensor<5xf32>) -> tensor<5xf32>
    %r_mv = linalg.matvec ins(%A, %bcol : tensor<5x9xf16>, tensor<9xf16>) outs(%i_mv : tensor<5xf32>) -> tensor<5xf32>
    %e_vm = tensor.empty() : tensor<7xf32>
    %i_vm = linalg.fill ins(%one : f32) outs(%e_vm : tensor<7xf32>) -> tensor<7xf32>
    %r_vm = linalg.vecmat ins(%arow, %B : tensor<9xf16>, tensor<9x7xf16>) outs(%i_vm : tensor<7xf32>) -> tensor<7xf32>
    %e_dot = tensor.empty() : tensor<f32>
    %i_dot = linalg.fill ins(%one : f32) outs(%e_dot : tensor<f32>) -> tensor<f32>
    %r_dot = linalg.dot ins(%arow, %bcol : tensor<9xf16>, tensor<9xf16>) outs(%i_dot : tensor<f32>) -> tensor<f32>
    %e_bmv = tensor.empty() : tensor<1x5xf32>
    %i_bmv = linalg.fill ins(%one : f32) outs(%e_bmv : tensor<1x5xf32>) -> tensor<1x5xf32>
    %r_bmv = linalg.batch_matvec ins(%A3, %bcol3 : tensor<1x5x9xf16>, tensor<1x9xf16>) outs(%i_bmv : tensor<1x5xf32>) -> tensor<1x5xf32>
    %e_bvm = tensor.empty() : tensor<1x7xf32>
    %i_bvm = linalg.fill ins(%one : f32) outs(%e_bvm : tensor<1x7xf32>) -> tensor<1x7xf32>
    %r_bvm = linalg.batch_vecmat ins(%arow3, %B3 : tensor<1x9xf16>, tensor<1x9x7xf16>) outs(%i_bvm : tensor<1x7xf32>) -> tensor<1x7xf32>
    %e_brm = tensor.empty() : tensor<5x7xf32>
    %i_brm = linalg.fill ins(%one : f32) outs(%e_brm : tensor<5x7xf32>) -> tensor<5x7xf32>
    %r_brm = linalg.batch_reduce_matmul ins(%A2b, %B2b : tensor<2x5x9xf16>, tensor<2x9x7xf16>) outs(%i_brm : tensor<5x7xf32>) -> tensor<5x7xf32>
    %e_ct = tensor.empty() : tensor<7x5xf32>
    %r_ct = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>]
      ins(%A, %B : tensor<5x9xf16>, tensor<9x7xf16>) outs(%e_ct : tensor<7x5xf32>) -> tensor<7x5xf32>
    %o_mm = tensor.expand_shape %r_mm [[0, 1], [2]] output_shape [1, 5, 7] : tensor<5x7xf32> into tensor<1x5x7xf32>
    %t5 = ktdp.construct_access_tile %mm_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<2x5x7xf32> -> !ktdp.access_tile<1x5x7xindex>
    ktdp.store %o_mm, %t5 : tensor<1x5x7xf32>, !ktdp.access_tile<1x5x7xindex>
    %o_bmm = tensor.expand_shape %r_bmm [[0, 1], [2], [3]] output_shape [1, 1, 5, 7] : tensor<1x5x7xf32> into tensor<1x1x5x7xf32>
    %t6 = ktdp.construct_access_tile %bmm_view[%id, %c0, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 4 - d2 >= 0, d3 >= 0, 6 - d3 >= 0)>}
      : memref<2x1x5x7xf32> -> !ktdp.access_tile<1x1x5x7xindex>
    ktdp.store %o_bmm, %t6 : tensor<1x1x5x7xf32>, !ktdp.access_tile<1x1x5x7xindex>
    %o_mv = tensor.expand_shape %r_mv [[0, 1]] output_shape [1, 5] : tensor<5xf32> into tensor<1x5xf32>
    %t7 = ktdp.construct_access_tile %mv_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 4 - d1 >= 0)>}
      : memref<2x5xf32> -> !ktdp.access_tile<1x5xindex>
    ktdp.store %o_mv, %t7 : tensor<1x5xf32>, !ktdp.access_tile<1x5xindex>
    %o_vm = tensor.expand_shape %r_vm [[0, 1]] output_shape [1, 7] : tensor<7xf32> into tensor<1x7xf32>
    %t8 = ktdp.construct_access_tile %vm_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 6 - d1 >= 0)>}
      : memref<2x7xf32> -> !ktdp.access_tile<1x7xindex>
    ktdp.store %o_vm, %t8 : tensor<1x7xf32>, !ktdp.access_tile<1x7xindex>
    %o_dot = tensor.expand_shape %r_dot [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %t9 = ktdp.construct_access_tile %dot_view[%id]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 0 - d0 >= 0)>}
      : memref<2xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %o_dot, %t9 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    %o_bmv = tensor.expand_shape %r_bmv [[0, 1], [2]] output_shape [1, 1, 5] : tensor<1x5xf32> into tensor<1x1x5xf32>
    %t10 = ktdp.construct_access_tile %bmv_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 4 - d2 >= 0)>}
      : memref<2x1x5xf32> -> !ktdp.access_tile<1x1x5xindex>
    ktdp.store %o_bmv, %t10 : tensor<1x1x5xf32>, !ktdp.access_tile<1x1x5xindex>
    %o_bvm = tensor.expand_shape %r_bvm [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
    %t11 = ktdp.construct_access_tile %bvm_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<2x1x7xf32> -> !ktdp.access_tile<1x1x7xindex>
    ktdp.store %o_bvm, %t11 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    %o_brm = tensor.expand_shape %r_brm [[0, 1], [2]] output_shape [1, 5, 7] : tensor<5x7xf32> into tensor<1x5x7xf32>
    %t12 = ktdp.construct_access_tile %brm_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<2x5x7xf32> -> !ktdp.access_tile<1x5x7xindex>
    ktdp.store %o_brm, %t12 : tensor<1x5x7xf32>, !ktdp.access_tile<1x5x7xindex>
    %o_ct = tensor.expand_shape %r_ct [[0, 1], [2]] output_shape [1, 7, 5] : tensor<7x5xf32> into tensor<1x7x5xf32>
    %t13 = ktdp.construct_access_tile %ct_view[%id, %c0, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 6 - d1 >= 0, d2 >= 0, 4 - d2 >= 0)>}
      : memref<2x7x5xf32> -> !ktdp.access_tile<1x7x5xindex>
    ktdp.store %o_ct, %t13 : tensor<1x7x5xf32>, !ktdp.access_tile<1x7x5xindex>
    return
  }
}
