"""A small network 2-32-32-1: gradients in its weights for each example, and Hessians in its input."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case
from benchmarks.cases.common import jax, ours

H = 32


def inputs(size: int) -> tuple[Array, ...]:
    """Weights and biases of three layers, then the examples and what they should give."""
    draw = np.random.default_rng(0)
    shapes = [(H, 2), (H,), (H, H), (H,), (1, H), (1,)]
    weights = [draw.normal(size=s) / np.sqrt(s[-1]) for s in shapes]
    return (*weights, draw.normal(size=(size, 2)), draw.normal(size=size))


def without_targets(size: int) -> tuple[Array, ...]:
    return inputs(size)[:-1]


def network(np: Any, weights: Any, x: Any) -> Any:
    w, b, v, c, u, d = weights
    return (u @ np.tanh(v @ np.tanh(w @ x + b) + c) + d)[0]


def gradients(library: Any, np: Any) -> Any:
    def loss(weights: Any, x: Any, y: Any) -> Any:
        return 0.5 * (network(np, weights, x) - y) ** 2

    each = library.vmap(library.grad(loss), in_axes=(None, 0, 0))
    return lambda *given: each(given[:6], given[6], given[7])


def hessians(library: Any, np: Any) -> Any:
    def of_one(weights: Any, x: Any) -> Any:
        return library.hessian(lambda z: network(np, weights, z))(x)

    each = library.vmap(of_one, in_axes=(None, 0))
    return lambda *given: each(given[:6], given[6])


def reference_gradients(w: Array, b: Array, v: Array, c: Array, u: Array, d: Array, x: Array, y: Array) -> Any:
    p = np.tanh(x @ w.T + b)
    q = np.tanh(p @ v.T + c)
    e = (q @ u[0] + d[0] - y)[:, None]
    g = e * u * (1 - q * q)
    h = g @ v * (1 - p * p)
    return h[:, :, None] * x[:, None], h, g[:, :, None] * p[:, None], g, (e * q)[:, None], e


def reference_hessians(w: Array, b: Array, v: Array, c: Array, u: Array, d: Array, x: Array) -> Any:
    p = np.tanh(x @ w.T + b)
    q = np.tanh(p @ v.T + c)
    first = np.einsum("ij,bj,jk->bik", v, 1 - p * p, w)  # the derivative of the second layer's argument
    inner = np.einsum("ij,bj,jk,jl->bikl", v, -2 * p * (1 - p * p), w, w)
    outer = np.einsum("bi,bik,bil->bikl", -2 * q * (1 - q * q), first, first)
    return np.einsum("i,bikl->bkl", u[0], (1 - q * q)[..., None, None] * inner + outer)


CASES = (
    Case(
        name="mlp-gradients",
        title="MLP 2-32-32-1 per-example gradients, B = 4096",
        table="dense",
        inputs=inputs,
        reference=reference_gradients,
        size=4096,
        small=7,
        bar=0.25,
        against="jax",
        sides={
            "ours": ours(lambda ft: gradients(ft, np)),
            "jax": jax(lambda jax: gradients(jax, jax.numpy)),
        },
    ),
    Case(
        name="mlp-hessians",
        title="Hessian of the same MLP in its input, B = 4096",
        table="dense",
        inputs=without_targets,
        reference=reference_hessians,
        size=4096,
        small=7,
        bar=0.5,
        against="jax",
        sides={
            "ours": ours(lambda ft: hessians(ft, np)),
            "jax": jax(lambda jax: hessians(jax, jax.numpy)),
        },
    ),
)
