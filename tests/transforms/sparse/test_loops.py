"""Sparsity through loops and branches: never too small, exact where a loop carries a band, found without unrolling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.transforms.sparse import loops
from functrans.transforms.sparse.detection import Walk
from tests.laws.loop_programs import Ours, program
from tests.laws.references import assert_close

LAWS = settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
X = np.arange(1.0, 7.0)
Function = Callable[[Any], Any]


def running(x: Any) -> Any:
    return ft.scan(lambda c, e: (c + e * e, c), 0.0, x)[1]


def pattern(f: Function, x: Any = X) -> np.ndarray[Any, Any]:
    return ft.spjacobian(f).pattern(x).to_scipy().toarray() != 0


def check(f: Function, *points: Any) -> None:
    """Pattern and values against dense derivatives."""
    J = ft.spjacobian(f)
    for x in points:
        allowed = J.pattern(x).to_scipy().toarray() != 0
        dense = np.asarray(ft.jacfwd(f)(x)).reshape(allowed.shape)
        assert not (dense != 0)[~allowed].any()
        assert_close(J(x).toarray(), dense, 1e-11)


@LAWS
@given(st.integers(0, 2**32), st.sampled_from([(3,), (2, 2), (1,), (0,)]))
def test_jacobians_of_random_programs(seed: int, shape: tuple[int, ...]) -> None:
    p = program(seed)
    rng = np.random.default_rng(seed % 997)
    check(lambda x: p(Ours, x, 0.6), *rng.uniform(-1.5, 1.5, (2, *shape)))


@LAWS
@given(st.integers(0, 2**32), st.sampled_from(["vmapin", "rewrite", "pad_reduce"]))
def test_jacobians_of_random_programs_in_lanes(seed: int, method: str) -> None:
    p = program(seed)

    def f(x: Any) -> Any:
        return ft.vmap(lambda row, k: p(Ours, row * k, x[0, 0]), method=method)(x, np.array([1.0, -0.7]))

    check(f, *np.random.default_rng(seed % 997).uniform(-1.5, 1.5, (2, 2, 2)))


@settings(LAWS, max_examples=6)
@given(st.integers(0, 2**32), st.sampled_from(["column", "row"]))
def test_values_beside_jacobians_of_random_programs(seed: int, partition: str) -> None:
    """Each color is a lane, and the loop of tangents in the lanes does the rounds of the values too."""
    p = program(seed, reverse=True)
    x = np.random.default_rng(seed % 997).uniform(-1.5, 1.5, 3)
    J = ft.spjacobian(lambda x: p(Ours, x, 0.6), method="compressed", partition=partition)
    value, matrix = J.value_and_jacobian(x)
    assert_close(value, p(Ours, x, 0.6), 1e-12)
    assert_close(matrix.toarray(), J(x).toarray(), 1e-12)


@LAWS
@given(st.integers(0, 2**32))
def test_hessians_of_random_programs(seed: int) -> None:
    p = program(seed, reverse=True, depth=1)

    def f(x: Any) -> Any:
        return (p(Ours, x, 0.6) * np.array([1.0, 0.5, 2.0])).sum()

    H = ft.sphessian(f)
    for x in np.random.default_rng(seed % 997).uniform(-1.5, 1.5, (2, 3)):
        dense = ft.hessian(f)(x)
        assert not (dense != 0)[H.pattern(x).to_scipy().toarray() == 0].any()
        assert_close(H(x).toarray(), dense, 1e-10)


EXACT: dict[str, tuple[Function, Any]] = {
    "running sum": (running, np.tri(6, k=-1)),
    "running sum from the end": (lambda x: ft.scan(lambda c, e: (c + e * e, c), 0.0, x, reverse=True)[1],
                                 np.tri(6, k=-1).T),
    "element by element": (lambda x: ft.scan(lambda c, e: (c, np.sin(e)), 0.0, x)[1], np.eye(6)),
    "the one before": (lambda x: ft.scan(lambda c, e: (e, c * e), 0.0, x)[1], np.eye(6) + np.eye(6, k=-1)),
    "two rounds of a stencil": (lambda x: ft.fori_loop(0, 2, lambda i, c: c + np.pad(c[1:] * c[:-1], (0, 1)), x),
                                np.eye(6) + np.eye(6, k=1) + np.eye(6, k=2)),
    "any number of rounds": (lambda x: ft.while_loop(lambda c: c.sum() < 9, lambda c: c + np.pad(c[1:], (0, 1)), x),
                             np.tri(6).T),
    "either branch": (lambda x: ft.cond(x[0] > 0, lambda: x[::-1] * 2, lambda: x), np.eye(6) + np.eye(6)[::-1]),
    "lanes": (lambda x: ft.map(lambda r: ft.scan(lambda c, e: (c * e, c), 1.0, r)[1], x.reshape(2, 3)).reshape(6),
              np.kron(np.eye(2), np.tri(3, k=-1))),
    "lanes that share": (lambda x: ft.map(lambda e: ft.fori_loop(0, 3, lambda i, c: c * x[2] + e, e), x),
                         np.eye(6) + np.eye(6)[2]),
    "lanes along another axis": (
        lambda x: ft.vmap(lambda r: ft.scan(lambda c, e: (e, c * e), 0.0, r)[1], 1, 1)(x.reshape(3, 2)).reshape(6),
        np.eye(6) + np.eye(6, k=-2)),
    "loops in loops": (lambda x: ft.scan(lambda c, e: (ft.fori_loop(0, 2, lambda i, d: d * e, 1.0), c), 0.0, x)[1],
                       np.eye(6, k=-1)),
    "an index that goes around": (lambda x: ft.fori_loop(1, 6, lambda i, c: ft.at(c)[i].add(c[i - 1] * x[i]), x),
                                  np.tri(6)),
    "indices for elements": (lambda x: ft.scan(lambda c, i: (x[i], c * x[i]), 0.0, np.arange(6))[1],
                             np.eye(6) + np.eye(6, k=-1)),
    "indices in lanes": (lambda x: ft.map(lambda e: ft.fori_loop(0, 3, lambda i, c: ft.at(c)[i].set(e * x[i]),
                                                                 np.zeros(3)), x[3:]).reshape(9),
                         np.hstack([np.tile(np.eye(3), (3, 1)), np.repeat(np.eye(3), 3, axis=0)])),
    "a choice by a round": (lambda x: ft.scan(lambda c, i: (np.where(i < 2, c, x[i]), c), x[0], np.arange(6))[1],
                            np.eye(6)[[0, 0, 0, 2, 3, 4]]),
    "a constant matrix": (lambda x: ft.fori_loop(0, 2, lambda i, c: c + np.eye(6, k=2) @ c * 0.1, x),
                          np.eye(6) + np.eye(6, k=2) + np.eye(6, k=4)),
    "a constant mask in any round": (
        lambda x: ft.while_loop(lambda c: c.sum() < 50, lambda c: c + np.array([1.0, 0, 1, 0, 0, 0]) * c[::-1], x),
        np.eye(6) + np.diag([1, 0, 1, 0, 0, 0])[:, ::-1]),
    "an integer that goes around": (lambda x: ft.scan(lambda c, e: ((c[0] + 1, c[1]), c[0] * e), (0, x[0]), x)[1],
                                    np.eye(6)),
}  # fmt: skip


@pytest.mark.parametrize("name", EXACT)
def test_patterns_that_are_exact(name: str) -> None:
    f, wanted = EXACT[name]
    assert np.array_equal(pattern(f), np.asarray(wanted) != 0)
    check(f, X, X / 9)


def test_beyond_a_number_of_rounds_an_index_reads_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        return ft.scan(lambda c, i: (c, c * x[i]), 1.0, np.arange(6))[1]

    assert np.array_equal(pattern(f), np.eye(6) != 0)
    monkeypatch.setattr(loops, "_FOLLOWED", 5)
    assert pattern(f).all()
    check(f, X)


def simulated(x0: Any, u: Any) -> Any:
    """Four states in a chain, each driven by the next one and the last by the control."""

    def step(c: Any, v: Any) -> Any:
        new = c + 0.1 * np.concatenate([c[1:] - c[:-1] ** 2, (v - c[-1:] ** 2)])
        return new, new

    return ft.scan(step, x0, u)


def test_a_simulation_in_its_controls() -> None:
    """A state feels the controls up to its time, each state of the chain one step later than the next."""
    u = np.linspace(0.1, 1.0, 8)[:, None]
    got = pattern(lambda u: simulated(np.zeros(4), u)[1][:, 0], u)
    assert np.array_equal(got, np.tri(8, k=-3) != 0)
    check(lambda u: simulated(np.ones(4), u)[1], u)


def test_multiple_shooting_has_blocks() -> None:
    def residual(z: Any) -> Any:
        x, u = z[:20].reshape(5, 4), z[20:].reshape(4, 2, 1)
        ends = ft.map(lambda s: simulated(s[0], s[1])[0], (x[:-1], u))
        return (ends - x[1:]).reshape(16)

    z = np.random.default_rng(0).uniform(-1, 1, 28)
    check(residual, z)
    found = pattern(residual, z)
    assert found.sum() == 4 * (3 + 3 + 2 + 1 + 1 + 2) + 16  # two steps of the chain, its controls, and the next states
    assert ft.spjacobian(residual).coloring(z).num_colors <= 8


def test_derivatives_of_other_kinds() -> None:
    H = ft.sphessian(lambda x: running(x).sum())
    assert np.array_equal(H.pattern(X).to_scipy().toarray() != 0, np.eye(6) != 0)
    L = ft.lagrangian_hessian(lambda x: (x**2).sum(), running)
    assert_close(np.diag(L(X, np.ones(6)).toarray()), 2.0 + 2.0 * np.arange(5.0, -1.0, -1.0))


@pytest.mark.parametrize("steps", [10, 10_000])
def test_a_fixed_point_ends_the_search(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rounds there are, as many are looked at as the sets still grow."""
    walks, begin = [0], Walk.__init__

    def counted(self: Any, *args: Any, **kwargs: Any) -> None:
        walks[0] += 1
        begin(self, *args, **kwargs)

    monkeypatch.setattr(Walk, "__init__", counted)
    J = ft.spjacobian(lambda x: ft.fori_loop(0, steps, lambda i, c: c + 0.1 * np.pad(c[1:], (0, 1)), x))
    assert J.pattern(X).nnz == 21
    assert walks[0] <= 9
    L = ft.spjacobian(lambda x: ft.scan(lambda c, _: (c * 0.5, c[0]), x, length=steps)[1])
    assert L.pattern(X).nnz == steps
    walks[0] = 0
    window = ft.spjacobian(lambda x: ft.scan(lambda c, e: ((c[1], c[2], e), c[0] * c[1] + e), (0.0, 0.0, 0.0), x)[1])
    assert window.pattern(np.ones(steps)).nnz == 3 * steps - 5
    final = ft.spjacobian(lambda x: ft.scan(lambda c, e: (c * np.repeat(e, 2), None), x[:2], x[2:])[0])
    assert final.pattern(np.ones(steps + 2)).nnz == 2 * (steps + 1)
    repeated = ft.spjacobian(lambda p: ft.scan(lambda c, t: (c * p[0] + p[1] * t, c), 1.0, np.arange(float(steps)))[1])
    assert repeated.pattern(np.ones(2)).nnz == 2 * steps - 2
    held = ft.spjacobian(lambda p: ft.scan(lambda c, e: (c + e, None), 1.0, np.repeat(p, steps // 2))[0])
    assert held.pattern(np.ones(2)).nnz == 2
    assert walks[0] <= 16


def test_a_pattern_that_no_machine_holds_is_refused_before_it_is_made() -> None:
    with pytest.raises(ft.OutOfMemory, match="4999950000 entries"):
        ft.spjacobian(running).pattern(np.ones(100_000))


def test_the_reason_for_an_entry() -> None:
    text = ft.spjacobian(running).pattern(X).explain(3, 1)
    assert "RESULT [3] of (6,)" in text and "argument [1] of (6,)" in text
    lanes = ft.spjacobian(lambda x: ft.map(lambda r: running(r), x.reshape(2, 3)).reshape(6))
    assert "argument [3] of (6,)" in lanes.pattern(X).explain(4, 3)


def test_a_loop_beside_something_else() -> None:
    mixed = ft.spjacobian(lambda x: np.concatenate([running(x), np.cos(x)]))
    assert_close(mixed(X).toarray(), np.vstack([2 * X * np.tri(6, k=-1), np.diag(-np.sin(X))]))


def test_constant_entries_are_left_alone() -> None:
    J = ft.spjacobian(lambda x: np.concatenate([3.0 * x, ft.fori_loop(0, 2, lambda i, c: 2.0 * c, x)]))
    out = J.empty_values(X)
    assert_close(J.values(X, out=out), np.repeat([3.0, 4.0], 6))
    assert_close(J.values(X), np.repeat([3.0, 4.0], 6))


def test_products_from_the_left_where_there_are_any() -> None:
    row = ft.spjacobian(lambda x: running(x)[-1], partition="row")
    assert_close(row(X).toarray(), np.append(2 * X[:-1], 0)[None, :] * np.array([[1, 1, 1, 1, 1, 0]]))
    rounds = lambda x: ft.while_loop(lambda c: c.sum() < 99, lambda c: c * 2, x)  # noqa: E731
    assert ft.spjacobian(rounds)(X).shape == (6, 6)
    with pytest.raises(ft.UnsupportedError, match="while_loop"):
        ft.spjacobian(rounds, partition="row")(X)


@pytest.mark.parametrize(("last", "way"), [(True, ("compressed", "row")), (False, ("direct", None))])
def test_products_in_a_loop_of_few_numbers_are_as_cheap_as_terms(last: bool, way: tuple[str, str | None]) -> None:
    """Numbers of a round stay in registers: the last state by all controls takes three rows, that of all rounds not."""

    def states(u: Any) -> Any:
        def step(s: Any, v: Any) -> Any:
            k = np.stack([s[1], -np.sin(s[0]) + v * np.cos(s[2]), s[0] * s[1] - 0.3 * s[2]])
            k = np.stack([k[1], -np.sin(k[0]) + v * np.cos(k[2]), k[0] * k[1] - 0.3 * k[2]])
            return s + 0.1 * k, s

        found = ft.scan(step, np.array([0.1, 0.2, 0.3]), u)
        return found[0] if last else found[1]

    plan = ft.spjacobian(states).plan(np.ones(120))
    assert (plan.method, plan.partition) == way, plan
