"""What a graph demands, against counts by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.demanded import demanded

X = np.ones((5, 6))


def asked(f: Any, *args: Any) -> int:
    (_, program), *_ = ft.jit(f).lower(*args).program.leaves
    return demanded(next(s.nodes for s in program.recorded().stages if s.name == "multiply_adds"))


@pytest.mark.parametrize(
    ("f", "operations"),
    [
        (np.sin, 30),
        (lambda x: np.sin(x)[1:3, ::2], 6),
        (lambda x: np.concatenate([np.sin(x)[:2], np.sin(x)[1:3]]), 18),
        (lambda x: np.sin(x).T[2:3].reshape(5)[::-1][:2], 2),
        (lambda x: np.stack([np.sin(x[0]), np.cos(x[1])])[1, 4], 1),
        (lambda x: np.pad(np.sin(x), 1)[:2], 6),
        (lambda x: np.exp(x).sum(1), 60),
        (lambda x: np.exp(x).sum(1)[2], 12),
        (lambda x: np.exp(x[0]) + np.zeros((5, 6)), 6 + 30),
        (lambda x: np.cumsum(np.exp(x), 1)[:, 0], 30 + 5),
        (lambda x: x @ x.T, 2 * 5 * 6 * 5),
        (lambda x: ft.vmap(lambda r: np.sin(r).sum())(x), 60),
        (lambda x: ft.vmap(lambda r: np.sin(r)[1:3])(x), 10),
        (lambda x: np.exp(x)[np.array([0, 0, 1])], 30),
        (lambda x: (np.exp(x), np.exp(x)[0]), 30),
        (lambda x: x[::-1].T.reshape(6, 5), 0),
    ],
)
def test_by_hand(f: Any, operations: int) -> None:
    assert asked(f, X) == operations
