"""The Lorenz system by RK4, mapped over initial states: a scan of 100 steps, and 10 steps written out."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, empty, load
from benchmarks.cases.common import jax, numba, ours, tinygrad
from benchmarks.handwritten import limit

H = 0.01


def inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).normal(size=(size, 3)) * 5.0 + (0.0, 0.0, 20.0),)


def slope(s: Any) -> tuple[Any, Any, Any]:
    x, y, z = s
    return 10.0 * (y - x), x * (28.0 - z) - y, x * y - (8.0 / 3.0) * z


def shifted(s: Any, h: float, k: Any) -> tuple[Any, Any, Any]:
    return s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2]


def step(s: Any) -> tuple[Any, Any, Any]:
    a = slope(s)
    b = slope(shifted(s, 0.5 * H, a))
    c = slope(shifted(s, 0.5 * H, b))
    d = slope(shifted(s, H, c))
    x, y, z = (p + H / 6.0 * (q + 2.0 * (r + t) + u) for p, q, r, t, u in zip(s, a, b, c, d))
    return x, y, z


def written_out(s: Any, steps: int) -> Any:
    for _ in range(steps):
        s = step(s)
    return s


def of_one(stack: Any, steps: int) -> Any:
    return lambda x: stack(written_out((x[0], x[1], x[2]), steps))


def reference(steps: int, x: Array) -> Array:
    return np.stack(written_out(tuple(x.T), steps), axis=1)


def scanned(library: Any, np: Any) -> Any:
    def end(x: Any) -> Any:
        return np.stack(library.scan(lambda s, _: (step(s), None), (x[0], x[1], x[2]), None, length=100)[0])

    return end


def handwritten(steps: int, x: Array) -> Run:
    out = empty(x.shape)
    return limit("lorenz", [x, out], [len(x), steps], out)


def with_numba(steps: int, _: Any) -> Any:
    def loop(x: Array, out: Array) -> None:
        for b in range(x.shape[0]):
            u, v, w = x[b, 0], x[b, 1], x[b, 2]
            for _ in range(steps):
                a, b1, c = 10.0 * (v - u), u * (28.0 - w) - v, u * v - (8.0 / 3.0) * w
                p, q, r = u + 0.5 * H * a, v + 0.5 * H * b1, w + 0.5 * H * c
                d, e, f = 10.0 * (q - p), p * (28.0 - r) - q, p * q - (8.0 / 3.0) * r
                p, q, r = u + 0.5 * H * d, v + 0.5 * H * e, w + 0.5 * H * f
                g, h, i = 10.0 * (q - p), p * (28.0 - r) - q, p * q - (8.0 / 3.0) * r
                p, q, r = u + H * g, v + H * h, w + H * i
                j, k, m = 10.0 * (q - p), p * (28.0 - r) - q, p * q - (8.0 / 3.0) * r
                u += H / 6.0 * (a + 2.0 * (d + g) + j)
                v += H / 6.0 * (b1 + 2.0 * (e + h) + k)
                w += H / 6.0 * (c + 2.0 * (f + i) + m)
            out[b, 0], out[b, 1], out[b, 2] = u, v, w

    return loop


def with_pytensor(x: Array) -> Run:
    """PyTensor: a scan over vectors of all states, under Numba."""
    library, tensor = load("pytensor"), load("pytensor.tensor")
    given = tensor.dmatrix("x")
    states = library.scan(
        lambda *s: list(step(s)), outputs_info=[given[:, k] for k in range(3)], n_steps=100, return_updates=False
    )
    f = library.function([given], tensor.stack([s[-1] for s in states], axis=1), mode="NUMBA")
    f.trust_input = True
    return lambda: f(x)


def with_tinygrad(library: Any) -> Any:
    return lambda x: library.Tensor.stack(*written_out((x[:, 0], x[:, 1], x[:, 2]), 10), dim=1)


CASES = (
    Case(
        name="lorenz-scan",
        title="Lorenz, RK4, 100 steps by scan, B = 10^4",
        table="dense",
        inputs=inputs,
        reference=partial(reference, 100),
        size=10_000,
        small=70,
        bar=1.3,
        needs="scan",
        sides={
            "ours": ours(lambda ft: ft.vmap(scanned(ft, np))),
            "limit": partial(handwritten, 100),
            "jax": jax(lambda jax: jax.vmap(lambda x: scanned(jax.lax, jax.numpy)(x))),
            "numba": numba(partial(with_numba, 100), partial(reference, 100)),
            "pytensor": with_pytensor,
        },
    ),
    Case(
        name="lorenz-10",
        title="Lorenz, RK4, 10 steps written out, B = 10^4 (JAX: over 120 s to compile)",
        table="dense",
        inputs=inputs,
        reference=partial(reference, 10),
        size=10_000,
        small=70,
        bar=1.3,
        sides={
            "ours": ours(lambda ft: ft.vmap(of_one(np.stack, 10))),
            "limit": partial(handwritten, 10),
            "numba": numba(partial(with_numba, 10), partial(reference, 10)),
            "tinygrad": tinygrad(with_tinygrad),
        },
    ),
)
