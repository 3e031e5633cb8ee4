"""Unrolled Python loops rolled up again: the same bits as the loop as it was written, and a graph of one round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, substitute, toposort
from functrans.trace import placeholder, results, trace, traced
from functrans.transforms.loops.rolled import rolled

X = np.random.default_rng(0).uniform(0.2, 1.2, 61)
LEAST = 60  # nodes that have to repeat
N = 20


def graph(f: Callable[[Any], Any], x: np.ndarray[Any, Any] = X) -> tuple[list[UOp], UOp]:
    with trace("f"):
        p = placeholder(x)
        return results(f(traced(p)), "f")[0], p


def values(outputs: list[UOp], p: UOp, x: np.ndarray[Any, Any] = X) -> list[np.ndarray[Any, Any]]:
    return interpret(substitute(outputs, {p: buffer(x.copy())}))


def step(x: Any, u: Any) -> Any:
    k = fnp.stack([x[1] * u, np.sin(x[0]) - u])
    return x + 0.1 * (k + np.cos(x + 0.05 * k))


def stages(x: Any, n: int = N) -> Any:
    """Each round reads what is given to it and to the next."""
    states, controls = x[: 2 * n + 2].reshape(n + 1, 2), x[-n:]
    return fnp.concatenate([states[k + 1] - step(states[k], controls[k]) for k in range(n)])


def chain(x: Any, n: int = N) -> Any:
    state = x[:2]
    for k in range(n):
        state = step(state, x[k])
    return state


def path(x: Any) -> Any:
    found = [x[:2]]
    for k in range(N):
        found.append(step(found[-1], x[k]))
    return fnp.concatenate([np.exp(a) for a in found]), found[3] * found[7], found[-1]


def two_back(x: Any) -> Any:
    a, b = x[0], x[1]
    for k in range(N):
        a, b = b, b + 0.1 * (3 * np.sin(b) - np.cos(a) * x[k])
    return a, b


def shared(x: Any) -> Any:
    """What a round computes is read by the next one, which hands nothing on."""
    def slope(k: int) -> Any:
        return np.sin(x[k]) * np.exp(x[k]) - x[k] ** 3

    return fnp.stack([x[k + 1] - x[k] - 0.05 * (slope(k) + slope(k + 1)) for k in range(N)])


def backwards(x: Any) -> Any:
    cost = x[0]
    for k in reversed(range(N)):
        cost = np.tanh(cost) * x[3 * k] + (x[2 * k : 2 * k + 3] ** 2).sum()
    return cost


def of_what_was_computed(x: Any) -> Any:
    y = np.sin(x[:60]).reshape(20, 3)
    total = 0.0
    for k in range(N):
        total = total + (y[k] @ y[k]) * np.exp(y[k, 0]) - np.sqrt(y[k, 2] ** 2 + 1.0)
    return total


def with_constants(x: Any) -> Any:
    a = np.array([[0.5, 0.1], [0.2, 0.7]])
    state = x[:2]
    for k in range(N):
        state = np.tanh(a @ state) * (0.1 * k + 1.0) + np.array([k, 0.5]) * x[k]
    return state


def alternating(x: Any) -> Any:
    state = x[:2]
    for k in range(2 * N):
        state = step(state, x[k]) if k % 2 else np.sin(state) * x[k + 1]
    return state


def in_turn(x: Any) -> Any:
    parts = []
    for k in range(N):
        parts += [np.sin(x[k : k + 2]) * x[k], np.exp(x[k + 1]).reshape(1) * x[k] + x[k + 2]]
    return fnp.concatenate(parts), fnp.stack([np.cos(x[k : k + 2] * 2) + 1 for k in range(N)], axis=1)


def rows_in_reverse(x: Any) -> Any:
    rows = x[:60].reshape(3, 20)
    return fnp.stack([np.sin(rows[:, N - 1 - k]) * np.cos(rows[1, N - 1 - k]) + 1.0 for k in range(N)], axis=1)


PROGRAMS = [
    stages, chain, path, two_back, shared, backwards, of_what_was_computed, with_constants, alternating, in_turn,
    rows_in_reverse,
]  # fmt: skip
SCANNED = {chain, path, two_back, backwards, of_what_was_computed, with_constants, alternating}


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_same_bits_of_a_graph_of_one_round(f: Callable[[Any], Any]) -> None:
    outputs, p = graph(f)
    made = rolled(outputs, [p], LEAST)
    assert len(toposort(made)) < len(toposort(outputs)) / 2
    assert any(u.op is Ops.SCAN for u in toposort(made)) == (f in SCANNED)
    for a, b in zip(values(outputs, p), values(made, p), strict=True):
        assert np.array_equal(a, b)


def irregular(x: Any) -> Any:
    """Windows that are not equally far apart."""
    return sum(np.sin(x[k * k % 61]) * np.exp(x[k]) + np.cos(x[k]) for k in range(N))


def longer_and_longer(x: Any) -> Any:
    return fnp.stack([np.sin(x[:k]).sum() * np.cos(x[k]) + np.exp(x[k]) for k in range(1, N)])


def few(x: Any) -> Any:
    return chain(x, 3)


@pytest.mark.parametrize("f", [irregular, longer_and_longer, few], ids=lambda f: f.__name__)
def test_rounds_that_differ_stay(f: Callable[[Any], Any]) -> None:
    outputs, p = graph(f)
    assert rolled(outputs, [p], LEAST) == outputs


def test_the_inputs_are_where_it_ends() -> None:
    """What an outer function computes is not made again."""
    outputs, _ = graph(chain)
    (first,) = [u for u in toposort(outputs) if u.op is Ops.SIN][:1]
    assert set(toposort([first])) <= set(toposort(rolled(outputs, [first], LEAST)))


def unrolled(n: int) -> tuple[Callable[[Any], Any], np.ndarray[Any, Any]]:
    return lambda x: stages(x, n), np.linspace(0.1, 1.0, 3 * n + 2)


def mapped(n: int) -> Callable[[Any], Any]:
    def f(x: Any) -> Any:
        states, controls = x[: 2 * n + 2].reshape(n + 1, 2), x[-n:]
        return states[1:] - ft.vmap(step)(states[:-1], controls)

    return f


def size(f: Callable[..., Any], *args: Any) -> int:
    return len(toposort(ft.make_graph(f)(*args).outputs))


def test_the_work_of_a_jacobian_does_not_grow_with_rounds() -> None:
    counts = []
    for n in (40, 80):
        f, x = unrolled(n)
        counts.append(size(ft.spjacobian(f).values, x))
    assert counts[0] == counts[1]


def test_jacobian_as_of_the_loop_that_is_one() -> None:
    f, x = unrolled(40)
    made, other = ft.spjacobian(f), ft.spjacobian(mapped(40))
    assert made.pattern(x) == other.pattern(x)
    assert np.array_equal(made.values(x), other.values(x))
    assert made.plan(x).method == other.plan(x).method == "direct"


def test_hessian_as_of_the_loop_that_is_one() -> None:
    f, x = unrolled(40)
    made, other = (ft.sphessian(lambda x, g=g: (g(x) ** 2).sum()) for g in (f, mapped(40)))
    assert made.pattern(x) == other.pattern(x)
    np.testing.assert_allclose(made.values(x), other.values(x), rtol=1e-13, atol=1e-15)


def test_jacobian_of_a_simulation() -> None:
    def scanned(x: Any) -> Any:
        return ft.scan(lambda state, u: (step(state, u), None), x[:2], x)[0]

    x = np.linspace(0.1, 1.0, 40)
    made, other = ft.spjacobian(lambda x: chain(x, 40)), ft.spjacobian(scanned)
    assert made.pattern(x) == other.pattern(x)
    np.testing.assert_allclose(made.values(x), other.values(x), rtol=1e-13, atol=1e-15)


def test_entries_are_explained_by_lines_of_the_loop() -> None:
    f, x = unrolled(40)
    text = ft.spjacobian(f).pattern(x).explain(0, 0)
    assert "output 0 depends on input 0" in text and "test_rolled.py" in text


def drawn(seed: int) -> Callable[[Any], Any]:
    """A loop with a random body: windows, what it had before, constants, and results of any round."""
    rng = np.random.default_rng(seed)
    rounds, count = int(rng.integers(5, 14)), int(rng.integers(4, 14))
    body = [(int(rng.integers(7)), rng.integers(0, 1000, 4)) for _ in range(count)]
    stride, back, n = int(rng.integers(0, 4)), bool(rng.integers(2)), int(rng.integers(1, 4))

    def f(x: Any) -> Any:
        old, outs = [np.sin(x[:n]), x[1 : 1 + n] * 2.0, x[3 : 3 + n]], []
        for k in reversed(range(rounds)) if back else range(rounds):
            now = [x[k * stride : k * stride + n]]
            for kind, (a, b, c, _) in body:
                p, around = now[a % len(now)], now + old[-3:]
                q = around[b % len(around)]
                made = [
                    lambda p, q, c, k: p * q + 0.5, lambda p, q, c, k: np.sin(p) - q,
                    lambda p, q, c, k: old[-1 - c % 3] * p, lambda p, q, c, k: x[k + c % 5 : k + c % 5 + n] + p,
                    lambda p, q, c, k: p * (0.1 * k + 1.5), lambda p, q, c, k: np.tanh(q.sum() * 0.1) + p,
                    lambda p, q, c, k: p + np.arange(n) * (c % 3),
                ][kind](p, q, c, k)  # fmt: skip
                now.append(made * 0.5)
            old.append(now[-1])
            outs += [now[body[0][1][3] % len(now)]] + [now[-1] + 1.0] * (body[0][0] % 2)
        return fnp.concatenate(outs), old[-1], old[len(old) // 2] * 2

    return f


@pytest.mark.parametrize("seed", [*range(6), 105, 110])
def test_drawn_rounds_have_the_same_bits(seed: int) -> None:
    """That of 110 once was rolled up again and again."""
    outputs, p = graph(drawn(seed))
    for a, b in zip(values(outputs, p), values(rolled(outputs, [p], 40), p), strict=True):
        assert np.array_equal(a, b)
