"""jvp: rules against the complex step and differences, kinks and ties, structure, and what is refused."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special

import functrans as ft
from functrans.errors import ArgumentError, DtypeError, ShapeError, UnsupportedError
from functrans.ops import Ops, UOp, dtypes
from functrans.ops.interpret import interpret
from functrans.ops.source import param
from functrans.transforms.forward import push_forward

RNG = np.random.default_rng(1)
X = RNG.uniform(0.2, 0.9, (2, 3, 4))
T = RNG.uniform(-1, 1, (2, 3, 4))
Pair = namedtuple("Pair", "a b")


def along(f: Callable[..., Any], *args: Any) -> Any:
    half = len(args) // 2
    return ft.jvp(f, args[:half], args[half:])[1]


def close(got: Any, want: Any, rtol: float = 1e-12) -> None:
    assert np.shape(got) == np.shape(want)
    np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)


# rules

ANALYTIC = {
    name: getattr(np, name)
    for name in "sin cos tan sinh cosh tanh exp exp2 expm1 log log2 log10 log1p sqrt square reciprocal negative "
    "arcsin arccos arctan arcsinh arctanh".split()
} | {
    "power": lambda x: x**3 + x**-1.5 + x**0.5,
    "base and exponent": lambda x: x**x,
    "exponent": lambda x: 2.0**x,
    "divided": lambda x: 1 / x + x / (1 + x) - x / 3,
    "prod": lambda x: np.prod(x, axis=(0, 2)),
    "cumprod": lambda x: np.cumprod(x, axis=1),
    "einsum": lambda x: np.einsum("abc,abd->acd", x, x),
    "norm": lambda x: np.sqrt((x * x).sum(axis=-1)),
    "arccosh": lambda x: np.arccosh(x + 1.5),
}


@pytest.mark.parametrize("f", ANALYTIC.values(), ids=ANALYTIC.keys())
def test_rule_is_the_complex_step(f: Callable[[Any], Any]) -> None:
    close(along(f, X, T), np.imag(f(X + 1e-30j * T)) / 1e-30)


def _difference(f: Callable[..., Any], *args: Any, h: float = 1e-5) -> Any:
    half = len(args) // 2
    p, t = args[:half], args[half:]
    at = [f(*(x + s * h * d for x, d in zip(p, t, strict=True))) for s in (-2, -1, 1, 2)]
    return (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * h)


PIECEWISE: dict[str, Callable[..., Any]] = {
    "abs": lambda x: np.abs(x - 0.5),
    "maximum": lambda x: np.maximum(x, x[::-1]),
    "minimum": lambda x: np.minimum(x, 0.5),
    "clip": lambda x: np.clip(x, 0.4, 0.6),
    "where": lambda x: np.where(x > 0.5, x * x, -x),
    "max": lambda x: x.max(axis=(0, 2)),
    "min": lambda x: x.min(axis=1),
    "cummax": lambda x: np.maximum.accumulate(x, axis=2),
    "cummin": lambda x: np.minimum.accumulate(x, axis=0),
    "remainder": lambda x: x % 0.3 + 2.0 % x,
    "fmod": lambda x: np.fmod(x, 0.3),
    "floor": lambda x: np.floor(3 * x) * x,
    "copysign": lambda x: np.copysign(x, x - 0.5),
    "cbrt": np.cbrt,
    "hypot": lambda x: np.hypot(x, x * x),
    "arctan2": lambda x: np.arctan2(x, 1 - x),
    "sign": lambda x: np.sign(x - 0.5) * x,
    "floor_divide": lambda x: x // 0.3 + x,
    "argmax": lambda x: np.take_along_axis(x, x.argmax(1, keepdims=True), 1),
    "dtypes": lambda x: x * (3 * x).astype(np.int32) + (x > 0.5),
}


@pytest.mark.parametrize("f", PIECEWISE.values(), ids=PIECEWISE.keys())
def test_rule_is_the_difference(f: Callable[[Any], Any]) -> None:
    close(along(f, X, T), _difference(f, X, T), rtol=1e-7)


@pytest.mark.parametrize("f", [special.erf, special.erfc, special.gammaln, special.expit, special.ndtr])
def test_special_functions(f: Any) -> None:
    close(along(f, X, T), _difference(f, X, T), rtol=1e-7)


MOVEMENT: dict[str, Callable[[Any], Any]] = {
    "reshape": lambda x: x.reshape(4, 6),
    "transpose": lambda x: x.transpose(2, 0, 1),
    "flip": lambda x: x[:, ::-1],
    "slice": lambda x: x[1:, ::2, 1:3],
    "pad": lambda x: np.pad(x, ((1, 0), (0, 2), (0, 0))),
    "gather": lambda x: x[:, [2, 0, 2]],
    "mask": lambda x: x[X > 0.5],
    "stack": lambda x: np.stack([x, X, x], 1),
    "concatenate": lambda x: np.concatenate([X, x], 1),
    "sum": lambda x: x.sum(axis=(0, 2)),
    "cumsum": lambda x: np.cumsum(x, 1),
    "roll": lambda x: np.roll(x, 1, 0),
    "broadcast": lambda x: np.broadcast_to(x[:1], (5, 3, 4)),
    "matmul": lambda x: X[0].T @ x,
    "repeat": lambda x: np.repeat(x, 2, 1),
}


@pytest.mark.parametrize("f", MOVEMENT.values(), ids=MOVEMENT.keys())
def test_linear_functions_are_their_own_derivative(f: Callable[[Any], Any]) -> None:
    got = along(f, X, T)
    want = f(T) - f(np.zeros_like(T))
    close(got, want)


# updates

INDICES = {"distinct": [2, 0, 3], "repeated": [1, 1, 3, 1], "none": []}


def updated(mode: str, base: Any, index: Any, v: Any) -> Any:
    if isinstance(base, ft.Tensor) or isinstance(v, ft.Tensor):
        return getattr(ft.Tensor(base).at[index], mode)(v)
    out = base.copy()
    for k, i in enumerate(index):
        rule = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}.get(mode)
        out[i] = v[k] if rule is None else rule(out[i], v[k])
    return out


@pytest.mark.parametrize("which", INDICES)
@pytest.mark.parametrize("mode", ["set", "add", "multiply", "min", "max"])
def test_updates(mode: str, which: str) -> None:
    index = INDICES[which]
    base, value = RNG.uniform(-1, 1, (5, 2)), RNG.uniform(-1, 1, (len(index), 2))
    tb, tv = RNG.uniform(-1, 1, base.shape), RNG.uniform(-1, 1, value.shape)
    at = np.array(index, np.int64)
    f = lambda b, v: updated(mode, b, at, v)  # noqa: E731
    close(along(f, base, value, tb, tv), _difference(f, base, value, tb, tv), rtol=1e-8)
    close(along(lambda b: f(b, value), base, tb), _difference(lambda b: f(b, value), base, tb), rtol=1e-8)
    close(along(lambda v: f(base, v), value, tv), _difference(lambda v: f(base, v), value, tv), rtol=1e-8)


def test_factors_of_zero_in_an_update() -> None:
    base, index = np.array([2.0, 3.0, 5.0]), np.array([0, 0, 1, 1, 1])
    f = lambda v: ft.Tensor(base).at[index].multiply(v)  # noqa: E731
    one_zero = along(f, np.array([0.0, 7.0, 2.0, 4.0, 1.0]), np.ones(5))
    assert one_zero.tolist() == [2 * 7.0, 3 * (4 + 2 + 8.0), 0.0]
    two_zeros = along(f, np.array([0.0, 0.0, 0.0, 4.0, 2.0]), np.ones(5))
    assert two_zeros.tolist() == [0.0, 3 * 8.0, 0.0]


def test_an_update_out_of_range_has_no_tangent() -> None:
    x = np.ones(3)
    for mode in ("set", "add", "multiply", "max"):
        got = ft.jit(lambda i, m=mode: ft.jvp(lambda v: getattr(ft.Tensor(x).at[i], m)(v), (5.0 * x,), (x,))[1])
        assert got(np.array([7, 1, 9]))[[0, 2]].tolist() == [0, 0]


def test_factors_of_zero_in_products() -> None:
    x = np.array([2.0, 0.0, 3.0, 0.0])
    assert along(np.prod, x[:3], np.ones(3)) == 6.0
    assert along(np.prod, x, np.ones(4)) == 0.0
    close(along(np.cumprod, x, np.ones(4)), [1.0, 2.0, 6.0, 0.0])
    # and the second derivative, which goes through running products
    second = along(lambda y: along(np.prod, y, np.ones(4)), x, np.array([0.0, 1.0, 0.0, 0.0]))
    assert second == 6.0


# kinks


def test_ties_share_equally() -> None:
    x, t = np.array([1.0, 3.0, 3.0, 3.0]), np.array([1.0, 10.0, 20.0, 60.0])
    assert along(np.max, x, t) == 30.0
    assert along(lambda v: np.min(-v), x, t) == -30.0
    assert along(np.maximum, x, x, t, 3 * t).tolist() == (2 * t).tolist()
    assert along(np.maximum.accumulate, x, t).tolist() == [1.0, 10.0, 15.0, 30.0]
    assert along(lambda v: ft.Tensor(np.array([3.0])).at[np.array([0, 0])].max(v[2:]), x, t).tolist() == [80 / 3]


def test_a_nan_owns_the_extremum() -> None:
    x, t = np.array([5.0, np.nan, 1.0]), np.array([1.0, 10.0, 100.0])
    for f in (np.max, np.min, lambda v: np.maximum(v[0], v[1]), lambda v: np.maximum.accumulate(v)[2]):
        assert along(f, x, t) == 10.0


def test_the_branch_not_taken_is_not_read() -> None:
    f = lambda x: np.where(x > 0, np.sqrt(x), 0.0)  # noqa: E731
    assert along(f, np.array([0.0, 4.0]), np.ones(2)).tolist() == [0.0, 0.25]
    assert along(lambda x: x**0, np.zeros(2), np.ones(2)).tolist() == [0, 0]
    assert along(lambda x: x**2, np.zeros(2), np.ones(2)).tolist() == [0, 0]
    assert along(np.abs, 0.0, 1.0) == 1.0
    assert along(np.sqrt, 0.0, 1.0) == np.inf


def test_stop_gradient_stops() -> None:
    assert along(lambda x: x * x.detach(), 3.0, 1.0) == 3.0


# complex numbers

COMPLEX: dict[str, Callable[[Any], Any]] = {
    "holomorphic": lambda z: np.exp(z) * np.sin(z) / (1 + z * z),
    "conj": lambda z: z * np.conj(z),
    "real": lambda z: z.real * z,
    "imag": lambda z: z.imag**2,
    "abs": np.abs,
    "power": lambda z: z ** (1 + 0.5j) + z**z,
    "sum": lambda z: (z * z).sum(axis=0),
    "prod": lambda z: z.prod(axis=0),
    "sign": lambda z: np.sign(z) * z,
    "from real": lambda z: np.abs(z).astype(np.complex128) * 1j,
}


@pytest.mark.parametrize("f", COMPLEX.values(), ids=COMPLEX.keys())
def test_complex_numbers(f: Callable[[Any], Any]) -> None:
    z, t = RNG.uniform(0.2, 1, 4) + 1j * RNG.uniform(0.2, 1, 4), RNG.uniform(-1, 1, 4) + 1j * RNG.uniform(-1, 1, 4)
    got = along(f, z, t)
    close(got, _difference(f, z, t), rtol=1e-8)
    assert got.dtype == np.asarray(f(z)).dtype


def test_the_modulus_as_one_op() -> None:
    z, t = param((3,), dtypes.complex128), param((3,), dtypes.complex128)
    node = UOp(Ops.ABS, dtypes.float64, (z,))
    at, to = np.array([3 + 4j, 0, -1j]), np.array([1 + 1j, 1, 2j])
    (tangent,) = push_forward([node], {z: t})
    assert tangent is not None
    (got,) = interpret([tangent], {z: at, t: to})
    close(got, [7 / 5, 0, -2])


def test_the_modulus_of_zero_has_the_derivative_zero() -> None:
    assert along(np.abs, np.zeros(2, complex), np.ones(2, complex)).tolist() == [0.0, 0.0]
    assert along(np.hypot, 0.0, 0.0, 1.0, 1.0) == 0.0


def test_what_has_no_derivative_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedError, match="ZETA by its exponent"):
        along(lambda x: special.zeta(x, 2.0), np.abs(X) + 2, T)


def test_the_direction_of_zero_has_the_derivative_zero() -> None:
    assert along(np.sign, np.zeros(2, complex), np.ones(2, complex)).tolist() == [0j, 0j]


# structure and arguments


def test_trees_in_trees_out() -> None:
    f = lambda p, q: {"u": p["a"] * q[0], "v": Pair(q[0].sum(), 3)}  # noqa: E731
    out, tangent = ft.jvp(f, [{"a": X}, (X,)], ({"a": T}, (2 * T,)))
    close(out["u"], X * X)
    close(tangent["u"], 3 * X * T)
    assert type(tangent["v"]) is Pair
    close(tangent["v"].a, 2 * T.sum())
    assert (out["v"].b, tangent["v"].b) == (3, 0.0)


def test_aux_is_handed_on() -> None:
    out, tangent, aux = ft.jvp(lambda x: (x * x, {"n": x + 1, "k": 2}), (3.0,), (1.0,), has_aux=True)
    assert (out, tangent, aux) == (9.0, 6.0, {"n": 4.0, "k": 2})
    with pytest.raises(ArgumentError, match=r"has_aux=True <lambda> must return \(result, aux\)"):
        ft.jvp(lambda x: x, (3.0,), (1.0,), has_aux=True)


@pytest.mark.parametrize("zero", [None, np.zeros(3, np.int64), np.zeros(3), np.zeros(3, bool)])
def test_an_integer_does_not_vary(zero: Any) -> None:
    k = np.arange(3)
    out, tangent = ft.jvp(lambda x, n: (x * n, n + 1, n > 1), (2.0, k), (1.0, zero))
    assert [o.dtype for o in out] == [np.float64, np.int64, np.bool_]
    assert [t.dtype for t in tangent] == [np.float64] * 3
    assert [t.tolist() for t in tangent] == [[0, 1, 2], [0, 0, 0], [0, 0, 0]]


def test_an_integer_that_varies_is_refused() -> None:
    with pytest.raises(DtypeError, match=r"tangent of primals\[0\], of dtype int64, must be None or zeros"):
        ft.jvp(lambda n: n, (np.arange(3),), (np.ones(3),))


def test_derivatives_keep_the_dtype() -> None:
    for dtype in (np.float16, np.float32, np.float64, np.complex64):
        x = np.ones(3, dtype)
        out, tangent = ft.jvp(lambda v: np.sin(v) * v.sum() + v.max() if v.dtype.kind == "f" else v * v, (x,), (x,))
        assert out.dtype == tangent.dtype == dtype


def test_row_13_shapes_differ() -> None:
    text = (
        r"different primal and tangent shapes; got primal shape \(3,\) and tangent shape \(2,\) for primals\[0\]\['k'\]"
    )
    with pytest.raises(ShapeError, match=text) as caught:
        ft.jvp(lambda p: p, ({"k": np.ones(3)},), ({"k": np.ones(2)},))
    assert "test_jvp.py" in str(caught.value)


def test_row_14_dtypes_differ() -> None:
    with pytest.raises(DtypeError, match="expected tangent dtype float64, but got tangent dtype int64 instead"):
        ft.jvp(np.sin, (np.ones(3),), (np.ones(3, np.int64),))
    with pytest.raises(DtypeError, match="expected tangent dtype float32, but got tangent dtype float64 instead"):
        ft.jvp(np.sin, (np.ones(3, np.float32),), (np.ones(3),))
    with pytest.raises(ArgumentError, match=r"tangent of primals\[0\], of dtype float64, is None"):
        ft.jvp(np.sin, (1.0,), (None,))


def test_row_15_no_tuples() -> None:
    with pytest.raises(ArgumentError, match="must be tuples or lists; found ndarray and tuple"):
        ft.jvp(np.sin, X, (T,))
    with pytest.raises(ArgumentError, match=r"same tree structure; got \(\[\*\],\) and \(\(\*,\),\)"):
        ft.jvp(lambda x: x[0], ([X],), ((T,),))
    with pytest.raises(ArgumentError, match="same tree structure"):
        ft.jvp(np.sin, (X,), (T, T))
    with pytest.raises(ArgumentError, match="jvp differentiates a function, but got 3 of type int"):
        ft.jvp(3, (X,), (T,))


# perturbations that must not be confused


def test_a_captured_value_is_constant() -> None:
    # d/dx [x * d/dy (x + y)] is 1, not 2
    assert along(lambda x: x * along(lambda y: x + y, 1.0, 1.0), 5.0, 1.0) == 1.0
    assert along(lambda x: x * along(lambda y: x * y, x, 1.0), 5.0, 1.0) == 10.0


def test_through_a_nested_vmap_with_a_captured_scalar() -> None:
    def f(x: Any, s: Any) -> Any:
        return ft.vmap(lambda row: ft.vmap(lambda e: np.sin(e * s) * row.sum())(row))(x)

    g = lambda x, s: np.sin(x * s) * x.sum(axis=1, keepdims=True)  # noqa: E731
    x, t = X[0], T[0]
    close(along(f, x, 1.5, t, 0.5), np.imag(g(x + 1e-30j * t, 1.5 + 0.5e-30j)) / 1e-30)
    close(along(lambda s: f(x, s), 1.5, 1.0), np.imag(g(x, 1.5 + 1e-30j)) / 1e-30)


def test_zero_tangents_cost_nothing() -> None:
    graph = ft.make_graph(lambda x, y: ft.jvp(lambda a, n: np.sin(a) * n, (x, y), (x, None))[1])(
        X, np.ones(4, np.int64)
    )
    assert graph.ops().get("ADD", 0) == 0
