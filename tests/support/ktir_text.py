"""Pieces of KTIR text for kernels written in tests."""

from __future__ import annotations

import numpy as np

CONSTANTS = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 3, 4, 8, 16))


def dims(extents: list[int]) -> str:
    return "x".join(map(str, extents))


def box(*extents: int) -> str:
    names = [f"d{k}" for k in range(len(extents))]
    bounds = ", ".join(f"{d} >= 0, {n - 1} - {d} >= 0" for d, n in zip(names, extents, strict=True))
    return f"affine_set<({', '.join(names)}) : ({bounds})>"


def identity(rank: int) -> str:
    names = ", ".join(f"d{k}" for k in range(rank))
    return f"affine_map<({names}) -> ({names})>"


def view(
    name: str, base: str, shape: list[int], element: str = "f32", strides: list[int] | None = None
) -> str:
    strides = strides or [int(np.prod(shape[k + 1 :])) for k in range(len(shape))]
    return (
        f"%{name} = ktdp.construct_memory_view %{base}, sizes: {shape}, strides: {strides} "
        f"{{coordinate_set = {box(*shape)}, memory_space = #ktdp.memory_space<global>}} "
        f": memref<{dims(shape)}x{element}>\n"
    )


def tile(name: str, of: str, at: str, view_shape: list[int], shape: list[int], element: str = "f32") -> str:
    return (
        f"%{name} = ktdp.construct_access_tile %{of}[{at}] "
        f"{{access_tile_order = {identity(len(shape))}, access_tile_set = {box(*shape)}}} "
        f": memref<{dims(view_shape)}x{element}> -> !ktdp.access_tile<{dims(shape)}xindex>\n"
    )


def load(name: str, of: str, shape: list[int], element: str = "f32") -> str:
    t = f"tensor<{dims(shape)}x{element}>"
    return f"%{name} = ktdp.load %{of} : !ktdp.access_tile<{dims(shape)}xindex> -> {t}\n"


def store(value: str, to: str, shape: list[int], element: str = "f32") -> str:
    t = f"tensor<{dims(shape)}x{element}>"
    return f"ktdp.store %{value}, %{to} : {t}, !ktdp.access_tile<{dims(shape)}xindex>\n"


def reduce(
    name: str, op: str, of: str, init: str, shape: list[int], along: list[int], element: str = "f32"
) -> str:
    rest = [n for k, n in enumerate(shape) if k not in along]
    result = f"tensor<{dims(rest)}x{element}>" if rest else f"tensor<{element}>"
    return (
        f"%{name} = linalg.reduce {{ {op} }} ins(%{of} : tensor<{dims(shape)}x{element}>) "
        f"outs(%{init} : {result}) dimensions = {along}\n"
    )


def spread(name: str, of: str, shape: list[int], along: list[int], element: str = "f32") -> str:
    """linalg.broadcast to `shape`, adding the dimensions `along`."""
    rest = dims([n for k, n in enumerate(shape) if k not in along])
    return (
        f"%{name}_e = tensor.empty() : tensor<{dims(shape)}x{element}>\n"
        f"%{name} = linalg.broadcast ins(%{of} : tensor<{rest}x{element}>) "
        f"outs(%{name}_e : tensor<{dims(shape)}x{element}>) dimensions = {along}\n"
    )


def full(name: str, number: str, shape: list[int], element: str = "f32") -> str:
    return f"%{name} = arith.constant dense<{number}> : tensor<{dims(shape)}x{element}>\n"


def kernel(args: str, body: str, grid: str = "[1]") -> str:
    return f"module {{ func.func @k({args}) attributes {{grid = {grid}}} {{\n{body}return\n}} }}"
