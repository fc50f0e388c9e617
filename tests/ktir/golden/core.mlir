#map = affine_map<(d0, d1) -> (d0, d1)>
#set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set1 = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
module {
  func.func @scale_rows(%x: index, %y: index, %n: i32, %s: f16) attributes {grid = [4]} {
    %id = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c48 = arith.constant 48 : index
    %vx = ktdp.construct_memory_view %x, sizes: [48, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<48x64xf16>
    %vy = ktdp.construct_memory_view %y, sizes: [48, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<48x64xf16>
    %count = scf.for %row = %id to %c48 step %c4 iter_args(%k = %c0) -> (index) {
      %tx = ktdp.construct_access_tile %vx[%row, %c0] {access_tile_order = #map, access_tile_set = #set1} : memref<48x64xf16> -> !ktdp.access_tile<1x64xindex>
      %a = ktdp.load %tx : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
      %zero = arith.constant 0.000000e+00 : f16
      %e = tensor.empty() : tensor<1xf16>
      %f = linalg.fill ins(%zero : f16) outs(%e : tensor<1xf16>) -> tensor<1xf16>
      %sum = linalg.reduce { arith.addf } ins(%a : tensor<1x64xf16>) outs(%f : tensor<1xf16>) dimensions = [1] 
      %w = tensor.empty() : tensor<1x64xf16>
      %b = linalg.broadcast ins(%sum : tensor<1xf16>) outs(%w : tensor<1x64xf16>) dimensions = [1] 
      %sp = tensor.splat %s : tensor<1x64xf16>
      %m = arith.mulf %a, %sp : tensor<1x64xf16>
      %r = arith.addf %m, %b : tensor<1x64xf16>
      %even = arith.cmpi ult, %row, %c48 : index
      scf.if %even {
        %ty = ktdp.construct_access_tile %vy[%row, %c0] {access_tile_order = #map, access_tile_set = #set1} : memref<48x64xf16> -> !ktdp.access_tile<1x64xindex>
        ktdp.store %r, %ty : tensor<1x64xf16>, !ktdp.access_tile<1x64xindex>
      }
      %next = arith.addi %k, %c4 : index
      scf.yield %next : index
    }
    return
  }
}
