"""Rulebooks and strategies: YAML files → rules with the place of every sub-expression."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ..diagnostics import Position, fail
from ..schedule.sexpr import Expr, Term, parse_located
from ..specs import Document, load_document, load_text, package_file, schema_check

__all__ = [
    "Book",
    "Clause",
    "Limits",
    "Phase",
    "Rule",
    "RuleTest",
    "Strategy",
    "load_book",
    "load_books",
    "load_strategy",
    "read_book",
    "rule_tests",
    "shipped_strategies",
    "split_reference",
]

Places = Mapping[tuple[int, ...], Position]


@dataclass(frozen=True, slots=True)
class Located:
    """A term of a rule and where its parts stand in the YAML file."""

    term: Term
    places: Places = field(compare=False)

    def at(self, *path: int) -> Position:
        """The place of the sub-expression at `path` (argument numbers; -1 is a head)."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Position())


@dataclass(frozen=True, slots=True)
class Clause(Located):
    """One guard. `heuristic` guards only prune the search."""

    heuristic: bool = False


@dataclass(frozen=True, slots=True)
class Sections:
    """Text of a program without name and body."""

    text: str
    position: Position = field(compare=False)


@dataclass(frozen=True, slots=True)
class RuleTest:
    """`gives` is None for a test in which the rule must not fire."""

    program: Sections
    given: Located
    result: Located | None
    because: str
    arch: str
    overrides: tuple[str, ...]
    position: Position

    @property
    def term(self) -> Term:
        return self.given.term

    @property
    def gives(self) -> Term | None:
        return self.result.term if self.result else None


@dataclass(frozen=True, slots=True)
class Rule:
    """`match` and `rewrite` are equal where all `guards` hold."""

    book: str
    name: str
    doc: str
    kind: str
    match: Located
    guards: tuple[Clause, ...]
    rewrite: Located
    position: Position
    entry: tuple[Document, int] = field(compare=False, repr=False)  # the file and the index in it

    @property
    def path(self) -> str:
        """`book/name`, the rule's name everywhere outside its file."""
        return f"{self.book}/{self.name}"


@dataclass(frozen=True, slots=True)
class Book:
    name: str
    doc: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    depth: int = 2
    factors: int = 8
    rounds: int = 64
    nodes: int = 200_000


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    rules: tuple[Rule, ...]
    rounds: int
    nodes: int
    position: Position = field(default_factory=Position, compare=False)


@dataclass(frozen=True, slots=True)
class Strategy:
    name: str
    doc: str
    phases: tuple[Phase, ...]
    limits: Limits

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule of any phase, by path."""
        return {r.path: r for phase in self.phases for r in phase.rules}


def load_book(path: str | Path, validate: bool = True) -> Book:
    """A rulebook from a file. Raises as `read_book`, and IO001. Without `validate` the schema is looked
    at only when the book cannot be read without."""
    document = load_document(path, "rulebook" if validate else None)
    with _in_doubt(document, "rulebook"):
        return _book(document)


@contextmanager
def _in_doubt(document: Document, schema: str) -> Iterator[None]:
    """A file that has not been validated, to save time, is when something is not where it should be."""
    try:
        yield
    except (KeyError, TypeError, AttributeError, IndexError):
        schema_check(document, schema)
        raise


def read_book(text: str, file: str = "<rulebook>") -> Book:
    """A rulebook from text. Raises SCHEMA001, SEXPR001, RULE001 (malformed), RULE002 (name used twice)."""
    return _book(load_text(text, file, "rulebook"))


@cache
def load_books() -> Mapping[str, Book]:
    """The shipped books by name, in alphabetical order of their files."""
    books: dict[str, Book] = {}
    for path in sorted(package_file("rules", "").glob("*.yaml")):
        book = load_book(path, validate=False)  # the test suite does
        if book.name in books:
            fail("RULE002", f"two books are called `{book.name}`", Position(str(path), 1, 1))
        books[book.name] = book
    return books


def _book(document: Document) -> Book:
    data = document.data
    seen: set[str] = set()
    rules: list[Rule] = []
    for i, entry in enumerate(data["rules"]):
        position = document.at("rules", i, "name")
        if entry["name"] in seen:
            fail("RULE002", f"rule `{entry['name']}` is defined twice", position)
        seen.add(entry["name"])
        rules.append(_rule(document, data["book"], i, entry, position))
    return Book(data["book"], data["doc"], tuple(rules))


def _rule(document: Document, book: str, i: int, entry: dict[str, str], position: Position) -> Rule:
    guards: list[Clause] = []
    for key in ("where", "heuristic"):
        if key in entry:
            guards += _clauses(document, ("rules", i, key), entry[key], key == "heuristic")
    return Rule(
        book=book,
        name=entry["name"],
        doc=entry["doc"].strip(),
        kind=entry["kind"],
        match=_term(document, ("rules", i, "match"), entry["match"]),
        guards=tuple(guards),
        rewrite=_term(document, ("rules", i, "rewrite"), entry["rewrite"]),
        position=position,
        entry=(document, i),
    )


def rule_tests(rule: Rule) -> tuple[RuleTest, ...]:
    """The tests in the rule's YAML entry. Raises RULE001, SEXPR001."""
    document, i = rule.entry
    with _in_doubt(document, "rulebook"):
        programs = document.data.get("programs", {})
        tests = document.data["rules"][i]["tests"]
        return tuple(
            _test(document, ("rules", i, "tests", k), test, programs) for k, test in enumerate(tests)
        )


