"""nlp: everything a solver asks of a nonlinear program at a point, in one evaluation; and as C."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.export.file import Exported
from functrans.export.program import export_program
from functrans.programs.callbacks import Callbacks, Joined
from functrans.programs.casadi import casadi_solver
from functrans.programs.quadratic import QuadraticSubproblem, point_of
from functrans.trace import ShapeDtype, name_of
from functrans.transforms.grad import value_and_grad
from functrans.transforms.jit import jit
from functrans.transforms.sparse.function import SparseFunction
from functrans.transforms.sparse.sphessian import lagrangian_hessian, objective
from functrans.transforms.sparse.spjacobian import spjacobian
from functrans.transforms.vjp import check_function

__all__ = ["NonlinearProgram", "ProgramValues", "nlp"]

Array = NDArray[Any]


class ProgramValues(NamedTuple):
    """What a solver asks for at a point: ``jacobian`` and ``hessian`` are the nonzeros in the order of the patterns.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> at = ft.nlp(lambda x: (x ** 2).sum(), lambda x: x[:1] * x[1:]).values(np.array([1.0, 2.0]), np.array([3.0]))
    >>> at.gradient, at.jacobian, at.hessian
    (array([2., 4.]), array([2., 1.]), array([2., 3., 2.]))
    """

    f: Any
    gradient: Any
    g: Any
    jacobian: Any
    hessian: Any


def nlp(
    f: Callable[..., Any], g: Callable[..., Any] | None = None, *, format: str = "csr", triangle: str = "lower"
) -> NonlinearProgram:
    """The nonlinear program: minimize ``f(x)`` under bounds on x and ``g(x)``, with its sparse derivatives.

    Parameters
    ----------
    f : function of x with a scalar result
    g : function of x with any result; its elements are the constraints, in C order, leaves concatenated
        None where there are none. Both may take parameters behind x, the same: ``f(x, p)`` and ``g(x, p)``.
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
    g = _unconstrained if g is None else g
    check_function(g, "nlp")
    return NonlinearProgram(f, g, format, triangle)


def _unconstrained(x: Any, *p: Any) -> Any:
    return np.zeros(0)


