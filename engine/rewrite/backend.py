"""The egglog engine: its native module, without the 0.3 s import of the Python front end around it."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Pool", "engine"]

_NAME = "egglog.bindings"


@cache
def engine() -> Any:
    """The module `egglog.bindings`. Registered under its own name, since it can be loaded only once."""
    if _NAME in sys.modules:
        return sys.modules[_NAME]
    package = importlib.util.find_spec("egglog")
    for folder in package.submodule_search_locations or () if package else ():
        for suffix in importlib.machinery.EXTENSION_SUFFIXES:
            path = Path(folder) / f"bindings{suffix}"
            if path.exists():
                return _load(path)
    return importlib.import_module(_NAME)


def _load(path: Path) -> Any:
    loader = importlib.machinery.ExtensionFileLoader(_NAME, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(_NAME, loader))  # type: ignore[arg-type]
    loader.exec_module(module)
    sys.modules[_NAME] = module
    return module


class Pool(threading.local):
    """E-graphs in which the rules of a strategy are loaded: compiling those costs more than a small kernel.

    egglog's e-graphs stay in the thread that made them, so every thread has its own pool.
    """

    def __init__(self, size: int = 8) -> None:
        self._size = size
        self._idle: dict[tuple[str, ...], Any] = {}

    def borrow(self, sources: tuple[str, ...]) -> Any:
        """An e-graph in which exactly `sources` have been run."""
        egraph = self._idle.pop(sources, None)
        if egraph is None:
            egraph = engine().EGraph()
            for text in sources:  # piece by piece: egglog's parser takes longer on one long text
                egraph.run_program(*egraph.parse_program(text))
        egraph.run_program(*egraph.parse_program("(push)"))
        return egraph

    def give_back(self, sources: tuple[str, ...], egraph: Any) -> None:
        """Undo everything since `borrow` and keep the e-graph for the next borrower."""
        egraph.run_program(*egraph.parse_program("(pop)"))
        while len(self._idle) >= self._size:
            del self._idle[next(iter(self._idle))]
        self._idle[sources] = egraph
