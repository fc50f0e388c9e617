"""Which DataflowIR op computes a scalar op of KTIR on every lane: table `vector_ops` of isa.yaml.

An upstream op is used where one has exactly the meaning; else MLIR's own op of that name on vectors. Ops
of other dialects (spyreop) become casts to be realised later, with the op's name as attribute `scalar_op`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..ktir.affine import AffineMap
from ..numerics import dtype, scalar_ops
from ..specs import shipped
from ..specs.dialects import dialect, op_spec

__all__ = ["Spelling", "spelling"]


@dataclass(frozen=True, slots=True)
class Spelling:
    """An op name and the attributes it needs. `library`: there is no such op on vectors."""

    name: str
    attributes: Mapping[str, Any]
    library: bool = False


@cache
def _table() -> dict[str, list[dict[str, Any]]]:
    """Rows by scalar op."""
    data = shipped("ktir_specs", "isa.yaml").data["vector_ops"]
    found: dict[str, list[dict[str, Any]]] = {}
    for row in data.values():
        if row.get("scalar"):
            found.setdefault(row["scalar"], []).append(row)
    return found


@cache
def spelling(scalar: str, attributes: tuple[tuple[str, Any], ...], source: str, target: str) -> Spelling:
    """How `scalar` with these attributes is written on vectors whose operands have element type `source`
    and whose result has `target`."""
    given = dict(attributes)
    known = scalar_ops().get(scalar)
    selector = known.selector if known else None
    case = None
    if known is not None and selector is not None:
        case = given.get(selector)
        case = known.cases[case] if isinstance(case, int) else case
    for row in _table().get(scalar, ()):
        if selector is not None and row.get("attributes", {}).get(selector) != case:
            continue
        for form in row.get("dataflow", ()):
            if _fits(form, source, target):
                return Spelling(form["op"], {**form.get("attributes", {}), **_required(form["op"])})
    if known is not None and selector is not None and case in known.cases:
        given[selector] = known.cases.index(str(case))
    owner = dialect(scalar.partition(".")[0])
    return Spelling(scalar, given, owner is not None and owner.custom_syntax == "assembly")


def _fits(form: Mapping[str, Any], source: str, target: str) -> bool:
    a, b = dtype(source), dtype(target)
    if form.get("elements", _kind(source)) != _kind(source) or form.get("result", _kind(target)) != _kind(
        target
    ):
        return False
    return {"wider": b.bits > a.bits, "narrower": b.bits < a.bits, None: True}[form.get("width")]


def _kind(name: str) -> str:
    return "float" if dtype(name).is_float else "int"


def _required(op: str) -> dict[str, Any]:
    """Lane-by-lane maps that an op must have although they say nothing."""
    spec = op_spec(op)
    assert spec is not None, op
    return {
        a.name: AffineMap.identity(1) for a in spec.attributes if a.type == "affine_map" and not a.optional
    }
