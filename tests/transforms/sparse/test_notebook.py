"""What a notebook shows of sparse derivatives, and that notes say what to do."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import functrans as ft

X = np.linspace(0.1, 1.0, 6)


def chain(x: Any) -> Any:
    return x[1:] * x[:-1]


def test_a_function_shows_what_is_known_and_finds_out_nothing() -> None:
    J = ft.spjacobian(chain)
    assert "0 signatures traced" in J._repr_html_()
    J.pattern(X)
    assert "float64[6]" in J._repr_html_() and "5 x 6, 10 nonzeros" in J._repr_html_()
    assert "not planned yet" in J._repr_html_() and "<svg" in J._repr_html_()
    J.plan(X)
    assert "<td>direct</td>" in J._repr_html_()
    unnamed = ft.spjacobian(lambda x: x)._repr_html_()
    assert "&lt;lambda&gt;" in unnamed and "<lambda>" not in unnamed


def test_a_plan_and_a_coloring() -> None:
    J = ft.spjacobian(lambda x: chain(x)[np.argsort(x[:5])], method="compressed")
    plan = J.plan(X)._repr_html_()
    assert "compressed, by" in plan and "5 x 6, 30 nonzeros" in plan and plan.count("pattern=") == 1
    coloring = ft.spjacobian(chain).coloring(X)._repr_html_()
    assert "num_colors=2" in coloring and "<td>0</td><td>3</td>" in coloring


NOTED = {
    "computed index": lambda x: x[np.argsort(x)],
    "computed index written": lambda x: x.at[np.argsort(x)].set(x),
    "dense algebra": lambda x: np.linalg.solve(np.diag(x), x),
}  # fmt: skip


@pytest.mark.parametrize("what", NOTED)
def test_notes_of_a_pattern_say_what_to_change(what: str) -> None:
    notes = ft.spjacobian(ft.jit(NOTED[what])).plan(X).notes
    assert any("pattern=" in n for n in notes)


@pytest.mark.parametrize("of", [np.linalg.det, np.linalg.inv, lambda m: np.linalg.solve(m, np.ones((5, 2, 1)))])
def test_a_matrix_of_an_element_without_zeros_is_nothing_to_change(of: Any) -> None:
    def f(x: Any) -> Any:
        ends = np.array([[0, 1, 2, 3], [2, 3, 4, 5], [0, 5, 3, 1], [1, 2, 5, 0], [4, 4, 1, 2]])
        return of(np.reshape(np.sin(x)[ends], (5, 2, 2)))

    assert ft.spjacobian(f).plan(X).notes == ()


def test_the_note_on_a_method_says_what_it_takes_and_how_to_choose() -> None:
    w = np.random.default_rng(0).standard_normal((60, 60))

    def net(x: Any) -> Any:
        for _ in range(3):
            x = np.tanh(w @ x)
        return x[:2]

    plan = ft.spjacobian(net).plan(np.ones(60))
    assert plan.method == "compressed"
    (note,) = plan.notes
    assert re.search(r"products with directions \(compressed\) were chosen, not an expression .*\(direct\): ", note)
