"""The rulebook that `tilesat rules new` writes."""

from __future__ import annotations

import os
from pathlib import Path

from ..specs import package_file

__all__ = ["new_rulebook", "next_steps"]


def new_rulebook(book: str, rule: str, target: Path) -> str:
    """The text of a book with one rule and its tests, to be written to `target`."""
    return _schema_line(target) + _TEMPLATE.format(book=book, rule=rule)


def next_steps(book: str, target: Path) -> str:
    """How to go on with a new book, as the person at the keyboard needs it."""
    beside = target.with_name("my-strategy.yaml")
    return f"""\
{target}: now edit it.
  tilesat rules try {target}      checks and tests it at every save
  tilesat rules verify {target}   looks for kernels on which it is wrong
To use it, name it in a strategy of your own, such as {beside}:
  strategy: mine
  doc: The default, and book {book}.
  phases:
    - name: schedule
      rules: [tile, pipeline, route, vector, fit, reuse, parallel, {target.name}]
and compile with --strategy {beside}.
"""


def _schema_line(target: Path) -> str:
    """The comment by which editors find the schema; none for a file outside the project's own folder."""
    schema = package_file("ktir_specs", "schemas/rulebook.schema.json").resolve()
    folder = target.resolve().parent
    if not folder.is_relative_to(schema.parents[2]):
        return ""
    return f"# yaml-language-server: $schema={Path(os.path.relpath(schema, folder)).as_posix()}\n"


_TEMPLATE = """\
book: {book}
doc: What these rules have in common.
programs: # declarations that the tests below refer to by name
  negate: |
    (args (x index))
    (axes (axis i (trips 8)) (axis c (trips 64)))
    (views (view X (base x) (shape 8 64) (strides 64 1) (dtype f16)))
    (accesses (access x0 X (at i c)))
    (stmts (stmt s (let a f16 (load x0)) (let b f16 (op arith.negf a)) (store x0 b)))
rules:
  - name: {rule}
    doc: A loop of a loop along the same axis is one loop. (Say in one sentence what yours does.)
    kind: exact
    match: |
      (loop ?a ?n (loop ?a ?k ?body))
    # Guards that the rule needs to be right stand under `where: |`. This one only keeps the search small:
    heuristic: |
      (> ?k 1)
    rewrite: |
      (loop ?a (* ?n ?k) ?body)
    tests:
      - given: negate
        fires: |
          (loop i 4 (loop i 2 (exec s (box (i 1) (c 64)) home)))
        gives: |
          (loop i 8 (exec s (box (i 1) (c 64)) home))
      - given: negate
        holds: |
          (loop i 8 (loop i 1 (exec s (box (i 1) (c 64)) home)))
        because: a loop of one trip is no loop (every guard needs a test that only it refuses)
"""
