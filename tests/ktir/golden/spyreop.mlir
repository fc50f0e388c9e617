#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @intrinsics(%x: tensor<4x64xf16>, %d: tensor<64x!spyreop.df16>, %m: memref<8x!spyreop.df16>, %k: i32) {
    %e = tensor.empty() : tensor<4x64xf16>
    %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x64xf16>) outs(%e : tensor<4x64xf16>) {
    ^bb0(%a: f16, %o: f16):
      %c = spyreop.constant 5.000000e-01 : f16
      %s = spyreop.silu %a : f16
      %p = spyreop.softplus %s beta 1.000000e+00 threshold 2.000000e+01 : f16
      %g = spyreop.compare <greaterthan> %p, %c : f16
      %w = spyreop.select %g, %p, %c : f16
      %mean, %sq = spyreop.exx2 %w : f16
      %pair = spyreop.exx2_fused %w : f16 -> !spyreop.fp16_fused
      %sc = spyreop.layernormscale_fused %pair : !spyreop.fp16_fused -> f16
      %n = spyreop.layernormnorm %w squares %sq scale %sc weight %c bias %mean : f16
      linalg.yield %n : f16
    } -> tensor<4x64xf16>
    %twice = arith.addf %d, %d : tensor<64x!spyreop.df16>
    %i = spyreop.addi32toi32 %k, %k : i32
    %r = spyreop.slice_reduction %twice {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64x!spyreop.df16> -> tensor<64x!spyreop.df16>
    return
  }
}
