"""jit inside and around every transform: nothing changes; what is frozen and what is not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import ArgumentError
from tests.laws.references import assert_close

X = np.random.default_rng(6).uniform(0.2, 0.9, (2, 3, 4))
M = X[0]
V = X[1, 0]


def vector(x: Any) -> Any:
    e = np.exp(x - x.max())
    return np.sin(x) * (e / e.sum()) @ (x * 2)


def several(x: Any) -> Any:
    return {"y": np.cumsum(np.sin(x)), "s": (x * x).sum()}


def options(x: Any, n: int = 2) -> Any:
    return vector(x) * n


TRANSFORMS: dict[str, Callable[[Any], Callable[[], Any]]] = {
    "vmap": lambda f: lambda: ft.vmap(f)(M), "vmap outer": lambda f: lambda: ft.vmap(f, axis_type="outer")(M),
    "vmap rewrite": lambda f: lambda: ft.vmap(f, method="rewrite")(M),
    "vmap pad_reduce": lambda f: lambda: ft.vmap(f, method="pad_reduce")(M),
    "vmap of vmap": lambda f: lambda: ft.vmap(ft.vmap(f, in_axes=1))(np.swapaxes(X, 1, 2)),
    "jvp": lambda f: lambda: ft.jvp(f, (V,), (M[0],)),
    "vjp": lambda f: lambda: ft.vjp(f, V)[1](ft.tree.flatten(f(V))[1].unflatten(ft.tree.flatten(f(V))[0])),
    "linearize": lambda f: lambda: ft.linearize(f, V)[1](M[0]),
    "jacfwd": lambda f: lambda: ft.jacfwd(f)(V), "jacrev": lambda f: lambda: ft.jacrev(f)(V),
    "hessian": lambda f: lambda: ft.hessian(lambda x: sum(np.sum(v) for v in ft.tree.flatten(f(x))[0]))(V),
    "grad": lambda f: lambda: ft.grad(lambda x: sum(np.sum(v) for v in ft.tree.flatten(f(x))[0]))(V),
    "vmap of jvp": lambda f: lambda: ft.vmap(lambda x: ft.jvp(f, (x,), (x,)))(M),
    "jvp of jvp": lambda f: lambda: ft.jvp(lambda x: ft.jvp(f, (x,), (M[0],)), (V,), (M[1],)),
    "checkpoint": lambda f: lambda: ft.checkpoint(f)(V),
    "jit": lambda f: lambda: ft.jit(f)(V),
}  # fmt: skip


@pytest.mark.parametrize("f", [vector, several])
@pytest.mark.parametrize("name", TRANSFORMS)
def test_jit_inside_and_around(name: str, f: Any) -> None:
    transform = TRANSFORMS[name]
    want = ft.tree.flatten(transform(f)())[0]
    for call in (transform(ft.jit(f)), ft.jit(transform(f)), ft.jit(transform(ft.jit(ft.jit(f))))):
        for _ in range(2):  # as traced, and as kept
            got = ft.tree.flatten(call())[0]
            assert len(got) == len(want)
            for g, w in zip(got, want, strict=True):
                assert_close(g, w, 1e-13, name)


def test_jit_inside_and_around_spjacobian() -> None:
    f = ft.jit(lambda x: x * x + np.roll(x, 1))
    J = ft.spjacobian(f)
    want = np.diag(2 * V) + np.roll(np.eye(4), 1, axis=0)
    assert_close(J(V).toarray(), want)
    values = ft.jit(J.values)
    assert_close(values(V), J(V).data)
    assert_close(values(M[0]), J(M[0]).data)


def test_static_arguments_under_transforms() -> None:
    f = ft.jit(options, static_argnums=1)
    g = ft.jit(options, static_argnames="n")
    for n in (2, 3):
        want = ft.grad(lambda x, n=n: options(x, n))(V)
        assert_close(ft.grad(lambda x, n=n: f(x, n))(V), want)
        assert_close(ft.jit(ft.grad(lambda x, n=n: g(x, n=n)))(V), want)
        assert_close(ft.vmap(lambda x, n=n: g(x, n=n))(M), np.stack([options(v, n) for v in M]))


def test_a_traced_value_is_no_static_argument() -> None:
    f = ft.jit(options, static_argnums=1)
    with pytest.raises(ArgumentError, match=r"the static argument n of jit of options is .* not hashable"):
        ft.jit(lambda x, n: f(x, n))(V, 2)
    with pytest.raises(ArgumentError, match="the static argument n"):
        f(V, np.arange(3))
    with pytest.raises(ArgumentError, match="the static argument n"):
        f(V, (ft.Tensor(2.0),))


@pytest.mark.parametrize(("a", "b"), [(0.0, -0.0), (1, True), ((1, 2), (1.0, 2.0)), ((0.0,), (-0.0,)), (1j, 1j + 0.0)])
def test_static_values_that_are_equal_and_not_the_same(a: Any, b: Any) -> None:
    f = ft.jit(
        lambda x, k: np.stack([np.copysign(1.0, x * 1.0), np.asarray(k).ravel()[0].real * 1.0]), static_argnums=1
    )
    calls = []

    @functools.partial(ft.jit, static_argnums=1)
    def seen(x: Any, k: Any) -> Any:
        calls.append(k)
        return x

    for k in (a, b, a, b):
        seen(1.0, k)
        assert np.signbit(f(1.0, k)[1]) == np.signbit(np.asarray(k).ravel()[0].real)
    assert len(calls) == (1 if (a, b) == (1j, 1j + 0.0) and repr(a) == repr(b) else 2)


def test_one_nan_is_one_static_value() -> None:
    calls = []

    @functools.partial(ft.jit, static_argnums=1)
    def f(x: Any, k: float) -> Any:
        calls.append(k)
        return x + k

    for _ in range(3):
        assert np.isnan(f(1.0, float("nan")))
    assert len(calls) == 1


# what is kept, and what is not


def test_what_it_closes_over_is_frozen_once_a_signature() -> None:
    state = {"k": 2.0, "a": np.ones(4)}
    f = ft.jit(lambda x: x * state["k"] + state["a"])
    assert_close(f(V), V * 2 + 1)
    state["k"] = 5.0
    state["a"][:] = 9.0  # captured arrays are copied
    assert_close(f(V), V * 2 + 1)
    assert_close(f(np.ones((2, 4))), np.full((2, 4), 14.0))  # another signature, traced now
    assert_close(ft.vmap(f)(M), M * 5 + 9)  # inside another trace nothing is kept


def test_values_of_an_outer_trace_are_never_kept() -> None:
    kept: list[Any] = []

    def outer(a: Any, x: Any) -> Any:
        inner = kept[0] if kept else ft.jit(lambda v: v * box[0])
        kept[:] = [inner]
        box[:] = [a]
        return inner(x)

    box: list[Any] = [None]
    assert_close(ft.vmap(outer, in_axes=(0, None))(np.arange(3.0), 2.0), np.array([0.0, 2, 4]))
    assert_close(ft.jvp(outer, (3.0, 2.0), (1.0, 0.0)), (6.0, 2.0))
    assert_close(ft.grad(outer)(5.0, 7.0), 7.0)
    box[:] = [10.0]
    assert kept[0](3.0) == 30.0  # the first call of its own
    box[:] = [11.0]
    assert kept[0](3.0) == 30.0


def test_a_jitted_pullback_and_a_jitted_function_of_a_tensor() -> None:
    _, pullback = ft.vjp(ft.jit(np.sin), V)
    assert_close(ft.jit(pullback)(M[0])[0], np.cos(V) * M[0])
    out = ft.jit(vector)(ft.Tensor(V))
    assert isinstance(out, ft.Tensor)
    assert_close(out.numpy(), vector(V))


def test_out_of_a_derivative() -> None:
    gradient = ft.jit(ft.grad(lambda x: np.sin(x).sum()))
    out = np.empty(4)
    assert gradient(V, out=out) is out
    assert_close(out, np.cos(V))
