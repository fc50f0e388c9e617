"""`spyrecode.json`: the two job plans, written and checked by the rules of torch-spyre's own loader.

Numbers are decimal strings. Both the loader's key names and those of the published specification are
read (`init_bin_file`/`file_path`, `dirn`/`direction`, `size`/`oshape`); the loader's are written.
Source of the rules: torch-spyre csrc/prepare_kernel.cpp.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ..diagnostics import Position, fail

__all__ = [
    "SEGMENT_BASE",
    "SEGMENT_SIZE",
    "ComputeOnDevice",
    "ComputeOnHost",
    "DataTransfer",
    "InitTransfer",
    "Job",
    "Plan",
    "Symbol",
    "build_plan",
    "read_plan",
    "symbol_table",
]

SEGMENT_BASE = 7 << 34  # segment 7 of 8, 16 GiB each: reserved for SpyreCode
SEGMENT_SIZE = 1 << 34
HCM_FORMAT = "tilesat-symbols-1"
_NUMBER_LIMIT = 1 << 63


@dataclass(frozen=True, slots=True)
class Symbol:
    """Row `index` of section `symbols`, by `kind`.

    `address`: a buffer's byte address, or the value if the argument is an integer; `scalar`: a number in
    `dtype`, sign-extended, or a float's bit pattern.
    """

    index: int
    argument: int
    kind: str = "address"  # or "scalar"
    dtype: str = "index"


@dataclass(frozen=True, slots=True)
class InitTransfer:
    file: str
    dev_ptr: int
    size: int


@dataclass(frozen=True, slots=True)
class ComputeOnHost:
    """Fills host buffer `ohandle` of `size` bytes from the launch arguments, as `hcm` says."""

    ohandle: str
    size: int
    ihandle: str
    hcm: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DataTransfer:
    to_device: bool
    host_handle: str
    dev_ptr: int
    size: int


@dataclass(frozen=True, slots=True)
class ComputeOnDevice:
    job_bin_ptr: int
    name: str


@dataclass(frozen=True, slots=True)
class Plan:
    """`allocate` bytes at SEGMENT_BASE; `preparation` once per kernel, `execution` at every launch."""

    allocate: int
    preparation: tuple[InitTransfer, ...]
    execution: tuple[ComputeOnHost | DataTransfer | ComputeOnDevice, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """One program in the file: where it starts, and where its symbols are. All offsets are in the file."""

    offset: int
    symbols_offset: int
    symbols_size: int
    symbols: tuple[Symbol, ...]


def build_plan(
    name: str,
    binary_size: int,
    jobs: Sequence[Job],
    arguments: Sequence[Mapping[str, str]] = (),
    file: str = "init_binary.bin",
) -> dict[str, Any]:
    """The JSON object for a program file: all corrections, then the programs in order."""
    base = SEGMENT_BASE
    steps: list[dict[str, Any]] = []
    for k, job in enumerate(jobs):
        if not job.symbols:
            continue
        vdci: dict[str, Any] = {"format": HCM_FORMAT, "section": "symbols"}
        if arguments:
            vdci["arguments"] = [dict(a) for a in arguments]
        hcm = {
            "vdci": vdci,
            "senConstants": [
                {"symbol": str(s.index), "argument": str(s.argument), "kind": s.kind, "dtype": s.dtype}
                for s in job.symbols
            ],
        }
        handle, size = f"corr{k}", str(job.symbols_size)
        properties = {"ihandle": "", "ishape": ["0"], "ohandle": handle, "size": size, "hcm": hcm}
        steps.append({"command": "ComputeOnHost", "properties": properties})
        properties = {
            "dirn": "false",
            "host_handle": handle,
            "dev_ptr": str(base + job.symbols_offset),
            "size": size,
        }
        steps.append({"command": "DataTransfer", "properties": properties})
    for k, job in enumerate(jobs):
        properties = {"job_bin_ptr": str(base + job.offset), "name": f"{name}#{k}"}
        steps.append({"command": "ComputeOnDevice", "properties": properties})
    init = {"init_bin_file": file, "dev_ptr": str(base), "size": str(binary_size)}
    return {
        "JobPreparationPlan": [
            {"command": "Allocate", "properties": {"size": str(binary_size)}},
            {"command": "InitTransfer", "properties": init},
        ],
        "JobExecPlan": steps,
    }


def read_plan(data: Any, file: str = "spyrecode.json") -> Plan:
    """Check and read a plan (JSON text or object). SPY030: it breaks a rule of the loader."""
    reader = _Reader(Position(file))
    if isinstance(data, (str, bytes)):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as error:
            reader.reject(f"not JSON: {error}")
    if not isinstance(data, dict):
        reader.reject("the top level is not an object")
    return reader.plan(data)


class _Reader:
    def __init__(self, position: Position) -> None:
        self.position = position
        self.handles: set[str] = set()

    def reject(self, what: str) -> NoReturn:
        fail(
            "SPY030", f"{self.position.file}: {what}", self.position, "see docs/isa.md and the loader's rules"
        )

    def plan(self, data: dict[str, Any]) -> Plan:
        preparation = self.steps(data, "JobPreparationPlan")
        if len(preparation) < 2 or preparation[0][0] != "Allocate":
            self.reject("JobPreparationPlan needs an Allocate and then at least one InitTransfer")
        size = self.number(preparation[0][1], "Allocate", "size")
        transfers = []
        for command, properties in preparation[1:]:
            if command != "InitTransfer":
                self.reject(f"JobPreparationPlan: {command} after Allocate; only InitTransfer may follow")
            transfers.append(self.init_transfer(properties))
        for t in transfers:
            if t.dev_ptr - SEGMENT_BASE + t.size > size:
                self.reject(f"InitTransfer of {t.size} bytes does not fit the allocation of {size}")
        execution = tuple(self.step(c, p, size) for c, p in self.steps(data, "JobExecPlan"))
        self.order(execution)
        return Plan(size, tuple(transfers), execution)

    def steps(self, data: dict[str, Any], key: str) -> list[tuple[str, dict[str, Any]]]:
        steps = data.get(key)
        if not isinstance(steps, list) or not steps:
            self.reject(f"{key} is missing or not a list of steps")
        result = []
        for i, step in enumerate(steps):
            if not isinstance(step, dict) or not isinstance(step.get("properties"), dict):
                self.reject(f"{key}[{i}] is not {{command, properties}}")
            result.append((str(step.get("command")), step["properties"]))
        return result

    def text(self, properties: dict[str, Any], command: str, *names: str) -> str:
        for name in names:
            if name in properties:
                if isinstance(properties[name], str):
                    return str(properties[name])
                self.reject(f"{command}: {name} is not a string")
        self.reject(f"{command}: no {names[0]}")

    def number(self, properties: dict[str, Any], command: str, *names: str) -> int:
        text = self.text(properties, command, *names)
        if not (text.isascii() and text.isdigit()) or int(text) >= _NUMBER_LIMIT:
            self.reject(f"{command}: {names[0]} = `{text[:40]}` is not a non-negative decimal number")
        return int(text)

    def device_address(self, properties: dict[str, Any], command: str, name: str) -> int:
        address = self.number(properties, command, name)
        if not SEGMENT_BASE <= address < SEGMENT_BASE + SEGMENT_SIZE:
            self.reject(f"{command}: {name} = {address} is outside segment 7")
        if address % 128:
            self.reject(f"{command}: {name} = {address} is not a multiple of 128")
        return address

    def init_transfer(self, properties: dict[str, Any]) -> InitTransfer:
        file = self.text(properties, "InitTransfer", "init_bin_file", "file_path")
        address = self.device_address(properties, "InitTransfer", "dev_ptr")
        return InitTransfer(file, address, self.number(properties, "InitTransfer", "size"))

    def step(
        self, command: str, properties: dict[str, Any], allocated: int
    ) -> ComputeOnHost | DataTransfer | ComputeOnDevice:
        if command == "ComputeOnHost":
            return self.host(properties)
        if command == "DataTransfer":
            return self.transfer(properties, allocated)
        if command == "ComputeOnDevice":
            address = self.device_address(properties, command, "job_bin_ptr")
            return ComputeOnDevice(address, str(properties.get("name", "")))
        self.reject(f"JobExecPlan: unknown command {command}")

    def host(self, properties: dict[str, Any]) -> ComputeOnHost:
        handle = self.text(properties, "ComputeOnHost", "ohandle")
        if handle in self.handles:
            self.reject(f"ComputeOnHost: ohandle `{handle}` exists already")
        ihandle = self.text(properties, "ComputeOnHost", "ihandle")
        if ihandle not in ("", "iargs", *self.handles):
            self.reject(f"ComputeOnHost: ihandle `{ihandle}` does not exist")
        hcm = properties.get("hcm")
        if not isinstance(hcm, dict):
            self.reject("ComputeOnHost: hcm is not an object")
        self.shape(properties, "ishape")
        if "size" in properties:
            size = self.number(properties, "ComputeOnHost", "size")
        else:
            size = self.shape(properties, "oshape")
        self.handles.add(handle)
        return ComputeOnHost(handle, size, ihandle, hcm)

    def shape(self, properties: dict[str, Any], name: str) -> int:
        shape = properties.get(name)
        if not isinstance(shape, list) or not all(_signed(x) for x in shape):
            self.reject(f"ComputeOnHost: {name} is not a list of decimal strings")
        product = 1
        for extent in shape:
            product *= int(extent)
        return product

    def transfer(self, properties: dict[str, Any], allocated: int) -> DataTransfer:
        direction = properties.get("dirn", properties.get("direction"))
        spellings = {"false": True, "true": False, "0": True, "1": False}
        if str(direction).lower() not in spellings:
            self.reject(f"DataTransfer: dirn = `{direction}` is neither `false` (to the device) nor `true`")
        to_device = spellings[str(direction).lower()]
        handle = self.text(properties, "DataTransfer", "host_handle")
        if to_device and handle not in self.handles:
            self.reject(f"DataTransfer: host_handle `{handle}` was not made by a ComputeOnHost before")
        if not to_device and handle in self.handles:
            self.reject(f"DataTransfer: host_handle `{handle}` exists already")
        self.handles.add(handle)
        address = self.device_address(properties, "DataTransfer", "dev_ptr")
        size = self.number(properties, "DataTransfer", "size")
        if address - SEGMENT_BASE + size > allocated:
            self.reject(f"DataTransfer: {size} bytes at {address} are outside the allocation")
        return DataTransfer(to_device, handle, address, size)

    def order(self, execution: tuple[Any, ...]) -> None:
        """With host steps: [ComputeOnHost, DataTransfer to the device] × n, then ComputeOnDevice."""
        if not any(isinstance(s, ComputeOnDevice) for s in execution):
            self.reject("JobExecPlan has no ComputeOnDevice")
        hosts = sum(isinstance(s, ComputeOnHost) for s in execution)
        for i in range(hosts):
            pair = execution[2 * i : 2 * i + 2]
            first, second = (*pair, None, None)[:2]
            ok = isinstance(first, ComputeOnHost) and isinstance(second, DataTransfer) and second.to_device
            if not ok:
                self.reject(
                    "JobExecPlan: each ComputeOnHost needs its DataTransfer next, before any ComputeOnDevice"
                )


def _signed(text: object) -> bool:
    return isinstance(text, str) and text.removeprefix("-").isdigit()


def symbol_table(host: ComputeOnHost, file: str = "spyrecode.json") -> list[Symbol]:
    """The symbols a `ComputeOnHost` of ours fills. SPY031: hcm of another format."""
    vdci = host.hcm.get("vdci", {})
    if not isinstance(vdci, dict) or vdci.get("format") != HCM_FORMAT:
        message = f"{file}: hcm has not the format {HCM_FORMAT}"
        fail("SPY031", message, Position(file), "only programs assembled by tilesat can be launched here")
    result = []
    for entry in host.hcm.get("senConstants", ()):
        try:
            index, argument = int(entry["symbol"]), int(entry["argument"])
            result.append(Symbol(index, argument, str(entry["kind"]), str(entry.get("dtype", "index"))))
        except (TypeError, KeyError, ValueError):
            fail("SPY031", f"{file}: `{entry}` does not describe a symbol", Position(file))
    return result
