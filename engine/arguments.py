"""Launch arguments: arrays from .npy files and numbers, named by position or SSA name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .diagnostics import Diagnostic, Position, fail
from .writing import write_text

if TYPE_CHECKING:
    from .numerics import DType
    from .options import Options

__all__ = [
    "Argument",
    "Arguments",
    "Bound",
    "Parameter",
    "bind",
    "in_storage",
    "load_arguments",
    "save_outputs",
    "shape_warnings",
    "with_random_buffers",
]

Argument = NDArray[Any] | int | float


@dataclass(frozen=True, slots=True)
class Parameter:
    """A formal argument of a kernel.

    `buffer`: a buffer's base address, a scalar (False), or unused (None: whatever is given will do).
    A buffer may know its element type, its least number of elements and, when the kernel sees it as one
    tensor only, that tensor's shape.
    """

    name: str
    buffer: bool | None
    dtype: str | None = None
    elements: int | None = None
    position: Position = field(default_factory=Position)
    shape: tuple[int, ...] | None = None

    def as_json(self) -> dict[str, str]:
        """As kept in SpyreCode's metadata, whose numbers are decimal strings."""
        kind = {True: "buffer", False: "scalar", None: "unused"}[self.buffer]
        entry = {"name": self.name, "kind": kind}
        if self.dtype is not None:
            entry["dtype"] = self.dtype
        if self.elements is not None:
            entry["elements"] = str(self.elements)
        if self.shape:
            entry["shape"] = "x".join(map(str, self.shape))
        return entry

    @staticmethod
    def from_json(entry: Mapping[str, str]) -> Parameter:
        buffer = {"buffer": True, "scalar": False}.get(entry.get("kind", ""))
        elements = entry.get("elements")
        least = int(elements) if elements else None
        shape = tuple(int(n) for n in entry.get("shape", "").split("x") if n) or None
        return Parameter(entry["name"], buffer, entry.get("dtype"), least, shape=shape)


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a launch was given: by name or position, and buffers at constant addresses."""

    named: Mapping[str, Argument] = field(default_factory=dict)
    memory: Mapping[int, NDArray[Any]] = field(default_factory=dict)

    @staticmethod
    def of(
        values: Sequence[Argument] | Mapping[str, Argument], memory: Mapping[int, NDArray[Any]] | None
    ) -> Arguments:
        named = values if isinstance(values, Mapping) else {str(i): v for i, v in enumerate(values)}
        return Arguments(dict(named), dict(memory or {}))


class HasOutputs(Protocol):
    @property
    def outputs(self) -> Sequence[Argument | None]: ...
    @property
    def memory(self) -> Mapping[int, NDArray[Any]]: ...
    @property
    def names(self) -> Sequence[str]: ...


def load_arguments(named: Mapping[str, str], memory: Mapping[str, str]) -> Arguments:
    """From the words of the command line. ARG001: unreadable file, or neither file nor number."""
    values = {name.lstrip("%"): _value(name, text) for name, text in named.items()}
    buffers: dict[int, NDArray[Any]] = {}
    for address, file in memory.items():
        try:
            number = int(address, 0)
        except ValueError:
            what = f"ADDRESS=FILE.npy is wanted, and `{address}` is not a number"
            fail("ARG001", what, Position(f"--mem {address}={file}"))
        buffers[number] = _array(f"at address {address}", file)
    return Arguments(values, buffers)


def _value(name: str, text: str) -> Argument:
    if text.endswith(".npy"):
        return _array(name, text)
    for number in (lambda: int(text, 0), lambda: float(text)):
        try:
            return number()
        except ValueError:
            continue
    fail("ARG001", f"`{text}` is neither a .npy file nor a number", Position(f"--arg {name}={text}"))


def _array(name: str, file: str) -> NDArray[Any]:
    try:
        return np.load(file, allow_pickle=False)  # type: ignore[no-any-return]
    except OSError as error:
        fail("ARG001", f"argument {name}: cannot read {file}: {error.strerror or error}", Position(file))
    except (ValueError, EOFError) as error:
        fail("ARG001", f"argument {name}: {file} is not a .npy array: {error}", Position(file))


@dataclass(frozen=True, slots=True)
class Bound:
    """A launch: arguments in call order and buffers at constant addresses, arrays in storage form
    (`numerics.DType.storage`). The dtypes are None where the kernel leaves them open."""

    values: Sequence[Argument]
    memory: Mapping[int, NDArray[Any]]
    dtypes: Sequence[DType | None]
    memory_dtypes: Mapping[int, DType]
    given: Arguments = field(repr=False)
    in_order: Sequence[Argument] = field(repr=False)

    def outputs(self, after: Sequence[Any]) -> list[NDArray[Any] | None]:
        """Buffers after a run in the form in which they were given: floats again where converted."""
        rows = zip(after, self.in_order, self.dtypes, strict=True)
        return [_restored(out, was, t) if isinstance(was, np.ndarray) else None for out, was, t in rows]

    def byte_address(self, at: int, options: Options) -> int:
        """Where a buffer at a constant address of the kernel lies in memory."""
        return at if options.address_unit == "bytes" else at * self.memory[at].itemsize

    def outputs_at(self, after: Mapping[int, NDArray[Any]]) -> dict[int, NDArray[Any]]:
        """The same for buffers at constant addresses."""
        types = self.memory_dtypes
        return {at: _restored(out, self.given.memory[at], types.get(at)) for at, out in after.items()}


def _restored(out: NDArray[Any], given: NDArray[Any], element: DType | None) -> NDArray[Any]:
    if element is None or out.dtype == given.dtype:
        return out
    return element.from_storage(out).astype(given.dtype)


def bind(
    parameters: Sequence[Parameter],
    given: Arguments,
    numerics: str = "ieee",
    memory_dtypes: Mapping[int, DType] | None = None,
) -> Bound:
    """Match what was given with the parameters.

    A buffer must have its element type's storage dtype. Types that NumPy lacks (bf16, df16; f16 too in the
    df16 modes of `numerics`) are stored as 16-bit patterns (uint16); a float16 or float32 array is accepted
    for them, rounded on its way in, and converted back on its way out.
    ARG002 missing, ARG003 unknown, ARG004 kind, ARG005 dtype, ARG006 size.
    """
    found = _in_call_order(parameters, given)
    dtypes = [_element_type(p, numerics) for p in parameters]
    values = [_fitting(i, p, v, t) for i, (p, v, t) in enumerate(zip(parameters, found, dtypes, strict=True))]
    types = dict(memory_dtypes or {})
    memory = {
        at: in_storage(f"the buffer at address {at}", array, types[at], Position()) if at in types else array
        for at, array in given.memory.items()
    }
    return Bound(values, memory, dtypes, types, given, found)


def with_random_buffers(parameters: Sequence[Parameter], given: Arguments, seed: int) -> Arguments:
    """Add random contents for buffers that were not given and whose dtype and size are known.

    Floats are normal, integers small and not negative. The same seed gives the same contents.
    ARG002: a buffer, or what may be one, whose dtype and size are not known.
    """
    from .numerics import dtype

    generator = np.random.default_rng(seed)
    named = dict(given.named)
    _refuse_unknown(parameters, named)
    for i, parameter in enumerate(parameters):
        if parameter.buffer is False or str(i) in named or parameter.name in named:
            continue
        if parameter.dtype is None or parameter.elements is None:
            if parameter.buffer is None and any(p.buffer is not None for p in parameters):
                continue  # the kernel's buffers are known: this is a number
            what = "dtype and size" if parameter.dtype is None else "size"
            message = (
                f"--random cannot fill argument {i} (%{parameter.name}): the kernel leaves its {what} open"
            )
            fail("ARG002", message, parameter.position, f"add --arg {parameter.name}=FILE.npy (or a number)")
        element = dtype(parameter.dtype)
        shape = parameter.shape or (parameter.elements,)
        if element.is_float:
            values = element.to_storage(element.round(generator.standard_normal(shape).astype(np.float32)))
        else:
            values = generator.integers(0, 2 if element.kind == "bool" else 100, shape)
        named[parameter.name] = values.astype(element.storage)
    return Arguments(named, given.memory)


def _in_call_order(parameters: Sequence[Parameter], given: Arguments) -> list[Argument]:
    values: list[Argument] = []
    left = dict(given.named)
    _refuse_unknown(parameters, left)
    for i, parameter in enumerate(parameters):
        keys = [k for k in (str(i), parameter.name) if k in left]
        if len(keys) > 1:
            fail("ARG003", f"argument {i} is given twice, as {keys[0]} and as {keys[1]}", parameter.position)
        if not keys:
            what = "a buffer (.npy)" if parameter.buffer else "a number"
            if parameter.buffer is None and all(p.buffer is None for p in parameters):
                what = "a buffer (.npy) or a number"  # a form of kernel that does not tell
            hint = f"add --arg {parameter.name}=… or --arg {i}=…"
            if parameter.buffer and parameter.elements is not None:
                hint += "; --random SEED fills the buffers that are not given"
            fail("ARG002", f"no value for argument {i} (%{parameter.name}), {what}", parameter.position, hint)
        values.append(left.pop(keys[0]))
    return values


def _refuse_unknown(parameters: Sequence[Parameter], named: Mapping[str, Argument]) -> None:
    names = [p.name for p in parameters]
    unknown = next((k for k in named if k not in names and k not in map(str, range(len(names)))), None)
    if unknown is not None:
        known = ", ".join(f"{i} or {name}" for i, name in enumerate(names))
        close = get_close_matches(unknown, names, 1)
        hint = (f"did you mean `{close[0]}`? " if close else "") + (
            f"known: {known}" if known else "it takes none"
        )
        where = Position(f"--arg {unknown}=…")
        fail("ARG003", f"the kernel has no argument `{unknown}`", where, hint)


def shape_warnings(parameters: Sequence[Parameter], given: Arguments) -> list[Diagnostic]:
    """Arrays with as many elements as the kernel's tensor in another order of dimensions, it seems."""
    found = []
    for i, p in enumerate(parameters):
        value = given.named.get(p.name, given.named.get(str(i)))
        if not isinstance(value, np.ndarray) or p.shape is None or value.size != p.elements:
            continue
        theirs, ours = ([n for n in shape if n != 1] for shape in (value.shape, p.shape))
        if len(theirs) > 1 and len(ours) > 1 and theirs != ours:
            message = f"argument {i} (%{p.name}) is used as {_by(p.shape)}, the array is {_by(value.shape)}"
            hint = (
                "elements are taken in row-major order: transpose the array, or reshape it if this is meant"
            )
            found.append(Diagnostic("ARG008", message, p.position, hint, "warning"))
    return found


