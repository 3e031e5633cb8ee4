"""Random programs as a strategy of hypothesis, and arguments for them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from functrans.testing import RandomProgram as Program


def sample(shapes: tuple[tuple[int, ...], ...], seed: int) -> list[np.ndarray[Any, Any]]:
    """Distinct random arrays of the shapes, every element its own."""
    rng = np.random.default_rng(seed)
    return [rng.uniform(-1.5, 1.5, s) for s in shapes]


def programs(most: int = 7, **options: Any) -> st.SearchStrategy[Program]:
    """Programs of up to ``most`` steps; the options are those of `functrans.testing.random_programs`."""
    return st.builds(
        lambda seed, steps: Program(random.Random(seed), steps, **options), st.integers(0, 2**32), st.integers(1, most)
    )
