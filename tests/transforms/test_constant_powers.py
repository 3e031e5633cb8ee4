"""Powers with a constant exponent: values, what they and their derivatives cost, and their derivatives at the ends."""

import itertools

import mpmath as mp
import numpy as np
import pytest

import functrans as ft
from functrans.ops import Ops, dtypes, source
from functrans.ops import build as B
from functrans.ops.price import picoseconds
from functrans.ops.uop import toposort

INF, NAN = np.inf, np.nan
EXPONENTS = [0, 1, 2, 3, 4, 5, 7, 12, -1, -2, -3, 0.5, 1.5, 2.5, -0.5, -1.5, 1 / 3, -2 / 3, 2.7, -1.3, 0.1, 9.3]
ENDS = np.array([0.0, -0.0, 1.0, -1.0, 0.7, -2.5, INF, -INF, NAN])


def summed(p):
    return lambda x: (x**p).sum()


def gradient(p):
    return lambda x: ft.grad(summed(p))(x)


def second(p):
    return lambda x: ft.grad(lambda x: gradient(p)(x).sum())(x)


def by_hand(p, order):
    """The derivative of the power as a polynomial has it, a coefficient of zero being zero everywhere."""
    def f(x):
        factor, q = 1.0, p
        for _ in range(order):
            factor, q = factor * q, q - 1
        with np.errstate(all="ignore"):
            return 0 * np.ones_like(x) if factor == 0 else factor * np.float_power(x, np.full(x.shape, float(q)))
    return f


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("p", EXPONENTS)
@pytest.mark.parametrize("order", [1, 2])
def test_derivatives_at_the_ends(p, order):
    x = np.abs(ENDS) if p == 0.5 else ENDS  # the root of -0 is -0
    want = by_hand(p, order)(x)
    forms = [(gradient, second)[order - 1](p)]
    if order == 1:
        forms += [lambda x: ft.jvp(lambda x: x**p, (x,), (np.ones_like(x),))[1],
                  lambda x: ft.vmap(ft.grad(lambda x: x**p))(x),
                  lambda x: ft.vmap(ft.jacfwd(lambda x: x**p))(x)]  # fmt: skip
    for f in forms:
        np.testing.assert_allclose(ft.jit(f)(x), want, rtol=4e-15)


@pytest.mark.parametrize("p", EXPONENTS)
def test_derivatives_are_exact_to_a_few_digits(p):
    x = np.random.default_rng(3).uniform(0.05, 9.0, 60)
    first, next_ = ft.jit(gradient(p))(x), ft.jit(second(p))(x)
    for k, v in enumerate(x):
        with mp.workprec(120):
            q, z = mp.mpf(p), mp.mpf(v)
            want = float(q * z ** (q - 1)), float(q * (q - 1) * z ** (q - 2))
        np.testing.assert_allclose([first[k], next_[k]], want, rtol=2e-15)


def logarithms(f, x):
    """The operations in the graph of a function that are no sums or products."""
    nodes = toposort(ft.jit(f).lower(x).graph.outputs)
    return [u.op for u in nodes if u.op in (Ops.POW, Ops.LOG, Ops.EXP, Ops.WHERE, Ops.CMPEQ)]


@pytest.mark.parametrize(("p", "value", "first", "next_"), [
    (0, 0, 0, 0), (1, 0, 0, 0), (2, 1, 1, 0), (3, 2, 2, 1), (4, 2, 3, 3), (0.5, 1, 2, 6), (-1, 1, 3, 5),
    (5, 1, 3, 4), (-1.5, 1, 2, 3), (2.7, 1, 2, 3), (1.5, 1, 3, 3), (-2, 1, 2, 3),
])  # fmt: skip
def test_costs(p, value, first, next_):
    """A power is a few operations, a derivative that and a factor: no logarithm, no choice by where the base is 0."""
    x = np.linspace(0.5, 2.0, 1000)
    for f, most in ((lambda x: x**p, value), (gradient(p), first), (second(p), next_)):
        assert ft.jit(f).lower(x).cost().flops <= most * x.size + 5  # numbers are folded once
        assert len(logarithms(f, x)) <= 1


def test_prices_of_powers_are_those_of_what_they_become():
    x = source.param((3,), dtypes.float64)
    cost = {p: picoseconds(B.alu(Ops.POW, x, B.like(x, p))) for p in (5, 7, 0.5, -1.5, 2.7, 9.3)}
    assert cost[5] <= cost[7] < cost[0.5] < cost[-1.5] < cost[2.7] < cost[9.3]


CAPTURED = {
    "0-d": np.array(1.5), "full": np.full(5, 1.5), "an array of one": np.array([1.5]), "a scalar": np.float64(1.5),
    "0-d, whole": np.array(3.0), "0-d, no product": np.array(2.7), "different": np.array([0.0, 1.0, 2.0, 0.5, -1.0]),
}  # fmt: skip


