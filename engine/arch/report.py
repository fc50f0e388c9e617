"""What a person reads about an architecture: `show`, `draw` (Mermaid), `diff`, `check`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics import Diagnostic, Position
from ..specs import load_text, schema_check
from .files import read_source, resolve
from .load import load_arch
from .model import Arch, Memory, OpPrice, Unit
from .offers import offer_warnings
from .quantity import render_quantity

__all__ = ["Difference", "check", "diff", "draw", "show"]


def show(arch: Arch) -> str:
    """Groups with their memories and units, routes, limits, and every figure with its origin."""
    lines = [f"{arch.name} at {render_quantity(arch.clock_hz, 'frequency')}"]
    lines += [f"  {line}" for line in arch.doc.splitlines()]
    for group in arch.groups.values():
        indent = "  " * (group.depth + 1)
        tiles = ", the tiles of a grid" if group.name == arch.grid_group else ""
        lines += [
            "",
            f"{indent}{group.name} ×{group.count} ({arch.instances(group.name)} on the card{tiles})",
        ]
        own_memories = [m for m in arch.memories.values() if m.group == group.name and m.addressable]
        lines += [f"{indent}  {_memory_line(arch, memory)}" for memory in own_memories]
        lines += [f"{indent}  {_unit_line(arch, u)}" for u in arch.units.values() if u.group == group.name]
    lines += ["", *_routes(arch), "", *_figures(arch)]
    return "\n".join(lines) + "\n"


def _memory_line(arch: Arch, memory: Memory) -> str:
    spaces = [space for space, home in arch.spaces.items() if home == memory.name]
    size = render_quantity(memory.size, "bytes")
    if memory.size != memory.total:
        size += f" of {render_quantity(memory.total, 'bytes')}"
    parts = [
        f"{memory.name}: {memory.kind}, {size}",
        f"aligned to {render_quantity(memory.alignment, 'bytes')}",
    ]
    for word, rate in (("reads", memory.read_bytes_per_cycle), ("writes", memory.write_bytes_per_cycle)):
        if rate is not None:
            parts.append(f"{word} {render_quantity(rate, 'rate')}")
    parts += [f"space {space}" for space in spaces]
    return ", ".join(parts)


def _unit_line(arch: Arch, unit: Unit) -> str:
    parts = []
    if unit.moves:
        parts.append(", ".join(f"{a} → {b}" for a, b in unit.moves))
        parts.append(f"{render_quantity(unit.bytes_per_cycle, 'rate')}, latency {unit.move_latency}")
    if unit.move_startup:
        parts.append(f"start-up {unit.move_startup}")
    if unit.fifo_depth is not None:
        parts.append(f"FIFO of {unit.fifo_depth}")
    compute = arch.compute.get(unit.name)
    if compute is not None:
        lanes = ", ".join(f"{dtype} {count}" for dtype, count in compute.lane_counts.items())
        registers = render_quantity(compute.register_bytes, "bytes")
        parts += [f"lanes {lanes}", f"registers {registers}"]
        parts.append("ops " + ", ".join(f"{c} {p.rate}/{p.latency}" for c, p in compute.ops.items()))
    if unit.features:
        parts.append("can " + ", ".join(sorted(unit.features)))
    return f"{unit.name} ({unit.kind}): " + "; ".join(parts)


def _routes(arch: Arch) -> list[str]:
    home = arch.home("global")
    lines = ["routes"]
    for name in arch.compute:
        for src, dst in ((home, name), (name, home)):
            if not arch.reaches(src, dst):
                lines.append(f"  {src} → {dst}: none")
                continue
            hops = arch.hops(src, dst)
            steps = "".join(f" -{hop.unit}→ {hop.dst_memory}" for hop in hops)
            lines.append(
                f"  {src}{steps}  ({sum(hop.startup + hop.latency for hop in hops)} cycles without load)"
            )
    if arch.ring is not None:
        ring = arch.ring
        rate = render_quantity(ring.bytes_per_cycle, "rate")
        lines.append(
            f"  ring over {ring.group}: {ring.directions} × {rate}, {ring.latency} cycles per neighbour"
        )
    return lines


def _figures(arch: Arch) -> list[str]:
    """One line per figure: `--set` path, value, where it comes from."""
    lines = ["figures (the left column is what --set takes)"]
    width = max((len(path) for path in arch.figures), default=0)
    for path, figure in arch.figures.items():
        origin = f"source: {figure.source}" if figure.source else ""
        if figure.assumed:
            origin += ("; " if origin else "") + f"assumed: {figure.assumed}"
        lines.append(f"  {path:<{width}}  {_written(figure.written)}  [{origin}]")
    return lines


def _written(value: object) -> str:
    if isinstance(value, dict) and value.keys() == {"rate", "latency"}:
        return f"{value['rate']} / {value['latency']}"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_written(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_written(item) for item in value)
    return str(value)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two architectures do not share; None where it is absent."""

    path: str
    first: str | None
    second: str | None

    def __str__(self) -> str:
        return f"{self.path}: {self.first or '(absent)'} → {self.second or '(absent)'}"


def diff(first: Arch, second: Arch) -> list[Difference]:
    """What differs, by `--set` path. Figures are compared in base units: 2 MiB equals 2048 KiB.

    Tables (lanes, prices) are compared entry by entry.
    """
    a, b = _flatten(first), _flatten(second)
    rows = []
    for path in dict.fromkeys((*a, *b)):
        (left, left_text), (right, right_text) = a.get(path, (None, None)), b.get(path, (None, None))
        if left != right:
            rows.append(Difference(path, left_text, right_text))
    return rows


