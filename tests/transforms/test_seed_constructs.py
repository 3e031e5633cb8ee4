"""Every construct that the seeds list, by every method and axis type, over the first, a middle and the last axis.

Lanes are distinct random numbers; the reference is a Python loop over NumPy, and all ways to map must agree with one
another to the last bit. All constructs of a table are one program. That the three methods come to the same C is shown
over one axis of a table; over the others the graphs of two of them are computed node by node, as they were written.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import pytest

import functrans as ft
from tests.laws.references import assert_close, interpreted, loop
from tests.transforms.constructs import AFTER, TABLES, Y_SHAPE, body
from tests.transforms.kernels import depends

pytestmark = pytest.mark.usefixtures("compiler")  # the bits of outcomes that tests share are compared

BATCH = 3
METHODS, KINDS = ("vmapin", "rewrite", "pad_reduce"), ("loop", "outer")
WAYS = [(m, k) for m in METHODS for k in KINDS]


class Outcome(NamedTuple):
    """What a program gave and how it was scheduled."""

    values: tuple[Any, ...]
    launches: list[int]
    depends: list[set[int]]  # on which arguments, a kernel each
    c_source: str


def run(f: Any, args: list[Any]) -> Outcome:
    compiled = ft.jit(f)
    lowered = compiled.lower(*args)
    made = lowered.kernels
    return Outcome(compiled(*args), [k.launches for k in made], depends(made, lowered.graph.params), lowered.c_source)


@functools.cache
def arguments(table: str, axes: tuple[int | None, ...]) -> list[Any]:
    rng = np.random.default_rng(7)
    found = []
    for k, (shape, axis) in enumerate(zip(TABLES[table].lanes, axes, strict=True)):
        size = shape if axis is None else (BATCH, *shape)
        x = rng.integers(-3, 4, size) if k in TABLES[table].integers else rng.normal(size=size)
        found.append(x if axis is None else np.moveaxis(x, 0, axis))
    return found


@functools.cache
def wanted(table: str, axes: tuple[int | None, ...]) -> tuple[Any, ...]:
    with np.errstate(all="ignore"):
        return loop(lambda *lanes: tuple(f(*lanes) for _, _, f in TABLES[table].constructs), axes)(
            *arguments(table, axes)
        )


def mapped(table: str, axes: tuple[int | None, ...], method: str, kind: str) -> Any:
    every = lambda *lanes: tuple(f(*lanes) for _, f, _ in TABLES[table].constructs)  # noqa: E731
    return ft.vmap(every, axes, method=method, axis_type=kind)


@functools.cache
def outcome(table: str, axes: tuple[int | None, ...], method: str, kind: str) -> Outcome:
    return run(mapped(table, axes, method, kind), arguments(table, axes))


@functools.cache
def as_written(table: str, axes: tuple[int | None, ...], method: str) -> Any:
    """The values of the graph that the method makes, node by node."""
    return interpreted(mapped(table, axes, method, "loop"), *arguments(table, axes))


def same_bits(a: Any, b: Any, name: str) -> None:
    assert (a.shape, a.dtype, a.tobytes()) == (b.shape, b.dtype, b.tobytes()), name


CASES = [(table, axes) for table, entry in TABLES.items() for axes in entry.in_axes]
BY_EVERY_WAY = [("matrix", (1,)), ("vector", (-1,)), ("cube", (1,)), ("several", (-1, 1, None))]
SCHEDULED = [(*case, *way) for case in CASES for way in WAYS if way[0] == "vmapin" or case in BY_EVERY_WAY]


@pytest.mark.parametrize("table, axes, method, kind", SCHEDULED, ids=str)
def test_constructs(table: str, axes: tuple[int | None, ...], method: str, kind: str) -> None:
    got, reference = outcome(table, axes, method, kind), outcome(table, axes, "vmapin", "loop")
    for (name, _, _), g, w, r in zip(
        TABLES[table].constructs, got.values, wanted(table, axes), reference.values, strict=True
    ):
        assert_close(g, w, 1e-12, name)
        same_bits(g, r, name)


@pytest.mark.parametrize("method", METHODS[1:])
@pytest.mark.parametrize("table, axes", [case for case in CASES if case not in BY_EVERY_WAY], ids=str)
def test_constructs_as_they_are_written(table: str, axes: tuple[int | None, ...], method: str) -> None:
    found, reference = as_written(table, axes, method), as_written(table, axes, "vmapin")
    for (name, _, _), g, w, r in zip(TABLES[table].constructs, found, wanted(table, axes), reference, strict=True):
        assert_close(g, w, 1e-12, name)
        same_bits(g, r, name)


@pytest.mark.parametrize("table, axes, method", dict.fromkeys(row[:3] for row in SCHEDULED), ids=str)
def test_launches(table: str, axes: tuple[int | None, ...], method: str) -> None:
    """An OUTER kernel runs once an element of the batch; a LOOP, and what no mapped argument reaches, once."""
    assert set(outcome(table, axes, method, "loop").launches) == {1}
    outer = outcome(table, axes, method, "outer")
    mapped = {k for k, a in enumerate(axes) if a is not None}
    for launches, arguments_read in zip(outer.launches, outer.depends, strict=True):
        assert launches == (BATCH if arguments_read & mapped else 1) or not arguments_read
    assert BATCH in outer.launches


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table, axes", BY_EVERY_WAY, ids=str)
def test_one_text(table: str, axes: tuple[int | None, ...], kind: str) -> None:
    """The three methods come to the same C."""
    texts = {m: outcome(table, axes, m, kind).c_source for m in METHODS}
    assert texts["rewrite"] == texts["vmapin"]
    assert texts["pad_reduce"] == texts["vmapin"]


# 6.6 after the map


@pytest.mark.covering(1)
@pytest.mark.parametrize("method, kind", WAYS)
@pytest.mark.parametrize("axis, out", [(0, 0), (1, 2), (-1, 1)])
def test_after_the_map(axis: int, out: int, method: str, kind: str) -> None:
    lanes = np.random.default_rng(8).normal(size=Y_SHAPE)
    x = np.moveaxis(lanes, 0, axis)
    mapped = ft.vmap(body, axis, out, method=method, axis_type=kind)
    got = ft.jit(lambda x: tuple(f(np.moveaxis(mapped(x), out, 0)) for _, f, _ in AFTER))(x)
    y = loop(body, [axis], 0)(x)
    for (name, _, plain), g in zip(AFTER, got, strict=True):
        assert_close(g, plain(y), 1e-12, name)


@pytest.mark.parametrize("method, kind", WAYS)
def test_mapped_again(method: str, kind: str) -> None:
    """A result is an ordinary array: mapped again, over another axis than the one it came from."""
    x = np.random.default_rng(9).normal(size=(6, 4, 3))
    rows = lambda r: r * r.sum()  # noqa: E731

    def twice(x: Any) -> Any:
        return ft.vmap(rows, 1, method=method, axis_type=kind)(ft.vmap(body, 1, 2, method=method, axis_type=kind)(x))

    assert_close(ft.jit(twice)(x), loop(rows, [1])(loop(body, [1], 2)(x)))


# 6.7 and 6.8: nests, several inputs


@pytest.mark.parametrize("method, kind", WAYS)
@pytest.mark.parametrize("depth", [2, 3, 4])
def test_nests(depth: int, method: str, kind: str) -> None:
    """With reductions, and with a product of matrices; each level over another axis."""
    x = np.random.default_rng(10).normal(size=(2, 3, 2, 3, 4, 4)[: depth + 2])

    def f(m: Any) -> Any:
        return (m - m.sum()) @ m.T, m.max(axis=0)

    mapped, plain = f, f
    for level in range(depth):
        mapped, plain = ft.vmap(mapped, level, method=method, axis_type=kind), loop(plain, [level])
    made = ft.jit(mapped)
    for got, wanted in zip(made(x), plain(x), strict=True):
        assert_close(got, wanted)
    launches = int(np.prod(x.shape[:depth])) if kind == "outer" else 1
    assert {k.launches for k in made.lower(x).kernels} == {launches}


@pytest.mark.parametrize("method, kind", WAYS)
@pytest.mark.parametrize("axes", [(0, 0, 0), (1, 0, 2), (0, None, None), (None, 0, 1), (2, None, 0)])
def test_several_inputs(axes: tuple[int | None, ...], method: str, kind: str) -> None:
    def f(a: Any, b: Any, c: Any) -> Any:
        return (a * b[: a.shape[0], None]).sum(axis=0) + c[0, :1]

    rng, lanes = np.random.default_rng(11), [(4, 2), (4,), (2, 2)]
    args = [rng.normal(size=s if a is None else (*s[:a], 3, *s[a:])) for s, a in zip(lanes, axes, strict=True)]
    assert_close(ft.vmap(f, axes, method=method, axis_type=kind)(*args), loop(f, axes)(*args))
