// Layer norm of 13 rows of 300 on 4 tiles, statistics in f32 carried over column blocks of 128 (the last block
// reaches past the view and adds zeros).
module {
  func.func @layernorm(%x: index, %weight: index, %bias: index, %y: index) attributes {grid = [4]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c13 = arith.constant 13 : index
    %c128 = arith.constant 128 : index
    %c300 = arith.constant 300 : index
    %n = arith.constant dense<300.0> : tensor<1xf32>
    %eps = arith.constant dense<1.0e-5> : tensor<1xf32>
    %zero = arith.constant dense<0.0> : tensor<1x128xf32>
    %X = ktdp.construct_memory_view %x, sizes: [13, 300], strides: [300, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 12 - d0 >= 0, d1 >= 0, 299 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<13x300xf16>
    %W = ktdp.construct_memory_view %weight, sizes: [300], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 299 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<300xf16>
    %B = ktdp.construct_memory_view %bias, sizes: [300], strides: [1]
      {coordinate_set = affine_set<(d0) : (d0 >= 0, 299 - d0 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<300xf16>
    %Y = ktdp.construct_memory_view %y, sizes: [13, 300], strides: [300, 1]
      {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, 12 - d0 >= 0, d1 >= 0, 299 - d1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<13x300xf16>
    scf.for %row = %id to %c13 step %c4 {
      %s, %q = scf.for %c = %c0 to %c300 step %c128 iter_args(%sum = %zero, %square = %zero) -> (tensor<1x128xf32>, tensor<1x128xf32>) {
        %t1 = ktdp.construct_access_tile %X[%row, %c]
          {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
          : memref<13x300xf16> -> !ktdp.access_tile<1x128xindex>
        %h = ktdp.load %t1 : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf16>
        %f = arith.extf %h : tensor<1x128xf16> to tensor<1x128xf32>
        %ff = arith.mulf %f, %f : tensor<1x128xf32>
        %s1 = arith.addf %sum, %f : tensor<1x128xf32>
        %q1 = arith.addf %square, %ff : tensor<1x128xf32>
        scf.yield %s1, %q1 : tensor<1x128xf32>, tensor<1x128xf32>
      }
      %e = tensor.empty() : tensor<1xf32>
      %ts = linalg.reduce { arith.addf } ins(%s : tensor<1x128xf32>) outs(%e : tensor<1xf32>) dimensions = [1]
      %tq = linalg.reduce { arith.addf } ins(%q : tensor<1x128xf32>) outs(%e : tensor<1xf32>) dimensions = [1]
      %mean = arith.divf %ts, %n : tensor<1xf32>
      %msq = arith.divf %tq, %n : tensor<1xf32>
      %mm = arith.mulf %mean, %mean : tensor<1xf32>
      %var = arith.subf %msq, %mm : tensor<1xf32>
      %vare = arith.addf %var, %eps : tensor<1xf32>
      %rstd = math.rsqrt %vare : tensor<1xf32>
      %mean0 = tensor.extract %mean[%c0] : tensor<1xf32>
      %rstd0 = tensor.extract %rstd[%c0] : tensor<1xf32>
      %means = tensor.splat %mean0 : tensor<1x128xf32>
      %rstds = tensor.splat %rstd0 : tensor<1x128xf32>
      scf.for %c = %c0 to %c300 step %c128 {
        %t2 = ktdp.construct_access_tile %X[%row, %c]
          {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
          : memref<13x300xf16> -> !ktdp.access_tile<1x128xindex>
        %h = ktdp.load %t2 : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf16>
        %t3 = ktdp.construct_access_tile %W[%c]
          {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 127 - d0 >= 0)>}
          : memref<300xf16> -> !ktdp.access_tile<128xindex>
        %w0 = ktdp.load %t3 : !ktdp.access_tile<128xindex> -> tensor<128xf16>
        %t4 = ktdp.construct_access_tile %B[%c]
          {access_tile_order = affine_map<(d0) -> (d0)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 127 - d0 >= 0)>}
          : memref<300xf16> -> !ktdp.access_tile<128xindex>
        %b0 = ktdp.load %t4 : !ktdp.access_tile<128xindex> -> tensor<128xf16>
        %w1 = tensor.expand_shape %w0 [[0, 1]] output_shape [1, 128] : tensor<128xf16> into tensor<1x128xf16>
        %w = arith.extf %w1 : tensor<1x128xf16> to tensor<1x128xf32>
        %b1 = tensor.expand_shape %b0 [[0, 1]] output_shape [1, 128] : tensor<128xf16> into tensor<1x128xf16>
        %b = arith.extf %b1 : tensor<1x128xf16> to tensor<1x128xf32>
        %f = arith.extf %h : tensor<1x128xf16> to tensor<1x128xf32>
        %c1 = arith.subf %f, %means : tensor<1x128xf32>
        %c2 = arith.mulf %c1, %rstds : tensor<1x128xf32>
        %c3 = arith.mulf %c2, %w : tensor<1x128xf32>
        %c5 = arith.addf %c3, %b : tensor<1x128xf32>
        %out = arith.truncf %c5 : tensor<1x128xf32> to tensor<1x128xf16>
        %t5 = ktdp.construct_access_tile %Y[%row, %c]
          {access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 0 - d0 >= 0, d1 >= 0, 127 - d1 >= 0)>}
          : memref<13x300xf16> -> !ktdp.access_tile<1x128xindex>
        ktdp.store %out, %t5 : tensor<1x128xf16>, !ktdp.access_tile<1x128xindex>
      }
    }
    return
  }
}
