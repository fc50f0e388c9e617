"""Rule functions about inter-tile ops: producer, consumer and dependency sets enumerated group by group.

Tile ids count from 0. Sets without an upper bound are cut at the number of tiles of the grid (or of the
machine); when neither is known, everything about them is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..affine import IntegerSet
from ..ir import Op, Tensor, TileFuture, Value
from .expression import Env
from .sets import points_of

__all__ = ["FUNCTIONS"]

_MOST_TILES = 4096
Tiles = tuple[int, ...]


def _ids(env: Env, space: Any, symbols: tuple[int, ...]) -> Tiles | None:
    """The tile ids of a one-dimensional set."""
    if not isinstance(space, IntegerSet) or space.dims != 1 or space.syms > len(symbols):
        return None
    last = (env.get("tiles") or env.get("max_tiles") or _MOST_TILES) - 1
    points = points_of(space, symbols[: space.syms], None)
    if points is None:
        clipped = env.get("tiles") or env.get("max_tiles")
        points = points_of(space, symbols[: space.syms], (0, last)) if clipped else None
    return None if points is None else tuple(p[0] for p in points if p[0] >= 0)


def _group_ids(env: Env, future: Any) -> Tiles | None:
    kind = future.type if isinstance(future, Value) else future
    if not isinstance(kind, TileFuture):
        return None
    return _ids(env, kind.groups, ())


def _per_group(env: Env, future: Any, space: Any) -> dict[int, Tiles] | None:
    """Group id → the set's tiles in it."""
    groups = _group_ids(env, future)
    if groups is None:
        return None
    found: dict[int, Tiles] = {}
    for g in groups:
        tiles = _ids(env, space, (g,))
        if tiles is None:
            return None
        found[g] = tiles
    return found


def _producers(env: Env, future: Any) -> dict[int, Tiles] | None:
    owner = future.owner if isinstance(future, Value) else None
    if not isinstance(owner, Op) or owner.name != "ktdp.inter_tile_produce":
        return None
    return _per_group(env, future, owner.attributes.get("producer_tiles_per_group"))


def _disjoint(env: Env, future: Any, space: Any) -> bool | None:
    """No tile is in two groups."""
    found = _per_group(env, future, space)
    if found is None:
        return None
    all_tiles = [t for tiles in found.values() for t in tiles]
    return len(all_tiles) == len(set(all_tiles))


def _shared_tile(env: Env, future: Any, space: Any) -> int | None:
    """A tile that is in two groups."""
    seen: set[int] = set()
    for tiles in (_per_group(env, future, space) or {}).values():
        for t in tiles:
            if t in seen:
                return t
            seen.add(t)
    return None


def _none_empty(env: Env, future: Any, space: Any) -> bool | None:
    found = _per_group(env, future, space)
    return None if found is None else all(found.values())


def _last_tile(env: Env, future: Any, space: Any) -> int | None:
    found = _per_group(env, future, space)
    return None if not found else max((t for tiles in found.values() for t in tiles), default=None)


def _uniform(env: Env, future: Any, space: Any) -> bool | None:
    """All groups hold the same number of tiles."""
    found = _per_group(env, future, space)
    return None if found is None else len({len(t) for t in found.values()}) <= 1


def _group_size(env: Env, future: Any, space: Any) -> int | None:
    """Tiles per group, when all groups have as many."""
    found = _per_group(env, future, space)
    sizes = {len(t) for t in found.values()} if found else set()
    return sizes.pop() if len(sizes) == 1 else None


def _producer_count(env: Env, future: Any) -> int | None:
    """Producers per group, when all groups have as many."""
    found = _producers(env, future)
    sizes = {len(t) for t in found.values()} if found else set()
    return sizes.pop() if len(sizes) == 1 else None


def _consumers_produce(env: Env, future: Any, space: Any) -> bool | None:
    """Every consumer is a producer of its group."""
    producers, consumers = _producers(env, future), _per_group(env, future, space)
    if producers is None or consumers is None:
        return None
    return all(set(consumers[g]) <= set(producers[g]) for g in producers)


