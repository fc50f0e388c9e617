"""DataflowIR as files: the declaration module in global.mlir, each program in a file of its own."""

from __future__ import annotations

from pathlib import Path

from ..ktir import print_module
from ..ktir.ir import Module, Op
from ..writing import write_text

__all__ = ["split_files", "write"]


def split_files(module: Module) -> dict[str, str]:
    """File name → text: upstream's split form. A module that is not made of modules is one file."""
    parts = module.op.regions[0].blocks[0].ops
    if not parts or any(op.name != "builtin.module" for op in parts):
        return {"global.mlir": print_module(module)}
    return {_name(op): print_module(Module(op, module.file)) for op in parts}


def _name(op: Op) -> str:
    name = op.attributes.get("sym_name")
    return f"{name}.mlir" if name else "global.mlir"


def write(module: Module, directory: str | Path) -> list[Path]:
    """Write the files, each to a temporary name first. Gives their paths. Raises IO002."""
    files = split_files(module)
    for name, text in files.items():
        write_text(Path(directory) / name, text)
    return [Path(directory) / name for name in files]
