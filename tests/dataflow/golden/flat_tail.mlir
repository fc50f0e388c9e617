#map = affine_map<(d0, d1) -> (d0 * 40 + d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0) -> (d0)>
#set = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 31 >= 0)>
#set1 = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 7 >= 0)>
module {
  module {
    func.func @scale(%x: index, %z: index) attributes {grid = [1]} {
      call @scale_0(%x, %z) : (index, index) -> ()
      return
    }
    func.func private @scale_0(index, index)
  }
  module @scale_0 {
    func.func private @scale_0_body()
    func.func @scale_0(%x: index, %z: index) {
      symbol.create_id %x {symbol_id = -1 : si64} : index
      symbol.create_id %z {symbol_id = -2 : si64} : index
      call @scale_0_body() : () -> ()
      return
    }
    module {
      func.func @scale_0_body() attributes {grid = [1]} {
        %C0_VPU = dataflow.get_unit {core = 0 : i32, name = "C0-VPU", type = "VPU"} : index
        %DRAM = dataflow.get_unit {name = "dram", type = "dram"} : index
        dataflow.program_unit iter_arg: %me -> (%C0_VPU) : {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %x = symbol.create_symbol {SymbolId = -1 : i64} : index
          %base = arith.divui %x, %c2 : index
          %X = dataflow.get_logical_memory_view %DRAM, %base {layout_map = #map} : index, index, memref<2x40xf16>
          %k = vectorchain.constant_bitstream {value = [16384]} : vector<1xf16>
          %k_all = vectorchain.shuffle input(%k) {indices = [0 : i32], repetition = 32 : i32} : vector<1xf16>, vector<32xf16>
          %z = symbol.create_symbol {SymbolId = -2 : i64} : index
          %base_0 = arith.divui %z, %c2 : index
          %Z = dataflow.get_logical_memory_view %DRAM, %base_0 {layout_map = #map} : index, index, memref<2x40xf16>
          %k_all_0 = vectorchain.shuffle input(%k) {indices = [0 : i32], repetition = 8 : i32} : vector<1xf16>, vector<8xf16>
          scf.for %i_i = %c0 to %c2 step %c1 {
            %x0 = agen.vector_load %X[%i_i, 0] {load_order = #map1, load_set = #set} : memref<2x40xf16>, vector<32xf16>
            %mulf = vectorchain.binary %x0, %k_all {binary_op = #vectorchain<binary_operator mul>, op_specific_map = #map2} : vector<32xf16>, vector<32xf16>, vector<32xf16>
            agen.vector_store %mulf, %Z[%i_i, 0] {store_order = #map1, store_set = #set} : memref<2x40xf16>, vector<32xf16>
            %x0_0 = agen.vector_load %X[%i_i, 32] {load_order = #map1, load_set = #set1} : memref<2x40xf16>, vector<8xf16>
            %mulf_0 = vectorchain.binary %x0_0, %k_all_0 {binary_op = #vectorchain<binary_operator mul>, op_specific_map = #map2} : vector<8xf16>, vector<8xf16>, vector<8xf16>
            agen.vector_store %mulf_0, %Z[%i_i, 32] {store_order = #map1, store_set = #set1} : memref<2x40xf16>, vector<8xf16>
          }
        }
        return
      }
    }
  }
}
