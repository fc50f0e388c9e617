"""Files appear whole or not at all."""

from __future__ import annotations

import os

import pytest
from tilesat.diagnostics import TilesatError
from tilesat.writing import write_directory, write_text


def test_text_replaces_and_makes_folders(tmp_path) -> None:
    target = tmp_path / "deep" / "er" / "file.txt"
    write_text(target, "one")
    write_text(target, b"two")
    assert target.read_text() == "two"
    assert [p.name for p in target.parent.iterdir()] == ["file.txt"]


def test_files_get_ordinary_permissions(tmp_path) -> None:
    write_text(tmp_path / "a", "x")
    (tmp_path / "b").write_text("x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_unwritable_is_a_diagnostic_and_leaves_nothing(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    for write in (
        lambda: write_text(tmp_path / "file" / "x.txt", "text"),
        lambda: write_directory(tmp_path / "file" / "x", {"a": "b"}),
    ):
        with pytest.raises(TilesatError, match="cannot write") as caught:
            write()
        assert caught.value.diagnostics[0].code == "IO002"
    assert os.listdir(tmp_path) == ["file"]


def test_directory_is_replaced_as_a_whole(tmp_path) -> None:
    target = tmp_path / "k.spyrecode"
    write_directory(target, {"spyrecode.json": "{}", "debug/old.txt": "old"})
    write_directory(target, {"spyrecode.json": "{1}", "new.bin": b"\x00"})
    assert sorted(p.name for p in target.iterdir()) == ["new.bin", "spyrecode.json"]
    assert os.listdir(tmp_path) == ["k.spyrecode"]


def test_a_failure_halfway_keeps_the_earlier_result(tmp_path) -> None:
    target = tmp_path / "k.spyrecode"
    write_directory(target, {"spyrecode.json": "{}"})
    with pytest.raises(TilesatError):
        write_directory(target, {"spyrecode.json": "{new}", "a": "file", "a/b": "needs a folder called a"})
    assert (target / "spyrecode.json").read_text() == "{}"
    assert os.listdir(tmp_path) == ["k.spyrecode"]


def test_foreign_folders_and_files_are_never_deleted(tmp_path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "precious.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("folder", "file"):
        with pytest.raises(TilesatError, match="exists and is not") as caught:
            write_directory(tmp_path / name, {"spyrecode.json": "{}"})
        assert caught.value.diagnostics[0].code == "IO003"
    assert (tmp_path / "folder" / "precious.txt").read_text() == "mine"


def test_an_empty_folder_may_be_used(tmp_path) -> None:
    write_directory(tmp_path, {"spyrecode.json": "{}"})
    assert os.listdir(tmp_path) == ["spyrecode.json"]
