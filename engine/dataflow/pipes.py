"""Pipes: the moves one unit makes for them, operands and results of compute steps, the buffers' signals."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from ..ktir.ir import Scalar, Value, Vector
from ..schedule.index import Index, add
from .compute import Operand
from .edges import entangled
from .handshakes import Handshakes
from .plan import Loop, Move, Node, Pipe, Positions
from .threads import Where
from .transfers import copy_box, load_vector, store_vector

__all__ = ["Pipes"]


@dataclass
class Pipes(Handshakes):
    """Adds pipes to the program; what is inside them is visited by `visit`."""

    def visit(self, node: Node, where: Where) -> None:
        raise NotImplementedError

    def counted(self, counter: str, trips: Index, node: Loop | None = None) -> AbstractContextManager[None]:
        raise NotImplementedError

    def pipe(self, node: Pipe, where: Where) -> None:
        self.move_all(node, node.ins, where)
        for buffer in node.buffers():
            self.inner(buffer, "full" if not buffer.outward else "empty", where, receive=True)
        self._deliver(node, node.ins, where)
        self.visit(node.body, where)
        self._collect(node, node.outs, where)
        for buffer in node.buffers():
            self.inner(buffer, "empty" if not buffer.outward else "full", where, receive=False)
        self.move_all(node, node.outs, where)

    def move_all(self, node: Pipe, moves: list[Move], where: Where) -> None:
        """The moves between memories that this unit makes: wait for all, then signal all."""
        own = [m for m in moves if m.unit == self.unit and m.compute is None]
        if not own:
            return
        for _ in self.threads(where):
            with self.only({}, where):
                for move in own:
                    buffer = move.source if move.outward else move.target
                    assert buffer is not None
                    self.outer(buffer, "full" if move.outward else "empty", where, receive=True)
                    self.b.position = self.a.position = move.position
                    self._copy(move, node.origin)
                for move in own:
                    buffer = move.source if move.outward else move.target
                    assert buffer is not None
                    self.outer(buffer, "empty" if move.outward else "full", where, receive=False)

    def _copy(self, move: Move, at: Positions) -> None:
        """A move between memories; loops over axes along which its inside would be no box."""
        wide = {x for x, n in move.axes.items() if n > 1}
        src = self.storage.get(move.subject, move.source, at, wide)
        dst = self.storage.get(move.subject, move.target, at, wide)
        walked = entangled(self.a, src if src.home else dst, move.axes)
        if not walked:
            copy_box(self.b, self.a, move, src, dst, self.arch.limits.stick)
            return
        axis, buffer = walked[0], move.source if move.outward else move.target
        assert buffer is not None
        counter = f"{axis}.{buffer.number}"
        self.plan.ranges[counter] = move.axes[axis]
        with self.counted(counter, move.axes[axis]):
            narrow = replace(move, axes=dict(move.axes) | {axis: 1})
            self._copy(narrow, {**at, axis: add(at.get(axis, 0), counter)})

    def _deliver(self, node: Pipe, moves: list[Move], where: Where) -> None:
        """Operands on their way into a compute unit: this unit pushes them, or it is the compute unit."""
        for move in moves:
            if move.compute is None or self.unit not in (move.unit, move.compute):
                continue
            for _ in self.threads(where):
                with self.only({}, where):
                    self.b.position = self.a.position = move.position
                    lanes = self._splat(move)
                    if self.unit == move.unit:
                        wide = {x for x, n in move.axes.items() if n > 1}
                        s = self.storage.get(move.subject, move.source, node.origin, wide)
                        value = load_vector(self.b, self.a, move, s)
                        if self.unit != move.compute:
                            self._push(value, lanes, move, s.dtype)
                            continue
                        lanes = _width(move)
                    else:
                        value = self._pop(move, lanes)
                    assert self.compute is not None and isinstance(value.type, Vector)
                    kind = value.type.element.name
                    self.compute.registers[move.subject] = Operand(value, kind, lanes)

    def _splat(self, move: Move) -> int:
        """Lanes of what goes through the FIFO: a single element is replicated by a load unit that can."""
        width = _width(move)
        able = "splat" in self.arch.units[move.unit].features
        return max(move.lanes) if width == 1 and able and len(move.lanes) == 1 else width

    def _push(self, value: Value, lanes: int, move: Move, kind: str) -> None:
        assert move.compute is not None
        if lanes != _width(move):
            value = self.b.splat(value, kind, lanes)
        self.b.op("dataflow.send", [self.b.handle(self.function.instances.place(move.compute)), value])

    def _pop(self, move: Move, lanes: int) -> Value:
        kind = self._dtype(move.subject)
        peer = self.b.handle(self.function.instances.place(move.unit))
        return self.b.value("dataflow.receive", [peer], None, (move.subject, Vector((lanes,), Scalar(kind))))

    def _dtype(self, subject: str) -> str:
        program = self.plan.program
        if subject in program.accesses:
            return program.views[program.accesses[subject].view].dtype
        return program.values[subject].dtype

    def _collect(self, node: Pipe, moves: list[Move], where: Where) -> None:
        """Results on their way out of a compute unit."""
        for move in moves:
            if move.compute is None or self.unit not in (move.unit, move.compute):
                continue
            for _ in self.threads(where):
                with self.only({}, where):
                    self.b.position = self.a.position = move.position
                    lanes = _width(move)
                    if self.unit == move.compute:
                        assert self.compute is not None
                        value = self.compute.spread(self.compute.registers[move.subject], lanes).value
                        if self.unit != move.unit:
                            peer = self.b.handle(self.function.instances.place(move.unit))
                            self.b.op("dataflow.send", [peer, value])
                            continue
                    else:
                        assert move.compute is not None
                        peer = self.b.handle(self.function.instances.place(move.compute))
                        kind = Vector((lanes,), Scalar(self._dtype(move.subject)))
                        value = self.b.value("dataflow.receive", [peer], None, (move.subject, kind))
                    wide = {x for x, n in move.axes.items() if n > 1}
                    s = self.storage.get(move.subject, move.target, node.origin, wide)
                    store_vector(self.b, self.a, move, s, value)


def _width(move: Move) -> int:
    return max((n for n in move.axes.values()), default=1)
