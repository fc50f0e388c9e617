// Layer norm of rows of 50 through the exx2 family, plain, fused, and root-mean-square, 4 tiles of 3 rows.
module {
  func.func @spyreop_layernorm(%x: index, %weight: index, %bias: index, %plain: index, %fused: index, %rms: index) attributes {grid = [4]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %row = arith.muli %id, %c3 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [12, 50], strides: [50, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 49 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x50xf16>
    %weight_view = ktdp.construct_memory_view %weight, sizes: [50], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 49 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<50xf16>
    %bias_view = ktdp.construct_memory_view %bias, sizes: [50], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 49 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<50xf16>
    %plain_view = ktdp.construct_memory_view %plain, sizes: [12, 50], strides: [50, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 49 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x50xf16>
    %fused_view = ktdp.construct_memory_view %fused, sizes: [12, 50], strides: [50, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 49 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x50xf16>
    %rms_view = ktdp.construct_memory_view %rms, sizes: [12, 50], strides: [50, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 11 - d0 >= 0, d1 >= 0, 49 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x50xf16>
    %t1 = ktdp.construct_access_tile %x_view[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 49 - d1 >= 0)>}
      : memref<12x50xf16> -> !ktdp.access_tile<3x50xindex>
    %X = ktdp.load %t1 : !ktdp.access_tile<3x50xindex> -> tensor<3x50xf16>
    %t2 = ktdp.construct_access_tile %weight_view[%c0]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 49 - d0 >= 0)>}
      : memref<50xf16> -> !ktdp.access_tile<50xindex>
    %W = ktdp.load %t2 : !ktdp.access_tile<50xindex> -> tensor<50xf16>
    %t3 = ktdp.construct_access_tile %bias_view[%c0]
      {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 49 - d0 >= 0)>}
      : memref<50xf16> -> !ktdp.access_tile<50xindex>
    %B = ktdp.load %t3 : !ktdp.access_tile<50xindex> -> tensor<50xf16>
    %row_e = tensor.empty() : tensor<3xf16>
    %pair_e = tensor.empty() : tensor<3x!spyreop.fp16_fused>
    %full_e = tensor.empty() : tensor<3x50xf16>
    %mean, %squares = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%X : tensor<3x50xf16>) outs(%row_e, %row_e : tensor<3xf16>, tensor<3xf16>) {
    ^bb0(%a: f16, %m: f16, %q: f16):
      %mu, %sq = spyreop.exx2 %a : f16
      linalg.yield %mu, %sq : f16, f16
    } -> (tensor<3xf16>, tensor<3xf16>)
    %scale = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%mean, %squares : tensor<3xf16>, tensor<3xf16>) outs(%row_e : tensor<3xf16>) {
    ^bb0(%m: f16, %q: f16, %o: f16):
      %s = spyreop.layernormscale %m squares %q : f16
      linalg.yield %s : f16
    } -> tensor<3xf16>
    %y_plain = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%X, %mean, %scale, %W, %B : tensor<3x50xf16>, tensor<3xf16>, tensor<3xf16>, tensor<50xf16>, tensor<50xf16>) outs(%full_e : tensor<3x50xf16>) {
    ^bb0(%a: f16, %m: f16, %s: f16, %w: f16, %b: f16, %o: f16):
      %y = spyreop.layernormnorm %a squares %m scale %s weight %w bias %b : f16
      linalg.yield %y : f16
    } -> tensor<3x50xf16>
    %pair = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%X : tensor<3x50xf16>) outs(%pair_e : tensor<3x!spyreop.fp16_fused>) {
    ^bb0(%a: f16, %o: !spyreop.fp16_fused):
      %p = spyreop.exx2_fused %a : f16 -> !spyreop.fp16_fused
      linalg.yield %p : !spyreop.fp16_fused
    } -> tensor<3x!spyreop.fp16_fused>
    %scale_fused = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%pair : tensor<3x!spyreop.fp16_fused>) outs(%row_e : tensor<3xf16>) {
    ^bb0(%p: !spyreop.fp16_fused, %o: f16):
      %s = spyreop.layernormscale_fused %p {eps = 0.0009765625 : f32} : !spyreop.fp16_fused -> f16
      linalg.yield %s : f16
    } -> tensor<3xf16>
    %y_fused = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%X, %mean, %scale_fused, %W, %B : tensor<3x50xf16>, tensor<3xf16>, tensor<3xf16>, tensor<50xf16>, tensor<50xf16>) outs(%full_e : tensor<3x50xf16>) {
    ^bb0(%a: f16, %m: f16, %s: f16, %w: f16, %b: f16, %o: f16):
      %y = spyreop.layernormnorm %a squares %m scale %s weight %w bias %b : f16
      linalg.yield %y : f16
    } -> tensor<3x50xf16>
    %zero_pair = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%X : tensor<3x50xf16>) outs(%pair_e : tensor<3x!spyreop.fp16_fused>) {
    ^bb0(%a: f16, %o: !spyreop.fp16_fused):
      %p = spyreop.exx2_zeromean_fused %a : f16 -> !spyreop.fp16_fused
      linalg.yield %p : !spyreop.fp16_fused
    } -> tensor<3x!spyreop.fp16_fused>
    %scale_rms = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%zero_pair : tensor<3x!spyreop.fp16_fused>) outs(%row_e : tensor<3xf16>) {
    ^bb0(%p: !spyreop.fp16_fused, %o: f16):
      %s = spyreop.layernormscale_fused %p {eps = 0.0009765625 : f32} : !spyreop.fp16_fused -> f16
      linalg.yield %s : f16
    } -> tensor<3xf16>
    %zero = arith.constant dense<0.0> : tensor<3xf16>
    %y_rms = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%X, %zero, %scale_rms, %W, %B : tensor<3x50xf16>, tensor<3xf16>, tensor<3xf16>, tensor<50xf16>, tensor<50xf16>) outs(%full_e : tensor<3x50xf16>) {
    ^bb0(%a: f16, %m: f16, %s: f16, %w: f16, %b: f16, %o: f16):
      %y = spyreop.layernormnorm %a squares %m scale %s weight %w bias %b : f16
      linalg.yield %y : f16
    } -> tensor<3x50xf16>
    %t4 = ktdp.construct_access_tile %plain_view[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 49 - d1 >= 0)>}
      : memref<12x50xf16> -> !ktdp.access_tile<3x50xindex>
    ktdp.store %y_plain, %t4 : tensor<3x50xf16>, !ktdp.access_tile<3x50xindex>
    %t5 = ktdp.construct_access_tile %fused_view[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 49 - d1 >= 0)>}
      : memref<12x50xf16> -> !ktdp.access_tile<3x50xindex>
    ktdp.store %y_fused, %t5 : tensor<3x50xf16>, !ktdp.access_tile<3x50xindex>
    %t6 = ktdp.construct_access_tile %rms_view[%row, %c0]
      {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 2 - d0 >= 0, d1 >= 0, 49 - d1 >= 0)>}
      : memref<12x50xf16> -> !ktdp.access_tile<3x50xindex>
    ktdp.store %y_rms, %t6 : tensor<3x50xf16>, !ktdp.access_tile<3x50xindex>
    return
  }
}
