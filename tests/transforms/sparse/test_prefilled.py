"""Buffers of ``empty_values`` on their short way: the same values, errors, traces and pickles as without."""

from __future__ import annotations

import gc
import pickle
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime import launcher
from functrans.config import config
from functrans.errors import ArgumentError, ShapeError

N = 5


def f(x: Any) -> Any:
    return x * x + 3.0 * x[::-1]


def wanted(x: Any) -> Any:
    found = ft.spjacobian(f)(x).data
    return found.copy()


@pytest.fixture(params=["compiled", "cffi"])
def known(request: pytest.FixtureRequest, compiler: None, session_cache: Path) -> Iterator[tuple[Any, Any]]:
    """A Jacobian and a buffer that it knows, through the compiled launcher or through cffi."""
    with config.override(launcher=request.param == "compiled", spec=False):
        if request.param == "compiled":
            if not launcher.has_headers():
                pytest.skip("no headers of Python")
            thread = launcher.build_in_background()
            if thread is not None:
                thread.join()
        J, x = ft.spjacobian(f), np.arange(N) + 1.0
        out = J.empty_values(x)
        for _ in range(2):
            assert J.values(x, out=out) is out
        assert id(out) in J._short
        assert ("values" in vars(J)) == (request.param == "compiled")
        yield J, out


def test_a_known_buffer_gets_the_values_of_each_call(known: tuple[Any, Any]) -> None:
    J, out = known
    for k in range(3):
        x = np.random.default_rng(k).normal(size=N)
        assert J.values(x, out=out) is out
        np.testing.assert_array_equal(out, wanted(x))


def test_calls_that_are_not_plain_go_the_long_way(known: tuple[Any, Any]) -> None:
    J, out = known
    x = np.random.default_rng(0).normal(size=2 * N)
    for argument in (x[::2], x[:N][::-1], ft.Tensor(x[:N])):
        J.values(argument, out=out)
        np.testing.assert_array_equal(out, wanted(np.asarray(argument)))
    np.testing.assert_array_equal(J.values(x[:N]), wanted(x[:N]))
    np.testing.assert_array_equal(J.values(x[:N], out=None), wanted(x[:N]))
    other = np.zeros(out.shape)
    np.testing.assert_array_equal(J.values(x[:N], out=other), wanted(x[:N]))
    with pytest.raises(ShapeError):
        J.values(x[:N], out=np.zeros(3))
    with pytest.raises(ArgumentError):
        J.values(out=out)


def test_an_argument_that_is_the_buffer_is_read_before_it_is_written(known: tuple[Any, Any]) -> None:
    J = ft.spjacobian(lambda x: x * x)
    x = np.arange(N) + 1.0
    out = J.empty_values(x)
    J.values(x, out=out)
    out[...] = x
    np.testing.assert_array_equal(J.values(out, out=out), 2 * x)


def test_traces_and_maps_take_the_method_as_before(known: tuple[Any, Any]) -> None:
    J, out = known
    x = np.random.default_rng(1).normal(size=(3, N))
    np.testing.assert_array_equal(ft.vmap(J.values)(x), [wanted(row) for row in x])
    np.testing.assert_array_equal(ft.jit(J.values)(x[0]), wanted(x[0]))
    with pytest.raises(ArgumentError):
        ft.jit(lambda x: J.values(x, out=out))(x[0])
    assert J.values.__name__ == "values" and J.values.__doc__ == type(J).values.__doc__


def test_the_method_is_pickled_with_its_owner(known: tuple[Any, Any]) -> None:
    J, _ = known
    x = np.random.default_rng(2).normal(size=N)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(J.values))(x), wanted(x))


def test_a_jacobian_that_nobody_holds_goes(known: tuple[Any, Any]) -> None:
    J, x = ft.spjacobian(f), np.ones(N)
    out = J.empty_values(x)
    for _ in range(3):
        J.values(x, out=out)
    gone = weakref.ref(J)
    del J
    gc.collect()
    assert gone() is None
    np.testing.assert_array_equal(out, wanted(x))


def test_a_buffer_that_is_gone_is_forgotten(known: tuple[Any, Any]) -> None:
    J, _ = known
    x, numbers = np.ones(N), set()
    for _ in range(20):
        out = J.empty_values(x)
        J.values(x, out=out)
        numbers.add(id(out))
        del out
    gc.collect()
    assert len(J._short) == 1
    stranger = np.full(N * 2 - 1, np.nan)
    np.testing.assert_array_equal(J.values(x, out=stranger), wanted(x))
