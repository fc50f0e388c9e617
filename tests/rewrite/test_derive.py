"""Provenance: the steps lead from the plain term to exactly the chosen one, and survive as text."""

from __future__ import annotations

import random

import pytest
from tilesat.arch import load_arch
from tilesat.cost import Model, extract
from tilesat.diagnostics import TilesatError
from tilesat.rewrite import derive, load_strategy, node_term, parse_steps, replay, saturate, show_steps, trail
from tilesat.rewrite.apply import canonical
from tilesat.schedule.legality import faults

from . import kernels

PROGRAMS = [
    kernels.add(3, 64),
    kernels.add(5, 1000),
    kernels.add(96, 64, tile_rows=96),
    kernels.add(128, 4096),
    kernels.bias(12, 320),
    kernels.in_place(4, 64, 1),
    kernels.unequal(96),
]


@pytest.mark.parametrize("strategy", ["default", "none"])
@pytest.mark.parametrize("arch", ["spyre", "deep", "tiny"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_replay_arrives_at_the_chosen_term(program, arch, strategy):
    machine = load_arch(arch)
    graph = saturate(program, machine, load_strategy(strategy))
    picked = extract(graph, Model(program, machine)).picked
    steps = derive(program, graph, picked)
    assert steps
    assert replay(program, steps, graph.rules) == canonical(picked.term, tuple(program.axes))
    assert parse_steps(show_steps(steps)) == steps


def random_term(graph, c, rng, depth=0):
    nodes = graph.classes[c].nodes
    node = rng.choice(nodes) if depth < 12 else min(nodes, key=lambda n: len(n.children))
    return node_term(node, tuple(random_term(graph, k, rng, depth + 1) for k in node.children))


@pytest.mark.parametrize("seed", range(12))
def test_every_term_of_the_graph_has_a_derivation(seed):
    """Not only cheap ones: any term that the graph holds, with every term on the way well formed."""
    rng = random.Random(seed)
    program = rng.choice(PROGRAMS[:3])
    graph = saturate(program, load_arch(rng.choice(("spyre", "tiny"))), load_strategy("default"))
    for _ in range(5):
        chosen = canonical(random_term(graph, graph.root, rng), tuple(program.axes))
        steps = derive(program, graph, chosen)
        *_, last = terms = list(trail(program, steps, graph.rules))
        assert last == chosen
        # Below `par` the derivation may pass through a doubly distributed term only if the goal is one.
        assert not [d.message for t in terms for d in faults(program, t)]


def test_steps_of_another_kernel_are_refused():
    program = kernels.add(3, 64)
    graph = saturate(program, load_arch("spyre"), load_strategy("none"))
    picked = extract(graph, Model(program, load_arch("spyre"))).picked
    steps = derive(program, graph, picked)
    with pytest.raises(TilesatError) as caught:
        replay(kernels.add(5, 64), steps[::-1], graph.rules)
    assert caught.value.diagnostics[0].code == "RULE030"


@pytest.mark.parametrize(
    ("text", "code"), [("(stop)", "RULE032"), ("(step", "SEXPR001"), ("(step a)", "RULE032")]
)
def test_bad_steps(text, code):
    with pytest.raises(TilesatError) as caught:
        parse_steps(text)
    assert caught.value.diagnostics[0].code == code
