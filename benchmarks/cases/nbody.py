"""Accelerations of gravitating bodies, and their derivative along the velocities."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Build, Case, Run, empty
from benchmarks.cases.common import jax, numba, ours, tinygrad, torch
from benchmarks.handwritten import limit

SOFT = 1e-2


def inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).normal(size=(size, 3)),)


def with_velocities(size: int) -> tuple[Array, Array]:
    draw = np.random.default_rng(0)
    return draw.normal(size=(size, 3)), draw.normal(size=(size, 3))


def of_one(np: Any) -> Any:
    def acceleration(body: Any, x: Any) -> Any:
        d = x - body
        inverse = 1.0 / np.sqrt(np.sum(d * d, axis=1) + SOFT)
        return np.sum(d * (inverse**3)[:, None], axis=0)

    return acceleration


def all_of(library: Any, np: Any) -> Any:
    mapped = library.vmap(of_one(np), in_axes=(0, None))
    return lambda x: mapped(x, x)


def along(library: Any, np: Any) -> Any:
    f = all_of(library, np)
    return lambda x, v: library.jvp(f, (x,), (v,))


def reference(x: Array) -> Array:
    d = x[None] - x[:, None]
    result: Array = (d * ((d * d).sum(2) + SOFT)[..., None] ** -1.5).sum(1)
    return result


def reference_jvp(x: Array, v: Array) -> tuple[Array, Array]:
    d, t = x[None] - x[:, None], v[None] - v[:, None]
    r = ((d * d).sum(2) + SOFT)[..., None]
    return reference(x), (t * r**-1.5 - 3.0 * d * (d * t).sum(2)[..., None] * r**-2.5).sum(1)


def handwritten(x: Array) -> Run:
    out = empty(x.shape)
    return limit("nbody", [x, out], [len(x)], out)


def handwritten_jvp(x: Array, v: Array) -> Run:
    out = empty(x.shape), empty(x.shape)
    return limit("nbody", [x, v, *out], [len(x)], out, name="limit_jvp")


def broadcast(x: Any) -> Any:
    d = x[None] - x[:, None]
    return (d * (((d * d).sum(2) + SOFT) ** -1.5)[:, :, None]).sum(1)


def with_numba(_: Any) -> Any:
    def loop(x: Array, out: Array) -> None:
        for i in range(x.shape[0]):
            u = v = w = 0.0
            for j in range(x.shape[0]):
                p, q, r = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                f = 1.0 / np.sqrt(p * p + q * q + r * r + SOFT)
                f = f * f * f
                u += f * p
                v += f * q
                w += f * r
            out[i, 0], out[i, 1], out[i, 2] = u, v, w

    return loop


def case(name: str, title: str, inputs: Any, reference: Any, sides: dict[str, Build]) -> Case:
    return Case(name, title, "dense", inputs, reference, size=256, small=17, bar=1.5, sides=sides)


CASES = (
    case("nbody", "N-body 256, accelerations", inputs, reference, {
        "ours": ours(lambda ft: all_of(ft, np)),
        "limit": handwritten,
        "jax": jax(lambda jax: all_of(jax, jax.numpy)),
        "numba": numba(with_numba, reference),
        "tinygrad": tinygrad(lambda _: broadcast),
        "torch": torch(lambda _: broadcast),
    }),
    case("nbody-jvp", "N-body 256, accelerations and their jvp", with_velocities, reference_jvp, {
        "ours": ours(lambda ft: along(ft, np)),
        "limit": handwritten_jvp,
        "jax": jax(lambda jax: along(jax, jax.numpy)),
    }),
)  # fmt: skip
