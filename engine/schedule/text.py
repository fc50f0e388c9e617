"""The text form of a whole program (docs/scheduleir.md §1): reading with positions, printing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from ..diagnostics import Position, fail
from .index import FUNCTIONS, Index
from .program import Access, Axis, Carried, Let, Program, Stmt, Value, View
from .sexpr import Expr, Path, Term, parse_located, show

__all__ = ["print_program", "read_program"]

T = TypeVar("T")


# --- reading ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Node:
    """An expression with its place in the text."""

    expr: Expr
    path: Path
    places: Mapping[Path, Position]

    @property
    def position(self) -> Position:
        return self.places[self.path]

    @property
    def head(self) -> str:
        return self.expr.head if isinstance(self.expr, Term) else ""

    @property
    def args(self) -> list[_Node]:
        assert isinstance(self.expr, Term)
        return [_Node(e, (*self.path, k), self.places) for k, e in enumerate(self.expr.args)]

    def fault(self, message: str, hint: str = "") -> NoReturn:
        fail("SIR001", message, self.position, hint)

    def list_of(self, form: str, fewest: int, most: int | None = None) -> list[_Node]:
        """The arguments of a list, whose number is checked; `form` is shown when it is wrong."""
        if not isinstance(self.expr, Term):
            self.fault(f"expected {form}, found `{show(self.expr)}`")
        args = self.args
        if len(args) < fewest or (most is not None and len(args) > most):
            self.fault(f"expected {form}, found {len(args)} arguments")
        return args

    def name(self) -> str:
        if not isinstance(self.expr, str):
            self.fault(f"expected a name, found `{show(self.expr)}`")
        return self.expr

    def integer(self) -> int:
        if not isinstance(self.expr, int):
            self.fault(f"expected an integer, found `{show(self.expr)}`")
        return self.expr

    def number(self) -> int | float:
        if not isinstance(self.expr, int | float):
            self.fault(f"expected a number, found `{show(self.expr)}`")
        return self.expr

    def index(self) -> Index:
        """An integer expression; operators and their argument counts are checked."""
        if isinstance(self.expr, float):
            self.fault("expected an integer expression, found a float")
        if isinstance(self.expr, Term):
            if self.head == "ind":
                self.list_of("(ind ACCESS)", 1, 1)[0].name()
            elif self.head in FUNCTIONS:
                fewest, most, _ = FUNCTIONS[self.head]
                for a in self.list_of(f"({self.head} …)", fewest, most):
                    a.index()
            else:
                self.fault(f"`{self.head}` is not an integer operator", f"one of {' '.join(FUNCTIONS)} ind")
        return self.expr


def read_program(text: str, position: Position | None = None) -> Program:
    """The program that `text` holds. Raises SEXPR001 (syntax), SIR001 (malformed declaration), SIR002
    (declared twice). Names are resolved by `legality.check`."""
    items, places = parse_located(text, position)
    base = position or Position("<program>", 1, 1)
    if len(items) != 1 or not isinstance(items[0], Term) or items[0].head != "program":
        fail("SIR001", "expected one `(program NAME section…)`", places.get((0,), base))
    root = _Node(items[0], (0,), places)
    name, *sections = root.list_of("(program NAME section…)", 1)
    fields: dict[str, object] = {"name": name.name()}
    seen: set[str] = set()
    for section in sections:
        reader = _SECTIONS.get(section.head)
        if reader is None:
            section.fault(f"unknown section `{show(section.expr, 60)}`", f"one of {' '.join(_SECTIONS)}")
        if section.head in seen:
            section.fault(f"section `{section.head}` occurs twice")
        seen.add(section.head)
        fields.update(reader(section))
    return Program(**fields)  # type: ignore[arg-type]


def _table(node: _Node, read: Callable[[_Node], tuple[str, T]]) -> dict[str, T]:
    table: dict[str, T] = {}
    for item in node.args:
        key, value = read(item)
        if key in table:
            fail("SIR002", f"`{key}` is declared twice", item.position)
        table[key] = value
    return table


def _grid(node: _Node) -> dict[str, object]:
    args = node.list_of("(grid EXTENT… (order first|last))", 1)
    found: dict[str, object] = {}
    if args[-1].head == "order":
        order = args.pop().list_of("(order first|last)", 1, 1)[0]
        if order.expr not in ("first", "last"):
            order.fault("expected `first` or `last`")
        found["grid_order"] = order.expr
    found["grid"] = tuple(a.integer() for a in args)
    return found


def _pair(node: _Node, form: str) -> tuple[str, _Node]:
    (value,) = node.list_of(form, 1, 1)
    return node.head, value


def _arg(node: _Node) -> tuple[str, str]:
    name, value = _pair(node, "(NAME TYPE)")
    return name, value.name()


def _sym(node: _Node) -> tuple[str, Index]:
    name, value = _pair(node, "(NAME I)")
    return name, value.index()


def _fields(nodes: list[_Node], allowed: tuple[str, ...]) -> dict[str, _Node]:
    found: dict[str, _Node] = {}
    for n in nodes:
        if n.head not in allowed:
            n.fault(f"unexpected `{show(n.expr, 60)}`", f"one of {' '.join(allowed)}")
        if n.head in found:
            n.fault(f"`{n.head}` is given twice")
        found[n.head] = n
    return found


def _only(fields: dict[str, _Node], key: str, owner: _Node) -> _Node:
    if key not in fields:
        owner.fault(f"`({key} …)` is missing")
    return fields[key].list_of(f"({key} X)", 1, 1)[0]


def _axis(node: _Node) -> tuple[str, Axis]:
    name, *rest = _declared(node, "axis", "(axis NAME (lo I) (step N) (trips I))")
    f = _fields(rest, ("lo", "step", "trips"))
    lo = _only(f, "lo", node).index() if "lo" in f else 0
    step = _only(f, "step", node).integer() if "step" in f else 1
    return name.name(), Axis(name.name(), lo, step, _only(f, "trips", node).index())


def _declared(node: _Node, head: str, form: str) -> list[_Node]:
    if node.head != head:
        node.fault(f"expected {form}, found `{show(node.expr, 60)}`")
    return node.list_of(form, 1)


def _view(node: _Node) -> tuple[str, View]:
    form = "(view NAME (base I) (shape I…) (strides I…) (dtype T) (space S))"
    name, *rest = _declared(node, "view", form)
    f = _fields(rest, ("base", "shape", "strides", "dtype", "space", "loc"))
    for key in ("shape", "strides"):
        if key not in f:
            node.fault(f"`({key} …)` is missing", form)
    shape = tuple(a.index() for a in f["shape"].args)
    strides = tuple(a.index() for a in f["strides"].args)
    if len(shape) != len(strides):
        f["strides"].fault(f"{len(strides)} strides for {len(shape)} dimensions")
    kind, ct_id = _space(_only(f, "space", node)) if "space" in f else ("global", None)
    base = _only(f, "base", node).index()
    dtype = _only(f, "dtype", node).name()
    return name.name(), View(name.name(), base, shape, strides, dtype, kind, ct_id, _loc(f, node))


def _space(node: _Node) -> tuple[str, Index | None]:
    if node.head == "ct_local":
        return "ct_local", node.list_of("(ct_local I)", 1, 1)[0].index()
    if node.expr not in ("global", "ct_local"):
        node.fault("expected `global`, `ct_local` or `(ct_local I)`")
    return str(node.expr), None


def _loc(fields: dict[str, _Node], node: _Node) -> Position:
    if "loc" not in fields:
        return node.position
    file, line, column = fields["loc"].list_of("(loc FILE LINE COLUMN)", 3, 3)
    return Position(file.name(), line.integer(), column.integer())


def _access(node: _Node) -> tuple[str, Access]:
    name, *rest = _declared(node, "access", "(access NAME VIEW (at I…) (boundary pad|error))")
    if not rest:
        node.fault("the view is missing")
    f = _fields(rest[1:], ("at", "boundary", "loc"))
    if "at" not in f:
        node.fault("`(at I…)` is missing")
    boundary = _only(f, "boundary", node) if "boundary" in f else None
    if boundary is not None and boundary.expr not in ("pad", "error"):
        boundary.fault("expected `pad` or `error`")
    at = tuple(a.index() for a in f["at"].args)
    kind = "pad" if boundary is None else str(boundary.expr)
    return name.name(), Access(name.name(), rest[0].name(), at, kind, _loc(f, node))


def _value(node: _Node) -> tuple[str, Value]:
    name, *rest = _declared(node, "value", "(value NAME (axes A…) (dtype T) (init N) (comb OP))")
    f = _fields(rest, ("axes", "dtype", "init", "comb"))
    axes = tuple(a.name() for a in f["axes"].args) if "axes" in f else ()
    init = _only(f, "init", node).number() if "init" in f else None
    comb = _only(f, "comb", node).name() if "comb" in f else None
    return name.name(), Value(name.name(), axes, _only(f, "dtype", node).name(), init, comb)


def _stmt(node: _Node) -> tuple[str, Stmt]:
    name, *rest = _declared(node, "stmt", "(stmt NAME (let …)… (store|set|fold …)…)")
    lets, effects = [], []
    where = node.position
    for item in rest:
        if item.head == "loc":
            where = _loc({"loc": item}, node)
        elif item.head == "let":
            bound, dtype, expr = item.list_of("(let NAME DTYPE E)", 3, 3)
            lets.append(Let(bound.name(), dtype.name(), _expression(expr)))
        elif item.head in ("store", "set", "fold"):
            for a in item.list_of(f"({item.head} NAME NAME)", 2, 2):
                a.name()
            assert isinstance(item.expr, Term)
            effects.append(item.expr)
        else:
            item.fault(f"expected let, store, set or fold, found `{show(item.expr, 60)}`")
    return name.name(), Stmt(name.name(), tuple(lets), tuple(effects), where)


def _expression(node: _Node) -> Term:
    match node.head:
        case "load" | "get" | "arg":
            node.list_of(f"({node.head} NAME)", 1, 1)[0].name()
        case "const":
            node.list_of("(const NUMBER)", 1, 1)[0].number()
        case "index":
            node.list_of("(index I)", 1, 1)[0].index()
        case "reduce" | "contract":
            for a in node.list_of(f"({node.head} NAME NAME NAME)", 3, 3):
                a.name()
        case "op":
            for a in node.list_of("(op NAME NAME… :attr V…)", 1):
                if isinstance(a.expr, Term):
                    a.fault("operands are names; bind inner expressions with `let`")
        case _:
            node.fault("unknown expression", "one of load get const arg index op reduce contract")
    assert isinstance(node.expr, Term)
    return node.expr


def _carried(node: _Node) -> Carried:
    args = node.list_of("(SOURCE SINK AXIS DISTANCE KIND)", 2, 4)
    names = [node.head, *(a.name() for a in args[:2])]
    if len(names) < 3 or len(args) < 3:
        node.fault("expected (SOURCE SINK AXIS DISTANCE KIND)")
    distance = None if args[2].expr == "*" else args[2].integer()
    kind = args[3].name() if len(args) > 3 else "flow"
    if kind not in ("flow", "anti", "output"):
        args[3].fault("expected flow, anti or output")
    return Carried(names[0], names[1], names[2], distance, kind)


_SECTIONS: dict[str, Callable[[_Node], dict[str, object]]] = {
    "grid": _grid,
    "args": lambda n: {"args": _table(n, _arg)},
    "syms": lambda n: {"syms": _table(n, _sym)},
    "axes": lambda n: {"axes": _table(n, _axis)},
    "views": lambda n: {"views": _table(n, _view)},
    "accesses": lambda n: {"accesses": _table(n, _access)},
    "values": lambda n: {"values": _table(n, _value)},
    "stmts": lambda n: {"stmts": _table(n, _stmt)},
    "carried": lambda n: {"carried": tuple(_carried(c) for c in n.args)},
    "body": lambda n: {"body": n.list_of("(body S)", 1, 1)[0].expr},
}


# --- printing --------------------------------------------------------------------------------------------


def print_program(program: Program, *, locations: bool = False, width: int = 100) -> str:
    """Text that `read_program` reads back to an equal program. With `locations`, declarations say where
    in the kernel they come from (`(loc FILE LINE COLUMN)`)."""
    lines = [f"(program {show(program.name)}"]
    for head, items in _sections(program, locations):
        if head in ("grid", "body"):
            lines.append("  " + show(Term(head, tuple(items)), width, 2))
        elif items:
            lines.append(f"  ({head}")
            lines += ["    " + show(item, width, 4) for item in items]
            lines[-1] += ")"
    return "\n".join(lines) + ")\n"


def _sections(p: Program, locations: bool) -> Iterator[tuple[str, list[Expr]]]:
    order: list[Expr] = [Term("order", (p.grid_order,))] if p.grid_order != "first" else []
    yield "grid", [*p.grid, *order]
    yield "args", [Term(n, (t,)) for n, t in p.args.items()]
    yield "syms", [Term(n, (e,)) for n, e in p.syms.items()]
    yield "axes", [_axis_term(a) for a in p.axes.values()]
    yield "views", [_view_term(v, locations) for v in p.views.values()]
    yield "accesses", [_access_term(a, locations) for a in p.accesses.values()]
    yield "values", [_value_term(v) for v in p.values.values()]
    yield "stmts", [_stmt_term(s, locations) for s in p.stmts.values()]
    yield "carried", [_carried_term(c) for c in p.carried]
    yield "body", [p.body]


def _axis_term(a: Axis) -> Term:
    return Term("axis", (a.name, Term("lo", (a.lo,)), Term("step", (a.step,)), Term("trips", (a.trips,))))


def _loc_term(where: Position, locations: bool) -> list[Term]:
    return [Term("loc", (where.file, where.line, where.column))] if locations and where.line else []


def _view_term(v: View, locations: bool) -> Term:
    space: Expr = v.space if v.ct_id is None else Term(v.space, (v.ct_id,))
    parts = [Term("base", (v.base,)), Term("shape", v.shape), Term("strides", v.strides)]
    parts += [Term("dtype", (v.dtype,)), Term("space", (space,)), *_loc_term(v.position, locations)]
    return Term("view", (v.name, *parts))


def _access_term(a: Access, locations: bool) -> Term:
    boundary = [Term("boundary", (a.boundary,))] if a.boundary != "pad" else []
    return Term("access", (a.name, a.view, Term("at", a.at), *boundary, *_loc_term(a.position, locations)))


def _value_term(v: Value) -> Term:
    parts = [Term("axes", v.axes), Term("dtype", (v.dtype,))]
    parts += [Term("init", (v.init,))] if v.init is not None else []
    parts += [Term("comb", (v.comb,))] if v.comb is not None else []
    return Term("value", (v.name, *parts))


def _stmt_term(s: Stmt, locations: bool) -> Term:
    lets = [Term("let", (x.name, x.dtype, x.expr)) for x in s.lets]
    return Term("stmt", (s.name, *_loc_term(s.position, locations), *lets, *s.effects))


def _carried_term(c: Carried) -> Term:
    distance: Expr = "*" if c.distance is None else c.distance
    return Term(c.source, (c.sink, c.axis, distance, c.kind))
