"""Files from users: `extends`, `set`, `--set`, and every fault with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tilesat.arch import load_arch
from tilesat.arch.files import parse
from tilesat.arch.report import check
from tilesat.diagnostics import Diagnostic, TilesatError
from tilesat.specs import package_file

TINY = package_file("archs", "tiny.yaml").read_text(encoding="utf-8")


def fault(path: Path | str, overrides: tuple[str, ...] = ()) -> Diagnostic:
    with pytest.raises(TilesatError) as error:
        load_arch(path, overrides)
    return error.value.diagnostics[0]


def write(folder: Path, text: str, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# -- extends and set ---------------------------------------------------------------------------------------


def test_extends_a_shipped_architecture(tmp_path: Path) -> None:
    text = """
arch: mine
extends: tiny
groups:
  core:
    count: {value: 2, assumed: twice as many}
    memories:
      pad:
        size: {value: 8 KiB, assumed: twice as much}
    units:
      storer: null
      putter:
        kind: PUTTER
        moves: [{from: alu, to: pad}]
        rate: {value: 32 B/cycle, assumed: wider}
        latency: {value: 1 cycle, assumed: near}
        fifo_depth: {value: 2 entries, assumed: short}
"""
    arch = load_arch(write(tmp_path, text))
    assert arch.name == "mine"
    assert arch.limits.grid_cores == 2
    assert arch.memories["pad"].size == 8192 and arch.memories["pad"].alignment == 16
    assert [h.unit for h in arch.hops("alu", "dram")] == ["putter", "mover"]
    assert "storer" not in arch.units
    assert arch.figures["core.pad.size"].position.file.endswith("mine.yaml")
    assert arch.figures["core.pad.alignment"].position.file.endswith("tiny.yaml")


def test_extends_a_file_next_to_it_and_set_comes_after_the_merge(tmp_path: Path) -> None:
    write(tmp_path, "{arch: a, extends: tiny, set: {core.pad.size: {value: 2 KiB, assumed: half}}}", "a.yaml")
    child = "{arch: b, extends: ./a.yaml, set: {core.alu.ops.divide.rate: {value: 99, assumed: slow}}}"
    arch = load_arch(write(tmp_path, child, "b.yaml"))
    assert arch.memories["pad"].size == 2048
    assert arch.compute["alu"].price("divide").rate == 99
    assert arch.compute["alu"].price("divide").latency == 14
    assert load_arch("tiny").compute["alu"].price("divide").rate == 12  # the original is untouched


@pytest.mark.parametrize(
    ("override", "path", "value"),
    [
        ("core.pad.size=1KiB", "core.pad.size", 1024),
        ("core.pad.read = 4 B/cycle", "core.pad.read", 4.0),  # absent in the file
        ("clock=200MHz", "clock", 2e8),
        ("limits.loop_count=100", "limits.loop_count", 100),
        ("sync.latency=9 cycles", "sync.latency", 9),
        ("core.count=3", "core.count", 3),
        ("core.loader.granularity=2B,32B", "core.loader.granularity", (32, 2)),
        ("core.storer.features=splat,mask", "core.storer.features", frozenset({"splat", "mask"})),
    ],
)
def test_overrides(override: str, path: str, value: object) -> None:
    assert load_arch("tiny", [override]).figures[path].value == value


def test_overrides_reach_the_model_and_the_last_one_wins() -> None:
    arch = load_arch(
        "tiny",
        ["core.alu.lanes.f16=4", "core.alu.ops.cast.rate=2", "core.pad.size=1KiB", "core.pad.size=2KiB"],
    )
    assert arch.compute["alu"].lanes("f16") == 4
    assert arch.compute["alu"].price("cast").rate == 2
    assert arch.memories["pad"].size == 2048


def test_a_faster_clock_slows_down_what_is_given_per_second() -> None:
    slow, fast = load_arch("spyre", ["clock=1.5GHz"]), load_arch("spyre", ["clock=3GHz"])
    assert fast.dram.read_bytes_per_cycle == slow.dram.read_bytes_per_cycle / 2
    assert fast.hops("ddr", "lx")[0].bytes_per_cycle == slow.hops("ddr", "lx")[0].bytes_per_cycle
    assert fast.memories["ddr"].latency == 2 * slow.memories["ddr"].latency


@pytest.mark.parametrize(
    ("override", "code", "says", "hint"),
    [
        ("core.pad.size", "ARCH003", "not an override", "core.lx.size=1MiB"),
        ("=1MiB", "ARCH003", "not an override", ""),
        ("cor.pad.size=1KiB", "ARCH003", "`cor`", "`core`"),
        ("core.pads.size=1KiB", "ARCH003", "does not name a quantity", "`pad`"),
        ("core.pad.sise=1KiB", "ARCH003", "does not name a quantity", "`size`"),
        ("core.pad=1KiB", "ARCH003", "does not name a quantity", "size"),
        ("core=2", "ARCH003", "does not name a quantity", "count"),
        ("core.pad.size.more=1KiB", "ARCH003", "does not name a quantity", ""),
        ("core.alu.ops=3", "ARCH003", "does not name a quantity", "ops.CLASS.rate"),
        ("core.alu.ops.fourier.rate=3", "ARCH003", "does not name a quantity", "elementwise"),
        ("core.alu.ops.cast.speed=3", "ARCH003", "does not name a quantity", "rate"),
        ("core.alu.lanes=3", "ARCH003", "does not name a quantity", "lanes.KEY"),
        ("ring.rate=1B/cycle", "ARCH003", "`ring`", "core"),
        ("core.pad.size=lots", "ARCH010", "`lots`", "2 MiB"),
        ("core.pad.size=3 ns", "ARCH011", "wrong unit", "2 MiB"),
        ("core.count=0", "ARCH012", "below", ""),
        ("core.count=1.5", "ARCH012", "not a whole number", "write a whole number: `1` or `2`"),
        ("core.pad.size=0.3B", "ARCH012", "not a whole number of B", "`0 B` or `1 B`"),
        ("clock=0 Hz", "ARCH012", "below", ""),
        ("core.alu.lanes.f8=4", "ARCH005", "`f8`", "f16"),
        ("core.alu.lanes.f16=16", "ARCH014", "16 lanes of f16 need 32 B", "at most 8"),
        ("core.loader.features=fly", "ARCH005", "`fly`", "splat"),
        ("core.pad.reserved=4KiB", "ARCH008", "nothing of memory `pad`", "reserve less"),
    ],
)
def test_bad_overrides(override: str, code: str, says: str, hint: str) -> None:
    diagnostic = fault("tiny", (override,))
    assert diagnostic.code == code
    assert says in diagnostic.message and hint in diagnostic.hint
    if code != "ARCH008":  # that one is at the memory
        assert override in diagnostic.position.file


# -- faults in files ---------------------------------------------------------------------------------------


def test_unknown_name() -> None:
    diagnostic = fault("spyr")
    assert diagnostic.code == "ARCH001"
    assert "`spyre`" in diagnostic.hint and "tiny" in diagnostic.hint


@pytest.mark.parametrize("name", ["", "a\0b.yaml", "a\nb"])
def test_not_a_name(name: str) -> None:
    assert fault(name).code == "ARCH001"


def test_missing_file(tmp_path: Path) -> None:
    diagnostic = fault(tmp_path / "none.yaml")
    assert diagnostic.code == "IO001" and "none.yaml" in diagnostic.position.file


def test_not_text(tmp_path: Path) -> None:
    path = tmp_path / "junk.yaml"
    path.write_bytes(b"\xff\xfe\x00junk")
    assert fault(path).code == "IO001"


@pytest.mark.parametrize("text", ["", "[]", "3", "arch", "a: [", "&a [*a]", "d: 2020-13-45", "{a: 1, a: 2}"])
def test_not_an_architecture(tmp_path: Path, text: str) -> None:
    assert fault(write(tmp_path, text)).code in ("SCHEMA001", "YAML001", "YAML002")


def test_extends_itself(tmp_path: Path) -> None:
    write(tmp_path, "{arch: a, extends: b.yaml}", "a.yaml")
    write(tmp_path, "{arch: b, extends: a.yaml}", "b.yaml")
    diagnostic = fault(tmp_path / "a.yaml")
    assert diagnostic.code == "ARCH002" and "a.yaml → b.yaml → a.yaml" in diagnostic.message
    assert (Path(diagnostic.position.file).name, diagnostic.position.line) == ("b.yaml", 1)


def test_extends_nothing_known(tmp_path: Path) -> None:
    diagnostic = fault(write(tmp_path, "arch: a\nextends: tinny\n"))
    assert (diagnostic.code, diagnostic.position.line, diagnostic.position.column) == ("ARCH001", 2, 10)


# (what to replace in tiny.yaml, with what, the code, a word of the message, the text at the reported place)
FAULTS = [
    (
        "size: {value: 4 KiB, assumed: one block of memory}",
        "size: {value: 4 KiB}",
        "SCHEMA001",
        "assumed",
        "{value",
    ),
    ("size: {value: 4 KiB, assumed", "size: {assumed", "SCHEMA001", "value", "{assumed"),
    ("size: {value: 4 KiB, ", "sise: {value: 4 KiB, ", "SCHEMA001", "sise", "{value: 4 KiB"),
    ("kind: scratchpad", "kind: cache", "SCHEMA001", "cache", "cache"),
    ("loop_count: {value: 255, assumed: 8-bit loop registers}", "loop_count: 255", "SCHEMA001", "255", "255"),
    ("[mask]", "[fly]", "SCHEMA001", "fly", "fly"),
    ("divide: {rate: 12, latency: 14}", "divide: {rate: 12}", "SCHEMA001", "latency", "{rate: 12}"),
    ("  core:\n", "  Core:\n", "SCHEMA001", "Core", "in: board"),
    ("{value: 4 KiB", "{value: 4 KB/s", "ARCH011", "bytes", "4 KB/s"),
    ("{value: 4 KiB", "{value: many", "ARCH010", "many", "many"),
    ("{value: 4 KiB", "{value: 0.3 B", "ARCH012", "whole", "0.3 B"),
    ("100 MHz", "0 MHz", "ARCH012", "below", "0 MHz"),
    ("[4 B]", "[4 B, x]", "ARCH010", "`x`", "x]"),
    ("f16: 8,", "f16: 0,", "ARCH012", "below", "0, bf16"),
    ("rate: 12,", "rate: fast,", "ARCH010", "fast", "fast"),
    (
        "        size: {value: 4 KiB, assumed: one block of memory}\n",
        "",
        "ARCH004",
        "`size`",
        "kind: scratchpad",
    ),
    ("        vector: {value: 16 B, assumed: eight f16 lanes}\n", "", "ARCH004", "`vector`", "kind: ALU"),
    ("        kind: LOADER\n", "", "ARCH004", "`kind`", "moves: [{from: pad, to: alu}]"),
    (
        "  latency: {value: 2 cycles, assumed: one register each way}\n",
        "  {}\n",
        "ARCH004",
        "`latency`",
        "{}",
    ),
    ("global: dram, ", "", "ARCH004", "`global`", "{ct_local"),
    ("        read: {value: 4 B/cycle, assumed: a 32-bit bus}\n", "", "ARCH004", "rates", "kind: dram"),
    ("ct_local: pad", "ct_local: lx", "ARCH005", "no memory `lx`", "lx}"),
    ("ct_local: pad", "ct_local: dram", "ARCH006", "one memory per core", "dram}"),
    ("grid: core", "grid: tile", "ARCH005", "no group `tile`", "tile"),
    ("in: board", "in: bord", "ARCH005", "no group `bord`", "bord"),
    ("    in: board\n", "", "ARCH006", "which group", "count: {value: 1, assumed: one core}"),
    ("{from: pad, to: alu}", "{from: pod, to: alu}", "ARCH005", "no memory `pod`", "pod"),
    ("{from: pad, to: alu}", "{from: pad, to: al}", "ARCH005", "no memory `al`", "al}"),
    ("      storer:\n", "      pad:\n", "ARCH007", "`pad` is used twice", "kind: STORER"),
    (
        "        fifo_depth: {value: 2 entries, assumed: the shortest queue that overlaps}\n",
        "",
        "ARCH004",
        "`fifo_depth` is missing in unit `loader`",
        "kind: LOADER",
    ),
    ("        moves: [{from: alu, to: pad}]\n", "", "ARCH009", "neither", "kind: STORER"),
    (
        "grid: core",
        "grid: board\nring: {over: core, rate: {value: 1 B/cycle, assumed: any}}",
        "ARCH006",
        "core",
        "pad}",
    ),
    (
        "  board:\n",
        "  board:\n    count: {value: 2, assumed: two}\n",
        "ARCH013",
        "one card",
        "count: {value: 2",
    ),
]


@pytest.mark.parametrize(("old", "new", "code", "says", "at"), FAULTS)
def test_fault_in_a_file(tmp_path: Path, old: str, new: str, code: str, says: str, at: str) -> None:
    assert TINY.count(old) >= 1
    text = TINY.replace(old, new, 1)
    diagnostic = fault(write(tmp_path, text))
    assert diagnostic.code == code
    assert says in diagnostic.message
    assert diagnostic.position.file.endswith("mine.yaml")
    line = text.splitlines()[diagnostic.position.line - 1]
    assert line[diagnostic.position.column - 1 :].startswith(at), line
    assert "Traceback" not in str(diagnostic)


RING = """
ring:
  over: core
  rate: {value: 8 B/cycle, assumed: narrow}
  directions: {value: 1, assumed: one way}
  latency: {value: 1 cycle, assumed: near}
  sender: mover
  receiver: mover
