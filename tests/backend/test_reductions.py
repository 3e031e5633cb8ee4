"""Reductions in one loop: which share, that those which need one another do not, and that no bit depends on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.schedule.parts import is_global
from functrans.ops import Ops
from functrans.ops.uop import toposort

RNG = np.random.default_rng(0)


def loops(f: Callable[..., Any], *args: Any) -> int:
    """How many different RANGEs the reductions of a function go along."""
    stores = [s for k in ft.jit(f).lower(*args).kernels for s in k.stores]
    return len({r for u in toposort(stores, enter=lambda u: not is_global(u)) if u.op is Ops.REDUCE for r in u.src[1:]})


def e(x: Any) -> Any:
    return np.exp(np.sin(x))


@pytest.mark.parametrize(
    ("f", "count"),
    [
        (lambda x: (e(x).sum(), (e(x) * x).sum()), 1),
        (lambda x: (e(x).sum(), e(x).max()), 2),
        (lambda x: (e(x) / e(x).sum()).max() + e(x).sum(), 2),
        (lambda x: (x - e(x).sum()).sum() * e(x).sum(), 2),
        (lambda x: (e(x).sum(), e(x).astype(np.float32).sum()), 2),
        (lambda x: (e(x[1:]).sum(), e(x).sum()), 2),
    ],
    ids=["shared", "another operation", "one after the other", "a sum of a sum", "another dtype", "another extent"],
)
def test_loops(f: Callable[..., Any], count: int) -> None:
    assert loops(f, RNG.normal(size=50)) == count


@pytest.mark.covering(1)
@pytest.mark.parametrize("n", [2, 7, 31, 32, 50, 4096, 5000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_each_sum_has_the_bits_it_has_alone(n: int, dtype: Any) -> None:
    x = RNG.normal(size=(3, n)).astype(dtype)
    parts = [lambda r, k=k: (e(r) * r**k).sum() for k in range(4)] + [lambda r: (e(r) - e(r).sum()).sum()]

    def together(r: Any) -> Any:
        return tuple(p(r) for p in parts)

    for made in (ft.jit(together)(x[0]), tuple(y[0] for y in ft.vmap(together)(x))):
        for got, part in zip(made, parts, strict=True):
            np.testing.assert_array_equal(got, ft.jit(part)(x[0]))


def test_a_sum_of_what_the_kernel_fills_waits_for_it() -> None:
    def f(x: Any) -> Any:
        largest = x.max()
        return (e(x) * x.min()).sum(), largest, (e(x) * largest).sum()

    x = RNG.normal(size=40)
    for got, want in zip(ft.jit(f)(x), f(x), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13)
