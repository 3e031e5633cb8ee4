"""The law of cost: a transform of a transform costs a constant times what it transforms. Counted, never timed.

Programs are written twice, small and four times as large. What a word costs over what the words after its first cost
must not grow with the size: neither operations nor bytes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import functrans as ft
from functrans.backend.facts import Cost
from functrans.errors import FunctransWarning
from functrans.ops import UOp, dtypes
from tests.plans import schedule_cost

Function = Callable[[Any], Any]
SIZES = (512, 2048)
FEWER = (20, 80)  # where every element is a node of its own
GROWTH = 1.5  # of the factor between the sizes, which is 4 where a factor is a size
HELD = 32  # times the bytes that are moved: small arrays are on the stack and count nothing, so that growth says little


def ring(n: int) -> Any:
    return np.random.default_rng(n).permutation(n)


def closed(y: Any, r: UOp) -> Any:
    return y.vmapout((r, *[UOp.const(dtypes.index, 0)] * y.ndim))


def put_in(x: Any) -> Any:
    return x.at[1:].set(x[:-1] ** 2) * x


def lower_band(n: int) -> Any:
    return sp.diags_array([np.ones(n - 1), np.ones(n)], offsets=[-1, 0]).tocsr()


def windows(x: Any) -> Any:
    r = UOp.range(x.shape[0] - 3)
    return closed(x.shrink(((r, r + 4),)).prod(), r)


def backward(x: Any) -> Any:
    n = x.shape[0]
    r = UOp.range(n)
    return closed(x.shrink(((n - 1 - r, n - r),)).reshape(()) ** 2, r)


WHOLE: dict[str, Function] = {
    "chain": lambda x: x[1:] - x[:-1] ** 2,
    "stencil": lambda u: u[1:-1] ** 3 - (u[:-2] - 2 * u[1:-1] + u[2:]),
    "twice": lambda x: (lambda y: y[1:] * y[:-1])(x[1:] * x[:-1]),
    "gather": lambda x: x[ring(len(x))] * np.sin(x),
    "scatter": lambda x: ft.segment_sum(x * x, ring(len(x)) // 2, len(x) // 2),
    "joined": lambda x: np.concatenate([x[:1] ** 2, x[1:] * x[:-1], x[-1:] ** 3]),
    "updated": put_in,
    "read in lanes": lambda x: ft.vmap(lambda i: x[i] * x[i + 1])(np.arange(len(x) - 1)),
    "every third": lambda x: np.sin(x[2::3]) * x[1::3][: len(x[2::3])],
    "backwards": lambda x: x[::-2] ** 2,
    "a table's corners": lambda x: x.reshape(-1, 16)[::3, 1::4] ** 2,
    "matrix": lambda x: ft.sparse(lower_band(len(x))) @ (x * x) * x,
}  # fmt: skip
SINGLE: dict[str, Function] = {
    "elements": lambda x: sum(x[i] * x[i + 1] for i in range(len(x) - 1)),
    "elements stacked": lambda x: np.stack([x[i] * x[i + 1] for i in range(len(x) - 1)]).sum(),
    "elements of a table": lambda x: sum(a * b for a, b in x.reshape(-1, 2) ** 2),
    "overlapping windows": lambda x: sum(x[i : i + 3].sum() ** 2 for i in range(len(x) - 2)),
    "phases": lambda x: sum((x[k :: len(x) // 4] ** 2).sum() for k in range(len(x) // 4)),
    "phases of a part": lambda x: sum((x[k : -3 : len(x) // 2] ** 2).sum() for k in range(1, len(x) // 2)),
    "phases of a table": lambda x: (lambda y: sum((y[:, k :: len(x) // 4] ** 2).sum() for k in range(len(x) // 4)))(
        np.stack([x, x**2])
    ),
    "updates": lambda x: updates(x).sum(),
    "sets": lambda x: sets(x).sum(),
}


def updates(x: Any) -> Any:
    y = 1 * x
    for i in range(len(x) - 1):
        y = y.at[i + 1].add(y[i] * x[i])
    return y


def sets(x: Any) -> Any:
    y = 0 * x
    for i in range(len(x) - 1):
        y = y.at[i + 1].set(np.sin(y[i]) * x[i])
    return y


def point(n: int) -> Any:
    return np.linspace(0.1, 1.0, n)


def cost(f: Function, n: int) -> Any:
    """Operations, reading or writing an element being one, and bytes that are moved."""
    return _counted(schedule_cost(ft.jit(f).lower(point(n)).program))


def cost_and_memory(f: Function, n: int) -> Any:
    """The same, of a plan, whose memory is in a proportion to that."""
    found = ft.jit(f).lower(point(n)).cost()
    assert found.temporaries <= HELD * (found.bytes_read + found.bytes_written)
    return _counted(found)


def _counted(found: Cost) -> Any:
    moved = found.bytes_read + found.bytes_written
    return np.array([found.flops + moved / 8, moved])


def jvp(f: Function) -> Function:
    return lambda x: ft.jvp(f, (x,), (np.cos(x),))[1]


def vjp(f: Function) -> Function:
    def pulled(x: Any) -> Any:
        y, pullback = ft.vjp(f, x)
        return pullback(np.cos(y))[0]

    return pulled


def vmap(f: Function) -> Function:
    return lambda x: ft.vmap(f)(np.stack([x, 2 * x, 3 * x])).reshape(-1)


def values(method: str) -> Callable[[Function], Function]:
    return lambda f: ft.spjacobian(f, method=method).values


WORDS = {"jvp": jvp, "vjp": vjp, "vmap": vmap, "direct": values("direct"), "compressed": values("compressed")}


def grown(inner: Function, words: Mapping[str, Function], sizes: tuple[int, int]) -> Iterator[tuple[str, Any]]:
    """By how much the factor between each word of a function and the function grows with the size."""
    counts = list(zip((cost, cost_and_memory), sizes, strict=True))  # what is small is on the stack
    below = [np.maximum(count(inner, n), 1) for count, n in counts]
    for name, word in words.items():
        small, large = (count(word(inner), n) / b for (count, n), b in zip(counts, below, strict=True))
        yield name, large / np.maximum(small, 1)


@pytest.mark.parametrize("name", WHOLE)
def test_every_word_of_two(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FunctransWarning)
        for first, one in WORDS.items():
            growth = dict(grown(one(WHOLE[name]), WORDS, SIZES))
            assert {second: g for second, g in growth.items() if max(g) > GROWTH} == {}, first


@pytest.mark.parametrize("name", SINGLE)
def test_reverse_mode_of_single_elements(name: str) -> None:
    growth = [*grown(SINGLE[name], {"grad": ft.grad}, FEWER)]
    growth += grown(ft.grad(SINGLE[name]), {"vjp": vjp, "jvp": jvp}, FEWER)
    assert {word: g for word, g in growth if max(g) > GROWTH} == {}


@pytest.mark.parametrize("f", [windows, backward], ids=["windows", "backward"])
def test_reverse_mode_of_windows_at_a_range(f: Function) -> None:
    for inner in (ft.jit(f), vjp(f)):
        assert all(max(g) <= GROWTH for _, g in grown(inner, {"vjp": vjp}, SIZES))


def test_values_of_hessians_and_of_nlp() -> None:
    def f(x: Any) -> Any:
        return (np.exp(x[1:]) * x[:-1] ** 2).sum()

    def g(x: Any) -> Any:
        return x[1:] - np.sin(x[:-1])

    def all_of_nlp(x: Any) -> Any:
        found = ft.nlp(f, g).values(x, 0 * x[1:] + 1.0, 1.0)
        return np.concatenate([np.reshape(a, -1) for a in found])

    for inner in (ft.sphessian(f).values, ft.sphessian(f, triangle="lower", method="direct").values, all_of_nlp):
        growth = grown(inner, {"jvp": jvp, "vjp": vjp, "vmap": vmap}, SIZES)
        assert {word: g for word, g in growth if max(g) > GROWTH} == {}


def test_the_gradient_of_values_takes_as_much_memory_as_the_values() -> None:
    J = ft.spjacobian(lambda x: x[1:] - x[:-1] ** 2, method="direct")
    operations, moved = cost_and_memory(ft.grad(lambda x: J.values(x).sum()), 60_000)
    assert operations < 20 * 60_000
    assert moved < 10 * 8 * 60_000
