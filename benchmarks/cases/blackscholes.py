"""Prices of 10^6 options, and their derivative along a change of every input."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import ndtr

from benchmarks.case import Array, Build, Case, empty
from benchmarks.cases.common import jax, numba, ours, tinygrad
from benchmarks.handwritten import Limit, halves, limit

RATE, SIGMA = 0.03, 0.2


def inputs(size: int) -> tuple[Array, ...]:
    draw = np.random.default_rng(0)
    return draw.uniform(50, 150, size), draw.uniform(50, 150, size), draw.uniform(0.1, 2, size)


def with_directions(size: int) -> tuple[Array, ...]:
    draw = np.random.default_rng(1)
    return (*inputs(size), *(draw.normal(size=size) for _ in range(3)))


def price(np: Any, ndtr: Any) -> Any:
    def call(s: Any, k: Any, t: Any) -> Any:
        root = SIGMA * np.sqrt(t)
        d = (np.log(s / k) + (RATE + 0.5 * SIGMA**2) * t) / root
        return s * ndtr(d) - k * np.exp(-RATE * t) * ndtr(d - root)

    return call


def along(library: Any, f: Any) -> Any:
    return lambda s, k, t, ds, dk, dt: library.jvp(f, (s, k, t), (ds, dk, dt))


def reference_jvp(s: Array, k: Array, t: Array, ds: Array, dk: Array, dt: Array) -> tuple[Array, Array]:
    root = SIGMA * np.sqrt(t)
    d = (np.log(s / k) + (RATE + 0.5 * SIGMA**2) * t) / root
    n1, n2, e = ndtr(d), ndtr(d - root), np.exp(-RATE * t)
    density = np.exp(-0.5 * d * d) / math.sqrt(2 * math.pi)
    theta = s * density * SIGMA / (2 * np.sqrt(t)) + RATE * k * e * n2
    return s * n1 - k * e * n2, n1 * ds - e * n2 * dk + theta * dt


def handwritten(*given: Array) -> Limit:
    out = empty(given[0].shape)
    return limit("blackscholes", [*given, out], [out.size], out)


def handwritten_jvp(*given: Array) -> Limit:
    out = empty(given[0].shape), empty(given[0].shape)
    return limit("blackscholes", [*given, *out], [out[0].size], out, name="limit_jvp")


def with_numba(_: Any) -> Any:
    def loop(s: Array, k: Array, t: Array, out: Array) -> None:
        half = math.sqrt(0.5)
        for i in range(s.size):
            root = SIGMA * math.sqrt(t[i])
            d = (math.log(s[i] / k[i]) + (RATE + 0.5 * SIGMA**2) * t[i]) / root
            n1, n2 = 0.5 + 0.5 * math.erf(half * d), 0.5 + 0.5 * math.erf(half * (d - root))
            out[i] = s[i] * n1 - k[i] * math.exp(-RATE * t[i]) * n2

    return loop


def with_tinygrad(s: Any, k: Any, t: Any) -> Any:
    root = SIGMA * t.sqrt()
    d = ((s / k).log() + (RATE + 0.5 * SIGMA**2) * t) / root
    n1, n2 = ((x * math.sqrt(0.5)).erf() * 0.5 + 0.5 for x in (d, d - root))
    return s * n1 - k * (-RATE * t).exp() * n2


def jax_price(jax: Any) -> Any:
    return price(jax.numpy, jax.scipy.special.ndtr)


def case(name: str, title: str, inputs: Any, reference: Any, sides: dict[str, Build]) -> Case:
    two = halves(handwritten if inputs is not with_directions else handwritten_jvp)
    return Case(name, title, "dense", inputs, reference, 1_000_000, 1_000, bar=1.2, sides=sides, two=two)


CASES = (
    case("blackscholes", "Black-Scholes 10^6, price", inputs, price(np, ndtr), {
        "ours": ours(lambda ft: price(np, ndtr)),
        "limit": handwritten,
        "jax": jax(jax_price),
        "numba": numba(with_numba, price(np, ndtr)),
        "tinygrad": tinygrad(lambda _: with_tinygrad),
    }),
    case("blackscholes-jvp", "Black-Scholes 10^6, price and jvp", with_directions, reference_jvp, {
        "ours": ours(lambda ft: along(ft, price(np, ndtr))),
        "limit": handwritten_jvp,
        "jax": jax(lambda jax: along(jax, jax_price(jax))),
    }),
)  # fmt: skip
