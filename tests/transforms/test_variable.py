"""Run-time integers: every use equals NumPy's with the number, under every transform, by one text of C."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import numpy as fnp
from functrans.backend.ready import _ready
from functrans.config import config
from functrans.errors import ArgumentError, IndexOutOfRange, LeakedValueError, SpecError, TracedValueError
from functrans.ops import Ops, UOp, dtypes
from functrans.ops.printer import from_text, to_text

RNG = np.random.default_rng(3)
X = RNG.normal(size=(4, 7, 5))
V = ft.Variable("n", 0, 3)

USES: dict[str, Callable[[Any, Any], Any]] = {
    "operand": lambda x, n: x * n + n - 2 * n,
    "left operand": lambda x, n: n - x,
    "quotients": lambda x, n: (x // (n + 1), x % (n + 1), x / (n + 1)),
    "ufunc": lambda x, n: np.maximum(x, n),
    "power": lambda x, n: np.abs(x) ** n,
    "index": lambda x, n: x[n],
    "index of the last axis": lambda x, n: x[..., n],
    "index from the end": lambda x, n: x[n - 4],
    "index beside an array": lambda x, n: x[n, [1, 0, 6]],
    "index beside a slice": lambda x, n: x[:, n, 1:3],
    "slice": lambda x, n: x[n : n + 1],
    "slice of another axis": lambda x, n: x[:, n : n + 4],
    "slice of the last axis": lambda x, n: x[..., n + 1 : n + 2],
    "slice of a product": lambda x, n: x[:, 2 * n : 2 * n + 1],
    "slice that ends at it": lambda x, n: x[:, n + 4 - 3 : 4 + n],
    "two slices": lambda x, n: x[n : n + 1, n + 2 : n + 4, ::2],
    "slice, integer, new axis": lambda x, n: x[None, 2, n : n + 3],
    "slice and mask": lambda x, n: x[[True, False, True, True], n : n + 3],
    "empty slice": lambda x, n: x[:, n:n],
    "condition": lambda x, n: np.where(n > 1, x, -x),
    "of the variable alone": lambda x, n: (n, n + 1, n == 2),
}  # fmt: skip
uses = pytest.mark.parametrize("name", USES)


def same(got: Any, want: Any) -> None:
    got, want = (v if isinstance(v, tuple) else (v,) for v in (got, want))
    for g, w in zip(got, want, strict=True):
        assert np.shape(g) == np.shape(w)
        np.testing.assert_allclose(g, w, rtol=1e-14, atol=1e-14)


@uses
def test_as_the_number(name: str) -> None:
    f = USES[name]
    compiled = ft.jit(f)
    for k in range(4):
        want = f(X, k)
        same(compiled(X, V.bind(k)), want)  # an argument
        same(ft.jit(lambda x: f(x, V.bind(k)))(X), want)  # closed over
        lazy = f(ft.Tensor(X), V.bind(k))
        same(tuple(np.asarray(t) for t in lazy) if isinstance(lazy, tuple) else np.asarray(lazy), want)
    assert len(compiled._compiled) == 1


@uses
def test_one_text_and_one_plan_for_all_values(name: str) -> None:
    f = USES[name]
    texts = {ft.jit(lambda x: f(x, V.bind(k))).lower(X).c_source for k in range(4)}
    assert len(texts) == 1
    before = len(_ready)
    for k in range(4):
        ft.jit(lambda x: f(x, V.bind(k)))(X)
        ft.jit(f)(X, V.bind(k))
    assert len(_ready) <= before + 1  # as an argument


@uses
def test_under_vmap(name: str) -> None:
    f = USES[name]
    for axis in (0, 1, 2):
        moved = np.moveaxis(np.stack([X, X + 1, X * X]), 0, axis)
        for k in (0, 3):
            lanes = [f(x, k) for x in np.moveaxis(moved, axis, 0)]
            want = tuple(map(np.stack, zip(*lanes, strict=True))) if isinstance(lanes[0], tuple) else np.stack(lanes)
            same(ft.vmap(f, in_axes=(axis, None))(moved, V.bind(k)), want)


@uses
def test_under_jvp(name: str) -> None:
    f, t = USES[name], RNG.normal(size=X.shape)
    for k in (0, 2):
        want = ft.jvp(lambda x: f(x, k), (X,), (t,))
        got = ft.jvp(f, (X, V.bind(k)), (t, None))
        for g, w in zip(got, want, strict=True):
            same(g, w)


def test_in_reverse() -> None:
    def f(x: Any, n: Any) -> Any:
        return (x[:, n : n + 2] ** 2 * n).sum() + x[n, n, n]

    for k in (0, 3):
        want = np.zeros_like(X)
        want[:, k : k + 2] = 2 * k * X[:, k : k + 2]
        want[k, k, k] += 1
        np.testing.assert_allclose(ft.grad(f)(X, V.bind(k)), want)
        np.testing.assert_allclose(ft.jit(ft.grad(f))(X, V.bind(k)), want)
        pulled, zero = ft.vjp(f, X, V.bind(k))[1](1.0)
        np.testing.assert_allclose(pulled, want)
        assert zero == 0.0
        np.testing.assert_allclose(ft.linearize(f, X, V.bind(k))[1](X, None), (want * X).sum())


def test_promotion_beside_narrow_integers_is_that_of_int64() -> None:
    for dtype in (np.int8, np.uint16, np.bool_):
        x = np.ones(3, dtype)
        assert ft.jit(lambda x, n: x + n)(x, V.bind(3)).dtype == np.int64
        np.testing.assert_array_equal(ft.jit(lambda x, n: x + n)(x, V.bind(3)), [4, 4, 4])


@pytest.mark.parametrize("size", [0, 1])
def test_sizes_without_room(size: int) -> None:
    one = ft.Variable("at", 0, 0)
    x = np.ones((2, size, 3))
    assert ft.jit(lambda x, n: x[:, n : n + size] * n)(x, one.bind(0)).shape == (2, size, 3)
    if size == 0:
        with pytest.raises(IndexOutOfRange, match="size 0"):
            ft.jit(lambda x, n: x[:, n])(x, one.bind(0))


def test_no_clamp_where_the_bounds_prove_it() -> None:
    def text(low: int, high: int) -> str:
        return ft.jit(lambda x, n: x[n]).lower(np.ones(4), ft.Variable("n", low, high)).c_source

    assert "ft_min" not in text(0, 3)
    assert "ft_max" not in text(0, 3)
    assert "?" not in text(0, 3)
    assert "ft_min" in text(0, 4)
    assert "?" in text(-1, 3)
    assert "a0[v_n]" in text(0, 3)
    window = ft.jit(lambda x, n: x[n : n + 2]).lower(np.ones(4), ft.Variable("n", 0, 2)).c_source
    assert "v_n + i0" in window
    assert "ft_min" not in window and "ft_max" not in window


def test_out_of_range_reads_as_any_traced_index() -> None:
    wide, x = ft.Variable("n", -9, 9), np.arange(4.0)
    f, g = ft.jit(lambda x, n: x[n]), ft.jit(lambda x, i: x[i])
    for k in range(-9, 10):
        assert f(x, wide.bind(k)) == g(x, np.int64(k))


def test_an_update_at_a_variable() -> None:
    f = ft.jit(lambda x, n: x.at[n + fnp.arange(2)].set(-1.0).at[n].add(5.0))
    for k in range(3):
        want = X.copy()
        want[k : k + 2] = -1.0
        want[k] += 5.0
        np.testing.assert_allclose(f(X, ft.Variable("n", 0, 2).bind(k)), want)
    with pytest.raises(ArgumentError, match=r"x.at\[v \+ fnp.arange"):
        ft.Tensor(X).at[V.bind(1) : V.bind(1) + 2]


def test_several_values_and_several_variables() -> None:
    m = ft.Variable("m", -5, 5)
    f = ft.jit(lambda x, a, b, c: x[a] * b + x[c])
    for a, b, c in ((0, -5, 3), (3, 5, 0), (1, 1, 1)):
        np.testing.assert_allclose(f(X, V.bind(a), m.bind(b), V.bind(c)), X[a] * b + X[c])
    total = ft.Tensor(np.zeros(X.shape[1:]))
    for k in range(4):
        total = total + ft.Tensor(X)[V.bind(k)]
    np.testing.assert_allclose(total.numpy(), X.sum(0))
    np.testing.assert_allclose(ft.jit(lambda x: x[V.bind(0)] - x[V.bind(2)])(X), X[0] - X[2])


def test_names_that_are_no_identifiers_and_names_alike() -> None:
    a, b, c = ft.Variable("größe n; }", 0, 9), ft.Variable("gr__e n? }", 0, 9), ft.Variable("int", 0, 9)
    f = ft.jit(lambda x, a, b, c: x + 100 * a + 10 * b + c)
    assert f(0.0, a.bind(1), b.bind(2), c.bind(3)) == 123.0
    assert f(0.0, a.bind(3), a.bind(2), a.bind(1)) == 321.0  # another signature, one name thrice
    assert "größe" not in f.lower(0.0, a, b, c).c_source


def test_batch_extent() -> None:
    n = ft.Variable("batch", 0, 100)
    texts = set()
    for k in (0, 1, 7, 100):
        np.testing.assert_array_equal(ft.vmap(lambda: X[0, 0] * 2, axis_size=n.bind(k))(), np.tile(X[0, 0] * 2, (k, 1)))
        if k:  # a batch of none reads nothing
            texts.add(ft.jit(ft.vmap(lambda x: np.sin(x) + 1, axis_size=n.bind(k))).lower(np.ones((k, 3))).c_source)
    assert len(texts) == 1
    with pytest.raises(ArgumentError, match="axis_size is Variable"):
        ft.vmap(lambda: 2.0, axis_size=n)
    with pytest.raises(ArgumentError, match="not through an argument"):
        ft.jit(lambda k: ft.vmap(lambda: 2.0, axis_size=k)())(n.bind(3))


def test_it_gives_way_to_narrow_floats() -> None:
    x = np.ones(3, np.float32)
    assert ft.jit(lambda x, n: x * n)(x, V.bind(2)).dtype == np.float32
    assert (ft.Tensor(x) * V.bind(2)).dtype == np.float32
    assert (ft.Tensor(np.ones(3, np.int8)) * V.bind(2)).dtype == np.int64
    assert V.dtype == np.int64
    assert V.shape == ()


def test_results_are_arrays_unless_a_tensor_is_given() -> None:
    f = ft.jit(lambda x, n: x * n)
    assert isinstance(f(X, V.bind(2)), np.ndarray)
    assert isinstance(ft.vmap(lambda x, n: x * n, in_axes=(0, None))(X, V.bind(2)), np.ndarray)
    assert isinstance(f(ft.Tensor(X), V.bind(2)), ft.Tensor)


def test_values_are_read_outside_of_traces() -> None:
    v = V.bind(3)
    assert (int(v), v.value, V.value, v.name, v.limits) == (3, 3, None, "n", (0, 3))
    assert np.arange(5)[v] == 3
    assert fnp.zeros(v).shape == (3,)
    assert repr(v) == "Variable('n', 0, 3).bind(3)"
    assert repr(V.bind(1).bind(2)) == "Variable('n', 0, 3).bind(2)"
    assert repr(pickle.loads(pickle.dumps(v))) == repr(copy.deepcopy(v)) == repr(v)
    assert v.value == 3  # still bound, not a stored number
    assert from_text(to_text(v.uop))[0] is v.uop


@pytest.mark.parametrize(
    ("name", "low", "high", "text"),
    [("", 0, 1, "non-empty"), (3, 0, 1, "is 3"), ("n", 2, 1, "2 and 1"), ("n", 0.5, 1, "min of variable 'n' is 0"),
     ("n", 0, True, "max of variable 'n' is True"), ("n", 0, 1 << 62, "less than"), ("n", -(1 << 62), 0, "less than")],
)  # fmt: skip
def test_wrong_definitions(name: Any, low: Any, high: Any, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        ft.Variable(name, low, high)


@pytest.mark.parametrize("value", [-1, 4, 2.0, "2", None, True, 1 << 70])
def test_wrong_values(value: Any) -> None:
    with pytest.raises(ArgumentError, match=r"variable 'n'.*test_variable.py"):
        V.bind(value)
    if isinstance(value, int) and value != True:  # noqa: E712
        with pytest.raises(ArgumentError, match=rf"takes 0 to 3, and is bound to {value}"):
            V.bind(value)
        with pytest.raises(SpecError, match=rf"(bound to {value}; expected 0 to 3|constant {value} of index)"):
            UOp(Ops.BIND, dtypes.index, (V.definition, UOp.const(dtypes.index, value)))


@pytest.mark.parametrize(
    "run",
    [
        lambda: ft.jit(lambda x: x * V)(X), lambda: ft.jit(lambda x, n: x * n)(X, V),
        lambda: (ft.Tensor(X) * V).numpy(), lambda: ft.vmap(lambda x: x[V])(X),
        lambda: ft.vmap(lambda x, n: x[n], in_axes=(0, None))(X, V),
        lambda: ft.jvp(lambda x: x * V, (X,), (X,)), lambda: int(V), lambda: np.arange(4)[V],
        lambda: ft.spjacobian(lambda x: x * V)(X), lambda: ft.spjacobian(lambda x, n: x * n)(X, V),
    ],
)  # fmt: skip
@pytest.mark.parametrize("compiled", [True, False])
def test_without_a_value_it_is_named(run: Callable[[], Any], compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setattr("functrans.backend.pipeline.available", lambda: False)
    with pytest.raises(ArgumentError, match=r"variable 'n'.*from 0 to 3"):
        run()


def test_code_is_seen_without_a_value() -> None:
    assert "v_n" in ft.jit(lambda x: x * V).lower(X).c_source
    assert len(ft.schedule((ft.Tensor(X) * V).uop)) == 1
    assert len(ft.schedule((ft.Tensor(X) * V.bind(2)).uop)) == 1


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functrans.backend.pipeline.available", lambda: False)
    for f in USES.values():
        for k in (0, 3):
            same(ft.jit(f)(X, V.bind(k)), f(X, k))
            same(ft.jit(lambda x: f(x, V.bind(k)))(X), f(X, k))


def test_in_a_trace_its_value_is_not_known() -> None:
    for read in (int, bool, lambda n: np.arange(4)[n], lambda n: range(n)):
        with pytest.raises(TracedValueError):
            ft.jit(lambda x, n: x * read(n))(X, V.bind(2))
    kept: list[Any] = []
    ft.jit(lambda x, n: kept.append(n) or x * n)(X, V.bind(2))
    with pytest.raises(LeakedValueError):
        ft.jit(lambda x: x * kept[0])(X)


def test_slices_that_are_refused() -> None:
    x, n = ft.Tensor(X), V.bind(2)
    for key in (slice(n, None), slice(None, n), slice(0, n), slice(n, 2 * n), slice(n, ft.Variable("m", 0, 3).bind(3))):
        with pytest.raises(ArgumentError, match="length of a slice depends on a variable"):
            x[key]
    with pytest.raises(ArgumentError, match="step 2"):
        x[n : n + 2 : 2]
    with pytest.raises(ArgumentError, match=r"starts at 0 to 3, .* axis 0 of size 4.*from 0 to 2"):
        x[n : n + 2]
    with pytest.raises(ArgumentError, match="starts at -1 to 2"):
        x[n - 1 : n]


def test_compiled_functions_check_their_variables() -> None:
    made = ft.jit(lambda x, n: x[n]).lower(X, V).compile()
    np.testing.assert_array_equal(made(X, V.bind(2)), X[2])
    for wrong in (2, ft.Variable("m", 0, 3).bind(2), ft.Variable("n", 0, 9).bind(9), np.int64(2)):
        with pytest.raises(ArgumentError, match="compiled for the variable 'n' from 0 to 3"):
            made(X, wrong)


def test_another_definition_is_another_signature() -> None:
    f = ft.jit(lambda x, n: x[n])
    assert f(np.arange(4.0), ft.Variable("n", 0, 9).bind(9)) == 3.0
    assert f(np.arange(4.0), V.bind(3)) == 3.0
    assert f(np.arange(4.0), 3) == 3.0
    assert len(f._compiled) == 3


def test_sparsity_holds_for_every_value() -> None:
    x = X[0, 0]
    J = ft.spjacobian(lambda x, n: x[n : n + 2] * n + x[0])
    shape = (2, 5)
    assert J.pattern(x, V).to_scipy().toarray().all()
    assert "a computed index may read" in J.pattern(x, V).explain(0, 1)
    for k in range(4):
        want = np.zeros(shape)
        want[[0, 1], [k, k + 1]] = k
        want[:, 0] += 1
        np.testing.assert_allclose(J(x, V.bind(k)).toarray(), want)
        np.testing.assert_allclose(J.values(x, V.bind(k)), want.reshape(-1))
        np.testing.assert_allclose(ft.jit(J.values)(x, V.bind(k)), want.reshape(-1))
        closed = ft.spjacobian(lambda x: x[V.bind(k) : V.bind(k) + 2] * V.bind(k) + x[0])
        np.testing.assert_allclose(closed(x).toarray(), want)
    assert len(J._problems) == 1


def test_entries_that_a_variable_scales_are_not_constant() -> None:
    J = ft.spjacobian(lambda x, n: x * n + 3 * x[::-1])
    out = J.empty_values(X[0, 0], V.bind(1))
    assert J.values(X[0, 0], V.bind(1), out=out) is out
    first = out.copy()
    assert J.values(X[0, 0], V.bind(3), out=out) is out
    np.testing.assert_allclose(out, J.values(X[0, 0], V.bind(3)))
    assert (first != out).any()
    with pytest.raises(ft.DtypeError):
        ft.spjacobian(lambda x, n: x * n, argnums=1)(X[0, 0], V.bind(1))


@pytest.mark.usefixtures("compiler")
def test_compiled_once(tmp_path: Any) -> None:
    tmp_path.chmod(0o700)
    with config.override(cache_dir=tmp_path):
        for k in range(4):
            ft.jit(lambda x: x[V.bind(k)] * 1.25)(X)
    assert len(list(tmp_path.rglob("*.so"))) == 1


@pytest.mark.parametrize("method", ["vmapin", "rewrite", "pad_reduce"])
@pytest.mark.parametrize("axis_type", ["loop", "outer"])
def test_under_every_way_to_map(method: str, axis_type: str) -> None:
    def mapped(f: Callable[..., Any], in_axes: Any = 0) -> Callable[..., Any]:
        return ft.vmap(f, in_axes=in_axes, method=method, axis_type=axis_type)

    def f(x: Any, n: Any) -> Any:
        return x[n] * n + x[n : n + 1].sum() + np.where(n > 1, x, -x).sum()

    batch = np.stack([X, X + 1])
    for k in (0, 3):
        np.testing.assert_allclose(mapped(f, (0, None))(batch, V.bind(k)), [f(x, k) for x in batch], rtol=1e-12)
        nested = mapped(lambda x: mapped(lambda y: x[V.bind(k)] * y[V.bind(k)])(x))(X)
        np.testing.assert_allclose(nested, [[x[k] * y[k] for y in x] for x in X])
        assert mapped(f, (0, None))(batch[:0], V.bind(k)).shape == (0, 7, 5)


def test_on_shards_and_by_rules_of_the_users() -> None:
    t = ft.Tensor(X).shard(("CPU", "CPU:1"), axis=0)
    for k in (0, 3):
        got = ft.jit(lambda x, n: (x * n + 1, x[:, n], x[n], x[n : n + 1]))(t, V.bind(k))
        for g, w in zip(got, (X * k + 1, X[:, k], X[k], X[k : k + 1]), strict=True):
            np.testing.assert_allclose(g.numpy(), w)

    @ft.custom_jvp
    def f(x: Any, n: Any) -> Any:
        return x * n

    f.defjvp(lambda primals, tangents: (f(*primals), 10 * tangents[0]))
    for g, w in zip(ft.jvp(f, (X, V.bind(2)), (X, None)), (2 * X, 10 * X), strict=True):
        np.testing.assert_allclose(g, w)
