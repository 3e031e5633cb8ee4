"""jit: one trace a signature, static arguments, out=, lowering, and what a caller may hold on to."""

from __future__ import annotations

import copy
import functools
import pickle
import threading
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import ArgumentError, DtypeError, ShapeError
from functrans.ops.printer import from_text

X = np.random.default_rng(2).uniform(-1, 1, (2, 3, 4))


class Counted:
    """A function that counts how often it is traced."""

    def __init__(self, f: Any) -> None:
        self.f, self.calls = f, 0
        self.__name__ = "counted"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        return self.f(*args, **kwargs)


# signatures


def test_one_trace_a_signature() -> None:
    f = Counted(lambda x, s: x * s["k"])
    jitted = ft.jit(f)
    for value in (1.0, 2.0, -3.5):
        np.testing.assert_array_equal(jitted(X, {"k": value}), X * value)
    assert f.calls == 1
    jitted(X[::-1], {"k": 1.0})  # another layout is no other signature
    assert f.calls == 1
    jitted(X, {"k": 2})
    jitted(X, {"k": True})
    jitted(X, {"k": np.float32(2)})
    jitted(X[:1], {"k": 1.0})
    jitted(X.astype(np.float32), {"k": 1.0})
    jitted((X), {"k": np.ones(4)})
    assert f.calls == 7


def test_structure_is_part_of_the_signature() -> None:
    f = Counted(lambda p: p[0] + p[1])
    jitted = ft.jit(f)
    assert jitted((1.0, 2.0)) == jitted([1.0, 2.0]) == 3.0
    assert f.calls == 2


def test_masked_arrays_are_refused_also_where_plain_ones_were_seen() -> None:
    f = ft.jit(lambda x: x + 1)
    f(np.ones(2))
    with pytest.raises(ArgumentError, match="masked array"):
        f(np.ma.masked_array(np.ones(2), [True, False]))


def test_static_arguments_are_values() -> None:
    f = Counted(lambda x, n, mode="sum": getattr(np, mode)(x, axis=n))
    jitted = ft.jit(f, static_argnums=1, static_argnames="mode")
    for axis, mode in ((0, "sum"), (2, "sum"), (0, "max"), (0, "sum")):
        np.testing.assert_allclose(jitted(X, axis, mode=mode), getattr(np, mode)(X, axis=axis), rtol=1e-13)
    assert f.calls == 3


def test_equal_static_values_of_other_types_are_others() -> None:
    f = ft.jit(lambda x, s: x * s, static_argnums=(1,))
    k = np.arange(3)
    assert f(k, 1).dtype == np.int64
    assert f(k, 1.0).dtype == np.float64
    assert f(k, True).dtype == np.int64


def test_static_argnums_count_from_the_end() -> None:
    assert ft.jit(lambda x, n: x[n], static_argnums=-1)(np.arange(4.0), 2) == 2.0


def test_static_by_position_is_static_by_name() -> None:
    total = lambda x, axis=0: np.sum(x, axis=axis)  # noqa: E731
    for options in ({"static_argnums": 1}, {"static_argnums": -1}, {"static_argnames": "axis"}):
        f = ft.jit(total, **options)
        for args, kwargs in (((X,), {}), ((X, 1), {}), ((X,), {"axis": 1}), ((), {"x": X, "axis": -1})):
            np.testing.assert_allclose(f(*args, **kwargs), total(*args, **kwargs), rtol=1e-13)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"static_argnums": 2}, r"static_argnums=2, but f takes 2 positional"),
        ({"static_argnums": (0, -3)}, "takes 2 positional"), ({"static_argnums": "x"}, "static_argnums='x'; expected"),
        ({"static_argnums": True}, "expected an int or"), ({"static_argnames": 3}, "must be strings, but got 3"),
        ({"static_argnames": ["x", "z"]}, r"but the keywords of f are \['x', 'y', 'k'\]"),
    ],
)  # fmt: skip
def test_static_arguments_the_function_has_not(options: dict[str, Any], text: str) -> None:
    def f(x: Any, y: Any, *, k: Any = 1) -> Any:
        return x

    with pytest.raises(ArgumentError, match=text):
        ft.jit(f, **options)


