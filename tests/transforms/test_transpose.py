"""The rules of transposition: <A x, c> = <x, A' c> for every op that is linear, and refusals of those that are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.opdef import TABLE
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.ops.window import reduce
from functrans.transforms.transpose import transpose
from functrans.transforms.transpose_rules import RULES

RNG = np.random.default_rng(0)
W = RNG.standard_normal((2, 3, 4))
ROWS, COLUMNS = np.array([1, 0, 1, 1]), np.array([[2, 0], [0, 0]])
Linear = Callable[..., Any]
GONE = np.array([0, 5, 1, -4])  # places to write to, of three: two of them are none


def into(base: Any, index: Any, value: Any, mode: str) -> Any:
    return getattr(fnp.asarray(base).at[fnp.asarray(index)], mode)(value)


CASES: dict[str, tuple[Linear, tuple[tuple[int, ...], ...]]] = {
    "add": (lambda x, y: x + y, ((2, 3, 4), (2, 3, 4))),
    "sub": (lambda x, y: x - y, ((2, 3, 4), (2, 3, 4))),
    "add itself": (lambda x: x + x, ((2, 3, 4),)),
    "broadcast": (lambda x, y: x + y - W, ((3, 1), (4,))),
    "mul": (lambda x: W * x, ((2, 3, 4),)),
    "mul from the left": (lambda x: x * W, ((4,),)),
    "div": (lambda x: x / (2 + W * W), ((2, 3, 4),)),
    "neg": (lambda x: -x, ((2, 3, 4),)),
    "where": (lambda x, y: np.where(W > 0, x, y), ((2, 3, 4), (2, 3, 4))),
    "where of one": (lambda x: np.where(W > 0, x, 0.0), ((2, 3, 4),)),
    "float32": (lambda x: x.astype(np.float32).astype(np.float64), ((2, 3, 4),)),
    "contiguous": (lambda x: x.contiguous().contiguous_backward(), ((2, 3, 4),)),
    "reshape": (lambda x: x.reshape(4, 6), ((2, 3, 4),)),
    "permute": (lambda x: x.transpose(2, 0, 1), ((2, 3, 4),)),
    "expand": (lambda x: np.broadcast_to(x, (5, 2, 3, 4)), ((3, 1),)),
    "pad": (lambda x: np.pad(x, ((1, 0), (0, 2), (1, 1))), ((2, 3, 4),)),
    "shrink": (lambda x: x[1:, :2, 1:3], ((2, 3, 4),)),
    "steps": (lambda x: x[::-1, ::2, 3:0:-2], ((2, 3, 4),)),
    "flip": (lambda x: np.flip(x, 1), ((2, 3, 4),)),
    "stack": (lambda x, y: np.stack([x, y, x], 2), ((2, 3, 4), (2, 3, 4))),
    "stack with a constant": (lambda x: np.stack([x, 0 * W, 2 * x], 3), ((2, 3, 4),)),
    "cat": (lambda x, y: np.concatenate([x, y, x], 1), ((2, 3, 4), (2, 1, 4))),
    "sum": (lambda x: x.sum(axis=(0, 2)), ((2, 3, 4),)),
    "sum of all": (lambda x: x.sum(), ((2, 3, 4),)),
    "mean": (lambda x: x.mean(axis=1, keepdims=True), ((2, 3, 4),)),
    "cumsum": (lambda x: np.cumsum(x, axis=1), ((2, 3, 4),)),
    "matmul": (lambda x: x @ np.ones((4, 5)), ((2, 3, 4),)),
    "einsum": (lambda x: np.einsum("ijk,lk->jl", x, np.arange(8.0).reshape(2, 4)), ((2, 3, 4),)),
    "gather": (lambda x: x[ROWS, COLUMNS[..., None]], ((2, 3, 4),)),
    "gather, clamped": (lambda x: x[fnp.asarray(np.array([0, 7, -9, 1])) * 1], ((3, 4),)),
    "scatter add": (lambda x, y: into(x, ROWS, y, "add"), ((2, 3), (4, 3))),
    "scatter add, dropped": (lambda x, y: into(x, GONE, y, "add"), ((3, 2), (4, 2))),
    "scatter set": (lambda x, y: into(x, ROWS, y, "set"), ((2, 3), (4, 3))),
    "scatter set, dropped": (lambda x, y: into(x, GONE, y, "set"), ((3, 2), (4, 2))),
    "scatter set of a base": (lambda x: into(x, ROWS, 0.0, "set"), ((2, 3),)),
    "scatter multiply": (lambda x: into(x, ROWS, W[0, 0, :, None], "multiply"), ((2, 3),)),
    "into nothing": (lambda x, y: into(x, np.array([0, 1]), y, "add"), ((0, 2), (2, 2))),
    "set into nothing": (lambda x, y: into(x, np.array([0, 1]), y, "set"), ((0, 2), (2, 2))),
    "of nothing": (lambda x: x.sum(axis=0), ((0, 2),)),
    "map": (lambda x: ft.vmap(lambda row: row * 2 + row[0])(x), ((2, 3),)),
    "captured": (lambda x, y: ft.vmap(lambda row: W[0] @ row + y)(x), ((2, 4), (3,))),
    "captured by two maps": (
        lambda x, y: ft.vmap(lambda a: ft.vmap(lambda b: (b * W[0]).sum() * y + a)(W[1]), out_axis=1)(x),
        ((2,), (3,)),
    ),
    "repeated": (lambda y: ft.vmap(lambda row: y * 2.0, axis_size=3, in_axes=None)(0.0), ((2,),)),
    "repeated twice": (lambda y: ft.vmap(lambda a: ft.vmap(lambda b: y + a)(W[0]))(y), ((2,),)),
}


@pytest.mark.parametrize("name", CASES)
def test_transposes(name: str) -> None:
    f, shapes = CASES[name]
    xs = tuple(RNG.standard_normal(s) for s in shapes)
    if name == "float32":
        xs = tuple(x.astype(np.float32).astype(np.float64) for x in xs)

    def at(*x: Any) -> Any:
        value = ft.jvp(f, x, x)[1]  # the linear part of f, without what is constant
        return value

    y = np.asarray(at(*xs))
    c = RNG.standard_normal(y.shape).astype(np.float32 if name == "float32" else np.float64).astype(np.float64)
    back = ft.linear_transpose(lambda *t: ft.jvp(f, xs, t)[1], *xs)(c)
    assert [b.shape for b in back] == list(shapes)
    np.testing.assert_allclose(sum((b * x).sum() for b, x in zip(back, xs, strict=True)), (y * c).sum(), atol=1e-12)


def test_indices_that_are_arguments() -> None:
    """Gathers wrap and clamp, writes wrap and drop; of writes to one place the last counts."""

    def f(x: Any, i: Any, v: Any) -> Any:
        return x[i], x.at[i].set(v), x.at[i].add(v)

    x, v = RNG.standard_normal((3, 2)), RNG.standard_normal((5, 2))
    places = np.array([2, -1, 7, 0, -9])
    shapes = ((5, 2), (3, 2), (3, 2))
    cts = tuple(RNG.standard_normal(s) for s in shapes)
    by_x, by_i, by_v = ft.jit(lambda i, c: ft.vjp(f, x, i, v)[1](c))(places, cts)
    read, written = [2, 2, 2, 0, 0], {2: 1, 0: 3}
    wanted = cts[1].copy() + cts[2]
    wanted[[2, 0]] -= cts[1][[2, 0]]
    np.add.at(wanted, read, cts[0])
    np.testing.assert_allclose(by_x, wanted)
    wanted = np.zeros((5, 2))
    for row, write in written.items():
        wanted[write] += cts[1][row]
    for write, row in ((0, 2), (1, 2), (3, 0)):
        wanted[write] += cts[2][row]
    np.testing.assert_allclose(by_v, wanted)
    assert by_i.dtype == np.float64 and not by_i.any()


def matrix(f: Any, n: int, dtype: Any) -> Any:
    """The columns f(e_k) of a real-linear function of n complex numbers, both parts apart."""
    columns = []
    for unit in (1, 1j) if np.dtype(dtype).kind == "c" else (1,):
        for k in range(n):
            e = np.zeros(n, dtype)
            e[k] = unit
            columns.append(np.asarray(f(e)).astype(complex))
    return np.stack(columns, 1)


COMPLEX: dict[str, tuple[Linear, Any]] = {
    "multiply": (lambda x: (2 - 3j) * x, np.complex128),
    "real": (lambda x: x.real, np.complex128),
    "imag": (lambda x: x.imag, np.complex128),
    "conj": (lambda x: np.conj(x), np.complex128),
    "to complex": (lambda x: x * (1 + 2j), np.float64),
    "to complex64": (lambda x: x.astype(np.complex64), np.float64),
    "all": (lambda x: (x * (1 + 2j)).imag + 3 * np.conj(x).real, np.complex128),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_transposes_pair_without_conjugation(name: str) -> None:
    """Re(c . A x) = Re(A' c . x), for the real and the imaginary direction of every element."""
    f, dtype = COMPLEX[name]
    y, back = ft.vjp(f, np.ones(3, dtype))
    c = RNG.standard_normal(3) + 1j * RNG.standard_normal(3)
    c = c.astype(y.dtype) if y.dtype.kind == "c" else c.real
    (pulled,) = back(c)
    assert pulled.dtype == dtype
    forward = matrix(lambda e: ft.jvp(f, (np.ones(3, dtype),), (e,))[1], 3, dtype)
    units = np.concatenate([np.eye(3), 1j * np.eye(3)]) if np.dtype(dtype).kind == "c" else np.eye(3)
    np.testing.assert_allclose((c @ forward).real, (units @ pulled).real, rtol=1e-6)


REFUSED: dict[str, Linear] = {
    "product": lambda x: x * x,
    "sum with a constant": lambda x: x + 1.0,
    "difference from a constant": lambda x: 1.0 - x,
    "quotient": lambda x: 1.0 / x,
    "sine": np.sin,
    "maximum": lambda x: x.max(),
    "product of all": lambda x: x.prod(),
    "cumprod": lambda x: np.cumprod(x),
    "to int": lambda x: x.astype(np.int64) * 1.0,
    "scatter max": lambda x: into(x, np.array([0]), 0.0, "max"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_linear_is_refused(name: str) -> None:
    with pytest.raises(ft.UnsupportedError, match=r"not linear.*test_transpose\.py"):
        ft.linear_transpose(REFUSED[name], np.ones(3))


def test_every_rule_is_of_an_op_and_nonlinear_ops_have_none() -> None:
    assert set(RULES) <= set(TABLE)
    assert not {Ops.SIN, Ops.MAX, Ops.POW, Ops.ABS, Ops.IDIV, Ops.BITCAST} & set(RULES)
    assert all(record.linear is not None for record in TABLE.values() if record.transpose is not None)


def test_detach_stops() -> None:
    np.testing.assert_array_equal(ft.grad(lambda x: (x * x.detach()).sum())(np.array([2.0, 3.0])), [2.0, 3.0])


def test_the_cotangent_of_contiguous_backward_is_stored() -> None:
    def count(f: Linear) -> int:
        return int(ft.make_graph(ft.grad(f))(np.ones(3)).ops().get("CONTIGUOUS", 0))

    assert count(lambda x: np.sin(x.contiguous_backward()).sum()) == 1
    assert count(lambda x: np.sin(x).sum()) == 0


def test_zero_is_nothing() -> None:
    """A cotangent that is zero by structure leaves no node behind."""
    x, t = param((3,), ft.dtypes.float64), param((3,), ft.dtypes.float64)
    assert transpose([B.mul(x, t)], [t, x], [None]) == [None, None]
    assert transpose([None], [t], [x]) == [None]
    (found,) = transpose([t], [t], [x])
    assert found is x


def test_a_range_that_is_open_around_is_not_summed() -> None:
    """A value read at a RANGE that the linear map does not close: the others get zero, and no sum is made."""
    x, c = param((3, 2), ft.dtypes.float64), param((2,), ft.dtypes.float64)
    r = UOp.range(3)
    zero = UOp.const(ft.dtypes.index, 0)
    (found,) = transpose([x.vmapin((r, zero))], [x], [c])
    assert found is not None
    assert found.free_ranges == {r}
    assert not any(u.op is Ops.REDUCE_AXIS for u in found.toposort())
    (got,) = interpret([found.vmapout((r, zero, zero))], {c: np.array([2.0, 5.0])})
    wanted = np.zeros((3, 3, 2))
    wanted[np.arange(3), np.arange(3)] = [2.0, 5.0]
    np.testing.assert_array_equal(got, wanted)


def test_a_sum_over_a_range() -> None:
    """REDUCE: of a slice, and of a value that is the same for every value of the RANGE."""
    x, c, r = param((3,), ft.dtypes.float64), param((), ft.dtypes.float64), UOp.range(3)
    for inside, wanted in ((x.vmapin((r,)), [2.0, 2.0, 2.0]), (B.reduce_axis(x, Ops.ADD, (0,)), [6.0, 6.0, 6.0])):
        (found,) = transpose([reduce(inside, Ops.ADD, r)], [x], [c])
        assert found is not None
        np.testing.assert_array_equal(interpret([found], {c: np.float64(2.0)})[0], wanted)


def test_what_a_map_repeats_gets_the_sum() -> None:
    """The result of a map that does not depend on the lane, and one that depends on one of two maps."""
    once = ft.linear_transpose(lambda y: ft.vmap(lambda row: y * 2.0)(np.ones(3)), np.ones(2))
    np.testing.assert_array_equal(once(np.arange(6.0).reshape(3, 2))[0], [12.0, 18.0])
    twice = ft.linear_transpose(lambda y: ft.vmap(lambda a: ft.vmap(lambda b: 2.0 * a)(np.ones(3)))(y), np.ones(2))
    np.testing.assert_array_equal(twice(np.arange(6.0).reshape(2, 3))[0], [6.0, 24.0])


def test_a_value_fixed_by_a_map_around_is_not_summed() -> None:
    """vjp inside of a map, of a function that captures the lane: every lane keeps its own cotangent."""
    rows = np.arange(6.0).reshape(3, 2)
    got = ft.vmap(lambda row: ft.vjp(lambda x: x * row, np.ones(2))[1](np.ones(2))[0])(rows)
    np.testing.assert_array_equal(got, rows)
    both = ft.vmap(lambda row: ft.vjp(lambda x: ft.vmap(lambda e: e * x)(row), 2.0)[1](np.ones(2))[0])(rows)
    np.testing.assert_array_equal(both, rows.sum(1))


def test_updates_by_factors_alone_vary() -> None:
    """Second derivatives where the base of an update by factors is fixed: no zeros are multiplied and added."""
    base = np.array([2.0, 0.0, np.inf])

    def f(v: Any) -> Any:
        return (fnp.asarray(base).at[np.array([0, 0, 1])].multiply(v)[:2] ** 2).sum()

    v = np.array([0.5, -1.5, 3.0])
    wanted = np.zeros((3, 3))
    wanted[:2, :2] = [[2 * 4 * 2.25, 4 * 4 * -0.75], [4 * 4 * -0.75, 2 * 4 * 0.25]]
    for outer in (ft.jacfwd, ft.jacrev):
        for inner in (ft.jacfwd, ft.jacrev):
            np.testing.assert_allclose(outer(inner(f))(v), wanted)


@pytest.mark.filterwarnings("ignore:this Python loop:functrans.FunctransWarning")
def test_a_long_chain() -> None:
    def f(x: Any) -> Any:
        for _ in range(3_000):
            x = x * 0.999 + np.float64(0.0)
        return x.sum()

    np.testing.assert_allclose(ft.grad(f)(np.ones(2)), 0.999**3_000 * np.ones(2), rtol=1e-10)
