"""nlp: everything a solver asks of a nonlinear program at a point, in one evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.errors import ShapeError, at_user_line
from functrans.trace import ShapeDtype, name_of
from functrans.transforms.grad import grad, value_and_grad
from functrans.transforms.jit import jit
from functrans.transforms.sparse.function import SparseFunction
from functrans.transforms.sparse.sphessian import joined, lagrangian_hessian, objective
from functrans.transforms.sparse.spjacobian import spjacobian
from functrans.transforms.vjp import check_function

__all__ = ["Callbacks", "NonlinearProgram", "ProgramValues", "nlp"]

Array = NDArray[Any]


class ProgramValues(NamedTuple):
    """What a solver asks for at a point: ``jacobian`` and ``hessian`` are the nonzeros in the order of the patterns."""

    f: Any
    gradient: Any
    g: Any
    jacobian: Any
    hessian: Any


def nlp(
    f: Callable[..., Any], g: Callable[..., Any], *, format: str = "csr", triangle: str = "lower"
) -> NonlinearProgram:
    """The nonlinear program: minimize ``f(x)`` under bounds on x and ``g(x)``, with its sparse derivatives.

    Parameters
    ----------
    f : function of x with a scalar result
    g : function of x with any result; its elements are the constraints, in C order, leaves concatenated
    format : "csr", "csc" or "coo"
        The order of the nonzeros of Jacobian and Hessian.
    triangle : "lower", "upper" or "full"
        Of the Hessian: IPOPT wants the lower one, CasADi and OSQP the upper one in "csc".

    Raises
    ------
    ArgumentError
        f or g is no function, an option that does not exist.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> problem = ft.nlp(lambda x: (x ** 2).sum(), lambda x: x[1:] * x[:-1])
    >>> x, lam = np.array([1.0, 2.0, 3.0]), np.array([5.0, 7.0])
    >>> at = problem.values(x, lam, 0.5)
    >>> at.f, at.gradient, at.g
    (np.float64(14.0), array([2., 4., 6.]), array([2., 6.]))
    >>> at.jacobian, at.hessian
    (array([2., 1., 3., 2.]), array([1., 5., 1., 7., 1.]))
    >>> problem.hessian.pattern(x, lam).cols
    array([0, 0, 1, 1, 2], dtype=int32)
    """
    check_function(f, "nlp")
    check_function(g, "nlp")
    return NonlinearProgram(f, g, format, triangle)


class NonlinearProgram:
    """A nonlinear program with its sparse derivatives; made by `nlp`. Pickled if f and g can be.

    Attributes
    ----------
    f, g : the functions
    jacobian : SparseFunction of x, the Jacobian of g
    hessian : SparseFunction of (x, lam, obj_factor), the Hessian of the Lagrangian
    """

    def __init__(self, f: Callable[..., Any], g: Callable[..., Any], format: str, triangle: str) -> None:
        self.f, self.g, self.format, self.triangle = f, g, format, triangle
        self.jacobian: SparseFunction = spjacobian(g, format=format)
        self.hessian: SparseFunction = lagrangian_hessian(f, g, triangle=triangle, format=format)
        self._values = jit(self._evaluate)

    def __repr__(self) -> str:
        return f"<nlp of {name_of(self.f)} and {name_of(self.g)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return NonlinearProgram, (self.f, self.g, self.format, self.triangle)

    def values(self, x: Any, lam: Any, obj_factor: Any = 1.0, *, out: ProgramValues | None = None) -> ProgramValues:
        """F, its gradient, g, and the nonzeros of Jacobian and Hessian, in one call that shares work.

        The gradient is shaped as x, g as f returns it. ``out`` takes arrays like those of `empty_values`, which
        are written and returned. A function like any other: vmap, jit and jvp take it.

        Raises ShapeError (lam does not fit g), ArgumentError (f is not scalar), and what `jit` raises for ``out``.
        """
        if type(obj_factor) is float and isinstance(lam, np.ndarray) and lam.dtype.kind == "f":
            obj_factor = np.asarray(obj_factor, lam.dtype)  # arrays alone take the short way into compiled code
        if out is not None:
            self._values(x, lam, obj_factor, out=tuple(out))
            return out
        return ProgramValues(*self._values(x, lam, obj_factor))

    def empty_values(self, x: Any, lam: Any, obj_factor: Any = 1.0) -> ProgramValues:
        """Arrays for ``out=`` of `values`; arguments like those of the calls to come, or ShapeDtype."""
        traced = self._values.lower(x, lam, obj_factor).traced
        return ProgramValues(*traced.out_tree.unflatten([np.zeros(o.sized, o.dtype.numpy) for o in traced.outputs]))

    def callbacks(self, x: Any) -> Callbacks:
        """The methods that IPOPT's Python interfaces call, for vectors like x (an array or ShapeDtype)."""
        return Callbacks(self, x)

    def _evaluate(self, x: Any, lam: Any, obj_factor: Any) -> tuple[Any, ...]:
        objective(self.f, x)  # refuses in terms of the problem
        value, gradient = value_and_grad(self.f)(x)
        hessian = self.hessian.values(x, lam, obj_factor)
        return value, gradient, self.g(x), self.jacobian.values(x), hessian


