"""Reads every KTIR file of a folder: does it read, verify, and print to a fixed point?

    python benchmarks/read_corpus.py FOLDER... [--arch spyre] [--json] [--quiet]

Files are split at `// -----` as MLIR's tests are. A part that carries `expected-error` annotations must
fail, on an annotated line, unless its RUN line shows that it is one pass that refuses it. A part that uses
dialects or operations which are no part of KTIR is counted as foreign, not as a failure. Exit status 1 when a
part that should read and verify does not, or one that should fail does not.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path

from tilesat.diagnostics import TilesatError, render
from tilesat.ktir import print_module, read_text, verify
from tilesat.specs.dialects import dialect_names

_SPLIT = re.compile(r"^// -----.*$", re.MULTILINE)
_EXPECTED = re.compile(r"expected-error(?:-re)?\s*(?:@(above|below|[+-]\d+))?")
_PASS_RUN = re.compile(r"RUN:.*\s--?(?!split-input-file|verify-diagnostics|allow-unregistered)[a-z]+-[a-z-]+")
_OP = re.compile(r"(?:^|=|\{)\s*\"?([a-z_]\w*)\.([a-z_][\w.]*)\"?(?=[\s(\[%@<{:])", re.MULTILINE)
# Part of every MLIR file, with or without a spec of ours.
_ALWAYS = {"builtin", "module", "affine_map", "affine_set"}


@dataclass
class Part:
    """One module of a file. `outcome`: ok | refused-as-expected | foreign | FAILED."""

    file: str
    part: int
    outcome: str = "ok"
    reads: bool = False
    verifies: bool = False
    fixed_point: bool = False
    ops: int = 0
    milliseconds: float = 0.0
    warnings: int = 0
    problem: str = ""
    lines: list[int] = field(default_factory=list, repr=False)


def parts_of(path: Path) -> Iterator[tuple[str, list[int], bool]]:
    """The parts of a file, padded with line breaks so that positions stay those of the file, and the lines
    errors are expected on, and whether it is a pass that reports them."""
    text = path.read_text(encoding="utf-8", errors="replace")
    of_a_pass = bool(_PASS_RUN.search(text))
    edges = [0, *(m.end() for m in _SPLIT.finditer(text)), len(text)]
    for lo, hi in pairwise(edges):
        body = text[lo:hi]
        if not re.sub(r"//.*|\s", "", body):
            continue
        start = text.count("\n", 0, lo)
        yield "\n" * start + body, [start + n for n in expected_lines(body)], of_a_pass


def expected_lines(body: str) -> list[int]:
    """Lines, from 1, that `expected-error` comments point at."""
    found = []
    for number, line in enumerate(body.split("\n"), 1):
        m = _EXPECTED.search(line)
        if m:
            where = m[1]
            offset = {"above": -1, "below": 1, None: 0}.get(where)
            found.append(number + (int(where) if offset is None and where else offset or 0))
    return found


def foreign_dialects(text: str) -> list[str]:
    """Dialects the text uses that no spec of ours describes."""
    known = {*dialect_names(), *_ALWAYS}
    return sorted({m[1] for m in _OP.finditer(re.sub(r"//.*", "", text))} - known)


def examine(path: Path, number: int, text: str, expected: list[int], of_a_pass: bool, arch: object) -> Part:
    result = Part(str(path), number)
    begin = time.perf_counter()
    lines: list[int] = []
    unknown = False
    try:
        module = read_text(text, str(path), isolate=True)
        result.reads = True
        result.milliseconds = round((time.perf_counter() - begin) * 1e3, 2)
        result.ops = sum(1 for _ in module.op.walk())
        found = verify(module, arch)
        errors = [d for d in found if d.severity == "error"]
        result.warnings = len(found) - len(errors)
        result.verifies = not errors
        lines = [d.position.line for d in errors]
        if errors:
            result.problem = render(errors[0], text).split("\n")[0]
            unknown = all(d.code == "KTIR001" for d in errors)
        printed = print_module(module)
        again = read_text(printed, "<printed>")
        same = print_module(again) == printed
        generic = print_module(again, generic=True)
        result.fixed_point = same and print_module(read_text(generic), generic=True) == generic
        if not result.fixed_point and not result.problem:
            result.problem = "print → read → print is not a fixed point"
    except TilesatError as error:
        first = error.diagnostics[0]
        lines = [d.position.line for d in error.diagnostics]
        result.problem = render(first, text).split("\n")[0]
        result.milliseconds = result.milliseconds or round((time.perf_counter() - begin) * 1e3, 2)
    fine = result.reads and result.verifies and result.fixed_point
    foreign = foreign_dialects(text)
    if expected and of_a_pass:
        result.outcome = "ok" if fine else "refused-as-expected"
    elif expected:
        hit = set(lines) & set(expected)
        result.outcome = "refused-as-expected" if hit else "FAILED"
        if not hit and fine:
            result.problem = f"an error was expected on line {expected[0]}"
    elif not fine:
        result.outcome = "foreign" if foreign or unknown else "FAILED"
    if result.outcome in ("foreign", "FAILED") and foreign:
        result.outcome, result.problem = "foreign", f"uses {', '.join(foreign)}"
    return result


def files_of(folders: list[str]) -> list[Path]:
    found: list[Path] = []
    for folder in map(Path, folders):
        found += sorted([*folder.rglob("*.mlir"), *folder.rglob("*.ktir")]) if folder.is_dir() else [folder]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--arch", help="also check this machine's limits")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="only what failed, and the totals")
    args = parser.parse_args()
    arch = None
    if args.arch:
        from tilesat.arch import load_arch

        arch = load_arch(args.arch)
    results = [
        examine(path, number, text, expected, of_a_pass, arch)
        for path in files_of(args.folders)
        for number, (text, expected, of_a_pass) in enumerate(parts_of(path))
    ]
    if args.json:
        print(json.dumps([asdict(r) for r in results], indent=1))
    else:
        for r in results:
            if not args.quiet or r.outcome == "FAILED":
                flags = (
                    f"{'R' if r.reads else '-'}{'V' if r.verifies else '-'}{'F' if r.fixed_point else '-'}"
                )
                print(
                    f"{r.outcome:20} {flags} {r.milliseconds:8.2f} ms {r.ops:5d} ops  {r.file}#{r.part}"
                    f"  {r.problem}"
                )
        kinds = sorted({r.outcome for r in results})
        print(", ".join(f"{sum(r.outcome == k for r in results)} {k}" for k in kinds), "of", len(results))
    return int(any(r.outcome == "FAILED" for r in results))


if __name__ == "__main__":
    sys.exit(main())