def _block_position(document: Document, path: tuple[str | int, ...]) -> Position:
    """Where a block scalar's text begins, with the column its lines are indented to."""
    where = document.at(*path)
    lines = document.text.split("\n")
    if where.column == 1 and where.line <= len(lines):
        line = lines[where.line - 1]
        return Position(where.file, where.line, len(line) - len(line.lstrip(" ")) + 1)
    return where


def _items(document: Document, path: tuple[str | int, ...], text: str) -> tuple[tuple[Expr, ...], Places]:
    return parse_located(text, _block_position(document, path))


def _term(document: Document, path: tuple[str | int, ...], text: str) -> Located:
    items, places = _items(document, path, text)
    if len(items) != 1:
        second = places.get((1,), document.at(*path))
        fail("RULE001", f"expected one term, found {len(items)}", second)
    inner = {key[1:]: where for key, where in places.items()}
    item = items[0]
    if not isinstance(item, Term):
        fail("RULE001", f"expected a term in parentheses, found `{item}`", inner[()])
    return Located(item, inner)


def _clauses(document: Document, path: tuple[str | int, ...], text: str, heuristic: bool) -> list[Clause]:
    items, places = _items(document, path, text)
    found: list[Clause] = []
    for k, item in enumerate(items):
        inner = {key[1:]: where for key, where in places.items() if key[0] == k}
        if not isinstance(item, Term):
            fail("RULE001", f"a guard is a list, found `{item}`", inner[()])
        found.append(Clause(item, inner, heuristic))
    return found


def _test(
    document: Document, path: tuple[str | int, ...], entry: dict[str, str], programs: dict[str, str]
) -> RuleTest:
    name = entry["given"]
    if name not in programs:
        known = ", ".join(programs) or "none"
        fail(
            "RULE001",
            f"no program `{name}`",
            document.at(*path, "given"),
            f"the book declares {known}",
        )
    key = "fires" if "fires" in entry else "holds"
    return RuleTest(
        program=Sections(programs[name], _block_position(document, ("programs", name))),
        given=_term(document, (*path, key), entry[key]),
        result=_term(document, (*path, "gives"), entry["gives"]) if "gives" in entry else None,
        because=entry.get("because", ""),
        arch=entry.get("arch", "sample-device"),
        overrides=tuple(entry.get("set", ())),
        position=document.at(*path, key),
    )


# --- strategies ------------------------------------------------------------------------------------------


def shipped_strategies() -> tuple[str, ...]:
    """Names that `load_strategy` finds without a path."""
    return tuple(sorted(p.stem for p in package_file("rules", "strategies").glob("*.yaml")))


