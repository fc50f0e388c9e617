"""Every fault of the input: a diagnostic with its place, the right exit status, nothing left behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

GOOD = "add_96x64.mlir"


def kernel(tmp_path: Path, examples: Path, old: str, new: str, count: int = 1) -> Path:
    """A copy of a good kernel with one thing changed."""
    text = (examples / GOOD).read_text()
    assert old in text
    (tmp_path / "bad").mkdir()
    path = tmp_path / "bad" / "k.mlir"
    path.write_text(text.replace(old, new, count))
    return path


def place(path: Path, needle: str, inside: str = "") -> str:
    """`file:line:column` of `needle` (or of `inside` within the line that holds it)."""
    for n, line in enumerate(path.read_text().splitlines(), 1):
        if needle in line:
            return f"{path}:{n}:{line.index(inside or needle) + 1}"
    raise AssertionError(f"{needle} is not in {path}")


def refused(result, *parts: str, status: int = 1) -> None:
    assert result.status == status, result
    assert result.out == ""
    for part in parts:
        assert part in result.err
    assert not [p for p in Path().iterdir() if p.name != "bad"], "something was left behind"


def test_missing_file(tilesat) -> None:
    refused(tilesat("compile", "absent.mlir"), "absent.mlir: error[IO001]: cannot read absent.mlir", "help:")


def test_a_folder_that_is_no_spyrecode(tilesat, tmp_path) -> None:
    (tmp_path / "bad").mkdir()
    refused(tilesat("run", "bad"), "bad", "error[")


def test_a_grid_that_is_none_is_the_only_fault(tilesat, tmp_path, examples) -> None:
    path = kernel(tmp_path, examples, "grid = [32]", "grid = [0]")
    result = tilesat("check", path)
    refused(result, f"{place(path, 'func.func')}: error[FUNC001]: grid must be")
    assert result.err.count("error[") == 1


def test_unknown_arch_names_the_option_and_what_there_is(tilesat, examples) -> None:
    refused(tilesat("compile", examples / GOOD, "--arch", "spyr"), "--arch spyr: error[ARCH001]", "`spyre`")


@pytest.mark.parametrize(
    ("override", "code"),
    [("core.lx.size=many", "ARCH010"), ("core.lxx.size=1MiB", "ARCH003"), ("core.lx.size", "ARCH003")],
)
def test_bad_override(tilesat, examples, override: str, code: str) -> None:
    refused(tilesat("compile", examples / GOOD, "--set", override), f"--set {override}: error[{code}]")


def test_unknown_strategy(tilesat, examples) -> None:
    refused(tilesat("compile", examples / GOOD, "--strategy", "defalt"), "error[", "defalt", "default")


def test_unknown_option_and_value(tilesat, examples) -> None:
    refused(
        tilesat("check", examples / GOOD, "--option", "numeric=ieee"), "--option numeric=ieee: error[OPT002]"
    )
    refused(
        tilesat("check", examples / GOOD, "--option", "numerics=f8"), "--option numerics=f8: error[OPT001]"
    )


@pytest.mark.parametrize("command", ["compile", "check", "run", "explain", "reference"])
def test_unknown_op(tilesat, tmp_path, examples, command: str) -> None:
    path = kernel(tmp_path, examples, "arith.muli %id", "arith.mulli %id")
    refused(tilesat(command, path), place(path, "arith.mulli"), "unknown operation `arith.mulli`", "^")


def test_unknown_op_of_ours(tilesat, tmp_path, examples) -> None:
    path = kernel(tmp_path, examples, "ktdp.load %xt", "ktdp.loud %xt")
    refused(tilesat("compile", path), place(path, "ktdp.loud"), "ktdp.loud", "^")


def test_type_mismatch(tilesat, tmp_path, examples) -> None:
    path = kernel(tmp_path, examples, "ktdp.load %xt : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>",
                  "ktdp.load %xt : !ktdp.access_tile<1x64xindex> -> tensor<1x32xf16>")  # fmt: skip
    refused(tilesat("compile", path), str(path), "error[", "tensor<1x32xf16>", "^")


def test_unknown_entry(tilesat, examples) -> None:
    refused(tilesat("compile", examples / GOOD, "--entry", "main"), "no function `main`", "add_96x64")


def test_no_kernel_in_the_file(tilesat, tmp_path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "empty.mlir").write_text("module {\n}\n")
    refused(tilesat("compile", "bad/empty.mlir"), "bad/empty.mlir:1:1: error[")


@pytest.mark.parametrize("text", [b"\xff\xfe junk", b"module {", b"}" * 50, b"(" * 20000, b"\0" * 64])
def test_junk(tilesat, tmp_path, text: bytes) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "junk.mlir").write_bytes(text)
    refused(tilesat("compile", "bad/junk.mlir"), "bad/junk.mlir:1:", "error[")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--nonsense"],
        ["compile"],
        ["frobnicate"],
        ["compile", "k.mlir", "--emit", "binary"],
        ["run", "k.mlir", "--arg", "x"],
        ["run", "k.mlir", "--arg", "=x.npy"],
        ["arch"],
        ["arch", "diff", "spyre"],
    ],
)
def test_usage(tilesat, words: list[str]) -> None:
    result = tilesat(*words)
    assert result.status == 2
    assert "Usage:" in result.err and not list(Path().iterdir())


class TestBuffers:
    """What a launch is given is checked against the kernel's views before anything runs."""

    @pytest.fixture
    def files(self, tmp_path) -> Path:
        folder = tmp_path / "bad"
        folder.mkdir()
        np.save(folder / "good.npy", np.zeros((96, 64), np.float16))
        np.save(folder / "small.npy", np.zeros((95, 64), np.float16))
        np.save(folder / "wide.npy", np.zeros((96, 64), np.float32))
        return folder

    @pytest.mark.parametrize("command", ["run", "reference"])
    @pytest.mark.parametrize(
        ("y", "code", "says"),
        [
            ("small.npy", "ARG006", "used up to element 6144, the array has 6080"),
            ("wide.npy", "ARG005", "used as f16, the array has dtype float32"),
            ("absent.npy", "ARG001", "absent.npy"),
        ],
    )
    def test_bad_buffer(self, tilesat, examples, files, command: str, y: str, code: str, says: str) -> None:
        good = files / "good.npy"
        result = tilesat(
            command, examples / GOOD, "--arg", f"x={good}", "--arg", f"y={files / y}", "--arg", f"2={good}",
            "--out", "2=z.npy",
        )  # fmt: skip
        refused(result, f"error[{code}]", says)
        if code != "ARG001":
            assert place(examples / GOOD, "construct_memory_view %y", "ktdp.construct") in result.err

    @pytest.mark.parametrize("command", ["run", "reference"])
    def test_missing_argument(self, tilesat, examples, files, command: str) -> None:
        result = tilesat(command, examples / GOOD, "--arg", f"x={files / 'good.npy'}")
        refused(result, "error[ARG002]", "argument 1 (%y)")

    def test_missing_memory(self, tilesat, examples, files) -> None:
        path = examples / "baked_add.mlir"
        result = tilesat(
            "run", path, "--mem", f"4096={files / 'good.npy'}", "--mem", f"16384={files / 'good.npy'}"
        )
        refused(
            result, place(path, "construct_memory_view %c32768", "ktdp.construct"), "ARG002", "--mem 32768="
        )


