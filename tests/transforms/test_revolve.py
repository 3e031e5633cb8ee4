"""Binomial checkpointing: the plan against its formula, gradients by it against those that store every carry."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.transforms.loops.revolve import fewest, plan

LENGTHS, SLOTS = (1, 2, 10, 100, 1000), (1, 2, 5, 20)


@cache
def _least(n: int, s: int) -> int:
    """By trying every place of the first snapshot."""
    if n <= 1:
        return 0
    return n * (n - 1) // 2 if s == 1 else min(k + _least(n - k, s - 1) + _least(k, s) for k in range(1, n))


@pytest.mark.parametrize("slots", SLOTS)
@pytest.mark.parametrize("length", LENGTHS)
def test_a_plan_returns_each_round_with_the_fewest_rounds_forward(length: int, slots: int) -> None:
    stored, forward, at_once, back = {0: 0}, 0, 1, length
    for r in plan(length, slots):
        back -= 1
        assert stored[r.slot] == r.start  # nothing has overwritten it
        at = r.start
        for leg in r.legs:
            assert leg.rounds > 0 and (leg.slot is None or 0 < leg.slot < slots)
            if leg.slot is not None:
                stored[leg.slot] = at
                at_once = max(at_once, leg.slot + 1)
            at, forward = at + leg.rounds, forward + leg.rounds
        assert at == back
    assert back == 0 and forward == fewest(length, slots) and at_once <= slots


def test_the_formula_is_the_least_of_all_orders() -> None:
    for n in range(30):
        for s in range(1, 8):
            assert fewest(n, s) == _least(n, s)


def _loss(us: Any, **options: Any) -> Any:
    def body(y: Any, u: Any) -> Any:
        y = np.sin(y) * 1.1 + u * y[0]
        return y, (y * y).sum()

    def loss(x: Any, us: Any) -> Any:
        last, sums = ft.scan(body, x, us, **options)
        return last.sum() + (sums * sums).sum()

    return loss


@pytest.mark.covering(1)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", [1, 2, 10, 100])
def test_gradients_are_those_that_store_every_carry(length: int, reverse: bool) -> None:
    rng = np.random.default_rng(length)
    x, us = rng.normal(size=3), rng.normal(size=(length, 3))
    exact = ft.grad(_loss(us, reverse=reverse), (0, 1))(x, us)
    for slots in (1, 2, 5, 20):
        found = ft.grad(_loss(us, reverse=reverse, checkpoints=slots), (0, 1))(x, us)
        for a, b in zip(found, exact, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-300)


def test_lanes_are_what_they_are_alone() -> None:
    rng = np.random.default_rng(0)
    xs, us = rng.normal(size=(19, 3)), rng.normal(size=(23, 3))
    gradient = ft.grad(_loss(us, checkpoints=4))
    together = ft.vmap(lambda x: gradient(x, us))(xs)
    assert together.tobytes() == np.array([ft.jit(gradient)(x, us) for x in xs]).tobytes()


def test_a_sequence_without_carries_to_store_and_integers() -> None:
    # a linear loop needs no carries; an integer carry is stored beside the others
    assert ft.grad(lambda x: ft.scan(lambda c, _: (2 * c, None), x, length=5, checkpoints=2)[0])(1.0) == 32.0

    def body(c: Any, _: Any) -> Any:
        i, y = c
        return (i + 1, y * y * (i + 1)), None

    def last(y: Any, **options: Any) -> Any:
        return ft.scan(body, (0, y), length=6, **options)[0][1]

    assert ft.grad(lambda y: last(y, checkpoints=2))(0.9) == pytest.approx(ft.grad(last)(0.9), rel=1e-13)
    by_two = ft.jvp(ft.grad(lambda y: last(y, checkpoints=2)), (0.9,), (1.0,))[1]
    assert by_two == pytest.approx(ft.grad(ft.grad(last))(0.9), rel=1e-12)
    again = ft.grad(ft.grad(lambda y: last(y, checkpoints=2)))(0.9)
    assert again == pytest.approx(ft.grad(ft.grad(last))(0.9), rel=1e-12)


@pytest.mark.parametrize("reverse", [False, True])
def test_reverse_mode_of_gradients_and_of_their_tangents(reverse: bool) -> None:
    rng = np.random.default_rng(3)
    x, us, v = rng.normal(size=3), rng.normal(size=(9, 3)), rng.normal(size=3)

    def words(**options: Any) -> list[Any]:
        gradient = ft.grad(_loss(us, reverse=reverse, **options), (0, 1))
        over = lambda f: ft.grad(lambda x: sum((np.sin(g) * g).sum() for g in f(x)))  # noqa: E731
        along = lambda x: ft.jvp(lambda x: gradient(x, us), (x,), (v,))[1]  # noqa: E731
        second = over(lambda x: gradient(x, us))
        return [second(x), over(along)(x), over(lambda x: [second(x)])(x), ft.vmap(second)(np.stack([x, v]))]

    for found, exact in zip(words(checkpoints=3), words(), strict=True):
        np.testing.assert_allclose(found, exact, rtol=1e-10)


def test_slots_stay_where_they_are() -> None:
    """They are what the loop begins with and what it carries, and no more than that."""
    us = np.linspace(-1.0, 1.0, 100)
    loss = lambda x: (ft.scan(lambda y, u: (np.tanh(y + u), None), x, us, checkpoints=20)[0] ** 2).sum()  # noqa: E731
    carry = 8 * 500
    assert ft.jit(ft.grad(loss)).lower(np.ones(500)).cost().temporaries < (2 * 20 + 10) * carry


def test_memory_and_code_do_not_grow_with_the_length() -> None:
    def lowered(length: int, slots: int | None) -> Any:
        us = np.linspace(-1.0, 1.0, length)

        def loss(x: Any) -> Any:
            body = lambda y, u: (np.tanh(y * 1.01 + u), None)  # noqa: E731
            return (ft.scan(body, x, us, checkpoints=slots)[0] ** 2).sum()

        return ft.jit(ft.grad(loss)).lower(np.ones(500))

    short, long = lowered(100, 3), lowered(1000, 3)
    assert long.cost().temporaries < short.cost().temporaries * 1.5
    assert long.cost().temporaries < lowered(1000, None).cost().temporaries / 20
    assert abs(len(long.c_source) - len(short.c_source)) < 200


def test_errors() -> None:
    with pytest.raises(ft.ArgumentError, match="give one"):
        ft.scan(lambda c, x: (c, x), 0.0, np.ones(3), checkpoints=2, checkpoint_every=2)
    with pytest.raises(ft.ArgumentValueError, match="checkpoints"):
        ft.scan(lambda c, x: (c, x), 0.0, np.ones(3), checkpoints=0)
