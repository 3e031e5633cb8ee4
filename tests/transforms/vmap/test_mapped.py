"""vmap: where axes go, what is refused and how, and the reads and shapes that earlier designs got wrong."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import ArgumentError, ArgumentValueError, AxisError, FunctransError, ShapeError

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, (4, 2, 3))
Pair = namedtuple("Pair", "a b")


def loop(f: Callable[..., Any], x: Any, axis: int = 0) -> Any:
    return np.stack([f(row) for row in np.moveaxis(x, axis, 0)])


def close(got: Any, want: Any) -> None:
    assert np.shape(got) == np.shape(want)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)


# axes


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3, np.int64(1)])
def test_in_axes_any_axis(axis: int) -> None:
    f = lambda x: np.cumsum(x, axis=0) - np.max(x)  # noqa: E731
    close(ft.vmap(f, in_axes=axis)(X), loop(f, X, int(axis)))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_out_axis_counts_in_the_batched_result(axis: int) -> None:
    close(ft.vmap(lambda x: 2 * x, out_axis=axis)(X), np.moveaxis(2 * X, 0, axis))


def test_in_axes_by_argument_and_by_place() -> None:
    def f(p: Any, c: Any, q: Any) -> Any:
        return {"s": p["u"] * c + p["v"][0], "t": q.a @ q.b}

    u, v = X, RNG.uniform(size=(2, 5))
    a, b = RNG.uniform(size=(3, 5)), RNG.uniform(size=(5, 3))
    v = RNG.uniform(size=(2, 3, 4))
    p, q = {"u": u, "v": (v,)}, Pair(RNG.uniform(size=(4, 3)), RNG.uniform(size=3))
    got = ft.vmap(f, in_axes=({"u": 0, "v": (-1,)}, None, Pair(0, None)), out_axis={"s": 1, "t": 0})(p, 2.0, q)
    lanes = [f({"u": u[k], "v": (v[..., k],)}, 2.0, Pair(q.a[k], q.b)) for k in range(4)]
    close(got["s"], np.stack([lane["s"] for lane in lanes], 1))
    close(got["t"], np.stack([lane["t"] for lane in lanes]))
    assert a.shape[1] == b.shape[0]


def test_a_list_of_axes_is_a_tuple_of_axes() -> None:
    close(ft.vmap(lambda x, y: x + y, in_axes=[0, None])(X, X[0]), X + X[0])


def test_keywords_are_mapped_over_axis_0() -> None:
    close(
        ft.vmap(lambda x, *, s: x * s, in_axes=2)(X, s=np.arange(3.0)),
        np.moveaxis(X, 2, 0) * np.arange(3.0)[:, None, None],
    )


@pytest.mark.parametrize("n", [0, 1])
def test_row_8_batch_of_none_and_of_one(n: int) -> None:
    x = X[:n]
    got = ft.vmap(lambda r: (r.sum(), np.sort(r, 1) if False else r.T @ r, (r > 0).any(axis=0), 3))(x)
    assert [g.shape for g in got] == [(n,), (n, 3, 3), (n, 3), (n,)]
    assert [g.dtype for g in got] == [np.float64, np.float64, np.bool_, np.int64]
    close(got[0], x.sum(axis=(1, 2)))


def test_row_10_a_result_that_ignores_the_batch_is_repeated() -> None:
    got = ft.vmap(lambda x: (1.0, X[0], x * 0), out_axis=(0, -1, 0))(np.ones(2))
    assert got[0].tolist() == [1.0, 1.0]
    close(got[1], np.stack([X[0], X[0]], -1))
    got[0][0] = 7  # an array of its own
    assert got[0].tolist() == [7.0, 1.0]


def test_axis_size_stands_in_for_a_mapped_argument() -> None:
    close(ft.vmap(lambda: X[0], axis_size=3)(), np.stack([X[0]] * 3))
    close(ft.vmap(lambda x: x, in_axes=None, axis_size=2)(X), np.stack([X, X]))
    close(ft.vmap(lambda x: x, axis_size=4)(X), X)


def test_none_is_a_tree_without_arrays() -> None:
    assert ft.vmap(lambda x: None)(X) is None
    got = ft.vmap(lambda x, y: [x, None, (y,)])(X, None)
    assert got[1] is None and got[2] == (None,)


def test_results_keep_their_structure() -> None:
    got = ft.vmap(lambda x: Pair([x], {"k": (x, -x)}))(X)
    assert type(got) is Pair and type(got.a) is list and list(got.b) == ["k"]


def test_the_mapped_function_keeps_its_name() -> None:
    def energy(x: Any) -> Any:
        """Of a thing."""
        return x

    assert ft.vmap(energy).__name__ == "energy"
    assert ft.vmap(energy).__doc__ == "Of a thing."
    close(ft.vmap(functools.partial(np.multiply, 2.0))(X), 2 * X)


# what is refused, and how


def test_row_1_an_axis_the_argument_has_not() -> None:
    text = (
        r"vmap was requested to map its argument b along axis 5, which implies that its rank should be at least 6, but "
        r"is only 3 \(its shape is \(4, 2, 3\)\) \(test_mapped.py:\d+\)"
    )
    with pytest.raises(AxisError, match=text) as caught:
        ft.vmap(lambda a, b: a, in_axes=(0, 5))(X, X)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(AxisError, match=r"argument a along axis -4, .* at least 4, but is only 3"):
        ft.vmap(lambda a: a, in_axes=-4)(X)


def test_row_2_sizes_that_differ() -> None:
    with pytest.raises(ShapeError) as caught:
        ft.vmap(lambda a, b, **more: a)(np.ones((2, 3)), {"k": np.ones(3, np.int32)}, c=np.ones((3, 1)))
    text = str(caught.value)
    assert text.startswith("vmap got inconsistent sizes for array axes to be mapped:\n")
    assert "  * one axis had size 2: axis 0 of argument a of type float64[2,3];\n" in text
    assert "  * some axes had size 3: axis 0 of argument b['k'] of type int32[3], axis 0 of argument c" in text
    with pytest.raises(ShapeError, match="had size 5: the argument axis_size"):
        ft.vmap(lambda a: a, axis_size=5)(np.ones(2))


def test_row_3_another_number_of_axes_than_arguments() -> None:
    with pytest.raises(AxisError, match=r"tuple of entries .* but got len\(in_axes\)=1, len\(args\)=2"):
        ft.vmap(lambda a, b: a, in_axes=(0,))(X, X)
    with pytest.raises(AxisError, match=r"in_axes\[0\] is a tuple of 2 where the values are a list of 3"):
        ft.vmap(lambda a: a, in_axes=((0, 0),))([X, X, X])
    with pytest.raises(AxisError, match="out_axis is a tuple of 2 where the values are a single array"):
        ft.vmap(lambda a: a, out_axis=(0, 0))(X)


def test_row_4_nothing_mapped() -> None:
    with pytest.raises(FunctransError, match="must have at least one non-None value in in_axes or axis_size must be"):
        ft.vmap(lambda a, b: a, in_axes=(None, None))(X, X)


@pytest.mark.parametrize("bad", [True, "0", 1.0, (0, "a"), (0, (1, False)), {"a": 0}])
def test_row_5_what_is_no_axis(bad: Any) -> None:
    with pytest.raises(
        ArgumentError, match=r"vmap in_axes must be an int, None, or a tuple of entries .* but got"
    ) as caught:
        ft.vmap(lambda a: a, in_axes=bad)
    assert repr(bad) in str(caught.value)


@pytest.mark.parametrize("bad", [True, "0", 1.0, (0, "a")])
def test_row_5_what_is_no_out_axis(bad: Any) -> None:
    with pytest.raises(ArgumentError, match="vmap out_axis must be an int, None, or a pytree prefix of them"):
        ft.vmap(lambda a: a, out_axis=bad)


WAYS = [(m, t) for m in ("vmapin", "rewrite", "pad_reduce") for t in ("loop", "outer")]


@pytest.mark.parametrize(("method", "axis_type"), WAYS)
def test_a_result_without_the_batch_is_returned_as_it_is(method: str, axis_type: str) -> None:
    way: dict[str, Any] = {"method": method, "axis_type": axis_type}
    s = RNG.uniform(1, 2, (2, 3))

    def f(x: Any, y: Any) -> Any:
        return x * y, {"sum": y.sum(), "table": np.cumsum(y, 0), "none": None}, 2.0

    mapped = ft.vmap(f, in_axes=(0, None), out_axis=(1, None, None), **way)
    product, shared, two = mapped(X, s)
    close(product, np.moveaxis(X * s, 0, 1))
    close((shared["sum"], shared["table"], two)[1], np.cumsum(s, 0))
    close(shared["sum"], s.sum())
    assert two == 2.0 and shared["none"] is None
    # under jit, derivatives, and a map of a map: what the inner one leaves alone is a lane of the outer one
    close(ft.jit(mapped)(X, s)[1]["table"], np.cumsum(s, 0))
    close(ft.grad(lambda y: mapped(X, y)[1]["table"].sum())(s), ft.grad(lambda y: np.cumsum(y, 0).sum())(s))
    both = ft.vmap(lambda row: ft.vmap(lambda v: (row.sum(), v), out_axis=(None, 0), **way)(s), **way)(X)
    close(both[0], X.sum((1, 2)))
    assert both[1].shape == (4, 2, 3)
    alone = ft.vmap(lambda y: y + 1, in_axes=None, out_axis=None, axis_size=5, **way)
    close(alone(s), s + 1)
    assert ft.vmap(lambda x: X[0], out_axis=None, **way)(X[:0]).shape == (2, 3)


@pytest.mark.parametrize(("method", "axis_type"), WAYS)
def test_a_result_with_the_batch_has_no_axis_none(method: str, axis_type: str) -> None:
    for f in (lambda x: x, lambda x: x.sum(), lambda x: {"s": np.where(x > 0, 1.0, 2.0)}, lambda x: ft.vmap(np.sin)(x)):
        with pytest.raises(ArgumentValueError, match=r"out_axis is None for result.*depends on the mapped arguments"):
            ft.vmap(f, out_axis=None, method=method, axis_type=axis_type)(X)
    with pytest.raises(ArgumentValueError, match=r"None for result\['b'\], of shape \(2, 3\) and dtype float64"):
        ft.vmap(lambda x: {"a": 1.0, "b": x}, out_axis={"a": None, "b": None}, method=method, axis_type=axis_type)(X)


def test_row_6_no_arguments() -> None:
    for args in ((), ((),), ({},)):
        with pytest.raises(ValueError, match="must be passed at least one argument containing an array or axis_size"):
            ft.vmap(lambda *a: 1.0)(*args)


def test_row_7_a_scalar_is_mapped() -> None:
    with pytest.raises(
        ValueError, match=r"argument b along axis 0, .* at least 1, but is only 0 \(its shape is \(\)\)"
    ):
        ft.vmap(lambda a, b: a)(X, 2.0)


def test_row_9_an_axis_the_result_has_not() -> None:
    with pytest.raises(AxisError, match="out_axis 7 is out of bounds for array of dimension 2, which result is"):
        ft.vmap(lambda a: a[0], out_axis=7)(X)
    with pytest.raises(AxisError, match=r"out_axis -2 .* dimension 1, which result\['s'\] is"):
        ft.vmap(lambda a: {"s": a.sum()}, out_axis=-2)(X)


def test_row_12_a_keyword_that_is_no_batch() -> None:
    with pytest.raises(AxisError, match="argument scale along axis 0"):
        ft.vmap(lambda a, scale: a * scale)(X, scale=2.0)


def test_options_are_checked_by_name() -> None:
    with pytest.raises(ArgumentError, match="'out_axes'; functrans spells it out_axis"):
        ft.vmap(lambda a: a, out_axes=1)
    with pytest.raises(ArgumentError, match="unexpected keyword argument 'in_axis'"):
        ft.vmap(lambda a: a, in_axis=1)
    with pytest.raises(ArgumentError, match="method 'fast'; expected one of"):
        ft.vmap(lambda a: a, method="fast")
    with pytest.raises(ArgumentError, match="axis_type 'inner'; expected 'loop' or 'outer'"):
        ft.vmap(lambda a: a, axis_type="inner")
    for size in (True, 2.0, -1, "2"):
        with pytest.raises(ArgumentError, match="axis_size must be an int >= 0"):
            ft.vmap(lambda a: a, axis_size=size)
    with pytest.raises(ArgumentError, match="vmap maps a function, but got 3 of type int"):
        ft.vmap(3)


def test_axis_types_may_be_given_as_such() -> None:
    for kind in (ft.AxisType.LOOP, ft.AxisType.OUTER):
        close(ft.vmap(lambda a: -a, axis_type=kind)(X), -X)
    with pytest.raises(ArgumentError, match="expected 'loop' or 'outer'"):
        ft.vmap(lambda a: -a, axis_type=ft.AxisType.REDUCE)


# bodies that an implementation of the same idea failed on


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


BODIES: dict[str, Callable[[Any], Any]] = {
    "softmax": softmax,
    "layernorm": lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5),
    "var": lambda x: x.var(),
    "argmax": lambda x: x.argmax(axis=1),
    "sort of": lambda x: np.take_along_axis(x, np.argmax(x, axis=1)[:, None], 1),
    "x times its own sum": lambda x: x * x.sum(),
    "read twice, moved": lambda x: np.sin(x)[:, ::-1] + np.sin(x)[1] - np.sin(x).T.reshape(2, 3),
    "read three times": lambda x: (x @ x.T) @ x + (x @ x.T)[0, 0],
    "stack and cat": lambda x: np.concatenate([np.stack([x[0], x[1]]), x * 2, x[:1]]),
    "matmul of a captured matrix": lambda x: np.cos(X[0].T @ x),
    "gather by a computed index": lambda x: x[:, np.argmax(x[0])] + x[np.argmax(x[:, 0])][0],
    "cumulated": lambda x: np.cumsum(x, axis=1)[:, -1] * np.prod(x, axis=1),
    "cast there and back": lambda x: (x * 10).astype(np.int32) % 3 + x.astype(np.float32),
    "constant mask": lambda x: x[np.array([[True, False, True], [False, True, True]])],
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("n", [1, 4])
def test_body(body: Callable[[Any], Any], n: int) -> None:
    close(ft.vmap(body)(X[:n]), loop(body, X[:n]))


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_body_under_two_maps(body: Callable[[Any], Any]) -> None:
    x = RNG.uniform(-1, 1, (3, 2, 2, 3))
    got = ft.vmap(ft.vmap(body, in_axes=0), in_axes=1, out_axis=1)(x)
    close(got, np.stack([np.stack([body(x[i, j]) for j in range(2)]) for i in range(3)]))


def test_contiguous_inside_a_map() -> None:
    close(ft.vmap(lambda x: (x * 2).contiguous().sum(axis=0) + x[0])(X), loop(lambda x: (2 * x).sum(0) + x[0], X))


def test_use_after_the_map() -> None:
    # what comes out is an ordinary array: reduced over the batch, indexed in it, mapped again over another axis
    def f(x: Any) -> Any:
        y = ft.vmap(lambda r: np.sin(r) * r.sum())(x)
        z = ft.vmap(lambda c: c - c.mean(), in_axes=2, out_axis=2)(y)
        return y.sum(axis=0) + z[::-1][0] + z[np.array([1, 3])].max(axis=0)

    y = np.sin(X) * X.sum(axis=(1, 2), keepdims=True)
    z = y - y.mean(axis=(0, 1))
    close(ft.jit(f)(X), y.sum(0) + z[-1] + z[[1, 3]].max(0))


def test_an_array_mapped_over_two_of_its_axes_at_once() -> None:
    # the same array as two arguments: outer product of its rows
    got = ft.vmap(lambda a: ft.vmap(lambda b: (a * b).sum())(X))(X)
    close(got, np.einsum("iab,jab->ij", X, X))


def test_the_batch_is_one_kernel() -> None:
    for name in ("softmax", "layernorm", "x times its own sum", "cast there and back"):
        lowered = ft.jit(ft.vmap(BODIES[name])).lower(ft.ShapeDtype((7, 2, 3)))
        assert len(lowered.kernels) == 1, name


def test_a_row_does_not_depend_on_the_size_of_the_batch() -> None:
    x = RNG.uniform(-1, 1, (33, 2, 3))
    f = ft.vmap(BODIES["layernorm"])
    whole = f(x)
    for rows in (slice(0, 1), slice(5, 12), slice(32, 33)):
        assert f(x[rows]).tobytes() == np.ascontiguousarray(whole[rows]).tobytes()
