"""Where values are defined and used, which units have programs, what uniform maps hold."""

from __future__ import annotations

from ...diagnostics import Diagnostic
from ...ktir.groups import operand_groups
from ...ktir.ir import Block, Op, Value

__all__ = ["check_scopes"]


def check_scopes(function: Op) -> list[Diagnostic]:
    """Faults of a function that holds unit programs."""
    found: list[Diagnostic] = []
    _uses(function.regions[0].blocks[0], set(), found)
    programs = [op for op in function.regions[0].blocks[0].ops if op.name == "dataflow.program_unit"]
    _listed_once(programs, found)
    if not found:
        for program in programs:
            for op in program.walk():
                if op.name == "uniform.def_immutable_mapping":
                    _mapping(op, found)
                elif op.name == "uniform.query_map":
                    _query(op, program, found)
    return found


def _uses(block: Block, visible: set[Value], found: list[Diagnostic]) -> None:
    """Every operand is an argument or result of this block, defined before, or of one around it."""
    own = set(block.args)
    visible |= own
    for op in block.ops:
        for v in op.operands:
            if v not in visible:
                text = f"`{op.name}` uses %{v.name} where it is not defined"
                hint = "a value is visible after its definition, in its block and the blocks inside"
                found.append(Diagnostic("DFIR080", text, op.position, hint))
        for region in op.regions:
            for inner in region.blocks:
                _uses(inner, visible, found)
        visible.update(op.results)
        own.update(op.results)
    visible -= own


def _listed_once(programs: list[Op], found: list[Diagnostic]) -> None:
    seen: dict[Value, Op] = {}
    for program in programs:
        for unit in program.operands:
            if _unit(unit) is None:
                text = f"%{unit.name} is not a unit: programs run on results of dataflow.get_unit"
                found.append(Diagnostic("DFIR081", text, program.position))
            elif unit in seen:
                text = f"unit %{unit.name} has two programs"
                found.append(Diagnostic("DFIR082", text, program.position, "list a unit in one program_unit"))
            seen[unit] = program


def _unit(value: Value) -> Op | None:
    owner = value.owner
    return owner if isinstance(owner, Op) and owner.name == "dataflow.get_unit" else None


def _mapping(op: Op, found: list[Diagnostic]) -> None:
    groups = operand_groups(op) or {}
    keys, values = groups.get("keys", []), groups.get("values", [])
    if len(keys) != len(values):
        found.append(Diagnostic("DFIR031", f"{len(keys)} keys for {len(values)} values", op.position))
    for key in keys:
        if _unit(key) is None:
            text = f"%{key.name} is a key of a uniform map but not a unit"
            found.append(Diagnostic("DFIR032", text, op.position))
    makers = {v.owner.name if isinstance(v.owner, Op) else "" for v in values}
    if "" in makers:
        text = "a uniform map cannot hold a block argument"
        found.append(Diagnostic("DFIR033", text, op.position, "add what varies outside of the map"))
    elif len(makers) > 1:
        text = f"the values of a uniform map come from different ops: {', '.join(sorted(makers))}"
        found.append(Diagnostic("DFIR034", text, op.position, "use constants only, or units only"))


def _query(op: Op, program: Op, found: list[Diagnostic]) -> None:
    table, key = op.operands
    if not isinstance(table.owner, Op) or table.owner.name != "uniform.def_immutable_mapping":
        found.append(Diagnostic("DFIR035", f"%{table.name} is not a uniform map", op.position))
        return
    keys = set((operand_groups(table.owner) or {}).get("keys", []))
    asking = program.operands if key in program.regions[0].blocks[0].args else [key]
    missing = [u.name for u in asking if u not in keys]
    if missing:
        text = f"the map has no value for %{missing[0]}" + (
            f" and {len(missing) - 1} more" if missing[1:] else ""
        )
        found.append(Diagnostic("DFIR036", text, op.position, "a map needs every unit that asks it"))
