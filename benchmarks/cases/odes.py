"""Initial value problems with steps that follow a tolerance, mapped over many instances.

Each has two bounds: diffrax's Dopri5, and the method of ours by hand in JAX's ``while_loop``. States are tuples, which
both like best.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np

from benchmarks.case import Array, Case, load
from benchmarks.cases.common import jax, ours

TOLERANCE = 1e-6
MOST = 100_000
_NODES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def van_der_pol(t: Any, y: Any, mu: Any) -> Any:
    return y[1], mu * (1.0 - y[0] * y[0]) * y[1] - y[0]


def lorenz(t: Any, y: Any, rho: Any) -> Any:
    a, b, c = y
    return 10.0 * (b - a), a * (rho - c) - b, a * b - 8.0 / 3.0 * c


def parameters(size: int) -> tuple[Array]:
    """Of van der Pol's equation, from 1 to 50: 16 to 3000 steps, 480 on average."""
    return (np.exp(np.random.default_rng(0).uniform(0.0, np.log(50.0), size)),)


def states(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).normal(size=(size, 3)) * 5.0 + [0.0, 0.0, 25.0],)


DRAWN, MANY = 10_000, 100_000


def many(drawn: Callable[[int], tuple[Array]], size: int) -> tuple[Array]:
    """As many as that; from 10^4 on those once more, so that what they must give is computed for these."""
    (given,) = drawn(min(size, DRAWN))
    return (np.resize(given, (size, *given.shape[1:])),)


def turn(solve: Callable[..., Any], mu: Any) -> Any:
    """Past a fast turn, where many steps are taken."""
    return solve(van_der_pol, 2.0 * mu, (mu * 0.0 + 2.0, mu * 0.0), mu)


def attractor(solve: Callable[..., Any], y: Any) -> Any:
    """Where errors have grown: to 2e-5 in one state of two, to the size of the attractor in one of 10^4."""
    a, b, c = y[..., 0], y[..., 1], y[..., 2]
    return solve(lorenz, a * 0.0 + 5.0, (a, b, c), 28.0)


def by_hand(np: Any, while_loop: Any, tolerance: float = TOLERANCE) -> Callable[..., Any]:
    """Dormand and Prince's method with the step control of ours, as one writes it for a loop of a library."""

    def norm(error: Any, y: Any, z: Any) -> Any:
        terms = [abs(e) / (tolerance + tolerance * np.maximum(abs(a), abs(b))) for e, a, b in zip(error, y, z)]
        return reduce(np.maximum, terms)

    def solve(f: Any, end: Any, y0: Any, *args: Any) -> Any:
        zero = end * 0.0
        slope = f(zero, y0, *args)
        size, change = norm(y0, y0, y0), norm(slope, y0, y0)
        small = (size < 1e-5) | (change < 1e-5)
        h = np.minimum(np.where(small, 1e-6, 0.01 * size / np.where(small, 1.0, change)), end)
        bent = f(h, tuple(y + h * k for y, k in zip(y0, slope)), *args)
        steepest = np.maximum(change, norm([b - k for b, k in zip(bent, slope)], y0, y0) / h)
        h = np.minimum(np.minimum(100.0 * h, (0.01 / np.maximum(steepest, 1e-15)) ** 0.2), end)

        def step(s: Any) -> Any:
            t, y, first, h, before, rejected, count = s
            is_last = t + 1.01 * h > end
            h = np.where(is_last, end - t, h)
            slopes = [first]
            for weights, node in zip(_STAGES, _NODES):
                z = tuple(a + h * sum(w * k[i] for w, k in zip(weights, slopes) if w) for i, a in enumerate(y))
                slopes.append(f(t + node * h, z, *args))
            error = [h * sum(w * k[i] for w, k in zip(_ERROR, slopes) if w) for i in range(len(y))]
            found = norm(error, y, z)
            ok = found <= 1.0
            power = found**0.17
            grown = np.clip(0.9 * before**0.04 / power, 0.2, 10.0)
            grown = np.where(rejected, np.minimum(grown, 1.0), grown)
            factor = np.where(ok, grown, np.clip(0.9 / power, 0.2, 1.0))
            new = (np.where(is_last, end, t + h), z, slopes[-1], np.maximum(found, 1e-4))
            old = (t, y, first, before)
            t, y, first, before = _chosen(np, ok, new, old)
            return t, y, first, h * factor, before, ~ok, count + 1

        def goes_on(s: Any) -> Any:
            return (s[0] < end) & (s[6] < MOST)

        start = (zero, y0, slope, h, zero + 1e-4, zero > 1.0, (zero > 1.0) * 0)
        return while_loop(goes_on, step, start)[1]

    return solve


