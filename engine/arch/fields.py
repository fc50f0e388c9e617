"""Which quantities each object of an architecture file has, with their dimension and smallest value.

Reading a file and `--set` paths both go by these tables; the JSON Schema says the same to editors (a test
compares them).
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "COMPUTE",
    "FEATURES",
    "GROUP",
    "LIMITS",
    "MEMORY",
    "MOVER",
    "RING",
    "SYNC",
    "TOP",
    "UNIT",
    "Field",
]


@dataclass(frozen=True, slots=True)
class Field:
    """`shape`: "one" value; "list" of values; "table" name → value; "prices" cost class → rate, latency;
    "words": a list of names, no quantity at all."""

    dimension: str
    minimum: float = 0
    required: bool = False
    shape: str = "one"


#: what a unit can do beyond moving and computing
FEATURES = (
    "splat",  # one element arrives in every lane
    "zero_pad",  # a short vector is filled up with zeros
    "mask",  # a short vector leaves the memory behind it untouched
    "systolic",  # each operand is used in many multipliers: more lanes than a vector holds
    "double_buffer_last",  # starts with the second of two buffers
)

_POSITIVE = 1e-12  # rates, frequencies, shares: anything above zero

TOP = {"clock": Field("frequency", _POSITIVE, required=True)}
LIMITS = {
    "loop_count": Field("count", 1, required=True),
    "span": Field("bytes", 1, required=True),
    "alignment": Field("bytes", 1, required=True),
    "stick": Field("bytes", 1, required=True),
    "program": Field("bytes", 1, required=True),
}
SYNC = {"latency": Field("time", required=True)}
RING = {
    "rate": Field("rate", _POSITIVE, required=True),
    "latency": Field("time", required=True),
    "directions": Field("count", 1, required=True),
}
GROUP = {"count": Field("count", 1, required=True)}
MEMORY = {
    "size": Field("bytes", 1, required=True),
    "reserved": Field("bytes"),
    "usable": Field("ratio", _POSITIVE),
    "alignment": Field("bytes", 1, required=True),
    "read": Field("rate", _POSITIVE),
    "write": Field("rate", _POSITIVE),
    "turnaround": Field("time per byte"),
    "latency": Field("time"),
}
#: required of a unit with `moves`
MOVER = {
    "rate": Field("rate", _POSITIVE, required=True),
    "latency": Field("time", required=True),
    "startup": Field("time"),
    "granularity": Field("bytes", 1, shape="list"),
    "fifo_depth": Field("count", 1),
}
#: required of a unit with `ops`
COMPUTE = {
    "lanes": Field("count", 1, required=True, shape="table"),
    "vector": Field("bytes", 1, required=True),
    "registers": Field("bytes", 1, required=True),
    "ops": Field("cycles", required=True, shape="prices"),
}
UNIT = {**MOVER, **COMPUTE, "features": Field("count", shape="words")}
