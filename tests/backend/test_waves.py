"""Sines, cosines and tangents: the same bits whatever else is in a loop, and far arguments right."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.ops import Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.kernel import closing
from tests.backend.executed import executed, lowered

pytestmark = pytest.mark.usefixtures("compiler")
FAR = [2.0**20 * (1 + 2.0**-52), 1e9, -1e22, 6381956970095103 * 2.0**797, np.inf, -np.inf, np.nan]


def chain(x: np.ndarray) -> np.ndarray:
    return np.sin(x) * np.exp(-abs(x)) + np.cos(2.0 * x) - np.tan(x)


def total(x: np.ndarray) -> np.ndarray:
    return (np.sin(x) * x).sum()


def running(x: np.ndarray) -> np.ndarray:
    return np.cumsum(np.cos(x))


def drawn(n: int, far: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.uniform(-4, 4, n)
    x[rng.integers(0, max(n, 1), far)] = rng.choice(FAR[:4], far)
    return x


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 31, 32, 41, 1541])
def test_a_far_argument_changes_no_other_bit(n: int, dtype: type) -> None:
    f = ft.jit(chain)
    x = drawn(n, 0).astype(dtype)
    alone = f(x)
    for place in {0, n // 2, n - 1} & set(range(n)):
        for far in FAR:
            y = x.copy()
            with np.errstate(over="ignore"):
                y[place] = far
            got = f(y)
            assert np.array_equal(np.delete(got, place), np.delete(alone, place))
            with np.errstate(all="ignore"):
                want = chain(y.astype(np.float64))[place]
            np.testing.assert_allclose(got[place], want, rtol=1e-13 if dtype is np.float64 else 1e-5)


@pytest.mark.parametrize("far", [0, 3])
@pytest.mark.parametrize("body", [chain, total, running])
@pytest.mark.parametrize("n", [5, 40, 100, 1300])
def test_a_row_has_the_same_bits_in_every_batch(n: int, body: Callable[[np.ndarray], np.ndarray], far: int) -> None:
    x = np.stack([drawn(n, far, seed) for seed in range(5)])
    x[2] = drawn(n, 0, 9)  # a row without far arguments between others
    f = ft.jit(ft.vmap(body))
    whole = f(x)
    for k in range(5):
        assert np.array_equal(f(x[k : k + 1])[0], whole[k])
        np.testing.assert_allclose(whole[k], body(x[k]), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("far", [0, 2])
@pytest.mark.parametrize("size", [3, 8, 21])
def test_statements_mean_what_the_arrays_mean(size: int, far: int) -> None:
    x = source.param((2, size), dtypes.float64)
    wave = B.alu(Ops.SIN, x)
    nested = B.alu(Ops.COS, B.mul(wave, wave))
    running_sum = UOp(Ops.CUMULATE, x.dtype, (nested,), (Ops.ADD, 1))
    outputs = [B.add(wave, nested), B.reduce_axis(wave, Ops.ADD, (1,)), running_sum]
    values = {x: np.stack([drawn(size, far, seed) for seed in range(2)])}
    for got, want in zip(executed(outputs, values), interpret(outputs, values), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13)
    for kernel in lowered(outputs)[1]:
        closing(kernel.uops)


def test_a_sine_of_a_running_sum() -> None:
    def states(x: np.ndarray) -> np.ndarray:
        return np.sin(np.cumsum(x))

    x = drawn(50, 3)
    np.testing.assert_allclose(ft.jit(states)(x), states(x), rtol=1e-12)


def turned(x: np.ndarray) -> np.ndarray:
    def step(_: int, s: np.ndarray) -> np.ndarray:
        angle = s[1] * 1.7
        return np.stack([s[0] * np.cos(angle) + np.sin(angle), np.sin(angle) - 2.0 * np.cos(s[0])])

    return ft.fori_loop(0, 3, step, x)


def test_functions_of_one_argument_are_tested_once() -> None:
    x = np.stack([drawn(2, 0, seed) for seed in range(19)])
    x[4, 1], x[7, 0] = 1e9, -1e9
    f = ft.jit(ft.vmap(turned))
    text = f.lower(x).c_source
    tests = re.findall(r"if \(__builtin_expect\(ft_any.*ft_abs_f64x\d+\((\w+)\)\)\), 0\)\)", text)
    assert tests and len(set(tests)) == len(tests)
    assert re.search(r"ft_cosfar_f64x\d+\((\w+)\); \w+ = ft_sinfar_f64x\d+\(\1\);", text)
    whole = f(x)
    for k in range(len(x)):
        assert np.array_equal(f(x[k : k + 1])[0], whole[k])
