"""root: nonlinear systems of equations by Newton's method."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import functrans.numpy as fnp
from functrans import tree
from functrans.errors import at_user_line
from functrans.implicit.equations import Equations, Jacobian, equations_of
from functrans.implicit.newton import newton
from functrans.implicit.options import check_jac, check_limits, check_real, named
from functrans.implicit.unreached import where_reached
from functrans.implicit.vectors import layout_of
from functrans.ops.failure import Failure, raising
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.trace import call
from functrans.transforms.custom import custom_jvp, stop_gradient
from functrans.transforms.jvp import jvp


class RootInfo(NamedTuple):
    """How an iteration ended, of each lane: whether it met its tolerance, after how many iterations, and the largest
    absolute value of f that was left.

    >>> import functrans as ft
    >>> x, info = ft.implicit.root(lambda x: x * x - 2.0, 1.0, full_output=True)
    >>> info.converged, info.iterations, info.residual < 1e-10
    (np.True_, np.int64(4), np.True_)
    """

    converged: Any
    iterations: Any
    residual: Any


def root(
    f: Callable[..., Any],
    x0: Any,
    *args: Any,
    tol: float = 1e-10,
    rtol: float = 0.0,
    maxiter: int = 50,
    jac: str | Jacobian = "auto",
    line_search: bool = True,
    full_output: bool = False,
    on_failure: str = "raise",
) -> Any:
    """The x near ``x0`` where ``f(x, *args)`` is zero, by Newton's method.

    x0 is a pytree of real numbers, n in all; f gives as many, in any structure. It ends where the largest absolute
    value of f is at most ``tol + rtol * (that at x0)``, after ``maxiter`` iterations, or where nothing along Newton's
    direction makes f smaller. With ``line_search`` a step is halved until the squares of f add up to less. Under
    `vmap` each element takes the iterations it takes alone; the loop is one kernel.

    Derivatives of any order, by args and by what f closes over, are those of the solution by the implicit function
    theorem: they cost one solve with the Jacobian, not the iterations. That by x0 is zero.

    ``jac`` is ``"dense"`` (`jacfwd`; about n + 1 evaluations of f an iteration, and n**3 operations), ``"sparse"``
    (`spjacobian` and `spsolve`, of the pattern that f has; also for the derivative of the root) or a function
    ``jac(x, *args)`` to the array of shape (n, n), where x is like x0; ``"auto"`` is ``"dense"``. Sparse pivots are
    chosen by the pattern: a system that they are too small for counts as singular.

    A lane that does not converge, also for a singular Jacobian or NaN, raises ConvergenceError with its batch index, or
    is NaN with ``on_failure="nan"``, and so are its derivatives. With ``full_output`` the result is ``(x, RootInfo)``.

    Raises ArgumentError (f is no function, x0 is empty), ShapeError (f or jac give too many numbers, or too few),
    ArgumentValueError (options), UnsupportedError (complex unknowns), ConvergenceError, and LinAlgError (jac="sparse"
    for equations of which every Jacobian is singular, by its pattern). A derivative where the Jacobian is singular is
    NaN.

    >>> import numpy as np, functrans as ft
    >>> root = lambda a: ft.implicit.root(lambda x, a: x * x - a, 1.0, a)
    >>> root(2.0).round(9), ft.grad(root)(2.0).round(9)
    (np.float64(1.414213562), np.float64(0.353553391))

    Source: Dennis and Schnabel, Numerical Methods for Unconstrained Optimization and Nonlinear Equations; Griewank and
    Walther, Evaluating Derivatives, chapter 15.
    """
    what = named(f, "implicit.root")
    check_limits(what, maxiter, on_failure, tol=tol, rtol=rtol)
    check_jac(what, jac)

    def body(x0: Any, args: tuple[Any, ...]) -> Any:
        check_real(x0, what)
        layout = layout_of(x0, f"x0 of {what}")
        equations = equations_of(f, layout, x0, args, what, jac)

        def iterate(x: Any, *inputs: Any) -> Any:
            def step(x: Any, value: Tensor, shared: Any) -> Tensor:
                return -equations.solved(equations.slope(x, inputs, shared), value)

            f = partial(equations.at, inputs=inputs)
            last, is_root = newton(f, step, x, tol, rtol, int(maxiter), line_search)
            return last.x, RootInfo(is_root, last.iterations, last.residual)

        x, info = implicitly(iterate, equations, what)(stop_gradient(layout.vector(x0)), *equations.inputs)
        x = layout.tree(or_failed(x, info.converged, on_failure, what, f"{maxiter} iterations", equations.inputs))
        return (x, info) if full_output else x

    return call(body, (x0, args), {}, what, lambda: ["x0", "args"])


def implicitly(iterate: Callable[..., Any], equations: Equations, what: str) -> Callable[..., Any]:
    """An iteration to a root and facts about it, with the derivative of the root: J dx = -df."""

    def plain(x0: Any, *inputs: Any) -> Any:
        return iterate(x0, *inputs)

    plain.__name__ = what
    found = custom_jvp(plain)

    def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        (_, *inputs), (_, *along) = primals, tangents
        x, info = found(*primals)
        change = jvp(lambda *inputs: equations.value(x, inputs), tuple(inputs), tuple(along))[1]
        dx = -equations.solved(equations.exact_slope(x, tuple(inputs)), change)
        return (x, info), (dx, tree.map(fnp.zeros_like, info))

    found.defjvp(rule)
    return found


def or_failed(x: Any, converged: Any, on_failure: str, what: str, limit: str, inputs: Any) -> Any:
    """x where it is a solution, else NaN with derivatives by ``inputs`` that are NaN; and an error for such a lane if
    that is asked for.
    """
    failed = ~converged
    if on_failure == "raise":
        text = f"{what} did not converge within {limit}"
        advice = (
            "begin nearer to the solution, or raise tol or maxiter; with full_output=True and on_failure='nan' "
            "RootInfo.residual says how far from zero f ended, and RootInfo.iterations when"
        )
        failed = Tensor.from_uop(raising(lift(failed), Failure(text, at_user_line(), advice)))
    return where_reached(~failed, x, inputs)
