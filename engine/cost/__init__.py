"""Costs over an architecture: the cost algebra, prices of moves and steps, Pareto extraction.

model = Model(program, arch)
chosen = extract(graph, model)          # Extraction: picked term, cost vector, front size
report = describe(model, chosen.row)    # Cost: cycles, busy per unit, bytes, live memory
report = cost_of(model, term)           # the same for any concrete term, None if it cannot run
"""

from .extract import Extraction, Picked, extract
from .model import Model
from .report import Cost, cost_of, describe

__all__ = ["Cost", "Extraction", "Model", "Picked", "cost_of", "describe", "extract"]