"""


def test_ring(tmp_path: Path) -> None:
    ring = load_arch(write(tmp_path, TINY + RING)).ring
    assert ring is not None
    assert (ring.group, ring.bytes_per_cycle, ring.directions, ring.latency) == ("core", 8.0, 1, 1)
    for wrong, code in (("alu", "ARCH006"), ("nobody", "ARCH005")):
        text = TINY + RING.replace("receiver: mover", f"receiver: {wrong}")
        diagnostic = fault(write(tmp_path, text))
        assert diagnostic.code == code
        assert text.splitlines()[diagnostic.position.line - 1] == f"  receiver: {wrong}"


def test_sharing_between_tiles_is_refused(tmp_path: Path) -> None:
    extra = "    memories:\n      cache:\n        kind: scratchpad\n"
    extra += (
        "        size: {value: 1 MiB, assumed: shared}\n        alignment: {value: 16 B, assumed: a vector}\n"
    )
    diagnostic = fault(write(tmp_path, TINY.replace("  board:\n    memories:\n", "  board:\n" + extra)))
    assert diagnostic.code == "ARCH013" and "`cache`" in diagnostic.message


def test_missing_route(tmp_path: Path) -> None:
    text = TINY.replace("{from: dram, to: pad}, ", "")
    path = write(tmp_path, text)
    with pytest.raises(TilesatError) as error:
        load_arch(path).hops("dram", "alu")
    [diagnostic] = error.value.diagnostics
    assert diagnostic.code == "ARCH021" and "from `dram` data reaches nothing" in diagnostic.hint
    assert "kind: dram" in text.splitlines()[diagnostic.position.line - 1]
    assert {d.code for d in check(path)} == {"ARCH031"}


def test_check_warns_about_small_registers_and_transfers(tmp_path: Path) -> None:
    text = TINY.replace("registers: {value: 256 B", "registers: {value: 32 B")
    text = text.replace("granularity: {value: [16 B, 2 B]", "granularity: {value: [8 B, 2 B]", 1)
    warnings = check(write(tmp_path, text))
    assert [w.code for w in warnings] == ["ARCH032", "ARCH033"]
    assert all(w.severity == "warning" and w.hint and w.position.line for w in warnings)


def test_check_notices_a_misspelt_cost_class(tmp_path: Path) -> None:
    text = TINY.replace("transcendental: {", "transcendentl: {")
    unknown, missing = check(write(tmp_path, text))
    assert (unknown.code, missing.code) == ("ARCH034", "ARCH035")
    assert "`transcendentl`" in unknown.message and "did you mean `transcendental`?" in unknown.hint
    line = text.splitlines()[unknown.position.line - 1]
    assert line.strip().startswith("transcendentl:")
    assert "`transcendental`" in missing.message and "linalg.exp" in missing.message
    assert missing.severity == unknown.severity == "warning"


def test_check_notices_dtypes_that_no_unit_offers(tmp_path: Path) -> None:
    text = TINY.replace(" bf16: 8,", "").replace(" ui32: 4,", "")
    [warning] = check(write(tmp_path, text))
    assert warning.code == "ARCH035" and "no unit computes on bf16, ui32:" in warning.message
    assert "{f16: 8," in text.splitlines()[warning.position.line - 1]


def test_check_reports_schema_faults_as_errors(tmp_path: Path) -> None:
    with pytest.raises(TilesatError, match="SCHEMA001"):
        check(write(tmp_path, TINY + "extra: 1\n"))


# -- any text ----------------------------------------------------------------------------------------------

WORDS = TINY.replace("\n", " \n ").split(" ")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_files_load_or_are_diagnosed(tmp_path: Path, data: st.DataObject) -> None:
    """Delete, double, swap words and lines: never anything but a TilesatError with a position."""
    lines = TINY.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["delete", "double", "swap", "word", "cut"])):
            case "delete" if len(lines) > 1:
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "swap":
                other = data.draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            case "word":
                words = lines[at].split(" ")
                words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(WORDS))
                lines[at] = " ".join(words)
            case _:
                lines[at] = lines[at][: data.draw(st.integers(0, len(lines[at])))]
    path = write(tmp_path, "\n".join(lines))
    try:
        arch = load_arch(path)
    except TilesatError as error:
        assert all(d.position.file for d in error.diagnostics)
    else:
        assert arch.edges is not None
    finally:
        parse.cache_clear()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["core", "board", "pad", "alu", "ops", "cast", "rate", "lanes", "f16", "size", "clock", ""]
        ),
        max_size=5,
    ),
    st.sampled_from(["1", "1KiB", "", "=", "x", "1 ns", "2B,4B", "1e9", "splat", "0"]),
)
def test_any_override_works_or_is_diagnosed(steps: list[str], value: str) -> None:
    try:
        load_arch("tiny", [f"{'.'.join(steps)}={value}"])
    except TilesatError as error:
        assert error.diagnostics[0].code.startswith("ARCH")


def test_schema_and_reader_know_the_same_fields_and_features() -> None:
    from tilesat.arch import fields

    schema = json.loads(package_file("ktir_specs", "schemas/arch.schema.json").read_text(encoding="utf-8"))
    objects, defs = schema["properties"], schema["$defs"]

    def quantities(node: dict[str, object]) -> set[str]:
        refs = {"#/$defs/quantity", "#/$defs/list", "#/$defs/table", "#/$defs/prices", "#/$defs/words"}
        properties = node["properties"]
        assert isinstance(properties, dict)
        return {name for name, field in properties.items() if field.get("$ref") in refs}

    assert quantities(schema) == set(fields.TOP)
    for name, known in (("limits", fields.LIMITS), ("sync", fields.SYNC), ("ring", fields.RING)):
        assert quantities(objects[name]) == set(known)
    for name, known in (("group", fields.GROUP), ("memory", fields.MEMORY), ("unit", fields.UNIT)):
        assert quantities(defs[name]) == set(known)
    assert defs["words"]["properties"]["value"]["items"]["enum"] == list(fields.FEATURES)
