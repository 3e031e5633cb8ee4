"""vmap is a Python loop: on random programs, any axes, any depth, distinct lanes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from tests.laws.programs import Program, numbers
from tests.laws.references import assert_close, interpreted, loop

LANES = 48  # no more in all: the reference is a Python loop


class Nest:
    """Maps inside one another around a program, by ``ft.vmap`` and by loops, and arguments for them.

    Levels are given from the innermost to the outermost. An argument that a level does not map is passed with
    None, or is closed over, which must come to the same.
    """

    def __init__(self, program: Program, draw: random.Random, depth: int, empty: float = 0.05) -> None:
        self.program, self.levels = program, []
        rng = np.random.default_rng(draw.getrandbits(32))
        shapes, lanes = list(program.shapes), 1
        self.mapped: Callable[..., Any] = program
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
            self.levels.append((n, tuple(axes), out, "closed over" if closed else "passed"))
            make = _closing if closed else ft.vmap
            self.mapped, self.plain = make(self.mapped, tuple(axes), out), loop(self.plain, axes, out)
        self.args = [numbers(rng, s) for s in shapes]

    def __repr__(self) -> str:
        return f"{self.program!r}\nlevels, innermost first: {self.levels}\narguments {[a.shape for a in self.args]}"


def _closing(f: Callable[..., Any], axes: tuple[int | None, ...], out: int) -> Callable[..., Any]:
    """vmap of a function that closes over the arguments that are not mapped."""

    def mapped(*args: Any) -> Any:
        def inner(*slices: Any) -> Any:
            rest = iter(slices)
            return f(*(x if a is None else next(rest) for x, a in zip(args, axes, strict=True)))

        return ft.vmap(inner, tuple(a for a in axes if a is not None), out)(
            *(x for x, a in zip(args, axes, strict=True) if a is not None)
        )

    return mapped


def check(got: Any, nest: Nest) -> None:
    for g, w in zip(got, nest.plain(*nest.args), strict=True):
        assert_close(g, w, context=nest)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_maps_are_loops(seed: int, depth: int) -> None:
    draw = random.Random(seed)
    nest = Nest(Program(draw, 8), draw, depth)
    check(interpreted(nest.mapped, *nest.args), nest)


@settings(max_examples=20, deadline=None)
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


@settings(max_examples=100, deadline=None)
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
