"""vjp, linearize and linear_transpose: derivatives as functions, forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functrans.errors import ArgumentError, at_user_line
from functrans.transforms.linear_map import transposed, two_parts


def check_function(f: Any, what: str) -> None:
    """ArgumentError where f is no function."""
    if not callable(f):
        given = f"{f!r} of type {type(f).__name__}"
        raise ArgumentError(f"{what} differentiates a function, but got {given}{at_user_line()}")


def vjp(f: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of f and its pullback: ``(f(*primals), pullback[, aux])``.

    ``pullback(cotangent)`` takes a pytree like the result and returns a tuple, one cotangent a primal: the transposed
    derivative at this point. Where a primal is int or bool it is float zeros; for an int or bool in the result
    anything goes, None included. The pullback is a pytree of what was stored: `jit` and `vmap` take and return it, and
    it may be a residual of a `custom_vjp`. Of a complex derivative it is the plain transpose, not the conjugate one.
    The value is computed once; the pullback runs on what was stored of it. Costs about two to four times f.

    Raises ArgumentError (f is no function, structures differ), ShapeError and DtypeError (a cotangent does not fit),
    UnsupportedError where an op has no derivative.

    >>> import numpy as np, functrans as ft
    >>> y, pullback = ft.vjp(lambda x, a: a * np.sin(x).sum(), np.zeros(2), 3.0)
    >>> pullback(1.0)
    (array([3., 3.]), np.float64(0.0))

    Source: Griewank and Walther, Evaluating Derivatives, chapter 3; semantics of ``jax.vjp``.
    """
    check_function(f, "vjp")
    value, aux, pullback = two_parts(f, primals, has_aux, "vjp", True)
    return (value, pullback, aux) if has_aux else (value, pullback)


def linearize(f: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of f and its derivative as a function: ``(f(*primals), f_jvp[, aux])``.

    ``f_jvp(*tangents)`` is the tangent of the result; tangents are shaped as the primals, None or zeros for those
    that are int or bool. Unlike `jvp` it does not compute f again at every call: it runs on what was stored.

    Raises ArgumentError (f is no function, structures differ), ShapeError and DtypeError (a tangent does not fit).

    >>> import numpy as np, functrans as ft
    >>> y, f_jvp = ft.linearize(lambda x: x ** 3, 2.0)
    >>> f_jvp(1.0), f_jvp(10.0)
    (np.float64(12.0), np.float64(120.0))

    Source: semantics of ``jax.linearize``.
    """
    check_function(f, "linearize")
    value, aux, f_jvp = two_parts(f, primals, has_aux, "linearize", False)
    return (value, f_jvp, aux) if has_aux else (value, f_jvp)


def linear_transpose(f: Callable[..., Any], *primals: Any) -> Callable[..., Any]:
    """The transpose of a linear function: ``linear_transpose(f, *primals)(cotangent)``.

    ``primals`` are arrays, or `ShapeDtype`: only shapes and dtypes matter. The transpose takes a pytree like the result
    of f and returns a tuple, one entry a primal. f is traced once, and nothing of it is computed.

    Raises DtypeError (int or bool primals), ArgumentError and ShapeError (a cotangent does not fit), and
    UnsupportedError where f is not linear, naming the op.

    >>> import numpy as np, functrans as ft
    >>> ft.linear_transpose(lambda x: x[1:] - x[:-1], np.zeros(3))(np.array([1.0, 10.0]))
    (array([-1., -9., 10.]),)

    Source: semantics of ``jax.linear_transpose``.
    """
    check_function(f, "linear_transpose")
    return transposed(f, primals)
