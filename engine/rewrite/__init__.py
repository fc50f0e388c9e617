"""Rules: rulebooks → egglog → a saturated e-graph, and back to steps that can be replayed (docs/rules.md)."""

from .apply import Step, parse_steps, replay, show_steps, trail
from .derive import derive
from .graph import EClass, ENode, Firing, PhaseReport, SaturatedGraph, node_term
from .rulebook import Strategy, load_books, load_strategy, shipped_strategies
from .saturate import egglog_text, saturate

__all__ = [
    "EClass",
    "ENode",
    "Firing",
    "PhaseReport",
    "SaturatedGraph",
    "Step",
    "Strategy",
    "derive",
    "egglog_text",
    "load_books",
    "load_strategy",
    "node_term",
    "parse_steps",
    "replay",
    "saturate",
    "shipped_strategies",
    "show_steps",
    "trail",
]
