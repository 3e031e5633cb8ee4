"""Reading a value that is not known yet, under every transform: the error says where, and the way out.

The numbers are those of the table of faults that the project promises.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft

X = np.arange(6.0).reshape(2, 3)
TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "jit": lambda f: ft.jit(f)(X), "vmap": lambda f: ft.vmap(f)(X), "jvp": lambda f: ft.jvp(f, (X,), (X,)),
    "vmap of vmap": lambda f: ft.vmap(ft.vmap(f))(X), "jvp of vmap": lambda f: ft.jvp(ft.vmap(f), (X,), (X,)),
    "vmap of jvp": lambda f: ft.vmap(lambda x: ft.jvp(f, (x,), (x,)))(X), "jit of jit": lambda f: ft.jit(ft.jit(f))(X),
    "graph": lambda f: ft.make_graph(f)(X), "lower": lambda f: ft.jit(f).lower(X),
}  # fmt: skip
every_transform = pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS.keys())


def line_of(f: Callable[..., Any], mark: str = "# here") -> int:
    lines, first = inspect.getsourcelines(f)
    return next(first + k for k, text in enumerate(lines) if mark in text)


def branching(x: Any) -> Any:
    s = x.sum()
    if s > 0:  # here
        return x
    return -x


def looping(x: Any) -> Any:
    s = x.sum()
    while s < 10:  # here
        s = s + 1
    return s


def choosing(x: Any) -> Any:
    return x.sum() > 0 and x  # here


@every_transform
@pytest.mark.parametrize("f", [branching, looping, choosing])
def test_18_branches(f: Callable[..., Any], transform: Callable[[Any], Any]) -> None:
    with pytest.raises(ft.TracedValueError, match=re.escape(f"(test_traced_values.py:{line_of(f)})")) as caught:
        transform(f)
    assert isinstance(caught.value, TypeError)
    for way in ("fnp.where", "rounds"):
        assert way in str(caught.value)


READS: dict[str, Callable[[Any], Any]] = {
    "float": lambda s: float(s), "int": lambda s: int(s), "complex": lambda s: complex(s), "bool": lambda s: bool(s),
    "asarray": lambda s: np.asarray(s), "array": lambda s: np.array([s]), "list": lambda s: [1, 2][s.astype(int)],
    "range": lambda s: range(s.astype(int)), "item": lambda s: s.item(), "numpy": lambda s: s.numpy(),
    "tolist": lambda s: s.tolist(), "realize": lambda s: s.realize(), "math": lambda s: __import__("math").sin(s),
    "round": lambda s: round(float(s)), "index": lambda s: X[s.astype(int)], "assign": lambda s: X.__setitem__(0, s),
    "bytes": lambda s: s.tobytes(),
}  # fmt: skip


@pytest.mark.parametrize("name", ["jit", "vmap of vmap", "jvp of vmap"])
@pytest.mark.parametrize("read", READS.values(), ids=READS.keys())
def test_19_numbers(read: Callable[[Any], Any], name: str) -> None:
    def f(x: Any) -> Any:
        return read(x.sum())

    with pytest.raises(ft.TracedValueError, match=r"test_traced_values\.py:\d+"):
        TRANSFORMS[name](f)


@every_transform
def test_19_shapes_are_known(transform: Callable[[Any], Any]) -> None:
    def f(x: Any) -> Any:
        assert x.ndim == len(x.shape) and x.size == int(np.prod(x.shape)) and x.dtype == np.float64
        assert not x.ndim or (len(x) == x.shape[0] and len(list(x)) == len(x))
        assert "traced" in repr(x) and str(x.shape) in repr(x)
        return x.astype(np.float32)

    transform(f)


def test_20_ufuncs_without_a_counterpart() -> None:
    with pytest.raises(ft.UnsupportedError, match=r"spacing is not supported .*test_traced_values\.py.*finfo"):
        ft.jit(lambda x: np.spacing(x))(X)


@every_transform
def test_21_assignment(transform: Callable[[Any], Any]) -> None:
    def f(x: Any) -> Any:
        y = x.reshape(-1)
        y[0] = 1.0  # here
        return y

    with pytest.raises(TypeError, match=re.escape(f"test_traced_values.py:{line_of(f)}")) as caught:
        transform(f)
    assert ".at[" in str(caught.value) and "set" in str(caught.value)


@every_transform
def test_25_shapes_that_do_not_fit(transform: Callable[[Any], Any]) -> None:
    def f(x: Any) -> Any:
        y = x.reshape(-1)
        return np.concatenate([y, y]) + np.ones(5)  # here

    with pytest.raises(ValueError, match=re.escape(f"test_traced_values.py:{line_of(f)}")) as caught:
        transform(f)
    assert "(5,)" in str(caught.value)


def test_a_trace_that_failed_leaves_nothing_behind() -> None:
    f = ft.jit(branching)
    for _ in range(2):
        with pytest.raises(ft.TracedValueError):
            f(X)
    assert type(ft.vmap(np.negative)(X)) is np.ndarray
