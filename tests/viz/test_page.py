"""The page: what it holds of each pass, and which lines belong to which nodes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.schedule.passes import GRAPH
from functrans.ops import Ops, UOp
from functrans.viz import stages

X = np.ones((20, 30))


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


LINE = softmax.__code__.co_firstlineno + 1


def data(page: str) -> Any:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1].replace("<\\/", "</"))


@pytest.fixture(scope="module")
def shown() -> Any:
    return data(ft.make_graph(ft.vmap(softmax))(X).to_html())


def rows(shown: Any, name: str, kernel: str | None = None) -> list[list[Any]]:
    (unit,) = shown["units"]
    last = None
    for p in unit["passes"]:
        if p["kernel"] == kernel and not p.get("same"):
            last = p["rows"]
        if (p["name"], p["kernel"]) == (name, kernel):
            return last
    raise KeyError(name)


def named(shown: Any, rows: list[list[Any]], op: str) -> list[list[Any]]:
    return [r for r in rows if shown["texts"][r[0]] == op]


def test_every_pass_has_a_tab(shown: Any) -> None:
    (unit,) = shown["units"]
    assert [p["name"] for p in unit["passes"] if p["kernel"] is None] == [
        "trace", *(step.name for step in GRAPH)
    ]  # fmt: skip
    of_kernel = [p["name"] for p in unit["passes"] if p["kernel"] == "k0"]
    assert of_kernel[0] == "lower" and of_kernel[-1] == "allocation"


@pytest.mark.parametrize(("name", "kernel"), [("trace", None), ("fuse", None), ("outer", None), ("allocation", "k0")])
def test_a_node_knows_the_lines_it_became(shown: Any, name: str, kernel: str | None) -> None:
    node = named(shown, rows(shown, name, kernel), "EXP")[0]
    c = shown["units"][0]["c"].split("\n")
    assert sum("ft_exp_f64" in c[n] for first, last in node[7] for n in range(first, last + 1))


@pytest.mark.parametrize(("name", "kernel"), [("trace", None), ("outer", None), ("lower", "k0"), ("allocation", "k0")])
def test_a_node_knows_the_line_of_the_user(shown: Any, name: str, kernel: str | None) -> None:
    node = named(shown, rows(shown, name, kernel), "EXP")[0]
    assert shown["texts"][node[6]] == f"test_page.py:{LINE}  e = np.exp(x - x.max())"


def test_a_node_keeps_its_family_through_the_passes(shown: Any) -> None:
    first = rows(shown, "trace")
    (origin,) = (k for k, r in enumerate(first) if shown["texts"][r[0]] == "EXP")
    for name, kernel in (("rangeify, bufferize", None), ("outer", None), ("allocation", "k0")):
        node = named(shown, rows(shown, name, kernel), "EXP")[0]
        assert origin in node[8]


def test_a_matrix_product_knows_its_lines() -> None:
    shown = data(ft.make_graph(lambda a, b: a @ b)(np.ones((100, 90)), np.ones((90, 80))).to_html())
    c = shown["units"][0]["c"].split("\n")
    (node,) = named(shown, rows(shown, "trace"), "REDUCE_AXIS")
    assert any("ft_wmma" in c[n] for first, last in node[7] for n in range(first, last + 1))


def test_facts_of_a_node(shown: Any) -> None:
    (node,) = named(shown, rows(shown, "trace"), "EXP")
    text = shown["texts"]
    assert (text[node[1]], text[node[2]]) == ("float64", "30")
    assert re.fullmatch(r"r\d+ < 20", text[node[5]])
    assert all(text[rows(shown, "trace")[s][0]] == "SUB" for s in node[4])


def test_every_line_of_a_kernel_is_of_some_statement(shown: Any) -> None:
    c = shown["units"][0]["c"].split("\n")
    start = next(n for n, line in enumerate(c) if line.startswith("static __attribute__((noinline)) void k0("))
    end = next(n for n in range(start, len(c)) if c[n] == "}")
    held = {n for r in rows(shown, "allocation", "k0") for a, b in r[7] for n in range(a, b + 1)}
    assert {n for n in range(start + 1, end) if c[n].strip()} == held


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    page = ft.make_graph(lambda x: x * 2)(X).to_html(path)
    assert path.read_text(encoding="utf-8") == page
    rest = page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|src=|@import|url\(", rest)


def test_names_cannot_break_out_of_the_page() -> None:
    def f(x: Any) -> Any:
        return x * 2  # </script><script>alert(1)</script>

    f.__name__ = "</title><script>alert(2)</script>"
    page = ft.make_graph(f)(X).to_html()
    assert page.count("</script>") == 2 and "<script>alert" not in page.split('type="application/json"')[0]


def test_of_a_large_graph_the_part_nearest_to_the_results_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "MAX_NODES", 10)

    def f(x: Any) -> Any:
        for _ in range(50):
            x = np.sin(x)
        return x

    shown = data(ft.make_graph(f)(X).to_html())
    first = shown["units"][0]["passes"][0]
    assert (len(first["rows"]), first["total"]) == (10, 51)
    assert first["roots"] == [9]


def test_host_steps_make_several_units() -> None:
    large = np.ones((20, 400))
    shown = data(ft.make_graph(lambda x: 2 * np.linalg.solve(x.T @ x, np.ones(400)))(large).to_html())
    assert [u["title"] for u in shown["units"]] == ["segment 0", "segment 1"]


def test_a_deep_graph_is_shown() -> None:
    def f(x: Any) -> Any:
        for _ in range(600):
            x = x * 1.5 + 1
        return x

    assert len(data(ft.make_graph(f)(np.ones(3)).to_html())["units"][0]["passes"][0]["rows"]) > 1200


def test_an_unwritable_path_is_an_error_of_the_system() -> None:
    with pytest.raises(OSError):
        ft.make_graph(np.sin)(X).to_html("/nonexistent/page.html")


def test_every_pass_says_what_it_does_in_a_sentence(shown: Any) -> None:
    (unit,) = shown["units"]
    assert all(p["does"].endswith(".") for p in unit["passes"])


def test_what_a_pass_changed_is_known() -> None:
    x, y = (UOp.const(ft.dtypes.float64, v) for v in (1.0, 2.0))

    def of(op: Ops, *sources: UOp) -> UOp:
        return UOp(op, ft.dtypes.float64, sources)

    total, product = of(Ops.ADD, x, y), of(Ops.MUL, x, y)
    assert stages.changed([x, y, total], [x, y, total, product]) == ([product], 0)
    assert stages.changed([x, y, total, product], [x, y, total]) == ([], 1)
    turned = of(Ops.ADD, y, x)  # what reads it is new for a source of its source alone
    assert stages.changed([x, y, total, of(Ops.SIN, total)], [x, y, turned, of(Ops.SIN, turned)]) == ([], 0)


def test_the_page_holds_what_each_pass_changed(shown: Any) -> None:
    (unit,) = shown["units"]
    first, *others = [p for p in unit["passes"] if not p.get("same") and p["kernel"] is None]
    assert "new" not in first
    assert all(p["new"] or p["gone"] for p in others)
    ranged = next(p for p in others if p["name"].startswith("rangeify"))
    assert "BUFFERIZE" in {shown["texts"][ranged["rows"][k][0]] for k in ranged["new"]}
