"""custom_vjp: the user's pullback in every reverse transform, residuals, what is fixed, what goes wrong."""

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
C = np.cos(np.arange(24.0)).reshape(2, 3, 4)
METHODS = ("vmapin", "rewrite", "pad_reduce")


@ft.custom_vjp
def seven(x: Any) -> Any:
    return np.sin(x)


seven.defvjp(lambda x: (seven(x), x), lambda x, c: (7 * np.cos(x) * c,))


def plain(x: Any, w: Any) -> Any:
    y = np.exp(-x * x) * w
    return {"y": y, "s": (y * x).sum() + w.sum()}


true = ft.custom_vjp(plain)


def true_fwd(x: Any, w: Any) -> Any:
    e = np.exp(-x * x)
    return {"y": e * w, "s": (e * w * x).sum() + w.sum()}, {"x": x, "e": (e, w)}


def true_bwd(kept: Any, c: Any) -> Any:
    x, (e, w) = kept["x"], kept["e"]
    cy = c["y"] + c["s"] * x
    return -2 * x * e * w * cy + e * w * c["s"], e * cy + c["s"]


true.defvjp(true_fwd, true_bwd)


# the law: with the true rule nothing changes


def words() -> list[str]:
    """Innermost letter first. Forward mode may come where the pullback has been taken already."""
    every = ("".join(w) for n in (1, 2, 3) for w in itertools.product("VJG", repeat=n))
    return [w for w in every if "J" not in w or "G" in w[: w.index("J")]]


def transformed(word: str, f: Any, method: str) -> Any:
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


CASES = [(w, m) for w in words() for m in (METHODS if "V" in w and len(w) < 3 else METHODS[:1])]


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
    want = 7 * np.cos(X) * C
    vmap = functools.partial(ft.vmap, method=method)
    np.testing.assert_array_equal(seven(X), ft.jit(np.sin)(X))
    assert_close(ft.grad(lambda x: (seven(x) * C).sum())(X), want)
    value, pullback = ft.vjp(seven, X)
    assert_close(value, np.sin(X))
    assert_close(pullback(C)[0], want)
    assert_close(pullback(2 * C)[0], 2 * want)
    assert_close(ft.jit(lambda x, c: ft.vjp(ft.jit(seven), x)[1](c))(X, C)[0], want)
    assert_close(vmap(lambda x, c: ft.vjp(seven, x)[1](c)[0])(X, C), want)
    assert_close(ft.vjp(vmap(vmap(seven)), X)[1](C)[0], want)
    assert_close(vmap(vmap(ft.grad(lambda x: seven(x).sum())))(X), 7 * np.cos(X))


def test_higher_derivatives_go_through_the_rules() -> None:
    assert_close(ft.grad(ft.grad(seven))(0.4), -7 * np.sin(0.4))
    assert_close(ft.jvp(ft.grad(seven), (0.4,), (1.0,)), (7 * np.cos(0.4), -7 * np.sin(0.4)))
    assert_close(ft.grad(ft.grad(ft.grad(seven)))(0.4), -7 * np.cos(0.4))


def test_a_captured_value_that_all_lanes_share_gets_their_sum() -> None:
    """The argument is not mapped: the rule speaks of a lane, and the cotangents of the lanes add up."""
    scale = ft.custom_vjp(lambda s, x: s * x)
    scale.defvjp(lambda s, x: (s * x, (s, x)), lambda r, c: (10 * (r[1] * c).sum(), 100 * r[0] * c))
    f = lambda s, x: (ft.vmap(lambda row: scale(s, row))(x) * C).sum()  # noqa: E731
    ds, dx = ft.grad(f, argnums=(0, 1))(2.0, X)
    assert_close(ds, 10 * (X * C).sum())
    assert_close(dx, 200 * C)


def test_the_value_beside_a_derivative_is_that_of_fwd() -> None:
    f = ft.custom_vjp(lambda x: x * 2)
    f.defvjp(lambda x: (x * 5, None), lambda kept, c: (c,))
    assert f(3.0) == 6.0
    assert ft.value_and_grad(lambda x: f(x) + 1)(3.0) == (16.0, 1.0)


def test_pytrees_none_and_integers() -> None:
    @ft.custom_vjp
    def f(p: Any, n: Any, k: Any = 2.0) -> Any:
        return {"a": p["x"] * k, "n": n + 1}

    seen = []

    def bwd(kept: Any, c: Any) -> Any:
        seen.append((c["n"].dtype, c["n"].shape))
        return {"x": 3 * c["a"] * kept[0], "y": None}, None, (c["a"] * kept[1]).sum()

    f.defvjp(lambda p, n, k: (f(p, n, k), (k, p["x"])), bwd)

    def total(p: Any, k: Any) -> Any:
        return (f(p, np.arange(4), k)["a"] * C).sum()

    dp, dk = ft.grad(total, argnums=(0, 1))({"x": X, "y": 1.5}, 2.0)
    assert_close(dp["x"], 6 * C)
    assert dp["y"] == 0.0
    assert_close(dk, (C * X).sum())
    assert seen == [(np.float64, (4,))]
    assert_close(ft.grad(lambda p: (f(p, 1)["a"] * C).sum())({"x": X, "y": 1.5})["x"], 6 * C)


