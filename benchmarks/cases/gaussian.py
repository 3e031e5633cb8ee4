"""The log likelihood of a Gaussian process and its gradient by the hyperparameters: one matrix, factored once."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.case import Array, Case
from benchmarks.cases.common import jax, ours


def inputs(size: int) -> tuple[Array, Array, Array]:
    """Lengths in three directions, scale and noise; points; and values there."""
    rng = np.random.default_rng(0)
    return np.array([0.5, 0.7, 0.9, 1.0, 0.1]), rng.normal(size=(size, 3)), rng.normal(size=size)


def likelihood(library: Any) -> Any:
    """The function, of a library's numpy."""

    def f(p: Any, x: Any, y: Any) -> Any:
        d = (x[:, None] - x) / p[:3]
        k = p[3] ** 2 * library.exp(-0.5 * library.sum(d * d, axis=-1)) + p[4] ** 2 * library.eye(len(y))
        return -0.5 * (library.dot(y, library.linalg.solve(k, y)) + library.linalg.slogdet(k)[1])

    return f


def by_cholesky(library: Any) -> Any:
    """The same by a Cholesky factor, of a library's numpy and scipy."""
    numpy, triangle = library.numpy, import_module(f"{library.__name__}.scipy.linalg").solve_triangular

    def f(p: Any, x: Any, y: Any) -> Any:
        d = (x[:, None] - x) / p[:3]
        k = p[3] ** 2 * numpy.exp(-0.5 * numpy.sum(d * d, axis=-1)) + p[4] ** 2 * numpy.eye(len(y))
        lower = numpy.linalg.cholesky(k)
        z = triangle(lower, y, lower=True)
        return -0.5 * numpy.dot(z, z) - numpy.sum(numpy.log(numpy.diagonal(lower)))

    return f


def reference(p: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """By hand: half the trace of (a a^T - inv(k)) dk, a = inv(k) y."""
    d = (x[:, None] - x) ** 2
    near = p[3] ** 2 * np.exp(-0.5 * np.sum(d / p[:3] ** 2, axis=-1))
    inverse = np.linalg.inv(near + p[4] ** 2 * np.eye(len(y)))
    a = inverse @ y
    change = np.outer(a, a) - inverse
    by = [near * d[..., i] / p[i] ** 3 for i in range(3)] + [2 * near / p[3], 2 * p[4] * np.eye(len(y))]
    return np.asarray(likelihood(np)(p, x, y)), np.array([0.5 * np.sum(change * b) for b in by])


def _case(name: str, title: str, n: int, f: Any) -> Case:
    return Case(
        name=f"{name}{n}", title=f"Gaussian process{title}, log likelihood and gradient, {n} points", table="dense",
        inputs=inputs, reference=reference, size=n, small=50, bar=1.0, against="jax", tolerance=1e-6,
        sides={
            "ours": ours(lambda library: library.value_and_grad(f(library))),
            "jax": jax(lambda library: library.value_and_grad(f(library))),
        },
    )  # fmt: skip


CASES = (
    *(_case("gaussian", "", n, lambda library: likelihood(library.numpy)) for n in (100, 300, 1000)),
    *(_case("gaussian-cholesky", " by Cholesky", n, by_cholesky) for n in (50, 200, 300)),
)