def _by(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))


def _element_type(parameter: Parameter, numerics: str) -> DType | None:
    if parameter.dtype is None:
        return None
    from .numerics import dtype, resolve

    return resolve(dtype(parameter.dtype), numerics)


def _fitting(i: int, parameter: Parameter, value: Argument, element: DType | None) -> Argument:
    what = f"argument {i} (%{parameter.name})"
    where = parameter.position
    if not isinstance(value, (np.ndarray, int, float, np.number, np.bool_)):
        message = f"{what} is given a value of type {type(value).__name__}"
        fail("ARG004", message, where, "give a NumPy array or a number")
    if parameter.buffer is None:
        return value
    if not isinstance(value, np.ndarray):
        if parameter.buffer:
            message = f"{what} is the base address of a buffer, not the number {value}"
            fail("ARG004", message, where, "give an array (a .npy file)")
        return value
    if not parameter.buffer:
        if value.size != 1:
            fail("ARG004", f"{what} is a scalar, not an array of shape {value.shape}", where, "give a number")
        return value.item()  # type: ignore[no-any-return]
    if parameter.elements is not None and value.size < parameter.elements:
        message = f"{what} is used up to element {parameter.elements}, the array has {value.size} elements"
        fail("ARG006", message, where, f"give a buffer of at least {parameter.elements} elements")
    return value if element is None else in_storage(what, value, element, where)


