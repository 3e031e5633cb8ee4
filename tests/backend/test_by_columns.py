"""Arrays of few columns as their columns: the same values, and one kernel where a map of the rows would be one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.pipeline import Program
from functrans.backend.policy import SHORT_ROUNDS
from functrans.backend.schedule.columns import by_columns
from functrans.backend.schedule.rangeify import counted
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.uop import toposort

F = dtypes.float64
ROWS = 70
S = np.random.default_rng(0).normal(size=(ROWS, 3))


def lorenz(s: Any) -> Any:
    x, y, z = s[..., 0], s[..., 1], s[..., 2]
    return np.stack([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8 / 3 * z], axis=-1)


def pendulum(s: Any) -> Any:
    return np.concatenate([s[:, 1:2], -np.sin(s[:, :1]), s[:, 2:] * 0.9], axis=1)


def leading(s: Any) -> Any:
    """The axes the other way round, as columns are often kept."""
    x, y, z = s.T
    return np.stack([y * z, -x, np.cos(z)]).T


def shifted(s: Any) -> Any:
    """Differences along a row, padded, turned round and cut."""
    d = s[:, 1:] - s[:, :-1]
    return np.pad(d * d, ((0, 0), (1, 0)))[:, ::-1] * np.where(s > 0, s, 1.0) + s[:, :1]


FIELDS: dict[str, Callable[[Any], Any]] = {
    "lorenz": lorenz, "pendulum": pendulum, "leading": leading, "shifted": shifted
}  # fmt: skip


def steps(f: Callable[[Any], Any], s: Any) -> Any:
    for _ in range(2):
        a = f(s)
        b = f(s + 0.05 * a)
        c = f(s + 0.05 * b)
        s = s + 0.1 / 6 * (a + 2 * b + 2 * c + f(s + 0.1 * c))
    return s


def cost(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda s: (steps(f, s) ** 2).sum()


DERIVATIVES: dict[str, Callable[[Callable[[Any], Any]], Callable[[Any], Any]]] = {
    "values": lambda f: lambda s: steps(f, s),
    "tangents": lambda f: lambda s: ft.jvp(lambda s: steps(f, s), (s,), (s * s,)),
    "gradient": lambda f: ft.grad(cost(f)),
    "pullback": lambda f: lambda s: ft.vjp(lambda s: steps(f, s), s)[1](s * s),
    "second": lambda f: lambda s: ft.hvp(cost(f))(s, s * s),
}


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("derivative", DERIVATIVES)
def test_derivatives_of_stacked_steps_are_one_kernel(name: str, derivative: str) -> None:
    f = DERIVATIVES[derivative](FIELDS[name])
    assert ft.jit(f).lower(S).cost().kernels == 1


@pytest.mark.parametrize("name", FIELDS)
def test_their_values(name: str) -> None:
    for derivative in ("gradient", "second"):
        f = DERIVATIVES[derivative](FIELDS[name])
        np.testing.assert_allclose(ft.jit(f)(S), f(S), rtol=1e-9, atol=1e-10)
        np.testing.assert_array_equal(ft.jit(f)(S[:5]), ft.jit(f)(S)[:5])


def drawn(rng: np.random.Generator, x: UOp, y: UOp) -> UOp:
    """A random program on arrays of few columns, of shape (ROWS, 3) after each round."""
    known = [x, y]
    for _ in range(12):
        a, b = (known[k] for k in rng.integers(len(known), size=2))
        column = [B.reshape(B.shrink(v, ((0, ROWS), (k, k + 1))), (ROWS,)) for v in (a, b) for k in range(3)]
        first, second = rng.choice(3, size=2, replace=False)
        match int(rng.integers(12)):
            case 0:
                new = B.stack(tuple(column[k] for k in rng.integers(6, size=3)), 1)
            case 1:
                rows = B.neg(B.stack(tuple(column[k] for k in rng.integers(6, size=3)), 0))
                new = B.permute(B.mul(rows, B.permute(a, (1, 0))), (1, 0))
            case 2:
                new = B.cat((B.shrink(a, ((0, ROWS), (0, 2))), B.shrink(b, ((0, ROWS), (2, 3)))), 1)
            case 3:
                new = B.pad(B.shrink(a, ((0, ROWS), (1, 3))), ((0, 0), (int(first > second), int(first <= second))))
            case 4:
                new = B.flip(a, (bool(first), True))
            case 5:
                new = B.where(B.lt(a, b), a, B.expand(B.reshape(column[0], (ROWS, 1)), (ROWS, 3)))
            case 6:
                new = B.reshape(B.neg(B.reshape(a, (ROWS // 10, 10, 1, 3))), (ROWS, 3))
            case 7:
                new = B.mul(B.reshape(a, (3, ROWS)), B.reshape(b, (3, ROWS)))
                new = B.reshape(new, (ROWS, 3))
            case 8:  # read as a whole
                new = B.gather(a, B.full((ROWS,), dtypes.int64, 4))
            case 9:
                op = (Ops.ADD, Ops.MAX, Ops.MUL)[first]
                new = B.expand(B.reshape(B.reduce_axis(b, op, (1,)), (ROWS, 1)), (ROWS, 3))
            case 10:
                new = B.expand(B.reshape(B.reduce_axis(a, Ops.MAX, (0,)), (1, 3)), (ROWS, 3))
            case _:
                new = B.add(a, B.mul(b, B.full((ROWS, 3), F, 0.5)))
        known.append(new)
    return known[-1]


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_mean_what_they_meant(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = source.param((ROWS, 3), F), source.param((ROWS, 3), F)
    root = drawn(rng, x, y)
    given = {u: rng.choice([0.0, -0.0, 1.5, -2.0, np.inf, np.nan], size=(ROWS, 3)) for u in (x, y)}
    with np.errstate(invalid="ignore"):
        (want,), (found,) = interpret([root], given), interpret(by_columns([root]), given)
    np.testing.assert_array_equal(found, want)
    np.testing.assert_array_equal(np.signbit(found) & (found == 0), np.signbit(want) & (want == 0))


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_compiled(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    x, y = source.param((ROWS, 3), F), source.param((ROWS, 3), F)
    roots = [drawn(rng, x, y), drawn(rng, x, y)]
    given = {u: rng.normal(size=(ROWS, 3)) for u in (x, y)}
    for found, want in zip(Program(roots, [x, y])([given[x], given[y]]), interpret(roots, given), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12)


def joined(rows: int, columns: int) -> UOp:
    x = source.param((rows, columns), F)
    parts = [B.reshape(B.shrink(x, ((0, rows), (k, k + 1))), (rows,)) for k in range(columns)]
    return B.neg(B.stack(tuple(parts), 1))


@pytest.mark.parametrize(
    "rows, columns, apart", [(100, 3, True), (100, SHORT_ROUNDS, True), (100, SHORT_ROUNDS + 1, False), (3, 3, False)]
)
def test_only_long_arrays_of_few_columns_are_taken_apart(rows: int, columns: int, apart: bool) -> None:
    (root,) = by_columns([joined(rows, columns)])
    assert root.op is (Ops.STACK if apart else Ops.NEG)


def test_a_column_that_is_taken_out_is_what_was_put_in() -> None:
    x, y = source.param((ROWS,), F), source.param((ROWS,), F)
    both = B.stack((x, B.neg(y)), 1)
    (second,) = by_columns([B.reshape(B.shrink(both, ((0, ROWS), (1, 2))), (ROWS,))])
    assert second is B.neg(y)


def test_places_that_ranges_count() -> None:
    r, q = UOp.range(10), UOp.range(4)
    index = B.add(B.mul(B.cast(r, dtypes.int64), UOp.const(dtypes.int64, 4)), B.cast(q, dtypes.int64))
    found = counted(B.inside(index, 40))
    assert found is not None and found.free_ranges == {r, q}
    assert counted(B.gather(source.param((40,), dtypes.int64), B.inside(index, 40))) is None
    assert all(u.dtype == dtypes.index for u in toposort([found]))
