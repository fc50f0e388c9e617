"""KTIR → ScheduleIR: one statement per store, expressions inlined over versioned loads, plain body.

Faults: LIFT001 (legal KTIR that is not covered, with its place), ENTRY001 (no such entry).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ..ktir import ir
from ..ktir.entry import entry_function
from ..options import Options
from .dependences import Touched, carried
from .index import Index, add, mul
from .lift_blocks import Blocks
from .lift_index import IndexLift, is_integer
from .lift_memory import Declarations, unsupported
from .lift_plan import plan
from .lift_stmts import Statements
from .lift_tensor import element, semantics
from .program import Program

__all__ = ["lift"]


def lift(module: ir.Module, entry: str | None = None, options: Options | None = None) -> Program:
    """The plain program of a kernel: its loops around `(exec s box home)`.

    `entry` names the function when the module has several.
    """
    function = entry_function(module, entry)
    lifter = _Lifter(function, options or Options())
    return lifter.program()


@dataclass
class _Lifter:
    function: ir.Op
    options: Options
    declare: Declarations = field(init=False)
    grid: tuple[int, ...] = (1,)

    def program(self) -> Program:
        self._frame()
        block = self.function.regions[0].blocks[0]
        if len(self.function.regions[0].blocks) != 1:
            unsupported("a function with several basic blocks", self.function.position)
        declare = self.declare
        make = Statements(declare, plan(block, declare, self.options.may_alias))
        blocks = Blocks(declare, make, self.grid)
        body = blocks.block(block)
        program = Program(
            name=str(self.function.attributes["sym_name"]),
            body=body,
            grid=self.grid,
            grid_order="first" if self.options.grid_order == "first-fastest" else "last",
            args=self._arguments(block),
            axes=declare.axes(),
            views=declare.views,
            accesses=declare.accesses,
            values=declare.values,
            stmts=declare.stmts,
        )
        touched = [Touched(s, make.paths[s]) for s in program.stmts]
        dependences = (*carried(program, touched, self.options.may_alias), *blocks.carried)
        object.__setattr__(program, "carried", dependences)
        return program

    # --- frame ------------------------------------------------------------------------------------------

    def _frame(self) -> None:
        results = [len(op.results) for op in self.function.walk() if semantics(op.name) == "tile_id"]
        grid = self.function.attributes.get("grid", [1] * max([1, *results]))
        self.grid = tuple(int(getattr(g, "value", g)) for g in grid)
        ranges: dict[str, tuple[int | None, int | None]] = {
            f"tile{k}": (0, extent - 1) for k, extent in enumerate(self.grid)
        }
        self.declare = Declarations(self.options, IndexLift(ranges), ranges)
        ranges["tile"] = (0, math.prod(self.grid) - 1)
        self.declare.used |= {*ranges}
        index = self.declare.index
        for arg in self.function.regions[0].blocks[0].args:
            name = self.declare.unique(arg.name)
            index.env[arg] = name
            if str(arg.type) == "index" or isinstance(arg.type, ir.MemRef):
                self.declare.arguments.add(name)
            elif not is_integer(arg.type):
                self.declare.scalars.add(name)
        for op in self.function.walk():
            if semantics(op.name) == "tile_id":
                self._tile_id(op)
            elif semantics(op.name) == "runtime_arg":
                self._runtime_arg(op)

    def _tile_id(self, op: ir.Op) -> None:
        if len(op.results) > len(self.grid):
            what = f"{len(op.results)} tile coordinates on a grid of rank {len(self.grid)}"
            unsupported(what, op.position, "give the function a grid attribute of that rank")
        for k, result in enumerate(op.results[:-1]):
            self.declare.index.env[result] = self._coordinate(k)
        self.declare.index.env[op.results[-1]] = self._rest(op)

    def _coordinate(self, k: int) -> Index:
        return f"tile{k}" if self.grid[k] > 1 else 0

    def _rest(self, op: ir.Op) -> Index:
        """The last coordinate asked for: fewer than the grid has, and it takes all the slower ones. A single
        one is the linear tile id, whichever coordinate runs fastest."""
        first = len(op.results) - 1
        last_fastest = self.options.grid_order == "last-fastest"
        if last_fastest and 0 < first < len(self.grid) - 1:
            what = f"{len(op.results)} tile coordinates on a grid of rank {len(self.grid)}"
            unsupported(what, op.position, "ask for one or for all")
        stride = 1
        found: list[Index] = []
        order = range(first, len(self.grid))
        for k in reversed(order) if last_fastest else order:
            found.append(mul(stride, self._coordinate(k)))
            stride *= self.grid[k]
        return add(*found)

    def _runtime_arg(self, op: ir.Op) -> None:
        source = op.operands[0]
        kind = str(getattr(op.attributes["kind"], "text", op.attributes["kind"]))
        assert isinstance(source.type, ir.RuntimeArg)
        index: Index | None = self.declare.index.env[source]
        if kind != "value" and kind != "0":
            index = source.type.granularity if kind in ("granularity", "1") else source.type.upperbound
        assert index is not None
        self.declare.index.env[op.result] = index
        if kind in ("value", "0") and source.type.upperbound is not None:
            self.declare.ranges[str(index)] = (0, source.type.upperbound)

    def _arguments(self, block: ir.Block) -> dict[str, str]:
        """Argument types in call order; an index argument that is no buffer's address is a `size`."""
        found: dict[str, str] = {}
        for arg in block.args:
            name = str(self.declare.index.env[arg])
            kind = element(arg.type.element if isinstance(arg.type, ir.RuntimeArg) else arg.type)
            if isinstance(arg.type, ir.MemRef):
                kind = "index"
            elif kind == "index" and name not in self.declare.roots:
                kind = "size"
            found[name] = kind
        return found
