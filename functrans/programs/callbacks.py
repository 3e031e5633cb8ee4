"""The functions that IPOPT's Python interfaces call, one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.errors import ShapeError, at_user_line
from functrans.trace import ShapeDtype, name_of
from functrans.transforms.grad import grad
from functrans.transforms.jit import jit
from functrans.transforms.sparse.function import SparseFunction
from functrans.transforms.sparse.sphessian import joined

__all__ = ["Callbacks"]

Array = NDArray[Any]


class Callbacks:
    """What cyipopt calls ``problem_obj``: the functions one by one, and the structures as (rows, cols).

    Attributes
    ----------
    parameters : those of f and g behind x, at which they are called: another tuple may be assigned between two solves

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> calls = ft.nlp(lambda x: (x ** 2).sum(), lambda x: x[1:] * x[:-1]).callbacks(ft.ShapeDtype((3,)))
    >>> calls.jacobianstructure()
    (array([0, 0, 1, 1], dtype=int32), array([0, 1, 1, 2], dtype=int32))
    >>> calls.hessian(np.ones(3), np.array([5.0, 7.0]), 0.5)
    array([1., 5., 1., 7., 1.])
    """

    def __init__(
        self, f: Callable[..., Any], g: Callable[..., Any], derivatives: tuple[SparseFunction, SparseFunction], x: Any,
        parameters: tuple[Any, ...],
    ) -> None:  # fmt: skip
        point = x if isinstance(x, ShapeDtype) else ShapeDtype(np.shape(x), np.float64)
        if len(point.shape) != 1:
            raise ShapeError(f"callbacks of an nlp are for vectors x, got shape {point.shape}{at_user_line()}")
        self.parameters = parameters
        self._jacobian_of, self._hessian_of = derivatives
        self._jacobian = self._jacobian_of.pattern(point, *parameters)
        multipliers = ShapeDtype((self._jacobian.shape[0],), point.dtype)
        self._hessian = self._hessian_of.pattern(point, multipliers, 1.0, *parameters)
        self._objective, self._gradient = jit(f), jit(grad(f))
        self._constraints = jit(Joined(g))

    def objective(self, x: Array) -> Any:
        """The value of f."""
        return self._objective(x, *self.parameters)

    def gradient(self, x: Array) -> Any:
        """The gradient of f."""
        return self._gradient(x, *self.parameters)

    def constraints(self, x: Array) -> Any:
        """The value of g as a vector."""
        return self._constraints(x, *self.parameters)

    def jacobian(self, x: Array) -> Any:
        """The nonzeros of the Jacobian of g."""
        return self._jacobian_of.values(x, *self.parameters)

    def hessian(self, x: Array, lagrange: Array, obj_factor: float) -> Any:
        """The nonzeros of the Hessian of the Lagrangian."""
        return self._hessian_of.values(x, lagrange, float(obj_factor), *self.parameters)

    def jacobianstructure(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Rows and columns of the nonzeros of the Jacobian."""
        return self._jacobian.rows, self._jacobian.cols

    def hessianstructure(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Rows and columns of the nonzeros of the Hessian: those of one triangle, if the problem has one."""
        return self._hessian.rows, self._hessian.cols


class Joined:
    """A function whose result is one vector."""

    def __init__(self, g: Callable[..., Any]) -> None:
        self.g, self.__name__ = g, name_of(g)

    def __call__(self, x: Any, *parameters: Any) -> Any:
        """The leaves of the result, concatenated."""
        return joined(self.g(x, *parameters), self.__name__)
