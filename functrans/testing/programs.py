"""Random NumPy-style programs: functions that run on ndarrays and on Tensors alike, and their steps as text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from functrans.errors import ArgumentError, at_user_line
from functrans.testing import steps as kinds
from functrans.testing.pool import Pool, Shape, Value

EVERYWHERE: tuple[Callable[[Pool], None], ...] = (
    kinds.unary, kinds.binary, kinds.binary, kinds.reduce, kinds.reduce, kinds.centered, kinds.cumulate,
    kinds.movement, kinds.movement, kinds.index, kinds.index, kinds.join, kinds.contract, kinds.update, kinds.constant,
)  # fmt: skip
ROUGH: tuple[Callable[[Pool], None], ...] = (
    kinds.integer, kinds.edge, kinds.compare, kinds.gather, kinds.argument, kinds.order
)  # fmt: skip


class RandomProgram:
    """A function of arrays of the given shapes; its results are a tuple. ``repr`` lists its steps.

    ``smooth``, ``pieces`` and ``matrices`` are those of `random_programs`. ``shapes`` are the shapes of its arguments.

    >>> import numpy as np, functrans as ft
    >>> f, args = next(iter(ft.testing.random_programs(1, seed=0, shapes=[(3,)])))
    >>> type(f).__name__, f.shapes, type(f(*args)).__name__
    ('RandomProgram', ((3,),), 'tuple')
    """

    def __init__(
        self,
        draw: random.Random,
        steps: int = 8,
        smooth: bool = False,
        shapes: Sequence[Shape] | None = None,
        pieces: bool = True,
        matrices: bool = True,
    ) -> None:
        pool = Pool(draw, smooth, pieces, None if shapes is None else tuple(shapes))
        choices = [*EVERYWHERE, *([kinds.matrix] if matrices else []), *([kinds.where] if pieces else [])]
        choices += [] if smooth else ROUGH
        while len(pool.steps) < steps:
            before = len(pool.values)
            draw.choice(choices)(pool)
            pool.tame(before)
        self.shapes, self._steps = pool.shapes, pool.steps
        self._results = [np.shape(v) for v in pool.values[len(pool.shapes) :]]
        made = range(len(pool.shapes), len(pool.values))
        self.outputs = sorted({len(pool.values) - 1, draw.choice(made), draw.choice(made)})

    def __call__(self, *args: Value) -> tuple[Value, ...]:
        """Run on ndarrays, then it is NumPy alone, or on Tensors."""
        values = list(args)
        for _, run in self._steps:
            values.append(run(values))
        return tuple(values[k] for k in self.outputs)

    def __repr__(self) -> str:
        n = len(self.shapes)
        lines = [f"  v{k} = argument {s}" for k, s in enumerate(self.shapes)]
        made = zip(self._steps, self._results, strict=True)
        lines += [f"  v{n + k} = {text}   # {shape}" for k, ((text, _), shape) in enumerate(made)]
        return "\n".join(["program:", *lines, f"  return {', '.join(f'v{k}' for k in self.outputs)}"])


def random_programs(
    count: int,
    seed: int = 0,
    *,
    steps: int = 8,
    shapes: Sequence[Shape] | None = None,
    smooth: bool = False,
    pieces: bool = True,
    matrices: bool = True,
) -> Iterator[tuple[RandomProgram, tuple[Any, ...]]]:
    """Draw random programs with arguments for them: ``count`` pairs ``(f, args)``, the same for the same seed.

    f is a function of one to three float64 arrays, of ranks 0 to 3 and sizes 0, 1 and more, or of the given
    ``shapes``; it returns a tuple of one to three arrays. It has that many ``steps``: elementwise functions,
    reductions, contractions, indexing, updates, sorts, linear algebra, booleans, integers, also at the edges of their
    dtypes. On ndarrays it is NumPy
    alone, which says what is right; on Tensors it is traced and transformed as any function. ``print(f)`` lists it.

    ``smooth`` leaves out what has no derivative: such a program is analytic in pieces, runs on complex arrays too and
    fits `check_jvp` where ``pieces=False`` also leaves out choices between two values. ``matrices=False`` leaves out
    steps of LAPACK. Values stay of the order of one.

    Raises ArgumentError for a negative count or fewer than one step.

    >>> import numpy as np, functrans as ft
    >>> for f, args in random_programs(3, seed=1, steps=4):
    ...     for got, wanted in zip(ft.jit(f)(*args), f(*args)):
    ...         np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-10)
    >>> for f, args in random_programs(2, seed=2, smooth=True, pieces=False):
    ...     ft.testing.check_jvp(f, args, rtol=1e-6, atol=1e-6)
    ...     ft.testing.check_vjp(f, args, rtol=1e-6, atol=1e-6)
    ...     ft.testing.check_vmap(f, [np.stack([x, x / 2]) for x in args])

    Source: Claessen and Hughes, QuickCheck: a lightweight tool for random testing of Haskell programs (2000).
    """
    if count < 0 or steps < 1:
        raise ArgumentError(
            f"random_programs: count {count} and steps {steps}{at_user_line()}; expected count >= 0 and steps >= 1"
        )
    return _drawn(count, seed, steps, shapes, smooth, pieces, matrices)


def _drawn(count: int, seed: int, *options: Any) -> Iterator[tuple[RandomProgram, tuple[Any, ...]]]:
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    steps, shapes, smooth, pieces, matrices = options
    for _ in range(count):
        program = RandomProgram(draw, steps, smooth, shapes, pieces, matrices)
        yield program, tuple(rng.uniform(-2, 2, s) for s in program.shapes)