def test_a_static_argument_must_be_hashable() -> None:
    with pytest.raises(
        ArgumentError, match=r"static argument n of jit of <lambda> is \[1\] of type list, which is not hashable"
    ):
        ft.jit(lambda x, n: x, static_argnums=1)(X, [1])


def test_what_is_no_function() -> None:
    with pytest.raises(ArgumentError, match="jit compiles a function, but got 3 of type int"):
        ft.jit(3)


def test_as_a_decorator_and_on_methods() -> None:
    class Model:
        def __init__(self, k: float) -> None:
            self.k = k

        @functools.partial(ft.jit, static_argnums=0)
        def scaled(self, x: Any) -> Any:
            """Scaled x."""
            return x * self.k

    assert Model(2.0).scaled(3.0) == 6.0
    assert Model(4.0).scaled(3.0) == 12.0
    assert Model.scaled.__doc__ == "Scaled x."


def test_inside_a_trace_it_is_part_of_it() -> None:
    f = ft.jit(lambda x, n: np.sin(x) * n, static_argnums=1)
    graph = ft.make_graph(lambda x: f(x, 2) + ft.vmap(lambda r: f(r, 3))(x))(X)
    assert graph.ops()["SIN"] == 2
    value, tangent = ft.jvp(lambda x: f(x, 2), (X,), (X,))
    np.testing.assert_allclose(value, 2 * np.sin(X), rtol=1e-13)
    np.testing.assert_allclose(tangent, 2 * np.cos(X) * X, rtol=1e-13)


def test_a_function_that_calls_itself_jitted() -> None:
    @functools.partial(ft.jit, static_argnums=1)
    def power(x: Any, n: int) -> Any:
        return x if n == 1 else x * power(x, n - 1)

    assert power(2.0, 5) == 32.0


