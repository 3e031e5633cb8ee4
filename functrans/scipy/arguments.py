"""Arguments for SciPy's solvers: compiled functions with their derivatives, in the form that a method takes.

Each function is named as the solver it is for, and returns a dict of keyword arguments. Jacobians and Hessians are
sparse where the method takes sparse matrices, and dense where it refuses them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.errors import ArgumentError, ArgumentValueError, at_user_line
from functrans.transforms.grad import value_and_grad
from functrans.transforms.jacobians import hvp
from functrans.transforms.jit import jit
from functrans.transforms.sparse.function import SparseFunction
from functrans.transforms.sparse.sphessian import lagrangian_hessian, sphessian
from functrans.transforms.sparse.spjacobian import spjacobian
from functrans.transforms.vjp import check_function

__all__ = ["least_squares", "minimize", "nonlinear_constraint", "root", "solve_ivp"]

_FREE = "nelder-mead powell cobyla cobyqa".split()
_GRADIENTS = "cg bfgs l-bfgs-b tnc slsqp".split()
_HESSIANS = "newton-cg trust-constr".split()
_PRODUCTS = "trust-ncg trust-krylov".split()
_DENSE_HESSIANS = "dogleg trust-exact".split()
_DENSE_ROOTS = ["hybr", "lm"]
_OTHER_ROOTS = "broyden1 broyden2 anderson linearmixing diagbroyden excitingmixing krylov df-sane".split()


def least_squares(f: Callable[..., Any], x0: Any, *, method: str = "trf", **options: Any) -> dict[str, Any]:
    """Arguments of ``scipy.optimize.least_squares``: residuals ``f(x, *args)`` and their Jacobian.

    The Jacobian is sparse for ``"trf"`` and ``"dogbox"``, dense for ``"lm"`` and with ``tr_solver="exact"``.
    ``options`` are further arguments of SciPy's function and are returned with the others.

    Raises ArgumentError for ``fun`` or ``jac`` among the options, ArgumentValueError for an unknown method.

    >>> import numpy as np, functrans as ft, scipy
    >>> def residuals(x): return np.concatenate([x[:1] - 1, 10 * (x[1:] - x[:-1] ** 2)])
    >>> found = scipy.optimize.least_squares(**ft.scipy.arguments.least_squares(residuals, np.zeros(5)))
    >>> found.x.round(6)
    array([1., 1., 1., 1., 1.])
    """
    _check(f, "least_squares", options, "fun", "jac")
    _known(method, ["trf", "dogbox", "lm"], "least_squares")
    J = spjacobian(f)
    dense = method == "lm" or options.get("tr_solver") == "exact"
    return {"fun": jit(f), "x0": x0, "jac": _Dense(J) if dense else J, "method": method, **options}


def minimize(f: Callable[..., Any], x0: Any, *, method: Any = None, **options: Any) -> dict[str, Any]:
    """Arguments of ``scipy.optimize.minimize``: the cost ``f(x, *args)`` and the derivatives that the method uses.

    Value and gradient are computed in one call. The Hessian is sparse for ``"Newton-CG"`` and ``"trust-constr"``, dense
    for ``"trust-exact"`` and ``"dogleg"``; ``"trust-ncg"`` and ``"trust-krylov"``, which refuse sparse ones, get
    products with it, and no matrix. ``options`` are further arguments of SciPy's function and are returned with the
    others.

    Raises ArgumentError for a derivative among the options, ArgumentValueError for an unknown method.

    >>> import numpy as np, functrans as ft, scipy
    >>> def cost(x): return ((1 - x[:-1]) ** 2).sum() + 100 * ((x[1:] - x[:-1] ** 2) ** 2).sum()
    >>> arguments = ft.scipy.arguments.minimize(cost, np.zeros(5), method="trust-ncg")
    >>> scipy.optimize.minimize(**arguments).x.round(4)
    array([1., 1., 1., 1., 1.])
    """
    _check(f, "minimize", options, "fun", "jac", "hess", "hessp")
    name = "bfgs" if method is None else "newton-cg" if callable(method) else str(method).lower()
    _known(name, [*_FREE, *_GRADIENTS, *_HESSIANS, *_PRODUCTS, *_DENSE_HESSIANS], "minimize")
    given = {"x0": x0, "method": method, **options}
    if name in _FREE:
        return {"fun": jit(f), **given}
    given = {"fun": jit(value_and_grad(f)), "jac": True, **given}
    if name in _PRODUCTS:
        given["hessp"] = _Products(f)
    elif name in _HESSIANS:
        given["hess"] = sphessian(f)
    elif name in _DENSE_HESSIANS:
        given["hess"] = _Dense(sphessian(f))
    return given


def nonlinear_constraint(
    g: Callable[[Any], Any], lb: Any, ub: Any, *, method: str = "trust-constr", **options: Any
) -> dict[str, Any]:
    """Arguments of ``scipy.optimize.NonlinearConstraint``: ``lb <= g(x) <= ub`` with what ``method`` uses of it.

    ``"trust-constr"`` gets a sparse Jacobian and the sparse Hessian of ``v . g(x)``, ``"SLSQP"`` a dense Jacobian,
    ``"COBYLA"`` and ``"COBYQA"`` values alone. ``g`` is a function of x alone, as SciPy calls it.

    Raises ArgumentError for a derivative among the options, ArgumentValueError for another method.

    >>> import numpy as np, functrans as ft, scipy
    >>> arguments = ft.scipy.arguments
    >>> disk = arguments.nonlinear_constraint(lambda x: (x * x).sum()[None], -np.inf, 1.0)
    >>> found = scipy.optimize.minimize(
    ...     **arguments.minimize(lambda x: -x.sum(), np.array([0.1, 0.2]), method="trust-constr"),
    ...     constraints=scipy.optimize.NonlinearConstraint(**disk))
    >>> found.x.round(3)
    array([0.707, 0.707])
    """
    _check(g, "nonlinear_constraint", options, "fun", "jac", "hess")
    _known(method.lower(), ["trust-constr", "slsqp", "cobyla", "cobyqa"], "nonlinear_constraint")
    given = {"fun": jit(g), "lb": lb, "ub": ub, **options}
    if method.lower() == "trust-constr":
        given |= {"jac": spjacobian(g), "hess": _Weighted(g)}
    elif method.lower() == "slsqp":
        given["jac"] = _Dense(spjacobian(g))
    return given


def root(f: Callable[..., Any], x0: Any, *, method: str = "hybr", **options: Any) -> dict[str, Any]:
    """Arguments of ``scipy.optimize.root``: ``f(x, *args)`` and, for ``"hybr"`` and ``"lm"``, its dense Jacobian.

    The other methods use none. ``options`` are further arguments of SciPy's function and are returned with the others.

    Raises ArgumentError for ``fun`` or ``jac`` among the options, ArgumentValueError for an unknown method.

    >>> import numpy as np, functrans as ft, scipy
    >>> scipy.optimize.root(**ft.scipy.arguments.root(lambda x: x + np.sin(x[::-1]) - 1, np.zeros(3))).x.round(4)
    array([0.511, 0.511, 0.511])
    """
    _check(f, "root", options, "fun", "jac")
    _known(method, [*_DENSE_ROOTS, *_OTHER_ROOTS], "root")
    given = {"fun": jit(f), "x0": x0, "method": method, **options}
    return {**given, "jac": _Dense(spjacobian(f))} if method in _DENSE_ROOTS else given


def solve_ivp(
    f: Callable[..., Any], t_span: tuple[float, float], y0: Any, *, method: Any = "BDF", **options: Any
) -> dict[str, Any]:
    """Arguments of ``scipy.integrate.solve_ivp``: the right-hand side ``f(t, y, *args)`` and its Jacobian by y.

    The Jacobian is sparse, by columns, for ``"BDF"`` (the default here) and ``"Radau"``, dense for ``"LSODA"``;
    explicit methods get none. ``options`` are further arguments of SciPy's function and are returned with the others.

    Raises ArgumentError for ``fun`` or ``jac`` among the options, or for bands, which are a form of their own;
    ArgumentValueError for an unknown method.

    >>> import numpy as np, functrans as ft, scipy
    >>> def decay(t, y, k): return -k * y
    >>> arguments = ft.scipy.arguments.solve_ivp(decay, (0.0, 1.0), np.ones(3), args=(np.array([1.0, 10.0, 1e4]),))
    >>> scipy.integrate.solve_ivp(**arguments).success
    True
    """
    _check(f, "solve_ivp", options, "fun", "jac", "jac_sparsity", "lband", "uband")
    name = method.__name__ if isinstance(method, type) else method
    _known(name, ["RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA"], "solve_ivp")
    given = {"fun": jit(f), "t_span": t_span, "y0": y0, "method": method, **options}
    if name in ("Radau", "BDF"):
        given["jac"] = spjacobian(f, argnums=1, format="csc")
    elif name == "LSODA":
        given["jac"] = _Dense(spjacobian(f, argnums=1))
    return given


class _Dense:
    """A sparse derivative as a dense matrix; pickled with it."""

    def __init__(self, sparse: SparseFunction) -> None:
        self.sparse = sparse

    def __call__(self, *args: Any) -> NDArray[Any]:
        """The matrix at the arguments."""
        found: NDArray[Any] = self.sparse(*args).toarray()
        return found


class _Products:
    """Products with the Hessian, in the order of arguments that SciPy has."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        self._product = jit(hvp(f))

    def __reduce__(self) -> tuple[Any, ...]:
        return _Products, (self.f,)

    def __call__(self, x: Any, p: Any, *args: Any) -> Any:
        """The Hessian at x times p."""
        return self._product(x, *args, p)


class _Weighted:
    """The sparse Hessian of ``v . g(x)``."""

    def __init__(self, g: Callable[..., Any]) -> None:
        self.g = g
        self._hessian = lagrangian_hessian(_nothing, g, triangle="full")

    def __reduce__(self) -> tuple[Any, ...]:
        return _Weighted, (self.g,)

    def __call__(self, x: Any, v: Any) -> Any:
        """The matrix at x, with these weights."""
        return self._hessian(x, v, 0.0)


def _nothing(x: Any) -> Any:
    return np.zeros(())


def _check(f: Any, what: str, options: dict[str, Any], *own: str) -> None:
    """Raise ArgumentError for what is no function, and for options that are derivatives or replace them."""
    check_function(f, what)
    taken = [name for name in own if name in options]
    if taken:
        raise ArgumentError(
            f"{', '.join(taken)} given to scipy.arguments.{what}{at_user_line()}, which computes the derivatives; "
            "change the dict that it returns, or call SciPy's function yourself"
        )


def _known(method: object, known: list[str], what: str) -> None:
    if method not in known:
        raise ArgumentValueError(
            f"method={method!r} of scipy.arguments.{what}{at_user_line()}; expected one of {', '.join(known)}"
        )
