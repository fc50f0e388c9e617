"""Integer code of one program: folding, hoisting, common values, addresses that step along a loop.

Values are kept as linear forms until an instruction needs a register. A form is computed in the
outermost block in which all its atoms are known; along a loop's induction variable it becomes a
register that is set before the loop and stepped at its end. (Strength reduction as in Cooper,
Simpson, Vick, "Operator strength reduction", 2001, for the structured case.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from ..diagnostics import Position
from ..numerics import apply, dtype, formula, scalar_ops
from .blocks import ZERO, Block, Instr, IntReg
from .forms import Atom, Constant, Form, combine
from .isa import isa

__all__ = ["Scalars", "integer_function"]

_IMMEDIATE = range(-(1 << 31), 1 << 31)
_SPECULATIVE_FAULT = {"divs", "rems", "divu", "remu", "fdiv", "cdiv", "mod", "cdivu"}


@cache
def integer_function(name: str) -> Callable[[int, int], int]:
    """What an integer operation of the instruction set computes, on Python ints (64-bit wrapping)."""
    op = isa().integer_ops[name]
    if op.formula:
        f = formula(op.formula)
        return lambda a, b: int(f(a=np.int64(a), b=np.int64(b)))
    scalar, t = scalar_ops()[str(op.scalar)], dtype("i64")
    result = dtype("i1") if scalar.name == "arith.cmpi" else t
    return lambda a, b: int(apply(scalar, [np.int64(a), np.int64(b)], [t, t], result, op.attributes))


class Scalars:
    """Builds the integer side of one program for `instances` unit instances."""

    def __init__(self, instances: int) -> None:
        self.instances = instances
        self.top = Block(0)
        self.stack = [self.top]
        self.initial: list[IntReg] = []
        self.position = Position()
        self._atoms = 0

    # ---- blocks and code

    @property
    def block(self) -> Block:
        return self.stack[-1]

    def push(self) -> Block:
        self.stack.append(Block(len(self.stack)))
        return self.block

    def pop(self) -> Block:
        block = self.stack.pop()
        block.code += block.tail
        return block

    def emit(self, name: str, block: Block | None = None, **fields: object) -> None:
        (block or self.block).code.append(Instr(name, fields, self.position))

    def atom(self, block: Block, reg: IntReg | None, name: str = "") -> Form:
        self._atoms += 1
        return Form(0, ((Atom(self._atoms, block, reg, name), 1),))

    # ---- operations on forms

    def binary(self, op: str, a: Form, b: Form) -> Form:
        """`a op b` (an operation of the instruction set): folded, kept linear, or computed once."""
        if a.is_constant and b.is_constant and not self._faults(op, b.constant):
            return Form(combine(integer_function(op), a.constant, b.constant))
        if op == "add":
            return a.plus(b)
        if op == "sub":
            return a.minus(b)
        if op == "mul":
            factor = b.as_int if b.as_int is not None else a.as_int
            if factor is not None:
                return (a if b.as_int is not None else b).times(factor)
        if op in ("divs", "divu", "fdiv", "cdiv", "cdivu", "mul") and b.as_int == 1:
            return a
        return self._computed(op, a, b)

    @staticmethod
    def _faults(op: str, divisor: Constant) -> bool:
        values = divisor if isinstance(divisor, tuple) else (divisor,)
        return op in _SPECULATIVE_FAULT and 0 in values

    def _computed(self, op: str, a: Form, b: Form) -> Form:
        block = self._deepest(a, b)
        if op in _SPECULATIVE_FAULT and (not b.is_constant or self._faults(op, b.constant)):
            block = self.block  # a division by zero must not happen where the program would not divide
        for known in self.stack[block.depth :]:
            if (op, a, b) in known.results:
                return known.results[op, a, b]  # type: ignore[no-any-return]
        rd = IntReg()
        if b.as_int is not None and b.as_int in _IMMEDIATE:
            self.emit("inti", block, op=isa().integer_ops[op].code, rd=rd, ra=self.reg(a), imm=b.as_int)
        else:
            left, right = self.reg(a), self.reg(b)
            self.emit("int", block, op=isa().integer_ops[op].code, rd=rd, ra=left, rb=right)
        result = self.atom(block, rd)
        block.results[op, a, b] = result
        return result

    def select(self, condition: Form, a: Form, b: Form) -> Form:
        """a where the condition is non-zero, else b."""
        if condition.is_constant and a.is_constant and b.is_constant:
            chosen = combine(lambda c, x: x if c else 0, condition.constant, a.constant)
            other = combine(lambda c, x: 0 if c else x, condition.constant, b.constant)
            return Form(combine(lambda x, y: x + y, chosen, other))
        if condition.as_int is not None:
            return a if condition.as_int else b
        block = self._deepest(condition, a, b)
        key = ("sel", condition, a, b)
        if key not in block.results:
            rd = IntReg()
            self.emit("sel", block, rd=rd, rc=self.reg(condition), ra=self.reg(a), rb=self.reg(b))
            block.results[key] = self.atom(block, rd)
        return block.results[key]  # type: ignore[no-any-return]

    def symbol(self, index: int) -> Form:
        """The launch-time value in row `index`, loaded once."""
        if ("symbol", index) not in self.top.results:
            rd = IntReg()
            self.emit("ldsym", self.top, rd=rd, symbol=index)
            self.top.results["symbol", index] = self.atom(self.top, rd, f"symbol {index}")
        return self.top.results["symbol", index]  # type: ignore[no-any-return]

    def wrapped(self, value: Form, bits: int) -> Form:
        """Sign-extended from `bits` (1: the lowest bit, unsigned)."""
        if bits >= 64:
            return value
        if bits == 1:
            return self.binary("and", value, Form(1))
        return self.binary("shrs", self.binary("shl", value, Form(64 - bits)), Form(64 - bits))

    # ---- registers

    def _deepest(self, *forms: Form) -> Block:
        deepest = self.top
        for form in forms:
            for atom, _ in form.terms:
                if atom.block.depth > deepest.depth:
                    deepest = atom.block
        return deepest

    def reg(self, form: Form) -> IntReg:
        """A register with the form's value, valid from here on in the block where it is computed."""
        if form.constant == 0:
            if not form.terms:
                return ZERO
            atom, coefficient = form.terms[0]
            if len(form.terms) == 1 and coefficient == 1 and atom.reg is not None:
                return atom.reg
        block = self._deepest(form)
        found = block.registers.get(form)
        if found is None:
            found = self._new(form, block)
            block.registers[form] = found
        return found

    def _new(self, form: Form, block: Block) -> IntReg:
        inner = [t for t in form.terms if t[0].block is block]
        if block.induction and len(inner) == 1 and inner[0][0] is block.induction[0]:
            return self._stepping(form, inner[0][1], block)
        rd = IntReg()
        self.set(rd, form, block)
        return rd

    def _stepping(self, form: Form, coefficient: int, block: Block) -> IntReg:
        """A register set before the loop whose body is `block` and stepped at the end of every iteration."""
        atom, lower, step = block.induction
        outer = Form(form.constant, tuple(t for t in form.terms if t[0] is not atom))
        rd = IntReg()
        self.set(rd, outer.plus(lower.times(coefficient)), self.stack[block.depth - 1])
        delta = step.times(coefficient)
        add = isa().integer_ops["add"].code
        if delta.as_int is not None and delta.as_int in _IMMEDIATE:
            fields: dict[str, object] = {"op": add, "rd": rd, "ra": rd, "imm": delta.as_int}
            block.tail.append(Instr("inti", fields, self.position))
        else:
            fields = {"op": add, "rd": rd, "ra": rd, "rb": self.reg(delta)}
            block.tail.append(Instr("int", fields, self.position))
        return rd

    def set(self, rd: IntReg, form: Form, block: Block) -> None:
        """Emit code at the end of `block` that leaves the form's value in `rd`."""
        constant = form.constant
        if not form.terms:
            if isinstance(constant, tuple):
                self._set_initial(rd, constant, block)
            else:
                self._set_int(rd, constant, block)
            return
        inner = [t for t in form.terms if t[0].block is block]
        if not inner:  # everything is known further out
            self._add(
                rd,
                self.reg(Form(0, form.terms)) if isinstance(constant, int) else self.reg(form),
                constant,
                block,
            )
            return
        last, coefficient = inner[-1]
        before = Form(constant, tuple(t for t in form.terms if t[0] is not last))
        source = self._atom_register(last)
        if coefficient != 1:
            product = rd if before.as_int is not None else IntReg()
            self._scale(product, source, coefficient, block)
            source = product
        if before.as_int is not None:
            self._add(rd, source, before.as_int, block)
        else:
            other = self.reg(before)
            self.emit("int", block, op=isa().integer_ops["add"].code, rd=rd, ra=other, rb=source)

    def _atom_register(self, atom: Atom) -> IntReg:
        return atom.reg if atom.reg is not None else self.reg(Form(0, ((atom, 1),)))

    def _scale(self, rd: IntReg, source: IntReg, factor: int, block: Block) -> None:
        mul = isa().integer_ops["mul"].code
        if factor in _IMMEDIATE:
            self.emit("inti", block, op=mul, rd=rd, ra=source, imm=factor)
        else:
            self.emit("int", block, op=mul, rd=rd, ra=source, rb=self.reg(Form(factor)))

    def _add(self, rd: IntReg, source: IntReg, constant: Constant, block: Block) -> None:
        add = isa().integer_ops["add"].code
        if isinstance(constant, tuple):  # already in `source`
            self.emit("inti", block, op=add, rd=rd, ra=source, imm=0)
        elif constant in _IMMEDIATE:
            if constant or rd is not source:
                self.emit("inti", block, op=add, rd=rd, ra=source, imm=constant)
        else:
            self.emit("int", block, op=add, rd=rd, ra=source, rb=self.reg(Form(constant)))

    def _set_initial(self, rd: IntReg, values: tuple[int, ...], block: Block) -> None:
        if block is self.top:  # runs once: the value at start will do
            rd.initial = values
            self.initial.append(rd)
            return
        held = self.top.registers.get(Form(values))
        if held is None:
            held = IntReg(initial=values)
            self.initial.append(held)
            self.top.registers[Form(values)] = held
        self.emit("inti", block, op=isa().integer_ops["add"].code, rd=rd, ra=held, imm=0)

    def _set_int(self, rd: IntReg, value: int, block: Block) -> None:
        low = (value & 0xFFFFFFFF) - ((value & 0x80000000) << 1)
        self.emit("li", block, rd=rd, imm=low)
        if low != value:
            high = (value >> 32) & 0xFFFFFFFF
            self.emit("lih", block, rd=rd, imm=high - ((high & 0x80000000) << 1))