@pytest.mark.parametrize("name", CAPTURED)
def test_captured_exponents(name):
    p, x = CAPTURED[name], np.array([0.3, 1.0, 2.0, 7.0, 0.0])
    with np.errstate(all="ignore"):
        want, slope = x**p, np.where(p == 0, 0.0, p * np.power(x, np.where(p == 0, 1.0, p) - 1))
    for f in (lambda x: x**p, lambda x: np.power(x, p), lambda x: np.float_power(x, p)):
        np.testing.assert_allclose(ft.jit(f)(x), want, rtol=4e-16)
        np.testing.assert_allclose(ft.grad(lambda x, f=f: f(x).sum())(x), slope, rtol=2e-15)
    if np.unique(p).size == 1 and 2 * np.ravel(p)[0] % 1 == 0:
        assert "ft_pow_f64" not in ft.jit(gradient(p)).lower(x).c_source


@pytest.mark.parametrize("p", [2, 3, 5, -1.5, 0.5, 2.7])
def test_exponents_that_are_arguments(p):
    """Traced, so nothing is folded: the same values, and a derivative by the exponent."""
    x = np.array([0.3, 1.0, 2.0, 7.0])
    np.testing.assert_allclose(ft.jit(lambda x, p: x**p)(x, float(p)), x**p, rtol=2e-15)
    by_base, by_exponent = ft.grad(lambda x, p: (x**p).sum(), argnums=(0, 1))(x, float(p))
    np.testing.assert_allclose(by_base, p * x ** (p - 1.0), rtol=3e-15)
    np.testing.assert_allclose(by_exponent, (x**p * np.log(x)).sum(), rtol=3e-15)
    np.testing.assert_allclose(ft.vmap(lambda x, p: x**p)(x, np.full(4, float(p))), x**p, rtol=2e-15)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_integers_wrap_at_every_power(dtype):
    info = np.iinfo(dtype)
    x = np.array([0, 1, 2, 3, 7, info.min, info.max, info.max - 1], dtype)
    for p in (0, 1, 2, 3, 4, 5, 6, 7, 11, 31, 64, 100):
        np.testing.assert_array_equal(ft.jit(lambda x, p=p: x**p)(x), x**p)
    wrong = ft.ArgumentValueError if dtype[0] == "i" else ft.IntegerOutOfRange
    with pytest.raises(wrong, match=r"negative power|out of bounds"):
        ft.jit(lambda x: x**-1)(x)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", ["square", "cbrt", "reciprocal", "sqrt"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_named_powers(name, dtype):
    x = np.abs(ENDS).astype(dtype)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(ft.jit(getattr(np, name))(x), getattr(np, name)(x), rtol=2e-7)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize(("p", "q"), [*itertools.pairwise([3, 2, 1.5, -1.5, 2.7, 5])])
def test_lanes_have_the_bits_of_the_whole(p, q):
    x = np.random.default_rng(1).uniform(0.1, 4.0, (37, 3))
    f = lambda x: x**p + (x**q).sum()  # noqa: E731
    want = np.stack([ft.jit(f)(row) for row in x])
    np.testing.assert_array_equal(ft.jit(ft.vmap(f))(x), want)
    np.testing.assert_array_equal(ft.jit(ft.vmap(f))(x[:5]), want[:5])


@pytest.mark.usefixtures("compiler")
def test_ends_that_numpy_treats_apart():
    """A root in the operator and in power, pow in float_power; the sum of equal powers."""
    x = np.array([-INF, -0.0, 4.0])
    for f in (lambda x: x**0.5, lambda x: np.power(x, 0.5), lambda x: np.float_power(x, 0.5)):
        with np.errstate(all="ignore"):
            want = f(x)
        got = ft.jit(f)(x)
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(np.signbit(got[1:]), np.signbit(want[1:]))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_logarithm_of_a_sum_of_equal_powers_is_exact(dtype):
    x = np.linspace(-4, 4, 33).astype(dtype)
    for route in (np.logaddexp2, ft.jit(np.logaddexp2)):
        np.testing.assert_array_equal(route(x, x), x + 1)
    assert ft.grad(np.logaddexp2)(-1.0, -1.0) == 0.5


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("p", [INF, -INF, NAN, 1e17, -1e17])
def test_exponents_without_a_number_below(p):
    """Infinite ones, and such as are what is left of them less one."""
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(ft.jit(lambda x: x**p)(ENDS), ENDS**p)
    x = np.array([0.5, 0.75])
    np.testing.assert_array_equal(ft.spjacobian(lambda x: x**p)(x).data, ft.vmap(ft.grad(lambda x: x**p))(x))
