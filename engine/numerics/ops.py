"""Scalar operations as the YAML specs define them, and their dtype-aware evaluation.

Everything that computes values (reference interpreter, ScheduleIR interpreter, simulated compute
units) goes through `apply`/`evaluate`, so that one operation gives the same bits everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Position, fail
from ..specs import shipped
from .dtypes import DType, cast, resolve
from .formula import Formula, formula, parse_formula

__all__ = ["Combiner", "ScalarOp", "apply", "evaluate", "identity_value", "scalar_ops", "spec_entries"]

Array = NDArray[Any]
T = TypeVar("T")

SPECS = ("arith", "math", "spyreop", "linalg", "tensor", "scf", "affine", "func", "memref", "ktdp")


@dataclass(frozen=True, slots=True)
class Combiner:
    """What a binary op is as the body of a reduction. `identity` maps a dtype kind (`float`, `int`,
    `uint`, `bool`) to a number or one of `lowest`, `highest`, `-inf`, `inf`, `ones`."""

    identity: Mapping[str, Any]
    associative: bool
    commutative: bool


@dataclass(frozen=True, slots=True)
class ScalarOp:
    """A pure op on scalars. `formulas` has one entry per result, or one per case when `selector` names the
    attribute that chooses (a comparison's predicate; its cases are in enumeration order)."""

    name: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    attributes: tuple[str, ...]
    formulas: tuple[Formula, ...]
    cost: str
    combiner: Combiner | None = None
    selector: str | None = None
    cases: tuple[str, ...] = ()
    defaults: Mapping[str, Any] | None = None
    bitcast: bool = False  # reinterprets bits instead of computing
    unsigned: bool = False  # a float → integer conversion into the unsigned range of the result's width
    reduces: str | None = None  # `mean`: over the reduction iterators of the linalg.generic it stands in
    position: Position = field(default_factory=Position)

    def choose(self, attributes: Mapping[str, Any]) -> Formula:
        """The formula of the first result, for these attribute values."""
        if self.selector is None:
            return self.formulas[0]
        key = _plain(attributes.get(self.selector))
        if isinstance(key, int) and 0 <= key < len(self.cases):
            return self.formulas[key]
        if key in self.cases:
            return self.formulas[self.cases.index(key)]
        fail(
            "NUM003", f"{self.name}: unknown {self.selector} `{key}`", hint=f"one of {', '.join(self.cases)}"
        )


def _plain(value: Any) -> Any:
    """The Python number or string inside an attribute value (`ir.Typed`, `ir.Raw`)."""
    return getattr(value, "value", getattr(value, "text", value))


class _ByDialect(Mapping[str, T]):
    """Things by full op name, made one dialect at a time when first asked for."""

    def __init__(self, make: Callable[[str], dict[str, T]]) -> None:
        self._make = make
        self._made: dict[str, dict[str, T]] = {}

    def _dialect(self, name: str) -> dict[str, T]:
        if name not in self._made:
            self._made[name] = self._make(name) if name in SPECS else {}
        return self._made[name]

    def __getitem__(self, name: str) -> T:
        return self._dialect(name.partition(".")[0])[name]

    def __iter__(self) -> Iterator[str]:
        for dialect in SPECS:
            yield from self._dialect(dialect)

    def __len__(self) -> int:
        return sum(len(self._dialect(d)) for d in SPECS)


def _dialect_entries(dialect: str) -> dict[str, tuple[dict[str, Any], Position]]:
    document = shipped("ktir_specs", f"{dialect}.yaml")
    return {
        f"{dialect}.{entry['name']}": (entry, document.at("ops", i, "semantics"))
        for i, entry in enumerate(document.data["ops"])
    }


def _dialect_scalars(dialect: str) -> dict[str, ScalarOp]:
    made = {n: _scalar_op(n, *e) for n, e in _ENTRIES._dialect(dialect).items()}
    return {n: op for n, op in made.items() if op is not None}


_ENTRIES = _ByDialect(_dialect_entries)
_SCALARS = _ByDialect(_dialect_scalars)


def spec_entries() -> Mapping[str, tuple[dict[str, Any], Position]]:
    """Every op entry of the shipped specs by full name, with the place of its semantics in the YAML."""
    return _ENTRIES


def scalar_ops() -> Mapping[str, ScalarOp]:
    """All ops whose `semantics` is a formula over their operands and attributes, by full name."""
    return _SCALARS


def _scalar_op(name: str, entry: dict[str, Any], position: Position) -> ScalarOp | None:
    semantics = entry.get("semantics")
    if isinstance(semantics, str):
        semantics = {"formula": semantics}
    if not isinstance(semantics, dict) or not semantics.keys() & {"formula", "formulas", "cases", "bitcast"}:
        return None
    operands = tuple(v["name"] for v in entry.get("operands", ()))
    attributes = tuple(v["name"] for v in entry.get("attributes", ()))
    cases = dict(semantics.get("cases", {}))
    texts = (
        semantics.get("formulas")
        or list(cases.values())
        or [semantics.get("formula", operands[:1] and operands[0])]
    )
    formulas = tuple(parse_formula(str(t), position) for t in texts)
    if any(set(f.names) - set(operands) - set(attributes) for f in formulas):
        return None  # a keyword of the reference interpreter, not a formula
    combiner = None
    if "identity" in semantics:
        traits = entry.get("traits", ())
        combiner = Combiner(semantics["identity"], "associative" in traits, "commutative" in traits)
    return ScalarOp(
        name,
        operands,
        tuple(v["name"] for v in entry.get("results", ())),
        attributes,
        formulas,
        entry.get("cost", {}).get("class", "none"),
        combiner,
        semantics.get("select"),
        tuple(cases),
        {a["name"]: a["default"] for a in entry.get("attributes", ()) if "default" in a},
        bool(semantics.get("bitcast")),
        semantics.get("as") == "unsigned",
        semantics.get("reduces"),
        position,
    )


def identity_value(combiner: Combiner, t: DType, mode: str = "ieee") -> Any:
    """The combiner's identity as a NumPy scalar in compute form of `t`. NUM004 if it has none for `t`."""
    t = resolve(t, mode)
    key: Any = combiner.identity.get(t.kind, combiner.identity.get("int") if t.is_integer else None)
    if key is None:
        fail("NUM004", f"the combiner has no identity for {t}", hint="initialise the reduction explicitly")
    if not isinstance(key, str):
        return t.compute.type(key)
    if t.is_float:
        value = float(key) if key in ("inf", "-inf") else {"lowest": -np.inf, "highest": np.inf}[key]
        if t.name.startswith("df16") and not np.isfinite(t.round(np.asarray([value]))[0]):
            value = float(np.copysign(t.round(np.asarray([2.0**32 * 1.9960]))[0], value))  # no infinity
        return t.compute.type(value)
    if t.kind == "bool":
        return np.bool_(key in ("highest", "ones"))
    info = np.iinfo(t.compute)
    values = {"lowest": info.min, "highest": info.max, "-inf": info.min, "inf": info.max}
    values["ones"] = info.max if t.kind == "uint" else -1
    return t.compute.type(values[key])


def evaluate(
    f: Formula | str,
    arrays: Mapping[str, Any],
    dtypes: Mapping[str, DType],
    out: DType,
    mode: str = "ieee",
) -> Array:
    """Value of `f` in compute form of `out`. `arrays` are in compute form of `dtypes` (attributes: plain
    numbers, absent from `dtypes`).

    16-bit floats are computed in float32 and rounded once; f32 in float32 when the formula is a single
    operation, otherwise in float64 with one rounding; f64 and integers in their own type.
    """
    f = formula(f) if isinstance(f, str) else f
    with np.errstate(all="ignore"):
        return _evaluate(f, arrays, dtypes, out, mode)


def _evaluate(
    f: Formula, arrays: Mapping[str, Any], dtypes: Mapping[str, DType], out: DType, mode: str
) -> Array:
    target = resolve(out, mode)
    if not f.simple and any(t.name == "f32" for t in (*dtypes.values(), target)):
        arrays = {
            k: np.asarray(v, np.float64) if k in dtypes and dtypes[k].is_float else v
            for k, v in arrays.items()
        }
    value = f.code(arrays)
    if target.is_float:
        if f.preserving and all(resolve(dtypes[n], mode) is target for n in f.names if n in dtypes):
            return np.asarray(value, target.compute)
        if np.asarray(value).dtype.kind in "iub":
            return cast(value, target, target, mode)
        return target.round(np.asarray(value))
    if target.kind == "pair" and f.preserving:
        return np.asarray(value)
    return target.round(np.asarray(value))


def apply(
    op: ScalarOp,
    operands: Sequence[Any],
    dtypes: Sequence[DType],
    out: DType | Sequence[DType],
    attributes: Mapping[str, Any] | None = None,
    mode: str = "ieee",
) -> Any:
    """Run one op on arrays in compute form (NumPy broadcasting); returns compute form of `out`.

    For an op with several results, `out` is a sequence and so is the returned tuple. Errors: NUM003.
    """
    with np.errstate(all="ignore"):
        if op.bitcast:
            return _bitcast(operands[0], dtypes[0], out if isinstance(out, DType) else out[0], mode)
        env: dict[str, Any] = dict(zip(op.operands, operands, strict=False))
        for name in op.attributes:
            value = _plain((attributes or {}).get(name, (op.defaults or {}).get(name)))
            if value is not None:
                env[name] = value
        types = dict(zip(op.operands, dtypes, strict=False))
        if isinstance(out, DType) and op.unsigned:
            bits = DType(f"u{out.bits}", out.bits, "uint", *2 * (np.dtype(f"u{out.nbytes}"),))
            return _evaluate(op.choose(attributes or {}), env, types, bits, mode).view(out.compute)
        if isinstance(out, DType):
            return _evaluate(op.choose(attributes or {}), env, types, out, mode)
        return tuple(_evaluate(f, env, types, t, mode) for f, t in zip(op.formulas, out, strict=True))


def _bitcast(x: Any, src: DType, dst: DType, mode: str) -> Array:
    # f16 keeps its IEEE bits here even in the df16 modes: the bits of a literal are what the kernel wrote.
    raw = np.ascontiguousarray(src.to_storage(np.asarray(x))).reshape(np.shape(x))
    return resolve(dst, mode).round(dst.from_storage(raw.view(dst.storage)))
