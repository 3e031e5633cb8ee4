"""custom_root: a root by the user's solver, differentiated by the implicit function theorem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functrans import tree
from functrans.errors import ArgumentError, at_user_line
from functrans.implicit.closures import converted
from functrans.implicit.options import named
from functrans.trace import call
from functrans.transforms.custom import custom_jvp, stop_gradient
from functrans.transforms.jvp import jvp


def custom_root(
    f: Callable[[Any], Any],
    x0: Any,
    solve: Callable[[Callable[[Any], Any], Any], Any],
    tangent_solve: Callable[[Callable[[Any], Any], Any], Any],
) -> Any:
    """The root of f that ``solve(f, x0)`` finds, differentiated by the implicit function theorem.

    x0 is a pytree, and f takes and gives what is like it. Derivatives are by what f closes over: the tangent is
    ``tangent_solve(g, -df)``, where g is f linearized at the root, and ``tangent_solve(g, y)`` gives the x with
    ``g(x) = y``, in a way that can be transposed, as `custom_linear_solve` or ``y / g(1.0)`` can. What solve closes
    over, and x0, count as constants.

    Raises ArgumentError (what is no function, results of another structure than x0).

    >>> import numpy as np, functrans as ft
    >>> bisect = lambda f, x0: ft.fori_loop(
    ...     0, 60, lambda k, ab: ft.cond(f(ab.sum() / 2) > 0, lambda ab: np.stack([ab[0], ab.sum() / 2]),
    ...                                  lambda ab: np.stack([ab.sum() / 2, ab[1]]), ab), np.stack([0 * x0, x0]))[0]
    >>> cube = lambda a: ft.implicit.custom_root(lambda x: x**3 - a, 10.0, bisect, lambda g, y: y / g(1.0))
    >>> round(cube(8.0), 9), round(ft.grad(cube)(8.0), 9)
    (np.float64(2.0), np.float64(0.083333333))

    Source: semantics of ``jax.lax.custom_root``.
    """
    what = named(f, "implicit.custom_root")
    for g, name in ((solve, "solve"), (tangent_solve, "tangent_solve")):
        if not callable(g):
            raise ArgumentError(f"{name} of {what} is {g!r}; expected a function{at_user_line()}")

    def body(x0: Any) -> Any:
        treedef = tree.structure(x0)
        f_of, constants = converted(lambda x: _same(f(x), treedef, f"f of {what}"), (x0,), what)
        solved, fixed = converted(
            lambda x0, constants: _same(solve(lambda x: f_of((x,), constants), x0), treedef, f"solve of {what}"),
            (x0, constants),
            what,
        )

        def plain(x0: Any, constants: Any, fixed: Any) -> Any:
            return solved((x0, constants), fixed)

        plain.__name__ = what
        found = custom_jvp(plain)

        def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
            constants, along = primals[1], tangents[1]
            x = found(*primals)
            change = jvp(lambda constants: f_of((x,), constants), (constants,), (along,))[1]
            right = tree.map(lambda y: -y, change)
            dx = tangent_solve(lambda dx: jvp(lambda x: f_of((x,), constants), (x,), (dx,))[1], right)
            return x, _same(dx, treedef, f"tangent_solve of {what}")

        found.defjvp(rule)
        return found(stop_gradient(x0), constants, stop_gradient(fixed))

    return call(body, (x0,), {}, what, lambda: ["x0"])


def _same(value: Any, treedef: tree.TreeDef, what: str) -> Any:
    """A result that has the structure of x0."""
    if tree.structure(value) != treedef:
        raise ArgumentError(
            f"{what} returns the structure {tree.structure(value)} where x0 has {treedef}{at_user_line()}"
        )
    return value