def in_storage(what: str, value: NDArray[Any], element: DType, where: Position) -> NDArray[Any]:
    """An array in the storage form of its element type. ARG005: it has another dtype."""
    if value.dtype == element.storage:
        return value
    if element.is_float and element.storage.kind == "u" and value.dtype in (np.float16, np.float32):
        return element.to_storage(element.round(value.astype(np.float32)))
    wanted = element.storage.name if element.storage.kind != "u" else "float32"
    message = f"{what} is used as {element}, the array has dtype {value.dtype}"
    fail("ARG005", message, where, f"convert it: array.astype(np.{wanted})")


def save_outputs(result: HasOutputs, wanted: Mapping[str, str]) -> None:
    """Write buffers after a run: keys are positions, SSA names or, for `--mem` buffers, addresses."""
    for key, file in wanted.items():
        write_text(file, _npy(_find(result, key.lstrip("%"))))


def _find(result: HasOutputs, key: str) -> NDArray[Any]:
    for i, (name, value) in enumerate(zip(result.names, result.outputs, strict=True)):
        if key in (str(i), name) and isinstance(value, np.ndarray):
            return value
    try:
        return result.memory[int(key, 0)]
    except (ValueError, KeyError):
        buffers = [n for n, v in zip(result.names, result.outputs, strict=True) if isinstance(v, np.ndarray)]
        known = ", ".join([*buffers, *map(hex, result.memory)])
        fail("ARG007", "there is no such buffer", Position(f"--out {key}"), f"buffers: {known}")


def _npy(array: NDArray[Any]) -> bytes:
    from io import BytesIO

    stream = BytesIO()
    np.save(stream, array)
    return stream.getvalue()
