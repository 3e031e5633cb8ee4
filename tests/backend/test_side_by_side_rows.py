"""Loops of one instance: rows go in vectors, whatever their number, and have the bits that they have in lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend.codegen.regions.jam import _pieces
from functrans.backend.codegen.vectors.target import Target, written_for
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("rows", [1, 2, 4, 8, 16])
def test_pieces_are_all_rows_in_whole_vectors(rows: int) -> None:
    for n in range(rows, 70):
        found = _pieces(n, rows)
        assert {k for first, many in found for k in range(first, first + many)} == set(range(n))
        assert all(many % (2 * rows) == 0 or many in (1, 2, 4, 8, 16) for _, many in found)
        assert sum(many for _, many in found) < n + max(rows, 4)


def _network(n: int, dtype: Any) -> tuple[Callable[..., Any], Array]:
    rng = np.random.default_rng(n)
    w, u = (rng.normal(size=(n, n)).astype(dtype) for _ in range(2))
    each = np.arange(n, dtype=dtype)

    def step(h: Any, x: Any) -> Any:
        a = w @ h + u @ x
        return np.tanh(a) - each * h[::-1], a * (a > 0)

    return (lambda h, xs: ft.scan(step, h, xs)), rng.normal(size=(3, n)).astype(dtype)


def _check(sizes: Sequence[int], dtype: str) -> None:
    programs = [_network(n, dtype) for n in sizes]
    given = [(xs[0], xs[1:]) for _, xs in programs]

    def alone(given: Any) -> Any:
        return [f(h, xs) for (f, _), (h, xs) in zip(programs, given, strict=True)]

    def lanes(given: Any) -> Any:
        return [ft.vmap(f)(h[None], xs[None]) for (f, _), (h, xs) in zip(programs, given, strict=True)]

    error = 1e-4 if dtype == "float32" else 1e-11
    for n, (f, _), (h, xs), one, many in zip(sizes, programs, given, ft.jit(alone)(given), ft.jit(lanes)(given)):
        for x, y in zip(tree.leaves(one), tree.leaves(many), strict=True):
            assert np.array_equal(x, y[0]), n
        for x, y in zip(tree.leaves(one), tree.leaves(f(h.astype(np.float64), xs)), strict=True):
            np.testing.assert_allclose(x, y, rtol=error, atol=error * n)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_of_every_number(dtype: str) -> None:
    _check(range(1, 42), dtype)


@pytest.mark.parametrize("machine", [Target(32, True), Target(16, False)], ids=["of 32 bytes", "of 16 bytes"])
def test_vectors_of_other_machines(machine: Target, tmp_path: Path) -> None:
    with written_for(machine), kept_apart(tmp_path):
        _check((3, 5, 6, 7, 9, 11, 23), "float64")
        _check((5, 7, 9, 10, 13, 23), "float32")


def test_sums_that_are_added_up_before_an_elementary_function() -> None:
    rng = np.random.default_rng(0)
    for n, many in ((9, 2), (16, 3)):
        w, h = rng.normal(size=(many, n, n)) / n, rng.normal(size=n)

        def step(h: Any, _: Any, w: Any = w) -> Any:
            h = np.tanh((w @ h).sum(0))
            return h, h

        found, _ = ft.jit(lambda h, step=step: ft.scan(step, h, length=2))(h)
        np.testing.assert_allclose(found, np.tanh((w @ np.tanh((w @ h).sum(0))).sum(0)), rtol=1e-13)
