"""What an inner loop leaves, and what a routine makes, is made in the array that reads it: nothing is copied."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import functrans as ft

pytestmark = pytest.mark.usefixtures("compiler")
N, LANES = 30, 19
LOOP = re.compile(r"for \(long long (\w+) = 0; \1 < \d+; \1\+\+\) \{\n((?:[^{}]*;\n)+)\s*\}")
COPY = re.compile(r"\s*(?:const \w+ \w+ = m\d+_\d\[(\w+)\];|m\d+_\d\[(\w+)\] = v\w+;)")


def nested(x: np.ndarray) -> np.ndarray:
    """Two carries of an inner loop, which ends in each lane when it does."""

    def outer(_: int, c: np.ndarray) -> np.ndarray:
        def smaller(s: tuple[float, np.ndarray]) -> tuple[float, np.ndarray]:
            return s[0] + 1.0, np.cos(s[1][::-1]) * 0.5 * s[1]

        rounds, made = ft.while_loop(lambda s: (s[1] * s[1]).sum() > 1.0, smaller, (1.0, c))
        return np.sin(made) + 3.0 * np.roll(made, 1) / rounds

    return ft.fori_loop(0, 4, outer, x)


def kept(x: np.ndarray) -> np.ndarray:
    """An inner loop whose start, result and neighbor are all read behind it."""

    def outer(_: int, c: np.ndarray) -> np.ndarray:
        made = ft.fori_loop(0, 3, lambda _, s: np.cos(s[::-1]) + 0.1 * c, c)
        again = ft.fori_loop(0, 2, lambda _, s: np.sin(s) + 0.1 * made[::-1], made)
        return made - 0.5 * again + 0.25 * c

    return ft.fori_loop(0, 4, outer, x)


def solving(x: np.ndarray) -> np.ndarray:
    """A routine, of which the right-hand side is read once more."""
    a = 9.0 * np.eye(N)

    def step(_: int, c: np.ndarray) -> np.ndarray:
        right = np.sin(c)
        return np.linalg.solve(a + np.outer(c, c), right) * 5.0 + right

    return ft.fori_loop(0, 3, step, x)


def copies(text: str) -> int:
    """Loops that move the elements of one array of a program to another and do nothing else."""
    bodies = [lines.splitlines() for _, lines in LOOP.findall(text)]
    return sum(all(map(COPY.fullmatch, lines)) for lines in bodies)


# of those left each is the beginning or the end of a round, or the right-hand side that a routine works on
@pytest.mark.parametrize(("f", "most"), [(nested, 0), (kept, 5), (solving, 2)])
def test_nothing_is_copied_from_where_it_was_made(f: Callable[[np.ndarray], np.ndarray], most: int) -> None:
    x = np.random.default_rng(0).uniform(1, 3, (LANES, N))
    mapped = ft.jit(ft.vmap(f))
    assert copies(mapped.lower(x).c_source) <= most
    whole = mapped(x)
    for k in (0, 7, LANES - 1):
        assert np.array_equal(mapped(x[k : k + 1])[0], whole[k])


def plainly(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """The same by loops of Python and NumPy."""
    for _ in range(3 if f is solving else 4):
        if f is solving:
            x = np.linalg.solve(9.0 * np.eye(N) + np.outer(x, x), np.sin(x)) * 5.0 + np.sin(x)
        elif f is nested:
            rounds, made = 1.0, x
            while (made * made).sum() > 1.0:
                rounds, made = rounds + 1.0, np.cos(made[::-1]) * 0.5 * made
            x = np.sin(made) + 3.0 * np.roll(made, 1) / rounds
        else:
            made = x
            for _ in range(3):
                made = np.cos(made[::-1]) + 0.1 * x
            again = made
            for _ in range(2):
                again = np.sin(again) + 0.1 * made[::-1]
            x = made - 0.5 * again + 0.25 * x
    return x


@pytest.mark.parametrize("f", [nested, kept, solving])
def test_values(f: Callable[[np.ndarray], np.ndarray]) -> None:
    x = np.random.default_rng(1).uniform(1, 3, (LANES, N))
    got = ft.jit(ft.vmap(f))(x)
    for row, mine in zip(x, got, strict=True):
        np.testing.assert_allclose(mine, plainly(f, row), rtol=1e-10)