def _sources(env: Env, future: Any, consumers: Any, dependency: Any) -> dict[tuple[int, int], Tiles] | None:
    """(group, consumer) → the producers it waits for; all of the group without a dependency set."""
    producers, receivers = _producers(env, future), _per_group(env, future, consumers)
    if producers is None or receivers is None:
        return None
    found: dict[tuple[int, int], Tiles] = {}
    for g, tiles in receivers.items():
        for c in tiles:
            if dependency is None:
                found[g, c] = producers[g]
                continue
            ids = _ids(env, dependency, (c, g))
            if ids is None:
                return None
            found[g, c] = ids
    return found


def _sources_produce(env: Env, future: Any, consumers: Any, dependency: Any) -> bool | None:
    """R3: dependencies are producers of the group."""
    producers = _producers(env, future)
    sources = _sources(env, future, consumers, dependency)
    if producers is None or sources is None:
        return None
    return all(set(ids) <= set(producers[g]) for (g, _), ids in sources.items())


def _all_depended_on(env: Env, future: Any, consumers: Any, dependency: Any) -> bool | None:
    """R4: every producer has a consumer that depends on it."""
    producers = _producers(env, future)
    sources = _sources(env, future, consumers, dependency)
    if producers is None or sources is None:
        return None
    wanted = {(g, p) for (g, _), ids in sources.items() for p in ids}
    return all((g, p) in wanted for g, tiles in producers.items() for p in tiles)


def _sources_partition(env: Env, future: Any, consumers: Any, dependency: Any) -> bool | None:
    """R5: two consumers' dependencies are the same or have nothing in common."""
    sources = _sources(env, future, consumers, dependency)
    if sources is None:
        return None
    distinct: dict[int, set[Tiles]] = {}
    for (g, _), ids in sources.items():
        distinct.setdefault(g, set()).add(ids)
    for sets in distinct.values():
        flat = [p for ids in sets for p in ids]
        if len(flat) != len(set(flat)):
            return False
    return True


def _source_counts(env: Env, future: Any, consumers: Any, dependency: Any) -> list[int] | None:
    """The distinct numbers of producers consumers depend on."""
    sources = _sources(env, future, consumers, dependency)
    return None if sources is None else sorted({len(ids) for ids in sources.values()})


def _resized(
    env: Env, types: Any, dimensions: Any, multiply: int | None, divide: int | None
) -> list[Any] | None:
    """Tensor types with the listed dimensions cut into `divide` pieces and joined `multiply` times.

    Several dimensions count as one, the first slowest: a piece takes whole rows as long as it can. [None]:
    not divisible. None: unknown.
    """
    if not multiply or not divide or not isinstance(dimensions, list) or types is None:
        return None
    found: list[Any] = []
    for kind in types:
        if not isinstance(kind, Tensor) or any(
            not isinstance(d, int) or d >= len(kind.shape) for d in dimensions
        ):
            return None
        shape = list(kind.shape)
        rest = divide
        for d in dimensions:
            extent = shape[d]
            if extent is None:
                return None
            if rest % extent and extent % rest:
                return [None]
            shape[d], rest = max(1, extent // rest), max(1, rest // extent)
        if rest != 1:
            return [None]
        slowest = shape[dimensions[0]] if dimensions else None
        if slowest is not None:
            shape[dimensions[0]] = slowest * multiply
        found.append(Tensor(tuple(shape), kind.element))
    return found


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "all_depended_on": _all_depended_on,
    "consumers_produce": _consumers_produce,
    "disjoint": _disjoint,
    "group_ids": _group_ids,
    "group_size": _group_size,
    "last_tile": _last_tile,
    "none_empty": _none_empty,
    "producer_count": _producer_count,
    "resized": _resized,
    "shared_tile": _shared_tile,
    "source_counts": _source_counts,
    "sources_partition": _sources_partition,
    "sources_produce": _sources_produce,
    "uniform": _uniform,
}
