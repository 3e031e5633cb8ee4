"""fixed_point: equations x = f(x) by iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans.implicit.equations import equations_of
from functrans.implicit.options import check_limits, check_real, named
from functrans.implicit.roots import RootInfo, implicitly, or_failed
from functrans.implicit.vectors import layout_of
from functrans.trace import call
from functrans.transforms.custom import stop_gradient
from functrans.transforms.loops.while_loop import while_loop
from functrans.tree import flatten_like, leaves


def fixed_point(
    f: Callable[..., Any],
    x0: Any,
    *args: Any,
    tol: float = 1e-10,
    rtol: float = 0.0,
    maxiter: int = 500,
    full_output: bool = False,
    on_failure: str = "raise",
) -> Any:
    """The x with ``x = f(x, *args)`` that f itself, applied again and again from ``x0``, goes to.

    x0 is a pytree of real numbers, and f gives what is like it. It ends where ``f(x) - x`` is nowhere larger than
    ``tol + rtol * max(abs(x))``, or after ``maxiter`` evaluations of f; what it gives is f(x). Where f is no
    contraction `root` of ``x - f(x)`` may still find the point. Under `vmap` each element takes the iterations it
    takes alone.

    Derivatives are those of the point, as by `root`: one dense solve with ``I - df/dx``. That by x0 is zero. Failures
    and ``full_output`` are as in `root`, where the residual is the largest of ``abs(f(x) - x)``.

    >>> import numpy as np, functrans as ft
    >>> point = lambda a: ft.implicit.fixed_point(lambda x, a: np.cos(a * x), 1.0, a)
    >>> round(point(1.0), 9), round(ft.grad(point)(1.0), 6)
    (np.float64(0.739085133), np.float64(-0.297474))

    Source: Griewank and Walther, Evaluating Derivatives, chapter 15; Christianson, Reverse accumulation and attractive
    fixed points, Optimization Methods and Software 3 (1994).
    """
    what = named(f, "implicit.fixed_point")
    check_limits(what, maxiter, on_failure, tol=tol, rtol=rtol)

    def body(x0: Any, args: tuple[Any, ...]) -> Any:
        check_real(x0, what)
        layout = layout_of(x0, f"x0 of {what}")

        def difference(x: Any, *args: Any) -> Any:
            found = flatten_like(f(x, *args), layout.treedef)
            # of another structure: as many numbers, or an error that says how many
            if found is None or any(y is None for y in found):
                return leaves(f(x, *args))
            return [fnp.subtract(a, b) for a, b in zip(found, leaves(x))]

        equations = equations_of(difference, layout, x0, args, what, "dense")

        def iterate(x: Any, *inputs: Any) -> Any:
            def next_of(x: Any) -> tuple[Any, Any]:
                change = equations.value(x, inputs)
                return change, abs(change).max() if layout.size else fnp.zeros((), layout.dtype)

            def goes_on(s: tuple[Any, ...]) -> Any:
                x, _, size, k = s
                return ~is_near(x, size) & (k < maxiter) & fnp.isfinite(size)

            def is_near(x: Any, size: Any) -> Any:
                return size <= tol + rtol * (abs(x).max() if layout.size else 0.0)

            def again(s: tuple[Any, ...]) -> tuple[Any, ...]:
                x = s[0] + s[1]
                return (x, *next_of(x), s[3] + 1)

            x, _, size, count = while_loop(goes_on, again, (x, *next_of(x), fnp.zeros((), np.int64)))
            return x, RootInfo(is_near(x, size), count, size)

        x, info = implicitly(iterate, equations, what)(stop_gradient(layout.vector(x0)), *equations.inputs)
        x = layout.tree(or_failed(x, info.converged, on_failure, what, f"{maxiter} iterations", equations.inputs))
        return (x, info) if full_output else x

    return call(body, (x0, args), {}, what, lambda: ["x0", "args"])
