"""Small kernels as ScheduleIR text, for the tests of the rule engine."""

from __future__ import annotations

from tilesat.schedule.program import Program
from tilesat.schedule.text import read_program


def add(rows: int, columns: int, *, tile_rows: int = 1, tiles: int = 1, resident: bool = False) -> Program:
    """z = x + y over rows × columns per tile: a loop over tiles of `tile_rows` rows."""
    space = "(space ct_local)" if resident else ""
    base = (lambda name, k: k * rows * columns) if resident else (lambda name, k: name)
    axes = (
        f"(axis i (lo (* {rows} tile0)) (trips {rows // tile_rows}))"
        if tile_rows == 1
        else f"(axis i (trips {rows}))"
    )
    nest = f"(loop i {rows} (exec s (box (i 1) (c {columns})) home))"
    body = nest if tile_rows == 1 else f"(exec s (box (i {rows}) (c {columns})) home)"
    layout = f"(shape {rows * tiles} {columns}) (strides {columns} 1) (dtype f16) {space}"
    return read_program(f"""
    (program add (grid {tiles}) (args (x index) (y index) (z index))
      (axes {axes} (axis c (trips {columns})))
      (views (view X (base {base("x", 0)}) {layout})
             (view Y (base {base("y", 1)}) {layout})
             (view Z (base {base("z", 2)}) {layout}))
      (accesses (access x0 X (at i c)) (access y0 Y (at i c)) (access z1 Z (at i c)))
      (stmts (stmt s (let a f16 (load x0)) (let b f16 (load y0)) (let d f16 (op arith.addf a b))
                     (store z1 d)))
      (body {body}))""")


def bias(rows: int, columns: int, along: str = "c") -> Program:
    """z[i, c] = x[i, c] + y[along]."""
    extent = columns if along == "c" else rows
    return read_program(f"""
    (program bias (args (x index) (y index) (z index))
      (axes (axis i (trips {rows})) (axis c (trips {columns})))
      (views (view X (base x) (shape {rows} {columns}) (strides {columns} 1) (dtype f16))
             (view Y (base y) (shape {extent}) (strides 1) (dtype f16))
             (view Z (base z) (shape {rows} {columns}) (strides {columns} 1) (dtype f16)))
      (accesses (access x0 X (at i c)) (access y0 Y (at {along})) (access z1 Z (at i c)))
      (stmts (stmt s (let a f16 (load x0)) (let b f16 (load y0)) (let d f16 (op arith.addf a b))
                     (store z1 d)))
      (body (exec s (box (i {rows}) (c {columns})) home)))""")


def in_place(rows: int, columns: int, shift: int = 0) -> Program:
    """x[i + shift, c] = exp(x[i, c]), row after row."""
    carried = f"(carried (s s i {shift}))" if shift else ""
    return read_program(f"""
    (program exp (args (x index))
      (axes (axis i (trips {rows})) (axis c (trips {columns})))
      (views (view X (base x) (shape {rows + shift} {columns}) (strides {columns} 1) (dtype f16)))
      (accesses (access x0 X (at i c)) (access x1 X (at (+ i {shift}) c)))
      (stmts (stmt s (let a f16 (load x0)) (let b f16 (op math.exp a)) (store x1 b)))
      {carried}
      (body (loop i {rows} (exec s (box (i 1) (c {columns})) home))))""")


def unequal(columns: int) -> Program:
    """Rows dealt cyclically to three tiles: the trip count is known per tile only."""
    return read_program(f"""
    (program cyclic (grid 3) (args (x index) (z index))
      (axes (axis i (lo tile0) (step 3) (trips (ceildiv (- 8 tile0) 3))) (axis c (trips {columns})))
      (views (view X (base x) (shape 8 {columns}) (strides {columns} 1) (dtype f16))
             (view Z (base z) (shape 8 {columns}) (strides {columns} 1) (dtype f16)))
      (accesses (access x0 X (at i c)) (access z1 Z (at i c)))
      (stmts (stmt s (let a f16 (load x0)) (let b f16 (op math.exp a)) (store z1 b)))
      (body (loop i (ceildiv (- 8 tile0) 3) (exec s (box (i 1) (c {columns})) home))))""")
