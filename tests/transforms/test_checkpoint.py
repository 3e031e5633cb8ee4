"""checkpoint: the same numbers in every transform, and less memory, counted from the memory plan."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import ArgumentError, UnsupportedError
from tests.laws.references import assert_close, interpreted

X = np.random.default_rng(3).uniform(0.2, 0.9, (2, 3, 4))
METHODS = ("vmapin", "rewrite", "pad_reduce")
N = 16


def plain(x: Any, w: Any) -> Any:
    y = np.exp(-x * x) * w
    z = ft.vmap(lambda e: e * w.sum())(y)
    return {"y": np.sin(y) * z, "s": (y * x).sum() + w.sum(), "n": np.arange(3)}


def words() -> list[str]:
    return ["".join(w) for n in (1, 2, 3) for w in itertools.product("VJG", repeat=n)]  # innermost letter first


CASES = [(w, m) for w in words() for m in (METHODS if "V" in w and len(w) < 3 else METHODS[:1])]


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


def run(f: Any, word: str) -> Any:
    """Compiled; the longest words by the interpreter, which needs no compiler for each."""
    if len(word) == 3:
        return lambda *args: interpreted(f, *args)
    return lambda *args: ft.tree.flatten(ft.jit(f)(*args))[0]


@pytest.mark.parametrize(("word", "method"), CASES)
def test_law_it_changes_no_word(word: str, method: str) -> None:
    shape = (2, 3, 2)[: word.count("V")] + (3,)
    rng = np.random.default_rng(len(word))
    x, w = rng.uniform(0.2, 0.9, shape), rng.uniform(0.2, 0.9, shape)
    got, want = (run(transformed(word, f, method), word)(x, w) for f in (ft.checkpoint(plain), plain))
    assert len(got) == len(want) > 0
    for g, v in zip(got, want, strict=True):
        assert_close(g, v, 1e-12)


# memory


def step(y: Any) -> Any:
    """Not to be fused with the next: a running sum is stored."""
    return np.sin(np.cumsum(y))


def block(y: Any, steps: int) -> Any:
    for _ in range(steps):
        y = step(y)
    return y


def chain(steps: int, size: int | None, jvp: bool = False) -> Any:
    part = functools.partial(block, steps=size or 1)
    if size is not None:
        part = ft.checkpoint(part)

    def f(y: Any) -> Any:
        for _ in range(steps // (size or 1)):
            y = ft.jvp(part, (y,), (y,))[1] if jvp else part(y)
        return y.sum()

    return f


def memory(f: Any, around: Any = ft.grad) -> int:
    return ft.jit(around(f)).lower(np.ones(N)).cost().temporaries


def test_memory_of_a_chain_of_a_thousand_steps() -> None:
    value = 8 * N  # bytes of one step's value; a value is kept, or two, for each step
    without, with_blocks = memory(chain(1000, None)), memory(chain(1000, 25))
    assert without >= 1000 * value
    assert with_blocks <= 5 * (40 + 25) * value
    assert with_blocks < without / 6


def test_memory_falls_with_the_blocks_and_the_work_grows_by_one_evaluation() -> None:
    costs = {size: ft.jit(ft.grad(chain(64, size))).lower(np.ones(N)).cost() for size in (None, 8, 64)}
    forward = ft.jit(chain(64, None)).lower(np.ones(N)).cost()
    assert costs[8].temporaries < costs[None].temporaries / 2
    assert costs[8].flops <= costs[None].flops + forward.flops
    assert costs[8].flops > costs[None].flops
    assert costs[64].temporaries > costs[8].temporaries  # one block stores all of itself


def test_blocks_in_blocks() -> None:
    def nested(y: Any) -> Any:
        inner = ft.checkpoint(functools.partial(block, steps=4))
        outer = ft.checkpoint(lambda v: inner(inner(inner(inner(v)))))
        for _ in range(8):
            y = outer(y)
        return y.sum()

    assert_close(ft.grad(nested)(np.ones(N)), ft.grad(chain(128, None))(np.ones(N)))
    assert memory(nested) < memory(chain(128, 16))
    assert memory(nested) < memory(chain(128, None)) / 4


def test_memory_under_a_map_and_under_jvp() -> None:
    mapped = lambda f: ft.vmap(ft.grad(f))  # noqa: E731
    x = np.ones((3, N))
    small, large = (ft.jit(mapped(chain(64, s))).lower(x).cost() for s in (8, None))
    assert small.flops > large.flops
    assert_close(mapped(chain(64, 8))(x), mapped(chain(64, None))(x))
    wide = np.ones((3, 100 * N))  # one kernel, whose local arrays lie in scratch memory
    small, large = (ft.jit(mapped(chain(64, s))).lower(wide).cost() for s in (8, None))
    assert small.kernels == large.kernels == 1
    assert small.temporaries < large.temporaries / 3
    forward = [memory(chain(32, s, jvp=True)) for s in (8, None)]
    assert forward[0] < forward[1]


def test_a_pullback_for_later_stores_the_ends_of_the_blocks() -> None:
    stored = [ft.tree.flatten(ft.vjp(chain(64, s), np.ones(N))[1])[0] for s in (8, None)]
    sizes = [sum(np.size(u) for u in kept) for kept in stored]
    assert sizes[0] <= 9 * N
    assert sizes[1] >= 64 * N
    value, pullback = ft.vjp(chain(64, 8), np.linspace(0, 1, N))
    want, plainly = ft.vjp(chain(64, None), np.linspace(0, 1, N))
    assert_close(value, want)
    assert_close(pullback(2.0)[0], plainly(2.0)[0])


def test_without_a_derivative_it_costs_nothing() -> None:
    for around in (lambda f: f, ft.vmap, lambda f: lambda x: ft.jvp(f, (x,), (x,))):
        costs = [ft.jit(around(chain(8, s))).lower(np.ones((2, N))).cost() for s in (4, None)]
        assert costs[0] == costs[1]


# what it takes


def test_values_that_are_closed_over_are_differentiated_by() -> None:
    def f(a: Any, x: Any) -> Any:
        b = np.sin(a)
        g = ft.checkpoint(lambda v: np.exp(v * b) * ft.vmap(lambda e: e * b + a)(v))
        return g(x * a).sum()

    def same(a: Any, x: Any) -> Any:
        b = np.sin(a)
        return (np.exp(x * a * b) * (x * a * b + a)).sum()

    x = X[0, 0]
    for k in (0, 1):
        assert_close(ft.grad(f, k)(0.7, x), ft.grad(same, k)(0.7, x))
        assert_close(
            ft.vmap(ft.grad(f, k), in_axes=(0, None))(x, x), ft.vmap(ft.grad(same, k), in_axes=(0, None))(x, x)
        )
    assert_close(ft.jvp(f, (0.7, x), (1.0, x)), ft.jvp(same, (0.7, x), (1.0, x)))


def test_keywords_static_arguments_and_pytrees() -> None:
    @functools.partial(ft.checkpoint, static_argnums=(1,))
    def f(p: Any, how: str, *, k: Any = 2.0) -> Any:
        """Documented."""
        assert how == "well"
        return {"y": p["x"] * k, "none": None, "same": 3.0}

    assert f.__doc__ == "Documented."
    out = f({"x": X}, "well", k=3.0)
    np.testing.assert_array_equal(out["y"], X * 3)
    assert (out["none"], out["same"]) == (None, 3.0)
    got = ft.grad(lambda p, k: f(p, "well", k=k)["y"].sum(), argnums=(0, 1))({"x": X}, 5.0)
    assert_close(got[0]["x"], np.full(X.shape, 5.0))
    assert_close(got[1], X.sum())


def test_prevent_cse_false_may_merge() -> None:
    f = ft.checkpoint(functools.partial(block, steps=8), prevent_cse=False)
    assert memory(lambda y: f(y).sum()) == memory(chain(8, None))


def test_sparse_patterns_see_through_it() -> None:
    f = ft.checkpoint(lambda x: x * x + np.roll(x, 1))
    x = np.arange(1.0, 6.0)
    J = ft.spjacobian(f)
    assert J.pattern(x).nnz == 10
    assert_close(J(x).toarray(), np.diag(2 * x) + np.roll(np.eye(5), 1, axis=0))


def test_a_linear_function_is_transposed() -> None:
    f = ft.checkpoint(lambda x: 2 * x + x[::-1])
    assert_close(ft.linear_transpose(f, X[0, 0])(X[0, 1])[0], 2 * X[0, 1] + X[0, 1, ::-1])
    assert_close(ft.linear_transpose(lambda t: ft.jvp(f, (t,), (t,))[1], X[0, 0])(X[0, 1])[0], f(X[0, 1]))


def test_rules_of_ones_own_inside() -> None:
    seven = ft.custom_jvp(lambda x: np.sin(x))
    seven.defjvp(lambda p, t: (seven(*p), 7 * np.cos(p[0]) * t[0]))
    clip = ft.custom_vjp(lambda x: x * 1.0)
    clip.defvjp(lambda x: (x * 1.0, x), lambda x, c: (np.minimum(c, x),))
    f = lambda x: clip(seven(x)) * 5  # noqa: E731
    for around in (ft.grad, lambda g: ft.vmap(ft.grad(g))):
        arg = 0.4 if around is ft.grad else X[0, 0]
        assert_close(around(ft.checkpoint(f))(arg), around(f)(arg))


def test_errors() -> None:
    with pytest.raises(ArgumentError, match="checkpoint is of a function, but got 3"):
        ft.checkpoint(3)
    with pytest.raises(UnsupportedError, match="policy='all'"):
        ft.checkpoint(np.sin, policy="all")
    with pytest.raises(UnsupportedError, match="concrete=True"):
        ft.checkpoint(np.sin, concrete=True)
    with pytest.raises(ArgumentError, match="result of checkpoint of <lambda> is 'text'"):
        ft.jit(ft.checkpoint(lambda x: "text"))(1.0)
