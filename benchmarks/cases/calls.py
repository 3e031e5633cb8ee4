"""Small calls: what a compiled function costs when there is next to nothing to compute, and strided axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, load
from benchmarks.cases.common import jax, ours
from benchmarks.cases.softmax import reference as softmax_of_rows
from benchmarks.cases.softmax import softmax


def small(size: int) -> tuple[Array, Array]:
    return np.linspace(0.0, 1.0, size), np.linspace(1.0, 2.0, size)


def combine(x: Any, y: Any) -> Any:
    return x * y + x


def called(x: Array, y: Array) -> Run:
    f = load("functrans").jit(combine)
    return lambda: f(x, y)


def with_numpy(x: Array, y: Array) -> Run:
    return lambda: combine(x, y)


def with_numba(x: Array, y: Array) -> Run:
    f = load("numba").njit(combine)
    return lambda: f(x, y)


def with_casadi(x: Array, y: Array) -> Run:
    ca = load("casadi")
    a, b = ca.SX.sym("a", x.size), ca.SX.sym("b", x.size)
    f = ca.Function("f", [a, b], [a * b + a])
    return lambda: np.asarray(f(x, y)).ravel()


def wide(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).normal(size=(size, 64)),)


def columns(f: Any) -> Any:
    """Mapped over the second axis, each value of it a strided column."""

    def build(x: Array) -> Run:
        return ours(lambda ft: ft.vmap(f, in_axes=1))(x)

    return build


def rows(f: Any) -> Any:
    """The same numbers as rows that are contiguous."""

    def build(x: Array) -> Run:
        return ours(lambda ft: ft.vmap(f))(np.ascontiguousarray(x.T))

    return build


def strided(name: str, title: str, f: Any, reference: Any, of_jax: Any) -> Case:
    return Case(
        name=name,
        title=title,
        table="small",
        inputs=wide,
        reference=reference,
        size=100_000,
        small=40,
        bar=1.5,
        against="in_axes-0",
        sides={
            "ours": columns(f),
            "in_axes-0": rows(f),
            "numpy": lambda x: lambda: reference(x),
            "jax": jax(lambda jax: jax.vmap(of_jax(jax), in_axes=1)),
        },
    )


def total(x: Any) -> Any:
    return np.sum(x)


CASES = (
    Case(
        name="call",
        title="jitted call, two small NumPy arrays in, one out",
        table="small",
        inputs=small,
        reference=combine,
        size=4,
        small=4,
        bar=0.5e-6,
        against="time",
        sides={
            "ours": called,
            "numpy": with_numpy,
            "numba": with_numba,
            "jax": jax(lambda _: combine),
            "casadi": with_casadi,
        },
    ),
    strided("strided-sum", "sum over a strided axis, in_axes 1, 10^5 x 64", total, lambda x: x.sum(0),
            lambda jax: jax.numpy.sum),
    strided("strided-softmax", "softmax over a strided axis, in_axes 1, 10^5 x 64", softmax,
            lambda x: softmax_of_rows(x.T), lambda jax: jax.nn.softmax),
)  # fmt: skip
