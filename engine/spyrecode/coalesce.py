"""Removing copies: a carried vector is computed in place when nothing needs the old value any more."""

from __future__ import annotations

from collections.abc import Iterable

from .blocks import Branch, Instr, IntReg, Loop, Node, VecReg

__all__ = ["drop_unused", "instructions", "renamed"]

_PURE = {
    "vop",
    "vmov",
    "vconst",
    "vsplat",
    "vset",
    "vmask",
    "vshuf",
    "vred",
    "vld",
    "li",
    "lih",
    "int",
    "inti",
    "sel",
    "ldsym",
}


def instructions(nodes: Iterable[Node]) -> Iterable[Instr]:
    """All instructions, nested ones included, in program order."""
    for node in nodes:
        if isinstance(node, Instr):
            yield node
        elif isinstance(node, Loop):
            yield from instructions(node.body)
        else:
            yield from instructions(node.then)
            yield from instructions(node.otherwise)


def renamed(code: list[Node], source: VecReg, target: VecReg, carried: list[IntReg | VecReg]) -> VecReg:
    """`target` if the body `code` can produce `source` directly in `target`, else `source`.

    It can when one instruction of the body (not of an inner loop) defines it, and the old value of `target`
    is not read after that instruction.
    """
    if source in carried or (source.dtype, source.count) != (target.dtype, target.count):
        return source
    for i in range(len(code) - 1, -1, -1):
        node = code[i]
        if isinstance(node, Instr) and source in node.writes():
            break
        if any(target in inner.reads() or target in inner.writes() for inner in instructions([node])):
            return source
    else:
        return source
    defined = code[i]
    assert isinstance(defined, Instr)
    if any(source in inner.writes() for inner in instructions(code[:i])):
        return source
    defined.fields["vd"] = target
    for inner in instructions(code[i + 1 :]):
        for key, value in inner.fields.items():
            if value is source:
                inner.fields[key] = target
    return target


def drop_unused(nodes: list[Node]) -> list[Node]:
    """Without the pure instructions whose result nobody reads, and without empty loops."""
    while True:
        used: set[IntReg | VecReg] = set()
        for instr in instructions(nodes):
            used.update(r for r in instr.reads() if not (r in instr.writes() and instr.name in _PURE))
        for loop_register in _controls(nodes):
            used.add(loop_register)
        kept, changed = _without(nodes, used)
        nodes = kept
        if not changed:
            return nodes


def _controls(nodes: Iterable[Node]) -> Iterable[IntReg]:
    for node in nodes:
        if isinstance(node, Loop):
            if isinstance(node.count, IntReg):
                yield node.count
            yield from _controls(node.body)
        elif isinstance(node, Branch):
            yield node.condition
            yield from _controls(node.then)
            yield from _controls(node.otherwise)


def _without(nodes: list[Node], used: set[IntReg | VecReg]) -> tuple[list[Node], bool]:
    kept: list[Node] = []
    changed = False
    for node in nodes:
        if isinstance(node, Instr):
            if node.name in _PURE and not any(r in used for r in node.writes()):
                changed = True
                continue
        elif isinstance(node, Loop):
            node.body, inner = _without(node.body, used)
            changed |= inner
            if not node.body:
                changed = True
                continue
        else:
            node.then, first = _without(node.then, used)
            node.otherwise, second = _without(node.otherwise, used)
            changed |= first or second
            if not node.then and not node.otherwise:
                changed = True
                continue
        kept.append(node)
    return kept, changed
