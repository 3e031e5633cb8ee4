"""Loops without lanes: the rows of what a round computes are the elements of vectors, and have the bits of a lane."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend.codegen.regions import lowered
from functrans.backend.codegen.vectors.target import Target, written_for
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
MATRICES = {n: np.random.default_rng(n).normal(size=(n, n)) / np.sqrt(n) for n in (4, 7, 8, 11, 16, 17, 29, 40)}
SIZES = pytest.mark.parametrize("n", MATRICES)
WIDE = Target(64, True)


def recurrence(w: Any, x: Any) -> Any:
    return ft.scan(lambda h, _: (np.tanh(w @ h + x), h[::2]), np.sin(x), None, 9)


def gradient(w: Any, x: Any) -> Any:
    return ft.grad(lambda w: (recurrence(w, x)[0] ** 2).sum())(w)


def in_order(w: Any, x: Any) -> Any:
    """Rows that build on those before are none of these."""
    return ft.scan(lambda h, _: (np.cumsum(w @ h) * 0.1 + np.exp(-h), h.max()), x, None, 5)


def chosen(w: Any, x: Any) -> Any:
    """With indices that are numbers, comparisons, integers, and a matrix that differs from round to round."""
    at, n = np.arange(x.shape[0], dtype=x.dtype), x.shape[0]
    body = lambda h, m: (np.where(h > 0.1 * at, m @ h, h / (1.0 + at)), np.floor(4 * h).astype(int) % n)  # noqa: E731
    return ft.scan(body, x, np.stack([w, w.T, 0.5 * w]))


def read_again(w: Any, x: Any) -> Any:
    """With a matrix that is a carry: the next round reads another one."""
    return ft.scan(lambda c, _: ((c[0] * 0.9 + np.outer(c[1], x), c[0] @ c[1]), c[1].sum()), (w, x), None, 6)[0]


def likeliest(w: Any, x: Any) -> Any:
    """With the index of what is the largest, and whole numbers that are carried."""

    def body(c: Any, _: Any) -> Any:
        best, count = c
        z = best[:, None] + w
        return (z.max(0) + x, count + (z > 0).sum(0)), z.argmax(0)

    return ft.scan(body, (x, np.arange(x.shape[0])), None, 6)


def looked_up(w: Any, x: Any) -> Any:
    """With places that rows find for themselves, and their own numbers among integers."""

    def body(c: Any, _: Any) -> Any:
        z = c[:, None] + w
        best = z.argmax(1)
        turned = np.where(np.arange(x.shape[0]) == best, c, c[best] * 0.5)
        return np.sin(turned + w[0][best]), (best + np.arange(x.shape[0]), best.max())

    return ft.scan(body, x, None, 5)


def masked(w: Any, x: Any) -> Any:
    """Rows that count by their number."""
    at, n = np.arange(x.shape[0]), x.shape[0]
    body = lambda h, k: (np.tanh(np.triu(w) @ h + np.tril(w).T @ x), at * 2 + k % n)  # noqa: E731
    return ft.scan(body, x, np.arange(3))


PROGRAMS = [masked, looked_up, recurrence, gradient, in_order, chosen, read_again, likeliest]


@SIZES
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_sequence_alone_has_the_bits_of_a_lane(f: Callable[..., Any], n: int, dtype: Any) -> None:
    xs, w = np.random.default_rng(1).normal(size=(3, n)).astype(dtype), MATRICES[n].astype(dtype)
    lanes = tree.leaves(ft.vmap(f, (None, 0))(w, xs))
    for k, x in enumerate(xs):
        alone = tree.leaves(ft.jit(f)(w, x))
        assert [a.tobytes() for a in alone] == [b[k].tobytes() for b in lanes]


@pytest.mark.parametrize("n", [7, 17])
@pytest.mark.parametrize("machine", [Target(32, True), Target(16, False)], ids=["of 32 bytes", "of 16 bytes"])
def test_vectors_of_other_machines(machine: Target, n: int, tmp_path: Path) -> None:
    x = np.random.default_rng(2).normal(size=n)
    wanted = ft.jit(recurrence)(MATRICES[n], x)
    with kept_apart(tmp_path), written_for(machine):
        found = ft.jit(recurrence)(MATRICES[n], x)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


def test_a_call_that_is_left_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    x = np.random.default_rng(3).normal(size=16)
    wanted = [tree.leaves(ft.jit(f)(MATRICES[16], x)) for f in PROGRAMS]
    monkeypatch.setattr(lowered, "TURN_PICOSECONDS", 1)
    with kept_apart(tmp_path):
        found = [tree.leaves(ft.jit(f)(MATRICES[16], x)) for f in PROGRAMS]
    assert [[a.tobytes() for a in y] for y in found] == [[a.tobytes() for a in y] for y in wanted]


def test_a_matrix_is_put_down_by_columns_once(tmp_path: Path) -> None:
    with kept_apart(tmp_path), written_for(WIDE):
        text = ft.jit(recurrence).lower(MATRICES[16], np.ones(16)).c_source
        carried = ft.jit(read_again).lower(MATRICES[16], np.ones(16)).c_source
    body = text[text.index("static int k0") :]
    before, rounds = body.split("_u = goes_on", 1)
    assert before.count("[j * 16 + i] = ") == 1 and "[j * 16 + i] = " not in rounds
    assert "ft_tanh_f64x8(" in rounds and "ft_tanh_f64(" not in rounds
    narrow = np.ones((16, 16), np.float32)
    with kept_apart(tmp_path), written_for(WIDE):
        assert "ft_tanh_f32x16(" in ft.jit(recurrence).lower(narrow, narrow[0]).c_source
        assert "ft_max_f64x8(" in ft.jit(likeliest).lower(MATRICES[16], np.ones(16)).c_source
    assert "[j * 16 + i] = " not in carried  # it is another one in each round
