"""What a trace says of Python loops that it unrolls: from the 2 001st round on, once, at the line of the loop."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import debug

Function = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debug, "_warned", set())


def said(f: Function, *args: Any) -> list[tuple[str, str]]:
    """The class and the line of each warning that a trace gives."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        ft.make_graph(f)(*args)
    return [(w.category.__name__, linecache.getline(w.filename, w.lineno).strip()) for w in found]


def square(x: Any) -> Any:
    return x * x


def step(x: Any) -> Any:
    return np.sin(x) + square(x) - square(x + 1) + np.cos(x) * 0.5


def looped(rounds: int) -> Function:
    def f(x: Any) -> Any:
        for _ in range(rounds):
            x = step(x)
        return x

    return f


@pytest.mark.parametrize("rounds", [1999, 2000, 2001])
def test_the_line_of_a_loop_is_named_once(rounds: int) -> None:
    """However many operations a round has, and however often it calls one function."""
    wanted = [("FunctransWarning", "x = step(x)")] if rounds > 2000 else []
    assert said(looped(rounds), 1.0) == wanted
    assert said(looped(rounds), 1.0) == []  # a second trace of that line


def test_what_is_said() -> None:
    with pytest.warns(ft.FunctransWarning, match=r"more than 2000 times.* ft\.scan or ft\.fori_loop would be one loop"):
        ft.jit(looped(2001)).lower(ft.ShapeDtype(()))


LOOPS: dict[str, Function] = {
    "in a derivative": lambda x: ft.grad(lambda x: square(looped(2001)(x)))(x),
    "in a map": lambda x: ft.vmap(looped(2001))(np.ones(2)),
    "in a list": lambda x: np.stack([np.sin(k * x) for k in range(2001)]),
    "in a while": lambda x: _while(x),
    "around a loop": lambda x: _rounds_of_rounds(x, 3, 667),
}


def _while(x: Any) -> Any:
    k = 0
    while (k := k + 1) < 2002:
        x = np.tanh(x)
    return x


def _rounds_of_rounds(x: Any, inner: int, outer: int) -> Any:
    for _ in range(outer):
        for _ in range(inner):
            x = np.tanh(x)
    return x


@pytest.mark.parametrize("name", LOOPS)
def test_loops_that_are_named(name: str) -> None:
    assert [kind for kind, _ in said(LOOPS[name], 1.0)] == ["FunctransWarning"]


def test_many_lines_are_no_loop(tmp_path: Path) -> None:
    """Alike or not, and all calling one function."""
    lines = ["def f(x, g):", *["    x = x + 1.5 * g(x)"] * 2500, "    return x"]
    path = tmp_path / "written.py"
    path.write_text("\n".join(lines))
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    assert said(lambda x: names["f"](x, square), 1.0) == []


def test_many_values_of_one_operation_are_no_loop() -> None:
    assert said(lambda x: sum(list(x)[:3]), np.ones(3000)) == []
    assert said(lambda d: d, {k: np.float64(k) for k in range(2500)}) == []
    assert said(lambda x: np.polyval(np.ones(30), x) + np.linalg.matrix_power(np.eye(2), 3).sum(), 1.0) == []


def test_a_scan_of_many_rounds_is_what_is_asked_for() -> None:
    assert said(lambda x: ft.fori_loop(0, 5000, lambda i, x: step(x), x), 1.0) == []
