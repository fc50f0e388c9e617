// A loop with a computed condition: not part of KTIR as tilesat runs it, and refused with a reason.
module {
  func.func @scf_while(%n: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%j: index):
      %k = arith.addi %j, %c1 : index
      scf.yield %k : index
    }
    return
  }
}
