"""Writing results so that nothing half-written is ever left: to a temporary name, then renamed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .diagnostics import Position, fail

__all__ = ["write_directory", "write_text"]


def write_text(path: str | Path, content: str | bytes) -> None:
    """Write a file atomically, making its folder if need be. IO002: cannot write."""
    path = Path(path)
    with _reported(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content.encode() if isinstance(content, str) else content)
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def write_directory(path: str | Path, files: Mapping[str, str | bytes]) -> None:
    """Put `files` (relative name → content) in a directory, replacing an earlier result as a whole.

    A directory that holds anything we did not write is refused (IO003) rather than deleted.
    """
    path = Path(path)
    with _reported(path):
        _refuse_foreign(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
        try:
            for name, content in files.items():
                target = temporary / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.encode() if isinstance(content, str) else content)
            os.chmod(temporary, 0o777 & ~_umask())
            if path.exists():
                shutil.rmtree(path)
            os.replace(temporary, path)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise


def _refuse_foreign(path: Path) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        fail("IO003", f"{path} exists and is not a directory", Position(str(path)), "choose another -o")
    entries = {p.name for p in path.iterdir()}
    if entries and "spyrecode.json" not in entries:
        fail(
            "IO003",
            f"{path} exists and is not a SpyreCode directory",
            Position(str(path)),
            "choose another -o",
        )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        fail("IO002", f"cannot write {path}: {error.strerror or error}", Position(str(path)))
