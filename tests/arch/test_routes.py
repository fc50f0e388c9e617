"""Shortest routes on random graphs, against Floyd and Warshall."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st
from tilesat.arch.routes import shortest_routes


@dataclass(frozen=True)
class Edge:
    src_memory: str
    dst_memory: str


NODES = "abcdef"
EDGES = st.lists(st.builds(Edge, st.sampled_from(NODES), st.sampled_from(NODES)), max_size=20)


@given(EDGES, st.sets(st.sampled_from(NODES)))
def test_routes_are_shortest_and_avoid_closed_memories(edges: list[Edge], through: set[str]) -> None:
    far = 10**9
    distance = dict.fromkeys(product(NODES, NODES), far)
    for edge in edges:
        distance[edge.src_memory, edge.dst_memory] = 1
    for middle, a, b in product(sorted(through), NODES, NODES):
        distance[a, b] = min(distance[a, b], distance[a, middle] + distance[middle, b])
    routes = shortest_routes(edges, through)
    for a, b in product(NODES, NODES):
        if a == b or distance[a, b] >= far:
            assert (a, b) not in routes
        else:
            route = routes[a, b]
            assert len(route) == distance[a, b]
            assert (route[0].src_memory, route[-1].dst_memory) == (a, b)
            assert all(x.dst_memory == y.src_memory and x.dst_memory in through for x, y in pairwise(route))
    assert routes == shortest_routes(edges, through)
