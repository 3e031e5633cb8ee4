"""The public functions: arguments as SciPy's, checked, around the loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import functrans.numpy as fnp
from functrans.errors import UnsupportedError, at_user_line
from functrans.implicit import custom_linear_solve
from functrans.implicit.vectors import layout_of, like
from functrans.scipy.sparse.arnoldi import least_residuals
from functrans.scipy.sparse.iterations import conjugate_gradients, norm, stabilized
from functrans.scipy.sparse.lanczos import minimal_residuals
from functrans.scipy.sparse.operators import Apply, applied, is_array, operator, turned
from functrans.trace import call
from functrans.transforms.custom import stop_gradient
from functrans.transforms.loops.sequences import natural

Loop = Callable[[Apply, Any, Any, Apply], Any]


def cg(
    A: Any, b: Any, x0: Any = None, *, rtol: Any = 1e-5, atol: Any = 0.0, maxiter: int | None = None, M: Any = None,
    callback: Any = None,
) -> Any:  # fmt: skip
    """``A x = b`` by conjugate gradients, A symmetric and positive definite; returns ``(x, info)``.

    A is a matrix (an array, a sparse matrix of SciPy or functrans), a function of a vector, such as that of
    `linearize`, or an object with ``matvec``; so is M, an approximation of the inverse of A. b has shape (n,) or (n,
    1); for a function A it may be any pytree. It ends where the norm of the residual is at most ``max(rtol * norm(b),
    atol)``, or after ``maxiter`` iterations, by default 10 n. ``info`` is 0 for a solution, the iterations where they
    were not enough, and -10 after a breakdown.

    One product and one application of M an iteration, all in one loop. Derivatives by b and by what A holds are those
    of the solution, each one more solve.

    Raises ArgumentError, ShapeError, ArgumentValueError, and UnsupportedError for complex numbers and ``callback``.

    >>> import numpy as np, functrans as ft
    >>> x, info = ft.scipy.sparse.linalg.cg(np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0]), rtol=1e-10)
    >>> x.round(6), int(info)
    (array([0.090909, 0.636364]), 0)

    Source: semantics of ``scipy.sparse.linalg.cg``.
    """

    def loop(rtol: Any, atol: Any, most: int) -> Loop:
        return lambda product, b, x0, m: conjugate_gradients(product, b, x0, m, _limit(b, rtol, atol), most)

    return _solved("cg", A, b, x0, M, loop, True, 10, maxiter, callback, rtol=rtol, atol=atol)


def bicgstab(
    A: Any, b: Any, x0: Any = None, *, rtol: Any = 1e-5, atol: Any = 0.0, maxiter: int | None = None, M: Any = None,
    callback: Any = None,
) -> Any:  # fmt: skip
    """``A x = b`` by the stabilized method of biconjugate gradients; returns ``(x, info)``.

    Arguments, result and errors are those of `cg`; A may be any matrix. Two products and two applications of M an
    iteration. Reverse mode solves with the transposed A and M, which it makes of functions by itself.

    >>> import numpy as np, functrans as ft
    >>> x, info = ft.scipy.sparse.linalg.bicgstab(np.array([[4.0, 1.0], [2.0, 3.0]]), np.array([1.0, 2.0]), rtol=1e-10)
    >>> x.round(6), int(info)
    (array([0.1, 0.6]), 0)

    Source: semantics of ``scipy.sparse.linalg.bicgstab``.
    """

    def loop(rtol: Any, atol: Any, most: int) -> Loop:
        return lambda product, b, x0, m: stabilized(product, b, x0, m, _limit(b, rtol, atol), most)

    return _solved("bicgstab", A, b, x0, M, loop, False, 10, maxiter, callback, rtol=rtol, atol=atol)


def gmres(
    A: Any, b: Any, x0: Any = None, *, rtol: Any = 1e-5, atol: Any = 0.0, restart: int | None = None,
    maxiter: int | None = None, M: Any = None, callback: Any = None, callback_type: Any = None,
) -> Any:  # fmt: skip
    """``A x = b`` by generalized minimal residuals; returns ``(x, info)``.

    Arguments, result and errors are those of `cg`; A may be any matrix. ``restart`` is how many vectors of n numbers
    are kept, by default ``min(20, n)``; ``maxiter`` counts cycles of so many iterations. M is applied from the right,
    so that the residual that is tested is that of the equation.

    >>> import numpy as np, functrans as ft
    >>> x, info = ft.scipy.sparse.linalg.gmres(np.array([[4.0, 1.0], [2.0, 3.0]]), np.array([1.0, 2.0]), rtol=1e-10)
    >>> x.round(6), int(info)
    (array([0.1, 0.6]), 0)

    Source: semantics of ``scipy.sparse.linalg.gmres``.
    """
    if callback_type is not None:
        _refuse_callback("gmres", callback_type)
    if restart is not None:
        natural(restart, "restart", "gmres", 1)

    def loop(rtol: Any, atol: Any, most: int) -> Loop:
        def run(product: Apply, b: Any, x0: Any, m: Apply) -> Any:
            kept = max(min(20 if restart is None else int(restart), b.shape[0]), 1)
            return least_residuals(product, b, x0, m, _limit(b, rtol, atol), most, kept)

        return run

    return _solved("gmres", A, b, x0, M, loop, False, 10, maxiter, callback, rtol=rtol, atol=atol)


def minres(
    A: Any, b: Any, x0: Any = None, *, rtol: Any = 1e-5, shift: Any = 0.0, maxiter: int | None = None, M: Any = None,
    callback: Any = None, show: bool = False, check: bool = False,
) -> Any:  # fmt: skip
    """``(A - shift I) x = b`` by minimal residuals, A symmetric, definite or not; returns ``(x, info)``.

    Arguments, result and errors are those of `cg`; M is symmetric and positive definite. It ends by SciPy's tests,
    which compare with the norms of A and x, or after ``maxiter`` iterations, by default 5 n.

    >>> import numpy as np, functrans as ft
    >>> x, info = ft.scipy.sparse.linalg.minres(np.array([[4.0, 1.0], [1.0, -3.0]]), np.array([1.0, 2.0]), rtol=1e-10)
    >>> x.round(6), int(info)
    (array([ 0.384615, -0.538462]), 0)

    Source: semantics of ``scipy.sparse.linalg.minres``.
    """
    if show or check:
        raise UnsupportedError(f"show and check of minres are not built{at_user_line()}; leave them out")

    def loop(rtol: Any, _: Any, most: int) -> Loop:
        return lambda product, b, x0, m: minimal_residuals(product, b, x0, m, rtol, most)

    return _solved("minres", A, b, x0, M, loop, True, 5, maxiter, callback, rtol=rtol, atol=0.0, shift=shift)


def _solved(
    name: str, a: Any, b: Any, x0: Any, m: Any, loop: Callable[..., Loop], symmetric: bool, rounds: int,
    maxiter: int | None, callback: Any, **numbers: Any,
) -> Any:  # fmt: skip
    """A call of a method: its loop, as a solver of linear equations."""
    if callback is not None:
        _refuse_callback(name, callback)
    if maxiter is not None:
        natural(maxiter, "maxiter", name, 1)
    a, m = operator(a, "A", name), operator(m, "M", name)
    held = {"A": a if is_array(a) else None, "M": m if is_array(m) else None}  # arrays are arguments of the call

    def body(held: dict[str, Any], b: Any, x0: Any, numbers: dict[str, Any]) -> Any:
        system = _System(name, a if held["A"] is None else held["A"], m if held["M"] is None else held["M"], b)
        shift = numbers.get("shift")
        if shift is not None:
            system.shift(shift)
        start = system.start(x0)
        most = rounds * system.layout.size if maxiter is None else int(maxiter)
        run = loop(numbers["rtol"], numbers["atol"], most)

        def solver(precondition: Apply) -> Any:
            def solve(product: Apply, b: Any) -> Any:
                begin = fnp.where((b == 0).all(), 0.0, start).astype(b.dtype)
                return run(product, b, begin, precondition)

            return solve

        back = solver(system.precondition) if symmetric else system.turned(solver)
        x, info = custom_linear_solve(
            system.product, system.layout.vector(b), solver(system.precondition), back, symmetric, has_aux=True
        )
        return system.layout.tree(x), info

    names = ["A and M", "b", "x0", "options"]
    return call(body, (held, b, x0, numbers), {}, name, lambda: names)


def _limit(b: Any, rtol: Any, atol: Any) -> Any:
    """The norm of the residual to reach."""
    return fnp.maximum(rtol * norm(b), atol)


class _System:
    """A and M on vectors."""

    def __init__(self, name: str, a: Any, m: Any, b: Any) -> None:
        self.name = name
        self.layout = layout_of(b, f"b of {name}")
        if self.layout.dtype.kind == "c":
            raise UnsupportedError(
                f"b of {name} is {self.layout.dtype}: complex systems are not built{at_user_line()}; solve for real "
                "and imaginary parts"
            )
        self.product = self._flat(applied(a, b, "A", name), "A")
        self.precondition = (lambda x: x) if m is None else self._flat(applied(m, b, "M", name), "M")

    def _flat(self, f: Apply, name: str) -> Apply:
        """A function of trees as one of vectors."""

        def flat(v: Any) -> Any:
            return like(f(self.layout.tree(v)), self.layout, f"{name} of {self.name}")

        return flat

    def shift(self, by: Any) -> None:
        """A less a multiple of the identity."""
        product = self.product
        self.product = lambda v: product(v) - by * v

    def start(self, x0: Any) -> Any:
        """The vector to begin with."""
        if x0 is None:
            return fnp.zeros((self.layout.size,), self.layout.dtype)
        return stop_gradient(like(x0, self.layout, f"x0 of {self.name}"))

    def turned(self, solver: Callable[[Apply], Any]) -> Any:
        """The solver of the transposed system; None where A or M have no transpose."""
        v = fnp.zeros((self.layout.size,), self.layout.dtype)
        preconditioned = turned(self.precondition, v)
        return None if preconditioned is None or turned(self.product, v) is None else solver(preconditioned)


def _refuse_callback(name: str, callback: Any) -> None:
    raise UnsupportedError(
        f"callback={callback!r} of {name}: the iterations are compiled, and call nothing back{at_user_line()}; the "
        "result says how it ended"
    )
