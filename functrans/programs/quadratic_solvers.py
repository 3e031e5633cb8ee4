"""Solvers of quadratic programs by their Python packages: OSQP, PIQP, Clarabel, HiGHS.

Each is set up once for a pattern, and given new numbers afterwards. Multipliers have one sign for all: the gradient of
``1/2 d'Pd + q.d + multipliers . B d`` is zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import clarabel, highspy, osqp, piqp, scipy_sparse
from functrans.errors import ConvergenceError, at_user_line

Array = NDArray[Any]


@dataclass
class Quadratic:
    """``minimize 1/2 d'Pd + q.d`` where ``low <= B d <= high``; numbers are replaced in place.

    Attributes
    ----------
    hessian : the upper triangle of P, by columns, with its diagonal
    gradient : q
    rows : B by columns: constraints, and below them the identity
    low, high
    constraints : how many rows come before the identity
    """

    hessian: Any
    gradient: Array
    rows: Any
    low: Array
    high: Array
    constraints: int

    @property
    def equal(self) -> NDArray[np.bool_]:
        """Which constraints are equalities."""
        found: NDArray[np.bool_] = (self.low == self.high)[: self.constraints]
        return found


class Solver:
    """A solver: ``_setup``, ``_update`` and ``_solve`` are its own."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self._prepared: bytes | None = None

    def __call__(self, q: Quadratic) -> tuple[Array, Array]:
        """The minimum and the multipliers. Raises ConvergenceError where the solver does not find it."""
        kind = self._kind(q)
        if kind != self._prepared:
            self._setup(q)
            self._prepared = kind
        else:
            self._update(q)
        d, multipliers, status = self._solve(q)
        if d is None:
            name = type(self).__name__
            raise ConvergenceError(f"{name} found no minimum of the subproblem: {status}{at_user_line()}")
        return d, multipliers

    def _kind(self, q: Quadratic) -> bytes:
        """What the solver has to be set up for again where it changes."""
        return b""

    def _setup(self, q: Quadratic) -> None:
        """Give it a program of a new kind."""
        raise NotImplementedError

    def _update(self, q: Quadratic) -> None:
        """Give it other numbers."""
        raise NotImplementedError

    def _solve(self, q: Quadratic) -> tuple[Array | None, Any, object]:
        """The minimum, the multipliers and what the solver says; no minimum where it found none."""
        raise NotImplementedError


class OSQP(Solver):
    """Operator splitting (Stellato et al., Mathematical Programming Computation 12, 2020)."""

    def _setup(self, q: Quadratic) -> None:
        self._solver = osqp.OSQP()
        settings = {"verbose": False} | self.settings
        try:
            self._solver.setup(q.hessian, q.gradient, q.rows, *self._bounds(q), **settings)
        except osqp.OSQPException as error:
            raise ConvergenceError(f"OSQP refuses the subproblem: {error}{at_user_line()}; not convex?") from error

    def _update(self, q: Quadratic) -> None:
        low, high = self._bounds(q)
        self._solver.update(q=q.gradient, l=low, u=high)
        self._solver.update(Px=q.hessian.data, Ax=q.rows.data)

    def _bounds(self, q: Quadratic) -> tuple[Array, Array]:
        most = osqp.constant("OSQP_INFTY")
        return np.maximum(q.low, -most), np.minimum(q.high, most)

    def _solve(self, q: Quadratic) -> tuple[Array | None, Any, object]:
        found = self._solver.solve(raise_error=False)
        return (found.x.copy() if found.info.status == "solved" else None), found.y.copy(), found.info.status


class PIQP(Solver):
    """Proximal interior points (Schwan et al., IEEE CDC 2023)."""

    def _kind(self, q: Quadratic) -> bytes:
        return q.equal.tobytes()

    def _setup(self, q: Quadratic) -> None:
        places, m = np.arange(q.constraints), q.constraints
        self._equal, self._between = Rows(q.rows, places[q.equal]), Rows(q.rows, places[~q.equal])
        self._bounds = slice(m, None)
        self._solver = piqp.SparseSolver()
        for name, value in self.settings.items():
            setattr(self._solver.settings, name, value)
        self._solver.setup(*self._numbers(q))

    def _update(self, q: Quadratic) -> None:
        self._solver.update(*self._numbers(q))

    def _numbers(self, q: Quadratic) -> tuple[Any, ...]:
        e, b = self._equal, self._between
        low, high = q.low[self._bounds], q.high[self._bounds]
        equal, between = (e.matrix(q.rows), q.high[e.rows]), (b.matrix(q.rows), q.low[b.rows], q.high[b.rows])
        return q.hessian, q.gradient, *equal, *between, low, high

    def _solve(self, q: Quadratic) -> tuple[Array | None, Any, object]:
        status, found = self._solver.solve(), self._solver.result
        multipliers = np.zeros(len(q.low))
        multipliers[self._equal.rows] = found.y
        multipliers[self._between.rows] = found.z_u - found.z_l
        multipliers[self._bounds] = found.z_bu - found.z_bl
        return (found.x.copy() if status == piqp.PIQP_SOLVED else None), multipliers, status


