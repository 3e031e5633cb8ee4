"""The law of sharding: a function of sharded arrays is the function of the whole arrays, on any number of domains."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.ops.interpret import interpret
from functrans.testing.pool import SHAPES
from tests.laws.references import assert_close, interpreted
from tests.laws.strategies import Program, programs, sample

LAWS = settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
DOMAINS = ("CPU", "CPU:1", "CPU:2")
Arrays = list[np.ndarray[Any, Any]]
pytestmark = pytest.mark.usefixtures("compiler")


def as_tuple(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


def dealt(draw: Any, args: Arrays) -> list[Any]:
    """The arrays over one to three domains, each along any axis, or whole, or not placed at all."""
    devices = DOMAINS[: draw(st.integers(1, 3))]
    laid: list[Any] = []
    for x in args:
        axis = draw(st.sampled_from([None, "plain", *range(x.ndim), *range(x.ndim)]))
        laid.append(x if axis == "plain" else ft.Tensor(x).shard(devices, axis=axis))
    return laid


@st.composite
def sharded(draw: Any, smooth: bool = False, arguments: int = 2) -> tuple[Program, Arrays, list[Any]]:
    shapes = [draw(st.sampled_from(SHAPES)) for _ in range(draw(st.integers(1, arguments)))]
    p = draw(programs(smooth=smooth, shapes=shapes, matrices=False))
    args = sample(p.shapes, draw(st.integers(0, 9)))
    return p, args, dealt(draw, args)


def compare(f: Callable[..., Any], args: Any, laid: Any, context: Any) -> tuple[Any, ...] | None:
    """The results of f on the sharded arguments, which are those of the whole ones; None where it is refused."""
    try:
        got = as_tuple(f(*laid))
    except ft.UnsupportedError as error:
        assert "values that lie differently" in str(error)
        return None
    for g, w in zip(got, interpreted(f, *args), strict=True):
        assert_close(g, w, 1e-12, context)
    return got


@LAWS
@given(sharded())
def test_sharded_is_whole(case: tuple[Program, Arrays, list[Any]]) -> None:
    p, args, laid = case
    compare(ft.jit(p), args, laid, p)


@LAWS
@given(sharded(arguments=1))
def test_one_argument_is_never_refused_for_other_domains(case: tuple[Program, Arrays, list[Any]]) -> None:
    """What stays sharded stays, what cannot is gathered; refused is only what meets along two axes."""
    p, args, laid = case
    ran = compare(ft.jit(p), args, laid, p)
    meets = any(len(re.findall(r"v\d", line.partition("=")[2])) > 1 for line in repr(p).splitlines())
    assert ran is not None or meets, p


@LAWS
@given(sharded(arguments=1))
def test_the_interpreter_knows_shards(case: tuple[Program, Arrays, list[Any]]) -> None:
    p, args, laid = case
    graph = ft.jit(p).lower(*laid).graph
    found = interpret(graph.outputs, dict(zip(graph.params, args, strict=True)))
    for got, wanted in zip(found, interpreted(p, *args), strict=True):
        assert_close(got, wanted, 1e-12, p)


@st.composite
def mapped(draw: Any) -> tuple[Program, Any, Any, Arrays, list[Any]]:
    p = draw(programs(smooth=True, most=4, matrices=False))
    n = draw(st.sampled_from([1, 2, 3, 5]))
    axes = [draw(st.sampled_from([None, 0, -1])) for _ in p.shapes]
    axes[0] = axes[0] if axes[0] is not None else 0
    shapes = tuple(s if a is None else (n, *s) if a == 0 else (*s, n) for s, a in zip(p.shapes, axes, strict=True))
    args = sample(shapes, draw(st.integers(0, 9)))
    return p, tuple(axes), draw(st.sampled_from([0, -1])), args, dealt(draw, args)


@LAWS
@given(mapped())
def test_maps_of_sharded_arrays(case: Any) -> None:
    p, in_axes, out_axis, args, laid = case
    compare(ft.vmap(p, in_axes, out_axis), args, laid, (p, in_axes))


@LAWS
@given(mapped(), st.sampled_from(["vmapin", "rewrite", "pad_reduce"]), st.sampled_from(["loop", "outer"]))
def test_a_map_over_the_sharded_axis_is_sharded(case: Any, method: str, axis_type: str) -> None:
    """Along the mapped axis everything stays where it is: no value is refused, whatever the function."""
    p, in_axes, _, args, _ = case
    laid = [x if a is None else ft.Tensor(x).shard(DOMAINS, axis=a) for x, a in zip(args, in_axes, strict=True)]
    f = ft.vmap(p, in_axes, method=method, axis_type=axis_type)
    found = compare(f, args, laid, (p, in_axes))
    assert found is not None
    for y in found:
        assert y.device == DOMAINS or not depends(p, in_axes, args)


def depends(p: Program, in_axes: Any, args: Arrays) -> bool:
    """Whether every result of the program depends on a mapped argument."""
    graph = (
        ft.jit(p)
        .lower(*(x if a is None else x[0] if a == 0 else x[..., 0] for x, a in zip(args, in_axes, strict=True)))
        .graph
    )
    mapped = {q for q, a in zip(graph.params, in_axes, strict=True) if a is not None}
    return all(mapped & set(o.toposort()) for o in graph.outputs)


@settings(LAWS, max_examples=12)
@given(sharded(smooth=True))
def test_derivatives_of_sharded_arrays(case: tuple[Program, Arrays, list[Any]]) -> None:
    p, args, laid = case

    def loss(*xs: Any) -> Any:
        return sum(np.sum(np.sin(y)) for y in as_tuple(p(*xs)))

    tangents = tuple(np.cos(1.0 + x) for x in args)
    compare(lambda *xs: ft.jvp(p, xs, tangents)[1], args, laid, p)
    compare(ft.grad(loss, argnums=tuple(range(len(args)))), args, laid, p)


@LAWS
@given(st.sampled_from([1, 2, 3]), st.sampled_from([0, 1, 2, 3, 7, 16]), st.integers(0, 2), st.integers(0, 99))
def test_elementwise_functions_are_bitwise_the_same(count: int, n: int, axis: int, seed: int) -> None:
    shape = [2, 3, 4]
    shape[axis] = n
    x = np.random.default_rng(seed).normal(size=shape)

    @ft.jit
    def f(x: Any) -> Any:
        return np.exp(np.sin(x) * 3.0) / (1.0 + x * x), np.where(x > 0.1, np.sqrt(np.abs(x)), -0.0), x > 0, x.T * 2

    for got, wanted in zip(f(ft.Tensor(x).shard(DOMAINS[:count], axis)), f(x), strict=True):
        assert got.numpy().tobytes() == wanted.tobytes()
