"""Loops of time steps and loops that end by themselves, mapped over many instances; the bound is JAX's own loop."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Case
from benchmarks.cases.common import jax, ours

STATES, STEPS = 16, 100
RNG = np.random.default_rng(0)
W, U = RNG.normal(size=(STATES, STATES)) * 0.3, RNG.normal(size=(STATES, 4))
F = np.array([[1, 0, 0.1, 0], [0, 1, 0, 0.1], [0, 0, 1, 0], [0, 0, 0, 1.0]])
H = np.eye(2, 4)
Q, R = 0.01 * np.eye(4), 0.1 * np.eye(2)


def normal(size: int, *shape: int) -> tuple[Array]:
    return (np.random.default_rng(1).normal(size=(size, *shape)),)


def plane(size: int) -> tuple[Array]:
    rng = np.random.default_rng(1)
    return (np.stack([rng.uniform(-2.0, 0.6, size), rng.uniform(-1.2, 1.2, size)], -1),)


def oscillator(library: Any, np: Any) -> Any:
    """Van der Pol by the classical Runge-Kutta method, 100 steps."""

    def slope(s: Any) -> Any:
        return np.stack([s[1], 5.0 * (1.0 - s[0] * s[0]) * s[1] - s[0]])

    def step(s: Any, _: Any) -> Any:
        a = slope(s)
        b = slope(s + 0.005 * a)
        c = slope(s + 0.005 * b)
        d = slope(s + 0.01 * c)
        return s + 0.01 / 6.0 * (a + 2.0 * (b + c) + d), None

    return lambda s: library.scan(step, s, None, length=STEPS)[0]


def recurrence(library: Any, np: Any, w: Any = W) -> Any:
    return lambda xs: library.scan(lambda h, x: (np.tanh(w @ h + U @ x), None), np.zeros(STATES), xs)[0]


def gradient(library: Any, np: Any, grad: Any) -> Any:
    """Of the sum of squares of the last states, by the matrix."""
    return lambda xs: grad(lambda w: (recurrence(library, np, w)(xs) ** 2).sum())(W)


def kalman(library: Any, np: Any) -> Any:
    """A track of 100 measurements."""

    def step(carry: Any, z: Any) -> Any:
        x, p = carry
        x, p = F @ x, F @ p @ F.T + Q
        s = H @ p @ H.T + R
        det = s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]
        inverse = np.stack([np.stack([s[1, 1], -s[0, 1]]), np.stack([-s[1, 0], s[0, 0]])]) / det
        k = p @ H.T @ inverse
        x, p = x + k @ (z - H @ x), p - k @ (H @ p)
        return (x, p), x

    return lambda zs: library.scan(step, (np.zeros(4), np.eye(4)), zs)[1]


def escape(library: Any, np: Any) -> Any:
    """Rounds until a point leaves the circle, 200 at most."""

    def further(s: Any, c: Any) -> Any:
        return s[0] * s[0] - s[1] * s[1] + c[0], 2.0 * s[0] * s[1] + c[1], s[2] + 1

    def f(c: Any) -> Any:
        near = lambda s: (s[0] * s[0] + s[1] * s[1] < 4.0) & (s[2] < 200)  # noqa: E731
        return library.while_loop(near, lambda s: further(s, c), (0.0, 0.0, 0))[2]

    return f


def halved(library: Any, np: Any) -> Any:
    """A root of x^3 - a x - 1 by bisection."""

    def f(a: Any) -> Any:
        def half(s: Any) -> Any:
            low, high = s
            middle = 0.5 * (low + high)
            above = middle**3 - a * middle > 1.0
            return np.where(above, low, middle), np.where(above, middle, high)

        return library.while_loop(lambda s: s[1] - s[0] > 1e-12 * np.abs(s[1]), half, (a * 0.0, a + 2.0))[0]

    return f


def newton(library: Any, np: Any) -> Any:
    """The largest root of x^3 - a x - 1 by Newton's method in a bracket, which is halved where a step leaves it."""

    def f(a: Any) -> Any:
        def step(s: Any) -> Any:
            low, high, x, _ = s
            value = x * (x * x - a) - 1.0
            low, high = np.where(value < 0.0, x, low), np.where(value < 0.0, high, x)
            new = x - value / (3.0 * x * x - a)
            new = np.where((new >= low) & (new <= high), new, 0.5 * (low + high))
            return low, high, new, np.abs(new - x)

        goes_on = lambda s: s[3] > 1e-9 * np.abs(s[2])  # noqa: E731
        return library.while_loop(goes_on, step, (a * 0.0, a + 2.0, 0.5 * a + 1.0, a + 2.0))[2]

    return f


