"""Running what was compiled: on the simulator, and in the KTIR reference interpreter, its oracle.

The only module of `engine` (besides rule soundness) that imports `sim`, and only when called.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from .arguments import Arguments
from .compiler import Compilation

if TYPE_CHECKING:
    from .numerics import DType
    from .sim import Prepared, Profile

__all__ = ["ReferenceResult", "RunResult", "Verdict", "compare", "run_compiled", "run_reference"]

_TOLERANCE_ULP = 1
_PREPARED: WeakKeyDictionary[Compilation, Prepared] = WeakKeyDictionary()


@dataclass(frozen=True)
class ReferenceResult:
    """`outputs[i]`: argument i after the run, None for a scalar; `memory`: buffers at constant addresses."""

    names: Sequence[str]
    outputs: Sequence[NDArray[Any] | None]
    memory: Mapping[int, NDArray[Any]]
    dtypes: Sequence[DType | None] = field(repr=False)
    memory_dtypes: Mapping[int, DType] = field(repr=False)

    def summary(self) -> str:
        buffers = [
            f"{n}: {v.dtype}{list(v.shape)}"
            for n, v in zip(self.names, self.outputs, strict=True)
            if v is not None
        ]
        buffers += [f"{address:#x}: {v.dtype}{list(v.shape)}" for address, v in self.memory.items()]
        return "reference ran: " + ", ".join(buffers)


@dataclass(frozen=True)
class RunResult(ReferenceResult):
    """Simulator results. Cycles of the arch's clock; `bound_cycles` no schedule can beat."""

    cycles: int = 0
    time_us: float = 0.0
    bound_cycles: float = 0.0
    compile_ms: float = 0.0
    launch_ms: float = 0.0
    sim_ms: float = 0.0
    predicted_cycles: float | None = None
    profile: Profile | None = field(default=None, repr=False)

    def as_json(self) -> dict[str, Any]:
        """The object `tilesat run --json` prints."""
        profile = self.profile.to_json() if self.profile else {}
        return {
            "cycles": self.cycles,
            "time_us": round(self.time_us, 3),
            "bound_cycles": round(self.bound_cycles),
            "predicted_cycles": None if self.predicted_cycles is None else round(self.predicted_cycles),
            **profile,
            "compile_ms": round(self.compile_ms, 3),
            "launch_ms": round(self.launch_ms, 3),
            "sim_ms": round(self.sim_ms, 3),
        }

    def summary(self) -> str:
        text = f"{self.cycles:,} cycles, {self.time_us:,.2f} us; bound {self.bound_cycles:,.0f} cycles"
        if self.bound_cycles:
            text += f" ({self.cycles / self.bound_cycles:.3f} x)"
        return text if self.predicted_cycles is None else f"{text}; predicted {self.predicted_cycles:,.0f}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a run agrees with the reference, in the words `tilesat run --check` prints."""

    matches: bool
    text: str


def run_compiled(program: Compilation, given: Arguments) -> RunResult:
    """Launch a kernel on a simulated device, where it is prepared the first time.

    Arguments are checked before the rest of the compilation runs.
    """
    from .arch import bound_cycles

    bound = program.bind(given)
    code = program.spyrecode
    start = time.perf_counter()
    prepared = _PREPARED.get(program)
    if prepared is None:
        from .sim import prepare

        prepared = _PREPARED[program] = prepare(code, program.arch, options=program.options)
    places = {at: bound.byte_address(at, program.options) for at in bound.memory}
    launched = prepared.launch(bound.values, memory={places[at]: array for at, array in bound.memory.items()})
    total_ms = 1000 * (time.perf_counter() - start)
    return RunResult(
        names=[p.name for p in program.parameters],
        outputs=bound.outputs(launched.outputs),
        memory=bound.outputs_at({at: launched.memory[place] for at, place in places.items()}),
        dtypes=bound.dtypes,
        memory_dtypes=bound.memory_dtypes,
        cycles=launched.cycles,
        time_us=1e6 * launched.cycles / program.arch.clock_hz,
        bound_cycles=bound_cycles(program.arch, launched.work),
        compile_ms=program.compile_ms,
        launch_ms=total_ms - launched.sim_ms,
        sim_ms=launched.sim_ms,
        predicted_cycles=program.cost.cycles if program.module is not None else None,
        profile=launched.profile,
    )


def run_reference(opened: Compilation, given: Arguments) -> ReferenceResult:
    """Execute a kernel given as KTIR in the reference interpreter."""
    from .sim import reference

    bound = opened.bind(given)
    result = reference.run(
        opened.ktir, bound.values, entry=opened.entry, memory=bound.memory, options=opened.options
    )
    return ReferenceResult(
        [p.name for p in opened.parameters],
        bound.outputs(result.outputs),
        bound.outputs_at(result.memory),
        bound.dtypes,
        bound.memory_dtypes,
    )


def compare(program: Compilation, given: Arguments, result: RunResult) -> Verdict:
    """Run the reference on the same arguments and compare every buffer, to one unit in the last place."""
    oracle = run_reference(program, given)
    worst = {
        name: ulp_distance(a, b, t)
        for name, a, b, t in (
            *zip(result.names, result.outputs, oracle.outputs, result.dtypes, strict=True),
            *((hex(k), v, oracle.memory[k], result.memory_dtypes.get(k)) for k, v in result.memory.items()),
        )
        if a is not None and b is not None
    }
    wrong = {name: ulp for name, ulp in worst.items() if ulp > _TOLERANCE_ULP}
    if wrong:
        found = ", ".join(f"{name} is off by up to {ulp} ulp" for name, ulp in wrong.items())
        return Verdict(False, f"results differ from the reference: {found}")
    exact = "bit for bit" if not any(worst.values()) else f"within {max(worst.values())} ulp"
    return Verdict(True, f"results match the reference ({exact})")


def ulp_distance(a: NDArray[Any], b: NDArray[Any], element: DType | None = None) -> int:
    """Largest distance in units in the last place of the element type; NaNs equal each other.

    Floats are compared by their position among the floats of the type; integers by difference.
    Without `element` the arrays' own dtype decides.
    """
    a, b = np.asarray(a).ravel(), np.asarray(b).ravel()
    if a.size == 0:
        return 0
    pattern = element is not None and element.is_float and element.storage.kind == "u"
    if a.dtype.kind != "f" and not pattern:
        return int(np.abs(a.astype(np.int64) - b.astype(np.int64)).max())
    if pattern:
        assert element is not None
        a, b = (x if x.dtype == element.storage else element.to_storage(x) for x in (a, b))
        nan_a, nan_b = np.isnan(element.from_storage(a)), np.isnan(element.from_storage(b))
    else:
        nan_a, nan_b = np.isnan(a), np.isnan(b)
    distance = np.abs(_ordinal(a) - _ordinal(b))
    distance[nan_a ^ nan_b] = np.iinfo(np.int64).max
    return int(np.where(nan_a & nan_b, 0, distance).max())


def _ordinal(x: NDArray[Any]) -> NDArray[np.int64]:
    bits = x.view(f"i{x.dtype.itemsize}").astype(np.int64)
    least = -(1 << (8 * x.dtype.itemsize - 1))
    return np.where(bits < 0, least - bits, bits)