def _chosen(np: Any, condition: Any, a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        return tuple(_chosen(np, condition, x, y) for x, y in zip(a, b))
    return np.where(condition, a, b)


def masked(goes_on: Any, step: Any, s: Any) -> Any:
    """A loop over NumPy arrays of lanes, each with its own end."""
    while (alive := goes_on(s)).any():
        s = _chosen(np, alive, step(s), s)
    return s


def tight(problem: Any, given: Array) -> tuple[Array, ...]:
    with np.errstate(all="ignore"):
        found = problem(by_hand(np, masked, 1e-9), given[:DRAWN])
    return tuple(np.resize(x, len(given)) for x in found)


def our_solver(ft: Any) -> Callable[..., Any]:
    def solve(f: Any, end: Any, y0: Any, *args: Any) -> Any:
        times = np.array([0.0, 1.0]) * end
        y = ft.ode.solve(f, times, y0, *args, rtol=TOLERANCE, atol=TOLERANCE, max_steps=MOST).y
        return tuple(x[-1] for x in y)

    return solve


def of_diffrax(jax: Any) -> Callable[..., Any]:
    d = load("diffrax")
    control = d.PIDController(rtol=TOLERANCE, atol=TOLERANCE)

    def solve(f: Any, end: Any, y0: Any, *args: Any) -> Any:
        term = d.ODETerm(lambda t, y, a: f(t, y, *a))
        found = d.diffeqsolve(
            term, d.Dopri5(), 0.0, end, None, y0, args=args, stepsize_controller=control, max_steps=MOST,
            saveat=d.SaveAt(t1=True), adjoint=d.ForwardMode(), throw=False,
        )  # fmt: skip
        return tuple(x[-1] for x in found.ys)

    return solve


def pair(
    name: str, title: str, problem: Any, inputs: Any, size: int, tolerance: float, bars: tuple[float, float]
) -> list[Case]:
    """Ours against diffrax, and against the loop by hand."""
    mine = ours(lambda ft: ft.vmap(partial(problem, our_solver(ft))))
    hand = jax(lambda jax: jax.vmap(partial(problem, by_hand(jax.numpy, jax.lax.while_loop))))
    peer = jax(lambda jax: jax.vmap(partial(problem, of_diffrax(jax))))
    return [
        Case(
            name=f"{name}-{against}", title=f"{title}, against {what}", table="loops", inputs=inputs,
            reference=partial(tight, problem), size=size, small=20, bar=bar, against=against, tolerance=tolerance,
            sides={"ours": mine, against: side},
        )
        for against, what, side, bar in (("diffrax", "diffrax", peer, bars[0]), ("jax", "JAX by hand", hand, bars[1]))
    ]  # fmt: skip


CASES = (
    *pair("ode-oscillator", "van der Pol, mu 1 to 50, to 1e-6, B = 10^5", turn, partial(many, parameters), MANY,
          0.02, (1 / 80, 1 / 20)),
    *pair("ode-lorenz", "Lorenz to t = 5, to 1e-6, B = 10^5", attractor, partial(many, states), MANY,
          0.9, (1 / 15, 1 / 5)),
)
