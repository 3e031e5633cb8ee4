"""What goes into a transformed function and comes out of it, and values that leave their trace."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import functrans as ft
from functrans.errors import ArgumentError, DtypeError, FunctransError, LeakedValueError, TracedValueError
from functrans.ops.interpret import interpret

TRANSFORMED = {
    "jit": ft.jit,
    "vmap": lambda f: ft.vmap(f, in_axes=None, axis_size=2),
    "jvp": lambda f: lambda x: ft.jvp(f, (x,), (None,)),
}
every_transform = pytest.mark.parametrize("transform", TRANSFORMED.values(), ids=TRANSFORMED.keys())


def inputs() -> dict[str, Any]:
    x = np.arange(24.0).reshape(2, 3, 4) + 0.5
    locked = x.copy()
    locked.flags.writeable = False
    unaligned = np.frombuffer(b"\0" + x.tobytes(), np.float64, offset=1).reshape(x.shape)
    return {
        "plain": x, "read-only": locked, "fortran": np.asfortranarray(x), "strided": np.repeat(x, 2, 0)[::2],
        "reversed": x[::-1, :, ::-1], "swapped": x.astype(">f8"), "unaligned": unaligned,
        "stride 0": np.broadcast_to(x[0, 0], (2, 3, 4)), "empty": x[:0], "0-d": np.array(1.5),
        "float16": x.astype(np.float16), "float32": x.astype(np.float32), "complex": x * (1 + 2j),
        "int8": x.astype(np.int8), "uint64": x.astype(np.uint64), "bool": x > 3,
    }  # fmt: skip


@pytest.mark.parametrize("x", inputs().values(), ids=inputs().keys())
def test_row_34_any_layout_goes_in(x: Any) -> None:
    f = lambda v: v.T + v.T  # noqa: E731
    before = x.copy()
    for got in (ft.jit(f)(x), ft.vmap(f)(np.stack([x, x]))[1]):
        want = f(x)
        np.testing.assert_array_equal(got, want)
        assert got.dtype == want.dtype.newbyteorder("=")
    np.testing.assert_array_equal(x, before)


def test_results_are_arrays_of_the_callers_own() -> None:
    x = np.ones(3)
    a, b, c = ft.jit(lambda v: (v, v, v + 1))(x)
    for one, other in ((a, x), (a, b), (a, c), (b, x)):
        assert not np.shares_memory(one, other)
    a += 1
    assert b.tolist() == [1, 1, 1]


def test_scalars_come_back_as_numpy_scalars() -> None:
    out = ft.jit(lambda x: {"s": x.sum(), "n": (x > 1).any(), "k": x.argmax()})(np.arange(3.0))
    assert type(out["s"]) is np.float64
    assert type(out["n"]) is np.bool_
    assert type(out["k"]) is np.int64


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(True, np.bool_), (3, np.int64), (2.5, np.float64), (1j, np.complex128), (np.float32(2), np.float32)],
)
def test_scalars_go_in(value: Any, dtype: Any) -> None:
    out = ft.jit(lambda x: x)(value)
    assert type(out) is dtype
    assert out == value


def test_python_numbers_give_way() -> None:
    x = np.ones(3, np.float32)
    f = lambda v, a, n: (v * a, v + n, v * (2 * a - n), np.stack([v, v]) ** n, np.maximum(v, a), v @ v * a)  # noqa: E731
    want = f(x, 1.5, 2)
    for got in (ft.jit(f)(x, 1.5, 2), ft.jvp(f, (x, 1.5, 2), (x, 1.0, None))[0]):
        assert [g.dtype for g in got] == [w.dtype for w in want] == [np.float32] * 6
        for g, w in zip(got, want, strict=True):
            np.testing.assert_array_equal(g, w)
    assert ft.vmap(lambda r, a: r * a, in_axes=(0, None))(x, 2.0).dtype == np.float32
    inner = lambda v: ft.vmap(lambda r, a: r * a + ft.jit(lambda b, c: b * c)(3.0, r), in_axes=(0, None))(v, 2.0)  # noqa: E731
    assert ft.jit(inner)(x).tolist() == [5, 5, 5]
    assert ft.jit(inner)(x).dtype == np.float32
    # a NumPy scalar is an array
    assert ft.jit(lambda v, a: v * a)(x, np.float64(2)).dtype == np.float64
    assert ft.jit(lambda v, n: v + n)(np.ones(2, np.int8), 30).dtype == np.int8


def test_a_tensor_in_gives_tensors_out() -> None:
    x = ft.Tensor([1.0, 2.0])
    for f in (ft.jit(lambda v: v + 1), ft.vmap(lambda v: v + 1), lambda v: ft.jvp(lambda u: u + 1, (v,), (v,))[0]):
        out = f(x)
        assert isinstance(out, ft.Tensor)
        assert out.tolist() == [2.0, 3.0]


def test_inside_a_trace_everything_is_a_tensor() -> None:
    seen = []

    def f(x: Any) -> Any:
        inner = [ft.vmap(lambda v: v * 2)(np.ones(2)), ft.jit(np.sin)(0.5), ft.jvp(np.sin, (0.5,), (1.0,))[1]]
        seen.extend(inner)
        return x + sum(np.sum(v) for v in inner)

    ft.jit(f)(1.0)
    assert [type(v) for v in seen] == [ft.Tensor] * 3


def test_what_a_function_closes_over_is_copied() -> None:
    c = np.ones(3)
    f = ft.jit(lambda x: x + c)
    assert f(np.zeros(3)).tolist() == [1, 1, 1]
    c[:] = 5
    assert f(np.zeros(3)).tolist() == [1, 1, 1]  # frozen when it was traced
    assert ft.vmap(lambda x: x + c)(np.zeros((1, 3))).tolist() == [[5, 5, 5]]


@pytest.mark.parametrize("transform", [ft.jit, ft.vmap, TRANSFORMED["jvp"]], ids=["jit", "vmap", "jvp"])
@pytest.mark.parametrize(
    ("bad", "error", "text"),
    [
        ("text", ArgumentError, "'text' of type str; expected an array"),
        (object(), ArgumentError, "of type object; expected an array"),
        (sparse.eye_array(2), ArgumentError, "expected an array"),
        (np.ma.masked_array([1.0, 2.0], [0, 1]), ArgumentError, "masked array"),
        (np.array([1, "a"], object), DtypeError, "dtype object is not supported"),
        (np.array(["a"]), DtypeError, "dtype <U1 is not supported"),
        (np.array(["2020-01-01"], "M8[D]"), DtypeError, "datetime64"),
        (np.ones(2, np.longdouble), DtypeError, "is not supported; expected one of bool, int8"),
        (1 << 63, DtypeError, "does not fit into int64"),
    ],
)
def test_row_27_what_is_no_array(transform: Any, bad: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text) as caught:
        transform(lambda x: x)(bad)
    assert "test_trace.py" in str(caught.value)
    assert isinstance(caught.value, FunctransError)


def test_the_argument_is_named() -> None:
    with pytest.raises(ArgumentError, match=r"argument model\['a'\]\[1\] of jit of energy is 'oops'"):

        def energy(x: Any, model: Any) -> Any:
            return x

        ft.jit(energy)(1.0, {"a": (1.0, "oops")})
    with pytest.raises(ArgumentError, match="argument scale of vmap of <lambda> is 'oops'"):
        ft.vmap(lambda x, **kw: x)(np.ones(2), scale="oops")


def test_a_large_integer_meets_a_compiled_function() -> None:
    f = ft.jit(lambda x: x + 1)
    assert f(3) == 4
    with pytest.raises(DtypeError, match="does not fit into int64"):
        f(1 << 63)


@every_transform
@pytest.mark.parametrize("bad", ["text", {"a": [1.0, "text"]}])
def test_row_11_what_is_no_result(transform: Any, bad: Any) -> None:
    with pytest.raises(ArgumentError, match=r"result.* is 'text' of type str; a transformed function returns arrays"):
        transform(lambda x: bad)(1)


def test_row_22_a_stored_value_is_returned_by_another_call() -> None:
    kept: list[Any] = []

    def store(x: Any) -> Any:
        kept.append(np.sin(x))
        return x

    ft.jit(store)(np.ones(3))
    with pytest.raises(LeakedValueError, match=r"jit of store \(test_trace.py:\d+\), which has returned .used by SIN"):
        ft.jit(lambda x: x + kept[0])(np.ones(3))
    with pytest.raises(LeakedValueError, match="jit of store"):
        ft.vmap(lambda x: x)(kept[0])
    for read in (lambda t: t.numpy(), float, bool, np.asarray, lambda t: t.sum().item()):
        with pytest.raises(LeakedValueError, match=r"jit of store \(test_trace.py:\d+\), which has returned"):
            read(kept[0][0])


def test_row_22_what_is_still_traced_has_not_leaked() -> None:
    def f(x: Any) -> Any:
        with pytest.raises(TracedValueError):
            float(x.sum())
        return ft.vmap(lambda v: v * x.sum())(x)

    assert ft.jit(f)(np.ones(2)).tolist() == [2.0, 2.0]


def test_row_22_a_lane_leaves_its_vmap() -> None:
    kept: list[Any] = []

    def store(x: Any) -> Any:
        kept.append(x)
        return x

    def f(x: Any) -> Any:
        ft.vmap(store)(x)
        return kept[0] * 2

    with pytest.raises(LeakedValueError, match="the mapped axis of vmap of store"):
        ft.jit(f)(np.ones(3))


def test_row_22_a_perturbation_leaves_its_jvp() -> None:
    kept: list[Any] = []

    def f(x: Any) -> Any:
        ft.jvp(lambda y: kept.append(y) or y, (x,), (x,))
        return kept[0] + x

    with pytest.raises(LeakedValueError, match="jvp of <lambda>"):
        ft.jit(f)(np.ones(3))


def test_an_error_in_the_function_ends_its_trace() -> None:
    with pytest.raises(ZeroDivisionError):
        ft.jit(lambda x: 1 / 0)(1.0)
    assert isinstance(ft.vmap(lambda x: x)(np.ones(2)), np.ndarray)  # not traced any more


def test_threads_trace_by_themselves() -> None:
    inside, done = threading.Event(), threading.Event()
    result: list[Any] = []

    def slow(x: Any) -> Any:
        inside.set()
        assert done.wait(20)
        return x

    def other() -> None:
        assert inside.wait(20)
        result.append(ft.vmap(lambda x: x + 1)(np.ones(2)))
        done.set()

    thread = threading.Thread(target=other)
    thread.start()
    ft.jit(slow)(1.0)
    thread.join(20)
    assert isinstance(result[0], np.ndarray)


def test_shape_dtype() -> None:
    spec = ft.ShapeDtype((2, 3), "float32")
    assert spec == ft.ShapeDtype([2, 3], np.float32)
    assert hash(spec) == hash(ft.ShapeDtype((2, 3), np.float32))
    assert spec != ft.ShapeDtype((2, 3))
    assert repr(ft.jit(lambda x: x).lower(spec).graph).count("PARAM") == 1
    with pytest.raises(ArgumentError, match=r"ShapeDtype\(\(2, 3\), float32\) of type ShapeDtype; expected an array"):
        ft.jit(lambda x: x)(spec)


@pytest.mark.filterwarnings("ignore:this Python loop:functrans.FunctransWarning")
@pytest.mark.parametrize("depth", [30_000])
def test_row_48_a_long_chain_is_traced_and_differentiated(depth: int) -> None:
    def f(x: Any) -> Any:
        y = x
        for _ in range(depth):
            y = x - y
        return y

    graph = ft.make_graph(lambda x: ft.jvp(f, (x,), (np.ones(()),)))(2.0)
    out = interpret(graph.outputs, {graph.params[0]: np.array(2.0)})
    assert [float(v) for v in out] == [2.0, 1.0]