def test_results_of_several_dtypes() -> None:
    f = ft.custom_vjp(lambda x: (x.astype(np.float32), x + 1j, x.sum()))
    f.defvjp(lambda x: (f(x), None), lambda kept, c: (c[0].astype(float) + 2 * c[1].real + 3 * c[2],))
    x = X[0, 0]
    _, pullback = ft.vjp(f, x)
    (got,) = pullback((np.ones(4, np.float32), np.full(4, 1j + 5), np.float64(0.5)))
    assert got.tolist() == [1 + 10 + 1.5] * 4


def test_nondiff_arguments_are_anything() -> None:
    calls = []

    @functools.partial(ft.custom_vjp, nondiff_argnums=(0, 2))
    def apply(f: Any, x: Any, options: Any) -> Any:
        return f(x) * options["scale"]

    def bwd(f: Any, options: Any, kept: Any, c: Any) -> Any:
        calls.append((f, options))
        return (kept * options["scale"] * c,)

    apply.defvjp(lambda f, x, options: (f(x) * options["scale"], x * 11), bwd)
    options = {"scale": 2.0, "tags": [object()]}
    assert_close(ft.grad(lambda x: apply(np.sin, x, options).sum())(X), 22 * X)
    assert calls == [(np.sin, options)]


def test_the_transpose_of_a_gather_by_a_scatter_of_ones_own() -> None:
    at = np.array([0, 2, 2])
    take = ft.custom_vjp(lambda x: x[at])
    take.defvjp(lambda x: (x[at], None), lambda kept, c: (ft.segment_sum(c, at, 3) / 2,))
    got = ft.vmap(ft.grad(lambda x: (take(x) * np.arange(1.0, 4.0)).sum()))(np.ones((2, 3)))
    assert got.tolist() == [[0.5, 0, 2.5]] * 2


# a pullback among the residuals


def quadratic(x: Any, w: Any) -> Any:
    a = np.arange(1.0, 17).reshape(4, 4)
    return np.sin(x) * w + x @ a @ x + np.where(x > 0.5, x * w, 0.0)


def pulled(f: Any, closed: bool) -> Any:
    """f by its own pullback; ``closed`` leaves one argument to the closure of the function that is pulled back."""
    made = ft.custom_vjp(f)
    if closed:
        made.defvjp(lambda x, w: ft.vjp(lambda v: f(v, w), x), lambda pullback, c: (*pullback(c), None))
    else:
        made.defvjp(lambda x, w: ft.vjp(f, x, w), lambda pullback, c: pullback(c))
    return made


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_a_pullback_is_a_residual(method: str, closed: bool) -> None:
    f, w = pulled(quadratic, closed), np.arange(1.0, 4)
    vmap = functools.partial(ft.vmap, method=method)
    want = vmap(ft.grad(lambda x, w: quadratic(x, w).sum()))(X[0], w)
    assert_close(vmap(ft.grad(lambda x, w: f(x, w).sum()))(X[0], w), want)
    assert_close(ft.grad(lambda x: vmap(f)(x, w).sum())(X[0]), want)
    assert_close(ft.jit(ft.grad(lambda x: vmap(f)(x, w).sum()))(X[0]), want)
    total = lambda f: lambda x: (ft.grad(lambda v: f(v, 2.0).sum())(x) ** 2).sum()  # noqa: E731
    assert_close(ft.grad(total(f))(X[0, 0]), ft.grad(total(quadratic))(X[0, 0]))


@pytest.mark.parametrize("method", METHODS)
def test_pullbacks_leave_and_enter_traces(method: str) -> None:
    w, c = np.arange(1.0, 4), C[0]
    vmap = functools.partial(ft.vmap, method=method)
    want = vmap(lambda x, w, c: ft.vjp(lambda v: quadratic(v, w), x)[1](c)[0])(X[0], w, c)
    for around in (lambda f: f, ft.jit):
        y, pullbacks = around(vmap(lambda x, w: ft.vjp(lambda v: quadratic(v, w), x)))(X[0], w)
        assert_close(y, vmap(quadratic)(X[0], w))
        assert_close(around(vmap(lambda p, c: p(c)[0]))(pullbacks, c), want)
    linear = ft.jit(lambda x: ft.linearize(np.sin, x)[1])(X)
    assert_close(linear(C), np.cos(X) * C)
    scaled = ft.jit(lambda a: ft.linear_transpose(lambda x: a * x, 1.0))(3.0)
    assert scaled(2.0) == (6.0,)


def test_the_leaves_of_a_pullback_are_what_was_stored() -> None:
    value, pullback = ft.vjp(np.sin, X)
    (leaf,), treedef = ft.tree.flatten(pullback)
    assert_close(leaf, np.cos(X))
    assert treedef == ft.tree.flatten(pullback)[1]
    assert not leaf.flags.writeable
    value[...] = 0
    assert_close(pullback(C)[0], np.cos(X) * C)
    assert_close(treedef.unflatten([2 * leaf])(C)[0], 2 * np.cos(X) * C)


# zeros that show


