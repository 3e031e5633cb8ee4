"""The values of a random program while it grows, and what picks among them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

Value = Any
Step = Callable[[list[Value]], Value]
Shape = tuple[int, ...]
SHAPES: tuple[Shape, ...] = (
    (2, 3, 4), (4, 2, 3), (3, 1, 2), (4, 2), (2, 5), (3,), (5,), (), (1, 1), (2, 0, 3)
)  # fmt: skip
MAX_MAGNITUDE, MAX_SIZE = 8.0, 160  # of a value


def numbers(rng: np.random.Generator, shape: Shape) -> Any:
    """Distinct multiples of a power of two: sums of a few are exact."""
    return rng.integers(-160, 160, shape) / 64.0 + rng.integers(0, 8, shape) / 4096.0


class Pool:
    """Arguments of the given shapes and the values of steps on them, on NumPy arrays, so that every step is valid."""

    def __init__(self, draw: random.Random, smooth: bool, pieces: bool, shapes: tuple[Shape, ...] | None) -> None:
        self.draw, self.smooth, self.pieces = draw, smooth, pieces
        self.rng = np.random.default_rng(draw.getrandbits(32))
        drawn = [draw.choice(SHAPES) for _ in range(draw.randint(1, 3))]
        self.shapes = tuple(drawn) if shapes is None else shapes
        self.steps: list[tuple[str, Step]] = []
        self.values: list[Value] = [numbers(self.rng, s) for s in self.shapes]

    def add(self, text: str, run: Step) -> None:
        """One more value, unless it is too large; seldom an empty one."""
        value = run(self.values)
        if np.size(value) <= MAX_SIZE and np.ndim(value) <= 5 and (np.size(value) or self.draw.random() < 0.15):
            self.values.append(value)
            self.steps.append((text, run))

    def pick(self, kinds: str = "f") -> int:
        """The place of a value of a dtype kind, recent ones more often."""
        fit = [k for k, v in enumerate(self.values) if np.asarray(v).dtype.kind in kinds]
        return fit[-1 - min(int(self.draw.expovariate(0.4)), len(fit) - 1)]

    def shape(self, k: int) -> Shape:
        """The shape of a value."""
        return np.shape(self.values[k])

    def floats(self, fits: Callable[[Shape], bool]) -> list[int]:
        """The places of float values whose shapes fit."""
        return [j for j, v in enumerate(self.values) if v.dtype.kind == "f" and fits(np.shape(v))]

    def axes(self, k: int, empty: bool = True) -> Any:
        """One axis, several, or None for all; () where there must be an element and is none."""
        ndim, shape = len(self.shape(k)), self.shape(k)
        if not empty and 0 in shape:
            return ()
        choice = self.draw.choice(["all", "one", "some"])
        if choice == "all" or not ndim:
            return None
        if choice == "one":
            return self.draw.randrange(-ndim, ndim)
        return tuple(sorted(self.draw.sample(range(ndim), self.draw.randint(1, ndim))))

    def tame(self, before: int) -> None:
        """Keep a value that was just made small, by one more step."""
        if len(self.values) == before:
            return
        made = np.asarray(self.values[-1])
        if made.dtype.kind in "iu":
            if made.size and (made.max() > 1000 or made.min() < -1000):  # the least integer has no absolute value
                self.add(f"v{before} % 7", lambda p: p[before] % 7)
        elif made.dtype.kind == "f" and made.size and np.abs(made).max() > MAX_MAGNITUDE:
            scale = 2.0 ** -np.ceil(np.log2(np.abs(made).max()))
            self.add(f"v{before} * {scale}", lambda p: p[before] * scale)
