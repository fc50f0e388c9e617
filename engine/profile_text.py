"""The profile of a launch as a table: where the cycles went, unit by unit and line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .diagnostics import source_line

if TYPE_CHECKING:
    from .sim import Profile

__all__ = ["profile_text"]

_LINES = 8  # source lines shown, the busiest first


def profile_text(profile: Profile) -> str:
    """Shares are of the launch and of all instances of a unit; cycles of a line are summed over instances."""
    return "\n".join([*_units(profile), *_links(profile), *_lines(profile)])


def _units(profile: Profile) -> Iterator[str]:
    yield f"{'unit':10} {'count':>5} {'busy':>7}  waiting for"
    total = max(profile.cycles, 1)
    for name, use in profile.units.items():
        share = {why: cycles / use.instances / total for why, cycles in use.stalls.items()}
        waits = sorted(share.items(), key=lambda item: (-item[1], item[0]))
        shown = ", ".join(f"{why} {part:.1%}" for why, part in waits if part >= 0.0005)
        yield f"{name:10} {use.instances:5} {use.busy / use.instances / total:7.1%}  {shown or 'nothing'}"


def _links(profile: Profile) -> Iterator[str]:
    moved = ", ".join(f"{link} {size:,} B" for link, size in profile.links.items())
    served = ", ".join(f"{memory} {share:.1%}" for memory, share in profile.memories.items())
    yield f"moved: {moved or 'nothing'}"
    if served:
        yield f"shared memories busy: {served}"


def _lines(profile: Profile) -> Iterator[str]:
    known = [use for use in profile.lines if use.position.line]
    for use in sorted(known, key=lambda u: -(u.busy + u.stalled))[:_LINES]:
        text = (source_line(use.position) or "").strip()
        yield f"{use.position}: busy {use.busy:,.0f}, waiting {use.stalled:,.0f} cycles: {text[:60]}"