def load_strategy(name_or_path: str | Path, books: Mapping[str, Book] | None = None) -> Strategy:
    """A shipped strategy by name, or one from a file (anything with a `.` or `/`). `books`: those that
    names stand for (default: the shipped ones); a file may name books in other files too.

    Raises STRAT001 (no such strategy), STRAT002 (unknown book or rule), STRAT003 (two books of one name),
    SCHEMA001, and what reading those books raises.
    """
    text = str(name_or_path)
    if "/" in text or "." in text:
        return _strategy(load_document(text, "strategy"), load_books() if books is None else books)
    if text not in shipped_strategies():
        fail("STRAT001", f"no strategy `{text}`", hint=f"one of {', '.join(shipped_strategies())}, or a file")
    return _shipped(text) if books is None else _strategy(_document(text), books)


@cache
def _document(name: str) -> Document:
    return load_document(package_file("rules", f"strategies/{name}.yaml"))


@cache
def _shipped(name: str) -> Strategy:
    with _in_doubt(_document(name), "strategy"):
        return _strategy(_document(name), load_books())


def _strategy(document: Document, books: Mapping[str, Book]) -> Strategy:
    data = document.data
    limits = Limits(**data.get("limits", {}))
    shelf = _Shelf(document, dict(books))
    for i, entry in enumerate(data["phases"]):
        for k, item in enumerate(entry["rules"]):
            shelf.fetch(item, document.at("phases", i, "rules", k))
    phases = tuple(
        Phase(
            name=entry["name"],
            rules=shelf.select(entry["rules"], i),
            rounds=entry.get("rounds", limits.rounds),
            nodes=entry.get("nodes", limits.nodes),
            position=document.at("phases", i, "name"),
        )
        for i, entry in enumerate(data["phases"])
    )
    return Strategy(data["strategy"], data["doc"], phases, limits)


def split_reference(reference: str) -> tuple[str, str, str]:
    """`(file, book, rule)` of `BOOK`, `BOOK/RULE`, `FILE.yaml` or `FILE.yaml/RULE`; empty what it lacks."""
    if file := re.fullmatch(r"(.+\.ya?ml)(?:/([^/.]+))?", reference):
        return file[1], "", file[2] or ""
    book, _, rule = reference.partition("/")
    return "", book, rule


@dataclass
class _Shelf:
    """Books that a strategy can name: shipped ones, and those in files beside the strategy's own."""

    document: Document
    books: dict[str, Book]
    files: dict[str, Book] = field(default_factory=dict)

    def fetch(self, item: str, where: Position) -> None:
        """Read the file that an item names, if it does."""
        file = split_reference(item.removeprefix("-"))[0]
        if not file or file in self.files:
            return
        path = Path(self.document.file).parent / file
        if not path.is_file():
            fail(
                "STRAT002", f"there is no rulebook {path}", where, "paths start at the strategy's own folder"
            )
        book = load_book(path)
        known = self.books.get(book.name)
        if known and Path(known.rules[0].position.file).resolve() != path.resolve():
            what = f"{path} and {known.rules[0].position.file} are both the book `{book.name}`"
            fail("STRAT003", what, where, "give your own book a name of its own (`book:`)")
        self.books[book.name] = self.files[file] = known or book

    def select(self, items: Sequence[str], phase: int) -> tuple[Rule, ...]:
        chosen: dict[str, Rule] = {}
        for k, item in enumerate(items):
            file, name, rule = split_reference(item.removeprefix("-"))
            book = self.files[file] if file else self.books.get(name)
            rules = [r for r in book.rules if not rule or r.name == rule] if book else []
            if not rules:
                known = f"its rules are {', '.join(r.name for r in book.rules)}" if book else ""
                hint = known or f"the books are {', '.join(self.books)}; your own by file: `mine.yaml`"
                where = self.document.at("phases", phase, "rules", k)
                fail("STRAT002", f"no book or rule `{item}`", where, hint)
            for r in rules:
                if item.startswith("-"):
                    chosen.pop(r.path, None)
                else:
                    chosen[r.path] = r
        return tuple(chosen.values())