def test_threads_share_one_trace() -> None:
    f = Counted(lambda x: np.cumsum(x) * 2)
    jitted, results = ft.jit(f), []
    threads = [threading.Thread(target=lambda k=k: results.append((k, jitted(np.full(5, float(k)))))) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert f.calls == 1
    assert len(results) == 8
    for k, value in results:
        np.testing.assert_array_equal(value, np.cumsum(np.full(5, float(k))) * 2)


def test_an_error_while_tracing_is_not_kept() -> None:
    state = {"broken": True}

    def f(x: Any) -> Any:
        if state["broken"]:
            raise KeyError("broken")
        return x + 1

    jitted = ft.jit(f)
    with pytest.raises(KeyError):
        jitted(1.0)
    state["broken"] = False
    assert jitted(1.0) == 2.0


# out=


def test_out_is_written_and_returned() -> None:
    f = ft.jit(lambda x: {"a": x + 1, "b": x.sum(axis=0)})
    out = {"a": np.empty_like(X), "b": np.full((3, 4), np.nan)}
    assert f(X, out=out) is out
    np.testing.assert_array_equal(out["a"], X + 1)
    np.testing.assert_allclose(out["b"], X.sum(axis=0), rtol=1e-13)


def test_out_of_any_layout() -> None:
    f = ft.jit(lambda x: 2 * x)
    unaligned = np.zeros(8 * 24 + 1, np.uint8)[1:].view(np.float64).reshape(X.shape)
    for out in (np.empty((4, 3, 2)).T, np.empty((4, 3, 4))[::2], np.empty((2, 3, 4))[:, ::-1], unaligned):
        assert f(X, out=out) is out
        np.testing.assert_array_equal(out, 2 * X)


def test_row_34_out_may_overlap_the_arguments() -> None:
    f = ft.jit(lambda x, y: x[::-1] + y)
    x, y = np.arange(1000.0), np.ones(1000)  # so long that no processor reads all of it before it writes
    assert f(x, y, out=x).tolist() == list(range(1000, 0, -1))
    whole = np.arange(1500.0)
    want = whole[:1000][::-1] + 1
    assert f(whole[:1000], y, out=whole[500:]).tolist() == want.tolist()


def _sharing() -> dict[str, tuple[Any, ...]]:
    """Arrays of two elements each for three results, of which some share memory."""
    whole, wide = np.zeros(6), np.zeros((2, 4))
    apart = np.zeros(2)
    return {
        "neighbors": (whole[:2], whole[1:3], apart),
        "one twice": (apart, whole[:2], apart),
        "a view": (whole[:2], apart, whole[:2].view()),
        "backwards": (whole[:3][::-2], whole[4:], whole[2:4]),
        "interleaved": (whole[0:3:2], whole[2:5:2], apart),
        "an element of a column": (wide[:, 1], apart, wide[1, 0:2]),
        "the same element": (np.lib.stride_tricks.as_strided(whole, (2,), (0,)), apart, wide[0, :2]),
    }


@pytest.mark.parametrize("kind", _sharing())
@pytest.mark.parametrize("turn", ["first", "found", "again"])
def test_row_60_arrays_of_one_out_that_share_memory(kind: str, turn: str) -> None:
    f = ft.jit(lambda x: (x, x + 1, x + 2))
    for _ in range(["first", "found", "again"].index(turn)):
        f(np.ones(2))
        f(np.ones(2), out=(np.zeros(2), np.zeros(2), np.zeros(2)))
    for out in permutations(_sharing()[kind]):
        before = [a.copy() for a in out]
        with pytest.raises(ValueError, match="share memory") as caught:
            f(np.ones(2), out=out)
        assert isinstance(caught.value, ft.ArgumentError) and "out[" in str(caught.value)
        np.testing.assert_array_equal(out, before)


def test_row_60_arrays_of_one_out_that_lie_apart() -> None:
    whole, wide = np.zeros(6), np.zeros((2, 4))
    f = ft.jit(lambda x: (x, x + 1, x + 2))
    for out in ((whole[:2], whole[2:4], whole[4:]), (whole[::3], whole[1::3], whole[2::3]),
                (wide[:, 0], wide[:, 3], wide[:, 1]), (wide.T[1], wide.T[2], wide[::-1, 0])):  # fmt: skip
        assert f(np.ones(2), out=out) is out
        assert [a.tolist() for a in out] == [[1, 1], [2, 2], [3, 3]]
    empty = np.zeros(0)
    ft.jit(lambda x: (x, x))(empty, out=(empty, empty))


def test_an_argument_returned_into_out() -> None:
    out = np.zeros(3)
    assert ft.jit(lambda x: x)(np.arange(3.0), out=out) is out
    assert out.tolist() == [0, 1, 2]
    ft.jit(lambda x: np.full(3, 7.0))(1.0, out=out)
    assert out.tolist() == [7, 7, 7]


def test_row_34_what_cannot_be_written() -> None:
    f = ft.jit(lambda x: (x + 1,))
    locked = np.empty_like(X)
    locked.flags.writeable = False
    for out, error, text in (
        ((locked,), ValueError, r"out\[0\] is read-only; give an array that may be written"),
        ((np.empty((3, 2, 4)),), ShapeError, r"out\[0\] has shape \(3, 2, 4\), the result \(2, 3, 4\)"),
        ((np.empty(X.shape, np.float32),), DtypeError, r"out\[0\] has dtype float32, the result float64"),
        ((np.empty(X.shape, ">f8"),), DtypeError, r"out\[0\] has dtype >f8"),
        ((ft.Tensor(X),), ArgumentError, r"out\[0\] is a Tensor; expected a NumPy array"),
        (np.empty_like(X), ArgumentError, r"out has the structure \*, the result \(\*,\)"),
    ):
        with pytest.raises(error, match=text) as caught:
            f(X, out=out)
        assert "test_jit.py" in str(caught.value)
    with pytest.raises(ArgumentError, match="out= inside a trace"):
        ft.vmap(lambda x: f(x, out=(np.empty(3),)))(X)


# lowering


def test_lower_shows_every_stage() -> None:
    f = Counted(lambda x: np.sin(x).sum(axis=1))
    lowered = ft.jit(f).lower(ft.ShapeDtype((5, 3), np.float32))
    assert lowered.graph.ops() == {"PARAM": 1, "SIN": 1, "REDUCE_AXIS": 1}
    assert len(lowered.kernels) == 1
    assert "for (" in lowered.c_source
    compiled = lowered.compile()
    x = np.arange(15, dtype=np.float32).reshape(5, 3)
    np.testing.assert_allclose(compiled(x), np.sin(x).sum(axis=1), rtol=1e-6)
    assert f.calls == 1
    for args, error, text in (
        ((x.astype(float),), DtypeError, r"args\[0\] of jit of .* was compiled for float32\[5, 3\], and is float64"),
        ((x[:4],), ShapeError, r"compiled for float32\[5, 3\], and is float32\[4, 3\]"),
        ((), ArgumentError, r"structure \(\(\*,\), \{\}\), and is called with \(\(\), \{\}\)"),
        ((x, x), ArgumentError, "structure"), (([x],), ArgumentError, "structure"),
        (("text",), ArgumentError, "expected an array"), ((np.ma.masked_array(x),), ArgumentError, "masked"),
    ):  # fmt: skip
        with pytest.raises(error, match=text):
            compiled(*args)


def test_the_text_of_a_graph_rebuilds_it() -> None:
    graph = ft.make_graph(lambda x, *, k: ft.vmap(lambda r: r * k + 0.5)(x))(X, k=2.0)
    assert from_text(repr(graph)) == graph.outputs
    assert len(graph.params) == 2


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(), lambda x: np.sort(np.cumsum(x)),
        lambda x: ft.jacfwd(lambda x: np.tanh(np.outer(x, x) @ np.sin(x)))(x),
        lambda x: ft.hessian(lambda x: np.exp(np.sum(np.cos(x) * x[::-1])))(x),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_another_batch_size_is_the_same_code(f: Callable[..., Any], dtype: str) -> None:
    lowered = ft.jit(ft.vmap(f)).lower
    texts = {lowered(ft.ShapeDtype((n, 5), dtype)).c_source for n in (1, 3, 4, 7, 8, 15, 16, 33, 1000)}
    assert len(texts) == 1


@pytest.mark.parametrize(
    "f",
    [
        lambda x: ft.vmap(lambda row: (row * 2, 3.0))(x),
        lambda x: ft.vmap(lambda row, c: (row, c * 2), (0, None))(x, 3.0),
        lambda x: ft.vmap(lambda row: ft.jvp(lambda v: np.floor(v), (row,), (row,)))(x),
        lambda x: ft.vmap(np.sin)(x) * 2,
    ],
    ids=["constant", "unbatched", "zero tangent", "after the map"],
)
def test_another_batch_size_is_the_same_text_whatever_the_results(f):
    texts = {ft.jit(f).lower(np.ones((batch, 3))).c_source for batch in (1, 2, 5, 65, 1000)}
    assert len(texts) == 1


@ft.jit
def named(x):
    return x * 2.0 + 1.0


def plain(x, n):
    return x * n


def test_a_jitted_function_is_pickled_as_functions_are():
    x = np.arange(3.0)
    named(x)
    assert pickle.loads(pickle.dumps(named)) is named
    assert copy.deepcopy(named) is named
    other = ft.jit(plain, static_argnums=1)
    other(x, 3)
    again = pickle.loads(pickle.dumps(other))
    assert again is not other and again(x, 3).tolist() == [0.0, 3.0, 6.0]
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(ft.jit(lambda x: x))


def test_its_repr_names_the_function_and_what_was_traced():
    f = ft.jit(plain)
    assert repr(f) == "<jit of plain, 0 signatures traced>"
    f(np.ones(2), 2.0)
    assert repr(f) == "<jit of plain, 1 signature traced>"
    assert repr(ft.nlp(plain)) == "<nlp of plain>" and repr(ft.nlp(plain, named)) == "<nlp of plain and named>"
