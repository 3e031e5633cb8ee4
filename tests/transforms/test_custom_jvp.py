"""custom_jvp and stop_gradient: the user's rule in every transform, pytrees, what is fixed, what goes wrong."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import ArgumentError, DtypeError, ShapeError, UnsupportedError
from tests.laws.references import assert_close, interpreted

X = np.random.default_rng(3).uniform(0.2, 0.9, (2, 3, 4))
T = np.cos(np.arange(24.0)).reshape(2, 3, 4)


@ft.custom_jvp
def seven(x: Any) -> Any:
    return np.sin(x)


@seven.defjvp
def seven_rule(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return seven(x), 7 * np.cos(x) * t  # not the derivative, so that nobody can have got it elsewhere


def plain(x: Any, w: Any) -> Any:
    """Several results, arguments that meet, a reduction over the whole lane."""
    y = np.exp(-x * x) * w
    return {"y": y, "s": (y * x).sum() + w.sum()}


true = ft.custom_jvp(plain)


@true.defjvp
def true_rule(primals: Any, tangents: Any) -> Any:
    (x, w), (tx, tw) = primals, tangents
    e = np.exp(-x * x)
    ty = -2 * x * tx * e * w + e * tw
    return true(x, w), {"y": ty, "s": (ty * x + e * w * tx).sum() + tw.sum()}


# the law: with the true rule nothing changes


def words() -> list[str]:
    return ["".join(w) for n in (1, 2, 3) for w in itertools.product("VJG", repeat=n)]  # innermost letter first


METHODS = ("vmapin", "rewrite", "pad_reduce")
CASES = [(w, m) for w in words() for m in (METHODS if "V" in w and len(w) < 3 else METHODS[:1])]


def transformed(word: str, f: Any, method: str) -> Any:
    """V maps both arguments, J is value and tangent, G the gradient of a sum of all that is there."""

    def total(out: Any) -> Any:
        return sum(np.sum(np.sin(v)) for v in ft.tree.flatten(out)[0])

    letters = {
        "V": lambda g: lambda x, w: ft.vmap(lambda a, b: g(a * 1.0, b), method=method)(x, w),
        "J": lambda g: lambda x, w: ft.jvp(g, (x, w), (np.cos(x * 1.0), 0.5 * w)),
        "G": lambda g: lambda x, w: ft.grad(lambda a, b: total(g(a, b)), argnums=(0, 1))(x, w),
    }
    for letter in word:
        f = letters[letter](f)
    return f


def run(f: Any, word: str) -> Any:
    """Compiled; the longest words by the interpreter, which needs no compiler for each."""
    if len(word) == 3:
        return lambda *args: interpreted(f, *args)
    return lambda *args: ft.tree.flatten(ft.jit(f)(*args))[0]


@pytest.mark.parametrize(("word", "method"), CASES)
def test_law_a_true_rule_changes_no_word(word: str, method: str) -> None:
    shape = (2, 3, 2)[: word.count("V")] + (3,)
    rng = np.random.default_rng(len(word))
    x, w = rng.uniform(0.2, 0.9, shape), rng.uniform(0.2, 0.9, shape)
    got, want = (run(transformed(word, f, method), word)(x, w) for f in (true, plain))
    assert len(got) == len(want) > 0
    for g, v in zip(got, want, strict=True):
        assert_close(g, v, 1e-11)


# the rule is used


@pytest.mark.parametrize("method", METHODS)
def test_the_rule_is_used_wherever_a_derivative_is_taken(method: str) -> None:
    vmap = functools.partial(ft.vmap, method=method)
    want = 7 * np.cos(X) * T
    np.testing.assert_array_equal(seven(X), ft.jit(np.sin)(X))
    assert_close(ft.jvp(seven, (X,), (T,))[1], want)
    assert_close(ft.jit(lambda x, t: ft.jvp(seven, (x,), (t,)))(X, T)[1], want)
    assert_close(ft.jvp(ft.jit(seven), (X,), (T,))[1], want)
    assert_close(ft.grad(lambda x: (seven(x) * T).sum())(X), want)
    assert_close(ft.jvp(vmap(vmap(seven)), (X,), (T,))[1], want)
    assert_close(vmap(lambda x, t: ft.jvp(seven, (x,), (t,))[1])(X, T), want)
    assert_close(vmap(ft.grad(lambda x: seven(x).sum()))(X), 7 * np.cos(X))
    assert_close(ft.grad(lambda x: vmap(seven)(x).sum())(X), 7 * np.cos(X))


def test_higher_derivatives_go_through_the_rule() -> None:
    """The rule of sin is 7 cos; that of 7 cos is its own derivative, -7 sin, as cos has no rule."""
    x = 0.4
    first = lambda v: ft.jvp(seven, (v,), (1.0,))[1]  # noqa: E731
    assert_close(ft.jvp(first, (x,), (1.0,))[1], -7 * np.sin(x))
    assert_close(ft.grad(ft.grad(seven))(x), -7 * np.sin(x))
    assert_close(ft.grad(ft.grad(lambda v: seven(seven(v))))(x), _second(x))


def _second(x: float) -> float:
    # d/dx of 7 cos(seven(x)) * 7 cos(x), the inner seven differentiated by its rule
    return float(-49 * np.sin(np.sin(x)) * 7 * np.cos(x) * np.cos(x) - 49 * np.cos(np.sin(x)) * np.sin(x))


def test_the_value_beside_a_derivative_is_that_of_the_rule() -> None:
    f = ft.custom_jvp(lambda x: x * 2)
    f.defjvp(lambda p, t: (p[0] * 5, t[0]))
    assert f(3.0) == 6.0
    assert ft.jvp(lambda x: f(x) + 1, (3.0,), (1.0,)) == (16.0, 1.0)
    assert ft.value_and_grad(lambda x: f(f(x)))(3.0) == (75.0, 1.0)


def test_pytrees_defaults_and_keywords() -> None:
    @ft.custom_jvp
    def f(p: Any, k: Any = 2.0) -> Any:
        return {"a": p["x"] * k, "b": (p["y"],)}

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (p, k), (tp, tk) = primals, tangents
        return f(p, k), {"a": 3 * tp["x"] * k, "b": (tp["y"] + tk,)}

    p = {"x": X, "y": 1.5}
    out, tangent = ft.jvp(f, (p,), ({"x": T, "y": 2.0},))
    np.testing.assert_array_equal(out["a"], 2 * X)
    np.testing.assert_array_equal(tangent["a"], 3 * T * 2.0)
    assert tangent["b"] == (2.0,)
    assert ft.jvp(lambda p, k: f(k=k, p=p), (p, 1.0), ({"x": T, "y": 2.0}, 4.0))[1]["b"] == (6.0,)


def test_nondiff_arguments_are_anything() -> None:
    calls = []

    @functools.partial(ft.custom_jvp, nondiff_argnums=(0, 2))
    def apply(f: Any, x: Any, options: Any) -> Any:
        return f(x) * options["scale"]

    @apply.defjvp
    def rule(f: Any, options: Any, primals: Any, tangents: Any) -> Any:
        calls.append((f, options))
        return apply(f, *primals, options), options["scale"] * 11 * tangents[0]

    options = {"scale": 2.0, "tags": ["any", object()]}
    assert_close(ft.jvp(lambda x: apply(np.sin, x, options), (X,), (T,))[1], 22 * T)
    assert calls == [(np.sin, options)]
    assert_close(ft.vmap(ft.grad(lambda x: apply(np.sin, x, options).sum()))(X), np.full(X.shape, 22.0))


def test_zero_tangents_are_zero_in_any_dress() -> None:
    f = ft.custom_jvp(lambda a, x: np.sum(a * x, axis=0))
    f.defjvp(lambda p, t: (f(*p), np.sum(t[0] * p[1], axis=0) + 0 * np.sum(t[1], axis=0)))
    a, x = X[0, :1], X[0]
    assert_close(ft.grad(lambda v: f(a, v).sum())(x), np.zeros((3, 4)))  # the tangent of a is a constant of zeros
    assert_close(ft.jvp(lambda v: f(a, v), (x,), (x,))[1], np.zeros(4))
    zero = ft.custom_jvp(lambda v: v * 2)
    zero.defjvp(lambda p, t: (zero(*p), np.zeros(4)))
    assert_close(ft.grad(lambda v: zero(v).sum())(x[0]), np.zeros(4))


def test_integers_have_float_zeros_for_tangents() -> None:
    seen = []
    f = ft.custom_jvp(lambda x, n: (x * n, n + 1))

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        seen.append((tangents[1].dtype, tangents[1].shape))
        return f(*primals), (tangents[0] * primals[1], tangents[1])

    (_, m), (ty, tm) = ft.jvp(f, (X, np.arange(4)), (T, None))
    assert_close(ty, T * np.arange(4))
    assert seen == [(np.float64, (4,))]
    assert m.dtype == np.int64
    assert not tm.any()
    assert tm.dtype == np.float64


def test_defjvps() -> None:
    f = ft.custom_jvp(lambda a, b, c: np.sin(a) * b + c)
    f.defjvps(lambda t, ans, a, b, c: t * np.cos(a) * b, lambda t, ans, a, b, c: 10 * t * ans, None)
    _, tangent = ft.jvp(f, (X[0], X[1], 0.5), (T[0], T[1], 1.0))
    assert_close(tangent, T[0] * np.cos(X[0]) * X[1] + 10 * T[1] * (np.sin(X[0]) * X[1] + 0.5))
    assert_close(ft.grad(lambda z: f(z, z, 1.0))(0.3), np.cos(0.3) * 0.3 + 10 * (np.sin(0.3) * 0.3 + 1))
    with pytest.raises(ArgumentError, match="was given 3 rules for 1 arguments"):
        one = ft.custom_jvp(lambda a: a)
        one.defjvps(None, None, None)
        ft.jvp(one, (1.0,), (1.0,))


def test_it_is_a_function_and_a_method() -> None:
    class Model:
        def __init__(self, k: float) -> None:
            self.k = k

        def scaled(self, x: Any) -> Any:
            """Scaled x."""
            return self.k * x

    method = ft.custom_jvp(Model.scaled, nondiff_argnums=(0,))
    Model.scaled = method
    method.defjvp(lambda self, p, t: (self.scaled(*p), 100 * self.k * t[0]))
    assert ft.jvp(Model(2.0).scaled, (1.0,), (1.0,)) == (2.0, 200.0)
    assert method.__doc__ == "Scaled x."
    assert method.__name__ == "scaled"


@pytest.mark.parametrize("around", [lambda f: f, ft.vmap, lambda f: lambda x: ft.vmap(f)(x).sum(axis=1)])
def test_it_costs_nothing_where_nothing_is_differentiated(around: Any) -> None:
    def twice(f: Any) -> Any:
        return ft.jit(around(lambda x: f(x) + f(x) * 2)).lower(X)

    assert twice(seven).c_source == twice(np.sin).c_source
    assert twice(seven).cost() == twice(np.sin).cost()


def test_outside_of_transforms_it_is_a_call() -> None:
    out = seven(X)
    assert type(out) is np.ndarray
    assert isinstance(seven(ft.Tensor(X)), ft.Tensor)
    assert seven(np.float32(0.5)).dtype == np.float32


def test_python_numbers_stay_weak() -> None:
    assert ft.jit(lambda x, k: seven(k) * x)(X.astype(np.float32), 2.0).dtype == np.float32


# sparse patterns follow the rule


def test_law_python_numbers_give_way_in_rules() -> None:
    """A call with a rule has the dtypes, and to rounding the derivatives, of the function without one: of arrays beside
    Python numbers, by either of them, in lanes, loops and derivatives of derivatives.
    """

    def f(x: Any, a: Any) -> Any:
        return ft.fori_loop(0, 2, lambda k, c: a * c * x + a, x)  # a carry keeps its dtype: float64 would raise

    by_jvp, by_vjp, both = ft.custom_jvp(f), ft.custom_vjp(f), ft.custom_jvp(lambda *args: by_vjp(*args))
    by_jvp.defjvp(lambda primals, tangents: ft.jvp(f, primals, tangents))
    by_vjp.defvjp(lambda *args: (f(*args), args), lambda kept, ct: ft.vjp(f, *kept)[1](ct))
    both.defjvp(lambda primals, tangents: (by_vjp(*primals), ft.jvp(by_jvp, primals, tangents)[1]))
    x, a = np.float32(0.7), 1.3
    words: list[Any] = [
        lambda g: g(x, a),
        lambda g: ft.grad(g, (0, 1))(x, a),
        lambda g: ft.grad(lambda x: g(x, a) + g(x, 2))(x),
        lambda g: ft.vmap(ft.grad(g, (0, 1)), (0, None))(np.stack([x, x]), a),
        lambda g: ft.scan(lambda c, _: (ft.grad(g)(c, a), g(c, 2.0)), x, None, length=2),
        lambda g: ft.grad(lambda x: ft.scan(lambda c, _: (g(c, a), None), x, None, length=2)[0])(x),
    ]
    pushed = [*words, lambda g: ft.jvp(g, (x, a), (x, 0.5)), lambda g: ft.hessian(g, (0, 1))(x, a)]
    for g, every in ((by_jvp, pushed), (by_vjp, words), (both, words)):
        for word in every:
            for got, want in zip(ft.tree.leaves(word(g)), ft.tree.leaves(word(f)), strict=True):
                assert got.dtype == want.dtype
                np.testing.assert_allclose(got, want, rtol=1e-5)


def test_the_pattern_of_a_jacobian_is_that_of_the_rule() -> None:
    rounded = ft.custom_jvp(lambda v: np.round(v))
    rounded.defjvp(lambda p, t: (rounded(*p), t[0]))  # a straight-through estimator: round has no derivative
    x = np.array([0.2, 1.7, 2.4])
    J = ft.spjacobian(lambda v: rounded(v) * v[::-1])
    assert_close(J(x).toarray(), np.diag(x[::-1]) + np.diag(np.round(x))[:, ::-1])
    shifted = ft.custom_jvp(lambda v: v * 2)
    shifted.defjvp(lambda p, t: (shifted(*p), np.roll(t[0], 1) * p[0]))
    S = ft.spjacobian(shifted)
    assert S.pattern(x).nnz == 3
    assert_close(S(x).toarray(), np.diag(x) @ np.roll(np.eye(3), 1, axis=0))
    B = ft.spjacobian(ft.vmap(shifted))(np.arange(6.0).reshape(2, 3))
    assert B.nnz == 6


# errors


def test_no_rule() -> None:
    with pytest.raises(ArgumentError, match="no rule is defined for the custom_jvp function sin by defjvp"):
        ft.custom_jvp(np.sin)(1.0)
    with pytest.raises(ArgumentError, match="decorates a function"):
        ft.custom_jvp(3)
    with pytest.raises(ArgumentError, match="defjvps with nondiff_argnums"):
        ft.custom_jvp(lambda a, b: a, (1,)).defjvps(None, None)


@pytest.mark.parametrize(
    ("rule", "error", "text"),
    [
        (lambda p, t: p[0], ArgumentError, "must produce a pair"),
        (lambda p, t: (p[0], (t[0],)), ArgumentError, r"a tangent of the structure \*,.*but it has \(\*,\)"),
        (lambda p, t: ((p[0], p[0]), t[0]), ArgumentError, "a result of the structure"),
        (lambda p, t: (p[0], t[0].sum()), ShapeError, r"the tangent must have shape \(2, 3, 4\), but has \(\)"),
        (lambda p, t: (p[0].sum(), t[0]), ShapeError, "the result must have shape"),
        (lambda p, t: (p[0], t[0].astype(np.float32)), DtypeError, "must have dtype float64, but has float32"),
        (lambda p, t: (p[0], "text"), ArgumentError, "'text' of type str"),
    ],
)
def test_what_a_rule_may_return(rule: Any, error: type[Exception], text: str) -> None:
    f = ft.custom_jvp(lambda x: x * 2)
    f.defjvp(rule)
    with pytest.raises(error, match=text) as caught:
        ft.jvp(f, (X,), (T,))
    assert "test_custom_jvp.py" in str(caught.value)


@pytest.mark.parametrize(
    "rule", [lambda p, t: (p[0], t[0] * t[0]), lambda p, t: (p[0], np.ones((2, 3, 4))), lambda p, t: (p[0], p[0] * 2)]
)
def test_what_is_not_linear_has_no_transpose(rule: Any) -> None:
    f = ft.custom_jvp(lambda x: x * 2)
    f.defjvp(rule)
    with pytest.raises(ArgumentError, match="the tangent is not linear in the tangents of the arguments"):
        ft.grad(lambda x: f(x).sum())(X)


def test_derivatives_by_one_argument_of_several() -> None:
    f = ft.custom_jvp(lambda a, b, n: a * b / n)
    f.defjvp(lambda p, t: (f(*p), (t[0] * p[1] + p[0] * t[1]) / p[2]))
    a, b = X[0, 0], X[0, 1]
    assert_close(ft.grad(lambda v: f(v, b, 4).sum())(a), b / 4)
    assert_close(ft.grad(lambda v: f(a, v, 4).sum())(b), a / 4)
    assert_close(ft.vmap(ft.grad(lambda v: f(v, b, 4).sum()))(X[0]), np.broadcast_to(b / 4, (3, 4)))


def test_a_value_that_is_closed_over_has_no_derivative_by_the_rule() -> None:
    def outer(a: Any) -> Any:
        f = ft.custom_jvp(lambda x: x * a)
        f.defjvp(lambda p, t: (f(*p), t[0] * a))
        return f(a)  # the very value it closes over is also the argument

    for call in (lambda: ft.jvp(outer, (2.0,), (1.0,)), lambda: ft.grad(outer)(2.0)):
        with pytest.raises(ArgumentError, match="the custom_jvp function <lambda> with respect to a closed-over value"):
            call()
    assert outer(2.0) == 4.0

    def constant(a: Any, x: Any) -> Any:
        f = ft.custom_jvp(lambda v: v * a)
        f.defjvp(lambda p, t: (f(*p), t[0] * a))
        return f(x)

    assert ft.jvp(lambda x: constant(3.0, x), (2.0,), (1.0,)) == (6.0, 3.0)
    assert_close(ft.vmap(lambda a: ft.grad(lambda x: constant(a, x))(2.0))(np.arange(3.0)), np.arange(3.0))
    stopped = lambda a: constant(ft.stop_gradient(a), a)  # noqa: E731
    assert ft.jvp(stopped, (2.0,), (1.0,)) == (4.0, 2.0)


def test_a_call_is_transposed_as_the_function_itself() -> None:
    double = ft.custom_jvp(lambda x: 2 * x)
    double.defjvp(lambda p, t: (double(*p), 7 * t[0]))
    assert ft.linear_transpose(double, 1.0)(3.0) == (6.0,)
    assert ft.linear_transpose(lambda t: ft.jvp(double, (1.0,), (t,))[1], 1.0)(3.0) == (21.0,)
    with pytest.raises(UnsupportedError, match="SIN is not linear"):
        ft.linear_transpose(seven, 1.0)


# a rule that calls its own function on the tangent


@ft.custom_jvp
def div(x: Any, y: Any) -> Any:
    return x / y


@div.defjvp
def div_rule(primals: Any, tangents: Any) -> Any:
    (x, y), (tx, ty) = primals, tangents
    return div(x, y), div(tx, y) - div(div(x, y) * ty, y)


def divided(x: Any, w: Any) -> Any:
    return div(np.sin(x), w) * div(w, x + 2)


@pytest.mark.parametrize(("word", "method"), [(w, m) for w, m in CASES if len(w) < 3 and "G" in w])
def test_law_a_rule_may_call_its_function_on_the_tangent(word: str, method: str) -> None:
    shape = (2, 3, 2)[: word.count("V")] + (3,)
    rng = np.random.default_rng(len(word))
    x, w = rng.uniform(0.2, 0.9, shape), rng.uniform(0.2, 0.9, shape)
    plainly = lambda x, w: (np.sin(x) / w) * (w / (x + 2))  # noqa: E731
    got, want = (run(transformed(word, f, method), word)(x, w) for f in (divided, plainly))
    for g, v in zip(got, want, strict=True):
        assert_close(g, v, 1e-11)


def test_calls_on_tangents_in_every_reverse_transform() -> None:
    x = X[0, 0]
    assert ft.grad(lambda v: div(v, 2.0))(1.0) == 0.5
    assert ft.linearize(lambda v: div(v * v, 2.0), 3.0)[1](1.0) == 3.0
    half = ft.custom_jvp(lambda v: v / 2)
    half.defjvp(lambda p, t: (half(*p), half(*t)))
    assert ft.linear_transpose(lambda t: ft.jvp(half, (1.0,), (t,))[1], 1.0)(3.0) == (1.5,)
    for jacobian in (ft.jacrev, ft.jacfwd, lambda f: lambda v: ft.spjacobian(f)(v).toarray()):
        assert_close(jacobian(lambda v: div(v, 2.0))(x), np.eye(4) / 2)
    cubed = lambda v: div(v**3, 2.0).sum()  # noqa: E731
    for hessian in (ft.hessian, lambda f: lambda v: ft.sphessian(f)(v).toarray()):
        assert_close(hessian(cubed)(x), np.diag(3 * x))


def test_a_call_on_a_tangent_is_the_function_and_one_on_a_value_has_its_rule() -> None:
    inner = ft.custom_jvp(lambda v: 2 * v)
    inner.defjvp(lambda p, t: (inner(*p), 100 * t[0]))
    outer = ft.custom_jvp(lambda v: v)
    outer.defjvp(lambda p, t: (outer(*p), inner(t[0]) * inner(p[0])))
    assert ft.jvp(outer, (3.0,), (1.0,))[1] == ft.grad(outer)(3.0) == 2 * 6
    assert ft.grad(ft.grad(outer))(3.0) == 2 * 100
    backward = ft.custom_vjp(lambda v: 2 * v)
    backward.defvjp(lambda v: (2 * v, None), lambda kept, c: (100 * c,))
    outer.defjvp(lambda p, t: (outer(*p), backward(t[0])))
    assert ft.grad(outer)(3.0) == 2


@pytest.mark.parametrize("part", [np.sign, np.round, lambda t: np.where(t > 0, 1.0, 0.0), ft.stop_gradient])
def test_a_term_that_is_not_linear_is_not_lost(part: Any) -> None:
    """Its derivative is zero nearly everywhere, so that forward mode counts it and a transpose would leave it out."""
    f = ft.custom_jvp(lambda x: x * 2)
    f.defjvp(lambda p, t: (f(*p), 3 * t[0] + part(t[0])))
    with pytest.raises(ArgumentError, match="the tangent is not linear in the tangents of the arguments"):
        ft.grad(f)(1.0)


# arguments that are bound, fixed by name, zero for certain


def test_what_partial_binds_is_no_argument() -> None:
    def scaled(x: Any, y: Any, a: Any = 1.0, *, b: Any = 2.0) -> Any:
        return a * b * x * y

    def rule(p: Any, t: Any) -> Any:
        assert len(p) == len(t) == 2
        return p[0] * p[1], 7 * t[0] * p[1] + 5 * p[0] * t[1]

    for bound in (functools.partial(scaled, a=0.5), functools.partial(scaled, b=0.5), functools.partial(scaled, a=1)):
        f, g = ft.custom_jvp(bound), ft.custom_vjp(bound)
        f.defjvp(rule)
        g.defvjp(lambda x, y: (x * y, (x, y)), lambda kept, c: (7 * kept[1] * c, 5 * kept[0] * c))
        for made in (f, g):
            assert made(2.0, 3.0) == made(y=3.0, x=2.0) == bound(2.0, 3.0)
            assert ft.grad(made, argnums=(0, 1))(2.0, 3.0) == (21.0, 10.0)
    f = ft.custom_jvp(functools.partial(scaled, 4.0))
    f.defjvp(lambda p, t: (4 * p[0], 9 * t[0]))
    assert ft.grad(f)(1.0) == 9.0
    with pytest.raises(ArgumentError, match=r"the keyword-only arguments \['a'\] cannot be given to its rule"):
        ft.custom_jvp(functools.partial(scaled, a=0.5), nondiff_argnums=1).defjvp(rule)
        made(2.0, 3.0, a=1.0)


@pytest.mark.parametrize("kind", [ft.custom_jvp, ft.custom_vjp])
def test_nondiff_arguments_by_name(kind: Any) -> None:
    def apply(f: Any, x: Any, k: Any, *, hidden: Any = 1) -> Any:
        return f(x) * k

    for fixed in ({"nondiff_argnames": ("k", "f")}, {"nondiff_argnums": 2, "nondiff_argnames": "f"}):
        made = kind(apply, **fixed)
        if kind is ft.custom_jvp:
            made.defjvp(lambda f, k, p, t: (f(*p) * k, 11 * k * t[0]))
        else:
            made.defvjp(lambda f, x, k: (f(x) * k, None), lambda f, k, kept, c: (11 * k * c,))
        assert ft.grad(lambda x: made(np.sin, x, 3))(0.5) == ft.grad(lambda x: made(k=3, f=np.sin, x=x))(0.5) == 33.0
    for wrong in ("none", "hidden"):
        with pytest.raises(ArgumentError, match=rf"nondiff_argnames=\('{wrong}',\), but .* \['f', 'x', 'k'\] of apply"):
            kind(apply, nondiff_argnames=wrong)


def test_symbolic_zeros() -> None:
    seen: list[Any] = []
    product = ft.custom_jvp(lambda x, y, n: (x * y * n, n, x.sum()))

    def rule(primals: Any, tangents: Any) -> Any:
        (x, y, n), zero = primals, [isinstance(t, ft.SymbolicZero) for t in tangents]
        seen.append((zero, tangents[2]))
        tx, ty, tn = tangents
        along = (0 if zero[0] else 7 * tx * y) + (0 if zero[1] else 5 * x * ty)
        return product(x, y, n), (along * n, tn, ft.SymbolicZero((), np.dtype(float)) if zero[0] else tx.sum())

    product.defjvp(rule, symbolic_zeros=True)
    x, y = X[0, 0], X[0, 1]
    assert_close(ft.grad(lambda v: product(v, y, 2)[0].sum())(x), 14 * y)
    assert_close(ft.grad(lambda v: product(x, v, 2)[0].sum())(y), 10 * x)
    assert_close(ft.vmap(ft.grad(lambda v: product(v, v, 2)[0].sum()), method="rewrite")(X[0]), 24 * X[0])
    out = ft.jvp(lambda v: product(x, v, 2), (y,), (T[0, 0],))[1]
    assert_close(out[0], 10 * x * T[0, 0])
    assert out[2] == 0.0
    assert [z for z, _ in seen] == [[False, True, True], [True, False, True], [False, False, True], [True, False, True]]
    assert repr(seen[0][1]) == "SymbolicZero((), float64)"
    with pytest.raises(TypeError):
        np.sin(seen[0][1])
    with pytest.raises(TypeError):
        x * seen[0][1]
    product.defjvp(lambda p, t: (product(*p), (ft.SymbolicZero((), np.dtype(float)), 0.0, 0.0)))
    with pytest.raises(ShapeError, match=r"the tangent\[0\] must have shape \(4,\), but is SymbolicZero"):
        ft.jvp(lambda v: product(v, y, 2), (x,), (x,))


def test_dense_jacobians_and_shards() -> None:
    x = X[0, 0]
    for jacobian in (ft.jacfwd, ft.jacrev):
        assert_close(jacobian(seven)(x), np.diag(7 * np.cos(x)))
    assert_close(ft.hessian(lambda v: seven(v).sum())(x), np.diag(-7 * np.sin(x)))
    assert_close(ft.hvp(lambda v: seven(v).sum())(x, T[0, 0]), -7 * np.sin(x) * T[0, 0])
    shards = ft.Tensor(X).shard(("CPU:0", "CPU:1"), axis=0)
    assert_close(ft.grad(lambda v: seven(v).sum())(shards).numpy(), 7 * np.cos(X))


# stop_gradient


def test_stop_gradient() -> None:
    f = lambda x: x * ft.stop_gradient(np.sin(x))  # noqa: E731
    assert_close(ft.jvp(f, (X,), (T,))[1], T * np.sin(X))
    assert_close(ft.grad(lambda x: f(x).sum())(X), np.sin(X))
    assert_close(ft.vmap(ft.grad(lambda x: f(x).sum()))(X), np.sin(X))
    assert_close(ft.grad(lambda x: ft.vmap(f)(x).sum())(X), np.sin(X))
    assert ft.grad(ft.grad(lambda x: x * ft.stop_gradient(x)))(3.0) == 0.0
    kept = ft.stop_gradient({"a": X, "n": (np.arange(3), None)})
    np.testing.assert_array_equal(kept["a"], X)
    assert kept["n"][0].dtype == np.int64
    with pytest.raises(ArgumentError, match=r"argument x\['a'\] of stop_gradient is 'text'"):
        ft.stop_gradient({"a": "text"})
