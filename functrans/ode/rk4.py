"""The classical Runge-Kutta method with steps that are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functrans.implicit.options import named
from functrans.ode.problem import Slope, moved, slope_of, stacked, start, times_of
from functrans.trace import call
from functrans.transforms.loops.scan import scan
from functrans.transforms.loops.sequences import natural
from functrans.transforms.loops.while_loop import fori_loop


def rk4(f: Callable[..., Any], t: Any, y0: Any, *args: Any, substeps: int = 1) -> Any:
    """The solution of ``dy/dt = f(t, y, *args)`` from ``y0`` at ``t[0]``, at the times ``t``: order 4, steps fixed.

    ``t`` has shape (m,), in any order; between two of its points lie ``substeps`` equal steps. ``y0`` is a pytree, f
    returns the same structure and shapes; integers in it become float64, and t takes the precision of y0. The result
    has the structure of y0 and leaves of shape ``(m, *leaf.shape)``, the first row y0 itself.

    It is a `scan`: one loop in the C, 4 evaluations of f a step, jvp, vjp and vmap pass through. The error is not
    estimated; where it should be, use `solve`.

    Raises ArgumentError (f is no function, or returns another structure), ShapeError and DtypeError (t, or what f
    returns), ArgumentValueError (substeps).

    >>> import numpy as np, functrans as ft
    >>> y = ft.ode.rk4(lambda t, y: -y, np.linspace(0.0, 1.0, 11), 1.0)
    >>> bool(abs(y[-1] - np.exp(-1.0)) < 1e-6)
    True

    Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, table II.1.2.
    """
    what = named(f, "ode.rk4")
    substeps = natural(substeps, "substeps", what, 1)

    def body(t: Any, y0: Any, *args: Any) -> Any:
        t, y = start(t, y0, what)
        slope = slope_of(f, args, what)

        def between(y: Any, ends: Any) -> tuple[Any, Any]:
            a, b = ends
            h = (b - a) / substeps
            y = fori_loop(0, substeps, lambda i, y: _step(slope, a + i.astype(h.dtype) * h, y, h), y)
            return y, y

        return stacked(y, scan(between, y, (t[:-1], t[1:]))[1])

    given = (times_of(t), y0, *args)
    return call(body, given, {}, what, lambda: ["t", "y0", *(f"args[{k}]" for k in range(len(args)))])


def _step(slope: Slope, t: Any, y: Any, h: Any) -> Any:
    k1 = slope(t, y)
    k2 = slope(t + h / 2, moved(y, h, (1 / 2,), (k1,)))
    k3 = slope(t + h / 2, moved(y, h, (1 / 2,), (k2,)))
    k4 = slope(t + h, moved(y, h, (1.0,), (k3,)))
    return moved(y, h, (1 / 6, 1 / 3, 1 / 3, 1 / 6), (k1, k2, k3, k4))
