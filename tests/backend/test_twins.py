"""Kernels that are the same function of other arrays are written once, and mean what each of them means."""

from __future__ import annotations

import re

import numpy as np
import pytest

import functrans as ft

RNG = np.random.default_rng(0)


def steps(read, count, dtype=np.float64):
    """A chain of steps, each stored for the next one, in NumPy's words; the step t reads what ``read`` says."""

    def f(w, x):
        h = np.zeros(w.shape[-1], dtype)
        for t in range(count):
            h = np.tanh(w @ h + read(x, t))
        return h

    return f


READS = {
    "a row": (lambda x, t: x[t], (9, 20)),
    "a row from the end": (lambda x, t: x[-1 - t], (9, 20)),
    "numbers along two axes": (lambda x, t: x[t % 3, t // 3], (3, 3, 20)),
    "a column": (lambda x, t: x[:, t], (20, 9)),
    "two rows": (lambda x, t: x[t] + x[(t + 1) % 9], (9, 20)),
    "a part of a row": (lambda x, t: x[t, 3:23], (9, 30)),
    "a row by another": (lambda x, t: x[t][x[0].astype(np.int64) % 5], (9, 20)),
    "a matrix": (lambda x, t: x[t].sum(0), (9, 4, 20)),
}


REAL = [(name, np.float64) for name in READS]
COMPLEX = [(name, np.complex128) for name in READS if name != "a row by another"]  # complex numbers are no places


@pytest.mark.parametrize(("name", "dtype"), [*REAL, *COMPLEX])
def test_steps_mean_what_they_mean_alone(compiler: None, name: str, dtype: type) -> None:
    read, shape = READS[name]
    f = steps(read, 9, dtype)
    w, x = 0.2 * RNG.normal(size=(20, 20)), RNG.normal(size=shape).astype(dtype)
    assert np.allclose(ft.jit(f)(w, x), f(w, x), rtol=1e-12, atol=1e-14)


def test_batches_of_any_size_share_them(compiler: None) -> None:
    f = steps(READS["a row"][0], 6)
    mapped = ft.jit(ft.vmap(f, in_axes=(None, 1)))
    w = 0.2 * RNG.normal(size=(20, 20))
    for batch in (1, 3, 17):
        x = RNG.normal(size=(9, batch, 20))
        expected = [f(w, x[:, k]) for k in range(batch)]
        assert np.allclose(mapped(w, x), expected, rtol=1e-12, atol=1e-14)


def functions(text: str) -> int:
    """How many kernels a C text has."""
    return len(re.findall(r"^static .* void k\d+\(", text, re.MULTILINE))


def test_steps_of_an_unrolled_loop_are_one_function() -> None:
    w, x = np.zeros((20, 20)), np.zeros((30, 20))
    counts = {}
    for count in (8, 30):
        lowered = ft.jit(ft.grad(lambda w, x, n=count: steps(READS["a row"][0], n)(w, x).sum())).lower(w, x)
        assert len(lowered.kernels) > count
        counts[count] = functions(lowered.c_source)
    assert counts[8] == counts[30] < 8


def test_what_differs_in_more_is_another_function() -> None:
    def f(w, x):
        h = np.zeros(20)
        for t in range(4):
            h = np.tanh(w @ h + (1.0 + t) * x[t])
        return h

    assert functions(ft.jit(f).lower(np.zeros((20, 20)), np.zeros((4, 20))).c_source) >= 4


def test_the_passes_tell_of_each() -> None:
    lowered = ft.jit(steps(READS["a row"][0], 5)).lower(np.zeros((20, 20)), np.zeros((9, 20)))
    plan = lowered.program.plan
    told = lowered.program.recorded()
    assert {s.kernel for s in told.stages if s.kernel} == {k.name for k in plan.kernels}
    assert told.c_text == plan.c_source
