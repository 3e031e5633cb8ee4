"""The UOp reference of the docs: made from the library's tables, no cell empty, no word of the design left out."""

from __future__ import annotations

import importlib.util
import re
from functools import reduce
from pathlib import Path

from functrans.backend.codegen.render_c import render_c
from functrans.backend.schedule.passes import ranged
from functrans.ops import Ops, dtypes, source
from functrans.ops import build as B
from functrans.ops.kernel import closing
from functrans.ops.spec import STAGES, verify
from functrans.ops.uop import toposort
from tests.backend.executed import lowered
from tests.backend.random_graphs import Graph

DOCS = Path(__file__).parents[2] / "docs"
spec = importlib.util.spec_from_file_location("uop_reference", DOCS / "_ext" / "uop_reference.py")
assert spec is not None
assert spec.loader is not None
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

ROWS = reference.rows()


def test_no_cell_is_empty() -> None:
    assert [(op, name) for op in Ops for name, text in ROWS[op].items() if not text.strip()] == []


def test_an_op_that_no_table_knows_has_empty_cells() -> None:
    record = reference.TABLE[Ops.SIN]
    reference.TABLE[Ops.SIN] = type(record)(Ops.SIN, "strange", "", lambda node: None)
    try:
        empty = {name for name, cell in reference.CELLS.items() if not cell(Ops.SIN)}
    finally:
        reference.TABLE[Ops.SIN] = record
    assert empty == {"meaning", "shape", "NumPy", "sparsity", "ranges"}


def test_every_word_of_the_design_is_an_op_or_has_a_page() -> None:
    assert [w for w in reference.WORDS if w in Ops.__members__ and w in reference.REPLACED] == []
    for word in reference.WORDS:
        if word not in Ops.__members__:
            text, page = reference.REPLACED[word]
            path = DOCS / "decisions" / reference.PAGES[page]
            assert text, word
            assert word in path.read_text() or word == "VIEW", word


def test_what_the_pages_replace_is_no_op() -> None:
    assert not set(reference.REPLACED) & set(Ops.__members__)
    assert set(reference.absent()) >= set(reference.REPLACED)
    assert all((DOCS / "decisions" / page).exists() for page in reference.PAGES.values())


def test_the_stages_are_those_where_ops_are_found() -> None:
    found: dict[str, set[Ops]] = {stage: set() for stage in STAGES}
    x, y = (B.reshape(source.param((3, 20), dtypes.float64), shape) for shape in ((3, 1, 20), (1, 3, 20)))
    product = B.reduce_axis(B.mul(B.expand(x, (3, 3, 20)), B.expand(y, (3, 3, 20))), Ops.ADD, (2,))
    chain = reduce(lambda u, _: B.alu(Ops.SIN, u), range(10), source.param((50,), dtypes.float64))
    total = B.reduce_axis(source.param((3, 50), dtypes.float64), Ops.ADD, (1,))
    for root in (product, chain, total, *(Graph(seed, depth=2, casts=True).grow(15) for seed in range(40))):
        found["tensor"].update(u.op for u in toposort([root]))
        buffers = ranged([root])
        found["ranged"].update(u.op for u in toposort(buffers))
        found["kernel"].update(u.op for k in lowered([root])[1] for u in k.uops)
    for stage, ops in found.items():
        assert not {op for op in ops if stage not in reference.stages(op)}
    assert {op for op in Ops if reference.TABLE[op].kind == "kernel"} <= found["kernel"]
    later = {op for op in Ops if reference.TABLE[op].kind in ("framework", "ranged", "kernel")}
    later -= {op for op in Ops if ROWS[op]["stage"] == reference.TRACED}
    # made where there are loops
    assert later - set().union(*found.values()) <= {Ops.REGION}
    told = {Ops.ADD: "all", Ops.RESHAPE: "tensor", Ops.PREFIX: "ranged", Ops.LOAD: "kernel"}
    assert {op: ROWS[op]["stage"] for op in told} == told
    assert ROWS[Ops.CONTIGUOUS]["stage"] == "tensor, ranged"


def test_the_statements_that_show_the_c_are_a_legal_kernel() -> None:
    uops = reference.statements()
    verify(uops, "kernel", "writing the docs")
    closing(uops)
    text = render_c(uops)
    shown = reference.rendering()
    assert all(part in text for op, part in shown.items() if op not in (Ops.IF, Ops.ENDIF))
    assert "if (0.0 < v0) acc0 = acc0 + v0;" in text or "if (v1) acc0 = acc0 + v0;" in text


def test_the_tables_tell_every_cell() -> None:
    shared: dict[str, str] = {}
    usual: dict[str, str] = {}
    columns: list[str] = []
    told = 0
    for line in reference.reference():
        cells = [c.strip() for c in line.replace("\\|", "¦").split("|")[1:-1]]
        if line.startswith("**"):
            shared, usual = {}, {}
        elif line.startswith(("All of them: ", "Where a cell is empty: ")):
            pairs = dict(re.findall(r"\*(\w+)\* (.*?)(?=; \*|\.$)", line))
            shared, usual = (pairs, usual) if line.startswith("All") else (shared, pairs)
        elif line.startswith("| op |"):
            columns = cells[1:]
        elif line.startswith("| `"):
            op = Ops[cells[0].strip("`")]
            want = {name: text.replace("|", "¦") for name, text in ROWS[op].items()}
            own = {name: cell or usual.get(name, "") for name, cell in zip(columns, cells[1:], strict=True)}
            assert shared | own == want
            told += 1
    assert told == len(Ops)
    assert len(reference.words()) == 2 + len(reference.absent())
