"""Which instances meet (components) and which components do exactly the same (groups).

A component is a set of unit instances connected by FIFOs, semaphores or a memory they share, usually
one core. Components whose members run the same traces and meet in the same way form a group: their
values are computed as one batch, and their timing is simulated once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arch import Arch
from .trace import Block, Item, Step, Sync, Transfer
from .tracer import Trace

__all__ = ["Group", "Member", "build_groups", "is_global"]

Array = NDArray[np.int64]
Node = tuple[str, int]  # unit or memory name, instance


@dataclass(slots=True, eq=False)
class Member:
    """One unit of every component of a group: `instances[c]` in component c runs `items`."""

    trace: Trace
    instances: Array
    items: list[Item]

    @property
    def name(self) -> str:
        return self.trace.program.unit.name


@dataclass(slots=True, eq=False)
class Group:
    """Equal components: arrays in the members' items have the components as last axis (or length 1)."""

    members: list[Member]
    components: int


@cache
def is_global(arch: Arch, memory: str) -> bool:
    """A memory of which the card has one instance: sharing it does not make a component."""
    return arch.instances(arch.memories[memory].group) == 1


def build_groups(traces: Sequence[Trace], arch: Arch) -> list[Group]:
    """Components of all traced instances, gathered into groups, in order of their first instance."""
    edges = [_edges(trace, arch) for trace in traces]
    lane_of = {
        (t.program.unit.name, instance): (number, lane)
        for number, t in enumerate(traces)
        for lane, instance in enumerate(t.instances.tolist())
    }
    found: dict[Any, list[list[Node]]] = {}
    for nodes in _components(traces, edges, lane_of):
        found.setdefault(_signature(nodes, edges, lane_of), []).append(nodes)
    return [_group(components, traces, lane_of) for components in found.values()]


def _edges(trace: Trace, arch: Arch) -> list[tuple[str, Array]]:
    """Distinct (unit or memory, instance per lane) that a trace meets, in order of appearance."""
    seen: dict[tuple[str, bytes], tuple[str, Array]] = {}
    for name, instances in _meetings(trace):
        if name not in arch.memories or not arch.memories[name].addressable or not is_global(arch, name):
            seen.setdefault((name, instances.tobytes()), (name, instances))
    return list(seen.values())


def _meetings(trace: Trace) -> Iterator[tuple[str, Array]]:
    for item in trace.items:
        if isinstance(item, Sync):
            assert item.op.peer is not None
            yield item.op.peer, item.peer
        elif isinstance(item, Transfer):
            yield item.source, item.source_instance
            yield item.destination, item.destination_instance
        else:
            for step in item.steps:
                if step.op.peer is not None and step.peer is not None:
                    yield step.op.peer, step.peer
                if step.op.memory is not None and step.instance is not None:
                    yield step.op.memory, step.instance


def _components(
    traces: Sequence[Trace], edges: list[list[tuple[str, Array]]], lane_of: dict[Node, tuple[int, int]]
) -> list[list[Node]]:
    """Unit nodes with a program, connected ones together, each list in the order of the arch's units."""
    parent: dict[Node, Node] = {}

    def root(node: Node) -> Node:
        path = [node]
        while (above := parent.setdefault(path[-1], path[-1])) != path[-1]:
            path.append(above)
        for seen in path:
            parent[seen] = path[-1]
        return path[-1]

    for trace, meets in zip(traces, edges, strict=True):
        name = trace.program.unit.name
        for other, instances in meets:
            for mine, theirs in zip(trace.instances.tolist(), instances.tolist(), strict=True):
                parent[root((other, theirs))] = root((name, mine))
    order = {node: (traces[t].program.number, node[1]) for node, (t, _) in lane_of.items()}
    components: dict[Node, list[Node]] = {}
    for node in sorted(lane_of, key=order.__getitem__):
        components.setdefault(root(node), []).append(node)
    return list(components.values())


def _signature(
    nodes: list[Node], edges: list[list[tuple[str, Array]]], lane_of: dict[Node, tuple[int, int]]
) -> Any:
    """Equal for components whose members run the same traces and meet each other in the same way."""
    position = {node: p for p, node in enumerate(nodes)}
    ranks: dict[Node, int] = {}
    signature = []
    for node in nodes:
        number, lane = lane_of[node]
        meets = []
        for other, instances in edges[number]:
            met = (other, int(instances[lane]))
            meets.append(position[met] if met in position else ("-", ranks.setdefault(met, len(ranks))))
        signature.append((number, tuple(meets)))
    return tuple(signature)


def _group(
    components: list[list[Node]], traces: Sequence[Trace], lane_of: dict[Node, tuple[int, int]]
) -> Group:
    position = {node: p for p, node in enumerate(components[0])}
    members = []
    for p, first in enumerate(components[0]):
        number = lane_of[first][0]
        lanes = np.array([lane_of[nodes[p]][1] for nodes in components])
        trace = traces[number]
        items = [_bind(item, lanes, len(trace.instances), position) for item in trace.items]
        members.append(Member(trace, trace.instances[lanes], items))
    return Group(members, len(components))


def _bind(item: Item, lanes: Array, total: int, position: dict[Node, int]) -> Item:
    """The item for these lanes, with its peers as positions in the component."""

    def pick(array: Any) -> Any:
        return array if array is None or array.shape[-1] == 1 or total == 1 else array[..., lanes]

    def member(peer: str | None, instances: Array | None) -> int:
        if peer is None or instances is None:
            return -1
        return position.get((peer, int(instances[lanes[0]])), -1)

    if isinstance(item, Sync):
        return replace(item, peer=pick(item.peer), member=member(item.op.peer, item.peer))
    if isinstance(item, Transfer):
        return replace(
            item,
            source_address=pick(item.source_address),
            destination_address=pick(item.destination_address),
            source_instance=pick(item.source_instance),
            destination_instance=pick(item.destination_instance),
        )
    steps = [
        Step(
            s.op,
            pick(s.address),
            s.stride,
            pick(s.instance),
            pick(s.peer),
            member(s.op.peer, s.peer),
            tuple(pick(v) for v in s.values),
        )
        for s in item.steps
    ]
    return Block(item.trips, steps, item.carried)
