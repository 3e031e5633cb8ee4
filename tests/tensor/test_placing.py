"""shard, to and device of Tensors, and what becomes of them in calls."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.backend import pipeline

TWO, THREE = ("CPU", "CPU:1"), ("CPU", "CPU:1", "CPU:2")
X = np.random.default_rng(1).normal(size=(5, 3))


def test_where_a_tensor_is() -> None:
    t = ft.Tensor(X)
    assert t.device == "CPU"
    assert t.to("cpu:1").device == "CPU:1" == (t.to("CPU:1") * 2).sum().device
    assert t.shard(TWO, 0).device == TWO == (t.shard(TWO, 0) @ X.T).device
    assert t.shard(("CPU:3",), 0).device == "CPU:3" == t.shard(("CPU:3",)).device
    assert t.shard(TWO, 1).to("CPU:1").device == "CPU:1"
    assert t.shard(TWO, -1).shard(THREE, 0).device == THREE
    assert t.to_device("cpu") is t
    assert fnp.asarray(X, device="CPU:1").device == "CPU:1"
    assert fnp.asarray(t, device=t.device) is not None
    r = t.to("CPU:1")
    assert r.to("CPU:1").uop is r.uop


@pytest.mark.parametrize("lay", [lambda t: t.to("CPU:1"), *(lambda t, a=a: t.shard(THREE, a) for a in (None, 0, 1))])
def test_values_are_the_same(lay: Any) -> None:
    t = lay(ft.Tensor(X))
    np.testing.assert_array_equal(t.numpy(), X)
    np.testing.assert_array_equal((2 * t + 1).T.numpy(), (2 * X + 1).T)
    again = pickle.loads(pickle.dumps(t))
    np.testing.assert_array_equal(again.numpy(), X)
    np.testing.assert_array_equal(copy.copy(t).numpy(), X)
    made = (t * 2).realize()
    assert made.device == t.device
    np.testing.assert_array_equal(made.numpy(), X * 2)
    assert repr(t) == repr(ft.Tensor(X))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda t: t.shard("CPU:1", 0), ft.ArgumentError, "expected a tuple of thread domains"),
        (lambda t: t.shard((), 0), ft.ArgumentError, "expected a tuple"),
        (lambda t: t.shard(3, 0), ft.ArgumentError, "expected a tuple"),
        (lambda t: t.shard(("CPU", 1), 0), ft.ArgumentError, "device 1 is a int"),
        (lambda t: t.shard(("CPU", "GPU"), 0), ft.UnsupportedError, r"'GPU' is unknown \(test_placing.py:\d+\)"),
        (lambda t: t.shard(TWO, 2), ft.AxisError, "axis 2"),
        (lambda t: t.shard(TWO, 0.5), ft.FunctransError, "axis"),
        (lambda t: t.to(None), ft.ArgumentError, "device None"),
        (lambda t: t.to("cuda:0"), ft.UnsupportedError, "CPU:1"),
    ],
)
def test_wrong_domains_and_axes(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call(ft.Tensor(X))


@pytest.mark.usefixtures("compiler")
def test_results_lie_as_they_were_computed() -> None:
    f = ft.jit(lambda x: (np.sin(x), x.sum(0), x.T, np.ones(2)))
    a, b, c, d = f(ft.Tensor(X).shard(TWO, 0))
    assert (a.device, b.device, c.device, d.device) == (TWO, TWO, TWO, "CPU")
    (e,) = (ft.vmap(np.sin)(a),)
    assert e.device == TWO  # and so a chain of calls stays sharded
    np.testing.assert_array_equal(e.numpy(), ft.vmap(np.sin)(ft.jit(np.sin)(X)))
    assert ft.jit(np.sin)(ft.Tensor(X).to("CPU:2")).device == "CPU:2"
    assert isinstance(f(X)[0], np.ndarray)


@pytest.mark.usefixtures("compiler")
def test_each_layout_is_a_signature_of_its_own() -> None:
    traced: list[Any] = []

    @ft.jit
    def f(x: Any) -> Any:
        traced.append(x.device)
        return x * 2

    t = ft.Tensor(X)
    for x in (t, t.shard(TWO, 0), t.shard(TWO, 1), t.shard(TWO), t.to("CPU:1"), X, t.shard(TWO, 0) + 0, t):
        np.testing.assert_array_equal(np.asarray(f(x)), X * 2)
    assert traced == ["CPU", TWO, TWO, TWO, "CPU:1"]


@pytest.mark.usefixtures("compiler")
def test_shard_inside_a_function() -> None:
    f = ft.jit(lambda x: np.cos(x.shard(THREE, 0)).sum(1))
    got = f(X)
    assert isinstance(got, np.ndarray)
    np.testing.assert_array_equal(got, ft.jit(lambda x: np.cos(x).sum(1))(X))


@pytest.mark.usefixtures("compiler")
def test_sparse_jacobian_of_a_sharded_function() -> None:
    def f(x: Any) -> Any:
        y = x.shard(TWO, 0)
        return y[1:] * y[:-1] - y[1:].to("CPU:1").shard(TWO, 0)

    def plain(x: Any) -> Any:
        return x[1:] * x[:-1] - x[1:]

    x = np.arange(1.0, 7.0)
    got, wanted = ft.spjacobian(f)(x), ft.spjacobian(plain)(x)
    assert got.nnz == wanted.nnz == 10
    np.testing.assert_array_equal(got.toarray(), wanted.toarray())


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "available", lambda: False)
    got = ft.jit(lambda x: np.sin(x) / x.sum(0))(ft.Tensor(X).shard(TWO, 0))
    np.testing.assert_array_equal(got.numpy(), np.sin(X) / X.sum(0))
    assert got.device == TWO
