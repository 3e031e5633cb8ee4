"""Quadratic subproblems of a nonlinear program, for solvers of their own: patterns once, values in place."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse
from functrans.errors import ArgumentValueError, ShapeError, at_user_line
from functrans.programs.quadratic_solvers import SOLVERS, Quadratic
from functrans.trace import ShapeDtype
from functrans.transforms.jit import jit
from functrans.transforms.sparse.pattern import SparsityPattern

__all__ = ["QuadraticSubproblem", "Step"]

Array = NDArray[Any]


class Step(NamedTuple):
    """A step d, and the multipliers of the constraints and of the bounds on x there: positive at upper bounds.

    Examples
    --------
    >>> import numpy as np
    >>> d, lam_g, lam_x = Step(d=np.array([-0.5, -0.5]), lam_g=np.array([2.0]), lam_x=np.zeros(2))
    """

    d: Array
    lam_g: Array
    lam_x: Array


class QuadraticSubproblem:
    """The quadratic program of a step of SQP; made by `NonlinearProgram.quadratic`.

    ``minimize 1/2 d'(H + damping I)d + f'(x)d`` where ``lbg <= g(x) + J d <= ubg`` and ``lbx <= x + d <= ubx``.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> step = ft.nlp(lambda x: (x ** 4).sum(), lambda x: x.sum()[None]).quadratic(np.ones(2), solver="piqp")
    >>> step.unknowns, step.constraints
    (2, 1)
    """

    def __init__(
        self, values: Any, patterns: tuple[SparsityPattern, SparsityPattern], name: str, settings: dict[str, Any]
    ) -> None:
        if name not in SOLVERS:
            listed = ", ".join(SOLVERS)
            raise ArgumentValueError(f"solver={name!r} of nlp.quadratic{at_user_line()}; expected one of {listed}")
        jacobian, upper = patterns
        self.constraints, self.unknowns = jacobian.shape
        m, n, each = self.constraints, self.unknowns, np.arange(self.unknowns)
        below = SparsityPattern(
            np.concatenate([jacobian.rows, m + each]), np.concatenate([jacobian.cols, each]), (m + n, n), "csc"
        )
        with_diagonal = SparsityPattern(
            np.concatenate([upper.rows, each]), np.concatenate([upper.cols, each]), (n, n), "csc"
        )
        self._in_rows = below.places_of(SparsityPattern(jacobian.rows, jacobian.cols, below.shape, "csc"))
        self._in_hessian = with_diagonal.places_of(upper)
        self._diagonal = with_diagonal.places_of(SparsityPattern(each, each, (n, n), "csc"))
        self._program = Quadratic(
            _matrix(with_diagonal, 0.0), np.zeros(n), _matrix(below, 1.0), np.zeros(m + n), np.zeros(m + n), m
        )
        self._values, self._solver = jit(values), SOLVERS[name](settings)

    def __call__(
        self, x: Any, lam: Any, *p: Any, lbx: Any = -np.inf, ubx: Any = np.inf, lbg: Any = -np.inf, ubg: Any = np.inf,
        damping: float = 0.0,
    ) -> Step:  # fmt: skip
        """The step from x; ``lam`` are the multipliers in the Hessian, bounds are numbers or arrays.

        The first call sets the solver up. Others give it new numbers in the same memory, unless other bounds are
        infinite, or equal, than before: then it is set up again.

        Raises ConvergenceError where the solver does not find the minimum (of an H that is not positive semidefinite
        there may be none, and some solvers do not tell: give a ``damping``); ShapeError where x or lam does not fit.
        """
        given = np.asarray(x, np.float64), np.asarray(lam, np.float64)
        for value, name, size in zip(given, ("x", "lam"), (self.unknowns, self.constraints), strict=True):
            if value.shape != (size,):
                raise ShapeError(f"{name} has shape {value.shape}{at_user_line()}; this program needs ({size},)")
        _, gradient, g, jacobian, hessian = self._values(*given, np.float64(1.0), *p)
        q, m = self._program, self.constraints
        q.gradient[:] = gradient
        q.hessian.data[:] = 0.0
        q.hessian.data[self._in_hessian] = hessian
        q.hessian.data[self._diagonal] += damping
        q.rows.data[self._in_rows] = jacobian
        for side, of_g, of_x in ((q.low, lbg, lbx), (q.high, ubg, ubx)):
            side[:m] = of_g - g
            side[m:] = of_x - given[0]
        d, multipliers = self._solver(q)
        return Step(d, multipliers[:m], multipliers[m:])


def _matrix(pattern: SparsityPattern, value: float) -> Any:
    """A matrix of a pattern, as solvers take it."""
    parts = np.full(pattern.nnz, value), pattern.indices.copy(), pattern.indptr.copy()
    return scipy_sparse.csc_matrix(parts, shape=pattern.shape)


def point_of(x: Any) -> ShapeDtype:
    """A vector like x. Raises ShapeError for another shape."""
    shape = x.shape if isinstance(x, ShapeDtype) else np.shape(x)
    if len(shape) != 1:
        raise ShapeError(f"quadratic subproblems of an nlp are for vectors x, got shape {shape}{at_user_line()}")
    return ShapeDtype(shape, np.float64)
