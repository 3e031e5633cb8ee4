"""How many files know an op by its name: adding a structural op touches few, since the rest asks its record.

Structural ops are all that are not elementwise, of tensors and of what they are lowered to. An op's own files are the
one that enters its record and, of loops and of brackets, the package of transforms that is about nothing else. Four
ops are words of the stages behind tensors too, in which loops are written: of these the files outside of the backend
are counted.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from pathlib import Path

from functrans.ops import GroupOp, Ops
from functrans.ops.opdef import TABLE
from tests.architecture.checkers import modules, nodes, read

MOST = 8
# more than that, and how many: the numbers only sink. Brackets and results are the grammar of a graph, and rewrites of
# windows look for a SHRINK
MORE = {Ops.VMAPIN: 32, Ops.VMAPOUT: 26, Ops.RESULT: 17, Ops.SHRINK: 13}
OUTSIDE = {"elementwise", "source", "framework", "kernel"}
STRUCTURAL = [op for op, record in TABLE.items() if record.kind not in OUTSIDE and op not in GroupOp.Source]
FAMILY = {"region": "transforms/loops", "bracket": "transforms/vmap"}
LATER = {op for op, record in TABLE.items() if record.kind == "ranged"} | {Ops.INDEX, Ops.ASSIGN, Ops.REDUCE}
# files that are about loops and branches, and nothing else
OF_LOOPS = (
    "ops/loops.py", "ops/rounds.py", "ops/unused.py", "transforms/loops/", "transforms/sparse/loops.py",
    *(f"transforms/sparse/direct/{name}.py" for name in ("loops", "rounds", "carrying", "branches")),
    "backend/codegen/regions/",
    *(f"backend/schedule/{name}.py" for name in ("regions", "rounds", "by_rounds", "within", "around", "chains",
                                                 "counts", "loop_work")),
)  # fmt: skip
ROOT = Path(__file__).parents[2] / "functrans"


def named(tree: ast.AST) -> set[str]:
    """The ops that a file names."""
    of_ops = (n for n in nodes(tree) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name))
    return {n.attr for n in of_ops if isinstance(n.value, ast.Name) and n.value.id == "Ops"}


def recorded(tree: ast.AST) -> set[str]:
    """The ops whose records a file makes: the first argument of a call that enters one."""
    calls = (n for n in nodes(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.args)
    return {name for n in calls if n.func.id in ("OpDef", "_op", "host") for name in named(n.args[0])}  # type: ignore[attr-defined]


@functools.cache
def files() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Of each file of the library the ops that it names, and those that it records."""
    found = {}
    for path in modules().values():
        tree = read(path)
        found[path.relative_to(ROOT).as_posix()] = frozenset(named(tree)), frozenset(recorded(tree))
    return found


def counted(op: Ops, of: Iterable[tuple[str, tuple[frozenset[str], frozenset[str]]]]) -> list[str]:
    """The files that name an op, its own left out."""
    family = FAMILY.get(TABLE[op].kind, "none")
    naming = [name for name, (names, records) in of if op.name in names and op.name not in records]
    naming = [name for name in naming if not name.startswith(family)]
    return sorted(name for name in naming if op not in LATER or not name.startswith("backend"))


def test_few_files_name_an_op() -> None:
    found = {op: counted(op, files().items()) for op in STRUCTURAL}
    assert {op.name: names for op, names in found.items() if len(names) > MORE.get(op, MOST)} == {}
    assert [op.name for op in MORE if len(found[op]) <= MOST] == [], "they need no exemption any more"


def test_each_op_has_a_file_of_its_own() -> None:
    for op in STRUCTURAL:
        assert any(op.name in records for _, records in files().values()), op


def of_loops() -> dict[str, set[str]]:
    """The files outside of their own that name a loop or branch, or the class of its argument, and which of them."""
    found: dict[str, set[str]] = {}
    for path in modules().values():
        name, tree = path.relative_to(ROOT).as_posix(), read(path)
        imports = (n for n in nodes(tree) if isinstance(n, ast.ImportFrom) and n.module == "functrans.ops.loops")
        known = named(tree) | {a.name.upper() for n in imports for a in n.names}
        known &= {"SCAN", "WHILE", "SWITCH"}
        if known and not name.startswith(OF_LOOPS):
            found[name] = known
    return found


def test_files_that_loops_touch_are_those_of_the_list() -> None:
    page = next(ROOT.parent.glob("docs/decisions/0195-*.md")).read_text(encoding="utf-8")
    rows = [[x.strip() for x in line.split("|")[1:5]] for line in page.splitlines() if line.startswith("| `")]
    ops = ("SCAN", "WHILE", "SWITCH")
    listed = {row[0].strip("`"): {op for op, x in zip(ops, row[1:], strict=True) if x} for row in rows}
    assert of_loops() == listed
    assert all(sum(op in known for known in listed.values()) <= MOST for op in ops)


def test_the_count_sees_what_it_should() -> None:
    text = "register(OpDef(Ops.FLIP, 'movement', same))\nx = y.op is Ops.PAD  # Ops.CAT\n"
    tree = ast.parse(text)
    assert named(tree) == {"FLIP", "PAD"}
    assert recorded(tree) == {"FLIP"}
    one = frozenset({"INDEX", "FLIP", "SCAN"}), frozenset({"FLIP"})
    places = [("ops/a.py", one), ("backend/b.py", one), ("transforms/loops/c.py", one)]
    assert counted(Ops.FLIP, places) == []
    assert counted(Ops.INDEX, places) == ["ops/a.py", "transforms/loops/c.py"]
    assert counted(Ops.SCAN, places) == ["backend/b.py", "ops/a.py"]
