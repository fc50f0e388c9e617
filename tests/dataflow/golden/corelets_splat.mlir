#map = affine_map<(d0, d1) -> (d0 * 128 + d1)>
#map1 = affine_map<(d0, d1) -> (d0 + d1)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1 * 64)>
#map5 = affine_map<(d0) -> (0, 0)>
#map6 = affine_map<(d0) -> (0)>
#set = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
#set1 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0)>
#set2 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 == 0)>
#set3 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
#set4 = affine_set<(d0) : (d0 >= 0, -d0 >= 0)>
#set5 = affine_set<(d0) : (d0 == 0)>
module {
  module {
    func.func @rows(%x: index, %w: index, %z: index) attributes {grid = [1]} {
      call @rows_0(%x, %w, %z) : (index, index, index) -> ()
      return
    }
    func.func private @rows_0(index, index, index)
  }
  module @rows_0 {
    func.func private @rows_0_body()
    func.func @rows_0(%x: index, %w: index, %z: index) {
      symbol.create_id %x {symbol_id = -1 : si64} : index
      symbol.create_id %w {symbol_id = -2 : si64} : index
      symbol.create_id %z {symbol_id = -3 : si64} : index
      call @rows_0_body() : () -> ()
      return
    }
    module {
      func.func @rows_0_body() attributes {grid = [1]} {
        %C0_MNILU = dataflow.get_unit {core = 0 : i32, name = "C0-MNILU", type = "MNILU"} : index
        %C0_MNISU = dataflow.get_unit {core = 0 : i32, name = "C0-MNISU", type = "MNISU"} : index
        %C0_L1LU_CL0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-L1LU-CL0", type = "L1LU"} : index
        %C0_L1LU_CL1 = dataflow.get_unit {core = 0 : i32, corelet = 1 : i32, name = "C0-L1LU-CL1", type = "L1LU"} : index
        %C0_L1SU_CL0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-L1SU-CL0", type = "L1SU"} : index
        %C0_L1SU_CL1 = dataflow.get_unit {core = 0 : i32, corelet = 1 : i32, name = "C0-L1SU-CL1", type = "L1SU"} : index
        %C0_SFU_CL0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-SFU-CL0", type = "SFU"} : index
        %C0_SFU_CL1 = dataflow.get_unit {core = 0 : i32, corelet = 1 : i32, name = "C0-SFU-CL1", type = "SFU"} : index
        %DDR = dataflow.get_unit {name = "ddr", type = "ddr"} : index
        %C0_LX = dataflow.get_unit {core = 0 : i32, name = "C0-LX", type = "lx"} : index
        dataflow.program_unit iter_arg: %me -> (%C0_MNILU) : {
          %c2 = arith.constant 2 : index
          %x = symbol.create_symbol {SymbolId = -1 : i64} : index
          %base = arith.divui %x, %c2 : index
          %c0 = arith.constant 0 : index
          %X = dataflow.get_logical_memory_view %DDR, %base {layout_map = #map} : index, index, memref<2x128xf16>
          %x0_lx = dataflow.get_logical_memory_view %C0_LX, %c0 {layout_map = #map} : index, index, memref<2x128xf16>
          %w = symbol.create_symbol {SymbolId = -2 : i64} : index
          %base_0 = arith.divui %w, %c2 : index
          %W = dataflow.get_logical_memory_view %DDR, %base_0 {layout_map = #map1} : index, index, memref<2x1xf16>
          %c256 = arith.constant 256 : index
          %w0_lx = dataflow.get_logical_memory_view %C0_LX, %c256 {layout_map = #map2} : index, index, memref<2xf16>
          dataflow.sync_recv %C0_L1LU_CL0 {channel = 1 : i32} : index
          dataflow.sync_recv %C0_L1LU_CL1 {channel = 1 : i32} : index
          agen.composite_load_and_store src: %X[0, 0] dst: %x0_lx[0, 0] time_symbols(), load_iv(%v: vector<64xf16>) {load_order = #map3, load_set = #set, load_time_addr_map = #map4, store_order = #map3, store_set = #set, store_time_addr_map = #map4, time_order = #map3, time_set = #set1} {
            agen.yield
          } : memref<2x128xf16>, memref<2x128xf16>
          dataflow.sync_recv %C0_L1LU_CL0 {channel = 3 : i32} : index
          dataflow.sync_recv %C0_L1LU_CL1 {channel = 3 : i32} : index
          agen.composite_load_and_store src: %W[0, 0] dst: %w0_lx[0] time_symbols(), load_iv(%v_0: vector<2xf16>) {load_order = #map3, load_set = #set2, load_time_addr_map = #map5, store_order = #map2, store_set = #set3, store_time_addr_map = #map6, time_order = #map2, time_set = #set4} {
            agen.yield
          } : memref<2x1xf16>, memref<2xf16>
          dataflow.sync_send %C0_L1LU_CL0 {channel = 0 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %C0_L1LU_CL1 {channel = 0 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %C0_L1LU_CL0 {channel = 2 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %C0_L1LU_CL1 {channel = 2 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %C0_L1LU_CL0 {channel = 1 : i32} : index
          dataflow.sync_recv %C0_L1LU_CL1 {channel = 1 : i32} : index
          dataflow.sync_recv %C0_L1LU_CL0 {channel = 3 : i32} : index
          dataflow.sync_recv %C0_L1LU_CL1 {channel = 3 : i32} : index
        }
        dataflow.program_unit iter_arg: %me_0 -> (%C0_MNISU) : {
          %c320 = arith.constant 320 : index
          %z1_lx = dataflow.get_logical_memory_view %C0_LX, %c320 {layout_map = #map} : index, index, memref<2x128xf16>
          %c2_0 = arith.constant 2 : index
          %z = symbol.create_symbol {SymbolId = -3 : i64} : index
          %base_1 = arith.divui %z, %c2_0 : index
          %c0_0 = arith.constant 0 : index
          %Z = dataflow.get_logical_memory_view %DDR, %base_1 {layout_map = #map} : index, index, memref<2x128xf16>
          dataflow.sync_send %C0_L1SU_CL0 {channel = 5 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %C0_L1SU_CL1 {channel = 5 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %C0_L1SU_CL0 {channel = 4 : i32} : index
          dataflow.sync_recv %C0_L1SU_CL1 {channel = 4 : i32} : index
          agen.composite_load_and_store src: %z1_lx[0, 0] dst: %Z[0, 0] time_symbols(), load_iv(%v_1: vector<64xf16>) {load_order = #map3, load_set = #set, load_time_addr_map = #map4, store_order = #map3, store_set = #set, store_time_addr_map = #map4, time_order = #map3, time_set = #set1} {
            agen.yield
          } : memref<2x128xf16>, memref<2x128xf16>
          dataflow.sync_send %C0_L1SU_CL0 {channel = 5 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %C0_L1SU_CL1 {channel = 5 : i32, wait_immediately_for_async_transfers = true} : index
        }
        dataflow.program_unit iter_arg: %me_1 -> (%C0_L1LU_CL0, %C0_L1LU_CL1) : {
          %c256_0 = arith.constant 256 : index
          %w0_lx_0 = dataflow.get_logical_memory_view %C0_LX, %c256_0 {layout_map = #map2} : index, index, memref<2xf16>
          %c0_1 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n_map = uniform.def_immutable_mapping([%C0_L1LU_CL0 -> %c0_1], [%C0_L1LU_CL1 -> %c1]) : index, index
          %n = uniform.query_map(map: %n_map, key: %me_1) : index
          %sfu_map = uniform.def_immutable_mapping([%C0_L1LU_CL0 -> %C0_SFU_CL0], [%C0_L1LU_CL1 -> %C0_SFU_CL1]) : index, index
          %sfu = uniform.query_map(map: %sfu_map, key: %me_1) : index
          %c2_1 = arith.constant 2 : index
          %x0_lx_0 = dataflow.get_logical_memory_view %C0_LX, %c0_1 {layout_map = #map} : index, index, memref<2x128xf16>
          dataflow.sync_send %C0_MNILU {channel = 1 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %C0_MNILU {channel = 3 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %C0_MNILU {channel = 0 : i32} : index
          dataflow.sync_recv %C0_MNILU {channel = 2 : i32} : index
          %w0 = agen.vector_load %w0_lx_0[%n] {load_order = #map2, load_set = #set5} : memref<2xf16>, vector<1xf16>
          %w0_all = vectorchain.shuffle input(%w0) {indices = [0 : i32], repetition = 64 : i32} : vector<1xf16>, vector<64xf16>
          dataflow.send %sfu, %w0_all : vector<64xf16>
          scf.for %i_c = %c0_1 to %c2_1 step %c1 {
            %x0 = agen.vector_load %x0_lx_0[%n, %i_c * 64] {load_order = #map3, load_set = #set} : memref<2x128xf16>, vector<64xf16>
            dataflow.send %sfu, %x0 : vector<64xf16>
          }
          dataflow.sync_send %C0_MNILU {channel = 1 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %C0_MNILU {channel = 3 : i32, wait_immediately_for_async_transfers = true} : index
        }
        dataflow.program_unit iter_arg: %me_2 -> (%C0_L1SU_CL0, %C0_L1SU_CL1) : {
          %c0_2 = arith.constant 0 : index
          %c1_0 = arith.constant 1 : index
          %c2_2 = arith.constant 2 : index
          %sfu_map_0 = uniform.def_immutable_mapping([%C0_L1SU_CL0 -> %C0_SFU_CL0], [%C0_L1SU_CL1 -> %C0_SFU_CL1]) : index, index
          %sfu_0 = uniform.query_map(map: %sfu_map_0, key: %me_2) : index
          %c320_0 = arith.constant 320 : index
          %z1_lx_0 = dataflow.get_logical_memory_view %C0_LX, %c320_0 {layout_map = #map} : index, index, memref<2x128xf16>
          %n_map_0 = uniform.def_immutable_mapping([%C0_L1SU_CL0 -> %c0_2], [%C0_L1SU_CL1 -> %c1_0]) : index, index
          %n_0 = uniform.query_map(map: %n_map_0, key: %me_2) : index
          dataflow.sync_recv %C0_MNISU {channel = 5 : i32} : index
          scf.for %i_c_0 = %c0_2 to %c2_2 step %c1_0 {
            %z1 = dataflow.receive %sfu_0 : vector<64xf16>
            agen.vector_store %z1, %z1_lx_0[%n_0, %i_c_0 * 64] {store_order = #map3, store_set = #set} : memref<2x128xf16>, vector<64xf16>
          }
          dataflow.sync_send %C0_MNISU {channel = 4 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_recv %C0_MNISU {channel = 5 : i32} : index
        }
        dataflow.program_unit iter_arg: %me_3 -> (%C0_SFU_CL0, %C0_SFU_CL1) : {
          %l1lu_map = uniform.def_immutable_mapping([%C0_SFU_CL0 -> %C0_L1LU_CL0], [%C0_SFU_CL1 -> %C0_L1LU_CL1]) : index, index
          %l1lu = uniform.query_map(map: %l1lu_map, key: %me_3) : index
          %c0_3 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c2_3 = arith.constant 2 : index
          %l1su_map = uniform.def_immutable_mapping([%C0_SFU_CL0 -> %C0_L1SU_CL0], [%C0_SFU_CL1 -> %C0_L1SU_CL1]) : index, index
          %l1su = uniform.query_map(map: %l1su_map, key: %me_3) : index
          %w0_0 = dataflow.receive %l1lu : vector<64xf16>
          scf.for %i_c_1 = %c0_3 to %c2_3 step %c1_1 {
            %x0_0 = dataflow.receive %l1lu : vector<64xf16>
            %addf = vectorchain.binary %x0_0, %w0_0 {binary_op = #vectorchain<binary_operator add>, op_specific_map = #map2} : vector<64xf16>, vector<64xf16>, vector<64xf16>
            %exp = vectorchain.fast_exp %addf : vector<64xf16>, vector<64xf16>
            dataflow.send %l1su, %exp : vector<64xf16>
          }
        }
        return
      }
    }
  }
}
