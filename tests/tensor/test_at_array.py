"""``ft.at`` and ``ft.segment_sum``: one source for arrays and Tensors, with the same numbers and the same errors."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import DtypeError, FunctransError, IndexOutOfRange, ShapeError

MODES = ("set", "add", "subtract", "multiply", "divide", "min", "max")
A = np.random.default_rng(0).integers(-9, 9, (4, 3))
KEYS: dict[str, Any] = {
    "one": 1, "last": -1, "slice": slice(None, None, 2), "repeated": np.array([3, 1, 3]), "list": [0, 0],
    "pairs": (np.array([0, 2, 0]), np.array([1, 1, 1])), "mask": A > 0, "mixed": (slice(1, 3), [2, 0, 2]),
    "new axis": (None, 1), "ellipsis": (..., 0), "nothing": np.array([], int), "element": (2, -1),
}  # fmt: skip
DTYPES = ("bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex128")


def outcome(call: Any) -> Any:
    """The array of a result, or the class of the error."""
    try:
        found = call()
    except (FunctransError, TypeError) as error:
        return type(error)
    return found.numpy() if isinstance(found, ft.Tensor) else found


@pytest.mark.parametrize(("mode", "dtype"), list(itertools.product(MODES, DTYPES)))
def test_arrays_and_tensors_give_the_same(mode: str, dtype: str) -> None:
    for name, key in KEYS.items():
        a = A.astype(dtype)
        part = a[key]
        for v in (np.arange(1, part.size + 1).reshape(part.shape).astype(dtype), np.ones((), dtype), True, 2, 0.5, [1]):
            got = outcome(lambda v=v: getattr(ft.at(a)[key], mode)(v))  # type: ignore[misc]
            want = outcome(lambda v=v: getattr(ft.Tensor(a).at[key], mode)(v))  # type: ignore[misc]
            if isinstance(want, type) or isinstance(got, type):
                assert got == want, (name, v)
                continue
            assert type(got) is np.ndarray
            assert got.dtype == a.dtype, (name, v)
            np.testing.assert_array_equal(got, want, err_msg=f"{name} {v}")
            assert not np.shares_memory(got, a)
        np.testing.assert_array_equal(a, A.astype(dtype))


@pytest.mark.parametrize("place", range(3))
def test_one_tensor_makes_the_result_a_tensor(place: int) -> None:
    for mode in MODES:
        given: list[Any] = [np.arange(1.0, 4), np.array([2, 0]), np.array([5.0, 7.0])]
        plain = getattr(ft.at(given[0])[given[1]], mode)(given[2])
        given[place] = ft.Tensor(given[place])
        found = getattr(ft.at(given[0])[given[1]], mode)(given[2])
        assert type(found) is ft.Tensor
        np.testing.assert_array_equal(found.numpy(), plain)


def test_inside_a_trace_arrays_stay_arrays() -> None:
    kinds = []

    def f(x: Any) -> Any:
        weights = ft.at(np.zeros(3))[[0, 0, 2]].add(1.0)
        sums = ft.segment_sum(np.ones(3), np.array([0, 2, 2]), 3)
        kinds.append((type(weights), type(sums), type(ft.at(np.zeros(3))[1].set(x[0]))))
        return ft.at(weights * x)[[1]].set(sums[2])

    assert ft.jit(f)(np.ones(3)).tolist() == f(np.ones(3)).tolist() == [2.0, 2.0, 1.0]
    assert ft.vmap(f)(np.ones((2, 3))).tolist() == [[2.0, 2.0, 1.0]] * 2
    assert kinds[0] == (np.ndarray, np.ndarray, ft.Tensor)
    assert kinds[1] == (np.ndarray, np.ndarray, np.ndarray)


def test_segment_sum() -> None:
    v, i = np.arange(6.0).reshape(3, 2), np.array([1, 0, 1])
    found = ft.segment_sum(v, i, 2)
    assert type(found) is np.ndarray
    assert found.tolist() == [[2.0, 3.0], [4.0, 6.0]]
    for given in ((ft.Tensor(v), i), (v, ft.Tensor(i))):
        tensor = ft.segment_sum(*given, 2)
        assert type(tensor) is ft.Tensor
        np.testing.assert_array_equal(tensor.numpy(), found)
    assert ft.jit(lambda v: ft.segment_sum(v, i, 2))(v).tolist() == found.tolist()


def test_scalars_lists_and_byte_orders() -> None:
    assert ft.at(np.float64(3.0))[()].add(1) == 4.0
    assert ft.at([1, 2])[0].add(4).tolist() == [5, 2]
    assert ft.at(np.arange(3.0).astype(">f8"))[1].set(7).tolist() == [0.0, 7.0, 2.0]
    assert ft.at(np.arange(4.0))[1:3].get().tolist() == [1.0, 2.0]
    assert "ft.at(a)[i].set(v)" in repr(ft.at(np.zeros(3)))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda at: at[7], IndexOutOfRange),
        (lambda at: at[0, 0], IndexError),
        (lambda at: at[np.array([True, False])], FunctransError),
        (lambda at: at[[0, 1]].add(np.ones(3)), ShapeError),
        (lambda at: at[0].set(1j), DtypeError),
        (lambda at: at[0].add(np.array("text")), DtypeError),
    ],
)
def test_errors_are_those_of_tensors(call: Any, error: type[Exception]) -> None:
    for at in (ft.at(np.zeros(3)), ft.Tensor(np.zeros(3)).at):
        with pytest.raises(error, match=r"test_at_array\.py"):
            call(at)
    with pytest.raises(DtypeError):
        ft.at(np.array(["a"]))
