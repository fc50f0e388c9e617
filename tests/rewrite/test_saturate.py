"""Saturation: what the graph holds, that it is the same every time, and how it stops."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from tilesat.arch import load_arch
from tilesat.cost import Model, extract
from tilesat.diagnostics import TilesatError
from tilesat.rewrite import egglog_text, load_strategy, saturate
from tilesat.rewrite.backend import engine
from tilesat.rewrite.rulebook import Phase, Strategy, load_books, read_book
from tilesat.schedule import analysis, show

from . import kernels


def graph_of(program, arch="sample-device", strategy="default"):
    return saturate(program, load_arch(arch), load_strategy(strategy))


def test_classes_have_the_cover_and_touches_of_their_terms():
    """Checked against the plain-term analyses on the extraction's term of every class it uses."""
    program, arch = kernels.add(6, 200), load_arch("sample-device")
    graph = saturate(program, arch, load_strategy("default"))
    picked = [extract(graph, Model(program, arch)).picked]
    seen = 0
    while picked:
        p = picked.pop()
        data = graph.classes[p.class_id]
        assert dict(data.cover) == analysis.cover(p.term)
        at_home = lambda access, memory: "ddr" if memory == "home" else memory  # noqa: E731
        assert set(data.reads) == analysis.reads(p.term, program, at_home)
        assert set(data.writes) == analysis.writes(p.term, program, at_home)
        picked += p.children
        seen += 1
    assert seen > 5


def test_children_are_classes_and_everything_is_reachable():
    graph = graph_of(kernels.add(6, 200))
    reached, queue = {graph.root}, [graph.root]
    for c in queue:
        assert graph.classes[c].nodes
        for node in graph.classes[c].nodes:
            for child in node.children:
                if child not in reached:
                    reached.add(child)
                    queue.append(child)
    assert reached == set(range(len(graph.classes)))


def test_no_path_distributes_over_a_group_twice():
    graph = graph_of(kernels.add(8, 512))
    assert any(n.head == "par" for c in graph.classes for n in c.nodes)

    def walk(c, used):
        if (c, used) in seen:
            return
        seen.add((c, used))
        for node in graph.classes[c].nodes:
            inner = used
            if node.head == "par":
                assert node.args[0] not in used
                inner = used | {node.args[0]}
            for child in node.children:
                walk(child, inner)

    seen: set = set()
    walk(graph.root, frozenset())


@pytest.mark.parametrize("strategy", ["default", "fast", "none"])
@pytest.mark.parametrize("arch", ["spyre", "sample-device", "deep", "flat", "tiny"])
@pytest.mark.parametrize(
    "program",
    [
        kernels.add(3, 64),
        kernels.add(5, 1000),
        kernels.add(96, 64, tile_rows=96),
        kernels.bias(12, 320),
        kernels.bias(12, 320, "i"),
        kernels.in_place(4, 130),
        kernels.in_place(4, 64, 1),
        kernels.unequal(96),
    ],
    ids=lambda p: p.name,
)
def test_every_kernel_gets_a_schedule_on_every_machine(program, arch, strategy):
    machine = load_arch(arch)
    graph = saturate(program, machine, load_strategy(strategy))
    assert not graph.limits_hit
    assert extract(graph, Model(program, machine)).picked.term


def test_scratchpad_resident_operands_need_no_transfer_from_memory():
    program, arch = kernels.add(4, 128, resident=True), load_arch("sample-device")
    term = extract(saturate(program, arch, load_strategy("default")), Model(program, arch)).picked.term
    ends = {str(a) for t in term.walk() if t.head == "move" for a in t.args[1:]}
    assert ends == {"lx", "sfu"}


def test_none_changes_only_what_it_must():
    graph = graph_of(kernels.add(4, 64), strategy="none")
    heads = {n.head for c in graph.classes for n in c.nodes}
    depths = {n.args[0] for c in graph.classes for n in c.nodes if n.head == "pipe"}
    assert "par" not in heads and depths == {1}


def test_what_does_not_fit_is_cut():
    arch = load_arch("sample-device", ("core.lx.size=8 KiB",))
    program = kernels.add(64, 512, tile_rows=64)
    graph = saturate(program, arch, load_strategy("none"))
    term = extract(graph, Model(program, arch)).picked.term
    assert any(t.head == "loop" and t.args[2].head == "pipe" for t in term.walk() if t.head == "loop")


def test_a_hardware_loop_is_never_too_long():
    arch = load_arch("tiny")
    program = kernels.add(1000, 8)
    term = extract(saturate(program, arch, load_strategy("none")), Model(program, arch)).picked.term
    assert max(t.args[1] for t in term.walk() if t.head == "loop") <= 255


def test_limits_are_reported():
    base = load_strategy("default")
    phase = replace(base.phases[0], rounds=2)
    graph = saturate(kernels.add(8, 512), load_arch("spyre"), replace(base, phases=(phase,)))
    assert graph.limits_hit == ("phase schedule: stopped after 2 rounds",)
    phase = replace(base.phases[0], nodes=50)
    graph = saturate(kernels.add(64, 4096), load_arch("spyre"), replace(base, phases=(phase,)))
    assert "limit 50" in graph.limits_hit[0]


