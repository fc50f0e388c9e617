"""The KTIR reference interpreter: what a kernel means, computed in NumPy for all compute tiles at once.

    result = run(module, [x, y, out, 128])      # module: tilesat.ktir.ir.Module
    result.outputs[2]                           # arrays as the kernel left them, aligned with the arguments
    run(module, [], memory={0: x, 4096: y})     # kernels with constant addresses; result.memory[4096]

Arguments in call order: an array for a buffer (float16, float32, int32, …; bf16 and df16 as uint16 bit
patterns), a number for a scalar. Nothing the caller passes is changed. Silent points of the
specification: `tilesat.options.Options`.
"""

# The modules whose handlers give the ops their meaning.
from . import contraction, control, generic, indexing, intertile, memory_ops, structured, tensors, tiles  # noqa: F401
from .launch import ReferenceResult, run

__all__ = ["ReferenceResult", "run"]
