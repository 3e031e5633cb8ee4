"""What `solve` gives back."""

from __future__ import annotations

from typing import Any, NamedTuple

OK, TOO_MANY_STEPS, STEP_TOO_SMALL, NOT_IN_ORDER = range(4)


class Stats(NamedTuple):
    """Steps taken, steps tried and refused, and calls of f."""

    accepted: Any
    rejected: Any
    evaluations: Any


class Solution(NamedTuple):
    """A solution: ``y`` at the times ``t``, and how it was found. A pytree, under `vmap` with a lane axis everywhere.

    ``status`` is 0 where the last time was reached; 1 after ``max_steps`` steps; 2 where the step became too small to
    change t, as at a singularity or where f gives NaN; 3 where t is not in order. ``y`` is NaN at times that were not
    reached. ``sol``, ``t_events`` and ``y_events`` are None.
    """

    t: Any
    y: Any
    stats: Stats
    status: Any
    sol: Any = None
    t_events: Any = None
    y_events: Any = None
