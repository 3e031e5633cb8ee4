"""Loops that are shared: parts of one array, results of one shape; and kernels in parts where nothing is shared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend.schedule.independence import Walk, iterations_independent, never_meets
from functrans.backend.schedule.kernels import Kernel
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import is_global
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import toposort

X = np.random.default_rng(0).normal(size=(130, 4))


def pendulum(s: Any) -> Any:
    """Two steps of RK4 for rows of angle and speed, as one writes it with NumPy."""

    def rhs(s: Any) -> Any:
        return np.stack([s[..., 1], -np.sin(s[..., 0])], axis=-1)

    for _ in range(2):
        a = rhs(s)
        b = rhs(s + 0.05 * a)
        c = rhs(s + 0.05 * b)
        s = s + 0.1 / 6 * (a + 2 * b + 2 * c + rhs(s + 0.1 * c))
    return s


ONE: dict[str, Callable[[Any], Any]] = {
    "two results": lambda x: (np.sin(x) * np.exp(x), np.cos(x) * np.exp(x)),
    "a result read by another": lambda x: (np.exp(x), np.exp(x) * x, (np.exp(x) * x).T.T + 1),
    "columns": lambda x: np.stack([np.exp(x[:, 0]) * x[:, 1], np.exp(x[:, 0]) + x[:, 2]], axis=-1),
    "under operations": lambda x: 2 * np.stack([np.exp(x[:, 0]), np.exp(x[:, 0]) + x[:, 2]], axis=-1) - x[:, 2:],
    "end to end": lambda x: np.concatenate([np.exp(x[:, 0]) * x[:, 1], np.exp(x[:, 0]) + x[:, 2]]),
    "rows in front": lambda x: np.stack([np.exp(x[:, 1]), np.exp(x[:, 1]) * x[:, 2]]) * 3,
    "steps": lambda x: pendulum(x[:, :2]),
}


def same(f: Callable[[Any], Any], x: Any) -> None:
    for got, want in zip(tree.flatten(ft.jit(f)(x))[0], tree.flatten(f(x))[0], strict=True):
        np.testing.assert_allclose(got, np.asarray(want), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("name", ONE)
def test_one_kernel_and_nothing_stored_between(name: str) -> None:
    cost = ft.jit(ONE[name]).lower(X).cost()
    assert cost.kernels == 1
    written = sum(a.nbytes for a in tree.flatten(ft.jit(ONE[name])(X))[0])
    assert (cost.bytes_read, cost.bytes_written) == (X.nbytes, written)


@pytest.mark.parametrize("rows", [0, 1, 5, 130])
@pytest.mark.parametrize("name", ONE)
def test_values(name: str, rows: int) -> None:
    same(ONE[name], X[:rows])


def test_one_result_twice() -> None:
    same(lambda x: (x + 1, ft.stop_gradient(x + 1), (x + 1)[::-1][::-1]), X)


def test_a_result_that_reads_another_has_its_own_loop() -> None:
    def f(x: Any) -> Any:
        total = np.cumsum(np.exp(x), axis=0)
        return total, total[::-1] * x

    assert ft.jit(f).lower(X).cost().kernels == 2
    same(f, X)


def test_columns_of_a_reduction_are_not_summed_one_by_one() -> None:
    """What sums stays an array: a product of matrices is found as one."""
    w = np.random.default_rng(1).normal(size=(200, 4))

    def f(x: Any) -> Any:
        y = x @ w
        return np.stack([np.exp(y[:, 0]), y[:, 1] * y[:, 2], y[:, 3]], axis=-1)

    x = np.random.default_rng(2).normal(size=(300, 200))
    assert any(u.op is Ops.WMMA for k in ft.jit(f).lower(x).kernels for u in toposort(k.roots))
    np.testing.assert_allclose(ft.jit(f)(x), f(x), rtol=1e-11, atol=1e-11)


def drawn(seed: int) -> tuple[Callable[..., Any], list[np.ndarray]]:
    """A program of arrays with few columns, put side by side, end to end and taken apart again."""
    rng = np.random.default_rng(seed)
    rows, depth = int(rng.choice([1, 3, 70])), int(rng.integers(1, 4))
    width, axis = int(rng.integers(1, 5)), int(rng.integers(0, 3))
    plan = rng.integers(0, 5, size=(6, 2))

    def f(x: Any, y: Any) -> Any:
        found = []
        for kind, other in plan:
            k = int(other) % width
            a, b = x[..., k], y[..., width - 1 - k]
            part = (np.sin(a) * b, a + b, np.exp(-b * b), np.where(a > b, a, 2 * b), a * b[::-1])[kind]
            joined = np.stack([part, part * a, b][: 1 + depth % 3 or 1], axis=min(axis, part.ndim))
            x = x + 0.5 * np.stack([part + j for j in range(width)], axis=-1)
            found.append(joined * 2 - np.flip(joined, -1))
        whole = np.concatenate([np.reshape(p, -1) for p in found])
        return found[0], found[-1], whole, x, np.concatenate([x, y], axis=0) * 3

    shape = (rows, *rng.integers(1, 4, size=depth - 1), width)
    return f, [rng.normal(size=shape) for _ in range(2)]


@pytest.mark.parametrize("seed", range(14))
def test_random_programs(seed: int) -> None:
    f, args = drawn(seed)
    for got, want in zip(ft.jit(f)(*args), f(*args), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)


def test_loops_with_nothing_in_common_are_kernels_of_their_own() -> None:
    """Dynamics over all rows and a few boundary values: the long loop has lanes, and threads may share it."""

    def f(x: Any) -> Any:
        gaps = x[1:, :2] - pendulum(x[:-1, :2])
        return np.concatenate([gaps.reshape(-1), x[0, :3] - 1.0])

    lowered = ft.jit(f).lower(X)
    assert [len(k.stores) for k in lowered.kernels] == [2, 1]
    assert "k0_part" in lowered.c_source
    assert lowered.cost().bytes_written == f(X).nbytes
    same(f, X)


def test_a_sum_for_several_loops_is_made_once() -> None:
    def f(x: Any) -> Any:
        length = np.sqrt((x * x).sum())
        return np.concatenate([np.exp(np.sin(x[:, 0])) / length, np.exp(np.cos(x[:7, 1])) / length])

    assert ft.jit(f).lower(X).cost().kernels == 1
    same(f, X)


def walks(f: Callable[[Any], Any]) -> bool:
    """Whether the steps of the loop of the (first) kernel write places of their own."""
    kernel = ft.jit(f).lower(X).kernels[0]
    return iterations_independent(kernel, closed_by(kernel.stores[0])[0])


def test_what_never_meets_does_not() -> None:
    """Random stores in steps of a few sizes: no place is of two steps where it is said so, and some are said to be."""
    rng, said = np.random.default_rng(0), 0
    for _ in range(400):
        sizes, steps = rng.choice([-7, -3, 1, 2, 5, 8], 2), int(rng.integers(1, 6))
        stores: list[Walk | None] = []
        for _ in range(int(rng.integers(1, 5))):
            low = int(rng.integers(-20, 20))
            stores.append((int(rng.choice(sizes)), low, low + int(rng.integers(0, 3))))
        at = [{w[0] * i + p for w in stores if w for p in range(w[1], w[2] + 1)} for i in range(steps)]
        if never_meets(stores, steps):
            said += 1
            assert len(set().union(*at)) == sum(map(len, at)), (stores, steps)
    assert said > 100


def test_places_of_their_own() -> None:
    assert walks(lambda x: np.stack([x[:, 0], x[:, 1]], -1).reshape(-1))
    assert walks(lambda x: np.concatenate([x[:, 0], x[:, 1]]))
    (kernel,) = ft.jit(lambda x: np.stack([x[:, 0], x[:, 1]], -1).reshape(-1)).lower(X).kernels
    first, second = kernel.stores

    def moved(by: int, kernel: Kernel = kernel) -> Kernel:
        place = second.src[1]
        shifted = second.replace((second.src[0], sym.add(place, sym.const(by)), *second.src[2:]))
        return replace(kernel, parts={kernel.roots[0]: (first, shifted)})

    walked = closed_by(first)[0]
    assert iterations_independent(moved(0), walked)
    assert not iterations_independent(moved(1), walked)  # step i writes where step i + 1 does
    assert iterations_independent(moved(2 * len(X)), walked)  # beyond all that the first store reaches

    def apart(by: int) -> bool:
        """Every third place, and those that are so far behind."""
        at = [sym.add(sym.mul(s.src[1], 3), sym.const(c)) for s, c in ((first, 0), (second, by))]
        made = [s.replace((s.src[0], place, *s.src[2:])) for s, place in zip((first, second), at, strict=True)]
        return iterations_independent(replace(kernel, parts={kernel.roots[0]: tuple(made)}), walked)

    assert [by for by in range(-7, 8) if not apart(by)] == [-6, -3, 3, 6]  # places that other steps write


def joint(f: Callable[[Any], Any]) -> list[Kernel]:
    """The kernels of a function and the nonzeros of its Jacobian."""
    jacobian = ft.spjacobian(f, method="direct")
    return ft.jit(lambda x: (f(x), jacobian.values(x))).lower(X[:, 0]).kernels


def computed(kernels: list[Kernel], op: Ops) -> list[int]:
    """In how many places each kernel computes an op."""
    inside = [toposort(k.stores, enter=lambda u: not is_global(u)) for k in kernels]
    return [n for nodes in inside if (n := sum(u.op is op for u in nodes))]


def test_what_is_dear_is_computed_once_for_a_function_and_its_jacobian() -> None:
    def f(x: Any) -> Any:
        return np.exp(x[1:] * x[:-1]) + x[:-1]

    found = joint(f)
    assert computed(found, Ops.EXP) == [1]
    assert [len(k.roots) for k in found if computed([k], Ops.EXP)] == [2]
    got = ft.jit(lambda x: (f(x), ft.spjacobian(f).values(x)))(X[:, 0])
    np.testing.assert_array_equal(got[0], ft.jit(f)(X[:, 0]))
    np.testing.assert_array_equal(got[1], ft.spjacobian(f).values(X[:, 0]))


def test_what_is_cheap_is_computed_twice() -> None:
    """Loops that have little in common but their length are faster one after the other."""
    assert all(len(k.roots) == 1 for k in joint(lambda x: x[1:] * x[:-1] + x[:-1]))


def test_a_nonlinear_program_has_one_loop_over_its_stages() -> None:
    def g(x: Any) -> Any:
        s = x.reshape(-1, 2)
        angle, speed = s[:-1, 0], s[:-1, 1]
        for _ in range(2):
            angle, speed = angle + 0.1 * speed, speed - 0.1 * np.sin(angle)
        return (s[1:] - np.stack([angle, speed], axis=-1)).reshape(-1)

    problem = ft.nlp(lambda x: (x * x).sum(), g)
    x, lam = np.random.default_rng(3).normal(size=(2, 60))
    lam = lam[:-2]
    at = problem.values(x, lam, 0.5)
    kernels = problem._values.lower(x, lam, 0.5).kernels
    assert len(computed(kernels, Ops.SIN)) == len(computed(kernels, Ops.COS)) == 1
    np.testing.assert_allclose(at.g, g(x), rtol=1e-12)
    np.testing.assert_allclose(at.jacobian, ft.spjacobian(g).values(x), rtol=1e-12)
    np.testing.assert_allclose(at.hessian, problem.hessian.values(x, lam, 0.5), rtol=1e-12)
