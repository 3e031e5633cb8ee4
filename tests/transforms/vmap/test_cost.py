"""Cost is linear in the batch, whichever way the map is written: counted from schedules at one, two and four times."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.transforms.kernels import iterations

METHODS, KINDS = ("vmapin", "rewrite", "pad_reduce"), ("loop", "outer")


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


BODIES: dict[str, Callable[[Any], Any]] = {  # of a lane of shape (4, 6)
    "elementwise": lambda x: np.sin(x) * 2, "softmax": softmax, "matmul": lambda x: x @ x.T,
    "own sum": lambda x: x * x.sum() - x.mean(axis=0), "cumsum": lambda x: np.cumsum(x, axis=1) + x,
    "scatter": lambda x: x.at[[1, 3, 1]].add(x[:3]), "gather": lambda x: (x + 1)[x[:, 0].argsort()],
    "join": lambda x: np.concatenate([x, x.sum(axis=0)[None]]), "sort": lambda x: np.sort(x, axis=0),
    "stacked and picked": lambda x: np.stack([x[:2].sum(), x[2:].sum()])[[0, 1, 1]],
}  # fmt: skip


def counted(f: Callable[..., Any], *shapes: tuple[int, ...]) -> tuple[int, int, int, int]:
    made = ft.jit(f).lower(*map(ft.ShapeDtype, shapes))
    cost = made.cost()
    return iterations(made.kernels), cost.flops, cost.bytes_written, cost.temporaries


@pytest.mark.parametrize("method, kind", list(itertools.product(METHODS, KINDS)))
@pytest.mark.parametrize("name", BODIES)
def test_one_map(name: str, method: str, kind: str) -> None:
    f = ft.vmap(BODIES[name], method=method, axis_type=kind)
    one, two, four = (counted(f, (n, 4, 6)) for n in (5, 10, 20))
    assert one[0] > 0
    for a, b, c in zip(one[:3], two[:3], four[:3], strict=True):
        assert (b, c) == (2 * a, 4 * a)
    assert one[3] == two[3] == four[3] or four[3] <= 4 * one[3]


@pytest.mark.parametrize("methods", [(m,) * 3 for m in METHODS] + [("pad_reduce", "rewrite", "vmapin")], ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["softmax", "own sum", "cumsum", "scatter"])
def test_nests_of_three(name: str, kind: str, methods: tuple[str, ...]) -> None:
    """Twice the extent of any one level is twice the work: nothing is done for all lanes once a lane."""

    def nest(x: Any) -> Any:
        f = BODIES[name]
        for method in methods:
            f = ft.vmap(f, 1, method=method, axis_type=kind)
        return f(x)

    base = counted(nest, (4, 2, 3, 5, 6))
    assert base[0] > 0
    for level in (1, 2, 3):
        shape = tuple(2 * n if k == level else n for k, n in enumerate((4, 2, 3, 5, 6)))
        twice = counted(nest, shape)
        assert twice[:3] == tuple(2 * n for n in base[:3]), level


def test_what_all_lanes_share_is_done_once() -> None:
    for method, kind in itertools.product(METHODS, KINDS):
        f = ft.vmap(lambda x, w: x + np.cumsum(np.exp(w)), (0, None), method=method, axis_type=kind)
        one, two = counted(f, (5, 6), (6,)), counted(f, (10, 6), (6,))
        assert two[1] - one[1] == 5 * 6, (method, kind)