@pytest.mark.parametrize("method", METHODS)
def test_symbolic_zeros(method: str) -> None:
    seen: list[Any] = []
    f = ft.custom_vjp(lambda x, y: {"p": x * y, "s": x.sum(), "n": 3})

    def fwd(x: Any, y: Any) -> Any:
        seen.append((x.perturbed, y.perturbed))
        return f(x.value, y.value), y.value

    def bwd(y: Any, c: Any) -> Any:
        zero = {k: isinstance(v, ft.SymbolicZero) for k, v in c.items()}
        seen.append([k for k, z in zero.items() if not z])
        from_p = ft.SymbolicZero(y.shape, np.dtype(float)) if zero["p"] else 7 * c["p"] * y
        return (from_p if zero["s"] else c["s"] + 0 * y), None

    f.defvjp(fwd, bwd, symbolic_zeros=True)
    vmap = functools.partial(ft.vmap, method=method)
    x, y = X[0], X[1]
    assert_close(ft.grad(lambda v: vmap(lambda v: f(v, y[0])["p"])(v).sum())(x), np.broadcast_to(7 * y[0], x.shape))
    assert_close(vmap(ft.grad(lambda v: f(v, y[0])["s"] * 2))(x), np.full(x.shape, 2.0))
    assert_close(ft.grad(lambda v: (f(v, v)["p"] * f(v, v)["p"]).sum() + f(v, v)["s"])(x), np.ones(x.shape))
    assert seen == [(True, False), ["p"], (True, False), ["s"], (True, True), ["p", "s"]]


def test_it_costs_nothing_where_nothing_is_differentiated() -> None:
    assert ft.jit(ft.vmap(seven)).lower(X).c_source == ft.jit(ft.vmap(np.sin)).lower(X).c_source
    assert type(seven(X)) is np.ndarray


# errors


def test_no_forward_mode() -> None:
    text = "can't apply forward-mode differentiation .jvp. to the custom_vjp function seven"
    for call in (
        lambda: ft.jvp(seven, (X,), (C,)),
        lambda: ft.jvp(ft.vmap(seven), (X,), (C,)),
        lambda: ft.linearize(seven, X)[1](C),
        lambda: ft.grad(lambda x: ft.jvp(seven, (x,), (1.0,))[1])(1.0),
        lambda: ft.spjacobian(seven)(X[0, 0]),
    ):
        with pytest.raises(ArgumentError, match=text) as caught:
            call()
        assert "test_custom_vjp.py" in str(caught.value)
    assert ft.jvp(lambda x: x * seven(ft.stop_gradient(x)), (1.0,), (1.0,))[1] == np.sin(1.0)


def test_no_rule() -> None:
    with pytest.raises(ArgumentError, match="no rule is defined for the custom_vjp function sin by defvjp"):
        ft.custom_vjp(np.sin)(1.0)
    with pytest.raises(ArgumentError, match="decorates a function"):
        ft.custom_vjp(3)
    with pytest.raises(UnsupportedError, match="optimize_remat"):
        ft.custom_vjp(np.sin).defvjp(None, None, optimize_remat=True)


@pytest.mark.parametrize(
    ("fwd", "bwd", "error", "text"),
    [
        (lambda x: x, lambda r, c: (c,), ArgumentError, "must produce a pair"),
        (lambda x: ((x, x), x), lambda r, c: (c,), ArgumentError, "a result of the structure"),
        (lambda x: (x.sum(), x), lambda r, c: (c,), ShapeError, r"the result must have shape \(2, 3, 4\)"),
        (lambda x: (x, "text"), lambda r, c: (c,), ArgumentError, "'text' of type str"),
        (lambda x: (x, x), lambda r, c: c, ArgumentError, "must produce a tuple of 1 cotangents"),
        (lambda x: (x, x), lambda r, c: (c, c), ArgumentError, "must produce a tuple of 1 cotangents"),
        (lambda x: (x, x), lambda r, c: ((c,),), ArgumentError, "that of argument 0 is"),
        (lambda x: (x, x), lambda r, c: (c.sum(),), ShapeError, r"the cotangents\[0\] must have shape \(2, 3, 4\)"),
        (
            lambda x: (x, x),
            lambda r, c: (c.astype(np.float32),),
            DtypeError,
            "must have dtype float64, but has float32",
        ),
    ],
)
def test_what_rules_may_return(fwd: Any, bwd: Any, error: type[Exception], text: str) -> None:
    f = ft.custom_vjp(lambda x: x * 2)
    f.defvjp(fwd, bwd)
    with pytest.raises(error, match=text) as caught:
        ft.grad(lambda x: f(x).sum())(X)
    assert "test_custom_vjp.py" in str(caught.value)


def test_a_value_that_is_closed_over_has_no_derivative_by_the_rule() -> None:
    def outer(a: Any) -> Any:
        f = ft.custom_vjp(lambda x: x * a)
        f.defvjp(lambda x: (f(x), None), lambda r, c: (c * a,))
        return f(a)

    with pytest.raises(ArgumentError, match="the custom_vjp function <lambda> with respect to a closed-over value"):
        ft.grad(outer)(2.0)
