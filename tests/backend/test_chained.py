"""Calls of programs with sparse systems between kernels: one entry point, the same bits, what fails the long way."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend.launch import Launch
from functrans.backend.sparse import engine, plan
from functrans.errors import LinAlgError

pytestmark = pytest.mark.usefixtures("compiler")

N = 12
RNG = np.random.default_rng(3)
MASK = (RNG.random((N, N)) < 0.3) | np.eye(N, dtype=bool)
PLACES = np.nonzero(MASK)
VALUES = np.where(PLACES[0] == PLACES[1], 4.0, RNG.normal(size=len(PLACES[0])))
B = RNG.normal(size=(N, 2))


def dense(v: Any) -> Any:
    a = np.zeros((*v.shape[:-1], N, N))
    a[..., PLACES[0], PLACES[1]] = v
    return a


def matrix(v: Any) -> Any:
    return ft.sparse(v, (*PLACES, (N, N)))


def between(v: Any, b: Any) -> Any:
    """Kernels before and behind, and a result that a kernel and the caller have."""
    x = ft.spsolve(matrix(v * v + 1.0), b[:, 0] - 1.0)
    return x, 2.0 * x + b[:, 1]


def twice(v: Any, b: Any) -> Any:
    """Factors that two solutions share, of which one is with the transpose."""
    f = matrix(v).factor()
    return f.solve(b[:, 0]), f.solve(b[:, 1])


def turned(v: Any, b: Any) -> Any:
    return ft.grad(lambda v: (ft.spsolve(matrix(v), b[:, 0]) ** 2).sum())(v)


def many(v: Any, b: Any) -> Any:
    """Systems with one matrix for a right-hand side each, which stand the other way round."""
    return ft.vmap(lambda b: ft.spsolve(matrix(v), b), in_axes=1, out_axis=1)(b)


def in_turn(v: Any, b: Any) -> Any:
    return ft.spsolve(matrix(v), ft.spsolve(matrix(v + 0.5), b[:, 0]))


def expected(f: Callable[..., Any], v: Any, b: Any) -> Any:
    """The same by NumPy."""
    a, solve = dense(v), np.linalg.solve
    if f is turned:
        x = solve(a, b[:, 0])
        return (-np.outer(solve(a.T, 2 * x), x)[PLACES],)
    if f is between:
        x = solve(dense(v * v + 1.0), b[:, 0] - 1.0)
        return x, 2.0 * x + b[:, 1]
    if f is in_turn:
        return (solve(a, solve(dense(v + 0.5), b[:, 0])),)
    return tuple(solve(a, b).T) if f is twice else (solve(a, b),)


@pytest.mark.parametrize("f", [between, twice, turned, in_turn])
def test_a_call_is_one_entry_point_and_has_the_same_bits(f: Callable[..., Any]) -> None:
    program = ft.jit(f).lower(VALUES, B).compile().program
    record = program.short()
    assert program.record() is None and record is not None
    launch = Launch()
    launch.add(record, tree.TreeDef(tuple, None, (tree.LEAF,) * len(record.outputs)))
    given, out = (VALUES, B), tuple(np.empty(shape, dtype) for shape, dtype in record.outputs)
    long = program(given)
    for short in (launch.call(given, None), launch.call(given, out)):
        for a, b, c in zip(short, long, expected(f, VALUES, B), strict=True):
            np.testing.assert_array_equal(a, b)
            np.testing.assert_allclose(a, c, rtol=1e-9, atol=1e-12)


def test_columns_that_are_turned_into_lanes_go_the_long_way() -> None:
    program = ft.jit(many).lower(VALUES, B).compile().program
    assert program.short() is None
    np.testing.assert_allclose(program((VALUES, B))[0], expected(many, VALUES, B)[0], rtol=1e-9)


def test_what_fails_the_check_is_solved_or_refused_as_before() -> None:
    solve = ft.jit(lambda v, b: ft.spsolve(matrix(v), b))
    small, singular = VALUES.copy(), VALUES.copy()
    small[PLACES[0] == PLACES[1]] = 1e-40  # pivots that the pattern suggests
    singular[PLACES[0] == 5] = 0.0
    for _ in range(3):  # the first call is a long one
        np.testing.assert_allclose(solve(VALUES, B[:, 0]), np.linalg.solve(dense(VALUES), B[:, 0]), rtol=1e-9)
        with pytest.raises(LinAlgError, match="singular"):
            solve(singular, B[:, 0])
    record = solve.lower(small, B[:, 0]).compile().program.short()
    launch = Launch()
    launch.add(record, tree.TreeDef(tuple, None, (tree.LEAF,)))
    assert launch.call((small, B[:, 0]), None) is NotImplemented


@pytest.mark.parametrize("systems", [1, 9])
def test_short_calls_find_better_code_for_their_pattern(monkeypatch: pytest.MonkeyPatch, systems: int) -> None:
    """After so many systems one call goes the long way, where the code is written; the next ones call that."""
    for table in ("_systems", "_addresses", "_entries"):
        monkeypatch.setattr(engine, table, OrderedDict())
    work = 3 * systems * plan.symbolic(*PLACES, N).products
    monkeypatch.setattr(engine, "WORK", work if systems > 1 else work // engine.LANES)
    f = ft.vmap(lambda v, b: ft.spsolve(matrix(v), b))
    v, b = VALUES * RNG.uniform(0.9, 1.1, (systems, 1)), RNG.normal(size=(systems, N))
    program = ft.jit(f).lower(v, b).compile().program
    record = program.short()  # which makes a call, too
    launch = Launch()
    launch.add(record, tree.TreeDef(tuple, None, (tree.LEAF,)))
    (want,) = launch.call((v, b), None)
    assert len(engine._entries) == 1 and launch.call((v, b), None) is NotImplemented
    (address,) = engine._addresses.values()
    loops = address[0]
    np.testing.assert_array_equal(program((v, b))[0], want)
    assert len(engine._entries) == 2 and address[0] != loops
    for _ in range(4):
        np.testing.assert_array_equal(launch.call((v, b), None)[0], want)

