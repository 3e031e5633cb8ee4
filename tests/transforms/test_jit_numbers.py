"""Python numbers as arguments: the dtypes are those of NumPy without a transform, and what does not fit raises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.errors import DtypeError

DTYPES = ["b1", "i1", "u1", "i2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


def _tangents(x: Any, k: Any) -> Any:
    return 1.0, *tree.flatten((x, k))[1].unflatten([_tangent(v) for v in tree.flatten((x, k))[0]])


def _tangent(v: Any) -> Any:
    if isinstance(v, np.ndarray):
        return np.ones_like(v) if v.dtype.kind in "fc" else None
    return type(v)(1) if type(v) in (float, complex) else None


WAYS: dict[str, Any] = {
    "jit": lambda f, x, k: ft.jit(f)(x, k), "vmap": lambda f, x, k: ft.vmap(f, in_axes=(0, None))(x, k),
    "jit of vmap": lambda f, x, k: ft.jit(ft.vmap(f, in_axes=(0, None)))(x, k),
    "vmap of jit": lambda f, x, k: ft.vmap(ft.jit(f), in_axes=(0, None))(x, k),
    "jit in jit": lambda f, x, k: ft.jit(lambda x: ft.jit(f)(x, k))(x),
    "jvp": lambda f, x, k: ft.jvp(lambda s, y, n: (s, f(y, n)), (1.0, x, k), _tangents(x, k))[0][1],
}  # fmt: skip


@pytest.mark.parametrize("number", [2, True, 1.5, 2j, -3])
@pytest.mark.parametrize("way", WAYS)
def test_dtypes_are_those_without_a_transform(way: str, number: Any) -> None:
    def f(xs: Any, k: Any) -> Any:
        return [(x * k, np.where(x > 0, x, k), k + 1, k + (x + k)) for x in xs], k

    arrays = [np.array([1, 0, 1], d) for d in DTYPES if not (d.startswith("u") and number == -3)]
    got, wanted = WAYS[way](f, arrays, number)[0], f(arrays, number)[0]
    for x, row, want in zip(arrays, got, wanted, strict=True):
        for g, w in zip(row, want, strict=True):
            assert np.asarray(g).dtype == np.asarray(w).dtype, (x.dtype, number)
            np.testing.assert_allclose(g, np.broadcast_to(w, np.shape(g)), rtol=1e-3)


@pytest.mark.parametrize("way", WAYS)
def test_an_integer_that_does_not_fit_raises_and_never_wraps(way: str) -> None:
    x = np.ones(3, np.int8)
    with pytest.raises(DtypeError, match=r"Python integer 300 is out of bounds for int8 \(-128 to 127\).*test_jit_num"):
        WAYS[way](lambda x, k: x * k, x, 300)
    with pytest.raises(DtypeError, match="Python integer 130 is out of bounds for int8"):
        WAYS[way](lambda x, k: x * (k + 100), x, 30)
    assert np.all(WAYS[way](lambda x, k: x < k, x, 300))  # a comparison has an answer, as in NumPy


def test_each_call_is_checked_not_the_first_alone() -> None:
    f = ft.jit(lambda x, k: x + k)
    x = np.zeros(2, np.uint8)
    assert f(x, 255).tolist() == [255, 255]
    for number in (256, -1):
        with pytest.raises(DtypeError, match="out of bounds for uint8"):
            f(x, number)
    assert f(x, 7).dtype == np.uint8