SAME = """
import sys
import threading
from tests.rewrite import kernels
from tilesat.arch import load_arch
from tilesat.rewrite import load_strategy, saturate
graph = saturate(kernels.add(30, 1000), load_arch("deep"), load_strategy("default"))
print(graph.root, graph.classes, graph.firings, graph.phases)
"""


def test_the_same_graph_in_every_process():
    runs = [
        subprocess.run(
            [sys.executable, "-c", SAME],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert len(runs[0]) > 10_000
    assert runs[0] == runs[1]


def test_two_runs_in_one_process_agree():
    program = kernels.add(12, 640)
    first, second = graph_of(program), graph_of(program)
    assert first.classes == second.classes and first.firings == second.firings


def test_threads_may_saturate_side_by_side():
    program, found = kernels.add(3, 64), []
    graph_of(program)
    threads = [threading.Thread(target=lambda: found.append(graph_of(program).classes)) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [graph_of(program).classes] * 3


def test_egglog_text_is_a_complete_program():
    program, arch, strategy = kernels.add(3, 64), load_arch("spyre"), load_strategy("default")
    egraph = engine().EGraph()
    egraph.run_program(*egraph.parse_program(egglog_text(program, arch, strategy)))
    rows = egraph.freeze().functions["loop"].rows
    graph = saturate(program, arch, strategy)
    own = sum(n.head == "loop" for c in {c.origin: c for c in graph.classes}.values() for n in c.nodes)
    assert len(rows) >= own > 0


WRONG = """
book: wrong
doc: Rules that must be caught.
programs:
  none: (args (x index))
rules:
  - name: lossy
    doc: Forgets what does not divide.
    kind: exact
    match: |
      (exec ?s (box (?a ?n) ?rest…) ?m)
    where: |
      (> ?n 2)
    rewrite: |
      (loop ?a 2
        (exec ?s (box (?a (/ ?n 2)) ?rest…) ?m))
    tests:
      - given: none
        fires: (exec s (box (i 4)) home)
        gives: (loop i 2 (exec s (box (i 2)) home))
      - given: none
        holds: (exec s (box (i 2)) home)
        because: two
"""


def test_a_rule_that_breaks_an_invariant_is_named_with_its_line():
    book = read_book(WRONG, "wrong.yaml")
    rules = (*book.rules, *load_books()["tile"].rules)
    strategy = Strategy("x", "", (Phase("p", rules, 10, 1000),), load_strategy("default").limits)
    with pytest.raises(TilesatError) as caught:
        saturate(kernels.add(5, 64), load_arch("spyre"), strategy)
    (d,) = caught.value.diagnostics
    assert d.code == "RULE020" and "wrong/lossy" in d.message and "cover" in d.message
    assert str(d.position) == "wrong.yaml:15:7"


WRONG_RULES = {
    "no-outs": ("(pipe ?d ?ins ?body ?outs)", "(pipe ?d ?ins ?body (outs))", "writes"),
    "no-ins": ("(pipe ?d ?ins ?body ?outs)", "(pipe ?d (ins) ?body ?outs)", "reads"),
    "fewer-trips": ("(loop ?a ?n ?body)", "(loop ?a 1 ?body)", "cover"),
}


def wrong_book(names):
    rules = "".join(
        f"""
  - name: {name}
    doc: Loses something.
    kind: exact
    match: |
      {WRONG_RULES[name][0]}
    rewrite: |
      {WRONG_RULES[name][1]}
    tests: [{{given: none, fires: skip, gives: skip}}, {{given: none, holds: skip, because: none}}]"""
        for name in names
    )
    return read_book(f"book: wrong\ndoc: x\nprograms: {{none: (args)}}\nrules:{rules}\n", "wrong.yaml")


@pytest.mark.parametrize(
    "names", [["no-outs"], ["no-ins"], ["fewer-trips"], ["fewer-trips", "no-outs"], ["no-ins", "no-outs"]]
)
@pytest.mark.parametrize("first", [True, False])
def test_every_wrong_rule_and_no_other_is_blamed(names, first):
    """Next to all right rules, wherever they stand in the phase."""
    wrong, right = wrong_book(names).rules, tuple(load_strategy("default").rules.values())
    rules = (*wrong, *right) if first else (*right, *wrong)
    strategy = Strategy("x", "", (Phase("p", rules, 40, 20_000),), load_strategy("default").limits)
    with pytest.raises(TilesatError) as caught:
        saturate(kernels.add(8, 512), load_arch("spyre"), strategy)
    found = {d.message.split()[1]: d for d in caught.value.diagnostics}
    assert set(found) == {r.path for r in wrong}
    for rule in wrong:
        d = found[rule.path]
        assert d.code == "RULE020" and d.position == rule.rewrite.at()
        # a rule that loses moves may be noticed by their dependences first
        assert WRONG_RULES[rule.name][2] in d.message or "dependences" in d.message


def test_show_of_the_chosen_schedule(golden):
    program, arch = kernels.add(3, 64), load_arch("spyre")
    graph = saturate(program, arch, load_strategy("none"))
    golden("none-3x64", show(extract(graph, Model(program, arch)).picked.term) + "\n")