def test_an_arch_too_small_for_one_vector_step(tilesat, examples) -> None:
    path = examples / GOOD
    result = tilesat("compile", path, "--set", "core.lx.size=128B", "--set", "core.lx.reserved=0B")
    refused(result, f"{path}:", "error[", "lx")


def test_no_traceback_from_the_real_command(examples, tmp_path) -> None:
    command = [sys.executable, "-m", "tilesat", "compile", str(examples / GOOD), "--arch", "nope"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and "ARCH001" in done.stderr


# --- what the compiler cannot schedule yet, or a machine cannot do --------------------------------------


def lacking(tmp_path: Path, repository: Path, *removed: str) -> Path:
    """The shipped machine without these parts of its file."""
    text = (repository / "archs" / "spyre.yaml").read_text()
    for part in removed:
        assert part in text
        text = text.replace(part, "")
    (tmp_path / "bad").mkdir()
    path = tmp_path / "bad" / "lacking.yaml"
    path.write_text(text)
    return path


def test_a_class_that_the_machine_lacks(tilesat, tmp_path, repository, examples) -> None:
    arch = lacking(tmp_path, repository, "            transcendental: {rate: 4, latency: 16}\n")
    kernel = examples / "exp_in_place.mlir"
    refused(
        tilesat("compile", kernel, "--arch", arch),
        f"{place(kernel, 'math.exp')}: error[ARCH023]: `math.exp` needs a unit",
        "`transcendental`",
        "`sfu` has no such class",
    )


def test_a_dtype_that_the_machine_lacks(tilesat, tmp_path, repository, examples) -> None:
    arch = lacking(tmp_path, repository, " bf16: 64,", " bf16: 512,")
    kernel = examples / "mul_bf16.mlir"
    refused(
        tilesat("compile", kernel, "--arch", arch),
        f"{place(kernel, 'arith.mulf')}: error[ARCH023]: `arith.mulf` needs a unit",
        "on bf16",
        "`sfu` has no bf16",
    )


@pytest.mark.parametrize("strategy", ["default", "none"])
def test_reductions_and_contractions_are_named(tilesat, examples, strategy) -> None:
    kernel = examples / "nn" / "matmul.mlir"
    result = tilesat("compile", kernel, "--strategy", strategy)
    refused(result, f"{place(kernel, 'linalg.matmul')}: error[COST002]: a contraction", "Limits")
    kernel = examples / "nn" / "rms_norm_split.mlir"
    result = tilesat("compile", kernel, "--strategy", strategy)
    refused(result, f"{place(kernel, 'linalg.reduce')}: error[COST002]: a reduction")
    assert "another strategy" not in result.err


def test_too_little_program_memory_names_the_kernel(tilesat, examples) -> None:
    kernel = examples / "chain.mlir"
    refused(tilesat("compile", kernel, "--set", "limits.program=64B"), f"{kernel}: error[SPY068]")


def test_negative_seed(tilesat, examples) -> None:
    refused(tilesat("run", examples / GOOD, "--random", "-1"), "--random", status=2)


def test_gathers_are_refused_with_their_place(tilesat, examples) -> None:
    kernel = examples / "ops" / "ktdp_gather.mlir"
    refused(tilesat("compile", kernel), f"{place(kernel, '%gv =', 'ktdp.load')}: error[DFLOW040]")


# --- arguments on the command line ------------------------------------------------------------------------


def test_a_missing_number_has_the_place_of_its_declaration(tilesat, examples) -> None:
    kernel = examples / "given_step.mlir"
    result = tilesat("run", kernel, "--random", "1")
    refused(result, f"{place(kernel, 'func.func', '%step')}: error[ARG002]", "(%step), a number")


def test_random_shapes_are_those_of_the_views(tilesat, examples) -> None:
    for kernel in (examples / "rows3.mlir", "rows3.spyrecode"):
        assert tilesat("compile", examples / "rows3.mlir").status == 0
        assert tilesat("run", kernel, "--random", "1", "--out", "z=z.npy").status == 0
        assert np.load("z.npy").shape == (3, 64)


def test_random_for_dataflow_says_what_it_lacks(tilesat, tmp_path, examples) -> None:
    (tmp_path / "bad").mkdir()
    path = tmp_path / "bad" / "rows3.mlir"
    path.write_text(tilesat("compile", examples / "rows3.mlir", "--emit", "dataflow").out)
    refused(tilesat("run", path, "--random", "1"), f"{path}: error[ARG002]", "--random", "dtype and size")


def test_a_transposed_array_is_a_warning(tilesat, examples) -> None:
    np.save("x.npy", np.zeros((64, 3), np.float16))
    result = tilesat("run", examples / "rows3.mlir", "--random", "1", "--arg", "x=x.npy")
    assert result.status == 0 and "warning[ARG008]" in result.err and "3x64" in result.err


def test_memory_that_no_view_uses(tilesat, tmp_path, examples) -> None:
    (tmp_path / "bad").mkdir()
    file = tmp_path / "bad" / "x.npy"
    np.save(file, np.zeros(64, np.float16))
    words = ("run", examples / "rows3.mlir", "--random", "1", "--mem", f"77={file}")
    refused(tilesat(*words), "--mem 77=…: error[ARG003]")


def test_check_without_ktir_names_what_was_given(tilesat, examples) -> None:
    tilesat("compile", examples / "rows3.mlir")
    result = tilesat("run", "rows3.spyrecode", "--random", "1", "--check")
    assert result.status == 1 and "rows3.spyrecode: error[COMP002]" in result.err
