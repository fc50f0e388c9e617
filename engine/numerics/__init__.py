"""Element types, rounding, and the semantics of scalar ops: one definition for everything that computes.

Values travel in *compute form*: NumPy arrays whose dtype is `DType.compute` and whose elements are
values of the type (16-bit floats are held as float32). Memory holds *storage form*.

    t = dtype("f16")                        # DType: name bits nbytes kind storage compute
    x = t.from_storage(memory_array)        # float16 → float32, exact
    memory_array = t.to_storage(x)          # rounds if x is not yet a value of t
    y = cast(x, dtype("f32"), t)            # one correct rounding; mode="ieee" | "df16" | "df16-saturating"

    op = scalar_ops()["arith.addf"]         # ScalarOp: operands attributes formulas cost combiner
    z = apply(op, [x, y], [t, t], t)        # bit-equal to NumPy float16 x + y
    c = apply(scalar_ops()["arith.cmpf"], [x, y], [t, t], dtype("i1"), {"predicate": "olt"})
    e = identity_value(op.combiner, t)      # 0.0

    f = formula("a / (1 + exp(-a))")        # Formula: whitelisted expression, cached; f(a=array)
    s = evaluate(f, {"a": x}, {"a": t}, t)  # dtype-aware, one rounding

`resolve(t, mode)` is the format a type has in a numerics mode (f16 → 1-6-9 in the df16 modes): buffers of f16
must be converted with `cast` on their way in and out. `spec_entries()` gives the raw YAML entry of every op.
Faults: TilesatError NUM001 (unknown type), NUM002 (unknown mode), NUM003 (unknown predicate), NUM004 (no
identity), FORM001 (formula not understood).
"""

from .dtypes import MODES, DType, cast, dtype, from_numpy, resolve
from .formula import Formula, formula, parse_formula
from .ops import Combiner, ScalarOp, apply, evaluate, identity_value, scalar_ops, spec_entries

__all__ = [
    "MODES",
    "Combiner",
    "DType",
    "Formula",
    "ScalarOp",
    "apply",
    "cast",
    "dtype",
    "evaluate",
    "formula",
    "from_numpy",
    "identity_value",
    "parse_formula",
    "resolve",
    "scalar_ops",
    "spec_entries",
]