class Callbacks:
    """What cyipopt calls ``problem_obj``: the functions one by one, and the structures as (rows, cols).

    >>> import numpy as np, functrans as ft
    >>> calls = ft.nlp(lambda x: (x ** 2).sum(), lambda x: x[1:] * x[:-1]).callbacks(ft.ShapeDtype((3,)))
    >>> calls.jacobianstructure()
    (array([0, 0, 1, 1], dtype=int32), array([0, 1, 1, 2], dtype=int32))
    >>> calls.hessian(np.ones(3), np.array([5.0, 7.0]), 0.5)
    array([1., 5., 1., 7., 1.])
    """

    def __init__(self, problem: NonlinearProgram, x: Any) -> None:
        point = x if isinstance(x, ShapeDtype) else ShapeDtype(np.shape(x), np.float64)
        if len(point.shape) != 1:
            raise ShapeError(f"callbacks of an nlp are for vectors x, got shape {point.shape}{at_user_line()}")
        self._problem = problem
        self._jacobian = problem.jacobian.pattern(point)
        multipliers = ShapeDtype((self._jacobian.shape[0],), point.dtype)
        self._hessian = problem.hessian.pattern(point, multipliers, 1.0)
        self._objective, self._gradient = jit(problem.f), jit(grad(problem.f))
        self._constraints = jit(_Joined(problem.g))

    def objective(self, x: Array) -> Any:
        """The value of f."""
        return self._objective(x)

    def gradient(self, x: Array) -> Any:
        """The gradient of f."""
        return self._gradient(x)

    def constraints(self, x: Array) -> Any:
        """The value of g as a vector."""
        return self._constraints(x)

    def jacobian(self, x: Array) -> Any:
        """The nonzeros of the Jacobian of g."""
        return self._problem.jacobian.values(x)

    def hessian(self, x: Array, lagrange: Array, obj_factor: float) -> Any:
        """The nonzeros of the Hessian of the Lagrangian."""
        return self._problem.hessian.values(x, lagrange, float(obj_factor))

    def jacobianstructure(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Rows and columns of the nonzeros of the Jacobian."""
        return self._jacobian.rows, self._jacobian.cols

    def hessianstructure(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Rows and columns of the nonzeros of the Hessian: those of one triangle, if the problem has one."""
        return self._hessian.rows, self._hessian.cols


class _Joined:
    """A function whose result is one vector."""

    def __init__(self, g: Callable[..., Any]) -> None:
        self.g, self.__name__ = g, name_of(g)

    def __call__(self, x: Any) -> Any:
        return joined(self.g(x), self.__name__)