class NonlinearProgram:
    """A nonlinear program with its sparse derivatives; made by `nlp`. Pickled if f and g can be.

    Attributes
    ----------
    f, g : the functions
    jacobian : SparseFunction of x, the Jacobian of g
    hessian : SparseFunction of (x, lam, obj_factor), the Hessian of the Lagrangian; of both, parameters come last
    """

    def __init__(self, f: Callable[..., Any], g: Callable[..., Any], format: str, triangle: str) -> None:
        self.f, self.g, self.format, self.triangle = f, g, format, triangle
        self.jacobian: SparseFunction = spjacobian(g, format=format)
        self.hessian: SparseFunction = lagrangian_hessian(f, g, triangle=triangle, format=format)
        self._values = jit(self._evaluate)

    def __repr__(self) -> str:
        return f"<nlp of {name_of(self.f)}{'' if self.g is _unconstrained else f' and {name_of(self.g)}'}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return NonlinearProgram, (self.f, self.g, self.format, self.triangle)

    def values(
        self, x: Any, lam: Any, obj_factor: Any = 1.0, *p: Any, out: ProgramValues | None = None
    ) -> ProgramValues:
        """F, its gradient, g, and the nonzeros of Jacobian and Hessian, in one call that shares work.

        The gradient is shaped as x, g as f returns it. ``out`` takes arrays like those of `empty_values`, which
        are written and returned. ``p`` are the parameters that f and g take behind x. A function like any other: vmap,
        jit and jvp take it.

        Raises ShapeError (lam does not fit g), ArgumentError (f is not scalar), and what `jit` raises for ``out``.
        """
        if type(obj_factor) is float and isinstance(lam, np.ndarray) and lam.dtype.kind == "f":
            obj_factor = np.asarray(obj_factor, lam.dtype)  # arrays alone take the short way into compiled code
        if out is not None:
            self._values(x, lam, obj_factor, *p, out=tuple(out))
            return out
        return ProgramValues(*self._values(x, lam, obj_factor, *p))

    def empty_values(self, x: Any, lam: Any, obj_factor: Any = 1.0, *p: Any) -> ProgramValues:
        """Arrays for ``out=`` of `values`; arguments like those of the calls to come, or ShapeDtype."""
        traced = self._values.lower(x, lam, obj_factor, *p).traced
        return ProgramValues(*traced.out_tree.unflatten([np.zeros(o.sized, o.dtype.numpy) for o in traced.outputs]))

    def callbacks(self, x: Any, *p: Any) -> Callbacks:
        """The methods that IPOPT's Python interfaces call, for vectors like x (an array or ShapeDtype), and at
        parameters p.
        """
        return Callbacks(self.f, self.g, (self.jacobian, self.hessian), x, p)

    def export(
        self, path: str | os.PathLike[str], *specs: Any, name: str = "nlp", target: str = "functions",
        arch: str = "portable",
    ) -> Exported:  # fmt: skip
        """Write the program as C that stands alone, in the interface of CasADi: one file, and a header beside it.

        Parameters
        ----------
        path : str or path
            The C file, which ends on ``.c``; the header ends on ``.h``.
        *specs : what x and the parameters are like: arrays, `ShapeDtype` or pytrees of them, of float64
            In the file x is one vector, leaves in order, each in C order; so are the parameters, ``p``.
        name : str
            The prefix of the functions. The programs that ``casadi.nlpsol`` loads are called ``nlp``.
        target : "functions", or a solver
            "functions": ``NAME_f`` and ``NAME_g`` of (x, p) with their derivatives, as `export_c` writes them, for
            expressions of CasADi. "ipopt", "sqpmethod", "qrsqp" or "fatrop": the
            functions that ``casadi.nlpsol("s", target, library)`` looks for, each with what it wants and no more. For
            "ipopt" also those that IPOPT's own C interface takes: ``NAME_eval_f`` and its like.
        arch : "portable" or "native"
            For any machine, or with the vectors of this one, as `export_c` has it.

        Raises
        ------
        ArgumentError, ArgumentValueError, DtypeError, UnsupportedError
            As `export_c`; the objective is not one number.

        Examples
        --------
        >>> import functrans as ft, numpy as np, tempfile
        >>> problem = ft.nlp(lambda x, p: ((x - p) ** 2).sum(), lambda x, p: x[1:] * x[:-1])
        >>> with tempfile.TemporaryDirectory() as here:
        ...     made = problem.export(here + "/nlp.c", np.zeros(3), np.zeros(3), target="ipopt")
        ...     made.functions
        ('nlp', 'nlp_f', 'nlp_g', 'nlp_grad_f', 'nlp_jac_g', 'nlp_hess_l', 'nlp_grad')
        """
        return export_program(self.f, self.g, path, specs, name, target, arch)

    def casadi(self, *specs: Any, solver: str = "ipopt", **options: Any) -> Any:
        """CasADi's solver for the program: a ``casadi.Function`` of ``nlpsol``, all of whose functions are compiled C.

        No Python runs while it solves. The C has the vectors of this machine.

        Parameters
        ----------
        *specs : what x and the parameters are like, as for `export`
        solver : a plugin of ``casadi.nlpsol``
        **options : those of ``nlpsol``: ``**{"ipopt.print_level": 0}``

        Returns
        -------
        casadi.Function
            ``s(x0=, p=, lbx=, ubx=, lbg=, ubg=)`` with vectors: x and the parameters flattened as `export` does.

        Raises
        ------
        ModuleNotFoundError
            CasADi is not installed; the text says how to install it.
        ArgumentValueError
            This CasADi has no such solver.
        CompilerNotFound, CompileError
            As `Exported.compile`; besides, what `export` raises.
        """
        return casadi_solver(self.f, self.g, specs, solver, options)

    def quadratic(self, x: Any, *p: Any, solver: str = "osqp", **settings: Any) -> QuadraticSubproblem:
        """The quadratic program of a step of SQP, by a solver that has it set up once and is given numbers in place.

        Parameters
        ----------
        x, *p : a vector like x and what the parameters are like: arrays or `ShapeDtype`
        solver : "osqp", "piqp", "clarabel" or "highs"
        **settings : the solver's own

        Returns
        -------
        QuadraticSubproblem
            ``step(x, lam, *p, lbx=, ubx=, lbg=, ubg=, damping=)``.

        Raises
        ------
        ArgumentValueError, ShapeError
            Another solver; x is no vector. At a call ModuleNotFoundError where the solver is not installed; the text
            says how to install it.

        Examples
        --------
        >>> import numpy as np, functrans as ft
        >>> step = ft.nlp(lambda x: (x ** 4).sum(), lambda x: x.sum()[None]).quadratic(np.ones(2), solver="piqp")
        >>> step(np.ones(2), np.zeros(1), lbg=1.0, ubg=1.0).d  # doctest: +SKIP
        array([-0.5, -0.5])
        """
        columns = NonlinearProgram(self.f, Joined(self.g), "csc", "upper")
        point = point_of(x)
        jacobian = columns.jacobian.pattern(point, *p)
        upper = columns.hessian.pattern(point, ShapeDtype((jacobian.shape[0],), point.dtype), 1.0, *p)
        return QuadraticSubproblem(columns.values, (jacobian, upper), solver, settings)

    def _evaluate(self, x: Any, lam: Any, obj_factor: Any, *p: Any) -> tuple[Any, ...]:
        objective(self.f, x, *p)  # refuses in terms of the problem
        value, gradient = value_and_grad(self.f)(x, *p)
        hessian = self.hessian.values(x, lam, obj_factor, *p)
        return value, gradient, self.g(x, *p), self.jacobian.values(x, *p), hessian
