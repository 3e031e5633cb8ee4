"""root with a sparse Jacobian: against the dense one and SciPy, derivatives, lanes against alone, and what fails."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.optimize

import functrans as ft
import functrans.numpy as fnp
from functrans.backend.codegen.regions import lowered
from functrans.implicit import equations
from functrans.ops.enums import Ops
from functrans.ops.uop import toposort
from tests.laws.references import interpreted
from tests.plans import plan_anew

root = ft.implicit.root
METHODS = ["vmapin", "rewrite", "pad_reduce"]
TYPES = ["loop", "outer"]
SIZES = [1, 2, 5, 17, 60, 200]


def network(n: int) -> Callable[[Any, Any], Any]:
    """Nodes with currents that depend on the differences along random edges."""
    rng = np.random.default_rng(n)
    i, j = rng.integers(0, n, (2, 2 * n))
    g = rng.uniform(0.5, 1.5, 2 * n)

    def f(x: Any, c: Any) -> Any:
        current = g * np.sinh(0.3 * (x[i] - x[j]))
        return x + 0.1 * x**3 + ft.segment_sum(current, i, n) - ft.segment_sum(current, j, n) - c

    return f


def loads(n: int, count: int) -> np.ndarray:
    return np.random.default_rng(7).normal(size=(count, n))


def solver(n: int, **options: Any) -> Callable[[Any], Any]:
    return lambda c: root(network(n), np.zeros(n), c, tol=1e-12, jac="sparse", **options)


@pytest.mark.parametrize("n", SIZES)
def test_every_lane_is_a_root_and_has_the_derivative_of_the_equations(n: int) -> None:
    f, c = network(n), loads(n, 11)
    x = ft.vmap(solver(n))(c)
    assert abs(ft.vmap(f)(x, c)).max() <= 1e-12
    wanted = scipy.optimize.root(lambda x: f(x, c[3]), np.zeros(n), tol=1e-13).x
    np.testing.assert_allclose(x[3], wanted, atol=1e-9)
    slope = ft.jacfwd(f)(x[3], c[3])
    along, weight = loads(n, 2)
    _, tangent = ft.jvp(solver(n), (c[3],), (along,))
    np.testing.assert_allclose(tangent, np.linalg.solve(slope, along), atol=1e-10)
    _, pull = ft.vjp(solver(n), c[3])
    np.testing.assert_allclose(pull(weight)[0], np.linalg.solve(slope.T, weight), atol=1e-10)


@pytest.mark.parametrize("n", [3, 17])
def test_derivatives_of_any_order_are_those_of_the_dense_jacobian(n: int) -> None:
    c = loads(n, 3)
    dense = lambda c: root(network(n), np.zeros(n), c, tol=1e-12)  # noqa: E731
    for outer in (ft.jacfwd, ft.jacrev):
        found = ft.vmap(outer(ft.jacrev(lambda c: (solver(n)(c) ** 2).sum())))(c)
        wanted = ft.vmap(outer(ft.jacrev(lambda c: (dense(c) ** 2).sum())))(c)
        np.testing.assert_allclose(found, wanted, atol=1e-9)
    ft.testing.check_jvp(solver(n), (c[0],))
    ft.testing.check_vjp(solver(n), (c[0],))


@cache
def alone(lane: int) -> Any:
    """What is found for one load, and how."""
    return solver(60, full_output=True)(LOADS[lane])


LOADS = loads(60, 9) * np.arange(9)[:, None]  # from none to several steps, some of them halved


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("axis_type", TYPES)
def test_lanes_are_bit_for_bit_as_alone(method: str, axis_type: str) -> None:
    c = LOADS
    x, info = ft.vmap(solver(60, full_output=True), method=method, axis_type=axis_type)(c)
    assert len(np.unique(info.iterations)) > 2
    for lane in range(9):
        wanted, its = alone(lane)
        np.testing.assert_array_equal(x[lane], wanted)
        assert info.iterations[lane] == its.iterations
    nested = ft.vmap(ft.vmap(solver(60), method=method), axis_type=axis_type)(c.reshape(3, 3, 60))
    np.testing.assert_array_equal(nested.reshape(9, 60), x)


def test_the_iteration_is_one_loop_with_the_pattern_of_the_equations(compiler: None) -> None:
    c = loads(60, 9)
    made = ft.jit(ft.vmap(solver(60))).lower(c)
    assert sum("WHILE" in str(k) for k in made.kernels) == 1
    assert made.cost().host_steps == 0
    shape = re.search(r"sparse_pattern sparse_\w+ = \{(\d+), (\d+),", made.c_source)
    nnz = ft.spjacobian(network(60)).pattern(np.zeros(60), c[0]).nnz
    assert shape is not None and shape.groups() == ("60", str(nnz))


def test_memory_that_is_written_in_a_round_is_no_argument_of_the_loop() -> None:
    order = toposort(ft.make_graph(solver(60))(loads(60, 1)[0]).outputs)
    (loop,) = (u for u in order if u.op is Ops.WHILE)
    within = toposort([o for f in loop.arg.functions for o in f.outputs])
    assert any(u.op is Ops.EMPTY for u in within)
    assert all(s.op is not Ops.EMPTY for s in loop.src)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_left_and_entered_again_has_the_same_bits(
    threads: int, compiler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    c = loads(60, 40) * np.arange(40)[:, None] / 4
    whole = ft.jit(ft.vmap(solver(60)))(c)
    monkeypatch.setattr(lowered, "TURN_PICOSECONDS", 1)
    plan_anew(monkeypatch)
    with ft.config.override(threads=threads):
        np.testing.assert_array_equal(ft.jit(ft.vmap(solver(60)))(c), whole)


def test_in_loops_and_branches_and_of_trees() -> None:
    n = 17
    f = lambda s, c: s + 0.1 * root(network(n), s, c, jac="sparse").sum()  # noqa: E731
    c = loads(n, 3)
    start = np.zeros(n)
    turns = lambda c: ft.scan(lambda s, _: (f(s, c), None), start, length=3)[0]  # noqa: E731
    wanted = np.stack([f(f(f(start, r), r), r) for r in c])
    np.testing.assert_allclose(ft.vmap(turns)(c), wanted, rtol=1e-12)
    ft.testing.check_vjp(turns, (c[0],))
    branch = lambda c: ft.cond(c[0] > 0, lambda: solver(n)(c), lambda: c)  # noqa: E731
    for got, r in zip(ft.vmap(branch)(c), c, strict=True):
        np.testing.assert_array_equal(got, solver(n)(r) if r[0] > 0 else r)

    def pair(x: Any, a: Any) -> Any:
        return x["u"] - 0.5 * np.cos(a * x["v"]), x["v"] - 0.5 * x["u"] * a

    one, other = (root(pair, {"u": 1.0, "v": 2}, 0.7, tol=1e-13, jac=jac) for jac in ("sparse", "dense"))
    assert one["u"] == pytest.approx(other["u"], abs=1e-12) and one["v"] == pytest.approx(other["v"], abs=1e-12)
    short = root(lambda x: x * x - 2, np.ones(3, np.float32), tol=1e-6, jac="sparse")
    assert short.dtype == np.float32


def test_what_is_closed_over_has_a_derivative() -> None:
    a = np.array([2.0, 3.0, 5.0])
    f = lambda a: root(lambda x: x * x - a, np.ones(3), jac="sparse").sum()  # noqa: E731
    np.testing.assert_allclose(ft.grad(f)(a), 0.5 / np.sqrt(a), rtol=1e-9)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("n", [3, 60])
def test_a_lane_that_fails_is_named_or_nan(threads: int, n: int) -> None:
    a = np.full((2000, n), 2.0)
    a[1777, n // 2] = -1.0  # no root
    a[1888] = np.nan
    a[1999] = 0.0
    f = lambda a, **options: root(lambda x, a: x * x - a, np.ones(n), a, jac="sparse", **options)  # noqa: E731
    with ft.config.override(threads=threads):
        with pytest.raises(ft.ConvergenceError, match="batch index 1777"):
            ft.vmap(f)(a)
        x = ft.vmap(lambda a: f(a, on_failure="nan"))(a)
    assert np.unique(np.isnan(x).any(1).nonzero()[0]).tolist() == [1777, 1888]
    np.testing.assert_allclose(x[:5], np.sqrt(2.0))
    with pytest.raises(ft.ConvergenceError, match="did not converge"):
        interpreted(lambda a: f(a), a[1777])


def test_a_singular_jacobian_does_not_converge() -> None:
    def f(x: Any, a: Any) -> Any:
        return fnp.stack([x[0] + x[1], a * (x[0] + x[1]) - 1.0])

    a = np.array([1.0, 2.0])
    with pytest.raises(ft.ConvergenceError, match="batch index 0"):
        ft.vmap(lambda a: root(f, np.ones(2), a, jac="sparse"))(a)
    with pytest.raises(ft.LinAlgError, match="structurally singular"):
        root(lambda x: x[:1].sum() + 0 * x, np.ones(2), jac="sparse")


def waves(n: int, rule: bool = False) -> Callable[[Any, Any], Any]:
    """Phases along a ring: f takes a sine and an exponential, of which its Jacobian takes the other and the same."""
    i, j, g = np.arange(n), np.roll(np.arange(n), 1), np.linspace(0.4, 0.7, n)

    @ft.custom_jvp
    def flow(d: Any) -> Any:
        return np.sin(d) + 0.3 * np.cos(d)

    @flow.defjvp
    def slope(primals: Any, tangents: Any) -> Any:
        (d,), (along,) = primals, tangents
        return flow(d), (1.5 * np.cos(d) - 0.3 * np.sin(d)) * along  # not what it would be without the rule

    def f(x: Any, c: Any) -> Any:
        d = x[i] - x[j]
        here = flow(d) if rule else np.sin(d) + 0.3 * np.cos(d)
        return 3 * x + ft.segment_sum(g * here, i, n) - ft.segment_sum(g * here, j, n) + np.exp(0.1 * x) - c

    return f


def of_waves(n: int, jac: str, rule: bool = False) -> Callable[[Any], Any]:
    return lambda c: root(waves(n, rule), np.zeros(n), c, tol=1e-12, jac=jac, full_output=True)


def sines(f: Callable[..., Any], *args: Any) -> int:
    """How many nodes are sines or cosines, bodies of loops included."""
    todo, found = list(ft.jit(f).lower(*args).graph.outputs), 0
    seen = set[Any]()
    while todo:
        for u in toposort([todo.pop()]):
            if u in seen:
                continue
            seen.add(u)
            found += u.op in (Ops.SIN, Ops.COS)
            todo += [o for g in getattr(u.arg, "functions", ()) for o in g.outputs]
    return found


@pytest.mark.parametrize("n", [3, 40, 90])
def test_what_f_and_its_jacobian_share_is_computed_once(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    c, solve = loads(n, 11), ft.vmap(of_waves(n, "sparse"))
    x, info = solve(c)
    few = sines(solve, c)
    monkeypatch.setattr(equations, "beside", lambda *args: None)
    again = ft.vmap(of_waves(n, "sparse"))
    np.testing.assert_allclose(x, again(c)[0], rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(info.iterations, again(c)[1].iterations)
    assert few < sines(again, c)


def test_derivatives_of_what_is_shared() -> None:
    c, along = loads(9, 2)

    def twice(jac: str) -> Any:
        def once(c: Any) -> Any:
            return ft.jvp(lambda c: of_waves(9, jac)(c)[0], (c,), (along,))[1]

        return ft.jvp(once, (c,), (along,))

    for a, b in zip(twice("sparse"), twice("dense"), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)


def test_a_rule_of_the_user_is_that_of_the_jacobian() -> None:
    c, along = loads(9, 2)
    (x, info), (dx, _) = ft.jvp(of_waves(9, "sparse", rule=True), (c,), (along,))
    slope = ft.jacfwd(waves(9, rule=True))(x, c)
    np.testing.assert_allclose(slope @ dx, along, atol=1e-9)
    assert info.iterations > of_waves(9, "sparse")(c)[1].iterations  # steps by a wrong derivative take longer