def _flatten(arch: Arch) -> dict[str, tuple[object, str]]:
    """Path → (value to compare, text to show)."""
    flat: dict[str, tuple[object, str]] = {}
    for path, figure in arch.figures.items():
        if isinstance(figure.written, dict) and isinstance(figure.value, dict):
            for key, value in figure.value.items():
                entry = figure.written[key]
                if isinstance(value, OpPrice):
                    flat[f"{path}.{key}.rate"] = (value.rate, _written(entry["rate"]))
                    flat[f"{path}.{key}.latency"] = (value.latency, _written(entry["latency"]))
                else:
                    flat[f"{path}.{key}"] = (value, _written(entry))
        else:
            flat[path] = (figure.value, _written(figure.written))
    for unit in arch.units.values():
        flat[f"{unit.group}.{unit.name}.kind"] = (unit.kind, unit.kind)
        if unit.moves:
            moves = ", ".join(f"{src} to {dst}" for src, dst in unit.moves)
            flat[f"{unit.group}.{unit.name}.moves"] = (unit.moves, moves)
    for space, memory in arch.spaces.items():
        flat[f"spaces.{space}"] = (memory, memory)
    flat["grid"] = (arch.grid_group, arch.grid_group)
    if arch.ring is not None:
        flat["ring.over"] = (arch.ring.group, arch.ring.group)
    return flat


def draw(arch: Arch) -> str:
    """A Mermaid flowchart: groups are boxes in boxes, memories cylinders, units edges between them."""
    lines = ["flowchart TB"]
    roots = [name for name, group in arch.groups.items() if group.parent is None]
    for name in roots:
        lines += _draw_group(arch, name, "  ")
    for hop in arch.edges:
        queue = f", FIFO {hop.fifo_depth}" if hop.fifo_depth else ""
        label = f"{hop.unit}: {render_quantity(hop.bytes_per_cycle, 'rate')}{queue}"
        lines.append(f'  {hop.src_memory} -->|"{label}"| {hop.dst_memory}')
    if arch.ring is not None:
        end = arch.units[arch.ring.sender].moves[0][0]  # what it sends lies where it reads
        rate = render_quantity(arch.ring.bytes_per_cycle, "rate")
        lines.append(f'  ring{{{{"ring over {arch.ring.group}<br/>{arch.ring.directions} × {rate}"}}}}')
        lines.append(f"  {end} <--> ring")
    return "\n".join(lines) + "\n"


def _draw_group(arch: Arch, name: str, indent: str) -> Iterable[str]:
    lines = [f'{indent}subgraph {name} ["{name} ×{arch.groups[name].count}"]']
    for memory in arch.memories.values():
        if memory.group == name and memory.addressable:
            lines.append(
                f'{indent}  {memory.name}[("{memory.name}<br/>{render_quantity(memory.size, "bytes")}")]'
            )
    for unit in arch.compute.values():
        if unit.group == name:
            widest = max(unit.lane_counts.values())
            lines.append(f'{indent}  {unit.name}["{unit.name}<br/>up to {widest} lanes"]')
    for group in arch.groups.values():
        if group.parent == name:
            lines += _draw_group(arch, group.name, indent + "  ")
    return [*lines, f"{indent}end"]


def check(name_or_path: str | Path, overrides: Sequence[str] = ()) -> list[Diagnostic]:
    """Warnings about a file that loads but will not work well; empty when there are none.

    Also checks shipped files against the schema, which loading leaves to the tests. Raises
    `TilesatError` as `load_arch` does.
    """
    source = read_source(name_or_path)
    for file, text in source:
        schema_check(load_text(text, file), "arch")
    arch = load_arch(name_or_path, overrides)
    return [*_unreached(arch), *_small(arch), *offer_warnings(arch, resolve(source, overrides))]


def _unreached(arch: Arch) -> Iterable[Diagnostic]:
    home = arch.home("global")
    if not arch.compute:
        yield _warning("ARCH030", "no unit computes", arch.position, "give a unit `lanes` and `ops`")
    for memory in arch.memories.values():
        for src, dst in ((home, memory.name), (memory.name, home)):
            if not arch.reaches(src, dst):
                message = f"nothing moves data from `{src}` to `{dst}`: no kernel can use `{memory.name}`"
                yield _warning("ARCH031", message, memory.position, "add a unit with such a move")


def _small(arch: Arch) -> Iterable[Diagnostic]:
    for unit in arch.compute.values():
        if unit.register_bytes < 3 * unit.vector_bytes:
            message = (
                f"the registers of `{unit.name}` hold fewer than three vectors: no binary operation fits"
            )
            yield _warning("ARCH032", message, unit.position, "give it `registers` of at least three vectors")
    for hop in arch.edges:
        compute = arch.compute.get(hop.dst_memory) or arch.compute.get(hop.src_memory)
        if compute and hop.granularity and hop.granularity[0] < compute.vector_bytes:
            message = f"the largest transfer of `{hop.unit}` is smaller than a vector of `{compute.name}`"
            yield _warning("ARCH033", message, arch.units[hop.unit].position, "enlarge `granularity`")


def _warning(code: str, message: str, position: Position, hint: str) -> Diagnostic:
    return Diagnostic(code, message, position, hint, severity="warning")