class Plain:
    """The loops as NumPy runs them: what they mean."""

    @staticmethod
    def scan(f: Any, carry: Any, xs: Any, length: int | None = None) -> Any:
        ys = []
        for x in range(length or 0) if xs is None else xs:
            carry, y = f(carry, x)
            ys.append(y)
        return carry, None if not ys or ys[0] is None else np.stack(ys)

    @staticmethod
    def while_loop(test: Any, f: Any, carry: Any) -> Any:
        """All lanes at once; one that has ended keeps what it has."""
        while np.any(alive := test(carry)):
            carry = tuple(np.where(alive, new, old) for new, old in zip(f(carry), carry, strict=True))
        return carry


def of_lanes(make: Any, rows: Array) -> Array:
    """The instances of a while loop, their inputs along the first axis of the transpose."""
    with np.errstate(all="ignore"):
        return np.asarray(make(Plain, np)(rows.T))


def of_rows(make: Any, rows: Array) -> Array:
    f = make(Plain, np)
    return np.stack([np.asarray(f(row)) for row in rows])


def of_gradients(rows: Array) -> Array:
    """By the reverse loop written out."""
    found = []
    for xs in rows:
        states = [np.zeros(STATES)]
        for x in xs:
            states.append(np.tanh(W @ states[-1] + U @ x))
        back, total = 2.0 * states[-1], np.zeros_like(W)
        for before, after in zip(states[-2::-1], states[:0:-1], strict=True):
            inner = back * (1.0 - after**2)
            total += np.outer(inner, before)
            back = W.T @ inner
        found.append(total)
    return np.stack(found)


def case(name: str, title: str, make: Any, inputs: Any, size: int, bar: float, reference: Any = None) -> Case:
    return Case(
        name=name, title=title, table="loops", inputs=inputs, reference=reference or partial(of_rows, make),
        size=size, small=20, bar=bar, against="jax", tolerance=1e-10,
        sides={
            "ours": ours(lambda ft: ft.vmap(make(ft, np))),
            "jax": jax(lambda jax: jax.vmap(make(jax.lax, jax.numpy))),
        },
    )  # fmt: skip


def derived() -> Case:
    found = case("loop-recurrence-gradient", "gradient of a tanh recurrence by its 16 x 16 matrix, 100 steps, B = 10^3",
                 None, partial(normal_of, STEPS, 4), 1000, 0.33, of_gradients)  # fmt: skip
    sides = {
        "ours": ours(lambda ft: ft.vmap(gradient(ft, np, ft.grad))),
        "jax": jax(lambda jax: jax.vmap(gradient(jax.lax, jax.numpy, jax.grad))),
    }
    return Case(**{**vars(found), "sides": sides})


def normal_of(*shape_and_size: int) -> tuple[Array]:
    *shape, size = shape_and_size
    return normal(size, *shape)


CASES = (
    case("loop-oscillator", "van der Pol, RK4, 100 steps, B = 10^4", oscillator, partial(normal_of, 2), 10_000, 0.33),
    case("loop-recurrence", "h = tanh(W h + U x), 16 states, 100 steps, B = 10^3", recurrence,
         partial(normal_of, STEPS, 4), 1000, 0.33),
    derived(),
    case("loop-kalman", "Kalman filter, 100 steps, 10^3 tracks", kalman, partial(normal_of, STEPS, 2), 1000, 0.33),
    case("loop-escape", "escape times of 10^6 points", escape, plane, 1_000_000, 0.02, partial(of_lanes, escape)),
    case("loop-bisection", "bisection, 10^6 roots", halved,
         lambda size: (np.random.default_rng(1).uniform(0.5, 50.0, size),), 1_000_000, 0.2,
         partial(of_lanes, halved)),
    case("loop-newton", "safeguarded Newton, 10^6 roots", newton,
         lambda size: (np.random.default_rng(1).uniform(0.5, 50.0, size),), 1_000_000, 1 / 30,
         partial(of_lanes, newton)),
    case("loop-newton-far", "the same from far away, 3 to 44 rounds", newton,
         lambda size: (10.0 ** np.random.default_rng(1).uniform(-0.3, 15.0, size),), 1_000_000, 1 / 30,
         partial(of_lanes, newton)),
)  # fmt: skip
