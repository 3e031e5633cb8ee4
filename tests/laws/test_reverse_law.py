"""Reverse mode is the transpose of forward mode: <J t, c> = <t, J' c>, on programs with kinks, integers and maps."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.testing.pool import numbers
from functrans.testing.programs import RandomProgram as Program
from tests.laws.references import assert_close, interpreted

SEEDS = st.integers(0, 2**32)


def as_tuple(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


def inner(a: Any, b: Any) -> float:
    """The sum of the products of two tuples of arrays; an int or bool has no part in it."""
    pairs = [(np.asarray(x), np.asarray(y)) for x, y in zip(a, b, strict=True)]
    return float(sum((x * y).sum() for x, y in pairs if x.dtype.kind == "f" and y.dtype.kind == "f"))


def of_shape(rng: np.random.Generator, like: Any) -> tuple[Any, ...]:
    return tuple(numbers(rng, np.shape(x)) for x in like)


def transposed(f: Any, primals: Any, tangents: Any, cotangents: Any) -> Any:
    """The result of f, its tangents, and the cotangents of its arguments."""
    value, tangent = ft.jvp(f, primals, tangents)
    pulled = ft.vjp(f, *primals)[1](cotangents if isinstance(value, tuple) else cotangents[0])
    return as_tuple(value), as_tuple(tangent), pulled


def assert_transposed(f: Any, primals: tuple[Any, ...], seed: int, context: Any, n: int | None = None) -> None:
    """The law along random directions."""
    rng = np.random.default_rng(seed)
    tangents = of_shape(rng, primals)
    lanes = [as_tuple(f(*primals))] if n is None else [as_tuple(f(*(x[0] for x in primals)))]
    shapes = [np.zeros(np.shape(y) if n is None else (n, *np.shape(y))) for y in lanes[0]]
    cotangents = of_shape(rng, shapes)
    mapped = f if n is None else ft.vmap(f)
    flat = interpreted(lambda p, t, c: transposed(mapped, p, t, c), primals, tangents, cotangents)
    k = len(shapes)
    tangent, pulled = flat[k : 2 * k], flat[2 * k :]
    assert [p.shape for p in pulled] == [x.shape for x in primals], context
    pairs = [(x, y) for x, y, v in zip(tangent, cotangents, flat[:k], strict=True) if v.dtype.kind == "f"]
    forward, backward = inner(*zip(*pairs, strict=True)) if pairs else 0.0, inner(tangents, pulled)
    scale = 1.0 + sum(np.abs(x * y).sum() for x, y in zip(tangents, pulled, strict=True))
    assert abs(forward - backward) <= 1e-11 * scale, f"{forward} and {backward}\n{context}"


def drawn_program(seed: int, n: int | None = None) -> tuple[Program, tuple[Any, ...]]:
    program = Program(random.Random(seed), 8)
    rng = np.random.default_rng(seed)
    lead = () if n is None else (n,)
    return program, tuple(rng.uniform(-2, 2, (*lead, *s)) for s in program.shapes)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_vjp_is_the_transpose_of_jvp(seed: int) -> None:
    program, primals = drawn_program(seed)
    assert_transposed(program, primals, seed, program)


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_vjp_of_a_map(seed: int, n: int) -> None:
    program, primals = drawn_program(seed, n)
    assert_transposed(program, primals, seed, program, n)


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_a_captured_argument_gets_the_sum_of_all_lanes(seed: int, n: int) -> None:
    """The last argument is the same for every lane; a loop adds the cotangents of the lanes."""
    program, primals = drawn_program(seed, n)
    *mapped, last = primals
    shared = last[0]
    axes = (*(0 for _ in mapped), None)
    rng = np.random.default_rng(seed)
    cts = tuple(numbers(rng, (n, *np.shape(y))) for y in program(*(x[0] for x in mapped), shared))

    def pull(args: Any, cotangents: Any) -> Any:
        f = ft.vmap(program, in_axes=axes) if mapped else ft.vmap(program, in_axes=axes, axis_size=n)
        return ft.vjp(f, *args)[1](cotangents)

    *own, together = interpreted(pull, (*mapped, shared), cts)

    def lane(args: Any, cotangents: Any) -> Any:
        return ft.vjp(program, *args)[1](cotangents)

    lanes = [interpreted(lane, (*(x[k] for x in mapped), shared), tuple(c[k] for c in cts)) for k in range(n)]
    assert_close(together, sum(one[-1] for one in lanes), 1e-11, program)
    for j, got in enumerate(own):
        assert_close(got, np.stack([one[j] for one in lanes]), 1e-11, program)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_a_map_of_pullbacks(seed: int, n: int) -> None:
    """vmap around vjp: the point fixed and the cotangents mapped, and both mapped, against loops."""
    program, primals = drawn_program(seed)
    rng = np.random.default_rng(seed)
    cts = tuple(numbers(rng, (n, *np.shape(y))) for y in program(*primals))
    many = tuple(rng.uniform(-2, 2, (n, *x.shape)) for x in primals)

    def pull(args: Any, cotangents: Any) -> Any:
        return ft.vjp(program, *args)[1](cotangents)

    lanes = [interpreted(pull, primals, tuple(c[k] for c in cts)) for k in range(n)]
    fixed = interpreted(ft.vmap(pull, in_axes=(None, 0)), primals, cts)
    around = interpreted(lambda p, c: ft.vmap(ft.vjp(program, *p)[1])(c), primals, cts)
    for j, (got, other) in enumerate(zip(fixed, around, strict=True)):
        assert_close(got, np.stack([one[j] for one in lanes]), 1e-12, program)
        assert_close(other, got, 1e-12, program)
    lanes = [interpreted(pull, tuple(x[k] for x in many), tuple(c[k] for c in cts)) for k in range(n)]
    for j, got in enumerate(interpreted(ft.vmap(pull), many, cts)):
        assert_close(got, np.stack([one[j] for one in lanes]), 1e-12, program)


@settings(max_examples=8, deadline=None)
@given(SEEDS)
@example(3120482)  # lanes: a read whose gate is the same for all of them, and did not stand yet
def test_outside_of_a_trace(seed: int) -> None:
    """Value and pullback run one after the other, on what was stored, and give what one graph gives."""
    program, primals = drawn_program(seed)
    mapped = ft.vmap(program)
    many = tuple(np.stack([x, 0.5 * x]) for x in primals)
    cts = of_shape(np.random.default_rng(seed), [np.zeros((2, *np.shape(y))) for y in program(*primals)])
    value, pullback = ft.vjp(mapped, *many)
    for got, want in zip(value, mapped(*many), strict=True):
        assert_close(got, want, 0.0, program)
    wanted = interpreted(lambda p, c: ft.vjp(mapped, *p)[1](c), many, cts)
    for got, want in zip(pullback(cts), wanted, strict=True):
        assert_close(got, want, 1e-12, program)
