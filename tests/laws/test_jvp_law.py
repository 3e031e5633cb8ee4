"""jvp is the derivative: the complex step on NumPy, linear in the tangent, the same under a map."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.testing.pool import numbers
from functrans.testing.programs import RandomProgram as Program
from tests.laws.references import assert_close, complex_step, interpreted

SEEDS = st.integers(0, 2**32)


def drawn(seed: int, smooth: bool, steps: int = 8) -> tuple[Program, list[Any], list[Any]]:
    """A program, primals and tangents; the primals have no two elements alike."""
    program = Program(random.Random(seed), steps, smooth=smooth)
    rng = np.random.default_rng(seed)
    primals = [rng.uniform(-2, 2, s) for s in program.shapes]
    return program, primals, [numbers(rng, s) for s in program.shapes]


def both(program: Program) -> Any:
    return lambda primals, tangents: ft.jvp(program, primals, tangents)


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_jvp_is_the_complex_step(seed: int) -> None:
    program, primals, tangents = drawn(seed, smooth=True)
    results = interpreted(both(program), tuple(primals), tuple(tangents))
    n = len(program.outputs)
    for got, wanted in zip(results[:n], program(*primals), strict=True):
        assert_close(got, wanted, context=program)
    for got, wanted in zip(results[n:], complex_step(program, primals, tangents), strict=True):
        assert_close(got, wanted, context=program)


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_compiled_jvp_is_the_complex_step(seed: int) -> None:
    cases = [drawn(seed + k, smooth=True, steps=6) for k in range(3)]
    results = ft.jit(lambda *groups: [ft.jvp(c[0], *g) for c, g in zip(cases, groups, strict=True)])(
        *((tuple(p), tuple(t)) for _, p, t in cases)
    )
    for (program, primals, tangents), (values, derivatives) in zip(cases, results, strict=True):
        for got, wanted in zip(values, program(*primals), strict=True):
            assert_close(got, wanted, context=program)
        for got, wanted in zip(derivatives, complex_step(program, primals, tangents), strict=True):
            assert_close(got, wanted, context=program)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 1.0, -2.0, 0.5]))
def test_jvp_is_linear_in_the_tangent(seed: int, scale: float) -> None:
    """Of every program, kinks and integers too: D(a s + t) = a D(s) + D(t)."""
    program, primals, s = drawn(seed, smooth=False)
    t = [numbers(np.random.default_rng(seed + 1), x.shape) for x in primals]
    n = len(program.outputs)

    def pushed(tangents: list[Any]) -> Any:
        return interpreted(both(program), tuple(primals), tuple(tangents))[n:]

    sums = pushed([scale * a + b for a, b in zip(s, t, strict=True)])
    for of_sum, of_s, of_t, value in zip(sums, pushed(s), pushed(t), program(*primals), strict=True):
        assert_close(of_sum, scale * of_s + of_t, 1e-11, context=program)
        assert of_sum.dtype == np.float64
        if np.asarray(value).dtype.kind != "f":
            assert not of_sum.any()


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.sampled_from([1, 2, 3]))
def test_jvp_and_vmap_commute(seed: int, n: int) -> None:
    """jvp of a map is the map of jvp; also where the tangent, or the primal, is the same for every lane."""
    program, primals, tangents = drawn(seed, smooth=False, steps=6)
    rng = np.random.default_rng(seed)
    xs = tuple(rng.uniform(-2, 2, (n, *x.shape)) for x in primals)
    ts = tuple(rng.uniform(-2, 2, (n, *x.shape)) for x in primals)
    outside = interpreted(lambda p, t: ft.jvp(ft.vmap(program), p, t), xs, ts)
    inside = interpreted(ft.vmap(lambda p, t: ft.jvp(program, p, t)), xs, ts)
    for a, b in zip(outside, inside, strict=True):
        assert_close(a, b, 1e-13, program)
    fixed = interpreted(ft.vmap(lambda p, t: ft.jvp(program, p, t), in_axes=(0, None)), xs, tuple(tangents))
    repeated = tuple(np.stack([t] * n) for t in tangents)
    for a, b in zip(fixed, interpreted(lambda p, t: ft.jvp(ft.vmap(program), p, t), xs, repeated), strict=True):
        assert_close(a, b, 1e-13, program)
