"""Shortest routes over the moves of an architecture."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, TypeVar

__all__ = ["shortest_routes"]


class _Edge(Protocol):
    @property
    def src_memory(self) -> str: ...
    @property
    def dst_memory(self) -> str: ...


E = TypeVar("E", bound=_Edge)


def shortest_routes(edges: Sequence[E], through: Collection[str]) -> Mapping[tuple[str, str], tuple[E, ...]]:
    """Breadth-first from every memory: (source, destination) → edges, for every pair that has a route.

    Only memories in `through` may lie inside a route. Edges are tried in their order, so ties are
    decided by it.
    """
    leaving: dict[str, list[E]] = {}
    for edge in edges:
        leaving.setdefault(edge.src_memory, []).append(edge)
    routes: dict[tuple[str, str], tuple[E, ...]] = {}
    for source in leaving:
        reached: dict[str, tuple[E, ...]] = {source: ()}
        frontier = [source]
        while frontier:
            following: list[str] = []
            for memory in frontier:
                if memory != source and memory not in through:
                    continue
                for edge in leaving.get(memory, ()):
                    if edge.dst_memory not in reached:
                        reached[edge.dst_memory] = (*reached[memory], edge)
                        following.append(edge.dst_memory)
            frontier = following
        routes.update({(source, to): route for to, route in reached.items() if route})
    return routes
