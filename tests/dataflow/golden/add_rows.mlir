#map = affine_map<(d0, d1) -> (d0 * 64 + d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0) -> (0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#set = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
#set1 = affine_set<(d0) : (d0 >= 0, -d0 >= 0)>
module {
  module {
    func.func @add_rows(%x: index, %y: index, %z: index) attributes {grid = [2]} {
      call @add_rows_0(%x, %y, %z) : (index, index, index) -> ()
      return
    }
    func.func private @add_rows_0(index, index, index)
  }
  module @add_rows_0 {
    func.func private @add_rows_0_body()
    func.func @add_rows_0(%x: index, %y: index, %z: index) {
      symbol.create_id %x {symbol_id = -1 : si64} : index
      symbol.create_id %y {symbol_id = -2 : si64} : index
      symbol.create_id %z {symbol_id = -3 : si64} : index
      call @add_rows_0_body() : () -> ()
      return
    }
    module {
      func.func @add_rows_0_body() attributes {grid = [2]} {
        %C0_MNILU = dataflow.get_unit {core = 0 : i32, name = "C0-MNILU", type = "MNILU"} : index
        %C1_MNILU = dataflow.get_unit {core = 1 : i32, name = "C1-MNILU", type = "MNILU"} : index
        %C0_MNISU = dataflow.get_unit {core = 0 : i32, name = "C0-MNISU", type = "MNISU"} : index
        %C1_MNISU = dataflow.get_unit {core = 1 : i32, name = "C1-MNISU", type = "MNISU"} : index
        %C0_L1LU_CL0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-L1LU-CL0", type = "L1LU"} : index
        %C1_L1LU_CL0 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-L1LU-CL0", type = "L1LU"} : index
        %C0_L1SU_CL0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-L1SU-CL0", type = "L1SU"} : index
        %C1_L1SU_CL0 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-L1SU-CL0", type = "L1SU"} : index
        %C0_SFU_CL0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-SFU-CL0", type = "SFU"} : index
        %C1_SFU_CL0 = dataflow.get_unit {core = 1 : i32, corelet = 0 : i32, name = "C1-SFU-CL0", type = "SFU"} : index
        %DDR = dataflow.get_unit {name = "ddr", type = "ddr"} : index
        %C0_LX = dataflow.get_unit {core = 0 : i32, name = "C0-LX", type = "lx"} : index
        %C1_LX = dataflow.get_unit {core = 1 : i32, name = "C1-LX", type = "lx"} : index
        dataflow.program_unit iter_arg: %me -> (%C0_MNILU, %C1_MNILU) : {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c3 = arith.constant 3 : index
          %l1lu_map = uniform.def_immutable_mapping([%C0_MNILU -> %C0_L1LU_CL0], [%C1_MNILU -> %C1_L1LU_CL0]) : index, index
          %l1lu = uniform.query_map(map: %l1lu_map, key: %me) : index
          %c2 = arith.constant 2 : index
          %x = symbol.create_symbol {SymbolId = -1 : i64} : index
          %base = arith.divui %x, %c2 : index
          %X = dataflow.get_logical_memory_view %DDR, %base {layout_map = #map} : index, index, memref<6x64xf16>
          %lx_map = uniform.def_immutable_mapping([%C0_MNILU -> %C0_LX], [%C1_MNILU -> %C1_LX]) : index, index
          %lx = uniform.query_map(map: %lx_map, key: %me) : index
          %x0_lx = dataflow.get_logical_memory_view %lx, %c0 {layout_map = #map} : index, index, memref<2x64xf16>
          %n_map = uniform.def_immutable_mapping([%C0_MNILU -> %c0], [%C1_MNILU -> %c3]) : index, index
          %n = uniform.query_map(map: %n_map, key: %me) : index
          %y = symbol.create_symbol {SymbolId = -2 : i64} : index
          %base_0 = arith.divui %y, %c2 : index
          %Y = dataflow.get_logical_memory_view %DDR, %base_0 {layout_map = #map} : index, index, memref<6x64xf16>
          %c128 = arith.constant 128 : index
          %y0_lx = dataflow.get_logical_memory_view %lx, %c128 {layout_map = #map} : index, index, memref<2x64xf16>
          scf.for %i_i = %c0 to %c3 step %c1 {
            dataflow.sync_recv %l1lu {channel = 1 : i32} : index
            %t = arith.remui %i_i, %c2 : index
            agen.composite_load_and_store src: %X[%i_i + %n, 0] dst: %x0_lx[%t, 0] time_symbols(), load_iv(%v: vector<64xf16>) {load_order = #map1, load_set = #set, load_time_addr_map = #map2, store_order = #map1, store_set = #set, store_time_addr_map = #map2, time_order = #map3, time_set = #set1} {
              agen.yield
            } : memref<6x64xf16>, memref<2x64xf16>
            dataflow.sync_recv %l1lu {channel = 3 : i32} : index
            agen.composite_load_and_store src: %Y[%i_i + %n, 0] dst: %y0_lx[%t, 0] time_symbols(), load_iv(%v_0: vector<64xf16>) {load_order = #map1, load_set = #set, load_time_addr_map = #map2, store_order = #map1, store_set = #set, store_time_addr_map = #map2, time_order = #map3, time_set = #set1} {
              agen.yield
            } : memref<6x64xf16>, memref<2x64xf16>
            dataflow.sync_send %l1lu {channel = 0 : i32, wait_immediately_for_async_transfers = true} : index
            dataflow.sync_send %l1lu {channel = 2 : i32, wait_immediately_for_async_transfers = true} : index
          }
          dataflow.sync_recv %l1lu {channel = 1 : i32} : index
          dataflow.sync_recv %l1lu {channel = 1 : i32} : index
          dataflow.sync_recv %l1lu {channel = 3 : i32} : index
          dataflow.sync_recv %l1lu {channel = 3 : i32} : index
        }
        dataflow.program_unit iter_arg: %me_0 -> (%C0_MNISU, %C1_MNISU) : {
          %l1su_map = uniform.def_immutable_mapping([%C0_MNISU -> %C0_L1SU_CL0], [%C1_MNISU -> %C1_L1SU_CL0]) : index, index
          %l1su = uniform.query_map(map: %l1su_map, key: %me_0) : index
          %c0_0 = arith.constant 0 : index
          %c1_0 = arith.constant 1 : index
          %c3_0 = arith.constant 3 : index
          %lx_map_0 = uniform.def_immutable_mapping([%C0_MNISU -> %C0_LX], [%C1_MNISU -> %C1_LX]) : index, index
          %lx_0 = uniform.query_map(map: %lx_map_0, key: %me_0) : index
          %c256 = arith.constant 256 : index
          %z1_lx = dataflow.get_logical_memory_view %lx_0, %c256 {layout_map = #map} : index, index, memref<2x64xf16>
          %c2_0 = arith.constant 2 : index
          %z = symbol.create_symbol {SymbolId = -3 : i64} : index
          %base_1 = arith.divui %z, %c2_0 : index
          %Z = dataflow.get_logical_memory_view %DDR, %base_1 {layout_map = #map} : index, index, memref<6x64xf16>
          %n_map_0 = uniform.def_immutable_mapping([%C0_MNISU -> %c0_0], [%C1_MNISU -> %c3_0]) : index, index
          %n_0 = uniform.query_map(map: %n_map_0, key: %me_0) : index
          dataflow.sync_send %l1su {channel = 5 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %l1su {channel = 5 : i32, wait_immediately_for_async_transfers = true} : index
          scf.for %i_i_0 = %c0_0 to %c3_0 step %c1_0 {
            dataflow.sync_recv %l1su {channel = 4 : i32} : index
            %t_0 = arith.remui %i_i_0, %c2_0 : index
            agen.composite_load_and_store src: %z1_lx[%t_0, 0] dst: %Z[%i_i_0 + %n_0, 0] time_symbols(), load_iv(%v_1: vector<64xf16>) {load_order = #map1, load_set = #set, load_time_addr_map = #map2, store_order = #map1, store_set = #set, store_time_addr_map = #map2, time_order = #map3, time_set = #set1} {
              agen.yield
            } : memref<2x64xf16>, memref<6x64xf16>
            dataflow.sync_send %l1su {channel = 5 : i32, wait_immediately_for_async_transfers = true} : index
          }
        }
        dataflow.program_unit iter_arg: %me_1 -> (%C0_L1LU_CL0, %C1_L1LU_CL0) : {
          %mnilu_map = uniform.def_immutable_mapping([%C0_L1LU_CL0 -> %C0_MNILU], [%C1_L1LU_CL0 -> %C1_MNILU]) : index, index
          %mnilu = uniform.query_map(map: %mnilu_map, key: %me_1) : index
          %c0_1 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c3_1 = arith.constant 3 : index
          %lx_map_1 = uniform.def_immutable_mapping([%C0_L1LU_CL0 -> %C0_LX], [%C1_L1LU_CL0 -> %C1_LX]) : index, index
          %lx_1 = uniform.query_map(map: %lx_map_1, key: %me_1) : index
          %x0_lx_0 = dataflow.get_logical_memory_view %lx_1, %c0_1 {layout_map = #map} : index, index, memref<2x64xf16>
          %c2_1 = arith.constant 2 : index
          %sfu_map = uniform.def_immutable_mapping([%C0_L1LU_CL0 -> %C0_SFU_CL0], [%C1_L1LU_CL0 -> %C1_SFU_CL0]) : index, index
          %sfu = uniform.query_map(map: %sfu_map, key: %me_1) : index
          %c128_0 = arith.constant 128 : index
          %y0_lx_0 = dataflow.get_logical_memory_view %lx_1, %c128_0 {layout_map = #map} : index, index, memref<2x64xf16>
          dataflow.sync_send %mnilu {channel = 1 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %mnilu {channel = 1 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %mnilu {channel = 3 : i32, wait_immediately_for_async_transfers = true} : index
          dataflow.sync_send %mnilu {channel = 3 : i32, wait_immediately_for_async_transfers = true} : index
          scf.for %i_i_1 = %c0_1 to %c3_1 step %c1_1 {
            dataflow.sync_recv %mnilu {channel = 0 : i32} : index
            dataflow.sync_recv %mnilu {channel = 2 : i32} : index
            %t_1 = arith.remui %i_i_1, %c2_1 : index
            %x0 = agen.vector_load %x0_lx_0[%t_1, 0] {load_order = #map1, load_set = #set} : memref<2x64xf16>, vector<64xf16>
            dataflow.send %sfu, %x0 : vector<64xf16>
            %y0 = agen.vector_load %y0_lx_0[%t_1, 0] {load_order = #map1, load_set = #set} : memref<2x64xf16>, vector<64xf16>
            dataflow.send %sfu, %y0 : vector<64xf16>
            dataflow.sync_send %mnilu {channel = 1 : i32, wait_immediately_for_async_transfers = true} : index
            dataflow.sync_send %mnilu {channel = 3 : i32, wait_immediately_for_async_transfers = true} : index
          }
        }
        dataflow.program_unit iter_arg: %me_2 -> (%C0_L1SU_CL0, %C1_L1SU_CL0) : {
          %c0_2 = arith.constant 0 : index
          %c1_2 = arith.constant 1 : index
          %c3_2 = arith.constant 3 : index
          %mnisu_map = uniform.def_immutable_mapping([%C0_L1SU_CL0 -> %C0_MNISU], [%C1_L1SU_CL0 -> %C1_MNISU]) : index, index
          %mnisu = uniform.query_map(map: %mnisu_map, key: %me_2) : index
          %sfu_map_0 = uniform.def_immutable_mapping([%C0_L1SU_CL0 -> %C0_SFU_CL0], [%C1_L1SU_CL0 -> %C1_SFU_CL0]) : index, index
          %sfu_0 = uniform.query_map(map: %sfu_map_0, key: %me_2) : index
          %lx_map_2 = uniform.def_immutable_mapping([%C0_L1SU_CL0 -> %C0_LX], [%C1_L1SU_CL0 -> %C1_LX]) : index, index
          %lx_2 = uniform.query_map(map: %lx_map_2, key: %me_2) : index
          %c256_0 = arith.constant 256 : index
          %z1_lx_0 = dataflow.get_logical_memory_view %lx_2, %c256_0 {layout_map = #map} : index, index, memref<2x64xf16>
          %c2_2 = arith.constant 2 : index
          scf.for %i_i_2 = %c0_2 to %c3_2 step %c1_2 {
            dataflow.sync_recv %mnisu {channel = 5 : i32} : index
            %z1 = dataflow.receive %sfu_0 : vector<64xf16>
            %t_2 = arith.remui %i_i_2, %c2_2 : index
            agen.vector_store %z1, %z1_lx_0[%t_2, 0] {store_order = #map1, store_set = #set} : memref<2x64xf16>, vector<64xf16>
            dataflow.sync_send %mnisu {channel = 4 : i32, wait_immediately_for_async_transfers = true} : index
          }
          dataflow.sync_recv %mnisu {channel = 5 : i32} : index
          dataflow.sync_recv %mnisu {channel = 5 : i32} : index
        }
        dataflow.program_unit iter_arg: %me_3 -> (%C0_SFU_CL0, %C1_SFU_CL0) : {
          %c0_3 = arith.constant 0 : index
          %c1_3 = arith.constant 1 : index
          %c3_3 = arith.constant 3 : index
          %l1lu_map_0 = uniform.def_immutable_mapping([%C0_SFU_CL0 -> %C0_L1LU_CL0], [%C1_SFU_CL0 -> %C1_L1LU_CL0]) : index, index
          %l1lu_0 = uniform.query_map(map: %l1lu_map_0, key: %me_3) : index
          %l1su_map_0 = uniform.def_immutable_mapping([%C0_SFU_CL0 -> %C0_L1SU_CL0], [%C1_SFU_CL0 -> %C1_L1SU_CL0]) : index, index
          %l1su_0 = uniform.query_map(map: %l1su_map_0, key: %me_3) : index
          scf.for %i_i_3 = %c0_3 to %c3_3 step %c1_3 {
            %x0_0 = dataflow.receive %l1lu_0 : vector<64xf16>
            %y0_0 = dataflow.receive %l1lu_0 : vector<64xf16>
            %addf = vectorchain.binary %x0_0, %y0_0 {binary_op = #vectorchain<binary_operator add>, op_specific_map = #map3} : vector<64xf16>, vector<64xf16>, vector<64xf16>
            dataflow.send %l1su_0, %addf : vector<64xf16>
          }
        }
        return
      }
    }
  }
}
