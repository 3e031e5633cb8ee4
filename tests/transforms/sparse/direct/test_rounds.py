"""Nonzeros through loops, one by one: equal to dense derivatives and to the loop written out, in patterns that are."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import functrans as ft
from tests.laws.loop_programs import Ours, program
from tests.laws.references import assert_close

LAWS = settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
X = np.arange(1.0, 7.0) / 9
Function = Callable[[Any], Any]


def direct(f: Function, *points: Any) -> Any:
    """The direct Jacobian, held against the dense one and inside of its pattern."""
    J = ft.spjacobian(f, method="direct")
    for x in points:
        got = J(x).toarray()
        dense = np.asarray(ft.jacfwd(f)(x)).reshape(got.shape)
        assert_close(got, dense, 1e-11)
        assert not (dense != 0)[J.pattern(x).to_scipy().toarray() == 0].any()
        assert J.plan(x).method == "direct"
    return J


@LAWS
@given(st.integers(0, 2**32), st.sampled_from([(3,), (2, 2), (1,), (0,)]), st.booleans(), st.booleans())
def test_random_programs(seed: int, shape: tuple[int, ...], lanes: bool, bounds: bool) -> None:
    p = program(seed, reverse=bounds)
    rng = np.random.default_rng(seed % 997)

    def f(x: Any) -> Any:
        if not lanes:
            return p(Ours, x, 0.6)
        return ft.vmap(lambda row, k: p(Ours, row * k, 0.6 + 0 * k))(x, np.array([1.0, -0.7]))

    points = rng.uniform(-1.5, 1.5, (2, 2, *shape) if lanes else (2, *shape))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FunctransWarning)
        direct(f, *points)


def sparse_matrix(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray[Any, Any]:
    """A few nonzeros."""
    return np.asarray(rng.uniform(0.3, 1.0, shape) * (rng.uniform(size=shape) < 0.4))


STEPS: dict[str, Callable[[np.random.Generator], Any]] = {
    "any": lambda rng: sparse_matrix(rng, (4, 4)),
    "its powers never settle": lambda rng: np.eye(4)[np.roll(np.arange(4), rng.integers(1, 4))],
    "its powers end": lambda rng: np.eye(4, k=rng.integers(1, 3)),
}


@pytest.mark.parametrize("kind", STEPS)
@settings(LAWS, max_examples=8)
@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 3, 7, 9]), st.booleans(), st.booleans())
def test_patterns_and_values_are_those_of_the_loop_written_out(
    kind: str, seed: int, rounds: int, reverse: bool, repeated: bool
) -> None:
    rng = np.random.default_rng(seed)
    n, m = 4, 3
    a, d = STEPS[kind](rng), sparse_matrix(rng, (2, n))
    b, c, e, k = (sparse_matrix(rng, s) for s in ((n, m), (n, 2), (2, m), (2, 2)))
    begins = rng.uniform(size=n) < 0.5
    picked = np.sort(rng.integers(0, max(rounds, 1), rounds)) if repeated else np.arange(rounds)

    def parts(x: Any) -> Any:
        start = np.where(begins, x[:n], 0.5)
        return start, x[n : n + 2], x[n + 2 :].reshape(-1, m)[picked]

    def body(carry: Any, element: Any, p: Any) -> Any:
        new = a @ np.sin(carry) + b @ element**2 + c @ np.cos(p)
        return new, d @ carry**2 + e @ element + k @ p

    def looped(x: Any) -> Any:
        start, p, us = parts(x)
        last, ys = ft.scan(lambda s, u: body(s, u, p), start, us, reverse=reverse)
        return np.concatenate([last, ys.reshape(-1)])

    def written_out(x: Any) -> Any:
        carry, p, us = parts(x)
        ys: dict[int, Any] = {}
        for t in range(rounds)[:: -1 if reverse else 1]:
            carry, ys[t] = body(carry, us[t], p)
        return np.concatenate([carry, *(ys[t] for t in range(rounds))])

    x = rng.uniform(0.2, 1.2, n + 2 + m * max(rounds, 1))
    J = direct(looped, x)
    wanted = ft.spjacobian(written_out, method="direct")
    assert (J.pattern(x).to_scipy() != wanted.pattern(x).to_scipy()).nnz == 0
    assert_close(J(x).toarray(), wanted(x).toarray(), 1e-12)


PROGRAMS: dict[str, Function] = {
    "no rounds": lambda x: ft.scan(lambda c, e: (c * x[2] + e, c), x[0], x[:0])[0] * x,
    "one round": lambda x: ft.scan(lambda c, e: (c * x[2] + e, c), x[0], x[:1])[0] * x,
    "a carry that is forgotten": lambda x: ft.scan(lambda c, e: (1.5, c * e), x[0], x)[1],
    "a result that is constant": lambda x: ft.scan(lambda c, e: (c * x[2] + e, np.arange(2.0)), x[0], x)[1] + x[0],
    "a constant loop": lambda x: ft.scan(lambda c, e: (c * 2, c), 1.0, np.arange(3.0))[1] * x[:3],
    "a linear loop": lambda x: ft.scan(lambda c, e: (c * 0.5 + e, 2.0 * c), 1.0, x)[1],
    "branches in a loop": lambda x: ft.scan(
        lambda c, e: (ft.cond(c > 0.4, lambda: c * e, lambda: c + e * x[3]), c), x[0], x)[1],
    "a branch in lanes": lambda x: ft.map(lambda r: ft.cond(r[0] > 0.3, lambda: r * r[0], lambda: r), x.reshape(3, 2)),
    "one of three": lambda x: ft.switch(1, [lambda v: v, lambda v: v[::-1] ** 2, lambda v: v * v[0]], x),
    "any number of rounds": lambda x: ft.while_loop(lambda c: c.sum() < 9, lambda c: c * 1.5 + c[::-1] * x, x),
    "rounds of each lane": lambda x: ft.vmap(lambda r: ft.while_loop(
        lambda c: c[0] < 2, lambda c: (c[0] + c[1] * r[1], c[1] * r[0] + 1), (r[0], r[1]))[0])(x.reshape(3, 2)),
    "a loop that ends early": lambda x: ft.while_loop(lambda c: c.sum() < 3, lambda c: c * 1.5, x, max_steps=4),
    "more products than are written down": lambda x: ft.scan(
        lambda c, e: (np.tanh(WIDE @ c + e), c[3]), np.concatenate([x, x]), x)[1],
    "lanes of lanes": lambda x: ft.vmap(lambda s: ft.vmap(
        lambda r: ft.scan(lambda c, e: (c * e * s, c), 1.0, r)[1])(x.reshape(2, 3)))(x[:2]),
    "single precision and double": lambda x: ft.scan(
        lambda c, e: ((c[0] * e, (c[1] + c[0]).astype(np.float32)), c[1]), (x[0], np.float32(1)), x)[0][0],
    "a loop in a loop": lambda x: ft.scan(
        lambda c, e: (ft.fori_loop(0, 3, lambda i, d: np.sin(d) * e + x[0], c), c * e), 1.0, x)[1],
    "blocks of rounds": lambda x: ft.scan(lambda c, e: (np.sin(c) * e, c), 1.0, x, checkpoint_every=2)[1],
}  # fmt: skip
WIDE = np.random.default_rng(0).normal(size=(12, 12)) / 4


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore:the Jacobian:functrans.errors.FunctransWarning")
def test_kinds_of_loops(name: str) -> None:
    direct(lambda x: PROGRAMS[name](x).reshape(-1), X, X[::-1] * 0.7)


def bicycle(x: Any, u: Any) -> Any:
    return np.stack([x[2] * np.cos(x[3]), x[2] * np.sin(x[3]), u[0] - 0.1 * x[2] ** 2, x[2] * np.tan(u[1]) / 2.5])


def midpoint(x: Any, u: Any, h: float = 0.1) -> Any:
    return x + h * bicycle(x + h / 2 * bicycle(x, u), u)


def shooting(z: Any) -> Any:
    xs, us = z[:24].reshape(6, 4), z[24:].reshape(5, 2)
    ends = ft.map(lambda s: ft.fori_loop(0, 3, lambda i, x: midpoint(x, s[1]), s[0]), (xs[:-1], us))
    return (xs[1:] - ends).reshape(-1)


def simulated(u: Any) -> Any:
    return ft.scan(lambda x, v: (midpoint(x, v),) * 2, np.array([0.0, 0, 1, 0.1]), u.reshape(-1, 2))[1].reshape(-1)


@pytest.mark.parametrize(("f", "x"), [(shooting, np.linspace(0.1, 0.9, 34)), (simulated, np.linspace(0.1, 0.4, 16))])
def test_auto_takes_them_where_they_are_cheaper(f: Function, x: np.ndarray[Any, Any]) -> None:
    J = ft.spjacobian(f)
    plan = J.plan(x)
    assert plan.method == "direct" and "SCAN" in "".join(plan.parts)
    assert plan.cost < ft.spjacobian(f, method="compressed").plan(x).cost
    assert_close(J(x).toarray(), ft.jacfwd(f)(x), 1e-12)
    both, value = J(x), f(x)
    got = J.value_and_jacobian(x)
    assert_close(got[0], value, 1e-13)
    assert_close(got[1].toarray(), both.toarray(), 1e-13)


def test_values_under_other_transforms() -> None:
    xs = np.random.default_rng(1).uniform(0.1, 0.5, (3, 34))
    J = ft.spjacobian(shooting, method="direct")
    one_by_one = np.stack([J.values(x) for x in xs])
    assert_close(ft.vmap(J.values)(xs), one_by_one, 1e-13)
    assert_close(ft.jit(lambda x: J.values(x) * 2)(xs[0]), 2 * one_by_one[0], 1e-13)
    assert_close(ft.jvp(J.values, (xs[0],), (xs[1],))[1],
                 (J.values(xs[0] + 1e-6 * xs[1]) - J.values(xs[0] - 1e-6 * xs[1])) / 2e-6, 1e-6)  # fmt: skip


def test_what_is_no_product_of_a_sum_may_be_infinite() -> None:
    """Sums of few products are padded to the longest by a choice: zero times infinity is none of them."""
    def f(x: Any) -> Any:
        return ft.scan(lambda c, e: (np.stack([np.sqrt(c[0]) + c[1], c[1] * e]), None), x[:2], x[2:])[0]

    found = ft.spjacobian(f, method="direct")(np.array([0.0, 1.0, 2.0, 3.0])).toarray()
    assert np.isinf(found[0, 0])
    assert_close(found[1], np.array([0.0, 6.0, 3.0, 2.0]))


def test_a_band_costs_as_much_a_round_whatever_the_number_of_rounds() -> None:
    """A shift register forgets: its lags are the length of it, not that of the loop."""
    def f(x: Any) -> Any:
        def step(c: Any, e: Any) -> Any:
            new = np.concatenate([c[1:], e.reshape(1)])
            return new, (new * new[::-1]).sum()

        return ft.scan(step, np.zeros(4), x)[1]

    costs = [ft.spjacobian(f, method="direct").plan(np.ones(n)).cost / n for n in (100, 1000)]
    assert costs[1] < 1.05 * costs[0]
    direct(f, np.linspace(0.1, 2.0, 30))


def test_what_cannot_be_direct_says_so() -> None:
    def turning(x: Any) -> Any:
        return np.real(ft.scan(lambda c, e: (np.conj(c) * e * (1 + 1j), c), 1 + 0j, x)[1])

    with pytest.raises(ft.UnsupportedError, match="carries complex numbers"):
        ft.spjacobian(turning, method="direct")(X)
    assert_close(ft.spjacobian(turning)(X).toarray(), ft.jacfwd(turning)(X), 1e-13)


def test_places_of_which_a_part_is_read_from_a_list() -> None:
    """Loops of vectors read ``a[21 * i + 20 + list[j]]``: what is left without the list is no node of the program."""
    p = program(2)

    def f(x: Any) -> Any:
        return ft.vmap(lambda row, k: p(Ours, row * k, x.reshape(-1)[0]))(x, np.array([1.0, -0.7]))

    direct(f, np.random.default_rng(2).uniform(-1.5, 1.5, (2, 2, 2)))


@pytest.mark.parametrize("rounds", [0, 1, 2, 5])
def test_carries_that_rounds_forget(rounds: int) -> None:
    """A tangent that is there before the first round alone is a carry like others: its place is not another one's."""

    def f(x: Any) -> Any:
        start = (x, x * 2, np.ones(6), x)
        a, b, c, d = ft.fori_loop(0, rounds, lambda i, c: (c[1], c[2] * i, c[2] + 1.0, c[3] * 0.5 + x), start)
        return a * b * c * d

    def g(x: Any) -> Any:
        start = (x, x * 2, np.ones(6), 0)
        a, b, c, _ = ft.while_loop(
            lambda c: c[3] < rounds, lambda c: (c[1], c[2] * c[3], c[2] + 1.0, c[3] + 1), start, max_steps=6
        )
        return a * b * c * x

    for h in (f, g):
        direct(h, X, -X)
