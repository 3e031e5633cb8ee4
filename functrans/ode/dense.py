"""A solution as a function of time: the steps that were taken, and the values in between."""

from __future__ import annotations

from typing import Any, NamedTuple

import functrans.numpy as fnp
from functrans import tree
from functrans.errors import ArgumentValueError, DtypeError, at_user_line
from functrans.implicit.unreached import where_reached
from functrans.ode.dormand_prince import Between, interpolated
from functrans.ode.kept import Knots
from functrans.ode.problem import chosen
from functrans.tensor.core import Tensor
from functrans.trace import call
from functrans.transforms.custom import stop_gradient
from functrans.transforms.vmap import vmap

MOST = 1 << 30  # bytes of the steps of one solution


class DenseOutput(NamedTuple):
    """A solution as a function of time: ``sol(t)`` is y at t, of any shape, which stands in front of that of y.

    Of order 4, once differentiable from step to step; the method's own continuous extension. Outside of the interval
    it goes on as in the first or last step, as SciPy's does; but where the last time was not reached, it is NaN from
    where the steps end. One that took no step is constant where there was no way to go.

    A pytree: `vmap` gives one with a lane axis everywhere, ``vmap(lambda sol, t: sol(t))`` reads it. Derivatives pass
    through, by t and by what the solution was made of. Costs a binary search for each t.

    ``t0``, ``y0`` and ``slope0`` are the start, ``knots`` the ends of ``steps`` steps and room for ``max_steps``;
    ``reached`` says whether the solution came to its end.

    >>> import numpy as np, functrans as ft
    >>> s = ft.ode.solve(lambda t, y: -y, np.array([0.0, 1.0]), 1.0, dense=True, max_steps=100)
    >>> s.sol(np.array([0.25, 0.5])).round(4), np.exp([-0.25, -0.5]).round(4)
    (array([0.7788, 0.6065]), array([0.7788, 0.6065]))
    """

    t0: Any
    y0: Any
    slope0: Any
    knots: Knots
    steps: Any
    reached: Any

    def __call__(self, t: Any) -> Any:
        """y at t; raises DtypeError for what is no real number."""

        def body(sol: Any, t: Any) -> Any:
            t = t if isinstance(t, Tensor) else fnp.asarray(t)
            if t.dtype.kind not in "iuf":
                raise DtypeError(f"t of sol is {t.dtype}; expected real numbers{at_user_line()}")
            found = vmap(lambda t: _at(sol, t))(t.reshape(-1).astype(sol.t0.dtype))
            return tree.map(lambda x: x.reshape(*t.shape, *x.shape[1:]), found)

        return call(body, (self, t), {}, "sol", lambda: ["sol", "t"])


def _at(sol: DenseOutput, t: Any) -> Any:
    ends = stop_gradient(sol.knots.t)
    last = fnp.maximum(sol.steps - 1, 0)
    sign = fnp.where(ends[last] < stop_gradient(sol.t0), -1.0, 1.0).astype(t.dtype)
    k = fnp.minimum(fnp.searchsorted(ends * sign, stop_gradient(t) * sign), last)
    knots = tree.map(lambda x: x[k], sol.knots)
    before = tree.map(lambda x: x[fnp.maximum(k - 1, 0)], sol.knots)
    start = chosen(k == 0, (sol.t0, sol.y0, sol.slope0), (before.t, before.y, before.slope))
    moved = sol.steps > 0
    h = fnp.where(moved, knots.t - start[0], 1.0)
    y = interpolated(t, Between(start[0], h, start[1], start[2], knots.y, knots.slope, knots.curve))
    is_there = sol.reached | ((knots.t - t) * sign >= 0)
    is_there = fnp.where(moved, is_there, sol.reached | (t == sol.t0))
    return where_reached(is_there, chosen(moved, y, sol.y0), (t, sol.t0, sol.y0, sol.slope0))


def check_room(y: Any, max_steps: int, what: str) -> None:
    """Raises where the steps of one solution would take too much memory."""
    taken = max_steps * (8 + 3 * sum(x.size * x.dtype.itemsize for x in tree.leaves(y)))
    if taken > MOST:
        raise ArgumentValueError(
            f"dense=True of {what} would keep {taken} bytes for max_steps={max_steps}{at_user_line()}; lower "
            "max_steps, or give the times at which y is wanted in t"
        )
