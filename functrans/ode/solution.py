"""What `solve` gives back."""

from __future__ import annotations

from typing import Any, NamedTuple

OK, TOO_MANY_STEPS, STEP_TOO_SMALL, NOT_IN_ORDER, AT_EVENT = range(5)


class Stats(NamedTuple):
    """Steps taken, steps tried and refused, and calls of f.

    >>> import numpy as np, functrans as ft
    >>> stats = ft.ode.solve(lambda t, y: -y, np.array([0.0, 1.0]), 1.0).stats
    >>> stats.evaluations > 6 * stats.accepted > 0, stats.rejected
    (np.True_, np.int64(0))
    """

    accepted: Any
    rejected: Any
    evaluations: Any


class Solution(NamedTuple):
    """A solution: ``y`` at the times ``t``, and how it was found. A pytree, under `vmap` with a lane axis everywhere.

    ``status`` is 0 where the last time was reached; 1 after ``max_steps`` steps; 2 where the step became too small to
    change t, as at a singularity or where f gives NaN; 3 where t is not in order; 4 where an event ended it. ``y`` is
    NaN at times that were not reached, and so are its derivatives, by all that the solution is made of.

    ``t_events`` of shape (number of events, max_events) holds when each event crossed zero, in order, and NaN behind
    that; leaves of ``y_events`` the states there; ``event_counts`` of shape (number of events,) how often it did, those
    for which there was no room counted too. They are None without events.

    ``sol`` is the `DenseOutput`, None without ``dense=True``.

    >>> import numpy as np, functrans as ft
    >>> s = ft.ode.solve(lambda t, y: -y, np.array([0.0, 1.0, 2.0]), 1.0)
    >>> s.y.round(4), s.status, s.sol
    (array([1.    , 0.3679, 0.1353]), np.int64(0), None)
    """

    t: Any
    y: Any
    stats: Stats
    status: Any
    sol: Any = None
    t_events: Any = None
    y_events: Any = None
    event_counts: Any = None
