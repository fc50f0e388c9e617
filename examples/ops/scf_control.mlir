// Control flow that differs from tile to tile: loops with carried values, choices, switches; 5 tiles, rows of 7.
module {
  func.func @scf_control(%x: index, %out: index, %n: i32) attributes {grid = [5]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [5, 7], strides: [7, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 4 - d0 >= 0, d1 >= 0, 6 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<5x7xf32>
    %out_view = ktdp.construct_memory_view %out, sizes: [8, 5, 7], strides: [35, 7, 1]
      {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, 7 - d0 >= 0, d1 >= 0, 4 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x5x7xf32>
    %t1 = ktdp.construct_access_tile %x_view[%id, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 6 - d1 >= 0)>}
      : memref<5x7xf32> -> !ktdp.access_tile<1x7xindex>
    %X = ktdp.load %t1 : !ktdp.access_tile<1x7xindex> -> tensor<1x7xf32>
    // As many rounds as the tile's number.
    %acc = scf.for %i = %c0 to %id step %c1 iter_args(%a = %X) -> (tensor<1x7xf32>) {
      %d = arith.addf %a, %X : tensor<1x7xf32>
      scf.yield %d : tensor<1x7xf32>
    }
    %o0 = tensor.expand_shape %acc [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
    %r0 = arith.constant 0 : index
    %t2 = ktdp.construct_access_tile %out_view[%r0, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<8x5x7xf32> -> !ktdp.access_tile<1x1x7xindex>
    ktdp.store %o0, %t2 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    // An i32 loop over a run-time bound, possibly empty.
    %z32 = arith.constant 0 : i32
    %two32 = arith.constant 2 : i32
    %cnt, %last = scf.for %i = %z32 to %n step %two32 iter_args(%a = %X, %l = %z32) -> (tensor<1x7xf32>, i32)  : i32 {
      %f = arith.sitofp %i : i32 to f32
      %s = tensor.splat %f : tensor<1x7xf32>
      %d = arith.addf %a, %s : tensor<1x7xf32>
      scf.yield %d, %i : tensor<1x7xf32>, i32
    }
    %last_f = arith.sitofp %last : i32 to f32
    %last_s = tensor.splat %last_f : tensor<1x7xf32>
    %counted = arith.subf %cnt, %last_s : tensor<1x7xf32>
    %o1 = tensor.expand_shape %counted [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
    %r1 = arith.constant 1 : index
    %t3 = ktdp.construct_access_tile %out_view[%r1, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<8x5x7xf32> -> !ktdp.access_tile<1x1x7xindex>
    ktdp.store %o1, %t3 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    %odd = arith.remui %id, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %chosen = scf.if %is_odd -> (tensor<1x7xf32>) {
      %v = arith.mulf %X, %X : tensor<1x7xf32>
      scf.yield %v : tensor<1x7xf32>
    } else {
      %v = arith.negf %X : tensor<1x7xf32>
      scf.yield %v : tensor<1x7xf32>
    }
    %o2 = tensor.expand_shape %chosen [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
    %r2 = arith.constant 2 : index
    %t4 = ktdp.construct_access_tile %out_view[%r2, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<8x5x7xf32> -> !ktdp.access_tile<1x1x7xindex>
    ktdp.store %o2, %t4 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    %cases = scf.index_switch %id -> tensor<1x7xf32>
    case 1 {
      scf.yield %acc : tensor<1x7xf32>
    }
    case 3 {
      %v = arith.subf %X, %acc : tensor<1x7xf32>
      scf.yield %v : tensor<1x7xf32>
    }
    default {
      scf.yield %X : tensor<1x7xf32>
    }
    %o3 = tensor.expand_shape %cases [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
    %r3 = arith.constant 3 : index
    %t5 = ktdp.construct_access_tile %out_view[%r3, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<8x5x7xf32> -> !ktdp.access_tile<1x1x7xindex>
    ktdp.store %o3, %t5 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    %region = scf.execute_region -> tensor<1x7xf32> {
      %v = arith.addf %chosen, %X : tensor<1x7xf32>
      scf.yield %v : tensor<1x7xf32>
    }
    %o4 = tensor.expand_shape %region [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
    %r4 = arith.constant 4 : index
    %t6 = ktdp.construct_access_tile %out_view[%r4, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<8x5x7xf32> -> !ktdp.access_tile<1x1x7xindex>
    ktdp.store %o4, %t6 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    %init = arith.constant 0.5 : f32
    %total = scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %id) step (%c1, %c1) init (%init) -> f32 {
      %s = arith.addi %i, %j : index
      %e = tensor.extract %X[%c0, %s] : tensor<1x7xf32>
      scf.reduce(%e : f32) {
      ^bb0(%l: f32, %r: f32):
        %m = arith.addf %l, %r : f32
        scf.reduce.return %m : f32
      }
    }
    %total_s = tensor.splat %total : tensor<1x7xf32>
    %o5 = tensor.expand_shape %total_s [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
    %r5 = arith.constant 5 : index
    %t7 = ktdp.construct_access_tile %out_view[%r5, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<8x5x7xf32> -> !ktdp.access_tile<1x1x7xindex>
    ktdp.store %o5, %t7 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    %base = tensor.empty() : tensor<1x7xf32>
    %blank = linalg.fill ins(%init : f32) outs(%base : tensor<1x7xf32>) -> tensor<1x7xf32>
    %woven = scf.forall (%i) in (3) shared_outs(%o = %blank) -> (tensor<1x7xf32>) {
      %at = arith.muli %i, %c2 : index
      %p = tensor.extract_slice %X[0, %at] [1, 1] [1, 1] : tensor<1x7xf32> to tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %p into %o[0, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<1x7xf32>
      }
    }
    %o6 = tensor.expand_shape %woven [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
    %r6 = arith.constant 6 : index
    %t8 = ktdp.construct_access_tile %out_view[%r6, %id, %c0]
      {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
      : memref<8x5x7xf32> -> !ktdp.access_tile<1x1x7xindex>
    ktdp.store %o6, %t8 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    // Only some tiles store.
    %small = arith.cmpi ult, %id, %c3 : index
    scf.if %small {
      %o7 = tensor.expand_shape %X [[0, 1], [2]] output_shape [1, 1, 7] : tensor<1x7xf32> into tensor<1x1x7xf32>
      %r7 = arith.constant 7 : index
      %t9 = ktdp.construct_access_tile %out_view[%r7, %id, %c0]
        {access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>, access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 0 - d1 >= 0, d2 >= 0, 6 - d2 >= 0)>}
        : memref<8x5x7xf32> -> !ktdp.access_tile<1x1x7xindex>
      ktdp.store %o7, %t9 : tensor<1x1x7xf32>, !ktdp.access_tile<1x1x7xindex>
    }
    return
  }
}
