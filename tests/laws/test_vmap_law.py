"""vmap is a Python loop: on random programs, any axes, any depth, distinct lanes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.ops import GroupOp
from functrans.ops.interpret import interpret
from functrans.ops.uop import toposort
from functrans.testing.pool import numbers
from functrans.testing.programs import RandomProgram as Program
from tests.backend.executed import executed
from tests.laws.references import assert_close, interpreted, loop

LANES = 48  # no more in all: the reference is a Python loop
Way = tuple[str, str]
PLAIN: Way = ("vmapin", "loop")
WAYS: tuple[Way, ...] = tuple(itertools.product(("vmapin", "rewrite", "pad_reduce"), ("loop", "outer")))


class Level(NamedTuple):
    """One of several maps: the size of its axis, where it is in the arguments and in the results, how it is written."""

    size: int
    axes: tuple[int | None, ...]
    out: int
    closed: bool  # over the arguments that are not mapped
    way: Way


class Nest:
    """Maps inside one another around a program, by ``ft.vmap`` and by loops, and arguments for them.

    Levels are given from the innermost to the outermost. An argument that a level does not map is passed with
    None, or is closed over, which must come to the same. A level is written by a method and an axis type from
    ``ways``.
    """

    def __init__(
        self, program: Program, draw: random.Random, depth: int, empty: float = 0.05, ways: Sequence[Way] = WAYS
    ) -> None:
        self.program, self.levels = program, []
        rng = np.random.default_rng(draw.getrandbits(32))
        shapes, lanes = list(program.shapes), 1
        self.plain: Callable[..., Any] = program
        for _ in range(depth):
            n = 0 if draw.random() < empty else draw.choice([s for s in (1, 2, 2, 3, 3) if lanes * s <= LANES])
            lanes *= max(n, 1)
            chosen = draw.sample(range(len(shapes)), draw.randint(1, len(shapes)))
            axes = [draw.choice([0, 1, -1, len(s)]) if k in chosen else None for k, s in enumerate(shapes)]
            axes = [None if a is None else max(min(a, len(s)), -len(s) - 1) for a, s in zip(axes, shapes, strict=True)]
            for k, a in enumerate(axes):
                if a is not None:
                    place = a % (len(shapes[k]) + 1)
                    shapes[k] = (*shapes[k][:place], n, *shapes[k][place:])
            out, closed = draw.choice([0, 0, -1]), draw.random() < 0.5
            self.levels.append(Level(n, tuple(axes), out, closed, draw.choice(ways)))
            self.plain = loop(self.plain, axes, out)
        self.mapped = self.written([level.way for level in self.levels])
        self.args = [numbers(rng, s) for s in shapes]

    def written(self, ways: Sequence[Way]) -> Callable[..., Any]:
        """The maps, each level in another way."""
        f: Callable[..., Any] = self.program
        for level, (method, kind) in zip(self.levels, ways, strict=True):
            make = _closing if level.closed else ft.vmap
            f = make(f, level.axes, level.out, method=method, axis_type=kind)
        return f

    def __repr__(self) -> str:
        return f"{self.program!r}\nlevels, innermost first: {self.levels}\narguments {[a.shape for a in self.args]}"


def _closing(f: Callable[..., Any], axes: tuple[int | None, ...], out: int, **way: str) -> Callable[..., Any]:
    """vmap of a function that closes over the arguments that are not mapped."""

    def mapped(*args: Any) -> Any:
        def inner(*slices: Any) -> Any:
            rest = iter(slices)
            return f(*(x if a is None else next(rest) for x, a in zip(args, axes, strict=True)))

        return ft.vmap(inner, tuple(a for a in axes if a is not None), out, **way)(
            *(x for x, a in zip(args, axes, strict=True) if a is not None)
        )

    return mapped


def check(got: Any, nest: Nest) -> None:
    for g, w in zip(got, nest.plain(*nest.args), strict=True):
        assert_close(g, w, context=nest)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_maps_are_loops(seed: int, depth: int) -> None:
    draw = random.Random(seed)
    nest = Nest(Program(draw, 8), draw, depth)
    check(interpreted(nest.mapped, *nest.args), nest)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_compiled_maps_are_loops(seed: int, depth: int) -> None:
    draw = random.Random(seed)
    nests = [Nest(Program(draw, 6), draw, depth) for _ in range(3)]
    every = ft.jit(lambda *groups: [n.mapped(*g) for n, g in zip(nests, groups, strict=True)])
    results = every(*(n.args for n in nests))
    for got, nest in zip(results, nests, strict=True):
        check(got, nest)


@pytest.mark.parametrize("depth", range(1, 7))
def test_compiled_at_every_depth(depth: int) -> None:
    draw = random.Random(depth)
    nest = Nest(Program(draw, 8, shapes=((2, 3, 4), (4, 2))), draw, depth, empty=0.0)
    check(nest.mapped(*nest.args), nest)


def same_bits(got: Any, wanted: Any, context: Any) -> None:
    for g, w in zip(got, wanted, strict=True):
        assert (g.shape, g.dtype, g.tobytes()) == (w.shape, w.dtype, w.tobytes()), context


def by_statements(f: Callable[..., Any], args: Sequence[Any]) -> list[Any]:
    """The results of f by its kernels' statements, one by one: scheduled, but not compiled.

    Steps between kernels are none of these statements: of a graph that has some, node by node.
    """
    graph = ft.jit(f).lower(*args).graph
    run = interpret if any(u.op in GroupOp.Host for u in toposort(graph.outputs)) else executed
    return run(graph.outputs, dict(zip(graph.params, map(np.asarray, args), strict=True)))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_every_mix_of_ways_gives_the_same_bits(seed: int, depth: int) -> None:
    """Methods and axis types mixed in one nest, against the same nest of VMAPIN and LOOP alone, and a loop."""
    draw = random.Random(seed)
    nest = Nest(Program(draw, 5, matrices=False), draw, depth, empty=0.1)
    got = by_statements(nest.mapped, nest.args)
    check(got, nest)
    same_bits(got, by_statements(nest.written([PLAIN] * depth), nest.args), nest)


@pytest.mark.parametrize("depth", range(1, 7))
def test_compiled_mixes_give_the_same_bits(depth: int) -> None:
    """One program at every depth, all levels alike and three random mixes; launches are those of the OUTER levels."""
    draw = random.Random(depth)
    nest = Nest(Program(draw, 8, shapes=((2, 3, 4), (4, 2)), matrices=False), draw, depth, empty=0.0)
    wanted = ft.jit(nest.written([PLAIN] * depth))(*nest.args)
    check(wanted, nest)
    for ways in [[w] * depth for w in WAYS[1:]] + [[draw.choice(WAYS) for _ in range(depth)] for _ in range(3)]:
        f = ft.jit(nest.written(ways))
        same_bits(f(*nest.args), wanted, (nest, ways))
        outer = [level.size for level, (_, kind) in zip(nest.levels, ways, strict=True) if kind == "outer"]
        assert max(k.launches for k in f.lower(*nest.args).kernels) == prod(outer)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 5]))
def test_the_place_of_the_axis_does_not_matter(seed: int, n: int) -> None:
    """Mapping over any axis of an array is mapping over axis 0 of the array with that axis moved to the front."""
    draw = random.Random(seed)
    program = Program(draw, 6, shapes=(draw.choice([(2, 3, 4), (3, 1), (4,)]),))
    shape = program.shapes[0]
    x = numbers(np.random.default_rng(seed), (n, *shape))
    front = interpreted(ft.vmap(program), x)
    for axis in range(len(shape) + 1):
        moved = interpreted(ft.vmap(program, in_axes=axis), np.moveaxis(x, 0, axis))
        for a, b in zip(front, moved, strict=True):
            assert_close(b, a, 0.0, program)