class Clarabel(Solver):
    """Interior points over cones (Goulart and Chen, 2024)."""

    def _kind(self, q: Quadratic) -> bytes:
        return np.concatenate([q.equal, np.isfinite(q.low), np.isfinite(q.high)]).tobytes()

    def _setup(self, q: Quadratic) -> None:
        equal = np.concatenate([q.equal, np.zeros(len(q.low) - q.constraints, bool)])
        below, above = (np.flatnonzero(~equal & np.isfinite(side)) for side in (q.low, q.high))
        self._equal, self._above, self._below = np.flatnonzero(equal), above, below
        signs = np.repeat([1.0, -1.0], [len(self._equal) + len(above), len(below)])
        self._rows = Rows(q.rows, np.concatenate([self._equal, above, below]), signs)
        settings = clarabel.DefaultSettings()
        for name, value in ({"verbose": False, "presolve_enable": False} | self.settings).items():
            setattr(settings, name, value)
        cones = [clarabel.ZeroConeT(len(self._equal)), clarabel.NonnegativeConeT(len(above) + len(below))]
        numbers = q.hessian, q.gradient, self._rows.matrix(q.rows), self._right(q)
        self._solver = clarabel.DefaultSolver(*numbers, cones, settings)

    def _update(self, q: Quadratic) -> None:
        matrix = self._rows.matrix(q.rows)
        self._solver.update(P=q.hessian.data, q=q.gradient, A=matrix.data, b=self._right(q))

    def _right(self, q: Quadratic) -> Array:
        return np.concatenate([q.high[self._equal], q.high[self._above], -q.low[self._below]])

    def _solve(self, q: Quadratic) -> tuple[Array | None, Any, object]:
        found = self._solver.solve()
        multipliers, z = np.zeros(len(q.low)), np.asarray(found.z)
        first, second = len(self._equal), len(self._equal) + len(self._above)
        multipliers[self._equal] = z[:first]
        multipliers[self._above] += z[first:second]
        multipliers[self._below] -= z[second:]
        solved = found.status == clarabel.SolverStatus.Solved
        return (np.asarray(found.x) if solved else None), multipliers, found.status


class HiGHS(Solver):
    """Active sets (Huangfu and Hall, Mathematical Programming Computation 10, 2018); new numbers are a new model."""

    def _setup(self, q: Quadratic) -> None:
        m, n = q.constraints, len(q.gradient)
        self._solver = highspy.Highs()
        for name, value in ({"output_flag": False} | self.settings).items():
            self._solver.setOptionValue(name, value)
        self._rows = Rows(q.rows, np.arange(m))
        order = scipy_sparse.csr_matrix(
            (np.arange(q.hessian.nnz) + 1, q.hessian.indices, q.hessian.indptr), shape=(n, n)
        ).tocsc()  # the upper triangle by columns is the lower one by rows
        self._places = order.data - 1
        model = self._model = highspy.HighsModel()
        lp, hessian, matrix = model.lp_, model.hessian_, self._rows.matrix(q.rows)
        lp.num_col_, lp.num_row_ = n, m
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_, lp.a_matrix_.index_ = matrix.indptr, matrix.indices
        hessian.dim_, hessian.format_ = n, highspy.HessianFormat.kTriangular
        hessian.start_, hessian.index_ = order.indptr, order.indices
        self._update(q)

    def _update(self, q: Quadratic) -> None:
        m, lp = q.constraints, self._model.lp_
        lp.a_matrix_.value_ = self._rows.matrix(q.rows).data
        lp.col_cost_ = q.gradient
        lp.row_lower_, lp.row_upper_ = q.low[:m], q.high[:m]
        lp.col_lower_, lp.col_upper_ = q.low[m:], q.high[m:]
        self._model.hessian_.value_ = q.hessian.data[self._places]
        self._solver.passModel(self._model)

    def _solve(self, q: Quadratic) -> tuple[Array | None, Any, object]:
        self._solver.run()
        status, found = self._solver.getModelStatus(), self._solver.getSolution()
        multipliers = -np.concatenate([np.asarray(found.row_dual), np.asarray(found.col_dual)])
        solved = status == highspy.HighsModelStatus.kOptimal
        return (np.array(found.col_value) if solved else None), multipliers, status


class Rows:
    """Some rows of a matrix by columns, with signs, as another one; its numbers are replaced in place.

    Attributes
    ----------
    rows : which
    """

    def __init__(self, whole: Any, rows: Array, signs: Array | None = None) -> None:
        self.rows = rows
        numbers = (np.arange(whole.nnz) + 1, whole.indices, whole.indptr)
        picked = scipy_sparse.csc_matrix(numbers, shape=whole.shape).tocsr()[rows].tocsc()
        self._places = picked.data - 1
        self._signs = np.ones(picked.nnz) if signs is None else signs[picked.indices]
        parts = np.empty(picked.nnz), picked.indices, picked.indptr
        self._matrix = scipy_sparse.csc_matrix(parts, shape=picked.shape)

    def matrix(self, whole: Any) -> Any:
        """The rows of a matrix of the same pattern."""
        np.multiply(whole.data[self._places], self._signs, out=self._matrix.data)
        return self._matrix


SOLVERS: dict[str, Callable[[dict[str, Any]], Solver]] = {
    "osqp": OSQP, "piqp": PIQP, "clarabel": Clarabel, "highs": HiGHS
}  # fmt: skip
