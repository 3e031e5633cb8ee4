"""What notebooks show: well-formed HTML with everything escaped, that says what the text says, and never raises."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import functrans as ft


class Cells(HTMLParser):
    """The text of each element; asserts that elements nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.found.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.found[self.open[-1]][-1] += data


def html(x: Any) -> dict[str, list[str]]:
    return Cells(x._repr_html_()).found


def test_a_tensor_is_a_table() -> None:
    found = html(ft.Tensor([[1.0, 2.5], [-3.0, np.nan]]))
    assert found["code"] == ["Tensor of shape (2, 2), dtype float64"]
    assert found["td"] == ["0", "1", "2.5", "1", "-3", "nan"]
    assert found["th"] == ["", "0", "1"]
    assert html(ft.Tensor([True, False]))["td"] == ["", "True", "False"]
    assert html(ft.Tensor(1 + 2j))["pre"] == ["1.+2.j"]
    assert "[1, 1]" in html(ft.Tensor(np.ones((2, 2, 2), int)))["pre"][0]
    assert html(ft.Tensor(np.zeros((0, 3))))["pre"] == ["[]"]


def test_of_a_long_axis_the_ends_are_shown() -> None:
    found = html(ft.Tensor(np.arange(10_000).reshape(100, 100)))
    assert len(found["td"]) == 11 * 12
    assert found["th"] == ["", *map(str, range(5)), "⋯", *map(str, range(95, 100))]
    assert found["td"][-1] == "9999"
    assert len(html(ft.Tensor(np.arange(11)))["td"]) == 12


def test_a_tensor_that_cannot_be_read_shows_its_shape() -> None:
    shown = []
    ft.jit(lambda x: shown.append(html(x)) or x)(np.ones((2, 3)))
    assert shown[0]["pre"] == ["Tensor(traced, shape=(2, 3), dtype=float64)"]
    assert "n" in html(ft.Variable("n", 1, 9))["pre"][0]


@pytest.mark.parametrize("f", [lambda x: np.where(x < 2, x, np.linalg.solve(x, x)), lambda x: x, lambda x: ()])
def test_lowered(f: Any) -> None:
    lowered = ft.jit(f).lower(np.eye(3))
    found = html(lowered)
    assert found["summary"] == ["kernels", "graph", "C"]
    assert found["pre"] == ["\n".join(map(repr, lowered.kernels)), repr(lowered.graph), lowered.c_source]
    assert found["td"][:2] == ["flops", f"{lowered.cost().flops:,}"]
    assert html(lowered.graph)["pre"] == [repr(lowered.graph)]


def test_the_page_of_what_is_lowered(tmp_path: Any) -> None:
    lowered = ft.jit(np.sin).lower(np.zeros(3))
    text = lowered.to_html(tmp_path / "page.html")
    assert text == (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "SIN" in text
